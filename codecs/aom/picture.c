/* SPDX-License-Identifier: MIT */
#include "codecs/aom/picture.h"

#include "codecs/aom/coded.h"
#include "codecs/aom/hooks.h"
#include "codecs/aom/libaom.h"
#include "codecs/aom/recon.h"

#include "util/compiler.h"

#define OBU_FRAME_TYPE 6

/* Headers have no more than about 600 bytes, with 128 tile sizes and all that is optional. */
#define MAX_HEADERS_B 2048

struct span {
    const uint8_t *data;
    size_t size_B;
};

static enum rp_codec_status
status_of(const struct rp_aom_picture *picture, aom_codec_err_t error)
{
    const bool is_out_of_memory =
        error == AOM_CODEC_MEM_ERROR || atomic_load(&picture->is_out_of_memory);
    return is_out_of_memory ? RP_CODEC_NO_MEMORY : RP_CODEC_FAILED;
}

static bool
knows_name(const struct rp_aom_picture *picture, uint32_t name)
{
    return picture->known_refs >> picture->job->picture->ref_frame_idx[name] & 1;
}

/* The pictures behind the names. The motion field is made of those of all names, and of what
 * ALTREF_FRAME was to that of LAST_FRAME (7.9.2). */
static void
find_references(struct rp_aom_picture *picture)
{
    const struct rp_av1_encode_job *job = picture->job;
    if (picture->is_intra)
        return;

    for (uint32_t i = 0; i < RP_AV1_NAMES; i++) {
        const struct rp_encoder_slot *slot = job->refs[i].picture.slot;
        if (!slot)
            continue;
        picture->refs[i] = slot->buffer;
        picture->known_refs |= 1u << job->picture->ref_frame_idx[i];
    }
    const struct rp_encoder_slot *last = job->refs[0].picture.slot;
    picture->has_motion_field = last && last->knows_altref;
    for (uint32_t i = 0; i < RP_AV1_NAMES; i++)
        picture->has_motion_field &= knows_name(picture, i);
}

/* Keeps libaom's own account of references in step with what the hooks enforce, and says which
 * pairs of names compound prediction may use: with LAST, GOLDEN, LAST2 or ALTREF. */
static aom_codec_err_t
announce_references(const struct rp_aom_picture *picture)
{
    const struct rp_av1_encode_job *job = picture->job;
    aom_svc_ref_frame_config_t refs = {0};
    aom_svc_ref_frame_comp_pred_t pairs = {0};
    bool has_name[RP_AV1_NAMES];

    for (uint32_t i = 0; i < RP_AV1_NAMES; i++) {
        has_name[i] =
            picture->refs[i] && !(job->primary_is_cdf_only && i == job->picture->primary_ref_frame);
        refs.reference[i] = has_name[i];
        refs.ref_idx[i] = picture->is_intra ? 0 : job->picture->ref_frame_idx[i];
    }
    for (uint32_t i = 0; i < REF_FRAMES; i++)
        refs.refresh[i] = job->picture->refresh_frame_flags >> i & 1;
    if (job->prediction >= RP_AV1_PREDICTION_UNIDIRECTIONAL && has_name[0]) {
        pairs.use_comp_pred[0] = has_name[3];
        pairs.use_comp_pred[1] = has_name[1];
        pairs.use_comp_pred[2] = job->prediction == RP_AV1_PREDICTION_BIDIRECTIONAL && has_name[6];
    }
    aom_codec_ctx_t *codec = &picture->ctx->codec;
    const aom_codec_err_t error = aom_codec_control(codec, AV1E_SET_SVC_REF_FRAME_CONFIG, &refs);
    if (error != AOM_CODEC_OK)
        return error;
    return aom_codec_control(codec, AV1E_SET_SVC_REF_FRAME_COMP_PRED, &pairs);
}

/* The coded picture in libaom's memory. */
static aom_codec_err_t
run_codec(struct rp_aom_picture *picture, const aom_image_t *image, struct span *packet_out)
{
    struct rp_aom_context *ctx = picture->ctx;
    aom_enc_frame_flags_t flags = 0;
    if (picture->job->picture->frame_type == STD_VIDEO_AV1_FRAME_TYPE_KEY)
        flags |= AOM_EFLAG_FORCE_KF;
    if (picture->job->picture->frame_type == STD_VIDEO_AV1_FRAME_TYPE_SWITCH)
        flags |= AOM_EFLAG_SET_S_FRAME;

    aom_codec_err_t error = announce_references(picture);
    if (error != AOM_CODEC_OK)
        return error;
    const struct rp_encoder_slot *last = picture->job->refs[0].picture.slot;
    picture->is_after_last = last && last->number == ctx->picture_count;
    rp_aom_hooks_set(picture);
    error = aom_codec_encode(&ctx->codec, image, ctx->picture_count++, 1, flags);
    rp_aom_hooks_set(NULL);
    if (ctx->compressor)
        ctx->compressor->oxcf.algo_cfg.cdf_update_mode = RP_AOM_UPDATES_CDFS;
    if (error != AOM_CODEC_OK)
        return error;

    aom_codec_iter_t iter = NULL;
    const aom_codec_cx_pkt_t *packet;
    while ((packet = aom_codec_get_cx_data(&ctx->codec, &iter))) {
        if (packet->kind == AOM_CODEC_CX_FRAME_PKT) {
            *packet_out = (struct span){packet->data.frame.buf, packet->data.frame.sz};
            return AOM_CODEC_OK;
        }
    }
    return AOM_CODEC_ERROR;
}

/* tile_group_obu() in the frame OBU, which ends the packet: its headers are as long as libaom's. */
static bool
find_tile_group(const struct rp_aom_picture *picture, const struct span *packet, struct span *out)
{
    const uint32_t header = picture->is_intra ? 1 : 0; /* behind a sequence header */
    size_t pos = 0;
    while (pos + 2 <= packet->size_B && header < picture->header_count) {
        const uint32_t type = packet->data[pos] >> 3 & 15;
        uint64_t payload_B;
        size_t length_B;
        pos += 1 + (packet->data[pos] >> 2 & 1);
        if (aom_uleb_decode(packet->data + pos, packet->size_B - pos, &payload_B, &length_B))
            return false;
        pos += length_B;
        if (payload_B > packet->size_B - pos)
            return false;
        if (type == OBU_FRAME_TYPE) {
            const size_t header_B = picture->header_sizes_B[header];
            *out = (struct span){packet->data + pos + header_B, payload_B - header_B};
            return header_B < payload_B;
        }
        pos += payload_B;
    }
    return false;
}

/* The sizes of tiles (5.11.1), each but the last in front of its data. */
static void
read_tile_sizes(const struct rp_aom_picture *picture, const struct span *group)
{
    const uint32_t count = picture->tiles.cols * picture->tiles.rows;
    size_t pos = count > 1; /* tile_start_and_end_present_flag */
    for (uint32_t i = 0; i + 1 < count; i++) {
        size_t tile_B = 1;
        for (uint32_t k = 0; k < picture->tile_size_field_B; k++)
            tile_B += (size_t)group->data[pos + k] << (8 * k);
        picture->job->tile_size_B[i] = (uint32_t)tile_B;
        pos += picture->tile_size_field_B + tile_B;
    }
    picture->job->tile_size_B[count - 1] = (uint32_t)(group->size_B - pos);
}

/* Headers and tiles to the application's buffer. Returns their size, be there no room for it. */
static size_t
write_picture(const struct rp_aom_picture *picture, const struct span *group,
              struct rp_encode_result *result)
{
    struct rp_av1_encode_job *job = (struct rp_av1_encode_job *)picture->job;
    uint8_t headers[MAX_HEADERS_B];
    struct rp_aom_coded coded;
    struct rp_bits bits;

    rp_aom_coded_init(&coded, picture);
    rp_bits_init(&bits, headers, sizeof(headers));
    job->write_headers(job->write_headers_ctx, &coded.picture, group->size_B, &bits);
    const size_t headers_B = (bits.size_bits + 7) / 8;
    if (bits.has_overflow || headers_B > job->common.dst_capacity_B ||
        group->size_B > job->common.dst_capacity_B - headers_B) {
        result->status = bits.has_overflow ? RP_CODEC_FAILED : RP_CODEC_NO_SPACE;
        return headers_B + group->size_B;
    }
    memcpy(job->common.dst, headers, headers_B);
    memcpy(job->common.dst + headers_B, group->data, group->size_B);
    result->size_B = headers_B + group->size_B;
    if (job->tile_size_B)
        read_tile_sizes(picture, group);
    return result->size_B;
}

/* In the setup slot, in its image, and where a decoder has it. source, rate_base:
 * rp_encoder_slot's. */
static void
keep_reconstruction(const struct rp_aom_picture *picture, struct rp_aom_decoded *decoded,
                    struct rp_aom_source *source, double rate_base)
{
    const struct rp_av1_encode_job *job = picture->job;
    const struct rp_encoder_slot coded = {
        .context = picture->ctx,
        .buffer = picture->ctx->compressor->common.cur_frame,
        .knows_altref = picture->is_intra || knows_name(picture, ALTREF_FRAME - LAST_FRAME),
        .number = picture->ctx->picture_count,
        .source = source,
        .rate_base = rate_base,
    };
    rp_aom_decoded_refresh(decoded, job, &coded);
    if (!job->common.recon.slot)
        return;
    rp_aom_slot_copy(job->common.recon.slot, &coded);
    rp_aom_recon_copy(coded.buffer, job->common.width_px, job->common.height_px,
                      &job->common.recon.pixels);
}

/* The references of a decoder are not libaom's: slots alone hold pictures. */
static void
forget_references(struct rp_aom_context *ctx)
{
    AV1_COMMON *cm = &ctx->compressor->common;
    for (uint32_t i = 0; i < REF_FRAMES; i++) {
        if (cm->ref_frame_map[i])
            cm->ref_frame_map[i]->ref_count--;
        cm->ref_frame_map[i] = NULL;
    }
}

static enum rp_codec_status
picture_prepare(struct rp_aom_picture *picture, struct rp_aom_decoded *decoded,
                aom_image_t *image_out)
{
    const struct rp_av1_encode_job *job = picture->job;
    find_references(picture);
    rp_aom_decoded_make_room(decoded, picture->ctx);
    if (!rp_aom_tiles_init(&picture->tiles, job->common.width_px, job->common.height_px,
                           job->picture->pTileInfo))
        return RP_CODEC_UNSUPPORTED;
    return rp_aom_staging_fill(&picture->ctx->staging, &job->common.src, job->common.width_px,
                               job->common.height_px, image_out);
}

/* Codes the picture with its q index; returns its size. */
static size_t
picture_code(struct rp_aom_picture *picture, const aom_image_t *image,
             struct rp_encode_result *result)
{
    struct span packet, group = {0};

    picture->is_coded = false;
    *result = (struct rp_encode_result){.status = RP_CODEC_OK};
    aom_codec_err_t error = run_codec(picture, image, &packet);
    if (error == AOM_CODEC_OK && !find_tile_group(picture, &packet, &group))
        error = AOM_CODEC_ERROR;
    if (error != AOM_CODEC_OK) {
        result->status = status_of(picture, error);
        picture->ctx->is_broken = true;
        return 0;
    }
    rp_aom_coded_count(picture, result);
    return write_picture(picture, &group, result);
}

static bool
is_coded(const struct rp_encode_result *result)
{
    return result->status == RP_CODEC_OK || result->status == RP_CODEC_NO_SPACE;
}

void
rp_aom_picture_encode(struct rp_aom_context *ctx, struct rp_aom_decoded *decoded,
                      struct rp_av1_encode_job *job, struct rp_aom_source *source,
                      struct rp_rate_plan *rate)
{
    const StdVideoAV1FrameType type = job->picture->frame_type;
    struct rp_encode_result *result = &job->common.result;
    struct rp_aom_picture picture = {
        .ctx = ctx,
        .job = job,
        .is_intra =
            type == STD_VIDEO_AV1_FRAME_TYPE_KEY || type == STD_VIDEO_AV1_FRAME_TYPE_INTRA_ONLY,
    };
    aom_image_t image;

    *result = (struct rp_encode_result){.status = picture_prepare(&picture, decoded, &image)};
    if (result->status != RP_CODEC_OK)
        return;
    if (!rp_aom_context_set_quality(ctx, job->common.quality_level)) {
        result->status = RP_CODEC_NO_MEMORY;
        ctx->is_broken = true;
        return;
    }
    size_t size_B;
    bool is_again;
    do {
        picture.q_index = rate ? rate->index : job->q_index;
        size_B = picture_code(&picture, &image, result);
        is_again = rate && is_coded(result) && rp_rate_plan_is_again(rate, size_B);
        if (is_again)
            forget_references(ctx);
    } while (is_again);
    if (!is_coded(result))
        return;
    keep_reconstruction(&picture, decoded, source,
                        rate ? rp_rate_plan_end(rate, size_B)
                             : rp_aom_rate_step(picture.q_index, ctx->config.bit_depth));
    forget_references(ctx);
}

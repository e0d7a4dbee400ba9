/* SPDX-License-Identifier: MIT */
/* Collecting pictures, keeping the DPB, calling the decoder.
 */
#include "app.h"

#include "dpb.h"
#include "image.h"
#include "tests/test.h"

#include <string.h>

uint32_t
random_below(struct session *session, uint32_t n)
{
    session->random = session->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(session->random >> 33) % n;
}

void
stream_open(struct stream *stream, struct session *session, const char *name)
{
    *stream = (struct stream){.session = session, .name = name, .is_first = true};
    FILE *file = fopen(name, "rb");
    REQUIRE(file && fseek(file, 0, SEEK_END) == 0);
    stream->file_B = (size_t)ftell(file);
    rewind(file);
    stream->file = malloc(stream->file_B + 64);
    REQUIRE(stream->file && fread(stream->file, 1, stream->file_B, file) == stream->file_B);
    REQUIRE(fclose(file) == 0);
    memset(stream->file + stream->file_B, 0, 64);
}

void
stream_close(struct stream *stream)
{
    for (uint32_t i = 0; i < RP_H265_DECODE_SLOTS; i++)
        frame_release(stream->session, &stream->frames[i]);
    free(stream->file);
    free(stream->hashes.at);
}

static void
read_parameter_set(struct stream *stream, const struct rp_h265_nal *nal)
{
    static uint8_t rbsp[1 << 16];
    static struct rp_h265_sps sps;
    static struct rp_h265_pps pps;
    struct rp_h265_syntax syntax;
    REQUIRE(nal->size_B <= sizeof(rbsp));
    const size_t rbsp_B = rp_h265_unescape(rbsp, stream->file + nal->offset_B, nal->size_B);
    rp_h265_syntax_init_read(&syntax, rbsp, rbsp_B);
    if (nal->nal_unit_type == RP_H265_NAL_SPS) {
        sps = (struct rp_h265_sps){.std = {.sps_seq_parameter_set_id = 0}};
        rp_h265_code_sps(&syntax, &sps);
        sps.std.pProfileTierLevel = &sps.profile_tier_level;
        sps.std.pDecPicBufMgr = &sps.dec_pic_buf_mgr;
        sps.std.pScalingLists = &sps.scaling_lists;
        sps.std.pShortTermRefPicSet = sps.short_term_ref_pic_sets;
        sps.std.pLongTermRefPicsSps = &sps.long_term_ref_pics;
        REQUIRE(rp_h265_syntax_is_ok(&syntax) && rp_h265_sps_is_valid(&sps.std));
        const uint32_t id = sps.std.sps_seq_parameter_set_id;
        rp_h265_sps_copy(&stream->sps[id], &sps.std);
        stream->has_sps[id] = true;
    } else {
        pps = (struct rp_h265_pps){.std = {.pps_pic_parameter_set_id = 0}};
        rp_h265_code_pps(&syntax, &pps);
        pps.std.pScalingLists = &pps.scaling_lists;
        REQUIRE(rp_h265_syntax_is_ok(&syntax) && rp_h265_pps_is_valid(&pps.std));
        const uint32_t id = pps.std.pps_pic_parameter_set_id;
        rp_h265_pps_copy(&stream->pps[id], &pps.std);
        stream->has_pps[id] = true;
    }
}

/* The first part of the first slice's header, which says all of the picture. */
static void
read_header(struct stream *stream)
{
    uint8_t rbsp[2048];
    struct rp_h265_syntax syntax;
    const size_t raw_B = stream->first.size_B < sizeof(rbsp) ? stream->first.size_B : sizeof(rbsp);
    const size_t rbsp_B = rp_h265_unescape(rbsp, stream->file + stream->first.offset_B, raw_B);
    struct rp_h265_slice_header *header = &stream->header;

    *header = (struct rp_h265_slice_header){.nal_unit_type = stream->first.nal_unit_type,
                                            .pic_output_flag = true};
    rp_h265_syntax_init_read(&syntax, rbsp, rbsp_B);
    (void)rp_h265_flag(&syntax, false);
    if (rp_h265_slice_is_irap(header))
        (void)rp_h265_flag(&syntax, false);
    const uint32_t pps_id = rp_h265_ue(&syntax, RP_H265_PPS_LIMIT - 1, 0);
    REQUIRE(stream->has_pps[pps_id]);
    const StdVideoH265PictureParameterSet *pps = &stream->pps[pps_id].std;
    REQUIRE(stream->has_sps[pps->pps_seq_parameter_set_id]);
    const struct rp_h265_slice_context context = {
        .sps = &stream->sps[pps->pps_seq_parameter_set_id].std, .pps = pps};
    rp_h265_syntax_init_read(&syntax, rbsp, rbsp_B);
    rp_h265_code_slice_first_part(&syntax, &context, header);
    REQUIRE(rp_h265_syntax_is_ok(&syntax));
}

/* Collects the slices of one access unit. False at the end. */
static bool
collect(struct stream *stream)
{
    stream->slice_count = 0;
    for (;;) {
        size_t position_B = stream->at_B;
        struct rp_h265_nal nal;
        if (!rp_h265_nal_next(stream->file, stream->file_B, &position_B, &nal))
            break;
        if (rp_h265_nal_is_slice(nal.nal_unit_type)) {
            const bool starts_picture = stream->file[nal.offset_B] & 0x80;
            if (stream->slice_count > 0 && starts_picture)
                break;
            if (stream->slice_count == 0)
                stream->first = nal;
            REQUIRE(stream->slice_count < APP_MAX_SLICES);
            stream->offsets_B[stream->slice_count++] = (uint32_t)stream->at_B;
        } else if (stream->slice_count > 0 && nal.nal_unit_type >= RP_H265_NAL_VPS &&
                   nal.nal_unit_type <= 35) {
            break; /* parameter sets or a delimiter of the next picture */
        } else if (nal.nal_unit_type == RP_H265_NAL_SPS || nal.nal_unit_type == RP_H265_NAL_PPS) {
            read_parameter_set(stream, &nal);
        } else if (nal.nal_unit_type == 36 || nal.nal_unit_type == 37) {
            stream->is_first = true;
        }
        stream->at_B = position_B;
    }
    return stream->slice_count > 0;
}

/* Bits of slices turn over, or their ends are missing. */
static void
damage(struct stream *stream)
{
    struct session *session = stream->session;
    for (uint32_t i = 0; i < stream->slice_count; i++) {
        if (random_below(session, 100) >= session->damage_percent)
            continue;
        const size_t end_B = i + 1 < stream->slice_count ? stream->offsets_B[i + 1] : stream->at_B;
        const size_t from_B = stream->offsets_B[i] + 6;
        if (from_B >= end_B)
            continue;
        if (random_below(session, 2)) {
            for (uint32_t k = 0; k < 4; k++)
                stream->file[from_B + random_below(session, (uint32_t)(end_B - from_B))] ^=
                    (uint8_t)(1u << random_below(session, 8));
        } else {
            const size_t cut_B = from_B + random_below(session, (uint32_t)(end_B - from_B));
            memset(stream->file + cut_B, 0, end_B - cut_B);
        }
    }
}

/* Slices are missing. */
static void
drop(struct stream *stream)
{
    struct session *session = stream->session;
    uint32_t count = stream->slice_count > 0;
    for (uint32_t i = 1; i < stream->slice_count; i++) {
        if (random_below(session, 100) >= session->dropped_percent)
            stream->offsets_B[count++] = stream->offsets_B[i];
        else /* what an offset leads to ends at the next one */
            memset(stream->file + stream->offsets_B[i], 0xff, 3);
    }
    session->incomplete_count += count < stream->slice_count;
    stream->slice_count = count;
}

static void
enter(const struct session *session, bool is_entering)
{
    if (session->enters)
        session->enters(is_entering);
}

static struct rp_h265_decode_job
next_job(struct stream *stream, uint32_t index, const struct frame *frame)
{
    struct session *session = stream->session;
    struct rp_h265_decode_job job;
    rp_h265_private_job(&session->picture, index, &job);
    job.common.data = stream->file;
    job.common.data_B = stream->at_B;
    job.common.setup_slot = frame->slot;
    if (index == session->picture.control_count) {
        job.common.dst = frame->dst;
        if (session->is_in_place)
            job.common.target = frame_target(session, frame);
    }
    return job;
}

static enum rp_codec_status
decode(struct stream *stream, const struct rp_h265_private_request *request, struct frame *frame)
{
    struct session *session = stream->session;
    if (session->decode)
        return session->decode(session->context, request, &frame->dst);
    enter(session, true);
    enum rp_codec_status status =
        rp_h265_private_begin(&session->streams, request, &session->picture);
    enter(session, false);
    if (status != RP_CODEC_OK)
        return status;
    for (uint32_t i = 0; i <= session->picture.control_count; i++) {
        const struct rp_h265_decode_job job = next_job(stream, i, frame);
        enter(session, true);
        status = session->codec->decode(session->dec, &job.common);
        enter(session, false);
    }
    rp_h265_private_end(&session->streams, &session->picture, status);
    return status == RP_CODEC_OK && session->picture.is_damaged ? RP_CODEC_DAMAGED : status;
}

/* All entries of a set there are, with pictures that are there, in the order of their slots. */
static void
crowd_fill(struct session *session, struct rp_h265_private_set *set, int32_t *slot)
{
    set->count = STD_VIDEO_DECODE_H265_REF_PIC_SET_LIST_SIZE;
    for (uint32_t i = 0; i < set->count; i++) {
        for (uint32_t tries = 0; tries < RP_H265_PRIVATE_SLOTS; tries++) {
            *slot = (*slot + 1) % RP_H265_PRIVATE_SLOTS;
            if (session->streams.slots[*slot].stream >= 0)
                break;
        }
        set->at[i] = (struct rp_h265_private_reference){.slot = *slot};
    }
}

/* The picture refers to three times as many as it may, and is kept nowhere: what it says of the
 * others counts for nothing. */
static void
decode_crowded(struct stream *stream, const struct rp_h265_private_request *request,
               const struct frame *frame)
{
    struct rp_h265_private_request crowded = *request;
    struct frame nowhere = *frame;
    int32_t slot = -1;
    crowd_fill(stream->session, &crowded.before, &slot);
    crowd_fill(stream->session, &crowded.after, &slot);
    crowd_fill(stream->session, &crowded.long_term, &slot);
    crowded.setup_slot = nowhere.slot = -1;
    REQUIRE_EQ(decode(stream, &crowded, &nowhere), RP_CODEC_DAMAGED);
}

static void
decode_picture(struct stream *stream, struct frame *frame, struct rp_h265_private_request *request)
{
    struct session *session = stream->session;
    request->src = stream->file;
    request->src_B = stream->at_B;
    request->slice_offsets_B = stream->offsets_B;
    request->slice_count = stream->slice_count;
    request->setup_slot = frame->slot;
    if (session->damage_percent > 0)
        damage(stream);
    if (session->dropped_percent > 0)
        drop(stream);
    if (session->has_crowds && session->decoded_count > 0)
        decode_crowded(stream, request, frame);
    const enum rp_codec_status status = decode(stream, request, frame);
    session->decoded_count++;
    session->damaged_count += status != RP_CODEC_OK;
    session->out_of_memory_count += status == RP_CODEC_NO_MEMORY;
    if (!session->may_fail && status != RP_CODEC_OK) {
        (void)fprintf(stderr, "%s: picture %u: status %d\n", stream->name, stream->picture_count,
                      (int)status);
        exit(1);
    }
}

bool
stream_step(struct stream *stream)
{
    struct session *session = stream->session;
    if (!collect(stream))
        return false;
    read_header(stream);
    struct rp_h265_private_request request = {.short_term_set_bits = 0};
    struct frame *frame = dpb_begin(stream, &request);
    if (!frame)
        return true; /* a picture that cannot be decoded: it leads an open GOP */
    stream->picture_count++;
    if (session->lost_percent > 0 && random_below(session, 100) < session->lost_percent)
        return true;
    decode_picture(stream, frame, &request);
    if (stream->header.pic_output_flag)
        hashes_add(&stream->hashes, picture_hash(&frame->dst));
    return true;
}

/* SPDX-License-Identifier: MIT */
/* AV1 in the encode engine: the encode half of its row.
 */
#include "util/compiler.h"
#include "util/pnext.h"
#include "util/struct_copy.h"
#include "video/av1/encode_caps.h"
#include "video/av1/encode_parameters.h"
#include "video/av1/encode_picture.h"
#include "video/av1/obu.h"
#include "video/av1/standard.h"
#include "video/encode/standard.h"
#include "video/profile.h"

#include "reelpipe/encode_av1.h"

#define CODING_BLOCK_PX 8u /* frames are coded in whole ones (MiCols, 5.9.9) */

static void
get_caps(const struct rp_video_profile *profile, struct rp_encode_caps *out)
{
    rp_av1_encode_caps_get(profile->encode_codec, out);
}

static int32_t
max_level(const void *chain)
{
    const VkVideoEncodeAV1SessionCreateInfoKHR *av1 =
        rp_find_struct(chain, VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_SESSION_CREATE_INFO_KHR);
    return av1 && av1->useMaxLevel ? RP_MIN(av1->maxLevel, RP_AV1_ENCODE_MAX_LEVEL)
                                   : RP_AV1_ENCODE_MAX_LEVEL;
}

static void
set_q_indices(int32_t *out, const VkVideoEncodeAV1QIndexKHR *q)
{
    out[RP_RATE_I] = (int32_t)RP_MIN(q->intraQIndex, RP_AV1_MAX_Q_INDEX);
    out[RP_RATE_P] = (int32_t)RP_MIN(q->predictiveQIndex, RP_AV1_MAX_Q_INDEX);
    out[RP_RATE_B] = (int32_t)RP_MIN(q->bipredictiveQIndex, RP_AV1_MAX_Q_INDEX);
}

static void
parse_rate_layer(const void *chain, struct rp_rate_layer *out)
{
    out->max_qp[0] = out->max_qp[1] = out->max_qp[2] = RP_AV1_MAX_Q_INDEX;

    const VkVideoEncodeAV1RateControlLayerInfoKHR *av1 =
        rp_find_struct(chain, VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_RATE_CONTROL_LAYER_INFO_KHR);
    if (!av1)
        return;
    out->has_min_qp = av1->useMinQIndex;
    if (av1->useMinQIndex)
        set_q_indices(out->min_qp, &av1->minQIndex);
    out->has_max_qp = av1->useMaxQIndex;
    if (av1->useMaxQIndex)
        set_q_indices(out->max_qp, &av1->maxQIndex);
    for (uint32_t i = 0; i < RP_RATE_TYPES; i++)
        out->max_qp[i] = RP_MAX(out->min_qp[i], out->max_qp[i]);
    if (av1->useMaxFrameSize) { /* a size of 0 limits nothing */
        out->max_frame_size_B[RP_RATE_I] = av1->maxFrameSize.intraFrameSize;
        out->max_frame_size_B[RP_RATE_P] = av1->maxFrameSize.predictiveFrameSize;
        out->max_frame_size_B[RP_RATE_B] = av1->maxFrameSize.bipredictiveFrameSize;
    }
}

static void
parse_rate(const void *chain, struct rp_encode_rate_control *out)
{
    const VkVideoEncodeAV1RateControlInfoKHR *av1 =
        rp_find_struct(chain, VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_RATE_CONTROL_INFO_KHR);
    if (!av1)
        return;
    out->settings.gop_frame_count = av1->gopFrameCount;
    out->settings.idr_period = av1->keyFramePeriod;
    out->settings.consecutive_b_frame_count = av1->consecutiveBipredictiveFrameCount;
}

/* From the last temporal delimiter on; OBUs follow each other from the start of the buffer. */
static uint32_t
preceding_B(const uint8_t *bytes, size_t size_B)
{
    size_t start_B = 0;
    size_t at_B = 0;
    while (at_B < size_B) {
        struct rp_av1_obu_header header;
        size_t header_B;
        if (rp_av1_obu_header_read(bytes + at_B, size_B - at_B, &header, &header_B) != RP_AV1_OK ||
            !header.obu_has_size_field)
            return 0;
        if (header.obu_type == RP_AV1_OBU_TEMPORAL_DELIMITER)
            start_B = at_B;
        at_B += header_B + header.payload_B;
    }
    return (uint32_t)RP_MIN(size_B - start_B, UINT32_MAX);
}

static void
picture_init(struct rp_encode_picture *common)
{
    struct rp_av1_encode_picture *pic = rp_av1_encode_picture_of(common);
    pic->job = (struct rp_av1_encode_job){0};
    pic->headers_result = (struct rp_av1_headers_result){0};
    pic->common.job = &pic->job.common;
}

static void
picture_finish(struct rp_encode_picture *common)
{
    (void)common;
}

/* A partition is a tile with its size field; the first one begins with the headers. */
static void
complete(struct rp_encode_picture *common)
{
    struct rp_av1_encode_picture *pic = rp_av1_encode_picture_of(common);
    const struct rp_av1_headers_result *result = &pic->headers_result;
    struct rp_encode_feedback *feedback = &common->feedback;
    feedback->has_overrides |= result->has_overrides;
    if (feedback->status == RP_CODEC_OK && result->has_failed)
        feedback->status = RP_CODEC_FAILED;
    if (feedback->status != RP_CODEC_OK)
        return;

    size_t others_B = 0;
    for (uint32_t i = 1; i < result->tile_count; i++) {
        if (i + 1 < result->tile_count)
            pic->tile_sizes_B[i] += result->tile_size_field_B;
        others_B += pic->tile_sizes_B[i];
    }
    pic->tile_sizes_B[0] = (uint32_t)(feedback->codec.size_B - others_B);
    feedback->partition_count = result->tile_count;
    feedback->partition_size_B = pic->tile_sizes_B;
}

/* The operating points of the sequence say how many removal times a picture has. */
static bool
keep_picture(struct rp_arena *arena, const struct rp_video_parameters *params, const void *from,
             void *copy)
{
    const VkVideoEncodeAV1PictureInfoKHR *asked = from;
    VkVideoEncodeAV1PictureInfoKHR *kept = copy;
    if (!params || !asked->pStdPictureInfo || !kept->pStdPictureInfo)
        return true;
    const struct rp_av1_sequence *seq = &rp_av1_encode_parameters_of(params)->sequence;
    return rp_av1_removal_times_copy(arena, asked->pStdPictureInfo,
                                     seq->operating_points_cnt_minus_1 + 1,
                                     (StdVideoEncodeAV1PictureInfo *)kept->pStdPictureInfo);
}

const struct rp_encode_standard rp_av1_encode = {
    .codec = rp_codec_av1_encode,
    .max_partitions = RP_ENCODE_PARTITION_LIMIT,
    .max_bitrate_bps = RP_AV1_MAX_BITRATE,
    .max_qp = RP_AV1_MAX_Q_INDEX,
    .input_granularity_px = 1,
    .coding_block_px = CODING_BLOCK_PX,
    .map_texel_px = RP_AV1_MAP_TEXEL_PX,
    .refresh_block_px = RP_AV1_REFRESH_BLOCK_PX,
    .get_caps = get_caps,
    .fill_quality = rp_av1_encode_fill_quality,
    .fill_map_format = rp_av1_encode_fill_map_format,
    .max_level = max_level,
    .picture_info_type = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_PICTURE_INFO_KHR,
    .reference_info_type = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_DPB_SLOT_INFO_KHR,
    .parse_rate = parse_rate,
    .parse_rate_layer = parse_rate_layer,
    .picture_B = sizeof(struct rp_av1_encode_picture),
    .picture_init = picture_init,
    .picture_finish = picture_finish,
    .keep_picture = keep_picture,
    .state_B = sizeof(struct rp_av1_encode_state),
    .resolve = rp_av1_encode_resolve,
    .advance = rp_av1_encode_advance,
    .preceding_B = preceding_B,
    .complete = complete,
};

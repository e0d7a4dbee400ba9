/* SPDX-License-Identifier: MIT */
/* H.265 in the encode engine: the encode half of its row.
 */
#include "util/compiler.h"
#include "util/pnext.h"
#include "video/encode/standard.h"
#include "video/h265/encode_caps.h"
#include "video/h265/encode_picture.h"
#include "video/h265/nal_units.h"
#include "video/h265/standard.h"
#include "video/profile.h"

#include "reelpipe/encode_h265.h"

#define CODING_BLOCK_PX 8u /* MinCbSizeY: pictures are coded in whole ones */

static void
get_caps(const struct rp_video_profile *profile, struct rp_encode_caps *out)
{
    rp_h265_encode_caps_get(profile->encode_codec, out);
}

static int32_t
max_level(const void *chain)
{
    const VkVideoEncodeH265SessionCreateInfoKHR *h265 =
        rp_find_struct(chain, VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_SESSION_CREATE_INFO_KHR);
    return h265 && h265->useMaxLevelIdc ? RP_MIN(h265->maxLevelIdc, STD_VIDEO_H265_LEVEL_IDC_6_2)
                                        : STD_VIDEO_H265_LEVEL_IDC_6_2;
}

static void
set_qps(int32_t *out, const VkVideoEncodeH265QpKHR *qp)
{
    out[RP_RATE_I] = RP_MAX(0, RP_MIN(qp->qpI, RP_H265_MAX_QP));
    out[RP_RATE_P] = RP_MAX(0, RP_MIN(qp->qpP, RP_H265_MAX_QP));
    out[RP_RATE_B] = RP_MAX(0, RP_MIN(qp->qpB, RP_H265_MAX_QP));
}

static void
parse_rate_layer(const void *chain, struct rp_rate_layer *out)
{
    out->max_qp[0] = out->max_qp[1] = out->max_qp[2] = RP_H265_MAX_QP;

    const VkVideoEncodeH265RateControlLayerInfoKHR *h265 =
        rp_find_struct(chain, VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_RATE_CONTROL_LAYER_INFO_KHR);
    if (!h265)
        return;
    out->has_min_qp = h265->useMinQp;
    if (h265->useMinQp)
        set_qps(out->min_qp, &h265->minQp);
    out->has_max_qp = h265->useMaxQp;
    if (h265->useMaxQp)
        set_qps(out->max_qp, &h265->maxQp);
    for (uint32_t i = 0; i < RP_RATE_TYPES; i++)
        out->max_qp[i] = RP_MAX(out->min_qp[i], out->max_qp[i]);
    if (h265->useMaxFrameSize) { /* a size of 0 limits nothing */
        out->max_frame_size_B[RP_RATE_I] = h265->maxFrameSize.frameISize;
        out->max_frame_size_B[RP_RATE_P] = h265->maxFrameSize.framePSize;
        out->max_frame_size_B[RP_RATE_B] = h265->maxFrameSize.frameBSize;
    }
}

static void
parse_rate(const void *chain, struct rp_encode_rate_control *out)
{
    const VkVideoEncodeH265RateControlInfoKHR *h265 =
        rp_find_struct(chain, VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_RATE_CONTROL_INFO_KHR);
    if (!h265)
        return;
    out->settings.gop_frame_count = h265->gopFrameCount;
    out->settings.idr_period = h265->idrPeriod;
    out->settings.consecutive_b_frame_count = h265->consecutiveBFrameCount;
}

/* All of it when it is parameter sets, delimiters and SEI, which open an access unit. */
static uint32_t
preceding_B(const uint8_t *bytes, size_t size_B)
{
    size_t at_B = 0;
    struct rp_h265_nal nal;
    while (rp_h265_nal_next(bytes, size_B, &at_B, &nal)) {
        if (nal.nal_unit_type < RP_H265_NAL_VPS)
            return 0;
    }
    return at_B == size_B ? (uint32_t)RP_MIN(size_B, UINT32_MAX) : 0;
}

static void
picture_init(struct rp_encode_picture *common)
{
    struct rp_h265_encode_picture *pic = rp_h265_encode_picture_of(common);
    *pic = (struct rp_h265_encode_picture){.common = pic->common};
    pic->common.job = &pic->job.common;
}

static void
picture_finish(struct rp_encode_picture *common)
{
    (void)common;
}

static void
complete(struct rp_encode_picture *common)
{
    const struct rp_h265_encode_picture *pic = rp_h265_encode_picture_of(common);
    common->feedback.partition_count = pic->job.slice_count;
    common->feedback.partition_size_B = pic->slice_sizes_B;
}

const struct rp_encode_standard rp_h265_encode = {
    .codec = rp_codec_h265_encode,
    .max_partitions = RP_H265_ENCODE_MAX_SLICES,
    .max_bitrate_bps = RP_H265_MAX_BITRATE,
    .max_qp = RP_H265_MAX_QP,
    .input_granularity_px = CODING_BLOCK_PX,
    .coding_block_px = CODING_BLOCK_PX,
    .map_texel_px = RP_H265_CTB_PX,
    .refresh_block_px = RP_H265_CTB_PX,
    .get_caps = get_caps,
    .fill_quality = rp_h265_encode_fill_quality,
    .fill_map_format = rp_h265_encode_fill_map_format,
    .max_level = max_level,
    .picture_info_type = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_PICTURE_INFO_KHR,
    .reference_info_type = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_DPB_SLOT_INFO_KHR,
    .parse_rate = parse_rate,
    .parse_rate_layer = parse_rate_layer,
    .picture_B = sizeof(struct rp_h265_encode_picture),
    .picture_init = picture_init,
    .picture_finish = picture_finish,
    .state_B = sizeof(struct rp_h265_encode_state),
    .resolve = rp_h265_encode_resolve,
    .advance = rp_h265_encode_advance,
    .preceding_B = preceding_B,
    .complete = complete,
};

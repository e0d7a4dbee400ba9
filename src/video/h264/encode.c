/* SPDX-License-Identifier: MIT */
/* H.264 in the encode engine: the encode half of its row.
 */
#include "util/alloc.h"
#include "util/compiler.h"
#include "util/pnext.h"
#include "video/encode/standard.h"
#include "video/h264/encode_caps.h"
#include "video/h264/encode_picture.h"
#include "video/h264/preceding.h"
#include "video/h264/standard.h"
#include "video/profile.h"

#include "reelpipe/encode_h264.h"

#include <assert.h>

#define MB_PX 16u /* a macroblock has a QP, and is what intra refresh goes by */

static_assert(RP_H264_MAX_SLICES <= RP_ENCODE_PARTITION_LIMIT, "there is room for all slices");

static void
get_caps(const struct rp_video_profile *profile, struct rp_encode_caps *out)
{
    struct rp_h264_encode_caps caps;
    rp_h264_encode_caps_get(profile->encode_codec, (StdVideoH264ProfileIdc)profile->idc, &caps);
    *out = caps.common;
}

static int32_t
max_level(const void *chain)
{
    const VkVideoEncodeH264SessionCreateInfoKHR *h264 =
        rp_find_struct(chain, VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_CREATE_INFO_KHR);
    if (!h264 || !h264->useMaxLevelIdc)
        return STD_VIDEO_H264_LEVEL_IDC_6_2;
    return RP_MIN(h264->maxLevelIdc, STD_VIDEO_H264_LEVEL_IDC_6_2);
}

static void
set_qps(int32_t *out, const VkVideoEncodeH264QpKHR *qp)
{
    out[RP_RATE_I] = RP_MAX(0, RP_MIN(qp->qpI, RP_H264_MAX_QP));
    out[RP_RATE_P] = RP_MAX(0, RP_MIN(qp->qpP, RP_H264_MAX_QP));
    out[RP_RATE_B] = RP_MAX(0, RP_MIN(qp->qpB, RP_H264_MAX_QP));
}

static void
parse_rate_layer(const void *chain, struct rp_rate_layer *out)
{
    out->max_qp[0] = out->max_qp[1] = out->max_qp[2] = RP_H264_MAX_QP;

    const VkVideoEncodeH264RateControlLayerInfoKHR *h264 =
        rp_find_struct(chain, VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_RATE_CONTROL_LAYER_INFO_KHR);
    if (!h264)
        return;
    out->has_min_qp = h264->useMinQp;
    if (h264->useMinQp)
        set_qps(out->min_qp, &h264->minQp);
    out->has_max_qp = h264->useMaxQp;
    if (h264->useMaxQp)
        set_qps(out->max_qp, &h264->maxQp);
    for (uint32_t i = 0; i < RP_RATE_TYPES; i++)
        out->max_qp[i] = RP_MAX(out->min_qp[i], out->max_qp[i]);
    if (h264->useMaxFrameSize) { /* a size of 0 limits nothing (the CTS sends it) */
        out->max_frame_size_B[RP_RATE_I] = h264->maxFrameSize.frameISize;
        out->max_frame_size_B[RP_RATE_P] = h264->maxFrameSize.framePSize;
        out->max_frame_size_B[RP_RATE_B] = h264->maxFrameSize.frameBSize;
    }
}

static void
parse_rate(const void *chain, struct rp_encode_rate_control *out)
{
    const VkVideoEncodeH264RateControlInfoKHR *h264 =
        rp_find_struct(chain, VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_RATE_CONTROL_INFO_KHR);
    if (!h264)
        return;
    out->settings.gop_frame_count = h264->gopFrameCount;
    out->settings.idr_period = h264->idrPeriod;
    out->settings.consecutive_b_frame_count = h264->consecutiveBFrameCount;
    out->wants_hrd = h264->flags & VK_VIDEO_ENCODE_H264_RATE_CONTROL_ATTEMPT_HRD_COMPLIANCE_BIT_KHR;
}

/* E.2.2. Of several buffers the first has the lowest rate and the last is the smallest. */
static void
get_hrd(const struct rp_encode_picture *common, struct rp_encode_hrd *out)
{
    const struct rp_h264_encode_picture *pic = (const struct rp_h264_encode_picture *)common;
    const StdVideoH264SequenceParameterSetVui *vui = pic->active.sps->pSequenceParameterSetVui;
    if (!vui || (!vui->flags.nal_hrd_parameters_present_flag &&
                 !vui->flags.vcl_hrd_parameters_present_flag))
        return;
    const StdVideoH264HrdParameters *hrd = vui->pHrdParameters;
    const uint64_t rate = (uint64_t)hrd->bit_rate_value_minus1[0] + 1;
    const uint64_t size = (uint64_t)hrd->cpb_size_value_minus1[hrd->cpb_cnt_minus1] + 1;
    out->bps = rate << (6 + (hrd->bit_rate_scale & 15));
    out->buffer_bits = size << (4 + (hrd->cpb_size_scale & 15));
    out->is_constant = vui->flags.nal_hrd_parameters_present_flag && hrd->cbr_flag[0];
}

static void
picture_init(struct rp_encode_picture *common)
{
    struct rp_h264_encode_picture *pic = rp_h264_encode_picture_of(common);
    *pic = (struct rp_h264_encode_picture){
        .common = pic->common,
        .std_slices = pic->std_slices,
        .slices = pic->slices,
        .slice_sizes_B = pic->slice_sizes_B,
        .slice_capacity = pic->slice_capacity,
    };
    pic->common.job = &pic->job.common;
}

static void
picture_finish(struct rp_encode_picture *common)
{
    struct rp_h264_encode_picture *pic = rp_h264_encode_picture_of(common);
    rp_free(NULL, pic->std_slices);
    rp_free(NULL, pic->slices);
    rp_free(NULL, pic->slice_sizes_B);
}

static void
complete(struct rp_encode_picture *common)
{
    const struct rp_h264_encode_picture *pic = rp_h264_encode_picture_of(common);
    common->feedback.partition_count = pic->job.slice_count;
    common->feedback.partition_size_B = pic->slice_sizes_B;
}

const struct rp_encode_standard rp_h264_encode = {
    .codec = rp_codec_h264_encode,
    .max_partitions = RP_H264_MAX_SLICES,
    .max_bitrate_bps = RP_H264_MAX_BITRATE,
    .max_qp = RP_H264_MAX_QP,
    .input_granularity_px = 1,
    .coding_block_px = MB_PX,
    .map_texel_px = MB_PX,
    .refresh_block_px = MB_PX,
    .get_caps = get_caps,
    .fill_quality = rp_h264_encode_fill_quality,
    .max_level = max_level,
    .picture_info_type = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_PICTURE_INFO_KHR,
    .reference_info_type = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_DPB_SLOT_INFO_KHR,
    .parse_rate = parse_rate,
    .parse_rate_layer = parse_rate_layer,
    .picture_B = sizeof(struct rp_h264_encode_picture),
    .picture_init = picture_init,
    .picture_finish = picture_finish,
    .state_B = sizeof(struct rp_h264_encode_state),
    .resolve = rp_h264_encode_resolve,
    .advance = rp_h264_encode_advance,
    .get_hrd = get_hrd,
    .preceding_B = rp_h264_preceding_B,
    .complete = complete,
};

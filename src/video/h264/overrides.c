/* SPDX-License-Identifier: MIT */
/* The overrides, one rule per element that the macroblock coder is restricted in.
 */
#include "video/h264/overrides.h"

#include <stddef.h>

bool
rp_h264_profile_is_high(StdVideoH264ProfileIdc profile_idc)
{
    switch (profile_idc) {
    case STD_VIDEO_H264_PROFILE_IDC_HIGH:
    case STD_VIDEO_H264_PROFILE_IDC_HIGH_10:
    case STD_VIDEO_H264_PROFILE_IDC_HIGH_422:
    case STD_VIDEO_H264_PROFILE_IDC_HIGH_444_PREDICTIVE:
        return true;
    case STD_VIDEO_H264_PROFILE_IDC_BASELINE:
    case STD_VIDEO_H264_PROFILE_IDC_MAIN:
    case STD_VIDEO_H264_PROFILE_IDC_INVALID:
        return false;
    }
    return false;
}

/* Field coding: the same picture in frame macroblocks (7.4.2.1.1: map units are pairs of rows, and
 * the crop unit is twice as high, while frame_mbs_only_flag is 0). */
static void
override_fields(StdVideoH264SequenceParameterSet *sps)
{
    sps->pic_height_in_map_units_minus1 = 2 * (sps->pic_height_in_map_units_minus1 + 1) - 1;
    sps->frame_crop_top_offset *= 2;
    sps->frame_crop_bottom_offset *= 2;
    sps->flags.frame_mbs_only_flag = 1;
    sps->flags.mb_adaptive_frame_field_flag = 0;
}

/* Below High these are not in the syntax, whatever the structure says, but inferred (7.4.2.1.1). */
static void
infer_elements(StdVideoH264SequenceParameterSet *sps)
{
    sps->chroma_format_idc = STD_VIDEO_H264_CHROMA_FORMAT_IDC_420;
    sps->bit_depth_luma_minus8 = 0;
    sps->bit_depth_chroma_minus8 = 0;
    sps->flags.separate_colour_plane_flag = 0;
    sps->flags.qpprime_y_zero_transform_bypass_flag = 0;
    sps->flags.seq_scaling_matrix_present_flag = 0;
    sps->pScalingLists = NULL;
}

bool
rp_h264_override_sps(StdVideoH264SequenceParameterSet *sps)
{
    bool has_overrides = false;
    if (!rp_h264_profile_is_high(sps->profile_idc))
        infer_elements(sps);
    if (!sps->flags.frame_mbs_only_flag) {
        override_fields(sps);
        has_overrides = true;
    }
    if (sps->flags.qpprime_y_zero_transform_bypass_flag) {
        sps->flags.qpprime_y_zero_transform_bypass_flag = 0;
        has_overrides = true;
    }
    if (sps->flags.seq_scaling_matrix_present_flag) {
        sps->flags.seq_scaling_matrix_present_flag = 0;
        sps->pScalingLists = NULL;
        has_overrides = true;
    }
    /* Only B pictures read it, and Baseline has none. */
    if (!sps->flags.direct_8x8_inference_flag &&
        sps->profile_idc != STD_VIDEO_H264_PROFILE_IDC_BASELINE) {
        sps->flags.direct_8x8_inference_flag = 1;
        has_overrides = true;
    }
    return has_overrides;
}

/* A.2.1: no CABAC, no weights. */
static bool
override_for_baseline(StdVideoH264PictureParameterSet *pps)
{
    if (!pps->flags.entropy_coding_mode_flag && !pps->flags.weighted_pred_flag &&
        pps->weighted_bipred_idc == STD_VIDEO_H264_WEIGHTED_BIPRED_IDC_DEFAULT)
        return false;
    pps->flags.entropy_coding_mode_flag = 0;
    pps->flags.weighted_pred_flag = 0;
    pps->weighted_bipred_idc = STD_VIDEO_H264_WEIGHTED_BIPRED_IDC_DEFAULT;
    return true;
}

bool
rp_h264_override_pps(const StdVideoH264SequenceParameterSet *sps,
                     StdVideoH264PictureParameterSet *pps)
{
    bool has_overrides = false;
    if (pps->flags.pic_scaling_matrix_present_flag) {
        pps->flags.pic_scaling_matrix_present_flag = 0;
        pps->pScalingLists = NULL;
        has_overrides = true;
    }
    if (sps->profile_idc == STD_VIDEO_H264_PROFILE_IDC_BASELINE)
        has_overrides |= override_for_baseline(pps);
    if (pps->flags.transform_8x8_mode_flag && !rp_h264_profile_is_high(sps->profile_idc)) {
        pps->flags.transform_8x8_mode_flag = 0;
        has_overrides = true;
    }
    if (pps->second_chroma_qp_index_offset != pps->chroma_qp_index_offset) {
        /* Outside of High the element is not in the syntax and always equal. */
        has_overrides |= rp_h264_profile_is_high(sps->profile_idc);
        pps->second_chroma_qp_index_offset = pps->chroma_qp_index_offset;
    }
    return has_overrides;
}

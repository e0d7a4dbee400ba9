/* SPDX-License-Identifier: MIT */
/* The overrides, one rule per element that the coding tree layer is restricted in.
 */
#include "video/h265/encode_overrides.h"

#include <stddef.h>
#include <stdint.h>

#define MIN_CODING_BLOCK_PX 8u

bool
rp_h265_override_profile(StdVideoH265ProfileTierLevel *ptl, StdVideoH265ProfileIdc profile_idc)
{
    const bool has_overrides = ptl->general_profile_idc != profile_idc ||
                               (uint32_t)ptl->general_level_idc > STD_VIDEO_H265_LEVEL_IDC_6_2;
    ptl->general_profile_idc = profile_idc;
    if ((uint32_t)ptl->general_level_idc > STD_VIDEO_H265_LEVEL_IDC_6_2)
        ptl->general_level_idc = STD_VIDEO_H265_LEVEL_IDC_6_2;
    return has_overrides;
}

/* *value becomes wanted; true when it was not. */
static bool
set(uint8_t *value, uint8_t wanted)
{
    const bool has_changed = *value != wanted;
    *value = wanted;
    return has_changed;
}

/* Coding tree blocks of 64x64, coding blocks from 8x8, transform blocks from 4x4 to 32x32 without a
 * hierarchy, which costs time and gains little. */
static bool
override_blocks(StdVideoH265SequenceParameterSet *sps)
{
    bool has_overrides = set(&sps->log2_min_luma_coding_block_size_minus3, 0);
    has_overrides |= set(&sps->log2_diff_max_min_luma_coding_block_size, 3);
    has_overrides |= set(&sps->log2_min_luma_transform_block_size_minus2, 0);
    has_overrides |= set(&sps->log2_diff_max_min_luma_transform_block_size, 3);
    has_overrides |= set(&sps->max_transform_hierarchy_depth_inter, 0);
    has_overrides |= set(&sps->max_transform_hierarchy_depth_intra, 0);
    return has_overrides;
}

static uint32_t
to_whole_blocks(uint32_t size_px)
{
    return (size_px + MIN_CODING_BLOCK_PX - 1) / MIN_CODING_BLOCK_PX * MIN_CODING_BLOCK_PX;
}

/* The conformance window has units of two samples, as the pictures are 4:2:0 (SubWidthC is 2). */
static bool
override_size(StdVideoH265SequenceParameterSet *sps)
{
    const uint32_t width_px = to_whole_blocks(sps->pic_width_in_luma_samples);
    const uint32_t height_px = to_whole_blocks(sps->pic_height_in_luma_samples);
    if (width_px == sps->pic_width_in_luma_samples && height_px == sps->pic_height_in_luma_samples)
        return false;
    if (!sps->flags.conformance_window_flag) {
        sps->conf_win_left_offset = sps->conf_win_right_offset = 0;
        sps->conf_win_top_offset = sps->conf_win_bottom_offset = 0;
    }
    sps->flags.conformance_window_flag = 1;
    sps->conf_win_right_offset += (width_px - sps->pic_width_in_luma_samples) / 2;
    sps->conf_win_bottom_offset += (height_px - sps->pic_height_in_luma_samples) / 2;
    sps->pic_width_in_luma_samples = width_px;
    sps->pic_height_in_luma_samples = height_px;
    return true;
}

bool
rp_h265_override_sps(StdVideoH265SequenceParameterSet *sps)
{
    StdVideoH265SpsFlags *flags = &sps->flags;
    bool has_overrides = flags->scaling_list_enabled_flag || flags->pcm_enabled_flag ||
                         flags->strong_intra_smoothing_enabled_flag ||
                         flags->sps_range_extension_flag || flags->sps_scc_extension_flag;
    flags->scaling_list_enabled_flag = 0;
    flags->sps_scaling_list_data_present_flag = 0;
    sps->pScalingLists = NULL;
    flags->pcm_enabled_flag = 0;
    flags->strong_intra_smoothing_enabled_flag = 0;
    flags->sps_extension_present_flag = 0;
    flags->sps_range_extension_flag = 0;
    flags->sps_scc_extension_flag = 0;
    has_overrides |= override_blocks(sps);
    has_overrides |= override_size(sps);
    return has_overrides;
}

static bool
override_offsets(StdVideoH265PictureParameterSet *pps)
{
    const bool has_overrides = pps->pps_cb_qp_offset != 0 || pps->pps_cr_qp_offset != 0 ||
                               pps->flags.pps_slice_chroma_qp_offsets_present_flag;
    pps->pps_cb_qp_offset = pps->pps_cr_qp_offset = 0;
    pps->flags.pps_slice_chroma_qp_offsets_present_flag = 0;
    return has_overrides;
}

static bool
override_extensions(StdVideoH265PpsFlags *flags)
{
    const bool has_overrides =
        flags->pps_range_extension_flag || flags->pps_curr_pic_ref_enabled_flag;
    flags->pps_extension_present_flag = 0;
    flags->pps_range_extension_flag = 0;
    flags->pps_curr_pic_ref_enabled_flag = 0;
    return has_overrides;
}

bool
rp_h265_override_pps(StdVideoH265PictureParameterSet *pps, const struct rp_h265_pps_rules *rules)
{
    StdVideoH265PpsFlags *flags = &pps->flags;
    bool has_overrides = flags->dependent_slice_segments_enabled_flag ||
                         flags->cabac_init_present_flag || flags->constrained_intra_pred_flag ||
                         flags->weighted_pred_flag || flags->weighted_bipred_flag ||
                         flags->transquant_bypass_enabled_flag || flags->tiles_enabled_flag ||
                         flags->pps_scaling_list_data_present_flag ||
                         (flags->cu_qp_delta_enabled_flag && pps->diff_cu_qp_delta_depth > 0) ||
                         (rules->has_maps && !flags->cu_qp_delta_enabled_flag) ||
                         (rules->has_wavefronts && !flags->entropy_coding_sync_enabled_flag);
    flags->cu_qp_delta_enabled_flag |= rules->has_maps;
    flags->entropy_coding_sync_enabled_flag |= rules->has_wavefronts;
    flags->dependent_slice_segments_enabled_flag = 0;
    flags->cabac_init_present_flag = 0;
    flags->constrained_intra_pred_flag = 0;
    flags->weighted_pred_flag = flags->weighted_bipred_flag = 0;
    flags->transquant_bypass_enabled_flag = 0;
    flags->tiles_enabled_flag = 0;
    flags->pps_scaling_list_data_present_flag = 0;
    pps->pScalingLists = NULL;
    pps->diff_cu_qp_delta_depth = 0;
    has_overrides |= set(&pps->log2_parallel_merge_level_minus2, 0);
    has_overrides |= override_offsets(pps);
    has_overrides |= override_extensions(flags);
    return has_overrides;
}

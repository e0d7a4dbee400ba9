/* SPDX-License-Identifier: MIT */
/* Copies of parameter sets, and what they may hold.
 */
#include "video/h265/parameter_sets.h"

#include "reelpipe/decode_h265.h"

#include <string.h>

void
rp_h265_vps_copy(struct rp_h265_vps *out, const StdVideoH265VideoParameterSet *std)
{
    *out = (struct rp_h265_vps){.std = *std};
    if (std->pProfileTierLevel)
        out->profile_tier_level = *std->pProfileTierLevel;
    out->std.pProfileTierLevel = &out->profile_tier_level;
    if (std->pDecPicBufMgr)
        out->dec_pic_buf_mgr = *std->pDecPicBufMgr;
    out->std.pDecPicBufMgr = &out->dec_pic_buf_mgr;
    out->std.pHrdParameters = NULL;
}

void
rp_h265_sps_copy(struct rp_h265_sps *out, const StdVideoH265SequenceParameterSet *std)
{
    *out = (struct rp_h265_sps){.std = *std};
    if (std->pProfileTierLevel)
        out->profile_tier_level = *std->pProfileTierLevel;
    out->std.pProfileTierLevel = &out->profile_tier_level;
    if (std->pDecPicBufMgr)
        out->dec_pic_buf_mgr = *std->pDecPicBufMgr;
    out->std.pDecPicBufMgr = &out->dec_pic_buf_mgr;

    if (std->flags.scaling_list_enabled_flag && std->flags.sps_scaling_list_data_present_flag &&
        std->pScalingLists) {
        out->scaling_lists = *std->pScalingLists;
        out->std.pScalingLists = &out->scaling_lists;
    } else {
        out->std.flags.sps_scaling_list_data_present_flag = 0;
        out->std.pScalingLists = NULL;
    }
    if (std->num_short_term_ref_pic_sets > 0 && std->pShortTermRefPicSet &&
        std->num_short_term_ref_pic_sets <= RP_H265_MAX_SHORT_TERM_SETS)
        memcpy(out->short_term_ref_pic_sets, std->pShortTermRefPicSet,
               std->num_short_term_ref_pic_sets * sizeof(*std->pShortTermRefPicSet));
    out->std.pShortTermRefPicSet = out->short_term_ref_pic_sets;
    if (std->flags.long_term_ref_pics_present_flag && std->pLongTermRefPicsSps)
        out->long_term_ref_pics = *std->pLongTermRefPicsSps;
    out->std.pLongTermRefPicsSps = &out->long_term_ref_pics;
    out->std.flags.vui_parameters_present_flag = 0;
    out->std.pSequenceParameterSetVui = NULL;
    out->std.pPredictorPaletteEntries = NULL;
}

void
rp_h265_pps_copy(struct rp_h265_pps *out, const StdVideoH265PictureParameterSet *std)
{
    *out = (struct rp_h265_pps){.std = *std};
    if (std->flags.pps_scaling_list_data_present_flag && std->pScalingLists) {
        out->scaling_lists = *std->pScalingLists;
        out->std.pScalingLists = &out->scaling_lists;
    } else {
        out->std.flags.pps_scaling_list_data_present_flag = 0;
        out->std.pScalingLists = NULL;
    }
    out->std.pPredictorPaletteEntries = NULL;

    StdVideoH265PpsFlags *flags = &out->std.flags;
    if (!flags->tiles_enabled_flag)
        out->std.num_tile_columns_minus1 = out->std.num_tile_rows_minus1 = 0;
    if (!flags->deblocking_filter_control_present_flag) {
        flags->deblocking_filter_override_enabled_flag = 0;
        flags->pps_deblocking_filter_disabled_flag = 0;
    }
}

/* 7.4.3.2.1: sizes of coding and transform blocks. */
static bool
blocks_are_valid(const StdVideoH265SequenceParameterSet *std)
{
    const uint32_t min_cb_log2 = std->log2_min_luma_coding_block_size_minus3 + 3u;
    const uint32_t ctb_log2 = min_cb_log2 + std->log2_diff_max_min_luma_coding_block_size;
    const uint32_t min_tb_log2 = std->log2_min_luma_transform_block_size_minus2 + 2u;
    const uint32_t max_tb_log2 = min_tb_log2 + std->log2_diff_max_min_luma_transform_block_size;
    return ctb_log2 >= 4 && ctb_log2 <= 6 && min_tb_log2 < min_cb_log2 && max_tb_log2 <= 5 &&
           max_tb_log2 <= ctb_log2 &&
           std->max_transform_hierarchy_depth_inter <= ctb_log2 - min_tb_log2 &&
           std->max_transform_hierarchy_depth_intra <= ctb_log2 - min_tb_log2 &&
           std->pic_width_in_luma_samples % (1u << min_cb_log2) == 0 &&
           std->pic_height_in_luma_samples % (1u << min_cb_log2) == 0;
}

static bool
pcm_is_valid(const StdVideoH265SequenceParameterSet *std)
{
    const uint32_t min_log2 = std->log2_min_pcm_luma_coding_block_size_minus3 + 3u;
    const uint32_t max_log2 = min_log2 + std->log2_diff_max_min_pcm_luma_coding_block_size;
    const uint32_t min_cb_log2 = std->log2_min_luma_coding_block_size_minus3 + 3u;
    /* Where there are none, applications leave anything there. */
    return !std->flags.pcm_enabled_flag ||
           (min_log2 >= min_cb_log2 && max_log2 <= 5 &&
            max_log2 <= min_cb_log2 + std->log2_diff_max_min_luma_coding_block_size &&
            std->pcm_sample_bit_depth_luma_minus1 < std->bit_depth_luma_minus8 + 8u &&
            std->pcm_sample_bit_depth_chroma_minus1 < std->bit_depth_chroma_minus8 + 8u);
}

bool
rp_h265_vps_is_valid(const StdVideoH265VideoParameterSet *std)
{
    return std->vps_video_parameter_set_id < RP_H265_VPS_LIMIT &&
           std->vps_max_sub_layers_minus1 < STD_VIDEO_H265_SUBLAYERS_LIST_SIZE &&
           std->vps_num_ticks_poc_diff_one_minus1 < UINT32_MAX;
}

bool
rp_h265_sps_is_valid(const StdVideoH265SequenceParameterSet *std)
{
    return std->sps_video_parameter_set_id < RP_H265_VPS_LIMIT &&
           std->sps_seq_parameter_set_id < RP_H265_SPS_LIMIT &&
           std->sps_max_sub_layers_minus1 < STD_VIDEO_H265_SUBLAYERS_LIST_SIZE &&
           std->chroma_format_idc == STD_VIDEO_H265_CHROMA_FORMAT_IDC_420 &&
           (std->bit_depth_luma_minus8 == 0 || std->bit_depth_luma_minus8 == 2) &&
           std->bit_depth_chroma_minus8 == std->bit_depth_luma_minus8 &&
           std->pic_width_in_luma_samples > 0 && std->pic_height_in_luma_samples > 0 &&
           std->pic_width_in_luma_samples <= RP_H265_DECODE_MAX_WIDTH_PX &&
           std->pic_height_in_luma_samples <= RP_H265_DECODE_MAX_HEIGHT_PX &&
           std->log2_max_pic_order_cnt_lsb_minus4 <= 12 &&
           std->log2_min_luma_coding_block_size_minus3 <= 3 &&
           std->log2_diff_max_min_luma_coding_block_size <= 3 &&
           std->log2_min_luma_transform_block_size_minus2 <= 3 &&
           std->log2_diff_max_min_luma_transform_block_size <= 3 && blocks_are_valid(std) &&
           pcm_is_valid(std) && std->num_short_term_ref_pic_sets <= RP_H265_MAX_SHORT_TERM_SETS &&
           std->num_long_term_ref_pics_sps <= STD_VIDEO_H265_MAX_LONG_TERM_REF_PICS_SPS &&
           !std->flags.sps_range_extension_flag && !std->flags.sps_scc_extension_flag;
}

bool
rp_h265_pps_is_valid(const StdVideoH265PictureParameterSet *std)
{
    return std->pps_pic_parameter_set_id < RP_H265_PPS_LIMIT &&
           std->pps_seq_parameter_set_id < RP_H265_SPS_LIMIT &&
           std->num_extra_slice_header_bits <= 2 &&
           std->num_ref_idx_l0_default_active_minus1 < RP_H265_MAX_REFS - 1 &&
           std->num_ref_idx_l1_default_active_minus1 < RP_H265_MAX_REFS - 1 &&
           std->init_qp_minus26 >= -38 && std->init_qp_minus26 <= 25 &&
           std->diff_cu_qp_delta_depth <= 3 && std->pps_cb_qp_offset >= -12 &&
           std->pps_cb_qp_offset <= 12 && std->pps_cr_qp_offset >= -12 &&
           std->pps_cr_qp_offset <= 12 && std->pps_beta_offset_div2 >= -6 &&
           std->pps_beta_offset_div2 <= 6 && std->pps_tc_offset_div2 >= -6 &&
           std->pps_tc_offset_div2 <= 6 && std->log2_parallel_merge_level_minus2 <= 4 &&
           std->num_tile_columns_minus1 < 20 && std->num_tile_rows_minus1 < 22 &&
           !std->flags.pps_range_extension_flag && !std->flags.pps_curr_pic_ref_enabled_flag;
}

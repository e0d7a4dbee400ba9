/* SPDX-License-Identifier: MIT */
/* Syntax of the parameter sets.
 */
#include "util/compiler.h"
#include "video/h265/parameter_sets.h"

/* general_level_idc of A.4.1, by StdVideoH265LevelIdc. */
static const uint8_t levels[] = {30, 60, 63, 90, 93, 120, 123, 150, 153, 156, 180, 183, 186};

static StdVideoH265LevelIdc
code_level(struct rp_h265_syntax *syntax, StdVideoH265LevelIdc level)
{
    const uint32_t known = RP_MIN((uint32_t)level, RP_ARRAY_SIZE(levels) - 1);
    const uint32_t general_level_idc = rp_h265_u(syntax, 8, levels[known]);
    for (uint32_t i = 0; i < RP_ARRAY_SIZE(levels); i++) {
        if (general_level_idc <= levels[i])
            return (StdVideoH265LevelIdc)i;
    }
    return STD_VIDEO_H265_LEVEL_IDC_6_2;
}

/* profile_tier_level(1, max_sub_layers_minus1) (7.3.3), without levels of sub-layers. */
static void
code_profile_tier_level(struct rp_h265_syntax *syntax, StdVideoH265ProfileTierLevel *ptl,
                        uint32_t max_sub_layers_minus1)
{
    StdVideoH265ProfileTierLevelFlags *flags = &ptl->flags;
    const uint32_t idc = (uint32_t)ptl->general_profile_idc & 31;
    rp_h265_skip(syntax, 2); /* general_profile_space */
    flags->general_tier_flag = rp_h265_flag(syntax, flags->general_tier_flag);
    ptl->general_profile_idc = (StdVideoH265ProfileIdc)rp_h265_u(syntax, 5, idc);
    (void)rp_h265_u(syntax, 32, (uint32_t)1 << (31 - idc)); /* compatibility flags */
    flags->general_progressive_source_flag =
        rp_h265_flag(syntax, flags->general_progressive_source_flag);
    flags->general_interlaced_source_flag =
        rp_h265_flag(syntax, flags->general_interlaced_source_flag);
    flags->general_non_packed_constraint_flag =
        rp_h265_flag(syntax, flags->general_non_packed_constraint_flag);
    flags->general_frame_only_constraint_flag =
        rp_h265_flag(syntax, flags->general_frame_only_constraint_flag);
    rp_h265_skip(syntax, 44);
    ptl->general_level_idc = code_level(syntax, ptl->general_level_idc);

    uint32_t sub_layer_bits = 0;
    for (uint32_t i = 0; i < max_sub_layers_minus1; i++) {
        const bool has_profile = rp_h265_flag(syntax, false);
        const bool has_level = rp_h265_flag(syntax, false);
        sub_layer_bits += (has_profile ? 88 : 0) + (has_level ? 8 : 0);
    }
    if (max_sub_layers_minus1 > 0)
        rp_h265_skip(syntax, 2 * (8 - max_sub_layers_minus1));
    rp_h265_skip(syntax, sub_layer_bits);
}

static void
code_dec_pic_buf_mgr(struct rp_h265_syntax *syntax, StdVideoH265DecPicBufMgr *mgr, bool has_all,
                     uint32_t max_sub_layers_minus1)
{
    for (uint32_t i = has_all ? 0 : max_sub_layers_minus1; i <= max_sub_layers_minus1; i++) {
        mgr->max_dec_pic_buffering_minus1[i] =
            (uint8_t)rp_h265_ue(syntax, 15, mgr->max_dec_pic_buffering_minus1[i]);
        mgr->max_num_reorder_pics[i] =
            (uint8_t)rp_h265_ue(syntax, 15, mgr->max_num_reorder_pics[i]);
        mgr->max_latency_increase_plus1[i] =
            rp_h265_ue(syntax, UINT32_MAX - 1, mgr->max_latency_increase_plus1[i]);
    }
}

static void
code_vps_timing(struct rp_h265_syntax *syntax, StdVideoH265VideoParameterSet *std)
{
    StdVideoH265VpsFlags *flags = &std->flags;
    flags->vps_timing_info_present_flag = rp_h265_flag(syntax, flags->vps_timing_info_present_flag);
    if (!flags->vps_timing_info_present_flag)
        return;
    std->vps_num_units_in_tick = rp_h265_u(syntax, 32, std->vps_num_units_in_tick);
    std->vps_time_scale = rp_h265_u(syntax, 32, std->vps_time_scale);
    flags->vps_poc_proportional_to_timing_flag =
        rp_h265_flag(syntax, flags->vps_poc_proportional_to_timing_flag);
    if (flags->vps_poc_proportional_to_timing_flag)
        std->vps_num_ticks_poc_diff_one_minus1 =
            rp_h265_ue(syntax, UINT32_MAX - 1, std->vps_num_ticks_poc_diff_one_minus1);
    (void)rp_h265_ue(syntax, 1024, 0); /* vps_num_hrd_parameters */
}

void
rp_h265_code_vps(struct rp_h265_syntax *syntax, struct rp_h265_vps *vps)
{
    StdVideoH265VideoParameterSet *std = &vps->std;
    StdVideoH265VpsFlags *flags = &std->flags;
    std->vps_video_parameter_set_id =
        (uint8_t)rp_h265_u(syntax, 4, std->vps_video_parameter_set_id);
    (void)rp_h265_u(syntax, 2, 3); /* base layer internal, available */
    (void)rp_h265_u(syntax, 6, 0); /* vps_max_layers_minus1 */
    std->vps_max_sub_layers_minus1 = (uint8_t)rp_h265_u(syntax, 3, std->vps_max_sub_layers_minus1);
    if (std->vps_max_sub_layers_minus1 >= STD_VIDEO_H265_SUBLAYERS_LIST_SIZE) {
        rp_h265_require(syntax, false);
        std->vps_max_sub_layers_minus1 = 0;
    }
    flags->vps_temporal_id_nesting_flag = rp_h265_flag(syntax, flags->vps_temporal_id_nesting_flag);
    (void)rp_h265_u(syntax, 16, 0xffff); /* vps_reserved_0xffff_16bits */
    code_profile_tier_level(syntax, &vps->profile_tier_level, std->vps_max_sub_layers_minus1);
    flags->vps_sub_layer_ordering_info_present_flag =
        rp_h265_flag(syntax, flags->vps_sub_layer_ordering_info_present_flag);
    code_dec_pic_buf_mgr(syntax, &vps->dec_pic_buf_mgr,
                         flags->vps_sub_layer_ordering_info_present_flag,
                         std->vps_max_sub_layers_minus1);
    (void)rp_h265_u(syntax, 6, 0);  /* vps_max_layer_id */
    (void)rp_h265_ue(syntax, 0, 0); /* vps_num_layer_sets_minus1 */
    code_vps_timing(syntax, std);
    if (!syntax->is_writing)
        return;
    (void)rp_h265_flag(syntax, false); /* vps_extension_flag */
    rp_h265_trailing(syntax);
}

void
rp_h265_write_vps(struct rp_h265_syntax *syntax, const struct rp_h265_sps *sps)
{
    struct rp_h265_vps vps = {
        .std.flags.vps_temporal_id_nesting_flag = 1,
        .std.flags.vps_sub_layer_ordering_info_present_flag = 1,
        .profile_tier_level = sps->profile_tier_level,
        .dec_pic_buf_mgr = sps->dec_pic_buf_mgr,
    };
    rp_h265_code_vps(syntax, &vps);
}

static void
code_window(struct rp_h265_syntax *syntax, StdVideoH265SequenceParameterSet *std)
{
    std->flags.conformance_window_flag = rp_h265_flag(syntax, std->flags.conformance_window_flag);
    if (!std->flags.conformance_window_flag)
        return;
    const uint32_t max = 1u << 16;
    std->conf_win_left_offset = rp_h265_ue(syntax, max, std->conf_win_left_offset);
    std->conf_win_right_offset = rp_h265_ue(syntax, max, std->conf_win_right_offset);
    std->conf_win_top_offset = rp_h265_ue(syntax, max, std->conf_win_top_offset);
    std->conf_win_bottom_offset = rp_h265_ue(syntax, max, std->conf_win_bottom_offset);
}

/* From chroma_format_idc to log2_max_pic_order_cnt_lsb_minus4. */
static void
code_format(struct rp_h265_syntax *syntax, StdVideoH265SequenceParameterSet *std)
{
    std->chroma_format_idc =
        (StdVideoH265ChromaFormatIdc)rp_h265_ue(syntax, 3, (uint32_t)std->chroma_format_idc);
    if (std->chroma_format_idc == STD_VIDEO_H265_CHROMA_FORMAT_IDC_444)
        std->flags.separate_colour_plane_flag =
            rp_h265_flag(syntax, std->flags.separate_colour_plane_flag);
    std->pic_width_in_luma_samples = rp_h265_ue(syntax, 1u << 16, std->pic_width_in_luma_samples);
    std->pic_height_in_luma_samples = rp_h265_ue(syntax, 1u << 16, std->pic_height_in_luma_samples);
    code_window(syntax, std);
    std->bit_depth_luma_minus8 = (uint8_t)rp_h265_ue(syntax, 8, std->bit_depth_luma_minus8);
    std->bit_depth_chroma_minus8 = (uint8_t)rp_h265_ue(syntax, 8, std->bit_depth_chroma_minus8);
    std->log2_max_pic_order_cnt_lsb_minus4 =
        (uint8_t)rp_h265_ue(syntax, 12, std->log2_max_pic_order_cnt_lsb_minus4);
}

static void
code_block_sizes(struct rp_h265_syntax *syntax, StdVideoH265SequenceParameterSet *std)
{
    std->log2_min_luma_coding_block_size_minus3 =
        (uint8_t)rp_h265_ue(syntax, 3, std->log2_min_luma_coding_block_size_minus3);
    std->log2_diff_max_min_luma_coding_block_size =
        (uint8_t)rp_h265_ue(syntax, 3, std->log2_diff_max_min_luma_coding_block_size);
    std->log2_min_luma_transform_block_size_minus2 =
        (uint8_t)rp_h265_ue(syntax, 3, std->log2_min_luma_transform_block_size_minus2);
    std->log2_diff_max_min_luma_transform_block_size =
        (uint8_t)rp_h265_ue(syntax, 3, std->log2_diff_max_min_luma_transform_block_size);
    std->max_transform_hierarchy_depth_inter =
        (uint8_t)rp_h265_ue(syntax, 4, std->max_transform_hierarchy_depth_inter);
    std->max_transform_hierarchy_depth_intra =
        (uint8_t)rp_h265_ue(syntax, 4, std->max_transform_hierarchy_depth_intra);
}

static void
code_pcm(struct rp_h265_syntax *syntax, StdVideoH265SequenceParameterSet *std)
{
    std->flags.pcm_enabled_flag = rp_h265_flag(syntax, std->flags.pcm_enabled_flag);
    if (!std->flags.pcm_enabled_flag)
        return;
    std->pcm_sample_bit_depth_luma_minus1 =
        (uint8_t)rp_h265_u(syntax, 4, std->pcm_sample_bit_depth_luma_minus1);
    std->pcm_sample_bit_depth_chroma_minus1 =
        (uint8_t)rp_h265_u(syntax, 4, std->pcm_sample_bit_depth_chroma_minus1);
    std->log2_min_pcm_luma_coding_block_size_minus3 =
        (uint8_t)rp_h265_ue(syntax, 2, std->log2_min_pcm_luma_coding_block_size_minus3);
    std->log2_diff_max_min_pcm_luma_coding_block_size =
        (uint8_t)rp_h265_ue(syntax, 2, std->log2_diff_max_min_pcm_luma_coding_block_size);
    std->flags.pcm_loop_filter_disabled_flag =
        rp_h265_flag(syntax, std->flags.pcm_loop_filter_disabled_flag);
}

static void
code_long_term_pictures(struct rp_h265_syntax *syntax, struct rp_h265_sps *sps)
{
    StdVideoH265SequenceParameterSet *std = &sps->std;
    StdVideoH265LongTermRefPicsSps *pics = &sps->long_term_ref_pics;
    std->flags.long_term_ref_pics_present_flag =
        rp_h265_flag(syntax, std->flags.long_term_ref_pics_present_flag);
    if (!std->flags.long_term_ref_pics_present_flag)
        return;
    std->num_long_term_ref_pics_sps = (uint8_t)rp_h265_ue(
        syntax, STD_VIDEO_H265_MAX_LONG_TERM_REF_PICS_SPS, std->num_long_term_ref_pics_sps);
    for (uint32_t i = 0; i < std->num_long_term_ref_pics_sps; i++) {
        pics->lt_ref_pic_poc_lsb_sps[i] = rp_h265_u(
            syntax, std->log2_max_pic_order_cnt_lsb_minus4 + 4u, pics->lt_ref_pic_poc_lsb_sps[i]);
        const bool is_used = rp_h265_flag(syntax, pics->used_by_curr_pic_lt_sps_flag >> i & 1);
        pics->used_by_curr_pic_lt_sps_flag =
            (pics->used_by_curr_pic_lt_sps_flag & ~(1u << i)) | (uint32_t)is_used << i;
    }
}

static void
code_sps_scaling_lists(struct rp_h265_syntax *syntax, struct rp_h265_sps *sps)
{
    StdVideoH265SpsFlags *flags = &sps->std.flags;
    flags->scaling_list_enabled_flag = rp_h265_flag(syntax, flags->scaling_list_enabled_flag);
    if (!flags->scaling_list_enabled_flag)
        return;
    flags->sps_scaling_list_data_present_flag =
        rp_h265_flag(syntax, flags->sps_scaling_list_data_present_flag);
    if (flags->sps_scaling_list_data_present_flag)
        rp_h265_code_scaling_lists(syntax, &sps->scaling_lists);
}

static void
code_short_term_sets(struct rp_h265_syntax *syntax, struct rp_h265_sps *sps)
{
    sps->std.num_short_term_ref_pic_sets = (uint8_t)rp_h265_ue(
        syntax, RP_H265_MAX_SHORT_TERM_SETS, sps->std.num_short_term_ref_pic_sets);
    for (uint32_t i = 0; i < sps->std.num_short_term_ref_pic_sets; i++)
        rp_h265_code_short_term_set(syntax, &sps->short_term_ref_pic_sets[i], i,
                                    sps->std.num_short_term_ref_pic_sets,
                                    sps->short_term_ref_pic_sets);
}

void
rp_h265_code_sps(struct rp_h265_syntax *syntax, struct rp_h265_sps *sps)
{
    StdVideoH265SequenceParameterSet *std = &sps->std;
    StdVideoH265SpsFlags *flags = &std->flags;
    std->sps_video_parameter_set_id =
        (uint8_t)rp_h265_u(syntax, 4, std->sps_video_parameter_set_id);
    std->sps_max_sub_layers_minus1 = (uint8_t)rp_h265_u(syntax, 3, std->sps_max_sub_layers_minus1);
    if (std->sps_max_sub_layers_minus1 >= STD_VIDEO_H265_SUBLAYERS_LIST_SIZE) {
        rp_h265_require(syntax, false);
        std->sps_max_sub_layers_minus1 = 0;
    }
    flags->sps_temporal_id_nesting_flag = rp_h265_flag(syntax, flags->sps_temporal_id_nesting_flag);
    code_profile_tier_level(syntax, &sps->profile_tier_level, std->sps_max_sub_layers_minus1);
    std->sps_seq_parameter_set_id =
        (uint8_t)rp_h265_ue(syntax, RP_H265_SPS_LIMIT - 1, std->sps_seq_parameter_set_id);
    code_format(syntax, std);
    flags->sps_sub_layer_ordering_info_present_flag =
        rp_h265_flag(syntax, flags->sps_sub_layer_ordering_info_present_flag);
    code_dec_pic_buf_mgr(syntax, &sps->dec_pic_buf_mgr,
                         flags->sps_sub_layer_ordering_info_present_flag,
                         std->sps_max_sub_layers_minus1);
    code_block_sizes(syntax, std);
    code_sps_scaling_lists(syntax, sps);
    flags->amp_enabled_flag = rp_h265_flag(syntax, flags->amp_enabled_flag);
    flags->sample_adaptive_offset_enabled_flag =
        rp_h265_flag(syntax, flags->sample_adaptive_offset_enabled_flag);
    code_pcm(syntax, std);
    code_short_term_sets(syntax, sps);
    code_long_term_pictures(syntax, sps);
    flags->sps_temporal_mvp_enabled_flag =
        rp_h265_flag(syntax, flags->sps_temporal_mvp_enabled_flag);
    flags->strong_intra_smoothing_enabled_flag =
        rp_h265_flag(syntax, flags->strong_intra_smoothing_enabled_flag);
    if (!syntax->is_writing)
        return;
    if (rp_h265_flag(syntax, std->pSequenceParameterSetVui != NULL)) {
        StdVideoH265SequenceParameterSetVui vui = *std->pSequenceParameterSetVui;
        rp_h265_code_vui(syntax, &vui);
    }
    (void)rp_h265_flag(syntax, false); /* sps_extension_present_flag */
    rp_h265_trailing(syntax);
}

static void
code_tiles(struct rp_h265_syntax *syntax, StdVideoH265PictureParameterSet *std)
{
    std->num_tile_columns_minus1 = (uint8_t)rp_h265_ue(syntax, 19, std->num_tile_columns_minus1);
    std->num_tile_rows_minus1 = (uint8_t)rp_h265_ue(syntax, 21, std->num_tile_rows_minus1);
    std->flags.uniform_spacing_flag = rp_h265_flag(syntax, std->flags.uniform_spacing_flag);
    if (!std->flags.uniform_spacing_flag) {
        for (uint32_t i = 0; i < std->num_tile_columns_minus1; i++)
            std->column_width_minus1[i] =
                (uint16_t)rp_h265_ue(syntax, 0xffff, std->column_width_minus1[i]);
        for (uint32_t i = 0; i < std->num_tile_rows_minus1; i++)
            std->row_height_minus1[i] =
                (uint16_t)rp_h265_ue(syntax, 0xffff, std->row_height_minus1[i]);
    }
    std->flags.loop_filter_across_tiles_enabled_flag =
        rp_h265_flag(syntax, std->flags.loop_filter_across_tiles_enabled_flag);
}

static void
code_deblocking(struct rp_h265_syntax *syntax, StdVideoH265PictureParameterSet *std)
{
    StdVideoH265PpsFlags *flags = &std->flags;
    flags->deblocking_filter_control_present_flag =
        rp_h265_flag(syntax, flags->deblocking_filter_control_present_flag);
    if (!flags->deblocking_filter_control_present_flag)
        return;
    flags->deblocking_filter_override_enabled_flag =
        rp_h265_flag(syntax, flags->deblocking_filter_override_enabled_flag);
    flags->pps_deblocking_filter_disabled_flag =
        rp_h265_flag(syntax, flags->pps_deblocking_filter_disabled_flag);
    if (flags->pps_deblocking_filter_disabled_flag)
        return;
    std->pps_beta_offset_div2 = (int8_t)rp_h265_se(syntax, -6, 6, std->pps_beta_offset_div2);
    std->pps_tc_offset_div2 = (int8_t)rp_h265_se(syntax, -6, 6, std->pps_tc_offset_div2);
}

/* From init_qp_minus26 to entropy_coding_sync_enabled_flag. */
static void
code_tools(struct rp_h265_syntax *syntax, StdVideoH265PictureParameterSet *std)
{
    StdVideoH265PpsFlags *flags = &std->flags;
    std->init_qp_minus26 = (int8_t)rp_h265_se(syntax, -38, 25, std->init_qp_minus26);
    flags->constrained_intra_pred_flag = rp_h265_flag(syntax, flags->constrained_intra_pred_flag);
    flags->transform_skip_enabled_flag = rp_h265_flag(syntax, flags->transform_skip_enabled_flag);
    flags->cu_qp_delta_enabled_flag = rp_h265_flag(syntax, flags->cu_qp_delta_enabled_flag);
    if (flags->cu_qp_delta_enabled_flag)
        std->diff_cu_qp_delta_depth = (uint8_t)rp_h265_ue(syntax, 3, std->diff_cu_qp_delta_depth);
    std->pps_cb_qp_offset = (int8_t)rp_h265_se(syntax, -12, 12, std->pps_cb_qp_offset);
    std->pps_cr_qp_offset = (int8_t)rp_h265_se(syntax, -12, 12, std->pps_cr_qp_offset);
    flags->pps_slice_chroma_qp_offsets_present_flag =
        rp_h265_flag(syntax, flags->pps_slice_chroma_qp_offsets_present_flag);
    flags->weighted_pred_flag = rp_h265_flag(syntax, flags->weighted_pred_flag);
    flags->weighted_bipred_flag = rp_h265_flag(syntax, flags->weighted_bipred_flag);
    flags->transquant_bypass_enabled_flag =
        rp_h265_flag(syntax, flags->transquant_bypass_enabled_flag);
    flags->tiles_enabled_flag = rp_h265_flag(syntax, flags->tiles_enabled_flag);
    flags->entropy_coding_sync_enabled_flag =
        rp_h265_flag(syntax, flags->entropy_coding_sync_enabled_flag);
}

void
rp_h265_code_pps(struct rp_h265_syntax *syntax, struct rp_h265_pps *pps)
{
    StdVideoH265PictureParameterSet *std = &pps->std;
    StdVideoH265PpsFlags *flags = &std->flags;
    std->pps_pic_parameter_set_id =
        (uint8_t)rp_h265_ue(syntax, RP_H265_PPS_LIMIT - 1, std->pps_pic_parameter_set_id);
    std->pps_seq_parameter_set_id =
        (uint8_t)rp_h265_ue(syntax, RP_H265_SPS_LIMIT - 1, std->pps_seq_parameter_set_id);
    flags->dependent_slice_segments_enabled_flag =
        rp_h265_flag(syntax, flags->dependent_slice_segments_enabled_flag);
    flags->output_flag_present_flag = rp_h265_flag(syntax, flags->output_flag_present_flag);
    std->num_extra_slice_header_bits =
        (uint8_t)rp_h265_u(syntax, 3, std->num_extra_slice_header_bits);
    flags->sign_data_hiding_enabled_flag =
        rp_h265_flag(syntax, flags->sign_data_hiding_enabled_flag);
    flags->cabac_init_present_flag = rp_h265_flag(syntax, flags->cabac_init_present_flag);
    std->num_ref_idx_l0_default_active_minus1 =
        (uint8_t)rp_h265_ue(syntax, 14, std->num_ref_idx_l0_default_active_minus1);
    std->num_ref_idx_l1_default_active_minus1 =
        (uint8_t)rp_h265_ue(syntax, 14, std->num_ref_idx_l1_default_active_minus1);
    code_tools(syntax, std);
    if (flags->tiles_enabled_flag)
        code_tiles(syntax, std);
    flags->pps_loop_filter_across_slices_enabled_flag =
        rp_h265_flag(syntax, flags->pps_loop_filter_across_slices_enabled_flag);
    code_deblocking(syntax, std);
    flags->pps_scaling_list_data_present_flag =
        rp_h265_flag(syntax, flags->pps_scaling_list_data_present_flag);
    if (flags->pps_scaling_list_data_present_flag)
        rp_h265_code_scaling_lists(syntax, &pps->scaling_lists);
    flags->lists_modification_present_flag =
        rp_h265_flag(syntax, flags->lists_modification_present_flag);
    std->log2_parallel_merge_level_minus2 =
        (uint8_t)rp_h265_ue(syntax, 4, std->log2_parallel_merge_level_minus2);
    flags->slice_segment_header_extension_present_flag =
        rp_h265_flag(syntax, flags->slice_segment_header_extension_present_flag);
    if (!syntax->is_writing)
        return;
    (void)rp_h265_flag(syntax, false); /* pps_extension_present_flag */
    rp_h265_trailing(syntax);
}

/* SPDX-License-Identifier: MIT */
/* Video usability information (E.2.1).
 */
#include "video/h265/parameter_sets.h"

static void
code_aspect_ratio(struct rp_h265_syntax *syntax, StdVideoH265SequenceParameterSetVui *vui)
{
    vui->flags.aspect_ratio_info_present_flag =
        rp_h265_flag(syntax, vui->flags.aspect_ratio_info_present_flag);
    if (!vui->flags.aspect_ratio_info_present_flag)
        return;
    vui->aspect_ratio_idc =
        (StdVideoH265AspectRatioIdc)rp_h265_u(syntax, 8, (uint32_t)vui->aspect_ratio_idc);
    if (vui->aspect_ratio_idc == STD_VIDEO_H265_ASPECT_RATIO_IDC_EXTENDED_SAR) {
        vui->sar_width = (uint16_t)rp_h265_u(syntax, 16, vui->sar_width);
        vui->sar_height = (uint16_t)rp_h265_u(syntax, 16, vui->sar_height);
    }
}

static void
code_signal_type(struct rp_h265_syntax *syntax, StdVideoH265SequenceParameterSetVui *vui)
{
    StdVideoH265SpsVuiFlags *flags = &vui->flags;
    flags->video_signal_type_present_flag =
        rp_h265_flag(syntax, flags->video_signal_type_present_flag);
    if (!flags->video_signal_type_present_flag)
        return;
    vui->video_format = (uint8_t)rp_h265_u(syntax, 3, vui->video_format);
    flags->video_full_range_flag = rp_h265_flag(syntax, flags->video_full_range_flag);
    flags->colour_description_present_flag =
        rp_h265_flag(syntax, flags->colour_description_present_flag);
    if (flags->colour_description_present_flag) {
        vui->colour_primaries = (uint8_t)rp_h265_u(syntax, 8, vui->colour_primaries);
        vui->transfer_characteristics =
            (uint8_t)rp_h265_u(syntax, 8, vui->transfer_characteristics);
        vui->matrix_coeffs = (uint8_t)rp_h265_u(syntax, 8, vui->matrix_coeffs);
    }
}

/* From chroma_loc_info_present_flag to the default display window. */
static void
code_frames(struct rp_h265_syntax *syntax, StdVideoH265SequenceParameterSetVui *vui)
{
    StdVideoH265SpsVuiFlags *flags = &vui->flags;
    flags->chroma_loc_info_present_flag = rp_h265_flag(syntax, flags->chroma_loc_info_present_flag);
    if (flags->chroma_loc_info_present_flag) {
        vui->chroma_sample_loc_type_top_field =
            (uint8_t)rp_h265_ue(syntax, 5, vui->chroma_sample_loc_type_top_field);
        vui->chroma_sample_loc_type_bottom_field =
            (uint8_t)rp_h265_ue(syntax, 5, vui->chroma_sample_loc_type_bottom_field);
    }
    flags->neutral_chroma_indication_flag =
        rp_h265_flag(syntax, flags->neutral_chroma_indication_flag);
    flags->field_seq_flag = rp_h265_flag(syntax, flags->field_seq_flag);
    flags->frame_field_info_present_flag =
        rp_h265_flag(syntax, flags->frame_field_info_present_flag);
    flags->default_display_window_flag = rp_h265_flag(syntax, flags->default_display_window_flag);
    if (flags->default_display_window_flag) {
        uint16_t *offsets[4] = {&vui->def_disp_win_left_offset, &vui->def_disp_win_right_offset,
                                &vui->def_disp_win_top_offset, &vui->def_disp_win_bottom_offset};
        for (uint32_t i = 0; i < 4; i++)
            *offsets[i] = (uint16_t)rp_h265_ue(syntax, UINT16_MAX, *offsets[i]);
    }
}

static void
code_timing(struct rp_h265_syntax *syntax, StdVideoH265SequenceParameterSetVui *vui)
{
    StdVideoH265SpsVuiFlags *flags = &vui->flags;
    flags->vui_timing_info_present_flag = rp_h265_flag(syntax, flags->vui_timing_info_present_flag);
    if (!flags->vui_timing_info_present_flag)
        return;
    vui->vui_num_units_in_tick = rp_h265_u(syntax, 32, vui->vui_num_units_in_tick);
    vui->vui_time_scale = rp_h265_u(syntax, 32, vui->vui_time_scale);
    flags->vui_poc_proportional_to_timing_flag =
        rp_h265_flag(syntax, flags->vui_poc_proportional_to_timing_flag);
    if (flags->vui_poc_proportional_to_timing_flag)
        vui->vui_num_ticks_poc_diff_one_minus1 =
            rp_h265_ue(syntax, UINT32_MAX - 1, vui->vui_num_ticks_poc_diff_one_minus1);
    rp_h265_require(syntax, !rp_h265_flag(syntax, false)); /* vui_hrd_parameters_present_flag */
}

static void
code_restriction(struct rp_h265_syntax *syntax, StdVideoH265SequenceParameterSetVui *vui)
{
    StdVideoH265SpsVuiFlags *flags = &vui->flags;
    flags->bitstream_restriction_flag = rp_h265_flag(syntax, flags->bitstream_restriction_flag);
    if (!flags->bitstream_restriction_flag)
        return;
    flags->tiles_fixed_structure_flag = rp_h265_flag(syntax, flags->tiles_fixed_structure_flag);
    flags->motion_vectors_over_pic_boundaries_flag =
        rp_h265_flag(syntax, flags->motion_vectors_over_pic_boundaries_flag);
    flags->restricted_ref_pic_lists_flag =
        rp_h265_flag(syntax, flags->restricted_ref_pic_lists_flag);
    vui->min_spatial_segmentation_idc =
        (uint16_t)rp_h265_ue(syntax, 4095, vui->min_spatial_segmentation_idc);
    vui->max_bytes_per_pic_denom = (uint8_t)rp_h265_ue(syntax, 16, vui->max_bytes_per_pic_denom);
    vui->max_bits_per_min_cu_denom =
        (uint8_t)rp_h265_ue(syntax, 16, vui->max_bits_per_min_cu_denom);
    vui->log2_max_mv_length_horizontal =
        (uint8_t)rp_h265_ue(syntax, 15, vui->log2_max_mv_length_horizontal);
    vui->log2_max_mv_length_vertical =
        (uint8_t)rp_h265_ue(syntax, 15, vui->log2_max_mv_length_vertical);
}

void
rp_h265_code_vui(struct rp_h265_syntax *syntax, StdVideoH265SequenceParameterSetVui *vui)
{
    code_aspect_ratio(syntax, vui);
    vui->flags.overscan_info_present_flag =
        rp_h265_flag(syntax, vui->flags.overscan_info_present_flag);
    if (vui->flags.overscan_info_present_flag)
        vui->flags.overscan_appropriate_flag =
            rp_h265_flag(syntax, vui->flags.overscan_appropriate_flag);
    code_signal_type(syntax, vui);
    code_frames(syntax, vui);
    code_timing(syntax, vui);
    code_restriction(syntax, vui);
}

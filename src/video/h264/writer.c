/* SPDX-License-Identifier: MIT */
/* SPS and PPS syntax. Elements that the Std structures do not have get the value that says least.
 */
#include "video/h264/writer.h"

#include "util/compiler.h"
#include "video/h264/overrides.h"

#include "reelpipe/bits.h"

/* All lists as full deltas, two HRDs of 32 entries, 255 offsets: below this. */
#define RBSP_CAPACITY_B 8192

/* level_idc as the stream says it: 10 * level. */
static uint8_t
level_number(StdVideoH264LevelIdc level_idc)
{
    static const uint8_t numbers[] = {10, 11, 12, 13, 20, 21, 22, 30, 31, 32,
                                      40, 41, 42, 50, 51, 52, 60, 61, 62};
    return (uint32_t)level_idc < RP_ARRAY_SIZE(numbers) ? numbers[level_idc] : 62;
}

/* 7.3.2.1.1.1; a delta_scale that leads to nextScale 0 says "the default list". */
static void
write_scaling_list(struct rp_bits *bits, const uint8_t *list, uint32_t count, bool is_default)
{
    int32_t last = 8;
    for (uint32_t i = 0; i < count; i++) {
        const int32_t next = is_default ? 0 : list[i];
        rp_bits_se(bits, (int8_t)(next - last));
        if (next == 0)
            return;
        last = next;
    }
}

static void
write_scaling_lists(struct rp_bits *bits, const StdVideoH264ScalingLists *lists,
                    uint32_t list_count)
{
    for (uint32_t i = 0; i < list_count; i++) {
        const bool is_present = lists->scaling_list_present_mask >> i & 1;
        const bool is_default = lists->use_default_scaling_matrix_mask >> i & 1;
        rp_bits_put(bits, 1, is_present);
        if (is_present && i < STD_VIDEO_H264_SCALING_LIST_4X4_NUM_LISTS)
            write_scaling_list(bits, lists->ScalingList4x4[i], 16, is_default);
        else if (is_present)
            write_scaling_list(bits, lists->ScalingList8x8[i - 6], 64, is_default);
    }
}

/* E.1.2 */
static void
write_hrd(struct rp_bits *bits, const StdVideoH264HrdParameters *hrd)
{
    rp_bits_ue(bits, hrd->cpb_cnt_minus1);
    rp_bits_put(bits, 4, hrd->bit_rate_scale);
    rp_bits_put(bits, 4, hrd->cpb_size_scale);
    for (uint32_t i = 0; i <= hrd->cpb_cnt_minus1; i++) {
        rp_bits_ue(bits, hrd->bit_rate_value_minus1[i]);
        rp_bits_ue(bits, hrd->cpb_size_value_minus1[i]);
        rp_bits_put(bits, 1, hrd->cbr_flag[i]);
    }
    rp_bits_put(bits, 5, hrd->initial_cpb_removal_delay_length_minus1);
    rp_bits_put(bits, 5, hrd->cpb_removal_delay_length_minus1);
    rp_bits_put(bits, 5, hrd->dpb_output_delay_length_minus1);
    rp_bits_put(bits, 5, hrd->time_offset_length);
}

static void
write_vui_picture(struct rp_bits *bits, const StdVideoH264SequenceParameterSetVui *vui)
{
    rp_bits_put(bits, 1, vui->flags.aspect_ratio_info_present_flag);
    if (vui->flags.aspect_ratio_info_present_flag) {
        rp_bits_put(bits, 8, (uint32_t)vui->aspect_ratio_idc);
        if (vui->aspect_ratio_idc == STD_VIDEO_H264_ASPECT_RATIO_IDC_EXTENDED_SAR) {
            rp_bits_put(bits, 16, vui->sar_width);
            rp_bits_put(bits, 16, vui->sar_height);
        }
    }
    rp_bits_put(bits, 1, vui->flags.overscan_info_present_flag);
    if (vui->flags.overscan_info_present_flag)
        rp_bits_put(bits, 1, vui->flags.overscan_appropriate_flag);
    rp_bits_put(bits, 1, vui->flags.video_signal_type_present_flag);
    if (vui->flags.video_signal_type_present_flag) {
        rp_bits_put(bits, 3, vui->video_format);
        rp_bits_put(bits, 1, vui->flags.video_full_range_flag);
        rp_bits_put(bits, 1, vui->flags.color_description_present_flag);
        if (vui->flags.color_description_present_flag) {
            rp_bits_put(bits, 8, vui->colour_primaries);
            rp_bits_put(bits, 8, vui->transfer_characteristics);
            rp_bits_put(bits, 8, vui->matrix_coefficients);
        }
    }
    rp_bits_put(bits, 1, vui->flags.chroma_loc_info_present_flag);
    if (vui->flags.chroma_loc_info_present_flag) {
        rp_bits_ue(bits, vui->chroma_sample_loc_type_top_field);
        rp_bits_ue(bits, vui->chroma_sample_loc_type_bottom_field);
    }
}

/* E.1.1 */
static void
write_vui(struct rp_bits *bits, const StdVideoH264SequenceParameterSetVui *vui)
{
    write_vui_picture(bits, vui);

    rp_bits_put(bits, 1, vui->flags.timing_info_present_flag);
    if (vui->flags.timing_info_present_flag) {
        rp_bits_put(bits, 32, vui->num_units_in_tick);
        rp_bits_put(bits, 32, vui->time_scale);
        rp_bits_put(bits, 1, vui->flags.fixed_frame_rate_flag);
    }
    rp_bits_put(bits, 1, vui->flags.nal_hrd_parameters_present_flag);
    if (vui->flags.nal_hrd_parameters_present_flag)
        write_hrd(bits, vui->pHrdParameters);
    rp_bits_put(bits, 1, vui->flags.vcl_hrd_parameters_present_flag);
    if (vui->flags.vcl_hrd_parameters_present_flag)
        write_hrd(bits, vui->pHrdParameters);
    if (vui->flags.nal_hrd_parameters_present_flag || vui->flags.vcl_hrd_parameters_present_flag)
        rp_bits_put(bits, 1, 0); /* low_delay_hrd_flag */
    rp_bits_put(bits, 1, 0);     /* pic_struct_present_flag */

    rp_bits_put(bits, 1, vui->flags.bitstream_restriction_flag);
    if (vui->flags.bitstream_restriction_flag) {
        rp_bits_put(bits, 1, 1); /* motion_vectors_over_pic_boundaries_flag */
        rp_bits_ue(bits, 0);     /* max_bytes_per_pic_denom: no limit */
        rp_bits_ue(bits, 0);     /* max_bits_per_mb_denom: no limit */
        rp_bits_ue(bits, 16);    /* log2_max_mv_length_horizontal: what is inferred without it */
        rp_bits_ue(bits, 16);    /* log2_max_mv_length_vertical */
        rp_bits_ue(bits, vui->max_num_reorder_frames);
        rp_bits_ue(bits, vui->max_dec_frame_buffering);
    }
}

static void
write_sps_high(struct rp_bits *bits, const StdVideoH264SequenceParameterSet *sps)
{
    rp_bits_ue(bits, (uint32_t)sps->chroma_format_idc);
    if (sps->chroma_format_idc == STD_VIDEO_H264_CHROMA_FORMAT_IDC_444)
        rp_bits_put(bits, 1, sps->flags.separate_colour_plane_flag);
    rp_bits_ue(bits, sps->bit_depth_luma_minus8);
    rp_bits_ue(bits, sps->bit_depth_chroma_minus8);
    rp_bits_put(bits, 1, sps->flags.qpprime_y_zero_transform_bypass_flag);
    rp_bits_put(bits, 1, sps->flags.seq_scaling_matrix_present_flag);
    if (sps->flags.seq_scaling_matrix_present_flag)
        write_scaling_lists(bits, sps->pScalingLists,
                            sps->chroma_format_idc == STD_VIDEO_H264_CHROMA_FORMAT_IDC_444 ? 12
                                                                                           : 8);
}

static void
write_sps_poc(struct rp_bits *bits, const StdVideoH264SequenceParameterSet *sps)
{
    rp_bits_ue(bits, (uint32_t)sps->pic_order_cnt_type);
    if (sps->pic_order_cnt_type == STD_VIDEO_H264_POC_TYPE_0)
        rp_bits_ue(bits, sps->log2_max_pic_order_cnt_lsb_minus4);
    if (sps->pic_order_cnt_type != STD_VIDEO_H264_POC_TYPE_1)
        return;
    rp_bits_put(bits, 1, sps->flags.delta_pic_order_always_zero_flag);
    rp_bits_se(bits, sps->offset_for_non_ref_pic);
    rp_bits_se(bits, sps->offset_for_top_to_bottom_field);
    rp_bits_ue(bits, sps->num_ref_frames_in_pic_order_cnt_cycle);
    for (uint32_t i = 0; i < sps->num_ref_frames_in_pic_order_cnt_cycle; i++)
        rp_bits_se(bits, sps->pOffsetForRefFrame[i]);
}

/* 7.3.2.1.1, without profile_idc, the constraint flags and level_idc. */
static void
write_sps_rbsp(struct rp_bits *bits, const StdVideoH264SequenceParameterSet *sps)
{
    rp_bits_ue(bits, sps->seq_parameter_set_id);
    if (rp_h264_profile_is_high(sps->profile_idc))
        write_sps_high(bits, sps);
    rp_bits_ue(bits, sps->log2_max_frame_num_minus4);
    write_sps_poc(bits, sps);
    rp_bits_ue(bits, sps->max_num_ref_frames);
    rp_bits_put(bits, 1, sps->flags.gaps_in_frame_num_value_allowed_flag);
    rp_bits_ue(bits, sps->pic_width_in_mbs_minus1);
    rp_bits_ue(bits, sps->pic_height_in_map_units_minus1);
    rp_bits_put(bits, 1, sps->flags.frame_mbs_only_flag);
    if (!sps->flags.frame_mbs_only_flag)
        rp_bits_put(bits, 1, sps->flags.mb_adaptive_frame_field_flag);
    rp_bits_put(bits, 1, sps->flags.direct_8x8_inference_flag);
    rp_bits_put(bits, 1, sps->flags.frame_cropping_flag);
    if (sps->flags.frame_cropping_flag) {
        rp_bits_ue(bits, sps->frame_crop_left_offset);
        rp_bits_ue(bits, sps->frame_crop_right_offset);
        rp_bits_ue(bits, sps->frame_crop_top_offset);
        rp_bits_ue(bits, sps->frame_crop_bottom_offset);
    }
    rp_bits_put(bits, 1, sps->flags.vui_parameters_present_flag);
    if (sps->flags.vui_parameters_present_flag)
        write_vui(bits, sps->pSequenceParameterSetVui);
    rp_bits_trailing(bits);
}

size_t
rp_h264_write_sps(const StdVideoH264SequenceParameterSet *sps, uint8_t *dst, size_t capacity_B)
{
    uint8_t rbsp[RBSP_CAPACITY_B];
    struct rp_bits bits;
    rp_bits_init(&bits, rbsp, sizeof(rbsp));
    rp_bits_put(&bits, 8, (uint32_t)sps->profile_idc);
    rp_bits_put(&bits, 1, sps->flags.constraint_set0_flag);
    rp_bits_put(&bits, 1, sps->flags.constraint_set1_flag);
    rp_bits_put(&bits, 1, sps->flags.constraint_set2_flag);
    rp_bits_put(&bits, 1, sps->flags.constraint_set3_flag);
    rp_bits_put(&bits, 1, sps->flags.constraint_set4_flag);
    rp_bits_put(&bits, 1, sps->flags.constraint_set5_flag);
    rp_bits_put(&bits, 2, 0);
    rp_bits_put(&bits, 8, level_number(sps->level_idc));
    write_sps_rbsp(&bits, sps);

    static const uint8_t header = 0x67; /* nal_ref_idc 3, type 7 */
    return rp_nal_write(dst, capacity_B, &header, 1, rbsp, bits.size_bits / 8);
}

/* 7.3.2.2: the part that only High profiles have, when it says anything. */
static void
write_pps_high(struct rp_bits *bits, const StdVideoH264SequenceParameterSet *sps,
               const StdVideoH264PictureParameterSet *pps)
{
    if (!rp_h264_profile_is_high(sps->profile_idc) ||
        (!pps->flags.transform_8x8_mode_flag && !pps->flags.pic_scaling_matrix_present_flag &&
         pps->second_chroma_qp_index_offset == pps->chroma_qp_index_offset))
        return;

    const uint32_t list8x8_count =
        sps->chroma_format_idc == STD_VIDEO_H264_CHROMA_FORMAT_IDC_444 ? 6 : 2;
    rp_bits_put(bits, 1, pps->flags.transform_8x8_mode_flag);
    rp_bits_put(bits, 1, pps->flags.pic_scaling_matrix_present_flag);
    if (pps->flags.pic_scaling_matrix_present_flag)
        write_scaling_lists(bits, pps->pScalingLists,
                            6 + (pps->flags.transform_8x8_mode_flag ? list8x8_count : 0));
    rp_bits_se(bits, pps->second_chroma_qp_index_offset);
}

size_t
rp_h264_write_pps(const StdVideoH264SequenceParameterSet *sps,
                  const StdVideoH264PictureParameterSet *pps, uint8_t *dst, size_t capacity_B)
{
    uint8_t rbsp[RBSP_CAPACITY_B];
    struct rp_bits bits;
    rp_bits_init(&bits, rbsp, sizeof(rbsp));
    rp_bits_ue(&bits, pps->pic_parameter_set_id);
    rp_bits_ue(&bits, pps->seq_parameter_set_id);
    rp_bits_put(&bits, 1, pps->flags.entropy_coding_mode_flag);
    rp_bits_put(&bits, 1, pps->flags.bottom_field_pic_order_in_frame_present_flag);
    rp_bits_ue(&bits, 0); /* num_slice_groups_minus1 */
    rp_bits_ue(&bits, pps->num_ref_idx_l0_default_active_minus1);
    rp_bits_ue(&bits, pps->num_ref_idx_l1_default_active_minus1);
    rp_bits_put(&bits, 1, pps->flags.weighted_pred_flag);
    rp_bits_put(&bits, 2, (uint32_t)pps->weighted_bipred_idc);
    rp_bits_se(&bits, pps->pic_init_qp_minus26);
    rp_bits_se(&bits, pps->pic_init_qs_minus26);
    rp_bits_se(&bits, pps->chroma_qp_index_offset);
    rp_bits_put(&bits, 1, pps->flags.deblocking_filter_control_present_flag);
    rp_bits_put(&bits, 1, pps->flags.constrained_intra_pred_flag);
    rp_bits_put(&bits, 1, pps->flags.redundant_pic_cnt_present_flag);
    write_pps_high(&bits, sps, pps);
    rp_bits_trailing(&bits);

    static const uint8_t header = 0x68; /* nal_ref_idc 3, type 8 */
    return rp_nal_write(dst, capacity_B, &header, 1, rbsp, bits.size_bits / 8);
}

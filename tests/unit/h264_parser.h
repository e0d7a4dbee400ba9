/* SPDX-License-Identifier: MIT */
/* Parsers of SPS, PPS and slice headers, written after the standard and not after our writers.
 */
#ifndef RP_TESTS_UNIT_H264_PARSER_H
#define RP_TESTS_UNIT_H264_PARSER_H

#include "test.h"

#include <vk_video/vulkan_video_codec_h264std.h>
#include <vk_video/vulkan_video_codec_h264std_encode.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct parser {
    uint8_t rbsp[16384];
    size_t size_B;
    size_t position; /* in bits */
};

static inline uint32_t
parse_u(struct parser *p, uint32_t count)
{
    uint32_t value = 0;
    while (count--) {
        REQUIRE(p->position / 8 < p->size_B);
        value = value << 1 | (p->rbsp[p->position / 8] >> (7 - p->position % 8) & 1);
        p->position++;
    }
    return value;
}

static inline uint32_t
parse_ue(struct parser *p)
{
    uint32_t zeros = 0;
    while (!parse_u(p, 1))
        zeros++;
    REQUIRE(zeros < 32);
    return (1u << zeros) - 1 + parse_u(p, zeros);
}

static inline int32_t
parse_se(struct parser *p)
{
    const uint32_t k = parse_ue(p);
    return k & 1 ? (int32_t)(k / 2 + 1) : -(int32_t)(k / 2);
}

/* Takes start code and emulation prevention away; returns nal_unit_type. */
static inline uint32_t
parser_init(struct parser *p, const uint8_t *nal, size_t size_B)
{
    REQUIRE(size_B > 5 && nal[0] == 0 && nal[1] == 0 && nal[2] == 0 && nal[3] == 1);
    memset(p, 0, sizeof(*p));
    uint32_t zeros = 0;
    for (size_t i = 5; i < size_B; i++) {
        if (zeros >= 2 && nal[i] == 3) {
            zeros = 0;
            continue;
        }
        REQUIRE(zeros < 2 || nal[i] > 3); /* no start code inside */
        p->rbsp[p->size_B++] = nal[i];
        zeros = nal[i] ? 0 : zeros + 1;
    }
    return nal[4] & 31;
}

/* more_rbsp_data(): something lies before the last one bit. */
static inline bool
parser_has_more(const struct parser *p)
{
    size_t last = p->size_B * 8;
    do {
        REQUIRE(last > 0);
        last--;
    } while (!(p->rbsp[last / 8] >> (7 - last % 8) & 1));
    return p->position < last;
}

static inline void
parser_finish(struct parser *p)
{
    REQUIRE_EQ(parse_u(p, 1), 1);
    while (p->position % 8)
        REQUIRE_EQ(parse_u(p, 1), 0);
    REQUIRE_EQ(p->position / 8, p->size_B);
}

struct parsed_sps {
    StdVideoH264SequenceParameterSet std;
    StdVideoH264SequenceParameterSetVui vui;
    StdVideoH264HrdParameters hrd;
    StdVideoH264ScalingLists scaling;
    int32_t offsets[255];
};

static inline bool
is_high(uint32_t profile_idc)
{
    return profile_idc == 100 || profile_idc == 110 || profile_idc == 122 || profile_idc == 244;
}

static inline void
parse_scaling_lists(struct parser *p, StdVideoH264ScalingLists *out, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!parse_u(p, 1))
            continue;
        out->scaling_list_present_mask |= (uint16_t)(1u << i);
        uint8_t *list = i < 6 ? out->ScalingList4x4[i] : out->ScalingList8x8[i - 6];
        const uint32_t size = i < 6 ? 16 : 64;
        int32_t last = 8;
        int32_t next = 8;
        for (uint32_t j = 0; j < size; j++) {
            if (next != 0) {
                next = (last + parse_se(p) + 256) % 256;
                if (j == 0 && next == 0)
                    out->use_default_scaling_matrix_mask |= (uint16_t)(1u << i);
            }
            list[j] = (uint8_t)(next ? next : last);
            last = list[j];
        }
        if (out->use_default_scaling_matrix_mask >> i & 1)
            memset(list, 0, size);
    }
}

static inline void
parse_hrd(struct parser *p, StdVideoH264HrdParameters *out)
{
    out->cpb_cnt_minus1 = (uint8_t)parse_ue(p);
    out->bit_rate_scale = (uint8_t)parse_u(p, 4);
    out->cpb_size_scale = (uint8_t)parse_u(p, 4);
    for (uint32_t i = 0; i <= out->cpb_cnt_minus1; i++) {
        out->bit_rate_value_minus1[i] = parse_ue(p);
        out->cpb_size_value_minus1[i] = parse_ue(p);
        out->cbr_flag[i] = (uint8_t)parse_u(p, 1);
    }
    out->initial_cpb_removal_delay_length_minus1 = parse_u(p, 5);
    out->cpb_removal_delay_length_minus1 = parse_u(p, 5);
    out->dpb_output_delay_length_minus1 = parse_u(p, 5);
    out->time_offset_length = parse_u(p, 5);
}

static inline void
parse_vui(struct parser *p, struct parsed_sps *out)
{
    StdVideoH264SequenceParameterSetVui *vui = &out->vui;
    vui->flags.aspect_ratio_info_present_flag = parse_u(p, 1);
    if (vui->flags.aspect_ratio_info_present_flag) {
        vui->aspect_ratio_idc = (StdVideoH264AspectRatioIdc)parse_u(p, 8);
        if (vui->aspect_ratio_idc == 255) {
            vui->sar_width = (uint16_t)parse_u(p, 16);
            vui->sar_height = (uint16_t)parse_u(p, 16);
        }
    }
    vui->flags.overscan_info_present_flag = parse_u(p, 1);
    if (vui->flags.overscan_info_present_flag)
        vui->flags.overscan_appropriate_flag = parse_u(p, 1);
    vui->flags.video_signal_type_present_flag = parse_u(p, 1);
    if (vui->flags.video_signal_type_present_flag) {
        vui->video_format = (uint8_t)parse_u(p, 3);
        vui->flags.video_full_range_flag = parse_u(p, 1);
        vui->flags.color_description_present_flag = parse_u(p, 1);
        if (vui->flags.color_description_present_flag) {
            vui->colour_primaries = (uint8_t)parse_u(p, 8);
            vui->transfer_characteristics = (uint8_t)parse_u(p, 8);
            vui->matrix_coefficients = (uint8_t)parse_u(p, 8);
        }
    }
    vui->flags.chroma_loc_info_present_flag = parse_u(p, 1);
    if (vui->flags.chroma_loc_info_present_flag) {
        vui->chroma_sample_loc_type_top_field = (uint8_t)parse_ue(p);
        vui->chroma_sample_loc_type_bottom_field = (uint8_t)parse_ue(p);
    }
    vui->flags.timing_info_present_flag = parse_u(p, 1);
    if (vui->flags.timing_info_present_flag) {
        vui->num_units_in_tick = parse_u(p, 32);
        vui->time_scale = parse_u(p, 32);
        vui->flags.fixed_frame_rate_flag = parse_u(p, 1);
    }
    vui->flags.nal_hrd_parameters_present_flag = parse_u(p, 1);
    if (vui->flags.nal_hrd_parameters_present_flag)
        parse_hrd(p, &out->hrd);
    vui->flags.vcl_hrd_parameters_present_flag = parse_u(p, 1);
    if (vui->flags.vcl_hrd_parameters_present_flag)
        parse_hrd(p, &out->hrd);
    if (vui->flags.nal_hrd_parameters_present_flag || vui->flags.vcl_hrd_parameters_present_flag) {
        vui->pHrdParameters = &out->hrd;
        REQUIRE_EQ(parse_u(p, 1), 0); /* low_delay_hrd_flag */
    }
    REQUIRE_EQ(parse_u(p, 1), 0); /* pic_struct_present_flag */
    vui->flags.bitstream_restriction_flag = parse_u(p, 1);
    if (vui->flags.bitstream_restriction_flag) {
        REQUIRE_EQ(parse_u(p, 1), 1);
        REQUIRE_EQ(parse_ue(p), 0);
        REQUIRE_EQ(parse_ue(p), 0);
        REQUIRE_EQ(parse_ue(p), 16);
        REQUIRE_EQ(parse_ue(p), 16);
        vui->max_num_reorder_frames = (uint8_t)parse_ue(p);
        vui->max_dec_frame_buffering = (uint8_t)parse_ue(p);
    }
}

static inline StdVideoH264LevelIdc
level_from_number(uint32_t number)
{
    static const uint8_t numbers[] = {10, 11, 12, 13, 20, 21, 22, 30, 31, 32,
                                      40, 41, 42, 50, 51, 52, 60, 61, 62};
    for (uint32_t i = 0; i < sizeof(numbers); i++) {
        if (numbers[i] == number)
            return (StdVideoH264LevelIdc)i;
    }
    REQUIRE(!"a level");
    return STD_VIDEO_H264_LEVEL_IDC_INVALID;
}

static inline void
parse_sps_high(struct parser *p, struct parsed_sps *out)
{
    StdVideoH264SequenceParameterSet *sps = &out->std;
    sps->chroma_format_idc = (StdVideoH264ChromaFormatIdc)parse_ue(p);
    if (sps->chroma_format_idc == 3)
        sps->flags.separate_colour_plane_flag = parse_u(p, 1);
    sps->bit_depth_luma_minus8 = (uint8_t)parse_ue(p);
    sps->bit_depth_chroma_minus8 = (uint8_t)parse_ue(p);
    sps->flags.qpprime_y_zero_transform_bypass_flag = parse_u(p, 1);
    sps->flags.seq_scaling_matrix_present_flag = parse_u(p, 1);
    if (sps->flags.seq_scaling_matrix_present_flag) {
        parse_scaling_lists(p, &out->scaling, sps->chroma_format_idc == 3 ? 12 : 8);
        sps->pScalingLists = &out->scaling;
    }
}

static inline void
parse_sps_poc(struct parser *p, struct parsed_sps *out)
{
    StdVideoH264SequenceParameterSet *sps = &out->std;
    sps->pic_order_cnt_type = (StdVideoH264PocType)parse_ue(p);
    if (sps->pic_order_cnt_type == 0)
        sps->log2_max_pic_order_cnt_lsb_minus4 = (uint8_t)parse_ue(p);
    if (sps->pic_order_cnt_type != 1)
        return;
    sps->flags.delta_pic_order_always_zero_flag = parse_u(p, 1);
    sps->offset_for_non_ref_pic = parse_se(p);
    sps->offset_for_top_to_bottom_field = parse_se(p);
    sps->num_ref_frames_in_pic_order_cnt_cycle = (uint8_t)parse_ue(p);
    for (uint32_t i = 0; i < sps->num_ref_frames_in_pic_order_cnt_cycle; i++)
        out->offsets[i] = parse_se(p);
    sps->pOffsetForRefFrame = out->offsets;
}

static inline void
parse_sps(const uint8_t *nal, size_t size_B, struct parsed_sps *out)
{
    static struct parser p;
    memset(out, 0, sizeof(*out));
    StdVideoH264SequenceParameterSet *sps = &out->std;
    REQUIRE_EQ(parser_init(&p, nal, size_B), 7);
    sps->profile_idc = (StdVideoH264ProfileIdc)parse_u(&p, 8);
    sps->flags.constraint_set0_flag = parse_u(&p, 1);
    sps->flags.constraint_set1_flag = parse_u(&p, 1);
    sps->flags.constraint_set2_flag = parse_u(&p, 1);
    sps->flags.constraint_set3_flag = parse_u(&p, 1);
    sps->flags.constraint_set4_flag = parse_u(&p, 1);
    sps->flags.constraint_set5_flag = parse_u(&p, 1);
    REQUIRE_EQ(parse_u(&p, 2), 0);
    sps->level_idc = level_from_number(parse_u(&p, 8));
    sps->seq_parameter_set_id = (uint8_t)parse_ue(&p);
    sps->chroma_format_idc = STD_VIDEO_H264_CHROMA_FORMAT_IDC_420;
    if (is_high((uint32_t)sps->profile_idc))
        parse_sps_high(&p, out);
    sps->log2_max_frame_num_minus4 = (uint8_t)parse_ue(&p);
    parse_sps_poc(&p, out);
    sps->max_num_ref_frames = (uint8_t)parse_ue(&p);
    sps->flags.gaps_in_frame_num_value_allowed_flag = parse_u(&p, 1);
    sps->pic_width_in_mbs_minus1 = parse_ue(&p);
    sps->pic_height_in_map_units_minus1 = parse_ue(&p);
    sps->flags.frame_mbs_only_flag = parse_u(&p, 1);
    if (!sps->flags.frame_mbs_only_flag)
        sps->flags.mb_adaptive_frame_field_flag = parse_u(&p, 1);
    sps->flags.direct_8x8_inference_flag = parse_u(&p, 1);
    sps->flags.frame_cropping_flag = parse_u(&p, 1);
    if (sps->flags.frame_cropping_flag) {
        sps->frame_crop_left_offset = parse_ue(&p);
        sps->frame_crop_right_offset = parse_ue(&p);
        sps->frame_crop_top_offset = parse_ue(&p);
        sps->frame_crop_bottom_offset = parse_ue(&p);
    }
    sps->flags.vui_parameters_present_flag = parse_u(&p, 1);
    if (sps->flags.vui_parameters_present_flag) {
        parse_vui(&p, out);
        sps->pSequenceParameterSetVui = &out->vui;
    }
    parser_finish(&p);
}

struct parsed_pps {
    StdVideoH264PictureParameterSet std;
    StdVideoH264ScalingLists scaling;
};

static inline void
parse_pps(const uint8_t *nal, size_t size_B, const StdVideoH264SequenceParameterSet *sps,
          struct parsed_pps *out)
{
    static struct parser p;
    memset(out, 0, sizeof(*out));
    StdVideoH264PictureParameterSet *pps = &out->std;
    REQUIRE_EQ(parser_init(&p, nal, size_B), 8);
    pps->pic_parameter_set_id = (uint8_t)parse_ue(&p);
    pps->seq_parameter_set_id = (uint8_t)parse_ue(&p);
    pps->flags.entropy_coding_mode_flag = parse_u(&p, 1);
    pps->flags.bottom_field_pic_order_in_frame_present_flag = parse_u(&p, 1);
    REQUIRE_EQ(parse_ue(&p), 0); /* num_slice_groups_minus1 */
    pps->num_ref_idx_l0_default_active_minus1 = (uint8_t)parse_ue(&p);
    pps->num_ref_idx_l1_default_active_minus1 = (uint8_t)parse_ue(&p);
    pps->flags.weighted_pred_flag = parse_u(&p, 1);
    pps->weighted_bipred_idc = (StdVideoH264WeightedBipredIdc)parse_u(&p, 2);
    pps->pic_init_qp_minus26 = (int8_t)parse_se(&p);
    pps->pic_init_qs_minus26 = (int8_t)parse_se(&p);
    pps->chroma_qp_index_offset = (int8_t)parse_se(&p);
    pps->flags.deblocking_filter_control_present_flag = parse_u(&p, 1);
    pps->flags.constrained_intra_pred_flag = parse_u(&p, 1);
    pps->flags.redundant_pic_cnt_present_flag = parse_u(&p, 1);
    pps->second_chroma_qp_index_offset = pps->chroma_qp_index_offset;
    if (parser_has_more(&p)) {
        pps->flags.transform_8x8_mode_flag = parse_u(&p, 1);
        pps->flags.pic_scaling_matrix_present_flag = parse_u(&p, 1);
        if (pps->flags.pic_scaling_matrix_present_flag) {
            const uint32_t count8x8 = sps->chroma_format_idc == 3 ? 6 : 2;
            parse_scaling_lists(&p, &out->scaling,
                                6 + (pps->flags.transform_8x8_mode_flag ? count8x8 : 0));
            pps->pScalingLists = &out->scaling;
        }
        pps->second_chroma_qp_index_offset = (int8_t)parse_se(&p);
    }
    parser_finish(&p);
}

#endif

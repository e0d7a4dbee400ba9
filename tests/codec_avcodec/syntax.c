/* SPDX-License-Identifier: MIT */
/* Parsing of NAL units, parameter sets and the first part of slice headers.
 */
#include "syntax.h"

#include "reelpipe/bit_reader.h"

#include <string.h>

static bool
has_start_code(const uint8_t *data, size_t size_B, size_t i)
{
    return i + 3 <= size_B && data[i] == 0 && data[i + 1] == 0 && data[i + 2] == 1;
}

static size_t
find_start_code(const uint8_t *data, size_t size_B, size_t i)
{
    while (i < size_B) {
        const uint8_t *zero = memchr(data + i, 0, size_B - i);
        if (!zero)
            return size_B;
        i = (size_t)(zero - data);
        if (has_start_code(data, size_B, i))
            return i;
        i++;
    }
    return size_B;
}

bool
nal_next(const uint8_t *data, size_t size_B, size_t *position_B, struct nal *out)
{
    size_t begin_B = find_start_code(data, size_B, *position_B);
    if (begin_B + 3 >= size_B)
        return false;
    begin_B += 3;
    const size_t end_B = find_start_code(data, size_B, begin_B);
    *position_B = end_B;
    *out = (struct nal){data + begin_B, end_B - begin_B};
    while (out->size_B > 1 && out->data[out->size_B - 1] == 0)
        out->size_B--;
    return true;
}

size_t
nal_to_rbsp(const struct nal *nal, uint8_t *dst)
{
    size_t size_B = 0;
    uint32_t zero_count = 0;
    for (size_t i = 0; i < nal->size_B; i++) {
        if (zero_count >= 2 && nal->data[i] == 3) {
            zero_count = 0;
            continue;
        }
        dst[size_B++] = nal->data[i];
        zero_count = nal->data[i] ? 0 : zero_count + 1;
    }
    while (size_B && dst[size_B - 1] == 0)
        size_B--;
    return size_B;
}

static void
scaling_list_parse(struct rp_bit_reader *reader, StdVideoH264ScalingLists *lists, uint32_t index,
                   uint8_t *list, uint32_t count)
{
    int32_t last = 8, next = 8;
    for (uint32_t i = 0; i < count; i++) {
        if (next) {
            next = (last + rp_bit_reader_se(reader) + 256) & 255;
            if (i == 0 && next == 0)
                lists->use_default_scaling_matrix_mask |= (uint16_t)(1u << index);
        }
        last = next ? next : last;
        list[i] = (uint8_t)last;
    }
}

static void
scaling_lists_parse(struct rp_bit_reader *reader, StdVideoH264ScalingLists *lists, uint32_t count)
{
    *lists = (StdVideoH264ScalingLists){.scaling_list_present_mask = 0};
    for (uint32_t i = 0; i < count; i++) {
        if (!rp_bit_reader_bit(reader))
            continue;
        lists->scaling_list_present_mask |= (uint16_t)(1u << i);
        if (i < 6)
            scaling_list_parse(reader, lists, i, lists->ScalingList4x4[i], 16);
        else
            scaling_list_parse(reader, lists, i, lists->ScalingList8x8[i - 6], 64);
    }
}

static StdVideoH264LevelIdc
level_from_number(uint32_t number)
{
    static const uint8_t levels[] = {10, 11, 12, 13, 20, 21, 22, 30, 31, 32,
                                     40, 41, 42, 50, 51, 52, 60, 61, 62};
    uint32_t i = 0;
    while (i + 1 < sizeof(levels) && levels[i] < number)
        i++;
    return (StdVideoH264LevelIdc)i;
}

static bool
is_high_profile(uint32_t profile_idc)
{
    return profile_idc == 100 || profile_idc == 110 || profile_idc == 122 || profile_idc == 244;
}

static void
sps_profile_parse(struct rp_bit_reader *reader, struct sps *out)
{
    StdVideoH264SequenceParameterSet *std = &out->std;
    const uint32_t profile_idc = rp_bit_reader_u(reader, 8);

    std->profile_idc = (StdVideoH264ProfileIdc)profile_idc;
    std->flags.constraint_set0_flag = rp_bit_reader_bit(reader);
    std->flags.constraint_set1_flag = rp_bit_reader_bit(reader);
    std->flags.constraint_set2_flag = rp_bit_reader_bit(reader);
    std->flags.constraint_set3_flag = rp_bit_reader_bit(reader);
    rp_bit_reader_u(reader, 4);
    std->level_idc = level_from_number(rp_bit_reader_u(reader, 8));
    std->seq_parameter_set_id = (uint8_t)rp_bit_reader_ue(reader);
    std->chroma_format_idc = STD_VIDEO_H264_CHROMA_FORMAT_IDC_420;
    if (!is_high_profile(profile_idc))
        return;

    std->chroma_format_idc = (StdVideoH264ChromaFormatIdc)rp_bit_reader_ue(reader);
    if (std->chroma_format_idc == STD_VIDEO_H264_CHROMA_FORMAT_IDC_444)
        std->flags.separate_colour_plane_flag = rp_bit_reader_bit(reader);
    std->bit_depth_luma_minus8 = (uint8_t)rp_bit_reader_ue(reader);
    std->bit_depth_chroma_minus8 = (uint8_t)rp_bit_reader_ue(reader);
    std->flags.qpprime_y_zero_transform_bypass_flag = rp_bit_reader_bit(reader);
    std->flags.seq_scaling_matrix_present_flag = rp_bit_reader_bit(reader);
    if (std->flags.seq_scaling_matrix_present_flag)
        scaling_lists_parse(reader, &out->lists, 8);
}

static void
sps_poc_parse(struct rp_bit_reader *reader, struct sps *out)
{
    StdVideoH264SequenceParameterSet *std = &out->std;
    std->pic_order_cnt_type = (StdVideoH264PocType)rp_bit_reader_ue(reader);
    if (std->pic_order_cnt_type == STD_VIDEO_H264_POC_TYPE_0)
        std->log2_max_pic_order_cnt_lsb_minus4 = (uint8_t)rp_bit_reader_ue(reader);
    if (std->pic_order_cnt_type != STD_VIDEO_H264_POC_TYPE_1)
        return;
    std->flags.delta_pic_order_always_zero_flag = rp_bit_reader_bit(reader);
    std->offset_for_non_ref_pic = rp_bit_reader_se(reader);
    std->offset_for_top_to_bottom_field = rp_bit_reader_se(reader);
    const uint32_t count = rp_bit_reader_ue(reader);
    std->num_ref_frames_in_pic_order_cnt_cycle = (uint8_t)(count < 255 ? count : 255);
    for (uint32_t i = 0; i < std->num_ref_frames_in_pic_order_cnt_cycle; i++)
        out->offsets[i] = rp_bit_reader_se(reader);
}

bool
sps_parse(struct sps *out, const uint8_t *rbsp, size_t rbsp_B)
{
    struct rp_bit_reader reader = {.data = rbsp, .size_bits = rbsp_B * 8, .position_bits = 8};
    StdVideoH264SequenceParameterSet *std = &out->std;

    memset(out, 0, sizeof(*out));
    sps_profile_parse(&reader, out);
    std->log2_max_frame_num_minus4 = (uint8_t)rp_bit_reader_ue(&reader);
    sps_poc_parse(&reader, out);
    std->max_num_ref_frames = (uint8_t)rp_bit_reader_ue(&reader);
    std->flags.gaps_in_frame_num_value_allowed_flag = rp_bit_reader_bit(&reader);
    std->pic_width_in_mbs_minus1 = rp_bit_reader_ue(&reader);
    std->pic_height_in_map_units_minus1 = rp_bit_reader_ue(&reader);
    std->flags.frame_mbs_only_flag = rp_bit_reader_bit(&reader);
    if (!std->flags.frame_mbs_only_flag)
        std->flags.mb_adaptive_frame_field_flag = rp_bit_reader_bit(&reader);
    std->flags.direct_8x8_inference_flag = rp_bit_reader_bit(&reader);
    std->pScalingLists = &out->lists;
    std->pOffsetForRefFrame = out->offsets;
    out->is_known = !reader.has_overrun && std->seq_parameter_set_id < 32 &&
                    std->max_num_ref_frames <= 16 && std->log2_max_frame_num_minus4 <= 12;
    return out->is_known;
}

/* more_rbsp_data() */
static bool
has_more_data(const struct rp_bit_reader *reader)
{
    size_t end_bits = reader->size_bits;
    while (end_bits && !(reader->data[(end_bits - 1) / 8] >> (7 - (end_bits - 1) % 8) & 1))
        end_bits--;
    return reader->position_bits + 1 < end_bits;
}

bool
pps_parse(struct pps *out, const struct sps sps[32], const uint8_t *rbsp, size_t rbsp_B)
{
    struct rp_bit_reader reader = {.data = rbsp, .size_bits = rbsp_B * 8, .position_bits = 8};
    StdVideoH264PictureParameterSet *std = &out->std;

    memset(out, 0, sizeof(*out));
    const uint32_t id = rp_bit_reader_ue(&reader);
    const uint32_t sps_id = rp_bit_reader_ue(&reader);
    if (id > 255 || sps_id > 31 || !sps[sps_id].is_known)
        return false;
    std->pic_parameter_set_id = (uint8_t)id;
    std->seq_parameter_set_id = (uint8_t)sps_id;
    std->flags.entropy_coding_mode_flag = rp_bit_reader_bit(&reader);
    std->flags.bottom_field_pic_order_in_frame_present_flag = rp_bit_reader_bit(&reader);
    if (rp_bit_reader_ue(&reader) != 0)
        return false; /* slice groups */
    std->num_ref_idx_l0_default_active_minus1 = (uint8_t)rp_bit_reader_ue(&reader);
    std->num_ref_idx_l1_default_active_minus1 = (uint8_t)rp_bit_reader_ue(&reader);
    std->flags.weighted_pred_flag = rp_bit_reader_bit(&reader);
    std->weighted_bipred_idc = (StdVideoH264WeightedBipredIdc)rp_bit_reader_u(&reader, 2);
    std->pic_init_qp_minus26 = (int8_t)rp_bit_reader_se(&reader);
    std->pic_init_qs_minus26 = (int8_t)rp_bit_reader_se(&reader);
    std->chroma_qp_index_offset = (int8_t)rp_bit_reader_se(&reader);
    std->second_chroma_qp_index_offset = std->chroma_qp_index_offset;
    std->flags.deblocking_filter_control_present_flag = rp_bit_reader_bit(&reader);
    std->flags.constrained_intra_pred_flag = rp_bit_reader_bit(&reader);
    std->flags.redundant_pic_cnt_present_flag = rp_bit_reader_bit(&reader);
    if (has_more_data(&reader)) {
        std->flags.transform_8x8_mode_flag = rp_bit_reader_bit(&reader);
        std->flags.pic_scaling_matrix_present_flag = rp_bit_reader_bit(&reader);
        if (std->flags.pic_scaling_matrix_present_flag)
            scaling_lists_parse(&reader, &out->lists, std->flags.transform_8x8_mode_flag ? 8 : 6);
        std->second_chroma_qp_index_offset = (int8_t)rp_bit_reader_se(&reader);
    }
    std->pScalingLists = &out->lists;
    out->is_known = !reader.has_overrun;
    return out->is_known;
}

bool
slice_start_parse(struct slice_start *out, const struct sps sps[32], const struct pps pps[256],
                  const uint8_t *rbsp, size_t rbsp_B)
{
    struct rp_bit_reader reader = {.data = rbsp, .size_bits = rbsp_B * 8, .position_bits = 8};

    *out = (struct slice_start){.nal_type = rbsp[0] & 31, .nal_ref_idc = rbsp[0] >> 5 & 3};
    out->first_mb = rp_bit_reader_ue(&reader);
    rp_bit_reader_ue(&reader);
    out->pps_id = rp_bit_reader_ue(&reader);
    if (out->pps_id > 255 || !pps[out->pps_id].is_known)
        return false;

    const StdVideoH264PictureParameterSet *p = &pps[out->pps_id].std;
    const StdVideoH264SequenceParameterSet *s = &sps[p->seq_parameter_set_id].std;
    out->frame_num = rp_bit_reader_u(&reader, s->log2_max_frame_num_minus4 + 4);
    if (!s->flags.frame_mbs_only_flag) {
        out->is_field = rp_bit_reader_bit(&reader);
        out->is_bottom_field = out->is_field && rp_bit_reader_bit(&reader);
    }
    if (out->nal_type == 5)
        out->idr_pic_id = rp_bit_reader_ue(&reader);
    const bool has_bottom = p->flags.bottom_field_pic_order_in_frame_present_flag && !out->is_field;
    if (s->pic_order_cnt_type == STD_VIDEO_H264_POC_TYPE_0) {
        out->poc_lsb = rp_bit_reader_u(&reader, s->log2_max_pic_order_cnt_lsb_minus4 + 4);
        out->delta_poc_bottom = has_bottom ? rp_bit_reader_se(&reader) : 0;
    } else if (s->pic_order_cnt_type == STD_VIDEO_H264_POC_TYPE_1 &&
               !s->flags.delta_pic_order_always_zero_flag) {
        out->delta_poc[0] = rp_bit_reader_se(&reader);
        out->delta_poc[1] = has_bottom ? rp_bit_reader_se(&reader) : 0;
    }
    return !reader.has_overrun;
}

bool
slice_starts_picture(const struct slice_start *a, const struct slice_start *b)
{
    return a->frame_num != b->frame_num || a->pps_id != b->pps_id || a->is_field != b->is_field ||
           a->is_bottom_field != b->is_bottom_field ||
           (a->nal_ref_idc == 0) != (b->nal_ref_idc == 0) ||
           (a->nal_type == 5) != (b->nal_type == 5) || a->idr_pic_id != b->idr_pic_id ||
           a->poc_lsb != b->poc_lsb || a->delta_poc_bottom != b->delta_poc_bottom ||
           a->delta_poc[0] != b->delta_poc[0] || a->delta_poc[1] != b->delta_poc[1];
}

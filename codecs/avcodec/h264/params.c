/* SPDX-License-Identifier: MIT */
/* SPS and PPS: checks of what the application gave, and the private sets written from it.
 */
#include "codecs/avcodec/h264/params.h"

#include "reelpipe/bits.h"
#include "reelpipe/decode_h264.h"
#include "util/compiler.h"

#include <string.h>

#define NAL_SPS 0x67 /* nal_ref_idc 3, type 7 */
#define NAL_PPS 0x68

const struct rp_h264dec_clone rp_h264dec_clones[RP_H264DEC_CLONE_COUNT] = {
    {0, false}, {8, true}, {1, false}, {2, true}, {3, false}, {4, true}, {7, false}, {15, true},
};

/* Profiles whose SPS says the chroma format (7.3.2.1.1). */
static bool
sps_has_chroma_format(const StdVideoH264SequenceParameterSet *sps)
{
    switch ((int)sps->profile_idc) {
    case 100:
    case 110:
    case 122:
    case 244:
    case 44:
        return true;
    default:
        return false;
    }
}

static uint32_t
sps_chroma_format_idc(const StdVideoH264SequenceParameterSet *sps)
{
    return sps_has_chroma_format(sps) ? (uint32_t)sps->chroma_format_idc : 1;
}

static uint64_t
sps_height_mb(const StdVideoH264SequenceParameterSet *sps)
{
    return (sps->pic_height_in_map_units_minus1 + (uint64_t)1) *
           (sps->flags.frame_mbs_only_flag ? 1 : 2);
}

bool
rp_h264dec_sps_is_supported(const StdVideoH264SequenceParameterSet *sps)
{
    return sps_chroma_format_idc(sps) <= 1 && sps->bit_depth_luma_minus8 == 0 &&
           sps->bit_depth_chroma_minus8 == 0 && !sps->flags.separate_colour_plane_flag &&
           (uint32_t)sps->profile_idc <= 255 && sps->log2_max_frame_num_minus4 <= 12 &&
           (uint32_t)sps->pic_order_cnt_type <= 2 && sps->log2_max_pic_order_cnt_lsb_minus4 <= 12 &&
           sps->pic_width_in_mbs_minus1 < RP_H264_DECODE_MAX_WIDTH_PX / 16 &&
           sps_height_mb(sps) <= RP_H264_DECODE_MAX_HEIGHT_PX / 16 &&
           (sps->flags.frame_mbs_only_flag || sps->flags.direct_8x8_inference_flag) &&
           (!sps->flags.seq_scaling_matrix_present_flag || sps->pScalingLists);
}

bool
rp_h264dec_pps_is_supported(const StdVideoH264PictureParameterSet *pps)
{
    return pps->num_ref_idx_l0_default_active_minus1 < 32 &&
           pps->num_ref_idx_l1_default_active_minus1 < 32 &&
           (uint32_t)pps->weighted_bipred_idc <= 2 && pps->pic_init_qp_minus26 >= -26 &&
           pps->pic_init_qp_minus26 <= 25 && pps->chroma_qp_index_offset >= -12 &&
           pps->chroma_qp_index_offset <= 12 && pps->second_chroma_qp_index_offset >= -12 &&
           pps->second_chroma_qp_index_offset <= 12 &&
           (!pps->flags.pic_scaling_matrix_present_flag || pps->pScalingLists);
}

void
rp_h264dec_format_init(struct rp_h264dec_format *format,
                       const StdVideoH264SequenceParameterSet *sps)
{
    *format = (struct rp_h264dec_format){
        .width_mb = sps->pic_width_in_mbs_minus1 + 1,
        .height_mb = (uint32_t)sps_height_mb(sps),
        .chroma_format_idc = sps_chroma_format_idc(sps),
    };
}

static void
scaling_list_write(struct rp_bits *bits, const uint8_t *list, uint32_t count)
{
    int32_t last = 8;
    for (uint32_t i = 0; i < count; i++) {
        const int32_t value = list[i] ? list[i] : last; /* 0 does not exist in a list */
        int32_t delta = (value - last) & 255;
        if (delta > 127)
            delta -= 256;
        rp_bits_se(bits, delta);
        last = value;
    }
}

static bool
is_flat(const uint8_t list[64])
{
    for (uint32_t i = 0; i < 64; i++) {
        if (list[i] != list[0])
            return false;
    }
    return list[0] == 0 || list[0] == 16;
}

/* With 4:2:0 the lists are Intra Y and Inter Y, 0 and 1 in the order of 7.3.2.1.1.1. FFmpeg hands
 * over its own order, with Inter Y at 3 and a flat 1 (and Mesa's anv reads 3): take that one where
 * it can only be meant so. */
static const uint8_t *
list_8x8(const StdVideoH264ScalingLists *lists, uint32_t index)
{
    if (index == 1 && is_flat(lists->ScalingList8x8[1]) && !is_flat(lists->ScalingList8x8[3]))
        return lists->ScalingList8x8[3];
    return lists->ScalingList8x8[index];
}

/* The lists of 7.3.2.1.1 and 7.3.2.2 from their present flags on. */
static void
scaling_lists_write(struct rp_bits *bits, const StdVideoH264ScalingLists *lists, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const bool is_present = lists->scaling_list_present_mask >> i & 1;
        rp_bits_put(bits, 1, is_present);
        if (!is_present)
            continue;
        if (lists->use_default_scaling_matrix_mask >> i & 1)
            rp_bits_se(bits, -8); /* nextScale 0 at the first element: the default */
        else if (i < 6)
            scaling_list_write(bits, lists->ScalingList4x4[i], 16);
        else
            scaling_list_write(bits, list_8x8(lists, i - 6), 64);
    }
}

static void
profile_write(struct rp_bits *bits, const StdVideoH264SequenceParameterSet *sps)
{
    static const uint8_t levels[] = {10, 11, 12, 13, 20, 21, 22, 30, 31, 32,
                                     40, 41, 42, 50, 51, 52, 60, 61, 62};
    const uint32_t level = (uint32_t)sps->level_idc;

    rp_bits_put(bits, 8, (uint32_t)sps->profile_idc);
    rp_bits_put(bits, 1, sps->flags.constraint_set0_flag);
    rp_bits_put(bits, 1, sps->flags.constraint_set1_flag);
    rp_bits_put(bits, 1, sps->flags.constraint_set2_flag);
    rp_bits_put(bits, 1, sps->flags.constraint_set3_flag);
    rp_bits_put(bits, 4, 0);
    rp_bits_put(bits, 8, level < RP_ARRAY_SIZE(levels) ? levels[level] : 62);
    rp_bits_ue(bits, 0); /* seq_parameter_set_id */
    if (!sps_has_chroma_format(sps))
        return;

    rp_bits_ue(bits, (uint32_t)sps->chroma_format_idc);
    rp_bits_ue(bits, 0);
    rp_bits_ue(bits, 0);
    rp_bits_put(bits, 1, sps->flags.qpprime_y_zero_transform_bypass_flag);
    rp_bits_put(bits, 1, sps->flags.seq_scaling_matrix_present_flag);
    if (sps->flags.seq_scaling_matrix_present_flag)
        scaling_lists_write(bits, sps->pScalingLists, 8);
}

/* VUI with nothing but a bitstream_restriction: no reordering, 16 frames (E.1.1). */
static void
vui_write(struct rp_bits *bits)
{
    rp_bits_put(bits, 8, 0);
    rp_bits_put(bits, 1, 1); /* bitstream_restriction_flag */
    rp_bits_put(bits, 1, 1);
    rp_bits_ue(bits, 0);
    rp_bits_ue(bits, 0);
    rp_bits_ue(bits, 16);
    rp_bits_ue(bits, 16);
    rp_bits_ue(bits, 0); /* max_num_reorder_frames */
    rp_bits_ue(bits, 16);
}

size_t
rp_h264dec_sps_write(const StdVideoH264SequenceParameterSet *sps, uint32_t frame_num_bits,
                     uint8_t *dst)
{
    uint8_t rbsp[RP_H264DEC_PARAMS_NAL_B / 2];
    struct rp_bits bits;
    rp_bits_init(&bits, rbsp, sizeof(rbsp));

    profile_write(&bits, sps);
    rp_bits_ue(&bits, frame_num_bits - 4);
    rp_bits_ue(&bits, 1); /* pic_order_cnt_type: TopFieldOrderCnt = delta_pic_order_cnt[0] */
    rp_bits_put(&bits, 1, 0);
    rp_bits_se(&bits, 0);
    rp_bits_se(&bits, 0);
    rp_bits_ue(&bits, 0);
    rp_bits_ue(&bits, 16); /* max_num_ref_frames */
    rp_bits_put(&bits, 1, 0);
    rp_bits_ue(&bits, sps->pic_width_in_mbs_minus1);
    rp_bits_ue(&bits, sps->pic_height_in_map_units_minus1);
    rp_bits_put(&bits, 1, sps->flags.frame_mbs_only_flag);
    if (!sps->flags.frame_mbs_only_flag)
        rp_bits_put(&bits, 1, sps->flags.mb_adaptive_frame_field_flag);
    rp_bits_put(&bits, 1, sps->flags.direct_8x8_inference_flag);
    rp_bits_put(&bits, 1, 0); /* frame_cropping_flag */
    rp_bits_put(&bits, 1, 1);
    vui_write(&bits);
    rp_bits_trailing(&bits);
    return rp_nal_write(dst, RP_H264DEC_PARAMS_NAL_B, (const uint8_t[]){NAL_SPS}, 1, rbsp,
                        bits.size_bits / 8);
}

/* Up to and with redundant_pic_cnt_present_flag. */
static void
pps_base_write(struct rp_bits *bits, const StdVideoH264PictureParameterSet *pps,
               const struct rp_h264dec_clone *clone)
{
    rp_bits_ue(bits, clone->pps_id);
    rp_bits_ue(bits, 0);
    rp_bits_put(bits, 1, pps->flags.entropy_coding_mode_flag);
    rp_bits_put(bits, 1, 1); /* bottom_field_pic_order_in_frame_present_flag */
    rp_bits_ue(bits, 0);
    rp_bits_ue(bits, 0); /* slices always override the reference counts */
    rp_bits_ue(bits, 0);
    rp_bits_put(bits, 1, pps->flags.weighted_pred_flag);
    rp_bits_put(bits, 2, (uint32_t)pps->weighted_bipred_idc);
    rp_bits_se(bits, pps->pic_init_qp_minus26);
    rp_bits_se(bits, 0);
    rp_bits_se(bits, pps->chroma_qp_index_offset);
    rp_bits_put(bits, 1, 1); /* deblocking_filter_control_present_flag */
    rp_bits_put(bits, 1, pps->flags.constrained_intra_pred_flag);
    rp_bits_put(bits, 1, clone->has_redundant_pic_cnt);
}

size_t
rp_h264dec_pps_write(const StdVideoH264SequenceParameterSet *sps,
                     const StdVideoH264PictureParameterSet *pps,
                     const struct rp_h264dec_clone *clone, uint8_t *dst)
{
    uint8_t rbsp[RP_H264DEC_PARAMS_NAL_B / 2];
    struct rp_bits bits;
    rp_bits_init(&bits, rbsp, sizeof(rbsp));

    pps_base_write(&bits, pps, clone);
    /* Below High there is no second offset in the syntax, and applications leave it 0. */
    if (sps_has_chroma_format(sps) || pps->flags.transform_8x8_mode_flag ||
        pps->flags.pic_scaling_matrix_present_flag) {
        rp_bits_put(&bits, 1, pps->flags.transform_8x8_mode_flag);
        rp_bits_put(&bits, 1, pps->flags.pic_scaling_matrix_present_flag);
        if (pps->flags.pic_scaling_matrix_present_flag)
            scaling_lists_write(&bits, pps->pScalingLists,
                                pps->flags.transform_8x8_mode_flag ? 8 : 6);
        rp_bits_se(&bits, pps->second_chroma_qp_index_offset);
    }
    rp_bits_trailing(&bits);
    return rp_nal_write(dst, RP_H264DEC_PARAMS_NAL_B, (const uint8_t[]){NAL_PPS}, 1, rbsp,
                        bits.size_bits / 8);
}

size_t
rp_h264dec_control_pps_write(uint8_t *dst)
{
    const StdVideoH264PictureParameterSet pps = {.flags = {.transform_8x8_mode_flag = 0}};
    const struct rp_h264dec_clone clone = {RP_H264DEC_CONTROL_PPS, false};
    uint8_t rbsp[64];
    struct rp_bits bits;
    rp_bits_init(&bits, rbsp, sizeof(rbsp));

    pps_base_write(&bits, &pps, &clone);
    rp_bits_trailing(&bits);
    return rp_nal_write(dst, RP_H264DEC_PARAMS_NAL_B, (const uint8_t[]){NAL_PPS}, 1, rbsp,
                        bits.size_bits / 8);
}

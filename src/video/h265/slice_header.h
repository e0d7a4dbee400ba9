/* SPDX-License-Identifier: MIT */
/* slice_segment_header() (7.3.6.1), by the names of its syntax elements.
 *
 * It has two parts. The first says which picture this is and what it may refer to: decoders are
 * told so in numbers of their own, and it is written anew. The second goes on from sample adaptive
 * offsets to the header's extension, and is the same for everybody.
 */
#ifndef RP_VIDEO_H265_SLICE_HEADER_H
#define RP_VIDEO_H265_SLICE_HEADER_H

#include "video/h265/parameter_sets.h"

#define RP_H265_MAX_LONG_TERM 32u
#define RP_H265_MAX_ENTRY_POINTS 5440u /* 20 tile columns of 272 rows of CTBs */

/* nal_unit_type (Table 7-1) */
#define RP_H265_NAL_TRAIL_R 1u
#define RP_H265_NAL_BLA_W_LP 16u
#define RP_H265_NAL_IDR_W_RADL 19u
#define RP_H265_NAL_IDR_N_LP 20u
#define RP_H265_NAL_CRA 21u
#define RP_H265_NAL_VPS 32u
#define RP_H265_NAL_SPS 33u
#define RP_H265_NAL_PPS 34u

/* Types below 10 and IRAP pictures: slice segments. Others are reserved, or no slices. */
static inline bool
rp_h265_nal_is_slice(uint32_t nal_unit_type)
{
    return nal_unit_type <= 9 ||
           (nal_unit_type >= RP_H265_NAL_BLA_W_LP && nal_unit_type <= RP_H265_NAL_CRA);
}

struct rp_h265_long_term_entry {
    uint32_t lt_idx_sps; /* of the first num_long_term_sps */
    uint32_t poc_lsb_lt; /* of the others, with the flag */
    bool used_by_curr_pic_lt_flag;
    bool delta_poc_msb_present_flag;
    uint32_t delta_poc_msb_cycle_lt;
};

struct rp_h265_weights {
    bool luma_weight_flag;
    bool chroma_weight_flag;
    int32_t delta_luma_weight;
    int32_t luma_offset;
    int32_t delta_chroma_weight[2];
    int32_t delta_chroma_offset[2];
};

struct rp_h265_slice_header {
    uint32_t nal_unit_type;
    bool first_slice_segment_in_pic_flag;
    bool no_output_of_prior_pics_flag;
    uint32_t slice_pic_parameter_set_id;
    bool dependent_slice_segment_flag;
    uint32_t slice_segment_address;

    /* What follows is the preceding slice segment's when this one depends on it, and not set. */
    uint32_t slice_reserved_flags;
    uint32_t slice_type; /* StdVideoH265SliceType: B, P, I */
    bool pic_output_flag;
    uint32_t slice_pic_order_cnt_lsb;
    bool short_term_ref_pic_set_sps_flag;
    StdVideoH265ShortTermRefPicSet short_term_ref_pic_set; /* when it is not the SPS's */
    uint32_t short_term_ref_pic_set_idx;
    uint32_t num_long_term_sps;
    uint32_t num_long_term_pics;
    struct rp_h265_long_term_entry long_term[RP_H265_MAX_LONG_TERM];
    bool slice_temporal_mvp_enabled_flag;

    bool slice_sao_luma_flag;
    bool slice_sao_chroma_flag;
    uint32_t num_ref_idx_active[2]; /* 0 where the slice has no such list */
    bool ref_pic_list_modification_flag[2];
    uint32_t list_entry[2][RP_H265_MAX_REFS];
    bool mvd_l1_zero_flag;
    bool cabac_init_flag;
    bool collocated_from_l0_flag;
    uint32_t collocated_ref_idx;
    uint32_t luma_log2_weight_denom;
    int32_t delta_chroma_log2_weight_denom;
    struct rp_h265_weights weights[2][RP_H265_MAX_REFS];
    uint32_t five_minus_max_num_merge_cand;
    int32_t slice_qp_delta;
    int32_t slice_cb_qp_offset;
    int32_t slice_cr_qp_offset;
    bool deblocking_filter_override_flag;
    bool slice_deblocking_filter_disabled_flag;
    int32_t slice_beta_offset_div2;
    int32_t slice_tc_offset_div2;
    bool slice_loop_filter_across_slices_enabled_flag;

    uint32_t num_entry_point_offsets;
    uint32_t offset_len_minus1;
    const uint32_t *entry_point_offset_minus1; /* to be written; what is read is passed over */

    /* Set in both directions: where the second part begins and ends, in bits from the first one of
     * the slice segment header. */
    size_t second_part_bits;
    size_t end_bits;
};

/* What a header is read or written with. */
struct rp_h265_slice_context {
    const StdVideoH265SequenceParameterSet *sps; /* valid ones */
    const StdVideoH265PictureParameterSet *pps;
    uint32_t short_term_set_bits; /* NumBitsForSTRefPicSetInSlice: passed over; 0: it is read */
    uint32_t num_pic_total_curr;  /* (7-55) */
};

bool rp_h265_slice_is_irap(const struct rp_h265_slice_header *header);
bool rp_h265_slice_is_idr(const struct rp_h265_slice_header *header);

/* From first_slice_segment_in_pic_flag to slice_temporal_mvp_enabled_flag; header->nal_unit_type is
 * set, and what is read starts from a zeroed structure. */
void rp_h265_code_slice_first_part(struct rp_h265_syntax *syntax,
                                   const struct rp_h265_slice_context *context,
                                   struct rp_h265_slice_header *header);

/* From slice_sao_luma_flag to the extension, without byte_alignment(). */
void rp_h265_code_slice_second_part(struct rp_h265_syntax *syntax,
                                    const struct rp_h265_slice_context *context,
                                    struct rp_h265_slice_header *header);

#endif

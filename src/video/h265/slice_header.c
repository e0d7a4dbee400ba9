/* SPDX-License-Identifier: MIT */
/* Syntax of slice segment headers.
 */
#include "video/h265/slice_header.h"

#define IS_B(header) ((header)->slice_type == STD_VIDEO_H265_SLICE_TYPE_B)
#define IS_P(header) ((header)->slice_type == STD_VIDEO_H265_SLICE_TYPE_P)
#define IS_I(header) ((header)->slice_type == STD_VIDEO_H265_SLICE_TYPE_I)

bool
rp_h265_slice_is_irap(const struct rp_h265_slice_header *header)
{
    return header->nal_unit_type >= RP_H265_NAL_BLA_W_LP && header->nal_unit_type <= 23;
}

bool
rp_h265_slice_is_idr(const struct rp_h265_slice_header *header)
{
    return header->nal_unit_type == RP_H265_NAL_IDR_W_RADL ||
           header->nal_unit_type == RP_H265_NAL_IDR_N_LP;
}

static void
code_address(struct rp_h265_syntax *syntax, const struct rp_h265_slice_context *context,
             struct rp_h265_slice_header *header)
{
    const uint32_t ctb_count = rp_h265_ctb_count(context->sps);
    if (context->pps->flags.dependent_slice_segments_enabled_flag)
        header->dependent_slice_segment_flag =
            rp_h265_flag(syntax, header->dependent_slice_segment_flag);
    header->slice_segment_address =
        rp_h265_u(syntax, rp_h265_ceil_log2(ctb_count), header->slice_segment_address);
    rp_h265_require(syntax,
                    header->slice_segment_address > 0 && header->slice_segment_address < ctb_count);
}

static void
code_short_term(struct rp_h265_syntax *syntax, const struct rp_h265_slice_context *context,
                struct rp_h265_slice_header *header)
{
    const StdVideoH265SequenceParameterSet *sps = context->sps;
    const uint32_t count = sps->num_short_term_ref_pic_sets;
    header->short_term_ref_pic_set_sps_flag =
        rp_h265_flag(syntax, header->short_term_ref_pic_set_sps_flag);
    if (header->short_term_ref_pic_set_sps_flag) {
        header->short_term_ref_pic_set_idx =
            rp_h265_u(syntax, rp_h265_ceil_log2(count), header->short_term_ref_pic_set_idx);
        rp_h265_require(syntax, header->short_term_ref_pic_set_idx < count);
    } else if (context->short_term_set_bits > 0) {
        rp_h265_skip(syntax, context->short_term_set_bits);
    } else {
        rp_h265_require(syntax, count == 0 || sps->pShortTermRefPicSet);
        if (rp_h265_syntax_is_ok(syntax))
            rp_h265_code_short_term_set(syntax, &header->short_term_ref_pic_set, count, count,
                                        sps->pShortTermRefPicSet);
    }
}

static void
code_long_term(struct rp_h265_syntax *syntax, const struct rp_h265_slice_context *context,
               struct rp_h265_slice_header *header)
{
    const uint32_t sps_count = context->sps->num_long_term_ref_pics_sps;
    if (sps_count > 0)
        header->num_long_term_sps =
            rp_h265_ue(syntax, RP_H265_MAX_LONG_TERM, header->num_long_term_sps);
    header->num_long_term_pics = rp_h265_ue(
        syntax, RP_H265_MAX_LONG_TERM - header->num_long_term_sps, header->num_long_term_pics);
    for (uint32_t i = 0; i < header->num_long_term_sps + header->num_long_term_pics; i++) {
        struct rp_h265_long_term_entry *entry = &header->long_term[i];
        if (i < header->num_long_term_sps) {
            entry->lt_idx_sps = rp_h265_u(syntax, rp_h265_ceil_log2(sps_count), entry->lt_idx_sps);
            rp_h265_require(syntax, entry->lt_idx_sps < sps_count);
        } else {
            entry->poc_lsb_lt = rp_h265_u(
                syntax, context->sps->log2_max_pic_order_cnt_lsb_minus4 + 4u, entry->poc_lsb_lt);
            entry->used_by_curr_pic_lt_flag = rp_h265_flag(syntax, entry->used_by_curr_pic_lt_flag);
        }
        entry->delta_poc_msb_present_flag = rp_h265_flag(syntax, entry->delta_poc_msb_present_flag);
        if (entry->delta_poc_msb_present_flag)
            entry->delta_poc_msb_cycle_lt =
                rp_h265_ue(syntax, INT32_MAX, entry->delta_poc_msb_cycle_lt);
    }
}

void
rp_h265_code_slice_first_part(struct rp_h265_syntax *syntax,
                              const struct rp_h265_slice_context *context,
                              struct rp_h265_slice_header *header)
{
    header->first_slice_segment_in_pic_flag =
        rp_h265_flag(syntax, header->first_slice_segment_in_pic_flag);
    if (rp_h265_slice_is_irap(header))
        header->no_output_of_prior_pics_flag =
            rp_h265_flag(syntax, header->no_output_of_prior_pics_flag);
    header->slice_pic_parameter_set_id =
        rp_h265_ue(syntax, RP_H265_PPS_LIMIT - 1, header->slice_pic_parameter_set_id);
    if (!header->first_slice_segment_in_pic_flag)
        code_address(syntax, context, header);
    if (header->dependent_slice_segment_flag)
        return;

    header->slice_reserved_flags =
        rp_h265_u(syntax, context->pps->num_extra_slice_header_bits, header->slice_reserved_flags);
    header->slice_type = rp_h265_ue(syntax, STD_VIDEO_H265_SLICE_TYPE_I, header->slice_type);
    if (context->pps->flags.output_flag_present_flag)
        header->pic_output_flag = rp_h265_flag(syntax, header->pic_output_flag);
    if (rp_h265_slice_is_idr(header))
        return;
    header->slice_pic_order_cnt_lsb =
        rp_h265_u(syntax, context->sps->log2_max_pic_order_cnt_lsb_minus4 + 4u,
                  header->slice_pic_order_cnt_lsb);
    code_short_term(syntax, context, header);
    if (context->sps->flags.long_term_ref_pics_present_flag)
        code_long_term(syntax, context, header);
    if (context->sps->flags.sps_temporal_mvp_enabled_flag)
        header->slice_temporal_mvp_enabled_flag =
            rp_h265_flag(syntax, header->slice_temporal_mvp_enabled_flag);
}

static void
code_list_sizes(struct rp_h265_syntax *syntax, const StdVideoH265PictureParameterSet *pps,
                struct rp_h265_slice_header *header)
{
    const uint32_t defaults[2] = {
        pps->num_ref_idx_l0_default_active_minus1 + 1u,
        IS_B(header) ? pps->num_ref_idx_l1_default_active_minus1 + 1u : 0,
    };
    const bool overrides = rp_h265_flag(syntax, header->num_ref_idx_active[0] != defaults[0] ||
                                                    header->num_ref_idx_active[1] != defaults[1]);
    for (uint32_t list = 0; list < (IS_B(header) ? 2u : 1u); list++) {
        header->num_ref_idx_active[list] =
            overrides ? rp_h265_ue(syntax, 14, header->num_ref_idx_active[list] - 1) + 1
                      : defaults[list];
    }
}

/* ref_pic_lists_modification() (7.3.6.2) */
static void
code_list_modifications(struct rp_h265_syntax *syntax, uint32_t num_pic_total_curr,
                        struct rp_h265_slice_header *header)
{
    const uint32_t bits = rp_h265_ceil_log2(num_pic_total_curr);
    for (uint32_t list = 0; list < (IS_B(header) ? 2u : 1u); list++) {
        header->ref_pic_list_modification_flag[list] =
            rp_h265_flag(syntax, header->ref_pic_list_modification_flag[list]);
        for (uint32_t i = 0;
             header->ref_pic_list_modification_flag[list] && i < header->num_ref_idx_active[list];
             i++)
            header->list_entry[list][i] = rp_h265_u(syntax, bits, header->list_entry[list][i]);
    }
}

static void
code_weights(struct rp_h265_syntax *syntax, struct rp_h265_weights *weights)
{
    if (weights->luma_weight_flag) {
        weights->delta_luma_weight = rp_h265_se(syntax, -128, 127, weights->delta_luma_weight);
        weights->luma_offset = rp_h265_se(syntax, -128, 127, weights->luma_offset);
    }
    for (uint32_t j = 0; weights->chroma_weight_flag && j < 2; j++) {
        weights->delta_chroma_weight[j] =
            rp_h265_se(syntax, -128, 127, weights->delta_chroma_weight[j]);
        weights->delta_chroma_offset[j] =
            rp_h265_se(syntax, -512, 511, weights->delta_chroma_offset[j]);
    }
}

/* pred_weight_table() (7.3.6.3), of 4:2:0. */
static void
code_weight_tables(struct rp_h265_syntax *syntax, struct rp_h265_slice_header *header)
{
    header->luma_log2_weight_denom = rp_h265_ue(syntax, 7, header->luma_log2_weight_denom);
    header->delta_chroma_log2_weight_denom =
        rp_h265_se(syntax, -7, 7, header->delta_chroma_log2_weight_denom);
    for (uint32_t list = 0; list < (IS_B(header) ? 2u : 1u); list++) {
        struct rp_h265_weights *weights = header->weights[list];
        const uint32_t count = header->num_ref_idx_active[list];
        for (uint32_t i = 0; i < count; i++)
            weights[i].luma_weight_flag = rp_h265_flag(syntax, weights[i].luma_weight_flag);
        for (uint32_t i = 0; i < count; i++)
            weights[i].chroma_weight_flag = rp_h265_flag(syntax, weights[i].chroma_weight_flag);
        for (uint32_t i = 0; i < count; i++)
            code_weights(syntax, &weights[i]);
    }
}

static void
code_collocated(struct rp_h265_syntax *syntax, struct rp_h265_slice_header *header)
{
    header->collocated_from_l0_flag =
        !IS_B(header) || rp_h265_flag(syntax, header->collocated_from_l0_flag);
    const uint32_t count = header->num_ref_idx_active[!header->collocated_from_l0_flag];
    if (count > 1)
        header->collocated_ref_idx = rp_h265_ue(syntax, count - 1, header->collocated_ref_idx);
}

/* What P and B slices alone have. */
static void
code_inter(struct rp_h265_syntax *syntax, const struct rp_h265_slice_context *context,
           struct rp_h265_slice_header *header)
{
    const StdVideoH265PpsFlags *flags = &context->pps->flags;
    code_list_sizes(syntax, context->pps, header);
    if (flags->lists_modification_present_flag && context->num_pic_total_curr > 1)
        code_list_modifications(syntax, context->num_pic_total_curr, header);
    if (IS_B(header))
        header->mvd_l1_zero_flag = rp_h265_flag(syntax, header->mvd_l1_zero_flag);
    if (flags->cabac_init_present_flag)
        header->cabac_init_flag = rp_h265_flag(syntax, header->cabac_init_flag);
    if (header->slice_temporal_mvp_enabled_flag)
        code_collocated(syntax, header);
    if ((flags->weighted_pred_flag && IS_P(header)) ||
        (flags->weighted_bipred_flag && IS_B(header)))
        code_weight_tables(syntax, header);
    header->five_minus_max_num_merge_cand =
        rp_h265_ue(syntax, 4, header->five_minus_max_num_merge_cand);
}

static void
code_filters(struct rp_h265_syntax *syntax, const StdVideoH265PictureParameterSet *pps,
             struct rp_h265_slice_header *header)
{
    const StdVideoH265PpsFlags *flags = &pps->flags;
    if (flags->deblocking_filter_override_enabled_flag)
        header->deblocking_filter_override_flag =
            rp_h265_flag(syntax, header->deblocking_filter_override_flag);
    if (header->deblocking_filter_override_flag) {
        header->slice_deblocking_filter_disabled_flag =
            rp_h265_flag(syntax, header->slice_deblocking_filter_disabled_flag);
        if (!header->slice_deblocking_filter_disabled_flag) {
            header->slice_beta_offset_div2 =
                rp_h265_se(syntax, -6, 6, header->slice_beta_offset_div2);
            header->slice_tc_offset_div2 = rp_h265_se(syntax, -6, 6, header->slice_tc_offset_div2);
        }
    } else {
        header->slice_deblocking_filter_disabled_flag = flags->pps_deblocking_filter_disabled_flag;
    }
    if (flags->pps_loop_filter_across_slices_enabled_flag &&
        (header->slice_sao_luma_flag || header->slice_sao_chroma_flag ||
         !header->slice_deblocking_filter_disabled_flag))
        header->slice_loop_filter_across_slices_enabled_flag =
            rp_h265_flag(syntax, header->slice_loop_filter_across_slices_enabled_flag);
}

/* From slice_sao_luma_flag to slice_loop_filter_across_slices_enabled_flag. */
static void
code_independent(struct rp_h265_syntax *syntax, const struct rp_h265_slice_context *context,
                 struct rp_h265_slice_header *header)
{
    if (context->sps->flags.sample_adaptive_offset_enabled_flag) {
        header->slice_sao_luma_flag = rp_h265_flag(syntax, header->slice_sao_luma_flag);
        header->slice_sao_chroma_flag = rp_h265_flag(syntax, header->slice_sao_chroma_flag);
    }
    if (!IS_I(header))
        code_inter(syntax, context, header);
    header->slice_qp_delta = rp_h265_se(syntax, -89, 89, header->slice_qp_delta);
    if (context->pps->flags.pps_slice_chroma_qp_offsets_present_flag) {
        header->slice_cb_qp_offset = rp_h265_se(syntax, -12, 12, header->slice_cb_qp_offset);
        header->slice_cr_qp_offset = rp_h265_se(syntax, -12, 12, header->slice_cr_qp_offset);
    }
    code_filters(syntax, context->pps, header);
}

static void
code_entry_points(struct rp_h265_syntax *syntax, struct rp_h265_slice_header *header)
{
    header->num_entry_point_offsets =
        rp_h265_ue(syntax, RP_H265_MAX_ENTRY_POINTS, header->num_entry_point_offsets);
    if (header->num_entry_point_offsets == 0)
        return;
    header->offset_len_minus1 = rp_h265_ue(syntax, 31, header->offset_len_minus1);
    for (uint32_t i = 0; i < header->num_entry_point_offsets && rp_h265_syntax_is_ok(syntax); i++)
        (void)rp_h265_u(syntax, header->offset_len_minus1 + 1,
                        syntax->is_writing ? header->entry_point_offset_minus1[i] : 0);
}

void
rp_h265_code_slice_second_part(struct rp_h265_syntax *syntax,
                               const struct rp_h265_slice_context *context,
                               struct rp_h265_slice_header *header)
{
    const StdVideoH265PpsFlags *flags = &context->pps->flags;
    header->second_part_bits = rp_h265_syntax_position(syntax);
    if (!header->dependent_slice_segment_flag)
        code_independent(syntax, context, header);
    if (flags->tiles_enabled_flag || flags->entropy_coding_sync_enabled_flag)
        code_entry_points(syntax, header);
    if (flags->slice_segment_header_extension_present_flag)
        rp_h265_skip(syntax, 8 * rp_h265_ue(syntax, 256, 0));
    header->end_bits = rp_h265_syntax_position(syntax);
}

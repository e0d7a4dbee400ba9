/* SPDX-License-Identifier: MIT */
/* Slice header syntax of frames (field_pic_flag is never 1: overrides see to it).
 */
#include "video/h264/slice_header.h"

/* The low count bits of a number that the application need not have wrapped. */
static void
put_wrapped(struct rp_bits *bits, uint32_t count, uint32_t value)
{
    rp_bits_put(bits, count, value & ((1u << count) - 1));
}

static void
write_picture_order(struct rp_bits *bits, const struct rp_h264_slice_header *h)
{
    const bool has_bottom = h->pps->flags.bottom_field_pic_order_in_frame_present_flag;

    if (h->sps->pic_order_cnt_type == STD_VIDEO_H264_POC_TYPE_0) {
        put_wrapped(bits, h->sps->log2_max_pic_order_cnt_lsb_minus4 + 4u,
                    (uint32_t)h->picture->PicOrderCnt);
        if (has_bottom)
            rp_bits_se(bits, 0); /* delta_pic_order_cnt_bottom */
    }
    if (h->sps->pic_order_cnt_type == STD_VIDEO_H264_POC_TYPE_1 &&
        !h->sps->flags.delta_pic_order_always_zero_flag) {
        rp_bits_se(bits, h->delta_pic_order_cnt[0]);
        if (has_bottom)
            rp_bits_se(bits, h->delta_pic_order_cnt[1]);
    }
}

static void
write_ref_counts(struct rp_bits *bits, const struct rp_h264_slice_header *h,
                 const StdVideoEncodeH264SliceHeader *std)
{
    const bool is_b = (uint32_t)std->slice_type == RP_H264_SLICE_B;
    const bool is_override =
        std->flags.num_ref_idx_active_override_flag ||
        h->ref_count[0] != h->pps->num_ref_idx_l0_default_active_minus1 + 1u ||
        (is_b && h->ref_count[1] != h->pps->num_ref_idx_l1_default_active_minus1 + 1u);

    rp_bits_put(bits, 1, is_override);
    if (!is_override)
        return;
    rp_bits_ue(bits, h->ref_count[0] - 1);
    if (is_b)
        rp_bits_ue(bits, h->ref_count[1] - 1);
}

/* 7.3.3.1 for one list. A flag without operations would be illegal: it is written as 0. */
static void
write_list_modification(struct rp_bits *bits, bool is_present,
                        const StdVideoEncodeH264RefListModEntry *ops, uint32_t op_count)
{
    is_present =
        is_present && ops && op_count > 0 &&
        ops[0].modification_of_pic_nums_idc < STD_VIDEO_H264_MODIFICATION_OF_PIC_NUMS_IDC_END;
    rp_bits_put(bits, 1, is_present);
    if (!is_present)
        return;

    for (uint32_t i = 0; i < op_count; i++) {
        const uint32_t idc = (uint32_t)ops[i].modification_of_pic_nums_idc;
        if (idc >= STD_VIDEO_H264_MODIFICATION_OF_PIC_NUMS_IDC_END)
            break;
        rp_bits_ue(bits, idc);
        if (idc == STD_VIDEO_H264_MODIFICATION_OF_PIC_NUMS_IDC_LONG_TERM)
            rp_bits_ue(bits, ops[i].long_term_pic_num);
        else
            rp_bits_ue(bits, ops[i].abs_diff_pic_num_minus1);
    }
    rp_bits_ue(bits, STD_VIDEO_H264_MODIFICATION_OF_PIC_NUMS_IDC_END);
}

/* The operations that lead to the final list (8.2.4.3), whatever the initial one is. */
static void
write_derived_modification(struct rp_bits *bits, const struct rp_h264_slice_header *h, uint32_t x)
{
    const uint32_t max_frame_num = 1u << (h->sps->log2_max_frame_num_minus4 + 4);
    uint32_t predicted = h->picture->frame_num % max_frame_num;

    rp_bits_put(bits, 1, 1);
    for (uint32_t i = 0; i < h->ref_count[x]; i++) {
        const struct rp_h264_ref_name *ref = &h->ref[x][i];
        if (ref->is_long_term) {
            rp_bits_ue(bits, STD_VIDEO_H264_MODIFICATION_OF_PIC_NUMS_IDC_LONG_TERM);
            rp_bits_ue(bits, ref->long_term_frame_idx);
            continue;
        }
        const uint32_t frame_num = ref->frame_num % max_frame_num;
        const uint32_t back = (predicted + max_frame_num - frame_num) % max_frame_num;

        rp_bits_ue(bits, STD_VIDEO_H264_MODIFICATION_OF_PIC_NUMS_IDC_SHORT_TERM_SUBTRACT);
        rp_bits_ue(bits, (back ? back : max_frame_num) - 1);
        predicted = frame_num;
    }
    rp_bits_ue(bits, STD_VIDEO_H264_MODIFICATION_OF_PIC_NUMS_IDC_END);
}

static bool
has_long_term(const struct rp_h264_slice_header *h, uint32_t x)
{
    for (uint32_t i = 0; i < h->ref_count[x]; i++) {
        if (h->ref[x][i].is_long_term)
            return true;
    }
    return false;
}

/* An application that counts the end, too, has said all: a few operations may do, the initial list
 * is behind them. */
static bool
has_end(const StdVideoEncodeH264RefListModEntry *ops, uint32_t op_count)
{
    return ops && op_count > 0 &&
           ops[op_count - 1].modification_of_pic_nums_idc ==
               STD_VIDEO_H264_MODIFICATION_OF_PIC_NUMS_IDC_END;
}

/* FFmpeg announces operations and counts one too few of them, GStreamer has operations and does not
 * announce them: the lists say what is meant. P slices of B pictures begin with another list than
 * that which the operations are for. */
static bool
has_operations_missing(const struct rp_h264_slice_header *h, uint32_t slice_type, uint32_t x,
                       bool is_present, const StdVideoEncodeH264RefListModEntry *ops,
                       uint32_t op_count)
{
    const bool has_too_few =
        is_present ? op_count < h->ref_count[x] && !has_end(ops, op_count) : op_count > 0;

    return slice_type != h->slice_type || (has_too_few && !has_long_term(h, x));
}

static void
write_list_modifications(struct rp_bits *bits, const struct rp_h264_slice_header *h,
                         uint32_t slice_type)
{
    static const StdVideoEncodeH264ReferenceListsInfo none;
    const StdVideoEncodeH264ReferenceListsInfo *lists = h->lists ? h->lists : &none;

    const bool is_present[2] = {lists->flags.ref_pic_list_modification_flag_l0,
                                lists->flags.ref_pic_list_modification_flag_l1};
    const uint32_t op_count[2] = {lists->refList0ModOpCount, lists->refList1ModOpCount};
    const StdVideoEncodeH264RefListModEntry *const ops[2] = {lists->pRefList0ModOperations,
                                                             lists->pRefList1ModOperations};
    const uint32_t list_count = slice_type == RP_H264_SLICE_I   ? 0
                                : slice_type == RP_H264_SLICE_B ? 2
                                                                : 1;

    for (uint32_t x = 0; x < list_count; x++) {
        if (has_operations_missing(h, slice_type, x, is_present[x], ops[x], op_count[x]))
            write_derived_modification(bits, h, x);
        else
            write_list_modification(bits, is_present[x], ops[x], op_count[x]);
    }
}

static void
write_ref_weights(struct rp_bits *bits, const struct rp_h264_ref_weights *ref)
{
    rp_bits_put(bits, 1, ref->has_luma);
    if (ref->has_luma) {
        rp_bits_se(bits, ref->weight[0]);
        rp_bits_se(bits, ref->offset[0]);
    }
    rp_bits_put(bits, 1, ref->has_chroma);
    for (uint32_t c = 1; c < 3 && ref->has_chroma; c++) {
        rp_bits_se(bits, ref->weight[c]);
        rp_bits_se(bits, ref->offset[c]);
    }
}

/* 7.3.3.2; references of B pictures have the default weights. */
static void
write_weight_table(struct rp_bits *bits, const struct rp_h264_slice_header *h, uint32_t slice_type)
{
    static const struct rp_h264_weights none;
    const struct rp_h264_weights *weights =
        slice_type == RP_H264_SLICE_P && h->weights ? h->weights : &none;
    const uint32_t list1_count = slice_type == RP_H264_SLICE_B ? h->ref_count[1] : 0;

    rp_bits_ue(bits, weights->log2_denom[0]);
    rp_bits_ue(bits, weights->log2_denom[1]);
    for (uint32_t i = 0; i < h->ref_count[0]; i++)
        write_ref_weights(bits, &weights->ref[i]);
    for (uint32_t i = 0; i < list1_count; i++)
        write_ref_weights(bits, &none.ref[i]);
}

/* The operands of one operation, each followed in the order of 7.3.3.3. */
static void
write_marking_op(struct rp_bits *bits, const StdVideoEncodeH264RefPicMarkingEntry *op)
{
    rp_bits_ue(bits, (uint32_t)op->memory_management_control_operation);
    switch (op->memory_management_control_operation) {
    case STD_VIDEO_H264_MEM_MGMT_CONTROL_OP_UNMARK_SHORT_TERM:
        rp_bits_ue(bits, op->difference_of_pic_nums_minus1);
        break;
    case STD_VIDEO_H264_MEM_MGMT_CONTROL_OP_UNMARK_LONG_TERM:
        rp_bits_ue(bits, op->long_term_pic_num);
        break;
    case STD_VIDEO_H264_MEM_MGMT_CONTROL_OP_MARK_LONG_TERM:
        rp_bits_ue(bits, op->difference_of_pic_nums_minus1);
        rp_bits_ue(bits, op->long_term_frame_idx);
        break;
    case STD_VIDEO_H264_MEM_MGMT_CONTROL_OP_SET_MAX_LONG_TERM_INDEX:
        rp_bits_ue(bits, op->max_long_term_frame_idx_plus1);
        break;
    case STD_VIDEO_H264_MEM_MGMT_CONTROL_OP_MARK_CURRENT_AS_LONG_TERM:
        rp_bits_ue(bits, op->long_term_frame_idx);
        break;
    case STD_VIDEO_H264_MEM_MGMT_CONTROL_OP_UNMARK_ALL:
    case STD_VIDEO_H264_MEM_MGMT_CONTROL_OP_END:
    case STD_VIDEO_H264_MEM_MGMT_CONTROL_OP_INVALID:
        break;
    }
}

/* GStreamer 1.28 fills in which picture it unmarks, but not that it does: both operations END. */
static bool
has_lost_operation(const StdVideoEncodeH264ReferenceListsInfo *lists)
{
    const StdVideoEncodeH264RefPicMarkingEntry *ops = lists->pRefPicMarkingOperations;
    return lists->refPicMarkingOpCount == 2 &&
           ops[0].memory_management_control_operation == STD_VIDEO_H264_MEM_MGMT_CONTROL_OP_END &&
           ops[1].memory_management_control_operation == STD_VIDEO_H264_MEM_MGMT_CONTROL_OP_END;
}

/* 7.3.3.3 */
static void
write_marking(struct rp_bits *bits, const struct rp_h264_slice_header *h)
{
    if (h->is_idr) {
        rp_bits_put(bits, 1, h->picture->flags.no_output_of_prior_pics_flag);
        rp_bits_put(bits, 1, h->picture->flags.long_term_reference_flag);
        return;
    }

    const bool is_adaptive = h->picture->flags.adaptive_ref_pic_marking_mode_flag;
    rp_bits_put(bits, 1, is_adaptive);
    if (!is_adaptive)
        return;

    const uint32_t op_count =
        h->lists && h->lists->pRefPicMarkingOperations ? h->lists->refPicMarkingOpCount : 0;
    for (uint32_t i = 0; i < op_count; i++) {
        StdVideoEncodeH264RefPicMarkingEntry op = h->lists->pRefPicMarkingOperations[i];
        if (i == 0 && has_lost_operation(h->lists))
            op.memory_management_control_operation =
                STD_VIDEO_H264_MEM_MGMT_CONTROL_OP_UNMARK_SHORT_TERM;
        const uint32_t number = (uint32_t)op.memory_management_control_operation;
        if (number == STD_VIDEO_H264_MEM_MGMT_CONTROL_OP_END || number > 6)
            break;
        write_marking_op(bits, &op);
    }
    rp_bits_ue(bits, STD_VIDEO_H264_MEM_MGMT_CONTROL_OP_END);
}

static bool
has_weight_table(const StdVideoH264PictureParameterSet *pps, uint32_t slice_type)
{
    return (slice_type == RP_H264_SLICE_P && pps->flags.weighted_pred_flag) ||
           (slice_type == RP_H264_SLICE_B &&
            pps->weighted_bipred_idc == STD_VIDEO_H264_WEIGHTED_BIPRED_IDC_EXPLICIT);
}

/* What depends on the macroblocks below: QP and deblocking. */
static void
write_coding(struct rp_bits *bits, const struct rp_h264_slice_header *h,
             const StdVideoEncodeH264SliceHeader *std, int32_t slice_qp)
{
    if (h->pps->flags.entropy_coding_mode_flag && (uint32_t)std->slice_type != RP_H264_SLICE_I)
        rp_bits_ue(bits, (uint32_t)std->cabac_init_idc);
    rp_bits_se(bits, slice_qp - 26 - h->pps->pic_init_qp_minus26);
    if (!h->pps->flags.deblocking_filter_control_present_flag)
        return;
    rp_bits_ue(bits, (uint32_t)std->disable_deblocking_filter_idc);
    if (std->disable_deblocking_filter_idc != 1) {
        rp_bits_se(bits, std->slice_alpha_c0_offset_div2);
        rp_bits_se(bits, std->slice_beta_offset_div2);
    }
}

void
rp_h264_write_slice_header(const void *ctx, const struct rp_h264_slice_state *slice,
                           struct rp_bits *bits)
{
    const struct rp_h264_slice_header *h = ctx;
    const StdVideoEncodeH264SliceHeader *std = &h->slices[slice->index];
    const uint32_t slice_type = (uint32_t)std->slice_type;

    rp_bits_ue(bits, slice->first_mb);
    rp_bits_ue(bits, slice_type);
    rp_bits_ue(bits, h->pps->pic_parameter_set_id);
    put_wrapped(bits, h->sps->log2_max_frame_num_minus4 + 4u,
                h->is_idr ? 0 : h->picture->frame_num);
    if (h->is_idr)
        rp_bits_ue(bits, h->idr_pic_id);
    write_picture_order(bits, h);
    if (h->pps->flags.redundant_pic_cnt_present_flag)
        rp_bits_ue(bits, 0);
    if (slice_type == RP_H264_SLICE_B)
        rp_bits_put(bits, 1, slice->direct_spatial);
    if (slice_type != RP_H264_SLICE_I)
        write_ref_counts(bits, h, std);
    write_list_modifications(bits, h, slice_type);
    if (has_weight_table(h->pps, slice_type))
        write_weight_table(bits, h, slice_type);
    if (h->nal_ref_idc > 0)
        write_marking(bits, h);
    write_coding(bits, h, std, slice->slice_qp);
}

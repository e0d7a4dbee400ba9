/* SPDX-License-Identifier: MIT */
/* Picture order counts and reference marking, written from the standard.
 */
#include "dpb.h"

#include "test.h"

#include <limits.h>

bool
frame_is_used(const struct frame *frame)
{
    return frame->short_fields || frame->long_fields;
}

uint32_t
dpb_max_frame_num(const struct dpb *dpb)
{
    return 1u << (dpb->sps->log2_max_frame_num_minus4 + 4);
}

static void
dpb_prune(struct dpb *dpb)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < dpb->count; i++) {
        if (frame_is_used(&dpb->frames[i]))
            dpb->frames[count++] = dpb->frames[i];
    }
    dpb->count = count;
}

void
dpb_wrap(struct dpb *dpb, uint32_t frame_num)
{
    for (uint32_t i = 0; i < dpb->count; i++) {
        struct frame *frame = &dpb->frames[i];
        frame->frame_num_wrap =
            (int32_t)frame->frame_num -
            (frame->frame_num > frame_num ? (int32_t)dpb_max_frame_num(dpb) : 0);
    }
}

/* 8.2.5.3 */
static void
slide_window(struct dpb *dpb)
{
    const uint32_t max = dpb->sps->max_num_ref_frames ? dpb->sps->max_num_ref_frames : 1;
    struct frame *oldest = NULL;
    if (dpb->count < max)
        return;
    for (uint32_t i = 0; i < dpb->count; i++) {
        struct frame *frame = &dpb->frames[i];
        if (frame->short_fields && (!oldest || frame->frame_num_wrap < oldest->frame_num_wrap))
            oldest = frame;
    }
    if (oldest)
        oldest->short_fields = 0;
    dpb_prune(dpb);
}

static uint32_t
frame_num_offset(const struct dpb *dpb, const struct picture *pic)
{
    if (pic->is_idr)
        return 0;
    return dpb->last_frame_num_offset +
           (dpb->last_frame_num > pic->frame_num ? dpb_max_frame_num(dpb) : 0);
}

/* 8.2.1.2 */
int32_t
dpb_expected_order(const struct dpb *dpb, const struct picture *pic)
{
    const StdVideoH264SequenceParameterSet *sps = dpb->sps;
    const uint32_t cycle = sps->num_ref_frames_in_pic_order_cnt_cycle;
    uint32_t absolute = cycle ? frame_num_offset(dpb, pic) + pic->frame_num : 0;
    if (!pic->is_reference && absolute > 0)
        absolute--;

    int32_t expected = 0;
    if (absolute > 0) {
        int32_t per_cycle = 0;
        for (uint32_t i = 0; i < cycle; i++)
            per_cycle += sps->pOffsetForRefFrame[i];
        expected = (int32_t)((absolute - 1) / cycle) * per_cycle;
        for (uint32_t i = 0; i <= (absolute - 1) % cycle; i++)
            expected += sps->pOffsetForRefFrame[i];
    }
    return pic->is_reference ? expected : expected + sps->offset_for_non_ref_pic;
}

/* 8.2.1.1 */
static void
order_type_0(struct dpb *dpb, const struct picture *pic, int32_t poc_out[2])
{
    const int32_t max = 1 << (dpb->sps->log2_max_pic_order_cnt_lsb_minus4 + 4);
    const int32_t lsb = (int32_t)pic->poc_lsb;
    int32_t last_msb = pic->is_idr ? 0 : dpb->last_poc_msb;
    const int32_t last_lsb = pic->is_idr ? 0 : (int32_t)dpb->last_poc_lsb;

    if (lsb < last_lsb && last_lsb - lsb >= max / 2)
        last_msb += max;
    else if (lsb > last_lsb && lsb - last_lsb > max / 2)
        last_msb -= max;
    poc_out[0] = last_msb + lsb;
    poc_out[1] = poc_out[0] + (pic->fields == FRAME ? pic->delta_poc_bottom : 0);
    if (pic->is_reference) {
        dpb->last_poc_msb = last_msb;
        dpb->last_poc_lsb = pic->poc_lsb;
    }
}

void
dpb_picture_order(struct dpb *dpb, const struct picture *pic, int32_t poc_out[2])
{
    switch (dpb->sps->pic_order_cnt_type) {
    case STD_VIDEO_H264_POC_TYPE_0:
        order_type_0(dpb, pic, poc_out);
        break;
    case STD_VIDEO_H264_POC_TYPE_1:
        poc_out[0] = dpb_expected_order(dpb, pic) + pic->delta_poc[0];
        poc_out[1] = poc_out[0] + dpb->sps->offset_for_top_to_bottom_field;
        if (pic->fields == FRAME)
            poc_out[1] += pic->delta_poc[1];
        break;
    default: {
        const int32_t count = 2 * (int32_t)(frame_num_offset(dpb, pic) + pic->frame_num);
        poc_out[0] = pic->is_idr ? 0 : count - !pic->is_reference;
        poc_out[1] = poc_out[0];
    }
    }
    dpb->last_frame_num_offset = frame_num_offset(dpb, pic);
    dpb->last_frame_num = pic->frame_num;
}

/* The newest short-term frame, or NULL. */
static const struct frame *
newest(const struct dpb *dpb)
{
    const struct frame *found = NULL;
    for (uint32_t i = 0; i < dpb->count; i++) {
        const struct frame *frame = &dpb->frames[i];
        if (frame->short_fields && (!found || frame->frame_num_wrap > found->frame_num_wrap))
            found = frame;
    }
    return found;
}

void
dpb_find_before(const struct dpb *dpb, struct frame *frame)
{
    const struct frame *before = newest(dpb);
    frame->before_slot = -1;
    if (!before)
        return;
    frame->before_slot = before->is_non_existing ? before->before_slot : before->slot;
    frame->before_frame_num =
        before->is_non_existing ? before->before_frame_num : before->frame_num;
}

/* 8.2.5.2 */
static void
fill_gap(struct dpb *dpb, uint32_t frame_num)
{
    const uint32_t mask = dpb_max_frame_num(dpb) - 1;
    for (uint32_t missing = (dpb->last_ref_frame_num + 1) & mask; missing != frame_num;
         missing = (missing + 1) & mask) {
        struct frame frame = {
            .slot = -1,
            .frame_num = missing,
            .coded_fields = FRAME,
            .short_fields = FRAME,
            .is_non_existing = true,
        };
        dpb_wrap(dpb, missing);
        dpb_find_before(dpb, &frame);
        slide_window(dpb);
        if (dpb->sps->pic_order_cnt_type != STD_VIDEO_H264_POC_TYPE_0) {
            const struct picture pic = {
                .fields = FRAME, .is_reference = true, .frame_num = missing};
            dpb_picture_order(dpb, &pic, frame.poc);
        }
        dpb_insert(dpb, &frame);
        dpb->last_ref_frame_num = missing;
    }
}

void
dpb_prepare(struct dpb *dpb, const struct picture *pic)
{
    const uint32_t mask = dpb_max_frame_num(dpb) - 1;
    if (pic->is_idr) {
        dpb->count = 0;
        dpb->last_ref_frame_num = 0;
    } else if (dpb->has_last && pic->frame_num != dpb->last_ref_frame_num &&
               pic->frame_num != ((dpb->last_ref_frame_num + 1) & mask) &&
               dpb->sps->flags.gaps_in_frame_num_value_allowed_flag) {
        fill_gap(dpb, pic->frame_num);
    }
    dpb->has_last = true;
}

/* Frames that operations may name: those before, and the first field of the current one. */
struct markable {
    struct frame *frames[33];
    uint32_t count;
};

static void
free_long_term_idx(struct markable *all, const struct frame *but, uint32_t idx)
{
    for (uint32_t i = 0; i < all->count; i++) {
        struct frame *frame = all->frames[i];
        if (frame != but && frame->long_fields && frame->long_term_frame_idx == idx)
            frame->long_fields = 0;
    }
}

/* Operations 1 and 3 (8.2.5.4.1, 8.2.5.4.3). */
static void
mark_short_term(struct markable *all, const struct picture *pic, const struct rp_h264dec_mmco *op)
{
    uint32_t fields = pic->fields;
    const int32_t frame_num = (int32_t)pic->frame_num;
    int32_t wanted = (fields == FRAME ? frame_num : 2 * frame_num + 1) - (int32_t)op->value[0] - 1;
    if (fields != FRAME) {
        fields = wanted & 1 ? fields : fields ^ FRAME;
        wanted >>= 1;
    }
    for (uint32_t i = 0; i < all->count; i++) {
        struct frame *frame = all->frames[i];
        if ((frame->short_fields & fields) != fields || frame->frame_num_wrap != wanted)
            continue;
        frame->short_fields &= ~fields;
        if (op->op == 3) {
            free_long_term_idx(all, frame, op->value[1]);
            if (frame->long_term_frame_idx != op->value[1])
                frame->long_fields = 0;
            frame->long_fields |= fields;
            frame->long_term_frame_idx = op->value[1];
        }
        return;
    }
}

/* Operation 2 (8.2.5.4.2). */
static void
unmark_long_term(struct markable *all, const struct picture *pic, uint32_t long_term_pic_num)
{
    uint32_t fields = pic->fields;
    uint32_t idx = long_term_pic_num;
    if (fields != FRAME) {
        fields = idx & 1 ? fields : fields ^ FRAME;
        idx >>= 1;
    }
    for (uint32_t i = 0; i < all->count; i++) {
        struct frame *frame = all->frames[i];
        if ((frame->long_fields & fields) && frame->long_term_frame_idx == idx)
            frame->long_fields &= ~fields;
    }
}

static void
unmark_all(struct markable *all, uint32_t first_long_term_idx, bool with_short_term)
{
    for (uint32_t i = 0; i < all->count; i++) {
        struct frame *frame = all->frames[i];
        if (frame->long_term_frame_idx >= first_long_term_idx)
            frame->long_fields = 0;
        if (with_short_term)
            frame->short_fields = 0;
    }
}

/* After operation 5 (8.2.1): counts start at this picture. */
static void
restart(struct dpb *dpb, struct frame *cur, const struct picture *pic)
{
    const int32_t top = cur->poc[0], bottom = cur->poc[1];
    const int32_t base =
        pic->fields == FRAME ? (top < bottom ? top : bottom) : cur->poc[pic->fields == BOTTOM];
    cur->poc[0] -= base;
    cur->poc[1] -= base;
    cur->frame_num = 0;
    dpb->last_ref_frame_num = 0;
    dpb->last_frame_num = 0;
    dpb->last_frame_num_offset = 0;
    dpb->last_poc_msb = 0;
    dpb->last_poc_lsb = pic->fields == BOTTOM ? 0 : (uint32_t)cur->poc[0];
}

static bool
mark_adaptively(struct dpb *dpb, struct frame *cur, const struct picture *pic)
{
    struct markable all = {.count = 0};
    bool is_long_term = false, has_restart = false;

    for (uint32_t i = 0; i < dpb->count; i++)
        all.frames[all.count++] = &dpb->frames[i];
    if (frame_is_used(cur))
        all.frames[all.count++] = cur;
    for (uint32_t i = 0; i < pic->mmco_count; i++) {
        const struct rp_h264dec_mmco *op = &pic->mmcos[i];
        if (op->op == 1 || op->op == 3)
            mark_short_term(&all, pic, op);
        else if (op->op == 2)
            unmark_long_term(&all, pic, op->value[0]);
        else if (op->op == 4)
            unmark_all(&all, op->value[0], false);
        else if (op->op == 5)
            unmark_all(&all, 0, true);
        else
            free_long_term_idx(&all, cur, op->value[0]);
        if (op->op == 6) {
            cur->long_fields |= pic->fields;
            cur->long_term_frame_idx = op->value[0];
            is_long_term = true;
        }
        has_restart |= op->op == 5;
    }
    if (!is_long_term)
        cur->short_fields |= pic->fields;
    return has_restart;
}

bool
dpb_mark(struct dpb *dpb, struct frame *cur, const struct picture *pic)
{
    bool has_restart = false;
    dpb_wrap(dpb, pic->frame_num);
    cur->frame_num_wrap = (int32_t)pic->frame_num;
    dpb->last_ref_frame_num = pic->frame_num;

    if (pic->is_idr) {
        if (pic->is_long_term_idr) {
            cur->long_fields |= pic->fields;
            cur->long_term_frame_idx = 0;
        } else {
            cur->short_fields |= pic->fields;
        }
    } else if (pic->has_adaptive_marking) {
        has_restart = mark_adaptively(dpb, cur, pic);
    } else {
        /* The second field of a reference frame takes no other place. */
        if (!cur->short_fields)
            slide_window(dpb);
        cur->short_fields |= pic->fields;
    }
    dpb_prune(dpb);
    if (has_restart)
        restart(dpb, cur, pic);
    return has_restart;
}

void
dpb_insert(struct dpb *dpb, const struct frame *cur)
{
    if (!frame_is_used(cur))
        return;
    REQUIRE(dpb->count < 32);
    dpb->frames[dpb->count++] = *cur;
}

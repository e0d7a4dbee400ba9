/* SPDX-License-Identifier: MIT */
/* Random marking operations that leave the DPB legal.
 */
#include "generator_state.h"

#include "test.h"

static void
mmco_add(struct picture *pic, uint32_t op, uint32_t value0, uint32_t value1)
{
    pic->mmcos[pic->mmco_count++] = (struct rp_h264dec_mmco){op, {value0, value1}};
}

/* Operations 1, 2 or 3 on all marked fields of a frame, or on one of them. */
static void
mmco_add_frame(struct generator *gen, struct picture *pic, const struct frame *frame, uint32_t op,
               uint32_t long_term_idx)
{
    const uint32_t marked = op == 2 ? frame->long_fields : frame->short_fields;
    const uint32_t number = op == 2 ? frame->long_term_frame_idx : frame->frame_num;
    const uint32_t mask = dpb_max_frame_num(&gen->dpb) - 1;

    if (pic->fields == FRAME) {
        if (marked == FRAME)
            mmco_add(pic, op, op == 2 ? number : (pic->frame_num - number - 1) & mask,
                     long_term_idx);
        return;
    }
    const uint32_t only =
        op != 3 && gen->has_pairs_only && chance(gen, 20) ? TOP + pick(gen, 2) : FRAME;
    for (uint32_t field = TOP; field <= BOTTOM; field++) {
        if (!(marked & field & only))
            continue;
        const uint32_t pic_num = 2 * number + (field == pic->fields);
        mmco_add(pic, op, op == 2 ? pic_num : (2 * pic->frame_num - pic_num) & (2 * mask + 1),
                 long_term_idx);
    }
}

static const struct frame *
random_frame(struct generator *gen, bool is_long_term)
{
    for (uint32_t tries = 0; gen->dpb.count && tries < 8; tries++) {
        const struct frame *frame = &gen->dpb.frames[pick(gen, gen->dpb.count)];
        if (!frame->is_non_existing && (is_long_term ? frame->long_fields : frame->short_fields))
            return frame;
    }
    return NULL;
}

/* Some operations that might go together. */
static void
marking_propose(struct generator *gen, struct picture *pic, bool is_second)
{
    const struct frame *frame;
    int32_t max_idx = gen->max_long_term_idx;

    pic->has_adaptive_marking = true;
    pic->mmco_count = 0;
    if (chance(gen, 60) && (frame = random_frame(gen, false)))
        mmco_add_frame(gen, pic, frame, 1, 0);
    if (chance(gen, 40) && (frame = random_frame(gen, true)))
        mmco_add_frame(gen, pic, frame, 2, 0);
    if (is_second || !gen->has_long_term)
        return;
    if (max_idx < 1 && chance(gen, 30)) {
        /* libavcodec's deblocking takes frames with indices beyond their count for one. */
        max_idx = (int32_t)pick(gen, 2);
        mmco_add(pic, 4, (uint32_t)max_idx + 1, 0);
    }
    if (max_idx >= 0 && chance(gen, 30) && pic->mmco_count <= 1 && pic->fields == FRAME &&
        (frame = random_frame(gen, false)) && !(pic->mmco_count && pic->mmcos[0].op == 1))
        mmco_add_frame(gen, pic, frame, 3, pick(gen, (uint32_t)max_idx + 1));
    else if (max_idx >= 0 && pic->fields == FRAME && chance(gen, 25))
        mmco_add(pic, 6, pick(gen, (uint32_t)max_idx + 1), 0);
}

/* The marking leaves no more frames than there may be, and none of them half long-term. */
static bool
marking_fits(const struct generator *gen, const struct picture *pic)
{
    struct dpb dpb = gen->dpb;
    struct frame cur = gen->cur;
    cur.coded_fields |= pic->fields;
    dpb_mark(&dpb, &cur, pic);
    for (uint32_t i = 0; i < dpb.count; i++) {
        if (dpb.frames[i].long_fields && dpb.frames[i].short_fields)
            return false;
    }
    return !(cur.long_fields && cur.short_fields) && dpb.count + 1 <= gen->sps.max_num_ref_frames;
}

static bool
sliding_fits(const struct generator *gen)
{
    if (gen->cur.short_fields || gen->dpb.count < gen->sps.max_num_ref_frames)
        return true;
    for (uint32_t i = 0; i < gen->dpb.count; i++) {
        if (gen->dpb.frames[i].short_fields)
            return true;
    }
    return false;
}

void
generator_marking_choose(struct generator *gen, struct picture *pic, bool is_second,
                         bool may_restart)
{
    dpb_wrap(&gen->dpb, pic->frame_num);
    if (pic->is_idr || !pic->is_reference)
        return;
    const bool must_adapt = !sliding_fits(gen);
    /* The next frame will be 1, and must not look like a part of this one. */
    if (may_restart && pic->frame_num != 1 && chance(gen, 20)) {
        pic->has_adaptive_marking = true;
        mmco_add(pic, 5, 0, 0);
        return;
    }
    for (uint32_t tries = 0;
         gen->has_adaptive_marking && tries < 200 && (must_adapt || chance(gen, 70)); tries++) {
        marking_propose(gen, pic, is_second);
        if (marking_fits(gen, pic))
            return;
    }
    REQUIRE(!must_adapt);
    pic->has_adaptive_marking = false;
    pic->mmco_count = 0;
}

void
generator_marking_apply(struct generator *gen, const struct picture *pic)
{
    gen->cur.coded_fields |= pic->fields;
    if (!pic->is_reference)
        return;
    if (pic->is_idr)
        gen->max_long_term_idx = pic->is_long_term_idr ? 0 : -1;
    for (uint32_t i = 0; i < pic->mmco_count; i++) {
        if (pic->mmcos[i].op == 4)
            gen->max_long_term_idx = (int32_t)pic->mmcos[i].value[0] - 1;
        if (pic->mmcos[i].op == 5)
            gen->max_long_term_idx = -1;
    }
    if (dpb_mark(&gen->dpb, &gen->cur, pic))
        gen->order_origin = gen->next_display;
}

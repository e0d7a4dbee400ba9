/* SPDX-License-Identifier: MIT */
/* The mirror of libavcodec's reference marking.
 */
#include "codecs/avcodec/h264/held.h"

#include <assert.h>

void
rp_h264dec_dpb_init(struct rp_h264dec_dpb *dpb, uint32_t frame_num_bits)
{
    *dpb = (struct rp_h264dec_dpb){.frame_num_bits = frame_num_bits};
}

int32_t
rp_h264dec_dpb_find(const struct rp_h264dec_dpb *dpb, int32_t slot)
{
    for (int32_t i = 0; i < RP_H264DEC_MAX_HELD; i++) {
        if (dpb->held[i].is_used && dpb->held[i].slot == slot)
            return i;
    }
    return -1;
}

bool
rp_h264dec_dpb_vacate(struct rp_h264dec_dpb *dpb, int32_t slot)
{
    const int32_t index = rp_h264dec_dpb_find(dpb, slot);
    if (index >= 0)
        dpb->held[index].slot = -1;
    return index >= 0;
}

bool
rp_h264dec_dpb_is_vacant(const struct rp_h264dec_dpb *dpb)
{
    for (uint32_t i = 0; i < RP_H264DEC_MAX_HELD; i++) {
        if (dpb->held[i].is_used && dpb->held[i].slot >= 0)
            return false;
    }
    return true;
}

bool
rp_h264dec_dpb_is_number_taken(const struct rp_h264dec_dpb *dpb)
{
    for (uint32_t i = 0; i < RP_H264DEC_MAX_HELD; i++) {
        const struct rp_h264dec_held *held = &dpb->held[i];
        if (held->is_used && !held->is_long_term && held->frame_num == dpb->next_frame_num)
            return true;
    }
    return false;
}

void
rp_h264dec_dpb_advance(struct rp_h264dec_dpb *dpb)
{
    dpb->next_frame_num = (dpb->next_frame_num + 1) & ((1u << dpb->frame_num_bits) - 1);
}

void
rp_h264dec_marking_init(struct rp_h264dec_marking *marking, const struct rp_h264dec_dpb *dpb,
                        uint32_t fields)
{
    *marking = (struct rp_h264dec_marking){.mmco_count = 0};
    for (int32_t i = 0; i < RP_H264DEC_MAX_HELD; i++) {
        if (dpb->held[i].is_used && dpb->held[i].slot < 0)
            rp_h264dec_marking_drop(marking, dpb, fields, i);
    }
}

/* difference_of_pic_nums_minus1 (8.2.5.4.1): frames and fields count as in 8.2.4.1. */
static uint32_t
difference_minus1(const struct rp_h264dec_dpb *dpb, const struct rp_h264dec_held *held,
                  uint32_t cur_fields, uint32_t fields)
{
    const uint32_t max_frame_num = 1u << dpb->frame_num_bits;
    if (cur_fields == RP_H264DEC_FRAME)
        return (dpb->next_frame_num - held->frame_num - 1) & (max_frame_num - 1);

    const uint32_t pic_num = 2 * held->frame_num + (fields == cur_fields);
    return (2 * dpb->next_frame_num - pic_num) & (2 * max_frame_num - 1);
}

static void
marking_add_drop(struct rp_h264dec_marking *marking, const struct rp_h264dec_dpb *dpb,
                 const struct rp_h264dec_held *held, uint32_t cur_fields, uint32_t fields)
{
    struct rp_h264dec_mmco mmco;
    if (held->is_long_term) {
        const uint32_t idx = held->long_term_frame_idx;
        mmco.op = 2;
        mmco.value[0] = cur_fields == RP_H264DEC_FRAME ? idx : 2 * idx + (fields == cur_fields);
    } else {
        mmco.op = 1;
        mmco.value[0] = difference_minus1(dpb, held, cur_fields, fields);
    }
    mmco.value[1] = 0;
    marking->mmcos[marking->mmco_count++] = mmco;
}

void
rp_h264dec_marking_drop(struct rp_h264dec_marking *marking, const struct rp_h264dec_dpb *dpb,
                        uint32_t fields, int32_t index)
{
    const struct rp_h264dec_held *held = &dpb->held[index];

    assert(held->is_used && !marking->drops[index]);
    marking->drops[index] = true;
    if (fields == RP_H264DEC_FRAME) {
        marking_add_drop(marking, dpb, held, fields, RP_H264DEC_FRAME);
        return;
    }
    for (uint32_t field = RP_H264DEC_TOP; field <= RP_H264DEC_BOTTOM; field++) {
        if (held->fields & field)
            marking_add_drop(marking, dpb, held, fields, field);
    }
}

/* A LongTermFrameIdx that no frame has once the drops are done. There are fewer than 16. */
static uint32_t
free_long_term_idx(const struct rp_h264dec_marking *marking, const struct rp_h264dec_dpb *dpb)
{
    uint32_t taken = 0;
    for (uint32_t i = 0; i < RP_H264DEC_MAX_HELD; i++) {
        if (!dpb->held[i].is_used || marking->drops[i])
            continue;
        if (dpb->held[i].is_long_term)
            taken |= 1u << dpb->held[i].long_term_frame_idx;
        else if (marking->converts[i])
            taken |= 1u << marking->long_term_frame_idx[i];
    }
    return (uint32_t)__builtin_ctz(~taken);
}

void
rp_h264dec_marking_convert(struct rp_h264dec_marking *marking, const struct rp_h264dec_dpb *dpb,
                           uint32_t fields, int32_t index)
{
    const struct rp_h264dec_held *held = &dpb->held[index];
    const uint32_t idx = free_long_term_idx(marking, dpb);

    assert(held->is_used && !held->is_long_term && !marking->drops[index]);
    marking->converts[index] = true;
    marking->long_term_frame_idx[index] = idx;
    for (uint32_t field = RP_H264DEC_TOP; field <= RP_H264DEC_BOTTOM; field++) {
        if (fields == RP_H264DEC_FRAME ? field != RP_H264DEC_TOP : !(held->fields & field))
            continue;
        marking->mmcos[marking->mmco_count++] = (struct rp_h264dec_mmco){
            .op = 3,
            .value = {difference_minus1(dpb, held, fields, field), idx},
        };
    }
}

void
rp_h264dec_marking_convert_own(struct rp_h264dec_marking *marking, const struct rp_h264dec_dpb *dpb)
{
    const uint32_t idx = free_long_term_idx(marking, dpb);

    marking->is_long_term = true;
    marking->own_long_term_frame_idx = idx;
    marking->mmcos[marking->mmco_count++] = (struct rp_h264dec_mmco){.op = 6, .value = {idx}};
}

uint32_t
rp_h264dec_marking_kept_count(const struct rp_h264dec_marking *marking,
                              const struct rp_h264dec_dpb *dpb)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < RP_H264DEC_MAX_HELD; i++)
        count += dpb->held[i].is_used && !marking->drops[i];
    return count;
}

void
rp_h264dec_dpb_store(struct rp_h264dec_dpb *dpb, const struct rp_h264dec_marking *marking,
                     int32_t slot, uint32_t fields, const int32_t poc[2])
{
    uint32_t free_index = RP_H264DEC_MAX_HELD;
    for (uint32_t i = 0; i < RP_H264DEC_MAX_HELD; i++) {
        if (marking->drops[i])
            dpb->held[i].is_used = false;
        if (!dpb->held[i].is_used)
            free_index = i;
        if (marking->converts[i]) {
            dpb->held[i].is_long_term = true;
            dpb->held[i].long_term_frame_idx = marking->long_term_frame_idx[i];
        }
    }
    assert(free_index < RP_H264DEC_MAX_HELD);
    dpb->held[free_index] = (struct rp_h264dec_held){
        .is_used = true,
        .slot = slot,
        .frame_num = dpb->next_frame_num,
        .fields = fields,
        .is_long_term = marking->is_long_term,
        .long_term_frame_idx = marking->own_long_term_frame_idx,
        .poc = {poc[0], poc[1]},
    };
}

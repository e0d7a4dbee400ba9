/* SPDX-License-Identifier: MIT */
/* OpSwitch: case by case, for the lanes that chose it or fall into it.
 */
#include "compute/spirv/flow.h"
#include "compute/spirv/region.h"
#include "compute/spirv/scalar.h"
#include "compute/spirv/translate.h"

#include <string.h>

/* Could control reach `to` from `from` without passing `merge`? Follows at most a few blocks. */
static bool
reaches(struct spv *s, uint32_t from, uint32_t to, uint32_t merge, uint32_t budget)
{
    if (from == to)
        return true;
    if (from == merge || budget == 0)
        return false;
    const uint32_t *instr = spv_next_instr(s, spv_label_def(s, from));
    while (!spv_is_terminator(spv_opcode(instr)) && !spv_is_merge(spv_opcode(instr)))
        instr = spv_next_instr(s, instr);
    if (spv_is_merge(spv_opcode(instr)))
        return reaches(s, instr[1], to, merge, budget - 1);
    if (spv_opcode(instr) == SPV_OP_BRANCH)
        return reaches(s, instr[1], to, merge, budget - 1);
    if (spv_opcode(instr) == SPV_OP_BRANCH_CONDITIONAL)
        return reaches(s, instr[2], to, merge, budget / 2) ||
               reaches(s, instr[3], to, merge, budget / 2);
    return false;
}

struct switch_case {
    uint32_t label;
    struct ir_instr *cond; /* NULL until a literal is seen */
};

struct switch_state {
    struct switch_case *cases;
    uint32_t count;
    uint32_t fall_slot; /* lanes that fall into the next case */
    uint32_t from;
    uint32_t merge;
};

/* Cases in an order where falling through goes forward. */
static void
switch_collect(struct spv *s, struct switch_state *sw)
{
    const struct spv_value *selector = spv_operand(s, 1);
    const uint32_t width_words = selector->type->width == 64 ? 2 : 1;
    if (selector->type->kind != SPV_T_INT)
        spv_fail(s, "selector is not an integer");
    struct ir_instr *value =
        spv_extend(s, selector->type, selector->type->is_signed, selector->v[0]);
    const uint32_t default_label = spv_word(s, 2);
    struct ir_instr *none = ir_const(s->ir, IR_B, 1);

    sw->cases = ir_alloc(s->ir, spv_words_left(s, 3) / 2 + 2, sizeof(sw->cases[0]));
    for (uint32_t w = 3; w < spv_word_count(s->at); w += width_words + 1) {
        uint64_t literal = spv_word(s, w);
        if (width_words == 2)
            literal |= (uint64_t)spv_word(s, w + 1) << 32;
        const uint32_t label = spv_word(s, w + width_words);
        struct ir_instr *is_it = ir_bin(s->ir, width_words == 2 ? IR_IEQ64 : IR_IEQ, value,
                                        ir_const(s->ir, value->type, literal));
        none = ir_bin(s->ir, IR_BAND, none, ir_not(s->ir, is_it));
        uint32_t c = 0;
        while (c < sw->count && sw->cases[c].label != label)
            c++;
        if (c == sw->count)
            sw->cases[sw->count++].label = label;
        struct ir_instr *before = sw->cases[c].cond;
        sw->cases[c].cond = before ? ir_bin(s->ir, IR_BOR, before, is_it) : is_it;
    }
    uint32_t c = 0;
    while (c < sw->count && sw->cases[c].label != default_label)
        c++;
    if (c < sw->count) {
        sw->cases[c].cond = ir_bin(s->ir, IR_BOR, sw->cases[c].cond, none);
        return;
    }
    for (c = 0; c < sw->count; c++)
        if (reaches(s, default_label, sw->cases[c].label, sw->merge, 64))
            break;
    memmove(sw->cases + c + 1, sw->cases + c, (sw->count - c) * sizeof(sw->cases[0]));
    sw->cases[c] = (struct switch_case){default_label, none};
    sw->count++;
}

/* Runs one case for the lanes that chose it or fall into it. */
static void
switch_case_arm(struct spv *s, struct switch_state *sw, uint32_t c)
{
    struct spv_exit_target fall = {.outer = s->call->targets};
    struct spv_if region;
    struct ir_instr *falls = ir_resolve(s->slots[sw->fall_slot]);
    struct ir_instr *cond = ir_bin(s->ir, IR_BOR, sw->cases[c].cond, falls);
    struct ir_instr *yes = ir_const(s->ir, IR_B, 1), *no = ir_const(s->ir, IR_B, 0);

    spv_if_begin(s, &region, cond);
    /* A branch to the next case leaves this block with fall_slot set. */
    struct spv_block *to_merge = spv_block_begin(s);
    struct spv_exit_target merge = {s->call->targets, sw->merge, to_merge};
    s->call->targets = &merge;
    struct spv_block *to_next = spv_block_begin(s);
    fall = (struct spv_exit_target){s->call->targets,
                                    c + 1 < sw->count ? sw->cases[c + 1].label : 0, to_next};
    if (fall.label)
        s->call->targets = &fall;
    s->slots[sw->fall_slot] = no;
    const uint32_t first = spv_arrive(s, sw->cases[c].label, 0); /* a case may be a way out */
    if (first)
        spv_translate_blocks(s, first, sw->merge);
    if (s->is_reachable)
        spv_block_leave(s, to_merge);
    s->call->targets = merge.outer;
    spv_block_end(s, to_next);
    if (s->is_reachable)
        s->slots[sw->fall_slot] = yes;
    spv_block_end(s, to_merge);
    spv_if_else(s, &region);
    spv_if_end(s, &region);
}

uint32_t
spv_switch(struct spv *s, uint32_t from, uint32_t merge, uint32_t stop)
{
    struct switch_state sw = {.from = from, .merge = merge};
    switch_collect(s, &sw);

    struct spv_block *block = spv_block_begin(s);
    struct spv_exit_target target = {s->call->targets, merge, block};
    s->call->targets = &target;
    for (uint32_t c = 0; c < sw.count; c++)
        spv_set_phis(s, from, sw.cases[c].label);
    sw.fall_slot = s->call->result_slot + (s->call->result_type->flat);
    s->slots[sw.fall_slot] = ir_const(s->ir, IR_B, 0);
    for (uint32_t c = 0; c < sw.count && s->is_reachable; c++)
        switch_case_arm(s, &sw, c);
    s->call->targets = target.outer;
    spv_block_end(s, block);
    s->slots[sw.fall_slot] = ir_const(s->ir, IR_B, 0);
    return spv_arrive(s, merge, stop);
}

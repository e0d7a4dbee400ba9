/* SPDX-License-Identifier: MIT */
#include "compute/ir/apart.h"

bool
ir_is_watched(const struct ir_program *ir, const struct ir_instr *access)
{
    return ir->is_watched && !access->is_const_mem && !ir_is_own_memory(access->args[0]);
}

bool
ir_have_same_place(const struct ir_instr *a, const struct ir_instr *b)
{
    if (a->aux != b->aux || a->is_linear != b->is_linear)
        return false;
    const uint32_t count = a->is_linear ? 5 : 2;
    for (uint32_t x = 0; x < count; x++)
        if (a->args[x] != b->args[x])
            return false;
    return true;
}

static bool
are_of_two_buffers(const struct ir_program *ir, const struct ir_instr *a, const struct ir_instr *b)
{
    const int32_t m = ir_static_memory(ir, a->args[0]), n = ir_static_memory(ir, b->args[0]);
    const bool is_own = ir_is_own_memory(a->args[0]) || ir_is_own_memory(b->args[0]);
    return m >= 0 && n >= 0 && m != n && (is_own || !ir->has_clamps);
}

bool
ir_are_apart(const struct ir_program *ir, const struct ir_instr *a, const struct ir_instr *b)
{
    if (ir->orders_lanes || ir_is_watched(ir, a) || ir_is_watched(ir, b))
        return false;
    if (are_of_two_buffers(ir, a, b))
        return true;
    if (!a->is_linear || !b->is_linear)
        return false;
    for (uint32_t x = 0; x < 5; x++)
        if (a->args[x] != b->args[x])
            return false;
    return (uint32_t)(b->imm - a->imm) >= (uint32_t)a->aux * a->comps &&
           (uint32_t)(a->imm - b->imm) >= (uint32_t)b->aux * b->comps;
}

static __attribute__((noinline, cold)) bool
take_pair_apart(struct ir_program *ir, uint8_t a, uint8_t b)
{
    for (uint32_t n = 0; n < ir->apart_count; n++)
        if ((ir->apart[n].a == a && ir->apart[n].b == b) ||
            (ir->apart[n].a == b && ir->apart[n].b == a))
            return true;
    if (ir->apart_count == RP_MAX_APART)
        return false;
    ir->apart[ir->apart_count++] = (struct rp_apart){a, b};
    return true;
}

__attribute__((cold)) bool
ir_take_apart(struct ir_program *ir, const struct ir_instr *moved, const struct ir_instr *first,
              const struct ir_instr *last)
{
    for (const struct ir_instr *i = first; i != last; i = i->next) {
        const bool is_passed =
            i->op == IR_STORE || (moved->op == IR_STORE && i->op == IR_LOAD && !i->is_const_mem);
        if (!is_passed || ir_is_own_memory(i->args[0]) || ir_is_own_memory(moved->args[0]))
            continue;
        const int32_t m = ir_static_memory(ir, moved->args[0]);
        const int32_t n = ir_static_memory(ir, i->args[0]);
        if (m != n && !take_pair_apart(ir, (uint8_t)m, (uint8_t)n))
            return false;
    }
    return true;
}

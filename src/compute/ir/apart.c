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

bool
ir_are_apart(const struct ir_program *ir, const struct ir_instr *a, const struct ir_instr *b)
{
    if (!a->is_linear || !b->is_linear || ir->orders_lanes || ir_is_watched(ir, a) ||
        ir_is_watched(ir, b))
        return false;
    for (uint32_t x = 0; x < 5; x++)
        if (a->args[x] != b->args[x])
            return false;
    return (uint32_t)(b->imm - a->imm) >= (uint32_t)a->aux * a->comps &&
           (uint32_t)(a->imm - b->imm) >= (uint32_t)b->aux * b->comps;
}

/* SPDX-License-Identifier: MIT */
/* Finds atomic additions that may be gathered for a while and added later: nobody wants their old
 * value, and nothing that the invocation does behind them could see that they are late.
 */
#include "compute/ir/ir.h"
#include "compute/ir/passes.h"
#include "compute/lane_ops.h"

static bool
is_candidate(const struct ir_program *ir, const struct ir_instr *i)
{
    return i->op == IR_ATOMIC && i->aux == IR_ATOMIC_IADD && !i->is_64 && !i->is_half &&
           !i->use_count && ir_static_memory(ir, i->args[0]) >= 0 && !ir_is_own_memory(i->args[0]);
}

/* What only the workgroup has or nobody writes, its own memory, does not matter. */
static bool
could_notice(const struct ir_program *ir, const struct ir_instr *i)
{
    switch (i->op) {
    case IR_LOAD:
        return !i->is_const_mem && !ir_is_own_memory(i->args[0]);
    case IR_STORE:
        return !ir_is_own_memory(i->args[0]);
    case IR_ATOMIC:
        return !is_candidate(ir, i) && !ir_is_own_memory(i->args[0]);
    case IR_IMAGE:
        return i->image->op != IR_IMAGE_SIZE;
    default:
        return false;
    }
}

/* The slot of a binding in the program's list, or -1 when that is full. */
static int
slot_of(struct ir_program *ir, uint8_t binding)
{
    for (uint32_t s = 0; s < ir->add_binding_count; s++)
        if (ir->add_bindings[s] == binding)
            return (int)s;
    if (ir->add_binding_count == IR_ADD_BINDINGS)
        return -1;
    ir->add_bindings[ir->add_binding_count] = binding;
    return (int)ir->add_binding_count++;
}

void
ir_defer(struct ir_program *ir)
{
    bool is_noticed = false; /* by what comes behind, in this round of a loop or the next */

    if (ir->orders_memory)
        return;
    for (struct ir_instr *i = ir->last; i; i = i->prev) {
        if (i->op == IR_ENDLOOP && !is_noticed)
            for (struct ir_instr *in = i->region.end; in != i; in = in->next)
                is_noticed |= could_notice(ir, in);
        is_noticed |= could_notice(ir, i);
        if (is_noticed)
            return;
        if (!is_candidate(ir, i))
            continue;
        const int slot = slot_of(ir, (uint8_t)ir_static_memory(ir, i->args[0]));
        if (slot >= 0)
            i->add_slot = (uint8_t)(slot + 1);
    }
}

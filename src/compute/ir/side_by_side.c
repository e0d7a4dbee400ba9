/* SPDX-License-Identifier: MIT */
/* Which small workgroups run side by side as lanes, by what their programs do.
 */
#include "compute/ir/ir.h"
#include "compute/ir/passes.h"

static bool
is_looked_at(const struct ir_program *ir, const struct ir_instr *i)
{
    switch (i->op) {
    case IR_ATOMIC:
        return i->use_count && !ir_is_own_memory(i->args[0]);
    case IR_LOAD:
        return ir->orders_memory && !i->is_const_mem && !ir_is_own_memory(i->args[0]);
    case IR_IMAGE:
        return i->use_count && (i->image->op == IR_IMAGE_ATOMIC ||
                                (i->image->op == IR_IMAGE_READ && ir->orders_memory));
    default:
        return false;
    }
}

bool
ir_may_wait_for_others(const struct ir_program *ir)
{
    for (const struct ir_instr *i = ir->first; i; i = i->next)
        if (i->loop && is_looked_at(ir, i))
            return true;
    return false;
}

#define LOOP_ROUNDS 8u /* as often as a loop is thought to run */
#define MAX_LOOP_DEPTH 6u

/* How often an instruction is thought to run. */
static uint64_t
weight_of(const struct ir_instr *i)
{
    uint64_t weight = 1;
    uint32_t depth = 0;
    for (const struct ir_instr *l = i->loop; l && depth < MAX_LOOP_DEPTH; l = l->loop, depth++)
        weight *= LOOP_ROUNDS;
    return weight;
}

bool
ir_parts_mostly(const struct ir_program *ir)
{
    uint64_t all = 0, parted = 0;
    uint32_t depth = 0; /* of IFs where lanes part */
    for (const struct ir_instr *i = ir->first; i; i = i->next) {
        depth += i->op == IR_IF && i->region.is_divergent;
        depth -= i->op == IR_ENDIF && i->region.end->region.is_divergent;
        if (!i->loop || i->type == IR_VOID)
            continue;
        all += weight_of(i);
        parted += depth ? weight_of(i) : 0;
    }
    return all && 16 * parted >= 15 * all;
}

#define SERIAL_SHARE 7u /* scalars for each number of lanes */

bool
ir_is_serial(const struct ir_program *ir)
{
    uint64_t scalar = 0, vector = 0;
    for (const struct ir_instr *i = ir->first; i; i = i->next) {
        if (!i->loop || i->type == IR_VOID || i->op == IR_CONST || i->op == IR_BUILTIN ||
            i->op == IR_PROJ)
            continue;
        if (i->cls == IR_UNIFORM)
            scalar += weight_of(i);
        else
            vector += weight_of(i);
    }
    return scalar >= SERIAL_SHARE * vector && scalar;
}

/* SPDX-License-Identifier: MIT */
/* Takes out extensions and masks of sums and products where nobody reads the bits that they change:
 * arithmetic of 8 and 16 bits that was written in 32.
 */
#include "compute/ir/build.h"
#include "compute/ir/demand.h"
#include "compute/ir/passes.h"

/* As many of the lower bits are those of the operand; 0: it is something else. */
static uint32_t
lowest_kept(const struct ir_instr *i)
{
    if (i->op != IR_AND)
        return ir_extended_bits(i);
    return ir_is_const(i->args[1]) && (uint32_t)i->args[1]->imm != UINT32_MAX
               ? (uint32_t)__builtin_ctz(~(uint32_t)i->args[1]->imm)
               : 0;
}

/* What is loaded stays extended: loads do that, and others ask how it is. */
static bool
can_go(const struct ir_instr *i)
{
    if (!lowest_kept(i))
        return false;
    const enum ir_op made_by = i->args[0]->op;
    return made_by == IR_IADD || made_by == IR_ISUB || made_by == IR_IMUL;
}

/* What operand `arg` of i can be read from; NULL: nothing else. */
static struct ir_instr *
shorter(const uint8_t *demands, const struct ir_instr *i, uint32_t arg)
{
    const struct ir_instr *from = i->args[arg];
    if (!from || !can_go(from) || ir_demand_of(demands, i, arg) > lowest_kept(from))
        return NULL;
    return from->args[0];
}

bool
ir_narrow(struct ir_program *ir)
{
    struct ir_instr *i = ir->first;
    while (i && !can_go(i))
        i = i->next;
    if (!i)
        return false;

    const uint8_t *demands = ir_find_demands(ir);
    bool has_changed = false;
    for (i = ir->first; i; i = i->next)
        for (uint32_t a = 0; a < i->arg_count; a++)
            for (struct ir_instr *s; (s = shorter(demands, i, a)) != NULL; has_changed = true)
                i->args[a] = s;
    return has_changed;
}

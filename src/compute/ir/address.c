/* SPDX-License-Identifier: MIT */
/* Scalars in memory: the sum and the shift that an offset mostly is are part of the access, as they
 * are of a processor's. Serial code looks things up all the time, and each operation of its own
 * costs as much as the access.
 */
#include "compute/ir/build.h"
#include "compute/ir/passes.h"

/* The value that is shifted, or the value itself and 0. */
static struct ir_instr *
without_shift(struct ir_instr *value, uint8_t *shift_out)
{
    *shift_out = 0;
    if (value->op != IR_IMUL || !ir_is_const(value->args[1]))
        return value;
    const uint32_t factor = (uint32_t)value->args[1]->imm;
    if (factor == 0 || (factor & (factor - 1)) != 0)
        return value;
    *shift_out = (uint8_t)__builtin_ctz(factor);
    return value->args[0];
}

static bool
is_scalar_access(const struct ir_program *ir, const struct ir_instr *i)
{
    return (i->op == IR_LOAD || i->op == IR_STORE) && i->cls == IR_UNIFORM && i->comps == 1 &&
           ir_static_memory(ir, i->args[0]) >= 0;
}

static void
fold(struct ir_program *ir, struct ir_instr *i)
{
    struct ir_instr **args = ir_alloc(ir, i->arg_count + 1, sizeof(args[0]));
    struct ir_instr *base = ir_i(ir, 0), *index = without_shift(i->args[1], &i->shift);
    if (index->op == IR_IADD && !i->shift) {
        base = index->args[1];
        index = without_shift(i->args[1]->args[0], &i->shift);
        if (!i->shift) {
            base = i->args[1]->args[0];
            index = without_shift(i->args[1]->args[1], &i->shift);
        }
    }
    for (uint32_t a = 0; a < i->arg_count; a++)
        args[a] = i->args[a];
    args[1] = index;
    args[i->arg_count++] = base;
    i->args = args;
    i->has_base = true;
}

void
ir_fold_addresses(struct ir_program *ir)
{
    for (struct ir_instr *i = ir->first; i; i = i->next) {
        for (uint32_t a = 0; a < i->arg_count; a++)
            i->args[a] = ir_resolve(i->args[a]);
        if (is_scalar_access(ir, i))
            fold(ir, i);
    }
}

/* SPDX-License-Identifier: MIT */
/* How many bits of an integer anybody reads, counted from the lowest. Stores of bytes, extensions
 * and masks read few; sums and products hand on what is read of them.
 */
#include "compute/ir/demand.h"

#include "compute/ir/build.h"
#include "util/compiler.h"

#define MAX_SWEEPS 32u /* over loops in loops; then everything counts as read */

/* Do the lower bits of the result depend on as many of this operand, and on no more? */
static bool
keeps_low_bits(const struct ir_instr *i, uint32_t arg)
{
    switch (i->op) {
    case IR_INEG:
    case IR_INOT:
    case IR_IADD:
    case IR_ISUB:
    case IR_IMUL:
    case IR_IMAD:
    case IR_SAD3:
    case IR_AND:
    case IR_OR:
    case IR_XOR:
    case IR_XOR3:
    case IR_MAJORITY:
    case IR_BITSEL:
    case IR_PHI:
        return true;
    case IR_SEL:
        return arg != 0;
    case IR_SHL:
        return arg == 0;
    case IR_SHLADD:
    case IR_SHLOR:
        return arg != 1;
    default:
        return false;
    }
}

static bool
is_stored_value(const struct ir_instr *i, uint32_t arg)
{
    return i->op == IR_STORE && !i->has_base && arg >= (i->is_linear ? 5u : 2u);
}

uint32_t
ir_extended_bits(const struct ir_instr *i)
{
    switch (i->op) {
    case IR_SEXT8:
    case IR_ZEXT8:
        return 8;
    case IR_SEXT16:
    case IR_ZEXT16:
        return 16;
    default:
        return 0;
    }
}

/* Of an operation that leaves the lower bits of its first operand and no others; else 32. */
static uint32_t
highest_kept(const struct ir_instr *i)
{
    const uint32_t extended = ir_extended_bits(i);
    if (extended)
        return extended;
    if (i->op != IR_AND || !ir_is_const(i->args[1]))
        return 32;
    const uint32_t mask = (uint32_t)i->args[1]->imm;
    return mask == 0 ? 0 : 32 - (uint32_t)__builtin_clz(mask);
}

uint32_t
ir_demand_of(const uint8_t *demands, const struct ir_instr *i, uint32_t arg)
{
    const uint32_t kept = highest_kept(i);
    if (is_stored_value(i, arg) && i->aux < 4)
        return 8u * i->aux;
    if (kept < 32 && arg == 0)
        return RP_MIN(kept, demands[i->index]);
    return keeps_low_bits(i, arg) ? demands[i->index] : 32;
}

/* Goes backwards through all of it once; false: nothing was read that was not before. */
static bool
sweep(const struct ir_program *ir, uint8_t *demands)
{
    bool has_changed = false;
    for (const struct ir_instr *i = ir->last; i; i = i->prev)
        for (uint32_t a = 0; a < i->arg_count; a++) {
            const struct ir_instr *arg = i->args[a];
            if (!arg || arg->op == IR_CONST || arg->op == IR_BUILTIN)
                continue;
            const uint32_t demand = ir_demand_of(demands, i, a);
            if (demand <= demands[arg->index])
                continue;
            demands[arg->index] = (uint8_t)demand;
            has_changed = true;
        }
    return has_changed;
}

const uint8_t *
ir_find_demands(struct ir_program *ir)
{
    uint32_t count = 0;
    for (struct ir_instr *i = ir->first; i; i = i->next)
        i->index = count++;
    uint8_t *demands = ir_alloc(ir, count + 1, sizeof(demands[0]));
    for (uint32_t s = 0; s < MAX_SWEEPS; s++)
        if (!sweep(ir, demands))
            return demands;
    for (uint32_t n = 0; n < count; n++)
        demands[n] = 32;
    return demands;
}

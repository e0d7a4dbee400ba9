/* SPDX-License-Identifier: MIT */
/* Two operations on scalars become one where nothing else uses the result of the first. Serial code
 * waits for each of its scalars to come back from memory; fuse.c knows only some pairs, for lanes.
 */
#include "compute/ir/pair.h"
#include "compute/ir/build.h"
#include "compute/ir/emitter.h"
#include "compute/ir/passes.h"

#define MAX_DISTANCE 48u /* instructions that the first may move over */

struct pair {
    uint16_t code; /* enum rp_exec_op */
    uint8_t first, second;
    bool is_reversed;
};

/* clang-format off */
static const struct pair pairs[] = {
#define PAIR(first, second) {RP_X_PAIR_##first##_##second, IR_##first, IR_##second, false},
#define PAIR_R(first, second) {RP_X_PAIR_##first##_R##second, IR_##first, IR_##second, true},
    RP_EXEC_PAIRS(PAIR, PAIR_R)
};
/* clang-format on */

/* Bools that are scalars are the numbers 0 and 1. */
static uint8_t
number_op(const struct ir_instr *i)
{
    switch (i->op) {
    case IR_BAND:
        return IR_AND;
    case IR_BOR:
        return IR_OR;
    case IR_BXOR:
        return IR_XOR;
    default:
        return i->op;
    }
}

static bool
is_commutative(uint8_t op)
{
    return op != IR_ISUB && op != IR_SHL && op != IR_SHR && op != IR_SAR;
}

uint32_t
ir_pair_code(const struct ir_instr *first, const struct ir_instr *second)
{
    const uint8_t a = number_op(first), b = number_op(second);
    const bool is_reversed = second->args[0] != first && !is_commutative(b);
    for (uint32_t p = 0; p < sizeof(pairs) / sizeof(pairs[0]); p++)
        if (pairs[p].first == a && pairs[p].second == b && pairs[p].is_reversed == is_reversed)
            return pairs[p].code;
    return RP_X_COUNT;
}

static bool
is_scalar_operation(const struct ir_instr *i)
{
    return ir_op_is_arithmetic(i->op) && i->cls == IR_UNIFORM && i->type != IR_L;
}

/* Does nothing between them mind where the first one stands? */
static bool
is_near(const struct ir_instr *first, const struct ir_instr *second)
{
    uint32_t distance = 0;
    for (const struct ir_instr *i = first->next; i != second; i = i->next)
        if (!i || ++distance > MAX_DISTANCE ||
            !(ir_op_is_arithmetic(i->op) || i->op == IR_LOAD || i->op == IR_STORE ||
              i->op == IR_IMAGE || i->op == IR_PROJ))
            return false;
    return true;
}

static void
move_in_front(struct ir_program *ir, struct ir_instr *first, struct ir_instr *second)
{
    if (second->prev == first)
        return;
    ir_remove(ir, first);
    ir->cursor = second->prev;
    ir_place(ir, first);
}

static void
pair_up(struct ir_program *ir, struct ir_instr *second)
{
    for (uint32_t a = 0; a < second->arg_count; a++) {
        struct ir_instr *first = second->args[a];
        if (first->use_count != 1 || first->pair || !is_scalar_operation(first) ||
            ir_pair_code(first, second) == RP_X_COUNT || !is_near(first, second))
            continue;
        move_in_front(ir, first, second);
        first->pair = IR_PAIR_FIRST;
        second->pair = IR_PAIR_SECOND;
        return;
    }
}

static void
count_uses(struct ir_program *ir)
{
    for (struct ir_instr *i = ir->first; i; i = i->next)
        i->use_count = 0;
    for (struct ir_instr *i = ir->first; i; i = i->next)
        for (uint32_t a = 0; a < i->arg_count; a++)
            if (i->args[a])
                i->args[a]->use_count++;
}

/* Does something between them read an operand of the first, and maybe puts its result there? */
static bool
is_shared(const struct ir_instr *first, const struct ir_instr *second)
{
    for (const struct ir_instr *i = first->next; i != second; i = i->next)
        for (uint32_t a = 0; a < i->arg_count; a++)
            for (uint32_t f = 0; f < first->arg_count; f++)
                if (i->args[a] == first->args[f] && !ir_is_const(i->args[a]))
                    return true;
    return false;
}

/* In front of the IF they are one operation with the jump, if nothing stands between. */
static void
move_condition(struct ir_program *ir, struct ir_instr *begin)
{
    struct ir_instr *cond = begin->args[0];
    if (cond->use_count == 1 && ir_op_is_arithmetic(cond->op) && cond->cls == IR_UNIFORM &&
        ir_emit_if_code(cond) != RP_X_COUNT && is_near(cond, begin) && !is_shared(cond, begin))
        move_in_front(ir, cond, begin);
}

/* Would it, in front of the IF, be one operation with the jump? */
static bool
is_condition(const struct ir_instr *i)
{
    return i->next && i->next->op == IR_IF && i->next->args[0] == i;
}

void
ir_pair_scalars(struct ir_program *ir)
{
    count_uses(ir);
    for (struct ir_instr *i = ir->first; i; i = i->next)
        if (i->op == IR_IF && !i->region.is_divergent)
            move_condition(ir, i);
    for (struct ir_instr *i = ir->first; i; i = i->next)
        if (is_scalar_operation(i) && !is_condition(i))
            pair_up(ir, i);
}

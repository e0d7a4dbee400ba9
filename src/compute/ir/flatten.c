/* SPDX-License-Identifier: MIT */
/* Short branches without effects run for all lanes, and their PHIs become selections: masks cost
 * more than a few operations.
 */
#include "compute/ir/build.h"
#include "compute/ir/passes.h"

#define MAX_COST 16u /* of both arms */
#define DEAR_COST 4u /* of a square root or division, where other operations are 1 */
#define MAX_LOADS 2u

static bool
is_cheap(const struct ir_instr *i)
{
    if (i->op == IR_SEL || i->op == IR_BSEL || i->op == IR_BNOT)
        return true;
    if (!ir_op_is_arithmetic(i->op) || i->type == IR_L)
        return false;
    for (uint32_t a = 0; a < i->arg_count; a++)
        if (i->args[a]->type == IR_L)
            return false;
    return !(i->op >= IR_EXP2 && i->op <= IR_FREXPE) && !(i->op >= IR_UDIV && i->op <= IR_SMOD) &&
           !(i->op >= IR_FREM && i->op <= IR_LDEXP);
}

/* Loads of the kernel's own memory are checked against it: they may run where the shader would
 * not. */
static bool
is_harmless(const struct ir_instr *i, uint32_t *loads)
{
    if (i->op == IR_PROJ)
        return i->args[0]->op == IR_LOAD;
    if (i->op == IR_LOAD)
        return ir_is_own_memory(i->args[0]) && ++*loads <= MAX_LOADS;
    return is_cheap(i);
}

/* Where all lanes go the same way a branch costs no more than an operation: only a choice between
 * what is there anyway is cheaper. */
static bool
is_one_choice(const struct ir_instr *begin)
{
    const struct ir_instr *end = begin->region.end;
    return begin->next == begin->region.other && begin->next->next == end && end->next &&
           end->next->op == IR_PHI && end->next->next->op != IR_PHI;
}

static bool
can_flatten(const struct ir_instr *begin)
{
    uint32_t cost = 0, loads = 0;
    if (!begin->region.is_divergent)
        return is_one_choice(begin);
    for (const struct ir_instr *i = begin->next; i->op != IR_ENDIF; i = i->next) {
        if (i == begin->region.other)
            continue;
        if (ir_is_marker(i) || !is_harmless(i, &loads))
            return false;
        cost += i->op == IR_SQRT || i->op == IR_RSQRT || i->op == IR_FDIV ? DEAR_COST : 1;
        if (cost > MAX_COST)
            return false;
    }
    return true;
}

/* Returns what stands behind it. */
static struct ir_instr *
flatten(struct ir_program *ir, struct ir_instr *begin)
{
    struct ir_instr *end = begin->region.end, *cond = ir_resolve(begin->args[0]);

    ir->cursor = end;
    while (ir->cursor->next && ir->cursor->next->op == IR_PHI)
        ir->cursor = ir->cursor->next;
    for (struct ir_instr *phi = end->next, *next; phi && phi->op == IR_PHI; phi = next) {
        struct ir_instr *yes = ir_resolve(phi->args[0]), *no = ir_resolve(phi->args[1]);
        next = phi->next;
        phi->forward = !yes ? no : !no ? yes : ir_select(ir, cond, yes, no);
    }
    while (end->next && end->next->op == IR_PHI)
        ir_remove(ir, end->next);
    struct ir_instr *behind = end->next;
    ir_remove(ir, begin->region.other);
    ir_remove(ir, end);
    ir_remove(ir, begin);
    return behind;
}

void
ir_flatten(struct ir_program *ir)
{
    ir_find_classes(ir);
    for (struct ir_instr *i = ir->first, *next; i; i = next) {
        next = i->next;
        for (uint32_t a = 0; a < i->arg_count; a++)
            i->args[a] = ir_resolve(i->args[a]);
        if (i->op == IR_ENDIF && can_flatten(i->region.end))
            next = flatten(ir, i->region.end);
    }
}

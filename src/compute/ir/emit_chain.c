/* SPDX-License-Identifier: MIT */
/* Writes chains of products and sums (chain.c, exec/chain.c).
 */
#include "compute/exec/op_list.h"
#include "compute/ir/emitter.h"

struct ir_instr *
ir_emit_chain(struct ir_emitter *e, struct ir_instr *first)
{
    const uint32_t steps = first->chain.steps;
    if (!steps)
        return NULL;
    struct ir_instr *last = first;
    for (uint32_t step = 1; step < steps; step++)
        last = last->next;

    const bool is_narrow = first->chain.is_narrow, is_square = first->args[0] == first->args[1];
    if (is_square) {
        ir_emit_op(e, is_narrow ? RP_X_SQUARES_I16 : RP_X_SQUARES_I32);
        struct rp_op *op = ir_emit_last(e);
        op->d = last->reg;
        op->a = first->args[0]->reg;
        op->b = first->args[2]->reg;
        op->i = first->args[2]->cls == IR_UNIFORM;
        op->n = (uint16_t)steps;
        return last;
    }
    ir_emit_op(e, is_narrow ? RP_X_TURNS_I16 : RP_X_TURNS_I32);
    struct rp_op *op = ir_emit_last(e);
    op->a = first->args[2]->reg;
    op->b = first->args[first->args[0] == first->args[2]]->reg;
    op->c = last->prev->reg;
    op->d = last->reg;
    op->n = (uint16_t)(steps / 2);
    return last;
}

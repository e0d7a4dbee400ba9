/* SPDX-License-Identifier: MIT */
/* Which loads may read ahead in loops (exec/walk.c): lanes that go along rows of their own, as long
 * as nothing may write there before the words are wanted.
 */
#include "compute/exec/exec.h"
#include "compute/exec/op_list.h"
#include "compute/ir/emitter.h"

static bool
may_write(const struct ir_instr *i)
{
    switch (i->op) {
    case IR_STORE:
        return !ir_is_own_memory(i->args[0]);
    case IR_ATOMIC:
    case IR_IMAGE:
        return true;
    default:
        return false;
    }
}

static const struct ir_instr *
outermost(const struct ir_instr *loop)
{
    while (loop && loop->loop)
        loop = loop->loop;
    return loop;
}

static bool
is_safe(struct ir_emitter *e, const struct ir_instr *loop)
{
    if (e->walk_loop == loop)
        return e->is_walk_safe;
    e->walk_loop = loop;
    e->is_walk_safe = true;
    for (const struct ir_instr *i = loop; i != loop->region.end; i = i->next)
        e->is_walk_safe &= !may_write(i);
    return e->is_walk_safe;
}

bool
ir_emit_may_walk(struct ir_emitter *e, const struct ir_instr *load)
{
    const struct ir_instr *stride = load->args[2], *loop = outermost(load->loop);
    if (e->out->walk_count == RP_WALKS || load->aux != 4 || load->comps != 1 || !loop ||
        !load->args[1]->loop || e->ir->is_watched || e->ir->orders_memory ||
        ir_static_memory(e->ir, load->args[0]) < 0 || ir_is_own_memory(load->args[0]))
        return false;
    if (ir_is_const(stride) && stride->imm < 4 * (RP_WALK_WORDS + 1))
        return false;
    return is_safe(e, loop);
}

/* SPDX-License-Identifier: MIT */
/* Writes the interpreter's records: one walk over the list; jumps are patched when the end of
 * their construct is known.
 */
#include "compute/ir/emit.h"

#include "compute/exec/exec.h"
#include "compute/ir/build.h"
#include "compute/ir/emitter.h"
#include "compute/ir/reduction.h"

#include <string.h>

/* A factor of a MAC: where its load was written, or its register. */
static void
set_factor(const struct ir_emitter *e, uint32_t mac_op, const struct ir_instr *value, uint32_t *r)
{
    const uint32_t at = value->op == IR_LOAD ? e->records[value->index] : 0;
    const bool is_load = at > mac_op;
    r[0] = is_load ? RP_MAC_LOAD : value->cls == IR_UNIFORM ? RP_MAC_SCALAR : RP_MAC_VECTOR;
    r[1] = is_load ? at - mac_op : value->reg;
}

/* Is what it loads at the same place in every chunk? */
static bool
is_fixed_load(const struct ir_instr *i)
{
    bool is_fixed = i->op == IR_LOAD && ir_is_own_memory(i->args[0]);
    for (uint32_t a = 1; a < i->arg_count; a++)
        is_fixed &= i->args[a]->op == IR_CONST || i->args[a]->is_fixed;
    return is_fixed;
}

/* The MAC, its factors, then all that it stands for. Returns the last of that. */
static struct ir_instr *
emit_mac(struct ir_emitter *e, const struct ir_instr *mac)
{
    struct ir_instr *last = mac->mac.last;
    const uint32_t at = ir_emit_op(e, last->op == IR_MAD ? RP_X_MAC_F32
                                      : mac->aux == 2    ? RP_X_MAC_I16
                                                         : RP_X_MAC_I32);
    ir_emit_last(e)->d = last->reg;
    ir_emit_last(e)->n = (uint16_t)mac->mac.count;
    for (uint32_t t = 0; t <= mac->mac.count; t++)
        ir_emit_more(e);
    uint32_t term = 0;
    bool is_fixed = e->kept_macs < RP_KEPT_MACS;
    for (struct ir_instr *i = mac->next; i != last->next; i = i->next) {
        e->records[i->index] = e->out->op_count;
        if (i->op == IR_LOAD) {
            is_fixed &= is_fixed_load(i);
            ir_emit_memory(e, i);
            continue;
        }
        ir_emit_arithmetic(e, i);
        struct rp_op_more *more = (struct rp_op_more *)&e->out->ops[at + 1];
        if (term == 0)
            set_factor(e, at, i->args[2], more[0].r);
        set_factor(e, at, i->args[0], more[1 + term].r);
        set_factor(e, at, i->args[1], more[1 + term].r + 3);
        term++;
    }
    if (is_fixed)
        ((struct rp_op_more *)&e->out->ops[at + 1])->r[2] = ++e->kept_macs;
    e->out->ops[at].i = (int32_t)(e->out->op_count - at);
    return last;
}

/* The steps follow it. */
static void
emit_reduction(struct ir_emitter *e, const struct ir_instr *i)
{
    const struct ir_reduction *reduction = i->reduction;
    e->reduction_end = reduction->last;
    e->reduction_op = ir_emit_op(e, RP_X_REDUCTION);
    struct rp_op *op = ir_emit_last(e);
    op->a = i->args[0]->reg;
    op->b = IR_MEMORY_SHARED;
    op->d = (uint32_t)reduction->store->imm;
    op->n = (uint16_t)reduction->count;
    for (uint32_t r = 0; r < RP_REDUCTION_RECORDS; r++)
        memcpy(ir_emit_more(e), (const char *)&reduction->record + r * sizeof(struct rp_op_more),
               sizeof(struct rp_op_more));
}

static void
emit_probe(struct ir_emitter *e, const struct ir_instr *i)
{
    ir_emit_op(e, RP_X_PROBE);
    ir_emit_last(e)->a = (uint32_t)i->imm;
    if (!e->ir->has_accesses)
        return;
    ir_emit_op(e, RP_X_RECORD_BLOCK);
    ir_emit_last(e)->a = (uint32_t)i->imm;
    ir_emit_last(e)->b = IR_GROUP_X * 8;
}

static void
emit_instr(struct ir_emitter *e, struct ir_instr *i)
{
    if (ir_op_is_arithmetic(i->op)) {
        if (i->cls != IR_LINEAR && !ir_emit_is_exit_compare(i) && !ir_emit_is_exit_inversion(i))
            ir_emit_arithmetic(e, i);
        return;
    }
    switch (i->op) {
    case IR_SPLAT:
        ir_emit_splat(e, i);
        break;
    case IR_AFFINE:
        ir_emit_affine(e, i);
        break;
    case IR_LCMP:
    case IR_GUARD:
        ir_emit_lcmp(e, i);
        break;
    case IR_PROLOGUE:
        ir_emit_op(e, RP_X_END);
        e->out->main_op = e->out->op_count;
        break;
    case IR_LOAD:
    case IR_STORE:
    case IR_ATOMIC:
    case IR_SIZE:
    case IR_LANE_LOAD:
    case IR_LANE_STORE:
    case IR_SUBGROUP:
    case IR_IMAGE:
    case IR_ACCESS:
        ir_emit_memory(e, i);
        break;
    case IR_PROBE:
        emit_probe(e, i);
        break;
    case IR_BARRIER:
        if (e->ir->has_accesses) {
            ir_emit_op(e, RP_X_RECORD_BARRIER);
            ir_emit_last(e)->a = (uint32_t)i->imm;
        }
        break;
    case IR_REDUCTION:
        emit_reduction(e, i);
        break;
    default:
        if (ir_is_marker(i))
            ir_emit_marker(e, i);
        break;
    }
    if (i == e->reduction_end)
        e->out->ops[e->reduction_op].i = (int32_t)(e->out->op_count - e->reduction_op);
}

static void
collect_constants(struct ir_emitter *e)
{
    struct ir_output *out = e->out;
    for (uint32_t pass = 0; pass < 2; pass++) {
        uint32_t count = 0;
        for (uint32_t c = 0; c < e->ir->const_buckets; c++)
            for (const struct ir_instr *i = e->ir->const_table[c]; i; i = i->next, count++)
                if (pass)
                    out->consts[count] = (struct ir_const_slot){i->reg, i->imm};
        if (!pass)
            out->consts = ir_alloc(e->ir, count + 1, sizeof(out->consts[0]));
        out->const_count = count;
    }
}

void
ir_emit(struct ir_program *ir, const struct rp_exec_table *table, struct ir_output *out)
{
    struct ir_emitter e = {.ir = ir, .table = table, .out = out};

    ir_i(ir, 1); /* wanted by negations: exists before registers are numbered */
    ir_i(ir, 0);
    ir_allocate(ir, &out->regs);
    e.records = ir_alloc(ir, ir->last ? ir->last->index + 1 : 1, sizeof(e.records[0]));
    ir_emit_begin(&e);
    for (struct ir_instr *i = ir->first; i; i = i->next) {
        struct ir_instr *last = e.skip_to ? NULL : ir_emit_chain(&e, i);
        if (!last && !e.skip_to)
            last = ir_emit_tile(&e, i);
        if (last)
            i = last;
        else if (!e.skip_to && i->op == IR_MAC)
            i = emit_mac(&e, i);
        else if (!e.skip_to)
            emit_instr(&e, i);
        else if (i == e.skip_to)
            e.skip_to = NULL;
    }
    ir_emit_end(&e);
    collect_constants(&e);
}

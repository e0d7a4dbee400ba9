/* SPDX-License-Identifier: MIT */
/* Appends records to the program, and the moves that give PHIs their values.
 */
#include "compute/exec/exec.h"
#include "compute/ir/emitter.h"

#include <string.h>

struct move {
    enum ir_bank bank;
    uint32_t to;
    uint32_t from;
    bool is_scalar_source; /* into lanes */
};

struct moves {
    struct move *items;
    uint32_t count;
};

void
ir_emit_set_code(struct ir_emitter *e, uint32_t op, uint32_t code)
{
    if (code != RP_X_COUNT)
        e->out->ops[op].fn = rp_exec_handler(e->table, code);
    e->out->codes[op] = (uint16_t)code;
}

uint32_t
ir_emit_op(struct ir_emitter *e, uint32_t code)
{
    struct ir_output *out = e->out;

    if (out->op_count == out->op_capacity) {
        const uint32_t capacity = out->op_capacity ? 2 * out->op_capacity : 256;
        struct rp_op *ops = ir_alloc(e->ir, capacity, sizeof(ops[0]));
        uint16_t *codes = ir_alloc(e->ir, capacity, sizeof(codes[0]));
        if (out->op_count) {
            memcpy(ops, out->ops, out->op_count * sizeof(ops[0]));
            memcpy(codes, out->codes, out->op_count * sizeof(codes[0]));
        }
        out->ops = ops;
        out->codes = codes;
        out->op_capacity = capacity;
    }
    out->ops[out->op_count] = (struct rp_op){.level = e->level};
    ir_emit_set_code(e, out->op_count, code);
    return out->op_count++;
}

struct rp_op *
ir_emit_last(struct ir_emitter *e)
{
    return &e->out->ops[e->out->op_count - 1];
}

struct rp_op_more *
ir_emit_more(struct ir_emitter *e)
{
    const uint32_t at = ir_emit_op(e, RP_X_COUNT);
    struct rp_op_more *more = (struct rp_op_more *)&e->out->ops[at];
    *more = (struct rp_op_more){{0}};
    return more;
}

static uint32_t
move_code(enum ir_bank bank, bool is_scalar_source, bool is_masked)
{
    switch (bank) {
    case IR_BANK_SCALAR:
        return RP_X_MOV64_S;
    case IR_BANK_MASK:
        return is_masked ? (is_scalar_source ? RP_X_MOVMB_S : RP_X_MOVMB_V)
                         : (is_scalar_source ? RP_X_SPLATB : RP_X_MOVB_V);
    case IR_BANK_LONG:
        return is_masked ? (is_scalar_source ? RP_X_MOVM64_S : RP_X_MOVM64_V)
                         : (is_scalar_source ? RP_X_SPLAT64 : RP_X_MOV64_V);
    default:
        return is_masked ? (is_scalar_source ? RP_X_MOVM_S : RP_X_MOVM_V)
                         : (is_scalar_source ? RP_X_SPLAT : RP_X_MOV_V);
    }
}

static void
emit_move(struct ir_emitter *e, const struct move *m, bool is_masked)
{
    ir_emit_op(e, move_code(m->bank, m->is_scalar_source, is_masked));
    ir_emit_last(e)->d = m->to;
    ir_emit_last(e)->a = m->from;
}

static bool
is_read_by_others(const struct moves *moves, uint32_t which)
{
    for (uint32_t i = 0; i < moves->count; i++)
        if (i != which && moves->items[i].from == moves->items[which].to)
            return true;
    return false;
}

/* All at once: a register may be read by one move and written by another. */
static void
emit_moves(struct ir_emitter *e, struct moves *moves, bool is_masked)
{
    while (moves->count) {
        uint32_t i = 0;
        while (i < moves->count && is_read_by_others(moves, i))
            i++;
        if (i == moves->count) { /* a cycle: one value steps aside */
            struct move *m = &moves->items[0];
            const struct move aside = {m->bank, e->out->regs.temp[m->bank], m->from, false};
            emit_move(e, &aside, false);
            const uint32_t from = m->from;
            for (uint32_t k = 0; k < moves->count; k++)
                if (moves->items[k].from == from)
                    moves->items[k].from = aside.to;
            continue;
        }
        if (moves->items[i].to != moves->items[i].from)
            emit_move(e, &moves->items[i], is_masked);
        moves->items[i] = moves->items[--moves->count];
    }
}

static bool
is_moved(const struct ir_instr *phi, const struct ir_instr *value)
{
    return value && phi->cls != IR_LINEAR && value->reg != phi->reg;
}

bool
ir_emit_has_moves(const struct ir_instr *marker, uint32_t edge)
{
    for (const struct ir_instr *p = marker->next; p && p->op == IR_PHI; p = p->next)
        if (is_moved(p, edge < p->arg_count ? p->args[edge] : NULL))
            return true;
    return false;
}

void
ir_emit_phis(struct ir_emitter *e, const struct ir_instr *marker, uint32_t edge, bool is_masked)
{
    struct moves moves = {0};
    uint32_t count = 0;
    for (const struct ir_instr *p = marker->next; p && p->op == IR_PHI; p = p->next)
        count++;
    moves.items = ir_alloc(e->ir, count + 1, sizeof(moves.items[0]));
    for (const struct ir_instr *p = marker->next; p && p->op == IR_PHI; p = p->next) {
        const struct ir_instr *value = edge < p->arg_count ? p->args[edge] : NULL;
        if (!is_moved(p, value))
            continue;
        const bool is_scalar = value->cls == IR_UNIFORM;
        moves.items[moves.count++] =
            (struct move){ir_bank_of(p), p->reg, value->reg, is_scalar && p->cls != IR_UNIFORM};
    }
    emit_moves(e, &moves, is_masked);
}

void
ir_emit_splat(struct ir_emitter *e, const struct ir_instr *i)
{
    const struct move m = {ir_bank_of(i), i->reg, i->args[0]->reg, true};
    emit_move(e, &m, false);
}

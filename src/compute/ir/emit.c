/* SPDX-License-Identifier: MIT */
/* Writes the interpreter's records: one walk over the list; jumps are patched when the end of
 * their construct is known.
 */
#include "compute/ir/emitter.h"

#include <string.h>

uint32_t
emit_op(struct emit *e, uint32_t code)
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
    struct rp_op *op = &out->ops[out->op_count];
    *op = (struct rp_op){.level = e->level};
    if (code < RP_X_COUNT)
        op->fn = e->table->handlers[code];
    out->codes[out->op_count] = (uint16_t)code;
    return out->op_count++;
}

struct rp_op *
emit_last(struct emit *e)
{
    return &e->out->ops[e->out->op_count - 1];
}

struct rp_op_more *
emit_more(struct emit *e)
{
    const uint32_t at = emit_op(e, RP_X_COUNT);
    struct rp_op_more *more = (struct rp_op_more *)&e->out->ops[at];
    *more = (struct rp_op_more){{0}};
    return more;
}

/* Moves. */

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
emit_move(struct emit *e, const struct move *m, bool is_masked)
{
    emit_op(e, move_code(m->bank, m->is_scalar_source, is_masked));
    emit_last(e)->d = m->to;
    emit_last(e)->a = m->from;
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
emit_moves(struct emit *e, struct moves *moves, bool is_masked)
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

/* The PHIs behind a marker get operand `edge`. */
void
emit_phis(struct emit *e, const struct ir_instr *marker, uint32_t edge, bool is_masked)
{
    struct moves moves = {0};
    uint32_t count = 0;
    for (const struct ir_instr *p = marker->next; p && p->op == IR_PHI; p = p->next)
        count++;
    moves.items = ir_alloc(e->ir, count + 1, sizeof(moves.items[0]));
    for (const struct ir_instr *p = marker->next; p && p->op == IR_PHI; p = p->next) {
        const struct ir_instr *value = edge < p->arg_count ? p->args[edge] : NULL;
        if (!value || p->cls == IR_LINEAR || value->reg == p->reg)
            continue;
        const bool is_scalar = value->cls == IR_UNIFORM;
        moves.items[moves.count++] =
            (struct move){ir_bank_of(p), p->reg, value->reg, is_scalar && p->cls != IR_UNIFORM};
    }
    emit_moves(e, &moves, is_masked);
}

/* Arithmetic. */

/* Forms of an operation by which operands are scalars, as they follow each other in the enum. */
static uint32_t
form_of(const struct ir_instr *i, uint32_t first)
{
    const bool s0 = i->args[0]->cls == IR_UNIFORM;
    const bool s1 = i->arg_count > 1 && i->args[1]->cls == IR_UNIFORM;
    const bool s2 = i->arg_count > 2 && i->args[2]->cls == IR_UNIFORM;

    if (i->cls == IR_UNIFORM)
        return first + (i->arg_count == 1 ? 1 : i->arg_count == 2 ? 3 : 4);
    if (i->arg_count == 2)
        return first + (s0 ? 2 : s1 ? 1 : 0);
    return i->arg_count == 1 ? first : first + (s1 ? 2 : 0) + (s2 ? 1 : 0);
}

/* clang-format off */
static const uint16_t first_forms[IR_ARITHMETIC_END] = {
#define FIRST_V(name) [IR_##name] = RP_X_##name##_V,
#define FIRST_VV(name) [IR_##name] = RP_X_##name##_VV,
#define FIRST_VVV(name) [IR_##name] = RP_X_##name##_VVV,
    RP_OPS_I_I(FIRST_V) RP_OPS_L_L(FIRST_V) RP_OPS_L_I(FIRST_V) RP_OPS_I_L(FIRST_V)
    RP_OPS_I_II_COMM(FIRST_VV) RP_OPS_I_II(FIRST_VV) RP_OPS_L_LL(FIRST_VV) RP_OPS_L_LI(FIRST_VV)
    RP_OPS_L_II(FIRST_VV) RP_OPS_B_II(FIRST_VV) RP_OPS_B_LL(FIRST_VV) RP_OPS_I_III(FIRST_VVV)
    RP_OPS_B_BB(FIRST_VV)
};
/* clang-format on */

static bool
has_two_forms(enum ir_op op)
{
    switch (op) {
        /* clang-format off */
#define TWO(name) case IR_##name:
        RP_OPS_L_LL(TWO) RP_OPS_L_LI(TWO) RP_OPS_L_II(TWO) RP_OPS_B_LL(TWO)
            /* clang-format on */
            return true;
    default:
        return false;
    }
}

/* Uniform bools are the scalars 0 and 1. */
static uint32_t
uniform_bool_code(enum ir_op op)
{
    switch (op) {
    case IR_BAND:
        return RP_X_AND_SS;
    case IR_BOR:
        return RP_X_OR_SS;
    case IR_BXOR:
        return RP_X_XOR_SS;
    case IR_BNOT:
        return RP_X_XOR_SS;
    case IR_BSEL:
        return RP_X_SEL_SSS;
    default:
        return RP_X_COUNT;
    }
}

static uint32_t
arithmetic_code(const struct ir_instr *i)
{
    const bool is_uniform = i->cls == IR_UNIFORM;
    if (is_uniform && uniform_bool_code(i->op) != RP_X_COUNT)
        return uniform_bool_code(i->op);

    switch (i->op) {
    case IR_BNOT:
        return RP_X_BNOT_V;
    case IR_BSEL:
        return RP_X_BSEL_VVV;
    case IR_SEL:
        return is_uniform ? RP_X_SEL_SSS
                          : RP_X_SEL_VVV + (i->args[1]->cls == IR_UNIFORM ? 2u : 0u) +
                                (i->args[2]->cls == IR_UNIFORM ? 1u : 0u);
    case IR_SEL64:
        return is_uniform ? RP_X_SEL64_SSS : RP_X_SEL64_VVV;
    case IR_MAD64:
        return is_uniform ? RP_X_MAD64_SSS : RP_X_MAD64_VVV;
    default:
        if (has_two_forms(i->op))
            return first_forms[i->op] + (is_uniform ? 1u : 0u);
        return i->type == IR_B && i->op >= IR_BAND ? first_forms[i->op]
                                                   : form_of(i, first_forms[i->op]);
    }
}

uint32_t
emit_exit_code(const struct ir_instr *i)
{
    static const uint16_t codes[IR_ARITHMETIC_END] = {
#define EXIT_VV(name) [IR_##name] = RP_X_EXIT_##name##_VV,
        RP_OPS_B_II(EXIT_VV)};
    return i->op < IR_ARITHMETIC_END && codes[i->op] ? form_of(i, codes[i->op]) : RP_X_COUNT;
}

static void
emit_arithmetic(struct emit *e, const struct ir_instr *i)
{
    emit_op(e, arithmetic_code(i));
    struct rp_op *op = emit_last(e);
    op->d = i->reg;
    op->a = i->args[0]->reg;
    if (i->arg_count > 1)
        op->b = i->args[1]->reg;
    if (i->arg_count > 2)
        op->c = i->args[2]->reg;
    if (i->op == IR_BNOT && i->cls == IR_UNIFORM)
        op->b = ir_i(e->ir, 1)->reg;
    if (i->cls == IR_UNIFORM)
        e->out->scalar_op_count++;
}

static void
emit_lanes(struct emit *e, const struct ir_instr *i)
{
    if (i->op == IR_SPLAT) {
        emit_op(e, move_code(ir_bank_of(i), true, false));
        emit_last(e)->d = i->reg;
        emit_last(e)->a = i->args[0]->reg;
        return;
    }
    emit_op(e, RP_X_AFFINE);
    struct rp_op *op = emit_last(e);
    op->d = i->reg;
    op->a = i->args[0]->reg;
    op->b = i->args[1]->reg;
    op->c = i->args[2]->reg;
    emit_more(e)->r[0] = i->args[3]->reg;
}

static void
emit_lcmp(struct emit *e, const struct ir_instr *i)
{
    emit_op(e, i->op == IR_GUARD ? RP_X_GUARD : RP_X_LCMP);
    struct rp_op *op = emit_last(e);
    op->d = i->reg;
    op->a = i->args[0]->reg;
    op->b = i->args[1]->reg;
    op->c = i->args[4]->reg;
    op->n = i->aux;
    struct rp_op_more *more = emit_more(e);
    more->r[0] = i->args[2]->reg;
    more->r[1] = i->args[3]->reg;
}

/* A factor of a MAC: where its load was written, or its register. */
static void
set_factor(uint32_t mac_op, const struct ir_instr *value, uint32_t *r)
{
    const bool is_load = value->op == IR_LOAD && value->emitted_at > mac_op;
    r[0] = is_load ? RP_MAC_LOAD : value->cls == IR_UNIFORM ? RP_MAC_SCALAR : RP_MAC_VECTOR;
    r[1] = is_load ? value->emitted_at - mac_op : value->reg;
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
emit_mac(struct emit *e, const struct ir_instr *mac)
{
    struct ir_instr *last = mac->mac.last;
    const uint32_t at = emit_op(e, last->op == IR_MAD ? RP_X_MAC_F32
                                   : mac->aux == 2    ? RP_X_MAC_I16
                                                      : RP_X_MAC_I32);
    emit_last(e)->d = last->reg;
    emit_last(e)->n = (uint16_t)mac->mac.count;
    for (uint32_t t = 0; t <= mac->mac.count; t++)
        emit_more(e);
    uint32_t term = 0;
    bool is_fixed = e->kept_macs < RP_KEPT_MACS;
    for (struct ir_instr *i = mac->next; i != last->next; i = i->next) {
        i->emitted_at = e->out->op_count;
        if (i->op == IR_LOAD) {
            is_fixed &= is_fixed_load(i);
            emit_memory(e, i);
            continue;
        }
        emit_arithmetic(e, i);
        struct rp_op_more *more = (struct rp_op_more *)&e->out->ops[at + 1];
        if (term == 0)
            set_factor(at, i->args[2], more[0].r);
        set_factor(at, i->args[0], more[1 + term].r);
        set_factor(at, i->args[1], more[1 + term].r + 3);
        term++;
    }
    if (is_fixed)
        ((struct rp_op_more *)&e->out->ops[at + 1])->r[2] = ++e->kept_macs;
    e->out->ops[at].i = (int32_t)(e->out->op_count - at);
    return last;
}

/* The steps follow it. */
static void
emit_reduction(struct emit *e, const struct ir_instr *i)
{
    const struct ir_reduction *reduction = i->reduction;
    e->reduction_end = reduction->last;
    e->reduction_op = emit_op(e, RP_X_REDUCTION);
    struct rp_op *op = emit_last(e);
    op->a = i->args[0]->reg;
    op->b = IR_MEMORY_SHARED;
    op->d = (uint32_t)reduction->store->imm;
    op->n = (uint16_t)reduction->count;
    for (uint32_t r = 0; r < RP_REDUCTION_RECORDS; r++)
        memcpy(emit_more(e), (const char *)&reduction->record + r * sizeof(struct rp_op_more),
               sizeof(struct rp_op_more));
}

static void
emit_instr(struct emit *e, struct ir_instr *i)
{
    if (ir_op_is_arithmetic(i->op)) {
        if (i->cls != IR_LINEAR && !emit_is_exit_compare(i))
            emit_arithmetic(e, i);
        return;
    }
    switch (i->op) {
    case IR_SPLAT:
    case IR_AFFINE:
        emit_lanes(e, i);
        break;
    case IR_LCMP:
    case IR_GUARD:
        emit_lcmp(e, i);
        break;
    case IR_PROLOGUE:
        emit_op(e, RP_X_END);
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
        emit_memory(e, i);
        break;
    case IR_REDUCTION:
        emit_reduction(e, i);
        break;
    default:
        if (ir_is_marker(i))
            emit_marker(e, i);
        break;
    }
    if (i == e->reduction_end)
        e->out->ops[e->reduction_op].i = (int32_t)(e->out->op_count - e->reduction_op);
}

static void
collect_constants(struct emit *e)
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
    struct emit e = {.ir = ir, .table = table, .out = out};

    ir_i(ir, 1); /* wanted by negations: exists before registers are numbered */
    ir_i(ir, 0);
    ir_allocate(ir, &out->regs);
    emit_begin(&e);
    for (struct ir_instr *i = ir->first; i; i = i->next) {
        struct ir_instr *last = e.skip_to ? NULL : emit_tile(&e, i);
        if (last)
            i = last;
        else if (!e.skip_to && i->op == IR_MAC)
            i = emit_mac(&e, i);
        else if (!e.skip_to)
            emit_instr(&e, i);
        else if (i == e.skip_to)
            e.skip_to = NULL;
    }
    emit_end(&e);
    collect_constants(&e);
}

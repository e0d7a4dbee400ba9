/* SPDX-License-Identifier: MIT */
/* Records of arithmetic, and of values that are linear or spread over the lanes.
 */
#include "compute/ir/build.h"
#include "compute/ir/emitter.h"
#include "compute/ir/pair.h"

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
        RP_OPS_L_LL_V(TWO) TWO(LDEXP64) RP_OPS_L_II(TWO) RP_OPS_B_LL(TWO)
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
ir_emit_exit_code(const struct ir_instr *i)
{
    static const uint16_t codes[IR_ARITHMETIC_END] = {
#define EXIT_VV(name) [IR_##name] = RP_X_EXIT_##name##_VV,
        RP_OPS_B_II(EXIT_VV)};
    return i->op < IR_ARITHMETIC_END && codes[i->op] ? form_of(i, codes[i->op]) : RP_X_COUNT;
}

uint32_t
ir_emit_if_code(const struct ir_instr *i)
{
    static const uint16_t codes[IR_ARITHMETIC_END] = {
#define IF_SS(name) [IR_##name] = RP_X_IF_##name,
        RP_EXEC_IF(IF_SS)};
    const bool is_scalar = i->op < IR_ARITHMETIC_END && i->cls == IR_UNIFORM;
    if (is_scalar && (i->op == IR_BAND || i->op == IR_BOR))
        return i->op == IR_BAND ? RP_X_IF_AND : RP_X_IF_OR;
    return is_scalar && codes[i->op] ? codes[i->op] : RP_X_COUNT;
}

/* The last record is the first operation's. */
static void
emit_second(struct ir_emitter *e, const struct ir_instr *i)
{
    const struct ir_instr *first = i->prev;
    struct rp_op *op = ir_emit_last(e);
    ir_emit_set_code(e, e->out->op_count - 1, ir_pair_code(first, i));
    op->d = i->reg;
    const struct ir_instr *other = i->args[i->arg_count > 1 && i->args[0] == first];
    if (i->arg_count > 1 && first->arg_count > 2)
        op->i = (int32_t)other->reg;
    else if (i->arg_count > 1)
        op->c = other->reg;
}

/* Arithmetic of 64 bits that machine code does for a run at once: one record each. */
static bool
is_of_longs(const struct ir_instr *i)
{
    if (i->cls != IR_VARYING || i->type != IR_L || i->op >= IR_ARITHMETIC_END || i->chain.steps)
        return false;
    const uint32_t code = arithmetic_code(i);
    return (code >= RP_X_INEG64_V && code <= RP_X_FONE64_SS) || code == RP_X_MAD64_VVV;
}

/* How many of them later the last one reads i, when nobody else does; else 0. */
static uint16_t
last_reader(const struct ir_instr *i)
{
    uint32_t count = 0;
    uint16_t distance = 1;
    for (const struct ir_instr *n = i->next; n && is_of_longs(n); n = n->next, distance++) {
        for (uint32_t a = 0; a < n->arg_count; a++)
            count += n->args[a] == i;
        if (count == i->use_count)
            return distance;
        if (distance == UINT8_MAX)
            break;
    }
    return 0;
}

void
ir_emit_arithmetic(struct ir_emitter *e, const struct ir_instr *i)
{
    if (i->pair == IR_PAIR_SECOND) {
        emit_second(e, i);
        return;
    }
    ir_emit_op(e, arithmetic_code(i));
    struct rp_op *op = ir_emit_last(e);
    op->d = i->reg;
    op->a = i->args[0]->reg;
    if (i->arg_count > 1)
        op->b = i->args[1]->reg;
    if (i->arg_count > 2)
        op->c = i->args[2]->reg;
    if (is_of_longs(i))
        op->n = last_reader(i);
    if (i->op == IR_BNOT && i->cls == IR_UNIFORM)
        op->b = ir_i(e->ir, 1)->reg;
    if (i->cls == IR_UNIFORM)
        e->out->scalar_op_count++;
}

void
ir_emit_affine(struct ir_emitter *e, const struct ir_instr *i)
{
    ir_emit_op(e, RP_X_AFFINE);
    struct rp_op *op = ir_emit_last(e);
    op->d = i->reg;
    op->a = i->args[0]->reg;
    op->b = i->args[1]->reg;
    op->c = i->args[2]->reg;
    ir_emit_more(e)->r[0] = i->args[3]->reg;
}

void
ir_emit_lcmp(struct ir_emitter *e, const struct ir_instr *i)
{
    ir_emit_op(e, i->op == IR_GUARD ? RP_X_GUARD : RP_X_LCMP);
    struct rp_op *op = ir_emit_last(e);
    op->d = i->reg;
    op->a = i->args[0]->reg;
    op->b = i->args[1]->reg;
    op->c = i->args[4]->reg;
    op->n = i->aux;
    struct rp_op_more *more = ir_emit_more(e);
    more->r[0] = i->args[2]->reg;
    more->r[1] = i->args[3]->reg;
}

/* SPDX-License-Identifier: MIT */
/* Division of sums whose ranges are known: positions in the workgroup that a shader takes apart
 * and puts together again stay linear in the lane's position.
 */
#include "compute/ir/build.h"
#include "compute/ir/range.h"

#define MAX_TERMS 8u

/* A value as a multiple of the divisor and a rest. */
struct split {
    struct ir_program *ir;
    uint32_t divisor;
    struct ir_instr *quotient; /* NULL: zero */
    struct ir_instr *rest;
    uint32_t term_count;
};

static bool
is_remainder(enum ir_op op)
{
    return op == IR_UREM || op == IR_SREM || op == IR_SMOD || op == IR_AND;
}

/* By what a op b divides; 0: it is no division. */
static uint32_t
divisor_of(enum ir_op op, const struct ir_instr *b)
{
    const uint32_t value = (uint32_t)b->imm;
    if (!ir_is_const(b) || b->type != IR_I)
        return 0;
    switch (op) {
    case IR_SHR:
    case IR_SAR:
        return (value & 31) < 31 ? 1u << (value & 31) : 0;
    case IR_AND:
        return value < INT32_MAX && (value & (value + 1)) == 0 ? value + 1 : 0;
    case IR_UDIV:
    case IR_SDIV:
    case IR_UREM:
    case IR_SREM:
    case IR_SMOD:
        return value <= INT32_MAX ? value : 0;
    default:
        return 0;
    }
}

static void
add_to(struct ir_program *ir, struct ir_instr **sum, struct ir_instr *term)
{
    *sum = *sum ? ir_bin(ir, IR_IADD, *sum, term) : term;
}

static void
split_term(struct split *s, struct ir_instr *i)
{
    const struct ir_instr *factor = i->arg_count == 2 ? i->args[1] : NULL;

    if (++s->term_count > MAX_TERMS) {
        add_to(s->ir, &s->rest, i);
    } else if (i->op == IR_IADD) {
        split_term(s, i->args[0]);
        split_term(s, i->args[1]);
    } else if (ir_is_const(i)) {
        const uint32_t value = (uint32_t)i->imm;
        add_to(s->ir, &s->quotient, ir_i(s->ir, value / s->divisor));
        add_to(s->ir, &s->rest, ir_i(s->ir, value % s->divisor));
    } else if (i->op == IR_IMUL && ir_is_const(factor) && (uint32_t)factor->imm % s->divisor == 0) {
        add_to(s->ir, &s->quotient,
               ir_bin(s->ir, IR_IMUL, i->args[0], ir_i(s->ir, (uint32_t)factor->imm / s->divisor)));
    } else {
        add_to(s->ir, &s->rest, i);
    }
}

/* Is every sum and product below i free of wrapping? Then its parts have known ranges, too. */
static bool
is_bounded(const struct ir_program *ir, const struct ir_instr *i, uint32_t depth)
{
    const struct ir_range range = ir_range_of(ir, i, NULL, 0);
    if (!range.is_known || range.hi > INT32_MAX || depth > MAX_TERMS)
        return false;
    if (i->op != IR_IADD && i->op != IR_IMUL)
        return true;
    return is_bounded(ir, i->args[0], depth + 1) && is_bounded(ir, i->args[1], depth + 1);
}

struct ir_instr *
ir_divide(struct ir_program *ir, enum ir_op op, struct ir_instr *a, struct ir_instr *b)
{
    struct split s = {.ir = ir, .divisor = divisor_of(op, b)};
    if (s.divisor < 2 || (a->op != IR_IADD && a->op != IR_IMUL) || !is_bounded(ir, a, 0))
        return NULL;

    struct ir_instr *zero = ir_i(ir, 0);
    split_term(&s, a);
    const struct ir_range rest = ir_range_of(ir, s.rest ? s.rest : zero, NULL, 0);
    if (!rest.is_known || rest.hi >= s.divisor)
        return NULL;
    struct ir_instr *result = is_remainder(op) ? s.rest : s.quotient;
    return result ? result : zero;
}

/* x = value * *factor_out */
static struct ir_instr *
factor_of(struct ir_instr *x, uint32_t *factor_out)
{
    *factor_out = 1;
    if (x->op != IR_IMUL || !ir_is_const(x->args[1]))
        return x;
    *factor_out = (uint32_t)x->args[1]->imm;
    return x->args[0];
}

/* a / c * (c * k) + a % c * k is a * k. */
struct ir_instr *
ir_rejoin_division(struct ir_program *ir, struct ir_instr *x, struct ir_instr *y)
{
    uint32_t whole, part;
    struct ir_instr *quotient = factor_of(x, &whole), *rest = factor_of(y, &part);
    if (quotient->op == IR_UREM || quotient->op == IR_SMOD || quotient->op == IR_SREM) {
        struct ir_instr *t = quotient;
        const uint32_t f = whole;
        quotient = rest;
        rest = t;
        whole = part;
        part = f;
    }
    if ((quotient->op != IR_UDIV && quotient->op != IR_SDIV) ||
        (rest->op != IR_UREM && rest->op != IR_SMOD && rest->op != IR_SREM) ||
        quotient->args[0] != rest->args[0] || quotient->args[1] != rest->args[1])
        return NULL;
    const struct ir_instr *c = rest->args[1];
    const struct ir_range range = ir_range_of(ir, rest->args[0], NULL, 0);
    if (!ir_is_const(c) || (uint32_t)c->imm - 1u >= INT32_MAX || !range.is_known ||
        range.hi > INT32_MAX || whole != part * (uint32_t)c->imm)
        return NULL;
    return ir_bin(ir, IR_IMUL, rest->args[0], ir_i(ir, part));
}

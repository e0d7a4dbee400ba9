/* SPDX-License-Identifier: MIT */
/* Divisions of lanes by constants become products with the reciprocal and shifts: exact for every
 * dividend that there can be (Granlund and Montgomery, "Division by invariant integers using
 * multiplication", 1994).
 */
#include "compute/ir/build.h"
#include "compute/ir/passes.h"
#include "compute/ir/range.h"

#define SIGN_BIT UINT32_C(0x80000000)

/* The division that is written anew. */
struct division {
    struct ir_program *ir;
    struct ir_instr *i;
    struct ir_instr *dividend;
    uint32_t divisor; /* its absolute value */
    bool is_negative; /* the divisor */
    uint32_t highest; /* of the dividend, unsigned */
};

/* Of 32 + shift bits: (x * factor) >> (32 + shift) is x / divisor. */
struct reciprocal {
    uint32_t factor;
    uint32_t shift;
};

static struct ir_instr *
make(struct division *d, enum ir_op op, struct ir_instr *a, struct ir_instr *b, struct ir_instr *c)
{
    struct ir_instr *const args[3] = {a, b, c};
    struct ir_instr *r = ir_make(d->ir, op, IR_I, c ? 3 : b ? 2 : 1);
    r->loop = d->i->loop;
    for (uint32_t n = 0; n < r->arg_count; n++) {
        r->args[n] = args[n];
        args[n]->use_count++;
    }
    d->ir->cursor = d->i->prev;
    ir_place(d->ir, r);
    return r;
}

static struct ir_instr *
with_number(struct division *d, enum ir_op op, struct ir_instr *a, uint32_t number)
{
    return make(d, op, a, ir_i(d->ir, number), NULL);
}

static struct ir_instr *
shifted(struct division *d, enum ir_op op, struct ir_instr *a, uint32_t count)
{
    return count ? with_number(d, op, a, count) : a;
}

/* Rounded up, the reciprocal is too large by error / 2^(32 + shift) of the divisor's: too little to
 * reach the next quotient as long as `highest` times that is less than one. */
static bool
find_reciprocal(uint32_t divisor, uint32_t highest, struct reciprocal *out)
{
    for (uint32_t shift = 0; shift < 32; shift++) {
        const uint64_t one = UINT64_C(1) << (32 + shift);
        const uint64_t factor = (one + divisor - 1) / divisor;
        if (factor > UINT32_MAX)
            return false;
        if ((factor * divisor - one) * highest < one) {
            *out = (struct reciprocal){(uint32_t)factor, shift};
            return true;
        }
    }
    return false;
}

/* Where the reciprocal has 33 bits, half of the product with its highest bit is added later. */
static struct ir_instr *
quotient_by_33_bits(struct division *d)
{
    const uint32_t log2 = 32 - (uint32_t)__builtin_clz(d->divisor - 1);
    const uint64_t rest = (UINT64_C(1) << log2) - d->divisor;
    struct ir_instr *high =
        with_number(d, IR_UMULHI, d->dividend, (uint32_t)((rest << 32) / d->divisor + 1));
    struct ir_instr *half = shifted(d, IR_SHR, make(d, IR_ISUB, d->dividend, high, NULL), 1);
    return shifted(d, IR_SHR, make(d, IR_IADD, half, high, NULL), log2 - 1);
}

static struct ir_instr *
unsigned_quotient(struct division *d)
{
    struct reciprocal r;
    if (find_reciprocal(d->divisor, d->highest, &r))
        return shifted(d, IR_SHR, with_number(d, IR_UMULHI, d->dividend, r.factor), r.shift);
    const uint32_t zeros = (uint32_t)__builtin_ctz(d->divisor);
    if (!zeros || !find_reciprocal(d->divisor >> zeros, d->highest >> zeros, &r))
        return quotient_by_33_bits(d);
    struct ir_instr *half = shifted(d, IR_SHR, d->dividend, zeros);
    return shifted(d, IR_SHR, with_number(d, IR_UMULHI, half, r.factor), r.shift);
}

/* Of a dividend that may be negative: the product is rounded down, and the quotient then is one
 * more. A factor from 2^31 on is taken for one less by 2^32. */
static struct ir_instr *
signed_quotient(struct division *d)
{
    struct ir_instr *x = d->dividend, *q;
    if ((d->divisor & (d->divisor - 1)) == 0) {
        const uint32_t log2 = (uint32_t)__builtin_ctz(d->divisor);
        struct ir_instr *ones = shifted(d, IR_SAR, x, 31);
        struct ir_instr *rounding = shifted(d, IR_SHR, ones, 32 - log2);
        q = shifted(d, IR_SAR, make(d, IR_IADD, x, rounding, NULL), log2);
    } else {
        struct reciprocal r = {0};
        (void)find_reciprocal(d->divisor, SIGN_BIT, &r); /* there always is one */
        q = with_number(d, IR_SMULHI, x, r.factor);
        if (r.factor >= SIGN_BIT)
            q = make(d, IR_IADD, q, x, NULL);
        q = shifted(d, IR_SAR, q, r.shift);
        q = make(d, IR_IADD, q, shifted(d, IR_SHR, x, 31), NULL);
    }
    return d->is_negative ? make(d, IR_INEG, q, NULL, NULL) : q;
}

static bool
is_quotient(enum ir_op op)
{
    return op == IR_UDIV || op == IR_SDIV;
}

static struct ir_instr *
result_of(struct division *d, bool is_signed)
{
    struct ir_instr *q = is_signed ? signed_quotient(d) : unsigned_quotient(d);
    if (is_quotient(d->i->op))
        return q;
    const uint32_t divisor = d->is_negative ? 0 - d->divisor : d->divisor;
    struct ir_instr *rest = make(d, IR_IMAD, q, ir_i(d->ir, 0 - divisor), d->dividend);
    if (d->i->op != IR_SMOD || !is_signed)
        return rest;
    struct ir_instr *added = with_number(d, IR_AND, shifted(d, IR_SAR, rest, 31), divisor);
    return make(d, IR_IADD, rest, added, NULL);
}

/* Is the dividend negative at times, as far as anybody knows? */
static bool
is_signed_division(const struct division *d)
{
    const bool is_unsigned = d->i->op == IR_UDIV || d->i->op == IR_UREM;
    return !is_unsigned && (d->highest > INT32_MAX || d->is_negative);
}

/* Zero, one, -1 and -2^31 are left, and the remainder with the sign of a divisor below zero. */
static bool
read_division(struct ir_program *ir, struct ir_instr *i, struct division *d)
{
    const bool is_unsigned = i->op == IR_UDIV || i->op == IR_UREM;
    if (!is_unsigned && i->op != IR_SDIV && i->op != IR_SREM && i->op != IR_SMOD)
        return false;
    if (i->cls != IR_VARYING || !ir_is_const(i->args[1]))
        return false;
    const uint32_t b = (uint32_t)i->args[1]->imm;
    *d = (struct division){.ir = ir, .i = i, .dividend = i->args[0], .divisor = b};
    d->is_negative = !is_unsigned && b > INT32_MAX;
    if (d->is_negative)
        d->divisor = 0 - b;
    if (d->divisor < 2 || (!is_unsigned && d->divisor == SIGN_BIT) ||
        (d->is_negative && i->op == IR_SMOD))
        return false;
    d->highest = ir_range_of(ir, d->dividend, NULL, 0).hi;
    return is_signed_division(d) || (d->divisor & (d->divisor - 1));
}

void
ir_multiply_for_divisions(struct ir_program *ir)
{
    for (struct ir_instr *i = ir->first, *next; i; i = next) {
        struct division d;
        next = i->next;
        if (!read_division(ir, i, &d))
            continue;
        struct ir_instr *result = result_of(&d, is_signed_division(&d));
        i->args[0]->use_count--;
        i->args[1]->use_count--;
        i->op = result->op;
        i->args = result->args;
        i->arg_count = result->arg_count;
        ir_remove(ir, result);
    }
}

/* SPDX-License-Identifier: MIT */
/* Pairs of operations that have one handler: each saves a store and a load of a register. The
 * rounding of both stays.
 */
#include "compute/exec/eval.h"
#include "compute/float_bits.h"
#include "compute/ir/build.h"
#include "compute/ir/passes.h"
#include "compute/ir/range.h"

/* Which operands of the outer operation the result of the inner one may be. */
enum places { FIRST = 1, SECOND = 2, EITHER = 3 };

struct pattern {
    uint8_t outer;
    uint8_t inner;
    uint8_t fused;
    uint8_t places;
};

static const struct pattern patterns[] = {
    {IR_FADD, IR_FMUL, IR_MAD, EITHER},      {IR_FSUB, IR_FMUL, IR_MSUB, FIRST},
    {IR_FSUB, IR_FMUL, IR_NMAD, SECOND},     {IR_IADD, IR_SDOT4, IR_SDOTADD, EITHER},
    {IR_IADD, IR_IMUL16, IR_IMAD16, EITHER}, {IR_IADD, IR_IMUL, IR_IMAD, EITHER},
    {IR_AND, IR_SHR, IR_SHRAND, EITHER},     {IR_OR, IR_SHL, IR_SHLOR, EITHER},
    {IR_IADD, IR_SHL, IR_SHLADD, EITHER},    {IR_FADD, IR_FADD, IR_FADD3, EITHER},
    {IR_FADD, IR_FSUB, IR_FSUBADD, EITHER},  {IR_FMUL, IR_FADD, IR_FADDMUL, EITHER},
    {IR_FMIN, IR_FMAX, IR_FCLAMP, FIRST},    {IR_SMIN, IR_SMAX, IR_SCLAMP, EITHER},
    {IR_SAR, IR_IADD, IR_ADDSAR, FIRST},     {IR_IADD, IR_IADD, IR_SAD3, EITHER},
    {IR_XSHR, IR_XSHL, IR_XSHLR, FIRST},     {IR_XSHL, IR_XSHR, IR_XSHRL, FIRST},
    {IR_SHR, IR_IADD, IR_ADDSHR, FIRST},     {IR_FADD, IR_FDIFF2, IR_FDIFF2ADD, EITHER},
    {IR_XOR, IR_ROTL, IR_ROTXOR, EITHER},    {IR_XOR, IR_SHR, IR_SHRXOR, EITHER},
};

static bool
is_inner(const struct ir_instr *outer, const struct ir_instr *inner, enum ir_op op)
{
    return inner->op == op && inner->use_count == 1 && inner->cls == outer->cls &&
           inner->loop == outer->loop;
}

static void
set_fused(struct ir_program *ir, struct ir_instr *outer, struct ir_instr *inner, enum ir_op op,
          struct ir_instr *third)
{
    struct ir_instr **args = ir_alloc(ir, 3, sizeof(args[0]));
    args[0] = inner->args[0];
    args[1] = inner->args[1];
    args[2] = third;
    outer->op = (uint8_t)op;
    outer->args = args;
    outer->arg_count = 3;
    inner->use_count = 0;
    ir_remove(ir, inner);
}

/* x ^ (x << s), x ^ (x >> s) */
static void
fuse_xor_shift(struct ir_program *ir, struct ir_instr *outer)
{
    const bool is_long = outer->op == IR_XOR64;
    const enum ir_op left = is_long ? IR_SHL64 : IR_SHL, right = is_long ? IR_SHR64 : IR_SHR;
    for (uint32_t a = 0; a < 2; a++) {
        struct ir_instr *shift = outer->args[a], *other = outer->args[1 - a];
        if ((!is_inner(outer, shift, left) && !is_inner(outer, shift, right)) ||
            shift->args[0] != other)
            continue;
        const bool is_left = shift->op == left;
        outer->op = is_long ? (is_left ? IR_XSHL64 : IR_XSHR64) : (is_left ? IR_XSHL : IR_XSHR);
        outer->args[0] = other;
        outer->args[1] = shift->args[1];
        other->use_count--;
        ir_remove(ir, shift);
        return;
    }
}

/* By how many bits an instruction that is an inner one of outer shifts to the left; 0: it does not,
 * or nobody knows. */
static uint32_t
left_shift(const struct ir_instr *outer, const struct ir_instr *i)
{
    const struct ir_instr *by = i->arg_count == 2 ? i->args[1] : i;
    const uint32_t value = (uint32_t)by->imm;
    if (!ir_is_const(by))
        return 0;
    if (is_inner(outer, i, IR_SHL) || is_inner(outer, i, IR_SHL64))
        return value & (i->op == IR_SHL ? 31 : 63);
    const bool is_product = is_inner(outer, i, IR_IMUL) && value && (value & (value - 1)) == 0;
    return is_product ? (uint32_t)__builtin_ctz(value) : 0;
}

/* x << s | x >> (32 - s), or their sum or difference bit by bit: none has a bit of the other. */
static void
fuse_rotation(struct ir_program *ir, struct ir_instr *outer)
{
    const bool is_long = outer->type == IR_L;
    const uint32_t bits = is_long ? 64 : 32;
    for (uint32_t a = 0; a < 2; a++) {
        struct ir_instr *left = outer->args[a], *right = outer->args[1 - a];
        const uint32_t by = left_shift(outer, left);
        if (!by || !is_inner(outer, right, is_long ? IR_SHR64 : IR_SHR) ||
            right->args[0] != left->args[0] || !ir_is_value(right->args[1], bits - by))
            continue;
        outer->op = is_long ? IR_ROTL64 : IR_ROTL;
        outer->args[0] = left->args[0];
        outer->args[1] = ir_i(ir, by);
        left->args[0]->use_count--;
        left->use_count = right->use_count = 0;
        ir_remove(ir, left);
        ir_remove(ir, right);
        return;
    }
}

/* (x - y) * (x - y), as of distances */
static void
fuse_square(struct ir_program *ir, struct ir_instr *outer)
{
    struct ir_instr *inner = outer->args[0];
    if (outer->args[1] != inner || inner->op != IR_FSUB || inner->use_count != 2 ||
        inner->cls != IR_VARYING || inner->loop != outer->loop)
        return;
    outer->op = IR_FDIFF2;
    outer->args[0] = inner->args[0];
    outer->args[1] = inner->args[1];
    inner->use_count = 0;
    ir_remove(ir, inner);
}

/* A product with a power of two is a shift. */
static void
fuse_power(struct ir_program *ir, struct ir_instr *i)
{
    const struct ir_instr *factor = i->args[1];
    const uint32_t value = (uint32_t)factor->imm;
    if (!ir_is_const(factor) || value < 2 || (value & (value - 1)) != 0)
        return;
    i->op = IR_SHL;
    i->args[1] = ir_i(ir, (uint32_t)__builtin_ctz(value));
}

/* (x + 1) * y is x * y + y, which compilers write so. */
static void
fuse_successor(struct ir_program *ir, struct ir_instr *outer)
{
    for (uint32_t a = 0; a < 2; a++) {
        struct ir_instr *inner = outer->args[a], *other = outer->args[1 - a];
        if (!is_inner(outer, inner, IR_IADD) || !ir_is_value(inner->args[1], 1))
            continue;
        inner->args[1] = other;
        other->use_count++;
        set_fused(ir, outer, inner, IR_IMAD, other);
        return;
    }
}

/* Products of small numbers take half the time. Before anything else is fused, which hides how
 * large values are. */
static void
fuse_small_products(struct ir_program *ir)
{
    for (struct ir_instr *i = ir->first; i; i = i->next) {
        if (i->op != IR_IMUL || i->cls != IR_VARYING || !ir_is_const(i->args[1]))
            continue;
        const uint32_t factor = (uint32_t)i->args[1]->imm;
        const bool is_power = (factor & (factor - 1)) == 0;
        if (is_power || factor + 0x8000u > 0xffffu)
            continue;
        const struct ir_range range = ir_range_of(ir, i->args[0], NULL, 0);
        if (range.is_known && range.hi <= INT16_MAX)
            i->op = IR_IMUL16;
    }
}

static bool
is_never_negative(const struct ir_program *ir, const struct ir_instr *i)
{
    const struct ir_range range = ir_range_of(ir, i, NULL, 0);
    return range.is_known && range.hi <= INT32_MAX;
}

/* Many processors know only signed numbers. Before anything else is fused, too. */
static void
prefer_signed(struct ir_program *ir)
{
    for (struct ir_instr *i = ir->first; i; i = i->next) {
        if (i->cls != IR_VARYING)
            continue;
        if (i->op == IR_U2F && is_never_negative(ir, i->args[0]))
            i->op = IR_I2F;
        const bool is_less = i->op == IR_ULT || i->op == IR_ULE;
        if (is_less && is_never_negative(ir, i->args[0]) && is_never_negative(ir, i->args[1]))
            i->op = i->op == IR_ULT ? IR_SLT : IR_SLE;
    }
}

/* Small whole numbers divided by a constant, as unpackUnorm4x8() does: the sum of two products. */
struct quotients {
    uint32_t divisor; /* bits of the float that was looked at last; 0: none was */
    uint32_t hi;      /* numbers up to that */
    uint32_t factors[2];
    bool are_exact;
};

#define QUOTIENT_BITS 10u /* of numbers, and of a factor, without which products are exact */

/* Have all numbers the quotients' bits, with their signs too? Then so have negative ones. */
static bool
are_quotients_exact(const struct quotients *q)
{
    for (uint32_t n = 0; n <= q->hi; n++) {
        const uint64_t in[3] = {rp_float_bits((float)n), q->factors[0], q->factors[1]};
        const float quotient = (float)n / rp_bits_float(q->divisor);
        if ((uint32_t)rp_exec_eval(IR_FMUL2, in) != rp_float_bits(quotient))
            return false;
    }
    return true;
}

static bool
find_quotients(struct quotients *q, uint32_t divisor, uint32_t hi)
{
    if (hi >> QUOTIENT_BITS)
        return false;
    if (q->divisor == divisor && q->hi == hi)
        return q->are_exact;
    const double inverse = 1.0 / (double)rp_bits_float(divisor);
    const uint32_t high = rp_float_bits((float)inverse) >> QUOTIENT_BITS << QUOTIENT_BITS;
    const uint32_t low = rp_float_bits((float)(inverse - (double)rp_bits_float(high)));
    *q = (struct quotients){.divisor = divisor, .hi = hi, .factors = {high, low}};
    q->are_exact = are_quotients_exact(q);
    return q->are_exact;
}

/* The largest magnitude of a whole number that was made a float; UINT32_MAX: it may be any. */
static uint32_t
largest_whole(const struct ir_program *ir, const struct ir_instr *i)
{
    if (i->op != IR_I2F && i->op != IR_U2F)
        return UINT32_MAX;
    if (i->op == IR_I2F && i->args[0]->op == IR_SEXT8)
        return 128;
    const struct ir_range range = ir_range_of(ir, i->args[0], NULL, 0);
    return range.is_known ? range.hi : UINT32_MAX;
}

/* Two products and a sum take a third of a division's time. */
static void
fuse_small_quotients(struct ir_program *ir)
{
    struct quotients q = {0};
    for (struct ir_instr *i = ir->first; i; i = i->next) {
        if (i->op != IR_FDIV || i->cls != IR_VARYING || !ir_is_const(i->args[1]) ||
            !find_quotients(&q, (uint32_t)i->args[1]->imm, largest_whole(ir, i->args[0])))
            continue;
        struct ir_instr **args = ir_alloc(ir, 3, sizeof(args[0]));
        args[0] = i->args[0];
        args[1] = ir_i(ir, q.factors[0]);
        args[2] = ir_i(ir, q.factors[1]);
        i->op = IR_FMUL2;
        i->args = args;
        i->arg_count = 3;
    }
}

/* What is added to the offset of an access is added by the access. */
static void
fuse_offset(struct ir_instr *i)
{
    while (i->args[1]->op == IR_IADD && i->args[1]->cls == IR_VARYING && i->args[0]->type == IR_I &&
           ir_is_const(i->args[1]->args[1])) {
        struct ir_instr *add = i->args[1];
        i->imm = (uint32_t)(i->imm + add->args[1]->imm);
        i->args[1] = add->args[0];
        add->use_count--;
        add->args[0]->use_count++;
    }
}

/* Before anything else is fused: the sums would vanish into it. */
static void
fuse_offsets(struct ir_program *ir)
{
    for (struct ir_instr *i = ir->first; i; i = i->next)
        if (i->op == IR_LOAD || i->op == IR_STORE)
            fuse_offset(i);
    for (struct ir_instr *i = ir->last, *prev; i; i = prev) {
        prev = i->prev;
        if (i->op != IR_IADD || i->use_count || i->cls != IR_VARYING)
            continue;
        i->args[0]->use_count--;
        i->args[1]->use_count--;
        ir_remove(ir, i);
    }
}

static bool
fuse_pattern(struct ir_program *ir, struct ir_instr *i, const struct pattern *p)
{
    if (i->op != p->outer)
        return false;
    if (p->places & FIRST && is_inner(i, i->args[0], p->inner) && i->args[0] != i->args[1]) {
        set_fused(ir, i, i->args[0], p->fused, i->args[1]);
        return true;
    }
    if (p->places & SECOND && is_inner(i, i->args[1], p->inner) && i->args[0] != i->args[1]) {
        set_fused(ir, i, i->args[1], p->fused, i->args[0]);
        return true;
    }
    return false;
}

void
ir_fuse(struct ir_program *ir)
{
    fuse_offsets(ir);
    fuse_small_products(ir);
    fuse_small_quotients(ir);
    prefer_signed(ir);
    for (struct ir_instr *i = ir->first; i; i = i->next) {
        if (i->cls != IR_VARYING)
            continue;
        if (i->op == IR_IMUL)
            fuse_power(ir, i);
        if (i->op == IR_IMUL)
            fuse_successor(ir, i);
        if (i->op == IR_OR || i->op == IR_XOR || i->op == IR_IADD || i->op == IR_OR64 ||
            i->op == IR_XOR64 || i->op == IR_IADD64)
            fuse_rotation(ir, i);
        if (i->op == IR_XOR || i->op == IR_XOR64)
            fuse_xor_shift(ir, i);
        if (i->op == IR_FMUL)
            fuse_square(ir, i);
        for (uint32_t p = 0; p < sizeof(patterns) / sizeof(patterns[0]); p++)
            if (fuse_pattern(ir, i, &patterns[p]))
                break;
    }
}

/* Does plain C do it as fast as one of the two? */
static bool
is_scalar_pattern(enum ir_op fused)
{
    switch (fused) {
    case IR_IMAD:
    case IR_SHRAND:
    case IR_SHLOR:
    case IR_SHLADD:
    case IR_SCLAMP:
    case IR_ADDSAR:
    case IR_ADDSHR:
    case IR_SAD3:
        return true;
    default:
        return false;
    }
}

/* When all that looks at sums and products of scalars has done so. */
void
ir_fuse_scalars(struct ir_program *ir)
{
    for (struct ir_instr *i = ir->first; i; i = i->next) {
        if (i->cls != IR_UNIFORM)
            continue;
        if (i->op == IR_IMUL)
            fuse_power(ir, i);
        for (uint32_t p = 0; p < sizeof(patterns) / sizeof(patterns[0]); p++)
            if (is_scalar_pattern(patterns[p].fused) && fuse_pattern(ir, i, &patterns[p]))
                break;
    }
}

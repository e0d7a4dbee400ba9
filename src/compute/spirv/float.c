/* SPDX-License-Identifier: MIT */
/* Floats: arithmetic on one scalar as the entry point's float controls want it.
 *
 * The interpreter rounds to the nearest even number and keeps denormal numbers. Everything else is
 * made of its operations here, so that it holds for each width alone, for folded constants too, and
 * on every instruction set.
 */
#include "compute/spirv/scalar.h"
#include "compute/spirv/translate.h"

#include <string.h>

bool
spv_is_half(const struct spv_type *f)
{
    return f->kind == SPV_T_FLOAT && f->width == 16 && !f->is_bfloat;
}

/* Operations as the interpreter has them. */
static struct ir_instr *
plain_un(struct spv *s, const struct spv_type *f, enum ir_op op32, struct ir_instr *a)
{
    return ir_un(s->ir, f->width == 64 ? spv_op64(s, op32) : op32, a);
}

static struct ir_instr *
plain_bin(struct spv *s, const struct spv_type *f, enum ir_op op32, struct ir_instr *a,
          struct ir_instr *b)
{
    return ir_bin(s->ir, f->width == 64 ? spv_op64(s, op32) : op32, a, b);
}

struct ir_instr *
spv_fconst(struct spv *s, const struct spv_type *scalar, double value)
{
    if (scalar->width != 64)
        return ir_f(s->ir, (float)value);
    uint64_t bits;
    memcpy(&bits, &value, 8);
    return ir_const(s->ir, IR_L, bits);
}

struct ir_instr *
spv_flush(struct spv *s, const struct spv_type *f, struct ir_instr *a)
{
    if (f->kind != SPV_T_FLOAT || f->is_bfloat || !(s->flushed_widths & f->width))
        return a;
    return ir_un(s->ir, f->width == 64 ? IR_FTZ64 : spv_is_half(f) ? IR_FTZH : IR_FTZ, a);
}

/* r; where it is too large in magnitude, the number next to it towards zero. */
static struct ir_instr *
step_down(struct spv *s, const struct spv_type *f, struct ir_instr *r, struct ir_instr *is_over)
{
    struct ir_instr *minus_one =
        f->width == 64 ? ir_const(s->ir, IR_L, UINT64_MAX) : ir_i(s->ir, UINT32_MAX);
    return ir_select(s->ir, is_over, plain_bin(s, f, IR_IADD, r, minus_one), r);
}

struct ir_instr *
spv_double_to_float_down(struct spv *s, struct ir_instr *d)
{
    struct ir_program *ir = s->ir;
    struct ir_instr *f = ir_un(ir, IR_D2F, d);
    struct ir_instr *back = ir_un(ir, IR_FABS64, ir_un(ir, IR_F2D, f));
    struct ir_instr *is_over = ir_bin(ir, IR_FLT64, ir_un(ir, IR_FABS64, d), back);
    return ir_select(ir, is_over, ir_bin(ir, IR_IADD, f, ir_i(ir, UINT32_MAX)), f);
}

struct ir_instr *
spv_float_to_half_down(struct spv *s, struct ir_instr *f)
{
    struct ir_program *ir = s->ir;
    struct ir_instr *h = ir_un(ir, IR_F2H, f);
    struct ir_instr *back = ir_un(ir, IR_FABS, ir_un(ir, IR_H2F, h));
    struct ir_instr *is_over = ir_bin(ir, IR_FLT, ir_un(ir, IR_FABS, f), back);
    h = ir_select(ir, is_over, ir_bin(ir, IR_IADD, h, ir_i(ir, UINT32_MAX)), h);
    return ir_un(ir, IR_H2F, h);
}

/* Rounds to the nearest even number by adding to the bits: a carry is a larger exponent. NaNs stay
 * what they are, quiet. */
struct ir_instr *
spv_float_to_bfloat(struct spv *s, struct ir_instr *f, bool is_down)
{
    struct ir_program *ir = s->ir;
    struct ir_instr *upper = ir_i(ir, 0xffff0000u);
    struct ir_instr *odd = ir_bin(ir, IR_AND, ir_bin(ir, IR_SHR, f, ir_i(ir, 16)), ir_i(ir, 1));
    struct ir_instr *half = ir_bin(ir, IR_IADD, odd, ir_i(ir, 0x7fff));
    struct ir_instr *number = is_down ? f : ir_bin(ir, IR_IADD, f, half);
    struct ir_instr *quiet = ir_bin(ir, IR_OR, f, ir_i(ir, 0x00400000));
    return ir_bin(ir, IR_AND, ir_select(ir, ir_bin(ir, IR_FEQ, f, f), number, quiet), upper);
}

struct ir_instr *
spv_round_half(struct spv *s, const struct spv_type *f, struct ir_instr *a)
{
    if (f->is_bfloat)
        return spv_float_to_bfloat(s, a, false);
    if (!spv_is_half(f))
        return a;
    return s->truncated_widths & 16 ? spv_float_to_half_down(s, a) : ir_un(s->ir, IR_ROUNDH, a);
}

/* What rounding took from or gave to the sum is a number itself: the smaller operand less the part
 * of it that arrived. When the sum overflowed it is infinite, of the other sign. */
static struct ir_instr *
add_down(struct spv *s, const struct spv_type *f, struct ir_instr *a, struct ir_instr *b)
{
    struct ir_instr *sum = plain_bin(s, f, IR_FADD, a, b);
    struct ir_instr *is_swapped =
        plain_bin(s, f, IR_FLT, plain_un(s, f, IR_FABS, a), plain_un(s, f, IR_FABS, b));
    struct ir_instr *large = ir_select(s->ir, is_swapped, b, a);
    struct ir_instr *small = ir_select(s->ir, is_swapped, a, b);
    struct ir_instr *rest = plain_bin(s, f, IR_FSUB, small, plain_bin(s, f, IR_FSUB, sum, large));
    struct ir_instr *has_rest = plain_bin(s, f, IR_FONE, rest, spv_fconst(s, f, 0));
    struct ir_instr *is_apart =
        plain_bin(s, f, IR_SLT, plain_bin(s, f, IR_XOR, sum, rest), spv_fconst(s, f, 0));
    return step_down(s, f, sum, ir_bin(s->ir, IR_BAND, has_rest, is_apart));
}

struct ir_instr *
spv_long_to_double_down(struct spv *s, struct ir_instr *a, bool is_signed)
{
    static const struct spv_type f = {.kind = SPV_T_FLOAT, .width = 64};
    struct ir_program *ir = s->ir;
    struct ir_instr *low = ir_un(ir, IR_U2D, ir_un(ir, IR_L2I, a));
    struct ir_instr *high = ir_un(ir, is_signed ? IR_I2D : IR_U2D, ir_un(ir, IR_HI64, a));
    return add_down(s, &f, ir_bin(ir, IR_FMUL64, high, spv_fconst(s, &f, 0x1p32)), low);
}

/* a * 2^k of doubles: too large where undoing it gives more, and where it overflowed. */
static struct ir_instr *
ldexp_down(struct spv *s, const struct spv_type *f, struct ir_instr *a, struct ir_instr *k)
{
    struct ir_program *ir = s->ir;
    struct ir_instr *r = ir_bin(ir, IR_LDEXP64, a, k), *inf = spv_fconst(s, f, __builtin_inf());
    struct ir_instr *back = ir_bin(ir, IR_LDEXP64, r, ir_un(ir, IR_INEG, k));
    struct ir_instr *size = ir_un(ir, IR_FABS64, a);
    struct ir_instr *is_more = ir_bin(ir, IR_FLT64, size, ir_un(ir, IR_FABS64, back));
    struct ir_instr *overflows = ir_bin(ir, IR_BAND, ir_bin(ir, IR_FLT64, size, inf),
                                        ir_bin(ir, IR_FEQ64, ir_un(ir, IR_FABS64, r), inf));
    return step_down(s, f, r, ir_bin(ir, IR_BOR, is_more, overflows));
}

/* A double as the sum of two that have half the digits. */
static void
split_digits(struct spv *s, const struct spv_type *f, struct ir_instr *a, struct ir_instr *out[2])
{
    struct ir_instr *c = ir_bin(s->ir, IR_FMUL64, a, spv_fconst(s, f, 0x1p27 + 1));
    out[0] = ir_bin(s->ir, IR_FSUB64, c, ir_bin(s->ir, IR_FSUB64, c, a));
    out[1] = ir_bin(s->ir, IR_FSUB64, a, out[0]);
}

/* Doubles: the product of the mantissas, of which the error is known exactly (Dekker), then the
 * exponents. */
static struct ir_instr *
multiply_long_down(struct spv *s, const struct spv_type *f, struct ir_instr *a, struct ir_instr *b)
{
    struct ir_program *ir = s->ir;
    struct ir_instr *x = ir_un(ir, IR_FREXPM64, ir_un(ir, IR_FABS64, a)), *xs[2];
    struct ir_instr *y = ir_un(ir, IR_FREXPM64, ir_un(ir, IR_FABS64, b)), *ys[2];
    struct ir_instr *p = ir_bin(ir, IR_FMUL64, x, y);

    split_digits(s, f, x, xs);
    split_digits(s, f, y, ys);
    struct ir_instr *error = ir_bin(ir, IR_FSUB64, ir_bin(ir, IR_FMUL64, xs[0], ys[0]), p);
    for (uint32_t i = 1; i < 4; i++)
        error = ir_bin(ir, IR_FADD64, error, ir_bin(ir, IR_FMUL64, xs[i >> 1], ys[i & 1]));
    p = step_down(s, f, p, ir_bin(ir, IR_FLT64, error, spv_fconst(s, f, 0)));

    struct ir_instr *k = ir_bin(ir, IR_IADD, ir_un(ir, IR_L2I, ir_un(ir, IR_FREXPE64, a)),
                                ir_un(ir, IR_L2I, ir_un(ir, IR_FREXPE64, b)));
    struct ir_instr *sign =
        ir_bin(ir, IR_AND64, ir_bin(ir, IR_XOR64, a, b), ir_const(ir, IR_L, UINT64_C(1) << 63));
    return ir_bin(ir, IR_OR64, ldexp_down(s, f, p, k), sign);
}

/* Floats and halves. A double has more than twice their digits, so rounding to it leaves products,
 * quotients and roots on the right side of every float. */
static struct ir_instr *
word_down(struct spv *s, enum ir_op op64, struct ir_instr *a, struct ir_instr *b)
{
    struct ir_program *ir = s->ir;
    struct ir_instr *x = ir_un(ir, IR_F2D, a);
    if (op64 == IR_SQRT64)
        return spv_double_to_float_down(s, ir_un(ir, op64, x));
    if (op64 == IR_LDEXP64) { /* beyond 400 every exponent does the same */
        b = ir_bin(ir, IR_SMIN, ir_bin(ir, IR_SMAX, b, ir_i(ir, 0u - 400)), ir_i(ir, 400));
        return spv_double_to_float_down(s, ir_bin(ir, op64, x, b));
    }
    return spv_double_to_float_down(s, ir_bin(ir, op64, x, ir_un(ir, IR_F2D, b)));
}

/* Quotients and roots of doubles may be off by more than rounding, and are rounded as ever. */
static struct ir_instr *
bin_down(struct spv *s, const struct spv_type *f, enum ir_op op32, struct ir_instr *a,
         struct ir_instr *b)
{
    const bool is_long = f->width == 64;
    switch (op32) {
    case IR_FADD:
        return add_down(s, f, a, b);
    case IR_FSUB:
        return add_down(s, f, a, plain_un(s, f, IR_FNEG, b));
    case IR_FMUL:
        return is_long ? multiply_long_down(s, f, a, b) : word_down(s, IR_FMUL64, a, b);
    case IR_LDEXP:
        return is_long ? ldexp_down(s, f, a, b) : word_down(s, IR_LDEXP64, a, b);
    case IR_FDIV:
        return is_long ? plain_bin(s, f, op32, a, b) : word_down(s, IR_FDIV64, a, b);
    default:
        return plain_bin(s, f, op32, a, b);
    }
}

/* x - y * trunc(x / y), or with floor(). */
static struct ir_instr *
remainder_down(struct spv *s, const struct spv_type *f, enum ir_op op32, struct ir_instr *x,
               struct ir_instr *y)
{
    struct ir_instr *q =
        spv_fun(s, f, op32 == IR_FREM ? IR_TRUNC : IR_FLOOR, spv_fbin(s, f, IR_FDIV, x, y));
    return spv_fbin(s, f, IR_FSUB, x, spv_fbin(s, f, IR_FMUL, y, q));
}

struct ir_instr *
spv_fbin(struct spv *s, const struct spv_type *scalar, enum ir_op op32, struct ir_instr *a,
         struct ir_instr *b)
{
    const bool is_truncated = s->truncated_widths & scalar->width;
    a = spv_flush(s, scalar, a);
    if (op32 != IR_LDEXP)
        b = spv_flush(s, scalar, b);
    if (is_truncated && (op32 == IR_FREM || op32 == IR_FMOD))
        return remainder_down(s, scalar, op32, a, b);

    struct ir_instr *r =
        is_truncated ? bin_down(s, scalar, op32, a, b) : plain_bin(s, scalar, op32, a, b);
    if (op32 == IR_FMIN || op32 == IR_FMAX || ir_op_type(op32) == IR_B)
        return r;
    return spv_flush(s, scalar, spv_round_half(s, scalar, r));
}

static struct ir_instr *
un_down(struct spv *s, const struct spv_type *f, enum ir_op op32, struct ir_instr *a)
{
    if (op32 == IR_SQRT && f->width != 64)
        return word_down(s, IR_SQRT64, a, NULL);
    if (op32 == IR_FRACT)
        return bin_down(s, f, IR_FSUB, a, plain_un(s, f, IR_FLOOR, a));
    return plain_un(s, f, op32, a);
}

struct ir_instr *
spv_fun(struct spv *s, const struct spv_type *scalar, enum ir_op op32, struct ir_instr *a)
{
    a = spv_flush(s, scalar, a);
    if (op32 == IR_FNEG || op32 == IR_FABS)
        return plain_un(s, scalar, op32, a);
    struct ir_instr *r = s->truncated_widths & scalar->width ? un_down(s, scalar, op32, a)
                                                             : plain_un(s, scalar, op32, a);
    return spv_flush(s, scalar, spv_round_half(s, scalar, r));
}

struct ir_instr *
spv_mad(struct spv *s, const struct spv_type *scalar, struct ir_instr *a, struct ir_instr *b,
        struct ir_instr *c)
{
    if (scalar->width == 64 && !((s->flushed_widths | s->truncated_widths) & 64))
        return ir_tri(s->ir, IR_MAD64, a, b, c);
    return spv_fbin(s, scalar, IR_FADD, spv_fbin(s, scalar, IR_FMUL, a, b), c);
}

void
spv_float_mode(struct spv *s, uint32_t mode, uint32_t width)
{
    if (width != 16 && width != 32 && width != 64)
        spv_fail(s, "bad width");
    if (mode == SPV_DENORM_FLUSH_TO_ZERO)
        s->flushed_widths |= width;
    else if (mode == SPV_ROUNDING_MODE_RTZ)
        s->truncated_widths |= width;
}

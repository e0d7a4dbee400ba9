/* SPDX-License-Identifier: MIT */
/* Operations of tiles on floats as instructions: to the bit what compute/exec/expr.h says in C, but
 * for which NaN comes of two.
 */
#include "compute/machine/tile_step.h"

/* What is known of a float. */
struct known {
    bool is_quiet;
    bool is_no_nan;
    bool is_number;
    uint32_t number;
};

static struct known
known_of(const struct tile_value *v)
{
    return (struct known){v->is_quiet, v->is_no_nan, v->is_number, v->number};
}

/* Does the instruction give what is asked for? Of a NaN and b it gives b, and of two zeros b. */
static bool
is_native(bool is_max, struct known b)
{
    return b.is_number && b.is_no_nan && b.number != (is_max ? 0x80000000u : 0);
}

uint32_t
machine_tile_memory_of_minmax(const struct tile *t, const struct tile_op *o)
{
    const struct known second = known_of(&t->values[o->args[1]]);
    const struct known third = known_of(&t->values[o->args[2]]);
    switch ((enum tile_code)o->code) {
    case TILE_FMIN:
    case TILE_FMAX:
        return is_native(o->code == TILE_FMAX, second) ? 2 : 0;
    default:
        return (is_native(true, second) ? 2u : 0) | (is_native(false, third) ? 4u : 0);
    }
}

/* Of one NaN and a number the number, of zeros the right one; temps first and first + 1. */
static void
minmax_wide(const struct step *s, bool is_max, uint32_t to, struct vector_operand a,
            struct vector_operand b, struct known known_a, struct known known_b, uint32_t first)
{
    const uint32_t r = temp(s, first), which = is_max ? 5 : 4; /* by the sign of zeros, too */
    const struct vector_mask mask = {MASK_TEMP, false};
    if (known_a.is_quiet && known_b.is_quiet) {
        op_number(s, VECTOR_RANGE, to, a.reg, b, which);
        return;
    }
    op_number(s, VECTOR_RANGE, r, a.reg, b, which);
    if (!known_a.is_quiet) {
        op_number(s, VECTOR_CMPPS, MASK_TEMP, a.reg, a, VECTOR_UNORDERED);
        op_masked(s, VECTOR_BLEND, mask, known_b.is_quiet ? to : r, r, b);
    }
    if (!known_b.is_quiet) {
        op_number(s, VECTOR_CMPPS, MASK_TEMP, b.reg, b, VECTOR_UNORDERED);
        op_masked(s, VECTOR_BLEND, mask, to, r, a);
    }
}

static void
minmax_narrow(const struct step *s, bool is_max, uint32_t to, struct vector_operand a,
              struct vector_operand b, struct known known_b, uint32_t first)
{
    const uint32_t r = temp(s, first), zeros = temp(s, first + 1);
    op(s, is_max ? VECTOR_FMAX : VECTOR_FMIN, r, a.reg, b);
    op_number(s, VECTOR_CMPPS, zeros, a.reg, b, is_max ? VECTOR_UNEQUAL : VECTOR_EQUAL);
    op(s, is_max ? VECTOR_OR : VECTOR_AND, zeros, zeros, a);
    op(s, is_max ? VECTOR_AND : VECTOR_OR, known_b.is_no_nan ? to : r, r, vector_reg(zeros));
    if (known_b.is_no_nan)
        return;
    op_number(s, VECTOR_CMPPS, zeros, b.reg, b, VECTOR_UNORDERED);
    op_number(s, VECTOR_SELECT, to, r, a, zeros << 4);
}

static struct known
minmax(const struct step *s, bool is_max, uint32_t to, struct vector_operand a,
       struct vector_operand b, struct known known_a, struct known known_b, uint32_t first)
{
    if (is_native(is_max, known_b))
        op(s, is_max ? VECTOR_FMAX : VECTOR_FMIN, to, a.reg, b);
    else if (s->t->is_wide)
        minmax_wide(s, is_max, to, a, b, known_a, known_b, first);
    else
        minmax_narrow(s, is_max, to, a, b, known_b, first);
    const bool is_no_nan = known_a.is_no_nan || known_b.is_no_nan;
    return (struct known){is_no_nan || (known_a.is_quiet && known_b.is_quiet), is_no_nan, false, 0};
}

static void
clamp(const struct step *s)
{
    const uint32_t low = temp(s, 2);
    const struct known known =
        minmax(s, true, low, s->a[0], s->a[1], known_of(s->v[0]), known_of(s->v[1]), 0);
    (void)minmax(s, false, s->to, vector_reg(low), s->a[2], known, known_of(s->v[2]), 0);
}

/* Out of range: the nearest integer; NaN: 0. */
static void
float_to_int(const struct step *s)
{
    const uint32_t r = temp(s, 0), other = temp(s, 1);
    if (s->t->is_wide) {
        const struct vector_mask zeroing = {MASK_TEMP, true}, mask = {MASK_TEMP, false};
        op_number(s, VECTOR_CMPPS, MASK_TEMP, reg(s, 0), s->a[0], VECTOR_ORDERED);
        op_masked(s, VECTOR_F2I, zeroing, r, 0, s->a[0]);
        op_number(s, VECTOR_CMPPS, MASK_TEMP, reg(s, 0), constant(TILE_2P31), VECTOR_GREATER_EQUAL);
        op_masked(s, VECTOR_BLEND, mask, s->to, r, constant(TILE_MAGNITUDE));
    } else {
        op(s, VECTOR_F2I, r, 0, s->a[0]);
        op_number(s, VECTOR_CMPPS, other, reg(s, 0), constant(TILE_2P31), VECTOR_GREATER_EQUAL);
        op(s, VECTOR_XOR, r, r, vector_reg(other));
        op_number(s, VECTOR_CMPPS, other, reg(s, 0), s->a[0], VECTOR_EQUAL);
        op(s, VECTOR_AND, s->to, r, vector_reg(other));
    }
}

static void
float_to_uint(const struct step *s)
{
    const uint32_t r = temp(s, 0), other = temp(s, 1);
    op(s, VECTOR_XOR, other, other, vector_reg(other));
    if (s->t->is_wide) {
        const struct vector_mask zeroing = {MASK_TEMP, true};
        op_number(s, VECTOR_CMPPS, MASK_TEMP, reg(s, 0), vector_reg(other), VECTOR_GREATER);
        op_masked(s, VECTOR_F2U, zeroing, s->to, 0, s->a[0]);
        return;
    }
    op_number(s, VECTOR_CMPPS, other, reg(s, 0), constant(TILE_2P31), VECTOR_GREATER_EQUAL);
    op(s, VECTOR_AND, r, other, constant(TILE_2P31));
    op(s, VECTOR_FSUB, r, reg(s, 0), vector_reg(r));
    op(s, VECTOR_F2I, r, 0, vector_reg(r));
    op(s, VECTOR_AND, other, other, constant(TILE_SIGN));
    op(s, VECTOR_XOR, r, r, vector_reg(other));
    op(s, VECTOR_XOR, other, other, vector_reg(other));
    op_number(s, VECTOR_CMPPS, other, reg(s, 0), vector_reg(other), VECTOR_GREATER);
    op(s, VECTOR_AND, r, r, vector_reg(other));
    op_number(s, VECTOR_CMPPS, other, reg(s, 0), constant(TILE_2P32), VECTOR_GREATER_EQUAL);
    op(s, VECTOR_OR, s->to, r, vector_reg(other));
}

static void
uint_to_float(const struct step *s)
{
    const uint32_t high = temp(s, 0), low = temp(s, 1);
    if (s->t->is_wide) {
        op(s, VECTOR_U2F, s->to, 0, s->a[0]);
        return;
    }
    shift_number(s, RIGHT, high, reg(s, 0), 16);
    op(s, VECTOR_I2F, high, 0, vector_reg(high));
    op(s, VECTOR_AND, low, reg(s, 0), constant(TILE_HALF));
    op(s, VECTOR_I2F, low, 0, vector_reg(low));
    op(s, VECTOR_FMUL, high, high, constant(TILE_2P16));
    op(s, VECTOR_FADD, s->to, high, vector_reg(low));
}

static void
round_to(const struct step *s, uint32_t to, uint32_t how)
{
    const uint32_t no_exceptions = 8;
    op_number(s, VECTOR_ROUND, to, 0, s->a[0], how | no_exceptions);
}

static void
of_one(const struct step *s, enum tile_code code)
{
    const uint32_t t0 = temp(s, 0);
    switch (code) {
    case TILE_FNEG:
        op(s, VECTOR_XOR, s->to, reg(s, 0), constant(TILE_SIGN));
        break;
    case TILE_FABS:
        op(s, VECTOR_AND, s->to, reg(s, 0), constant(TILE_MAGNITUDE));
        break;
    case TILE_U2F:
        uint_to_float(s);
        break;
    case TILE_F2I:
        float_to_int(s);
        break;
    case TILE_F2U:
        float_to_uint(s);
        break;
    case TILE_RINT:
        round_to(s, s->to, 0);
        break;
    case TILE_FLOOR:
        round_to(s, s->to, 1);
        break;
    case TILE_CEIL:
        round_to(s, s->to, 2);
        break;
    case TILE_TRUNC:
        round_to(s, s->to, 3);
        break;
    case TILE_FRACT: /* less than one; NaN stays */
        round_to(s, t0, 1);
        op(s, VECTOR_FSUB, t0, reg(s, 0), vector_reg(t0));
        load_constant(s, temp(s, 1), TILE_BELOW_ONE);
        op(s, VECTOR_FMIN, s->to, temp(s, 1), vector_reg(t0));
        break;
    default: /* ROUNDH: half as wide, the source is the instruction's first register */
        op_number(s, VECTOR_F2H, reg(s, 0), 0, vector_reg(t0), 0);
        op(s, VECTOR_H2F, s->to, 0, vector_reg(t0));
        break;
    }
}

void
machine_tile_write_float(const struct step *s, enum tile_code code)
{
    const uint32_t t0 = temp(s, 0);
    switch (code) {
    case TILE_FMIN:
    case TILE_FMAX:
        (void)minmax(s, code == TILE_FMAX, s->to, s->a[0], s->a[1], known_of(s->v[0]),
                     known_of(s->v[1]), 0);
        break;
    case TILE_FDIFF2:
        op(s, VECTOR_FSUB, t0, reg(s, 0), s->a[1]);
        op(s, VECTOR_FMUL, s->to, t0, vector_reg(t0));
        break;
    case TILE_MAD:
        of_three(s, VECTOR_FMUL, VECTOR_FADD);
        break;
    case TILE_MSUB:
        of_three(s, VECTOR_FMUL, VECTOR_FSUB);
        break;
    case TILE_NMAD:
        op(s, VECTOR_FMUL, t0, reg(s, 0), s->a[1]);
        op(s, VECTOR_FSUB, s->to, reg(s, 2), vector_reg(t0));
        break;
    case TILE_FMUL2:
        op(s, VECTOR_FMUL, t0, reg(s, 0), s->a[1]);
        op(s, VECTOR_FMUL, temp(s, 1), reg(s, 0), s->a[2]);
        op(s, VECTOR_FADD, s->to, t0, vector_reg(temp(s, 1)));
        break;
    case TILE_FADD3:
        of_three(s, VECTOR_FADD, VECTOR_FADD);
        break;
    case TILE_FSUBADD:
        of_three(s, VECTOR_FSUB, VECTOR_FADD);
        break;
    case TILE_FADDMUL:
        of_three(s, VECTOR_FADD, VECTOR_FMUL);
        break;
    case TILE_FCLAMP:
        clamp(s);
        break;
    case TILE_FDIFF2ADD:
        op(s, VECTOR_FSUB, t0, reg(s, 0), s->a[1]);
        op(s, VECTOR_FMUL, t0, t0, vector_reg(t0));
        op(s, VECTOR_FADD, s->to, t0, s->a[2]);
        break;
    default:
        of_one(s, code);
        break;
    }
}

/* SPDX-License-Identifier: MIT */
/* Operations of tiles on integers and bits as instructions: to the bit what compute/exec/expr.h
 * says in C.
 */
#include "compute/machine/tile_step.h"

/* Temps 0 and 1. */
static void
rotate(const struct step *s, uint32_t to)
{
    const uint32_t first = temp(s, 0), second = temp(s, 1);
    if (s->v[1]->is_number && s->t->is_wide) {
        shift_number(s, ROTATE, to, reg(s, 0), s->v[1]->number);
    } else if (s->t->is_wide) {
        op(s, VECTOR_ROTV, to, reg(s, 0), s->a[1]);
    } else if (s->v[1]->is_number) {
        shift_number(s, LEFT, first, reg(s, 0), s->v[1]->number);
        shift_number(s, RIGHT, second, reg(s, 0), 0 - s->v[1]->number);
        op(s, VECTOR_OR, to, first, vector_reg(second));
    } else {
        op(s, VECTOR_XOR, second, second, vector_reg(second));
        op(s, VECTOR_SUB, second, second, s->a[1]);
        op(s, VECTOR_AND, second, second, constant(TILE_31));
        op(s, VECTOR_SHRV, second, reg(s, 0), vector_reg(second));
        shift(s, LEFT, first, reg(s, 0), 1, first);
        op(s, VECTOR_OR, to, first, vector_reg(second));
    }
}

/* What bit_extract() does. */
static void
extract(const struct step *s, bool is_signed)
{
    const uint32_t right = temp(s, 0), up = temp(s, 1);
    const enum shift how = is_signed ? SIGNED : RIGHT;
    if (s->v[1]->is_number && s->v[2]->is_number) {
        const uint32_t count = 32 - s->v[2]->number;
        shift_number(s, LEFT, up, reg(s, 0), count - s->v[1]->number);
        if (s->v[2]->number == 0)
            op(s, VECTOR_XOR, s->to, up, vector_reg(up));
        else
            shift_number(s, how, s->to, up, count);
        return;
    }
    load_constant(s, right, TILE_32);
    op(s, VECTOR_SUB, right, right, s->a[2]);
    op(s, VECTOR_SUB, up, right, s->a[1]);
    op(s, VECTOR_AND, up, up, constant(TILE_31));
    op(s, VECTOR_SHLV, up, reg(s, 0), vector_reg(up));
    op(s, VECTOR_AND, right, right, constant(TILE_31));
    op(s, is_signed ? VECTOR_SARV : VECTOR_SHRV, up, up, vector_reg(right));
    if (s->t->is_wide) {
        op(s, VECTOR_TEST, MASK_TEMP, reg(s, 2), s->a[2]);
        op_masked(s, VECTOR_MOVE, (struct vector_mask){MASK_TEMP, true}, s->to, 0, vector_reg(up));
    } else {
        op(s, VECTOR_XOR, right, right, vector_reg(right));
        op(s, VECTOR_CMPEQ, right, right, s->a[2]);
        op(s, VECTOR_ANDN, s->to, right, vector_reg(up));
    }
}

/* Temps 0 to 3. The sum of the products of bytes. */
static void
dot(const struct step *s, bool is_signed, uint32_t to)
{
    const uint32_t logical = 2, arithmetic = 4, left = 6;
    for (uint32_t a = 0; a < 2; a++) {
        const uint32_t even = temp(s, a), odd = temp(s, 2 + a);
        if (is_signed) {
            op_number(s, VECTOR_SHIFT16, left, even, s->a[a], 8);
            op_number(s, VECTOR_SHIFT16, arithmetic, even, vector_reg(even), 8);
        } else {
            op(s, VECTOR_AND, even, reg(s, a), constant(TILE_BYTES));
        }
        op_number(s, VECTOR_SHIFT16, is_signed ? arithmetic : logical, odd, s->a[a], 8);
    }
    op(s, VECTOR_MADD16, temp(s, 0), temp(s, 0), vector_reg(temp(s, 1)));
    op(s, VECTOR_MADD16, temp(s, 2), temp(s, 2), vector_reg(temp(s, 3)));
    op(s, VECTOR_ADD, to, temp(s, 0), vector_reg(temp(s, 2)));
}

/* table: bit 4 * a + 2 * b + c of it is the result for the bits a, b and c of the operands. */
static void
ternary(const struct step *s, uint32_t table)
{
    const uint32_t result = temp(s, 0);
    op(s, VECTOR_MOVE, result, 0, s->a[0]);
    op_number(s, VECTOR_TERNARY, result, reg(s, 1), s->a[2], table);
    op(s, VECTOR_MOVE, s->to, 0, vector_reg(result));
}

/* Of bits. */
static void
of_three_bits(const struct step *s, enum tile_code code)
{
    const uint32_t t0 = temp(s, 0);
    if (s->t->is_wide) {
        ternary(s, code == TILE_XOR3 ? 0x96 : code == TILE_MAJORITY ? 0xe8 : 0xca);
    } else if (code == TILE_XOR3) {
        of_three(s, VECTOR_XOR, VECTOR_XOR);
    } else if (code == TILE_MAJORITY) {
        op(s, VECTOR_OR, t0, reg(s, 0), s->a[1]);
        op(s, VECTOR_AND, t0, t0, s->a[2]);
        op(s, VECTOR_AND, temp(s, 1), reg(s, 0), s->a[1]);
        op(s, VECTOR_OR, s->to, t0, vector_reg(temp(s, 1)));
    } else { /* ((b ^ c) & a) ^ c */
        op(s, VECTOR_XOR, t0, reg(s, 2), s->a[1]);
        op(s, VECTOR_AND, t0, t0, s->a[0]);
        op(s, VECTOR_XOR, s->to, t0, s->a[2]);
    }
}

static void
shift_and(const struct step *s, enum shift how, uint32_t second)
{
    const uint32_t t0 = temp(s, 0);
    shift(s, how, t0, reg(s, 0), 1, t0);
    op(s, second, s->to, t0, s->a[2]);
}

static void
xor_shifts(const struct step *s, enum shift first, enum shift second)
{
    const uint32_t t0 = temp(s, 0), t1 = temp(s, 1);
    shift(s, first, t0, reg(s, 0), 1, t0);
    op(s, VECTOR_XOR, t0, reg(s, 0), vector_reg(t0));
    shift(s, second, t1, t0, 2, t1);
    op(s, VECTOR_XOR, s->to, t0, vector_reg(t1));
}

static void
of_one(const struct step *s, enum tile_code code)
{
    const uint32_t t0 = temp(s, 0);
    switch (code) {
    case TILE_INEG:
        op(s, VECTOR_XOR, t0, t0, vector_reg(t0));
        op(s, VECTOR_SUB, s->to, t0, s->a[0]);
        break;
    case TILE_INOT:
        op(s, VECTOR_XOR, s->to, reg(s, 0), constant(TILE_ONES));
        break;
    case TILE_SEXT8:
    case TILE_SEXT16:
        shift_number(s, LEFT, t0, reg(s, 0), code == TILE_SEXT8 ? 24 : 16);
        shift_number(s, SIGNED, s->to, t0, code == TILE_SEXT8 ? 24 : 16);
        break;
    case TILE_ZEXT8:
        op(s, VECTOR_AND, s->to, reg(s, 0), constant(TILE_BYTE));
        break;
    default: /* ZEXT16 */
        op(s, VECTOR_AND, s->to, reg(s, 0), constant(TILE_HALF));
        break;
    }
}

/* Products of the even lanes, and of the odd ones, have 64 bits. */
static void
multiply_high(const struct step *s, bool is_signed)
{
    const uint32_t product = is_signed ? VECTOR_MUL32_SIGNED : VECTOR_MUL32;
    const uint32_t odd = temp(s, 0), even = temp(s, 1);
    const struct vector_operand other = s->v[1]->kind == TILE_SCALAR ? s->a[1] : vector_reg(even);
    op_number(s, VECTOR_SHIFT64, RIGHT, odd, vector_reg(reg(s, 0)), 32);
    if (s->v[1]->kind != TILE_SCALAR)
        op_number(s, VECTOR_SHIFT64, RIGHT, even, vector_reg(reg(s, 1)), 32);
    op(s, product, odd, odd, other);
    op(s, product, even, reg(s, 0), s->a[1]);
    op_number(s, VECTOR_SHIFT64, RIGHT, even, vector_reg(even), 32);
    if (!s->t->is_wide) {
        op_number(s, VECTOR_BLEND32, s->to, even, vector_reg(odd), 0xaa);
        return;
    }
    op(s, VECTOR_AND64, odd, odd, constant(TILE_UPPER64));
    op(s, VECTOR_OR, s->to, even, vector_reg(odd));
}

static void
of_two(const struct step *s, enum tile_code code)
{
    const uint32_t t0 = temp(s, 0);
    switch (code) {
    case TILE_SHL:
    case TILE_SHR:
    case TILE_SAR:
        shift(s,
              code == TILE_SHL   ? LEFT
              : code == TILE_SHR ? RIGHT
                                 : SIGNED,
              s->to, reg(s, 0), 1, t0);
        break;
    case TILE_XSHL:
    case TILE_XSHR:
        shift(s, code == TILE_XSHL ? LEFT : RIGHT, t0, reg(s, 0), 1, t0);
        op(s, VECTOR_XOR, s->to, reg(s, 0), vector_reg(t0));
        break;
    case TILE_ROTL:
        rotate(s, s->to);
        break;
    case TILE_UMULHI:
    case TILE_SMULHI:
        multiply_high(s, code == TILE_SMULHI);
        break;
    case TILE_IMUL16: /* which takes no word of memory for all lanes */
        op(s, VECTOR_MADD16, s->to, reg(s, 0), s->a[1]);
        break;
    default: /* SDOT4, UDOT4 */
        dot(s, code == TILE_SDOT4, s->to);
        break;
    }
}

static void
of_three_integers(const struct step *s, enum tile_code code)
{
    const uint32_t t0 = temp(s, 0);
    switch (code) {
    case TILE_IMAD:
        of_three(s, VECTOR_MUL, VECTOR_ADD);
        break;
    case TILE_IMAD16:
        of_three(s, VECTOR_MADD16, VECTOR_ADD);
        break;
    case TILE_SAD3:
        of_three(s, VECTOR_ADD, VECTOR_ADD);
        break;
    case TILE_SCLAMP:
        of_three(s, VECTOR_SMAX, VECTOR_SMIN);
        break;
    case TILE_UBFE:
    case TILE_SBFE:
        extract(s, code == TILE_SBFE);
        break;
    case TILE_SHLADD:
        shift_and(s, LEFT, VECTOR_ADD);
        break;
    case TILE_SHLOR:
        shift_and(s, LEFT, VECTOR_OR);
        break;
    case TILE_SHRAND:
        shift_and(s, RIGHT, VECTOR_AND);
        break;
    case TILE_SHRXOR:
        shift_and(s, RIGHT, VECTOR_XOR);
        break;
    case TILE_ROTXOR:
        rotate(s, t0);
        op(s, VECTOR_XOR, s->to, t0, s->a[2]);
        break;
    case TILE_ADDSAR:
    case TILE_ADDSHR:
        op(s, VECTOR_ADD, t0, reg(s, 0), s->a[1]);
        shift(s, code == TILE_ADDSAR ? SIGNED : RIGHT, s->to, t0, 2, temp(s, 1));
        break;
    case TILE_XSHLR:
        xor_shifts(s, LEFT, RIGHT);
        break;
    case TILE_XSHRL:
        xor_shifts(s, RIGHT, LEFT);
        break;
    default: /* SDOTADD */
        dot(s, true, t0);
        op(s, VECTOR_ADD, s->to, t0, s->a[2]);
        break;
    }
}

void
machine_tile_write_integer(const struct step *s, enum tile_code code)
{
    switch (code) {
    case TILE_INEG:
    case TILE_INOT:
    case TILE_SEXT8:
    case TILE_SEXT16:
    case TILE_ZEXT8:
    case TILE_ZEXT16:
        of_one(s, code);
        break;
    case TILE_SHL:
    case TILE_SHR:
    case TILE_SAR:
    case TILE_XSHL:
    case TILE_XSHR:
    case TILE_ROTL:
    case TILE_IMUL16:
    case TILE_UMULHI:
    case TILE_SMULHI:
    case TILE_SDOT4:
    case TILE_UDOT4:
        of_two(s, code);
        break;
    case TILE_XOR3:
    case TILE_MAJORITY:
    case TILE_BITSEL:
        of_three_bits(s, code);
        break;
    default:
        of_three_integers(s, code);
        break;
    }
}

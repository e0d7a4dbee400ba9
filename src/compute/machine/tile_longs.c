/* SPDX-License-Identifier: MIT */
/* Operations on lanes of 64 bits as instructions: to the bit what compute/exec/math64.h says in C.
 */
#include "compute/machine/tile_step.h"

enum long_shift {
    LONG_ROTATE = 1, /* AVX-512 */
    LONG_RIGHT = 2,
    LONG_SIGNED = 4, /* AVX-512 */
    LONG_LEFT = 6,
};

static void
shift_long(const struct step *s, enum long_shift how, uint32_t to, uint32_t from, uint32_t number)
{
    const bool is_other = how == LONG_ROTATE || how == LONG_SIGNED;
    op_number(s, is_other ? VECTOR_SHIFT64_SIGNED : VECTOR_SHIFT64, how, to, vector_reg(from),
              number & 63);
}

static void
rotate_long(const struct step *s)
{
    const uint32_t number = s->v[1]->number, t0 = temp(s, 0), t1 = temp(s, 1);
    if (s->t->is_wide) {
        shift_long(s, LONG_ROTATE, s->to, reg(s, 0), number);
        return;
    }
    shift_long(s, LONG_LEFT, t0, reg(s, 0), number);
    shift_long(s, LONG_RIGHT, t1, reg(s, 0), 0 - number);
    op(s, VECTOR_OR64, s->to, t0, vector_reg(t1));
}

/* With AVX2 from products of halves. */
static void
multiply_long(const struct step *s)
{
    const uint32_t t0 = temp(s, 0), t1 = temp(s, 1);
    if (s->t->is_wide) {
        op(s, VECTOR_MUL64, s->to, reg(s, 0), s->a[1]);
        return;
    }
    shift_long(s, LONG_RIGHT, t0, reg(s, 0), 32);
    op(s, VECTOR_MUL32, t0, t0, s->a[1]);
    shift_long(s, LONG_RIGHT, t1, reg(s, 1), 32);
    op(s, VECTOR_MUL32, t1, t1, s->a[0]);
    op(s, VECTOR_ADD64, t0, t0, vector_reg(t1));
    shift_long(s, LONG_LEFT, t0, t0, 32);
    op(s, VECTOR_MUL32, t1, reg(s, 0), s->a[1]);
    op(s, VECTOR_ADD64, s->to, t0, vector_reg(t1));
}

void
machine_tile_write_long(const struct step *s, enum tile_code code)
{
    const uint32_t t0 = temp(s, 0);
    switch (code) {
    case TILE_INEG64:
        op(s, VECTOR_XOR, t0, t0, vector_reg(t0));
        op(s, VECTOR_SUB64, s->to, t0, s->a[0]);
        break;
    case TILE_INOT64:
        op(s, VECTOR_XOR64, s->to, reg(s, 0), constant(TILE_ONES));
        break;
    case TILE_FNEG64:
        op(s, VECTOR_XOR64, s->to, reg(s, 0), constant(TILE_SIGN64));
        break;
    case TILE_FABS64:
        op(s, VECTOR_AND64, s->to, reg(s, 0), constant(TILE_MAGNITUDE64));
        break;
    case TILE_IMUL64:
        multiply_long(s);
        break;
    case TILE_SHL64:
        shift_long(s, LONG_LEFT, s->to, reg(s, 0), s->v[1]->number);
        break;
    case TILE_SHR64:
        shift_long(s, LONG_RIGHT, s->to, reg(s, 0), s->v[1]->number);
        break;
    case TILE_SAR64:
        shift_long(s, LONG_SIGNED, s->to, reg(s, 0), s->v[1]->number);
        break;
    case TILE_ROTL64:
        rotate_long(s);
        break;
    case TILE_XSHL64:
    case TILE_XSHR64:
        shift_long(s, code == TILE_XSHL64 ? LONG_LEFT : LONG_RIGHT, t0, reg(s, 0), s->v[1]->number);
        op(s, VECTOR_XOR64, s->to, reg(s, 0), vector_reg(t0));
        break;
    default: /* MAD64 */
        op(s, VECTOR_FMUL64, t0, reg(s, 0), s->a[1]);
        op(s, VECTOR_FADD64, s->to, t0, s->a[2]);
        break;
    }
}

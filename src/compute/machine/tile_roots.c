/* SPDX-License-Identifier: MIT */
/* Square roots of tiles, correctly rounded: by the divider, or, as compute/exec/roots.h does with
 * AVX-512, by multiply-adds from an estimate. Some vectors of a round take this way, some that, so
 * that both units have work.
 */
#include "compute/machine/tile_step.h"

static void
divide(const struct step *s, bool is_reciprocal)
{
    const uint32_t root = temp(s, 0), one = temp(s, 1);
    if (!is_reciprocal) {
        op(s, VECTOR_SQRT, s->to, 0, s->a[0]);
        return;
    }
    op(s, VECTOR_SQRT, root, 0, s->a[0]);
    load_constant(s, one, TILE_ONE);
    op(s, VECTOR_FDIV, s->to, one, vector_reg(root));
}

/* Jumps where a lane of the mask is set. */
static uint32_t
jump_if_any(const struct step *s)
{
    const uint32_t kortest = 0x98;
    x86_vex(s->t->x, 0, 1, false, kortest, MASK_TEMP, 0, x86_reg(MASK_TEMP));
    return x86_jump_if(s->t->x, X86_NOT_EQUAL);
}

/* Lanes that root_is_rare() is about. */
static uint32_t
jump_if_rare(const struct step *s, uint32_t some)
{
    const uint32_t t0 = temp(s, 0), at_least = 5;
    op(s, VECTOR_SUB, t0, reg(s, 0), constant(TILE_ROOT_LEAST));
    machine_write_vector(s->t->x, true, VECTOR_CMPUD, (struct vector_mask){some, false}, MASK_TEMP,
                         t0, constant(TILE_ROOT_RANGE), at_least);
    return jump_if_any(s);
}

/* From an estimate in h: the root in r, and half its reciprocal in h. */
static void
approach(const struct step *s, uint32_t h, uint32_t g, uint32_t r)
{
    op(s, VECTOR_FMUL, g, reg(s, 0), vector_reg(h));
    op(s, VECTOR_FMUL, h, h, constant(TILE_ONE_HALF));
    load_constant(s, r, TILE_ONE_HALF);
    op(s, VECTOR_FNMADD231, r, g, vector_reg(h));
    op(s, VECTOR_FMADD213, g, r, vector_reg(g));
    op(s, VECTOR_FMADD213, h, r, vector_reg(h));
    op(s, VECTOR_MOVE, r, 0, s->a[0]);
    op(s, VECTOR_FNMADD231, r, g, vector_reg(g));
    op(s, VECTOR_FMADD213, r, h, vector_reg(g));
}

static void
multiply(const struct step *s)
{
    struct x86 *x = s->t->x;
    const uint32_t g = temp(s, 1), r = temp(s, 2), h = temp(s, 3);
    op(s, VECTOR_TEST, MASK_TEMP, reg(s, 0), s->a[0]);
    op_masked(s, VECTOR_RSQRT14, (struct vector_mask){MASK_TEMP, true}, h, 0, s->a[0]);
    const uint32_t rare = jump_if_rare(s, MASK_TEMP);
    approach(s, h, g, r);
    op(s, VECTOR_MOVE, s->to, 0, vector_reg(r));
    const uint32_t done = x86_jump(x);
    x86_land(x, rare, x->size_B);
    divide(s, false);
    x86_land(x, done, x->size_B);
}

/* The reciprocal of the root in two steps, but for roots whose fraction is all ones. */
static void
multiply_reciprocal(const struct step *s)
{
    struct x86 *x = s->t->x;
    const uint32_t t0 = temp(s, 0), g = temp(s, 1), r = temp(s, 2), h = temp(s, 3);
    const uint32_t rare = jump_if_rare(s, 0);
    op(s, VECTOR_ADD, t0, reg(s, 0), constant(TILE_2));
    op(s, VECTOR_TESTN, MASK_TEMP, t0, constant(TILE_ROOT_ONES));
    const uint32_t ones = jump_if_any(s);
    op(s, VECTOR_RSQRT14, h, 0, s->a[0]);
    approach(s, h, g, r);
    op(s, VECTOR_FADD, h, h, vector_reg(h));
    for (uint32_t k = 0; k < 2; k++) {
        load_constant(s, g, TILE_ONE);
        op(s, VECTOR_FNMADD231, g, r, vector_reg(h));
        op(s, VECTOR_FMADD213, h, g, vector_reg(h));
    }
    op(s, VECTOR_MOVE, s->to, 0, vector_reg(h));
    const uint32_t done = x86_jump(x);
    x86_land(x, rare, x->size_B);
    x86_land(x, ones, x->size_B);
    divide(s, true);
    x86_land(x, done, x->size_B);
}

void
machine_tile_write_root(const struct step *s, bool is_reciprocal)
{
    const bool is_for_divider = is_reciprocal ? s->u == 3 : s->u % 2;
    if (!s->t->is_wide || is_for_divider)
        divide(s, is_reciprocal);
    else if (is_reciprocal)
        multiply_reciprocal(s);
    else
        multiply(s);
}

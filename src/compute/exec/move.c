/* SPDX-License-Identifier: MIT */
/* Copies, selections, masks and control flow. Compiled once for each instruction set. */
#include "compute/exec/op_list.h"
#include "compute/exec/vec.h"

#define VEC(at) ((vi *)(R + (at)))
#define VECL(at) ((vl *)(R + (at)))
#define MASK(at) ((uint16_t *)(R + (at)))
#define SCALAR(at) vi_splat(get_i(R, at))
#define FOR_VECTORS for (int32_t s = x->k0 * RP_NS, end = x->k1 * RP_NS; s < end; s++)
#define FOR_VECTORS64 for (int32_t s = x->k0 * 2 * RP_NS, end = x->k1 * 2 * RP_NS; s < end; s++)
#define FOR_BLOCKS for (int32_t k = x->k0; k < x->k1; k++)

RP_OP(MOV_V)
{
    vi *d = VEC(o->d);
    const vi *a = VEC(o->a);
    FOR_VECTORS
        d[s] = a[s];
    RP_MUSTTAIL return RP_GO(o + 1);
}

RP_OP(MOV_S)
{
    *(int32_t *)(R + o->d) = get_i(R, o->a);
    RP_MUSTTAIL return RP_GO(o + 1);
}

RP_OP(MOV64_V)
{
    vl *d = VECL(o->d);
    const vl *a = VECL(o->a);
    FOR_VECTORS64
        d[s] = a[s];
    RP_MUSTTAIL return RP_GO(o + 1);
}

RP_OP(MOV64_S)
{
    *(int64_t *)(R + o->d) = get_l(R, o->a);
    RP_MUSTTAIL return RP_GO(o + 1);
}

RP_OP(MOVB_V)
{
    uint16_t *d = MASK(o->d);
    const uint16_t *a = MASK(o->a);
    FOR_BLOCKS
        d[k] = a[k];
    RP_MUSTTAIL return RP_GO(o + 1);
}

RP_OP(MOVM_V)
{
    vi *d = VEC(o->d);
    const vi *a = VEC(o->a);
    const uint16_t *bits = x->levels[o->level].bits;
    FOR_VECTORS
        d[s] = vi_mask_select(mask_part(bits, s), a[s], d[s]);
    RP_MUSTTAIL return RP_GO(o + 1);
}

RP_OP(MOVM_S)
{
    vi *d = VEC(o->d);
    const vi a = SCALAR(o->a);
    const uint16_t *bits = x->levels[o->level].bits;
    FOR_VECTORS
        d[s] = vi_mask_select(mask_part(bits, s), a, d[s]);
    RP_MUSTTAIL return RP_GO(o + 1);
}

RP_OP(MOVM64_V)
{
    vl *d = VECL(o->d);
    const vl *a = VECL(o->a);
    const uint16_t *bits = x->levels[o->level].bits;
    FOR_VECTORS64
        d[s] = vl_select(vl_mask(mask_part64(bits, s)), a[s], d[s]);
    RP_MUSTTAIL return RP_GO(o + 1);
}

RP_OP(MOVM64_S)
{
    vl *d = VECL(o->d);
    const vl a = vl_splat(get_l(R, o->a));
    const uint16_t *bits = x->levels[o->level].bits;
    FOR_VECTORS64
        d[s] = vl_select(vl_mask(mask_part64(bits, s)), a, d[s]);
    RP_MUSTTAIL return RP_GO(o + 1);
}

RP_OP(MOVMB_V)
{
    uint16_t *d = MASK(o->d);
    const uint16_t *a = MASK(o->a);
    const uint16_t *bits = x->levels[o->level].bits;
    FOR_BLOCKS
        d[k] = (uint16_t)((a[k] & bits[k]) | (d[k] & ~bits[k]));
    RP_MUSTTAIL return RP_GO(o + 1);
}

RP_OP(MOVMB_S)
{
    uint16_t *d = MASK(o->d);
    const uint32_t a = get_i(R, o->a) ? 0xffff : 0;
    const uint16_t *bits = x->levels[o->level].bits;
    FOR_BLOCKS
        d[k] = (uint16_t)((a & bits[k]) | (d[k] & ~bits[k]));
    RP_MUSTTAIL return RP_GO(o + 1);
}

RP_OP(SPLAT)
{
    vi *d = VEC(o->d);
    const vi a = SCALAR(o->a);
    FOR_VECTORS
        d[s] = a;
    RP_MUSTTAIL return RP_GO(o + 1);
}

RP_OP(SPLAT64)
{
    vl *d = VECL(o->d);
    const vl a = vl_splat(get_l(R, o->a));
    FOR_VECTORS64
        d[s] = a;
    RP_MUSTTAIL return RP_GO(o + 1);
}

RP_OP(SPLATB)
{
    uint16_t *d = MASK(o->d);
    const uint16_t a = get_i(R, o->a) ? 0xffff : 0;
    FOR_BLOCKS
        d[k] = a;
    RP_MUSTTAIL return RP_GO(o + 1);
}

/* base + x * b + y * c + z * stride n (a register offset in the next record) */
RP_OP(AFFINE)
{
    const struct rp_op_more *more = (const struct rp_op_more *)(o + 1);
    const struct rp_geometry *g = x->geometry;
    vi *d = VEC(o->d);
    const vi base = SCALAR(o->a);
    const int32_t sx = get_i(R, o->b);

    if (g->is_line) {
        for (int32_t k = x->k0; k < x->k1; k++)
            for (int32_t j = 0; j < RP_NS; j++)
                d[k * RP_NS + j] = VI(VU(base) + VU(lane_numbers(j) + k * 16) * (uint32_t)sx);
    } else {
        const uint32_t sy = (uint32_t)get_i(R, o->c), sz = (uint32_t)get_i(R, more->r[0]);
        const vu *lx = (const vu *)g->x, *ly = (const vu *)g->y, *lz = (const vu *)g->z;
        FOR_VECTORS
            d[s] = VI(VU(base) + lx[s] * (uint32_t)sx + ly[s] * sy + lz[s] * sz);
    }
    RP_MUSTTAIL return RP_GO(o + 2);
}

RP_OP(BNOT_V)
{
    uint16_t *d = MASK(o->d);
    const uint16_t *a = MASK(o->a);
    FOR_BLOCKS
        d[k] = (uint16_t)~a[k];
    RP_MUSTTAIL return RP_GO(o + 1);
}

#define DEFINE_MASK(name, expression) \
    RP_OP(name) \
    { \
        uint16_t *d = MASK(o->d); \
        const uint16_t *a = MASK(o->a), *b = MASK(o->b); \
        FOR_BLOCKS d[k] = (uint16_t)(expression); \
        RP_MUSTTAIL return RP_GO(o + 1); \
    }
DEFINE_MASK(BAND_VV, a[k] & b[k])
DEFINE_MASK(BOR_VV, a[k] | b[k])
DEFINE_MASK(BXOR_VV, a[k] ^ b[k])
DEFINE_MASK(BANDN_VV, a[k] & ~b[k])

RP_OP(BSEL_VVV)
{
    uint16_t *d = MASK(o->d);
    const uint16_t *a = MASK(o->a), *b = MASK(o->b), *c = MASK(o->c);
    FOR_BLOCKS
        d[k] = (uint16_t)((a[k] & b[k]) | (~a[k] & c[k]));
    RP_MUSTTAIL return RP_GO(o + 1);
}

#define DEFINE_SEL(name, b_declaration, b_value, c_declaration, c_value) \
    RP_OP(name) \
    { \
        vi *d = VEC(o->d); \
        const uint16_t *a = MASK(o->a); \
        const vi b_declaration, c_declaration; \
        FOR_VECTORS d[s] = vi_mask_select(mask_part(a, s), b_value, c_value); \
        RP_MUSTTAIL return RP_GO(o + 1); \
    }
DEFINE_SEL(SEL_VVV, *b = VEC(o->b), b[s], *c = VEC(o->c), c[s])
DEFINE_SEL(SEL_VVS, *b = VEC(o->b), b[s], c = SCALAR(o->c), c)
DEFINE_SEL(SEL_VSV, b = SCALAR(o->b), b, *c = VEC(o->c), c[s])
DEFINE_SEL(SEL_VSS, b = SCALAR(o->b), b, c = SCALAR(o->c), c)

RP_OP(SEL_SSS)
{
    *(int32_t *)(R + o->d) = get_i(R, get_i(R, o->a) ? o->b : o->c);
    RP_MUSTTAIL return RP_GO(o + 1);
}

RP_OP(SEL64_VVV)
{
    vl *d = VECL(o->d);
    const vl *b = VECL(o->b), *c = VECL(o->c);
    const uint16_t *a = MASK(o->a);
    FOR_VECTORS64
        d[s] = vl_select(vl_mask(mask_part64(a, s)), b[s], c[s]);
    RP_MUSTTAIL return RP_GO(o + 1);
}

RP_OP(SEL64_SSS)
{
    *(int64_t *)(R + o->d) = get_l(R, get_i(R, o->a) ? o->b : o->c);
    RP_MUSTTAIL return RP_GO(o + 1);
}

RP_OP(END)
{
    (void)o, (void)R, (void)x;
    return NULL;
}

RP_OP(JMP)
{
    o += o->i;
    RP_MUSTTAIL return RP_GO(o);
}

/* Backwards: through the caller, so that nothing nests deeper than the program is long. */
RP_OP(LOOPBACK)
{
    (void)R;
    if (--x->fuel == 0 && rp_exec_refuel(x))
        return NULL;
    return o + o->i;
}

RP_OP(IF_S)
{
    o += get_i(R, o->a) ? 1 : o->i;
    RP_MUSTTAIL return RP_GO(o);
}

/* Settles a level whose bits were just made within [k0, k1). */
static inline const struct rp_op *
enter_or_jump(const struct rp_op *o, struct rp_exec *x, struct rp_level *level, uint32_t any,
              uint32_t all)
{
    if (!any)
        return o + o->i;
    level->k0 = x->k0;
    level->k1 = x->k1;
    level->is_full = all == 0xffff;
    if (all != 0xffff) {
        while (!level->bits[level->k0])
            level->k0++;
        while (!level->bits[level->k1 - 1])
            level->k1--;
        if (level->k0 != x->k0 || level->k1 != x->k1)
            rp_level_settle(level);
    }
    rp_level_enter(x, level);
    return o + 1;
}

RP_OP(IF_V)
{
    const struct rp_level *outer = &x->levels[o->n];
    struct rp_level *level = &x->levels[o->level];
    const uint16_t *a = MASK(o->a);
    uint32_t any = 0, all = 0xffff;
    FOR_BLOCKS {
        const uint32_t bits = outer->bits[k] & a[k];
        level->bits[k] = (uint16_t)bits;
        any |= bits;
        all &= bits;
    }
    o = enter_or_jump(o, x, level, any, all);
    RP_MUSTTAIL return RP_GO(o);
}

RP_OP(ELSE_V)
{
    const struct rp_level *outer = &x->levels[o->n];
    struct rp_level *level = &x->levels[o->level];
    const uint16_t *a = MASK(o->a);
    uint32_t any = 0, all = 0xffff;
    rp_level_enter(x, outer);
    FOR_BLOCKS {
        const uint32_t bits = outer->bits[k] & ~a[k];
        level->bits[k] = (uint16_t)bits;
        any |= bits;
        all &= bits;
    }
    o = enter_or_jump(o, x, level, any, all);
    RP_MUSTTAIL return RP_GO(o);
}

RP_OP(BLOCK_V)
{
    const struct rp_level *outer = &x->levels[o->n];
    struct rp_level *level = &x->levels[o->level];
    FOR_BLOCKS
        level->bits[k] = outer->bits[k];
    level->k0 = x->k0;
    level->k1 = x->k1;
    level->is_full = x->is_full;
    RP_MUSTTAIL return RP_GO(o + 1);
}

RP_OP(BR_V)
{
    const struct rp_level *level = &x->levels[o->level];
    for (uint32_t l = o->n; l < o->level; l++)
        FOR_BLOCKS
            x->levels[l].bits[k] &= (uint16_t)~level->bits[k];
    FOR_BLOCKS
        x->levels[o->level].bits[k] = 0;
    (void)R;
    RP_MUSTTAIL return RP_GO(o + 1);
}

RP_OP(REJOIN)
{
    struct rp_level *level = &x->levels[o->level];
    const bool is_empty = o->b && !rp_level_settle(level);
    rp_level_enter(x, level);
    o += is_empty ? o->i : 1;
    RP_MUSTTAIL return RP_GO(o);
}

/* SPDX-License-Identifier: MIT */
/* Copies, selections, masks. Compiled once for each instruction set. */
#include "compute/exec/op_list.h"
#include "compute/exec/vec.h"

#define VEC(at) ((vi *)(R + (at)))
#define VECL(at) ((vl *)(R + (at)))
#define MASK(at) ((uint16_t *)(R + (at)))
#define SCALAR(at) vi_splat(get_i(R, at))
#define FOR_VECTORS for (int32_t s = x->k0 * RP_NS, end = x->k1 * RP_NS; s < end; s++)
#define FOR_VECTORS64 for (int32_t s = x->k0 * 2 * RP_NS, end = x->k1 * 2 * RP_NS; s < end; s++)
#define FOR_BLOCKS for (int32_t k = x->k0; k < x->k1; k++)
/* The same vectors, when it helps to know which of its block each is. */
#define FOR_VECTORS_OF_BLOCKS \
    FOR_BLOCKS \
    for (int32_t j = 0, s = k * RP_NS; j < RP_NS; j++, s++)
#define FOR_VECTORS64_OF_BLOCKS \
    FOR_BLOCKS \
    for (int32_t j = 0, s = k * 2 * RP_NS; j < 2 * RP_NS; j++, s++)

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

/* Blocks with an active lane; all of the window when most have one. */
#define FOR_ACTIVE_BLOCKS(level) for (uint64_t left = (level)->blocks; left; left &= left - 1)

static inline bool
is_sparse(const struct rp_level *level, const struct rp_exec *x)
{
    return __builtin_popcountll(level->blocks) * 2 < x->k1 - x->k0;
}

RP_OP(MOVM_V)
{
    vi *d = VEC(o->d);
    const vi *a = VEC(o->a);
    const struct rp_level *level = &x->levels[o->level];
    if (is_sparse(level, x)) {
        FOR_ACTIVE_BLOCKS(level)
        {
            const int32_t k = __builtin_ctzll(left);
            for (int32_t j = 0, s = k * RP_NS; j < RP_NS; j++, s++)
                d[s] = vi_pick(level->bits, k, j, a[s], d[s]);
        }
    } else {
        FOR_VECTORS_OF_BLOCKS
        d[s] = vi_pick(level->bits, k, j, a[s], d[s]);
    }
    RP_MUSTTAIL return RP_GO(o + 1);
}

RP_OP(MOVM_S)
{
    vi *d = VEC(o->d);
    const vi a = SCALAR(o->a);
    const struct rp_level *level = &x->levels[o->level];
    if (is_sparse(level, x)) {
        FOR_ACTIVE_BLOCKS(level)
        {
            const int32_t k = __builtin_ctzll(left);
            for (int32_t j = 0, s = k * RP_NS; j < RP_NS; j++, s++)
                d[s] = vi_pick(level->bits, k, j, a, d[s]);
        }
    } else {
        FOR_VECTORS_OF_BLOCKS
        d[s] = vi_pick(level->bits, k, j, a, d[s]);
    }
    RP_MUSTTAIL return RP_GO(o + 1);
}

RP_OP(MOVM64_V)
{
    vl *d = VECL(o->d);
    const vl *a = VECL(o->a);
    const uint16_t *bits = x->levels[o->level].bits;
    FOR_VECTORS64_OF_BLOCKS
    d[s] = vl_pick(bits, k, j, a[s], d[s]);
    RP_MUSTTAIL return RP_GO(o + 1);
}

RP_OP(MOVM64_S)
{
    vl *d = VECL(o->d);
    const vl a = vl_splat(get_l(R, o->a));
    const uint16_t *bits = x->levels[o->level].bits;
    FOR_VECTORS64_OF_BLOCKS
    d[s] = vl_pick(bits, k, j, a, d[s]);
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
        FOR_VECTORS_OF_BLOCKS d[s] = vi_pick(a, k, j, b_value, c_value); \
        RP_MUSTTAIL return RP_GO(o + 1); \
    }
DEFINE_SEL(SEL_VVV, *b = VEC(o->b), b[s], *c = VEC(o->c), c[s])
DEFINE_SEL(SEL_VVS, *b = VEC(o->b), b[s], c = SCALAR(o->c), c)
DEFINE_SEL(SEL_VSV, b = SCALAR(o->b), b, *c = VEC(o->c), c[s])
DEFINE_SEL(SEL_VSS, b = SCALAR(o->b), b, c = SCALAR(o->c), c)

RP_OP(SEL_SSS)
{
    const int32_t yes = get_i(R, o->b), no = get_i(R, o->c); /* while it waits for the bool */
    *(int32_t *)(R + o->d) = get_i(R, o->a) ? yes : no;
    RP_MUSTTAIL return RP_GO(o + 1);
}

RP_OP(SEL64_VVV)
{
    vl *d = VECL(o->d);
    const vl *b = VECL(o->b), *c = VECL(o->c);
    const uint16_t *a = MASK(o->a);
    FOR_VECTORS64_OF_BLOCKS
    d[s] = vl_pick(a, k, j, b[s], c[s]);
    RP_MUSTTAIL return RP_GO(o + 1);
}

RP_OP(SEL64_SSS)
{
    *(int64_t *)(R + o->d) = get_l(R, get_i(R, o->a) ? o->b : o->c);
    RP_MUSTTAIL return RP_GO(o + 1);
}

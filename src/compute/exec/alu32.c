/* SPDX-License-Identifier: MIT */
/* 32-bit arithmetic, every form of it. Compiled once for each instruction set. */
#include "compute/exec/expr.h"
#include "compute/exec/op_list.h"
#include "compute/exec/scalar.h"

#define VEC(at) ((vi *)(R + (at)))
#define SCALAR(at) vi_splat(get_i(R, at))
#define SET_SCALAR(value) (*(int32_t *)(R + o->d) = (value))
/* By bytes: the offset of a vector is part of an instruction's address. */
#define FOR_VECTORS \
    for (size_t s = (size_t)x->k0 * 64, end = (size_t)x->k1 * 64; s < end; s += RP_VB)
#define AT(v) (*(__typeof__(v))((uintptr_t)(v) + s))

#define DEFINE_UN(name) \
    RP_OP(name##_V) \
    { \
        vi *d = VEC(o->d); \
        const vi *a = VEC(o->a); \
        FOR_VECTORS AT(d) = E_##name(AT(a)); \
        RP_MUSTTAIL return RP_GO(o + 1); \
    } \
    RP_OP(name##_S) \
    { \
        const int32_t a = get_i(R, o->a); \
        SET_SCALAR(RP_SCALAR_OR(name, (E_##name(vi_splat(a)))[0])); \
        RP_MUSTTAIL return RP_GO(o + 1); \
    }
RP_OPS_I_I(DEFINE_UN)

#define DEFINE_BIN(name) \
    RP_OP(name##_VV) \
    { \
        vi *d = VEC(o->d); \
        const vi *a = VEC(o->a), *b = VEC(o->b); \
        FOR_VECTORS AT(d) = E_##name(AT(a), AT(b)); \
        RP_MUSTTAIL return RP_GO(o + 1); \
    } \
    RP_OP(name##_VS) \
    { \
        vi *d = VEC(o->d); \
        const vi *a = VEC(o->a), b = SCALAR(o->b); \
        FOR_VECTORS AT(d) = E_##name(AT(a), b); \
        RP_MUSTTAIL return RP_GO(o + 1); \
    } \
    RP_OP(name##_SV) \
    { \
        vi *d = VEC(o->d); \
        const vi a = SCALAR(o->a), *b = VEC(o->b); \
        FOR_VECTORS AT(d) = E_##name(a, AT(b)); \
        RP_MUSTTAIL return RP_GO(o + 1); \
    } \
    RP_OP(name##_SS) \
    { \
        const int32_t a = get_i(R, o->a), b = get_i(R, o->b); \
        SET_SCALAR(RP_SCALAR_OR(name, (E_##name(vi_splat(a), vi_splat(b)))[0])); \
        RP_MUSTTAIL return RP_GO(o + 1); \
    }
RP_OPS_I_II_COMM(DEFINE_BIN)
RP_OPS_I_II(DEFINE_BIN)

/* Comparisons collect one bit a lane; a block's bits are written at once. */
#define COMPARE_BLOCKS(name, first, second) \
    for (int32_t k = x->k0; k < x->k1; k++) { \
        uint32_t bits = 0; \
        for (int32_t j = 0; j < RP_NS; j++) { \
            const int32_t s = k * RP_NS + j; \
            bits |= E_BITS(name, first, second) << (j * RP_VW); \
        } \
        d[k] = (uint16_t)bits; \
    }

#define DEFINE_CMP(name) \
    RP_OP(name##_VV) \
    { \
        uint16_t *d = (uint16_t *)(R + o->d); \
        const vi *a = VEC(o->a), *b = VEC(o->b); \
        COMPARE_BLOCKS(name, a[s], b[s]) \
        RP_MUSTTAIL return RP_GO(o + 1); \
    } \
    RP_OP(name##_VS) \
    { \
        uint16_t *d = (uint16_t *)(R + o->d); \
        const vi *a = VEC(o->a), b = SCALAR(o->b); \
        COMPARE_BLOCKS(name, a[s], b) \
        RP_MUSTTAIL return RP_GO(o + 1); \
    } \
    RP_OP(name##_SV) \
    { \
        uint16_t *d = (uint16_t *)(R + o->d); \
        const vi a = SCALAR(o->a), *b = VEC(o->b); \
        COMPARE_BLOCKS(name, a, b[s]) \
        RP_MUSTTAIL return RP_GO(o + 1); \
    } \
    RP_OP(name##_SS) \
    { \
        const int32_t a = get_i(R, o->a), b = get_i(R, o->b); \
        SET_SCALAR(RP_SCALAR_OR(name, (-(E_##name(vi_splat(a), vi_splat(b))))[0])); \
        RP_MUSTTAIL return RP_GO(o + 1); \
    } \
    RP_OP(IF_##name) \
    { \
        const int32_t a = get_i(R, o->a), b = get_i(R, o->b); \
        const int32_t r = RP_SCALAR_OR(name, (-(E_##name(vi_splat(a), vi_splat(b))))[0]); \
        SET_SCALAR(r); \
        o += r ? 1 : o->i; \
        RP_MUSTTAIL return RP_GO(o); \
    }
RP_OPS_B_II(DEFINE_CMP)

#define DEFINE_TRI(name) \
    RP_OP(name##_VVV) \
    { \
        vi *d = VEC(o->d); \
        const vi *a = VEC(o->a), *b = VEC(o->b), *c = VEC(o->c); \
        FOR_VECTORS AT(d) = E_##name(AT(a), AT(b), AT(c)); \
        RP_MUSTTAIL return RP_GO(o + 1); \
    } \
    RP_OP(name##_VVS) \
    { \
        vi *d = VEC(o->d); \
        const vi *a = VEC(o->a), *b = VEC(o->b), c = SCALAR(o->c); \
        FOR_VECTORS AT(d) = E_##name(AT(a), AT(b), c); \
        RP_MUSTTAIL return RP_GO(o + 1); \
    } \
    RP_OP(name##_VSV) \
    { \
        vi *d = VEC(o->d); \
        const vi *a = VEC(o->a), b = SCALAR(o->b), *c = VEC(o->c); \
        FOR_VECTORS AT(d) = E_##name(AT(a), b, AT(c)); \
        RP_MUSTTAIL return RP_GO(o + 1); \
    } \
    RP_OP(name##_VSS) \
    { \
        vi *d = VEC(o->d); \
        const vi *a = VEC(o->a), b = SCALAR(o->b), c = SCALAR(o->c); \
        FOR_VECTORS AT(d) = E_##name(AT(a), b, c); \
        RP_MUSTTAIL return RP_GO(o + 1); \
    } \
    RP_OP(name##_SSS) \
    { \
        const int32_t a = get_i(R, o->a), b = get_i(R, o->b), c = get_i(R, o->c); \
        SET_SCALAR(RP_SCALAR_OR(name, (E_##name(vi_splat(a), vi_splat(b), vi_splat(c)))[0])); \
        RP_MUSTTAIL return RP_GO(o + 1); \
    }
RP_OPS_I_III(DEFINE_TRI)

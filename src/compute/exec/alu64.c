/* SPDX-License-Identifier: MIT */
/* 64-bit arithmetic and conversions from and to it. Compiled once for each instruction set. */
#include "compute/exec/math64.h"
#include "compute/exec/op_list.h"
#include "compute/exec/scalar.h"

#define VECL(at) ((vl *)(R + (at)))
#define HALF(at) ((vih *)(R + (at)))
/* By bytes: the offset of a vector of longs is part of an instruction's address. */
#define FOR_VECTORS \
    for (size_t s = (size_t)x->k0 * 128, end = (size_t)x->k1 * 128; s < end; s += RP_VB)
/* The vector of longs there, and those of words that are as many; PART: whatever v points to. */
#define LONGS(v) (*(__typeof__(v))((uintptr_t)(v) + s))
#define HALVES(v) (*(__typeof__(v))((uintptr_t)(v) + s / 2))
#define PART(v) (*(__typeof__(v))((uintptr_t)(v) + (sizeof(*(v)) == RP_VB ? s : s / 2)))

#define SCALAR_L(at) vl_splat(get_l(R, at))

#define DEFINE_L_L(name) \
    RP_OP(name##_V) \
    { \
        vl *d = VECL(o->d); \
        const vl *a = VECL(o->a); \
        FOR_VECTORS LONGS(d) = F_##name(LONGS(a)); \
        RP_MUSTTAIL return RP_GO(o + 1); \
    } \
    RP_OP(name##_S) \
    { \
        const int64_t a = get_l(R, o->a); \
        *(int64_t *)(R + o->d) = RP_SCALAR_OR(name, (F_##name(vl_splat(a)))[0]); \
        RP_MUSTTAIL return RP_GO(o + 1); \
    }
RP_OPS_L_L(DEFINE_L_L)

#define DEFINE_L_I(name) \
    RP_OP(name##_V) \
    { \
        vl *d = VECL(o->d); \
        const vih *a = HALF(o->a); \
        FOR_VECTORS LONGS(d) = F_##name(HALVES(a)); \
        RP_MUSTTAIL return RP_GO(o + 1); \
    } \
    RP_OP(name##_S) \
    { \
        const int32_t a = get_i(R, o->a); \
        *(int64_t *)(R + o->d) = RP_SCALAR_OR(name, (F_##name(vih_splat(a)))[0]); \
        RP_MUSTTAIL return RP_GO(o + 1); \
    }
RP_OPS_L_I(DEFINE_L_I)

#define DEFINE_I_L(name) \
    RP_OP(name##_V) \
    { \
        vih *d = HALF(o->d); \
        const vl *a = VECL(o->a); \
        FOR_VECTORS HALVES(d) = F_##name(LONGS(a)); \
        RP_MUSTTAIL return RP_GO(o + 1); \
    } \
    RP_OP(name##_S) \
    { \
        const int64_t a = get_l(R, o->a); \
        *(int32_t *)(R + o->d) = RP_SCALAR_OR(name, (F_##name(vl_splat(a)))[0]); \
        RP_MUSTTAIL return RP_GO(o + 1); \
    }
RP_OPS_I_L(DEFINE_I_L)

#define DEFINE_L_BIN(name, b_type, b_get, b_splat, a_type, a_get, a_splat) \
    RP_OP(name##_VV) \
    { \
        vl *d = VECL(o->d); \
        const a_type *a = (const a_type *)(R + o->a); \
        const b_type *b = (const b_type *)(R + o->b); \
        FOR_VECTORS LONGS(d) = F_##name(PART(a), PART(b)); \
        RP_MUSTTAIL return RP_GO(o + 1); \
    } \
    RP_OP(name##_SS) \
    { \
        const __typeof__(a_get(R, 0)) a = a_get(R, o->a); \
        const __typeof__(b_get(R, 0)) b = b_get(R, o->b); \
        *(int64_t *)(R + o->d) = RP_SCALAR_OR(name, (F_##name(a_splat(a), b_splat(b)))[0]); \
        RP_MUSTTAIL return RP_GO(o + 1); \
    }
#define DEFINE_L_LL(name) DEFINE_L_BIN(name, vl, get_l, vl_splat, vl, get_l, vl_splat)
#define DEFINE_L_LI(name) DEFINE_L_BIN(name, vih, get_i, vih_splat, vl, get_l, vl_splat)
#define DEFINE_L_II(name) DEFINE_L_BIN(name, vih, get_i, vih_splat, vih, get_i, vih_splat)
RP_OPS_L_LL(DEFINE_L_LL)
RP_OPS_L_LI(DEFINE_L_LI)
RP_OPS_L_II(DEFINE_L_II)

#define DEFINE_L_WITH_SCALAR(name, b_type, b_splat, b_get) \
    RP_OP(name##_VS) \
    { \
        vl *d = VECL(o->d); \
        const vl *a = VECL(o->a); \
        const b_type b = b_splat(b_get(R, o->b)); \
        FOR_VECTORS LONGS(d) = F_##name(LONGS(a), b); \
        RP_MUSTTAIL return RP_GO(o + 1); \
    } \
    RP_OP(name##_SV) \
    { \
        vl *d = VECL(o->d); \
        const vl a = SCALAR_L(o->a); \
        const b_type *b = (const b_type *)(R + o->b); \
        FOR_VECTORS LONGS(d) = F_##name(a, PART(b)); \
        RP_MUSTTAIL return RP_GO(o + 1); \
    }
#define DEFINE_L_LL_S(name) DEFINE_L_WITH_SCALAR(name, vl, vl_splat, get_l)
#define DEFINE_L_LI_S(name) DEFINE_L_WITH_SCALAR(name, vih, vih_splat, get_i)
RP_OPS_L_LL_S(DEFINE_L_LL_S)
RP_OPS_L_LI_S(DEFINE_L_LI_S)

#define DEFINE_CMP64(name) \
    RP_OP(name##_VV) \
    { \
        uint16_t *d = (uint16_t *)(R + o->d); \
        const vl *a = VECL(o->a), *b = VECL(o->b); \
        for (int32_t k = x->k0; k < x->k1; k++) { \
            uint32_t bits = 0; \
            for (int32_t j = 0; j < 2 * RP_NS; j++) { \
                const int32_t s = k * 2 * RP_NS + j; \
                bits |= vl_bits(F_##name(a[s], b[s])) << (j * RP_VW / 2); \
            } \
            d[k] = (uint16_t)bits; \
        } \
        RP_MUSTTAIL return RP_GO(o + 1); \
    } \
    RP_OP(name##_SS) \
    { \
        const int64_t a = get_l(R, o->a), b = get_l(R, o->b); \
        *(int32_t *)(R + o->d) = RP_SCALAR_OR(name, (F_##name(vl_splat(a), vl_splat(b)))[0] != 0); \
        RP_MUSTTAIL return RP_GO(o + 1); \
    } \
    RP_OP(IF_##name) \
    { \
        const int64_t a = get_l(R, o->a), b = get_l(R, o->b); \
        const int32_t r = RP_SCALAR_OR(name, (F_##name(vl_splat(a), vl_splat(b)))[0] != 0); \
        *(int32_t *)(R + o->d) = r; \
        o += r ? 1 : o->i; \
        RP_MUSTTAIL return RP_GO(o); \
    }
RP_OPS_B_LL(DEFINE_CMP64)

RP_OP(MAD64_VVV)
{
    vd *d = (vd *)(R + o->d);
    const vd *a = (const vd *)(R + o->a), *b = (const vd *)(R + o->b), *c = (const vd *)(R + o->c);
    FOR_VECTORS
    LONGS(d) = LONGS(a) * LONGS(b) + LONGS(c);
    RP_MUSTTAIL return RP_GO(o + 1);
}

RP_OP(MAD64_SSS)
{
    const vd r = VD(SCALAR_L(o->a)) * VD(SCALAR_L(o->b)) + VD(SCALAR_L(o->c));
    *(double *)(R + o->d) = r[0];
    RP_MUSTTAIL return RP_GO(o + 1);
}

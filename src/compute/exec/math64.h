/* SPDX-License-Identifier: MIT */
/* What each 64-bit operation computes. Rare ones go lane by lane. */
#ifndef RP_COMPUTE_EXEC_MATH64_H
#define RP_COMPUTE_EXEC_MATH64_H

#include "compute/exec/roots.h"
#include "compute/exec/vec.h"

#include <math.h>

static inline vih
vih_splat(int32_t s)
{
    return s - (vih){0};
}

/* Compilers take several instructions for what is one. */
static inline vl
widened_signed(vih a)
{
#if RP_VW == 16
    return (vl)_mm512_cvtepi32_epi64((__m256i)a);
#elif RP_VW == 8
    return (vl)_mm256_cvtepi32_epi64((__m128i)a);
#else
    return __builtin_convertvector(a, vl);
#endif
}

static inline vl
widened(vih a)
{
#if RP_VW == 16
    return (vl)_mm512_cvtepu32_epi64((__m256i)a);
#elif RP_VW == 8
    return (vl)_mm256_cvtepu32_epi64((__m128i)a);
#else
    return VL(__builtin_convertvector((vuh)a, vul));
#endif
}

static inline vih
low_halves(vl a)
{
#if RP_VW == 16
    return (vih)_mm512_cvtepi64_epi32((__m512i)a);
#elif RP_VW == 8
    const __m256i places = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
    return (vih)_mm256_castsi256_si128(_mm256_permutevar8x32_epi32((__m256i)a, places));
#else
    return __builtin_convertvector(a, vih);
#endif
}

static inline vih
high_halves(vl a)
{
#if RP_VW == 8
    const __m256i places = _mm256_setr_epi32(1, 3, 5, 7, 1, 3, 5, 7);
    return (vih)_mm256_castsi256_si128(_mm256_permutevar8x32_epi32((__m256i)a, places));
#else
    return low_halves(a >> 32);
#endif
}

static inline double
bits_double(int64_t bits)
{
    double d;
    memcpy(&d, &bits, 8);
    return d;
}

static inline int64_t
double_bits(double d)
{
    int64_t bits;
    memcpy(&bits, &d, 8);
    return bits;
}

/* Rounds to even below 2^52, by adding and taking away 2^52. */
static inline vd
vd_rint(vd a)
{
    const vl sign = VL(a) & INT64_MIN;
    const vd magnitude = VD(VL(a) & INT64_MAX);
    const vd r = VD(VL((magnitude + 0x1p52) - 0x1p52) | sign);
    return vd_select(magnitude < 0x1p52, r, a);
}

static inline vd
vd_copysign(vd a, vd sign)
{
    return VD((VL(a) & INT64_MAX) | (VL(sign) & INT64_MIN));
}

static inline vd
vd_floor(vd a)
{
    const vd r = vd_rint(a);
    const vd one = 1.0 - (vd){0};
    return vd_copysign(r - vd_select(r > a, one, (vd){0}), a);
}

static inline vd
vd_ceil(vd a)
{
    const vd r = vd_rint(a);
    const vd one = 1.0 - (vd){0};
    return vd_copysign(r + vd_select(r < a, one, (vd){0}), a);
}

static inline vd
vd_trunc(vd a)
{
    return vd_copysign(vd_floor(VD(VL(a) & INT64_MAX)), a);
}

static inline vd
vd_fract(vd a)
{
    const vd below_one = 0x1.fffffffffffffp-1 - (vd){0};
    const vd f = a - vd_floor(a);
    return vd_select(f > below_one, below_one, f);
}

static inline vl
vl_rotate(vl a, vul by)
{
    return VL(VUL(a) << (by & 63) | VUL(a) >> ((0 - by) & 63));
}

static inline vd
vd_min(vd a, vd b)
{
    const vd r = vd_select((a < b) | (b != b), a, b);
    return vd_select(a == b, VD(VL(a) | VL(b)), r);
}

static inline vd
vd_max(vd a, vd b)
{
    const vd r = vd_select((a > b) | (b != b), a, b);
    return vd_select(a == b, VD(VL(a) & VL(b)), r);
}

static inline vd
vd_sign(vd a)
{
    const vd one = 1.0 - (vd){0};
    const vd rest = vd_select(a == a, a, (vd){0}); /* of NaN 0 */
    return vd_select(a > 0, one, vd_select(a < 0, -one, rest));
}

static inline int64_t
double_to_long(double d)
{
    if (!(d >= -0x1p63))
        return d != d ? 0 : INT64_MIN;
    return d < 0x1p63 ? (int64_t)d : INT64_MAX;
}

static inline uint64_t
double_to_ulong(double d)
{
    if (!(d > 0))
        return 0;
    return d < 0x1p64 ? (uint64_t)d : UINT64_MAX;
}

static inline int32_t
double_to_int(double d)
{
    if (!(d >= -0x1p31))
        return d != d ? 0 : INT32_MIN;
    return d < 0x1p31 ? (int32_t)d : INT32_MAX;
}

static inline uint32_t
double_to_uint(double d)
{
    if (!(d > 0))
        return 0;
    return d < 0x1p32 ? (uint32_t)d : UINT32_MAX;
}

enum divide64 {
    DIVIDE64_U,
    DIVIDE64_S,
    REMAINDER64_U,
    REMAINDER64_S,
    MODULO64_S,
};

static inline int64_t
long_divide_one(int64_t a, int64_t b, enum divide64 what)
{
    if (what == DIVIDE64_U)
        return b ? (int64_t)((uint64_t)a / (uint64_t)b) : -1;
    if (what == REMAINDER64_U)
        return b ? (int64_t)((uint64_t)a % (uint64_t)b) : a;
    if (what == DIVIDE64_S)
        return b == 0 ? -1 : b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
    if (b == 0 || b == -1)
        return b ? 0 : a;
    const int64_t r = a % b;
    return what == MODULO64_S && r && (r ^ b) < 0 ? r + b : r;
}

static inline vl
long_divide(vl a, vl b, enum divide64 what)
{
    vl r;
    for (int i = 0; i < RP_VW / 2; i++)
        r[i] = long_divide_one(a[i], b[i], what);
    return r;
}

/* Lane by lane: `to` vector from `from` vector by a function of one lane. */
#define DEFINE_LANES(name, to, from, expression) \
    static inline to name(from a) \
    { \
        to r; \
        for (int i = 0; i < RP_VW / 2; i++) \
            r[i] = expression; \
        return r; \
    }
DEFINE_LANES(lanes_d2l, vl, vd, double_to_long(a[i]))
DEFINE_LANES(lanes_d2ul, vl, vd, (int64_t)double_to_ulong(a[i]))
DEFINE_LANES(lanes_d2i, vih, vd, double_to_int(a[i]))
DEFINE_LANES(lanes_d2u, vih, vd, (int32_t)double_to_uint(a[i]))
DEFINE_LANES(lanes_f2l, vl, vfh, double_to_long((double)a[i]))
DEFINE_LANES(lanes_f2ul, vl, vfh, (int64_t)double_to_ulong((double)a[i]))
DEFINE_LANES(lanes_l2d, vd, vl, (double)a[i])
DEFINE_LANES(lanes_ul2d, vd, vl, (double)(uint64_t)a[i])
DEFINE_LANES(lanes_l2f, vfh, vl, (float)a[i])
DEFINE_LANES(lanes_ul2f, vfh, vl, (float)(uint64_t)a[i])
DEFINE_LANES(lanes_u2d, vd, vih, (double)(uint32_t)a[i])

static inline double
mantissa_of(int64_t bits)
{
    int e;
    const double d = bits_double(bits);
    return isfinite(d) ? frexp(d, &e) : d;
}
DEFINE_LANES(lanes_frexpm, vd, vl, mantissa_of(a[i]))

static inline vl
lanes_frexpe(vl a)
{
    vl r;
    for (int i = 0; i < RP_VW / 2; i++) {
        int e = 0;
        if (isfinite(bits_double(a[i])))
            frexp(bits_double(a[i]), &e);
        r[i] = e;
    }
    return r;
}

static inline vl
lanes_ldexp(vl a, vih b)
{
    vl r;
    for (int i = 0; i < RP_VW / 2; i++)
        r[i] = double_bits(ldexp(bits_double(a[i]), b[i]));
    return r;
}

#define F_INEG64(a) VL(-VUL(a))
#define F_INOT64(a) (~(a))
#define F_IABS64(a) vl_select((a) < 0, VL(-VUL(a)), (a))
#define F_ISIGN64(a) (((a) < 0) - ((a) > 0))
#define F_FNEG64(a) ((a) ^ INT64_MIN)
#define F_FABS64(a) ((a)&INT64_MAX)
#define F_FSIGN64(a) VL(vd_sign(VD(a)))
#define F_FLOOR64(a) VL(vd_floor(VD(a)))
#define F_CEIL64(a) VL(vd_ceil(VD(a)))
#define F_TRUNC64(a) VL(vd_trunc(VD(a)))
#define F_RINT64(a) VL(vd_rint(VD(a)))
#define F_FRACT64(a) VL(vd_fract(VD(a)))
#define F_SQRT64(a) VL(vd_sqrt(VD(a)))
#define F_RSQRT64(a) VL(1.0 / vd_sqrt(VD(a)))
#define F_L2D(a) VL(lanes_l2d(a))
#define F_UL2D(a) VL(lanes_ul2d(a))
#define F_D2L(a) lanes_d2l(VD(a))
#define F_D2UL(a) lanes_d2ul(VD(a))
#define F_FREXPM64(a) VL(lanes_frexpm(a))
#define F_FREXPE64(a) lanes_frexpe(a)
#define F_FTZ64(a) vl_select(((a)&INT64_MAX) < INT64_C(1) << 52, (a)&INT64_MIN, a)
#define F_I2L(a) widened_signed(a)
#define F_U2L(a) widened(a)
#define F_F2D(a) VL(__builtin_convertvector((vfh)(a), vd))
#define F_I2D(a) VL(__builtin_convertvector(a, vd))
#define F_U2D(a) VL(lanes_u2d(a))
#define F_F2L(a) lanes_f2l((vfh)(a))
#define F_F2UL(a) lanes_f2ul((vfh)(a))
#define F_L2I(a) low_halves(a)
#define F_HI64(a) high_halves(a)
#define F_D2F(a) (vih) __builtin_convertvector(VD(a), vfh)
#define F_D2I(a) lanes_d2i(VD(a))
#define F_D2U(a) lanes_d2u(VD(a))
#define F_L2F(a) (vih) lanes_l2f(a)
#define F_UL2F(a) (vih) lanes_ul2f(a)
#define F_IADD64(a, b) VL(VUL(a) + VUL(b))
#define F_ISUB64(a, b) VL(VUL(a) - VUL(b))
#define F_IMUL64(a, b) VL(VUL(a) * VUL(b))
#define F_AND64(a, b) ((a) & (b))
#define F_OR64(a, b) ((a) | (b))
#define F_XOR64(a, b) ((a) ^ (b))
#define F_SMIN64(a, b) vl_select((a) < (b), a, b)
#define F_SMAX64(a, b) vl_select((a) > (b), a, b)
#define F_UMIN64(a, b) vl_select(VL(VUL(a) < VUL(b)), a, b)
#define F_UMAX64(a, b) vl_select(VL(VUL(a) > VUL(b)), a, b)
#define F_UDIV64(a, b) long_divide(a, b, DIVIDE64_U)
#define F_SDIV64(a, b) long_divide(a, b, DIVIDE64_S)
#define F_UREM64(a, b) long_divide(a, b, REMAINDER64_U)
#define F_SREM64(a, b) long_divide(a, b, REMAINDER64_S)
#define F_SMOD64(a, b) long_divide(a, b, MODULO64_S)
#define F_FADD64(a, b) VL(VD(a) + VD(b))
#define F_FSUB64(a, b) VL(VD(a) - VD(b))
#define F_FMUL64(a, b) VL(VD(a) * VD(b))
#define F_FDIV64(a, b) VL(VD(a) / VD(b))
#define F_FMIN64(a, b) VL(vd_min(VD(a), VD(b)))
#define F_FMAX64(a, b) VL(vd_max(VD(a), VD(b)))
#define F_FREM64(a, b) VL(VD(a) - VD(b) * vd_trunc(VD(a) / VD(b)))
#define F_FMOD64(a, b) VL(VD(a) - VD(b) * vd_floor(VD(a) / VD(b)))
#define F_SHL64(a, b) VL(VUL(a) << (VUL(F_U2L(b)) & 63))
#define F_SHR64(a, b) VL(VUL(a) >> (VUL(F_U2L(b)) & 63))
#define F_SAR64(a, b) ((a) >> (F_U2L(b) & 63))
#define F_ROTL64(a, b) vl_rotate(a, VUL(F_U2L(b)))
#define F_XSHL64(a, b) ((a) ^ F_SHL64(a, b))
#define F_XSHR64(a, b) ((a) ^ F_SHR64(a, b))
#define F_LDEXP64(a, b) lanes_ldexp(a, b)
#define F_PACK64(a, b) (F_U2L(a) | VL(VUL(F_U2L(b)) << 32))
#define F_IEQ64(a, b) ((a) == (b))
#define F_INE64(a, b) ((a) != (b))
#define F_SLT64(a, b) ((a) < (b))
#define F_SLE64(a, b) ((a) <= (b))
#define F_ULT64(a, b) VL(VUL(a) < VUL(b))
#define F_ULE64(a, b) VL(VUL(a) <= VUL(b))
#define F_FEQ64(a, b) (VD(a) == VD(b))
#define F_FNE64(a, b) (VD(a) != VD(b))
#define F_FLT64(a, b) (VD(a) < VD(b))
#define F_FLE64(a, b) (VD(a) <= VD(b))
#define F_FONE64(a, b) ((VD(a) < VD(b)) | (VD(a) > VD(b)))

#endif

/* SPDX-License-Identifier: MIT */
/* Functions of vectors that are not one C operator. Only +, -, *, /, sqrt and bit operations are
 * used, so every instruction set gives the same bits.
 */
#ifndef RP_COMPUTE_EXEC_MATH_H
#define RP_COMPUTE_EXEC_MATH_H

#include "compute/exec/minmax.h"
#include "compute/exec/roots.h"
#include "compute/exec/shift.h"
#include "compute/exec/vec.h"

RP_ALWAYS_INLINE vf
vf_abs(vf a)
{
    return VF(VI(a) & INT32_MAX);
}

RP_ALWAYS_INLINE vf
vf_copysign(vf a, vf sign)
{
    return VF((VI(a) & INT32_MAX) | (VI(sign) & INT32_MIN));
}

#if RP_VW == 16
#define MIN_OR_MAX(name, suffix, condition) \
    RP_ALWAYS_INLINE vi name(vi a, vi b) \
    { \
        return (vi)_mm512_##suffix((__m512i)a, (__m512i)b); \
    }
#elif RP_VW == 8
#define MIN_OR_MAX(name, suffix, condition) \
    RP_ALWAYS_INLINE vi name(vi a, vi b) \
    { \
        return (vi)_mm256_##suffix((__m256i)a, (__m256i)b); \
    }
#elif defined(__SSE4_1__)
#define MIN_OR_MAX(name, suffix, condition) \
    RP_ALWAYS_INLINE vi name(vi a, vi b) \
    { \
        return (vi)_mm_##suffix((__m128i)a, (__m128i)b); \
    }
#elif defined(RP_NEON)
#define NEON_min_epi32 vminq_s32
#define NEON_max_epi32 vmaxq_s32
#define NEON_min_epu32(a, b) vminq_u32((uint32x4_t)(a), (uint32x4_t)(b))
#define NEON_max_epu32(a, b) vmaxq_u32((uint32x4_t)(a), (uint32x4_t)(b))
#define MIN_OR_MAX(name, suffix, condition) \
    RP_ALWAYS_INLINE vi name(vi a, vi b) \
    { \
        return (vi)NEON_##suffix((int32x4_t)a, (int32x4_t)b); \
    }
#else
#define MIN_OR_MAX(name, suffix, condition) \
    RP_ALWAYS_INLINE vi name(vi a, vi b) \
    { \
        return vi_select(VI(condition), a, b); \
    }
#endif
MIN_OR_MAX(smin, min_epi32, a < b)
MIN_OR_MAX(smax, max_epi32, a > b)
MIN_OR_MAX(umin, min_epu32, VU(a) < VU(b))
MIN_OR_MAX(umax, max_epu32, VU(a) > VU(b))

#if RP_VW == 16
#define ROUNDED(a, how) (vf) _mm512_roundscale_ps((__m512)(a), (how) | _MM_FROUND_NO_EXC)
#elif RP_VW == 8
#define ROUNDED(a, how) (vf) _mm256_round_ps((__m256)(a), (how) | _MM_FROUND_NO_EXC)
#elif defined(__SSE4_1__)
#define ROUNDED(a, how) (vf) _mm_round_ps((__m128)(a), (how) | _MM_FROUND_NO_EXC)
#endif

/* Rounds to the nearest even below 2^23; what is larger is whole already. */
RP_ALWAYS_INLINE vf
vf_rint(vf a)
{
#if defined(__SSE4_1__)
    return ROUNDED(a, _MM_FROUND_TO_NEAREST_INT);
#elif defined(RP_NEON)
    return (vf)vrndnq_f32((float32x4_t)a);
#else
    const vf magic = vf_copysign(vf_splat(0x1p23f), a);
    const vf r = vf_copysign((a + magic) - magic, a);
    return vf_select(vf_abs(a) < 0x1p23f, r, a);
#endif
}

#if defined(__SSE4_1__)

RP_ALWAYS_INLINE vf
vf_floor(vf a)
{
    return ROUNDED(a, _MM_FROUND_TO_NEG_INF);
}

RP_ALWAYS_INLINE vf
vf_ceil(vf a)
{
    return ROUNDED(a, _MM_FROUND_TO_POS_INF);
}

RP_ALWAYS_INLINE vf
vf_trunc(vf a)
{
    return ROUNDED(a, _MM_FROUND_TO_ZERO);
}

#else

RP_ALWAYS_INLINE vf
vf_floor(vf a)
{
    const vf r = vf_rint(a);
    return vf_copysign(r - vf_select(r > a, vf_splat(1), vf_splat(0)), a);
}

RP_ALWAYS_INLINE vf
vf_ceil(vf a)
{
    const vf r = vf_rint(a);
    return vf_copysign(r + vf_select(r < a, vf_splat(1), vf_splat(0)), a);
}

RP_ALWAYS_INLINE vf
vf_trunc(vf a)
{
    return vf_copysign(vf_floor(vf_abs(a)), a);
}

#endif

RP_ALWAYS_INLINE vf
vf_fract(vf a)
{
    const vf below_one = vf_splat(0x1.fffffep-1f);
    const vf f = a - vf_floor(a);
    return vf_select(f > below_one, below_one, f);
}

/* NaN stays. */
RP_ALWAYS_INLINE vf
vf_within(vf a, float least, float most)
{
    const vf low = vf_splat(least), high = vf_splat(most);
#if RP_VW == 16 /* the second operand, when one is NaN */
    return (vf)_mm512_max_ps((__m512)low, _mm512_min_ps((__m512)high, (__m512)a));
#elif RP_VW == 8
    return (vf)_mm256_max_ps((__m256)low, _mm256_min_ps((__m256)high, (__m256)a));
#elif defined(__SSE4_1__)
    return (vf)_mm_max_ps((__m128)low, _mm_min_ps((__m128)high, (__m128)a));
#else
    return vf_select(a < low, low, vf_select(high < a, high, a));
#endif
}

RP_ALWAYS_INLINE vf
vf_square(vf a)
{
    return a * a;
}

/* The bits of a float; zero of its sign when its magnitude is below that of the bits `least`. */
RP_ALWAYS_INLINE vi
flush_below(vi a, int32_t least)
{
    return vi_select((a & INT32_MAX) < least, a & INT32_MIN, a);
}

/* Of NaN 0, of zeros themselves. */
RP_ALWAYS_INLINE vf
float_sign(vf a)
{
    const vf rest = VF(VI(a) & (a == a));
    return vf_select(a > 0, vf_splat(1), vf_select(a < 0, vf_splat(-1), rest));
}

/* As x86 does it: INT32_MIN where the result is no number of 32 bits. */
RP_ALWAYS_INLINE vi
truncate_to_int(vf a)
{
#if RP_VW == 16
    return (vi)_mm512_cvttps_epi32((__m512)a);
#elif RP_VW == 8
    return (vi)_mm256_cvttps_epi32((__m256)a);
#elif defined(__SSE4_1__)
    return (vi)_mm_cvttps_epi32((__m128)a);
#else
    const vi is_inside = vf_abs(a) < 0x1p31f;
    const vi whole = __builtin_convertvector(vf_select(is_inside, a, vf_splat(0)), vi);
    return vi_select(is_inside, whole, vi_splat(INT32_MIN));
#endif
}

/* Out of range: the nearest integer; NaN: 0. */
RP_ALWAYS_INLINE vi
float_to_int(vf a)
{
#if defined(RP_NEON)
    return (vi)vcvtq_s32_f32((float32x4_t)a);
#elif RP_VW == 16
    const __m512 x = (__m512)a;
    const __m512i whole = _mm512_maskz_cvttps_epi32(_mm512_cmp_ps_mask(x, x, _CMP_ORD_Q), x);
    const __mmask16 is_above = _mm512_cmp_ps_mask(x, _mm512_set1_ps(0x1p31f), _CMP_GE_OQ);
    return (vi)_mm512_mask_mov_epi32(whole, is_above, _mm512_set1_epi32(INT32_MAX));
#else
    return (truncate_to_int(a) ^ (a >= 0x1p31f)) & (a == a);
#endif
}

RP_ALWAYS_INLINE vi
float_to_uint(vf a)
{
#if defined(RP_NEON)
    return (vi)vcvtq_u32_f32((float32x4_t)a);
#elif RP_VW == 16
    /* What is too large becomes UINT32_MAX, as do the negative numbers that are left out here. */
    const __mmask16 is_above = _mm512_cmp_ps_mask((__m512)a, _mm512_setzero_ps(), _CMP_GT_OQ);
    return (vi)_mm512_maskz_cvttps_epu32(is_above, (__m512)a);
#else
    const vi is_high = a >= 0x1p31f;
    const vf low = a - VF(is_high & VI(vf_splat(0x1p31f)));
    const vi whole = truncate_to_int(low) ^ (is_high & INT32_MIN);
    return (whole & (a > 0)) | (a >= 0x1p32f);
#endif
}

RP_ALWAYS_INLINE vf
uint_to_float(vi a)
{
#if defined(RP_NEON)
    return (vf)vcvtq_f32_u32((uint32x4_t)a);
#elif RP_VW == 16
    return (vf)_mm512_cvtepu32_ps((__m512i)a);
#else
    const vf high = __builtin_convertvector(VI(VU(a) >> 16), vf);
    const vf low = __builtin_convertvector(a & 0xffff, vf);
    return high * 65536.0f + low;
#endif
}

/* Of the low 16 bits. A NaN that signals stays one, which is not what processors make of it. */
RP_ALWAYS_INLINE vf
half_to_float(vi h)
{
    const vi magnitude = (h & 0x7fff) << 13;
    const vi sign = VI(VU(h & 0x8000) << 16);
#if RP_VW == 16
    const vi number = (vi)_mm512_cvtph_ps(_mm512_cvtepi32_epi16((__m512i)h));
    return VF(vi_select(magnitude > 0x0f800000, magnitude | 0x7f800000 | sign, number));
#else
    const vi is_special = magnitude >= 0x0f800000;
    /* Scaling by 2^112 moves the exponent and makes denormals normal. */
    const vi scaled = VI(VF(magnitude) * 0x1p112f);
    return VF(vi_select(is_special, magnitude | 0x7f800000, scaled) | sign);
#endif
}

/* To the nearest even; NaN stays NaN (quiet, with its high bits). */
RP_ALWAYS_INLINE vi
float_to_half(vf a)
{
#if defined(RP_NEON)
    return (vi)vmovl_u16(vreinterpret_u16_f16(vcvt_f16_f32((float32x4_t)a)));
#elif RP_VW == 16
    return (vi)_mm512_cvtepu16_epi32(_mm512_cvtps_ph((__m512)a, _MM_FROUND_TO_NEAREST_INT));
#elif RP_VW == 8
    return (vi)_mm256_cvtepu16_epi32(_mm256_cvtps_ph((__m256)a, _MM_FROUND_TO_NEAREST_INT));
#else
    const vi bits = VI(a);
    const vi magnitude = bits & INT32_MAX;
    const vi sign = VI(VU(bits) >> 16) & 0x8000;
    const vi odd = VI(VU(magnitude) >> 13) & 1;
    const vi normal = VI(VU(magnitude + 0xfff + odd) >> 13) - (112 << 10);
    /* Below 2^-14: adding 0.5 rounds at the last bit of a denormal half. */
    const vi denormal = VI(VF(magnitude) + 0.5f) - 0x3f000000;
    const vi nan = VI(VU(magnitude) >> 13 & 0x3ff) | 0x7e00;
    vi r = vi_select(magnitude < (113 << 23), denormal, normal);
    r = vi_select(magnitude >= (143 << 23), vi_splat(0x7c00), r);
    r = vi_select(magnitude > 0x7f800000, nan, r);
    return r | sign;
#endif
}

/* To the nearest half, as a float. */
RP_ALWAYS_INLINE vf
round_to_half(vf a)
{
#if defined(RP_NEON)
    return (vf)vcvt_f32_f16(vcvt_f16_f32((float32x4_t)a));
#elif RP_VW == 16
    return (vf)_mm512_cvtph_ps(_mm512_cvtps_ph((__m512)a, _MM_FROUND_TO_NEAREST_INT));
#elif RP_VW == 8
    return (vf)_mm256_cvtph_ps(_mm256_cvtps_ph((__m256)a, _MM_FROUND_TO_NEAREST_INT));
#else
    return half_to_float(float_to_half(a));
#endif
}

RP_ALWAYS_INLINE vi
bit_count(vi a)
{
#if defined(RP_NEON)
    return (vi)vpaddlq_u16(vpaddlq_u8(vcntq_u8((uint8x16_t)a)));
#else
    vu v = VU(a);
    v = v - (v >> 1 & 0x55555555u);
    v = (v & 0x33333333u) + (v >> 2 & 0x33333333u);
    v = (v + (v >> 4)) & 0x0f0f0f0fu;
    return VI(v * 0x01010101u >> 24);
#endif
}

RP_ALWAYS_INLINE vi
bit_reverse(vi a)
{
#if defined(RP_NEON)
    return (vi)vrev32q_u8(vrbitq_u8((uint8x16_t)a));
#else
    vu v = VU(a);
    v = (v >> 1 & 0x55555555u) | (v & 0x55555555u) << 1;
    v = (v >> 2 & 0x33333333u) | (v & 0x33333333u) << 2;
    v = (v >> 4 & 0x0f0f0f0fu) | (v & 0x0f0f0f0fu) << 4;
    v = (v >> 8 & 0x00ff00ffu) | (v & 0x00ff00ffu) << 8;
    return VI(v >> 16 | v << 16);
#endif
}

/* -1 for 0. */
RP_ALWAYS_INLINE vi
find_lsb(vi a)
{
#if defined(RP_NEON)
    return (vi)vclzq_u32((uint32x4_t)bit_reverse(a)) | (a == 0);
#else
    return vi_select(a == 0, vi_splat(-1), bit_count((a & VI(-VU(a))) - 1));
#endif
}

RP_ALWAYS_INLINE vi
find_umsb(vi a)
{
#if defined(RP_NEON)
    return 31 - (vi)vclzq_u32((uint32x4_t)a);
#else
    vu v = VU(a);
    v |= v >> 1;
    v |= v >> 2;
    v |= v >> 4;
    v |= v >> 8;
    v |= v >> 16;
    return bit_count(VI(v)) - 1;
#endif
}

RP_ALWAYS_INLINE vi
mul_high(vi a, vi b, int is_signed)
{
#if defined(RP_NEON)
    const int32x4_t x = (int32x4_t)a, y = (int32x4_t)b;
    const uint32x4_t ux = (uint32x4_t)a, uy = (uint32x4_t)b;
    if (is_signed)
        return (vi)vuzp2q_s32((int32x4_t)vmull_s32(vget_low_s32(x), vget_low_s32(y)),
                              (int32x4_t)vmull_high_s32(x, y));
    return (vi)vuzp2q_u32((uint32x4_t)vmull_u32(vget_low_u32(ux), vget_low_u32(uy)),
                          (uint32x4_t)vmull_high_u32(ux, uy));
#elif RP_VW == 16
    const __m512i x = (__m512i)a, y = (__m512i)b;
    const __m512i x_odd = _mm512_srli_epi64(x, 32), y_odd = _mm512_srli_epi64(y, 32);
    const __m512i even = is_signed ? _mm512_mul_epi32(x, y) : _mm512_mul_epu32(x, y);
    const __m512i odd = is_signed ? _mm512_mul_epi32(x_odd, y_odd) : _mm512_mul_epu32(x_odd, y_odd);
    return (vi)_mm512_mask_mov_epi32(_mm512_srli_epi64(even, 32), 0xaaaa, odd);
#elif RP_VW == 8
    const __m256i x = (__m256i)a, y = (__m256i)b;
    const __m256i x_odd = _mm256_srli_epi64(x, 32), y_odd = _mm256_srli_epi64(y, 32);
    const __m256i even = is_signed ? _mm256_mul_epi32(x, y) : _mm256_mul_epu32(x, y);
    const __m256i odd = is_signed ? _mm256_mul_epi32(x_odd, y_odd) : _mm256_mul_epu32(x_odd, y_odd);
    return (vi)_mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xaa);
#elif defined(__SSE4_1__)
    const __m128i x = (__m128i)a, y = (__m128i)b;
    const __m128i x_odd = _mm_srli_epi64(x, 32), y_odd = _mm_srli_epi64(y, 32);
    const __m128i even = is_signed ? _mm_mul_epi32(x, y) : _mm_mul_epu32(x, y);
    const __m128i odd = is_signed ? _mm_mul_epi32(x_odd, y_odd) : _mm_mul_epu32(x_odd, y_odd);
    return (vi)_mm_blend_epi16(_mm_srli_epi64(even, 32), odd, 0xcc);
#else
    vi r;
    for (int i = 0; i < RP_VW; i++)
        r[i] = is_signed ? (int32_t)(((int64_t)a[i] * b[i]) >> 32)
                         : (int32_t)(((uint64_t)(uint32_t)a[i] * (uint32_t)b[i]) >> 32);
    return r;
#endif
}

enum divide {
    DIVIDE_U,
    DIVIDE_S,
    REMAINDER_U,
    REMAINDER_S, /* sign of the dividend */
    MODULO_S,    /* sign of the divisor */
};

RP_ALWAYS_INLINE vd
doubles_of(vih a)
{
#if RP_VW == 16
    return (vd)_mm512_cvtepi32_pd((__m256i)a);
#elif RP_VW == 8
    return (vd)_mm256_cvtepi32_pd((__m128i)a);
#else
    return __builtin_convertvector(a, vd);
#endif
}

/* a / b rounded towards zero, of b that are not zero. In doubles: the quotient of 32-bit integers
 * lies at least 1/b below the next whole number, far more than the product's error, and the
 * reciprocal is a little too large, so that whole quotients do not come out too small. */
RP_ALWAYS_INLINE vih
quotient_half(vih a, vih b, int is_unsigned)
{
    const double bias = is_unsigned ? 0x1p31 : 0.0;
    const vih flip = (is_unsigned ? INT32_MIN : 0) - (vih){0};
    const vd x = doubles_of(a ^ flip) + bias;
    const vd y = doubles_of(b ^ flip) + bias;
    const vd q = x * ((1.0 + 0x1p-50) / y);
    if (!is_unsigned)
        return __builtin_convertvector(q, vih);
    /* The nearest whole number in the low bits of the sum, then the one below. */
    const vd whole = q + 0x1p52;
    const vd down = vd_select(whole - 0x1p52 > q, whole - 1.0, whole);
    return __builtin_convertvector(VUL(down), vih);
}

/* The whole is put together in registers: in memory both halves would have to be written before it
 * can be read. */
RP_ALWAYS_INLINE vi
int_quotient(vi a, vi b, int is_unsigned)
{
    vih a_half[2], b_half[2];
    vi q;
    memcpy(a_half, &a, sizeof(a));
    memcpy(b_half, &b, sizeof(b));
    for (int i = 0; i < 2; i++)
        a_half[i] = quotient_half(a_half[i], b_half[i], is_unsigned);
#if RP_VW == 16
    q = (vi)_mm512_inserti64x4(_mm512_castsi256_si512((__m256i)a_half[0]), (__m256i)a_half[1], 1);
#elif RP_VW == 8
    q = (vi)_mm256_set_m128i((__m128i)a_half[1], (__m128i)a_half[0]);
#else
    memcpy(&q, a_half, sizeof(q));
#endif
    return q;
}

/* Division by zero gives all ones, its remainder the dividend; overflow wraps. */
RP_ALWAYS_INLINE vi
int_divide(vi a, vi b, enum divide what)
{
    const int is_unsigned = what == DIVIDE_U || what == REMAINDER_U;
    const vi is_zero = b == 0;
    const vi is_negation = (b == -1) & (is_unsigned ? 0 : -1);
    const vi divisor = vi_select(is_zero | is_negation, vi_splat(1), b);
    const vi quotient = int_quotient(a, divisor, is_unsigned);

    if (what == DIVIDE_U || what == DIVIDE_S)
        return vi_select(is_negation, VI(-VU(a)), quotient) | is_zero;
    const vi left = VI(VU(a) - VU(quotient) * VU(divisor));
    const vi r = vi_select(is_zero, a, left);
    if (what != MODULO_S)
        return r;
    return vi_select((r != 0) & ((r ^ b) < 0) & ~is_zero, r + b, r);
}

#if defined(__SSE4_1__) || defined(RP_NEON)
typedef int16_t vs16 __attribute__((vector_size(RP_VB), may_alias));

RP_ALWAYS_INLINE vs16
even_bytes(vi a, int is_signed)
{
    if (is_signed)
        return (vs16)a << 8 >> 8;
    return (vs16)a & 0xff;
}

RP_ALWAYS_INLINE vs16
odd_bytes(vi a, int is_signed)
{
    if (is_signed)
        return (vs16)a >> 8;
    return (vs16)a >> 8 & 0xff;
}

RP_ALWAYS_INLINE vi
multiply_add_pairs(vs16 a, vs16 b)
{
#if RP_VW == 16
    return (vi)_mm512_madd_epi16((__m512i)a, (__m512i)b);
#elif RP_VW == 8
    return (vi)_mm256_madd_epi16((__m256i)a, (__m256i)b);
#elif defined(__SSE4_1__)
    return (vi)_mm_madd_epi16((__m128i)a, (__m128i)b);
#else
    const int16x8_t x = (int16x8_t)a, y = (int16x8_t)b;
    return (vi)vpaddq_s32(vmull_s16(vget_low_s16(x), vget_low_s16(y)), vmull_high_s16(x, y));
#endif
}
#endif

/* The upper half of each lane of a is zero, so that of b does not matter. */
RP_ALWAYS_INLINE vi
multiply_small(vi a, vi b)
{
#if defined(__SSE4_1__)
    return multiply_add_pairs((vs16)a, (vs16)b);
#else
    return VI(VU(a) * VU(b));
#endif
}

RP_ALWAYS_INLINE vi
dot4(vi a, vi b, int a_signed, int b_signed)
{
#if defined(__ARM_FEATURE_DOTPROD) && defined(RP_NEON)
    if (a_signed && b_signed)
        return (vi)vdotq_s32(vdupq_n_s32(0), (int8x16_t)a, (int8x16_t)b);
    if (!a_signed && !b_signed)
        return (vi)vdotq_u32(vdupq_n_u32(0), (uint8x16_t)a, (uint8x16_t)b);
#endif
#if defined(__SSE4_1__) || defined(RP_NEON)
    /* Even and odd bytes as 16-bit numbers, whose products are added in pairs. */
    return multiply_add_pairs(even_bytes(a, a_signed), even_bytes(b, b_signed)) +
           multiply_add_pairs(odd_bytes(a, a_signed), odd_bytes(b, b_signed));
#else
    vi sum = {0};
    for (int k = 0; k < 32; k += 8) {
        const vi x = a_signed ? VI(VU(a) << (24 - k)) >> 24 : VI(VU(a) >> k & 0xff);
        const vi y = b_signed ? VI(VU(b) << (24 - k)) >> 24 : VI(VU(b) >> k & 0xff);
        sum += x * y;
    }
    return sum;
#endif
}

RP_ALWAYS_INLINE vi
frexp_exponent(vi a)
{
    const vi magnitude = a & INT32_MAX;
    const vi is_denormal = magnitude < 0x00800000;
    const vi scaled = VI(VF(magnitude) * 0x1p24f);
    const vi e = vi_select(is_denormal, (scaled >> 23) - 126 - 24, (magnitude >> 23) - 126);
    return vi_select((magnitude == 0) | (magnitude >= 0x7f800000), vi_splat(0), e);
}

RP_ALWAYS_INLINE vi
frexp_mantissa(vi a)
{
    const vi magnitude = a & INT32_MAX;
    const vi scaled = VI(VF(magnitude) * 0x1p24f);
    const vi m = vi_select(magnitude < 0x00800000, scaled, magnitude);
    const vi r = (m & 0x007fffff) | 0x3f000000 | (a & INT32_MIN);
    return vi_select((magnitude == 0) | (magnitude >= 0x7f800000), a, r);
}

#include "compute/exec/transcendental.h"

#endif

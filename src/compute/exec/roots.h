/* SPDX-License-Identifier: MIT */
/* Square roots, correctly rounded. With AVX-512 they take half the divider's time: an estimate of
 * 14 bits has twice as many after each of Goldschmidt's steps by fused multiply-adds, where g is
 * the root and h half its reciprocal; of the last step the remainder a - g * g is exact.
 */
#ifndef RP_COMPUTE_EXEC_ROOTS_H
#define RP_COMPUTE_EXEC_ROOTS_H

#include "compute/exec/terms.h"
#include "compute/exec/vec.h"
#include "util/compiler.h"

/* By the processor's divider, which works beside its other units. */
RP_ALWAYS_INLINE vf
vf_sqrt_divider(vf a)
{
#if RP_VW == 16
    return (vf)_mm512_sqrt_ps((__m512)a);
#elif RP_VW == 8
    return (vf)_mm256_sqrt_ps((__m256)a);
#elif defined(__SSE4_1__)
    return (vf)_mm_sqrt_ps((__m128)a);
#elif defined(RP_NEON)
    return (vf)vsqrtq_f32((float32x4_t)a);
#else
    vf r;
    for (int i = 0; i < RP_VW; i++)
        r[i] = __builtin_sqrtf(a[i]);
    return r;
#endif
}

RP_ALWAYS_INLINE vf
vf_rsqrt_divider(vf a)
{
    return 1.0f / vf_sqrt_divider(a);
}

#if RP_VW == 16

/* From here on remainders are no denormal numbers: 2^-960. */
#define RP_ROOT_LEAST_64 UINT64_C(0x03f0000000000000)

/* Lanes whose remainder is one, from 2^-96 on none; and of negative numbers, infinity, NaN. */
RP_ALWAYS_INLINE __mmask16
root_is_rare(vf a, __mmask16 lanes)
{
    const __m512i above_least = (__m512i)(VU(a) - *(const vu *)rp_root_terms[0]);
    return _mm512_mask_cmpge_epu32_mask(lanes, above_least, *(const __m512i *)rp_root_terms[1]);
}

/* Half the reciprocal of the root, too. */
RP_ALWAYS_INLINE __m512
root_steps(__m512 a, __m512 estimate, __m512 *half_out)
{
    const __m512 half = _mm512_set1_ps(0.5f);
    __m512 g = _mm512_mul_ps(a, estimate), h = _mm512_mul_ps(estimate, half);
    const __m512 r = _mm512_fnmadd_ps(g, h, half);
    g = _mm512_fmadd_ps(g, r, g);
    h = _mm512_fmadd_ps(h, r, h);
    *half_out = h;
    return _mm512_fmadd_ps(_mm512_fnmadd_ps(g, g, a), h, g);
}

/* Of zeros the estimate is 0, and everything after it. */
RP_ALWAYS_INLINE vf
vf_sqrt(vf a)
{
    const __m512i bits = (__m512i)a;
    const __mmask16 is_some = _mm512_test_epi32_mask(bits, bits);
    __m512 half;
    if (RP_UNLIKELY(root_is_rare(a, is_some)))
        return vf_sqrt_divider(a);
    return (vf)root_steps((__m512)a, _mm512_maskz_rsqrt14_ps(is_some, (__m512)a), &half);
}

/* 1 / sqrt(a), where both are rounded. A step makes an estimate within 1 ULP the rounded
 * reciprocal, but for roots whose fraction is all ones, which only such numbers have. */
RP_ALWAYS_INLINE vf
vf_rsqrt(vf a)
{
    const __mmask16 is_ones =
        _mm512_testn_epi32_mask((__m512i)(VU(a) + 2), _mm512_set1_epi32(0x007ffffe));
    if (RP_UNLIKELY(!_kortestz_mask16_u8(root_is_rare(a, 0xffff), is_ones)))
        return vf_rsqrt_divider(a);
    const __m512 one = _mm512_set1_ps(1);
    __m512 half;
    const __m512 root = root_steps((__m512)a, _mm512_rsqrt14_ps((__m512)a), &half);
    __m512 y = _mm512_add_ps(half, half);
    for (int i = 0; i < 2; i++)
        y = _mm512_fmadd_ps(_mm512_fnmadd_ps(root, y, one), y, y);
    return (vf)y;
}

RP_ALWAYS_INLINE vd
vd_sqrt(vd a)
{
    const __m512d x = (__m512d)a;
    const __mmask8 is_some = _mm512_test_epi64_mask((__m512i)a, (__m512i)a);
    const __m512i above_least = (__m512i)(VUL(a) - RP_ROOT_LEAST_64);
    const __m512i range = _mm512_set1_epi64(INT64_C(0x7ff0000000000000) - RP_ROOT_LEAST_64);
    if (RP_UNLIKELY(_mm512_mask_cmpge_epu64_mask(is_some, above_least, range)))
        return (vd)_mm512_sqrt_pd(x);
    const __m512d half = _mm512_set1_pd(0.5);
    const __m512d estimate = _mm512_maskz_rsqrt14_pd(is_some, x);
    __m512d g = _mm512_mul_pd(x, estimate), h = _mm512_mul_pd(estimate, half);
    for (int i = 0; i < 2; i++) {
        const __m512d r = _mm512_fnmadd_pd(g, h, half);
        g = _mm512_fmadd_pd(g, r, g);
        h = _mm512_fmadd_pd(h, r, h);
    }
    return (vd)_mm512_fmadd_pd(_mm512_fnmadd_pd(g, g, x), h, g);
}

#else

#define vf_sqrt vf_sqrt_divider
#define vf_rsqrt vf_rsqrt_divider

RP_ALWAYS_INLINE vd
vd_sqrt(vd a)
{
#if RP_VW == 8
    return (vd)_mm256_sqrt_pd((__m256d)a);
#else
    vd r;
    for (int i = 0; i < RP_VW / 2; i++)
        r[i] = __builtin_sqrt(a[i]);
    return r;
#endif
}

#endif

#endif

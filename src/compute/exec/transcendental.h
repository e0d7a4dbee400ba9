/* SPDX-License-Identifier: MIT */
/* Exponentials, logarithms and circular functions, within Vulkan's precision limits. Polynomials
 * are series or minimax fits on the reduced range; errors are a few ULP.
 */
#ifndef RP_COMPUTE_EXEC_TRANSCENDENTAL_H
#define RP_COMPUTE_EXEC_TRANSCENDENTAL_H

#include "compute/exec/math.h"
#include "compute/exec/terms.h"
#include "util/compiler.h"

/* 2^n for whole n, as two factors so that denormal results and large n work out. */
RP_ALWAYS_INLINE vf
scale_by_power(vf a, vi n)
{
    const vi half = n >> 1;
    const vf first = VF(VI(VU(half + 127) << 23));
    const vf second = VF(VI(VU(n - half + 127) << 23));
    return a * first * second;
}

/* Rounded once: 1 to 2 times a power of two is exact as long as it is no denormal number, and the
 * second factor does the rest. From 2^-149 to 2^128 and back are 277 steps; one more, and the
 * largest number becomes 0. */
RP_ALWAYS_INLINE vf
vf_ldexp(vf a, vi e)
{
    const vi is_small = (VI(a) & 0x7f800000) == 0;
    const vi bits = VI(vf_select(is_small, a * 0x1p24f, a));
    const vi exponent = VI(VU(bits) >> 23) & 255;
    e = vi_select(e > 279, vi_splat(279), vi_select(e < -279, vi_splat(-279), e));
    e = e + exponent - 127 - (is_small & 24);
    const vi least = vi_select(e < -152, vi_splat(-152), e);
    const vi first = vi_select(e > 127, vi_splat(127), vi_select(e < -126, vi_splat(-126), e));
    const vi rest = vi_select(e > 129, vi_splat(129), least) - first;
    const vf one = VF((bits & (int32_t)0x807fffff) | 0x3f800000);
    const vf r = one * VF(VI(VU(first + 127) << 23)) * VF(VI(VU(rest + 127) << 23));
    return vf_select((exponent == 255) | (exponent == 0), a, r);
}

/* The lanes of exp2's operand whose results are not too small even for a denormal. */
#if RP_VW == 16
typedef __mmask16 exp_lanes;
#else
typedef vi exp_lanes;
#endif

/* No more than 130, as infinity has no fraction; 0 where the result is: processors take their time
 * with what underflows. NaN stays. */
RP_ALWAYS_INLINE vf
exp_clamp(vf y, exp_lanes *kept_out)
{
    const vf least = vf_splat(-151.0f), most = vf_splat(130.0f);
#if RP_VW == 16
    *kept_out = _mm512_cmp_ps_mask((__m512)y, (__m512)least, _CMP_NLT_UQ);
    return (vf)_mm512_maskz_min_ps(*kept_out, (__m512)most, (__m512)y);
#else
    *kept_out = ~(y < least);
    return VF(VI(vf_select(most < y, most, y)) & *kept_out);
#endif
}

/* p of about 1 times 2^whole, where whole is not NaN or p is, too; rounded once. 0 in other lanes
 * than those. */
RP_ALWAYS_INLINE vf
exp_scale(vf p, vf whole, exp_lanes kept)
{
#if RP_VW == 16
    return (vf)_mm512_maskz_scalef_ps(kept, (__m512)p, (__m512)whole);
#else
    const vf safe = vf_select(whole == whole, whole, vf_splat(0));
    return VF(VI(scale_by_power(p, __builtin_convertvector(safe, vi))) & kept);
#endif
}

#define TERM(n) (*(const vf *)rp_exp2_terms[n])

/* 2^f - 1 for f on [-1/2, 1/2], within 1 ULP. */
RP_ALWAYS_INLINE vf
exp2_rest(vf f)
{
    vf p = TERM(6) * f + TERM(5);
    p = p * f + TERM(4);
    p = p * f + TERM(3);
    p = p * f + TERM(2);
    p = p * f + TERM(1);
    return p * f;
}

RP_ALWAYS_INLINE vf
exp2_fraction(vf f)
{
    return exp2_rest(f) + TERM(0);
}

#undef TERM

RP_ALWAYS_INLINE vf
exp2_any(vf y)
{
    exp_lanes kept;
    const vf x = exp_clamp(y, &kept);
    const vf whole = vf_rint(x);
    return exp_scale(exp2_fraction(x - whole), whole, kept);
}

#if RP_VW == 16

/* 2^y, exact where y is whole. */
RP_ALWAYS_INLINE vf
vf_exp2(vf y)
{
    return exp2_any(y);
}

#else

static __attribute__((noinline, cold, unused)) vf
exp2_edges(vf y)
{
    return exp2_any(y);
}

/* Are the results normal numbers? */
RP_ALWAYS_INLINE vi
exp2_is_near(vf y)
{
    return vf_abs(y) <= 125.0f;
}

/* Then the power of two goes into their exponents. */
RP_ALWAYS_INLINE vf
exp2_near(vf y)
{
    const vf whole = vf_rint(y);
    const vi power = __builtin_convertvector(whole, vi);
    return VF(VU(exp2_fraction(y - whole)) + (VU(power) << 23));
}

RP_ALWAYS_INLINE vf
vf_exp2(vf y)
{
    if (RP_UNLIKELY(vi_bits(exp2_is_near(y)) != (1u << RP_VW) - 1))
        return exp2_edges(y);
    return exp2_near(y);
}

#endif

#define RP_LOG2_E 1.44269504f

/* Vulkan allows an error of 3 + 2 |a| ULP; this has 1.2 + 1.25 |a|. */
RP_ALWAYS_INLINE vf
vf_exp(vf a)
{
    return vf_exp2(a * RP_LOG2_E);
}

/* Splits a positive normal number into m in [sqrt(1/2), sqrt(2)) and a power of two. */
RP_ALWAYS_INLINE vf
log_split(vf a, vf *power_out)
{
    const vi shifted = VI(a) - 0x3f3504f3; /* sqrt(1/2) */
    *power_out = __builtin_convertvector(shifted >> 23, vf);
    return VF((shifted & 0x007fffff) + 0x3f3504f3);
}

/* ln(m) / 2 for m near 1, as s + s^3 * (...), within 1e-9: s = (m - 1) / (m + 1). */
RP_ALWAYS_INLINE vf
log_series(vf m, vf *s_out)
{
    const vf s = (m - 1.0f) / (m + 1.0f);
    const vf z = s * s;
    vf p = z * 1.4935863e-1f + 1.9988771e-1f;
    p = p * z + 3.3333388e-1f;
    *s_out = s;
    return s * z * p;
}

/* The logarithm of 2^power m. */
RP_ALWAYS_INLINE vf
log2_of(vf m, vf power)
{
    vf s;
    const vf tail = log_series(m, &s);
    return (s * 2.88539008f + (tail * 2.88539008f + s * 3.8e-8f)) + power;
}

RP_ALWAYS_INLINE vf
log_of(vf m, vf power)
{
    vf s;
    const vf tail = log_series(m, &s);
    return (power * -2.12194440e-4f + (2.0f * tail + 2.0f * s)) + power * 0.693359375f;
}

/* A denormal number times 2^24. */
RP_ALWAYS_INLINE vf
log_raise(vf a, vf *power_out)
{
    const vi is_denormal = a < 0x1p-126f;
    const vf m = log_split(vf_select(is_denormal, a * 0x1p24f, a), power_out);
    *power_out -= vf_select(is_denormal, vf_splat(24), vf_splat(0));
    return m;
}

/* Results for zero, negative numbers, infinity and NaN. */
RP_ALWAYS_INLINE vf
log_special(vf a, vf r)
{
    const vf inf = vf_splat(__builtin_inff());
    r = vf_select(a == inf, inf, r);
    r = vf_select(a == 0.0f, -inf, r);
    r = vf_select(a < 0.0f, vf_splat(__builtin_nanf("")), r);
    return vf_select(a == a, r, a);
}

/* Are all lanes positive normal numbers? */
RP_ALWAYS_INLINE bool
log_is_plain(vf a)
{
#if RP_VW == 16
    const __m512i above_least = (__m512i)(VU(a) - 0x00800000);
    return !_mm512_cmpge_epu32_mask(above_least, _mm512_set1_epi32(0x7f000000));
#else
    return vi_bits((VI(a) > 0x007fffff) & (VI(a) < 0x7f800000)) == (1u << RP_VW) - 1;
#endif
}

#define DEFINE_LOG(name) \
    static __attribute__((noinline, cold, unused)) vf name##_edges(vf a) \
    { \
        vf power; \
        const vf m = log_raise(a, &power); \
        return log_special(a, name##_of(m, power)); \
    } \
    RP_ALWAYS_INLINE vf vf_##name(vf a) \
    { \
        vf power; \
        if (RP_UNLIKELY(!log_is_plain(a))) \
            return name##_edges(a); \
        const vf m = log_split(a, &power); \
        return name##_of(m, power); \
    }
DEFINE_LOG(log2)
DEFINE_LOG(log)

/* Sine, or cosine: the sine of what lies within a quarter turn from a multiple of pi, whose parity
 * is the sign. */
RP_ALWAYS_INLINE vf
vf_sin(vf a, bool is_cosine)
{
    const float magic = 0x1.8p23f; /* sums have no fraction */
    vf turns = a * 0.318309886f;
    if (is_cosine)
        turns += 0.5f;
    const vf sum = turns + magic;
    vf whole = sum - magic;
    if (is_cosine)
        whole -= 0.5f;
    vf r = a - whole * 3.140625f;
    r = r - whole * 9.67502593994e-4f;
    r = r - whole * 1.509957884e-7f;
    const vf z = r * r;
    vf p = z * 2.60329944e-6f - 1.98081136e-4f;
    p = p * z + 8.33303947e-3f;
    p = p * z - 1.66666582e-1f;
    const vf v = p * z * r + r; /* of a quarter turn 1 */
    /* Far out no bit of the angle is left: stay within [-1, 1]. */
    return vf_within(VF(VU(v) ^ VU(sum) << 31), -1, 1);
}

/* For a on [0, 1], within 2e-8. */
RP_ALWAYS_INLINE vf
atan_unit(vf a)
{
    const vf z = a * a;
    const vf zz = z * z;
    const vf even =
        ((zz * -1.6367691e-2f - 7.5521663e-2f) * zz - 1.4211047e-1f) * zz - 3.3333153e-1f;
    const vf odd = ((zz * 2.9206439e-3f + 4.3211389e-2f) * zz + 1.0665977e-1f) * zz + 1.9993772e-1f;
    return (odd * z + even) * z * a + a;
}

RP_ALWAYS_INLINE vf
vf_atan(vf a)
{
    const vf t = vf_abs(a);
    const vi is_large = t > 1.0f;
    const vf r = atan_unit(vf_select(is_large, 1.0f / t, t));
    return vf_copysign(vf_select(is_large, 1.57079633f - r, r), a);
}

RP_ALWAYS_INLINE vf
vf_atan2(vf y, vf x)
{
    const vf ax = vf_abs(x), ay = vf_abs(y);
    const vi is_steep = ay > ax;
    const vf low = vf_select(is_steep, ax, ay), high = vf_select(is_steep, ay, ax);
    vf q = vf_select(low == high, vf_splat(1), low / high); /* infinities */
    q = vf_select(high == 0.0f, vf_splat(0), q);
    vf r = atan_unit(q);
    r = vf_select(is_steep, 1.57079633f - r, r);
    r = vf_select(VI(x) < 0, 3.14159265f - r, r);
    return vf_select((x == x) & (y == y), vf_copysign(r, y), x + y);
}

RP_ALWAYS_INLINE vf
vf_asin(vf a)
{
    return vf_atan2(a, vf_sqrt((1.0f - a) * (1.0f + a)));
}

RP_ALWAYS_INLINE vf
vf_acos(vf a)
{
    return vf_atan2(vf_sqrt((1.0f - a) * (1.0f + a)), a);
}

/* Half of e^a, and infinite where e^a is: Vulkan says how exact sinh and cosh are by the sum of
 * exponentials. */
RP_ALWAYS_INLINE vf
vf_half_exp(vf a)
{
    const vf e = vf_exp(a - 0.693147181f);
    return vf_select(a > 88.7228394f, vf_splat(__builtin_inff()), e);
}

RP_ALWAYS_INLINE vf
vf_sinh(vf a)
{
    const vf z = a * a;
    vf p = z * 2.75573192e-6f + 1.98412698e-4f;
    p = p * z + 8.33333333e-3f;
    p = p * z + 1.66666667e-1f;
    const vf small = a + a * z * p;
    const vf e = vf_half_exp(vf_abs(a));
    const vf large = vf_copysign(e - 0.25f / e, a);
    return vf_select(vf_abs(a) < 1.0f, small, large);
}

RP_ALWAYS_INLINE vf
vf_cosh(vf a)
{
    const vf e = vf_half_exp(vf_abs(a));
    return e + 0.25f / e;
}

/* From e = exp(2 |a|) - 1, which is exact to a few ULP near 0, too. */
RP_ALWAYS_INLINE vf
vf_tanh(vf a)
{
    const float magic = 0x1.8p23f; /* sums have no fraction */
    const vf y = vf_within(vf_abs(a) * (2.0f * RP_LOG2_E), 0, 40);
    const vf sum = y + magic;
    const vf scale = VF((VU(sum) << 23) + 0x3f800000);
    const vf e = exp2_rest(y - (sum - magic)) * scale + (scale - 1.0f);
    return vf_copysign(e / (e + 2.0f), a);
}

RP_ALWAYS_INLINE vf
vf_asinh(vf a)
{
    const vf t = vf_abs(a);
    const vf z = t * t;
    const vf small = t - t * z * (1.0f / 6) + t * z * z * (3.0f / 40);
    const vf large = vf_select(t > 1e18f, vf_log(t) + 0.693147181f, vf_log(t + vf_sqrt(z + 1.0f)));
    return vf_copysign(vf_select(t < 0.1f, small, large), a);
}

RP_ALWAYS_INLINE vf
vf_acosh(vf a)
{
    return vf_select(a > 1e18f, vf_log(a) + 0.693147181f, vf_log(a + vf_sqrt(a * a - 1.0f)));
}

RP_ALWAYS_INLINE vf
vf_atanh(vf a)
{
    const vf z = a * a;
    const vf small = a + a * z * (1.0f / 3) + a * z * z * (1.0f / 5);
    return vf_select(vf_abs(a) < 0.1f, small, 0.5f * vf_log((1.0f + a) / (1.0f - a)));
}

static __attribute__((noinline, cold, unused)) vf
pow_edges(vf a, vf b)
{
    return vf_select(b == 0.0f, vf_splat(1), exp2_any(b * log2_edges(a)));
}

RP_ALWAYS_INLINE vf
vf_pow(vf a, vf b)
{
    vf power;
    if (RP_UNLIKELY(!log_is_plain(a)))
        return pow_edges(a, b);
    const vf m = log_split(a, &power);
    return vf_exp2(b * log2_of(m, power));
}

#endif

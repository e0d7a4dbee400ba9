/* SPDX-License-Identifier: MIT */
/* Components of texels whose format is a list of channels: what they are as numbers, and back. For
 * the formats that are too rare for code of their own (texel_kind.h).
 */
#ifndef RP_COMPUTE_EXEC_TEXEL_PACKED_H
#define RP_COMPUTE_EXEC_TEXEL_PACKED_H

#include "compute/exec/math.h"
#include "compute/exec/texel_kind.h"
#include "compute/exec/texel_vec.h"
#include "compute/image/texel.h"

/* The linear value of bytes. */
static inline vi
linear_of(vu bytes)
{
    const uint8_t *table = (const uint8_t *)rp_srgb_to_linear;
#if RP_VW >= 8
    return VI(gather_words(table, VI(bytes * 4)));
#else
    vf value = {0};
    for (uint32_t i = 0; i < RP_VW; i++)
        value[i] = ((const float *)(const void *)table)[bytes[i]];
    return VI(value);
#endif
}

/* As rp_float_to_half() has it: NaN keeps its sign alone. */
static inline vu
half_from(vi value)
{
    const vi magnitude = value & INT32_MAX;
    const vi nan = VI(VU(value) >> 16 & 0x8000) | 0x7e00;
    return VU(vi_select(magnitude > 0x7f800000, nan, float_to_half(VF(value)))) & 0xffff;
}

static inline vi
packed_component(const struct rp_format_channel *c, const vu texel[4])
{
    const int32_t shift = c->first_bit % 32, bits = c->bits, unused = 32 - bits;
    const vu word = texel[c->first_bit / 32];
    const vu n = word << (unused - shift) >> unused;
    const vi signed_n = VI(word << (unused - shift)) >> unused;

    switch (c->numeric) {
    case RP_NUMERIC_UNORM: /* both are exact, so the quotient is the nearest float */
        return VI(__builtin_convertvector(VI(n), vf) / (float)((1 << bits) - 1));
    case RP_NUMERIC_SNORM: {
        const vf value = __builtin_convertvector(signed_n, vf) / (float)((1 << (bits - 1)) - 1);
        return VI(vf_select(value < -1.0f, vf_splat(-1.0f), value));
    }
    case RP_NUMERIC_SRGB:
        return linear_of(n);
    case RP_NUMERIC_USCALED:
        return VI(__builtin_convertvector(VI(n), vf));
    case RP_NUMERIC_SSCALED:
        return VI(__builtin_convertvector(signed_n, vf));
    case RP_NUMERIC_SINT:
        return signed_n;
    case RP_NUMERIC_UFLOAT: /* a half's exponent, fewer bits behind it */
        return VI(half_to_float(VI(n << (15 - bits))));
    case RP_NUMERIC_SFLOAT:
        return bits == 16 ? VI(half_to_float(VI(n))) : VI(n);
    case RP_NUMERIC_UINT:
        break;
    }
    return VI(n);
}

static inline void
packed_decode(const struct kind *kind, const vu texel[4], vi out[4])
{
    const struct rp_format *fmt = kind->fmt;
    out[0] = out[1] = out[2] = (vi){0};
    out[3] = kind->is_int ? vi_splat(1) : VI(vf_splat(1.0f));
    if (fmt->has_shared_exponent) { /* 2^(exponent - 15 - 9) */
        const vf scale = VF(((texel[0] >> 27) + (127 - 24)) << 23);
        for (int32_t i = 0; i < 3; i++)
            out[i] = VI(__builtin_convertvector(VI(texel[0] >> 9 * i & 0x1ff), vf) * scale);
        return;
    }
    for (uint32_t i = 0; i < fmt->channel_count; i++)
        out[channel_component(&fmt->channels[i])] = packed_component(&fmt->channels[i], texel);
}

/* Ties to even; NaN gives 0. */
static inline vu
snorm_from(vi value, uint32_t bits)
{
    const double top = (double)((1u << (bits - 1)) - 1);
    vu out = {0};
    for (int32_t i = 0; i < RP_VW; i += RP_VW / 2) {
        vfh half;
        memcpy(&half, (const char *)&value + 4 * i, sizeof(half));
        vd wide = __builtin_convertvector(half, vd);
        wide = vd_select(VL(wide == wide), wide, (vd){0});
        wide = vd_select(VL(wide < -1.0), (vd){0} - 1.0, wide);
        wide = vd_select(VL(wide > 1.0), (vd){0} + 1.0, wide);
        /* The rounded number is in the low bits, negative ones as complements of two. */
        const vuh low = __builtin_convertvector(VUL(wide * top + 0x1.8p52) & UINT32_MAX, vuh);
        memcpy((char *)&out + 4 * i, &low, sizeof(low));
    }
    return out & ((1u << bits) - 1);
}

/* Floats of 10 or 11 bits, without a sign: finite numbers stay finite, negative ones are 0. */
static inline vu
small_float_from(vi value, uint32_t bits)
{
    const int32_t mantissa = (int32_t)bits - 5;
    const int32_t infinity = 31 << mantissa, shift = 23 - mantissa;
    const vi odd = VI(VU(value) >> shift) & 1;
    const vi rounded = VI(VU(value + (1 << (shift - 1)) - 1 + odd) >> shift);
    const vi normal = rounded - (112 << mantissa);
    /* Below 2^-14: adding this rounds at the last bit of a denormal number. */
    const vf unit = VF(vi_splat((127 + 9 - mantissa) << 23));
    const vi denormal = VI(VF(value) + unit) - VI(unit);
    vi out = vi_select(value < (113 << 23), denormal, normal);
    out = vi_select(out >= infinity, vi_splat(infinity - 1), out);
    out = vi_select(value == 0x7f800000, vi_splat(infinity), out);
    out = vi_select(value < 0, (vi){0}, out);
    return VU(vi_select((value & INT32_MAX) > 0x7f800000, vi_splat(infinity | 1), out));
}

static inline vu
sint_from(vi value, uint32_t bits)
{
    const int32_t high = (int32_t)((1u << (bits - 1)) - 1);
    value = vi_select(value < -high - 1, vi_splat(-high - 1), value);
    return VU(vi_select(value > high, vi_splat(high), value)) & ((1u << bits) - 1);
}

static inline vu
packed_bits(enum rp_numeric numeric, vi value, uint32_t bits)
{
    if (bits == 32)
        return VU(value);
    switch (numeric) {
    case RP_NUMERIC_UNORM:
        return unorm_long_from(value, bits);
    case RP_NUMERIC_SNORM:
        return snorm_from(value, bits);
    case RP_NUMERIC_UINT:
        return uint_from(value, bits);
    case RP_NUMERIC_SINT:
        return sint_from(value, bits);
    case RP_NUMERIC_UFLOAT:
        return small_float_from(value, bits);
    case RP_NUMERIC_SFLOAT:
        return half_from(value);
    case RP_NUMERIC_USCALED:
    case RP_NUMERIC_SSCALED:
    case RP_NUMERIC_SRGB:
        break;
    }
    return (vu){0};
}

/* Whether packed_encode() has all channels. */
static inline bool
is_packed_written(const struct kind *kind)
{
    if (kind->count == 0 || kind->fmt->has_shared_exponent)
        return false;
    for (uint32_t i = 0; i < kind->fmt->channel_count; i++) {
        const struct rp_format_channel *c = &kind->fmt->channels[i];
        const bool is_small = c->bits <= 16 || (c->bits == 32 && c->numeric != RP_NUMERIC_UNORM);
        if (!is_small || c->numeric == RP_NUMERIC_SRGB || c->numeric == RP_NUMERIC_USCALED ||
            c->numeric == RP_NUMERIC_SSCALED)
            return false;
    }
    return true;
}

static inline void
packed_encode(const struct kind *kind, const uint32_t *const value[4], uint32_t lane, vu texel[4])
{
    for (uint32_t i = 0; i < kind->fmt->channel_count; i++) {
        const struct rp_format_channel *c = &kind->fmt->channels[i];
        const vi v = *(const vi *)(value[channel_component(c)] + lane);
        const vu bits = kind->is_bytes ? unorm_from(v, 8) : packed_bits(c->numeric, v, c->bits);
        texel[c->first_bit / 32] |= bits << (int32_t)(c->first_bit % 32);
    }
}

#endif

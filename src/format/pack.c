/* SPDX-License-Identifier: MIT */
/* Packing of single texels, for clears.
 */
#include "format/pack.h"

#include "util/compiler.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static uint32_t
float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/* value >> shift, rounded to nearest, ties to even. */
static uint32_t
shift_round(uint32_t value, uint32_t shift)
{
    if (shift > 31)
        return 0;
    const uint32_t kept = shift ? value >> shift : value;
    const uint32_t rest = value & ((1u << shift) - 1);
    const uint32_t half = shift ? 1u << (shift - 1) : 0;
    return kept + (shift && (rest > half || (rest == half && (kept & 1))));
}

/* A number without sign as exponent (5 bits, bias 15) and mantissa. Too large gives infinity,
 * which a format without rounding towards it avoids by clamping before. */
static uint32_t
small_float(uint32_t bits, uint32_t mantissa_bits)
{
    const uint32_t infinity = 31u << mantissa_bits;
    const int32_t exponent = (int32_t)(bits >> 23 & 0xff) - 127 + 15;
    const uint32_t mantissa = bits & 0x7fffff;

    if ((bits >> 23 & 0xff) == 0xff)
        return infinity | (mantissa ? 1u << (mantissa_bits - 1) : 0);
    if (exponent <= 0) /* denormal: the hidden bit shifts in */
        return shift_round(mantissa | 0x800000, (uint32_t)(24 - exponent) - mantissa_bits);
    const uint32_t joined = (uint32_t)exponent << 23 | mantissa;
    return RP_MIN(shift_round(joined, 23 - mantissa_bits), infinity);
}

uint16_t
rp_float_to_half(float value)
{
    const uint32_t bits = float_bits(value);
    return (uint16_t)((bits >> 16 & 0x8000) | small_float(bits & 0x7fffffff, 10));
}

float
rp_half_to_float(uint16_t half)
{
    const uint32_t exponent = half >> 10 & 31, mantissa = half & 0x3ff;
    uint32_t bits =
        exponent == 31 ? 0x7f800000 | mantissa << 13 : (exponent + 127 - 15) << 23 | mantissa << 13;
    if (exponent == 0)
        bits = float_bits((float)mantissa * 0x1p-24f);
    bits |= (uint32_t)(half & 0x8000) << 16;

    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* 11- and 10-bit floats have no sign: negative numbers are 0; finite ones stay finite. */
static uint32_t
pack_ufloat(float value, uint32_t bit_count)
{
    const uint32_t mantissa_bits = bit_count - 5;
    const float largest = ldexpf(2.0f - ldexpf(1.0f, -(int)mantissa_bits), 15);

    if (isnan(value))
        return (31u << mantissa_bits) | 1;
    if (value <= 0.0f)
        return 0;
    if (!isinf(value) && value > largest)
        value = largest;
    return small_float(float_bits(value), mantissa_bits);
}

/* E5B9G9R9, "Shared Exponent to RGB" turned round. */
static uint32_t
pack_shared_exponent(const float rgb[3])
{
    const float largest = 65408.0f; /* (2^9 - 1) / 2^9 * 2^(31 - 15) */
    float clamped[3];
    float most = 0.0f;

    for (int i = 0; i < 3; i++) {
        clamped[i] = rgb[i] > 0.0f ? fminf(rgb[i], largest) : 0.0f;
        most = fmaxf(most, clamped[i]);
    }
    int exponent;
    frexpf(most, &exponent); /* most < 2^exponent */
    exponent = RP_MAX(most > 0.0f ? exponent : -15, -15);
    if (floorf(ldexpf(most, 9 - exponent) + 0.5f) == 512.0f)
        exponent++;

    uint32_t out = (uint32_t)(exponent + 15) << 27;
    for (int i = 0; i < 3; i++)
        out |= (uint32_t)floorf(ldexpf(clamped[i], 9 - exponent) + 0.5f) << (9 * i);
    return out;
}

static double
linear_to_srgb(double value)
{
    return value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1.0 / 2.4) - 0.055;
}

/* Clamps to [low, high]; NaN gives 0. */
static double
clamp_double(double value, double low, double high)
{
    if (isnan(value))
        return 0.0;
    return value < low ? low : value > high ? high : value;
}

static uint64_t
pack_int(int64_t value, int64_t low, int64_t high)
{
    return (uint64_t)(value < low ? low : value > high ? high : value);
}

static uint64_t
pack_float_bits(float value, uint32_t bit_count)
{
    return bit_count == 16 ? rp_float_to_half(value) : float_bits(value);
}

/* VkClearColorValue: a 64-bit component takes two of the four values, the low word first. Formats
 * with more than two such components take zeros for the rest. */
static uint64_t
pack_long(const VkClearColorValue *color, uint32_t i)
{
    if (i > 1)
        return 0;
    return color->uint32[2 * i] | (uint64_t)color->uint32[2 * i + 1] << 32;
}

/* i: which of the colour's four values the channel shows. */
static uint64_t
pack_channel(const struct rp_format_channel *channel, const VkClearColorValue *color, uint32_t i)
{
    const uint32_t bits = channel->bits;
    if (bits == 64)
        return pack_long(color, i);

    const uint64_t mask = ((uint64_t)1 << bits) - 1;
    const double value = color->float32[i];
    const int64_t high = (int64_t)(mask >> 1);

    switch (channel->numeric) {
    case RP_NUMERIC_UNORM:
        return (uint64_t)llrint(clamp_double(value, 0.0, 1.0) * (double)mask);
    case RP_NUMERIC_SRGB:
        return (uint64_t)llrint(linear_to_srgb(clamp_double(value, 0.0, 1.0)) * (double)mask);
    case RP_NUMERIC_SNORM:
        return (uint64_t)llrint(clamp_double(value, -1.0, 1.0) * (double)high) & mask;
    case RP_NUMERIC_USCALED:
        return (uint64_t)clamp_double(value, 0.0, (double)mask);
    case RP_NUMERIC_SSCALED:
        return (uint64_t)(int64_t)clamp_double(value, -(double)high - 1.0, (double)high) & mask;
    case RP_NUMERIC_UINT:
        return RP_MIN((uint64_t)color->uint32[i], mask);
    case RP_NUMERIC_SINT:
        return pack_int(color->int32[i], -high - 1, high) & mask;
    case RP_NUMERIC_UFLOAT:
        return pack_ufloat(color->float32[i], bits);
    case RP_NUMERIC_SFLOAT:
        return pack_float_bits(color->float32[i], bits);
    }
    return 0;
}

static uint32_t
component_index(char component)
{
    static const char components[] = "RGBA";
    const char *found = strchr(components, component);
    return found ? (uint32_t)(found - components) : 0;
}

/* Ors the low bit_count bits of value into the little-endian number at out. */
static void
put_bits(uint8_t *out, uint32_t first_bit, uint32_t bit_count, uint64_t value)
{
    uint8_t *to = out + first_bit / 8;
    const uint32_t shift = first_bit % 8;

    *to |= (uint8_t)(value << shift);
    for (uint32_t done = 8 - shift; done < bit_count; done += 8)
        *++to |= (uint8_t)(value >> done);
}

void
rp_format_pack_color(const struct rp_format *fmt, const VkClearColorValue *color,
                     uint8_t out[RP_MAX_TEXEL_B])
{
    memset(out, 0, RP_MAX_TEXEL_B);
    if (fmt->has_shared_exponent) {
        const uint32_t texel = pack_shared_exponent(color->float32);
        memcpy(out, &texel, sizeof(texel));
        return;
    }

    for (uint32_t i = 0; i < fmt->channel_count; i++) {
        const struct rp_format_channel *channel = &fmt->channels[i];
        const uint64_t mask = channel->bits == 64 ? UINT64_MAX : ((uint64_t)1 << channel->bits) - 1;
        if (channel->bits == 0)
            continue;
        put_bits(out, channel->first_bit, channel->bits,
                 pack_channel(channel, color, component_index(channel->component)) & mask);
    }
}

void
rp_format_pack_depth_stencil(VkFormat plane, const VkClearDepthStencilValue *value,
                             uint8_t out[RP_MAX_TEXEL_B])
{
    const double depth = clamp_double(value->depth, 0.0, 1.0);
    const float exact = value->depth;
    uint32_t texel = 0;

    switch ((int)plane) {
    case VK_FORMAT_D16_UNORM:
        texel = (uint32_t)llrint(depth * 0xffff);
        break;
    case VK_FORMAT_X8_D24_UNORM_PACK32:
        texel = (uint32_t)llrint(depth * 0xffffff);
        break;
    case VK_FORMAT_D32_SFLOAT:
        texel = float_bits(exact);
        break;
    default: /* S8_UINT */
        texel = value->stencil & 0xff;
        break;
    }
    memset(out, 0, RP_MAX_TEXEL_B);
    memcpy(out, &texel, sizeof(texel));
}

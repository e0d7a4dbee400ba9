/* SPDX-License-Identifier: MIT */
/* Decoders and encoders: a general one from the format's channels, and short ones for formats that
 * shaders use all the time.
 */
#include "compute/image/texel.h"

#include "format/pack.h"
#include "util/compiler.h"

#include <math.h>
#include <string.h>

static uint32_t
from_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static float
to_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static uint64_t
get_bits(const uint8_t *texel, uint32_t first_bit, uint32_t bit_count)
{
    uint64_t value = 0;
    const uint32_t first_B = first_bit / 8;
    const uint32_t last_B = (first_bit + bit_count - 1) / 8;

    for (uint32_t i = first_B; i <= last_B; i++)
        value |= (uint64_t)texel[i] << (8 * (i - first_B));
    value >>= first_bit % 8;
    return bit_count == 64 ? value : value & (((uint64_t)1 << bit_count) - 1);
}

/* Exponent of 5 bits, bias 15, no sign. */
static float
decode_small_float(uint32_t bits, uint32_t mantissa_bits)
{
    const uint32_t exponent = bits >> mantissa_bits & 31;
    const uint32_t mantissa = bits & ((1u << mantissa_bits) - 1);

    if (exponent == 31)
        return to_float(0x7f800000 | mantissa << (23 - mantissa_bits));
    if (exponent == 0)
        return (float)mantissa * to_float((127 - 14 - mantissa_bits) << 23);
    return to_float((exponent + 127 - 15) << 23 | mantissa << (23 - mantissa_bits));
}

static uint32_t
decode_sfloat(uint64_t bits, uint32_t bit_count)
{
    if (bit_count == 16)
        return from_float(rp_half_to_float((uint16_t)bits));
    if (bit_count == 32)
        return (uint32_t)bits;

    double wide;
    memcpy(&wide, &bits, sizeof(wide));
    return from_float((float)wide);
}

static int64_t
sign_extend(uint64_t bits, uint32_t bit_count)
{
    return (int64_t)(bits << (64 - bit_count)) >> (64 - bit_count);
}

static uint32_t
decode_channel(const struct rp_format_channel *c, const uint8_t *texel)
{
    const uint64_t bits = get_bits(texel, c->first_bit, c->bits);
    const uint64_t mask = c->bits == 64 ? UINT64_MAX : ((uint64_t)1 << c->bits) - 1;

    switch (c->numeric) {
    case RP_NUMERIC_UNORM:
        return from_float((float)((double)bits / (double)mask));
    case RP_NUMERIC_SNORM:
        return from_float(
            (float)fmax((double)sign_extend(bits, c->bits) / (double)(mask >> 1), -1.0));
    case RP_NUMERIC_SRGB:
        return from_float(rp_srgb_to_linear[bits & 0xff]);
    case RP_NUMERIC_USCALED:
        return from_float((float)bits);
    case RP_NUMERIC_SSCALED:
        return from_float((float)sign_extend(bits, c->bits));
    case RP_NUMERIC_UINT:
        return (uint32_t)bits;
    case RP_NUMERIC_SINT:
        return (uint32_t)sign_extend(bits, c->bits);
    case RP_NUMERIC_UFLOAT:
        return from_float(decode_small_float((uint32_t)bits, c->bits - 5u));
    case RP_NUMERIC_SFLOAT:
        return decode_sfloat(bits, c->bits);
    }
    return 0;
}

static bool
format_is_int(const struct rp_format *fmt)
{
    const enum rp_numeric numeric = fmt->channels[0].numeric;
    return numeric == RP_NUMERIC_UINT || numeric == RP_NUMERIC_SINT;
}

static void
decode_missing(bool is_int, uint32_t out[4])
{
    out[0] = out[1] = out[2] = 0;
    out[3] = is_int ? 1 : from_float(1.0f);
}

static void
decode_shared_exponent(const struct rp_format *fmt, const uint8_t *texel, uint32_t out[4])
{
    uint32_t bits;
    memcpy(&bits, texel, sizeof(bits));
    /* 2^(exponent - 15 - 9) */
    const float scale = to_float(((bits >> 27) + 127 - 24) << 23);
    for (uint32_t i = 0; i < 3; i++)
        out[i] = from_float((float)(bits >> (9 * i) & 0x1ff) * scale);
    out[3] = from_float(1.0f);
}

static void
decode_general(const struct rp_format *fmt, const uint8_t *texel, uint32_t out[4])
{
    decode_missing(format_is_int(fmt), out);
    for (uint32_t i = 0; i < fmt->channel_count; i++) {
        const struct rp_format_channel *c = &fmt->channels[i];
        static const char components[] = "RGBA";
        const char *found = strchr(components, c->component);
        if (c->bits)
            out[found ? found - components : 0] = decode_channel(c, texel);
    }
}

static void
encode_general(const struct rp_format *fmt, uint8_t *texel, const uint32_t in[4])
{
    VkClearColorValue color;
    uint8_t packed[RP_MAX_TEXEL_B];

    memcpy(&color, in, sizeof(color));
    rp_format_pack_color(fmt, &color, packed);
    memcpy(texel, packed, fmt->planes[0].block_B);
}

static void
decode_nothing(const struct rp_format *fmt, const uint8_t *texel, uint32_t out[4])
{
    memset(out, 0, 4 * sizeof(out[0]));
}

static void
encode_nothing(const struct rp_format *fmt, uint8_t *texel, const uint32_t in[4])
{
}

static uint8_t
encode_unorm8(uint32_t bits)
{
    const float value = to_float(bits);
    /* NaN fails both comparisons of the second test. */
    if (value >= 1.0f)
        return 255;
    return value > 0.0f ? (uint8_t)lrintf(value * 255.0f) : 0;
}

/* count 8-bit UNORM components, memory order R, G, B, A. */
static inline void
decode_unorm8(const uint8_t *texel, uint32_t count, uint32_t out[4])
{
    decode_missing(false, out);
    for (uint32_t i = 0; i < count; i++)
        out[i] = from_float((float)texel[i] / 255.0f);
}

static void
decode_r8_unorm(const struct rp_format *fmt, const uint8_t *texel, uint32_t out[4])
{
    decode_unorm8(texel, 1, out);
}

static void
decode_rg8_unorm(const struct rp_format *fmt, const uint8_t *texel, uint32_t out[4])
{
    decode_unorm8(texel, 2, out);
}

static void
decode_rgba8_unorm(const struct rp_format *fmt, const uint8_t *texel, uint32_t out[4])
{
    decode_unorm8(texel, 4, out);
}

static void
decode_bgra8_unorm(const struct rp_format *fmt, const uint8_t *texel, uint32_t out[4])
{
    decode_unorm8(texel, 4, out);
    const uint32_t blue = out[0];
    out[0] = out[2];
    out[2] = blue;
}

static void
encode_r8_unorm(const struct rp_format *fmt, uint8_t *texel, const uint32_t in[4])
{
    texel[0] = encode_unorm8(in[0]);
}

static void
encode_rg8_unorm(const struct rp_format *fmt, uint8_t *texel, const uint32_t in[4])
{
    texel[0] = encode_unorm8(in[0]);
    texel[1] = encode_unorm8(in[1]);
}

static void
encode_rgba8_unorm(const struct rp_format *fmt, uint8_t *texel, const uint32_t in[4])
{
    for (uint32_t i = 0; i < 4; i++)
        texel[i] = encode_unorm8(in[i]);
}

static void
encode_bgra8_unorm(const struct rp_format *fmt, uint8_t *texel, const uint32_t in[4])
{
    const uint32_t swapped[4] = {in[2], in[1], in[0], in[3]};
    encode_rgba8_unorm(fmt, texel, swapped);
}

static void
decode_8u(const struct rp_format *fmt, const uint8_t *texel, uint32_t out[4])
{
    decode_missing(true, out);
    for (uint32_t i = 0; i < fmt->channel_count; i++)
        out[i] = texel[i];
}

static void
decode_16u(const struct rp_format *fmt, const uint8_t *texel, uint32_t out[4])
{
    decode_missing(true, out);
    for (uint32_t i = 0; i < fmt->channel_count; i++) {
        uint16_t half;
        memcpy(&half, texel + 2 * i, sizeof(half));
        out[i] = half;
    }
}

/* 32-bit components: bits as they are. */
static void
decode_32(const struct rp_format *fmt, const uint8_t *texel, uint32_t out[4])
{
    decode_missing(format_is_int(fmt), out);
    memcpy(out, texel, fmt->planes[0].block_B);
}

static void
encode_32(const struct rp_format *fmt, uint8_t *texel, const uint32_t in[4])
{
    memcpy(texel, in, fmt->planes[0].block_B);
}

static void
decode_16f(const struct rp_format *fmt, const uint8_t *texel, uint32_t out[4])
{
    decode_missing(false, out);
    for (uint32_t i = 0; i < fmt->channel_count; i++) {
        uint16_t half;
        memcpy(&half, texel + 2 * i, sizeof(half));
        out[i] = from_float(rp_half_to_float(half));
    }
}

static void
encode_16f(const struct rp_format *fmt, uint8_t *texel, const uint32_t in[4])
{
    for (uint32_t i = 0; i < fmt->channel_count; i++) {
        const uint16_t half = rp_float_to_half(to_float(in[i]));
        memcpy(texel + 2 * i, &half, sizeof(half));
    }
}

struct short_codec {
    VkFormat format;
    rp_texel_decode_fn *decode;
    rp_texel_encode_fn *encode;
};

static const struct short_codec short_codecs[] = {
    {VK_FORMAT_R8_UNORM, decode_r8_unorm, encode_r8_unorm},
    {VK_FORMAT_R8G8_UNORM, decode_rg8_unorm, encode_rg8_unorm},
    {VK_FORMAT_R8G8B8A8_UNORM, decode_rgba8_unorm, encode_rgba8_unorm},
    {VK_FORMAT_A8B8G8R8_UNORM_PACK32, decode_rgba8_unorm, encode_rgba8_unorm},
    {VK_FORMAT_B8G8R8A8_UNORM, decode_bgra8_unorm, encode_bgra8_unorm},
    {VK_FORMAT_R8_UINT, decode_8u, encode_general},
    {VK_FORMAT_R8G8_UINT, decode_8u, encode_general},
    {VK_FORMAT_R8G8B8A8_UINT, decode_8u, encode_general},
    {VK_FORMAT_R16_UINT, decode_16u, encode_general},
    {VK_FORMAT_R16G16_UINT, decode_16u, encode_general},
    {VK_FORMAT_R16G16B16A16_UINT, decode_16u, encode_general},
    {VK_FORMAT_R16_SFLOAT, decode_16f, encode_16f},
    {VK_FORMAT_R16G16_SFLOAT, decode_16f, encode_16f},
    {VK_FORMAT_R16G16B16A16_SFLOAT, decode_16f, encode_16f},
    {VK_FORMAT_R32_SFLOAT, decode_32, encode_32},
    {VK_FORMAT_R32_UINT, decode_32, encode_32},
    {VK_FORMAT_R32_SINT, decode_32, encode_32},
    {VK_FORMAT_R32G32_SFLOAT, decode_32, encode_32},
    {VK_FORMAT_R32G32_UINT, decode_32, encode_32},
    {VK_FORMAT_R32G32_SINT, decode_32, encode_32},
    {VK_FORMAT_R32G32B32A32_SFLOAT, decode_32, encode_32},
    {VK_FORMAT_R32G32B32A32_UINT, decode_32, encode_32},
    {VK_FORMAT_R32G32B32A32_SINT, decode_32, encode_32},
};

static bool
format_has_alpha(const struct rp_format *fmt)
{
    for (uint32_t i = 0; i < fmt->channel_count; i++)
        if (fmt->channels[i].component == 'A')
            return true;
    return false;
}

struct rp_texel_codec
rp_texel_codec_get(VkFormat format)
{
    const struct rp_format *fmt = rp_format_get(format);
    if (!fmt || rp_format_is_compressed(fmt) || fmt->planes[0].block_w_px != 1)
        return (struct rp_texel_codec){.decode = decode_nothing, .encode = encode_nothing};

    struct rp_texel_codec codec = {
        .fmt = fmt,
        .texel_B = fmt->planes[0].block_B,
        .is_int = format_is_int(fmt),
        .has_alpha = format_has_alpha(fmt),
        .decode = fmt->has_shared_exponent ? decode_shared_exponent : decode_general,
        .encode = encode_general,
    };
    for (uint32_t i = 0; i < RP_ARRAY_SIZE(short_codecs); i++) {
        if (short_codecs[i].format == format) {
            codec.decode = short_codecs[i].decode;
            codec.encode = short_codecs[i].encode;
        }
    }
    return codec;
}

void
rp_texel_decode_422(const struct rp_format *fmt, const uint8_t *block, uint32_t index,
                    uint32_t out[3])
{
    uint32_t luma_count = 0;

    for (uint32_t i = 0; i < fmt->channel_count; i++) {
        const struct rp_format_channel *c = &fmt->channels[i];
        if (c->component == 'G' && luma_count++ == index)
            out[1] = decode_channel(c, block);
        else if (c->component == 'B')
            out[0] = decode_channel(c, block);
        else if (c->component == 'R')
            out[2] = decode_channel(c, block);
    }
}

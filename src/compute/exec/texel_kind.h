/* SPDX-License-Identifier: MIT */
/* Formats of texel_other.c: what their components are, and where these lie in a texel.
 */
#ifndef RP_COMPUTE_EXEC_TEXEL_KIND_H
#define RP_COMPUTE_EXEC_TEXEL_KIND_H

#include "compute/exec/texel_vec.h"
#include "format/format.h"

enum nature {
    UNORM16,
    UINT16,
    SINT16,
    HALF,
    WORD_FLOAT,
    WORD_INT,
    BYTE_UNORM, /* read only, like the next five */
    BYTE_BGR,
    BYTE_SRGB,
    BYTE_SRGB_BGR,
    BYTE_SNORM,
    SMALL_FLOAT, /* of 11, 11 and 10 bits, without a sign */
    PACKED,      /* as the channels of its format say */
    TEN_RGB,     /* UNORM: 10, 10, 10 and 2 bits, red lowest */
    TEN_BGR,
    TEN_RGB_UINT,
    TEN_BGR_UINT,
};

/* A format: components of one nature. */
struct kind {
    enum nature nature;
    uint32_t count;              /* 0: none of ours */
    bool is_int;                 /* of PACKED: integers to the shader */
    const struct rp_format *fmt; /* of PACKED */
    bool is_bytes;               /* of PACKED, to be written: as compute/image/texel.c has bytes */
};

/* Which of a texel's four components a channel is; depth and stencil are the first. */
static inline uint32_t
channel_component(const struct rp_format_channel *channel)
{
    const char c = channel->component;
    return c == 'G' ? 1 : c == 'B' ? 2 : c == 'A' ? 3 : 0;
}

/* Whether vectors of words can have a channel as packed_component() does. */
static inline bool
is_packed_channel(const struct rp_format_channel *c)
{
    const bool is_float = c->numeric == RP_NUMERIC_SFLOAT;
    const bool is_whole = c->numeric == RP_NUMERIC_UINT || c->numeric == RP_NUMERIC_SINT;
    return c->bits > 0 && c->first_bit % 32 + c->bits <= 32 &&
           (c->bits <= 24 || is_float || is_whole) &&
           (c->numeric != RP_NUMERIC_SRGB || c->bits == 8);
}

/* A format by its channels. */
static inline struct kind
packed_kind(VkFormat format)
{
    const struct rp_format *fmt = rp_format_get(format);
    if (!fmt || fmt->plane_count != 1 || rp_format_is_compressed(fmt) ||
        fmt->planes[0].block_w_px != 1 || fmt->planes[0].block_B > 16 ||
        (fmt->planes[0].block_B & (fmt->planes[0].block_B - 1)) != 0)
        return (struct kind){.count = 0};
    for (uint32_t i = 0; i < fmt->channel_count; i++)
        if (!fmt->has_shared_exponent && !is_packed_channel(&fmt->channels[i]))
            return (struct kind){.count = 0};
    const enum rp_numeric numeric = fmt->channels[0].numeric;
    return (struct kind){.nature = PACKED,
                         .count = 4,
                         .is_int = numeric == RP_NUMERIC_UINT || numeric == RP_NUMERIC_SINT,
                         .fmt = fmt};
}

static inline struct kind
kind_of(VkFormat format)
{
    switch ((int)format) {
    case VK_FORMAT_R8_UNORM: /* samples; the rest has forms, as those of words below */
        return (struct kind){.nature = BYTE_UNORM, .count = 1};
    case VK_FORMAT_R8G8_UNORM:
        return (struct kind){.nature = BYTE_UNORM, .count = 2};
    case VK_FORMAT_R8G8B8A8_UNORM:
    case VK_FORMAT_A8B8G8R8_UNORM_PACK32:
        return (struct kind){.nature = BYTE_UNORM, .count = 4};
    case VK_FORMAT_B8G8R8A8_UNORM:
        return (struct kind){.nature = BYTE_BGR, .count = 4};
    case VK_FORMAT_R8_SNORM:
        return (struct kind){.nature = BYTE_SNORM, .count = 1};
    case VK_FORMAT_R8G8_SNORM:
        return (struct kind){.nature = BYTE_SNORM, .count = 2};
    case VK_FORMAT_R8G8B8A8_SNORM:
    case VK_FORMAT_A8B8G8R8_SNORM_PACK32:
        return (struct kind){.nature = BYTE_SNORM, .count = 4};
    case VK_FORMAT_R8G8B8A8_SRGB:
    case VK_FORMAT_A8B8G8R8_SRGB_PACK32:
        return (struct kind){.nature = BYTE_SRGB, .count = 4};
    case VK_FORMAT_B8G8R8A8_SRGB:
        return (struct kind){.nature = BYTE_SRGB_BGR, .count = 4};
    case VK_FORMAT_B10G11R11_UFLOAT_PACK32:
        return (struct kind){.nature = SMALL_FLOAT, .count = 3};
    case VK_FORMAT_R16_UNORM:
    case VK_FORMAT_D16_UNORM:
        return (struct kind){.nature = UNORM16, .count = 1};
    case VK_FORMAT_R16G16_UNORM:
        return (struct kind){.nature = UNORM16, .count = 2};
    case VK_FORMAT_R16G16B16A16_UNORM:
        return (struct kind){.nature = UNORM16, .count = 4};
    case VK_FORMAT_R16G16B16A16_UINT:
        return (struct kind){.nature = UINT16, .count = 4};
    case VK_FORMAT_R16_SINT:
        return (struct kind){.nature = SINT16, .count = 1};
    case VK_FORMAT_R16G16_SINT:
        return (struct kind){.nature = SINT16, .count = 2};
    case VK_FORMAT_R16G16B16A16_SINT:
        return (struct kind){.nature = SINT16, .count = 4};
    case VK_FORMAT_R16_SFLOAT:
        return (struct kind){.nature = HALF, .count = 1};
    case VK_FORMAT_R16G16_SFLOAT:
        return (struct kind){.nature = HALF, .count = 2};
    case VK_FORMAT_R16G16B16A16_SFLOAT:
        return (struct kind){.nature = HALF, .count = 4};
    case VK_FORMAT_R32_SFLOAT:
    case VK_FORMAT_D32_SFLOAT:
        return (struct kind){.nature = WORD_FLOAT, .count = 1};
    case VK_FORMAT_R32G32_SFLOAT:
        return (struct kind){.nature = WORD_FLOAT, .count = 2};
    case VK_FORMAT_R32G32B32A32_SFLOAT:
        return (struct kind){.nature = WORD_FLOAT, .count = 4};
    case VK_FORMAT_R32G32_UINT:
    case VK_FORMAT_R32G32_SINT:
        return (struct kind){.nature = WORD_INT, .count = 2};
    case VK_FORMAT_R32G32B32A32_UINT:
    case VK_FORMAT_R32G32B32A32_SINT:
        return (struct kind){.nature = WORD_INT, .count = 4};
    case VK_FORMAT_A2B10G10R10_UNORM_PACK32:
        return (struct kind){.nature = TEN_RGB, .count = 4};
    case VK_FORMAT_A2R10G10B10_UNORM_PACK32:
        return (struct kind){.nature = TEN_BGR, .count = 4};
    case VK_FORMAT_A2B10G10R10_UINT_PACK32:
        return (struct kind){.nature = TEN_RGB_UINT, .count = 4};
    case VK_FORMAT_A2R10G10B10_UINT_PACK32:
        return (struct kind){.nature = TEN_BGR_UINT, .count = 4};
    default:
        return packed_kind(format);
    }
}

RP_ALWAYS_INLINE bool
is_word(enum nature nature)
{
    return nature == WORD_FLOAT || nature == WORD_INT;
}

RP_ALWAYS_INLINE bool
is_ten(enum nature nature)
{
    return nature >= TEN_RGB;
}

RP_ALWAYS_INLINE bool
is_byte(enum nature nature)
{
    return nature >= BYTE_UNORM && nature <= BYTE_SNORM;
}

RP_ALWAYS_INLINE bool
is_bgr(enum nature nature)
{
    return nature == TEN_BGR || nature == TEN_BGR_UINT || nature == BYTE_BGR ||
           nature == BYTE_SRGB_BGR;
}

/* Whether encode_as() has it; other formats are written as PACKED ones. */
static inline bool
is_written(const struct kind *kind)
{
    return kind->count > 0 && (kind->nature < BYTE_UNORM || is_ten(kind->nature));
}

/* Floats to the shader; not asked of PACKED ones. */
RP_ALWAYS_INLINE bool
is_float(enum nature nature)
{
    return nature == UNORM16 || nature == HALF || nature == WORD_FLOAT || nature == TEN_RGB ||
           nature == TEN_BGR || is_byte(nature) || nature == SMALL_FLOAT;
}

static inline bool
kind_is_int(const struct kind *kind)
{
    return kind->nature == PACKED ? kind->is_int : !is_float(kind->nature);
}

/* Bit c: the format has component c. */
static inline uint32_t
components_of(const struct kind *kind)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; kind->nature == PACKED && i < kind->fmt->channel_count; i++)
        bits |= 1u << channel_component(&kind->fmt->channels[i]);
    return kind->nature == PACKED ? bits : (1u << kind->count) - 1;
}

static inline uint32_t
size_of(const struct kind *kind)
{
    if (kind->nature == PACKED)
        return kind->fmt->planes[0].block_B;
    if (is_ten(kind->nature) || kind->nature == SMALL_FLOAT)
        return 4;
    return (is_word(kind->nature) ? 4 : is_byte(kind->nature) ? 1 : 2) * kind->count;
}

/* Where component c lies: in which word of the texel, from which of its bits on, how many. */
struct field {
    uint32_t word;
    uint32_t shift;
    uint32_t bits;
};

RP_ALWAYS_INLINE struct field
field_of(enum nature nature, uint32_t c)
{
    if (is_word(nature))
        return (struct field){c, 0, 32};
    if (is_ten(nature))
        return (struct field){0, 10 * (is_bgr(nature) && c < 3 ? 2 - c : c), c == 3 ? 2 : 10};
    if (is_byte(nature))
        return (struct field){0, 8 * (is_bgr(nature) && c < 3 ? 2 - c : c), 8};
    if (nature == SMALL_FLOAT)
        return (struct field){0, 11 * c, c == 2 ? 10 : 11};
    return (struct field){c / 2, c % 2 * 16, 16};
}

#endif

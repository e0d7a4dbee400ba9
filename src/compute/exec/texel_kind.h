/* SPDX-License-Identifier: MIT */
/* Formats of texel_other.c: what their components are, and where these lie in a texel.
 */
#ifndef RP_COMPUTE_EXEC_TEXEL_KIND_H
#define RP_COMPUTE_EXEC_TEXEL_KIND_H

#include "compute/exec/vec.h"
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

/* A format by its channels. */
struct kind rp_packed_kind(VkFormat format);

/* The format as one of those above. */
struct kind rp_texel_kind(VkFormat format);

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

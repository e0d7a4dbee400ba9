/* SPDX-License-Identifier: MIT */
/* Formats of texel_other.c: what their components are, and where these lie in a texel.
 */
#ifndef RP_COMPUTE_EXEC_TEXEL_KIND_H
#define RP_COMPUTE_EXEC_TEXEL_KIND_H

#include "compute/exec/texel_vec.h"

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
    TEN_RGB,     /* UNORM: 10, 10, 10 and 2 bits, red lowest */
    TEN_BGR,
    TEN_RGB_UINT,
    TEN_BGR_UINT,
};

/* A format: components of one nature. */
struct kind {
    enum nature nature;
    uint32_t count; /* 0: none of ours */
};

static inline struct kind
kind_of(VkFormat format)
{
    switch ((int)format) {
    case VK_FORMAT_R8_UNORM: /* samples; the rest has forms, as those of words below */
        return (struct kind){BYTE_UNORM, 1};
    case VK_FORMAT_R8G8_UNORM:
        return (struct kind){BYTE_UNORM, 2};
    case VK_FORMAT_R8G8B8A8_UNORM:
    case VK_FORMAT_A8B8G8R8_UNORM_PACK32:
        return (struct kind){BYTE_UNORM, 4};
    case VK_FORMAT_B8G8R8A8_UNORM:
        return (struct kind){BYTE_BGR, 4};
    case VK_FORMAT_R8_SNORM:
        return (struct kind){BYTE_SNORM, 1};
    case VK_FORMAT_R8G8_SNORM:
        return (struct kind){BYTE_SNORM, 2};
    case VK_FORMAT_R8G8B8A8_SNORM:
    case VK_FORMAT_A8B8G8R8_SNORM_PACK32:
        return (struct kind){BYTE_SNORM, 4};
    case VK_FORMAT_R8G8B8A8_SRGB:
    case VK_FORMAT_A8B8G8R8_SRGB_PACK32:
        return (struct kind){BYTE_SRGB, 4};
    case VK_FORMAT_B8G8R8A8_SRGB:
        return (struct kind){BYTE_SRGB_BGR, 4};
    case VK_FORMAT_B10G11R11_UFLOAT_PACK32:
        return (struct kind){SMALL_FLOAT, 3};
    case VK_FORMAT_R16_UNORM:
        return (struct kind){UNORM16, 1};
    case VK_FORMAT_R16G16_UNORM:
        return (struct kind){UNORM16, 2};
    case VK_FORMAT_R16G16B16A16_UNORM:
        return (struct kind){UNORM16, 4};
    case VK_FORMAT_R16G16B16A16_UINT:
        return (struct kind){UINT16, 4};
    case VK_FORMAT_R16_SINT:
        return (struct kind){SINT16, 1};
    case VK_FORMAT_R16G16_SINT:
        return (struct kind){SINT16, 2};
    case VK_FORMAT_R16G16B16A16_SINT:
        return (struct kind){SINT16, 4};
    case VK_FORMAT_R16_SFLOAT:
        return (struct kind){HALF, 1};
    case VK_FORMAT_R16G16_SFLOAT:
        return (struct kind){HALF, 2};
    case VK_FORMAT_R16G16B16A16_SFLOAT:
        return (struct kind){HALF, 4};
    case VK_FORMAT_R32_SFLOAT:
        return (struct kind){WORD_FLOAT, 1};
    case VK_FORMAT_R32G32_SFLOAT:
        return (struct kind){WORD_FLOAT, 2};
    case VK_FORMAT_R32G32B32A32_SFLOAT:
        return (struct kind){WORD_FLOAT, 4};
    case VK_FORMAT_R32G32_UINT:
    case VK_FORMAT_R32G32_SINT:
        return (struct kind){WORD_INT, 2};
    case VK_FORMAT_R32G32B32A32_UINT:
    case VK_FORMAT_R32G32B32A32_SINT:
        return (struct kind){WORD_INT, 4};
    case VK_FORMAT_A2B10G10R10_UNORM_PACK32:
        return (struct kind){TEN_RGB, 4};
    case VK_FORMAT_A2R10G10B10_UNORM_PACK32:
        return (struct kind){TEN_BGR, 4};
    case VK_FORMAT_A2B10G10R10_UINT_PACK32:
        return (struct kind){TEN_RGB_UINT, 4};
    case VK_FORMAT_A2R10G10B10_UINT_PACK32:
        return (struct kind){TEN_BGR_UINT, 4};
    default:
        return (struct kind){0};
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

static inline bool
is_written(const struct kind *kind)
{
    return kind->count > 0 && (kind->nature < BYTE_UNORM || is_ten(kind->nature));
}

/* Floats to the shader. */
RP_ALWAYS_INLINE bool
is_float(enum nature nature)
{
    return nature == UNORM16 || nature == HALF || nature == WORD_FLOAT || nature == TEN_RGB ||
           nature == TEN_BGR || is_byte(nature) || nature == SMALL_FLOAT;
}

static inline uint32_t
size_of(const struct kind *kind)
{
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

/* SPDX-License-Identifier: MIT */
/* Formats whose texels have at most 32 bits and short cuts: what their components are.
 */
#ifndef RP_COMPUTE_EXEC_TEXEL_FORM_H
#define RP_COMPUTE_EXEC_TEXEL_FORM_H

#include "compute/exec/texels.h"
#include "compute/exec/vec.h"

/* Formats with short cuts; texels have at most 32 bits. */
enum texel_form {
    TEXEL_NONE,
    TEXEL_R8,
    TEXEL_RG8,
    TEXEL_RGBA8,
    TEXEL_BGRA8,
    TEXEL_R16,
    TEXEL_RG16,
    TEXEL_R32F,
    TEXEL_R32I,
    TEXEL_R8U, /* UINT */
    TEXEL_RG8U,
    TEXEL_RGBA8U,
    TEXEL_R16U,
    TEXEL_RG16U,
    TEXEL_SRGB,  /* of linear samples alone, as the next (texel_square.h) */
    TEXEL_DEPTH, /* R32F, compared */
};

static inline enum texel_form
texel_form_of(VkFormat format)
{
    switch ((int)format) {
    case VK_FORMAT_R8_UNORM:
        return TEXEL_R8;
    case VK_FORMAT_R8G8_UNORM:
        return TEXEL_RG8;
    case VK_FORMAT_R8G8B8A8_UNORM:
    case VK_FORMAT_A8B8G8R8_UNORM_PACK32:
        return TEXEL_RGBA8;
    case VK_FORMAT_B8G8R8A8_UNORM:
        return TEXEL_BGRA8;
    case VK_FORMAT_R16_UNORM:
        return TEXEL_R16;
    case VK_FORMAT_R16G16_UNORM:
        return TEXEL_RG16;
    case VK_FORMAT_R32_SFLOAT:
        return TEXEL_R32F;
    case VK_FORMAT_R32_UINT:
    case VK_FORMAT_R32_SINT:
        return TEXEL_R32I;
    case VK_FORMAT_R8_UINT:
        return TEXEL_R8U;
    case VK_FORMAT_R8G8_UINT:
        return TEXEL_RG8U;
    case VK_FORMAT_R8G8B8A8_UINT:
    case VK_FORMAT_A8B8G8R8_UINT_PACK32:
        return TEXEL_RGBA8U;
    case VK_FORMAT_R16_UINT:
        return TEXEL_R16U;
    case VK_FORMAT_R16G16_UINT:
        return TEXEL_RG16U;
    default:
        return TEXEL_NONE;
    }
}

RP_ALWAYS_INLINE bool
texel_is_uint(enum texel_form form)
{
    return form >= TEXEL_R8U && form <= TEXEL_RG16U;
}

RP_ALWAYS_INLINE uint32_t
texel_components(enum texel_form form)
{
    switch (form) {
    case TEXEL_RG8:
    case TEXEL_RG16:
    case TEXEL_RG8U:
    case TEXEL_RG16U:
        return 2;
    case TEXEL_RGBA8:
    case TEXEL_BGRA8:
    case TEXEL_RGBA8U:
    case TEXEL_SRGB:
        return 4;
    default:
        return 1;
    }
}

/* 8 or 16 bits of UNORM or UINT; 0: 32 bits as they are. */
RP_ALWAYS_INLINE uint32_t
texel_bits(enum texel_form form)
{
    switch (form) {
    case TEXEL_R32F:
    case TEXEL_R32I:
    case TEXEL_DEPTH:
        return 0;
    case TEXEL_R16:
    case TEXEL_RG16:
    case TEXEL_R16U:
    case TEXEL_RG16U:
        return 16;
    default:
        return 8;
    }
}

RP_ALWAYS_INLINE uint32_t
texel_size(enum texel_form form)
{
    const uint32_t bits = texel_bits(form);
    return bits ? bits / 8 * texel_components(form) : 4;
}

/* The lowest bit of component c. */
RP_ALWAYS_INLINE uint32_t
texel_shift(enum texel_form form, uint32_t c)
{
    return texel_bits(form) * (form == TEXEL_BGRA8 && c < 3 ? 2 - c : c);
}

/* What a component is that the format does not have. */
static inline vi
texel_missing(enum texel_form form, uint32_t c)
{
    if (c != 3)
        return (vi){0};
    return form == TEXEL_R32I || texel_is_uint(form) ? vi_splat(1) : VI(vf_splat(1.0f));
}

#endif

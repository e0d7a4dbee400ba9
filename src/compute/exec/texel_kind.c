/* SPDX-License-Identifier: MIT */
/* Which kind of texels a format has.
 */
#include "compute/exec/texel_kind.h"

/* Whether vectors of words can have a channel as packed_component() does. */
static bool
is_packed_channel(const struct rp_format_channel *c)
{
    const bool is_float = c->numeric == RP_NUMERIC_SFLOAT;
    const bool is_whole = c->numeric == RP_NUMERIC_UINT || c->numeric == RP_NUMERIC_SINT;
    return c->bits > 0 && c->first_bit % 32 + c->bits <= 32 &&
           (c->bits <= 24 || is_float || is_whole) &&
           (c->numeric != RP_NUMERIC_SRGB || c->bits == 8);
}

struct kind
rp_packed_kind(VkFormat format)
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

struct kind
rp_texel_kind(VkFormat format)
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
        return rp_packed_kind(format);
    }
}

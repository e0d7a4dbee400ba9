/* SPDX-License-Identifier: MIT */
/* Looking up formats in the generated table.
 */
#include "format/format.h"

#include "util/compiler.h"

#include "rp_format_table.h"

#include <stddef.h>

const struct rp_format *
rp_format_get(VkFormat format)
{
    /* The core formats of 1.0 are numbered from 1 without gaps. */
    if (format >= 1 && format <= RP_FORMAT_CORE_COUNT)
        return &format_table[format - 1];

    uint32_t low = RP_FORMAT_CORE_COUNT;
    uint32_t high = RP_ARRAY_SIZE(format_table);
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (format_table[middle].vk == format)
            return &format_table[middle];
        if (format_table[middle].vk < format)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const struct rp_format *
rp_format_all(uint32_t *count_out)
{
    *count_out = RP_ARRAY_SIZE(format_table);
    return format_table;
}

uint32_t
rp_format_plane_index(const struct rp_format *fmt, VkImageAspectFlags aspect)
{
    /* Planes of memory of a DRM format modifier are those of the format. */
    if (aspect >= VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT)
        aspect = VK_IMAGE_ASPECT_PLANE_0_BIT * (aspect / VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT);
    for (uint32_t i = 1; i < fmt->plane_count; i++) {
        if (aspect == fmt->planes[i].aspect)
            return i;
    }
    return 0;
}

uint32_t
rp_format_plane_mask(const struct rp_format *fmt, VkImageAspectFlags aspects)
{
    if (aspects & VK_IMAGE_ASPECT_COLOR_BIT)
        return (1u << fmt->plane_count) - 1;

    uint32_t mask = 0;
    for (uint32_t i = 0; i < fmt->plane_count; i++) {
        if (aspects & fmt->planes[i].aspect)
            mask |= 1u << i;
    }
    return mask;
}

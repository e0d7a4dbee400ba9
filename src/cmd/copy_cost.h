/* SPDX-License-Identifier: MIT */
/* What copies take, for the estimate of a command buffer's time (rp_cmd_add_cost).
 */
#ifndef RP_CMD_COPY_COST_H
#define RP_CMD_COPY_COST_H

#include "format/format.h"
#include "object/image.h"

#include <vulkan/vulkan_core.h>

#include <stdint.h>

/* About what memory does. */
#define RP_COPY_B_PER_NS 16

/* What it takes to copy extent, in as many layers, of an image's first plane. */
static inline uint64_t
rp_copy_extent_cost_ns(const struct rp_image *img, VkExtent3D extent, uint32_t layer_count)
{
    const uint32_t layers = layer_count == VK_REMAINING_ARRAY_LAYERS ? 1 : layer_count;
    return (uint64_t)extent.width * extent.height * extent.depth / RP_COPY_B_PER_NS * layers *
           img->format->planes[0].block_B;
}

#endif

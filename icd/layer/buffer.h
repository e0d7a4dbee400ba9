/* SPDX-License-Identifier: MIT */
/* Bitstream buffers: lower ones, in memory that our driver reads and writes in place.
 */
#ifndef RP_ICD_LAYER_BUFFER_H
#define RP_ICD_LAYER_BUFFER_H

#include "icd/layer/map.h"

#include <vulkan/vulkan_core.h>

struct rp_layer_device;

struct rp_layer_buffer {
    struct rp_layer_entry entry;
    VkDeviceSize size_B;
    VkBufferUsageFlags usage; /* lent ones */
    VkBuffer driver;          /* NULL until memory is bound */
};

/* Our driver's buffer; NULL: the application's has no lent usage, or no memory. */
VkBuffer rp_layer_buffer_driver(struct rp_layer_device *dev, VkBuffer handle);

#endif

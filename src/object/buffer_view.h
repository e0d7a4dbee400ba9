/* SPDX-License-Identifier: MIT */
/* VkBufferView: a range of a buffer as texels.
 */
#ifndef RP_OBJECT_BUFFER_VIEW_H
#define RP_OBJECT_BUFFER_VIEW_H

#include "object/object.h"

#include <vulkan/vulkan_core.h>

#include <stdint.h>

struct rp_buffer_view {
    struct rp_object base;
    VkFormat vk_format;
    uint8_t *host;    /* borrowed: the buffer's memory */
    uint64_t range_B; /* whole texels */
};

RP_HANDLE_CASTS(rp_buffer_view, VkBufferView, VK_OBJECT_TYPE_BUFFER_VIEW)

#endif

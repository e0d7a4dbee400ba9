/* SPDX-License-Identifier: MIT */
/* VkFence: a payload that the host waits for; 1 when it is signalled.
 */
#ifndef RP_OBJECT_FENCE_H
#define RP_OBJECT_FENCE_H

#include "object/object.h"
#include "object/sync.h"

#include <vulkan/vulkan_core.h>

struct rp_fence {
    struct rp_object base;
    VkExternalFenceHandleTypeFlags export_types;
    struct rp_sync *permanent;
    struct rp_sync *temporary; /* imported until the next reset; NULL */
};

RP_HANDLE_CASTS(rp_fence, VkFence, VK_OBJECT_TYPE_FENCE)

/* The payload that is waited for or signalled; NULL for VK_NULL_HANDLE, which validation layers
 * make of a fence that was destroyed. */
static inline struct rp_sync *
rp_fence_sync(const struct rp_fence *fence)
{
    if (!fence)
        return NULL;
    return fence->temporary ? fence->temporary : fence->permanent;
}

#endif

/* SPDX-License-Identifier: MIT */
/* VkSemaphore: a payload that queues and the host wait for and signal.
 */
#ifndef RP_OBJECT_SEMAPHORE_H
#define RP_OBJECT_SEMAPHORE_H

#include "object/object.h"
#include "object/sync.h"

#include <vulkan/vulkan_core.h>

struct rp_semaphore {
    struct rp_object base;
    VkSemaphoreType type;
    VkExternalSemaphoreHandleTypeFlags export_types;
    struct rp_sync *permanent;
    struct rp_sync *temporary; /* imported for one wait; NULL */
};

RP_HANDLE_CASTS(rp_semaphore, VkSemaphore, VK_OBJECT_TYPE_SEMAPHORE)

/* The payload that a wait or signal goes to, now. */
static inline struct rp_sync *
rp_semaphore_sync(const struct rp_semaphore *sem)
{
    return sem->temporary ? sem->temporary : sem->permanent;
}

/* What a wait operation takes: a reference to the payload. A temporary one is used up. */
struct rp_sync *rp_semaphore_take(struct rp_semaphore *sem) RP_MUST_CHECK;

#endif

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

#define RP_DESTROYED_SEMAPHORES 256

/* The semaphores of a device that were destroyed last: FFmpeg (7.1 and 9) waits for the semaphores
 * of frames that it has freed, where a stream changes its size (ff_vk_decode_free_frame()). Such a
 * wait is met; so that it can be told, the memory is kept for a while. All zeroes is an empty list.
 * Any thread. */
struct rp_destroyed_semaphores {
    atomic_uint count;
    _Atomic(struct rp_semaphore *) last[RP_DESTROYED_SEMAPHORES]; /* owned, without payload */
};

void rp_destroyed_semaphores_free(struct rp_destroyed_semaphores *destroyed);

RP_HANDLE_CASTS(rp_semaphore, VkSemaphore, VK_OBJECT_TYPE_SEMAPHORE)

/* The payload that a wait or signal goes to, now; NULL when the semaphore was destroyed. Validation
 * layers pass on NULL for one of those. */
static inline struct rp_sync *
rp_semaphore_sync(const struct rp_semaphore *sem)
{
    if (!sem)
        return NULL;
    return sem->temporary ? sem->temporary : sem->permanent;
}

/* What a wait operation takes: a reference to the payload. A temporary one is used up. */
struct rp_sync *rp_semaphore_take(struct rp_semaphore *sem) RP_MUST_CHECK;

#endif

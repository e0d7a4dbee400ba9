/* SPDX-License-Identifier: MIT */
/* Fences of a device with lent queues: the lower one, and what is known beside it.
 */
#ifndef RP_ICD_LAYER_FENCE_H
#define RP_ICD_LAYER_FENCE_H

#include "icd/layer/map.h"

#include <vulkan/vulkan_core.h>

struct rp_layer_device;

enum rp_layer_fence_state {
    RP_LAYER_FENCE_LOWER,     /* the lower fence says */
    RP_LAYER_FENCE_PENDING,   /* work of a lent queue, or held back: not signalled yet */
    RP_LAYER_FENCE_SIGNALLED, /* by a lent queue; the lower fence is not */
};

struct rp_layer_fence {
    struct rp_layer_entry entry;
    bool is_shared; /* exported or imported: the lower fence is signalled, too */
    enum rp_layer_fence_state state;
    uint32_t users; /* submissions of it below, until its state is written */
};

struct rp_layer_fence *rp_layer_fence_get(struct rp_layer_device *dev, VkFence handle);

/* Around a submission with the fence below and the state that this gives it: until release it is
 * not destroyed, nor is its handle another one's. NULL: there is none, or it has been destroyed.
 * Caller of release holds sync_mutex. */
struct rp_layer_fence *rp_layer_fence_pin(struct rp_layer_device *dev, VkFence handle);
void rp_layer_fence_release(struct rp_layer_device *dev, struct rp_layer_fence *fence);

/* handle may be NULL. Caller holds sync_mutex. */
void rp_layer_fence_set(struct rp_layer_device *dev, VkFence handle,
                        enum rp_layer_fence_state state);

#endif

/* SPDX-License-Identifier: MIT */
/* What the lower device does for a lent queue: layouts of pictures, and copies between them and
 * their stagings.
 */
#ifndef RP_ICD_LAYER_COPY_H
#define RP_ICD_LAYER_COPY_H

#include "icd/layer/command_buffer.h"
#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <pthread.h>

struct rp_layer_device;

/* One submission of copies. */
struct rp_layer_copy {
    struct rp_layer_copy *next;
    VkCommandPool pool; /* lower */
    VkCommandBuffer cb;
    VkFence fence;
};

/* Copies may be in flight, each begun by one thread and ended by any. */
struct rp_layer_copier {
    struct rp_layer_device *dev;
    pthread_mutex_t mutex;
    struct rp_layer_copy *unused; /* mutex guards it */
};

/* finish takes any half-made state. */
VkResult rp_layer_copier_init(struct rp_layer_copier *copier,
                              struct rp_layer_device *dev) RP_MUST_CHECK;
void rp_layer_copier_finish(struct rp_layer_copier *copier);

/* Has the lower device do the operations, in their order, and behind those that were begun before;
 * count is not 0. waits: lower timelines that the lower queue waits for. */
VkResult rp_layer_copier_begin(struct rp_layer_copier *copier, const struct rp_layer_op *ops,
                               uint32_t count, const VkSemaphoreSubmitInfo *waits,
                               uint32_t wait_count, struct rp_layer_copy **out) RP_MUST_CHECK;

/* Waits until they are done, and takes copy. */
VkResult rp_layer_copier_end(struct rp_layer_copier *copier,
                             struct rp_layer_copy *copy) RP_MUST_CHECK;

#endif

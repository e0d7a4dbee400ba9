/* SPDX-License-Identifier: MIT */
/* What the lower device does for a lent queue: layouts of pictures, and copies between them and their
 * stagings.
 */
#ifndef RP_ICD_LAYER_COPY_H
#define RP_ICD_LAYER_COPY_H

#include "icd/layer/command_buffer.h"
#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

struct rp_layer_device;

/* One command buffer at a time; for one thread. */
struct rp_layer_copier {
    struct rp_layer_device *dev;
    VkCommandPool pool; /* lower */
    VkCommandBuffer cb;
    VkFence fence;
};

/* finish takes any half-made state. */
VkResult rp_layer_copier_init(struct rp_layer_copier *copier,
                              struct rp_layer_device *dev) RP_MUST_CHECK;
void rp_layer_copier_finish(struct rp_layer_copier *copier);

/* Does the operations in their order, and waits until they are done. */
VkResult rp_layer_copier_run(struct rp_layer_copier *copier, const struct rp_layer_op *ops,
                             uint32_t count) RP_MUST_CHECK;

#endif

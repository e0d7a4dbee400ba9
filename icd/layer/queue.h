/* SPDX-License-Identifier: MIT */
/* Submissions to queues of both kinds.
 */
#ifndef RP_ICD_LAYER_QUEUE_H
#define RP_ICD_LAYER_QUEUE_H

#include <vulkan/vulkan_core.h>

#include <stdint.h>

struct rp_layer_device;

/* Submits count batches in their order. binds: NULL, or what each of them binds, which has no command
 * buffers then; the semaphores of a bind are those of its batch. A call that fails has had no effect,
 * or has lost the device. */
VkResult rp_layer_queue_submit(struct rp_layer_device *dev, VkQueue queue, uint32_t count,
                               const VkSubmitInfo2 *submits, const VkBindSparseInfo *binds,
                               VkFence fence);

#endif

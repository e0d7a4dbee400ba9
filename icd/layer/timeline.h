/* SPDX-License-Identifier: MIT */
/* Values of the lower timelines of semaphores (semaphore.h), as the host signals them.
 */
#ifndef RP_ICD_LAYER_TIMELINE_H
#define RP_ICD_LAYER_TIMELINE_H

#include <vulkan/vulkan_core.h>

#include <stdint.h>

struct rp_layer_device;
struct rp_layer_semaphore;

/* The host signals a value of the timeline, unless it has been reached, as it may have where the
 * device is lost (loss.h); and those who hold batches back hear of it. */
VkResult rp_layer_semaphore_signal(struct rp_layer_device *dev,
                                   struct rp_layer_semaphore *semaphore, uint64_t value);

/* Likewise. Caller holds sync_mutex. */
VkResult rp_layer_semaphore_reach(struct rp_layer_device *dev, struct rp_layer_semaphore *semaphore,
                                  uint64_t value);

#endif

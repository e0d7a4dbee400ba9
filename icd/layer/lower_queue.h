/* SPDX-License-Identifier: MIT */
/* Calls with lower queues, of which some are used by more than the application knows: by copies, by
 * threads that hold batches back (submit.h), and by the queues of alias families
 * (physical_device.h), which are queues of their own to the application and to submit.h, and one
 * below.
 */
#ifndef RP_ICD_LAYER_LOWER_QUEUE_H
#define RP_ICD_LAYER_LOWER_QUEUE_H

#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stdint.h>

struct rp_layer_device;

/* From here on a thread of the layer calls with the queue, too. Caller holds sync_mutex, and has
 * the application's call with that queue. */
VkResult rp_layer_lower_queue_share(struct rp_layer_device *dev, VkQueue queue) RP_MUST_CHECK;

/* Takes all that share made. */
void rp_layer_lower_queues_finish(struct rp_layer_device *dev);

/* The lower queue behind one that is not lent; nobody else calls with it until unlock, which takes
 * what lock has returned. Caller does not hold sync_mutex. */
VkQueue rp_layer_lower_queue_lock(struct rp_layer_device *dev, VkQueue queue);
void rp_layer_lower_queue_unlock(struct rp_layer_device *dev, VkQueue lower);

/* Makes those that were asked for. destroy takes any half-made state. */
VkResult rp_layer_alias_queues_create(struct rp_layer_device *dev) RP_MUST_CHECK;
void rp_layer_alias_queues_destroy(struct rp_layer_device *dev);

/* The queue of an alias family; NULL: it was not asked for. */
VkQueue rp_layer_alias_queue(const struct rp_layer_device *dev, uint32_t family);

bool rp_layer_queue_is_alias(const struct rp_layer_device *dev, VkQueue queue);

#endif

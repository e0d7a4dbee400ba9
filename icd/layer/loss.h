/* SPDX-License-Identifier: MIT */
/* A device that is lost in the layer, while the lower device and our driver go on.
 *
 * All waits must end: vkDeviceWaitIdle, too, before which the lower device is done with all that it
 * has. But batches in its queues may wait for values whose signal operations are refused from now
 * on. So a thread of the layer signals such values, and no others: what was submitted before the
 * loss still signals in its order, though queues get no work any more (submit.h, lent_queue.h).
 */
#ifndef RP_ICD_LAYER_LOSS_H
#define RP_ICD_LAYER_LOSS_H

#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

struct rp_layer_device;

/* The thread, which sleeps until the device is lost. stop takes what start has not made, too. */
VkResult rp_layer_loss_start(struct rp_layer_device *dev) RP_MUST_CHECK;
void rp_layer_loss_stop(struct rp_layer_device *dev);

#endif

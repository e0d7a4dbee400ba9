/* SPDX-License-Identifier: MIT */
/* Binding sparse resources: batches whose work is bindings in the place of command buffers. They
 * stand in line with those (submit.h), so that nobody waits on the host for what a lent queue
 * signals.
 */
#ifndef RP_ICD_LAYER_SPARSE_H
#define RP_ICD_LAYER_SPARSE_H

#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

struct rp_layer_batch;
struct rp_layer_device;
struct rp_layer_sparse;

/* A copy of what is bound, without its semaphores, and room for those. NULL when memory is
 * short. */
struct rp_layer_sparse *rp_layer_sparse_create(const VkBindSparseInfo *info) RP_MUST_CHECK;

/* Takes NULL. */
void rp_layer_sparse_destroy(struct rp_layer_sparse *sparse);

/* Gives the batch, which has one, to the lower queue. Caller has the queue's lock (lower_queue.h).
 * A refusal, of memory that is short, too, loses the device as one of a submission does: others may
 * have been told of its signals already. */
VkResult rp_layer_sparse_bind(struct rp_layer_device *dev, VkQueue lower,
                              const struct rp_layer_batch *batch, VkFence fence);

#endif

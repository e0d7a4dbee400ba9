/* SPDX-License-Identifier: MIT */
/* Signal operations that are not in a lower queue yet: of lower binary semaphores, and, where
 * batches are held back so that none blocks another (submit.h), of timelines and fences that others
 * have, too.
 *
 * Which of them a batch waits for is known by the semaphore; but the payload of an exported or
 * imported one may be signalled by another semaphore too, of this process or of another one, and
 * another process may signal it when it has seen what a timeline or fence signals. Then it may be
 * any that was certain (certain.h) when the batch was submitted, for a while one that was assumed,
 * and no other.
 */
#ifndef RP_ICD_LAYER_BINARY_SIGNALS_H
#define RP_ICD_LAYER_BINARY_SIGNALS_H

#include <stdbool.h>

struct rp_layer_batch;
struct rp_layer_device;
struct rp_layer_semaphore;

/* The batch signals such, and has not been given to a lower queue; remove takes any batch. Caller
 * holds sync_mutex. */
void rp_layer_binary_signals_add(struct rp_layer_device *dev, struct rp_layer_batch *batch);
void rp_layer_binary_signals_remove(struct rp_layer_device *dev, struct rp_layer_batch *batch);

/* Whether one is missing that the batch, which waits for the semaphore's payload, may be waiting
 * for. Caller holds sync_mutex. */
bool rp_layer_binary_wait_is_early(const struct rp_layer_device *dev,
                                   const struct rp_layer_batch *batch,
                                   const struct rp_layer_semaphore *semaphore);

#endif

/* SPDX-License-Identifier: MIT */
/* Batches on their way to a lower queue.
 *
 * Where the layer copies by a queue of its own, a batch goes on at once, but for one that waits for
 * a binary semaphore whose signal has yet to enter a lower queue. Where it shares the
 * application's queue, or where several of the application's queues are one below, a batch that
 * would wait there for what has yet to be submitted would stand in front of the copy that this
 * waits for: two parts of one picture for ever behind each other. So a batch enters a lower queue
 * only when everything that it waits for is in a lower queue, or has happened; until then a thread
 * of that queue holds it back, and those behind it.
 *
 * When the device is lost (loss.h), or a lower queue refuses a batch, which loses it, the host
 * waits for what the batch waits for and for the batches in front of it, and signals what it
 * signals.
 *
 * A binary semaphore that is exported or imported may be signalled by another handle: what waits
 * for one is held back until every signal operation that it may be waiting for is in a lower queue
 * (binary_signals.h).
 */
#ifndef RP_ICD_LAYER_SUBMIT_H
#define RP_ICD_LAYER_SUBMIT_H

#include "icd/layer/batch.h"
#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

struct rp_layer_device;

/* Around what signals: until release the application, which sees the signals, destroys none of the
 * batch's semaphores. Caller of release holds sync_mutex. */
void rp_layer_batch_pin(struct rp_layer_device *dev, struct rp_layer_batch *batch);
void rp_layer_batch_release(struct rp_layer_device *dev, struct rp_layer_batch *batch);

/* Whether a lower queue may wait for what the batch waits for, and nothing else can be kept from
 * going on by that. */
bool rp_layer_batch_may_wait_below(struct rp_layer_device *dev, const struct rp_layer_batch *batch);

/* Takes what a batch of a lower queue needs that may wait for what comes later. */
VkResult rp_layer_batch_prepare(struct rp_layer_device *dev, VkQueue queue,
                                const struct rp_layer_batch *batch) RP_MUST_CHECK;

/* Takes the batch, which is prepared and translated. Where it fails the device is lost. */
VkResult rp_layer_batch_submit(struct rp_layer_device *dev, VkQueue queue,
                               struct rp_layer_batch *batch);

/* Waits until no batch is held back for the queue; NULL: for any. */
void rp_layer_held_batches_wait(struct rp_layer_device *dev, VkQueue queue);

/* Waits until none is that will go whatever comes later. */
void rp_layer_certain_batches_wait(struct rp_layer_device *dev, VkQueue queue);

/* Ends the threads; what they hold is dropped. */
void rp_layer_held_queues_stop(struct rp_layer_device *dev);

/* Puts what the host can wait for in the place of the batch's binary semaphores. */
VkResult rp_layer_batch_translate_host_waits(struct rp_layer_device *dev,
                                             struct rp_layer_batch *batch) RP_MUST_CHECK;

/* The other way round: the binary one will be signalled by a batch in the queue, which is there
 * when this returns, in front of what is held back. */
VkResult rp_layer_move_to_binary(struct rp_layer_device *dev, VkQueue queue,
                                 struct rp_layer_semaphore *semaphore);

/* Signals the binary one, and a lower fence, by an empty batch in the copies' queue; either may be
 * NULL. */
VkResult rp_layer_signal_below(struct rp_layer_device *dev, VkSemaphore binary, VkFence fence);

/* Waits until every signal operation that who waits for the binary one now may be waiting for is in
 * a lower queue. */
void rp_layer_wait_for_binary(struct rp_layer_device *dev, struct rp_layer_semaphore *semaphore);

#endif

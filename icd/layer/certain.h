/* SPDX-License-Identifier: MIT */
/* Which batches are certain to run, whatever is submitted after them.
 *
 * A batch may wait for a value of a timeline semaphore before the signal operation of it has been
 * submitted. For a binary semaphore it may not: its signal operation, and all signal operations
 * that this depends on, have been submitted (VUID-vkQueueSubmit2-semaphore-03873). So a batch is
 * certain when those in front of it in its queue are, and each value of a timeline that it waits
 * for is signalled by a batch that is certain, or has been reached; and a binary semaphore is
 * waited for only after the batch that signals it has become certain.
 *
 * Which batches these are is asked for when a batch is submitted, and the lower device is asked
 * then what has been reached: so it does not matter who signals a timeline. What is signalled by
 * other means than batches of this device and this handle (the host, another process, a second
 * handle) is certain only when it has been reached.
 *
 * But another process, or a second handle, may have its signal operation submitted already. So a
 * value of a shared timeline that no batch here signals is assumed to come, and batches are assumed
 * to run that wait for such values: who may depend on one waits for it, though not for ever, for
 * whoever signals the value may be waiting for what comes later here.
 */
#ifndef RP_ICD_LAYER_CERTAIN_H
#define RP_ICD_LAYER_CERTAIN_H

#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>

struct rp_layer_batch;
struct rp_layer_device;
struct rp_layer_semaphore;

/* Takes the memory that the batch needs to be added to its queue, which may be a lent one. */
VkResult rp_layer_certain_prepare(struct rp_layer_device *dev, VkQueue queue,
                                  struct rp_layer_batch *batch) RP_MUST_CHECK;

/* The batch, which is none of a queue yet, is submitted: notes in certain_before how many have
 * become certain until now, and likewise those that are assumed. Caller holds sync_mutex. */
void rp_layer_certain_note(struct rp_layer_device *dev, struct rp_layer_batch *batch);

/* The batch, which is prepared, is the next one of its queue, and may become certain. What is
 * certain goes on by itself: so what moves payloads for it (submit.h) has been submitted before,
 * and what it signals has been listed (binary_signals.h). */
void rp_layer_certain_add(struct rp_layer_device *dev, struct rp_layer_batch *batch);

/* The device is lost. The host signals what the next batch of each queue waits for, where nobody is
 * left to do so: a value that no batch signals, and none that is still to come signals a smaller
 * one of. has_foreign: those of shared semaphores, too. Returns whether batches are left that are
 * not certain. Caller holds sync_mutex. */
bool rp_layer_certain_release(struct rp_layer_device *dev, bool has_foreign);

/* The semaphore goes: nobody depends on it any more. Caller holds sync_mutex. */
void rp_layer_certain_forget(struct rp_layer_device *dev,
                             const struct rp_layer_semaphore *semaphore);

/* No batch is submitted any more. */
void rp_layer_certain_finish(struct rp_layer_device *dev);

#endif

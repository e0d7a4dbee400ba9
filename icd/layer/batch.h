/* SPDX-License-Identifier: MIT */
/* Batches: one VkSubmitInfo2 each, on its way to a lower queue (submit.h) or a lent one
 * (lent_queue.h).
 */
#ifndef RP_ICD_LAYER_BATCH_H
#define RP_ICD_LAYER_BATCH_H

#include "icd/layer/semaphore.h"
#include "util/alloc.h"
#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <stddef.h>
#include <stdint.h>

struct rp_layer_certain_queue;
struct rp_layer_device;
struct rp_layer_job;
struct rp_layer_sparse;
struct rp_layer_step;

/* A value of a timeline semaphore. */
struct rp_layer_point {
    struct rp_layer_semaphore *semaphore; /* NULL: it is gone */
    uint64_t value;
};

/* One VkSubmitInfo2, with semaphores as they are below. */
struct rp_layer_batch {
    struct rp_layer_device *dev;
    uint64_t serial; /* retire.h, and the next two */
    struct rp_layer_batch *older;
    struct rp_layer_batch *newer;
    struct rp_layer_batch *next;
    uint32_t owners; /* sync_mutex guards it */
    /* certain.h: sync_mutex guards these, and what certain_queue points to. */
    struct rp_layer_certain_queue *certain_queue;
    struct rp_layer_batch *next_uncertain;
    struct rp_layer_point *wait_points; /* those of timelines */
    uint32_t wait_point_count;
    struct rp_layer_point *signal_points;
    uint32_t signal_point_count;
    uint64_t certain;        /* its place among those that became certain; 0: it is not */
    uint64_t certain_before; /* those that were when it was submitted */
    uint64_t assumed;        /* likewise, of those that are if others signal what they may */
    uint64_t assumed_before;
    uint64_t assumed_until_ns; /* when it waits no more for such */
    /* binary_signals.h: sync_mutex guards the list. order: where one submission is several batches,
     * the same in all. */
    uint64_t order;
    struct rp_layer_batch *next_signalling;
    /* What follows belongs to who has the batch; while it is listed there, others read its
     * signals. */
    VkSubmitInfo2 info; /* points into this allocation, and to chain */
    VkSemaphoreSubmitInfo *waits;
    struct rp_layer_semaphore **wait_semaphores; /* borrowed; NULL: not known */
    VkSemaphoreSubmitInfo *signals;
    struct rp_layer_semaphore **signal_semaphores;
    VkCommandBufferSubmitInfo *commands;
    VkPerformanceQuerySubmitInfoKHR performance; /* of the chain, for a batch that is held back */
    VkFence fence;                               /* NULL: none */
    struct rp_layer_step *steps; /* of a lower queue's command buffers (query_results.h) */
    uint32_t step_count;
    uint32_t steps_done;
    struct rp_layer_job *job;       /* of a batch of a lent queue; else NULL */
    struct rp_layer_sparse *sparse; /* what it binds (sparse.h); NULL: it has command buffers */
};

/* A copy of info with room for one more command buffer; its semaphores are the application's. NULL
 * when memory is short. */
struct rp_layer_batch *rp_layer_batch_create(struct rp_layer_device *dev,
                                             const VkSubmitInfo2 *info) RP_MUST_CHECK;
/* Destroys a batch that has ended; its memory goes with its last owner. Takes NULL. */
void rp_layer_batch_destroy(struct rp_layer_batch *batch);

/* Puts lower semaphores in the place of the application's: all for a lower queue, the signals alone
 * for a lent one. Where the host waits, for a lent queue or for a batch with steps, the waits are
 * translated by submit.h before. */
void rp_layer_batch_translate(struct rp_layer_device *dev, struct rp_layer_batch *batch);
void rp_layer_batch_translate_signals(struct rp_layer_device *dev, struct rp_layer_batch *batch);

/* Caller holds sync_mutex. */
static inline void
rp_layer_batch_unref(struct rp_layer_batch *batch)
{
    if (--batch->owners == 0)
        rp_free(NULL, batch);
}

#endif

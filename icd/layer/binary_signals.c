/* SPDX-License-Identifier: MIT */
/* The list of batches that have yet to signal what others may wait for.
 */
#include "icd/layer/binary_signals.h"

#include "icd/layer/batch.h"
#include "icd/layer/device.h"
#include "platform/clock.h"

#include <stddef.h>

void
rp_layer_binary_signals_add(struct rp_layer_device *dev, struct rp_layer_batch *batch)
{
    batch->next_signalling = dev->binary_signals;
    dev->binary_signals = batch;
}

void
rp_layer_binary_signals_remove(struct rp_layer_device *dev, struct rp_layer_batch *batch)
{
    struct rp_layer_batch **link = &dev->binary_signals;

    while (*link && *link != batch)
        link = &(*link)->next_signalling;
    if (*link)
        *link = batch->next_signalling;
}

static bool
signals(const struct rp_layer_batch *batch, const struct rp_layer_semaphore *semaphore)
{
    for (uint32_t i = 0; i < batch->info.signalSemaphoreInfoCount; i++) {
        if (batch->signals[i].semaphore == semaphore->binary)
            return true;
    }
    return false;
}

static bool
may_be_cause(const struct rp_layer_batch *b, const struct rp_layer_batch *batch)
{
    return (b->certain > 0 && b->certain <= batch->certain_before) ||
           (b->assumed > 0 && b->assumed <= batch->assumed_before &&
            rp_clock_now_ns() < batch->assumed_until_ns);
}

bool
rp_layer_binary_wait_is_early(const struct rp_layer_device *dev, const struct rp_layer_batch *batch,
                              const struct rp_layer_semaphore *semaphore)
{
    for (const struct rp_layer_batch *b = dev->binary_signals; b; b = b->next_signalling) {
        if (b->order < batch->order && signals(b, semaphore))
            return true;
        if (semaphore->is_shared && may_be_cause(b, batch))
            return true;
    }
    return false;
}

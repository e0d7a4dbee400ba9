/* SPDX-License-Identifier: MIT */
/* The list of batches that have yet to signal lower binary semaphores.
 */
#include "icd/layer/binary_signals.h"

#include "icd/layer/batch.h"
#include "icd/layer/device.h"

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

bool
rp_layer_binary_wait_is_early(const struct rp_layer_device *dev, const struct rp_layer_batch *batch,
                              const struct rp_layer_semaphore *semaphore)
{
    for (const struct rp_layer_batch *b = dev->binary_signals; b; b = b->next_signalling) {
        if (b->order < batch->order && signals(b, semaphore))
            return true;
        if (semaphore->is_shared && b->certain > 0 && b->certain <= batch->certain_before)
            return true;
    }
    return false;
}

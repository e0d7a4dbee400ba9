/* SPDX-License-Identifier: MIT */
/* The list of batches that are under way, and of what waits for their end.
 */
#include "icd/layer/retire.h"

#include "icd/layer/batch.h"
#include "icd/layer/device.h"

#include <stddef.h>

void
rp_layer_retirement_init(struct rp_layer_retirement *retirement)
{
    pthread_mutex_init(&retirement->mutex, NULL);
    retirement->last = &retirement->first;
}

void
rp_layer_retirement_finish(struct rp_layer_retirement *retirement)
{
    pthread_mutex_destroy(&retirement->mutex);
}

void
rp_layer_batch_begin(struct rp_layer_device *dev, struct rp_layer_batch *batch)
{
    struct rp_layer_retirement *r = &dev->retirement;

    batch->dev = dev;
    pthread_mutex_lock(&r->mutex);
    batch->serial = ++r->serial;
    batch->older = r->newest;
    if (r->newest)
        r->newest->newer = batch;
    else
        r->oldest = batch;
    r->newest = batch;
    pthread_mutex_unlock(&r->mutex);
}

/* Caller holds the mutex. */
static bool
is_over(const struct rp_layer_retirement *r, const struct rp_layer_entry *entry)
{
    return !r->oldest || r->oldest->serial > entry->serial;
}

void
rp_layer_batch_end(struct rp_layer_device *dev, struct rp_layer_batch *batch)
{
    struct rp_layer_retirement *r = &dev->retirement;

    pthread_mutex_lock(&r->mutex);
    *(batch->older ? &batch->older->newer : &r->oldest) = batch->newer;
    *(batch->newer ? &batch->newer->older : &r->newest) = batch->older;
    while (r->first && is_over(r, r->first)) {
        struct rp_layer_entry *entry = r->first;
        r->first = entry->next;
        if (!r->first)
            r->last = &r->first;
        pthread_mutex_unlock(&r->mutex);
        entry->destroy(dev, entry);
        pthread_mutex_lock(&r->mutex);
    }
    pthread_mutex_unlock(&r->mutex);
}

void
rp_layer_retire(struct rp_layer_device *dev, struct rp_layer_entry *entry,
                void (*destroy)(struct rp_layer_device *dev, struct rp_layer_entry *entry))
{
    struct rp_layer_retirement *r = &dev->retirement;

    pthread_mutex_lock(&r->mutex);
    const bool is_now = !r->oldest;
    if (!is_now) {
        entry->serial = r->serial;
        entry->destroy = destroy;
        entry->next = NULL;
        *r->last = entry;
        r->last = &entry->next;
    }
    pthread_mutex_unlock(&r->mutex);
    if (is_now)
        destroy(dev, entry);
}

void
rp_layer_retire_note(struct rp_layer_device *dev, struct rp_layer_entry *entry)
{
    pthread_mutex_lock(&dev->retirement.mutex);
    entry->serial = dev->retirement.serial;
    pthread_mutex_unlock(&dev->retirement.mutex);
}

bool
rp_layer_retire_is_over(struct rp_layer_device *dev, const struct rp_layer_entry *entry)
{
    pthread_mutex_lock(&dev->retirement.mutex);
    const bool result = is_over(&dev->retirement, entry);
    pthread_mutex_unlock(&dev->retirement.mutex);
    return result;
}

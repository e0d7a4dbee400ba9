/* SPDX-License-Identifier: MIT */
/* Batches that are not certain yet, in the order of their queues.
 */
#include "icd/layer/certain.h"

#include "icd/layer/batch.h"
#include "icd/layer/device.h"
#include "icd/layer/timeline.h"
#include "platform/clock.h"
#include "util/alloc.h"
#include "util/compiler.h"

#include <stddef.h>

/* How long one waits for what is assumed. */
#define ASSUMED_NS UINT64_C(500000000)

/* dev->sync_mutex guards all. */
struct rp_layer_certain_queue {
    struct rp_layer_certain_queue *next;
    VkQueue queue;
    struct rp_layer_batch *first; /* of those that are not certain */
    struct rp_layer_batch **last;
};

VkResult
rp_layer_certain_prepare(struct rp_layer_device *dev, VkQueue queue, struct rp_layer_batch *batch)
{
    VkResult result = VK_SUCCESS;

    pthread_mutex_lock(&dev->sync_mutex);
    struct rp_layer_certain_queue *q = dev->certain_queues;
    while (q && q->queue != queue)
        q = q->next;
    if (!q)
        q = rp_zalloc(NULL, sizeof(*q), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    if (!q)
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (q && !q->queue) {
        q->queue = queue;
        q->last = &q->first;
        q->next = dev->certain_queues;
        dev->certain_queues = q;
    }
    batch->certain_queue = q;
    pthread_mutex_unlock(&dev->sync_mutex);
    return result;
}

static bool
point_is_certain(struct rp_layer_device *dev, const struct rp_layer_point *point)
{
    struct rp_layer_semaphore *semaphore = point->semaphore;
    uint64_t value;

    if (!semaphore || semaphore->certain >= point->value)
        return true;
    if (dev->lower.GetSemaphoreCounterValue(dev->handle, semaphore->timeline, &value) == VK_SUCCESS)
        semaphore->certain = RP_MAX(semaphore->certain, value);
    return semaphore->certain >= point->value;
}

static bool
waits_are_certain(struct rp_layer_device *dev, const struct rp_layer_batch *batch)
{
    for (uint32_t i = 0; i < batch->wait_point_count; i++) {
        if (!point_is_certain(dev, &batch->wait_points[i]))
            return false;
    }
    return true;
}

static void
become_certain(struct rp_layer_device *dev, struct rp_layer_batch *batch)
{
    batch->certain = ++dev->certain_count;
    for (uint32_t i = 0; i < batch->signal_point_count; i++) {
        struct rp_layer_semaphore *semaphore = batch->signal_points[i].semaphore;
        if (semaphore)
            semaphore->certain = RP_MAX(semaphore->certain, batch->signal_points[i].value);
    }
}

static bool
waits_are_assumed(const struct rp_layer_batch *batch)
{
    for (uint32_t i = 0; i < batch->wait_point_count; i++) {
        const struct rp_layer_semaphore *semaphore = batch->wait_points[i].semaphore;
        const uint64_t value = batch->wait_points[i].value;
        if (semaphore && RP_MAX(semaphore->certain, semaphore->assumed) < value &&
            !(semaphore->is_shared && semaphore->promised < value))
            return false;
    }
    return true;
}

static void
become_assumed(struct rp_layer_device *dev, struct rp_layer_batch *batch)
{
    batch->assumed = ++dev->assumed_count;
    for (uint32_t i = 0; i < batch->signal_point_count; i++) {
        struct rp_layer_semaphore *semaphore = batch->signal_points[i].semaphore;
        if (semaphore)
            semaphore->assumed = RP_MAX(semaphore->assumed, batch->signal_points[i].value);
    }
}

/* Finds out which batches that are not certain may be assumed to be. */
static void
update_assumed(struct rp_layer_device *dev)
{
    bool has_more = true;

    while (has_more) {
        has_more = false;
        for (struct rp_layer_certain_queue *q = dev->certain_queues; q; q = q->next) {
            struct rp_layer_batch *batch = q->first;
            for (; batch && (batch->assumed || waits_are_assumed(batch));
                 batch = batch->next_uncertain) {
                if (batch->assumed)
                    continue;
                become_assumed(dev, batch);
                has_more = true;
            }
        }
    }
}

/* One batch may be what others wait for. */
static void
update(struct rp_layer_device *dev)
{
    bool has_more = true;

    while (has_more) {
        has_more = false;
        for (struct rp_layer_certain_queue *q = dev->certain_queues; q; q = q->next) {
            while (q->first && waits_are_certain(dev, q->first)) {
                struct rp_layer_batch *batch = q->first;
                q->first = batch->next_uncertain;
                if (!q->first)
                    q->last = &q->first;
                become_certain(dev, batch);
                rp_layer_batch_unref(batch);
                has_more = true;
            }
        }
    }
}

void
rp_layer_certain_note(struct rp_layer_device *dev, struct rp_layer_batch *batch)
{
    update(dev);
    update_assumed(dev);
    batch->certain_before = dev->certain_count;
    batch->assumed_before = dev->assumed_count;
    batch->assumed_until_ns = rp_clock_now_ns() + ASSUMED_NS;
}

void
rp_layer_certain_add(struct rp_layer_device *dev, struct rp_layer_batch *batch)
{
    struct rp_layer_certain_queue *q = batch->certain_queue;

    pthread_mutex_lock(&dev->sync_mutex);
    batch->owners++;
    *q->last = batch;
    q->last = &batch->next_uncertain;
    for (uint32_t i = 0; i < batch->signal_point_count; i++) {
        struct rp_layer_semaphore *semaphore = batch->signal_points[i].semaphore;
        if (semaphore)
            semaphore->promised = RP_MAX(semaphore->promised, batch->signal_points[i].value);
    }
    if (rp_layer_device_is_lost(dev))
        pthread_cond_signal(&dev->loss_cond);
    pthread_mutex_unlock(&dev->sync_mutex);
}

/* Whether a batch that is not certain signals a value that has yet to be reached, up to this
 * one. */
static bool
has_signal_before(const struct rp_layer_device *dev, const struct rp_layer_point *point,
                  uint64_t reached)
{
    for (const struct rp_layer_certain_queue *q = dev->certain_queues; q; q = q->next) {
        for (const struct rp_layer_batch *b = q->first; b; b = b->next_uncertain) {
            for (uint32_t i = 0; i < b->signal_point_count; i++) {
                const struct rp_layer_point *signal = &b->signal_points[i];
                if (signal->semaphore == point->semaphore && signal->value > reached &&
                    signal->value <= point->value)
                    return true;
            }
        }
    }
    return false;
}

/* Values grow: what is certain to come is waited for. */
static void
release_point(struct rp_layer_device *dev, const struct rp_layer_point *point, bool has_foreign)
{
    struct rp_layer_semaphore *semaphore = point->semaphore;
    uint64_t reached = 0;

    if (point_is_certain(dev, point) || (semaphore->is_shared && !has_foreign))
        return;
    const VkResult result =
        dev->lower.GetSemaphoreCounterValue(dev->handle, semaphore->timeline, &reached);
    if (result == VK_SUCCESS &&
        (reached < semaphore->certain || has_signal_before(dev, point, reached)))
        return;
    (void)rp_layer_semaphore_reach(dev, semaphore, point->value);
    semaphore->certain = point->value;
}

bool
rp_layer_certain_release(struct rp_layer_device *dev, bool has_foreign)
{
    bool has_more = false;

    update(dev);
    for (struct rp_layer_certain_queue *q = dev->certain_queues; q; q = q->next) {
        for (uint32_t i = 0; q->first && i < q->first->wait_point_count; i++)
            release_point(dev, &q->first->wait_points[i], has_foreign);
        has_more |= q->first != NULL;
    }
    return has_more;
}

static void
forget(const struct rp_layer_semaphore *semaphore, struct rp_layer_point *points, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (points[i].semaphore == semaphore)
            points[i].semaphore = NULL;
    }
}

void
rp_layer_certain_forget(struct rp_layer_device *dev, const struct rp_layer_semaphore *semaphore)
{
    for (struct rp_layer_certain_queue *q = dev->certain_queues; q; q = q->next) {
        for (struct rp_layer_batch *batch = q->first; batch; batch = batch->next_uncertain) {
            forget(semaphore, batch->wait_points, batch->wait_point_count);
            forget(semaphore, batch->signal_points, batch->signal_point_count);
        }
    }
}

void
rp_layer_certain_finish(struct rp_layer_device *dev)
{
    while (dev->certain_queues) {
        struct rp_layer_certain_queue *q = dev->certain_queues;
        dev->certain_queues = q->next;
        while (q->first) {
            struct rp_layer_batch *batch = q->first;
            q->first = batch->next_uncertain;
            rp_layer_batch_unref(batch);
        }
        rp_free(NULL, q);
    }
}

/* SPDX-License-Identifier: MIT */
/* Batches of lower queues: their semaphores, and when they may go.
 */
#include "icd/layer/submit.h"

#include "icd/layer/binary_signals.h"
#include "icd/layer/certain.h"
#include "icd/layer/device.h"
#include "icd/layer/fence.h"
#include "icd/layer/lower_queue.h"
#include "icd/layer/query_results.h"
#include "icd/layer/sparse.h"
#include "icd/layer/timeline.h"
#include "platform/clock.h"
#include "platform/condition.h"
#include "platform/thread.h"
#include "util/alloc.h"
#include "util/compiler.h"
#include "util/pnext.h"

#include <stddef.h>

/* How often a semaphore is looked at that another process may signal. */
#define POLL_NS UINT64_C(500000)

/* How often a thread that waits for a semaphore looks whether its device goes. */
#define STOP_POLL_NS UINT64_C(100000000)

/* dev->sync_mutex guards all. */
struct rp_layer_held_queue {
    struct rp_layer_held_queue *next;
    struct rp_layer_device *dev;
    VkQueue key; /* the application's; NULL: for batches of the layer's own */
    VkQueue queue;
    struct rp_layer_batch *first; /* stays there until it is submitted */
    struct rp_layer_batch **last;
    pthread_t thread;
    bool has_thread;
    bool stop;
};

/* Whether the wait may stand in a lower queue; is_host: whether it is over. Caller holds
 * sync_mutex. */
static bool
wait_is_ready(struct rp_layer_device *dev, const struct rp_layer_batch *batch, uint32_t index,
              bool is_host)
{
    struct rp_layer_semaphore *semaphore = batch->wait_semaphores[index];
    const VkSemaphoreSubmitInfo *info = &batch->waits[index];
    uint64_t value = 0;

    if (!semaphore)
        return true;
    if (info->semaphore == semaphore->binary)
        return !rp_layer_binary_wait_is_early(dev, batch, semaphore);
    if (!is_host && (!dev->holds_back || semaphore->submitted >= info->value))
        return true;
    if (dev->lower.GetSemaphoreCounterValue(dev->handle, semaphore->timeline, &value) != VK_SUCCESS)
        return true; /* the device is lost, and the queue will say so */
    semaphore->submitted = RP_MAX(semaphore->submitted, value);
    return value >= info->value;
}

/* Runs the steps that can be. is_polled_out: nobody in this process tells when more is ready.
 * Caller holds sync_mutex. */
static bool
batch_is_ready(struct rp_layer_device *dev, struct rp_layer_batch *batch, bool *is_polled_out)
{
    const bool is_host = batch->step_count > 0;

    *is_polled_out = is_host;
    for (uint32_t i = 0; i < batch->info.waitSemaphoreInfoCount; i++) {
        if (!wait_is_ready(dev, batch, i, is_host)) {
            *is_polled_out |= batch->wait_semaphores[i]->is_shared;
            return false;
        }
    }
    /* The results of a lost device may never come. */
    while (!rp_layer_device_is_lost(dev) && batch->steps_done < batch->step_count &&
           rp_layer_step_run(dev, &batch->steps[batch->steps_done]))
        batch->steps_done++;
    return rp_layer_device_is_lost(dev) || batch->steps_done == batch->step_count;
}

/* What a batch waits for that stands in a lower queue goes on by itself where batches are held
 * back; else it has to have happened. */
bool
rp_layer_batch_may_wait_below(struct rp_layer_device *dev, const struct rp_layer_batch *batch)
{
    bool may_wait = true;

    pthread_mutex_lock(&dev->sync_mutex);
    for (uint32_t i = 0; i < batch->info.waitSemaphoreInfoCount && may_wait; i++) {
        struct rp_layer_semaphore *semaphore = batch->wait_semaphores[i];
        may_wait = dev->holds_back && semaphore && !semaphore->is_shared &&
                   batch->waits[i].semaphore == semaphore->timeline &&
                   wait_is_ready(dev, batch, i, false);
    }
    pthread_mutex_unlock(&dev->sync_mutex);
    return may_wait;
}

/* Caller holds sync_mutex. */
static void
wait_for_change(struct rp_layer_device *dev, bool is_polled)
{
    if (is_polled)
        (void)rp_condition_wait_until(&dev->sync_cond, &dev->sync_mutex,
                                      rp_clock_now_ns() + POLL_NS);
    else
        pthread_cond_wait(&dev->sync_cond, &dev->sync_mutex);
}

void
rp_layer_batch_pin(struct rp_layer_device *dev, struct rp_layer_batch *batch)
{
    pthread_mutex_lock(&dev->sync_mutex);
    for (uint32_t i = 0; i < batch->info.signalSemaphoreInfoCount; i++) {
        if (batch->signal_semaphores[i])
            batch->signal_semaphores[i]->users++;
    }
    pthread_mutex_unlock(&dev->sync_mutex);
}

void
rp_layer_batch_release(struct rp_layer_device *dev, struct rp_layer_batch *batch)
{
    for (uint32_t i = 0; i < batch->info.signalSemaphoreInfoCount; i++) {
        if (batch->signal_semaphores[i])
            batch->signal_semaphores[i]->users--;
    }
    pthread_cond_broadcast(&dev->sync_cond);
}

static bool
is_timeline(struct rp_layer_device *dev, const struct rp_layer_semaphore *semaphore,
            VkSemaphore lower)
{
    pthread_mutex_lock(&dev->sync_mutex);
    const bool result = semaphore && semaphore->timeline == lower;
    pthread_mutex_unlock(&dev->sync_mutex);
    return result;
}

/* The timelines that the batch, which no queue has, would wait for. */
static void
wait_by_host(struct rp_layer_device *dev, const struct rp_layer_batch *batch)
{
    for (uint32_t i = 0; i < batch->info.waitSemaphoreInfoCount; i++) {
        const VkSemaphoreWaitInfo info = {
            .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
            .semaphoreCount = 1,
            .pSemaphores = &batch->waits[i].semaphore,
            .pValues = &batch->waits[i].value,
        };
        VkResult result = is_timeline(dev, batch->wait_semaphores[i], batch->waits[i].semaphore)
                              ? VK_TIMEOUT
                              : VK_SUCCESS;
        while (result == VK_TIMEOUT && !atomic_load(&dev->is_ending))
            result = dev->lower.WaitSemaphores(dev->handle, &info, STOP_POLL_NS);
    }
}

static void
signal_by_host(struct rp_layer_device *dev, const struct rp_layer_batch *batch)
{
    for (uint32_t i = 0; i < batch->info.signalSemaphoreInfoCount; i++) {
        struct rp_layer_semaphore *semaphore = batch->signal_semaphores[i];
        if (!semaphore)
            continue;
        if (is_timeline(dev, semaphore, batch->signals[i].semaphore))
            (void)rp_layer_semaphore_signal(dev, semaphore, batch->signals[i].value);
        else
            (void)rp_layer_signal_below(dev, semaphore->binary, VK_NULL_HANDLE);
    }
}

/* The batch, which the lower queue has refused, or would not get as the device is lost, ends in its
 * place without its commands: nobody shall wait for ever for what it signals. Returns the state of
 * its fence. */
static enum rp_layer_fence_state
end_by_host(struct rp_layer_device *dev, VkQueue queue, const struct rp_layer_batch *batch,
            const struct rp_layer_fence *fence)
{
    wait_by_host(dev, batch);
    const VkQueue lower = rp_layer_lower_queue_lock(dev, queue);
    (void)dev->lower.QueueWaitIdle(lower);
    rp_layer_lower_queue_unlock(dev, lower);
    signal_by_host(dev, batch);
    return fence && fence->is_shared &&
                   rp_layer_signal_below(dev, VK_NULL_HANDLE, batch->fence) == VK_SUCCESS
               ? RP_LAYER_FENCE_LOWER
               : RP_LAYER_FENCE_SIGNALLED;
}

static VkResult
submit_below(struct rp_layer_device *dev, VkQueue queue, const struct rp_layer_batch *batch,
             VkFence fence)
{
    if (rp_layer_device_is_lost(dev))
        return VK_ERROR_DEVICE_LOST;
    const VkQueue lower = rp_layer_lower_queue_lock(dev, queue);
    const VkResult result = batch->sparse ? rp_layer_sparse_bind(dev, lower, batch, fence)
                                          : dev->lower.QueueSubmit2(lower, 1, &batch->info, fence);
    rp_layer_lower_queue_unlock(dev, lower);
    if (result != VK_SUCCESS)
        rp_layer_device_lose(dev, "a lower queue refused a batch");
    return result;
}

/* Submits, and says so. On failure the device is lost: what the batch was to signal has been noted
 * as if it would be. */
static VkResult
submit_now(struct rp_layer_device *dev, VkQueue queue, struct rp_layer_batch *batch)
{
    rp_layer_batch_pin(dev, batch);
    struct rp_layer_fence *fence = rp_layer_fence_pin(dev, batch->fence);
    const VkResult result = submit_below(dev, queue, batch, fence ? batch->fence : VK_NULL_HANDLE);
    const enum rp_layer_fence_state state =
        result == VK_SUCCESS ? RP_LAYER_FENCE_LOWER : end_by_host(dev, queue, batch, fence);

    pthread_mutex_lock(&dev->sync_mutex);
    for (uint32_t i = 0; i < batch->info.signalSemaphoreInfoCount; i++) {
        struct rp_layer_semaphore *semaphore = batch->signal_semaphores[i];
        if (semaphore && batch->signals[i].semaphore != semaphore->binary)
            semaphore->submitted = RP_MAX(semaphore->submitted, batch->signals[i].value);
    }
    rp_layer_binary_signals_remove(dev, batch);
    rp_layer_fence_set(dev, batch->fence, state);
    rp_layer_fence_release(dev, fence);
    rp_layer_batch_release(dev, batch);
    pthread_mutex_unlock(&dev->sync_mutex);
    return result == VK_SUCCESS ? VK_SUCCESS : VK_ERROR_DEVICE_LOST;
}

static void *
held_queue_run(void *arg)
{
    struct rp_layer_held_queue *held = arg;
    struct rp_layer_device *dev = held->dev;

    pthread_mutex_lock(&dev->sync_mutex);
    while (!held->stop) {
        bool is_polled = false;
        struct rp_layer_batch *batch = held->first;
        if (!batch || !batch_is_ready(dev, batch, &is_polled)) {
            wait_for_change(dev, batch && is_polled);
            continue;
        }
        pthread_mutex_unlock(&dev->sync_mutex);
        (void)submit_now(dev, held->queue, batch);
        pthread_mutex_lock(&dev->sync_mutex);
        held->first = batch->next;
        if (!held->first)
            held->last = &held->first;
        pthread_cond_broadcast(&dev->sync_cond);
        pthread_mutex_unlock(&dev->sync_mutex);
        rp_layer_batch_destroy(batch);
        pthread_mutex_lock(&dev->sync_mutex);
    }
    pthread_mutex_unlock(&dev->sync_mutex);
    return NULL;
}

/* NULL where nothing was ever held back. Caller holds sync_mutex. */
static struct rp_layer_held_queue *
held_queue_find(const struct rp_layer_device *dev, VkQueue key)
{
    struct rp_layer_held_queue *held = dev->held_queues;
    while (held && held->key != key)
        held = held->next;
    return held;
}

static struct rp_layer_held_queue *
held_queue_create(struct rp_layer_device *dev, VkQueue key, VkQueue queue)
{
    if (rp_layer_lower_queue_share(dev, queue) != VK_SUCCESS)
        return NULL;
    struct rp_layer_held_queue *held =
        rp_zalloc(NULL, sizeof(*held), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    if (!held)
        return NULL;
    held->dev = dev;
    held->key = key;
    held->queue = queue;
    held->last = &held->first;
    held->next = dev->held_queues;
    dev->held_queues = held;
    return held;
}

/* With its thread; NULL when memory is short. Caller holds sync_mutex. */
static struct rp_layer_held_queue *
held_queue_get(struct rp_layer_device *dev, VkQueue key, VkQueue queue)
{
    struct rp_layer_held_queue *held = held_queue_find(dev, key);

    if (!held)
        held = held_queue_create(dev, key, queue);
    if (held && !held->has_thread)
        held->has_thread = rp_thread_create(&held->thread, "rp-layer-hold", held_queue_run, held);
    return held && held->has_thread ? held : NULL;
}

/* Caller holds sync_mutex. */
static void
hold_back(struct rp_layer_held_queue *held, struct rp_layer_batch *batch)
{
    const VkPerformanceQuerySubmitInfoKHR *performance =
        rp_find_struct(batch->info.pNext, VK_STRUCTURE_TYPE_PERFORMANCE_QUERY_SUBMIT_INFO_KHR);
    batch->info.pNext = NULL;
    if (performance) {
        batch->performance = *performance;
        batch->performance.pNext = NULL;
        batch->info.pNext = &batch->performance;
    }
    rp_layer_fence_set(held->dev, batch->fence, RP_LAYER_FENCE_PENDING);
    *held->last = batch;
    held->last = &batch->next;
    pthread_cond_broadcast(&held->dev->sync_cond);
}

/* The caller waits until the batch may go. */
static VkResult
submit_when_ready(struct rp_layer_device *dev, VkQueue queue, struct rp_layer_batch *batch)
{
    bool is_polled;

    pthread_mutex_lock(&dev->sync_mutex);
    while (!batch_is_ready(dev, batch, &is_polled) && !rp_layer_device_is_lost(dev))
        wait_for_change(dev, is_polled);
    pthread_mutex_unlock(&dev->sync_mutex);
    const VkResult result = submit_now(dev, queue, batch);
    rp_layer_batch_destroy(batch);
    return result;
}

/* key: of the batches that it keeps its place among. */
static VkResult
submit_in_order(struct rp_layer_device *dev, VkQueue key, VkQueue queue,
                struct rp_layer_batch *batch)
{
    bool is_polled;

    pthread_mutex_lock(&dev->sync_mutex);
    struct rp_layer_held_queue *held = held_queue_find(dev, key);
    if ((held && held->first) || !batch_is_ready(dev, batch, &is_polled)) {
        held = held_queue_get(dev, key, queue);
        if (held) {
            hold_back(held, batch);
            pthread_mutex_unlock(&dev->sync_mutex);
            return VK_SUCCESS;
        }
    }
    pthread_mutex_unlock(&dev->sync_mutex);
    /* Without a thread it is the caller who waits, and for nothing that comes later. */
    return submit_when_ready(dev, queue, batch);
}

VkResult
rp_layer_batch_prepare(struct rp_layer_device *dev, VkQueue queue,
                       const struct rp_layer_batch *batch)
{
    if (batch->step_count == 0 && !(dev->holds_back && batch->wait_point_count > 0))
        return VK_SUCCESS;
    pthread_mutex_lock(&dev->sync_mutex);
    const bool is_there = held_queue_get(dev, queue, queue);
    pthread_mutex_unlock(&dev->sync_mutex);
    return is_there ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

VkResult
rp_layer_batch_submit(struct rp_layer_device *dev, VkQueue queue, struct rp_layer_batch *batch)
{
    return submit_in_order(dev, queue, queue, batch);
}

void
rp_layer_held_batches_wait(struct rp_layer_device *dev, VkQueue queue)
{
    pthread_mutex_lock(&dev->sync_mutex);
    for (struct rp_layer_held_queue *held = dev->held_queues; held; held = held->next) {
        while (held->first && (!queue || held->key == queue))
            pthread_cond_wait(&dev->sync_cond, &dev->sync_mutex);
    }
    pthread_mutex_unlock(&dev->sync_mutex);
}

void
rp_layer_certain_batches_wait(struct rp_layer_device *dev, VkQueue queue)
{
    struct rp_layer_batch now;

    pthread_mutex_lock(&dev->sync_mutex);
    rp_layer_certain_note(dev, &now);
    const struct rp_layer_held_queue *held = held_queue_find(dev, queue);
    while (held && held->first && held->first->certain > 0 &&
           held->first->certain <= now.certain_before)
        pthread_cond_wait(&dev->sync_cond, &dev->sync_mutex);
    pthread_mutex_unlock(&dev->sync_mutex);
}

void
rp_layer_held_queues_stop(struct rp_layer_device *dev)
{
    pthread_mutex_lock(&dev->sync_mutex);
    for (struct rp_layer_held_queue *held = dev->held_queues; held; held = held->next)
        held->stop = true;
    pthread_cond_broadcast(&dev->sync_cond);
    pthread_mutex_unlock(&dev->sync_mutex);
    while (dev->held_queues) {
        struct rp_layer_held_queue *held = dev->held_queues;
        if (held->has_thread)
            pthread_join(held->thread, NULL);
        while (held->first) {
            struct rp_layer_batch *batch = held->first;
            held->first = batch->next;
            rp_layer_batch_destroy(batch);
        }
        dev->held_queues = held->next;
        rp_free(NULL, held);
    }
}

void
rp_layer_wait_for_binary(struct rp_layer_device *dev, struct rp_layer_semaphore *semaphore)
{
    struct rp_layer_batch wait = {.order = UINT64_MAX}; /* as if it were submitted now */

    pthread_mutex_lock(&dev->sync_mutex);
    rp_layer_certain_note(dev, &wait);
    while (semaphore->binary && rp_layer_binary_wait_is_early(dev, &wait, semaphore) &&
           !rp_layer_device_is_lost(dev))
        wait_for_change(dev, semaphore->is_shared);
    pthread_mutex_unlock(&dev->sync_mutex);
}

/* A batch without commands that waits for one form of the semaphore and signals the other. waiting:
 * the batch whose wait it is; NULL: it is the caller's, who waits until the signal is in the queue.
 * No batch of the queue that is held back may be in front of it. */
static VkResult
submit_move(struct rp_layer_device *dev, VkQueue queue, struct rp_layer_semaphore *semaphore,
            const struct rp_layer_batch *waiting, uint64_t value)
{
    const bool to_binary = !waiting;

    const VkSemaphoreSubmitInfo timeline = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
        .semaphore = semaphore->timeline,
        .value = value,
        .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
    };
    const VkSemaphoreSubmitInfo binary = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
        .semaphore = semaphore->binary,
        .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
    };
    const VkSubmitInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
        .waitSemaphoreInfoCount = 1,
        .pWaitSemaphoreInfos = to_binary ? &timeline : &binary,
        .signalSemaphoreInfoCount = 1,
        .pSignalSemaphoreInfos = to_binary ? &binary : &timeline,
    };
    struct rp_layer_batch *batch = rp_layer_batch_create(dev, &info);
    if (!batch)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    batch->wait_semaphores[0] = semaphore;
    batch->signal_semaphores[0] = semaphore;
    if (waiting) {
        batch->order = waiting->order;
        batch->certain_before = waiting->certain_before;
        batch->assumed_before = waiting->assumed_before;
        batch->assumed_until_ns = waiting->assumed_until_ns;
    } else {
        pthread_mutex_lock(&dev->sync_mutex);
        rp_layer_binary_signals_add(dev, batch);
        pthread_mutex_unlock(&dev->sync_mutex);
    }
    return waiting ? submit_in_order(dev, VK_NULL_HANDLE, queue, batch)
                   : submit_when_ready(dev, queue, batch);
}

/* Has the payload that the batch waits for appear in the semaphore's timeline, and gives its
 * value. */
static VkResult
move_to_timeline(struct rp_layer_device *dev, const struct rp_layer_batch *batch,
                 struct rp_layer_semaphore *semaphore, uint64_t *value_out)
{
    pthread_mutex_lock(&dev->sync_mutex);
    const VkResult result = rp_layer_semaphore_need_timeline(dev, semaphore);
    if (result == VK_SUCCESS) {
        *value_out = ++semaphore->last;
        semaphore->is_in_binary = semaphore->prefers_binary;
    }
    pthread_mutex_unlock(&dev->sync_mutex);
    return result == VK_SUCCESS ? submit_move(dev, dev->copy_queue, semaphore, batch, *value_out)
                                : result;
}

VkResult
rp_layer_batch_translate_host_waits(struct rp_layer_device *dev, struct rp_layer_batch *batch)
{
    for (uint32_t i = 0; i < batch->info.waitSemaphoreInfoCount; i++) {
        struct rp_layer_semaphore *semaphore = batch->wait_semaphores[i];
        if (!semaphore || !semaphore->is_binary)
            continue;
        pthread_mutex_lock(&dev->sync_mutex);
        const bool is_in_binary = semaphore->is_in_binary;
        uint64_t value = semaphore->last;
        pthread_mutex_unlock(&dev->sync_mutex);
        if (is_in_binary) {
            const VkResult result = move_to_timeline(dev, batch, semaphore, &value);
            if (result != VK_SUCCESS)
                return result;
        }
        batch->waits[i].semaphore = semaphore->timeline;
        batch->waits[i].value = value;
    }
    return VK_SUCCESS;
}

VkResult
rp_layer_move_to_binary(struct rp_layer_device *dev, VkQueue queue,
                        struct rp_layer_semaphore *semaphore)
{
    pthread_mutex_lock(&dev->sync_mutex);
    const VkResult result = rp_layer_semaphore_need_binary(dev, semaphore);
    const uint64_t value = semaphore->last;
    /* What is held back for this queue may be what signals it: that may not come behind the
     * wait. */
    const struct rp_layer_held_queue *held = held_queue_find(dev, queue);
    while (held && held->first && semaphore->submitted < value && !rp_layer_device_is_lost(dev))
        pthread_cond_wait(&dev->sync_cond, &dev->sync_mutex);
    pthread_mutex_unlock(&dev->sync_mutex);
    return result == VK_SUCCESS ? submit_move(dev, queue, semaphore, NULL, value) : result;
}

VkResult
rp_layer_signal_below(struct rp_layer_device *dev, VkSemaphore binary, VkFence fence)
{
    const VkSemaphoreSubmitInfo signal = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
        .semaphore = binary,
        .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
    };
    const VkSubmitInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
        .signalSemaphoreInfoCount = binary ? 1 : 0,
        .pSignalSemaphoreInfos = &signal,
    };

    const VkQueue queue = rp_layer_lower_queue_lock(dev, dev->copy_queue);
    const VkResult result = dev->lower.QueueSubmit2(queue, 1, &info, fence);
    rp_layer_lower_queue_unlock(dev, queue);
    return result;
}

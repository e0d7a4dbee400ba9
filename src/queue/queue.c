/* SPDX-License-Identifier: MIT */
/* The queue's thread, and what vkQueueSubmit may do in its place while the queue is idle.
 *
 * A submission goes from the list through replay to the replayed ones, and signals when the jobs
 * it started, and all before it, are retired.
 */
#include "queue/queue.h"

#include "cmd/bind.h"
#include "cmd/cmd_buffer.h"
#include "cmd/replay.h"
#include "object/device.h"
#include "queue/submission.h"
#include "util/log.h"
#include "util/thread.h"

#include "rp_entrypoints.h"

#include <vulkan/vk_icd.h>

VkResult
rp_queue_init(struct rp_queue *queue, struct rp_device *dev, uint32_t family_index,
              uint32_t index_in_family, VkDeviceQueueCreateFlags flags)
{
    *queue = (struct rp_queue){
        .family_index = family_index,
        .index_in_family = index_in_family,
        .flags = flags,
    };
    if (pthread_mutex_init(&queue->mutex, NULL) != 0)
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);
    pthread_mutex_init(&queue->submit_mutex, NULL);
    rp_object_init(&queue->base, dev, VK_OBJECT_TYPE_QUEUE);
    queue->base.loader_data = ICD_LOADER_MAGIC;
    queue->last = &queue->first;
    queue->last_replayed = &queue->first_replayed;
    queue->last_job = &queue->first_job;
    return VK_SUCCESS;
}

static struct rp_submission *
queue_pop_retired(struct rp_queue *queue)
{
    struct rp_submission *sub = queue->first_replayed;
    if (!sub || sub->job_count > queue->retired_job_count)
        return NULL;
    queue->first_replayed = sub->next;
    if (!queue->first_replayed)
        queue->last_replayed = &queue->first_replayed;
    return sub;
}

/* When the count falls to 0 the queue may be replayed on another thread: that is the last step. */
static void
queue_signal_retired(struct rp_queue *queue)
{
    struct rp_device *dev = queue->base.dev;
    uint32_t count = 0;

    struct rp_submission *sub;
    while ((sub = queue_pop_retired(queue))) {
        rp_dma_bufs_end_access(&dev->dma_bufs);
        for (uint32_t i = 0; i < sub->signal_count; i++)
            rp_sync_store(sub->signals[i].sync, sub->signals[i].value);
        rp_submission_destroy(sub);
        count++;
    }
    if (count) {
        atomic_fetch_sub(&queue->unsignalled_count, count);
        rp_sync_announce(dev);
    }
}

/* Waits for the oldest job. */
static void
queue_retire_first(struct rp_queue *queue)
{
    struct rp_queue_job *job = queue->first_job;

    rp_workers_wait(queue->base.dev->workers, &job->task);
    queue->first_job = job->next;
    if (!queue->first_job)
        queue->last_job = &queue->first_job;
    job->retire(job);
    queue->retired_job_count++;
    queue_signal_retired(queue);
}

static void
queue_wait_jobs(struct rp_queue *queue)
{
    while (queue->first_job)
        queue_retire_first(queue);
}

struct queue_wait {
    const struct rp_queue_job *job; /* the oldest one, or NULL */
    rp_sync_predicate *is_met;
    const void *ctx;
};

static bool
queue_wait_is_met(const void *ctx)
{
    const struct queue_wait *wait = ctx;

    if (wait->job && atomic_load(&wait->job->is_finished))
        return true;
    return wait->is_met(wait->ctx);
}

/* rp_sync_wait that lets jobs retire, and submissions signal, meanwhile. */
static VkResult
queue_wait(struct rp_queue *queue, rp_sync_predicate *is_met, const void *ctx, bool needs_polling)
{
    while (!is_met(ctx)) {
        const struct queue_wait wait = {.job = queue->first_job, .is_met = is_met, .ctx = ctx};
        const VkResult result = rp_sync_wait(queue->base.dev, queue_wait_is_met, &wait,
                                             needs_polling, RP_WAIT_FOREVER);
        if (result != VK_SUCCESS)
            return result;
        while (queue->first_job && atomic_load(&queue->first_job->is_finished))
            queue_retire_first(queue);
    }
    return VK_SUCCESS;
}

static void
job_run(struct rp_task *task)
{
    struct rp_queue_job *job = rp_container_of(task, struct rp_queue_job, task);

    job->run(job);
    struct rp_device *dev = job->dev;
    atomic_store(&job->is_finished, true);
    rp_sync_announce(dev);
}

void
rp_replay_start_job(struct rp_replay *rp, struct rp_queue_job *job)
{
    struct rp_queue *queue = rp->queue;

    job->task = (struct rp_task){.run = job_run};
    job->dev = rp->dev;
    job->next = NULL;
    atomic_init(&job->is_finished, false);
    *queue->last_job = job;
    queue->last_job = &job->next;
    queue->started_job_count++;
    rp_workers_submit(rp->dev->workers, &job->task);
}

void
rp_replay_wait_async(struct rp_replay *rp)
{
    queue_wait_jobs(rp->queue);
}

VkResult
rp_replay_wait(struct rp_replay *rp, rp_sync_predicate *is_met, const void *ctx)
{
    return queue_wait(rp->queue, is_met, ctx, false);
}

static bool
submission_is_ready(const void *ctx)
{
    return rp_submission_is_ready(ctx);
}

static VkResult
queue_wait_submission(struct rp_queue *queue, const struct rp_submission *sub)
{
    bool needs_polling = false;
    for (uint32_t i = 0; i < sub->wait_count; i++)
        needs_polling |= rp_sync_needs_polling(sub->waits[i].sync);
    const VkResult result = queue_wait(queue, submission_is_ready, sub, needs_polling);
    if (result != VK_SUCCESS)
        return result;
    for (uint32_t i = 0; i < sub->wait_count; i++) {
        if (!sub->waits[i].is_timeline)
            rp_sync_store(sub->waits[i].sync, 0);
    }
    return VK_SUCCESS;
}

static VkResult
queue_replay(struct rp_queue *queue, const struct rp_submission *sub)
{
    VkResult result = queue_wait_submission(queue, sub);
    rp_dma_bufs_begin_access(&queue->base.dev->dma_bufs);
    for (uint32_t i = 0; i < sub->cb_count && result == VK_SUCCESS; i++)
        result = rp_replay_cmd_buffer(queue, queue->base.dev, &queue->bind, sub->cbs[i]);
    return result;
}

/* Takes sub. On a lost device it ends without its signals. */
static void
queue_run(struct rp_queue *queue, struct rp_submission *sub)
{
    if (rp_device_is_lost(queue->base.dev) || queue_replay(queue, sub) != VK_SUCCESS) {
        rp_submission_destroy(sub);
        atomic_fetch_sub(&queue->unsignalled_count, 1);
        return;
    }
    sub->next = NULL;
    sub->job_count = queue->started_job_count;
    *queue->last_replayed = sub;
    queue->last_replayed = &sub->next;
    queue_signal_retired(queue);
}

static struct rp_submission *
queue_pop(struct rp_queue *queue)
{
    pthread_mutex_lock(&queue->mutex);
    struct rp_submission *sub = queue->first;
    if (sub) {
        queue->first = sub->next;
        if (!queue->first)
            queue->last = &queue->first;
        atomic_fetch_sub(&queue->waiting_count, 1);
    }
    pthread_mutex_unlock(&queue->mutex);
    return sub;
}

static bool
queue_has_work(const void *ctx)
{
    const struct rp_queue *queue = ctx;

    return atomic_load(&queue->waiting_count) || atomic_load(&queue->is_ending);
}

static void *
queue_thread(void *arg)
{
    struct rp_queue *queue = arg;

    for (;;) {
        /* On a lost device the thread ends; what comes after is refused or dropped at the end. */
        if (queue_wait(queue, queue_has_work, queue, false) != VK_SUCCESS)
            break;
        struct rp_submission *sub = queue_pop(queue);
        if (!sub)
            break; /* is_ending, and the list is empty */
        queue_run(queue, sub);
    }
    queue_wait_jobs(queue);
    return NULL;
}

static void
submissions_destroy(struct rp_submission *first)
{
    while (first) {
        struct rp_submission *next = first->next;
        rp_submission_destroy(first);
        first = next;
    }
}

void
rp_queue_finish(struct rp_queue *queue)
{
    struct rp_device *dev = queue->base.dev;
    if (!dev)
        return;

    atomic_store(&queue->is_ending, true);
    rp_sync_announce(dev);
    if (queue->has_thread)
        pthread_join(queue->thread, NULL);
    submissions_destroy(queue->first);
    submissions_destroy(queue->first_replayed);
    rp_bind_state_destroy(queue->bind);
    pthread_mutex_destroy(&queue->mutex);
    pthread_mutex_destroy(&queue->submit_mutex);
    rp_object_finish(&queue->base);
}

static bool
submissions_are_short(const struct rp_submission *sub)
{
    while (sub && sub->is_short)
        sub = sub->next;
    return !sub;
}

/* Only vkQueueSubmit, which Vulkan serialises per queue, makes an idle queue busy. */
static bool
queue_try_run_here(struct rp_queue *queue, struct rp_submission *first)
{
    if (atomic_load(&queue->unsignalled_count) || !submissions_are_short(first))
        return false;
    /* A later one may wait for what an earlier one signals; then the thread sorts it out. */
    for (const struct rp_submission *sub = first; sub; sub = sub->next) {
        if (!rp_submission_is_ready(sub))
            return false;
    }
    while (first) {
        struct rp_submission *sub = first;
        first = sub->next;
        atomic_fetch_add(&queue->unsignalled_count, 1);
        queue_run(queue, sub);
    }
    return true;
}

static VkResult
queue_enqueue(struct rp_queue *queue, struct rp_submission *first)
{
    if (queue_try_run_here(queue, first))
        return rp_device_is_lost(queue->base.dev) ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;

    pthread_mutex_lock(&queue->mutex);
    if (!queue->has_thread)
        queue->has_thread = rp_thread_create(&queue->thread, "rp-queue", queue_thread, queue);
    const bool has_thread = queue->has_thread;
    for (struct rp_submission *sub = has_thread ? first : NULL; sub; sub = sub->next) {
        *queue->last = sub;
        queue->last = &sub->next;
        atomic_fetch_add(&queue->unsignalled_count, 1);
        atomic_fetch_add(&queue->waiting_count, 1);
    }
    pthread_mutex_unlock(&queue->mutex);
    if (!has_thread) {
        submissions_destroy(first);
        return rp_error(queue, VK_ERROR_OUT_OF_HOST_MEMORY);
    }
    rp_sync_announce(queue->base.dev);
    return VK_SUCCESS;
}

VkResult
rp_queue_enqueue(struct rp_queue *queue, struct rp_submission *first)
{
    if (RP_LIKELY(!(queue->flags & VK_DEVICE_QUEUE_CREATE_INTERNALLY_SYNCHRONIZED_BIT_KHR)))
        return queue_enqueue(queue, first);
    pthread_mutex_lock(&queue->submit_mutex);
    const VkResult result = queue_enqueue(queue, first);
    pthread_mutex_unlock(&queue->submit_mutex);
    return result;
}

static bool
queue_is_idle(const void *ctx)
{
    return atomic_load(&((const struct rp_queue *)ctx)->unsignalled_count) == 0;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_QueueWaitIdle(VkQueue handle)
{
    struct rp_queue *queue = rp_queue_from_handle(handle);

    if (rp_device_is_lost(queue->base.dev))
        return VK_ERROR_DEVICE_LOST;
    return rp_sync_wait(queue->base.dev, queue_is_idle, queue, false, RP_WAIT_FOREVER);
}

static bool
device_is_idle(const void *ctx)
{
    const struct rp_device *dev = ctx;

    for (uint32_t i = 0; i < dev->queue_count; i++) {
        if (!queue_is_idle(&dev->queues[i]))
            return false;
    }
    return true;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_DeviceWaitIdle(VkDevice device)
{
    struct rp_device *dev = rp_device_from_handle(device);

    if (rp_device_is_lost(dev))
        return VK_ERROR_DEVICE_LOST;
    return rp_sync_wait(dev, device_is_idle, dev, false, RP_WAIT_FOREVER);
}

VKAPI_ATTR void VKAPI_CALL
rp_GetDeviceQueue2(VkDevice device, const VkDeviceQueueInfo2 *info, VkQueue *out)
{
    struct rp_device *dev = rp_device_from_handle(device);

    *out = VK_NULL_HANDLE;
    for (uint32_t i = 0; i < dev->queue_count; i++) {
        struct rp_queue *queue = &dev->queues[i];
        if (queue->family_index == info->queueFamilyIndex &&
            queue->index_in_family == info->queueIndex && queue->flags == info->flags)
            *out = rp_queue_to_handle(queue);
    }
}

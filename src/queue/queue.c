/* SPDX-License-Identifier: MIT */
/* The plain path: vkQueueSubmit appends to a list, a thread replays what is in it, in order.
 */
#include "queue/queue.h"

#include "cmd/bind.h"
#include "cmd/cmd_buffer.h"
#include "cmd/replay.h"
#include "object/device.h"
#include "platform/thread.h"
#include "queue/capture.h"
#include "queue/inline.h"
#include "queue/jobs.h"
#include "queue/merge.h"
#include "queue/overlap.h"
#include "queue/submission.h"
#include "util/log.h"

#include "rp_entrypoints.h"

#include <vulkan/vk_icd.h>

VkResult
rp_queue_init(struct rp_queue *queue, struct rp_device *dev, uint32_t family_index,
              uint32_t index_in_family, VkDeviceQueueCreateFlags flags)
{
    *queue = (struct rp_queue){
        .job_host.ops = &rp_queue_job_host_ops,
        .family_index = family_index,
        .index_in_family = index_in_family,
        .flags = flags,
    };
    if (pthread_mutex_init(&queue->mutex, NULL) != 0)
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);
    pthread_mutex_init(&queue->submit_mutex, NULL);
    pthread_mutex_init(&queue->wait_mutex, NULL);
    pthread_cond_init(&queue->job_finished, NULL);
    for (uint32_t i = 0; i < 2; i++)
        queue->threads[i] = (struct rp_queue_thread){.queue = queue, .is_second = i > 0};
    rp_object_init(&queue->base, dev, VK_OBJECT_TYPE_QUEUE);
    rp_inline_predictor_init(&queue->inline_predictor);
    queue->base.loader_data = ICD_LOADER_MAGIC;
    queue->last = &queue->first;
    queue->last_replayed = &queue->first_replayed;
    queue->last_job = &queue->first_job;
    dev->queues_are_at_rest = rp_queues_are_at_rest;
    return VK_SUCCESS;
}

void
rp_queue_count_in(struct rp_queue *queue)
{
    atomic_fetch_add(&queue->unsignalled_count, 1);
    atomic_fetch_add(&queue->unfinished_count, 1);
}

/* With the queue's mutex held. ever_listed_count grows after unsignalled_count: it never counts one
 * that the other does not, so what wait_idle.c takes for done is done. */
static void
queue_append(struct rp_queue *queue, struct rp_submission *first)
{
    for (struct rp_submission *sub = first; sub; sub = sub->next) {
        *queue->last = sub;
        queue->last = &sub->next;
        rp_submission_advance(sub, RP_SUBMISSION_LISTED);
        rp_queue_count_in(queue);
        atomic_fetch_add(&queue->ever_listed_count, 1);
        atomic_fetch_add(&queue->listed_count, 1);
    }
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
        rp_submission_advance(sub, RP_SUBMISSION_WAITING);
        atomic_fetch_sub(&queue->listed_count, 1);
    }
    pthread_mutex_unlock(&queue->mutex);
    return sub;
}

VkResult
rp_queue_replay_cbs(struct rp_queue *queue, const struct rp_submission *sub, bool is_last)
{
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < sub->cb_count && result == VK_SUCCESS; i++)
        result = rp_replay_cmd_buffer(&queue->job_host, queue->base.dev, sub->sequence,
                                      &queue->bind, sub->cbs[i], is_last && i + 1 == sub->cb_count);
    return result;
}

/* Nothing of the sort that merge.h and overlap.h are about concerns sub, which is not deferred any
 * more: most submissions. */
static bool
queue_begins_at_once(const struct rp_queue *queue, const struct rp_submission *sub)
{
    return !sub->wait_count && !sub->session && !sub->merged && !queue->first_job &&
           atomic_load(&queue->overlapped_count) == 0;
}

static VkResult
queue_wait_submission(struct rp_queue *queue, struct rp_submission *sub)
{
    struct rp_device *dev = queue->base.dev;

    rp_merge_wait_released(dev, sub);
    /* One order with the replay lock: see rp_queues_are_at_rest(). */
    if (atomic_load(&dev->is_lost))
        return VK_ERROR_DEVICE_LOST;
    if (queue_begins_at_once(queue, sub))
        return VK_SUCCESS;
    VkResult result = rp_merge_wait_ready(queue, sub);
    if (result == VK_SUCCESS)
        result = rp_queue_wait_begin(queue, sub);
    if (result == VK_SUCCESS)
        rp_submission_reset_waits(sub);
    return result;
}

static VkResult
replay_cmd_buffers(struct rp_queue *queue, struct rp_submission *sub)
{
    const VkResult result = RP_UNLIKELY(sub->merged) ? rp_merge_replay(queue, sub) : VK_SUCCESS;
    return result == VK_SUCCESS ? rp_queue_replay_cbs(queue, sub, true) : result;
}

static VkResult
replay_captured(struct rp_queue *queue, struct rp_submission *sub)
{
    const bool is_captured = rp_queue_capture_begin(queue, sub->merged, sub);
    const VkResult result = replay_cmd_buffers(queue, sub);
    if (is_captured)
        rp_queue_capture_end(queue, result == VK_SUCCESS);
    return result;
}

static VkResult
queue_replay(struct rp_queue *queue, struct rp_submission *sub)
{
    struct rp_dma_bufs *dma_bufs = &queue->base.dev->dma_bufs;

    rp_submission_advance(sub, RP_SUBMISSION_BEGUN);
    rp_dma_bufs_begin_access(dma_bufs);
    const VkResult result = RP_UNLIKELY(queue->base.dev->capture) ? replay_captured(queue, sub)
                                                                  : replay_cmd_buffers(queue, sub);
    if (result != VK_SUCCESS) {
        rp_queue_wait_jobs(queue); /* they may be in that memory */
        rp_dma_bufs_end_access(dma_bufs);
    }
    return result;
}

void
rp_queue_run(struct rp_queue *queue, struct rp_submission *sub)
{
    VkResult result = queue_wait_submission(queue, sub);
    if (result == VK_SUCCESS)
        result = queue_replay(queue, sub);
    if (result != VK_SUCCESS) {
        rp_submission_destroy(sub);
        atomic_fetch_sub(&queue->unfinished_count, 1);
        atomic_fetch_sub(&queue->unsignalled_count, 1);
        return;
    }
    sub->next = NULL;
    sub->last_job = queue->queued_job_count;
    rp_submission_advance(sub, RP_SUBMISSION_REPLAYED);
    if (sub->session)
        rp_queue_note_replayed(queue, sub);
    *queue->last_replayed = sub;
    queue->last_replayed = &sub->next;
    rp_queue_signal_retired(queue);
}

/* Replays what is in the list; the replay lock is given up at the end. */
static void
queue_run_listed(struct rp_queue *queue, bool may_run_jobs)
{
    struct rp_submission *sub;
    while ((sub = queue_pop(queue))) {
        rp_queue_run(queue, sub);
        if (may_run_jobs && rp_queue_try_run_pending(queue))
            return;
        rp_queue_start_pending(queue);
        rp_queue_retire_finished(queue);
    }
    rp_queue_unlock_replay(queue);
}

static bool
thread_has_work(const void *ctx)
{
    const struct rp_queue_thread *thread = ctx;
    const struct rp_queue *queue = thread->queue;

    if (atomic_load(&queue->is_replay_locked))
        return false;
    if (atomic_load(&queue->is_ending))
        return true;
    return atomic_load(&queue->listed_count) &&
           (!thread->is_second || atomic_load(&queue->is_replayer_at_job));
}

static VkResult
thread_wait(struct rp_queue_thread *thread)
{
    struct rp_device *dev = thread->queue->base.dev;

    if (!thread->is_second && !thread_has_work(thread))
        rp_workers_spin(dev->workers, &thread->spins, thread_has_work, thread);
    return rp_sync_wait_for(dev, thread->queue, thread_has_work, thread, false, RP_WAIT_FOREVER);
}

static void *
queue_thread(void *arg)
{
    struct rp_queue_thread *thread = arg;
    struct rp_queue *queue = thread->queue;

    /* On a lost device the thread ends; what comes after is refused or dropped at the end. */
    while (thread_wait(thread) == VK_SUCCESS) {
        if (!rp_queue_try_lock_replay(queue))
            continue;
        const bool is_last_round = atomic_load(&queue->is_ending);
        queue_run_listed(queue, !thread->is_second);
        if (is_last_round)
            break;
    }
    return NULL;
}

static void
submissions_destroy(struct rp_device *dev, struct rp_submission *first)
{
    while (first) {
        struct rp_submission *next = first->next;
        rp_merge_wait_released(dev, first);
        rp_submission_destroy(first);
        first = next;
    }
}

void
rp_queue_end(struct rp_queue *queue)
{
    struct rp_device *dev = queue->base.dev;
    if (!dev)
        return;

    atomic_store(&queue->is_ending, true);
    rp_sync_announce_change(dev, queue);
    rp_sync_announce(dev);
    for (uint32_t i = 0; i < 2; i++) {
        if (queue->threads[i].is_there)
            pthread_join(queue->threads[i].id, NULL);
    }
    /* A worker may be the replayer for a moment yet, to retire its job; after that nobody shall. */
    while (!rp_queue_try_lock_replay(queue))
        rp_thread_yield();
    rp_queue_wait_jobs(queue);
    submissions_destroy(dev, queue->first);
    submissions_destroy(dev, queue->first_replayed);
    rp_bind_state_destroy(queue->bind);
    rp_object_finish(&queue->base);
}

void
rp_queue_finish(struct rp_queue *queue)
{
    if (!queue->base.dev)
        return;
    pthread_cond_destroy(&queue->job_finished);
    pthread_mutex_destroy(&queue->mutex);
    pthread_mutex_destroy(&queue->submit_mutex);
    pthread_mutex_destroy(&queue->wait_mutex);
}

/* With the queue's mutex held. */
static bool
queue_need_thread(struct rp_queue_thread *thread)
{
    if (!thread->is_there)
        thread->is_there = rp_thread_create(
            &thread->id, thread->is_second ? "rp-queue-2" : "rp-queue", queue_thread, thread);
    return thread->is_there;
}

static bool
submissions_read_host_memory(const struct rp_submission *sub)
{
    while (sub && !sub->reads_host_memory)
        sub = sub->next;
    return sub != NULL;
}

static VkResult
queue_enqueue(struct rp_queue *queue, struct rp_submission *first)
{
    const bool is_short = rp_submissions_are_short(first);
    const bool is_awaited = submissions_read_host_memory(first);
    if (rp_queue_try_run_inline(queue, first, is_short))
        return rp_device_is_lost(queue->base.dev) ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;

    pthread_mutex_lock(&queue->mutex);
    const bool has_thread = queue_need_thread(&queue->threads[0]);
    if (has_thread) {
        rp_merge_admit(queue->base.dev, &first);
        queue_append(queue, first);
    }
    /* If the second thread can't be had, this submission waits for the replayer's job. */
    if (has_thread && atomic_load(&queue->is_replayer_at_job))
        (void)queue_need_thread(&queue->threads[1]);
    pthread_mutex_unlock(&queue->mutex);
    if (!has_thread) {
        submissions_destroy(queue->base.dev, first);
        return rp_error(queue, VK_ERROR_OUT_OF_HOST_MEMORY);
    }
    rp_sync_announce_change(queue->base.dev, queue);
    rp_sync_announce(queue->base.dev);
    if (!is_short)
        rp_inline_predictor_end(&queue->inline_predictor, 0);
    return is_awaited ? rp_queue_wait_done(queue) : VK_SUCCESS;
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

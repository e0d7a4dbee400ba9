/* SPDX-License-Identifier: MIT */
/* The queue's threads, and what vkQueueSubmit may do in their place while the queue is idle.
 *
 * A submission goes from the list through replay to the replayed ones, and signals when the jobs
 * it started, and all before it, are retired (queue/jobs.c).
 */
#include "queue/queue.h"

#include "cmd/bind.h"
#include "cmd/cmd_buffer.h"
#include "cmd/replay.h"
#include "object/device.h"
#include "object/video_session.h"
#include "platform/thread.h"
#include "queue/jobs.h"
#include "queue/parking.h"
#include "queue/submission.h"
#include "util/log.h"
#include "video/encode/engine.h"

#include "rp_entrypoints.h"

#include <vulkan/vk_icd.h>

#include <sched.h>

/* How long vkQueueSubmit waits for a leader to leave. */
#define MAX_LEAVING_NS UINT64_C(100000000)
#define STUCK_NS UINT64_C(20000000)

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
        queue->threads[i] = (struct rp_queue_thread){.queue = queue, .is_follower = i > 0};
    rp_object_init(&queue->base, dev, VK_OBJECT_TYPE_QUEUE);
    rp_inline_predictor_init(&queue->inline_predictor);
    queue->base.loader_data = ICD_LOADER_MAGIC;
    queue->last = &queue->first;
    queue->last_replayed = &queue->first_replayed;
    queue->last_job = &queue->first_job;
    dev->queues_are_at_rest = rp_queues_are_at_rest;
    return VK_SUCCESS;
}

struct begin_wait {
    const struct rp_queue *queue;
    const struct rp_submission *sub;
    bool goes_with_early;
};

/* A wait for a semaphore holds back all that comes later on the queue too (Vulkan, "Semaphore
 * Waiting"), be it other work than what began on a promise. */
static bool
submission_may_begin(const void *ctx)
{
    const struct begin_wait *wait = ctx;

    return (wait->goes_with_early || atomic_load(&wait->queue->early_count) == 0) &&
           rp_submission_may_begin(wait->sub);
}

/* What sub signals stands for all before it on this queue, of which only its session may be under
 * way. */
static bool
queue_may_promise(const struct rp_queue *queue, const struct rp_submission *sub)
{
    for (const struct rp_submission *other = queue->first_replayed; other; other = other->next) {
        if (other->cb_count && other->encode_session != sub->encode_session)
            return false;
    }
    return true;
}

static VkResult
queue_replay_cbs(struct rp_queue *queue, const struct rp_submission *sub, bool is_last)
{
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < sub->cb_count && result == VK_SUCCESS; i++)
        result = rp_replay_cmd_buffer(&queue->job_host, queue->base.dev, sub->sequence,
                                      &queue->bind, sub->cbs[i], is_last && i + 1 == sub->cb_count);
    return result;
}

static VkResult
queue_replay_absorbed(struct rp_queue *queue, const struct rp_submission *sub)
{
    VkResult result = VK_SUCCESS;
    for (const struct rp_submission *other = sub->absorbed; other && result == VK_SUCCESS;
         other = other->next)
        result = queue_replay_cbs(queue, other, false);
    return result;
}

/* What sub has absorbed is done before sub, with its signals: their ghosts may be in the way of what
 * sub waits for. */
static VkResult
queue_run_absorbed(struct rp_queue *queue, struct rp_submission *sub)
{
    struct rp_device *dev = queue->base.dev;
    rp_dma_bufs_begin_access(&dev->dma_bufs);
    const VkResult result = queue_replay_absorbed(queue, sub);
    rp_queue_wait_jobs(queue);
    rp_dma_bufs_end_access(&dev->dma_bufs);
    while (sub->absorbed && result == VK_SUCCESS) {
        struct rp_submission *other = sub->absorbed;
        sub->absorbed = other->next;
        rp_submission_signal(other);
        rp_submission_destroy(other);
    }
    rp_sync_announce(dev);
    return result;
}

static bool
turn_has_come(const void *ctx)
{
    const struct rp_submission *sub = ctx;

    return atomic_load(&sub->session->begun_count) >= sub->place;
}

/* FFmpeg lets nothing but chance say whether an IDR picture begins before those submitted earlier.
 * One of these may wait for this one, though: when nothing of the session goes on for a while, and
 * no other queue can, it is not waited for. */
static VkResult
queue_wait_turn(struct rp_queue *queue, const struct rp_submission *sub)
{
    const struct rp_video_session *vs = sub->session;

    for (;;) {
        const uint64_t begun_count = atomic_load(&vs->begun_count);
        const bool was_busy = rp_video_encode_is_busy(vs->encode);
        const VkResult result =
            rp_queue_wait(queue, turn_has_come, sub, false, rp_sync_deadline_ns(STUCK_NS));
        if (result != VK_TIMEOUT)
            return result;
        if (!was_busy && atomic_load(&vs->begun_count) == begun_count &&
            !rp_queue_others_can_go_on(queue))
            return VK_SUCCESS;
    }
}

static void
submission_has_begun(const struct rp_submission *sub)
{
    uint_fast64_t count = atomic_load(&sub->session->begun_count);

    while (count <= sub->place &&
           !atomic_compare_exchange_weak(&sub->session->begun_count, &count, sub->place + 1))
        continue;
}

static VkResult
queue_wait_submission(struct rp_queue *queue, struct rp_submission *sub)
{
    VkResult result = sub->absorbed ? rp_parking_wait_absorbed(queue->base.dev, sub) : VK_SUCCESS;
    if (result == VK_TIMEOUT)
        result = queue_run_absorbed(queue, sub);
    const struct begin_wait wait = {
        .queue = queue,
        .sub = sub,
        .goes_with_early = sub->cb_count == 0 || sub->encode_session == queue->early_session,
    };
    if (result == VK_SUCCESS)
        result = rp_queue_wait(queue, submission_may_begin, &wait, rp_submission_needs_polling(sub),
                               RP_WAIT_FOREVER);
    if (result == VK_SUCCESS && sub->session)
        result = queue_wait_turn(queue, sub);
    if (result == VK_SUCCESS) {
        sub->is_early = !rp_submission_is_ready(sub);
        rp_submission_reset_waits(sub);
    }
    return result;
}

static VkResult
queue_replay(struct rp_queue *queue, struct rp_submission *sub)
{
    rp_parking_leave(queue->base.dev, sub);
    if (atomic_load(
            &queue->base.dev->is_lost)) /* in one order with the lead: rp_queues_are_at_rest() */
        return VK_ERROR_DEVICE_LOST;
    VkResult result = queue_wait_submission(queue, sub);
    if (result != VK_SUCCESS)
        return result;
    rp_dma_bufs_begin_access(&queue->base.dev->dma_bufs);
    result = queue_replay_absorbed(queue, sub);
    if (result == VK_SUCCESS)
        result = queue_replay_cbs(queue, sub, true);
    if (result != VK_SUCCESS) {
        rp_queue_wait_jobs(queue); /* they may be in that memory */
        rp_dma_bufs_end_access(&queue->base.dev->dma_bufs);
    }
    return result;
}

/* Takes sub. On a lost device it ends without its signals. */
static void
queue_run(struct rp_queue *queue, struct rp_submission *sub)
{
    if (queue_replay(queue, sub) != VK_SUCCESS) {
        rp_submission_destroy(sub);
        atomic_fetch_sub(&queue->unfinished_count, 1);
        atomic_fetch_sub(&queue->unsignalled_count, 1);
        return;
    }
    sub->next = NULL;
    sub->job_count = queue->started_job_count;
    if (sub->is_early) {
        queue->early_session = sub->encode_session;
        atomic_fetch_add(&queue->early_count, 1);
    }
    if (queue_may_promise(queue, sub))
        rp_submission_promise(sub);
    if (sub->session) {
        submission_has_begun(sub);
        rp_sync_announce(queue->base.dev);
    }
    *queue->last_replayed = sub;
    queue->last_replayed = &sub->next;
    rp_queue_signal_retired(queue);
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

/* The leader does the work itself when nothing else is there to do, and leaves the lead. */
static bool
queue_try_work(struct rp_queue *queue, struct rp_queue_job *job)
{
    struct rp_workers *workers = queue->base.dev->workers;

    if (atomic_load(&queue->waiting_count) || atomic_load(&queue->is_at_work) ||
        !rp_workers_try_take(workers, &job->task))
        return false;
    queue->held_job = NULL;
    atomic_store(&queue->is_at_work, true);
    rp_queue_leave_lead(queue);
    job->run(job);
    rp_workers_leave(workers);
    atomic_store(&queue->is_at_work, false);
    rp_queue_end_job(queue, job);
    return true;
}

/* Replays what is there; the lead is left at the end. */
static void
queue_lead(struct rp_queue *queue, bool may_work)
{
    struct rp_submission *sub;
    while ((sub = queue_pop(queue))) {
        queue_run(queue, sub);
        if (may_work && queue->held_job && queue_try_work(queue, queue->held_job))
            return;
        rp_queue_start_held(queue);
        rp_queue_retire_finished(queue);
    }
    rp_queue_leave_lead(queue);
}

static bool
thread_has_work(const void *ctx)
{
    const struct rp_queue_thread *thread = ctx;
    const struct rp_queue *queue = thread->queue;

    if (atomic_load(&queue->is_led))
        return false;
    if (atomic_load(&queue->is_ending))
        return true;
    return atomic_load(&queue->waiting_count) &&
           (!thread->is_follower || atomic_load(&queue->is_at_work));
}

static void *
queue_thread(void *arg)
{
    struct rp_queue_thread *thread = arg;
    struct rp_queue *queue = thread->queue;

    /* On a lost device the thread ends; what comes after is refused or dropped at the end. */
    while (rp_sync_wait(queue->base.dev, thread_has_work, thread, false, RP_WAIT_FOREVER) ==
           VK_SUCCESS) {
        if (!rp_queue_try_lead(queue))
            continue;
        const bool is_last_round = atomic_load(&queue->is_ending);
        queue_lead(queue, !thread->is_follower);
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
        rp_parking_leave(dev, first);
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
    rp_sync_announce(dev);
    for (uint32_t i = 0; i < 2; i++) {
        if (queue->threads[i].is_there)
            pthread_join(queue->threads[i].id, NULL);
    }
    /* A worker may lead for a moment yet, to retire its job; after that nobody shall. */
    while (!rp_queue_try_lead(queue))
        sched_yield();
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

static bool
submissions_are_short(const struct rp_submission *sub)
{
    while (sub && sub->is_short)
        sub = sub->next;
    return !sub;
}

static bool
submissions_are_ready(const struct rp_submission *sub)
{
    while (sub && rp_submission_is_ready(sub))
        sub = sub->next;
    return !sub;
}

static bool
submissions_read_host_memory(const struct rp_submission *sub)
{
    while (sub && !sub->reads_host_memory)
        sub = sub->next;
    return sub != NULL;
}

static bool
submissions_are_straight(const struct rp_submission *sub)
{
    while (sub && sub->is_straight)
        sub = sub->next;
    return !sub;
}

/* Takes the lead when nothing is to be waited for, but for who has done all and gives it up now: an
 * application goes on as soon as its fence is signalled. (GStreamer's vulkanupload even uses its
 * staging buffer again after vkQueueSubmit, before the copy.) Only vkQueueSubmit, which Vulkan
 * serialises per queue, makes an idle queue busy. A later submission may wait for what an earlier
 * one signals; then the thread sorts it out. */
static bool
queue_try_lead_here(struct rp_queue *queue, const struct rp_submission *first)
{
    if (!submissions_are_ready(first))
        return false;
    uint64_t until_ns = 0;
    while (atomic_load(&queue->unfinished_count) == 0) {
        if (rp_queue_try_lead(queue))
            return true;
        if (until_ns == 0)
            until_ns = rp_sync_deadline_ns(MAX_LEAVING_NS);
        else if (rp_sync_now_ns() >= until_ns)
            return false; /* a real-time thread may keep it from its processor */
        (void)sched_yield();
    }
    return false;
}

static void
queue_run_here(struct rp_queue *queue, struct rp_submission *first)
{
    const uint32_t float_state = rp_float_state_enter();
    while (first) {
        struct rp_submission *sub = first;
        first = sub->next;
        atomic_fetch_add(&queue->unsignalled_count, 1);
        atomic_fetch_add(&queue->unfinished_count, 1);
        queue_run(queue, sub);
    }
    if (!queue->held_job || !queue_try_work(queue, queue->held_job)) {
        rp_queue_start_held(queue);
        rp_queue_leave_lead(queue);
    }
    rp_float_state_leave(float_state);
}

/* Who waits for the last submission has waited for all. */
static void
submissions_mark(struct rp_queue *queue, const struct rp_submission *sub)
{
    while (sub->next)
        sub = sub->next;
    for (uint32_t i = 0; i < sub->signal_count; i++)
        rp_inline_predictor_mark(&queue->inline_predictor, &sub->signals[i].sync->mark,
                                 sub->signals[i].value);
}

/* Long work: for a thread that would wait for it, and does not hold submit_mutex. */
static bool
queue_try_run_long_here(struct rp_queue *queue, struct rp_submission *first)
{
    const bool is_alone = atomic_load(&queue->unsignalled_count) == 0;
    const bool is_awaited = rp_inline_predictor_begin(&queue->inline_predictor, is_alone);
    submissions_mark(queue, first);
    if (!is_awaited || !submissions_are_straight(first) ||
        (queue->flags & VK_DEVICE_QUEUE_CREATE_INTERNALLY_SYNCHRONIZED_BIT_KHR) ||
        !queue_try_lead_here(queue, first))
        return false;
    const uint64_t began_ns = rp_sync_now_ns();
    queue_run_here(queue, first);
    rp_inline_predictor_end(&queue->inline_predictor, rp_sync_now_ns() - began_ns);
    return true;
}

static bool
queue_try_run_here(struct rp_queue *queue, struct rp_submission *first, bool is_short)
{
    if (!is_short)
        return queue_try_run_long_here(queue, first);
    if (!queue_try_lead_here(queue, first))
        return false;
    queue_run_here(queue, first);
    return true;
}

/* With the mutex held. */
static bool
queue_need_thread(struct rp_queue_thread *thread)
{
    if (!thread->is_there)
        thread->is_there = rp_thread_create(
            &thread->id, thread->is_follower ? "rp-queue-2" : "rp-queue", queue_thread, thread);
    return thread->is_there;
}

static VkResult
queue_enqueue(struct rp_queue *queue, struct rp_submission *first)
{
    const bool is_short = submissions_are_short(first);
    const bool is_awaited = submissions_read_host_memory(first);
    if (queue_try_run_here(queue, first, is_short))
        return rp_device_is_lost(queue->base.dev) ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;

    pthread_mutex_lock(&queue->mutex);
    const bool has_thread = queue_need_thread(&queue->threads[0]);
    if (has_thread)
        rp_parking_admit(queue->base.dev, &first);
    for (struct rp_submission *sub = has_thread ? first : NULL; sub; sub = sub->next) {
        *queue->last = sub;
        queue->last = &sub->next;
        atomic_fetch_add(&queue->unsignalled_count, 1);
        atomic_fetch_add(&queue->unfinished_count, 1);
        atomic_fetch_add(&queue->enqueued_count, 1);
        atomic_fetch_add(&queue->waiting_count, 1);
    }
    /* Without the second thread this waits for the first one. */
    if (has_thread && atomic_load(&queue->is_at_work))
        (void)queue_need_thread(&queue->threads[1]);
    pthread_mutex_unlock(&queue->mutex);
    if (!has_thread) {
        submissions_destroy(queue->base.dev, first);
        return rp_error(queue, VK_ERROR_OUT_OF_HOST_MEMORY);
    }
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

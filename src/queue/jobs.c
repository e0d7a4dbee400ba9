/* SPDX-License-Identifier: MIT */
/* The replay lock, jobs, and the submissions that wait for these.
 */
#include "queue/jobs.h"

#include "object/device.h"
#include "queue/overlap.h"
#include "queue/queue.h"
#include "queue/submission.h"

static struct rp_queue *
queue_from_host(struct rp_job_host *host)
{
    return rp_container_of(host, struct rp_queue, job_host);
}

static struct rp_submission *
queue_pop_retired(struct rp_queue *queue)
{
    struct rp_submission *sub = queue->first_replayed;
    if (!sub || sub->last_job > queue->retired_job_count || !rp_submission_may_signal(sub))
        return NULL;
    queue->first_replayed = sub->next;
    if (!queue->first_replayed)
        queue->last_replayed = &queue->first_replayed;
    rp_submission_advance(sub, RP_SUBMISSION_RETIRED);
    return sub;
}

void
rp_queue_signal_retired(struct rp_queue *queue)
{
    struct rp_device *dev = queue->base.dev;
    uint32_t count = 0;

    struct rp_submission *sub;
    while ((sub = queue_pop_retired(queue))) {
        rp_dma_bufs_end_access(&dev->dma_bufs);
        atomic_fetch_sub(&queue->unfinished_count, 1);
        rp_submission_signal(dev, sub);
        if (sub->is_overlapped)
            atomic_fetch_sub(&queue->overlapped_count, 1);
        rp_submission_destroy(sub);
        count++;
    }
    if (count) {
        atomic_fetch_sub(&queue->unsignalled_count, count);
        rp_queue_wake_overlapped(queue);
        rp_sync_announce(dev);
    }
}

static void
queue_wait_job(struct rp_queue *queue, const struct rp_queue_job *job)
{
    if (atomic_load(&job->is_finished))
        return;
    pthread_mutex_lock(&queue->mutex);
    atomic_store(&queue->is_waiting_for_job, true);
    while (!atomic_load(&job->is_finished))
        pthread_cond_wait(&queue->job_finished, &queue->mutex);
    atomic_store(&queue->is_waiting_for_job, false);
    pthread_mutex_unlock(&queue->mutex);
}

static void
queue_retire_first(struct rp_queue *queue)
{
    struct rp_queue_job *job = queue->first_job;

    queue->first_job = job->next;
    if (!queue->first_job)
        queue->last_job = &queue->first_job;
    job->retire(job);
    atomic_fetch_sub(&queue->unretired_job_count, 1);
    queue->retired_job_count++;
    rp_queue_signal_retired(queue);
}

void
rp_queue_retire_finished(struct rp_queue *queue)
{
    while (queue->first_job && atomic_load(&queue->first_job->is_finished))
        queue_retire_first(queue);
    if (atomic_load(&queue->overlapped_count))
        rp_queue_signal_retired(queue);
}

void
rp_queue_start_pending(struct rp_queue *queue)
{
    const bool has_pending = queue->pending_job;

    queue->pending_job = NULL;
    if (has_pending)
        rp_workers_start(queue->base.dev->workers);
}

void
rp_queue_wait_jobs(struct rp_queue *queue)
{
    rp_queue_start_pending(queue);
    while (queue->first_job) {
        queue_wait_job(queue, queue->first_job);
        queue_retire_first(queue);
    }
}

bool
rp_queue_try_lock_replay(struct rp_queue *queue)
{
    bool is_locked = false;
    return atomic_compare_exchange_strong(&queue->is_replay_locked, &is_locked, true);
}

void
rp_queue_unlock_replay(struct rp_queue *queue)
{
    for (;;) {
        const unsigned seen_count = atomic_load(&queue->progress_count);
        rp_queue_retire_finished(queue);
        atomic_store(&queue->is_replay_locked, false);
        if (atomic_load(&queue->progress_count) == seen_count)
            break;
        if (!rp_queue_try_lock_replay(queue))
            return;
    }
    /* A thread that is to replay, or to end, waits for the lock to be free. */
    if (atomic_load(&queue->listed_count) || atomic_load(&queue->is_ending)) {
        rp_sync_announce_change(queue->base.dev, queue);
        rp_sync_announce(queue->base.dev);
    }
}

bool
rp_queue_try_run_pending(struct rp_queue *queue)
{
    struct rp_workers *workers = queue->base.dev->workers;
    struct rp_queue_job *job = queue->pending_job;

    if (!job || atomic_load(&queue->listed_count) || atomic_load(&queue->is_replayer_at_job) ||
        !rp_workers_try_take(workers, &job->task))
        return false;
    queue->pending_job = NULL;
    atomic_store(&queue->is_replayer_at_job, true);
    rp_queue_unlock_replay(queue);
    job->run(job);
    rp_workers_leave(workers);
    atomic_store(&queue->is_replayer_at_job, false);
    rp_queue_end_job(queue, job);
    return true;
}

void
rp_queue_end_job(struct rp_queue *queue, struct rp_queue_job *job)
{
    atomic_store(&job->is_finished, true);
    atomic_fetch_add(&queue->progress_count, 1);
    if (atomic_load(&queue->is_waiting_for_job)) {
        pthread_mutex_lock(&queue->mutex);
        pthread_cond_broadcast(&queue->job_finished);
        pthread_mutex_unlock(&queue->mutex);
    }
    if (rp_queue_try_lock_replay(queue))
        rp_queue_unlock_replay(queue);
    else
        rp_sync_announce(queue->base.dev);
}

static bool
queue_wait_is_met(const void *ctx)
{
    const struct rp_queue_wait *wait = ctx;

    if (wait->job && atomic_load(&wait->job->is_finished))
        return true;
    if (atomic_load(&wait->queue->overlapped_count) &&
        atomic_load(&wait->queue->progress_count) != wait->seen_count)
        return true;
    return wait->is_met(wait->ctx);
}

/* Tells those that wait for the queue what it waits for. */
static void
queue_show_wait(struct rp_queue *queue, const struct rp_queue_wait *wait)
{
    pthread_mutex_lock(&queue->wait_mutex);
    queue->wait = wait;
    pthread_mutex_unlock(&queue->wait_mutex);
    if (wait)
        rp_sync_announce(queue->base.dev);
}

VkResult
rp_queue_wait(struct rp_queue *queue, rp_sync_predicate *is_met, const void *ctx,
              bool needs_polling, uint64_t until_ns)
{
    while (!is_met(ctx)) {
        rp_queue_start_pending(queue);
        const unsigned seen_count = atomic_load(&queue->progress_count);
        rp_queue_retire_finished(queue);
        const struct rp_queue_wait wait = {.queue = queue,
                                           .seen_count = seen_count,
                                           .job = queue->first_job,
                                           .is_met = is_met,
                                           .ctx = ctx};
        queue_show_wait(queue, &wait);
        const VkResult result =
            rp_sync_wait(queue->base.dev, queue_wait_is_met, &wait, needs_polling, until_ns);
        queue_show_wait(queue, NULL);
        if (result != VK_SUCCESS)
            return result;
    }
    rp_queue_retire_finished(queue);
    return VK_SUCCESS;
}

static void
job_run(struct rp_task *task)
{
    struct rp_queue_job *job = rp_container_of(task, struct rp_queue_job, task);

    struct rp_queue *queue = queue_from_host(job->host);
    job->run(job);
    rp_queue_end_job(queue, job);
}

static void
host_queue_job(struct rp_job_host *host, struct rp_queue_job *job)
{
    struct rp_queue *queue = queue_from_host(host);

    job->task = (struct rp_task){.run = job_run, .series = job->series};
    job->host = host;
    job->next = NULL;
    atomic_init(&job->is_finished, false);
    *queue->last_job = job;
    queue->last_job = &job->next;
    queue->queued_job_count++;
    atomic_fetch_add(&queue->unretired_job_count, 1);
    rp_workers_queue(queue->base.dev->workers, &job->task);
}

static void
host_start_job(struct rp_job_host *host, struct rp_queue_job *job, bool may_keep)
{
    struct rp_queue *queue = queue_from_host(host);

    rp_queue_start_pending(queue);
    queue->pending_job = job;
    if (!may_keep)
        rp_queue_start_pending(queue);
}

static void
host_wait_jobs(struct rp_job_host *host)
{
    rp_queue_wait_jobs(queue_from_host(host));
}

static bool
host_retire_job(struct rp_job_host *host)
{
    struct rp_queue *queue = queue_from_host(host);

    rp_queue_start_pending(queue);
    if (!queue->first_job)
        return false;
    queue_wait_job(queue, queue->first_job);
    rp_queue_retire_finished(queue);
    return true;
}

static VkResult
host_wait(struct rp_job_host *host, rp_sync_predicate *is_met, const void *ctx)
{
    struct rp_queue *queue = queue_from_host(host);

    rp_queue_start_pending(queue);
    return rp_queue_wait(queue, is_met, ctx, false, RP_WAIT_FOREVER);
}

const struct rp_job_host_ops rp_queue_job_host_ops = {
    .queue_job = host_queue_job,
    .start_job = host_start_job,
    .wait_jobs = host_wait_jobs,
    .retire_job = host_retire_job,
    .wait = host_wait,
};

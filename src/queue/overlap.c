/* SPDX-License-Identifier: MIT */
/* When pictures may begin, and when they may signal.
 */
#include "queue/overlap.h"

#include "object/device.h"
#include "object/video_session.h"
#include "queue/jobs.h"
#include "queue/queue.h"
#include "queue/submission.h"
#include "video/encode/engine.h"

/* How long a session may stand still before a submission goes out of order. */
#define STUCK_NS UINT64_C(20000000)

bool
rp_submission_may_begin(const struct rp_submission *sub)
{
    if (sub->encode_session == 0)
        return rp_submission_is_ready(sub);
    for (uint32_t i = 0; i < sub->wait_count; i++) {
        const struct rp_submission_sync *wait = &sub->waits[i];
        if (!rp_submission_sync_is_signalled(wait) &&
            !(wait->is_timeline &&
              rp_sync_is_pre_signalled(wait->sync, sub->encode_session, wait->value)))
            return false;
    }
    return true;
}

/* Binary semaphores were reset when they were waited for, and are never pre-signalled. */
bool
rp_submission_may_signal(const struct rp_submission *sub)
{
    for (uint32_t i = 0; sub->is_overlapped && i < sub->wait_count; i++) {
        if (sub->waits[i].is_timeline && !rp_submission_sync_is_signalled(&sub->waits[i]))
            return false;
    }
    return true;
}

void
rp_submission_pre_signal(const struct rp_submission *sub)
{
    for (uint32_t i = 0; sub->encode_session && i < sub->signal_count; i++) {
        const struct rp_submission_sync *signal = &sub->signals[i];
        if (signal->is_timeline)
            rp_sync_pre_signal(signal->sync, sub->encode_session, signal->value);
    }
}

struct begin_wait {
    const struct rp_queue *queue;
    const struct rp_submission *sub;
    bool goes_with_overlapped;
};

/* A semaphore wait also holds back all that comes later on the queue (Vulkan, "Semaphore Waiting"):
 * other work than pictures of the session must not pass an overlapped submission, whose waits are
 * not over. */
static bool
begin_wait_is_met(const void *ctx)
{
    const struct begin_wait *wait = ctx;

    return (wait->goes_with_overlapped || atomic_load(&wait->queue->overlapped_count) == 0) &&
           rp_submission_may_begin(wait->sub);
}

static bool
session_order_is_met(const void *ctx)
{
    const struct rp_submission *sub = ctx;

    return atomic_load(&sub->session->begun_count) >= sub->session_index;
}

/* FFmpeg's semaphores do not say whether an IDR picture begins before those submitted earlier. But
 * one of these may wait for this one: when nothing of the session goes on for a while, and no other
 * queue can, this one goes first. */
static VkResult
session_wait_order(struct rp_queue *queue, const struct rp_submission *sub)
{
    const struct rp_video_session *vs = sub->session;

    for (;;) {
        const uint64_t begun_count = atomic_load(&vs->begun_count);
        const bool was_busy = rp_video_encode_is_busy(vs->encode);
        const VkResult result =
            rp_queue_wait(queue, session_order_is_met, sub, false, rp_sync_deadline_ns(STUCK_NS));
        if (result != VK_TIMEOUT)
            return result;
        if (!was_busy && atomic_load(&vs->begun_count) == begun_count &&
            !rp_queue_others_can_go_on(queue))
            return VK_SUCCESS;
    }
}

VkResult
rp_queue_wait_begin(struct rp_queue *queue, struct rp_submission *sub)
{
    const struct begin_wait wait = {
        .queue = queue,
        .sub = sub,
        .goes_with_overlapped =
            sub->cb_count == 0 || sub->encode_session == queue->overlapped_session,
    };
    VkResult result = rp_queue_wait(queue, begin_wait_is_met, &wait,
                                    rp_submission_needs_polling(sub), RP_WAIT_FOREVER);
    if (result == VK_SUCCESS && sub->session)
        result = session_wait_order(queue, sub);
    if (result == VK_SUCCESS)
        sub->is_overlapped = sub->encode_session && !rp_submission_is_ready(sub);
    return result;
}

/* What sub signals stands for all before it on this queue, so only pictures of its session may be
 * under way there. */
static bool
queue_may_pre_signal(const struct rp_queue *queue, const struct rp_submission *sub)
{
    for (const struct rp_submission *other = queue->first_replayed; other; other = other->next) {
        if (other->cb_count && other->encode_session != sub->encode_session)
            return false;
    }
    return true;
}

static void
session_note_begun(const struct rp_submission *sub)
{
    uint_fast64_t count = atomic_load(&sub->session->begun_count);

    while (
        count <= sub->session_index &&
        !atomic_compare_exchange_weak(&sub->session->begun_count, &count, sub->session_index + 1))
        continue;
}

void
rp_queue_note_replayed(struct rp_queue *queue, const struct rp_submission *sub)
{
    if (sub->is_overlapped) {
        queue->overlapped_session = sub->encode_session;
        atomic_fetch_add(&queue->overlapped_count, 1);
    }
    if (queue_may_pre_signal(queue, sub))
        rp_submission_pre_signal(sub);
    session_note_begun(sub);
    rp_sync_announce(queue->base.dev);
}

void
rp_queue_wake_overlapped(struct rp_queue *queue)
{
    struct rp_device *dev = queue->base.dev;

    for (uint32_t i = 0; i < dev->queue_count; i++) {
        struct rp_queue *other = &dev->queues[i];
        if (other == queue || atomic_load(&other->overlapped_count) == 0)
            continue;
        atomic_fetch_add(&other->progress_count, 1);
        if (rp_queue_try_lock_replay(other))
            rp_queue_unlock_replay(other);
    }
}

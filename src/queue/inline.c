/* SPDX-License-Identifier: MIT */
/* Whether vkQueueSubmit may replay, and its replay.
 */
#include "queue/inline.h"

#include "object/device.h"
#include "platform/clock.h"
#include "platform/thread.h"
#include "queue/jobs.h"
#include "queue/queue.h"
#include "queue/submission.h"

/* How long vkQueueSubmit waits for a replayer that has done all and is about to unlock. */
#define MAX_UNLOCKING_NS UINT64_C(100000000)

bool
rp_submissions_are_short(const struct rp_submission *sub)
{
    while (sub && sub->is_short)
        sub = sub->next;
    return !sub;
}

/* A later submission of the list may wait for what an earlier one signals: then it is not ready,
 * and the thread sorts it out. */
static bool
submissions_are_ready(const struct rp_submission *sub)
{
    while (sub && rp_submission_is_ready(sub))
        sub = sub->next;
    return !sub;
}

static bool
submissions_never_wait_inside(const struct rp_submission *sub)
{
    while (sub && sub->never_waits_inside)
        sub = sub->next;
    return !sub;
}

/* Gets the replay lock when nothing is to be waited for but a replayer that has done all its work
 * and is about to unlock: an application goes on as soon as its fence is signalled. (GStreamer's
 * vulkanupload even uses its staging buffer again after vkQueueSubmit, before the copy.) Nobody but
 * vkQueueSubmit, which Vulkan serialises for each queue, makes an idle queue busy. */
static bool
queue_try_lock_idle(struct rp_queue *queue, const struct rp_submission *first)
{
    if (!submissions_are_ready(first))
        return false;
    uint64_t until_ns = 0;
    while (atomic_load(&queue->unfinished_count) == 0) {
        if (rp_queue_try_lock_replay(queue))
            return true;
        if (until_ns == 0)
            until_ns = rp_sync_deadline_ns(MAX_UNLOCKING_NS);
        else if (rp_clock_now_ns() >= until_ns)
            return false; /* a real-time thread may keep it from its processor */
        rp_thread_yield();
    }
    return false;
}

static void
queue_run_inline(struct rp_queue *queue, struct rp_submission *first)
{
    const uint64_t float_state = rp_float_state_enter();
    while (first) {
        struct rp_submission *sub = first;
        first = sub->next;
        rp_queue_count_in(queue);
        rp_submission_advance(sub, RP_SUBMISSION_WAITING);
        rp_queue_run(queue, sub);
    }
    if (!rp_queue_try_run_pending(queue)) {
        rp_queue_start_pending(queue);
        rp_queue_unlock_replay(queue);
    }
    rp_float_state_leave(float_state);
}

/* A wait for the last submission is a wait for all. */
static void
submissions_mark(struct rp_queue *queue, const struct rp_submission *sub)
{
    while (sub->next)
        sub = sub->next;
    for (uint32_t i = 0; i < sub->signal_count; i++)
        rp_inline_predictor_mark(&queue->inline_predictor, &sub->signals[i].sync->mark,
                                 sub->signals[i].value);
}

/* Long work runs here for a thread that would wait for it, and that does not hold submit_mutex,
 * behind which other threads would wait. */
static bool
queue_try_run_long_inline(struct rp_queue *queue, struct rp_submission *first)
{
    const bool is_alone = atomic_load(&queue->unsignalled_count) == 0;
    const bool is_awaited = rp_inline_predictor_begin(&queue->inline_predictor, is_alone);
    submissions_mark(queue, first);
    if (!is_awaited || !submissions_never_wait_inside(first) ||
        (queue->flags & VK_DEVICE_QUEUE_CREATE_INTERNALLY_SYNCHRONIZED_BIT_KHR) ||
        !queue_try_lock_idle(queue, first))
        return false;
    const uint64_t began_ns = rp_clock_now_ns();
    queue_run_inline(queue, first);
    rp_inline_predictor_end(&queue->inline_predictor, rp_clock_now_ns() - began_ns);
    return true;
}

bool
rp_queue_try_run_inline(struct rp_queue *queue, struct rp_submission *first, bool is_short)
{
    if (!is_short)
        return queue_try_run_long_inline(queue, first);
    if (!queue_try_lock_idle(queue, first))
        return false;
    queue_run_inline(queue, first);
    return true;
}

/* SPDX-License-Identifier: MIT */
/* Batches of work: memory and readiness.
 */
#include "queue/submission.h"

#include "util/alloc.h"

struct rp_submission *
rp_submission_create(uint32_t wait_limit, uint32_t cb_limit, uint32_t signal_limit)
{
    /* 32-bit counts of small things: the sum cannot wrap a 64-bit size. */
    const size_t size_B = sizeof(struct rp_submission) +
                          ((size_t)wait_limit + signal_limit) * sizeof(struct rp_submission_sync) +
                          (size_t)cb_limit * sizeof(struct rp_cmd_buffer *);
    struct rp_submission *sub =
        rp_alloc(NULL, size_B, _Alignof(struct rp_submission), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!sub)
        return NULL;

    *sub = (struct rp_submission){.waits = (struct rp_submission_sync *)(sub + 1)};
    sub->signals = sub->waits + wait_limit;
    sub->cbs = (struct rp_cmd_buffer **)(sub->signals + signal_limit);
    return sub;
}

void
rp_submission_destroy(struct rp_submission *sub)
{
    if (!sub)
        return;
    for (uint32_t i = 0; i < sub->wait_count; i++)
        rp_sync_unref(sub->waits[i].sync);
    for (uint32_t i = 0; i < sub->signal_count; i++)
        rp_sync_unref(sub->signals[i].sync);
    while (sub->absorbed) {
        struct rp_submission *other = sub->absorbed;
        sub->absorbed = other->next;
        rp_submission_destroy(other);
    }
    rp_free(NULL, sub->ticket);
    rp_free(NULL, sub);
}

static bool
wait_is_done(const struct rp_submission_sync *wait)
{
    const uint64_t now = rp_sync_value(wait->sync);
    return wait->is_timeline ? now >= wait->value : now != 0;
}

static bool
own_waits_are_done(const struct rp_submission *sub)
{
    for (uint32_t i = 0; i < sub->wait_count; i++) {
        if (!wait_is_done(&sub->waits[i]))
            return false;
    }
    return true;
}

bool
rp_submission_is_ready(const struct rp_submission *sub)
{
    for (const struct rp_submission *other = sub->absorbed; other; other = other->next) {
        if (!own_waits_are_done(other))
            return false;
    }
    return own_waits_are_done(sub);
}

bool
rp_submission_may_begin(const struct rp_submission *sub)
{
    if (sub->encode_session == 0)
        return rp_submission_is_ready(sub);
    for (uint32_t i = 0; i < sub->wait_count; i++) {
        const struct rp_submission_sync *wait = &sub->waits[i];
        if (!wait_is_done(wait) &&
            !(wait->is_timeline &&
              rp_sync_is_promised(wait->sync, sub->encode_session, wait->value)))
            return false;
    }
    return true;
}

/* Binary semaphores are reset since they were waited for, and never promised. */
bool
rp_submission_may_signal(const struct rp_submission *sub)
{
    for (uint32_t i = 0; sub->is_early && i < sub->wait_count; i++) {
        if (sub->waits[i].is_timeline && !wait_is_done(&sub->waits[i]))
            return false;
    }
    return true;
}

void
rp_submission_promise(const struct rp_submission *sub)
{
    for (uint32_t i = 0; sub->encode_session && i < sub->signal_count; i++) {
        const struct rp_submission_sync *signal = &sub->signals[i];
        if (signal->is_timeline)
            rp_sync_promise(signal->sync, sub->encode_session, signal->value);
    }
}

static bool
own_waits_need_polling(const struct rp_submission *sub)
{
    bool needs_polling = false;
    for (uint32_t i = 0; i < sub->wait_count; i++)
        needs_polling |= rp_sync_needs_polling(sub->waits[i].sync);
    return needs_polling;
}

bool
rp_submission_needs_polling(const struct rp_submission *sub)
{
    bool needs_polling = own_waits_need_polling(sub);
    for (const struct rp_submission *other = sub->absorbed; other; other = other->next)
        needs_polling |= own_waits_need_polling(other);
    return needs_polling;
}

void
rp_submission_reset_waits(const struct rp_submission *sub)
{
    for (uint32_t i = 0; i < sub->wait_count; i++) {
        if (!sub->waits[i].is_timeline)
            rp_sync_reset(sub->waits[i].sync);
    }
    for (const struct rp_submission *other = sub->absorbed; other; other = other->next)
        rp_submission_reset_waits(other); /* absorbed ones have absorbed nothing */
}

void
rp_submission_signal(const struct rp_submission *sub)
{
    for (uint32_t i = 0; i < sub->signal_count; i++)
        rp_sync_raise(sub->signals[i].sync, sub->signals[i].value);
    for (const struct rp_submission *other = sub->absorbed; other; other = other->next)
        rp_submission_signal(other);
}

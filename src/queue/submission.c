/* SPDX-License-Identifier: MIT */
/* Memory, states and semaphores of submissions.
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
    while (sub->merged) {
        struct rp_submission *other = sub->merged;
        sub->merged = other->next;
        rp_submission_destroy(other);
    }
    rp_free(NULL, sub);
}

bool
rp_submission_may_advance(const struct rp_submission *sub, enum rp_submission_state state)
{
    static const uint8_t from[] = {
        [RP_SUBMISSION_LISTED] = 1u << RP_SUBMISSION_NEW,
        [RP_SUBMISSION_WAITING] = 1u << RP_SUBMISSION_LISTED | 1u << RP_SUBMISSION_NEW,
        [RP_SUBMISSION_BEGUN] = 1u << RP_SUBMISSION_WAITING,
        [RP_SUBMISSION_REPLAYED] = 1u << RP_SUBMISSION_BEGUN,
        [RP_SUBMISSION_RETIRED] = 1u << RP_SUBMISSION_REPLAYED,
        [RP_SUBMISSION_SIGNALLED] = 1u << RP_SUBMISSION_RETIRED | 1u << RP_SUBMISSION_MERGED,
        [RP_SUBMISSION_MERGED] = 1u << RP_SUBMISSION_NEW,
    };
    return from[state] & 1u << sub->state;
}

bool
rp_submission_sync_is_signalled(const struct rp_submission_sync *wait)
{
    const uint64_t now = rp_sync_value(wait->sync);
    return wait->is_timeline ? now >= wait->value : now != 0;
}

static bool
own_waits_are_signalled(const struct rp_submission *sub)
{
    for (uint32_t i = 0; i < sub->wait_count; i++) {
        if (!rp_submission_sync_is_signalled(&sub->waits[i]))
            return false;
    }
    return true;
}

bool
rp_submission_is_ready(const struct rp_submission *sub)
{
    for (const struct rp_submission *other = sub->merged; other; other = other->next) {
        if (!own_waits_are_signalled(other))
            return false;
    }
    return own_waits_are_signalled(sub);
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
    for (const struct rp_submission *other = sub->merged; other; other = other->next)
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
    for (const struct rp_submission *other = sub->merged; other; other = other->next)
        rp_submission_reset_waits(other); /* nothing is merged into merged ones */
}

void
rp_submission_signal(struct rp_device *dev, struct rp_submission *sub)
{
    rp_submission_advance(sub, RP_SUBMISSION_SIGNALLED);
    for (uint32_t i = 0; i < sub->signal_count; i++) {
        rp_sync_raise(sub->signals[i].sync, sub->signals[i].value);
        rp_sync_announce_change(dev, sub->signals[i].sync);
    }
    for (struct rp_submission *other = sub->merged; other; other = other->next)
        rp_submission_signal(dev, other);
}

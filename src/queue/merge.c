/* SPDX-License-Identifier: MIT */
/* The device's list of deferred submissions. src/quirks/ decides, this file follows.
 */
#include "queue/merge.h"

#include "cmd/cmd_buffer.h"
#include "cmd/decode_survey.h"
#include "object/device.h"
#include "queue/capture.h"
#include "queue/jobs.h"
#include "queue/queue.h"
#include "queue/submission.h"
#include "util/log.h"

static uint64_t
submission_id(const struct rp_submission *sub)
{
    return sub->sequence + 1; /* ids are never 0 */
}

static struct rp_submission *
deferred_find(const struct rp_device *dev, uint64_t id)
{
    struct rp_submission *sub = dev->first_deferred;
    while (sub && submission_id(sub) != id)
        sub = sub->next_deferred;
    return sub;
}

static void
defer(struct rp_device *dev, struct rp_submission *sub)
{
    struct rp_submission **link = &dev->first_deferred;
    while (*link)
        link = &(*link)->next_deferred;
    *link = sub;
    sub->deferred_until_ns = rp_sync_deadline_ns(dev->quirks->deferral_ns);
}

static void
release(struct rp_device *dev, struct rp_submission *sub)
{
    struct rp_submission **link = &dev->first_deferred;
    while (*link != sub)
        link = &(*link)->next_deferred;
    *link = sub->next_deferred;
    atomic_store(&sub->is_released, true);
}

static void
release_complete(struct rp_device *dev)
{
    uint64_t id;
    while ((id = dev->quirks->ops->take_complete(dev->quirks))) {
        struct rp_submission *sub = deferred_find(dev, id);
        if (sub)
            release(dev, sub);
    }
}

static bool
signals(const struct rp_submission *sub, const struct rp_submission_sync *wait)
{
    for (uint32_t i = 0; i < sub->signal_count; i++) {
        if (sub->signals[i].sync == wait->sync && sub->signals[i].value <= wait->value)
            return true;
    }
    return false;
}

/* Something deferred will signal the same timeline, after what waits for it: either the very value,
 * or one on the way to it, for others between them that wait for the deferred one in turn. */
static bool
is_waiting_for_deferred(const struct rp_device *dev, const struct rp_submission_sync *wait)
{
    if (!wait->is_timeline || rp_sync_value(wait->sync) >= wait->value)
        return false;
    for (const struct rp_submission *sub = dev->first_deferred; sub; sub = sub->next_deferred) {
        if (signals(sub, wait))
            return true;
        for (const struct rp_submission *other = sub->merged; other; other = other->next) {
            if (signals(other, wait))
                return true;
        }
    }
    return false;
}

static void
waits_drop(const struct rp_device *dev, struct rp_submission *sub)
{
    for (uint32_t i = 0; i < sub->wait_count; i++) {
        if (!is_waiting_for_deferred(dev, &sub->waits[i]))
            continue;
        rp_sync_unref(sub->waits[i].sync);
        sub->waits[i--] = sub->waits[--sub->wait_count];
    }
}

/* Takes the place of sub in its queue: waits for a signal that sub gets. NULL when memory is
 * short. */
static struct rp_submission *
placeholder_create(struct rp_submission *sub)
{
    struct rp_submission *placeholder = rp_submission_create(1, 0, 0);
    struct rp_sync *done = placeholder ? rp_sync_create(0) : NULL;
    if (!done) {
        rp_submission_destroy(placeholder);
        return NULL;
    }
    const struct rp_submission_sync end = {.sync = done, .value = 1, .is_timeline = true};
    placeholder->waits[placeholder->wait_count++] = end;
    sub->signals[sub->signal_count++] = end;
    rp_sync_ref(done);
    return placeholder;
}

/* The list of host gets sub, before the one with the id. */
static void
merged_insert(struct rp_submission *host, struct rp_submission *sub, uint64_t before_id)
{
    struct rp_submission **link = &host->merged;
    while (*link && submission_id(*link) != before_id)
        link = &(*link)->next;
    sub->next = *link;
    *link = sub;
}

/* Returns the placeholder of sub; or sub, unmerged, when memory is short. */
static struct rp_submission *
merge(struct rp_device *dev, const struct rp_quirk_submission *found, struct rp_submission *sub)
{
    struct rp_submission *next = sub->next;
    struct rp_submission *host = deferred_find(dev, found->merge_into_id);
    struct rp_submission *placeholder = host ? placeholder_create(sub) : NULL;
    if (!placeholder)
        return sub;
    if (!dev->quirks->ops->note_merged(dev->quirks, found)) {
        rp_submission_destroy(placeholder); /* the signal that sub got for it is seen by nobody */
        return sub;
    }
    waits_drop(dev, sub);
    rp_submission_advance(sub, RP_SUBMISSION_MERGED);
    merged_insert(host, sub, found->merge_before_id);
    placeholder->next = next;
    return placeholder;
}

struct survey {
    struct rp_quirks *quirks;
    struct rp_quirk_submission found;
};

static void
survey_picture(void *ctx, struct rp_video_session *session, const struct rp_quirk_decode *decode)
{
    struct survey *survey = ctx;

    (void)session;
    survey->quirks->ops->submit_picture(survey->quirks, &survey->found, decode);
}

/* Returns what goes into the queue's list in the place of sub. */
static struct rp_submission *
admit(struct rp_device *dev, struct rp_submission *sub)
{
    struct rp_quirks *quirks = dev->quirks;
    struct survey survey = {
        .quirks = quirks,
        .found = {.id = submission_id(sub), .is_decode = true},
    };
    for (uint32_t i = 0; i < sub->cb_count; i++) {
        struct rp_decode_survey run = {.visit = survey_picture, .ctx = &survey};
        rp_decode_survey_run(&run, sub->cbs[i]);
    }
    quirks->ops->submit_end(quirks, &survey.found);
    struct rp_submission *in_list = sub;
    if (survey.found.merge_into_id)
        in_list = merge(dev, &survey.found, sub);
    if (in_list == sub && survey.found.missing_count &&
        quirks->ops->note_deferred(quirks, &survey.found))
        defer(dev, sub);
    release_complete(dev);
    return in_list;
}

static bool
has_decode(const struct rp_submission *sub)
{
    for (uint32_t i = 0; i < sub->cb_count; i++) {
        if (sub->cbs[i]->has_decode)
            return true;
    }
    return false;
}

void
rp_merge_admit(struct rp_device *dev, struct rp_submission **first)
{
    struct rp_quirks *quirks = dev->quirks;
    if (RP_LIKELY(!quirks))
        return;
    for (struct rp_submission **link = first; *link; link = &(*link)->next) {
        if (!has_decode(*link)) {
            quirks->ops->submit_end(quirks,
                                    &(struct rp_quirk_submission){.id = submission_id(*link)});
            continue;
        }
        pthread_mutex_lock(&dev->merge_mutex);
        *link = admit(dev, *link);
        pthread_mutex_unlock(&dev->merge_mutex);
    }
}

static bool
is_released(const void *ctx)
{
    return atomic_load(&((const struct rp_submission *)ctx)->is_released);
}

void
rp_merge_wait_released(struct rp_device *dev, struct rp_submission *sub)
{
    if (RP_LIKELY(!sub->deferred_until_ns))
        return;

    const VkResult result = rp_sync_wait(dev, is_released, sub, false, sub->deferred_until_ns);
    pthread_mutex_lock(&dev->merge_mutex);
    if (!is_released(sub)) {
        release(dev, sub);
        if (result == VK_TIMEOUT)
            rp_log(RP_LOG_WARNING, "a picture's reference was never submitted");
        dev->quirks->ops->forget_deferred(dev->quirks, submission_id(sub), result == VK_TIMEOUT);
    }
    pthread_mutex_unlock(&dev->merge_mutex);
}

static bool
is_ready(const void *ctx)
{
    return rp_submission_is_ready(ctx);
}

/* Waits until sub and all that is merged into it are ready. But what any of them waits for may be
 * in a queue behind sub or a placeholder: VK_TIMEOUT after a while, and the merged ones do
 * without. */
static VkResult
wait_ready(struct rp_device *dev, struct rp_submission *sub)
{
    const VkResult result = rp_sync_wait(dev, is_ready, sub, rp_submission_needs_polling(sub),
                                         rp_sync_deadline_ns(dev->quirks->deferral_ns));
    if (result != VK_TIMEOUT)
        return result;
    rp_log(RP_LOG_WARNING, "a picture's reference waits for what comes after the picture");
    for (struct rp_submission *other = sub->merged; other; other = other->next) {
        rp_submission_reset_waits(other);
        while (other->wait_count)
            rp_sync_unref(other->waits[--other->wait_count].sync);
    }
    return VK_TIMEOUT;
}

VkResult
rp_merge_replay(struct rp_queue *queue, const struct rp_submission *sub)
{
    VkResult result = VK_SUCCESS;
    for (const struct rp_submission *other = sub->merged; other && result == VK_SUCCESS;
         other = other->next)
        result = rp_queue_replay_cbs(queue, other, false);
    return result;
}

/* Replays and signals what is merged into sub before sub itself: the placeholders may be in the way
 * of what sub waits for. */
static VkResult
run_merged(struct rp_queue *queue, struct rp_submission *sub)
{
    struct rp_device *dev = queue->base.dev;
    rp_dma_bufs_begin_access(&dev->dma_bufs);
    const bool is_captured =
        RP_UNLIKELY(dev->capture) && rp_queue_capture_begin(queue, sub->merged, NULL);
    const VkResult result = rp_merge_replay(queue, sub);
    if (is_captured)
        rp_queue_capture_end(queue, result == VK_SUCCESS);
    rp_queue_wait_jobs(queue);
    rp_dma_bufs_end_access(&dev->dma_bufs);
    while (sub->merged && result == VK_SUCCESS) {
        struct rp_submission *other = sub->merged;
        sub->merged = other->next;
        rp_submission_signal(dev, other);
        rp_submission_destroy(other);
    }
    rp_sync_announce(dev);
    return result;
}

VkResult
rp_merge_wait_ready(struct rp_queue *queue, struct rp_submission *sub)
{
    if (RP_LIKELY(!sub->merged))
        return VK_SUCCESS;
    const VkResult result = wait_ready(queue->base.dev, sub);
    return result == VK_TIMEOUT ? run_merged(queue, sub) : result;
}

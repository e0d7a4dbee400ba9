/* SPDX-License-Identifier: MIT */
/* The device's list of parked submissions. Its mutex guards the list, what is merged by those in
 * it, what they miss, and the order of each decode session.
 */
#include "queue/merge.h"

#include "cmd/cmd_buffer.h"
#include "cmd/decode_survey.h"
#include "object/device.h"
#include "object/video_session.h"
#include "queue/jobs.h"
#include "queue/queue.h"
#include "queue/submission.h"
#include "util/alloc.h"
#include "util/log.h"

/* Longer than a thread that is about to submit is kept from it. A reference that was lost costs
 * this time once; a session in which it was in vain too often does not park any more. */
#define PATIENCE_NS UINT64_C(100000000)
#define MAX_IN_VAIN 3

struct missing {
    struct rp_video_session *session;
    struct rp_decode_identity identity;
};

struct rp_parking_ticket {
    struct rp_submission *next; /* in the device's list */
    uint64_t until_ns;
    atomic_bool is_over;
    uint32_t missing_count;
    struct missing missing[RP_DECODE_MAX_REFERENCES];
};

/* What one submission makes and misses. */
struct survey {
    struct rp_submission *first_deferred;
    struct rp_submission *host;   /* the oldest one that waits for it, or NULL */
    struct rp_submission **place; /* where it goes among what the host has merged */
    uint32_t missing_count;
    struct missing missing[RP_DECODE_MAX_REFERENCES];
};

static bool
ticket_take(struct rp_parking_ticket *ticket, const struct rp_video_session *session,
            const struct rp_decode_identity *made)
{
    bool is_any = false;
    for (uint32_t i = 0; ticket && i < ticket->missing_count; i++) {
        struct missing *missing = &ticket->missing[i];
        if (missing->session != session || !rp_decode_identity_take(&missing->identity, made))
            continue;
        is_any = true;
        if (missing->identity.fields == 0)
            ticket->missing[i--] = ticket->missing[--ticket->missing_count];
    }
    return is_any;
}

/* Tells a parked submission, and those it has merged, of a picture. The place is before the first
 * that waited for it. */
static struct rp_submission **
parked_take(struct rp_submission *parked, const struct rp_video_session *session,
            const struct rp_decode_identity *made)
{
    struct rp_submission **place = NULL;
    struct rp_submission **link = &parked->merged;
    for (; *link; link = &(*link)->next) {
        if (ticket_take((*link)->ticket, session, made) && !place)
            place = link;
    }
    if (ticket_take(parked->ticket, session, made) && !place)
        place = link;
    return place;
}

static void
survey_miss(struct survey *survey, struct rp_video_session *session,
            const struct rp_decode_identity *ref)
{
    if (ref->key.image_id && !rp_decode_order_has(&session->order, ref) &&
        survey->missing_count < RP_DECODE_MAX_REFERENCES)
        survey->missing[survey->missing_count++] = (struct missing){session, *ref};
}

static void
survey_picture(void *ctx, const struct rp_surveyed_decode *decode)
{
    struct survey *survey = ctx;
    struct rp_decode_order *order = &decode->session->order;

    rp_decode_turns_picture_begin(&decode->session->base.dev->decode_turns);
    for (uint32_t i = 0; i < decode->ref_count && order->in_vain_count < MAX_IN_VAIN; i++)
        survey_miss(survey, decode->session, &decode->refs[i]);
    if (!decode->picture.key.image_id)
        return;
    rp_decode_order_add(order, &decode->picture);
    rp_decode_turns_submit(&decode->session->base.dev->decode_turns, decode->picture.key.image_id,
                           decode->picture.fields);
    for (struct rp_submission *parked = survey->first_deferred; parked;
         parked = parked->ticket->next) {
        struct rp_submission **place = parked_take(parked, decode->session, &decode->picture);
        if (!place)
            continue;
        order->in_vain_count = 0;
        order->is_disorderly = true;
        if (!survey->host) {
            survey->host = parked;
            survey->place = place;
        }
    }
}

static struct rp_parking_ticket *
ticket_create(const struct survey *survey)
{
    struct rp_parking_ticket *ticket =
        rp_alloc(NULL, sizeof(*ticket), _Alignof(struct rp_parking_ticket),
                 VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!ticket)
        return NULL;
    *ticket = (struct rp_parking_ticket){
        .until_ns = rp_sync_now_ns() + PATIENCE_NS,
        .missing_count = survey->missing_count,
    };
    atomic_init(&ticket->is_over, false);
    for (uint32_t i = 0; i < survey->missing_count; i++)
        ticket->missing[i] = survey->missing[i];
    return ticket;
}

static void
park(struct rp_device *dev, struct rp_submission *sub)
{
    struct rp_submission **link = &dev->first_deferred;
    while (*link)
        link = &(*link)->ticket->next;
    *link = sub;
}

static void
release(struct rp_device *dev, struct rp_submission *sub)
{
    struct rp_submission **link = &dev->first_deferred;
    while (*link != sub)
        link = &(*link)->ticket->next;
    *link = sub->ticket->next;
    atomic_store(&sub->ticket->is_over, true);
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

/* Something parked will signal the same timeline, after what waits for it: either the very value,
 * or one on the way to it, for others between them that wait for the parked one in turn. */
static bool
is_waiting_for_parked(const struct rp_device *dev, const struct rp_submission_sync *wait)
{
    if (!wait->is_timeline || rp_sync_value(wait->sync) >= wait->value)
        return false;
    for (const struct rp_submission *sub = dev->first_deferred; sub; sub = sub->ticket->next) {
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
        if (!is_waiting_for_parked(dev, &sub->waits[i]))
            continue;
        rp_sync_unref(sub->waits[i].sync);
        sub->waits[i--] = sub->waits[--sub->wait_count];
    }
}

/* Takes its place in the queue: waits for a signal that sub gets. NULL when memory is short. */
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

static bool
is_complete(const struct rp_submission *parked)
{
    uint32_t missing_count = parked->ticket->missing_count;
    for (const struct rp_submission *sub = parked->merged; sub; sub = sub->next)
        missing_count += sub->ticket ? sub->ticket->missing_count : 0;
    return missing_count == 0;
}

static void
release_complete(struct rp_device *dev)
{
    struct rp_submission *next;
    for (struct rp_submission *sub = dev->first_deferred; sub; sub = next) {
        next = sub->ticket->next;
        if (is_complete(sub))
            release(dev, sub);
    }
}

/* sub goes to those that survey->host has merged. */
static struct rp_submission *
merge(struct rp_device *dev, const struct survey *survey, struct rp_submission *sub)
{
    struct rp_submission *next = sub->next;
    struct rp_submission *placeholder = placeholder_create(sub);
    if (!placeholder)
        return sub;
    waits_drop(dev, sub);
    rp_submission_advance(sub, RP_SUBMISSION_MERGED);
    sub->next = *survey->place;
    *survey->place = sub;
    placeholder->next = next;
    return placeholder;
}

static void
end_other_turns(struct rp_device *dev, const struct survey *survey)
{
    uint64_t missing_ids[RP_DECODE_MAX_REFERENCES];
    for (uint32_t i = 0; i < survey->missing_count; i++)
        missing_ids[i] = survey->missing[i].identity.key.image_id;
    rp_decode_turns_end_others(&dev->decode_turns, missing_ids, survey->missing_count);
}

/* Returns what goes into the queue's list in its place. */
static struct rp_submission *
admit(struct rp_device *dev, struct rp_submission *sub)
{
    struct survey survey = {.first_deferred = dev->first_deferred};
    for (uint32_t i = 0; i < sub->cb_count; i++) {
        struct rp_decode_survey run = {.visit = survey_picture, .ctx = &survey};
        rp_decode_survey_run(&run, sub->cbs[i]);
    }
    end_other_turns(dev, &survey);
    if (survey.missing_count)
        sub->ticket = ticket_create(&survey);
    struct rp_submission *in_list = survey.host ? merge(dev, &survey, sub) : sub;
    if (sub->ticket && in_list == sub)
        park(dev, sub);
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
    if (RP_LIKELY(!rp_device_has_unruly_decoder(dev)))
        return;
    for (struct rp_submission **link = first; *link; link = &(*link)->next) {
        if (!has_decode(*link)) {
            rp_decode_turns_end_others(&dev->decode_turns, NULL, 0);
            continue;
        }
        pthread_mutex_lock(&dev->merge_mutex);
        *link = admit(dev, *link);
        pthread_mutex_unlock(&dev->merge_mutex);
    }
}

static bool
ticket_is_over(const void *ctx)
{
    return atomic_load(&((const struct rp_parking_ticket *)ctx)->is_over);
}

/* From now on the reference is what the image has. */
static void
give_up(const struct rp_parking_ticket *ticket)
{
    for (uint32_t i = 0; ticket && i < ticket->missing_count; i++) {
        struct rp_decode_order *order = &ticket->missing[i].session->order;
        rp_decode_order_add(order, &ticket->missing[i].identity);
        order->in_vain_count += i == 0;
    }
}

static void
give_up_all(const struct rp_submission *sub)
{
    rp_log(RP_LOG_WARNING, "a picture's reference was never submitted");
    give_up(sub->ticket);
    for (const struct rp_submission *other = sub->merged; other; other = other->next)
        give_up(other->ticket);
}

/* Of a lost device: the sessions may be gone. */
void
rp_merge_wait_released(struct rp_device *dev, struct rp_submission *sub)
{
    if (RP_LIKELY(!sub->ticket))
        return;

    const VkResult result =
        rp_sync_wait(dev, ticket_is_over, sub->ticket, false, sub->ticket->until_ns);
    pthread_mutex_lock(&dev->merge_mutex);
    if (!ticket_is_over(sub->ticket)) {
        release(dev, sub);
        if (result == VK_TIMEOUT)
            give_up_all(sub);
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
                                         rp_sync_now_ns() + PATIENCE_NS);
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
    const VkResult result = rp_merge_replay(queue, sub);
    rp_queue_wait_jobs(queue);
    rp_dma_bufs_end_access(&dev->dma_bufs);
    while (sub->merged && result == VK_SUCCESS) {
        struct rp_submission *other = sub->merged;
        sub->merged = other->next;
        rp_submission_signal(other);
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

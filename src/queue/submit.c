/* SPDX-License-Identifier: MIT */
/* vkQueueSubmit2 and vkQueueSubmit: the application's batches become submissions.
 *
 * All of a call's submissions are made before the first is handed over: a call that fails has
 * submitted nothing.
 */
#include "cmd/cmd_buffer.h"
#include "cmd/decode_survey.h"
#include "object/device.h"
#include "object/fence.h"
#include "object/semaphore.h"
#include "object/video_session.h"
#include "queue/queue.h"
#include "queue/submission.h"
#include "util/checked.h"
#include "util/log.h"
#include "util/pnext.h"
#include "video/decode/engine.h"

#include "rp_entrypoints.h"

/* Waking the queue's thread, and then who waits, takes 0.1 ms in a virtual machine and several on a
 * busy one: a copy of one 1080p picture, RGBA too, is made at once. */
#define SHORT_COST_NS UINT64_C(600000)

struct submission_list {
    struct rp_submission *first;
    struct rp_submission **last;
};

static void
list_append(struct submission_list *list, struct rp_submission *sub)
{
    *list->last = sub;
    list->last = &sub->next;
}

static void
list_destroy(struct submission_list *list)
{
    while (list->first) {
        struct rp_submission *sub = list->first;
        list->first = sub->next;
        rp_submission_destroy(sub);
    }
}

/* A wait for a semaphore that was destroyed is met, as in vkWaitSemaphores. */
static void
submission_add_wait(struct rp_submission *sub, VkSemaphore handle, uint64_t value)
{
    struct rp_semaphore *sem = rp_semaphore_from_handle(handle);

    if (!rp_semaphore_sync(sem))
        return;
    sub->waits[sub->wait_count++] = (struct rp_submission_sync){
        .sync = rp_semaphore_take(sem),
        .value = value,
        .is_timeline = sem->type == VK_SEMAPHORE_TYPE_TIMELINE,
    };
}

/* A signal of a semaphore that was destroyed has nobody to reach. */
static void
submission_add_signal(struct rp_submission *sub, VkSemaphore handle, uint64_t value)
{
    struct rp_semaphore *sem = rp_semaphore_from_handle(handle);

    if (!rp_semaphore_sync(sem))
        return;
    const bool is_timeline = sem->type == VK_SEMAPHORE_TYPE_TIMELINE;

    sub->signals[sub->signal_count++] = (struct rp_submission_sync){
        .sync = rp_sync_ref(rp_semaphore_sync(sem)),
        .value = is_timeline ? value : 1,
        .is_timeline = is_timeline,
    };
}

static void
submission_add_fence(struct rp_submission *sub, struct rp_fence *fence)
{
    sub->signals[sub->signal_count++] =
        (struct rp_submission_sync){.sync = rp_sync_ref(rp_fence_sync(fence)), .value = 1};
}

static void
submission_add_cb(struct rp_submission *sub, VkCommandBuffer handle)
{
    sub->cbs[sub->cb_count++] = rp_cmd_buffer_from_handle(handle);
}

static void
submission_estimate(struct rp_submission *sub)
{
    uint64_t cost_ns = 0;
    bool is_known = true;
    sub->never_waits_inside = true;
    for (uint32_t i = 0; i < sub->cb_count; i++) {
        is_known &= rp_add_u64(cost_ns, sub->cbs[i]->cost_ns, &cost_ns);
        sub->reads_host_memory |= sub->cbs[i]->reads_host_memory;
        sub->never_waits_inside &= !sub->cbs[i]->waits_for_others && !sub->cbs[i]->has_decode;
    }
    sub->is_short = is_known && cost_ns <= SHORT_COST_NS;
}

/* The first session that it encodes with, and whether that is all it does. */
static void
submission_find_session(struct rp_submission *sub)
{
    bool has_more = false;

    for (uint32_t i = 0; i < sub->cb_count; i++) {
        const struct rp_cmd_buffer *cb = sub->cbs[i];
        if (!sub->session)
            sub->session = cb->encode_session;
        has_more |= cb->has_more_than_pictures || cb->encode_session != sub->session;
    }
    if (!sub->session)
        return;
    sub->encode_session = has_more ? 0 : sub->session->overlap_id;
    sub->session_index = atomic_fetch_add(&sub->session->submitted_count, 1);
}

static struct rp_submission *
submission_begin(struct submission_list *list, uint32_t wait_count, uint32_t cb_count,
                 uint32_t signal_count)
{
    struct rp_submission *sub =
        rp_submission_create(wait_count, cb_count, signal_count + 2 /* fence, placeholder */);
    if (sub)
        list_append(list, sub);
    return sub;
}

static void
picture_expect(void *ctx, struct rp_video_session *session, const struct rp_quirk_decode *decode)
{
    const struct rp_submission *sub = ctx;
    if (session->decode)
        rp_video_decode_expect(session->decode, &decode->picture, sub->sequence);
}

/* Before any later submission can be seen. */
static void
submission_expect_pictures(struct rp_submission *sub)
{
    for (uint32_t i = 0; i < sub->cb_count; i++) {
        struct rp_decode_survey run = {.visit = picture_expect, .ctx = sub};
        rp_decode_survey_run(&run, sub->cbs[i]);
    }
}

/* The fence goes to the last batch, or to an empty one of its own. */
static VkResult
queue_hand_over(struct rp_queue *queue, struct submission_list *list, VkFence fence)
{
    if (fence && !list->first && !submission_begin(list, 0, 0, 0))
        return rp_error(queue, VK_ERROR_OUT_OF_HOST_MEMORY);
    if (!list->first)
        return VK_SUCCESS;
    for (struct rp_submission *sub = list->first; sub; sub = sub->next) {
        submission_estimate(sub);
        submission_find_session(sub);
        sub->sequence = atomic_fetch_add(&queue->base.dev->next_sequence, 1);
        submission_expect_pictures(sub);
        if (fence && !sub->next)
            submission_add_fence(sub, rp_fence_from_handle(fence));
    }
    return rp_queue_enqueue(queue, list->first);
}

static void
submission_fill2(struct rp_submission *sub, const VkSubmitInfo2 *info)
{
    for (uint32_t i = 0; i < info->waitSemaphoreInfoCount; i++) {
        const VkSemaphoreSubmitInfo *wait = &info->pWaitSemaphoreInfos[i];
        submission_add_wait(sub, wait->semaphore, wait->value);
    }
    for (uint32_t i = 0; i < info->commandBufferInfoCount; i++)
        submission_add_cb(sub, info->pCommandBufferInfos[i].commandBuffer);
    for (uint32_t i = 0; i < info->signalSemaphoreInfoCount; i++) {
        const VkSemaphoreSubmitInfo *signal = &info->pSignalSemaphoreInfos[i];
        submission_add_signal(sub, signal->semaphore, signal->value);
    }
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_QueueSubmit2(VkQueue handle, uint32_t count, const VkSubmitInfo2 *infos, VkFence fence)
{
    struct rp_queue *queue = rp_queue_from_handle(handle);
    struct submission_list list = {.last = &list.first};

    if (rp_device_is_lost(queue->base.dev))
        return VK_ERROR_DEVICE_LOST;
    for (uint32_t i = 0; i < count; i++) {
        if (!submission_begin(&list, infos[i].waitSemaphoreInfoCount,
                              infos[i].commandBufferInfoCount, infos[i].signalSemaphoreInfoCount)) {
            list_destroy(&list);
            return rp_error(queue, VK_ERROR_OUT_OF_HOST_MEMORY);
        }
    }
    struct rp_submission *sub = list.first;
    for (uint32_t i = 0; i < count; i++, sub = sub->next)
        submission_fill2(sub, &infos[i]);
    return queue_hand_over(queue, &list, fence);
}

static void
submission_fill1(struct rp_submission *sub, const VkSubmitInfo *info)
{
    const VkTimelineSemaphoreSubmitInfo *values =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
    const uint32_t wait_value_count = values ? values->waitSemaphoreValueCount : 0;
    const uint32_t signal_value_count = values ? values->signalSemaphoreValueCount : 0;

    for (uint32_t i = 0; i < info->waitSemaphoreCount; i++) {
        submission_add_wait(sub, info->pWaitSemaphores[i],
                            i < wait_value_count ? values->pWaitSemaphoreValues[i] : 0);
    }
    for (uint32_t i = 0; i < info->commandBufferCount; i++)
        submission_add_cb(sub, info->pCommandBuffers[i]);
    for (uint32_t i = 0; i < info->signalSemaphoreCount; i++) {
        submission_add_signal(sub, info->pSignalSemaphores[i],
                              i < signal_value_count ? values->pSignalSemaphoreValues[i] : 0);
    }
}

/* By hand and not through vkQueueSubmit2: the arrays would have to be built first. */
VKAPI_ATTR VkResult VKAPI_CALL
rp_QueueSubmit(VkQueue handle, uint32_t count, const VkSubmitInfo *infos, VkFence fence)
{
    struct rp_queue *queue = rp_queue_from_handle(handle);
    struct submission_list list = {.last = &list.first};

    if (rp_device_is_lost(queue->base.dev))
        return VK_ERROR_DEVICE_LOST;
    for (uint32_t i = 0; i < count; i++) {
        if (!submission_begin(&list, infos[i].waitSemaphoreCount, infos[i].commandBufferCount,
                              infos[i].signalSemaphoreCount)) {
            list_destroy(&list);
            return rp_error(queue, VK_ERROR_OUT_OF_HOST_MEMORY);
        }
    }
    struct rp_submission *sub = list.first;
    for (uint32_t i = 0; i < count; i++, sub = sub->next)
        submission_fill1(sub, &infos[i]);
    return queue_hand_over(queue, &list, fence);
}

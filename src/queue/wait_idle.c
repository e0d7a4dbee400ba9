/* SPDX-License-Identifier: MIT */
/* Waiting for a queue, or all of them, to be idle; and whether those of a lost device are at rest.
 *
 * vkQueueWaitIdle also waits for what other queues have to do and can do: Vulkan-Video-Samples'
 * decoder waits for its decode queue alone and then frees images that its filter, on a compute
 * queue, has still to read. A GPU has always done with them by then. What another queue cannot do
 * yet, because a semaphore or event is missing, is not waited for.
 */
#include "object/device.h"
#include "object/device_lost.h"
#include "queue/queue.h"
#include "util/compiler.h"

#include "rp_entrypoints.h"

#define QUEUE_LIMIT 32 /* more than all families have; later ones would not be waited for */

struct idle_wait {
    const struct rp_queue *queue; /* to be idle */
    struct rp_device *dev;
    uint32_t done_counts[QUEUE_LIMIT]; /* of listed submissions, that the others shall reach */
};

static bool
queue_is_idle(const struct rp_queue *queue)
{
    return atomic_load(&queue->unsignalled_count) == 0;
}

/* Its oldest submission cannot be begun, or continued, before somebody else does something. */
static bool
queue_is_stalled(struct rp_queue *queue)
{
    pthread_mutex_lock(&queue->wait_mutex);
    const struct rp_queue_wait *wait = queue->wait;
    const bool is_stalled = wait && !wait->job && !wait->is_met(wait->ctx);
    pthread_mutex_unlock(&queue->wait_mutex);
    return is_stalled;
}

static bool
queue_can_go_on(struct rp_queue *queue)
{
    return !queue_is_idle(queue) && !queue_is_stalled(queue);
}

/* A thread that takes the replay lock after the device was seen to be lost touches nothing. */
bool
rp_queues_are_at_rest(const struct rp_device *dev)
{
    for (uint32_t i = 0; i < dev->queue_count; i++) {
        const struct rp_queue *queue = &dev->queues[i];
        if (atomic_load(&queue->is_replay_locked) || atomic_load(&queue->unretired_job_count))
            return false;
    }
    return true;
}

bool
rp_queue_others_can_go_on(const struct rp_queue *queue)
{
    const struct rp_device *dev = queue->base.dev;

    for (uint32_t i = 0; i < dev->queue_count; i++) {
        if (&dev->queues[i] != queue && queue_can_go_on(&dev->queues[i]))
            return true;
    }
    return false;
}

static bool
queue_has_done(const struct rp_queue *queue, uint32_t count)
{
    const uint32_t listed = atomic_load(&queue->ever_listed_count);
    const uint32_t done = listed - atomic_load(&queue->unsignalled_count);
    return (int32_t)(done - count) >= 0;
}

static bool
others_are_done(const struct idle_wait *wait)
{
    struct rp_device *dev = wait->dev;

    for (uint32_t i = 0; i < RP_MIN(dev->queue_count, QUEUE_LIMIT); i++) {
        struct rp_queue *other = &dev->queues[i];
        if (!queue_has_done(other, wait->done_counts[i]) && !queue_is_stalled(other))
            return false;
    }
    return true;
}

static bool
idle_wait_is_met(const void *ctx)
{
    const struct idle_wait *wait = ctx;

    return queue_is_idle(wait->queue) && others_are_done(wait);
}

/* A queue that has dropped its submissions may still be at work on their jobs. */
static VkResult
wait_idle(struct rp_device *dev, rp_sync_predicate *is_met, const void *ctx)
{
    if (!rp_device_is_lost(dev) &&
        rp_sync_wait(dev, is_met, ctx, false, RP_WAIT_FOREVER) == VK_SUCCESS &&
        !rp_device_is_lost(dev))
        return VK_SUCCESS;
    return rp_lost_device_wait(dev, RP_WAIT_FOREVER);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_QueueWaitIdle(VkQueue handle)
{
    struct rp_queue *queue = rp_queue_from_handle(handle);
    struct rp_device *dev = queue->base.dev;
    struct idle_wait wait = {.queue = queue, .dev = dev};

    for (uint32_t i = 0; i < RP_MIN(dev->queue_count, QUEUE_LIMIT); i++)
        wait.done_counts[i] = atomic_load(&dev->queues[i].ever_listed_count);
    struct rp_inline_predictor *predictor = rp_inline_predictor_find_last(&queue->inline_predictor);
    const VkResult result = wait_idle(dev, idle_wait_is_met, &wait);
    if (result == VK_SUCCESS)
        rp_inline_predictor_note_wait(predictor);
    return result;
}

static bool
device_is_idle(const void *ctx)
{
    const struct rp_device *dev = ctx;

    for (uint32_t i = 0; i < dev->queue_count; i++) {
        if (!queue_is_idle(&dev->queues[i]))
            return false;
    }
    return true;
}

struct done_wait {
    struct rp_queue *queue;
    uint32_t count;
};

static bool
done_wait_is_over(const void *ctx)
{
    const struct done_wait *wait = ctx;
    struct rp_device *dev = wait->queue->base.dev;

    if (queue_has_done(wait->queue, wait->count))
        return true;
    for (uint32_t i = 0; i < dev->queue_count; i++) {
        if (queue_can_go_on(&dev->queues[i]))
            return false;
    }
    return true;
}

VkResult
rp_queue_wait_done(struct rp_queue *queue)
{
    const struct done_wait wait = {queue, atomic_load(&queue->ever_listed_count)};

    return rp_sync_wait(queue->base.dev, done_wait_is_over, &wait, false, RP_WAIT_FOREVER);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_DeviceWaitIdle(VkDevice device)
{
    struct rp_device *dev = rp_device_from_handle(device);

    return wait_idle(dev, device_is_idle, dev);
}

/* SPDX-License-Identifier: MIT */
/* The threads of lent queues.
 */
#include "icd/layer/lent_queue.h"

#include "icd/layer/binary_signals.h"
#include "icd/layer/certain.h"
#include "icd/layer/command_buffer.h"
#include "icd/layer/copy.h"
#include "icd/layer/device.h"
#include "icd/layer/entry.h"
#include "icd/layer/fence.h"
#include "icd/layer/instance.h"
#include "icd/layer/lower_queue.h"
#include "icd/layer/timeline.h"
#include "platform/thread.h"
#include "util/alloc.h"

#include <stddef.h>

/* How often a thread that waits for a semaphore looks whether its device goes. */
#define STOP_POLL_NS UINT64_C(100000000)

/* What a batch needs of the lower device; the batch owns it. */
struct rp_layer_job {
    struct rp_layer_job *next;
    struct rp_layer_batch *batch;
    bool is_begun;              /* nothing has to be waited for but copy */
    struct rp_layer_copy *copy; /* in flight; NULL: none */
    bool is_submitted;          /* to our driver */
    VkFence driver_fence;
    uint32_t op_count;
    struct rp_layer_op *ops; /* behind the struct */
};

struct fifo {
    struct rp_layer_job *first;
    struct rp_layer_job **last;
};

struct rp_layer_lent_queue {
    struct rp_layer_entry entry;
    struct rp_layer_device *dev;
    enum rp_layer_lent_kind kind;
    VkQueue handle;                /* our driver's */
    struct rp_layer_copier copier; /* the feeder's for encode, else the finisher's */
    pthread_mutex_t mutex;         /* guards what follows */
    pthread_cond_t feed_cond;      /* something is in to_feed, or stop */
    pthread_cond_t finish_cond;    /* something is in to_finish, or is_drained */
    pthread_cond_t idle_cond;      /* finished has grown */
    struct fifo to_feed;
    struct fifo to_finish;
    uint64_t submitted;
    uint64_t begun; /* of those; in order */
    uint64_t fed;
    uint64_t finished;
    bool stop;
    bool is_drained; /* the feeder has ended */
    bool has_feeder;
    bool has_finisher;
    pthread_t feeder;
    pthread_t finisher;
};

static void
fifo_put(struct fifo *fifo, struct rp_layer_job *job)
{
    job->next = NULL;
    *fifo->last = job;
    fifo->last = &job->next;
}

static struct rp_layer_job *
fifo_take(struct fifo *fifo)
{
    struct rp_layer_job *job = fifo->first;

    if (job) {
        fifo->first = job->next;
        if (!fifo->first)
            fifo->last = &fifo->first;
    }
    return job;
}

static bool
is_stopping(struct rp_layer_lent_queue *queue)
{
    pthread_mutex_lock(&queue->mutex);
    const bool stop = queue->stop;
    pthread_mutex_unlock(&queue->mutex);
    return stop;
}

/* Waits on the host for the semaphores of the lower device. */
static VkResult
wait_for_semaphores(struct rp_layer_lent_queue *queue, const struct rp_layer_batch *batch)
{
    struct rp_layer_device *dev = queue->dev;
    VkResult result = VK_SUCCESS;

    for (uint32_t i = 0; i < batch->info.waitSemaphoreInfoCount && result == VK_SUCCESS; i++) {
        const VkSemaphoreWaitInfo wait = {
            .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
            .semaphoreCount = 1,
            .pSemaphores = &batch->waits[i].semaphore,
            .pValues = &batch->waits[i].value,
        };
        do {
            result = dev->lower.WaitSemaphores(dev->handle, &wait, STOP_POLL_NS);
        } while (result == VK_TIMEOUT && !is_stopping(queue));
    }
    return result;
}

static VkResult
submit_to_driver(struct rp_layer_lent_queue *queue, struct rp_layer_job *job)
{
    struct rp_layer_device *dev = queue->dev;
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    const VkSubmitInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
        .commandBufferInfoCount = job->batch->info.commandBufferInfoCount,
        .pCommandBufferInfos = job->batch->commands,
    };

    if (info.commandBufferInfoCount == 0)
        return VK_SUCCESS;
    VkResult result = dev->driver.CreateFence(dev->driver_handle, &fence, NULL, &job->driver_fence);
    if (result == VK_SUCCESS)
        result = dev->driver.QueueSubmit2(queue->handle, 1, &info, job->driver_fence);
    job->is_submitted = result == VK_SUCCESS;
    return result;
}

static bool
has_copies_before(const struct rp_layer_lent_queue *queue, const struct rp_layer_job *job)
{
    return queue->kind == RP_LAYER_ENCODE && job->op_count > 0;
}

static VkResult
begin(struct rp_layer_lent_queue *queue, struct rp_layer_job *job)
{
    VkResult result = wait_for_semaphores(queue, job->batch);

    if (result == VK_SUCCESS && rp_layer_device_is_lost(queue->dev))
        result = VK_ERROR_DEVICE_LOST;
    if (result == VK_SUCCESS && has_copies_before(queue, job))
        result =
            rp_layer_copier_begin(&queue->copier, job->ops, job->op_count, NULL, 0, &job->copy);
    return result;
}

static void
feed(struct rp_layer_lent_queue *queue, struct rp_layer_job *job)
{
    VkResult result = VK_SUCCESS;

    if (!job->is_begun) {
        result = begin(queue, job);
        pthread_mutex_lock(&queue->mutex);
        queue->begun++;
        pthread_mutex_unlock(&queue->mutex);
    }
    if (job->copy) {
        const VkResult copied = rp_layer_copier_end(&queue->copier, job->copy);
        job->copy = NULL;
        result = result == VK_SUCCESS ? copied : result;
    }
    if (result == VK_SUCCESS && !is_stopping(queue))
        result = submit_to_driver(queue, job);
    if (result != VK_SUCCESS && !is_stopping(queue))
        rp_layer_device_lose(queue->dev, "a lent queue could not begin a batch");
}

/* The application's semaphores and fence, also when the device is lost: nobody waits for ever. */
static void
signal_all(struct rp_layer_lent_queue *queue, struct rp_layer_batch *batch)
{
    struct rp_layer_device *dev = queue->dev;
    VkResult result = VK_SUCCESS;

    struct rp_layer_fence *fence = rp_layer_fence_pin(dev, batch->fence);
    enum rp_layer_fence_state state = RP_LAYER_FENCE_SIGNALLED;
    rp_layer_batch_pin(dev, batch);
    for (uint32_t i = 0; i < batch->info.signalSemaphoreInfoCount; i++) {
        struct rp_layer_semaphore *semaphore = batch->signal_semaphores[i];
        VkResult signalled = VK_SUCCESS;
        if (!semaphore)
            continue;
        if (batch->signals[i].semaphore == semaphore->binary)
            signalled = rp_layer_signal_below(dev, semaphore->binary, VK_NULL_HANDLE);
        else
            signalled = rp_layer_semaphore_signal(dev, semaphore, batch->signals[i].value);
        if (result == VK_SUCCESS)
            result = signalled;
    }
    if (fence && fence->is_shared) {
        const VkResult signalled = rp_layer_signal_below(dev, VK_NULL_HANDLE, batch->fence);
        if (signalled == VK_SUCCESS)
            state = RP_LAYER_FENCE_LOWER;
        if (result == VK_SUCCESS)
            result = signalled;
    }
    if (result != VK_SUCCESS)
        rp_layer_device_lose(dev, "a lent queue could not signal");
    pthread_mutex_lock(&dev->sync_mutex);
    rp_layer_binary_signals_remove(dev, batch);
    rp_layer_fence_set(dev, batch->fence, state);
    rp_layer_fence_release(dev, fence);
    rp_layer_batch_release(dev, batch);
    pthread_mutex_unlock(&dev->sync_mutex);
}

static void
finish(struct rp_layer_lent_queue *queue, struct rp_layer_job *job)
{
    struct rp_layer_device *dev = queue->dev;
    VkResult result = VK_SUCCESS;

    if (job->is_submitted)
        result = dev->driver.WaitForFences(dev->driver_handle, 1, &job->driver_fence, VK_TRUE,
                                           UINT64_MAX);
    dev->driver.DestroyFence(dev->driver_handle, job->driver_fence, NULL);
    if (result == VK_SUCCESS && queue->kind == RP_LAYER_DECODE && job->op_count > 0 &&
        !is_stopping(queue) && !rp_layer_device_is_lost(dev))
        result =
            rp_layer_copier_begin(&queue->copier, job->ops, job->op_count, NULL, 0, &job->copy);
    if (job->copy)
        result = rp_layer_copier_end(&queue->copier, job->copy);
    if (result != VK_SUCCESS)
        rp_layer_device_lose(dev, "a lent queue could not finish a batch");
    if (!is_stopping(queue))
        signal_all(queue, job->batch);
    rp_layer_batch_destroy(job->batch);
}

static void *
feeder_run(void *arg)
{
    struct rp_layer_lent_queue *queue = arg;

    pthread_mutex_lock(&queue->mutex);
    for (;;) {
        struct rp_layer_job *job = fifo_take(&queue->to_feed);
        if (!job && queue->stop)
            break;
        if (!job) {
            pthread_cond_wait(&queue->feed_cond, &queue->mutex);
            continue;
        }
        const bool is_fed = !queue->stop || job->copy;
        pthread_mutex_unlock(&queue->mutex);
        if (is_fed)
            feed(queue, job);
        pthread_mutex_lock(&queue->mutex);
        fifo_put(&queue->to_finish, job);
        queue->fed++;
        pthread_cond_signal(&queue->finish_cond);
    }
    queue->is_drained = true;
    pthread_cond_signal(&queue->finish_cond);
    pthread_mutex_unlock(&queue->mutex);
    return NULL;
}

static void *
finisher_run(void *arg)
{
    struct rp_layer_lent_queue *queue = arg;

    pthread_mutex_lock(&queue->mutex);
    for (;;) {
        struct rp_layer_job *job = fifo_take(&queue->to_finish);
        if (!job && queue->is_drained)
            break;
        if (!job) {
            pthread_cond_wait(&queue->finish_cond, &queue->mutex);
            continue;
        }
        pthread_mutex_unlock(&queue->mutex);
        finish(queue, job);
        pthread_mutex_lock(&queue->mutex);
        queue->finished++;
        pthread_cond_broadcast(&queue->idle_cond);
    }
    pthread_mutex_unlock(&queue->mutex);
    return NULL;
}

void
rp_layer_lent_queue_destroy(struct rp_layer_lent_queue *queue)
{
    if (!queue)
        return;
    pthread_mutex_lock(&queue->mutex);
    queue->stop = true;
    queue->is_drained = !queue->has_feeder;
    pthread_cond_signal(&queue->feed_cond);
    pthread_cond_signal(&queue->finish_cond);
    pthread_mutex_unlock(&queue->mutex);
    if (queue->has_feeder)
        pthread_join(queue->feeder, NULL);
    if (queue->has_finisher)
        pthread_join(queue->finisher, NULL);
    rp_layer_copier_finish(&queue->copier);
    if (queue->entry.type == VK_OBJECT_TYPE_QUEUE)
        rp_layer_map_take(&queue->dev->map, VK_OBJECT_TYPE_QUEUE, queue->entry.handle);
    pthread_cond_destroy(&queue->idle_cond);
    pthread_cond_destroy(&queue->finish_cond);
    pthread_cond_destroy(&queue->feed_cond);
    pthread_mutex_destroy(&queue->mutex);
    rp_layer_entry_free(&queue->entry);
}

VkResult
rp_layer_lent_queue_create(struct rp_layer_device *dev, enum rp_layer_lent_kind kind,
                           uint32_t index, struct rp_layer_lent_queue **out)
{
    const VkDeviceQueueInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_INFO_2,
        .queueFamilyIndex = dev->instance->driver_family[kind],
        .queueIndex = index,
    };
    struct rp_layer_lent_queue *queue =
        rp_zalloc(NULL, sizeof(*queue), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    if (!queue)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    queue->dev = dev;
    queue->kind = kind;
    pthread_mutex_init(&queue->mutex, NULL);
    pthread_cond_init(&queue->feed_cond, NULL);
    pthread_cond_init(&queue->finish_cond, NULL);
    pthread_cond_init(&queue->idle_cond, NULL);
    queue->to_feed.last = &queue->to_feed.first;
    queue->to_finish.last = &queue->to_finish.first;
    dev->driver.GetDeviceQueue2(dev->driver_handle, &info, &queue->handle);
    VkResult result = rp_layer_copier_init(&queue->copier, dev);
    if (result == VK_SUCCESS) {
        queue->has_feeder = rp_thread_create(&queue->feeder, "rp-layer-feed", feeder_run, queue);
        queue->has_finisher =
            rp_thread_create(&queue->finisher, "rp-layer-done", finisher_run, queue);
        if (!queue->has_feeder || !queue->has_finisher)
            result = VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    if (result != VK_SUCCESS) {
        rp_layer_lent_queue_destroy(queue);
        return result;
    }
    *(const void **)(void *)queue->handle = dev->key; /* as the loader does */
    queue->entry.type = VK_OBJECT_TYPE_QUEUE;
    queue->entry.handle = RP_LAYER_HANDLE(queue->handle);
    rp_layer_map_put(&dev->map, &queue->entry);
    *out = queue;
    return VK_SUCCESS;
}

VkQueue
rp_layer_lent_queue_handle(const struct rp_layer_lent_queue *queue)
{
    return queue->handle;
}

struct rp_layer_lent_queue *
rp_layer_lent_queue_get(struct rp_layer_device *dev, VkQueue handle)
{
    if (rp_layer_queue_is_alias(dev, handle))
        return NULL;
    return rp_layer_map_get(&dev->map, VK_OBJECT_TYPE_QUEUE, RP_LAYER_HANDLE(handle));
}

VkResult
rp_layer_lent_queue_prepare(struct rp_layer_lent_queue *queue, struct rp_layer_batch *batch)
{
    struct rp_layer_device *dev = queue->dev;
    uint32_t op_count = 0;

    for (uint32_t i = 0; i < batch->info.commandBufferInfoCount; i++) {
        const struct rp_layer_command_buffer *cb =
            rp_layer_command_buffer_get(dev, batch->commands[i].commandBuffer);
        op_count += cb ? cb->op_count : 0;
    }
    struct rp_layer_job *job = rp_zalloc(NULL, sizeof(*job) + op_count * sizeof(*job->ops),
                                         _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_COMMAND);
    if (!job)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    batch->job = job;
    job->batch = batch;
    job->ops = (struct rp_layer_op *)(void *)(job + 1);
    for (uint32_t i = 0; i < batch->info.commandBufferInfoCount; i++) {
        const struct rp_layer_command_buffer *cb =
            rp_layer_command_buffer_get(dev, batch->commands[i].commandBuffer);
        for (uint32_t k = 0; cb && k < cb->op_count; k++)
            job->ops[job->op_count++] = cb->ops[k];
    }
    return VK_SUCCESS;
}

/* Begins what need not wait for the feeder: copies whose waits may stand in the lower queue, behind
 * those of batches before, and batches without copies or waits. Where it fails the feeder will. */
static void
begin_early(struct rp_layer_lent_queue *queue, struct rp_layer_job *job)
{
    const struct rp_layer_batch *batch = job->batch;
    const uint32_t wait_count = batch->info.waitSemaphoreInfoCount;

    pthread_mutex_lock(&queue->mutex);
    const bool is_next = queue->begun == queue->submitted;
    pthread_mutex_unlock(&queue->mutex);
    if (!is_next || !rp_layer_batch_may_wait_below(queue->dev, batch))
        return;
    if (has_copies_before(queue, job))
        job->is_begun = rp_layer_copier_begin(&queue->copier, job->ops, job->op_count, batch->waits,
                                              wait_count, &job->copy) == VK_SUCCESS;
    else
        job->is_begun = wait_count == 0;
}

VkResult
rp_layer_lent_queue_submit(struct rp_layer_lent_queue *queue, struct rp_layer_batch *batch)
{
    struct rp_layer_device *dev = queue->dev;
    struct rp_layer_job *job = batch->job;

    if (rp_layer_batch_translate_host_waits(dev, batch) != VK_SUCCESS) {
        rp_layer_device_lose(dev, "a lent queue could not wait for a binary semaphore");
        rp_layer_batch_destroy(batch);
        return VK_ERROR_DEVICE_LOST;
    }
    rp_layer_batch_translate_signals(dev, batch);
    rp_layer_certain_add(dev, batch);
    pthread_mutex_lock(&dev->sync_mutex);
    rp_layer_fence_set(dev, batch->fence, RP_LAYER_FENCE_PENDING);
    pthread_mutex_unlock(&dev->sync_mutex);
    begin_early(queue, job);
    pthread_mutex_lock(&queue->mutex);
    const bool is_immediate = job->is_begun && !job->copy && queue->fed == queue->submitted;
    queue->submitted++;
    queue->begun += job->is_begun;
    if (!is_immediate) {
        fifo_put(&queue->to_feed, job);
        pthread_cond_signal(&queue->feed_cond);
    }
    pthread_mutex_unlock(&queue->mutex);
    if (!is_immediate)
        return VK_SUCCESS;
    feed(queue, job);
    pthread_mutex_lock(&queue->mutex);
    fifo_put(&queue->to_finish, job);
    queue->fed++;
    pthread_cond_signal(&queue->finish_cond);
    pthread_mutex_unlock(&queue->mutex);
    return VK_SUCCESS;
}

void
rp_layer_lent_queue_wait_idle(struct rp_layer_lent_queue *queue)
{
    pthread_mutex_lock(&queue->mutex);
    const uint64_t until = queue->submitted;
    while (queue->finished < until)
        pthread_cond_wait(&queue->idle_cond, &queue->mutex);
    pthread_mutex_unlock(&queue->mutex);
}

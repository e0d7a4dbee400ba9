/* SPDX-License-Identifier: MIT */
/* Making batches, and their semaphores as they are below.
 */
#include "icd/layer/batch.h"

#include "icd/layer/barrier.h"
#include "icd/layer/binary_signals.h"
#include "icd/layer/command_buffer.h"
#include "icd/layer/device.h"
#include "icd/layer/fence.h"
#include "icd/layer/query_results.h"
#include "icd/layer/sparse.h"
#include "util/alloc.h"

#include <stddef.h>

/* Copies the steps of the batch's command buffers, in their order. out: NULL, or room for them.
 * Returns how many there are. */
static uint32_t
copy_steps(struct rp_layer_device *dev, const VkSubmitInfo2 *info, struct rp_layer_step *out)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < info->commandBufferInfoCount; i++) {
        const struct rp_layer_command_buffer *cb =
            rp_layer_command_buffer_find(dev, info->pCommandBufferInfos[i].commandBuffer);
        for (uint32_t k = 0; cb && k < cb->step_count; k++, count++) {
            if (!out)
                continue;
            out[count] = cb->steps[k];
            rp_layer_query_results_ref(out[count].results);
        }
    }
    return count;
}

static uint32_t
copy_points(struct rp_layer_semaphore *const *semaphores, const VkSemaphoreSubmitInfo *infos,
            uint32_t count, struct rp_layer_point *out)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < count; i++) {
        if (semaphores[i] && !semaphores[i]->is_binary)
            out[n++] = (struct rp_layer_point){semaphores[i], infos[i].value};
    }
    return n;
}

static void
copy_info(struct rp_layer_device *dev, const VkSubmitInfo2 *info, struct rp_layer_batch *batch)
{
    for (uint32_t i = 0; i < info->waitSemaphoreInfoCount; i++) {
        batch->waits[i] = info->pWaitSemaphoreInfos[i];
        batch->wait_semaphores[i] = rp_layer_semaphore_get(dev, batch->waits[i].semaphore);
    }
    for (uint32_t i = 0; i < info->signalSemaphoreInfoCount; i++) {
        batch->signals[i] = info->pSignalSemaphoreInfos[i];
        batch->signal_semaphores[i] = rp_layer_semaphore_get(dev, batch->signals[i].semaphore);
    }
    batch->wait_point_count = copy_points(batch->wait_semaphores, batch->waits,
                                          info->waitSemaphoreInfoCount, batch->wait_points);
    batch->signal_point_count = copy_points(batch->signal_semaphores, batch->signals,
                                            info->signalSemaphoreInfoCount, batch->signal_points);
    for (uint32_t i = 0; i < info->commandBufferInfoCount; i++)
        batch->commands[i] = info->pCommandBufferInfos[i];
    batch->info = *info;
    batch->info.pWaitSemaphoreInfos = batch->waits;
    batch->info.pSignalSemaphoreInfos = batch->signals;
    batch->info.pCommandBufferInfos = batch->commands;
}

/* There is room for one more signal for each step. */
struct rp_layer_batch *
rp_layer_batch_create(struct rp_layer_device *dev, const VkSubmitInfo2 *info)
{
    const uint32_t step_count = copy_steps(dev, info, NULL);
    const size_t points =
        (size_t)info->waitSemaphoreInfoCount + info->signalSemaphoreInfoCount + step_count;
    const size_t commands = (size_t)info->commandBufferInfoCount + 1;
    const size_t size_B =
        sizeof(struct rp_layer_batch) +
        points * (sizeof(VkSemaphoreSubmitInfo) + sizeof(struct rp_layer_semaphore *) +
                  sizeof(struct rp_layer_point)) +
        commands * sizeof(VkCommandBufferSubmitInfo) + step_count * sizeof(struct rp_layer_step);
    struct rp_layer_batch *batch =
        rp_zalloc(NULL, size_B, _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_COMMAND);
    if (!batch)
        return NULL;
    batch->waits = (VkSemaphoreSubmitInfo *)(void *)(batch + 1);
    batch->signals = batch->waits + info->waitSemaphoreInfoCount;
    batch->commands = (VkCommandBufferSubmitInfo *)(void *)(batch->waits + points);
    batch->steps = (struct rp_layer_step *)(void *)(batch->commands + commands);
    batch->wait_points = (struct rp_layer_point *)(void *)(batch->steps + step_count);
    batch->signal_points = batch->wait_points + info->waitSemaphoreInfoCount;
    batch->wait_semaphores = (struct rp_layer_semaphore **)(void *)(batch->wait_points + points);
    batch->signal_semaphores = batch->wait_semaphores + info->waitSemaphoreInfoCount;
    batch->owners = 1;
    rp_layer_batch_begin(dev, batch);
    batch->order = batch->serial;
    copy_info(dev, info, batch);
    batch->step_count = copy_steps(dev, info, batch->steps);
    return batch;
}

void
rp_layer_batch_destroy(struct rp_layer_batch *batch)
{
    if (!batch)
        return;
    struct rp_layer_device *dev = batch->dev;

    for (uint32_t i = 0; i < batch->step_count; i++)
        rp_layer_query_results_unref(batch->steps[i].results);
    rp_layer_batch_end(dev, batch);
    rp_free(NULL, batch->job);
    rp_layer_sparse_destroy(batch->sparse);
    pthread_mutex_lock(&dev->sync_mutex);
    rp_layer_binary_signals_remove(dev, batch);
    rp_layer_batch_unref(batch);
    pthread_mutex_unlock(&dev->sync_mutex);
}

/* Stages that only lent queues have. */
static VkPipelineStageFlags2
lower_stages(const struct rp_layer_device *dev, VkPipelineStageFlags2 stages)
{
    const VkPipelineStageFlags2 lent = rp_layer_stages(dev);
    return stages & lent ? (stages & ~lent) | VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT : stages;
}

static void
translate_wait(struct rp_layer_device *dev, struct rp_layer_semaphore *semaphore,
               VkSemaphoreSubmitInfo *info)
{
    info->stageMask = lower_stages(dev, info->stageMask);
    if (!semaphore || !semaphore->is_binary)
        return;
    info->semaphore = semaphore->is_in_binary ? semaphore->binary : semaphore->timeline;
    info->value = semaphore->is_in_binary ? 0 : semaphore->last;
}

/* Whether it is one that foreign waits may depend on, or that of a lower binary semaphore. */
static bool
translate_signal(struct rp_layer_device *dev, struct rp_layer_semaphore *semaphore,
                 VkSemaphoreSubmitInfo *info)
{
    info->stageMask = lower_stages(dev, info->stageMask);
    if (!semaphore || !semaphore->is_binary)
        return semaphore && semaphore->is_shared && dev->holds_back;
    semaphore->is_in_binary = semaphore->prefers_binary;
    if (semaphore->prefers_binary) {
        info->semaphore = semaphore->binary;
        info->value = 0;
    } else {
        info->semaphore = semaphore->timeline;
        info->value = ++semaphore->last;
    }
    return semaphore->prefers_binary;
}

void
rp_layer_batch_translate_signals(struct rp_layer_device *dev, struct rp_layer_batch *batch)
{
    pthread_mutex_lock(&dev->sync_mutex);
    const struct rp_layer_fence *fence = rp_layer_fence_get(dev, batch->fence);
    bool is_listed = fence && fence->is_shared && dev->holds_back;
    for (uint32_t i = 0; i < batch->info.signalSemaphoreInfoCount; i++)
        is_listed |= translate_signal(dev, batch->signal_semaphores[i], &batch->signals[i]);
    if (is_listed)
        rp_layer_binary_signals_add(dev, batch);
    pthread_mutex_unlock(&dev->sync_mutex);
}

/* The step before it in the batch with the same results, which a secondary command buffer has that
 * is executed twice; NULL: it is the first. */
static const struct rp_layer_step *
find_same_results(const struct rp_layer_batch *batch, const struct rp_layer_step *step)
{
    for (const struct rp_layer_step *s = batch->steps; s < step; s++) {
        if (s->results == step->results)
            return s;
    }
    return NULL;
}

/* The batch tells when it has copied results: only then they may be written anew. */
static void
add_step_signals(struct rp_layer_device *dev, struct rp_layer_batch *batch)
{
    pthread_mutex_lock(&dev->sync_mutex);
    for (uint32_t i = 0; i < batch->step_count; i++) {
        struct rp_layer_step *step = &batch->steps[i];
        const struct rp_layer_step *same = find_same_results(batch, step);
        if (same)
            step->copied = same->copied;
        if (same || !step->results)
            continue;
        step->copied = step->results->submitted++;
        batch->signals[batch->info.signalSemaphoreInfoCount++] = (VkSemaphoreSubmitInfo){
            .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
            .semaphore = step->results->copied,
            .value = step->results->submitted,
            .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        };
    }
    pthread_mutex_unlock(&dev->sync_mutex);
}

void
rp_layer_batch_translate(struct rp_layer_device *dev, struct rp_layer_batch *batch)
{
    pthread_mutex_lock(&dev->sync_mutex);
    for (uint32_t i = 0; i < batch->info.waitSemaphoreInfoCount; i++) {
        if (batch->step_count == 0)
            translate_wait(dev, batch->wait_semaphores[i], &batch->waits[i]);
        else
            batch->waits[i].stageMask = lower_stages(dev, batch->waits[i].stageMask);
    }
    pthread_mutex_unlock(&dev->sync_mutex);
    rp_layer_batch_translate_signals(dev, batch);
    add_step_signals(dev, batch);
}

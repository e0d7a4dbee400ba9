/* SPDX-License-Identifier: MIT */
/* Queues: submissions, and waiting until they are idle.
 */
#include "icd/layer/certain.h"
#include "icd/layer/device.h"
#include "icd/layer/fence.h"
#include "icd/layer/instance.h"
#include "icd/layer/lent_queue.h"
#include "icd/layer/lower_queue.h"
#include "icd/layer/sparse.h"
#include "icd/layer/submit.h"
#include "util/arena.h"
#include "util/compiler.h"
#include "util/pnext.h"

static void
get_queue(struct rp_layer_device *dev, const VkDeviceQueueInfo2 *info, VkQueue *out)
{
    enum rp_layer_lent_kind kind;

    if (rp_layer_family_is_alias(dev->physical_device, info->queueFamilyIndex)) {
        *out = info->queueIndex == 0 ? rp_layer_alias_queue(dev, info->queueFamilyIndex) : NULL;
        return;
    }
    if (!rp_layer_device_family_is_lent(dev, info->queueFamilyIndex, &kind)) {
        dev->lower.GetDeviceQueue2(dev->handle, info, out);
        return;
    }
    const struct rp_layer_lent_queue *queue =
        info->queueIndex < RP_LAYER_LENT_QUEUES ? dev->queues[kind][info->queueIndex] : NULL;
    *out = queue ? rp_layer_lent_queue_handle(queue) : NULL;
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_GetDeviceQueue2(VkDevice handle, const VkDeviceQueueInfo2 *info, VkQueue *out)
{
    get_queue(rp_layer_device_find(handle), info, out);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_GetDeviceQueue(VkDevice handle, uint32_t family, uint32_t index, VkQueue *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    const VkDeviceQueueInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_INFO_2,
        .queueFamilyIndex = family,
        .queueIndex = index,
    };

    if (rp_layer_family_is_above(dev->physical_device, family))
        get_queue(dev, &info, out);
    else
        dev->lower.GetDeviceQueue(handle, family, index, out);
}

/* A batch with all the memory that it takes; NULL when memory is short. */
static struct rp_layer_batch *
prepare(struct rp_layer_device *dev, VkQueue handle, struct rp_layer_lent_queue *queue,
        const VkSubmitInfo2 *info, const VkBindSparseInfo *bind)
{
    struct rp_layer_batch *batch = rp_layer_batch_create(dev, info);

    if (!batch)
        return NULL;
    batch->sparse = bind ? rp_layer_sparse_create(bind) : NULL;
    VkResult result = bind && !batch->sparse ? VK_ERROR_OUT_OF_HOST_MEMORY
                                             : rp_layer_certain_prepare(dev, handle, batch);
    if (result == VK_SUCCESS)
        result = queue ? rp_layer_lent_queue_prepare(queue, batch)
                       : rp_layer_batch_prepare(dev, handle, batch);
    if (result != VK_SUCCESS) {
        rp_layer_batch_destroy(batch);
        return NULL;
    }
    return batch;
}

static VkResult
submit_prepared(struct rp_layer_device *dev, VkQueue handle, struct rp_layer_lent_queue *queue,
                struct rp_layer_batch *batch)
{
    pthread_mutex_lock(&dev->sync_mutex);
    rp_layer_certain_note(dev, batch);
    pthread_mutex_unlock(&dev->sync_mutex);
    if (queue)
        return rp_layer_lent_queue_submit(queue, batch);
    if (batch->step_count > 0 && rp_layer_batch_translate_host_waits(dev, batch) != VK_SUCCESS) {
        rp_layer_device_lose(dev, "a lower queue could not wait for a binary semaphore");
        rp_layer_batch_destroy(batch);
        return VK_ERROR_DEVICE_LOST;
    }
    rp_layer_batch_translate(dev, batch);
    rp_layer_certain_add(dev, batch);
    return rp_layer_batch_submit(dev, handle, batch);
}

/* vkQueueSubmit2: one that fails because memory is short leaves "any resources or synchronization
 * primitives" unaffected, and one that cannot is VK_ERROR_DEVICE_LOST. So memory is taken for all
 * batches before the first one goes; what fails later loses the device, whatever the lower device's
 * error is: the batches before are on their way, and signals have been noted. binds: NULL, or what
 * each of them binds, which has no command buffers then; the semaphores of a bind are those of its
 * batch. */
static VkResult
submit_all(struct rp_layer_device *dev, VkQueue handle, uint32_t count,
           const VkSubmitInfo2 *submits, const VkBindSparseInfo *binds, VkFence fence)
{
    struct rp_layer_lent_queue *queue = rp_layer_lent_queue_get(dev, handle);
    struct rp_layer_batch *first = NULL;
    struct rp_layer_batch **last = &first;
    VkResult result = VK_SUCCESS;

    for (uint32_t i = 0; i < count && result == VK_SUCCESS; i++) {
        *last = prepare(dev, handle, queue, &submits[i], binds ? &binds[i] : NULL);
        if (*last) {
            (*last)->fence = i + 1 == count ? fence : VK_NULL_HANDLE;
            last = &(*last)->next;
        } else {
            result = VK_ERROR_OUT_OF_HOST_MEMORY;
        }
    }
    while (first) {
        struct rp_layer_batch *batch = first;
        first = batch->next;
        batch->next = NULL;
        if (result == VK_SUCCESS)
            result = submit_prepared(dev, handle, queue, batch);
        else
            rp_layer_batch_destroy(batch);
    }
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_QueueSubmit2(VkQueue handle, uint32_t count, const VkSubmitInfo2 *submits, VkFence fence)
{
    static const VkSubmitInfo2 nothing = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (rp_layer_device_is_lost(dev))
        return VK_ERROR_DEVICE_LOST;
    if (count == 0 && !fence)
        return VK_SUCCESS;
    return count > 0 ? submit_all(dev, handle, count, submits, NULL, fence)
                     : submit_all(dev, handle, 1, &nothing, NULL, fence);
}

/* What stands beside the semaphores and command buffers of the older form. */
struct older_chain {
    const VkTimelineSemaphoreSubmitInfo *timeline;
    const VkDeviceGroupSubmitInfo *group;
    const VkProtectedSubmitInfo *is_protected;
};

static void
newer_semaphores(const VkSubmitInfo *info, const struct older_chain *chain,
                 VkSemaphoreSubmitInfo *waits, VkSemaphoreSubmitInfo *signals)
{
    const VkTimelineSemaphoreSubmitInfo *values = chain->timeline;
    const VkDeviceGroupSubmitInfo *group = chain->group;

    for (uint32_t i = 0; i < info->waitSemaphoreCount; i++)
        waits[i] = (VkSemaphoreSubmitInfo){
            .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
            .semaphore = info->pWaitSemaphores[i],
            .value =
                values && i < values->waitSemaphoreValueCount ? values->pWaitSemaphoreValues[i] : 0,
            .stageMask = info->pWaitDstStageMask[i],
            .deviceIndex =
                group && i < group->waitSemaphoreCount ? group->pWaitSemaphoreDeviceIndices[i] : 0,
        };
    for (uint32_t i = 0; i < info->signalSemaphoreCount; i++)
        signals[i] = (VkSemaphoreSubmitInfo){
            .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
            .semaphore = info->pSignalSemaphores[i],
            .value = values && i < values->signalSemaphoreValueCount
                         ? values->pSignalSemaphoreValues[i]
                         : 0,
            .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
            .deviceIndex = group && i < group->signalSemaphoreCount
                               ? group->pSignalSemaphoreDeviceIndices[i]
                               : 0,
        };
}

static bool
newer_submit(struct rp_arena *arena, const VkSubmitInfo *info, VkSubmitInfo2 *out)
{
    const struct older_chain chain = {
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO),
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_DEVICE_GROUP_SUBMIT_INFO),
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_PROTECTED_SUBMIT_INFO),
    };
    const uint32_t points = info->waitSemaphoreCount + info->signalSemaphoreCount;
    VkSemaphoreSubmitInfo *waits = rp_arena_alloc(arena, (points + 1) * sizeof(*waits));
    VkCommandBufferSubmitInfo *cbs =
        rp_arena_alloc(arena, (info->commandBufferCount + 1) * sizeof(*cbs));
    if (!waits || !cbs)
        return false;
    newer_semaphores(info, &chain, waits, waits + info->waitSemaphoreCount);
    for (uint32_t i = 0; i < info->commandBufferCount; i++)
        cbs[i] = (VkCommandBufferSubmitInfo){
            .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
            .commandBuffer = info->pCommandBuffers[i],
            .deviceMask = chain.group && i < chain.group->commandBufferCount
                              ? chain.group->pCommandBufferDeviceMasks[i]
                              : 0,
        };
    *out = (VkSubmitInfo2){
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
        /* The one structure that may extend VkSubmitInfo and VkSubmitInfo2. */
        .pNext = rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_PERFORMANCE_QUERY_SUBMIT_INFO_KHR),
        .flags =
            chain.is_protected && chain.is_protected->protectedSubmit ? VK_SUBMIT_PROTECTED_BIT : 0,
        .waitSemaphoreInfoCount = info->waitSemaphoreCount,
        .pWaitSemaphoreInfos = waits,
        .commandBufferInfoCount = info->commandBufferCount,
        .pCommandBufferInfos = cbs,
        .signalSemaphoreInfoCount = info->signalSemaphoreCount,
        .pSignalSemaphoreInfos = waits + info->waitSemaphoreCount,
    };
    return true;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_QueueSubmit(VkQueue handle, uint32_t count, const VkSubmitInfo *submits, VkFence fence)
{
    struct rp_arena arena;

    rp_arena_init(&arena, NULL);
    VkSubmitInfo2 *newer = rp_arena_alloc(&arena, (count + 1) * sizeof(*newer));
    bool is_done = newer != NULL;
    for (uint32_t i = 0; i < count && is_done; i++)
        is_done = newer_submit(&arena, &submits[i], &newer[i]);
    const VkResult result =
        is_done ? rp_layer_QueueSubmit2(handle, count, newer, fence) : VK_ERROR_OUT_OF_HOST_MEMORY;
    rp_arena_finish(&arena);
    return result;
}

static uint64_t
value_of(const uint64_t *values, uint32_t count, uint32_t index)
{
    return index < count ? values[index] : 0;
}

/* The semaphores of a bind as those of a batch. False when memory is short. */
static bool
batch_of_bind(struct rp_arena *arena, const VkBindSparseInfo *info, VkSubmitInfo2 *out)
{
    static const VkTimelineSemaphoreSubmitInfo nothing;
    const VkTimelineSemaphoreSubmitInfo *values =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
    const size_t count = (size_t)info->waitSemaphoreCount + info->signalSemaphoreCount;
    VkSemaphoreSubmitInfo *waits = rp_arena_alloc(arena, (count + 1) * sizeof(*waits));

    if (!waits)
        return false;
    VkSemaphoreSubmitInfo *signals = waits + info->waitSemaphoreCount;
    values = values ? values : &nothing;
    for (uint32_t i = 0; i < info->waitSemaphoreCount; i++)
        waits[i] = (VkSemaphoreSubmitInfo){
            .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
            .semaphore = info->pWaitSemaphores[i],
            .value = value_of(values->pWaitSemaphoreValues, values->waitSemaphoreValueCount, i),
        };
    for (uint32_t i = 0; i < info->signalSemaphoreCount; i++)
        signals[i] = (VkSemaphoreSubmitInfo){
            .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
            .semaphore = info->pSignalSemaphores[i],
            .value = value_of(values->pSignalSemaphoreValues, values->signalSemaphoreValueCount, i),
        };
    *out = (VkSubmitInfo2){
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
        .waitSemaphoreInfoCount = info->waitSemaphoreCount,
        .pWaitSemaphoreInfos = waits,
        .signalSemaphoreInfoCount = info->signalSemaphoreCount,
        .pSignalSemaphoreInfos = signals,
    };
    return true;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_QueueBindSparse(VkQueue queue, uint32_t count, const VkBindSparseInfo *infos,
                         VkFence fence)
{
    struct rp_layer_device *dev = rp_layer_device_find(queue);
    struct rp_arena arena;

    if (count == 0)
        return rp_layer_QueueSubmit2(queue, 0, NULL, fence);
    if (rp_layer_device_is_lost(dev))
        return VK_ERROR_DEVICE_LOST;
    rp_arena_init(&arena, NULL);
    VkSubmitInfo2 *batches = rp_arena_alloc(&arena, count * sizeof(*batches));
    bool is_done = batches != NULL;
    for (uint32_t i = 0; i < count && is_done; i++)
        is_done = batch_of_bind(&arena, &infos[i], &batches[i]);
    const VkResult result = is_done ? submit_all(dev, queue, count, batches, infos, fence)
                                    : VK_ERROR_OUT_OF_HOST_MEMORY;
    rp_arena_finish(&arena);
    return result;
}

static VkResult
lower_queue_wait_idle(struct rp_layer_device *dev, VkQueue handle)
{
    rp_layer_held_batches_wait(dev, handle);
    const VkQueue lower = rp_layer_lower_queue_lock(dev, handle);
    const VkResult result = dev->lower.QueueWaitIdle(lower);
    rp_layer_lower_queue_unlock(dev, lower);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_QueueWaitIdle(VkQueue handle)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_lent_queue *queue = rp_layer_lent_queue_get(dev, handle);

    if (!queue)
        return lower_queue_wait_idle(dev, handle);
    rp_layer_lent_queue_wait_idle(queue);
    return rp_layer_device_is_lost(dev) ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_DeviceWaitIdle(VkDevice handle)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    /* Lent queues and batches that are held back go on by themselves, and end in lower queues. */
    for (uint32_t kind = 0; kind < RP_LAYER_LENT_FAMILIES; kind++) {
        for (uint32_t i = 0; i < RP_LAYER_LENT_QUEUES; i++) {
            if (dev->queues[kind][i])
                rp_layer_lent_queue_wait_idle(dev->queues[kind][i]);
        }
    }
    rp_layer_held_batches_wait(dev, NULL);
    pthread_mutex_lock(&dev->copy_mutex);
    const VkResult result = dev->lower.DeviceWaitIdle(handle);
    pthread_mutex_unlock(&dev->copy_mutex);
    return rp_layer_device_is_lost(dev) ? VK_ERROR_DEVICE_LOST : result;
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_QueueBeginDebugUtilsLabelEXT(VkQueue handle, const VkDebugUtilsLabelEXT *label)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (rp_layer_lent_queue_get(dev, handle))
        return;
    const VkQueue lower = rp_layer_lower_queue_lock(dev, handle);
    dev->lower.QueueBeginDebugUtilsLabelEXT(lower, label);
    rp_layer_lower_queue_unlock(dev, lower);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_QueueEndDebugUtilsLabelEXT(VkQueue handle)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (rp_layer_lent_queue_get(dev, handle))
        return;
    const VkQueue lower = rp_layer_lower_queue_lock(dev, handle);
    dev->lower.QueueEndDebugUtilsLabelEXT(lower);
    rp_layer_lower_queue_unlock(dev, lower);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_QueueInsertDebugUtilsLabelEXT(VkQueue handle, const VkDebugUtilsLabelEXT *label)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (rp_layer_lent_queue_get(dev, handle))
        return;
    const VkQueue lower = rp_layer_lower_queue_lock(dev, handle);
    dev->lower.QueueInsertDebugUtilsLabelEXT(lower, label);
    rp_layer_lower_queue_unlock(dev, lower);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_QueueSetPerfHintQCOM(VkQueue handle, const VkPerfHintInfoQCOM *info)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (rp_layer_lent_queue_get(dev, handle))
        return VK_SUCCESS;
    const VkQueue lower = rp_layer_lower_queue_lock(dev, handle);
    const VkResult result = dev->lower.QueueSetPerfHintQCOM(lower, info);
    rp_layer_lower_queue_unlock(dev, lower);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_QueueSetPerformanceConfigurationINTEL(VkQueue handle,
                                               VkPerformanceConfigurationINTEL configuration)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (rp_layer_lent_queue_get(dev, handle))
        return VK_SUCCESS;
    const VkQueue lower = rp_layer_lower_queue_lock(dev, handle);
    const VkResult result = dev->lower.QueueSetPerformanceConfigurationINTEL(lower, configuration);
    rp_layer_lower_queue_unlock(dev, lower);
    return result;
}

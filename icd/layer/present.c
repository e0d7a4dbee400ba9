/* SPDX-License-Identifier: MIT */
/* Presentation and sparse binding, which need binary semaphores of the lower device.
 */
#include "icd/layer/device.h"
#include "icd/layer/fence.h"
#include "icd/layer/lower_queue.h"
#include "icd/layer/sharing.h"
#include "icd/layer/submit.h"
#include "util/arena.h"
#include "util/pnext.h"

static void
share_below(const struct rp_layer_device *dev, VkSwapchainCreateInfoKHR *info,
            struct rp_layer_sharing *sharing)
{
    *sharing = rp_layer_sharing_lower(dev, info->imageSharingMode, info->queueFamilyIndexCount,
                                      info->pQueueFamilyIndices, false);
    info->imageSharingMode = sharing->mode;
    info->queueFamilyIndexCount = sharing->count;
    info->pQueueFamilyIndices = sharing->families;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_CreateSwapchainKHR(VkDevice handle, const VkSwapchainCreateInfoKHR *info,
                            const VkAllocationCallbacks *alloc, VkSwapchainKHR *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    VkSwapchainCreateInfoKHR below = *info;
    struct rp_layer_sharing sharing;

    share_below(dev, &below, &sharing);
    return dev->lower.CreateSwapchainKHR(handle, &below, alloc, out);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_CreateSharedSwapchainsKHR(VkDevice handle, uint32_t count,
                                   const VkSwapchainCreateInfoKHR *infos,
                                   const VkAllocationCallbacks *alloc, VkSwapchainKHR *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_arena arena;

    rp_arena_init(&arena, NULL);
    VkSwapchainCreateInfoKHR *below = rp_arena_copy(&arena, infos, count * sizeof(*below));
    struct rp_layer_sharing *sharing = rp_arena_alloc(&arena, (count + 1) * sizeof(*sharing));
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (below && sharing) {
        for (uint32_t i = 0; i < count; i++)
            share_below(dev, &below[i], &sharing[i]);
        result = dev->lower.CreateSharedSwapchainsKHR(handle, count, below, alloc, out);
    }
    rp_arena_finish(&arena);
    return result;
}

/* The lower semaphore that an acquired image signals; its payload is there from now on. */
static VkResult
acquire_semaphore(struct rp_layer_device *dev, VkSemaphore handle, VkSemaphore *out)
{
    struct rp_layer_semaphore *semaphore = handle ? rp_layer_semaphore_get(dev, handle) : NULL;

    *out = handle;
    if (!semaphore)
        return VK_SUCCESS;
    pthread_mutex_lock(&dev->sync_mutex);
    const VkResult result = rp_layer_semaphore_need_binary(dev, semaphore);
    if (result == VK_SUCCESS)
        *out = semaphore->binary;
    pthread_mutex_unlock(&dev->sync_mutex);
    return result;
}

static void
acquired(struct rp_layer_device *dev, VkSemaphore handle, VkResult result)
{
    struct rp_layer_semaphore *semaphore = handle ? rp_layer_semaphore_get(dev, handle) : NULL;

    if (!semaphore || (result != VK_SUCCESS && result != VK_SUBOPTIMAL_KHR))
        return;
    pthread_mutex_lock(&dev->sync_mutex);
    semaphore->is_in_binary = true;
    pthread_mutex_unlock(&dev->sync_mutex);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_AcquireNextImageKHR(VkDevice handle, VkSwapchainKHR swapchain, uint64_t timeout_ns,
                             VkSemaphore semaphore, VkFence fence, uint32_t *index)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    VkSemaphore lower;

    VkResult result = acquire_semaphore(dev, semaphore, &lower);
    if (result != VK_SUCCESS)
        return result;
    result = dev->lower.AcquireNextImageKHR(handle, swapchain, timeout_ns, lower, fence, index);
    acquired(dev, semaphore, result);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_AcquireNextImage2KHR(VkDevice handle, const VkAcquireNextImageInfoKHR *info,
                              uint32_t *index)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    VkAcquireNextImageInfoKHR below = *info;

    VkResult result = acquire_semaphore(dev, info->semaphore, &below.semaphore);
    if (result != VK_SUCCESS)
        return result;
    result = dev->lower.AcquireNextImage2KHR(handle, &below, index);
    acquired(dev, info->semaphore, result);
    return result;
}

/* The binary one, which what the queue holds signals. */
static VkResult
present_semaphore(struct rp_layer_device *dev, VkQueue queue, VkSemaphore handle, VkSemaphore *out)
{
    struct rp_layer_semaphore *semaphore = rp_layer_semaphore_get(dev, handle);
    VkResult result = VK_SUCCESS;

    *out = handle;
    if (!semaphore || !semaphore->is_binary)
        return VK_SUCCESS;
    pthread_mutex_lock(&dev->sync_mutex);
    const bool is_in_binary = semaphore->is_in_binary;
    pthread_mutex_unlock(&dev->sync_mutex);
    if (!is_in_binary)
        result = rp_layer_move_to_binary(dev, queue, semaphore);
    if (result == VK_SUCCESS) {
        rp_layer_wait_for_binary(dev, semaphore);
        *out = semaphore->binary;
    }
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_QueuePresentKHR(VkQueue queue, const VkPresentInfoKHR *info)
{
    struct rp_layer_device *dev = rp_layer_device_find(queue);
    struct rp_arena arena;
    VkPresentInfoKHR below = *info;

    rp_arena_init(&arena, NULL);
    VkSemaphore *waits = rp_arena_alloc(&arena, (info->waitSemaphoreCount + 1) * sizeof(*waits));
    VkResult result = waits ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < info->waitSemaphoreCount && result == VK_SUCCESS; i++)
        result = present_semaphore(dev, queue, info->pWaitSemaphores[i], &waits[i]);
    if (result == VK_SUCCESS) {
        below.pWaitSemaphores = waits;
        rp_layer_held_batches_wait(dev, queue);
        const VkQueue lower = rp_layer_lower_queue_lock(dev, queue);
        result = dev->lower.QueuePresentKHR(lower, &below);
        rp_layer_lower_queue_unlock(dev, lower);
    }
    rp_arena_finish(&arena);
    return result;
}

/* The semaphores stand in batches before and behind it in the queue. */
static VkResult
submit_beside(VkQueue queue, const VkSemaphore *handles, const uint64_t *values, uint32_t count,
              bool is_signal, VkFence fence)
{
    const VkTimelineSemaphoreSubmitInfo timeline = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = values && !is_signal ? count : 0,
        .pWaitSemaphoreValues = values,
        .signalSemaphoreValueCount = values && is_signal ? count : 0,
        .pSignalSemaphoreValues = values,
    };
    struct rp_arena arena;

    rp_arena_init(&arena, NULL);
    VkPipelineStageFlags *stages = rp_arena_alloc(&arena, (count + 1) * sizeof(*stages));
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < count && stages; i++)
        stages[i] = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .pNext = &timeline,
        .waitSemaphoreCount = is_signal ? 0 : count,
        .pWaitSemaphores = handles,
        .pWaitDstStageMask = stages,
        .signalSemaphoreCount = is_signal ? count : 0,
        .pSignalSemaphores = handles,
    };
    if (stages)
        result = rp_layer_QueueSubmit(queue, 1, &info, fence);
    rp_arena_finish(&arena);
    return result;
}

static VkResult
bind_sparse(struct rp_layer_device *dev, VkQueue queue, const VkBindSparseInfo *info, VkFence fence)
{
    const VkTimelineSemaphoreSubmitInfo *values =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
    VkBindSparseInfo below = *info;

    below.pNext = rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_DEVICE_GROUP_BIND_SPARSE_INFO);
    below.waitSemaphoreCount = 0;
    below.signalSemaphoreCount = 0;
    VkResult result =
        submit_beside(queue, info->pWaitSemaphores, values ? values->pWaitSemaphoreValues : NULL,
                      info->waitSemaphoreCount, false, VK_NULL_HANDLE);
    if (result != VK_SUCCESS)
        return result;
    /* A batch before it that waits is no reason for it to wait: so the host does. */
    result = rp_layer_QueueWaitIdle(queue);
    if (result != VK_SUCCESS)
        return result;
    const VkQueue lower = rp_layer_lower_queue_lock(dev, queue);
    result = dev->lower.QueueBindSparse(lower, 1, &below, VK_NULL_HANDLE);
    if (result == VK_SUCCESS)
        result = dev->lower.QueueWaitIdle(lower);
    rp_layer_lower_queue_unlock(dev, lower);
    if (result != VK_SUCCESS)
        return result;
    return submit_beside(queue, info->pSignalSemaphores,
                         values ? values->pSignalSemaphoreValues : NULL, info->signalSemaphoreCount,
                         true, fence);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_QueueBindSparse(VkQueue queue, uint32_t count, const VkBindSparseInfo *infos,
                         VkFence fence)
{
    struct rp_layer_device *dev = rp_layer_device_find(queue);
    VkResult result = VK_SUCCESS;

    for (uint32_t i = 0; i < count && result == VK_SUCCESS; i++)
        result = bind_sparse(dev, queue, &infos[i], i + 1 == count ? fence : VK_NULL_HANDLE);
    if (count == 0 && fence)
        result = rp_layer_QueueSubmit2(queue, 0, NULL, fence);
    return result;
}

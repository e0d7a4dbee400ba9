/* SPDX-License-Identifier: MIT */
/* Presentation, which needs binary semaphores of the lower device.
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

    if (rp_layer_device_is_lost(dev))
        return VK_ERROR_DEVICE_LOST;
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

    if (rp_layer_device_is_lost(dev))
        return VK_ERROR_DEVICE_LOST;
    VkResult result = acquire_semaphore(dev, info->semaphore, &below.semaphore);
    if (result != VK_SUCCESS)
        return result;
    result = dev->lower.AcquireNextImage2KHR(handle, &below, index);
    acquired(dev, info->semaphore, result);
    return result;
}

/* The binary one, whose signal is in a lower queue. */
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

/* What is held back for the queue, and none of what the semaphores wait for, may be waiting for
 * what the caller does next: so it is overtaken. Without semaphores the order of the queue is all
 * that the presentation has. */
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
    /* Nobody may be left to signal what it would wait for. */
    if (result == VK_SUCCESS && rp_layer_device_is_lost(dev))
        result = VK_ERROR_DEVICE_LOST;
    if (result == VK_SUCCESS) {
        below.pWaitSemaphores = waits;
        if (info->waitSemaphoreCount == 0)
            rp_layer_certain_batches_wait(dev, queue);
        const VkQueue lower = rp_layer_lower_queue_lock(dev, queue);
        result = dev->lower.QueuePresentKHR(lower, &below);
        rp_layer_lower_queue_unlock(dev, lower);
    }
    rp_arena_finish(&arena);
    return result;
}

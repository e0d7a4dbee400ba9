/* SPDX-License-Identifier: MIT */
/* Waiting for fences, of which some are lower ones and some belong to lent queues.
 */
#include "icd/layer/fence.h"

#include "icd/layer/device.h"
#include "icd/layer/wait.h"
#include "platform/clock.h"
#include "platform/condition.h"
#include "util/alloc.h"
#include "util/pnext.h"

#include <stddef.h>

/* How often fences of both kinds are looked at when any of them will do. */
#define POLL_NS 50000u

struct rp_layer_fence *
rp_layer_fence_get(struct rp_layer_device *dev, VkFence handle)
{
    return handle ? rp_layer_map_get(&dev->map, VK_OBJECT_TYPE_FENCE, RP_LAYER_HANDLE(handle))
                  : NULL;
}

void
rp_layer_fence_set(struct rp_layer_device *dev, VkFence handle, enum rp_layer_fence_state state)
{
    struct rp_layer_fence *fence = rp_layer_fence_get(dev, handle);

    if (!fence)
        return;
    fence->state = state;
    pthread_cond_broadcast(&dev->sync_cond);
}

struct rp_layer_fence *
rp_layer_fence_pin(struct rp_layer_device *dev, VkFence handle)
{
    pthread_mutex_lock(&dev->sync_mutex);
    struct rp_layer_fence *fence = rp_layer_fence_get(dev, handle);
    if (fence)
        fence->users++;
    pthread_mutex_unlock(&dev->sync_mutex);
    return fence;
}

void
rp_layer_fence_release(struct rp_layer_device *dev, struct rp_layer_fence *fence)
{
    if (!fence)
        return;
    fence->users--;
    pthread_cond_broadcast(&dev->sync_cond);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_CreateFence(VkDevice handle, const VkFenceCreateInfo *info,
                     const VkAllocationCallbacks *alloc, VkFence *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    const VkExportFenceCreateInfo *exported =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_EXPORT_FENCE_CREATE_INFO);

    struct rp_layer_fence *fence =
        rp_zalloc(NULL, sizeof(*fence), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!fence)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const VkResult result = dev->lower.CreateFence(handle, info, alloc, out);
    if (result != VK_SUCCESS) {
        rp_free(NULL, fence);
        return result;
    }
    fence->is_shared = exported && exported->handleTypes;
    fence->entry.type = VK_OBJECT_TYPE_FENCE;
    fence->entry.handle = RP_LAYER_HANDLE(*out);
    fence->entry.is_lower = true;
    rp_layer_map_put(&dev->map, &fence->entry);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_DestroyFence(VkDevice handle, VkFence object, const VkAllocationCallbacks *alloc)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    /* A lent queue whose semaphore has told of the batch's end may still set it. */
    pthread_mutex_lock(&dev->sync_mutex);
    struct rp_layer_fence *fence =
        rp_layer_map_take(&dev->map, VK_OBJECT_TYPE_FENCE, RP_LAYER_HANDLE(object));
    while (fence && fence->users > 0)
        pthread_cond_wait(&dev->sync_cond, &dev->sync_mutex);
    pthread_mutex_unlock(&dev->sync_mutex);
    rp_free(NULL, fence);
    dev->lower.DestroyFence(handle, object, alloc);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_ResetFences(VkDevice handle, uint32_t count, const VkFence *fences)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    pthread_mutex_lock(&dev->sync_mutex);
    for (uint32_t i = 0; i < count; i++)
        rp_layer_fence_set(dev, fences[i], RP_LAYER_FENCE_LOWER);
    pthread_mutex_unlock(&dev->sync_mutex);
    return dev->lower.ResetFences(handle, count, fences);
}

static enum rp_layer_fence_state
state_of(struct rp_layer_device *dev, VkFence handle)
{
    pthread_mutex_lock(&dev->sync_mutex);
    const struct rp_layer_fence *fence = rp_layer_fence_get(dev, handle);
    const enum rp_layer_fence_state state = fence ? fence->state : RP_LAYER_FENCE_LOWER;
    pthread_mutex_unlock(&dev->sync_mutex);
    return state;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_GetFenceStatus(VkDevice handle, VkFence object)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    switch (state_of(dev, object)) {
    case RP_LAYER_FENCE_LOWER:
        break;
    case RP_LAYER_FENCE_PENDING:
        return VK_NOT_READY;
    case RP_LAYER_FENCE_SIGNALLED:
        return rp_layer_device_is_lost(dev) ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;
    }
    const VkResult result = dev->lower.GetFenceStatus(handle, object);
    return result == VK_NOT_READY && rp_layer_device_is_lost(dev) ? VK_ERROR_DEVICE_LOST : result;
}

/* Waits on the host while the fence is pending. */
static enum rp_layer_fence_state
wait_while_pending(struct rp_layer_device *dev, VkFence handle, uint64_t deadline_ns)
{
    enum rp_layer_fence_state state = RP_LAYER_FENCE_LOWER;

    pthread_mutex_lock(&dev->sync_mutex);
    const struct rp_layer_fence *fence = rp_layer_fence_get(dev, handle);
    while (fence && fence->state == RP_LAYER_FENCE_PENDING &&
           rp_condition_wait_until(&dev->sync_cond, &dev->sync_mutex, deadline_ns)) {
    }
    if (fence)
        state = fence->state;
    pthread_mutex_unlock(&dev->sync_mutex);
    return state;
}

static VkResult
wait_below(struct rp_layer_device *dev, uint32_t count, const VkFence *fences, VkBool32 all,
           uint64_t deadline_ns)
{
    VkResult result;
    bool is_lost;
    uint64_t part_ns;

    do {
        is_lost = rp_layer_device_is_lost(dev);
        part_ns = rp_layer_wait_part(deadline_ns);
        result = dev->lower.WaitForFences(dev->handle, count, fences, all, part_ns);
    } while (result == VK_TIMEOUT && part_ns > 0 && !is_lost);
    return result == VK_TIMEOUT && is_lost ? VK_ERROR_DEVICE_LOST : result;
}

static VkResult
wait_for_one(struct rp_layer_device *dev, VkFence handle, uint64_t deadline_ns)
{
    switch (wait_while_pending(dev, handle, deadline_ns)) {
    case RP_LAYER_FENCE_LOWER:
        break;
    case RP_LAYER_FENCE_PENDING:
        return VK_TIMEOUT;
    case RP_LAYER_FENCE_SIGNALLED:
        return rp_layer_device_is_lost(dev) ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;
    }
    return wait_below(dev, 1, &handle, VK_TRUE, deadline_ns);
}

static bool
all_are_lower(struct rp_layer_device *dev, uint32_t count, const VkFence *fences)
{
    for (uint32_t i = 0; i < count; i++) {
        if (state_of(dev, fences[i]) != RP_LAYER_FENCE_LOWER)
            return false;
    }
    return true;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_WaitForFences(VkDevice handle, uint32_t count, const VkFence *fences, VkBool32 all,
                       uint64_t timeout_ns)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    const uint64_t deadline_ns = rp_layer_deadline_after(timeout_ns);

    if (rp_layer_device_is_lost(dev))
        return VK_ERROR_DEVICE_LOST;
    if (all_are_lower(dev, count, fences))
        return wait_below(dev, count, fences, all, deadline_ns);
    for (uint32_t i = 0; i < count && (all || count == 1); i++) {
        const VkResult result = wait_for_one(dev, fences[i], deadline_ns);
        if (result != VK_SUCCESS || i + 1 == count)
            return result;
    }
    for (;;) {
        for (uint32_t i = 0; i < count; i++) {
            const VkResult result = wait_for_one(dev, fences[i], rp_clock_now_ns() + POLL_NS);
            if (result != VK_TIMEOUT)
                return result;
        }
        if (rp_clock_now_ns() >= deadline_ns)
            return VK_TIMEOUT;
    }
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_ImportFenceFdKHR(VkDevice handle, const VkImportFenceFdInfoKHR *info)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    const VkResult result = dev->lower.ImportFenceFdKHR(handle, info);
    if (result != VK_SUCCESS)
        return result;
    pthread_mutex_lock(&dev->sync_mutex);
    struct rp_layer_fence *fence = rp_layer_fence_get(dev, info->fence);
    if (fence)
        fence->is_shared = true;
    rp_layer_fence_set(dev, info->fence, RP_LAYER_FENCE_LOWER);
    pthread_mutex_unlock(&dev->sync_mutex);
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_GetFenceFdKHR(VkDevice handle, const VkFenceGetFdInfoKHR *info, int *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    /* When a payload is copied, its signal must stand in a lower queue. */
    if (info->handleType == VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT)
        wait_while_pending(dev, info->fence, UINT64_MAX / 2);
    return dev->lower.GetFenceFdKHR(handle, info, out);
}

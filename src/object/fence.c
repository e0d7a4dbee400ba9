/* SPDX-License-Identifier: MIT */
/* Fences, waits for all or any of them, and their file descriptors.
 */
#include "object/fence.h"

#include "object/device.h"
#include "object/device_lost.h"
#include "util/log.h"
#include "util/pnext.h"

#include "rp_entrypoints.h"

static void
fence_destroy(struct rp_device *dev, const VkAllocationCallbacks *alloc, struct rp_fence *fence)
{
    if (!fence)
        return;
    rp_sync_unref(fence->permanent);
    rp_sync_unref(fence->temporary);
    rp_object_free(dev, alloc, fence);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_CreateFence(VkDevice device, const VkFenceCreateInfo *info, const VkAllocationCallbacks *alloc,
               VkFence *out)
{
    struct rp_device *dev = rp_device_from_handle(device);
    const VkExportFenceCreateInfo *exported =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_EXPORT_FENCE_CREATE_INFO);
    const uint64_t value = info->flags & VK_FENCE_CREATE_SIGNALED_BIT ? 1 : 0;

    struct rp_fence *fence = rp_object_zalloc(dev, alloc, sizeof(*fence), VK_OBJECT_TYPE_FENCE);
    if (!fence)
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);

    fence->export_types = exported ? exported->handleTypes : 0;
    fence->permanent = fence->export_types & VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT
                           ? rp_sync_create_shareable(value)
                           : rp_sync_create(value);
    if (!fence->permanent) {
        fence_destroy(dev, alloc, fence);
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);
    }
    *out = rp_fence_to_handle(fence);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
rp_DestroyFence(VkDevice device, VkFence handle, const VkAllocationCallbacks *alloc)
{
    fence_destroy(rp_device_from_handle(device), alloc, rp_fence_from_handle(handle));
}

/* A fence that was destroyed counts as signalled: nobody waits for it for ever. */
static bool
fence_is_signalled(VkFence handle)
{
    const struct rp_sync *sync = rp_fence_sync(rp_fence_from_handle(handle));
    return !sync || rp_sync_value(sync);
}

/* vkResetFences: the permanent payload is restored first. */
static void
fence_reset(struct rp_fence *fence)
{
    if (!fence)
        return;
    rp_sync_unref(fence->temporary);
    fence->temporary = NULL;
    rp_sync_reset(fence->permanent);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_ResetFences(VkDevice device, uint32_t count, const VkFence *handles)
{
    for (uint32_t i = 0; i < count; i++)
        fence_reset(rp_fence_from_handle(handles[i]));
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_GetFenceStatus(VkDevice device, VkFence handle)
{
    const struct rp_device *dev = rp_device_from_handle(device);

    if (fence_is_signalled(handle))
        return VK_SUCCESS;
    return rp_device_is_lost(dev) && rp_lost_device_is_at_rest(dev) ? VK_ERROR_DEVICE_LOST
                                                                    : VK_NOT_READY;
}

struct fence_wait {
    const VkFence *fences;
    uint32_t count;
    bool wants_all;
};

static bool
fence_wait_is_met(const void *ctx)
{
    const struct fence_wait *wait = ctx;

    for (uint32_t i = 0; i < wait->count; i++) {
        const bool is_signalled = fence_is_signalled(wait->fences[i]);
        if (is_signalled != wait->wants_all)
            return is_signalled;
    }
    return wait->wants_all;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_WaitForFences(VkDevice device, uint32_t count, const VkFence *handles, VkBool32 wants_all,
                 uint64_t timeout_ns)
{
    const struct fence_wait wait = {.fences = handles, .count = count, .wants_all = wants_all};
    struct rp_inline_predictor *predictor = NULL;
    const struct rp_sync *sync = NULL;
    bool needs_polling = false;

    for (uint32_t i = 0; i < count; i++) {
        sync = rp_fence_sync(rp_fence_from_handle(handles[i]));
        if (!sync)
            continue;
        needs_polling |= rp_sync_needs_polling(sync);
        if (!predictor)
            predictor = rp_inline_predictor_find(&sync->mark, 1);
    }
    VkResult result = VK_SUCCESS;
    if (!fence_wait_is_met(&wait))
        result = rp_device_wait(rp_device_from_handle(device), count == 1 ? sync : NULL,
                                fence_wait_is_met, &wait, needs_polling,
                                rp_sync_deadline_ns(timeout_ns));
    if (result == VK_SUCCESS)
        rp_inline_predictor_note_wait(predictor);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_ImportFenceFdKHR(VkDevice device, const VkImportFenceFdInfoKHR *info)
{
    struct rp_device *dev = rp_device_from_handle(device);
    struct rp_fence *fence = rp_fence_from_handle(info->fence);
    const bool is_file = info->handleType == VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT;

    struct rp_sync *sync = is_file ? rp_sync_import_file(info->fd) : rp_sync_import_page(info->fd);
    if (!sync)
        return rp_error(fence, VK_ERROR_INVALID_EXTERNAL_HANDLE);
    if (!fence) { /* what a destroyed fence is given has nobody to reach */
        rp_sync_unref(sync);
        return VK_SUCCESS;
    }

    const bool is_temporary = is_file || (info->flags & VK_FENCE_IMPORT_TEMPORARY_BIT);
    struct rp_sync **place = is_temporary ? &fence->temporary : &fence->permanent;
    rp_sync_unref(*place);
    *place = sync;
    rp_sync_announce_everything(dev);
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_GetFenceFdKHR(VkDevice device, const VkFenceGetFdInfoKHR *info, int *out)
{
    struct rp_device *dev = rp_device_from_handle(device);
    struct rp_fence *fence = rp_fence_from_handle(info->fence);

    if (info->handleType != VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT)
        return rp_sync_export_page(rp_fence_sync(fence), out);

    /* There is no sync file without a kernel driver. -1 means "signalled", so be that first. */
    const VkFence handle = info->fence;
    const VkResult result = rp_WaitForFences(device, 1, &handle, VK_TRUE, UINT64_MAX);
    if (result != VK_SUCCESS)
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);
    fence_reset(fence);
    *out = -1;
    return VK_SUCCESS;
}

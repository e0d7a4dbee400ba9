/* SPDX-License-Identifier: MIT */
/* Creating semaphores, their two forms, and host signals.
 */
#include "icd/layer/semaphore.h"

#include "icd/layer/certain.h"
#include "icd/layer/device.h"
#include "icd/layer/entry.h"
#include "icd/layer/submit.h"
#include "icd/layer/timeline.h"
#include "icd/layer/wait.h"
#include "util/alloc.h"
#include "util/compiler.h"
#include "util/pnext.h"

#include <stddef.h>

struct rp_layer_semaphore *
rp_layer_semaphore_get(struct rp_layer_device *dev, VkSemaphore handle)
{
    return rp_layer_map_get(&dev->map, VK_OBJECT_TYPE_SEMAPHORE, RP_LAYER_HANDLE(handle));
}

static VkResult
create(struct rp_layer_device *dev, VkSemaphoreType type, VkSemaphore *out)
{
    const VkSemaphoreTypeCreateInfo type_info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = type,
    };
    const VkSemaphoreCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
        .pNext = &type_info,
    };
    return dev->lower.CreateSemaphore(dev->handle, &info, NULL, out);
}

VkResult
rp_layer_semaphore_need_timeline(struct rp_layer_device *dev, struct rp_layer_semaphore *semaphore)
{
    return semaphore->timeline ? VK_SUCCESS
                               : create(dev, VK_SEMAPHORE_TYPE_TIMELINE, &semaphore->timeline);
}

VkResult
rp_layer_semaphore_need_binary(struct rp_layer_device *dev, struct rp_layer_semaphore *semaphore)
{
    return semaphore->binary ? VK_SUCCESS
                             : create(dev, VK_SEMAPHORE_TYPE_BINARY, &semaphore->binary);
}

/* A binary semaphore that is not exported becomes a timeline. */
static VkResult
create_lower(struct rp_layer_device *dev, const VkSemaphoreCreateInfo *info,
             const VkAllocationCallbacks *alloc, const struct rp_layer_semaphore *semaphore,
             VkSemaphore *out)
{
    static const VkSemaphoreTypeCreateInfo timeline = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
    };
    VkSemaphoreCreateInfo below = *info;

    if (semaphore->is_binary && !semaphore->prefers_binary)
        below.pNext = &timeline;
    return dev->lower.CreateSemaphore(dev->handle, &below, alloc, out);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_CreateSemaphore(VkDevice handle, const VkSemaphoreCreateInfo *info,
                         const VkAllocationCallbacks *alloc, VkSemaphore *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    const VkSemaphoreTypeCreateInfo *type =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
    const VkExportSemaphoreCreateInfo *exported =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO);

    struct rp_layer_semaphore *semaphore = rp_zalloc(
        NULL, sizeof(*semaphore), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!semaphore)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    semaphore->is_binary = !type || type->semaphoreType == VK_SEMAPHORE_TYPE_BINARY;
    semaphore->is_shared = exported && exported->handleTypes;
    semaphore->prefers_binary = semaphore->is_binary && semaphore->is_shared;
    semaphore->is_in_binary = semaphore->prefers_binary;
    if (!semaphore->is_binary)
        semaphore->submitted = semaphore->certain = semaphore->assumed = semaphore->promised =
            type->initialValue;
    const VkResult result = create_lower(dev, info, alloc, semaphore, out);
    if (result != VK_SUCCESS) {
        rp_free(NULL, semaphore);
        return result;
    }
    pthread_mutex_init(&semaphore->signal_mutex, NULL);
    if (semaphore->prefers_binary)
        semaphore->binary = *out;
    else
        semaphore->timeline = *out;
    semaphore->entry.type = VK_OBJECT_TYPE_SEMAPHORE;
    semaphore->entry.handle = RP_LAYER_HANDLE(*out);
    semaphore->entry.is_lower = true;
    rp_layer_map_put(&dev->map, &semaphore->entry);
    return VK_SUCCESS;
}

static void
destroy(struct rp_layer_device *dev, struct rp_layer_entry *entry)
{
    struct rp_layer_semaphore *semaphore = rp_container_of(entry, struct rp_layer_semaphore, entry);

    dev->lower.DestroySemaphore(dev->handle, semaphore->timeline, NULL);
    dev->lower.DestroySemaphore(dev->handle, semaphore->binary, NULL);
    pthread_mutex_destroy(&semaphore->signal_mutex);
    rp_layer_entry_free(entry);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_DestroySemaphore(VkDevice handle, VkSemaphore object, const VkAllocationCallbacks *alloc)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_semaphore *semaphore =
        rp_layer_map_take(&dev->map, VK_OBJECT_TYPE_SEMAPHORE, RP_LAYER_HANDLE(object));

    if (!semaphore) {
        dev->lower.DestroySemaphore(handle, object, alloc);
        return;
    }
    /* A thread that has seen the signal may be here before the thread that gave it is done. */
    pthread_mutex_lock(&dev->sync_mutex);
    while (semaphore->users > 0)
        pthread_cond_wait(&dev->sync_cond, &dev->sync_mutex);
    rp_layer_certain_forget(dev, semaphore);
    pthread_mutex_unlock(&dev->sync_mutex);
    if (!alloc) {
        rp_layer_retire(dev, &semaphore->entry, destroy);
        return;
    }
    /* The application's callbacks are for its own calls. */
    VkSemaphore *own = semaphore->timeline == object ? &semaphore->timeline : &semaphore->binary;
    *own = VK_NULL_HANDLE;
    dev->lower.DestroySemaphore(handle, object, alloc);
    destroy(dev, &semaphore->entry);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_SignalSemaphore(VkDevice handle, const VkSemaphoreSignalInfo *info)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_semaphore *semaphore = rp_layer_semaphore_get(dev, info->semaphore);

    return semaphore ? rp_layer_semaphore_signal(dev, semaphore, info->value)
                     : dev->lower.SignalSemaphore(handle, info);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_WaitSemaphores(VkDevice handle, const VkSemaphoreWaitInfo *info, uint64_t timeout_ns)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    const uint64_t deadline_ns = rp_layer_deadline_after(timeout_ns);
    VkResult result;
    bool is_lost;
    uint64_t part_ns;

    do {
        is_lost = rp_layer_device_is_lost(dev);
        part_ns = rp_layer_wait_part(deadline_ns);
        result = dev->lower.WaitSemaphores(handle, info, part_ns);
    } while (result == VK_TIMEOUT && part_ns > 0 && !is_lost);
    return result == VK_TIMEOUT && is_lost ? VK_ERROR_DEVICE_LOST : result;
}

/* The lower device will signal the value by itself. */
static void
expect_signal(struct rp_layer_device *dev, VkSemaphore handle, uint64_t value)
{
    pthread_mutex_lock(&dev->sync_mutex);
    struct rp_layer_semaphore *semaphore = rp_layer_semaphore_get(dev, handle);
    if (semaphore) {
        semaphore->is_shared = true;
        semaphore->certain = RP_MAX(semaphore->certain, value);
        pthread_cond_broadcast(&dev->sync_cond);
    }
    pthread_mutex_unlock(&dev->sync_mutex);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_LatencySleepNV(VkDevice handle, VkSwapchainKHR swapchain, const VkLatencySleepInfoNV *info)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    const VkResult result = dev->lower.LatencySleepNV(handle, swapchain, info);

    if (result == VK_SUCCESS)
        expect_signal(dev, info->signalSemaphore, info->value);
    return result;
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_LatencySleepLegacyNV(VkDevice handle, VkSemaphore semaphore, uint64_t value)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    dev->lower.LatencySleepLegacyNV(handle, semaphore, value);
    expect_signal(dev, semaphore, value);
}

/* A binary payload comes from elsewhere, once or for good. */
static VkResult
import_binary(struct rp_layer_device *dev, const VkImportSemaphoreFdInfoKHR *info,
              struct rp_layer_semaphore *semaphore)
{
    VkImportSemaphoreFdInfoKHR below = *info;

    pthread_mutex_lock(&dev->sync_mutex);
    VkResult result = rp_layer_semaphore_need_binary(dev, semaphore);
    if (result == VK_SUCCESS) {
        below.semaphore = semaphore->binary;
        result = dev->lower.ImportSemaphoreFdKHR(dev->handle, &below);
    }
    if (result == VK_SUCCESS) {
        semaphore->is_in_binary = true;
        semaphore->is_shared = true;
        semaphore->prefers_binary |=
            !(info->flags & VK_SEMAPHORE_IMPORT_TEMPORARY_BIT) &&
            info->handleType != VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;
    }
    pthread_mutex_unlock(&dev->sync_mutex);
    return result;
}

/* Another payload, whose value is not known. Whatever had to do with the former is over. */
static VkResult
import_timeline(struct rp_layer_device *dev, const VkImportSemaphoreFdInfoKHR *info,
                struct rp_layer_semaphore *semaphore)
{
    pthread_mutex_lock(&dev->sync_mutex);
    const VkResult result = dev->lower.ImportSemaphoreFdKHR(dev->handle, info);
    if (result == VK_SUCCESS) {
        rp_layer_certain_forget(dev, semaphore);
        semaphore->is_shared = true;
        semaphore->submitted = 0;
        semaphore->certain = semaphore->assumed = semaphore->promised = 0;
    }
    pthread_mutex_unlock(&dev->sync_mutex);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_ImportSemaphoreFdKHR(VkDevice handle, const VkImportSemaphoreFdInfoKHR *info)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_semaphore *semaphore = rp_layer_semaphore_get(dev, info->semaphore);

    if (!semaphore)
        return dev->lower.ImportSemaphoreFdKHR(handle, info);
    return semaphore->is_binary ? import_binary(dev, info, semaphore)
                                : import_timeline(dev, info, semaphore);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_GetSemaphoreFdKHR(VkDevice handle, const VkSemaphoreGetFdInfoKHR *info, int *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_semaphore *semaphore = rp_layer_semaphore_get(dev, info->semaphore);
    VkSemaphoreGetFdInfoKHR below = *info;

    /* When a payload is copied, its signal must stand in a lower queue. */
    if (semaphore && info->handleType == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT)
        rp_layer_wait_for_binary(dev, semaphore);
    if (semaphore && semaphore->is_binary) {
        pthread_mutex_lock(&dev->sync_mutex);
        /* One that was imported is not in the application's handle. */
        if (semaphore->is_in_binary)
            below.semaphore = semaphore->binary;
        pthread_mutex_unlock(&dev->sync_mutex);
    }
    return dev->lower.GetSemaphoreFdKHR(handle, &below, out);
}

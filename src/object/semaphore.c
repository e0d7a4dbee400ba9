/* SPDX-License-Identifier: MIT */
/* Semaphores, the host's waits and signals of timelines, and their file descriptors.
 */
#include "object/semaphore.h"

#include "object/device.h"
#include "object/device_lost.h"
#include "util/alloc.h"
#include "util/log.h"
#include "util/pnext.h"

#include "rp_entrypoints.h"

/* Only the driver's own memory outlives what the application destroyed. */
static void
semaphore_remember(struct rp_device *dev, struct rp_semaphore *sem)
{
    struct rp_destroyed_semaphores *destroyed = &dev->destroyed_semaphores;
    const unsigned place = atomic_fetch_add(&destroyed->count, 1) % RP_DESTROYED_SEMAPHORES;

    rp_object_finish(&sem->base);
    sem->permanent = sem->temporary = NULL;
    rp_free(NULL, atomic_exchange(&destroyed->last[place], sem));
}

void
rp_destroyed_semaphores_free(struct rp_destroyed_semaphores *destroyed)
{
    for (uint32_t i = 0; i < RP_DESTROYED_SEMAPHORES; i++)
        rp_free(NULL, atomic_exchange(&destroyed->last[i], NULL));
}

static void
semaphore_destroy(struct rp_device *dev, const VkAllocationCallbacks *alloc,
                  struct rp_semaphore *sem)
{
    if (!sem)
        return;
    rp_sync_unref(sem->permanent);
    rp_sync_unref(sem->temporary);
    if (rp_callbacks(dev, alloc))
        rp_object_free(dev, alloc, sem);
    else
        semaphore_remember(dev, sem);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_CreateSemaphore(VkDevice device, const VkSemaphoreCreateInfo *info,
                   const VkAllocationCallbacks *alloc, VkSemaphore *out)
{
    struct rp_device *dev = rp_device_from_handle(device);
    const VkSemaphoreTypeCreateInfo *type =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
    const VkExportSemaphoreCreateInfo *exported =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO);

    struct rp_semaphore *sem = rp_object_zalloc(dev, alloc, sizeof(*sem), VK_OBJECT_TYPE_SEMAPHORE);
    if (!sem)
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);

    sem->type = type ? type->semaphoreType : VK_SEMAPHORE_TYPE_BINARY;
    sem->export_types = exported ? exported->handleTypes : 0;
    const uint64_t value = sem->type == VK_SEMAPHORE_TYPE_TIMELINE ? type->initialValue : 0;
    sem->permanent = sem->export_types & VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT
                         ? rp_sync_create_shareable(value)
                         : rp_sync_create(value);
    if (!sem->permanent) {
        semaphore_destroy(dev, alloc, sem);
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);
    }
    *out = rp_semaphore_to_handle(sem);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
rp_DestroySemaphore(VkDevice device, VkSemaphore handle, const VkAllocationCallbacks *alloc)
{
    semaphore_destroy(rp_device_from_handle(device), alloc, rp_semaphore_from_handle(handle));
}

struct rp_sync *
rp_semaphore_take(struct rp_semaphore *sem)
{
    struct rp_sync *temporary = sem->temporary;
    if (!temporary)
        return rp_sync_ref(sem->permanent);
    sem->temporary = NULL;
    return temporary;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_GetSemaphoreCounterValue(VkDevice device, VkSemaphore handle, uint64_t *out)
{
    const struct rp_sync *sync = rp_semaphore_sync(rp_semaphore_from_handle(handle));

    if (rp_device_is_lost(rp_device_from_handle(device)))
        return VK_ERROR_DEVICE_LOST;
    /* Waits for a semaphore that was destroyed are met: it is past every value. */
    *out = sync ? rp_sync_value(sync) : UINT64_MAX;
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_SignalSemaphore(VkDevice device, const VkSemaphoreSignalInfo *info)
{
    struct rp_sync *sync = rp_semaphore_sync(rp_semaphore_from_handle(info->semaphore));

    if (sync)
        rp_sync_signal(rp_device_from_handle(device), sync, info->value);
    return VK_SUCCESS;
}

static bool
semaphore_wait_is_met(const void *ctx)
{
    const VkSemaphoreWaitInfo *wait = ctx;
    const bool wants_all = !(wait->flags & VK_SEMAPHORE_WAIT_ANY_BIT);

    for (uint32_t i = 0; i < wait->semaphoreCount; i++) {
        const struct rp_sync *sync =
            rp_semaphore_sync(rp_semaphore_from_handle(wait->pSemaphores[i]));
        const bool is_reached = !sync || rp_sync_value(sync) >= wait->pValues[i];
        if (is_reached != wants_all)
            return is_reached;
    }
    return wants_all;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_WaitSemaphores(VkDevice device, const VkSemaphoreWaitInfo *info, uint64_t timeout_ns)
{
    struct rp_inline_predictor *predictor = NULL;
    const struct rp_sync *sync = NULL;
    bool needs_polling = false;

    for (uint32_t i = 0; i < info->semaphoreCount; i++) {
        sync = rp_semaphore_sync(rp_semaphore_from_handle(info->pSemaphores[i]));
        if (!sync)
            continue;
        needs_polling |= rp_sync_needs_polling(sync);
        if (!predictor)
            predictor = rp_inline_predictor_find(&sync->mark, info->pValues[i]);
    }
    const VkResult result =
        rp_device_wait(rp_device_from_handle(device), info->semaphoreCount == 1 ? sync : NULL,
                       semaphore_wait_is_met, info, needs_polling, rp_sync_deadline_ns(timeout_ns));
    if (result == VK_SUCCESS)
        rp_inline_predictor_note_wait(predictor);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_ImportSemaphoreFdKHR(VkDevice device, const VkImportSemaphoreFdInfoKHR *info)
{
    struct rp_device *dev = rp_device_from_handle(device);
    struct rp_semaphore *sem = rp_semaphore_from_handle(info->semaphore);
    const bool is_file = info->handleType == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;

    struct rp_sync *sync = is_file ? rp_sync_import_file(info->fd) : rp_sync_import_page(info->fd);
    if (!sync)
        return rp_error(sem, VK_ERROR_INVALID_EXTERNAL_HANDLE);
    if (!rp_semaphore_sync(sem)) { /* what a destroyed semaphore is given has nobody to reach */
        rp_sync_unref(sync);
        return VK_SUCCESS;
    }

    const bool is_temporary = is_file || (info->flags & VK_SEMAPHORE_IMPORT_TEMPORARY_BIT);
    struct rp_sync **place = is_temporary ? &sem->temporary : &sem->permanent;
    rp_sync_unref(*place);
    *place = sync;
    rp_sync_announce_everything(dev);
    return VK_SUCCESS;
}

static bool
sync_is_signalled(const void *ctx)
{
    return rp_sync_value(ctx) != 0;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_GetSemaphoreFdKHR(VkDevice device, const VkSemaphoreGetFdInfoKHR *info, int *out)
{
    struct rp_device *dev = rp_device_from_handle(device);
    struct rp_semaphore *sem = rp_semaphore_from_handle(info->semaphore);

    if (info->handleType != VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT)
        return rp_sync_export_page(rp_semaphore_sync(sem), out);

    /* There is no sync file without a kernel driver. -1 means "signalled", so be that first; the
     * export is a wait operation, which a destroyed semaphore meets. */
    VkResult result = VK_SUCCESS;
    if (rp_semaphore_sync(sem)) {
        struct rp_sync *sync = rp_semaphore_take(sem);
        result = rp_sync_wait(dev, sync_is_signalled, sync, rp_sync_needs_polling(sync),
                              RP_WAIT_FOREVER);
        if (result == VK_SUCCESS)
            rp_sync_reset(sync);
        rp_sync_unref(sync);
    }
    if (result != VK_SUCCESS)
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);
    *out = -1;
    return VK_SUCCESS;
}

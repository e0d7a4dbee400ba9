/* SPDX-License-Identifier: MIT */
/* Events, as the host sees them; src/cmd/event.c has the commands.
 */
#include "object/event.h"

#include "object/capture.h"
#include "object/device.h"
#include "util/log.h"

#include "rp_entrypoints.h"

VKAPI_ATTR VkResult VKAPI_CALL
rp_CreateEvent(VkDevice device, const VkEventCreateInfo *info, const VkAllocationCallbacks *alloc,
               VkEvent *out)
{
    struct rp_device *dev = rp_device_from_handle(device);

    struct rp_event *event = rp_object_zalloc(dev, alloc, sizeof(*event), VK_OBJECT_TYPE_EVENT);
    if (!event)
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);

    atomic_init(&event->is_set, false);
    rp_capture_created(dev, &event->base, info);
    *out = rp_event_to_handle(event);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
rp_DestroyEvent(VkDevice device, VkEvent handle, const VkAllocationCallbacks *alloc)
{
    rp_object_free(rp_device_from_handle(device), alloc, rp_event_from_handle(handle));
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_GetEventStatus(VkDevice device, VkEvent handle)
{
    const struct rp_event *event = rp_event_from_handle(handle);

    if (rp_device_is_lost(rp_device_from_handle(device)))
        return VK_ERROR_DEVICE_LOST;
    return atomic_load(&event->is_set) ? VK_EVENT_SET : VK_EVENT_RESET;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_SetEvent(VkDevice device, VkEvent handle)
{
    atomic_store(&rp_event_from_handle(handle)->is_set, true);
    rp_sync_announce(rp_device_from_handle(device));
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_ResetEvent(VkDevice device, VkEvent handle)
{
    atomic_store(&rp_event_from_handle(handle)->is_set, false);
    return VK_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
/* VK_EXT_debug_utils for the device: names, which our log shows. Labels and tags have no reader.
 */
#include "object/capture.h"
#include "object/device.h"
#include "object/instance.h"
#include "object/object.h"
#include "util/alloc.h"
#include "util/log.h"

#include "rp_entrypoints.h"

#include <string.h>

/* NULL for what the loader or a layer has made: it hands such handles on as they are, and older
 * loaders their own VkInstance, too. A device has one instance and one physical device. */
static struct rp_object *
named_object(struct rp_device *dev, const VkDebugUtilsObjectNameInfoEXT *info)
{
    switch (info->objectType) {
    case VK_OBJECT_TYPE_INSTANCE:
        return &dev->physical_device->instance->base;
    case VK_OBJECT_TYPE_PHYSICAL_DEVICE:
        return &dev->physical_device->base;
    case VK_OBJECT_TYPE_DEBUG_UTILS_MESSENGER_EXT:
    case VK_OBJECT_TYPE_DEBUG_REPORT_CALLBACK_EXT:
    case VK_OBJECT_TYPE_SURFACE_KHR:
    case VK_OBJECT_TYPE_SWAPCHAIN_KHR:
    case VK_OBJECT_TYPE_DISPLAY_KHR:
    case VK_OBJECT_TYPE_DISPLAY_MODE_KHR:
        return NULL;
    default:
        return (struct rp_object *)(uintptr_t)info->objectHandle;
    }
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_SetDebugUtilsObjectNameEXT(VkDevice handle, const VkDebugUtilsObjectNameInfoEXT *info)
{
    struct rp_object *obj = named_object(rp_device_from_handle(handle), info);
    if (!obj)
        return VK_SUCCESS;

    const size_t size_B = info->pObjectName ? strlen(info->pObjectName) + 1 : 0;

    char *name = NULL;
    if (size_B > 1) {
        name = rp_alloc(NULL, size_B, 1, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
        if (!name)
            return rp_error(obj, VK_ERROR_OUT_OF_HOST_MEMORY);
        memcpy(name, info->pObjectName, size_B);
    }
    rp_free(NULL, obj->name);
    obj->name = name;
    if (RP_UNLIKELY(obj->capture_id))
        obj->dev->capture->ops->named(obj->dev->capture, obj, name);
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_SetDebugUtilsObjectTagEXT(VkDevice device, const VkDebugUtilsObjectTagInfoEXT *info)
{
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
rp_QueueBeginDebugUtilsLabelEXT(VkQueue queue, const VkDebugUtilsLabelEXT *label)
{
}

VKAPI_ATTR void VKAPI_CALL
rp_QueueEndDebugUtilsLabelEXT(VkQueue queue)
{
}

VKAPI_ATTR void VKAPI_CALL
rp_QueueInsertDebugUtilsLabelEXT(VkQueue queue, const VkDebugUtilsLabelEXT *label)
{
}

VKAPI_ATTR void VKAPI_CALL
rp_CmdBeginDebugUtilsLabelEXT(VkCommandBuffer commandBuffer, const VkDebugUtilsLabelEXT *label)
{
}

VKAPI_ATTR void VKAPI_CALL
rp_CmdEndDebugUtilsLabelEXT(VkCommandBuffer commandBuffer)
{
}

VKAPI_ATTR void VKAPI_CALL
rp_CmdInsertDebugUtilsLabelEXT(VkCommandBuffer commandBuffer, const VkDebugUtilsLabelEXT *label)
{
}

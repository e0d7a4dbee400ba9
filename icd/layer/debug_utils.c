/* SPDX-License-Identifier: MIT */
/* Names, labels and markers: those of handles of our driver would be read by the lower device as
 * its own, and are dropped.
 */
#include "icd/layer/command_buffer.h"
#include "icd/layer/device.h"
#include "icd/layer/entry.h"

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_SetDebugUtilsObjectNameEXT(VkDevice handle, const VkDebugUtilsObjectNameInfoEXT *info)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    return rp_layer_entry_find_lent(&dev->map, info->objectType, info->objectHandle)
               ? VK_SUCCESS
               : dev->lower.SetDebugUtilsObjectNameEXT(handle, info);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_SetDebugUtilsObjectTagEXT(VkDevice handle, const VkDebugUtilsObjectTagInfoEXT *info)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    return rp_layer_entry_find_lent(&dev->map, info->objectType, info->objectHandle)
               ? VK_SUCCESS
               : dev->lower.SetDebugUtilsObjectTagEXT(handle, info);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_CmdBeginDebugUtilsLabelEXT(VkCommandBuffer handle, const VkDebugUtilsLabelEXT *label)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (!rp_layer_command_buffer_get(dev, handle))
        dev->lower.CmdBeginDebugUtilsLabelEXT(handle, label);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_CmdEndDebugUtilsLabelEXT(VkCommandBuffer handle)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (!rp_layer_command_buffer_get(dev, handle))
        dev->lower.CmdEndDebugUtilsLabelEXT(handle);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_CmdInsertDebugUtilsLabelEXT(VkCommandBuffer handle, const VkDebugUtilsLabelEXT *label)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (!rp_layer_command_buffer_get(dev, handle))
        dev->lower.CmdInsertDebugUtilsLabelEXT(handle, label);
}

/* Up to command pools both enumerations of types have the same numbers; behind them there is
 * nothing of ours. */
static bool
marked_is_lent(struct rp_layer_device *dev, VkDebugReportObjectTypeEXT type, uint64_t object)
{
    return type <= VK_DEBUG_REPORT_OBJECT_TYPE_COMMAND_POOL_EXT &&
           rp_layer_entry_find_lent(&dev->map, (VkObjectType)type, object);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_DebugMarkerSetObjectNameEXT(VkDevice handle, const VkDebugMarkerObjectNameInfoEXT *info)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    return marked_is_lent(dev, info->objectType, info->object)
               ? VK_SUCCESS
               : dev->lower.DebugMarkerSetObjectNameEXT(handle, info);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_DebugMarkerSetObjectTagEXT(VkDevice handle, const VkDebugMarkerObjectTagInfoEXT *info)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    return marked_is_lent(dev, info->objectType, info->object)
               ? VK_SUCCESS
               : dev->lower.DebugMarkerSetObjectTagEXT(handle, info);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_CmdDebugMarkerBeginEXT(VkCommandBuffer handle, const VkDebugMarkerMarkerInfoEXT *info)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (!rp_layer_command_buffer_get(dev, handle))
        dev->lower.CmdDebugMarkerBeginEXT(handle, info);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_CmdDebugMarkerEndEXT(VkCommandBuffer handle)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (!rp_layer_command_buffer_get(dev, handle))
        dev->lower.CmdDebugMarkerEndEXT(handle);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_CmdDebugMarkerInsertEXT(VkCommandBuffer handle, const VkDebugMarkerMarkerInfoEXT *info)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (!rp_layer_command_buffer_get(dev, handle))
        dev->lower.CmdDebugMarkerInsertEXT(handle, info);
}

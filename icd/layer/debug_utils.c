/* SPDX-License-Identifier: MIT */
/* Names and labels: those of handles of our driver would be read by the lower device as its own, and
 * are dropped.
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

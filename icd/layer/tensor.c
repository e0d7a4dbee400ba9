/* SPDX-License-Identifier: MIT */
/* Tensors, which are the lower device's alone, and may be shared with families that it does not
 * know.
 */
#include "icd/layer/device.h"
#include "icd/layer/sharing.h"

static VkTensorCreateInfoARM
lower_info(const struct rp_layer_device *dev, const VkTensorCreateInfoARM *info,
           struct rp_layer_sharing *sharing)
{
    VkTensorCreateInfoARM below = *info;

    *sharing = rp_layer_sharing_lower(dev, info->sharingMode, info->queueFamilyIndexCount,
                                      info->pQueueFamilyIndices, false);
    below.sharingMode = sharing->mode;
    below.queueFamilyIndexCount = sharing->count;
    below.pQueueFamilyIndices = sharing->families;
    return below;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_CreateTensorARM(VkDevice handle, const VkTensorCreateInfoARM *info,
                         const VkAllocationCallbacks *alloc, VkTensorARM *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_sharing sharing;
    const VkTensorCreateInfoARM below = lower_info(dev, info, &sharing);

    return dev->lower.CreateTensorARM(handle, &below, alloc, out);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_GetDeviceTensorMemoryRequirementsARM(VkDevice handle,
                                              const VkDeviceTensorMemoryRequirementsARM *info,
                                              VkMemoryRequirements2 *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_sharing sharing;
    const VkTensorCreateInfoARM below = lower_info(dev, info->pCreateInfo, &sharing);
    VkDeviceTensorMemoryRequirementsARM lower = *info;

    lower.pCreateInfo = &below;
    dev->lower.GetDeviceTensorMemoryRequirementsARM(handle, &lower, out);
}

/* SPDX-License-Identifier: MIT */
/* VK_EXT_device_fault: why a device was lost, in one sentence.
 */
#include "object/device.h"

#include "rp_entrypoints.h"

#include <stdio.h>

VKAPI_ATTR VkResult VKAPI_CALL
rp_GetDeviceFaultInfoEXT(VkDevice device, VkDeviceFaultCountsEXT *counts,
                         VkDeviceFaultInfoEXT *info)
{
    struct rp_device *dev = rp_device_from_handle(device);

    counts->addressInfoCount = 0;
    counts->vendorInfoCount = 0;
    counts->vendorBinarySize = 0;
    if (info) {
        const char *reason = atomic_load(&dev->lost_reason);
        (void)snprintf(info->description, sizeof(info->description), "%s", reason ? reason : "");
    }
    return VK_SUCCESS;
}

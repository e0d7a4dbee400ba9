/* SPDX-License-Identifier: MIT */
/* Which cooperative matrices can be multiplied. */
#include "compute/compute.h"
#include "util/compiler.h"

#include "rp_entrypoints.h"

#include <stddef.h>

struct combination {
    VkComponentTypeKHR factors;
    VkComponentTypeKHR sum;
};

static const struct combination combinations[] = {
    {VK_COMPONENT_TYPE_FLOAT32_KHR, VK_COMPONENT_TYPE_FLOAT32_KHR},
    {VK_COMPONENT_TYPE_FLOAT16_KHR, VK_COMPONENT_TYPE_FLOAT32_KHR},
    {VK_COMPONENT_TYPE_FLOAT16_KHR, VK_COMPONENT_TYPE_FLOAT16_KHR},
    {VK_COMPONENT_TYPE_BFLOAT16_KHR, VK_COMPONENT_TYPE_FLOAT32_KHR},
    {VK_COMPONENT_TYPE_BFLOAT16_KHR, VK_COMPONENT_TYPE_BFLOAT16_KHR},
    {VK_COMPONENT_TYPE_SINT8_KHR, VK_COMPONENT_TYPE_SINT32_KHR},
    {VK_COMPONENT_TYPE_UINT8_KHR, VK_COMPONENT_TYPE_UINT32_KHR},
    {VK_COMPONENT_TYPE_SINT16_KHR, VK_COMPONENT_TYPE_SINT32_KHR},
    {VK_COMPONENT_TYPE_UINT16_KHR, VK_COMPONENT_TYPE_UINT32_KHR},
    {VK_COMPONENT_TYPE_SINT32_KHR, VK_COMPONENT_TYPE_SINT32_KHR},
    {VK_COMPONENT_TYPE_UINT32_KHR, VK_COMPONENT_TYPE_UINT32_KHR},
};

VKAPI_ATTR VkResult VKAPI_CALL
rp_GetPhysicalDeviceCooperativeMatrixPropertiesKHR(VkPhysicalDevice physicalDevice, uint32_t *count,
                                                   VkCooperativeMatrixPropertiesKHR *out)
{
    const uint32_t total = RP_ARRAY_SIZE(combinations);
    if (!out) {
        *count = total;
        return VK_SUCCESS;
    }
    *count = RP_MIN(*count, total);
    for (uint32_t i = 0; i < *count; i++) {
        out[i].MSize = out[i].NSize = out[i].KSize = RP_COOPERATIVE_SIDE;
        out[i].AType = out[i].BType = combinations[i].factors;
        out[i].CType = out[i].ResultType = combinations[i].sum;
        out[i].saturatingAccumulation = VK_FALSE;
        out[i].scope = VK_SCOPE_SUBGROUP_KHR;
    }
    return *count < total ? VK_INCOMPLETE : VK_SUCCESS;
}

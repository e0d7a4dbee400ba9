/* SPDX-License-Identifier: MIT */
/* Commands from the driver, which is part of the program: libFuzzer sees what they reach.
 */
#include "tests/vk/loader.h"

#include <vulkan/vk_icd.h>

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vk_icdGetInstanceProcAddr(VkInstance, const char *);

PFN_vkGetInstanceProcAddr
loader_open(void)
{
    return vk_icdGetInstanceProcAddr;
}

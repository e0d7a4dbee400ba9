/* SPDX-License-Identifier: MIT */
/* Where the tests' Vulkan commands come from.
 */
#ifndef RP_TESTS_VK_LOADER_H
#define RP_TESTS_VK_LOADER_H

#include <vulkan/vulkan_core.h>

/* The machine's Vulkan loader, or, in fuzz targets, the driver itself. */
PFN_vkGetInstanceProcAddr loader_open(void);

#endif

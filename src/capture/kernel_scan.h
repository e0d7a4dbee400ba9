/* SPDX-License-Identifier: MIT */
/* What a compute pipeline or shader object does that a capture has to know of.
 */
#ifndef RP_CAPTURE_KERNEL_SCAN_H
#define RP_CAPTURE_KERNEL_SCAN_H

#include <vulkan/vulkan_core.h>

#include <stdint.h>

/* Bits of enum rp_capture_kernel_flag. The whole module counts, whatever the entry point uses. info
 * is a VkComputePipelineCreateInfo, or a VkShaderCreateInfoEXT with SPIR-V. */
uint32_t rp_capture_kernel_scan(const void *info);

#endif

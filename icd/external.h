/* SPDX-License-Identifier: MIT */
/* What can be shared with other processes and drivers.
 */
#ifndef RP_ICD_EXTERNAL_H
#define RP_ICD_EXTERNAL_H

#include <vulkan/vulkan_core.h>

struct rp_physical_device;

/* Zeros for a handle type that is not supported. */
void rp_external_memory_properties(const struct rp_physical_device *pdev,
                                   VkExternalMemoryHandleTypeFlagBits type,
                                   VkExternalMemoryProperties *out);

#endif

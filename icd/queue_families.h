/* SPDX-License-Identifier: MIT */
/* The queue families of the device.
 */
#ifndef RP_ICD_QUEUE_FAMILIES_H
#define RP_ICD_QUEUE_FAMILIES_H

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stdint.h>

struct rp_physical_device;

struct rp_queue_family {
    VkQueueFlags flags;
    uint32_t queue_count;
    uint32_t timestamp_bits;
};

/* NULL behind the last one. */
const struct rp_queue_family *rp_queue_family_get(const struct rp_physical_device *pdev,
                                                  uint32_t index);

#endif

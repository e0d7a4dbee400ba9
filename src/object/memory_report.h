/* SPDX-License-Identifier: MIT */
/* Callbacks that want to hear of device memory (VK_EXT_device_memory_report), and the telling. */
#ifndef RP_OBJECT_MEMORY_REPORT_H
#define RP_OBJECT_MEMORY_REPORT_H

#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <stdint.h>

struct rp_device;
struct rp_memory;

struct rp_memory_reporter {
    PFN_vkDeviceMemoryReportCallbackEXT callback;
    void *user_data;
};

/* The callbacks of a device, set when it is made. */
struct rp_memory_reporters {
    struct rp_memory_reporter *all; /* owned; count of them */
    uint32_t count;
};

/* Takes the reporters of a VkDeviceCreateInfo's chain; finish accepts what init left. */
VkResult rp_memory_reporters_init(struct rp_memory_reporters *reporters, const void *chain,
                                  const VkAllocationCallbacks *alloc) RP_MUST_CHECK;
void rp_memory_reporters_finish(struct rp_memory_reporters *reporters,
                                const VkAllocationCallbacks *alloc);

/* Memory that is there now, or, before its pages are given back, that goes. */
void rp_memory_report_taken(struct rp_device *dev, struct rp_memory *mem);
void rp_memory_report_given(struct rp_device *dev, const struct rp_memory *mem);

/* Memory that could not be had. */
void rp_memory_report_failed(struct rp_device *dev, uint64_t size_B);

#endif

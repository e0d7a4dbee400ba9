/* SPDX-License-Identifier: MIT */
/* Lower memory that our driver uses in place: mapped for good, and imported by its address.
 */
#ifndef RP_ICD_LAYER_MEMORY_H
#define RP_ICD_LAYER_MEMORY_H

#include "icd/layer/map.h"
#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stdint.h>

struct rp_layer_device;

/* dev->memory_mutex guards what changes. */
struct rp_layer_memory {
    struct rp_layer_entry entry;
    VkDeviceSize size_B;
    bool is_host_visible;
    bool is_written;       /* the application may have: it has mapped, imported or exported it */
    VkDeviceSize bound_B;  /* nothing has been bound to what is behind */
    uint8_t *map;          /* all of it, from the first map on; NULL before */
    VkDeviceMemory driver; /* NULL until our driver uses it */
    VkDeviceSize driver_start_B; /* where the memory begins in it */
};

/* Has our driver know the memory. */
VkResult rp_layer_memory_lend(struct rp_layer_device *dev, VkDeviceMemory handle,
                              const struct rp_layer_memory **out) RP_MUST_CHECK;

/* A resource is bound to these bytes of the memory (to all of it: VK_WHOLE_SIZE). is_zeroed: those
 * bytes of it, which is lent, that nobody may have written become zero, as our driver's own memory
 * is from the beginning. */
void rp_layer_memory_bind(struct rp_layer_device *dev, VkDeviceMemory handle, VkDeviceSize offset_B,
                          VkDeviceSize size_B, bool is_zeroed);

/* Imports size_B bytes of host memory, rounded to pages; they begin at *start_B_out of *out. */
VkResult rp_layer_memory_import(struct rp_layer_device *dev, uint8_t *host, VkDeviceSize size_B,
                                VkDeviceMemory *out, VkDeviceSize *start_B_out) RP_MUST_CHECK;

/* One of the lower types in bits for memory that the host shares: cached where there is such.
 * Write-combined memory is read hundreds of times slower. 0: there is none. */
uint32_t rp_layer_memory_host_types(const struct rp_layer_device *dev, uint32_t bits);

#endif

/* SPDX-License-Identifier: MIT */
/* Parameter sets of one kind, for standards that add them by and by (H.264, H.265).
 *
 * Sets are only ever added. Readers see a set when the count has grown over it: one thread may add
 * while others look sets up.
 */
#ifndef RP_VIDEO_PARAMETER_TABLE_H
#define RP_VIDEO_PARAMETER_TABLE_H

#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rp_parameter_table {
    void **entries; /* owned array of capacity, of owned entries */
    uint32_t capacity;
    atomic_uint count; /* released after the entries below it are complete */
};

/* VK_ERROR_OUT_OF_HOST_MEMORY. The callbacks are the same in all calls, or NULL. */
VkResult rp_parameter_table_init(struct rp_parameter_table *table,
                                 const VkAllocationCallbacks *callbacks,
                                 uint32_t capacity) RP_MUST_CHECK;

/* Zeroed or half-made ones, too. */
void rp_parameter_table_finish(struct rp_parameter_table *table,
                               const VkAllocationCallbacks *callbacks);

uint32_t rp_parameter_table_count(const struct rp_parameter_table *table);

/* Zeroed memory for one more entry at *count, which grows. NULL: *result_out is
 * VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR when the table is full, or
 * VK_ERROR_OUT_OF_HOST_MEMORY. */
void *rp_parameter_table_grow(struct rp_parameter_table *table,
                              const VkAllocationCallbacks *callbacks, uint32_t *count,
                              size_t size_B, VkResult *result_out);

/* Ends what rp_parameter_table_grow() began: the new entries are there or, when not is_good,
 * freed. */
void rp_parameter_table_publish(struct rp_parameter_table *table,
                                const VkAllocationCallbacks *callbacks, uint32_t count,
                                bool is_good);

#endif

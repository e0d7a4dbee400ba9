/* SPDX-License-Identifier: MIT */
/* Host memory: the only way to it above src/platform.
 *
 * callbacks: the application's, or NULL for the driver's own allocator. Memory that is taken on
 * the driver's threads uses NULL: Vulkan forbids the callbacks there.
 */
#ifndef RP_UTIL_ALLOC_H
#define RP_UTIL_ALLOC_H

#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* align: a power of two. size 0 gives NULL. NULL when memory is short. */
void *rp_alloc(const VkAllocationCallbacks *callbacks, size_t size_B, size_t align_B,
               VkSystemAllocationScope scope) RP_MUST_CHECK;
void *rp_zalloc(const VkAllocationCallbacks *callbacks, size_t size_B, size_t align_B,
                VkSystemAllocationScope scope) RP_MUST_CHECK;

/* count * size_B, checked. */
void *rp_zalloc_array(const VkAllocationCallbacks *callbacks, size_t count, size_t size_B,
                      VkSystemAllocationScope scope) RP_MUST_CHECK;

/* *array, count of *capacity elements of size_B bytes, has room for one more: in memory of the
 * driver's own, which is larger and moves when there was none, zeros behind the elements. False: no
 * memory, and it is as it was. */
bool rp_grow_array(void *array, uint32_t count, uint32_t *capacity, size_t size_B) RP_MUST_CHECK;

/* With the callbacks it was taken with. Accepts NULL. */
void rp_free(const VkAllocationCallbacks *callbacks, void *memory);

#endif

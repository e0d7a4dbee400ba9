/* SPDX-License-Identifier: MIT */
/* The functions that --wrap has calls go to.
 */
#include "tests/failing_alloc.h"

#include "util/alloc.h"

#include <stdbool.h>

void *__real_rp_alloc(const VkAllocationCallbacks *callbacks, size_t size_B, size_t align_B,
                      VkSystemAllocationScope scope);
void *__real_rp_zalloc(const VkAllocationCallbacks *callbacks, size_t size_B, size_t align_B,
                       VkSystemAllocationScope scope);
void *__wrap_rp_alloc(const VkAllocationCallbacks *callbacks, size_t size_B, size_t align_B,
                      VkSystemAllocationScope scope);
void *__wrap_rp_zalloc(const VkAllocationCallbacks *callbacks, size_t size_B, size_t align_B,
                       VkSystemAllocationScope scope);

struct failing_alloc failing_alloc;

static bool
allocation_fails(void)
{
    return atomic_fetch_add(&failing_alloc.count, 1) + 1 == atomic_load(&failing_alloc.wanted);
}

void *
__wrap_rp_alloc(const VkAllocationCallbacks *callbacks, size_t size_B, size_t align_B,
                VkSystemAllocationScope scope)
{
    return allocation_fails() ? NULL : __real_rp_alloc(callbacks, size_B, align_B, scope);
}

void *
__wrap_rp_zalloc(const VkAllocationCallbacks *callbacks, size_t size_B, size_t align_B,
                 VkSystemAllocationScope scope)
{
    return allocation_fails() ? NULL : __real_rp_zalloc(callbacks, size_B, align_B, scope);
}

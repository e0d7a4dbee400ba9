/* SPDX-License-Identifier: MIT */
/* Host memory from the application's callbacks or from the C library's heap.
 */
#include "util/alloc.h"

#include "platform/heap.h"
#include "util/checked.h"

#include <string.h>

#define GROWN_FROM 16u /* elements */

void *
rp_alloc(const VkAllocationCallbacks *callbacks, size_t size_B, size_t align_B,
         VkSystemAllocationScope scope)
{
    if (size_B == 0)
        return NULL;
    if (callbacks)
        return callbacks->pfnAllocation(callbacks->pUserData, size_B, align_B, scope);
    return rp_heap_alloc(size_B, align_B);
}

void *
rp_zalloc(const VkAllocationCallbacks *callbacks, size_t size_B, size_t align_B,
          VkSystemAllocationScope scope)
{
    if (!callbacks && size_B)
        return rp_heap_zalloc(size_B, align_B);

    void *memory = rp_alloc(callbacks, size_B, align_B, scope);
    if (memory)
        memset(memory, 0, size_B);
    return memory;
}

void *
rp_zalloc_array(const VkAllocationCallbacks *callbacks, size_t count, size_t size_B,
                VkSystemAllocationScope scope)
{
    size_t total_B;
    if (!rp_mul_size(count, size_B, &total_B))
        return NULL;
    return rp_zalloc(callbacks, total_B, _Alignof(max_align_t), scope);
}

bool
rp_grow_array(void *array, uint32_t count, uint32_t *capacity, size_t size_B)
{
    void **elements = array;
    if (count < *capacity)
        return true;
    if (*capacity > UINT32_MAX / 2)
        return false;
    const uint32_t larger = *capacity ? 2 * *capacity : GROWN_FROM;
    void *grown = rp_zalloc_array(NULL, larger, size_B, VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    if (!grown)
        return false;
    if (*capacity)
        memcpy(grown, *elements, *capacity * size_B);
    rp_free(NULL, *elements);
    *elements = grown;
    *capacity = larger;
    return true;
}

void
rp_free(const VkAllocationCallbacks *callbacks, void *memory)
{
    if (!memory)
        return;
    if (callbacks)
        callbacks->pfnFree(callbacks->pUserData, memory);
    else
        rp_heap_free(memory);
}

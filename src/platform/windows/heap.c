/* SPDX-License-Identifier: MIT */
/* _aligned_malloc(): what it gives no other function takes back, so that all comes from it.
 */
#include "platform/heap.h"

#include <malloc.h>
#include <stdalign.h>
#include <string.h>

void *
rp_heap_alloc(size_t size_B, size_t align_B)
{
    return _aligned_malloc(size_B, RP_MAX(align_B, alignof(max_align_t)));
}

void *
rp_heap_zalloc(size_t size_B, size_t align_B)
{
    void *memory = rp_heap_alloc(size_B, align_B);
    if (memory)
        memset(memory, 0, size_B);
    return memory;
}

void
rp_heap_free(void *memory)
{
    _aligned_free(memory);
}

/* SPDX-License-Identifier: MIT */
/* malloc() and posix_memalign().
 */
#include "platform/heap.h"

#include <stdlib.h>
#include <string.h>

void *
rp_heap_alloc(size_t size_B, size_t align_B)
{
    if (align_B <= _Alignof(max_align_t))
        return malloc(size_B);

    void *memory = NULL;
    return posix_memalign(&memory, align_B, size_B) == 0 ? memory : NULL;
}

void *
rp_heap_zalloc(size_t size_B, size_t align_B)
{
    if (align_B <= _Alignof(max_align_t))
        return calloc(1, size_B); /* pages that are fresh from the system are zero already */

    void *memory = rp_heap_alloc(size_B, align_B);
    if (memory)
        memset(memory, 0, size_B);
    return memory;
}

void
rp_heap_free(void *memory)
{
    free(memory);
}

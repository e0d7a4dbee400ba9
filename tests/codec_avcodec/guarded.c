/* SPDX-License-Identifier: MIT */
/* Guard pages.
 */
#include "guarded.h"

#include "test.h"

#include <string.h>
#include <sys/mman.h>

#define PAGE_B ((size_t)65536)

void
guarded_init(struct guarded *memory, size_t capacity_B)
{
    const size_t inner_B = (capacity_B + PAGE_B - 1) / PAGE_B * PAGE_B;
    memory->map_B = inner_B + 2 * PAGE_B;
    memory->map = mmap(NULL, memory->map_B, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(memory->map != MAP_FAILED);
    uint8_t *inner = (uint8_t *)memory->map + PAGE_B;
    REQUIRE(inner_B == 0 || mprotect(inner, inner_B, PROT_READ | PROT_WRITE) == 0);
    memory->end = inner + inner_B;
    memory->capacity_B = capacity_B;
}

void
guarded_finish(struct guarded *memory)
{
    if (memory->map)
        munmap(memory->map, memory->map_B);
    *memory = (struct guarded){.map = NULL};
}

const uint8_t *
guarded_copy(struct guarded *memory, const void *data, size_t size_B)
{
    if (size_B > memory->capacity_B) {
        guarded_finish(memory);
        guarded_init(memory, 2 * size_B);
    }
    uint8_t *copy = memory->end - size_B;
    if (size_B)
        memcpy(copy, data, size_B);
    return copy;
}

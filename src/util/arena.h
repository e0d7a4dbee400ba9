/* SPDX-License-Identifier: MIT */
/* Memory that is taken piece by piece and released at once: recorded commands.
 */
#ifndef RP_UTIL_ARENA_H
#define RP_UTIL_ARENA_H

#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <stddef.h>
#include <stdint.h>

struct rp_arena_block;

struct rp_arena {
    const VkAllocationCallbacks *callbacks; /* borrowed; may be NULL */
    struct rp_arena_block *first;
    struct rp_arena_block *current;
    uint8_t *next; /* in current */
    uint8_t *end;
};

void rp_arena_init(struct rp_arena *arena, const VkAllocationCallbacks *callbacks);
void rp_arena_finish(struct rp_arena *arena);

/* Forgets all pieces; keeps the blocks for the next use. */
void rp_arena_reset(struct rp_arena *arena);

/* Gives the blocks back too. */
void rp_arena_trim(struct rp_arena *arena);

void *rp_arena_grow(struct rp_arena *arena, size_t size_B) RP_MUST_CHECK;

/* Aligned to 16 bytes, contents undefined, valid until reset. NULL when memory is short. */
static inline void *RP_MUST_CHECK
rp_arena_alloc(struct rp_arena *arena, size_t size_B)
{
    const size_t left_B = (size_t)(arena->end - arena->next);
    if (RP_UNLIKELY(!arena->next || size_B > left_B || ((size_B + 15) & ~(size_t)15) > left_B))
        return rp_arena_grow(arena, size_B);

    void *piece = arena->next;
    arena->next += (size_B + 15) & ~(size_t)15;
    return piece;
}

/* A copy of size_B bytes; NULL when memory is short. */
void *rp_arena_copy(struct rp_arena *arena, const void *data, size_t size_B) RP_MUST_CHECK;

#endif

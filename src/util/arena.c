/* SPDX-License-Identifier: MIT */
/* A list of blocks; pieces are cut from the current one.
 */
#include "util/arena.h"

#include "util/alloc.h"
#include "util/checked.h"

#include <string.h>

#define BLOCK_B ((size_t)16 << 10)

struct rp_arena_block {
    struct rp_arena_block *next;
    size_t size_B; /* of data */
    _Alignas(16) uint8_t data[];
};

void
rp_arena_init(struct rp_arena *arena, const VkAllocationCallbacks *callbacks)
{
    *arena = (struct rp_arena){.callbacks = callbacks};
}

void
rp_arena_finish(struct rp_arena *arena)
{
    struct rp_arena_block *block = arena->first;
    while (block) {
        struct rp_arena_block *next = block->next;
        rp_free(arena->callbacks, block);
        block = next;
    }
    rp_arena_init(arena, arena->callbacks);
}

static void
arena_enter(struct rp_arena *arena, struct rp_arena_block *block)
{
    arena->current = block;
    arena->next = block ? block->data : NULL;
    arena->end = block ? block->data + block->size_B : NULL;
}

void
rp_arena_reset(struct rp_arena *arena)
{
    arena_enter(arena, arena->first);
}

void
rp_arena_trim(struct rp_arena *arena)
{
    rp_arena_finish(arena);
}

void *
rp_arena_grow(struct rp_arena *arena, size_t size_B)
{
    size_t needed_B;
    if (!rp_add_size(size_B, 15, &needed_B))
        return NULL;
    needed_B &= ~(size_t)15;

    /* A block that an earlier use left behind the current one. */
    while (arena->current && arena->current->next) {
        arena_enter(arena, arena->current->next);
        if (needed_B <= arena->current->size_B)
            return rp_arena_alloc(arena, size_B);
    }

    const size_t data_B = RP_MAX(needed_B, BLOCK_B);
    size_t block_B;
    if (!rp_add_size(sizeof(struct rp_arena_block), data_B, &block_B))
        return NULL;
    struct rp_arena_block *block =
        rp_alloc(arena->callbacks, block_B, 16, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!block)
        return NULL;
    block->next = NULL;
    block->size_B = data_B;
    if (arena->current)
        arena->current->next = block;
    else
        arena->first = block;
    arena_enter(arena, block);
    return rp_arena_alloc(arena, size_B);
}

void *
rp_arena_copy(struct rp_arena *arena, const void *data, size_t size_B)
{
    void *copy = rp_arena_alloc(arena, size_B);
    if (copy && size_B)
        memcpy(copy, data, size_B);
    return copy;
}

/* SPDX-License-Identifier: MIT */
#include "codecs/kvazaar/heap.h"

#include "util/alloc.h"
#include "util/checked.h"

#include <setjmp.h>
#include <string.h>

/* The head of each block of memory, in front of what kvazaar gets. */
struct rp_kvazaar_block {
    struct rp_kvazaar_heap *heap;
    struct rp_kvazaar_block *next;
    struct rp_kvazaar_block *previous;
    size_t size_B;
    _Alignas(32) unsigned char memory[];
};

/* The job that the calling thread runs: its memory, and where it goes on when that is short. */
struct run {
    struct rp_kvazaar_heap *heap;
    jmp_buf failed;
};

static _Thread_local struct run *current;

static void
block_unlink(struct rp_kvazaar_block *block)
{
    if (block->previous)
        block->previous->next = block->next;
    else
        block->heap->blocks = block->next;
    if (block->next)
        block->next->previous = block->previous;
}

void
rp_kvazaar_heap_finish(struct rp_kvazaar_heap *heap)
{
    while (heap->blocks) {
        struct rp_kvazaar_block *block = heap->blocks;
        heap->blocks = block->next;
        rp_free(NULL, block);
    }
}

bool
rp_kvazaar_heap_run(struct rp_kvazaar_heap *heap, void (*function)(void *ctx), void *ctx)
{
    struct run run = {.heap = heap};
    if (setjmp(run.failed) != 0) {
        current = NULL;
        return false;
    }
    current = &run;
    function(ctx);
    current = NULL;
    return true;
}

void *
rp_kvazaar_malloc(size_t size_B)
{
    struct rp_kvazaar_heap *heap = current->heap;
    struct rp_kvazaar_block *block = NULL;
    if (size_B <= SIZE_MAX - sizeof(*block))
        block = rp_alloc(NULL, sizeof(*block) + size_B, _Alignof(struct rp_kvazaar_block),
                         VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!block)
        longjmp(current->failed, 1);
    *block = (struct rp_kvazaar_block){.heap = heap, .next = heap->blocks, .size_B = size_B};
    if (heap->blocks)
        heap->blocks->previous = block;
    heap->blocks = block;
    return block->memory;
}

void *
rp_kvazaar_calloc(size_t count, size_t size_B)
{
    size_t all_B;
    if (!rp_mul_size(count, size_B, &all_B))
        all_B = SIZE_MAX;
    void *memory = rp_kvazaar_malloc(all_B);
    memset(memory, 0, all_B);
    return memory;
}

static struct rp_kvazaar_block *
block_of(void *memory)
{
    return (struct rp_kvazaar_block *)((unsigned char *)memory -
                                       offsetof(struct rp_kvazaar_block, memory));
}

void *
rp_kvazaar_realloc(void *memory, size_t size_B)
{
    void *larger = rp_kvazaar_malloc(size_B);
    if (memory) {
        const size_t before_B = block_of(memory)->size_B;
        memcpy(larger, memory, before_B < size_B ? before_B : size_B);
        rp_kvazaar_free(memory);
    }
    return larger;
}

void
rp_kvazaar_free(void *memory)
{
    if (!memory)
        return;
    struct rp_kvazaar_block *block = block_of(memory);
    block_unlink(block);
    rp_free(NULL, block);
}

char *
rp_kvazaar_strdup(const char *text)
{
    const size_t size_B = strlen(text) + 1;
    return memcpy(rp_kvazaar_malloc(size_B), text, size_B);
}

int
rp_kvazaar_fprintf(void *file, const char *format, ...)
{
    (void)file;
    (void)format;
    return 0;
}

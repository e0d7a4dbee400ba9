/* SPDX-License-Identifier: MIT */
#include "compute/watch.h"

#include "util/compiler.h"

#include <string.h>

#define MAX_ITEMS 64u /* descriptors of a dispatch that are looked at */

static struct rp_watch_block *
block_of(struct rp_watch *watch, uint32_t binding)
{
    for (uint32_t i = 0; i < watch->block_count; i++)
        if (watch->blocks[i].binding == binding)
            return &watch->blocks[i];
    if (watch->block_count == RP_WATCH_BLOCKS)
        return NULL;
    struct rp_watch_block *block = &watch->blocks[watch->block_count++];
    *block = (struct rp_watch_block){.binding = binding, .begin_B = UINT32_MAX};
    return block;
}

static void
watch_add(struct rp_watch *watch, struct rp_uniform_word word)
{
    if (word.binding != RP_UNIFORM_PUSH) {
        struct rp_watch_block *block = block_of(watch, word.binding);
        if (!block)
            return;
        block->begin_B = RP_MIN(block->begin_B, word.offset_B);
        block->end_B = RP_MAX(block->end_B, word.offset_B + 4u);
    }
    watch->words[watch->word_count++] = word;
}

void
rp_watch_init(struct rp_watch *watch, const struct rp_kernel *kernel)
{
    uint32_t count;
    const struct rp_uniform_word *words = rp_kernel_uniform_words(kernel, &count);
    *watch = (struct rp_watch){0};
    for (uint32_t i = 0; i < count; i++)
        if (words[i].binding == RP_UNIFORM_PUSH || !rp_kernel_writes_elsewhere(kernel))
            watch_add(watch, words[i]);
}

void
rp_watch_forget(struct rp_watch *watch, const bool are_forgotten[RP_MAX_UNIFORM_WORDS])
{
    const struct rp_watch before = *watch;
    *watch = (struct rp_watch){0};
    for (uint32_t i = 0; i < before.word_count; i++)
        if (!are_forgotten[i])
            watch_add(watch, before.words[i]);
}

struct range {
    const uint8_t *begin;
    const uint8_t *end;
};

static bool
overlap(const struct range *a, const uint8_t *begin, uint64_t size_B)
{
    return (uintptr_t)a->begin < (uintptr_t)begin + size_B && (uintptr_t)begin < (uintptr_t)a->end;
}

static bool
is_watched(const struct rp_watch *watch, uint32_t binding)
{
    for (uint32_t i = 0; i < watch->block_count; i++)
        if (watch->blocks[i].binding == binding)
            return true;
    return false;
}

/* Could what the other bindings name be one of the words? Blocks are not written. */
static bool
others_reach(const struct rp_watch *watch, const struct rp_dispatch *dispatch,
             const struct range *words)
{
    uint32_t binding_count, item_count = 0;
    (void)rp_kernel_bindings(dispatch->kernel, &binding_count);
    for (uint32_t b = 0; b < binding_count; b++) {
        const struct rp_descriptor_array *array = &dispatch->bindings[b];
        if (is_watched(watch, b))
            continue;
        item_count += array->count;
        if (item_count > MAX_ITEMS || array->count > MAX_ITEMS || (array->count && !array->items))
            return true;
        for (uint32_t i = 0; i < array->count; i++) {
            const struct rp_descriptor *item = &array->items[i]; /* it may be stale */
            if (item->ptr && overlap(words, item->ptr, item->size_B))
                return true;
        }
    }
    return false;
}

static bool
blocks_are_steady(const struct rp_watch *watch, const struct rp_dispatch *dispatch)
{
    for (uint32_t i = 0; i < watch->block_count; i++) {
        const struct rp_watch_block *block = &watch->blocks[i];
        const struct rp_descriptor_array *array = &dispatch->bindings[block->binding];
        if (!array->count || !array->items || !array->items[0].ptr ||
            array->items[0].size_B < block->end_B)
            return false;
        const struct range words = {array->items[0].ptr + block->begin_B,
                                    array->items[0].ptr + block->end_B};
        if (others_reach(watch, dispatch, &words))
            return false;
    }
    return true;
}

bool
rp_watch_read(const struct rp_watch *watch, const struct rp_dispatch *dispatch,
              uint32_t values_out[RP_MAX_UNIFORM_WORDS])
{
    if (!dispatch->push_constants || !blocks_are_steady(watch, dispatch))
        return false;
    for (uint32_t i = 0; i < watch->word_count; i++) {
        const struct rp_uniform_word *word = &watch->words[i];
        const uint8_t *from = word->binding == RP_UNIFORM_PUSH
                                  ? dispatch->push_constants
                                  : dispatch->bindings[word->binding].items[0].ptr;
        memcpy(&values_out[i], from + word->offset_B, 4);
    }
    return true;
}

/* SPDX-License-Identifier: MIT */
/* Descriptor pools count what their sets may take; each set is a block of its own.
 */
#include "object/descriptor_set.h"

#include "object/device.h"
#include "object/sampler.h"
#include "util/alloc.h"
#include "util/checked.h"
#include "util/log.h"
#include "util/pnext.h"

#include "rp_entrypoints.h"

#include <string.h>

/* Index into rp_descriptor_pool::item_limit. */
enum { POOL_ITEMS, POOL_INLINE_B };

VKAPI_ATTR VkResult VKAPI_CALL
rp_CreateDescriptorPool(VkDevice device, const VkDescriptorPoolCreateInfo *info,
                        const VkAllocationCallbacks *alloc, VkDescriptorPool *out)
{
    struct rp_device *dev = rp_device_from_handle(device);

    struct rp_descriptor_pool *pool =
        rp_object_zalloc(dev, alloc, sizeof(*pool), VK_OBJECT_TYPE_DESCRIPTOR_POOL);
    if (!pool)
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);

    const VkAllocationCallbacks *callbacks = rp_callbacks(dev, alloc);
    pool->has_callbacks = callbacks != NULL;
    if (callbacks)
        pool->callbacks = *callbacks;
    pool->flags = info->flags;
    pool->set_limit = info->maxSets;
    for (uint32_t i = 0; i < info->poolSizeCount; i++) {
        const VkDescriptorPoolSize *size = &info->pPoolSizes[i];
        const bool is_inline = size->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
        /* Blocks are padded to 16 bytes each. */
        pool->item_limit[is_inline ? POOL_INLINE_B : POOL_ITEMS] += size->descriptorCount;
    }
    const VkDescriptorPoolInlineUniformBlockCreateInfo *blocks = rp_find_struct(
        info->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO);
    if (blocks) {
        pool->item_limit[POOL_ITEMS] += blocks->maxInlineUniformBlockBindings;
        pool->item_limit[POOL_INLINE_B] += 15 * (uint64_t)blocks->maxInlineUniformBlockBindings;
    }
    *out = rp_descriptor_pool_to_handle(pool);
    return VK_SUCCESS;
}

static const VkAllocationCallbacks *
pool_callbacks(const struct rp_descriptor_pool *pool)
{
    return pool->has_callbacks ? &pool->callbacks : NULL;
}

/* What a set of this layout counts against its pool. */
static void
set_measure(const struct rp_set_layout *layout, uint32_t variable_count, uint64_t out[2])
{
    out[POOL_ITEMS] = layout->item_count;
    out[POOL_INLINE_B] = layout->inline_B;
    if (layout->binding_count == 0)
        return;
    const struct rp_set_binding *last = &layout->bindings[layout->binding_count - 1];
    if (last->has_variable_count && last->type != VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK)
        out[POOL_ITEMS] -= last->count - RP_MIN(variable_count, last->count);
}

static void
set_free(struct rp_descriptor_pool *pool, struct rp_descriptor_set *set)
{
    uint64_t needs[2];
    set_measure(set->table.layout, set->variable_count, needs);
    pool->item_used[POOL_ITEMS] -= needs[POOL_ITEMS];
    pool->item_used[POOL_INLINE_B] -= needs[POOL_INLINE_B];
    pool->set_count--;

    if (set->prev)
        set->prev->next = set->next;
    else
        pool->first = set->next;
    if (set->next)
        set->next->prev = set->prev;
    rp_set_layout_unref((struct rp_set_layout *)set->table.layout);
    rp_object_finish(&set->base);
    rp_free(pool_callbacks(pool), set);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_ResetDescriptorPool(VkDevice device, VkDescriptorPool handle, VkDescriptorPoolResetFlags flags)
{
    struct rp_descriptor_pool *pool = rp_descriptor_pool_from_handle(handle);

    while (pool->first)
        set_free(pool, pool->first);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
rp_DestroyDescriptorPool(VkDevice device, VkDescriptorPool handle,
                         const VkAllocationCallbacks *alloc)
{
    if (!handle)
        return;
    rp_ResetDescriptorPool(device, handle, 0);
    rp_object_free(rp_device_from_handle(device), alloc, rp_descriptor_pool_from_handle(handle));
}

size_t
rp_descriptor_table_size(const struct rp_set_layout *layout, uint32_t variable_count)
{
    uint64_t needs[2];
    set_measure(layout, variable_count, needs);
    /* Both counts are below 2^32. */
    return needs[POOL_ITEMS] * sizeof(struct rp_descriptor) + needs[POOL_INLINE_B];
}

void
rp_descriptor_table_init(struct rp_descriptor_table *table, const struct rp_set_layout *layout,
                         uint32_t variable_count, void *memory)
{
    uint64_t needs[2];
    set_measure(layout, variable_count, needs);
    const size_t items_B = needs[POOL_ITEMS] * sizeof(struct rp_descriptor);
    *table = (struct rp_descriptor_table){
        .layout = layout,
        .items = memory,
        .item_count = (uint32_t)needs[POOL_ITEMS],
        .inline_data = (uint8_t *)memory + items_B,
    };
    if (items_B + needs[POOL_INLINE_B])
        memset(memory, 0, items_B + needs[POOL_INLINE_B]);

    for (uint32_t i = 0; i < layout->binding_count; i++) {
        const struct rp_set_binding *b = &layout->bindings[i];
        if (b->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK && b->count) {
            table->items[b->first_item].ptr = table->inline_data + b->inline_offset_B;
            table->items[b->first_item].size_B = b->count;
        }
        for (uint32_t k = 0; b->immutable_samplers && k < b->count; k++)
            if (b->first_item + k < table->item_count)
                table->items[b->first_item + k].sampler = b->immutable_samplers[k];
    }
}

static VkResult
set_create(struct rp_descriptor_pool *pool, struct rp_set_layout *layout, uint32_t variable_count,
           struct rp_descriptor_set **out)
{
    uint64_t needs[2];
    set_measure(layout, variable_count, needs);
    if (pool->set_count == pool->set_limit ||
        needs[POOL_ITEMS] > pool->item_limit[POOL_ITEMS] - pool->item_used[POOL_ITEMS] ||
        needs[POOL_INLINE_B] > pool->item_limit[POOL_INLINE_B] - pool->item_used[POOL_INLINE_B])
        return rp_error(pool, VK_ERROR_OUT_OF_POOL_MEMORY);

    const size_t head_B = RP_DESCRIPTOR_SET_HEAD_B;
    struct rp_descriptor_set *set =
        rp_alloc(pool_callbacks(pool), head_B + rp_descriptor_table_size(layout, variable_count),
                 _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!set)
        return rp_error(pool, VK_ERROR_OUT_OF_HOST_MEMORY);

    *set = (struct rp_descriptor_set){
        .pool = pool, .next = pool->first, .variable_count = variable_count};
    rp_object_init(&set->base, pool->base.dev, VK_OBJECT_TYPE_DESCRIPTOR_SET);
    rp_descriptor_table_init(&set->table, rp_set_layout_ref(layout), variable_count,
                             (uint8_t *)set + head_B);
    if (pool->first)
        pool->first->prev = set;
    pool->first = set;
    pool->set_count++;
    pool->item_used[POOL_ITEMS] += needs[POOL_ITEMS];
    pool->item_used[POOL_INLINE_B] += needs[POOL_INLINE_B];
    *out = set;
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_AllocateDescriptorSets(VkDevice device, const VkDescriptorSetAllocateInfo *info,
                          VkDescriptorSet *out)
{
    struct rp_descriptor_pool *pool = rp_descriptor_pool_from_handle(info->descriptorPool);
    const VkDescriptorSetVariableDescriptorCountAllocateInfo *counts = rp_find_struct(
        info->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO);
    const bool has_counts = counts && counts->descriptorSetCount == info->descriptorSetCount;
    VkResult result = VK_SUCCESS;

    for (uint32_t i = 0; i < info->descriptorSetCount; i++)
        out[i] = VK_NULL_HANDLE;
    for (uint32_t i = 0; i < info->descriptorSetCount && result == VK_SUCCESS; i++) {
        struct rp_descriptor_set *set = NULL;
        result = set_create(pool, rp_set_layout_from_handle(info->pSetLayouts[i]),
                            has_counts ? counts->pDescriptorCounts[i] : 0, &set);
        out[i] = rp_descriptor_set_to_handle(set);
    }
    if (result != VK_SUCCESS)
        for (uint32_t i = 0; i < info->descriptorSetCount; i++) {
            if (out[i])
                set_free(pool, rp_descriptor_set_from_handle(out[i]));
            out[i] = VK_NULL_HANDLE;
        }
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_FreeDescriptorSets(VkDevice device, VkDescriptorPool handle, uint32_t count,
                      const VkDescriptorSet *sets)
{
    struct rp_descriptor_pool *pool = rp_descriptor_pool_from_handle(handle);

    for (uint32_t i = 0; i < count; i++)
        if (sets[i])
            set_free(pool, rp_descriptor_set_from_handle(sets[i]));
    return VK_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
/* Command buffers: life, states, and the list that recorders append to.
 */
#include "cmd/cmd_buffer.h"

#include "object/device.h"
#include "util/alloc.h"
#include "util/checked.h"
#include "util/log.h"
#include "util/pnext.h"

#include "rp_entrypoints.h"

#include <vulkan/vk_icd.h>

#include <string.h>

static const VkAllocationCallbacks *
pool_callbacks(const struct rp_cmd_pool *pool)
{
    return pool->has_callbacks ? &pool->callbacks : NULL;
}

struct rp_cmd_buffer *
rp_cmd_buffer_create(struct rp_cmd_pool *pool, VkCommandBufferLevel level)
{
    struct rp_cmd_buffer *cb =
        rp_zalloc(pool_callbacks(pool), sizeof(*cb), _Alignof(struct rp_cmd_buffer),
                  VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!cb)
        return NULL;

    rp_object_init(&cb->base, pool->base.dev, VK_OBJECT_TYPE_COMMAND_BUFFER);
    cb->base.loader_data = ICD_LOADER_MAGIC;
    cb->pool = pool;
    cb->level = level;
    rp_arena_init(&cb->arena, pool_callbacks(pool));
    cb->last = &cb->first;

    cb->next_in_pool = pool->first;
    if (pool->first)
        pool->first->prev_in_pool = cb;
    pool->first = cb;
    return cb;
}

void
rp_cmd_buffer_destroy(struct rp_cmd_buffer *cb)
{
    if (!cb)
        return;
    struct rp_cmd_pool *pool = cb->pool;

    rp_cmd_buffer_reset(cb, true);
    if (cb->prev_in_pool)
        cb->prev_in_pool->next_in_pool = cb->next_in_pool;
    else
        pool->first = cb->next_in_pool;
    if (cb->next_in_pool)
        cb->next_in_pool->prev_in_pool = cb->prev_in_pool;
    rp_arena_finish(&cb->arena);
    rp_object_finish(&cb->base);
    rp_free(pool_callbacks(pool), cb);
}

void
rp_cmd_buffer_reset(struct rp_cmd_buffer *cb, bool gives_memory_back)
{
    while (cb->held) {
        struct rp_cmd_held *held = cb->held;
        cb->held = held->next;
        held->release(held);
    }
    if (gives_memory_back)
        rp_arena_trim(&cb->arena);
    else
        rp_arena_reset(&cb->arena);
    cb->first = NULL;
    cb->last = &cb->first;
    cb->state = RP_CMD_BUFFER_INITIAL;
    cb->result = VK_SUCCESS;
    cb->cost_ns = 0;
    cb->has_decode = false;
    cb->has_session = false;
    cb->waits_for_others = false;
    cb->reads_host_memory = false;
    cb->has_more_than_pictures = false;
    cb->scope_session = NULL;
    cb->scope_parameters = NULL;
    cb->encode_session = NULL;
    cb->has_open_dispatches = false;
    cb->bound = NULL;
    cb->dropped_bind_count = 0;
    cb->dropped_push_count = 0;
    cb->dropped_barrier_count = 0;
    cb->usage = 0;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_ResetCommandBuffer(VkCommandBuffer commandBuffer, VkCommandBufferResetFlags flags)
{
    rp_cmd_buffer_reset(rp_cmd_buffer_from_handle(commandBuffer),
                        flags & VK_COMMAND_BUFFER_RESET_RELEASE_RESOURCES_BIT);
    return VK_SUCCESS;
}

/* A secondary one that goes on with heaps binds them: another may have bound others meanwhile. */
static void
inherit_heaps(VkCommandBuffer commandBuffer, const void *chain)
{
    const VkCommandBufferInheritanceDescriptorHeapInfoEXT *heaps = rp_find_struct(
        chain, VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_DESCRIPTOR_HEAP_INFO_EXT);
    if (heaps && heaps->pSamplerHeapBindInfo)
        rp_CmdBindSamplerHeapEXT(commandBuffer, heaps->pSamplerHeapBindInfo);
    if (heaps && heaps->pResourceHeapBindInfo)
        rp_CmdBindResourceHeapEXT(commandBuffer, heaps->pResourceHeapBindInfo);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_BeginCommandBuffer(VkCommandBuffer commandBuffer, const VkCommandBufferBeginInfo *info)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(commandBuffer);

    rp_cmd_buffer_reset(cb, false); /* implicit, from any state */
    cb->usage = info->flags;
    cb->state = RP_CMD_BUFFER_RECORDING;
    if (cb->level == VK_COMMAND_BUFFER_LEVEL_SECONDARY && info->pInheritanceInfo)
        inherit_heaps(commandBuffer, info->pInheritanceInfo->pNext);
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_EndCommandBuffer(VkCommandBuffer commandBuffer)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(commandBuffer);

    cb->state = cb->result == VK_SUCCESS ? RP_CMD_BUFFER_EXECUTABLE : RP_CMD_BUFFER_INVALID;
    return cb->result;
}

void
rp_cmd_fail(struct rp_cmd_buffer *cb, VkResult result)
{
    if (cb->result == VK_SUCCESS)
        cb->result = rp_error(cb, result);
}

void
rp_cmd_add_cost(struct rp_cmd_buffer *cb, uint64_t cost_ns)
{
    if (!rp_add_u64(cb->cost_ns, cost_ns, &cb->cost_ns))
        cb->cost_ns = UINT64_MAX;
}

void *
rp_cmd_alloc(struct rp_cmd_buffer *cb, size_t size_B)
{
    if (RP_UNLIKELY(cb->result != VK_SUCCESS))
        return NULL;
    void *memory = rp_arena_alloc(&cb->arena, size_B);
    if (RP_UNLIKELY(!memory))
        rp_cmd_fail(cb, VK_ERROR_OUT_OF_HOST_MEMORY);
    return memory;
}

void *
rp_cmd_copy(struct rp_cmd_buffer *cb, const void *data, size_t count, size_t size_B)
{
    size_t total_B;
    if (!rp_mul_size(count, size_B, &total_B)) {
        rp_cmd_fail(cb, VK_ERROR_OUT_OF_HOST_MEMORY);
        return NULL;
    }
    void *copy = rp_cmd_alloc(cb, total_B);
    if (copy && total_B)
        memcpy(copy, data, total_B);
    return copy;
}

void *
rp_cmd_record(struct rp_cmd_buffer *cb, const struct rp_cmd_ops *ops, size_t size_B)
{
    struct rp_cmd *cmd = rp_cmd_alloc(cb, size_B);
    if (RP_UNLIKELY(!cmd))
        return NULL;

    cmd->ops = ops;
    cmd->next = NULL;
    *cb->last = cmd;
    cb->last = &cmd->next;
    rp_cmd_add_cost(cb, ops->cost_ns ? ops->cost_ns : UINT64_MAX);
    cb->waits_for_others |= ops->waits_for_others;
    cb->has_more_than_pictures |= !ops->goes_with_pictures;
    return cmd;
}

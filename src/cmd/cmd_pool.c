/* SPDX-License-Identifier: MIT */
/* Command pools: owners of command buffers.
 */
#include "cmd/cmd_buffer.h"
#include "object/device.h"
#include "util/log.h"

#include "rp_entrypoints.h"

VKAPI_ATTR VkResult VKAPI_CALL
rp_CreateCommandPool(VkDevice device, const VkCommandPoolCreateInfo *info,
                     const VkAllocationCallbacks *alloc, VkCommandPool *out)
{
    struct rp_device *dev = rp_device_from_handle(device);

    struct rp_cmd_pool *pool =
        rp_object_zalloc(dev, alloc, sizeof(*pool), VK_OBJECT_TYPE_COMMAND_POOL);
    if (!pool)
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);

    const VkAllocationCallbacks *callbacks = rp_callbacks(dev, alloc);
    pool->flags = info->flags;
    pool->family_index = info->queueFamilyIndex;
    pool->has_callbacks = callbacks != NULL;
    if (callbacks)
        pool->callbacks = *callbacks;
    *out = rp_cmd_pool_to_handle(pool);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
rp_DestroyCommandPool(VkDevice device, VkCommandPool handle, const VkAllocationCallbacks *alloc)
{
    struct rp_cmd_pool *pool = rp_cmd_pool_from_handle(handle);
    if (!pool)
        return;
    while (pool->first)
        rp_cmd_buffer_destroy(pool->first);
    rp_object_free(rp_device_from_handle(device), alloc, pool);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_ResetCommandPool(VkDevice device, VkCommandPool handle, VkCommandPoolResetFlags flags)
{
    struct rp_cmd_pool *pool = rp_cmd_pool_from_handle(handle);

    for (struct rp_cmd_buffer *cb = pool->first; cb; cb = cb->next_in_pool)
        rp_cmd_buffer_reset(cb, flags & VK_COMMAND_POOL_RESET_RELEASE_RESOURCES_BIT);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
rp_TrimCommandPool(VkDevice device, VkCommandPool handle, VkCommandPoolTrimFlags flags)
{
    struct rp_cmd_pool *pool = rp_cmd_pool_from_handle(handle);

    /* Blocks that recorded commands lie in must stay. */
    for (struct rp_cmd_buffer *cb = pool->first; cb; cb = cb->next_in_pool) {
        if (cb->state == RP_CMD_BUFFER_INITIAL)
            rp_arena_trim(&cb->arena);
    }
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_AllocateCommandBuffers(VkDevice device, const VkCommandBufferAllocateInfo *info,
                          VkCommandBuffer *out)
{
    struct rp_cmd_pool *pool = rp_cmd_pool_from_handle(info->commandPool);

    for (uint32_t i = 0; i < info->commandBufferCount; i++) {
        struct rp_cmd_buffer *cb = rp_cmd_buffer_create(pool, info->level);
        if (!cb) {
            /* The specification wants all handles null when one fails. */
            rp_FreeCommandBuffers(device, info->commandPool, i, out);
            for (uint32_t k = 0; k < info->commandBufferCount; k++)
                out[k] = VK_NULL_HANDLE;
            return rp_error(pool, VK_ERROR_OUT_OF_HOST_MEMORY);
        }
        out[i] = rp_cmd_buffer_to_handle(cb);
    }
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
rp_FreeCommandBuffers(VkDevice device, VkCommandPool pool, uint32_t count,
                      const VkCommandBuffer *handles)
{
    for (uint32_t i = 0; i < count; i++)
        rp_cmd_buffer_destroy(rp_cmd_buffer_from_handle(handles[i]));
}

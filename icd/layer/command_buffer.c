/* SPDX-License-Identifier: MIT */
/* Command pools and command buffers.
 */
#include "icd/layer/command_buffer.h"

#include "icd/layer/device.h"
#include "icd/layer/entry.h"
#include "icd/layer/instance.h"
#include "util/alloc.h"
#include "util/compiler.h"

#include <stddef.h>
#include <string.h>

#define FIRST_LIMIT 8

static struct rp_layer_command_pool *
pool_get(struct rp_layer_device *dev, VkCommandPool handle)
{
    return rp_layer_map_get(&dev->map, VK_OBJECT_TYPE_COMMAND_POOL, RP_LAYER_HANDLE(handle));
}

/* Of either kind of queue; NULL: nothing is known of it. */
static struct rp_layer_command_buffer *
find(struct rp_layer_device *dev, VkCommandBuffer handle)
{
    return rp_layer_map_get(&dev->map, VK_OBJECT_TYPE_COMMAND_BUFFER, RP_LAYER_HANDLE(handle));
}

struct rp_layer_command_buffer *
rp_layer_command_buffer_get(struct rp_layer_device *dev, VkCommandBuffer handle)
{
    struct rp_layer_command_buffer *cb = find(dev, handle);
    return cb && cb->pool ? cb : NULL;
}

/* Room for one more; false when memory is short. */
static bool
grow(void **array, uint32_t count, uint32_t *limit, size_t size_B)
{
    if (count < *limit)
        return true;
    const uint32_t more = *limit ? 2 * *limit : FIRST_LIMIT;
    void *larger = rp_zalloc_array(NULL, more, size_B, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!larger)
        return false;
    if (count > 0)
        memcpy(larger, *array, count * size_B);
    rp_free(NULL, *array);
    *array = larger;
    *limit = more;
    return true;
}

void
rp_layer_command_buffer_add(struct rp_layer_command_buffer *cb, const struct rp_layer_op *op)
{
    void *ops = cb->ops;

    if (!grow(&ops, cb->op_count, &cb->op_limit, sizeof(*op))) {
        cb->result = VK_ERROR_OUT_OF_HOST_MEMORY;
        return;
    }
    cb->ops = ops;
    cb->ops[cb->op_count++] = *op;
}

static void
release(struct rp_layer_entry *entry)
{
    struct rp_layer_command_buffer *cb =
        rp_container_of(entry, struct rp_layer_command_buffer, entry);

    rp_free(NULL, cb->ops);
    rp_free(NULL, cb->resets);
    rp_free(NULL, cb);
}

static struct rp_layer_command_buffer *
create(struct rp_layer_device *dev, VkCommandBuffer handle, bool is_lower)
{
    struct rp_layer_command_buffer *cb =
        rp_zalloc(NULL, sizeof(*cb), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!cb)
        return NULL;
    cb->dev = dev;
    cb->entry.type = VK_OBJECT_TYPE_COMMAND_BUFFER;
    cb->entry.handle = RP_LAYER_HANDLE(handle);
    cb->entry.is_lower = is_lower;
    cb->entry.release = release;
    return cb;
}

void
rp_layer_lower_command_reset(struct rp_layer_device *dev, VkCommandBuffer handle,
                             const struct rp_layer_query_reset *reset)
{
    struct rp_layer_command_buffer *cb = find(dev, handle);

    if (!cb) {
        cb = create(dev, handle, true);
        if (cb)
            rp_layer_map_put(&dev->map, &cb->entry);
    }
    void *resets = cb ? cb->resets : NULL;
    if (!cb || !grow(&resets, cb->reset_count, &cb->reset_limit, sizeof(*reset))) {
        rp_layer_device_lose(dev, "no memory for a reset of queries");
        return;
    }
    cb->resets = resets;
    cb->resets[cb->reset_count++] = *reset;
}

void
rp_layer_lower_commands_submitted(struct rp_layer_device *dev, VkCommandBuffer handle)
{
    const struct rp_layer_command_buffer *cb = find(dev, handle);

    for (uint32_t i = 0; cb && i < cb->reset_count; i++)
        dev->driver.ResetQueryPool(dev->driver_handle, cb->resets[i].pool, cb->resets[i].first,
                                   cb->resets[i].count);
}

/* What was recorded is gone. */
static void
forget(struct rp_layer_command_buffer *cb)
{
    cb->result = VK_SUCCESS;
    cb->op_count = 0;
    cb->reset_count = 0;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_CreateCommandPool(VkDevice handle, const VkCommandPoolCreateInfo *info,
                           const VkAllocationCallbacks *alloc, VkCommandPool *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    enum rp_layer_lent_kind kind;

    if (!rp_layer_device_family_is_lent(dev, info->queueFamilyIndex, &kind))
        return dev->lower.CreateCommandPool(handle, info, alloc, out);
    struct rp_layer_command_pool *pool =
        rp_zalloc(NULL, sizeof(*pool), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!pool)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkCommandPoolCreateInfo above = *info;
    above.pNext = NULL;
    above.queueFamilyIndex = dev->instance->driver_family[kind];
    const VkResult result = dev->driver.CreateCommandPool(dev->driver_handle, &above, NULL, out);
    if (result != VK_SUCCESS) {
        rp_free(NULL, pool);
        return result;
    }
    pool->kind = kind;
    pool->entry.type = VK_OBJECT_TYPE_COMMAND_POOL;
    pool->entry.handle = RP_LAYER_HANDLE(*out);
    rp_layer_map_put(&dev->map, &pool->entry);
    return VK_SUCCESS;
}

static void
remove_command_buffer(struct rp_layer_device *dev, VkCommandBuffer handle)
{
    struct rp_layer_command_buffer *cb =
        rp_layer_map_take(&dev->map, VK_OBJECT_TYPE_COMMAND_BUFFER, RP_LAYER_HANDLE(handle));

    if (!cb)
        return;
    if (cb->pool) {
        struct rp_layer_command_buffer **link = &cb->pool->first;
        while (*link != cb)
            link = &(*link)->next;
        *link = cb->next;
    }
    rp_layer_entry_free(&cb->entry);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_DestroyCommandPool(VkDevice handle, VkCommandPool object,
                            const VkAllocationCallbacks *alloc)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_command_pool *pool =
        object ? rp_layer_map_take(&dev->map, VK_OBJECT_TYPE_COMMAND_POOL, RP_LAYER_HANDLE(object))
               : NULL;

    if (!pool) {
        dev->lower.DestroyCommandPool(handle, object, alloc);
        return;
    }
    while (pool->first)
        remove_command_buffer(dev, (VkCommandBuffer)(uintptr_t)pool->first->entry.handle);
    rp_layer_entry_free(&pool->entry);
    dev->driver.DestroyCommandPool(dev->driver_handle, object, NULL);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_ResetCommandPool(VkDevice handle, VkCommandPool object, VkCommandPoolResetFlags flags)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_command_pool *pool = pool_get(dev, object);

    if (!pool)
        return dev->lower.ResetCommandPool(handle, object, flags);
    for (struct rp_layer_command_buffer *cb = pool->first; cb; cb = cb->next)
        forget(cb);
    return dev->driver.ResetCommandPool(dev->driver_handle, object, flags);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_TrimCommandPool(VkDevice handle, VkCommandPool object, VkCommandPoolTrimFlags flags)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (pool_get(dev, object))
        dev->driver.TrimCommandPool(dev->driver_handle, object, flags);
    else
        dev->lower.TrimCommandPool(handle, object, flags);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_AllocateCommandBuffers(VkDevice handle, const VkCommandBufferAllocateInfo *info,
                                VkCommandBuffer *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_command_pool *pool = pool_get(dev, info->commandPool);

    if (!pool)
        return dev->lower.AllocateCommandBuffers(handle, info, out);
    VkResult result = dev->driver.AllocateCommandBuffers(dev->driver_handle, info, out);
    if (result != VK_SUCCESS)
        return result;
    for (uint32_t i = 0; i < info->commandBufferCount; i++) {
        struct rp_layer_command_buffer *cb = create(dev, out[i], false);
        if (!cb) {
            rp_layer_FreeCommandBuffers(handle, info->commandPool, info->commandBufferCount, out);
            for (uint32_t k = 0; k < info->commandBufferCount; k++)
                out[k] = NULL;
            return VK_ERROR_OUT_OF_HOST_MEMORY;
        }
        cb->pool = pool;
        cb->next = pool->first;
        pool->first = cb;
        rp_layer_map_put(&dev->map, &cb->entry);
        *(const void **)(void *)out[i] = dev->key; /* as the loader does */
    }
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_FreeCommandBuffers(VkDevice handle, VkCommandPool object, uint32_t count,
                            const VkCommandBuffer *cbs)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    for (uint32_t i = 0; i < count; i++) {
        if (cbs[i])
            remove_command_buffer(dev, cbs[i]);
    }
    if (pool_get(dev, object))
        dev->driver.FreeCommandBuffers(dev->driver_handle, object, count, cbs);
    else
        dev->lower.FreeCommandBuffers(handle, object, count, cbs);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_BeginCommandBuffer(VkCommandBuffer handle, const VkCommandBufferBeginInfo *info)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_command_buffer *cb = find(dev, handle);

    if (cb)
        forget(cb);
    return cb && cb->pool ? dev->driver.BeginCommandBuffer(handle, info)
                          : dev->lower.BeginCommandBuffer(handle, info);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_EndCommandBuffer(VkCommandBuffer handle)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    const struct rp_layer_command_buffer *cb = rp_layer_command_buffer_get(dev, handle);

    if (!cb)
        return dev->lower.EndCommandBuffer(handle);
    const VkResult result = dev->driver.EndCommandBuffer(handle);
    return cb->result == VK_SUCCESS ? result : cb->result;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_ResetCommandBuffer(VkCommandBuffer handle, VkCommandBufferResetFlags flags)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_command_buffer *cb = find(dev, handle);

    if (cb)
        forget(cb);
    return cb && cb->pool ? dev->driver.ResetCommandBuffer(handle, flags)
                          : dev->lower.ResetCommandBuffer(handle, flags);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_CmdExecuteCommands(VkCommandBuffer handle, uint32_t count, const VkCommandBuffer *cbs)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_command_buffer *cb = rp_layer_command_buffer_get(dev, handle);

    for (uint32_t i = 0; i < count; i++) {
        const struct rp_layer_command_buffer *secondary = find(dev, cbs[i]);
        for (uint32_t k = 0; secondary && cb && k < secondary->op_count; k++)
            rp_layer_command_buffer_add(cb, &secondary->ops[k]);
        for (uint32_t k = 0; secondary && !cb && k < secondary->reset_count; k++)
            rp_layer_lower_command_reset(dev, handle, &secondary->resets[k]);
    }
    if (cb)
        dev->driver.CmdExecuteCommands(handle, count, cbs);
    else
        dev->lower.CmdExecuteCommands(handle, count, cbs);
}

/* There is one lent device. */
VKAPI_ATTR void VKAPI_CALL
rp_layer_CmdSetDeviceMask(VkCommandBuffer handle, uint32_t mask)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (!rp_layer_command_buffer_get(dev, handle))
        dev->lower.CmdSetDeviceMask(handle, mask);
}

/* SPDX-License-Identifier: MIT */
/* Command pools and command buffers.
 */
#include "icd/layer/command_buffer.h"

#include "icd/layer/device.h"
#include "icd/layer/entry.h"
#include "icd/layer/instance.h"
#include "icd/layer/query_results.h"
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

static bool
pool_is_lent(const struct rp_layer_command_pool *pool)
{
    return pool && !pool->entry.is_lower;
}

struct rp_layer_command_buffer *
rp_layer_command_buffer_find(struct rp_layer_device *dev, VkCommandBuffer handle)
{
    return rp_layer_map_get(&dev->map, VK_OBJECT_TYPE_COMMAND_BUFFER, RP_LAYER_HANDLE(handle));
}

struct rp_layer_command_buffer *
rp_layer_command_buffer_get(struct rp_layer_device *dev, VkCommandBuffer handle)
{
    struct rp_layer_command_buffer *cb = rp_layer_command_buffer_find(dev, handle);
    return cb && !cb->entry.is_lower ? cb : NULL;
}

uint32_t
rp_layer_command_buffer_family(struct rp_layer_device *dev, VkCommandBuffer handle)
{
    const struct rp_layer_command_buffer *cb = rp_layer_command_buffer_find(dev, handle);
    return cb ? cb->pool->family : VK_QUEUE_FAMILY_IGNORED;
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

void
rp_layer_command_buffer_add_step(struct rp_layer_command_buffer *cb,
                                 const struct rp_layer_step *step)
{
    void *steps = cb->steps;

    if (!grow(&steps, cb->step_count, &cb->step_limit, sizeof(*step))) {
        cb->result = VK_ERROR_OUT_OF_HOST_MEMORY;
        return;
    }
    cb->steps = steps;
    cb->steps[cb->step_count++] = *step;
    rp_layer_query_results_ref(step->results);
}

/* What was recorded is gone. */
static void
forget(struct rp_layer_command_buffer *cb)
{
    for (uint32_t i = 0; i < cb->step_count; i++)
        rp_layer_query_results_unref(cb->steps[i].results);
    cb->result = VK_SUCCESS;
    cb->op_count = 0;
    cb->step_count = 0;
}

static void
release(struct rp_layer_entry *entry)
{
    struct rp_layer_command_buffer *cb =
        rp_container_of(entry, struct rp_layer_command_buffer, entry);

    forget(cb);
    rp_free(NULL, cb->ops);
    rp_free(NULL, cb->steps);
    rp_free(NULL, cb);
}

static bool
add(struct rp_layer_device *dev, struct rp_layer_command_pool *pool, VkCommandBuffer handle)
{
    struct rp_layer_command_buffer *cb =
        rp_zalloc(NULL, sizeof(*cb), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!cb)
        return false;
    cb->dev = dev;
    cb->entry.type = VK_OBJECT_TYPE_COMMAND_BUFFER;
    cb->entry.handle = RP_LAYER_HANDLE(handle);
    cb->entry.is_lower = pool->entry.is_lower;
    cb->entry.release = release;
    cb->pool = pool;
    cb->next = pool->first;
    cb->link = &pool->first;
    if (cb->next)
        cb->next->link = &cb->next;
    pool->first = cb;
    rp_layer_map_put(&dev->map, &cb->entry);
    return true;
}

/* Out of the map and the pool. */
static struct rp_layer_command_buffer *
take(struct rp_layer_device *dev, VkCommandBuffer handle)
{
    struct rp_layer_command_buffer *cb =
        rp_layer_map_take(&dev->map, VK_OBJECT_TYPE_COMMAND_BUFFER, RP_LAYER_HANDLE(handle));

    if (!cb)
        return NULL;
    *cb->link = cb->next;
    if (cb->next)
        cb->next->link = cb->link;
    return cb;
}

/* Frees what was freed while it could be under way, as far as it is not any more. A pool is used by
 * one thread at a time: so nobody else does it. */
static void
free_freed(struct rp_layer_device *dev, struct rp_layer_command_pool *pool)
{
    struct rp_layer_command_buffer **link = &pool->freed;

    while (*link) {
        struct rp_layer_command_buffer *cb = *link;
        const VkCommandBuffer handle = (VkCommandBuffer)(uintptr_t)cb->entry.handle;
        if (!rp_layer_retire_is_over(dev, &cb->entry)) {
            link = &cb->next;
            continue;
        }
        *link = cb->next;
        dev->driver.FreeCommandBuffers(dev->driver_handle, (VkCommandPool)pool->entry.handle, 1,
                                       &handle);
        rp_layer_entry_free(&cb->entry);
    }
}

static VkResult
pool_create(struct rp_layer_device *dev, const VkCommandPoolCreateInfo *info,
            const VkAllocationCallbacks *alloc, VkCommandPool *out, bool *is_lower_out)
{
    VkCommandPoolCreateInfo changed = *info;
    enum rp_layer_lent_kind kind;

    *is_lower_out = !rp_layer_device_family_is_lent(dev, info->queueFamilyIndex, &kind);
    if (*is_lower_out) {
        changed.queueFamilyIndex =
            rp_layer_lower_family(dev->physical_device, info->queueFamilyIndex);
        return dev->lower.CreateCommandPool(dev->handle, &changed, alloc, out);
    }
    changed.pNext = NULL;
    changed.queueFamilyIndex = dev->instance->driver_family[kind];
    return dev->driver.CreateCommandPool(dev->driver_handle, &changed, NULL, out);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_CreateCommandPool(VkDevice handle, const VkCommandPoolCreateInfo *info,
                           const VkAllocationCallbacks *alloc, VkCommandPool *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    struct rp_layer_command_pool *pool =
        rp_zalloc(NULL, sizeof(*pool), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!pool)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const VkResult result = pool_create(dev, info, alloc, out, &pool->entry.is_lower);
    if (result != VK_SUCCESS) {
        rp_free(NULL, pool);
        return result;
    }
    pool->family = info->queueFamilyIndex;
    pool->entry.type = VK_OBJECT_TYPE_COMMAND_POOL;
    pool->entry.handle = RP_LAYER_HANDLE(*out);
    rp_layer_map_put(&dev->map, &pool->entry);
    return VK_SUCCESS;
}

/* Destroys a lent pool with its command buffers. */
static void
destroy(struct rp_layer_device *dev, struct rp_layer_entry *entry)
{
    struct rp_layer_command_pool *pool =
        rp_container_of(entry, struct rp_layer_command_pool, entry);

    while (pool->freed) {
        struct rp_layer_command_buffer *cb = pool->freed;
        pool->freed = cb->next;
        rp_layer_entry_free(&cb->entry);
    }
    dev->driver.DestroyCommandPool(dev->driver_handle, (VkCommandPool)entry->handle, NULL);
    rp_layer_entry_free(entry);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_DestroyCommandPool(VkDevice handle, VkCommandPool object,
                            const VkAllocationCallbacks *alloc)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_command_pool *pool =
        object ? rp_layer_map_take(&dev->map, VK_OBJECT_TYPE_COMMAND_POOL, RP_LAYER_HANDLE(object))
               : NULL;

    while (pool && pool->first)
        rp_layer_entry_free(
            &take(dev, (VkCommandBuffer)(uintptr_t)pool->first->entry.handle)->entry);
    if (pool_is_lent(pool)) {
        rp_layer_retire(dev, &pool->entry, destroy);
        return;
    }
    if (pool)
        rp_layer_entry_free(&pool->entry);
    dev->lower.DestroyCommandPool(handle, object, alloc);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_ResetCommandPool(VkDevice handle, VkCommandPool object, VkCommandPoolResetFlags flags)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_command_pool *pool = pool_get(dev, object);

    for (struct rp_layer_command_buffer *cb = pool ? pool->first : NULL; cb; cb = cb->next)
        forget(cb);
    return pool_is_lent(pool) ? dev->driver.ResetCommandPool(dev->driver_handle, object, flags)
                              : dev->lower.ResetCommandPool(handle, object, flags);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_TrimCommandPool(VkDevice handle, VkCommandPool object, VkCommandPoolTrimFlags flags)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (pool_is_lent(pool_get(dev, object)))
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
    free_freed(dev, pool);
    const VkResult result = pool_is_lent(pool)
                                ? dev->driver.AllocateCommandBuffers(dev->driver_handle, info, out)
                                : dev->lower.AllocateCommandBuffers(handle, info, out);
    if (result != VK_SUCCESS)
        return result;
    for (uint32_t i = 0; i < info->commandBufferCount; i++) {
        if (!add(dev, pool, out[i])) {
            rp_layer_FreeCommandBuffers(handle, info->commandPool, info->commandBufferCount, out);
            for (uint32_t k = 0; k < info->commandBufferCount; k++)
                out[k] = NULL;
            return VK_ERROR_OUT_OF_HOST_MEMORY;
        }
        if (pool_is_lent(pool))
            *(const void **)(void *)out[i] = dev->key; /* as the loader does */
    }
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_FreeCommandBuffers(VkDevice handle, VkCommandPool object, uint32_t count,
                            const VkCommandBuffer *cbs)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    struct rp_layer_command_pool *pool = pool_get(dev, object);

    for (uint32_t i = 0; i < count; i++) {
        struct rp_layer_command_buffer *cb = cbs[i] ? take(dev, cbs[i]) : NULL;
        if (cb && pool_is_lent(pool)) {
            rp_layer_retire_note(dev, &cb->entry);
            cb->next = pool->freed;
            pool->freed = cb;
        } else if (cb) {
            rp_layer_entry_free(&cb->entry);
        } else if (pool_is_lent(pool)) { /* while they are made */
            dev->driver.FreeCommandBuffers(dev->driver_handle, object, 1, &cbs[i]);
        }
    }
    if (pool_is_lent(pool))
        free_freed(dev, pool);
    else
        dev->lower.FreeCommandBuffers(handle, object, count, cbs);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_BeginCommandBuffer(VkCommandBuffer handle, const VkCommandBufferBeginInfo *info)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_command_buffer *cb = rp_layer_command_buffer_find(dev, handle);

    if (cb)
        forget(cb);
    return cb && !cb->entry.is_lower ? dev->driver.BeginCommandBuffer(handle, info)
                                     : dev->lower.BeginCommandBuffer(handle, info);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_EndCommandBuffer(VkCommandBuffer handle)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    const struct rp_layer_command_buffer *cb = rp_layer_command_buffer_find(dev, handle);
    const VkResult result = cb && !cb->entry.is_lower ? dev->driver.EndCommandBuffer(handle)
                                                      : dev->lower.EndCommandBuffer(handle);

    return !cb || cb->result == VK_SUCCESS ? result : cb->result;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_ResetCommandBuffer(VkCommandBuffer handle, VkCommandBufferResetFlags flags)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_command_buffer *cb = rp_layer_command_buffer_find(dev, handle);

    if (cb)
        forget(cb);
    return cb && !cb->entry.is_lower ? dev->driver.ResetCommandBuffer(handle, flags)
                                     : dev->lower.ResetCommandBuffer(handle, flags);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_CmdExecuteCommands(VkCommandBuffer handle, uint32_t count, const VkCommandBuffer *cbs)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_command_buffer *cb = rp_layer_command_buffer_find(dev, handle);

    for (uint32_t i = 0; i < count && cb; i++) {
        const struct rp_layer_command_buffer *secondary = rp_layer_command_buffer_find(dev, cbs[i]);
        for (uint32_t k = 0; secondary && k < secondary->op_count; k++)
            rp_layer_command_buffer_add(cb, &secondary->ops[k]);
        for (uint32_t k = 0; secondary && k < secondary->step_count; k++)
            rp_layer_command_buffer_add_step(cb, &secondary->steps[k]);
    }
    if (cb && !cb->entry.is_lower)
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

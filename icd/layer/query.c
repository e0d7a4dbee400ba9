/* SPDX-License-Identifier: MIT */
/* Query pools: those with a lent profile are our driver's.
 */
#include "icd/layer/command_buffer.h"
#include "icd/layer/device.h"
#include "icd/layer/entry.h"
#include "icd/layer/query_results.h"
#include "platform/clock.h"
#include "util/alloc.h"
#include "util/arena.h"
#include "util/pnext.h"

#include <stddef.h>

/* How often results are asked for that are waited for. */
#define POLL_NS UINT64_C(50000)

static bool
is_lent(struct rp_layer_device *dev, VkQueryPool pool)
{
    return rp_layer_map_get(&dev->map, VK_OBJECT_TYPE_QUERY_POOL, RP_LAYER_HANDLE(pool)) != NULL;
}

static uint32_t
value_count_of(const VkQueryPoolCreateInfo *info)
{
    const VkQueryPoolVideoEncodeFeedbackCreateInfoKHR *feedback = rp_find_struct(
        info->pNext, VK_STRUCTURE_TYPE_QUERY_POOL_VIDEO_ENCODE_FEEDBACK_CREATE_INFO_KHR);
    const VkQueryPoolVideoEncodePerPartitionFeedbackCreateInfoKHR *partitions = rp_find_struct(
        info->pNext,
        VK_STRUCTURE_TYPE_QUERY_POOL_VIDEO_ENCODE_PER_PARTITION_FEEDBACK_CREATE_INFO_KHR);
    uint32_t count = feedback ? (uint32_t)__builtin_popcount(feedback->encodeFeedbackFlags) : 0;

    if (partitions)
        count += partitions->maxPerPartitionFeedbackEntries *
                 (uint32_t)__builtin_popcount(partitions->perPartitionEncodeFeedbackFlags);
    return count;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_CreateQueryPool(VkDevice handle, const VkQueryPoolCreateInfo *info,
                         const VkAllocationCallbacks *alloc, VkQueryPool *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    const VkVideoProfileInfoKHR *profile =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_VIDEO_PROFILE_INFO_KHR);

    if (!profile || !rp_layer_operation_is_lent(dev->physical_device, profile->videoCodecOperation))
        return dev->lower.CreateQueryPool(handle, info, alloc, out);
    struct rp_layer_query_pool *pool =
        rp_zalloc(NULL, sizeof(*pool), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!pool)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const VkResult result = dev->driver.CreateQueryPool(dev->driver_handle, info, NULL, out);
    if (result != VK_SUCCESS) {
        rp_free(NULL, pool);
        return result;
    }
    pool->value_count = value_count_of(info);
    pool->entry.type = VK_OBJECT_TYPE_QUERY_POOL;
    pool->entry.handle = RP_LAYER_HANDLE(*out);
    rp_layer_map_put(&dev->map, &pool->entry);
    return VK_SUCCESS;
}

static void
destroy(struct rp_layer_device *dev, struct rp_layer_entry *entry)
{
    dev->driver.DestroyQueryPool(dev->driver_handle, (VkQueryPool)entry->handle, NULL);
    rp_layer_entry_free(entry);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_DestroyQueryPool(VkDevice handle, VkQueryPool pool, const VkAllocationCallbacks *alloc)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_entry *entry =
        rp_layer_map_take(&dev->map, VK_OBJECT_TYPE_QUERY_POOL, RP_LAYER_HANDLE(pool));

    if (entry)
        rp_layer_retire(dev, entry, destroy);
    else
        dev->lower.DestroyQueryPool(handle, pool, alloc);
}

static VkResult
get_results(struct rp_layer_device *dev, VkQueryPool pool, uint32_t first, uint32_t count,
            size_t size_B, void *data, VkDeviceSize stride_B, VkQueryResultFlags flags)
{
    return is_lent(dev, pool)
               ? dev->driver.GetQueryPoolResults(dev->driver_handle, pool, first, count, size_B,
                                                 data, stride_B, flags)
               : dev->lower.GetQueryPoolResults(dev->handle, pool, first, count, size_B, data,
                                                stride_B, flags);
}

/* Our driver knows of the work only when it gets it: a submission that waits for the lower device
 * has begun nothing yet, and its queries are not available. And neither device knows when the
 * layer's is lost, and what was submitted will never begin: so it is here that results are waited
 * for. */
VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_GetQueryPoolResults(VkDevice handle, VkQueryPool pool, uint32_t first, uint32_t count,
                             size_t size_B, void *data, VkDeviceSize stride_B,
                             VkQueryResultFlags flags)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    const bool is_waiting = flags & VK_QUERY_RESULT_WAIT_BIT;
    const VkQueryResultFlags waiting = VK_QUERY_RESULT_WAIT_BIT | VK_QUERY_RESULT_PARTIAL_BIT;
    const VkQueryResultFlags now = is_waiting ? flags & ~waiting : flags;

    for (;;) {
        const bool is_lost = rp_layer_device_is_lost(dev);
        const VkResult result = get_results(dev, pool, first, count, size_B, data, stride_B, now);
        if (result != VK_NOT_READY || !is_waiting)
            return result;
        if (is_lost)
            return VK_ERROR_DEVICE_LOST;
        rp_clock_sleep(POLL_NS);
    }
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_ResetQueryPool(VkDevice handle, VkQueryPool pool, uint32_t first, uint32_t count)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (is_lent(dev, pool))
        dev->driver.ResetQueryPool(dev->driver_handle, pool, first, count);
    else
        dev->lower.ResetQueryPool(handle, pool, first, count);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_CmdResetQueryPool(VkCommandBuffer handle, VkQueryPool pool, uint32_t first, uint32_t count)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_command_buffer *cb = rp_layer_command_buffer_find(dev, handle);
    const struct rp_layer_step reset = {.pool = pool, .first = first, .count = count};

    if (cb && !cb->entry.is_lower)
        dev->driver.CmdResetQueryPool(handle, pool, first, count);
    else if (cb && is_lent(dev, pool))
        rp_layer_command_buffer_add_step(cb, &reset);
    else
        dev->lower.CmdResetQueryPool(handle, pool, first, count);
}

/* Behind each other in the application's buffer, or side by side. */
static VkResult
record_copies(struct rp_layer_device *dev, VkCommandBuffer handle,
              const struct rp_layer_query_results *results, VkBuffer dst, VkDeviceSize offset_B,
              VkDeviceSize stride_B)
{
    struct rp_arena arena;

    rp_arena_init(&arena, NULL);
    VkBufferCopy *copies = rp_arena_alloc(&arena, results->count * sizeof(*copies));
    for (uint32_t i = 0; copies && i < results->count; i++)
        copies[i] = (VkBufferCopy){
            .srcOffset = (VkDeviceSize)i * results->result_B,
            .dstOffset = offset_B + i * stride_B,
            .size = results->result_B,
        };
    if (copies)
        dev->lower.CmdCopyBuffer(handle, results->buffer, dst, results->count, copies);
    rp_arena_finish(&arena);
    return copies ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

/* The step is done before what has been recorded; takes its results. result: of recording. */
static void
add_copied(struct rp_layer_command_buffer *cb, const struct rp_layer_step *step, VkResult result)
{
    if (result == VK_SUCCESS)
        rp_layer_command_buffer_add_step(cb, step);
    else
        cb->result = result;
    rp_layer_query_results_unref(step->results);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_CmdCopyQueryPoolResults(VkCommandBuffer handle, VkQueryPool object, uint32_t first,
                                 uint32_t count, VkBuffer dst, VkDeviceSize offset_B,
                                 VkDeviceSize stride_B, VkQueryResultFlags flags)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_command_buffer *cb = rp_layer_command_buffer_find(dev, handle);
    const struct rp_layer_query_pool *pool =
        rp_layer_map_get(&dev->map, VK_OBJECT_TYPE_QUERY_POOL, RP_LAYER_HANDLE(object));
    struct rp_layer_step step = {.pool = object, .first = first, .count = count};

    if (!pool || !cb || !cb->entry.is_lower) {
        dev->lower.CmdCopyQueryPoolResults(handle, object, first, count, dst, offset_B, stride_B,
                                           flags);
        return;
    }
    VkResult result = rp_layer_query_results_create(dev, pool, count, flags, false, &step.results);
    if (result == VK_SUCCESS)
        result = record_copies(dev, handle, step.results, dst, offset_B, stride_B);
    add_copied(cb, &step, result);
}

/* Likewise, as far as the range goes. */
static VkResult
record_memory_copies(struct rp_layer_device *dev, VkCommandBuffer handle,
                     const struct rp_layer_query_results *results,
                     const VkStridedDeviceAddressRangeKHR *dst, VkAddressCommandFlagsKHR dst_flags)
{
    struct rp_arena arena;
    uint32_t count = 0;

    rp_arena_init(&arena, NULL);
    VkDeviceMemoryCopyKHR *copies = rp_arena_alloc(&arena, results->count * sizeof(*copies));
    for (; copies && count < results->count; count++) {
        const VkDeviceSize offset_B = count * dst->stride;
        if (dst->size < results->result_B || offset_B > dst->size - results->result_B)
            break;
        copies[count] = (VkDeviceMemoryCopyKHR){
            .sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_COPY_KHR,
            .srcRange = {results->address + (VkDeviceSize)count * results->result_B,
                         results->result_B},
            .srcFlags = VK_ADDRESS_COMMAND_FULLY_BOUND_BIT_KHR,
            .dstRange = {dst->address + offset_B, results->result_B},
            .dstFlags = dst_flags,
        };
    }
    const VkCopyDeviceMemoryInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_COPY_DEVICE_MEMORY_INFO_KHR,
        .regionCount = count,
        .pRegions = copies,
    };
    if (count > 0)
        dev->lower.CmdCopyMemoryKHR(handle, &info);
    rp_arena_finish(&arena);
    return copies ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_CmdCopyQueryPoolResultsToMemoryKHR(VkCommandBuffer handle, VkQueryPool object,
                                            uint32_t first, uint32_t count,
                                            const VkStridedDeviceAddressRangeKHR *dst,
                                            VkAddressCommandFlagsKHR dst_flags,
                                            VkQueryResultFlags flags)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_command_buffer *cb = rp_layer_command_buffer_find(dev, handle);
    const struct rp_layer_query_pool *pool =
        rp_layer_map_get(&dev->map, VK_OBJECT_TYPE_QUERY_POOL, RP_LAYER_HANDLE(object));
    struct rp_layer_step step = {.pool = object, .first = first, .count = count};

    if (!pool || !cb || !cb->entry.is_lower) {
        dev->lower.CmdCopyQueryPoolResultsToMemoryKHR(handle, object, first, count, dst, dst_flags,
                                                      flags);
        return;
    }
    VkResult result = rp_layer_query_results_create(dev, pool, count, flags, true, &step.results);
    if (result == VK_SUCCESS)
        result = record_memory_copies(dev, handle, step.results, dst, dst_flags);
    add_copied(cb, &step, result);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_CmdBeginQuery(VkCommandBuffer handle, VkQueryPool pool, uint32_t query,
                       VkQueryControlFlags flags)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (rp_layer_command_buffer_get(dev, handle))
        dev->driver.CmdBeginQuery(handle, pool, query, flags);
    else
        dev->lower.CmdBeginQuery(handle, pool, query, flags);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_CmdEndQuery(VkCommandBuffer handle, VkQueryPool pool, uint32_t query)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (rp_layer_command_buffer_get(dev, handle))
        dev->driver.CmdEndQuery(handle, pool, query);
    else
        dev->lower.CmdEndQuery(handle, pool, query);
}

/* The index is one of transform feedback's streams, which video does not have. */
VKAPI_ATTR void VKAPI_CALL
rp_layer_CmdBeginQueryIndexedEXT(VkCommandBuffer handle, VkQueryPool pool, uint32_t query,
                                 VkQueryControlFlags flags, uint32_t index)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (rp_layer_command_buffer_get(dev, handle))
        dev->driver.CmdBeginQuery(handle, pool, query, flags);
    else
        dev->lower.CmdBeginQueryIndexedEXT(handle, pool, query, flags, index);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_CmdEndQueryIndexedEXT(VkCommandBuffer handle, VkQueryPool pool, uint32_t query,
                               uint32_t index)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (rp_layer_command_buffer_get(dev, handle))
        dev->driver.CmdEndQuery(handle, pool, query);
    else
        dev->lower.CmdEndQueryIndexedEXT(handle, pool, query, index);
}

/* Lent families say that they have no timestamps (timestampValidBits 0). */
VKAPI_ATTR void VKAPI_CALL
rp_layer_CmdWriteTimestamp(VkCommandBuffer handle, VkPipelineStageFlagBits stage, VkQueryPool pool,
                           uint32_t query)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (!rp_layer_command_buffer_get(dev, handle))
        dev->lower.CmdWriteTimestamp(handle, stage, pool, query);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_CmdWriteTimestamp2(VkCommandBuffer handle, VkPipelineStageFlags2 stage, VkQueryPool pool,
                            uint32_t query)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    if (!rp_layer_command_buffer_get(dev, handle))
        dev->lower.CmdWriteTimestamp2(handle, stage, pool, query);
}

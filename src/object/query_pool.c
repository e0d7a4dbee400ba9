/* SPDX-License-Identifier: MIT */
/* Query pools and their results.
 */
#include "object/query_pool.h"

#include "object/capture.h"
#include "object/device.h"
#include "object/device_lost.h"
#include "util/checked.h"
#include "util/log.h"
#include "util/pnext.h"

#include "rp_entrypoints.h"

#include <string.h>

static uint32_t
pool_value_count(const VkQueryPoolCreateInfo *info, VkVideoEncodeFeedbackFlagsKHR feedback)
{
    switch ((int)info->queryType) {
    case VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR:
        return 0;
    case VK_QUERY_TYPE_VIDEO_ENCODE_FEEDBACK_KHR:
        return (uint32_t)__builtin_popcount(feedback);
    case VK_QUERY_TYPE_PIPELINE_STATISTICS:
        return (uint32_t)__builtin_popcount(info->pipelineStatistics);
    default:
        return 1;
    }
}

/* The size of the pool with its queries and, behind them, their partitions. */
static bool
pool_size(uint32_t query_count, uint32_t partition_capacity, size_t *queries_B, size_t *out)
{
    size_t partitions_B;
    return rp_mul_size(query_count, sizeof(struct rp_query), queries_B) &&
           rp_add_size(*queries_B, sizeof(struct rp_query_pool), queries_B) &&
           rp_mul_size(query_count, sizeof(struct rp_query_partition), &partitions_B) &&
           rp_mul_size(partitions_B, partition_capacity, &partitions_B) &&
           rp_add_size(*queries_B, partitions_B, out);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_CreateQueryPool(VkDevice device, const VkQueryPoolCreateInfo *info,
                   const VkAllocationCallbacks *alloc, VkQueryPool *out)
{
    struct rp_device *dev = rp_device_from_handle(device);
    const VkQueryPoolVideoEncodeFeedbackCreateInfoKHR *feedback = rp_find_struct(
        info->pNext, VK_STRUCTURE_TYPE_QUERY_POOL_VIDEO_ENCODE_FEEDBACK_CREATE_INFO_KHR);
    const VkQueryPoolVideoEncodePerPartitionFeedbackCreateInfoKHR *partitions = rp_find_struct(
        info->pNext,
        VK_STRUCTURE_TYPE_QUERY_POOL_VIDEO_ENCODE_PER_PARTITION_FEEDBACK_CREATE_INFO_KHR);
    const uint32_t partition_capacity = partitions ? partitions->maxPerPartitionFeedbackEntries : 0;

    size_t queries_B, size_B;
    if (!pool_size(info->queryCount, partition_capacity, &queries_B, &size_B))
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);
    struct rp_query_pool *pool = rp_object_zalloc(dev, alloc, size_B, VK_OBJECT_TYPE_QUERY_POOL);
    if (!pool)
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);

    pool->type = info->queryType;
    pool->feedback_flags = feedback ? feedback->encodeFeedbackFlags : 0;
    pool->value_count = RP_MIN(pool_value_count(info, pool->feedback_flags), RP_QUERY_MAX_VALUES);
    pool->query_count = info->queryCount;
    pool->partition_flags = partitions ? partitions->perPartitionEncodeFeedbackFlags : 0;
    pool->partition_capacity = partition_capacity;
    pool->partitions = (struct rp_query_partition *)((uint8_t *)pool + queries_B);
    rp_capture_created(dev, &pool->base, info);
    *out = rp_query_pool_to_handle(pool);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
rp_DestroyQueryPool(VkDevice device, VkQueryPool handle, const VkAllocationCallbacks *alloc)
{
    rp_object_free(rp_device_from_handle(device), alloc, rp_query_pool_from_handle(handle));
}

void
rp_query_start(struct rp_query_pool *pool, uint32_t query)
{
    if (query < pool->query_count)
        atomic_store(&pool->queries[query].state, RP_QUERY_RUNNING);
}

bool
rp_query_range_is_running(const struct rp_query_pool *pool, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count && first + i < pool->query_count; i++)
        if (atomic_load(&pool->queries[first + i].state) == RP_QUERY_RUNNING)
            return true;
    return false;
}

void
rp_query_set_partitions(struct rp_query_pool *pool, uint32_t query,
                        const struct rp_query_partition *partitions, uint32_t count)
{
    if (query >= pool->query_count)
        return;
    struct rp_query_partition *dst = pool->partitions + (size_t)query * pool->partition_capacity;
    pool->queries[query].partition_count = RP_MIN(count, pool->partition_capacity);
    for (uint32_t i = 0; i < pool->queries[query].partition_count; i++)
        dst[i] = partitions[i];
}

void
rp_query_complete(struct rp_query_pool *pool, uint32_t query, const uint64_t *values,
                  uint32_t value_count, VkQueryResultStatusKHR status)
{
    if (query >= pool->query_count)
        return;

    struct rp_query *q = &pool->queries[query];
    for (uint32_t i = 0; i < pool->value_count; i++)
        q->values[i] = i < value_count ? values[i] : 0;
    q->status = status;
    atomic_store(&q->state, RP_QUERY_AVAILABLE);
    rp_sync_announce(pool->base.dev);
}

void
rp_query_reset(struct rp_query_pool *pool, uint32_t first, uint32_t count)
{
    const uint32_t end =
        first + RP_MIN(count, pool->query_count - RP_MIN(first, pool->query_count));

    for (uint32_t i = first; i < end; i++) {
        atomic_store(&pool->queries[i].state, RP_QUERY_UNAVAILABLE);
        pool->queries[i].status = VK_QUERY_RESULT_STATUS_NOT_READY_KHR;
        pool->queries[i].partition_count = 0;
    }
}

VKAPI_ATTR void VKAPI_CALL
rp_ResetQueryPool(VkDevice device, VkQueryPool handle, uint32_t first, uint32_t count)
{
    rp_query_reset(rp_query_pool_from_handle(handle), first, count);
}

bool
rp_query_range_is_available(const void *ctx)
{
    const struct rp_query_range *range = ctx;

    for (uint32_t i = 0; i < range->count && range->first + i < range->pool->query_count; i++)
        if (atomic_load(&range->pool->queries[range->first + i].state) != RP_QUERY_AVAILABLE)
            return false;
    return true;
}

static uint8_t *
result_put(uint8_t *dst, VkQueryResultFlags flags, uint64_t value)
{
    const uint32_t value32 = (uint32_t)value;
    if (flags & VK_QUERY_RESULT_64_BIT) {
        memcpy(dst, &value, sizeof(value));
        return dst + sizeof(value);
    }
    memcpy(dst, &value32, sizeof(value32));
    return dst + sizeof(value32);
}

uint64_t
rp_query_result_size(const struct rp_query_pool *pool, VkQueryResultFlags flags)
{
    const bool has_extra =
        flags & (VK_QUERY_RESULT_WITH_AVAILABILITY_BIT | VK_QUERY_RESULT_WITH_STATUS_BIT_KHR);
    const uint64_t partition_values =
        (uint64_t)pool->partition_capacity * (uint32_t)__builtin_popcount(pool->partition_flags);
    return (pool->value_count + has_extra + partition_values) *
           (flags & VK_QUERY_RESULT_64_BIT ? 8 : 4);
}

/* Only of partitions that there are: what follows in dst is left as it is. */
static void
write_partitions(const struct rp_query_pool *pool, uint32_t query, VkQueryResultFlags flags,
                 uint8_t *dst)
{
    const struct rp_query_partition *partition =
        pool->partitions + (size_t)query * pool->partition_capacity;

    for (uint32_t i = 0; i < pool->queries[query].partition_count; i++, partition++) {
        const uint64_t values[] = {(uint64_t)(int64_t)partition->status, partition->offset_B,
                                   partition->size_B};
        for (uint32_t bit = 0; bit < RP_ARRAY_SIZE(values); bit++) {
            if (pool->partition_flags >> bit & 1)
                dst = result_put(dst, flags, values[bit]);
        }
    }
}

bool
rp_query_write_result(const struct rp_query_pool *pool, uint32_t query, VkQueryResultFlags flags,
                      void *dst)
{
    const struct rp_query *q = &pool->queries[query];
    const bool is_available = atomic_load(&q->state) == RP_QUERY_AVAILABLE;
    const bool writes_values = is_available || flags & VK_QUERY_RESULT_PARTIAL_BIT;
    const uint32_t value_B = flags & VK_QUERY_RESULT_64_BIT ? 8 : 4;
    uint8_t *next = dst;

    for (uint32_t i = 0; i < pool->value_count; i++) {
        /* Nothing is counted bit by bit here: a partial result is 0. */
        if (writes_values)
            result_put(next, flags, is_available ? q->values[i] : 0);
        next += value_B;
    }
    if (flags & VK_QUERY_RESULT_WITH_STATUS_BIT_KHR)
        result_put(
            next, flags,
            (uint64_t)(int64_t)(is_available ? q->status : VK_QUERY_RESULT_STATUS_NOT_READY_KHR));
    else if (flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT)
        result_put(next, flags, is_available);
    if (flags & (VK_QUERY_RESULT_WITH_STATUS_BIT_KHR | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT))
        next += value_B;
    if (is_available)
        write_partitions(pool, query, flags, next);
    return is_available;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_GetQueryPoolResults(VkDevice device, VkQueryPool handle, uint32_t first, uint32_t count,
                       size_t size_B, void *data, VkDeviceSize stride_B, VkQueryResultFlags flags)
{
    struct rp_device *dev = rp_device_from_handle(device);
    const struct rp_query_pool *pool = rp_query_pool_from_handle(handle);
    const struct rp_query_range range = {.pool = pool, .first = first, .count = count};
    const uint64_t result_B = rp_query_result_size(pool, flags);
    VkResult result = VK_SUCCESS;

    if (flags & VK_QUERY_RESULT_WAIT_BIT) {
        result =
            rp_device_wait(dev, NULL, rp_query_range_is_available, &range, false, RP_WAIT_FOREVER);
        if (result != VK_SUCCESS)
            return result;
    } else if (rp_device_is_lost(dev) && rp_lost_device_is_at_rest(dev)) {
        return VK_ERROR_DEVICE_LOST;
    }

    for (uint32_t i = 0; i < count && first + i < pool->query_count; i++) {
        if (!rp_range_fits(i * stride_B, result_B, size_B))
            break;
        if (!rp_query_write_result(pool, first + i, flags, (uint8_t *)data + i * stride_B))
            result = VK_NOT_READY;
    }
    return result;
}

/* SPDX-License-Identifier: MIT */
/* Queries in command buffers: begin, end, reset, timestamps, copies of results.
 */
#include "cmd/cmd_buffer.h"
#include "cmd/describe.h"
#include "cmd/replay.h"
#include "object/buffer.h"
#include "object/query_pool.h"
#include "object/sync.h"
#include "platform/clock.h"
#include "util/checked.h"

#include "rp_entrypoints.h"

struct query_command {
    struct rp_cmd cmd;
    struct rp_query_pool *pool; /* borrowed */
    uint32_t first;
    uint32_t count;
};

static void
query_record(VkCommandBuffer commandBuffer, const struct rp_cmd_ops *ops, VkQueryPool pool,
             uint32_t first, uint32_t count)
{
    struct query_command *c =
        rp_cmd_record(rp_cmd_buffer_from_handle(commandBuffer), ops, sizeof(*c));
    if (!c)
        return;
    c->pool = rp_query_pool_from_handle(pool);
    c->first = first;
    c->count = count;
}

static void
query_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    const struct query_command *c = (const struct query_command *)cmd;

    rp_describe_key_handle(d, "pool", c->pool);
    rp_json_key_u64(d->json, "first", c->first);
    rp_json_key_u64(d->json, "count", c->count);
}

static VkResult
begin_query_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct query_command *c = (const struct query_command *)cmd;

    rp->video.query_pool = c->pool;
    rp->video.query = c->first;
    rp->video.is_query_taken = false;
    return VK_SUCCESS;
}

static const struct rp_cmd_ops begin_query_ops = {
    .name = "BeginQuery",
    .cost_ns = 20,
    .goes_with_pictures = true,
    .replay = begin_query_replay,
    .describe = query_describe,
};

VKAPI_ATTR void VKAPI_CALL
rp_CmdBeginQuery(VkCommandBuffer commandBuffer, VkQueryPool pool, uint32_t query,
                 VkQueryControlFlags flags)
{
    query_record(commandBuffer, &begin_query_ops, pool, query, 1);
}

static VkResult
end_query_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct query_command *c = (const struct query_command *)cmd;

    if (!rp->video.is_query_taken)
        rp_query_complete(c->pool, c->first, NULL, 0, VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
    rp->video.query_pool = NULL;
    return VK_SUCCESS;
}

static const struct rp_cmd_ops end_query_ops = {
    .name = "EndQuery",
    .cost_ns = 20,
    .goes_with_pictures = true,
    .is_instant = true,
    .replay = end_query_replay,
    .describe = query_describe,
};

VKAPI_ATTR void VKAPI_CALL
rp_CmdEndQuery(VkCommandBuffer commandBuffer, VkQueryPool pool, uint32_t query)
{
    query_record(commandBuffer, &end_query_ops, pool, query, 1);
}

static bool
queries_are_at_rest(const void *ctx)
{
    const struct query_command *c = ctx;

    return !rp_query_range_is_running(c->pool, c->first, c->count);
}

/* A picture under way, on this queue or another, would answer the query after its reset. */
static VkResult
reset_query_pool_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct query_command *c = (const struct query_command *)cmd;

    const VkResult result =
        queries_are_at_rest(c) ? VK_SUCCESS : rp_replay_wait(rp, queries_are_at_rest, c);
    if (result == VK_SUCCESS)
        rp_query_reset(c->pool, c->first, c->count);
    return result;
}

static const struct rp_cmd_ops reset_query_pool_ops = {
    .name = "ResetQueryPool",
    .cost_ns = 50,
    .goes_with_pictures = true,
    .replay = reset_query_pool_replay,
    .describe = query_describe,
};

VKAPI_ATTR void VKAPI_CALL
rp_CmdResetQueryPool(VkCommandBuffer commandBuffer, VkQueryPool pool, uint32_t first,
                     uint32_t count)
{
    query_record(commandBuffer, &reset_query_pool_ops, pool, first, count);
}

/* The clock is CLOCK_MONOTONIC and ticks in nanoseconds (timestampPeriod 1). */
static VkResult
write_timestamp_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct query_command *c = (const struct query_command *)cmd;

    rp_replay_wait_jobs(rp);
    const uint64_t now_ns = rp_clock_now_ns();
    rp_query_complete(c->pool, c->first, &now_ns, 1, VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
    return VK_SUCCESS;
}

static const struct rp_cmd_ops write_timestamp_ops = {
    .name = "WriteTimestamp",
    .cost_ns = 60,
    .replay = write_timestamp_replay,
    .describe = query_describe,
};

VKAPI_ATTR void VKAPI_CALL
rp_CmdWriteTimestamp2(VkCommandBuffer commandBuffer, VkPipelineStageFlags2 stage, VkQueryPool pool,
                      uint32_t query)
{
    query_record(commandBuffer, &write_timestamp_ops, pool, query, 1);
}

/* The destination is a buffer, or memory at an address. */
struct copy_query_results {
    struct rp_cmd cmd;
    const struct rp_query_pool *pool; /* borrowed */
    const struct rp_buffer *dst;      /* borrowed; NULL: to memory */
    VkDeviceAddressRangeKHR range;    /* of that memory */
    uint32_t first;
    uint32_t count;
    VkDeviceSize offset_B;
    VkDeviceSize stride_B;
    VkQueryResultFlags flags;
};

static VkResult
copy_query_results_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct copy_query_results *c = (const struct copy_query_results *)cmd;
    const struct rp_query_range range = {.pool = c->pool, .first = c->first, .count = c->count};
    const uint64_t result_B = rp_query_result_size(c->pool, c->flags);
    uint8_t *const dst = c->dst ? c->dst->host : (uint8_t *)(uintptr_t)c->range.address;
    const uint64_t dst_B = c->dst ? c->dst->size_B : c->range.size;

    rp_replay_wait_jobs(rp);
    if (c->flags & VK_QUERY_RESULT_WAIT_BIT) {
        const VkResult result = rp_replay_wait(rp, rp_query_range_is_available, &range);
        if (result != VK_SUCCESS)
            return result;
    }
    for (uint32_t i = 0; i < c->count && c->first + i < c->pool->query_count; i++) {
        uint64_t at_B;
        if (!rp_mul_u64(i, c->stride_B, &at_B) || !rp_add_u64(at_B, c->offset_B, &at_B) ||
            !rp_range_fits(at_B, result_B, dst_B))
            break;
        (void)rp_query_write_result(c->pool, c->first + i, c->flags, dst + at_B);
    }
    return VK_SUCCESS;
}

/* Times and counts of what the machine did: nobody gets them twice. */
static void
copy_query_results_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    const struct copy_query_results *c = (const struct copy_query_results *)cmd;
    const uint32_t access = RP_CAPTURE_WRITE | RP_CAPTURE_UNREPEATABLE;

    rp_describe_key_handle(d, "pool", c->pool);
    rp_json_key_u64(d->json, "first", c->first);
    rp_json_key_u64(d->json, "count", c->count);
    rp_json_key_u64(d->json, "stride", c->stride_B);
    rp_json_key_u64(d->json, "flags", c->flags);
    if (!c->dst) {
        rp_json_key_u64(d->json, "address", c->range.address);
        rp_json_key_u64(d->json, "size", c->range.size);
        rp_capture_touch_address(d->capture, c->range.address, c->range.size, access);
        return;
    }
    rp_describe_key_handle(d, "buffer", c->dst);
    rp_json_key_u64(d->json, "offset", c->offset_B);
    rp_capture_touch_buffer(d->capture, c->dst, c->offset_B, VK_WHOLE_SIZE, access);
}

static const struct rp_cmd_ops copy_query_results_ops = {
    .name = "CopyQueryPoolResults",
    .waits_for_others = true,
    .replay = copy_query_results_replay,
    .describe = copy_query_results_describe,
};

static const struct rp_cmd_ops copy_query_results_to_memory_ops = {
    .name = "CopyQueryPoolResultsToMemory",
    .waits_for_others = true,
    .replay = copy_query_results_replay,
    .describe = copy_query_results_describe,
};

VKAPI_ATTR void VKAPI_CALL
rp_CmdCopyQueryPoolResults(VkCommandBuffer commandBuffer, VkQueryPool pool, uint32_t first,
                           uint32_t count, VkBuffer dst, VkDeviceSize offset_B,
                           VkDeviceSize stride_B, VkQueryResultFlags flags)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(commandBuffer);

    struct copy_query_results *c = rp_cmd_record(cb, &copy_query_results_ops, sizeof(*c));
    if (!c)
        return;
    c->pool = rp_query_pool_from_handle(pool);
    c->dst = rp_buffer_from_handle(dst);
    c->range = (VkDeviceAddressRangeKHR){0};
    c->first = first;
    c->count = count;
    c->offset_B = offset_B;
    c->stride_B = stride_B;
    c->flags = flags;
}

VKAPI_ATTR void VKAPI_CALL
rp_CmdCopyQueryPoolResultsToMemoryKHR(VkCommandBuffer commandBuffer, VkQueryPool pool,
                                      uint32_t first, uint32_t count,
                                      const VkStridedDeviceAddressRangeKHR *dst,
                                      VkAddressCommandFlagsKHR dst_flags, VkQueryResultFlags flags)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(commandBuffer);

    struct copy_query_results *c = rp_cmd_record(cb, &copy_query_results_to_memory_ops, sizeof(*c));
    if (!c)
        return;
    c->pool = rp_query_pool_from_handle(pool);
    c->dst = NULL;
    c->range = (VkDeviceAddressRangeKHR){dst->address, dst->size};
    c->first = first;
    c->count = count;
    c->offset_B = 0;
    c->stride_B = dst->stride;
    c->flags = flags;
}

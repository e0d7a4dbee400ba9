/* SPDX-License-Identifier: MIT */
/* vkCmdCopyBuffer2, vkCmdFillBuffer, vkCmdUpdateBuffer.
 */
#include "cmd/cmd_buffer.h"
#include "cmd/copy_cost.h"
#include "cmd/describe.h"
#include "cmd/replay.h"
#include "object/buffer.h"
#include "object/device.h"
#include "object/memory.h"
#include "platform/pages.h"
#include "transfer/transfer.h"

#include "rp_entrypoints.h"

#include <string.h>

/* A command writes all of a range. Only one that may hold a huge page costs a call, and of a large
 * buffer: others are taken for dense since they were bound. */
static void
expect_dense(const struct rp_buffer *dst, uint64_t offset_B, uint64_t size_B)
{
    if (size_B < RP_HUGE_PAGE_B || dst->size_B <= RP_MEMORY_DENSE_B)
        return;
    rp_memory_expect_dense(dst->memory, (uint64_t)(dst->host - dst->memory->host) + offset_B,
                           size_B);
}

struct copy_buffer {
    struct rp_cmd cmd;
    const struct rp_buffer *src; /* borrowed, as all buffers and images in commands: the app keeps
                                    them until the submission completes */
    const struct rp_buffer *dst;
    uint32_t region_count;
    VkBufferCopy regions[];
};

static VkResult
copy_buffer_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct copy_buffer *c = (const struct copy_buffer *)cmd;

    rp_replay_wait_jobs(rp);
    for (uint32_t i = 0; i < c->region_count; i++) {
        const VkBufferCopy *r = &c->regions[i];
        expect_dense(c->dst, r->dstOffset, r->size);
        rp_transfer_copy(rp->dev->workers, c->dst->host + r->dstOffset, c->src->host + r->srcOffset,
                         r->size);
    }
    return VK_SUCCESS;
}

static void
copy_buffer_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    const struct copy_buffer *c = (const struct copy_buffer *)cmd;

    rp_describe_key_handle(d, "src", c->src);
    rp_describe_key_handle(d, "dst", c->dst);
    rp_json_key(d->json, "regions");
    rp_json_open(d->json, '[');
    for (uint32_t i = 0; i < c->region_count; i++) {
        const VkBufferCopy *r = &c->regions[i];
        rp_json_u64(d->json, r->srcOffset);
        rp_json_u64(d->json, r->dstOffset);
        rp_json_u64(d->json, r->size);
        rp_capture_touch_buffer(d->capture, c->src, r->srcOffset, r->size, RP_CAPTURE_READ);
        rp_capture_touch_buffer(d->capture, c->dst, r->dstOffset, r->size, RP_CAPTURE_WRITE);
    }
    rp_json_close(d->json, ']');
}

static const struct rp_cmd_ops copy_buffer_ops = {
    .name = "CopyBuffer",
    .cost_ns = 20,
    .replay = copy_buffer_replay,
    .describe = copy_buffer_describe,
};

VKAPI_ATTR void VKAPI_CALL
rp_CmdCopyBuffer2(VkCommandBuffer commandBuffer, const VkCopyBufferInfo2 *info)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(commandBuffer);
    const struct rp_buffer *src = rp_buffer_from_handle(info->srcBuffer);
    const struct rp_buffer *dst = rp_buffer_from_handle(info->dstBuffer);

    struct copy_buffer *c = rp_cmd_record(
        cb, &copy_buffer_ops, sizeof(*c) + (size_t)info->regionCount * sizeof(c->regions[0]));
    if (!c)
        return;

    c->src = src;
    c->dst = dst;
    c->region_count = info->regionCount;
    uint64_t size_B = 0;
    for (uint32_t i = 0; i < info->regionCount; i++) {
        const VkBufferCopy2 *r = &info->pRegions[i];
        const uint64_t src_B = rp_buffer_range_B(src, r->srcOffset, r->size);
        c->regions[i] = (VkBufferCopy){
            .srcOffset = r->srcOffset,
            .dstOffset = r->dstOffset,
            .size = rp_buffer_range_B(dst, r->dstOffset, src_B),
        };
        size_B += c->regions[i].size;
    }
    rp_cmd_add_cost(cb, size_B / RP_COPY_B_PER_NS);
}

struct fill_buffer {
    struct rp_cmd cmd;
    const struct rp_buffer *dst;
    uint64_t offset_B;
    uint64_t size_B;
    uint32_t word;
};

static VkResult
fill_buffer_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct fill_buffer *c = (const struct fill_buffer *)cmd;

    rp_replay_wait_jobs(rp);
    expect_dense(c->dst, c->offset_B, c->size_B);
    rp_transfer_fill(rp->dev->workers, c->dst->host + c->offset_B, c->size_B, c->word);
    return VK_SUCCESS;
}

static void
fill_buffer_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    const struct fill_buffer *c = (const struct fill_buffer *)cmd;

    rp_describe_key_handle(d, "dst", c->dst);
    rp_json_key_u64(d->json, "offset", c->offset_B);
    rp_json_key_u64(d->json, "size", c->size_B);
    rp_json_key_u64(d->json, "word", c->word);
    rp_capture_touch_buffer(d->capture, c->dst, c->offset_B, c->size_B, RP_CAPTURE_WRITE);
}

static const struct rp_cmd_ops fill_buffer_ops = {
    .name = "FillBuffer",
    .cost_ns = 40,
    .replay = fill_buffer_replay,
    .describe = fill_buffer_describe,
};

VKAPI_ATTR void VKAPI_CALL
rp_CmdFillBuffer(VkCommandBuffer commandBuffer, VkBuffer buffer, VkDeviceSize offset_B,
                 VkDeviceSize size_B, uint32_t word)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(commandBuffer);
    const struct rp_buffer *dst = rp_buffer_from_handle(buffer);

    struct fill_buffer *c = rp_cmd_record(cb, &fill_buffer_ops, sizeof(*c));
    if (!c)
        return; /* cb->result holds the error; vkEndCommandBuffer reports it */

    c->dst = dst;
    c->offset_B = offset_B;
    /* vkCmdFillBuffer: the rest of the buffer, rounded down to whole words. */
    c->size_B = rp_buffer_range_B(dst, offset_B, size_B) & ~(uint64_t)3;
    c->word = word;
    rp_cmd_add_cost(cb, c->size_B / RP_COPY_B_PER_NS);
}

struct update_buffer {
    struct rp_cmd cmd;
    const struct rp_buffer *dst;
    uint64_t offset_B;
    uint64_t size_B;
    _Alignas(16) uint8_t data[];
};

static VkResult
update_buffer_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct update_buffer *c = (const struct update_buffer *)cmd;

    rp_replay_wait_jobs(rp);
    memcpy(c->dst->host + c->offset_B, c->data, c->size_B);
    return VK_SUCCESS;
}

static void
update_buffer_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    const struct update_buffer *c = (const struct update_buffer *)cmd;

    rp_describe_key_handle(d, "dst", c->dst);
    rp_json_key_u64(d->json, "offset", c->offset_B);
    rp_json_key(d->json, "data");
    rp_json_bytes(d->json, c->data, c->size_B);
    rp_capture_touch_buffer(d->capture, c->dst, c->offset_B, c->size_B, RP_CAPTURE_WRITE);
}

static const struct rp_cmd_ops update_buffer_ops = {
    .name = "UpdateBuffer",
    .cost_ns = 20,
    .replay = update_buffer_replay,
    .describe = update_buffer_describe,
};

VKAPI_ATTR void VKAPI_CALL
rp_CmdUpdateBuffer(VkCommandBuffer commandBuffer, VkBuffer buffer, VkDeviceSize offset_B,
                   VkDeviceSize size_B, const void *data)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(commandBuffer);
    const struct rp_buffer *dst = rp_buffer_from_handle(buffer);
    const uint64_t range_B = rp_buffer_range_B(dst, offset_B, size_B);

    struct update_buffer *c = rp_cmd_record(cb, &update_buffer_ops, sizeof(*c) + range_B);
    if (!c)
        return;

    c->dst = dst;
    c->offset_B = offset_B;
    c->size_B = range_B;
    memcpy(c->data, data, range_B);
    rp_cmd_add_cost(cb, range_B / RP_COPY_B_PER_NS);
}

/* SPDX-License-Identifier: MIT */
/* VK_EXT_conditional_rendering: dispatches that a word in a buffer, or at an address,
 * leaves out.
 */
#include "cmd/cmd_buffer.h"
#include "cmd/describe.h"
#include "cmd/replay.h"
#include "object/buffer.h"

#include "rp_entrypoints.h"

#include <string.h>

struct begin_conditional {
    struct rp_cmd cmd;
    const struct rp_buffer *buf; /* borrowed: the app keeps it until the submission completes */
    VkDeviceSize offset_B;
    bool is_inverted;
};

static VkResult
begin_conditional_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct begin_conditional *c = (const struct begin_conditional *)cmd;
    uint32_t word = 0;

    rp_replay_wait_jobs(rp);
    if (rp_buffer_range_B(c->buf, c->offset_B, sizeof(word)) == sizeof(word))
        memcpy(&word, c->buf->host + c->offset_B, sizeof(word));
    rp->skips_dispatches = (word == 0) != c->is_inverted;
    return VK_SUCCESS;
}

static VkResult
end_conditional_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    rp->skips_dispatches = false;
    return VK_SUCCESS;
}

static void
begin_conditional_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    const struct begin_conditional *c = (const struct begin_conditional *)cmd;

    rp_describe_key_handle(d, "buffer", c->buf);
    rp_json_key_u64(d->json, "offset", c->offset_B);
    rp_json_key_u64(d->json, "inverted", c->is_inverted);
    rp_capture_touch_buffer(d->capture, c->buf, c->offset_B, sizeof(uint32_t), RP_CAPTURE_READ);
}

struct begin_conditional2 {
    struct rp_cmd cmd;
    VkDeviceAddressRangeKHR range;
    bool is_inverted;
};

static VkResult
begin_conditional2_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct begin_conditional2 *c = (const struct begin_conditional2 *)cmd;
    uint32_t word = 0;

    rp_replay_wait_jobs(rp);
    if (c->range.size >= sizeof(word))
        memcpy(&word, (const void *)(uintptr_t)c->range.address, sizeof(word));
    rp->skips_dispatches = (word == 0) != c->is_inverted;
    return VK_SUCCESS;
}

static void
begin_conditional2_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    const struct begin_conditional2 *c = (const struct begin_conditional2 *)cmd;

    rp_json_key_u64(d->json, "address", c->range.address);
    rp_json_key_u64(d->json, "size", c->range.size);
    rp_json_key_u64(d->json, "inverted", c->is_inverted);
    rp_capture_touch_address(d->capture, c->range.address, sizeof(uint32_t), RP_CAPTURE_READ);
}

static const struct rp_cmd_ops begin_conditional_ops = {
    .name = "BeginConditionalRendering",
    .cost_ns = 20,
    .replay = begin_conditional_replay,
    .describe = begin_conditional_describe,
};

static const struct rp_cmd_ops begin_conditional2_ops = {
    .name = "BeginConditionalRendering2",
    .cost_ns = 20,
    .replay = begin_conditional2_replay,
    .describe = begin_conditional2_describe,
};

static const struct rp_cmd_ops end_conditional_ops = {
    .name = "EndConditionalRendering",
    .cost_ns = 10,
    .replay = end_conditional_replay,
    .describe = rp_describe_nothing,
};

VKAPI_ATTR void VKAPI_CALL
rp_CmdBeginConditionalRenderingEXT(VkCommandBuffer commandBuffer,
                                   const VkConditionalRenderingBeginInfoEXT *info)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(commandBuffer);

    struct begin_conditional *c = rp_cmd_record(cb, &begin_conditional_ops, sizeof(*c));
    if (!c)
        return;
    c->buf = rp_buffer_from_handle(info->buffer);
    c->offset_B = info->offset;
    c->is_inverted = info->flags & VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT;
}

VKAPI_ATTR void VKAPI_CALL
rp_CmdBeginConditionalRendering2EXT(VkCommandBuffer commandBuffer,
                                    const VkConditionalRenderingBeginInfo2EXT *info)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(commandBuffer);

    struct begin_conditional2 *c = rp_cmd_record(cb, &begin_conditional2_ops, sizeof(*c));
    if (!c)
        return;
    c->range = info->addressRange;
    c->is_inverted = info->flags & VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT;
}

VKAPI_ATTR void VKAPI_CALL
rp_CmdEndConditionalRenderingEXT(VkCommandBuffer commandBuffer)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(commandBuffer);

    if (!rp_cmd_record(cb, &end_conditional_ops, sizeof(struct rp_cmd)))
        return; /* cb->result holds the error; vkEndCommandBuffer reports it */
}

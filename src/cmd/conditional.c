/* SPDX-License-Identifier: MIT */
/* VK_EXT_conditional_rendering: dispatches that a word in a buffer leaves out.
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

static const struct rp_cmd_ops begin_conditional_ops = {
    .name = "BeginConditionalRendering",
    .cost_ns = 20,
    .replay = begin_conditional_replay,
    .describe = begin_conditional_describe,
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
rp_CmdEndConditionalRenderingEXT(VkCommandBuffer commandBuffer)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(commandBuffer);

    if (!rp_cmd_record(cb, &end_conditional_ops, sizeof(struct rp_cmd)))
        return; /* cb->result holds the error; vkEndCommandBuffer reports it */
}

/* SPDX-License-Identifier: MIT */
/* vkCmdExecuteCommands: secondary command buffers inside a primary one.
 */
#include "cmd/cmd_buffer.h"
#include "cmd/describe.h"
#include "cmd/profile.h"
#include "cmd/replay.h"
#include "object/device.h"

#include "rp_entrypoints.h"

struct execute_commands {
    struct rp_cmd cmd;
    uint32_t count;
    const struct rp_cmd_buffer *cbs[]; /* borrowed */
};

static VkResult
execute_commands_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct execute_commands *c = (const struct execute_commands *)cmd;

    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < c->count && result == VK_SUCCESS; i++) {
        if (RP_UNLIKELY(rp->dev->profile))
            rp_profile_cmd_buffer(rp, c->cbs[i]);
        result = rp_replay_commands(rp, c->cbs[i]);
    }
    return result;
}

static void
execute_commands_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    const struct execute_commands *c = (const struct execute_commands *)cmd;

    rp_json_key(d->json, "commands");
    rp_json_open(d->json, '[');
    for (uint32_t i = 0; i < c->count; i++)
        rp_describe_commands(d, c->cbs[i]);
    rp_json_close(d->json, ']');
}

static const struct rp_cmd_ops execute_commands_ops = {
    .name = "ExecuteCommands",
    .cost_ns = 10,
    .replay = execute_commands_replay,
    .describe = execute_commands_describe,
};

VKAPI_ATTR void VKAPI_CALL
rp_CmdExecuteCommands(VkCommandBuffer commandBuffer, uint32_t count, const VkCommandBuffer *handles)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(commandBuffer);

    struct execute_commands *c =
        rp_cmd_record(cb, &execute_commands_ops, sizeof(*c) + (size_t)count * sizeof(c->cbs[0]));
    if (!c)
        return;

    c->count = count;
    for (uint32_t i = 0; i < count; i++) {
        c->cbs[i] = rp_cmd_buffer_from_handle(handles[i]);
        rp_cmd_add_cost(cb, c->cbs[i]->cost_ns);
        cb->waits_for_others |= c->cbs[i]->waits_for_others;
        cb->has_session |= c->cbs[i]->has_session;
        cb->reads_host_memory |= c->cbs[i]->reads_host_memory;
    }
    cb->bound = NULL; /* the secondaries leave nothing bound that we know of */
}

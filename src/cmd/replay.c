/* SPDX-License-Identifier: MIT */
/* Runs the commands of a command buffer, one after the other.
 */
#include "cmd/replay.h"

#include "cmd/bind.h"
#include "cmd/cmd_buffer.h"
#include "object/device.h"

VkResult
rp_replay_commands(struct rp_replay *rp, const struct rp_cmd_buffer *cb)
{
    for (const struct rp_cmd *cmd = cb->first; cmd; cmd = cmd->next) {
        const VkResult result = cmd->ops->replay(cmd, rp);
        if (RP_UNLIKELY(result != VK_SUCCESS))
            return rp_device_lose(rp->dev, cmd->ops->name);
    }
    return VK_SUCCESS;
}

VkResult
rp_replay_cmd_buffer(struct rp_queue *queue, struct rp_device *dev, uint64_t sequence,
                     struct rp_bind_state **bind, const struct rp_cmd_buffer *cb,
                     bool is_last_of_submission)
{
    struct rp_replay rp = {
        .dev = dev,
        .queue = queue,
        .sequence = sequence,
        .bind = bind,
        .is_last_of_submission = is_last_of_submission,
    };

    if (*bind)
        rp_bind_state_reset(*bind);
    return rp_replay_commands(&rp, cb);
}

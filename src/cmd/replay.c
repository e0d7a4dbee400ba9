/* SPDX-License-Identifier: MIT */
/* Runs the commands of a command buffer, one after the other.
 */
#include "cmd/replay.h"

#include "cmd/bind.h"
#include "cmd/cmd_buffer.h"
#include "cmd/profile.h"
#include "object/device.h"

static VkResult
replay_finish_dispatches(struct rp_replay *rp)
{
    rp->has_open_dispatches = false;
    return rp_dispatcher_finish((*rp->bind)->dispatcher);
}

VkResult
rp_replay_commands(struct rp_replay *rp, const struct rp_cmd_buffer *cb)
{
    for (const struct rp_cmd *cmd = cb->first; cmd; cmd = cmd->next) {
        VkResult result = VK_SUCCESS;
        if (RP_UNLIKELY(rp->has_open_dispatches && !cmd->ops->keeps_dispatches_open))
            result = replay_finish_dispatches(rp);
        if (RP_LIKELY(result == VK_SUCCESS))
            result = cmd->ops->replay(cmd, rp);
        if (RP_UNLIKELY(result != VK_SUCCESS))
            return rp_device_lose(rp->dev, cmd->ops->name);
    }
    if (rp->has_open_dispatches && replay_finish_dispatches(rp) != VK_SUCCESS)
        return rp_device_lose(rp->dev, "Dispatch");
    return VK_SUCCESS;
}

static VkResult
replay_profiled(struct rp_replay *rp, const struct rp_cmd_buffer *cb)
{
    rp_profile_cmd_buffer(rp, cb);
    const VkResult result = rp_replay_commands(rp, cb);
    rp_profile_cmd_buffer_end(rp);
    return result;
}

VkResult
rp_replay_cmd_buffer(struct rp_job_host *host, struct rp_device *dev, uint64_t sequence,
                     struct rp_bind_state **bind, const struct rp_cmd_buffer *cb,
                     bool is_last_of_submission)
{
    struct rp_replay rp = {
        .dev = dev,
        .host = host,
        .sequence = sequence,
        .bind = bind,
        .is_last_of_submission = is_last_of_submission,
    };

    if (*bind)
        rp_bind_state_reset(*bind);
    return RP_UNLIKELY(dev->profile) ? replay_profiled(&rp, cb) : rp_replay_commands(&rp, cb);
}

static bool
commands_are_instant(const struct rp_cmd *cmd)
{
    while (cmd && cmd->ops->is_instant)
        cmd = cmd->next;
    return !cmd;
}

void
rp_replay_start_job(struct rp_replay *rp, struct rp_queue_job *job, const struct rp_cmd *rest)
{
    const bool may_keep = rp->is_last_of_submission && commands_are_instant(rest);

    rp->host->ops->start_job(rp->host, job, may_keep);
}

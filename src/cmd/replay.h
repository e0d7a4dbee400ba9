/* SPDX-License-Identifier: MIT */
/* The state that commands share while a queue replays a command buffer.
 */
#ifndef RP_CMD_REPLAY_H
#define RP_CMD_REPLAY_H

#include "cmd/job_host.h"
#include "cmd/video_scope.h"
#include "object/sync.h"
#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stdint.h>

struct rp_bind_state;
struct rp_cmd;
struct rp_cmd_buffer;
struct rp_device;

struct rp_replay {
    struct rp_device *dev;
    struct rp_job_host *host; /* the queue that replays; never NULL */
    uint64_t sequence;        /* of the submission: submitted later, on whatever queue, is larger */

    /* Bound pipelines, sets and push constants: the queue's; *bind is NULL until the first bind
     * (cmd/bind.h). */
    struct rp_bind_state **bind;

    /* Inside of vkCmdBeginConditionalRenderingEXT, and the condition is not met. */
    bool skips_dispatches;

    bool has_open_dispatches;   /* started, to be finished before all that is ordered behind them */
    bool is_last_of_submission; /* no command buffer comes after this one */

    /* The open video coding scope and the active query of this primary command buffer. */
    struct rp_video_scope video;
};

/* Replays a primary command buffer. A failure has lost the device. */
VkResult rp_replay_cmd_buffer(struct rp_job_host *host, struct rp_device *dev, uint64_t sequence,
                              struct rp_bind_state **bind, const struct rp_cmd_buffer *cb,
                              bool is_last_of_submission) RP_MUST_CHECK;

/* Replays the commands of one command buffer in the state of rp (secondary command buffers). */
VkResult rp_replay_commands(struct rp_replay *rp, const struct rp_cmd_buffer *cb) RP_MUST_CHECK;

/* After rp_replay_queue_job(): has the worker pool start the job, and goes on. When neither the
 * commands after it (rest) nor the submission leave anything to do meanwhile, the thread that
 * replays may run it itself. */
void rp_replay_start_job(struct rp_replay *rp, struct rp_queue_job *job, const struct rp_cmd *rest);

/* The rest is struct rp_job_host_ops, said of rp. */
static inline void
rp_replay_queue_job(struct rp_replay *rp, struct rp_queue_job *job)
{
    rp->host->ops->queue_job(rp->host, job);
}

/* Called by commands that touch memory that jobs may use. */
static inline void
rp_replay_wait_jobs(struct rp_replay *rp)
{
    rp->host->ops->wait_jobs(rp->host);
}

static inline bool
rp_replay_retire_job(struct rp_replay *rp)
{
    return rp->host->ops->retire_job(rp->host);
}

RP_MUST_CHECK static inline VkResult
rp_replay_wait(struct rp_replay *rp, rp_sync_predicate *is_met, const void *ctx)
{
    return rp->host->ops->wait(rp->host, is_met, ctx);
}

#endif

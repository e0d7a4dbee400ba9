/* SPDX-License-Identifier: MIT */
/* The state that commands share while a queue's thread replays a command buffer.
 */
#ifndef RP_CMD_REPLAY_H
#define RP_CMD_REPLAY_H

#include "cmd/video_scope.h"
#include "object/sync.h"
#include "reelpipe/workers.h"
#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct rp_bind_state;
struct rp_cmd;
struct rp_cmd_buffer;
struct rp_device;
struct rp_queue;

struct rp_replay {
    struct rp_device *dev;
    struct rp_queue *queue; /* NULL is never seen: every replay runs for a queue */
    uint64_t sequence;      /* of the submission: submitted later, on whatever queue, is larger */

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

/* Work that a command starts and that goes on beside the commands after it: a picture being
 * encoded. Embedded in the starter's own struct. A submission signals when its jobs and all jobs
 * before it are retired; jobs retire in the order they were started. */
struct rp_queue_job {
    void (*run)(struct rp_queue_job *job);    /* on any thread, after the jobs before it started */
    void (*retire)(struct rp_queue_job *job); /* on who leads the queue, after run; may free it */

    /* The queue's. */
    struct rp_task task;
    struct rp_queue *queue;
    struct rp_queue_job *next;
    atomic_bool is_finished; /* run has returned */
};

/* Replays a primary command buffer. A failure has lost the device. */
VkResult rp_replay_cmd_buffer(struct rp_queue *queue, struct rp_device *dev, uint64_t sequence,
                              struct rp_bind_state **bind, const struct rp_cmd_buffer *cb,
                              bool is_last_of_submission) RP_MUST_CHECK;

/* Replays the commands of one command buffer in the state of rp (secondary command buffers). */
VkResult rp_replay_commands(struct rp_replay *rp, const struct rp_cmd_buffer *cb) RP_MUST_CHECK;

/* The following are the queue's (src/queue/): what a command may ask of it while it is replayed. */

/* Queues job in the worker pool, behind what was queued there before. run and retire are set. */
void rp_replay_queue_job(struct rp_replay *rp, struct rp_queue_job *job);

/* Then: lets the worker pool start it, and goes on; when rest, the commands after it, and the
 * submission leave nothing to do meanwhile, the queue's thread may run it itself. */
void rp_replay_start_job(struct rp_replay *rp, struct rp_queue_job *job, const struct rp_cmd *rest);

/* All jobs of the queue are retired when this returns: called by commands that touch memory such
 * jobs may use. Cheap when nothing runs. */
void rp_replay_wait_async(struct rp_replay *rp);

/* Waits for the oldest job of the queue and retires it; false when there is none. */
bool rp_replay_retire_job(struct rp_replay *rp);

/* rp_sync_wait() without end that lets jobs retire, and submissions signal, meanwhile. */
VkResult rp_replay_wait(struct rp_replay *rp, rp_sync_predicate *is_met,
                        const void *ctx) RP_MUST_CHECK;

#endif

/* SPDX-License-Identifier: MIT */
/* The state that commands share while a queue's thread replays a command buffer.
 */
#ifndef RP_CMD_REPLAY_H
#define RP_CMD_REPLAY_H

#include "cmd/video_scope.h"
#include "util/compiler.h"

#include "reelpipe/workers.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stdint.h>

struct rp_bind_state;
struct rp_cmd_buffer;
struct rp_device;
struct rp_queue;

struct rp_replay {
    struct rp_device *dev;
    struct rp_queue *queue; /* NULL is never seen: every replay runs for a queue */

    /* Bound pipelines, sets and push constants; of this primary command buffer. May be NULL until
     * the first bind. */
    struct rp_bind_state *bind;

    /* The open video coding scope and the active query of this primary command buffer. */
    struct rp_video_scope video;
};

/* Replays a primary command buffer. A failure has lost the device. */
VkResult rp_replay_cmd_buffer(struct rp_queue *queue, const struct rp_cmd_buffer *cb) RP_MUST_CHECK;

/* Replays the commands of one command buffer in the state of rp (secondary command buffers). */
VkResult rp_replay_commands(struct rp_replay *rp, const struct rp_cmd_buffer *cb) RP_MUST_CHECK;

/* Everything that was submitted to the queue before and still runs aside (encode jobs in flight)
 * is done when this returns: called by commands that touch memory such jobs may use. Cheap when
 * nothing runs. */
void rp_replay_wait_async(struct rp_replay *rp);

/* A piece of work that a command leaves running aside: a picture being encoded. Owned by its
 * maker, and the queue's from start to finish. */
struct rp_queue_job {
    struct rp_task task; /* run() is called on a worker */
    struct rp_queue_job *next;

    /* After run() has returned, on the thread that replays for the queue: gives the job back. Jobs
     * finish in the order they were started. */
    void (*finish)(struct rp_queue_job *job);
};

/* Hands job->task to the worker pool and goes on. The submission that is being replayed signals
 * after the job is finished; later submissions may be replayed meanwhile. */
void rp_replay_start_job(struct rp_replay *rp, struct rp_queue_job *job);

#endif

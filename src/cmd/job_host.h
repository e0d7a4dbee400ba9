/* SPDX-License-Identifier: MIT */
/* Jobs, and what a command may ask of the queue that replays it.
 *
 * A job is work that a command starts and that goes on beside the commands after it: a picture
 * being encoded. A submission signals when its jobs and all jobs before it have retired; jobs
 * retire in the order in which they were queued.
 *
 * Commands know nothing of queues but this table of functions (src/queue/jobs.c fills it in). All
 * of them are called by the thread that replays.
 */
#ifndef RP_CMD_JOB_HOST_H
#define RP_CMD_JOB_HOST_H

#include "object/sync.h"
#include "reelpipe/workers.h"

#include <vulkan/vulkan_core.h>

#include <stdatomic.h>
#include <stdbool.h>

struct rp_job_host;

/* Embedded in a struct of the command that starts it. */
struct rp_queue_job {
    void (*run)(struct rp_queue_job *job);    /* on any thread, after the jobs before it started */
    void (*retire)(struct rp_queue_job *job); /* on the replaying thread, after run; may free it */
    struct rp_task_series *series;            /* borrowed until run is called; may be NULL */

    /* The rest is the host's. */
    struct rp_task task;
    struct rp_job_host *host;
    struct rp_queue_job *next;
    atomic_bool is_finished; /* run has returned */
};

struct rp_job_host_ops {
    /* Queues job in the worker pool, behind what was queued there before. run, retire and
     * series are set. */
    void (*queue_job)(struct rp_job_host *host, struct rp_queue_job *job);

    /* After queue_job: has the worker pool start it. may_keep: no command after it takes time, so
     * the replaying thread may run it itself when nothing else is there to do. */
    void (*start_job)(struct rp_job_host *host, struct rp_queue_job *job, bool may_keep);

    /* Returns when all jobs are retired. Cheap when there are none. */
    void (*wait_jobs)(struct rp_job_host *host);

    /* Waits for the oldest job and retires it; false when there is none. */
    bool (*retire_job)(struct rp_job_host *host);

    /* rp_sync_wait() without end, during which jobs retire and submissions signal. */
    VkResult (*wait)(struct rp_job_host *host, rp_sync_predicate *is_met, const void *ctx);
};

struct rp_job_host {
    const struct rp_job_host_ops *ops;
};

#endif

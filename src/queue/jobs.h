/* SPDX-License-Identifier: MIT */
/* The lead of a queue, and its jobs. But for try_lead and end_job, who calls has the lead.
 *
 * The lead passes on without a lock: who gives it up looks once more at what was stored before
 * others failed to take it. All of that is sequentially consistent.
 */
#ifndef RP_QUEUE_JOBS_H
#define RP_QUEUE_JOBS_H

#include "cmd/job_host.h"
#include "object/sync.h"
#include "util/compiler.h"

#include <stdbool.h>

struct rp_queue;

extern const struct rp_job_host_ops rp_queue_job_host_ops;

bool rp_queue_try_lead(struct rp_queue *queue) RP_MUST_CHECK;

/* Gives the lead up, but for what others have left to whoever leads. */
void rp_queue_leave_lead(struct rp_queue *queue);

/* The replayed submissions whose jobs are all retired signal and are gone. */
void rp_queue_signal_retired(struct rp_queue *queue);

void rp_queue_retire_finished(struct rp_queue *queue);

/* Gives the job that is held, if any, to the workers. */
void rp_queue_start_held(struct rp_queue *queue);

/* Until all are retired. */
void rp_queue_wait_jobs(struct rp_queue *queue);

/* rp_sync_wait that lets jobs retire, and submissions signal, meanwhile. */
VkResult rp_queue_wait(struct rp_queue *queue, rp_sync_predicate *is_met, const void *ctx,
                       bool needs_polling, uint64_t until_ns) RP_MUST_CHECK;

/* Its work is done. Any thread. The job may be gone as soon as it says that it is finished; the
 * queue stays until its threads and the workers have ended. */
void rp_queue_end_job(struct rp_queue *queue, struct rp_queue_job *job);

#endif

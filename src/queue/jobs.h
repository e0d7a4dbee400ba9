/* SPDX-License-Identifier: MIT */
/* The replay lock of a queue, and the jobs that go on beside the replay.
 *
 * The replay lock is a flag that is only ever tried. Who fails to get it leaves a reason behind and
 * goes on: the holder looks for reasons once more after it has given the lock up, and tries to get
 * it back if there is one. Nothing is missed, because each side stores before it looks and all of
 * these accesses are sequentially consistent:
 *
 *    holder                                   somebody else (a worker, another queue's replayer)
 *    seen = progress_count                    progress_count++
 *    retires what has finished                tries the lock; failing that,
 *    is_replay_locked = false                    leaves it to the holder
 *    progress_count != seen: tries again
 *
 * Submissions need no such look: the queue's thread waits for (listed_count && !is_replay_locked),
 * and who gives the lock up announces that if listed_count is not 0.
 *
 * But for try_lock_replay and end_job, the caller of what follows holds the lock.
 */
#ifndef RP_QUEUE_JOBS_H
#define RP_QUEUE_JOBS_H

#include "cmd/job_host.h"
#include "object/sync.h"
#include "util/compiler.h"

#include <stdbool.h>

struct rp_queue;

extern const struct rp_job_host_ops rp_queue_job_host_ops;

/* Any thread. True: the caller is the replayer now. */
bool rp_queue_try_lock_replay(struct rp_queue *queue) RP_MUST_CHECK;

/* Gives the lock up, after the work that others have left to its holder. */
void rp_queue_unlock_replay(struct rp_queue *queue);

/* Signals and frees every replayed submission whose jobs, and all before it, have retired. */
void rp_queue_signal_retired(struct rp_queue *queue);

/* Retires the jobs that have finished, oldest first. */
void rp_queue_retire_finished(struct rp_queue *queue);

/* Wakes a worker for the pending job, if there is one. */
void rp_queue_start_pending(struct rp_queue *queue);

/* Runs the pending job, if there is one, on the calling thread when nothing else is there to do.
 * True: that is done, and the replay lock is given up. */
bool rp_queue_try_run_pending(struct rp_queue *queue) RP_MUST_CHECK;

/* Returns when all jobs have retired. */
void rp_queue_wait_jobs(struct rp_queue *queue);

/* rp_sync_wait() during which jobs retire and submissions signal. */
VkResult rp_queue_wait(struct rp_queue *queue, rp_sync_predicate *is_met, const void *ctx,
                       bool needs_polling, uint64_t until_ns) RP_MUST_CHECK;

/* The job's run() has returned. Any thread. The job may be freed by another thread as soon as it is
 * marked as finished; the queue stays until its threads and the workers have ended. */
void rp_queue_end_job(struct rp_queue *queue, struct rp_queue_job *job);

#endif

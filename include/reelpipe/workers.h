/* SPDX-License-Identifier: MIT */
/* The worker pool of a device: every engine spreads its work over it, none creates threads.
 *
 * Threads start with the first work that wants them, block all signals, and end in
 * rp_workers_destroy. If threads cannot be created the calling thread does the work: no call
 * here fails for that.
 */
#ifndef REELPIPE_WORKERS_H
#define REELPIPE_WORKERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct rp_workers;

/* thread_count: how many threads may work at once, the caller of rp_workers_run included (>= 1).
 * NULL when memory is short. */
struct rp_workers *rp_workers_create(uint32_t thread_count);

/* Waits for queued tasks, then joins the threads. Accepts NULL. */
void rp_workers_destroy(struct rp_workers *workers);

uint32_t rp_workers_thread_count(const struct rp_workers *workers);

/* Calls fn(ctx, i, thread) once for every i in [0, count), in any order and on several threads,
 * and returns when all calls have returned. The caller takes part. thread is below
 * rp_workers_thread_count() and no two calls of one run share it at the same time, so it may
 * index per-thread state. Several threads may run work at once; nested calls are allowed. */
void rp_workers_run(struct rp_workers *workers, uint32_t count,
                    void (*fn)(void *ctx, uint32_t i, uint32_t thread), void *ctx);

/* One piece of work that goes on by itself; embedded in the submitter's own struct. The pool
 * forgets the task when it calls run: from then on it is the submitter's again. */
struct rp_task {
    void (*run)(struct rp_task *task);
    struct rp_task *next; /* the pool's */
};

/* Queues task, first in first out: tasks start in the order they were submitted, so a task may
 * wait for progress of tasks submitted before it. At most rp_workers_thread_count() run at once.
 * With no thread to be had the task runs here. */
void rp_workers_submit(struct rp_workers *workers, struct rp_task *task);

/* Around such a wait, by the thread that runs the task: another task may run meanwhile. For a
 * while after it one more than rp_workers_thread_count() may run. */
void rp_workers_wait_begin(struct rp_workers *workers);
void rp_workers_wait_end(struct rp_workers *workers);

/* True when the calling thread may do a task's work itself: no task waits, and fewer than
 * rp_workers_thread_count() run. It counts as one of them until rp_workers_leave(). */
bool rp_workers_try_enter(struct rp_workers *workers);
void rp_workers_leave(struct rp_workers *workers);

#endif

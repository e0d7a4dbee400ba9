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

/* Queues task, first in first out: tasks start in the order they were queued, so a task may wait
 * for progress of tasks queued before it. At most rp_workers_thread_count() run at once. No thread
 * is woken for it, but one that is awake may run it from now on. */
void rp_workers_queue(struct rp_workers *workers, struct rp_task *task);

/* After rp_workers_queue(), of another thread's task too: wakes a thread. With no thread to be had
 * the tasks run here. */
void rp_workers_start(struct rp_workers *workers);

/* rp_workers_queue() and rp_workers_start(). */
void rp_workers_submit(struct rp_workers *workers, struct rp_task *task);

/* True when the calling thread shall run the queued task itself: it is the next one, and fewer than
 * rp_workers_thread_count() run. The thread counts as one of them until rp_workers_leave(). */
bool rp_workers_try_take(struct rp_workers *workers, const struct rp_task *task);
void rp_workers_leave(struct rp_workers *workers);

/* In a task that is about to wait for tasks queued before it: until it resumes it does not count as
 * one of those that run, and a thread more may do what there is to do. After resuming there may be
 * more than rp_workers_thread_count() at work, until one of them ends. */
void rp_workers_pause(struct rp_workers *workers);
void rp_workers_resume(struct rp_workers *workers);

#endif

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

/* rp_workers_run() on at most thread_limit threads (>= 1): as many as the work is worth waking. */
void rp_workers_run_on(struct rp_workers *workers, uint32_t thread_limit, uint32_t count,
                       void (*fn)(void *ctx, uint32_t i, uint32_t thread), void *ctx);

/* What could be begun of a run now. */
enum rp_readiness {
    RP_READINESS_OVER,    /* nothing: all of it has been begun */
    RP_READINESS_BLOCKED, /* nothing yet */
    RP_READINESS_SOON,    /* a piece that would wait for others of the run */
    RP_READINESS_READY,   /* a piece that waits for nothing */
};

/* A run whose work becomes ready piece by piece. step does a piece, or more of them while
 * rp_workers_is_shared() says no; it may wait for pieces of the run that have been begun, and for
 * nothing else. readiness reads atomics only. Threads that are free take what is ready of any run,
 * the oldest first, then a task, and then what will be ready soon. The caller takes part until the
 * run is over, and returns when all calls of step have returned.
 *
 * Where has_waits is set, a step may wait for runs that do not wait for this one, too. It pauses
 * then whenever it sleeps, and callers of other runs do not help: one of them may be waited for. */
struct rp_stepwise_run {
    void (*step)(void *ctx);
    enum rp_readiness (*readiness)(const void *ctx);
    void *ctx;
    bool has_waits;
};
void rp_workers_run_steps(struct rp_workers *workers, uint32_t thread_limit,
                          const struct rp_stepwise_run *run);

/* For a step of a run that has waits, which is about to sleep: until it resumes nobody relies on it
 * to look for work. may_replace: a thread more may do what there is to do meanwhile, as when the
 * wait is for another run; the same for both. */
void rp_workers_pause_step(struct rp_workers *workers, bool may_replace);
void rp_workers_resume_step(struct rp_workers *workers, bool may_replace);

/* There are other runs, or tasks that wait. */
bool rp_workers_is_shared(const struct rp_workers *workers);

/* A piece of a stepwise run has become ready: a thread that sleeps looks for it. Costs two loads
 * while nobody does. */
void rp_workers_poke(struct rp_workers *workers);

/* For a function of a run that waits for what another thread of the run is doing: how long it may
 * look whether that is done before it goes to sleep. Short where processors are. */
uint64_t rp_workers_wait_ns(struct rp_workers *workers);

/* For a function of a run, between two pieces of work of some tens of microseconds: when the system
 * has put two threads of the pool on one processor, and there is one that none of them is on, the
 * calling thread goes there. Threads that are not the pool's stay where they are. */
void rp_workers_keep_apart(struct rp_workers *workers);

/* Where a series of tasks goes on, such as the pictures of a session: what one of them leaves in
 * the caches of a processor the next one finds there. Zeroed at first; the fields are the
 * pool's. */
struct rp_task_series {
    uint32_t worker;    /* that ran the last one: its number, from 1 on; 0: another thread did */
    uint32_t ask_count; /* of rp_workers_try_take() in a row by asker, with nobody else at work */
    uintptr_t asker;
};

/* One piece of work that goes on by itself; embedded in the submitter's own struct. The pool
 * forgets the task when it calls run: from then on it is the submitter's again. */
struct rp_task {
    void (*run)(struct rp_task *task);
    struct rp_task_series *series; /* borrowed until run is called; NULL: it stands alone */
    struct rp_task *next;          /* the pool's */
};

/* Queues task, first in first out: tasks start in the order they were queued, so a task may wait
 * for progress of tasks queued before it. At most rp_workers_thread_count() run at once. No thread
 * is woken for it, but one that is awake may run it from now on. */
void rp_workers_queue(struct rp_workers *workers, struct rp_task *task);

/* After rp_workers_queue(), of another thread's task too: wakes a thread, if it sleeps the one that
 * ran the last task of the next one's series. With no thread to be had the tasks run here. */
void rp_workers_start(struct rp_workers *workers);

/* rp_workers_queue() and rp_workers_start(). */
void rp_workers_submit(struct rp_workers *workers, struct rp_task *task);

/* True when the calling thread shall run the queued task itself: it is the next one, fewer than
 * rp_workers_thread_count() run, and its series does not go on elsewhere. A series that different
 * threads ask for goes on on a worker; when one thread alone has asked for a while, on that one.
 * The calling thread counts as one of those that run until rp_workers_leave(). */
bool rp_workers_try_take(struct rp_workers *workers, const struct rp_task *task);
void rp_workers_leave(struct rp_workers *workers);

/* For a task that is about to wait for tasks queued before it: until it resumes it does not count
 * as one of those that run, and a thread more may do what there is to do. After resuming there may
 * be more than rp_workers_thread_count() at work, until one of them ends. */
void rp_workers_pause(struct rp_workers *workers);
void rp_workers_resume(struct rp_workers *workers);

/* What came of spinning in one place. Zeroed at first. */
struct rp_spin_history {
    uint8_t miss_count; /* in a row */
    uint8_t skip_count; /* times that it is left out yet */
};

/* Looks for up to some 50 microseconds whether is_met(ctx), before the caller goes to sleep: then
 * nobody has to wake it. It does not where the caller may use one processor only, or more than the
 * pool has threads (a quota is short), where all of them are at work, and rarely where it has not
 * been worth it. is_met reads atomics only. */
void rp_workers_spin(struct rp_workers *workers, struct rp_spin_history *spins,
                     bool (*is_met)(const void *ctx), const void *ctx);

#endif

/* SPDX-License-Identifier: MIT */
/* The inside of the worker pool: workers.c has its threads and tasks, workers_loops.c what several
 * threads do together.
 *
 * All functions here are called with the pool's mutex held, unless they say otherwise.
 */
#ifndef RP_UTIL_WORKERS_POOL_H
#define RP_UTIL_WORKERS_POOL_H

#include "reelpipe/workers.h"

#include "platform/park.h"

#include <pthread.h>

#define WAKE_FANOUT 2u
#define WORKER_PLACES 64u /* processors beyond share them */

struct worker {
    struct rp_workers *pool;
    pthread_t id;
    struct rp_park park;
    struct rp_spin_history spins;
    struct rp_task *task;      /* to run next: it was called for that one; or NULL */
    struct worker *next_idle;  /* below it on the stack */
    struct worker **idle_link; /* that points here; NULL: it is not idle */
    uint32_t place_cpu;        /* of the place that it has; RP_THREAD_CPU_UNKNOWN: it has none */
};

/* The thread of the pool that was last seen at work on a processor. Places only say where to look
 * for a processor: nothing is wrong if they are. */
struct worker_place {
    _Alignas(64) atomic_uintptr_t thread; /* 0: it left, or none came */
    atomic_uint cpu;
    atomic_ullong seen_ns;
};

/* A counted run, or a stepwise one. */
struct loop {
    const struct rp_stepwise_run *steps; /* NULL: the fields up to thread_limit say what is done */
    void (*fn)(void *ctx, uint32_t i, uint32_t thread);
    void *ctx;
    uint32_t count;
    atomic_uint next_index;
    uint32_t thread_limit;
    /* Under mutex. */
    uint32_t joined_count; /* threads that ever joined: their index in a counted run */
    uint32_t inside_count; /* threads inside now, without the caller */
    uint32_t wanted_count; /* threads that are to be woken yet */
    bool is_blocked;       /* its caller waits for something to do, at called */
    bool is_left;          /* its caller waits for those inside, at called */
    struct loop *next;
    struct rp_park called;
};

struct rp_workers {
    /* Guards everything down to is_ending, and struct worker but for id, park and place_cpu. Atomic
     * counts are changed with it, and looked at without it, too. */
    pthread_mutex_t mutex;
    struct rp_task *first_task;
    struct rp_task **last_task;
    struct loop *loops; /* the oldest one first */
    struct worker *idle;
    struct rp_spin_history loop_spins;
    uint32_t thread_limit;    /* that work at once, callers of runs included */
    uint32_t thread_most;     /* that may be started */
    atomic_uint thread_count; /* started */
    atomic_uint idle_count;
    atomic_uint blocked_count; /* callers of stepwise runs that wait for something to do */
    atomic_uint work_count;    /* runs, and tasks that are queued */
    uint32_t spinning_count;   /* idle ones, and threads that are not the pool's */
    uint32_t running_count;    /* tasks, those that were taken included, without the paused ones */
    atomic_uint taken_count;   /* of those that run: on threads that are not the pool's */
    atomic_uint paused_count;  /* tasks that wait for others, blocked callers included */
    uint32_t stepping_count;   /* threads in a stepwise run, without those in a pause: one of them
                                * at least does not sleep */
    bool is_ending;
    atomic_uint cpu_count; /* that may be used, as read last */
    atomic_ullong cpu_count_until_ns;
    atomic_ullong next_move_ns; /* no thread is moved before that */
    struct worker_place places[WORKER_PLACES];
    struct worker threads[]; /* thread_most */
};

/* Threads to wake once the mutex is free: those that were taken off the stack of idle ones, and the
 * caller of a run. */
struct calls {
    struct rp_park *parks[WAKE_FANOUT + 1];
    uint32_t count; /* at most WAKE_FANOUT threads */
};

/* Gives up the mutex. */
void rp_workers_unlock_and_call(struct rp_workers *w, const struct calls *calls);

/* Returns how many threads were woken or started of the count that could find work now. */
uint32_t rp_workers_wake(struct rp_workers *w, uint32_t count, struct calls *calls);

/* May the calling thread, which is about to sleep, look for work before that, and how long? Its
 * processor must be one that nobody else would use. other_count: threads outside of the pool that
 * have one. */
uint64_t rp_workers_spin_ns(struct rp_workers *w, struct rp_spin_history *spins,
                            uint32_t other_count);
void rp_workers_note_spin(struct rp_spin_history *spins, bool was_worth_it);

/* Fewer threads are at work than may be; for those that are paused others may be. */
bool rp_workers_may_wake(const struct rp_workers *w);

/* The oldest run of which so much can be begun by one thread more; NULL: none. */
struct loop *rp_workers_find_loop(const struct rp_workers *w, enum rp_readiness least);

/* Gives up the mutex while working. */
void rp_workers_join_loop(struct rp_workers *w, struct loop *loop);

/* Calls the oldest blocked caller that has something to do: a piece that is ready, if one thread
 * more may work; or one that would be soon, if no thread is in a stepwise run, and so nobody would
 * look for it. A thread asks for this when it makes something ready, and when it turns to something
 * else than stepwise runs, or sleeps: what a run has for its caller alone no other thread takes. */
void rp_workers_call_blocked(struct rp_workers *w, struct calls *calls);

/* The calling thread is about to sleep, or not the pool's any more: its processor is free. Needs no
 * mutex. */
void rp_workers_leave_place(struct rp_workers *w);

#endif

/* SPDX-License-Identifier: MIT */
/* Runs: what several threads do together, listed on their callers' stacks.
 *
 * From a counted run threads take indices with one atomic add each and leave it when they are used
 * up. Of a stepwise run they do a piece, and look for other work if there is any: of several runs
 * the oldest one with something ready is served first. The caller leaves last.
 */
#include "util/workers_pool.h"

#include "util/alloc.h"

static void
loop_work(struct loop *loop, uint32_t thread)
{
    for (;;) {
        const uint32_t i = atomic_fetch_add_explicit(&loop->next_index, 1, memory_order_relaxed);
        if (i >= loop->count)
            return;
        loop->fn(loop->ctx, i, thread);
    }
}

static enum rp_readiness
steps_readiness(const struct loop *loop)
{
    return loop->steps->readiness(loop->steps->ctx);
}

/* For a thread more, which is not the caller. */
static enum rp_readiness
loop_readiness(const struct loop *loop)
{
    if (loop->steps)
        return loop->inside_count + 1 < loop->thread_limit ? steps_readiness(loop)
                                                           : RP_READINESS_BLOCKED;
    const bool is_open =
        loop->joined_count < loop->thread_limit &&
        atomic_load_explicit(&loop->next_index, memory_order_relaxed) < loop->count;
    return is_open ? RP_READINESS_READY : RP_READINESS_OVER;
}

struct loop *
rp_workers_find_loop(const struct rp_workers *w, enum rp_readiness least)
{
    struct loop *loop = w->loops;
    while (loop && loop_readiness(loop) < least)
        loop = loop->next;
    return loop;
}

static void
workers_wake_for_loop(struct rp_workers *w, struct loop *loop, struct calls *calls)
{
    loop->wanted_count -= rp_workers_wake(w, RP_MIN(loop->wanted_count, WAKE_FANOUT), calls);
}

/* Its blocked caller counts as one that works from now on. */
static void
loop_call(struct rp_workers *w, struct loop *loop, struct calls *calls)
{
    loop->is_blocked = false;
    atomic_fetch_sub(&w->blocked_count, 1);
    w->paused_count--;
    calls->parks[calls->count++] = &loop->called;
}

/* With the mutex held; gives it up while working. */
static void
workers_step(struct rp_workers *w, const struct loop *loop, const struct calls *calls)
{
    w->stepping_count++;
    rp_workers_unlock_and_call(w, calls);
    loop->steps->step(loop->steps->ctx);
    pthread_mutex_lock(&w->mutex);
    w->stepping_count--;
}

void
rp_workers_join_loop(struct rp_workers *w, struct loop *loop)
{
    struct calls calls = {.count = 0};
    const uint32_t thread = loop->joined_count++;

    loop->inside_count++;
    workers_wake_for_loop(w, loop, &calls);
    if (loop->steps) {
        workers_step(w, loop, &calls);
    } else {
        rp_workers_call_blocked(w, &calls);
        rp_workers_unlock_and_call(w, &calls);
        loop_work(loop, thread);
        pthread_mutex_lock(&w->mutex);
    }
    loop->inside_count--;
    if (loop->is_left && loop->inside_count == 0) {
        rp_park_call(&loop->called); /* it may be gone then */
    } else if (loop->is_blocked && steps_readiness(loop) == RP_READINESS_OVER) {
        struct calls over = {.count = 0};
        loop_call(w, loop, &over);
        rp_park_call(over.parks[0]);
    }
}

void
rp_workers_call_blocked(struct rp_workers *w, struct calls *calls)
{
    const bool is_looked_for = w->stepping_count > 0;
    const enum rp_readiness least = is_looked_for ? RP_READINESS_READY : RP_READINESS_SOON;

    if (atomic_load(&w->blocked_count) == 0 || (is_looked_for && !rp_workers_may_wake(w)))
        return;
    struct loop *loop = w->loops;
    while (loop && !(loop->is_blocked && steps_readiness(loop) >= least))
        loop = loop->next;
    if (loop)
        loop_call(w, loop, calls);
}

/* Gives up the mutex. */
static void
workers_open_loop(struct rp_workers *w, struct loop *loop, uint32_t wanted_count)
{
    struct calls calls = {.count = 0};
    struct loop **last = &w->loops;

    while (*last)
        last = &(*last)->next;
    *last = loop;
    loop->wanted_count = wanted_count;
    atomic_fetch_add(&w->work_count, 1);
    workers_wake_for_loop(w, loop, &calls);
    rp_workers_unlock_and_call(w, &calls);
}

/* With the mutex held; gives it up. The caller has found nothing left to begin. */
static void
workers_close_loop(struct rp_workers *w, struct loop *loop)
{
    struct calls calls = {.count = 0};
    struct loop **link = &w->loops;

    while (*link != loop)
        link = &(*link)->next;
    *link = loop->next;
    atomic_fetch_sub(&w->work_count, 1);
    rp_workers_call_blocked(w, &calls);
    loop->is_left = loop->inside_count > 0;
    const uint64_t spin_ns = loop->is_left ? rp_workers_spin_ns(w, &w->loop_spins, 0) : 0;
    rp_workers_unlock_and_call(w, &calls);
    if (!loop->is_left)
        return;
    const bool was_called_in_time = rp_park_wait(&loop->called, spin_ns);
    if (spin_ns) {
        pthread_mutex_lock(&w->mutex);
        rp_workers_note_spin(&w->loop_spins, was_called_in_time);
        pthread_mutex_unlock(&w->mutex);
    }
}

void
rp_workers_run_on(struct rp_workers *w, uint32_t thread_limit, uint32_t count,
                  void (*fn)(void *ctx, uint32_t i, uint32_t thread), void *ctx)
{
    struct loop loop = {.fn = fn,
                        .ctx = ctx,
                        .count = count,
                        .thread_limit = RP_MIN(thread_limit, w->thread_limit),
                        .joined_count = 1};
    atomic_init(&loop.next_index, 0);
    if (count <= 1 || loop.thread_limit <= 1) {
        loop_work(&loop, 0);
        return;
    }

    pthread_mutex_lock(&w->mutex);
    workers_open_loop(w, &loop, RP_MIN(count, loop.thread_limit) - 1);
    loop_work(&loop, 0);
    pthread_mutex_lock(&w->mutex);
    workers_close_loop(w, &loop);
}

void
rp_workers_run(struct rp_workers *w, uint32_t count,
               void (*fn)(void *ctx, uint32_t i, uint32_t thread), void *ctx)
{
    rp_workers_run_on(w, w->thread_limit, count, fn, ctx);
}

/* With the mutex held; gives it up while waiting. Nothing of the run can be begun, nor of others:
 * the caller sleeps until something can be, or until others have begun all of it. */
static void
loop_wait(struct rp_workers *w, struct loop *loop)
{
    struct calls calls = {.count = 0};

    loop->is_blocked = true;
    atomic_fetch_add(&w->blocked_count, 1);
    if (steps_readiness(loop) != RP_READINESS_BLOCKED) { /* what has come since nobody calls for */
        loop->is_blocked = false;
        atomic_fetch_sub(&w->blocked_count, 1);
        return;
    }
    w->paused_count++;
    if (w->first_task || rp_workers_find_loop(w, RP_READINESS_SOON))
        (void)rp_workers_wake(w, 1, &calls);
    rp_workers_call_blocked(w, &calls);
    rp_workers_leave_place(w);
    rp_workers_unlock_and_call(w, &calls);
    (void)rp_park_wait(&loop->called, 0);
    pthread_mutex_lock(&w->mutex);
}

/* Another stepwise run of which something is ready, for its caller. */
static struct loop *
workers_find_other(const struct rp_workers *w, const struct loop *own)
{
    struct loop *loop = w->loops;
    while (loop && (loop == own || !loop->steps || loop->steps->has_waits ||
                    loop_readiness(loop) < RP_READINESS_READY))
        loop = loop->next;
    return loop;
}

void
rp_workers_run_steps(struct rp_workers *w, uint32_t thread_limit, const struct rp_stepwise_run *run)
{
    static const struct calls nobody = {.count = 0};
    struct loop loop = {.steps = run, .thread_limit = RP_MIN(thread_limit, w->thread_limit)};
    enum rp_readiness readiness;

    pthread_mutex_lock(&w->mutex);
    workers_open_loop(w, &loop, RP_MAX(loop.thread_limit, 1) - 1);
    pthread_mutex_lock(&w->mutex);
    while ((readiness = steps_readiness(&loop)) != RP_READINESS_OVER) {
        struct loop *other = readiness == RP_READINESS_READY ? NULL : workers_find_other(w, &loop);
        if (other)
            rp_workers_join_loop(w, other);
        else if (readiness == RP_READINESS_BLOCKED)
            loop_wait(w, &loop);
        else
            workers_step(w, &loop, &nobody);
    }
    workers_close_loop(w, &loop);
}

void
rp_workers_pause_step(struct rp_workers *w, bool may_replace)
{
    struct calls calls = {.count = 0};

    pthread_mutex_lock(&w->mutex);
    w->stepping_count--;
    w->paused_count += may_replace;
    if (may_replace && (w->first_task || rp_workers_find_loop(w, RP_READINESS_SOON)))
        (void)rp_workers_wake(w, 1, &calls);
    rp_workers_call_blocked(w, &calls);
    rp_workers_unlock_and_call(w, &calls);
}

void
rp_workers_resume_step(struct rp_workers *w, bool may_replace)
{
    pthread_mutex_lock(&w->mutex);
    w->paused_count -= may_replace;
    w->stepping_count++;
    pthread_mutex_unlock(&w->mutex);
}

bool
rp_workers_is_shared(const struct rp_workers *w)
{
    return atomic_load_explicit(&w->work_count, memory_order_relaxed) > 1;
}

void
rp_workers_poke(struct rp_workers *w)
{
    struct calls calls = {.count = 0};

    if (atomic_load(&w->idle_count) + atomic_load(&w->blocked_count) == 0)
        return;
    pthread_mutex_lock(&w->mutex);
    struct loop *loop = rp_workers_find_loop(w, RP_READINESS_READY);
    if (loop && loop->is_blocked && rp_workers_may_wake(w))
        loop_call(w, loop, &calls);
    else if (!loop || rp_workers_wake(w, 1, &calls) == 0)
        rp_workers_call_blocked(w, &calls);
    rp_workers_unlock_and_call(w, &calls);
}

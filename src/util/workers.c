/* SPDX-License-Identifier: MIT */
/* A worker pool: a queue of tasks, and a list of counted loops that threads join.
 *
 * A loop (rp_workers_run) lives on its caller's stack; threads take indices from it with one
 * atomic add each and leave it when the indices are used up. The caller leaves last.
 */
#include "reelpipe/workers.h"

#include "platform/thread.h"
#include "util/alloc.h"

#include <pthread.h>

/* Threads in all for each that works. */
#define PAUSED_FACTOR 2

struct loop {
    void (*fn)(void *ctx, uint32_t i, uint32_t thread);
    void *ctx;
    uint32_t count;
    atomic_uint next_index;
    uint32_t joined_count; /* threads that ever joined: their index in the loop; under mutex */
    uint32_t inside_count; /* threads inside now; under mutex */
    struct loop *next;     /* under mutex */
};

struct rp_workers {
    pthread_mutex_t mutex; /* guards everything below */
    pthread_cond_t work;   /* a task or a loop is there, or all is over */
    pthread_cond_t done;   /* the last thread left a loop */
    struct rp_task *first_task;
    struct rp_task **last_task;
    struct loop *loops;
    uint32_t thread_limit; /* that work at once, callers of rp_workers_run included */
    uint32_t thread_most;  /* that may be started */
    uint32_t thread_count; /* started */
    uint32_t idle_count;
    uint32_t running_count; /* tasks, those that were taken included, without the paused ones */
    uint32_t paused_count;  /* tasks */
    bool is_ending;
    pthread_t threads[]; /* thread_most */
};

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

static bool
loop_is_open(const struct rp_workers *w, const struct loop *loop)
{
    return loop->joined_count < w->thread_limit &&
           atomic_load_explicit(&loop->next_index, memory_order_relaxed) < loop->count;
}

static struct loop *
workers_find_loop(const struct rp_workers *w)
{
    struct loop *loop = w->loops;
    while (loop && !loop_is_open(w, loop))
        loop = loop->next;
    return loop;
}

/* With the mutex held; gives it up while working. */
static void
workers_join_loop(struct rp_workers *w, struct loop *loop)
{
    const uint32_t thread = loop->joined_count++;
    loop->inside_count++;
    pthread_mutex_unlock(&w->mutex);
    loop_work(loop, thread);
    pthread_mutex_lock(&w->mutex);
    if (--loop->inside_count == 0)
        pthread_cond_broadcast(&w->done);
}

/* Nothing comes any more: tasks that run may have loops yet, to which threads are to come. */
static bool
workers_are_over(const struct rp_workers *w)
{
    return w->is_ending && !w->first_task && w->running_count == 0 && w->paused_count == 0;
}

/* With the mutex held. */
static void
workers_end_task(struct rp_workers *w)
{
    w->running_count--;
    if (workers_are_over(w))
        pthread_cond_broadcast(&w->work);
}

/* With the mutex held; gives it up while working. */
static void
workers_run_task(struct rp_workers *w, struct rp_task *task)
{
    w->running_count++;
    pthread_mutex_unlock(&w->mutex);
    task->run(task);
    pthread_mutex_lock(&w->mutex);
    workers_end_task(w);
}

static bool
workers_have_room(const struct rp_workers *w)
{
    return w->running_count < w->thread_limit;
}

static struct rp_task *
workers_pop_task(struct rp_workers *w)
{
    struct rp_task *task = w->first_task;
    if (task) {
        w->first_task = task->next;
        if (!w->first_task)
            w->last_task = &w->first_task;
    }
    return task;
}

static void *
workers_thread(void *arg)
{
    struct rp_workers *w = arg;

    pthread_mutex_lock(&w->mutex);
    for (;;) {
        struct loop *loop = workers_find_loop(w);
        struct rp_task *task = !loop && workers_have_room(w) ? workers_pop_task(w) : NULL;
        if (loop) {
            workers_join_loop(w, loop);
        } else if (task) {
            workers_run_task(w, task);
        } else if (workers_are_over(w)) {
            break;
        } else {
            w->idle_count++;
            pthread_cond_wait(&w->work, &w->mutex);
            w->idle_count--;
        }
    }
    pthread_mutex_unlock(&w->mutex);
    return NULL;
}

/* With the mutex held. For those that are paused others may be awake. */
static uint32_t
workers_awake_most(const struct rp_workers *w)
{
    return RP_MIN(w->thread_limit + w->paused_count, w->thread_most);
}

/* With the mutex held. wanted_count: threads that could find work now. */
static void
workers_wake(struct rp_workers *w, uint32_t wanted_count)
{
    const uint32_t awake_count = w->thread_count - w->idle_count;
    const uint32_t most = RP_MAX(workers_awake_most(w), awake_count);
    const uint32_t count = RP_MIN(wanted_count, most - awake_count);
    for (uint32_t i = 0; i < count && i < w->idle_count; i++)
        pthread_cond_signal(&w->work);
    for (uint32_t i = w->idle_count; i < count; i++) {
        if (!rp_thread_create(&w->threads[w->thread_count], "rp-worker", workers_thread, w))
            return;
        w->thread_count++;
    }
}

struct rp_workers *
rp_workers_create(uint32_t thread_count)
{
    struct rp_workers *w =
        rp_zalloc(NULL, sizeof(*w) + PAUSED_FACTOR * thread_count * sizeof(w->threads[0]),
                  _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    if (!w)
        return NULL;
    pthread_mutex_init(&w->mutex, NULL);
    pthread_cond_init(&w->work, NULL);
    pthread_cond_init(&w->done, NULL);
    w->last_task = &w->first_task;
    w->thread_limit = thread_count;
    w->thread_most = PAUSED_FACTOR * thread_count;
    return w;
}

/* Loops of tasks that are queued still may make more of them. */
static bool
workers_have_thread(struct rp_workers *w, uint32_t i)
{
    pthread_mutex_lock(&w->mutex);
    const bool is_there = i < w->thread_count;
    pthread_mutex_unlock(&w->mutex);
    return is_there;
}

void
rp_workers_destroy(struct rp_workers *w)
{
    if (!w)
        return;

    pthread_mutex_lock(&w->mutex);
    w->is_ending = true;
    pthread_cond_broadcast(&w->work);
    pthread_mutex_unlock(&w->mutex);
    for (uint32_t i = 0; workers_have_thread(w, i); i++)
        pthread_join(w->threads[i], NULL);
    pthread_cond_destroy(&w->done);
    pthread_cond_destroy(&w->work);
    pthread_mutex_destroy(&w->mutex);
    rp_free(NULL, w);
}

uint32_t
rp_workers_thread_count(const struct rp_workers *w)
{
    return w->thread_limit;
}

void
rp_workers_run(struct rp_workers *w, uint32_t count,
               void (*fn)(void *ctx, uint32_t i, uint32_t thread), void *ctx)
{
    struct loop loop = {.fn = fn, .ctx = ctx, .count = count, .joined_count = 1};
    atomic_init(&loop.next_index, 0);
    if (count <= 1 || w->thread_limit == 1) {
        loop_work(&loop, 0);
        return;
    }

    pthread_mutex_lock(&w->mutex);
    loop.next = w->loops;
    w->loops = &loop;
    workers_wake(w, RP_MIN(count, w->thread_limit) - 1);
    pthread_mutex_unlock(&w->mutex);

    loop_work(&loop, 0);

    pthread_mutex_lock(&w->mutex);
    struct loop **link = &w->loops;
    while (*link != &loop)
        link = &(*link)->next;
    *link = loop.next;
    while (loop.inside_count)
        pthread_cond_wait(&w->done, &w->mutex);
    pthread_mutex_unlock(&w->mutex);
}

/* With the mutex held; gives it up while working. With no thread to be had the queue is drained
 * here; there may be one by the time a task has ended. */
static void
workers_start(struct rp_workers *w)
{
    while (w->first_task && workers_have_room(w)) {
        workers_wake(w, 1);
        if (w->thread_count > 0)
            return;
        workers_run_task(w, workers_pop_task(w));
    }
}

void
rp_workers_queue(struct rp_workers *w, struct rp_task *task)
{
    task->next = NULL;

    pthread_mutex_lock(&w->mutex);
    *w->last_task = task;
    w->last_task = &task->next;
    pthread_mutex_unlock(&w->mutex);
}

void
rp_workers_start(struct rp_workers *w)
{
    pthread_mutex_lock(&w->mutex);
    workers_start(w);
    pthread_mutex_unlock(&w->mutex);
}

void
rp_workers_submit(struct rp_workers *w, struct rp_task *task)
{
    rp_workers_queue(w, task);
    rp_workers_start(w);
}

bool
rp_workers_try_take(struct rp_workers *w, const struct rp_task *task)
{
    pthread_mutex_lock(&w->mutex);
    const bool is_taken = w->first_task == task && workers_have_room(w);
    if (is_taken)
        (void)workers_pop_task(w);
    w->running_count += is_taken;
    pthread_mutex_unlock(&w->mutex);
    return is_taken;
}

void
rp_workers_leave(struct rp_workers *w)
{
    pthread_mutex_lock(&w->mutex);
    workers_end_task(w);
    workers_start(w);
    pthread_mutex_unlock(&w->mutex);
}

void
rp_workers_pause(struct rp_workers *w)
{
    pthread_mutex_lock(&w->mutex);
    w->running_count--;
    w->paused_count++;
    if (w->first_task || workers_find_loop(w))
        workers_wake(w, 1);
    pthread_mutex_unlock(&w->mutex);
}

void
rp_workers_resume(struct rp_workers *w)
{
    pthread_mutex_lock(&w->mutex);
    w->paused_count--;
    w->running_count++;
    pthread_mutex_unlock(&w->mutex);
}

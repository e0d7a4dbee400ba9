/* SPDX-License-Identifier: MIT */
/* A worker pool: a queue of tasks, and a list of counted loops that threads join.
 *
 * A loop (rp_workers_run) lives on its caller's stack; threads take indices from it with one
 * atomic add each and leave it when the indices are used up. The caller leaves last.
 *
 * Idle threads lie on a stack, and whoever has work calls the topmost: it slept last, so its
 * processor is awake and its caches are warm. A caller wakes WAKE_FANOUT threads, and those that
 * join a loop wake as many more, until enough have come.
 */
#include "reelpipe/workers.h"

#include "platform/park.h"
#include "platform/thread.h"
#include "util/alloc.h"

#include <pthread.h>

/* Threads in all for each that works. */
#define PAUSED_FACTOR 2
#define WAKE_FANOUT 2u

#define SPIN_NS UINT64_C(50000)
#define SHORT_SPIN_NS UINT64_C(3000) /* less than what sleeping and being woken take */
#define MOST_MISSES 6u               /* then 1 of 64 waits begins with spinning */

/* Then it is the series' thread: for one that was given to workers amid other work. */
#define ASKS_TO_KEEP 8u

struct worker {
    struct rp_workers *pool;
    pthread_t id;
    struct rp_park park;
    struct rp_spin_habit habit;
    struct rp_task *task;      /* to run next: it was called for that one; or NULL */
    struct worker *next_idle;  /* below it on the stack */
    struct worker **idle_link; /* that points here; NULL: it is not idle */
};

struct loop {
    void (*fn)(void *ctx, uint32_t i, uint32_t thread);
    void *ctx;
    uint32_t count;
    uint32_t thread_limit;
    atomic_uint next_index;
    /* Under mutex. */
    uint32_t joined_count; /* threads that ever joined: their index in the loop */
    uint32_t inside_count; /* threads inside now */
    uint32_t wanted_count; /* threads that are to be woken yet */
    bool is_left;          /* its caller waits for those inside, at done */
    struct loop *next;
    struct rp_park done;
};

struct rp_workers {
    pthread_mutex_t mutex; /* guards everything below, and struct worker but for id and park */
    struct rp_task *first_task;
    struct rp_task **last_task;
    struct loop *loops;
    struct worker *idle;
    struct rp_spin_habit loop_habit;
    uint32_t thread_limit; /* that work at once, callers of rp_workers_run included */
    uint32_t thread_most;  /* that may be started */
    uint32_t thread_count; /* started */
    uint32_t idle_count;
    uint32_t spinning_count; /* idle ones, and threads that are not the pool's */
    uint32_t running_count;  /* tasks, those that were taken included, without the paused ones */
    uint32_t taken_count;    /* of those that run: on threads that are not the pool's */
    uint32_t paused_count;   /* tasks */
    bool is_ending;
    struct worker threads[]; /* thread_most */
};

/* Threads that were taken off the stack and are to be called once the mutex is free. */
struct calls {
    struct worker *workers[WAKE_FANOUT];
    uint32_t count;
};

static void
workers_unlock_and_call(struct rp_workers *w, const struct calls *calls)
{
    pthread_mutex_unlock(&w->mutex);
    for (uint32_t i = 0; i < calls->count; i++)
        rp_park_call(&calls->workers[i]->park);
}

static void
worker_push_idle(struct worker *worker)
{
    struct rp_workers *w = worker->pool;

    worker->next_idle = w->idle;
    worker->idle_link = &w->idle;
    if (w->idle)
        w->idle->idle_link = &worker->next_idle;
    w->idle = worker;
    w->idle_count++;
}

static void
worker_call(struct worker *worker, struct calls *calls)
{
    *worker->idle_link = worker->next_idle;
    if (worker->next_idle)
        worker->next_idle->idle_link = worker->idle_link;
    worker->idle_link = NULL;
    worker->pool->idle_count--;
    calls->workers[calls->count++] = worker;
}

/* With the mutex held. May the calling thread, which is about to sleep, look for work before that,
 * and how long? Its processor must be one that nobody else would use. other_count: threads outside
 * of the pool that have one. */
static uint64_t
workers_spin_ns(const struct rp_workers *w, struct rp_spin_habit *habit, uint32_t other_count)
{
    if (habit->skip_count) {
        habit->skip_count--;
        return 0;
    }
    const uint32_t awake_count = w->thread_count - w->idle_count;
    const uint32_t busy_count = awake_count + w->taken_count + w->spinning_count + other_count;
    const uint32_t cpu_count = rp_thread_cpu_count();
    return cpu_count <= w->thread_limit && busy_count < cpu_count ? SPIN_NS : 0;
}

static void
habit_note(struct rp_spin_habit *habit, bool was_worth_it)
{
    habit->miss_count = was_worth_it ? 0 : (uint8_t)RP_MIN(habit->miss_count + 1u, MOST_MISSES);
    habit->skip_count = (uint8_t)((1u << habit->miss_count) - 1);
}

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
loop_is_open(const struct loop *loop)
{
    return loop->joined_count < loop->thread_limit &&
           atomic_load_explicit(&loop->next_index, memory_order_relaxed) < loop->count;
}

static struct loop *
workers_find_loop(const struct rp_workers *w)
{
    struct loop *loop = w->loops;
    while (loop && !loop_is_open(loop))
        loop = loop->next;
    return loop;
}

/* Nothing comes any more: tasks that run may have loops yet, to which threads are to come. */
static bool
workers_are_over(const struct rp_workers *w)
{
    return w->is_ending && !w->first_task && w->running_count == 0 && w->paused_count == 0;
}

static void
workers_call_all_if_over(struct rp_workers *w)
{
    while (workers_are_over(w) && w->idle) {
        struct calls calls = {.count = 0};
        worker_call(w->idle, &calls);
        rp_park_call(&calls.workers[0]->park);
    }
}

/* With the mutex held. */
static void
workers_end_task(struct rp_workers *w)
{
    w->running_count--;
    workers_call_all_if_over(w);
}

/* With the mutex held; gives it up while working. The task counts as running. worker: number of the
 * calling thread in the pool, or 0. */
static void
workers_run_task(struct rp_workers *w, struct rp_task *task, uint32_t worker)
{
    if (task->series)
        task->series->worker = worker;
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

/* It counts as running from now on. NULL: there is none, or no room for it. */
static struct rp_task *
workers_pop_task(struct rp_workers *w)
{
    struct rp_task *task = w->first_task;
    if (!task || !workers_have_room(w))
        return NULL;
    w->first_task = task->next;
    if (!w->first_task)
        w->last_task = &w->first_task;
    w->running_count++;
    return task;
}

static void *workers_thread(void *arg);

/* With the mutex held. For those that are paused others may be awake. */
static bool
workers_may_wake(const struct rp_workers *w)
{
    return w->thread_count - w->idle_count <
           RP_MIN(w->thread_limit + w->paused_count, w->thread_most);
}

/* With the mutex held. Returns how many threads were woken or started of the count that could find
 * work now. */
static uint32_t
workers_wake(struct rp_workers *w, uint32_t count, struct calls *calls)
{
    uint32_t woken_count = 0;
    while (woken_count < count && calls->count < WAKE_FANOUT && workers_may_wake(w)) {
        struct worker *worker = &w->threads[w->thread_count];
        if (w->idle) {
            worker_call(w->idle, calls);
        } else {
            worker->pool = w;
            if (!rp_thread_create(&worker->id, "rp-worker", workers_thread, worker))
                break;
            w->thread_count++;
        }
        woken_count++;
    }
    return woken_count;
}

/* With the mutex held. */
static void
workers_wake_for_loop(struct rp_workers *w, struct loop *loop, struct calls *calls)
{
    loop->wanted_count -= workers_wake(w, RP_MIN(loop->wanted_count, WAKE_FANOUT), calls);
}

/* With the mutex held; gives it up while working. */
static void
workers_join_loop(struct rp_workers *w, struct loop *loop)
{
    struct calls calls = {.count = 0};
    const uint32_t thread = loop->joined_count++;
    loop->inside_count++;
    workers_wake_for_loop(w, loop, &calls);
    workers_unlock_and_call(w, &calls);
    loop_work(loop, thread);
    pthread_mutex_lock(&w->mutex);
    if (--loop->inside_count == 0 && loop->is_left)
        rp_park_call(&loop->done);
}

/* With the mutex held; gives it up while waiting. */
static void
workers_sleep(struct rp_workers *w, struct worker *self)
{
    worker_push_idle(self);
    const uint64_t spin_ns = workers_spin_ns(w, &self->habit, 1);
    w->spinning_count += spin_ns > 0;
    pthread_mutex_unlock(&w->mutex);
    const bool was_called_in_time = rp_park_wait(&self->park, spin_ns);
    pthread_mutex_lock(&w->mutex);
    w->spinning_count -= spin_ns > 0;
    if (spin_ns)
        habit_note(&self->habit, was_called_in_time);
}

static void *
workers_thread(void *arg)
{
    struct worker *self = arg;
    struct rp_workers *w = self->pool;

    pthread_mutex_lock(&w->mutex);
    for (;;) {
        struct rp_task *task = self->task;
        struct loop *loop = task ? NULL : workers_find_loop(w);
        if (!task && !loop)
            task = workers_pop_task(w);
        self->task = NULL;
        if (loop)
            workers_join_loop(w, loop);
        else if (task)
            workers_run_task(w, task, (uint32_t)(self - w->threads) + 1);
        else if (workers_are_over(w))
            break;
        else
            workers_sleep(w, self);
    }
    pthread_mutex_unlock(&w->mutex);
    return NULL;
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
    workers_call_all_if_over(w);
    pthread_mutex_unlock(&w->mutex);
    for (uint32_t i = 0; workers_have_thread(w, i); i++)
        pthread_join(w->threads[i].id, NULL);
    pthread_mutex_destroy(&w->mutex);
    rp_free(NULL, w);
}

uint32_t
rp_workers_thread_count(const struct rp_workers *w)
{
    return w->thread_limit;
}

/* The caller has found no index left. */
static void
workers_leave_loop(struct rp_workers *w, struct loop *loop)
{
    pthread_mutex_lock(&w->mutex);
    struct loop **link = &w->loops;
    while (*link != loop)
        link = &(*link)->next;
    *link = loop->next;
    loop->is_left = loop->inside_count > 0;
    const uint64_t spin_ns = loop->is_left ? workers_spin_ns(w, &w->loop_habit, 0) : 0;
    pthread_mutex_unlock(&w->mutex);
    if (!loop->is_left)
        return;
    const bool was_called_in_time = rp_park_wait(&loop->done, spin_ns);
    if (spin_ns) {
        pthread_mutex_lock(&w->mutex);
        habit_note(&w->loop_habit, was_called_in_time);
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
    struct calls calls = {.count = 0};
    atomic_init(&loop.next_index, 0);
    if (count <= 1 || loop.thread_limit <= 1) {
        loop_work(&loop, 0);
        return;
    }

    pthread_mutex_lock(&w->mutex);
    loop.wanted_count = RP_MIN(count, loop.thread_limit) - 1;
    struct loop **last = &w->loops; /* threads join the oldest first: others may wait for it */
    while (*last)
        last = &(*last)->next;
    *last = &loop;
    workers_wake_for_loop(w, &loop, &calls);
    workers_unlock_and_call(w, &calls);
    loop_work(&loop, 0);
    workers_leave_loop(w, &loop);
}

void
rp_workers_run(struct rp_workers *w, uint32_t count,
               void (*fn)(void *ctx, uint32_t i, uint32_t thread), void *ctx)
{
    rp_workers_run_on(w, w->thread_limit, count, fn, ctx);
}

uint64_t
rp_workers_wait_ns(struct rp_workers *w)
{
    const uint32_t cpu_count = rp_thread_cpu_count();
    pthread_mutex_lock(&w->mutex);
    const uint32_t busy_count = w->thread_count - w->idle_count + w->taken_count;
    const bool has_room = cpu_count <= w->thread_limit && busy_count <= cpu_count;
    pthread_mutex_unlock(&w->mutex);
    return has_room ? SPIN_NS : SHORT_SPIN_NS;
}

/* With the mutex held. True: the next task goes to the thread that ran the last of its series. */
static bool
workers_hand_over(struct rp_workers *w, struct calls *calls)
{
    const struct rp_task_series *series = w->first_task->series;
    struct worker *worker = series && series->worker ? &w->threads[series->worker - 1] : NULL;
    if (!worker || !worker->idle_link || !workers_may_wake(w))
        return false;
    worker->task = workers_pop_task(w);
    worker_call(worker, calls);
    return true;
}

/* With the mutex held; gives it up while working. With no thread to be had the queue is drained
 * here; there may be one by the time a task has ended. */
static void
workers_start(struct rp_workers *w, struct calls *calls)
{
    while (w->first_task && workers_have_room(w)) {
        if (!workers_hand_over(w, calls))
            (void)workers_wake(w, 1, calls);
        if (w->thread_count > 0)
            return;
        workers_run_task(w, workers_pop_task(w), 0);
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
    struct calls calls = {.count = 0};
    pthread_mutex_lock(&w->mutex);
    workers_start(w, &calls);
    workers_unlock_and_call(w, &calls);
}

void
rp_workers_submit(struct rp_workers *w, struct rp_task *task)
{
    rp_workers_queue(w, task);
    rp_workers_start(w);
}

/* With the mutex held: the calling thread would run the next task of series. False: the worker does
 * that has run the last one, or one that is to be the first. */
static bool
series_goes_on_here(struct rp_workers *w, struct rp_task_series *series)
{
    const uintptr_t self = (uintptr_t)pthread_self();
    const bool is_new = series->asker == 0;
    const bool is_same = series->asker == self;

    series->asker = self;
    series->ask_count = is_same && w->running_count == 0 ? series->ask_count + 1 : 0;
    if (series->ask_count >= ASKS_TO_KEEP)
        return true;
    if (series->worker)
        return !w->threads[series->worker - 1].idle_link;
    return is_new || is_same;
}

bool
rp_workers_try_take(struct rp_workers *w, const struct rp_task *task)
{
    pthread_mutex_lock(&w->mutex);
    const bool is_taken = w->first_task == task && workers_have_room(w) &&
                          (!task->series || series_goes_on_here(w, task->series));
    if (is_taken) {
        (void)workers_pop_task(w);
        w->taken_count++;
        if (task->series)
            task->series->worker = 0;
    }
    pthread_mutex_unlock(&w->mutex);
    return is_taken;
}

void
rp_workers_leave(struct rp_workers *w)
{
    struct calls calls = {.count = 0};
    pthread_mutex_lock(&w->mutex);
    w->taken_count--;
    workers_end_task(w);
    workers_start(w, &calls);
    workers_unlock_and_call(w, &calls);
}

void
rp_workers_pause(struct rp_workers *w)
{
    struct calls calls = {.count = 0};
    pthread_mutex_lock(&w->mutex);
    w->running_count--;
    w->paused_count++;
    if (w->first_task || workers_find_loop(w))
        (void)workers_wake(w, 1, &calls);
    workers_unlock_and_call(w, &calls);
}

void
rp_workers_resume(struct rp_workers *w)
{
    pthread_mutex_lock(&w->mutex);
    w->paused_count--;
    w->running_count++;
    pthread_mutex_unlock(&w->mutex);
}

void
rp_workers_spin(struct rp_workers *w, struct rp_spin_habit *habit, bool (*is_met)(const void *ctx),
                const void *ctx)
{
    pthread_mutex_lock(&w->mutex);
    const uint64_t spin_ns = workers_spin_ns(w, habit, 1);
    w->spinning_count += spin_ns > 0;
    pthread_mutex_unlock(&w->mutex);
    if (!spin_ns)
        return;
    habit_note(habit, rp_spin_until(is_met, ctx, spin_ns));
    pthread_mutex_lock(&w->mutex);
    w->spinning_count--;
    pthread_mutex_unlock(&w->mutex);
}

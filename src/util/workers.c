/* SPDX-License-Identifier: MIT */
/* A worker pool: its threads, and a queue of tasks.
 *
 * Idle threads lie on a stack, and whoever has work calls the topmost: it slept last, so its
 * processor is awake and its caches are warm. A caller wakes WAKE_FANOUT threads, and those that
 * join a run wake as many more, until enough have come.
 */
#include "util/workers_pool.h"

#include "platform/clock.h"
#include "platform/thread.h"
#include "util/alloc.h"

/* Threads in all for each that works. */
#define PAUSED_FACTOR 2

#define CPU_COUNT_NS UINT64_C(1000000) /* how long a number of processors is believed */
#define SPIN_NS UINT64_C(50000)
#define SHORT_SPIN_NS UINT64_C(3000) /* less than what sleeping and being woken take */
#define MOST_MISSES 6u               /* then 1 of 64 waits begins with spinning */

/* How often in a row the same thread asks for a series before it gets it from the workers, who have
 * it amid other work. */
#define ASKS_TO_KEEP 8u

void
rp_workers_unlock_and_call(struct rp_workers *w, const struct calls *calls)
{
    pthread_mutex_unlock(&w->mutex);
    for (uint32_t i = 0; i < calls->count; i++)
        rp_park_call(calls->parks[i]);
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
worker_pop_idle(struct worker *worker)
{
    *worker->idle_link = worker->next_idle;
    if (worker->next_idle)
        worker->next_idle->idle_link = worker->idle_link;
    worker->idle_link = NULL;
    worker->pool->idle_count--;
}

static void
worker_call(struct worker *worker, struct calls *calls)
{
    worker_pop_idle(worker);
    calls->parks[calls->count++] = &worker->park;
}

/* How many processors the calling thread may use, which costs a call of the system; other threads
 * of the process are not asked apart. */
static uint32_t
workers_cpu_count(struct rp_workers *w)
{
    const uint64_t now_ns = rp_clock_now_ns();
    if (now_ns >= atomic_load_explicit(&w->cpu_count_until_ns, memory_order_relaxed)) {
        atomic_store_explicit(&w->cpu_count, rp_thread_cpu_count(), memory_order_relaxed);
        atomic_store_explicit(&w->cpu_count_until_ns, now_ns + CPU_COUNT_NS, memory_order_relaxed);
    }
    return atomic_load_explicit(&w->cpu_count, memory_order_relaxed);
}

uint64_t
rp_workers_spin_ns(struct rp_workers *w, struct rp_spin_history *spins, uint32_t other_count)
{
    if (spins->skip_count) {
        spins->skip_count--;
        return 0;
    }
    const uint32_t awake_count = w->thread_count - w->idle_count;
    const uint32_t busy_count =
        awake_count - w->paused_count + w->taken_count + w->spinning_count + other_count;
    const uint32_t cpu_count = workers_cpu_count(w);
    return cpu_count <= w->thread_limit && busy_count < cpu_count ? SPIN_NS : 0;
}

void
rp_workers_note_spin(struct rp_spin_history *spins, bool was_worth_it)
{
    spins->miss_count = was_worth_it ? 0 : (uint8_t)RP_MIN(spins->miss_count + 1u, MOST_MISSES);
    spins->skip_count = (uint8_t)((1u << spins->miss_count) - 1);
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
        rp_park_call(calls.parks[0]);
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
    struct calls calls = {.count = 0};

    if (task->series)
        task->series->worker = worker;
    rp_workers_call_blocked(w, &calls);
    rp_workers_unlock_and_call(w, &calls);
    task->run(task);
    pthread_mutex_lock(&w->mutex);
    workers_end_task(w);
}

static bool
workers_have_room(const struct rp_workers *w)
{
    return w->running_count < w->thread_limit;
}

/* Takes the first task, which counts as running from now on. NULL: there is none, or no room for
 * it. */
static struct rp_task *
workers_pop_task(struct rp_workers *w)
{
    struct rp_task *task = w->first_task;
    if (!task || !workers_have_room(w))
        return NULL;
    w->first_task = task->next;
    if (!w->first_task)
        w->last_task = &w->first_task;
    atomic_fetch_sub(&w->work_count, 1);
    w->running_count++;
    return task;
}

static void *workers_thread(void *arg);

bool
rp_workers_may_wake(const struct rp_workers *w)
{
    return w->thread_count - w->idle_count < w->thread_most &&
           w->thread_count - w->idle_count + w->taken_count < w->thread_limit + w->paused_count;
}

/* More threads are at work than may be: one that looks for work has to sleep. */
static bool
are_too_many(const struct rp_workers *w)
{
    return w->thread_count - w->idle_count + w->taken_count > w->thread_limit + w->paused_count;
}

uint32_t
rp_workers_wake(struct rp_workers *w, uint32_t count, struct calls *calls)
{
    uint32_t woken_count = 0;
    while (woken_count < count && calls->count < WAKE_FANOUT && rp_workers_may_wake(w)) {
        struct worker *worker = &w->threads[w->thread_count];
        if (w->idle) {
            worker_call(w->idle, calls);
        } else {
            worker->pool = w;
            worker->place_cpu = RP_THREAD_CPU_UNKNOWN;
            if (!rp_thread_create(&worker->id, "rp-worker", workers_thread, worker))
                break;
            w->thread_count++;
        }
        woken_count++;
    }
    return woken_count;
}

/* With the mutex held; gives it up while waiting. Whoever makes something ready pokes without the
 * mutex, which does nothing while nobody is idle: what came before that is looked for once more. */
static void
workers_sleep(struct rp_workers *w, struct worker *self)
{
    struct calls calls = {.count = 0};

    worker_push_idle(self);
    if (rp_workers_may_wake(w) && rp_workers_find_loop(w, RP_READINESS_READY)) {
        worker_pop_idle(self);
        return;
    }
    rp_workers_call_blocked(w, &calls);
    rp_workers_leave_place(w);
    const uint64_t spin_ns = rp_workers_spin_ns(w, &self->spins, 1);
    w->spinning_count += spin_ns > 0;
    rp_workers_unlock_and_call(w, &calls);
    const bool was_called_in_time = rp_park_wait(&self->park, spin_ns);
    pthread_mutex_lock(&w->mutex);
    w->spinning_count -= spin_ns > 0;
    if (spin_ns)
        rp_workers_note_spin(&self->spins, was_called_in_time);
}

/* With the mutex held. What is ready goes before the next task, and that before what will be. */
static struct loop *
workers_find_work(struct rp_workers *w, struct rp_task **task)
{
    struct loop *loop = rp_workers_find_loop(w, RP_READINESS_READY);
    if (!loop)
        *task = workers_pop_task(w);
    return loop || *task ? loop : rp_workers_find_loop(w, RP_READINESS_SOON);
}

static void *
workers_thread(void *arg)
{
    struct worker *self = arg;
    struct rp_workers *w = self->pool;

    pthread_mutex_lock(&w->mutex);
    for (;;) {
        struct rp_task *task = self->task;
        struct loop *loop = NULL;
        self->task = NULL;
        if (!task && !are_too_many(w))
            loop = workers_find_work(w, &task);
        if (loop)
            rp_workers_join_loop(w, loop);
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
                  _Alignof(struct rp_workers), VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
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

uint64_t
rp_workers_wait_ns(struct rp_workers *w)
{
    const uint32_t cpu_count = workers_cpu_count(w);
    const uint32_t busy_count = w->thread_count - w->idle_count - w->paused_count + w->taken_count;
    return cpu_count <= w->thread_limit && busy_count <= cpu_count ? SPIN_NS : SHORT_SPIN_NS;
}

/* With the mutex held. True: the next task goes to the thread that ran the last of its series. */
static bool
workers_hand_over(struct rp_workers *w, struct calls *calls)
{
    const struct rp_task_series *series = w->first_task->series;
    struct worker *worker = series && series->worker ? &w->threads[series->worker - 1] : NULL;
    if (!worker || !worker->idle_link || !rp_workers_may_wake(w))
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
            (void)rp_workers_wake(w, 1, calls);
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
    atomic_fetch_add(&w->work_count, 1);
    pthread_mutex_unlock(&w->mutex);
}

void
rp_workers_start(struct rp_workers *w)
{
    struct calls calls = {.count = 0};
    pthread_mutex_lock(&w->mutex);
    workers_start(w, &calls);
    rp_workers_unlock_and_call(w, &calls);
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
    rp_workers_leave_place(w);
    pthread_mutex_lock(&w->mutex);
    w->taken_count--;
    workers_end_task(w);
    workers_start(w, &calls);
    rp_workers_call_blocked(w, &calls);
    rp_workers_unlock_and_call(w, &calls);
}

void
rp_workers_pause(struct rp_workers *w)
{
    struct calls calls = {.count = 0};
    rp_workers_leave_place(w);
    pthread_mutex_lock(&w->mutex);
    w->running_count--;
    w->paused_count++;
    if (w->first_task || rp_workers_find_loop(w, RP_READINESS_SOON))
        (void)rp_workers_wake(w, 1, &calls);
    rp_workers_unlock_and_call(w, &calls);
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
rp_workers_spin(struct rp_workers *w, struct rp_spin_history *spins,
                bool (*is_met)(const void *ctx), const void *ctx)
{
    pthread_mutex_lock(&w->mutex);
    const uint64_t spin_ns = rp_workers_spin_ns(w, spins, 1);
    w->spinning_count += spin_ns > 0;
    pthread_mutex_unlock(&w->mutex);
    if (!spin_ns)
        return;
    rp_workers_note_spin(spins, rp_spin_until(is_met, ctx, spin_ns));
    pthread_mutex_lock(&w->mutex);
    w->spinning_count--;
    pthread_mutex_unlock(&w->mutex);
}

/* SPDX-License-Identifier: MIT */
/* Which idle thread is woken, how many are, and how long they look for work before they sleep. The
 * machine has as many processors as the test says, and the test sees each thread go idle.
 */
#include "platform/park.h"
#include "platform/thread.h"
#include "reelpipe/workers.h"
#include "test.h"
#include "util/compiler.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#define ROUNDS 20
#define MANY 200

static atomic_uint cpu_count;    /* of the machine */
static atomic_uint thread_count; /* started */
static atomic_int waiting_count; /* threads in rp_park_wait() that nobody called yet */
static atomic_uint spin_count;   /* those of them that were to spin */
static atomic_uint asked_count;  /* calls of rp_spin_until() that were to spin */

bool __real_rp_thread_create(pthread_t *id, const char *name, void *(*fn)(void *), void *arg);
bool __wrap_rp_thread_create(pthread_t *id, const char *name, void *(*fn)(void *), void *arg);
bool __real_rp_park_wait(struct rp_park *park, uint64_t spin_ns);
bool __wrap_rp_park_wait(struct rp_park *park, uint64_t spin_ns);
void __real_rp_park_call(struct rp_park *park);
void __wrap_rp_park_call(struct rp_park *park);
bool __real_rp_spin_until(bool (*is_met)(const void *ctx), const void *ctx, uint64_t spin_ns);
bool __wrap_rp_spin_until(bool (*is_met)(const void *ctx), const void *ctx, uint64_t spin_ns);
uint32_t __wrap_rp_thread_cpu_count(void);

bool
__wrap_rp_thread_create(pthread_t *id, const char *name, void *(*fn)(void *), void *arg)
{
    atomic_fetch_add(&thread_count, 1);
    return __real_rp_thread_create(id, name, fn, arg);
}

bool
__wrap_rp_park_wait(struct rp_park *park, uint64_t spin_ns)
{
    atomic_fetch_add(&spin_count, spin_ns > 0);
    atomic_fetch_add(&waiting_count, 1);
    return __real_rp_park_wait(park, spin_ns);
}

/* Who was called may take its time to wake up, but the pool does not count on it any more. */
void
__wrap_rp_park_call(struct rp_park *park)
{
    atomic_fetch_sub(&waiting_count, 1);
    __real_rp_park_call(park);
}

bool
__wrap_rp_spin_until(bool (*is_met)(const void *ctx), const void *ctx, uint64_t spin_ns)
{
    atomic_fetch_add(&asked_count, spin_ns > 0);
    return __real_rp_spin_until(is_met, ctx, spin_ns);
}

uint32_t
__wrap_rp_thread_cpu_count(void)
{
    return atomic_load(&cpu_count);
}

static struct rp_workers *
pool_create(uint32_t thread_limit, uint32_t cpus)
{
    struct rp_workers *workers = rp_workers_create(thread_limit);
    REQUIRE(workers);
    atomic_store(&cpu_count, cpus);
    atomic_store(&thread_count, 0);
    atomic_store(&spin_count, 0);
    atomic_store(&asked_count, 0);
    return workers;
}

static void
sleep_a_little(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

static void
wait_for_idle(uint32_t count)
{
    while (atomic_load(&waiting_count) < (int)count)
        sleep_a_little();
}

struct step {
    struct rp_task task;
    pthread_t thread;     /* that ran it */
    atomic_uint *meeting; /* of two steps that run at the same time; or NULL */
    atomic_bool is_done;
};

static void
step_run(struct rp_task *task)
{
    struct step *step = rp_container_of(task, struct step, task);
    step->thread = pthread_self();
    if (step->meeting) {
        atomic_fetch_add(step->meeting, 1);
        while (atomic_load(step->meeting) < 2)
            sleep_a_little();
    }
    atomic_store(&step->is_done, true);
}

static void
step_wait(const struct step *step)
{
    while (!atomic_load(&step->is_done))
        sleep_a_little();
}

static pthread_t
run_step(struct rp_workers *workers, struct rp_task_series *series)
{
    struct step step = {.task = {.run = step_run, .series = series}};
    rp_workers_submit(workers, &step.task);
    step_wait(&step);
    wait_for_idle(2);
    return step.thread;
}

/* Each series on a thread of its own: two begin at the same time. */
static void
begin_two(struct rp_workers *workers, struct rp_task_series series[2], pthread_t threads[2])
{
    atomic_uint meeting = 0;
    struct step steps[2];
    for (int i = 0; i < 2; i++) {
        steps[i] =
            (struct step){.task = {.run = step_run, .series = &series[i]}, .meeting = &meeting};
        rp_workers_submit(workers, &steps[i].task);
    }
    for (int i = 0; i < 2; i++) {
        step_wait(&steps[i]);
        threads[i] = steps[i].thread;
    }
    wait_for_idle(2);
    REQUIRE(!pthread_equal(threads[0], threads[1]));
}

static void
a_series_goes_on_where_it_ran(void)
{
    struct rp_workers *workers = pool_create(2, 2);
    struct rp_task_series series[2] = {0};
    pthread_t threads[2];

    begin_two(workers, series, threads);
    for (int i = 0; i < ROUNDS; i++)
        REQUIRE(pthread_equal(run_step(workers, &series[i % 2]), threads[i % 2]));
    rp_workers_destroy(workers);
}

static void
other_tasks_go_to_who_slept_last(void)
{
    struct rp_workers *workers = pool_create(2, 2);
    struct rp_task_series series[2] = {0};
    pthread_t threads[2];

    begin_two(workers, series, threads);
    for (int i = 0; i < ROUNDS; i++) {
        const pthread_t last = run_step(workers, &series[i % 2]);
        REQUIRE(pthread_equal(run_step(workers, NULL), last));
    }
    rp_workers_destroy(workers);
}

struct ask {
    struct rp_workers *workers;
    struct rp_task_series *series;
    bool is_taken;
};

/* As a queue's thread does. */
static void *
ask_run(void *arg)
{
    struct ask *ask = arg;
    struct step step = {.task = {.run = step_run, .series = ask->series}};
    rp_workers_queue(ask->workers, &step.task);
    ask->is_taken = rp_workers_try_take(ask->workers, &step.task);
    if (ask->is_taken)
        rp_workers_leave(ask->workers);
    else
        rp_workers_start(ask->workers);
    while (!ask->is_taken && !atomic_load(&step.is_done))
        sleep_a_little();
    return NULL;
}

static bool
is_taken_by_another_thread(struct ask ask)
{
    pthread_t thread;
    REQUIRE_EQ(pthread_create(&thread, NULL, ask_run, &ask), 0);
    pthread_join(thread, NULL);
    wait_for_idle(ask.is_taken ? 0 : 1);
    return ask.is_taken;
}

static bool
is_taken_here(struct ask ask)
{
    ask_run(&ask);
    wait_for_idle(ask.is_taken ? 0 : 1);
    return ask.is_taken;
}

/* The pictures of a session on several queues in turn, and later on one alone. */
static void
a_series_that_many_ask_for_goes_to_a_worker(void)
{
    struct rp_task_series series = {0};
    const struct ask ask = {.workers = pool_create(2, 2), .series = &series};

    for (int i = 0; i < ROUNDS; i++)
        REQUIRE(is_taken_here(ask));
    for (int i = 0; i < ROUNDS; i++) {
        REQUIRE(!is_taken_by_another_thread(ask));
        REQUIRE(!is_taken_here(ask));
    }
    int count = 0;
    while (!is_taken_here(ask))
        REQUIRE(count++ < ROUNDS);
    REQUIRE(count > 4);
    REQUIRE(is_taken_here(ask));
    REQUIRE_EQ(atomic_load(&thread_count), 1);
    rp_workers_destroy(ask.workers);
}

static void
loop_note(void *ctx, uint32_t i, uint32_t thread)
{
    atomic_uint *most = ctx;
    unsigned before = atomic_load(most);
    (void)i;
    while (before < thread && !atomic_compare_exchange_weak(most, &before, thread)) {
    }
    sleep_a_little();
}

static void
a_loop_wakes_no_more_than_it_wants(void)
{
    struct rp_workers *workers = pool_create(8, 8);

    for (uint32_t limit = 1; limit <= 8; limit++) {
        atomic_uint most_thread = 0;
        rp_workers_run_on(workers, limit, 4 * limit, loop_note, &most_thread);
        REQUIRE(atomic_load(&most_thread) < limit);
        REQUIRE(atomic_load(&thread_count) <= limit - 1);
        wait_for_idle(atomic_load(&thread_count));
    }
    rp_workers_destroy(workers);
}

struct gathering {
    atomic_uint present_count;
    uint32_t wanted_count;
};

static void
loop_gather(void *ctx, uint32_t i, uint32_t thread)
{
    struct gathering *g = ctx;
    (void)i, (void)thread;
    atomic_fetch_add(&g->present_count, 1);
    while (atomic_load(&g->present_count) < g->wanted_count)
        sleep_a_little();
}

/* Those that come wake the others: none of them goes on before all are there. */
static void
a_loop_gets_all_that_it_wants(void)
{
    for (uint32_t limit = 2; limit <= 9; limit++) {
        struct rp_workers *workers = pool_create(limit, limit);
        for (int i = 0; i < 3; i++) {
            struct gathering g = {.wanted_count = limit};
            rp_workers_run(workers, limit, loop_gather, &g);
        }
        rp_workers_destroy(workers);
    }
}

static bool
never(const void *ctx)
{
    (void)ctx;
    return false;
}

static bool
always(const void *ctx)
{
    (void)ctx;
    return true;
}

/* Tasks far apart, and waits of another thread that nothing ends. Returns how many began by
 * spinning. */
static uint32_t
count_spins(uint32_t thread_limit, uint32_t cpus)
{
    struct rp_workers *workers = pool_create(thread_limit, cpus);
    struct rp_spin_history spins = {0};
    for (int i = 0; i < MANY; i++) {
        struct step step = {.task.run = step_run};
        rp_workers_submit(workers, &step.task);
        step_wait(&step);
        wait_for_idle(1);
        rp_workers_spin(workers, &spins, never, NULL);
    }
    const uint32_t count = atomic_load(&asked_count) + atomic_load(&spin_count);
    rp_workers_destroy(workers);
    return count;
}

static void
nobody_spins_without_a_processor_to_spare(void)
{
    REQUIRE_EQ(count_spins(1, 1), 0);
    REQUIRE_EQ(count_spins(4, 1), 0); /* a cpuset became smaller */
    REQUIRE_EQ(count_spins(3, 8), 0); /* a quota is short */
}

static void
who_spins_in_vain_spins_rarely(void)
{
    const uint32_t count = count_spins(4, 4);
    REQUIRE(count > 0);
    /* Of twice MANY. A thread that loses its processor while it spins may find a task, and then
     * goes on as who spins with success. */
    REQUIRE(count <= MANY / 2);
}

static void
who_spins_with_success_goes_on(void)
{
    struct rp_workers *workers = pool_create(4, 4);
    struct rp_spin_history spins = {0};
    for (int i = 0; i < MANY; i++)
        rp_workers_spin(workers, &spins, always, NULL);
    REQUIRE_EQ(atomic_load(&asked_count), MANY);
    rp_workers_destroy(workers);
}

/* More processors than threads: a quota is short, and waiting takes from those that work. */
static void
a_wait_is_short_once_processors_are(void)
{
    struct rp_workers *workers = pool_create(2, 2);
    const uint64_t long_ns = rp_workers_wait_ns(workers);
    uint32_t rounds = 0;

    atomic_store(&cpu_count, 3);
    while (rp_workers_wait_ns(workers) >= long_ns && rounds++ < MANY)
        sleep_a_little();
    REQUIRE(rp_workers_wait_ns(workers) < long_ns);
    rp_workers_destroy(workers);
}

int
main(void)
{
    RUN(a_series_goes_on_where_it_ran);
    RUN(other_tasks_go_to_who_slept_last);
    RUN(a_series_that_many_ask_for_goes_to_a_worker);
    RUN(a_loop_wakes_no_more_than_it_wants);
    RUN(a_loop_gets_all_that_it_wants);
    RUN(nobody_spins_without_a_processor_to_spare);
    RUN(who_spins_in_vain_spins_rarely);
    RUN(who_spins_with_success_goes_on);
    RUN(a_wait_is_short_once_processors_are);
    return 0;
}

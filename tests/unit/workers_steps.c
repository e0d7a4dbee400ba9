/* SPDX-License-Identifier: MIT */
/* Stepwise runs: every piece is done once, what is ready goes first, and a run whose pieces wait
 * for another run holds no thread meanwhile.
 */
#include "reelpipe/workers.h"

#include "platform/thread.h"
#include "test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#define PIECES 200
#define PATIENCE_S 20

static atomic_bool has_no_threads;

bool __real_rp_thread_create(pthread_t *id, const char *name, void *(*fn)(void *), void *arg);
bool __wrap_rp_thread_create(pthread_t *id, const char *name, void *(*fn)(void *), void *arg);

bool
__wrap_rp_thread_create(pthread_t *id, const char *name, void *(*fn)(void *), void *arg)
{
    return !atomic_load(&has_no_threads) && __real_rp_thread_create(id, name, fn, arg);
}

/* A wait of the test's own threads. */
static void
wait_until(const atomic_uint *number, uint32_t least)
{
    const struct timespec moment = {.tv_nsec = 1000000};

    for (uint32_t i = 0; i < PATIENCE_S * 1000 && atomic_load(number) < least; i++)
        nanosleep(&moment, NULL);
    REQUIRE(atomic_load(number) >= least);
}

/* The caller sleeps by now, or will look before it does. */
static void
wait_for_sleep(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
}

struct pieces {
    struct rp_workers *workers;
    uint32_t count;
    atomic_uint next;
    atomic_uint done_count;
    atomic_uint done[PIECES];
    struct pieces *before; /* piece i needs i + 1 pieces of it; NULL: none */
    uint32_t thread_limit; /* 0: as many as the pool has */
    bool is_soon;          /* what could be begun would wait for others of the run */
};

static enum rp_readiness
pieces_readiness(const void *ctx)
{
    const struct pieces *p = ctx;
    const uint32_t next = atomic_load(&p->next);

    if (next >= p->count)
        return RP_READINESS_OVER;
    if (p->before && atomic_load(&p->before->done_count) <= next)
        return RP_READINESS_BLOCKED;
    return p->is_soon ? RP_READINESS_SOON : RP_READINESS_READY;
}

static void
pieces_step(void *ctx)
{
    struct pieces *p = ctx;
    uint32_t next = atomic_load(&p->next);

    do {
        if (next >= p->count || (p->before && atomic_load(&p->before->done_count) <= next))
            return;
    } while (!atomic_compare_exchange_weak(&p->next, &next, next + 1));
    atomic_fetch_add(&p->done[next], 1);
    atomic_fetch_add(&p->done_count, 1);
    rp_workers_poke(p->workers);
}

static void
pieces_init(struct pieces *p, struct rp_workers *workers, uint32_t count, struct pieces *before)
{
    *p = (struct pieces){.workers = workers, .count = count, .before = before};
}

static void
pieces_run(struct pieces *p)
{
    const struct rp_stepwise_run run = {
        .step = pieces_step, .readiness = pieces_readiness, .ctx = p};
    const uint32_t most = rp_workers_thread_count(p->workers);
    rp_workers_run_steps(p->workers, p->thread_limit ? p->thread_limit : most, &run);
    REQUIRE_EQ(atomic_load(&p->done_count), p->count);
}

static void *
pieces_thread(void *arg)
{
    pieces_run(arg);
    return NULL;
}

static void
pieces_check(struct pieces *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        REQUIRE_EQ(atomic_load(&p->done[i]), 1);
}

/* Runs that wait for each other piece by piece, newest first: callers help, sleep and are
 * called. */
static void
runs_follow_each_other(uint32_t thread_count, bool has_threads)
{
    enum { RUNS = 4 };
    static struct pieces pieces[RUNS];
    pthread_t ids[RUNS];
    struct rp_workers *workers = rp_workers_create(thread_count);
    REQUIRE(workers);
    atomic_store(&has_no_threads, !has_threads);

    for (uint32_t i = 0; i < RUNS; i++)
        pieces_init(&pieces[i], workers, PIECES, i ? &pieces[i - 1] : NULL);
    for (uint32_t i = RUNS; i-- > 0;)
        REQUIRE_EQ(pthread_create(&ids[i], NULL, pieces_thread, &pieces[i]), 0);
    for (uint32_t i = 0; i < RUNS; i++) {
        pthread_join(ids[i], NULL);
        pieces_check(&pieces[i]);
    }
    rp_workers_destroy(workers);
    atomic_store(&has_no_threads, false);
}

/* Pieces that a test lets go, and the order in which they were begun. */
struct gate {
    struct rp_workers *workers;
    enum rp_readiness readiness; /* of the second piece, while it is there */
    atomic_uint next;
    atomic_uint entered_count;
    atomic_uint is_open;
    atomic_uint *order;
    uint32_t second_at; /* in the order */
};

static enum rp_readiness
gate_readiness(const void *ctx)
{
    const struct gate *gate = ctx;
    return atomic_load(&gate->next) >= 2 ? RP_READINESS_OVER : gate->readiness;
}

static void
gate_step(void *ctx)
{
    struct gate *gate = ctx;

    if (atomic_fetch_add(&gate->next, 1) == 1)
        gate->second_at = atomic_fetch_add(gate->order, 1);
    atomic_fetch_add(&gate->entered_count, 1);
    wait_until(&gate->is_open, 1);
}

static void *
gate_thread(void *arg)
{
    struct gate *gate = arg;
    const struct rp_stepwise_run run = {
        .step = gate_step, .readiness = gate_readiness, .ctx = gate};
    rp_workers_run_steps(gate->workers, 2, &run);
    return NULL;
}

struct busy {
    atomic_uint entered_count;
    atomic_uint is_over;
};

static void
busy_loop(void *ctx, uint32_t i, uint32_t thread)
{
    struct busy *busy = ctx;
    (void)i, (void)thread;
    atomic_fetch_add(&busy->entered_count, 1);
    wait_until(&busy->is_over, 1);
}

struct busy_run {
    struct rp_workers *workers;
    struct busy busy;
};

static void *
busy_thread(void *arg)
{
    struct busy_run *run = arg;
    rp_workers_run(run->workers, 2, busy_loop, &run->busy);
    return NULL;
}

/* The pool's only thread has been busy while two runs came: it takes of the newer one, which is
 * ready, before it takes of the older one, which is not. */
static void
what_is_ready_goes_first(void)
{
    struct rp_workers *workers = rp_workers_create(2);
    struct busy_run busy = {.workers = workers};
    atomic_uint order = 0;
    struct gate soon = {workers, RP_READINESS_SOON, .order = &order};
    struct gate ready = {workers, RP_READINESS_READY, .order = &order};
    pthread_t ids[3];
    REQUIRE(workers);

    REQUIRE_EQ(pthread_create(&ids[0], NULL, busy_thread, &busy), 0);
    wait_until(&busy.busy.entered_count, 2);
    atomic_store(&has_no_threads, true);
    REQUIRE_EQ(pthread_create(&ids[1], NULL, gate_thread, &soon), 0);
    wait_until(&soon.entered_count, 1);
    REQUIRE_EQ(pthread_create(&ids[2], NULL, gate_thread, &ready), 0);
    wait_until(&ready.entered_count, 1);
    REQUIRE(rp_workers_is_shared(workers));
    atomic_store(&busy.busy.is_over, 1);
    wait_until(&ready.entered_count, 2);
    REQUIRE_EQ(atomic_load(&soon.entered_count), 1);
    atomic_store(&ready.is_open, 1);
    wait_until(&soon.entered_count, 2);
    atomic_store(&soon.is_open, 1);

    for (uint32_t i = 0; i < 3; i++)
        pthread_join(ids[i], NULL);
    REQUIRE_EQ(ready.second_at, 0);
    REQUIRE_EQ(soon.second_at, 1);
    rp_workers_destroy(workers);
    atomic_store(&has_no_threads, false);
}

/* Nobody else would look for what becomes ready: the caller is called. */
static void
a_blocked_caller_is_called(void)
{
    struct rp_workers *workers = rp_workers_create(2);
    struct busy_run busy = {.workers = workers};
    static struct pieces source;
    static struct pieces follower;
    pthread_t ids[2];
    REQUIRE(workers);

    REQUIRE_EQ(pthread_create(&ids[0], NULL, busy_thread, &busy), 0);
    wait_until(&busy.busy.entered_count, 2);
    atomic_store(&has_no_threads, true);
    pieces_init(&source, workers, 2, NULL);
    pieces_init(&follower, workers, 2, &source);
    REQUIRE_EQ(pthread_create(&ids[1], NULL, pieces_thread, &follower), 0);
    wait_for_sleep();
    for (uint32_t i = 0; i < 2; i++) {
        pieces_step(&source);
        wait_until(&follower.done_count, i + 1);
    }
    pthread_join(ids[1], NULL);
    atomic_store(&busy.busy.is_over, 1);
    pthread_join(ids[0], NULL);
    rp_workers_destroy(workers);
    atomic_store(&has_no_threads, false);
}

/* A thread that has no part in any run, and does not look for what there is, makes the next piece
 * ready, as the coder of a picture without a run does: the caller is called, be it the only one who
 * may do the piece, be it that the piece would have to wait. */
static void
a_stranger_pokes(uint32_t thread_limit, bool is_soon)
{
    struct rp_workers *workers = rp_workers_create(2);
    static struct pieces source;
    static struct pieces follower;
    pthread_t id;
    REQUIRE(workers);

    pieces_init(&source, workers, 2, NULL);
    pieces_init(&follower, workers, 2, &source);
    follower.thread_limit = thread_limit;
    follower.is_soon = is_soon;
    REQUIRE_EQ(pthread_create(&id, NULL, pieces_thread, &follower), 0);
    for (uint32_t i = 0; i < 2; i++) {
        wait_for_sleep();
        pieces_step(&source);
        wait_until(&follower.done_count, i + 1);
    }
    pthread_join(id, NULL);
    rp_workers_destroy(workers);
}

/* Runs of one thread each go on side by side, while a thread is in another run for long. */
static void
runs_of_callers_alone_overlap(void)
{
    enum { RUNS = 2 };
    static struct pieces source;
    static struct pieces followers[RUNS];
    struct rp_workers *workers = rp_workers_create(4);
    atomic_uint order = 0;
    struct gate gate = {workers, RP_READINESS_BLOCKED, .order = &order};
    pthread_t ids[RUNS], gate_id;
    REQUIRE(workers);

    pieces_init(&source, workers, 1, NULL);
    for (uint32_t i = 0; i < RUNS; i++) {
        pieces_init(&followers[i], workers, 1, &source);
        followers[i].thread_limit = 1;
        REQUIRE_EQ(pthread_create(&ids[i], NULL, pieces_thread, &followers[i]), 0);
    }
    wait_for_sleep();
    gate.readiness = RP_READINESS_READY;
    REQUIRE_EQ(pthread_create(&gate_id, NULL, gate_thread, &gate), 0);
    wait_until(&gate.entered_count, 2);
    pieces_step(&source);
    for (uint32_t i = 0; i < RUNS; i++)
        wait_until(&followers[i].done_count, 1);
    atomic_store(&gate.is_open, 1);

    for (uint32_t i = 0; i < RUNS; i++)
        pthread_join(ids[i], NULL);
    pthread_join(gate_id, NULL);
    rp_workers_destroy(workers);
}

/* Two pieces that end together. The second one becomes ready while the pool's thread, which is not
 * idle yet, looks for the second time: for what will be ready soon, after what is. */
struct late {
    struct rp_workers *workers;
    pthread_t caller;
    atomic_uint look_count; /* by others than the caller */
    atomic_uint entered_count;
};

static enum rp_readiness
late_readiness(const void *ctx)
{
    struct late *late = (struct late *)ctx;

    if (atomic_load(&late->entered_count) == 2)
        return RP_READINESS_OVER;
    if (pthread_equal(pthread_self(), late->caller))
        return RP_READINESS_READY;
    const uint32_t look = atomic_fetch_add(&late->look_count, 1);
    if (look == 1)
        rp_workers_poke(late->workers);
    return look < 2 ? RP_READINESS_BLOCKED : RP_READINESS_READY;
}

static void
late_step(void *ctx)
{
    struct late *late = ctx;

    atomic_fetch_add(&late->entered_count, 1);
    wait_until(&late->entered_count, 2);
}

static void
nobody_sleeps_over_what_is_ready(void)
{
    struct rp_workers *workers = rp_workers_create(2);
    struct late late = {.workers = workers, .caller = pthread_self()};
    const struct rp_stepwise_run run = {
        .step = late_step, .readiness = late_readiness, .ctx = &late};
    REQUIRE(workers);

    rp_workers_run_steps(workers, 2, &run);
    REQUIRE_EQ(atomic_load(&late.entered_count), 2);
    rp_workers_destroy(workers);
}

struct pieces_task {
    struct rp_task base; /* first */
    struct pieces *pieces;
};

static void
pieces_task_run(struct rp_task *task)
{
    pieces_run(((struct pieces_task *)task)->pieces);
}

static void
nothing_run(struct rp_task *task)
{
    (void)task;
}

/* There was no room for the caller when its piece became ready; now there is. */
static void
who_leaves_makes_room(void)
{
    static struct pieces source;
    static struct pieces follower;
    struct rp_workers *workers = rp_workers_create(2);
    struct busy_run busy = {.workers = workers};
    atomic_uint order = 0;
    struct gate gate = {workers, RP_READINESS_READY, .order = &order};
    struct pieces_task waits = {{.run = pieces_task_run}, &follower};
    struct rp_task taken = {.run = nothing_run};
    pthread_t busy_id, gate_id;
    REQUIRE(workers);

    REQUIRE_EQ(pthread_create(&busy_id, NULL, busy_thread, &busy), 0);
    wait_until(&busy.busy.entered_count, 2);
    pieces_init(&source, workers, 1, NULL);
    pieces_init(&follower, workers, 1, &source);
    follower.thread_limit = 1;
    rp_workers_submit(workers, &waits.base);
    wait_for_sleep();
    atomic_store(&has_no_threads, true);
    REQUIRE_EQ(pthread_create(&gate_id, NULL, gate_thread, &gate), 0);
    wait_until(&gate.entered_count, 1);
    rp_workers_queue(workers, &taken);
    REQUIRE(rp_workers_try_take(workers, &taken));
    pieces_step(&source);
    rp_workers_leave(workers);
    wait_until(&follower.done_count, 1);
    atomic_store(&gate.is_open, 1);
    atomic_store(&busy.busy.is_over, 1);

    pthread_join(busy_id, NULL);
    pthread_join(gate_id, NULL);
    rp_workers_destroy(workers);
    atomic_store(&has_no_threads, false);
}

/* Two pieces that wait. */
struct waiting {
    struct rp_task task; /* first */
    struct rp_workers *workers;
    const atomic_uint *awaited; /* to be 1 */
    bool may_replace;
    atomic_uint next;
    atomic_uint may_sleep; /* they work before that */
};

static enum rp_readiness
waiting_readiness(const void *ctx)
{
    const struct waiting *waiting = ctx;
    return atomic_load(&waiting->next) >= 2 ? RP_READINESS_OVER : RP_READINESS_READY;
}

static void
waiting_step(void *ctx)
{
    struct waiting *waiting = ctx;

    atomic_fetch_add(&waiting->next, 1);
    wait_until(&waiting->may_sleep, 1);
    rp_workers_pause_step(waiting->workers, waiting->may_replace);
    wait_until(waiting->awaited, 1);
    rp_workers_resume_step(waiting->workers, waiting->may_replace);
}

static void
waiting_run(struct rp_task *task)
{
    struct waiting *waiting = (struct waiting *)task;
    const struct rp_stepwise_run run = {
        .step = waiting_step, .readiness = waiting_readiness, .ctx = waiting, .has_waits = true};
    rp_workers_run_steps(waiting->workers, 2, &run);
}

static void *
waiting_thread(void *arg)
{
    waiting_run(arg);
    return NULL;
}

/* A caller that has nothing to do yet leaves alone what may wait for it. */
static void
who_is_waited_for_does_not_help(void)
{
    struct rp_workers *workers = rp_workers_create(2);
    static struct pieces source;
    static struct pieces blocked;
    atomic_uint is_open = 0;
    struct waiting waiting = {
        .workers = workers, .awaited = &is_open, .may_replace = true, .may_sleep = 1};
    pthread_t ids[2];
    REQUIRE(workers);

    atomic_store(&has_no_threads, true);
    pieces_init(&source, workers, 1, NULL);
    pieces_init(&blocked, workers, 1, &source);
    REQUIRE_EQ(pthread_create(&ids[0], NULL, waiting_thread, &waiting), 0);
    wait_until(&waiting.next, 1);
    REQUIRE_EQ(pthread_create(&ids[1], NULL, pieces_thread, &blocked), 0);
    wait_for_sleep();
    REQUIRE_EQ(atomic_load(&waiting.next), 1);
    pieces_step(&source);
    pthread_join(ids[1], NULL);
    atomic_store(&is_open, 1);
    pthread_join(ids[0], NULL);
    pieces_check(&blocked);
    rp_workers_destroy(workers);
    atomic_store(&has_no_threads, false);
}

/* All threads that there may be sleep in steps, and wait for the piece of a blocked caller: it has
 * become ready before that, or does so then. */
static void
a_caller_is_called_when_steps_sleep(bool is_before)
{
    struct rp_workers *workers = rp_workers_create(2);
    static struct pieces source;
    static struct pieces blocked;
    struct pieces_task task = {{.run = pieces_task_run}, &blocked};
    struct waiting waiting = {
        .task = {.run = waiting_run}, .workers = workers, .awaited = &blocked.done_count};
    REQUIRE(workers);

    pieces_init(&source, workers, 1, NULL);
    pieces_init(&blocked, workers, 1, &source);
    blocked.thread_limit = 1;
    rp_workers_submit(workers, &task.base);
    wait_for_sleep();
    rp_workers_submit(workers, &waiting.task);
    wait_until(&waiting.next, 2);
    if (is_before)
        pieces_step(&source);
    atomic_store(&waiting.may_sleep, 1);
    wait_for_sleep();
    if (!is_before)
        pieces_step(&source);
    rp_workers_destroy(workers);
    pieces_check(&blocked);
}

int
main(void)
{
    static const uint32_t thread_counts[] = {1, 2, 3, 8};

    for (uint32_t i = 0; i < sizeof(thread_counts) / sizeof(thread_counts[0]); i++) {
        runs_follow_each_other(thread_counts[i], true);
        runs_follow_each_other(thread_counts[i], false);
    }
    what_is_ready_goes_first();
    a_blocked_caller_is_called();
    a_stranger_pokes(1, false);
    a_stranger_pokes(2, true);
    runs_of_callers_alone_overlap();
    who_leaves_makes_room();
    nobody_sleeps_over_what_is_ready();
    who_is_waited_for_does_not_help();
    a_caller_is_called_when_steps_sleep(false);
    a_caller_is_called_when_steps_sleep(true);
    return 0;
}

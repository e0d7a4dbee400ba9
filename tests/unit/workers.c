/* SPDX-License-Identifier: MIT */
/* The order of tasks: each may wait for those before it, also where one thread is all there is and
 * another thread runs one of them itself.
 */
#include "reelpipe/workers.h"

#include "platform/thread.h"
#include "test.h"
#include "util/compiler.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#define CHAIN 6 /* tasks, each waiting for the one before it */
#define PATIENCE_S 20

struct link {
    struct rp_task task;
    struct chain *chain;
    bool is_done;        /* guarded by the chain's mutex */
    struct link *before; /* NULL: it is the first */
};

struct chain {
    struct rp_workers *workers;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    atomic_uint begun_count;
    struct link links[CHAIN];
};

static void
wait_for(struct link *other)
{
    struct chain *chain = other->chain;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE_S;

    pthread_mutex_lock(&chain->mutex);
    while (!other->is_done)
        REQUIRE_EQ(pthread_cond_timedwait(&chain->changed, &chain->mutex, &until), 0);
    pthread_mutex_unlock(&chain->mutex);
}

static void
link_run(struct rp_task *task)
{
    struct link *link = rp_container_of(task, struct link, task);
    struct chain *chain = link->chain;

    atomic_fetch_add(&chain->begun_count, 1);
    if (link->before)
        wait_for(link->before);
    pthread_mutex_lock(&chain->mutex);
    link->is_done = true;
    pthread_cond_broadcast(&chain->changed);
    pthread_mutex_unlock(&chain->mutex);
}

static void
chain_init(struct chain *chain, uint32_t thread_count)
{
    *chain = (struct chain){.workers = rp_workers_create(thread_count)};
    REQUIRE(chain->workers);
    pthread_mutex_init(&chain->mutex, NULL);
    pthread_cond_init(&chain->changed, NULL);
    for (uint32_t i = 0; i < CHAIN; i++)
        chain->links[i] = (struct link){
            .task.run = link_run, .chain = chain, .before = i ? &chain->links[i - 1] : NULL};
}

static void
chain_finish(struct chain *chain)
{
    rp_workers_destroy(chain->workers); /* waits for them */
    for (uint32_t i = 0; i < CHAIN; i++)
        REQUIRE(chain->links[i].is_done);
    pthread_cond_destroy(&chain->changed);
    pthread_mutex_destroy(&chain->mutex);
}

static void
tasks_start_in_order(uint32_t thread_count)
{
    struct chain chain;
    chain_init(&chain, thread_count);
    for (uint32_t i = 0; i < CHAIN; i++)
        rp_workers_queue(chain.workers, &chain.links[i].task);
    rp_workers_start(chain.workers);
    chain_finish(&chain);
}

/* Nobody is awake, so the order is the test's own. */
static void
only_the_next_task_is_taken(uint32_t thread_count)
{
    struct chain chain;
    chain_init(&chain, thread_count);
    for (uint32_t i = 0; i < 3; i++)
        rp_workers_queue(chain.workers, &chain.links[i].task);

    REQUIRE(!rp_workers_try_take(chain.workers, &chain.links[1].task));
    REQUIRE(rp_workers_try_take(chain.workers, &chain.links[0].task));
    REQUIRE(!rp_workers_try_take(chain.workers, &chain.links[0].task));
    const bool has_room = rp_workers_try_take(chain.workers, &chain.links[1].task);
    REQUIRE_EQ(has_room, thread_count > 1);
    link_run(&chain.links[0].task);
    if (has_room) {
        link_run(&chain.links[1].task);
        rp_workers_leave(chain.workers);
    }
    rp_workers_leave(chain.workers); /* starts the others */
    wait_for(&chain.links[2]);

    for (uint32_t i = 3; i < CHAIN; i++)
        rp_workers_submit(chain.workers, &chain.links[i].task);
    chain_finish(&chain);
}

static atomic_bool has_no_threads;

bool __real_rp_thread_create(pthread_t *id, const char *name, void *(*fn)(void *), void *arg);
bool __wrap_rp_thread_create(pthread_t *id, const char *name, void *(*fn)(void *), void *arg);

bool
__wrap_rp_thread_create(pthread_t *id, const char *name, void *(*fn)(void *), void *arg)
{
    return !atomic_load(&has_no_threads) && __real_rp_thread_create(id, name, fn, arg);
}

static void *
submit(void *arg)
{
    struct link *link = arg;
    rp_workers_submit(link->chain->workers, &link->task);
    return NULL;
}

static void
loop_nothing(void *ctx, uint32_t i, uint32_t thread)
{
    (void)ctx, (void)i, (void)thread;
}

/* It comes while others run tasks in its place, and sleeps until one of them has ended. */
static void
a_late_thread_is_woken(void)
{
    const struct timespec asleep = {.tv_nsec = 50000000};
    pthread_t ids[2];
    struct chain chain;
    chain_init(&chain, 2);

    atomic_store(&has_no_threads, true);
    for (uint32_t i = 0; i < 2; i++)
        REQUIRE_EQ(pthread_create(&ids[i], NULL, submit, &chain.links[1 + i]), 0);
    while (atomic_load(&chain.begun_count) < 2)
        nanosleep(&asleep, NULL);
    rp_workers_submit(chain.workers, &chain.links[3].task);
    atomic_store(&has_no_threads, false);
    rp_workers_run(chain.workers, 2, loop_nothing, NULL);
    nanosleep(&asleep, NULL);
    link_run(&chain.links[0].task);
    wait_for(&chain.links[3]);

    for (uint32_t i = 0; i < 2; i++)
        pthread_join(ids[i], NULL);
    for (uint32_t i = 4; i < CHAIN; i++)
        rp_workers_submit(chain.workers, &chain.links[i].task);
    chain_finish(&chain);
}

struct looping {
    struct rp_task task;
    struct rp_workers *workers;
    atomic_uint run_count;
};

static void
loop_slowly(void *ctx, uint32_t i, uint32_t thread)
{
    const struct timespec some = {.tv_nsec = 5000000};
    (void)i, (void)thread;
    nanosleep(&some, NULL);
    atomic_fetch_add(&((struct looping *)ctx)->run_count, 1);
}

static void
looping_run(struct rp_task *task)
{
    struct looping *looping = rp_container_of(task, struct looping, task);
    rp_workers_run(looping->workers, 4, loop_slowly, looping);
}

/* For the thread sanitizer: threads are made while others are joined. */
static void
queued_loops_end_before_the_pool(void)
{
    struct looping looping[2];
    struct rp_workers *workers = rp_workers_create(4);
    REQUIRE(workers);

    for (uint32_t i = 0; i < 2; i++) {
        looping[i] = (struct looping){.task.run = looping_run, .workers = workers};
        rp_workers_submit(workers, &looping[i].task);
    }
    rp_workers_destroy(workers);
    for (uint32_t i = 0; i < 2; i++)
        REQUIRE_EQ(atomic_load(&looping[i].run_count), 4);
}

/* One may run at a time. */
static void
a_paused_task_makes_room(void)
{
    struct link *last;
    struct chain chain;
    chain_init(&chain, 1);
    last = &chain.links[CHAIN - 1];
    for (struct link *link = chain.links; link < last; link++)
        rp_workers_queue(chain.workers, &link->task);

    REQUIRE(rp_workers_try_take(chain.workers, &chain.links[0].task));
    REQUIRE(!rp_workers_try_take(chain.workers, &chain.links[1].task));
    link_run(&chain.links[0].task);
    rp_workers_pause(chain.workers); /* wakes a thread for the others */
    wait_for(last - 1);
    rp_workers_resume(chain.workers);
    rp_workers_queue(chain.workers, &last->task);
    REQUIRE(!rp_workers_try_take(chain.workers, &last->task));
    rp_workers_leave(chain.workers); /* starts it */
    chain_finish(&chain);
}

struct meeting {
    struct rp_task pausing;
    struct rp_task looping;
    struct rp_task joining;
    struct rp_workers *workers;
    pthread_mutex_t mutex; /* guards present_count */
    pthread_cond_t changed;
    uint32_t present_count; /* of meeting_join() */
};

static void
meeting_wait(struct meeting *meeting, uint32_t present_count)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE_S;

    pthread_mutex_lock(&meeting->mutex);
    while (meeting->present_count < present_count)
        REQUIRE_EQ(pthread_cond_timedwait(&meeting->changed, &meeting->mutex, &until), 0);
    pthread_mutex_unlock(&meeting->mutex);
}

static void
meeting_pause(struct rp_task *task)
{
    struct meeting *meeting = rp_container_of(task, struct meeting, pausing);
    rp_workers_pause(meeting->workers);
    meeting_wait(meeting, 2);
    rp_workers_resume(meeting->workers);
}

static void
meeting_join(struct rp_task *task)
{
    struct meeting *meeting = rp_container_of(task, struct meeting, joining);
    pthread_mutex_lock(&meeting->mutex);
    meeting->present_count++;
    pthread_cond_broadcast(&meeting->changed);
    pthread_mutex_unlock(&meeting->mutex);
}

static void
loop_meet(void *ctx, uint32_t i, uint32_t thread)
{
    struct meeting *meeting = ctx;
    (void)i, (void)thread;
    meeting_join(&meeting->joining);
    meeting_wait(meeting, 2);
}

static void
meeting_loop(struct rp_task *task)
{
    struct meeting *meeting = rp_container_of(task, struct meeting, looping);
    rp_workers_run(meeting->workers, 2, loop_meet, meeting);
}

/* Of two threads one waits: a third one comes for the loop of the other. */
static void
loops_find_help_beside_a_paused_task(void)
{
    struct meeting meeting = {.pausing.run = meeting_pause, .looping.run = meeting_loop};
    meeting.workers = rp_workers_create(2);
    REQUIRE(meeting.workers);
    pthread_mutex_init(&meeting.mutex, NULL);
    pthread_cond_init(&meeting.changed, NULL);

    rp_workers_submit(meeting.workers, &meeting.pausing);
    rp_workers_submit(meeting.workers, &meeting.looping);
    rp_workers_destroy(meeting.workers);
    REQUIRE_EQ(meeting.present_count, 2);
    pthread_cond_destroy(&meeting.changed);
    pthread_mutex_destroy(&meeting.mutex);
}

static void
do_nothing(struct rp_task *task)
{
    (void)task;
}

static void
meeting_loop_late(struct rp_task *task)
{
    const struct timespec some = {.tv_nsec = 50000000};
    nanosleep(&some, NULL);
    meeting_loop(task);
}

/* The thread that has nothing to do while the pool ends stays for the loop of the other. */
static void
loops_find_help_while_the_pool_ends(void)
{
    struct rp_task nothing = {.run = do_nothing};
    struct meeting meeting = {.looping.run = meeting_loop_late};
    meeting.workers = rp_workers_create(2);
    REQUIRE(meeting.workers);
    pthread_mutex_init(&meeting.mutex, NULL);
    pthread_cond_init(&meeting.changed, NULL);

    rp_workers_submit(meeting.workers, &meeting.looping);
    rp_workers_submit(meeting.workers, &nothing);
    rp_workers_destroy(meeting.workers);
    REQUIRE_EQ(meeting.present_count, 2);
    pthread_cond_destroy(&meeting.changed);
    pthread_mutex_destroy(&meeting.mutex);
}

static void
loop_meet_a_task(void *ctx, uint32_t i, uint32_t thread)
{
    struct meeting *meeting = ctx;
    loop_meet(meeting, i, thread);
    if (i == 0)
        rp_workers_submit(meeting->workers, &meeting->joining);
    meeting_wait(meeting, 3);
}

/* The caller of a loop is one of its threads. */
static void
a_loop_leaves_a_thread_for_tasks(void)
{
    struct meeting meeting = {.joining.run = meeting_join};
    meeting.workers = rp_workers_create(2);
    REQUIRE(meeting.workers);
    pthread_mutex_init(&meeting.mutex, NULL);
    pthread_cond_init(&meeting.changed, NULL);

    rp_workers_run(meeting.workers, 2, loop_meet_a_task, &meeting);
    rp_workers_destroy(meeting.workers);
    REQUIRE_EQ(meeting.present_count, 3);
    pthread_cond_destroy(&meeting.changed);
    pthread_mutex_destroy(&meeting.mutex);
}

int
main(void)
{
    for (uint32_t thread_count = 1; thread_count <= 3; thread_count++) {
        tasks_start_in_order(thread_count);
        only_the_next_task_is_taken(thread_count);
    }
    a_paused_task_makes_room();
    loops_find_help_beside_a_paused_task();
    loops_find_help_while_the_pool_ends();
    a_late_thread_is_woken();
    queued_loops_end_before_the_pool();
    a_loop_leaves_a_thread_for_tasks();
    return 0;
}

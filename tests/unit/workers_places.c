/* SPDX-License-Identifier: MIT */
/* Threads of the pool that share a processor, and which of them goes where. Each thread is on the
 * processor that the test says, and time passes as the test says.
 */
#include "platform/clock.h"
#include "platform/thread.h"
#include "reelpipe/workers.h"
#include "test.h"
#include "util/compiler.h"

#include <pthread.h>
#include <stdatomic.h>

#define MEMBERS 3
#define CPUS 8u /* that the process may use */
#define MS UINT64_C(1000000)

enum order {
    ORDER_NONE,
    ORDER_KEEP_APART,
    ORDER_PAUSE,
    ORDER_RESUME,
    ORDER_END,
};

/* A task that keeps a thread of the pool, which does what it is told. */
struct member {
    struct rp_task task;
    struct group *group;
    enum order order;
    uint32_t cpu; /* where it is */
};

struct group {
    struct rp_workers *workers;
    pthread_mutex_t mutex; /* guards the orders */
    pthread_cond_t changed;
    struct member members[MEMBERS];
};

static _Thread_local uint32_t *own_cpu;
static uint32_t move_count; /* one thread at a time does something */
static atomic_ullong passed_ns;

uint32_t __wrap_rp_thread_cpu(void);
uint32_t __wrap_rp_thread_move(bool (*is_wanted)(const void *ctx, uint32_t cpu), const void *ctx);
uint64_t __wrap_rp_clock_now_ns(void);

uint32_t
__wrap_rp_thread_cpu(void)
{
    return own_cpu ? *own_cpu : RP_THREAD_CPU_UNKNOWN;
}

uint32_t
__wrap_rp_thread_move(bool (*is_wanted)(const void *ctx, uint32_t cpu), const void *ctx)
{
    for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
        if (!is_wanted(ctx, cpu))
            continue;
        move_count++;
        *own_cpu = cpu;
        return cpu;
    }
    return RP_THREAD_CPU_UNKNOWN;
}

/* Who spins sees time go by. */
uint64_t
__wrap_rp_clock_now_ns(void)
{
    return MS + atomic_fetch_add(&passed_ns, 100);
}

static void
member_obey(struct member *member, enum order order)
{
    struct rp_workers *workers = member->group->workers;

    if (order == ORDER_KEEP_APART)
        rp_workers_keep_apart(workers);
    else if (order == ORDER_PAUSE)
        rp_workers_pause(workers);
    else if (order == ORDER_RESUME)
        rp_workers_resume(workers);
}

static void
member_run(struct rp_task *task)
{
    struct member *member = rp_container_of(task, struct member, task);
    struct group *group = member->group;
    enum order order;

    own_cpu = &member->cpu;
    pthread_mutex_lock(&group->mutex);
    do {
        while (member->order == ORDER_NONE)
            pthread_cond_wait(&group->changed, &group->mutex);
        order = member->order;
        member_obey(member, order);
        member->order = ORDER_NONE;
        pthread_cond_broadcast(&group->changed);
    } while (order != ORDER_END);
    pthread_mutex_unlock(&group->mutex);
    own_cpu = NULL;
}

static void
tell(struct group *group, uint32_t i, enum order order)
{
    pthread_mutex_lock(&group->mutex);
    group->members[i].order = order;
    pthread_cond_broadcast(&group->changed);
    while (group->members[i].order != ORDER_NONE)
        pthread_cond_wait(&group->changed, &group->mutex);
    pthread_mutex_unlock(&group->mutex);
}

/* Where the member is after it has looked. */
static uint32_t
cpu_of(struct group *group, uint32_t i)
{
    tell(group, i, ORDER_KEEP_APART);
    return group->members[i].cpu;
}

static void
group_init(struct group *group)
{
    *group = (struct group){.workers = rp_workers_create(MEMBERS)};
    REQUIRE(group->workers);
    move_count = 0;
    pthread_mutex_init(&group->mutex, NULL);
    pthread_cond_init(&group->changed, NULL);
    for (uint32_t i = 0; i < MEMBERS; i++) {
        group->members[i] = (struct member){.task.run = member_run, .group = group};
        rp_workers_submit(group->workers, &group->members[i].task);
    }
}

static void
group_finish(struct group *group)
{
    for (uint32_t i = 0; i < MEMBERS; i++)
        tell(group, i, ORDER_END);
    rp_workers_destroy(group->workers);
    pthread_cond_destroy(&group->changed);
    pthread_mutex_destroy(&group->mutex);
}

/* Two that take turns on processor 0 while a third one is on 1: one goes to 2, the other stays. */
static void
who_shares_a_processor_goes_to_a_free_one(void)
{
    struct group group;

    group_init(&group);
    group.members[2].cpu = 1;
    REQUIRE_EQ(cpu_of(&group, 2), 1u);
    REQUIRE_EQ(cpu_of(&group, 0), 0u);
    REQUIRE_EQ(cpu_of(&group, 1), 0u);
    REQUIRE_EQ(cpu_of(&group, 0), 2u);
    REQUIRE_EQ(cpu_of(&group, 1), 0u);
    REQUIRE_EQ(cpu_of(&group, 0), 2u);
    REQUIRE_EQ(cpu_of(&group, 2), 1u);
    REQUIRE_EQ(move_count, 1u);
    group_finish(&group);
}

/* Member 1 comes where member 0 was before it went on, or slept, or a while ago. */
static void
who_comes_after_another_has_left_stays(void)
{
    struct group group;

    group_init(&group);
    REQUIRE_EQ(cpu_of(&group, 0), 0u);
    group.members[0].cpu = 3; /* by the system */
    REQUIRE_EQ(cpu_of(&group, 0), 3u);
    REQUIRE_EQ(cpu_of(&group, 1), 0u);
    REQUIRE_EQ(cpu_of(&group, 1), 0u);

    tell(&group, 0, ORDER_PAUSE);
    group.members[1].cpu = 3;
    REQUIRE_EQ(cpu_of(&group, 1), 3u);
    tell(&group, 0, ORDER_RESUME);
    REQUIRE_EQ(cpu_of(&group, 0), 3u); /* it has slept, and cannot know */
    REQUIRE_EQ(move_count, 0u);

    group.members[2].cpu = 5;
    REQUIRE_EQ(cpu_of(&group, 2), 5u);
    group.members[1].cpu = 5;
    REQUIRE_EQ(cpu_of(&group, 1), 5u);
    atomic_fetch_add(&passed_ns, 20 * MS);
    REQUIRE_EQ(cpu_of(&group, 2), 5u);
    REQUIRE_EQ(move_count, 0u);
    group_finish(&group);
}

static void
a_free_processor_is_one_that_was_left(void)
{
    struct group group;

    group_init(&group);
    for (uint32_t i = 0; i < MEMBERS; i++)
        group.members[i].cpu = i;
    REQUIRE_EQ(cpu_of(&group, 0), 0u);
    REQUIRE_EQ(cpu_of(&group, 1), 1u);
    REQUIRE_EQ(cpu_of(&group, 2), 2u);
    tell(&group, 0, ORDER_PAUSE);
    group.members[1].cpu = 2;
    REQUIRE_EQ(cpu_of(&group, 1), 2u);
    REQUIRE_EQ(cpu_of(&group, 2), 0u);
    tell(&group, 0, ORDER_RESUME);

    atomic_fetch_add(&passed_ns, MS);
    REQUIRE_EQ(cpu_of(&group, 2), 0u);
    group.members[2].cpu = 3; /* by the system, and 1 is left, too */
    REQUIRE_EQ(cpu_of(&group, 2), 3u);
    REQUIRE_EQ(cpu_of(&group, 1), 2u);
    group.members[1].cpu = 3;
    REQUIRE_EQ(cpu_of(&group, 1), 3u);
    REQUIRE_EQ(cpu_of(&group, 2), 0u);
    group_finish(&group);
}

static void
threads_move_seldom(void)
{
    struct group group;

    group_init(&group);
    REQUIRE_EQ(cpu_of(&group, 0), 0u);
    REQUIRE_EQ(cpu_of(&group, 1), 0u);
    REQUIRE_EQ(cpu_of(&group, 0), 1u); /* 0 is the other's still */
    group.members[2].cpu = 1;
    REQUIRE_EQ(cpu_of(&group, 2), 1u);
    REQUIRE_EQ(cpu_of(&group, 0), 1u); /* too early */
    REQUIRE_EQ(cpu_of(&group, 2), 1u);
    atomic_fetch_add(&passed_ns, MS);
    REQUIRE_EQ(cpu_of(&group, 0), 2u);
    REQUIRE_EQ(move_count, 2u);
    group_finish(&group);
}

/* The test's own thread is not the pool's: it stays, and the member goes. */
static void
other_threads_stay(void)
{
    struct group group;
    uint32_t cpu = 0;

    group_init(&group);
    own_cpu = &cpu;
    REQUIRE_EQ(cpu_of(&group, 0), 0u);
    rp_workers_keep_apart(group.workers);
    tell(&group, 1, ORDER_KEEP_APART); /* came between them */
    rp_workers_keep_apart(group.workers);
    REQUIRE_EQ(cpu, 0u);
    REQUIRE_EQ(cpu_of(&group, 0), 1u);
    REQUIRE_EQ(move_count, 1u);
    own_cpu = NULL;
    group_finish(&group);
}

/* A system that does not say where threads are. */
static void
nobody_moves_without_a_place(void)
{
    struct rp_workers *workers = rp_workers_create(MEMBERS);

    REQUIRE(workers);
    move_count = 0;
    rp_workers_keep_apart(workers);
    rp_workers_keep_apart(workers);
    REQUIRE_EQ(move_count, 0u);
    rp_workers_destroy(workers);
}

int
main(void)
{
    who_shares_a_processor_goes_to_a_free_one();
    who_comes_after_another_has_left_stays();
    a_free_processor_is_one_that_was_left();
    threads_move_seldom();
    other_threads_stay();
    nobody_moves_without_a_place();
    return 0;
}

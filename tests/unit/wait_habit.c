/* SPDX-License-Identifier: MIT */
/* When a queue relies on its application waiting at once: after some such waits in a row, and no
 * longer than that goes on. How soon a thread comes to wait is up to the scheduler, so a habit may
 * take more rounds to be seen; nothing else here depends on time.
 */
#include "object/wait_habit.h"

#include "test.h"

#include <pthread.h>

#define MANY_ROUNDS 100000
#define A_FRAME_NS UINT64_C(16000000)

struct queue {
    struct rp_wait_habit habit;
    struct rp_wait_mark mark;
    uint64_t value; /* of the last submission */
};

static void
queue_init(struct queue *q)
{
    *q = (struct queue){.value = 0};
    rp_wait_habit_init(&q->habit);
}

/* True: it may run inside vkQueueSubmit. */
static bool
submit(struct queue *q, bool is_alone, uint64_t work_ns)
{
    const bool is_inside = rp_wait_habit_begin(&q->habit, is_alone);
    rp_wait_habit_mark(&q->habit, &q->mark, ++q->value);
    rp_wait_habit_end(&q->habit, work_ns);
    return is_inside;
}

/* For the payload, or until the queue is idle. */
static void
await(struct queue *q, bool is_for_idle)
{
    rp_wait_habit_awaited(is_for_idle ? rp_wait_habit_find_last(&q->habit)
                                      : rp_wait_habit_find(&q->mark, q->value));
}

/* Ends with a submission that may run inside, and its wait. */
static void
acquire(struct queue *q, bool is_for_idle)
{
    int rounds = 0;
    bool is_inside = false;
    while (!is_inside) {
        REQUIRE(rounds++ < MANY_ROUNDS);
        is_inside = submit(q, true, 0);
        await(q, is_for_idle);
    }
    REQUIRE(rounds > 4); /* not at first sight */
}

static void
waits_at_once_become_a_habit(void)
{
    struct queue q;
    for (int is_for_idle = 0; is_for_idle < 2; is_for_idle++) {
        queue_init(&q);
        acquire(&q, is_for_idle);
    }
}

/* Of two submissions under way the older one is waited for. */
static void
two_under_way_are_none(void)
{
    struct queue q;
    queue_init(&q);
    acquire(&q, false);
    for (int i = 0; i < 1000; i++) {
        const bool is_inside = submit(&q, true, 0);
        REQUIRE(!is_inside || i == 0);
        REQUIRE(!rp_wait_habit_find(&q.mark, q.value - 1));
    }
}

static void
who_does_not_wait_has_none(void)
{
    struct queue q;
    queue_init(&q);
    acquire(&q, true);
    (void)submit(&q, true, 0);
    REQUIRE(!submit(&q, true, 0));
}

static void
a_queue_with_other_work_runs_it_itself(void)
{
    struct queue q;
    queue_init(&q);
    acquire(&q, true);
    REQUIRE(!submit(&q, false, 0));
}

static void
long_work_is_left_to_the_queue(void)
{
    struct queue q;
    queue_init(&q);
    acquire(&q, true);
    (void)submit(&q, true, A_FRAME_NS);
    await(&q, true);
    REQUIRE(!submit(&q, true, 0));
}

static void *
find_from_another_thread(void *arg)
{
    struct queue *q = arg;
    REQUIRE(!rp_wait_habit_find(&q->mark, q->value));
    REQUIRE(!rp_wait_habit_find_last(&q->habit));
    REQUIRE(!submit(q, true, 0));
    return NULL;
}

static void
another_thread_has_a_habit_of_its_own(void)
{
    struct queue q;
    pthread_t thread;
    queue_init(&q);
    acquire(&q, false);
    (void)submit(&q, true, 0);
    REQUIRE_EQ(pthread_create(&thread, NULL, find_from_another_thread, &q), 0);
    pthread_join(thread, NULL);
}

int
main(void)
{
    RUN(waits_at_once_become_a_habit);
    RUN(two_under_way_are_none);
    RUN(who_does_not_wait_has_none);
    RUN(a_queue_with_other_work_runs_it_itself);
    RUN(long_work_is_left_to_the_queue);
    RUN(another_thread_has_a_habit_of_its_own);
    return 0;
}

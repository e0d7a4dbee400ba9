/* SPDX-License-Identifier: MIT */
/* A submission is predicted to be waited for at once after some such waits in a row, for as long as
 * that goes on. How soon a thread comes to wait is up to the scheduler, so a prediction may take
 * more rounds than it should; nothing else here depends on time.
 */
#include "object/inline_submit_predictor.h"

#include "test.h"

#include <pthread.h>
#include <time.h>

#define MANY_ROUNDS 100000
#define TOO_LONG_NS UINT64_C(40000000)

struct queue {
    struct rp_inline_predictor predictor;
    struct rp_inline_predictor_mark mark;
    uint64_t value; /* of the last submission */
};

static void
queue_init(struct queue *q)
{
    *q = (struct queue){.value = 0};
    rp_inline_predictor_init(&q->predictor);
}

/* True: it may run inside vkQueueSubmit. */
static bool
submit(struct queue *q, bool is_alone, uint64_t work_ns)
{
    const bool is_inside = rp_inline_predictor_begin(&q->predictor, is_alone);
    rp_inline_predictor_mark(&q->predictor, &q->mark, ++q->value);
    rp_inline_predictor_end(&q->predictor, work_ns);
    return is_inside;
}

/* For the payload, or until the queue is idle. */
static void
await(struct queue *q, bool is_for_idle)
{
    rp_inline_predictor_note_wait(is_for_idle ? rp_inline_predictor_find_last(&q->predictor)
                                              : rp_inline_predictor_find(&q->mark, q->value));
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
waits_at_once_come_to_be_predicted(void)
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
        REQUIRE(!rp_inline_predictor_find(&q.mark, q.value - 1));
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
    (void)submit(&q, true, TOO_LONG_NS);
    await(&q, true);
    REQUIRE(!submit(&q, true, 0));
}

/* Rounds with a pause between submission and wait; true when one of them may run inside. */
static bool
is_predicted(uint64_t work_ns, long pause_ns, int rounds)
{
    struct queue q;
    bool is_inside = false;
    queue_init(&q);
    for (int i = 0; i < rounds && !is_inside; i++) {
        is_inside = submit(&q, true, work_ns);
        nanosleep(&(struct timespec){.tv_nsec = pause_ns}, NULL);
        await(&q, false);
    }
    return is_inside;
}

/* Beside long work a thread may do something before it waits, as long as that is little. */
static void
a_pause_is_measured_by_the_work(void)
{
    REQUIRE(is_predicted(30000000, 100000, MANY_ROUNDS));
    REQUIRE(!is_predicted(3000000, 100000, 100));
    REQUIRE(!is_predicted(30000000, 1000000, 100));
}

static void *
find_from_another_thread(void *arg)
{
    struct queue *q = arg;
    REQUIRE(!rp_inline_predictor_find(&q->mark, q->value));
    REQUIRE(!rp_inline_predictor_find_last(&q->predictor));
    REQUIRE(!submit(q, true, 0));
    return NULL;
}

static void
another_thread_is_predicted_by_itself(void)
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
    RUN(waits_at_once_come_to_be_predicted);
    RUN(two_under_way_are_none);
    RUN(who_does_not_wait_has_none);
    RUN(a_queue_with_other_work_runs_it_itself);
    RUN(long_work_is_left_to_the_queue);
    RUN(a_pause_is_measured_by_the_work);
    RUN(another_thread_is_predicted_by_itself);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* A number that threads wait on.
 */
#include "platform/progress.h"
#include "test.h"

#include <pthread.h>

#define ROUNDS 2000u

static void
a_number_that_is_another_one_is_not_waited_for(void)
{
    struct rp_progress progress = {0};

    rp_progress_set(&progress, 7);
    REQUIRE_EQ(rp_progress_get(&progress), 7u);
    REQUIRE_EQ(rp_progress_wait(&progress, 6, 0), 7u);
    REQUIRE_EQ(atomic_load(&progress.sleeper_count), 0u);
}

static void
an_exchange_takes_place_from_the_expected_number_alone(void)
{
    struct rp_progress progress = {0};

    REQUIRE(!rp_progress_exchange(&progress, 1, 2));
    REQUIRE_EQ(rp_progress_get(&progress), 0u);
    REQUIRE(rp_progress_exchange(&progress, 0, 2));
    REQUIRE_EQ(rp_progress_get(&progress), 2u);
}

/* Threads pass the number on, each when it is its turn. */
struct ring {
    struct rp_progress progress;
    uint32_t spin_ns;
};

struct member {
    struct ring *ring;
    uint32_t index;
    pthread_t thread;
};

static void *
member_run(void *arg)
{
    const struct member *member = arg;
    struct rp_progress *progress = &member->ring->progress;

    for (uint32_t turn = member->index; turn < 3 * ROUNDS; turn += 3) {
        uint32_t seen = rp_progress_get(progress);
        while (seen != turn)
            seen = rp_progress_wait(progress, seen, member->ring->spin_ns);
        if (turn % 2)
            rp_progress_set(progress, turn + 1);
        else if (!rp_progress_exchange(progress, turn, turn + 1))
            break;
    }
    return NULL;
}

static void
nobody_is_left_asleep(void)
{
    for (uint32_t spin_ns = 0; spin_ns <= 2000; spin_ns += 2000) {
        struct ring ring = {.spin_ns = spin_ns};
        struct member members[3];
        for (uint32_t i = 0; i < 3; i++) {
            members[i] = (struct member){.ring = &ring, .index = i};
            REQUIRE(pthread_create(&members[i].thread, NULL, member_run, &members[i]) == 0);
        }
        for (uint32_t i = 0; i < 3; i++)
            pthread_join(members[i].thread, NULL);
        REQUIRE_EQ(rp_progress_get(&ring.progress), 3 * ROUNDS);
    }
}

int
main(void)
{
    RUN(a_number_that_is_another_one_is_not_waited_for);
    RUN(an_exchange_takes_place_from_the_expected_number_alone);
    RUN(nobody_is_left_asleep);
    return 0;
}

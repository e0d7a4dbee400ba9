/* SPDX-License-Identifier: MIT */
/* Pictures of VP9 are decoded in the order in which they were submitted, whatever the threads do.
 */
#include "test.h"

#include "video/vp9/order.h"

#include <pthread.h>

#define PICTURES 6

static struct session {
    pthread_mutex_t mutex;
    struct rp_vp9_order order;
    uint64_t decoded[PICTURES];
    uint32_t decoded_count;
} session = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static void
decode(uint64_t sequence)
{
    pthread_mutex_lock(&session.mutex);
    rp_vp9_order_enter(&session.order, &session.mutex, sequence);
    session.decoded[session.decoded_count++] = sequence;
    rp_vp9_order_leave(&session.order, sequence);
    pthread_mutex_unlock(&session.mutex);
}

static void *
decode_in_thread(void *sequence)
{
    decode(*(const uint64_t *)sequence);
    return NULL;
}

/* The last one first; the first one when all others have had time to come. */
static void
threads_take_turns(void)
{
    static const uint64_t sequences[PICTURES] = {1, 2, 3, 4, 5, 6};
    pthread_t threads[PICTURES];
    session.decoded_count = 0;
    for (uint32_t i = 0; i < PICTURES; i++)
        rp_vp9_order_expect(&session.order, sequences[i]);
    for (uint32_t i = PICTURES; i-- > 0;)
        REQUIRE_EQ(
            pthread_create(&threads[i], NULL, decode_in_thread, (void *)(uintptr_t)&sequences[i]),
            0);
    for (uint32_t i = 0; i < PICTURES; i++)
        REQUIRE_EQ(pthread_join(threads[i], NULL), 0);
    for (uint32_t i = 0; i < PICTURES; i++)
        REQUIRE_EQ(session.decoded[i], sequences[i]);
}

/* Two in one submission, then one that is given up. */
static void
nobody_waits_for_what_is_given_up(void)
{
    session.decoded_count = 0;
    rp_vp9_order_expect(&session.order, 10);
    rp_vp9_order_expect(&session.order, 10);
    rp_vp9_order_expect(&session.order, 11);
    rp_vp9_order_expect(&session.order, 12);
    decode(10);
    decode(10);
    pthread_mutex_lock(&session.mutex);
    rp_vp9_order_leave(&session.order, 11);
    pthread_mutex_unlock(&session.mutex);
    decode(12);
    REQUIRE_EQ(session.decoded_count, 3);
}

/* More than are remembered: those that are not do not count. */
static void
many_pictures_may_be_expected(void)
{
    session.decoded_count = 0;
    for (uint64_t i = 0; i < 3 * RP_VP9_EXPECTED_PICTURES; i++)
        rp_vp9_order_expect(&session.order, 100 + i);
    for (uint64_t i = 0; i < 3 * RP_VP9_EXPECTED_PICTURES; i++) {
        session.decoded_count = 0;
        decode(100 + i);
    }
    REQUIRE_EQ(session.decoded[0], 100 + 3 * RP_VP9_EXPECTED_PICTURES - 1);
}

/* What never comes is waited for once. */
static void
patience_ends(void)
{
    session.decoded_count = 0;
    rp_vp9_order_expect(&session.order, 1000);
    rp_vp9_order_expect(&session.order, 1001);
    rp_vp9_order_expect(&session.order, 1002);
    decode(1001);
    decode(1002);
    REQUIRE_EQ(session.decoded_count, 2);
}

int
main(void)
{
    rp_vp9_order_init(&session.order);
    threads_take_turns();
    nobody_waits_for_what_is_given_up();
    many_pictures_may_be_expected();
    patience_ends();
    rp_vp9_order_finish(&session.order);
    return 0;
}

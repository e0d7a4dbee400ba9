/* SPDX-License-Identifier: MIT */
/* Who is asked when something is announced: of those that wait for one payload only those for the
 * payload that was signalled, or all when the device is lost.
 */
#include "object/sync.h"

#include "object/device.h"
#include "platform/clock.h"
#include "test.h"
#include "util/compiler.h"

#include <pthread.h>
#include <stdatomic.h>

#define WAITERS 64u

struct waiter {
    struct rp_device *dev;
    struct rp_sync *sync;
    bool waits_for_anything;
    atomic_uint asked_count;
    VkResult result;
    pthread_t thread;
};

struct crowd {
    struct rp_device dev;
    struct waiter waiters[WAITERS];
};

static bool
waiter_is_met(const void *ctx)
{
    struct waiter *w = (struct waiter *)ctx;
    atomic_fetch_add(&w->asked_count, 1);
    return rp_sync_value(w->sync) != 0;
}

static void *
waiter_run(void *arg)
{
    struct waiter *w = arg;
    w->result = rp_sync_wait_for(w->dev, w->waits_for_anything ? NULL : w->sync, waiter_is_met, w,
                                 false, RP_WAIT_FOREVER);
    return NULL;
}

static uint32_t
waiting_count(struct rp_sync_hub *hub)
{
    uint32_t count = atomic_load(&hub->any.waiter_count);
    for (uint32_t i = 0; i < RP_SYNC_BUCKETS; i++)
        count += atomic_load(&hub->buckets[i].waiter_count);
    return count;
}

/* Each waits for a payload of its own. */
static struct crowd *
crowd_start(uint32_t first_for_anything)
{
    struct crowd *c = calloc(1, sizeof(*c));
    REQUIRE(c && rp_sync_hub_init(&c->dev.hub));
    for (uint32_t i = 0; i < WAITERS; i++) {
        struct waiter *w = &c->waiters[i];
        w->dev = &c->dev;
        w->sync = rp_sync_create(0);
        w->waits_for_anything = i >= first_for_anything;
        REQUIRE(w->sync);
        REQUIRE_EQ(pthread_create(&w->thread, NULL, waiter_run, w), 0);
    }
    /* Counted before it looks for the last time, with the mutex held until it sleeps. */
    while (waiting_count(&c->dev.hub) < WAITERS)
        rp_clock_sleep(100000);
    rp_sync_announce_everything(&c->dev);
    for (uint32_t i = 0; i < WAITERS; i++)
        atomic_store(&c->waiters[i].asked_count, 0);
    return c;
}

static uint32_t
crowd_asked(struct crowd *c)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < WAITERS; i++)
        count += atomic_exchange(&c->waiters[i].asked_count, 0) > 0;
    return count;
}

static void
crowd_end(struct crowd *c, VkResult expected)
{
    for (uint32_t i = 0; i < WAITERS; i++) {
        pthread_join(c->waiters[i].thread, NULL);
        REQUIRE_EQ(c->waiters[i].result, expected);
        rp_sync_unref(c->waiters[i].sync);
    }
    rp_sync_hub_finish(&c->dev.hub);
    free(c);
}

static void
a_signal_asks_few_of_those_that_wait_for_others(void)
{
    struct crowd *c = crowd_start(WAITERS);
    uint32_t asked_count = 0;

    rp_sync_announce(&c->dev);
    REQUIRE_EQ(crowd_asked(c), 0);
    for (uint32_t i = 0; i < WAITERS; i++) {
        rp_sync_signal(&c->dev, c->waiters[i].sync, 1);
        asked_count += crowd_asked(c);
    }
    REQUIRE(asked_count < WAITERS * WAITERS / 4);
    crowd_end(c, VK_SUCCESS);
}

static void
those_that_wait_for_anything_are_always_asked(void)
{
    struct crowd *c = crowd_start(WAITERS / 2);

    rp_sync_announce(&c->dev);
    REQUIRE_EQ(crowd_asked(c), WAITERS / 2);
    for (uint32_t i = 0; i < WAITERS; i++)
        rp_sync_signal(&c->dev, c->waiters[i].sync, 1);
    crowd_end(c, VK_SUCCESS);
}

static void
a_lost_device_ends_all_waits(void)
{
    struct crowd *c = crowd_start(WAITERS / 2);

    atomic_store(&c->dev.is_lost, true);
    rp_sync_announce_everything(&c->dev);
    crowd_end(c, VK_ERROR_DEVICE_LOST);
}

int
main(void)
{
    RUN(a_signal_asks_few_of_those_that_wait_for_others);
    RUN(those_that_wait_for_anything_are_always_asked);
    RUN(a_lost_device_ends_all_waits);
    return 0;
}

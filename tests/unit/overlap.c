/* SPDX-License-Identifier: MIT */
/* Which pictures may begin before what they wait for is signalled, and when they may signal.
 */
#include "queue/overlap.h"

#include "queue/submission.h"
#include "test.h"

#define SESSION 5
#define VALUE 3

/* One wait and one signal, both on sync. */
static struct rp_submission *
submission_make(struct rp_sync *sync, uint32_t session, uint64_t wait, uint64_t signal,
                bool is_timeline)
{
    struct rp_submission *sub = rp_submission_create(1, 0, 1);
    REQUIRE(sub);
    sub->encode_session = session;
    sub->waits[sub->wait_count++] =
        (struct rp_submission_sync){rp_sync_ref(sync), wait, is_timeline};
    sub->signals[sub->signal_count++] =
        (struct rp_submission_sync){rp_sync_ref(sync), signal, is_timeline};
    return sub;
}

static bool
may_begin(struct rp_sync *sync, uint32_t session, uint64_t wait, bool is_timeline)
{
    struct rp_submission *sub = submission_make(sync, session, wait, wait + 1, is_timeline);
    const bool may = rp_submission_may_begin(sub);
    REQUIRE(!rp_submission_is_ready(sub));
    rp_submission_destroy(sub);
    return may;
}

static void
pre_signal(struct rp_sync *sync, uint32_t session, uint64_t value, bool is_timeline)
{
    struct rp_submission *sub = submission_make(sync, session, 0, value, is_timeline);
    rp_submission_pre_signal(sub);
    rp_submission_destroy(sub);
}

static void
pictures_of_the_session_begin_with_a_pre_signal(void)
{
    struct rp_sync *sync = rp_sync_create(0);
    REQUIRE(sync);
    REQUIRE(!may_begin(sync, SESSION, VALUE, true));
    pre_signal(sync, SESSION, VALUE, true);
    REQUIRE(may_begin(sync, SESSION, VALUE, true));
    REQUIRE(may_begin(sync, SESSION, VALUE - 1, true));
    REQUIRE(!may_begin(sync, SESSION, VALUE + 1, true));
    REQUIRE(!may_begin(sync, SESSION + 1, VALUE, true));
    REQUIRE(!may_begin(sync, 0, VALUE, true)); /* other work than pictures */
    rp_sync_unref(sync);
}

static void
only_timelines_and_pictures_pre_signal(void)
{
    struct rp_sync *sync = rp_sync_create(0);
    REQUIRE(sync);
    pre_signal(sync, 0, VALUE, true);
    REQUIRE(!may_begin(sync, SESSION, VALUE, true));
    pre_signal(sync, SESSION, 1, false);
    REQUIRE(!may_begin(sync, SESSION, 1, false));
    pre_signal(sync, SESSION, UINT64_MAX, true);
    REQUIRE(!may_begin(sync, SESSION, 1, true));
    REQUIRE(!may_begin(sync, SESSION, UINT64_MAX, true));
    rp_sync_unref(sync);
}

static void
an_overlapped_one_signals_after_its_waits(void)
{
    struct rp_sync *sync = rp_sync_create(0);
    REQUIRE(sync);
    struct rp_submission *sub = submission_make(sync, SESSION, VALUE, VALUE + 1, true);
    pre_signal(sync, SESSION, VALUE, true);
    sub->is_overlapped = true;
    REQUIRE(!rp_submission_may_signal(sub));
    rp_sync_raise(sync, VALUE - 1);
    REQUIRE(!rp_submission_may_signal(sub));
    rp_sync_raise(sync, VALUE);
    REQUIRE(rp_submission_may_signal(sub));
    rp_submission_destroy(sub);
    rp_sync_unref(sync);
}

int
main(void)
{
    RUN(pictures_of_the_session_begin_with_a_pre_signal);
    RUN(only_timelines_and_pictures_pre_signal);
    RUN(an_overlapped_one_signals_after_its_waits);
    return 0;
}

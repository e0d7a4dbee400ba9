/* SPDX-License-Identifier: MIT */
/* Which submissions are deferred for a reference that has not come, and what is merged into them.
 */
#include "quirks/ffmpeg_reorder.h"

#include "test.h"

#define SESSION 7
#define OTHER_SESSION 8

/* Picture n is in image 100 + n. */
static struct rp_decode_identity
identity(uint32_t n)
{
    return (struct rp_decode_identity){
        .key.image_id = 100 + n,
        .fields = RP_DECODE_TOP | RP_DECODE_BOTTOM,
        .frame_num = n,
        .poc = {(int32_t)(2 * n), (int32_t)(2 * n)},
    };
}

/* Submission n + 1 decodes picture n; ref < 0: it refers to none. */
static struct rp_quirk_submission
submit(struct rp_reorder *reorder, uint64_t session_id, uint32_t n, int ref)
{
    struct rp_quirk_submission sub = {.id = n + 1, .is_decode = true};
    struct rp_quirk_decode decode = {.session_id = session_id, .picture = identity(n)};
    if (ref >= 0)
        decode.refs[decode.ref_count++] = identity((uint32_t)ref);
    rp_reorder_submit(reorder, &sub, &decode);
    return sub;
}

static void
what_comes_in_order_is_left_alone(void)
{
    struct rp_reorder reorder = {0};
    for (int n = 0; n < 10; n++) {
        const struct rp_quirk_submission sub = submit(&reorder, SESSION, (uint32_t)n, n - 1);
        REQUIRE_EQ(sub.missing_count, 0);
        REQUIRE_EQ(sub.merge_into_id, 0);
    }
    REQUIRE_EQ(rp_reorder_take_complete(&reorder), 0);
    rp_reorder_finish(&reorder);
}

/* 0, 2 (needs 1), 1. */
static void
a_late_reference_is_merged_into_who_waits_for_it(void)
{
    struct rp_reorder reorder = {0};
    (void)submit(&reorder, SESSION, 0, -1);
    struct rp_quirk_submission sub = submit(&reorder, SESSION, 2, 1);
    REQUIRE_EQ(sub.missing_count, 1);
    REQUIRE(rp_reorder_note_deferred(&reorder, &sub));
    REQUIRE_EQ(rp_reorder_take_complete(&reorder), 0);

    sub = submit(&reorder, OTHER_SESSION, 1, -1); /* the same picture, of another stream */
    REQUIRE_EQ(sub.merge_into_id, 0);
    sub = submit(&reorder, SESSION, 1, 0);
    REQUIRE_EQ(sub.missing_count, 0);
    REQUIRE_EQ(sub.merge_into_id, 3);
    REQUIRE_EQ(sub.merge_before_id, 0);
    REQUIRE(rp_reorder_note_merged(&reorder, &sub));
    REQUIRE_EQ(rp_reorder_take_complete(&reorder), 3);
    REQUIRE_EQ(rp_reorder_take_complete(&reorder), 0);
    rp_reorder_finish(&reorder);
}

/* 0, 3 (needs 2), 2 (needs 1), 1: picture 1 goes before 2, which goes before 3. */
static void
a_merged_one_may_miss_a_reference_itself(void)
{
    struct rp_reorder reorder = {0};
    (void)submit(&reorder, SESSION, 0, -1);
    struct rp_quirk_submission sub = submit(&reorder, SESSION, 3, 2);
    REQUIRE(rp_reorder_note_deferred(&reorder, &sub));
    sub = submit(&reorder, SESSION, 2, 1);
    REQUIRE_EQ(sub.merge_into_id, 4);
    REQUIRE_EQ(sub.missing_count, 1);
    REQUIRE(rp_reorder_note_merged(&reorder, &sub));
    REQUIRE_EQ(rp_reorder_take_complete(&reorder), 0);
    sub = submit(&reorder, SESSION, 1, 0);
    REQUIRE_EQ(sub.merge_into_id, 4);
    REQUIRE_EQ(sub.merge_before_id, 3);
    REQUIRE(rp_reorder_note_merged(&reorder, &sub));
    REQUIRE_EQ(rp_reorder_take_complete(&reorder), 4);
    rp_reorder_finish(&reorder);
}

/* A reference that never comes is taken for submitted when the time is over; a session in which
 * that happens again and again is left alone. */
static void
a_lost_reference_is_given_up(void)
{
    struct rp_reorder reorder = {0};
    struct rp_quirk_submission sub = submit(&reorder, SESSION, 1, 0);
    REQUIRE(rp_reorder_note_deferred(&reorder, &sub));
    rp_reorder_forget(&reorder, sub.id, true);
    sub = submit(&reorder, SESSION, 2, 0);
    REQUIRE_EQ(sub.missing_count, 0);
    for (uint32_t n = 10; n < 14; n += 2) {
        sub = submit(&reorder, SESSION, n + 1, (int)n);
        REQUIRE_EQ(sub.missing_count, 1);
        REQUIRE(rp_reorder_note_deferred(&reorder, &sub));
        rp_reorder_forget(&reorder, sub.id, true);
    }
    sub = submit(&reorder, SESSION, 21, 20);
    REQUIRE_EQ(sub.missing_count, 0);
    sub = submit(&reorder, OTHER_SESSION, 21, 20);
    REQUIRE_EQ(sub.missing_count, 1);
    rp_reorder_finish(&reorder);
}

/* The application destroys a session while a submission of it is deferred: the device was lost. */
static void
a_session_may_go_first(void)
{
    struct rp_reorder reorder = {0};
    const struct rp_quirk_submission sub = submit(&reorder, SESSION, 1, 0);
    REQUIRE(rp_reorder_note_deferred(&reorder, &sub));
    rp_reorder_forget_session(&reorder, SESSION);
    rp_reorder_forget_session(&reorder, SESSION);
    rp_reorder_forget(&reorder, sub.id, true);
    rp_reorder_forget(&reorder, sub.id, true);
    REQUIRE_EQ(rp_reorder_take_complete(&reorder), 0);
    rp_reorder_finish(&reorder);
}

int
main(void)
{
    RUN(what_comes_in_order_is_left_alone);
    RUN(a_late_reference_is_merged_into_who_waits_for_it);
    RUN(a_merged_one_may_miss_a_reference_itself);
    RUN(a_lost_reference_is_given_up);
    RUN(a_session_may_go_first);
    return 0;
}

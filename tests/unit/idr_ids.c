/* SPDX-License-Identifier: MIT */
/* IDR pictures next to each other in the order of their submissions never share an id.
 */
#include "video/h264/idr_ids.h"

#include "test.h"

#define PICTURES 2000u

static uint32_t
add(struct rp_idr_ids *ids, uint64_t sequence, bool is_idr, uint32_t wanted)
{
    const uint32_t id = is_idr ? rp_idr_ids_choose(ids, sequence, wanted) : 0;
    rp_idr_ids_add(ids, &(struct rp_idr_entry){sequence, is_idr, id});
    return id;
}

static void
what_differs_is_left_as_it_is(void)
{
    struct rp_idr_ids ids = {.count = 0};
    for (uint32_t i = 0; i < 200; i++)
        REQUIRE_EQ(add(&ids, i, true, (i + 65500) & 0xffff), (i + 65500) & 0xffff);
    for (uint32_t i = 200; i < 400; i++)
        REQUIRE_EQ(add(&ids, i, i % 2, 7), i % 2 ? 7 : 0); /* other pictures between them */
}

static void
pictures_of_one_submission_come_in_their_order(void)
{
    struct rp_idr_ids ids = {.count = 0};
    uint32_t last = add(&ids, 5, true, 65535);
    for (uint32_t i = 0; i < 100; i++) {
        const uint32_t id = add(&ids, 5, true, 65535);
        REQUIRE(id != last && id <= 65535);
        last = id;
    }
}

/* As FFmpeg has it: the same id always, and each picture on another queue. */
static void
any_order_of_beginning_will_do(void)
{
    static uint32_t chosen[PICTURES];
    struct rp_idr_ids ids = {.count = 0};
    uint32_t order[PICTURES];
    uint32_t state = 1;
    for (uint32_t i = 0; i < PICTURES; i++)
        order[i] = i;
    for (uint32_t i = 0; i + 8 < PICTURES; i++) {
        state = state * 1664525u + 1013904223u;
        const uint32_t j = i + (state >> 16) % 4;
        const uint32_t sequence = order[i];
        order[i] = order[j];
        order[j] = sequence;
    }
    for (uint32_t i = 0; i < PICTURES; i++)
        chosen[order[i]] = add(&ids, order[i], order[i] % 7 != 3, 0);
    for (uint32_t i = 1; i < PICTURES; i++)
        REQUIRE(i % 7 == 3 || i % 7 == 4 || chosen[i] != chosen[i - 1]);
}

int
main(void)
{
    RUN(what_differs_is_left_as_it_is);
    RUN(pictures_of_one_submission_come_in_their_order);
    RUN(any_order_of_beginning_will_do);
    return 0;
}

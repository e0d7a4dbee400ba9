/* SPDX-License-Identifier: MIT */
/* Who holds an address: against looking at all ranges, in number and in who they are.
 */
#include "test.h"

#include "capture/spans.h"

#define MOST 300u
#define SEARCHES 500u

struct ranges {
    uint32_t count;
    uintptr_t begin[MOST];
    uintptr_t size[MOST];
    uint32_t seen[MOST];
    uint32_t seen_count;
    uintptr_t last_begin; /* of what was seen */
    uint32_t wanted;      /* ends the search when that many were seen */
};

static uint32_t
random_below(uint64_t *state, uint32_t limit)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*state >> 33) % limit);
}

static bool
see(void *ctx, const struct rp_span *span)
{
    struct ranges *r = ctx;
    const uint32_t index = (uint32_t)((uintptr_t *)span->owner - r->begin);
    REQUIRE(r->begin[index] == span->begin && span->begin <= r->last_begin);
    r->last_begin = span->begin;
    r->seen[index]++;
    return ++r->seen_count == r->wanted;
}

static void
search_and_compare(struct ranges *r, const struct rp_spans *spans, uintptr_t begin, uintptr_t end)
{
    uint32_t expected = 0;
    memset(r->seen, 0, sizeof(r->seen));
    r->seen_count = r->wanted = 0;
    r->last_begin = UINTPTR_MAX;
    REQUIRE(!rp_spans_find(spans, begin, end, see, r));
    for (uint32_t i = 0; i < r->count; i++) {
        const bool holds = r->begin[i] <= begin && end <= r->begin[i] + r->size[i];
        REQUIRE_EQ(r->seen[i], holds);
        expected += holds;
    }
    REQUIRE_EQ(r->seen_count, expected);

    r->seen_count = 0;
    r->wanted = 1;
    r->last_begin = UINTPTR_MAX;
    uintptr_t *owner = rp_spans_find(spans, begin, end, see, r);
    REQUIRE(!owner == !expected && r->seen_count == (expected ? 1 : 0));
    REQUIRE(!owner || *owner == r->last_begin);
}

static void
every_range_that_holds_the_bytes_is_found(void)
{
    uint64_t state = 1;
    for (uint32_t round = 0; round < 40; round++) {
        struct ranges r = {.count = round < 5 ? round : random_below(&state, MOST)};
        struct rp_spans spans = {0};
        const uint32_t longest = 1 + random_below(&state, round % 2 ? 30 : 2000);
        for (uint32_t i = 0; i < r.count; i++) {
            r.begin[i] = 1000 + random_below(&state, 1000);
            r.size[i] = random_below(&state, longest);
            REQUIRE(rp_spans_add(&spans, r.begin[i], r.size[i], &r.begin[i]));
        }
        rp_spans_sort(&spans);
        for (uint32_t i = 0; i < SEARCHES; i++) {
            const uintptr_t begin = 990 + random_below(&state, 2000);
            search_and_compare(&r, &spans, begin, begin + random_below(&state, 40));
        }
        rp_spans_finish(&spans);
    }
}

static bool
count_visit(void *ctx, const struct rp_span *span)
{
    (void)span;
    ++*(uint32_t *)ctx;
    return false;
}

/* Beside each other, and in one that holds them all. */
static void
a_search_among_many_looks_at_those_that_hold_the_bytes(void)
{
    enum { COUNT = 100000 };
    struct rp_spans spans = {0};
    REQUIRE(rp_spans_add(&spans, 0, COUNT * 16, NULL));
    for (uintptr_t i = 0; i < COUNT; i++)
        REQUIRE(rp_spans_add(&spans, i * 16, 16, NULL));
    rp_spans_sort(&spans);
    for (uintptr_t i = 0; i < COUNT; i++) {
        uint32_t count = 0;
        REQUIRE(!rp_spans_find(&spans, i * 16 + 4, i * 16 + 8, count_visit, &count));
        REQUIRE_EQ(count, 2);
    }
    rp_spans_finish(&spans);
}

int
main(void)
{
    RUN(every_range_that_holds_the_bytes_is_found);
    RUN(a_search_among_many_looks_at_those_that_hold_the_bytes);
    return 0;
}

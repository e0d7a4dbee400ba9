/* SPDX-License-Identifier: MIT */
/* Places of lanes that lie side by side with a break, twice the same, interleaved, close together
 * in any order, at the ends of the buffer and beyond: each lane reads its word, and of those that
 * write one the last one stays. Behind the buffers is a page that nobody may touch.
 */
#include "harness.h"
#include "platform/pages.h"

#define GROUPS 61u
#define COUNT (GROUPS * 64u)
#define ROOM 1003u

static uint32_t places[COUNT], c[COUNT], expected[ROOM];
static uint32_t *f, *d; /* of `room` words */
static uint32_t room;   /* of any remainder by a vector's words */

static uint32_t
next_random(uint32_t limit)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16) % limit;
}

/* 16 lanes among 32 words and a few more, each behind the one before or in any order. */
static void
fill_near(uint32_t *block, bool is_rising)
{
    const uint32_t line = next_random(4) ? next_random(room / 16 + 1) : room / 16 - 1;
    const uint32_t first = line * 16 + (next_random(4) ? 0 : next_random(16));
    uint32_t steps = next_random(4) ? 17 : 24;
    uint32_t at = first;
    for (uint32_t i = 0; i < 16; i++) {
        const uint32_t step = next_random(3) < steps / 8 ? next_random(steps < 4 ? steps : 4) : 0;
        block[i] = is_rising ? at : first + next_random(33);
        at += 1 + step;
        steps -= step;
    }
}

/* 16 lanes: `first` and `second` are where a run of all of them would begin. */
static void
fill_block(uint32_t *block, uint32_t kind)
{
    const uint32_t reach = kind < 4 ? 20 : 6; /* interleaved ones meet in one vector */
    const uint32_t first = next_random(room + 20) - 10, gap = next_random(2 * reach) - reach;
    const uint32_t second = kind % 2 ? first + gap : next_random(room + 20) - 10;
    const uint32_t at = next_random(17), bits = next_random(65536);
    for (uint32_t i = 0; i < 16; i++) {
        const bool is_first = kind < 4 ? i < at : kind < 6 ? i % 2 == 0 : bits >> i & 1;
        block[i] = (is_first ? first : second) + i;
        if (kind == 7)
            block[i] = next_random(room + 4);
    }
}

static void
fill_any(uint32_t *block, uint32_t kind)
{
    if (kind < 8)
        fill_block(block, kind);
    else
        fill_near(block, kind == 8);
}

/* Whole pages before one that is not there. */
static uint8_t *
pages_end(void)
{
    const uint64_t page_B = rp_page_B(), size_B = rp_pages_B(ROOM * sizeof(uint32_t));
    uint8_t *pages = rp_pages_map(size_B + page_B, false);
    REQUIRE(pages && rp_pages_reserve(pages + size_B, page_B));
    return pages + size_B;
}

/* Of each 256 invocations about `limit` write. */
static bool
writes(uint32_t i, uint32_t limit)
{
    return i * 2654435769u >> 24 < limit;
}

static void
run(uint32_t cpu_flags, uint32_t limit)
{
    const uint32_t size_B = room * sizeof(uint32_t);
    const struct grid grid = {GROUPS, 1, 1, {limit}};
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)places, .size_B = sizeof(places)},
        {.ptr = (uint8_t *)f, .size_B = size_B},
        {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
        {.ptr = (uint8_t *)d, .size_B = size_B},
    };
    struct rp_kernel *kernel = kernel_load("runs", cpu_flags);

    memset(c, 0xff, sizeof(c));
    memset(d, 0, size_B);
    memset(expected, 0, sizeof(expected));
    kernel_run(kernel, buffers, &grid);
    for (uint32_t i = 0; i < COUNT; i++) {
        REQUIRE_EQ(c[i], places[i] < room ? f[places[i]] : 0);
        if (places[i] < room && writes(i, limit))
            expected[places[i]] = i + 1;
    }
    REQUIRE_BYTES(d, expected, size_B);
    rp_kernel_destroy(kernel);
}

int
main(void)
{
    static const uint32_t limits[] = {256, 200, 60};
    uint8_t *const f_end = pages_end(), *const d_end = pages_end();
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        for (uint32_t round = 0; round < 60; round++) {
            /* Often a word less than whole vectors. */
            room = ROOM - (next_random(2) ? ROOM % 16 + 1 : next_random(48));
            if (round % 4 == 3) /* what fits into registers, or does not quite */
                room = 1 + next_random(80);
            f = (uint32_t *)(f_end - room * sizeof(*f));
            d = (uint32_t *)(d_end - room * sizeof(*d));
            for (uint32_t i = 0; i < room; i++)
                f[i] = next_random(UINT32_MAX) | 1;
            for (uint32_t b = 0; b < COUNT / 16; b++)
                fill_any(places + b * 16, next_random(10));
            run(isa_flags[isa], limits[round % 3]);
        }
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* Places of lanes that lie side by side with a break, twice the same, interleaved, close together
 * in any order, at the ends of the buffer and beyond: each lane reads its word, and of those that
 * write one the last one stays.
 */
#include "harness.h"

#define GROUPS 61u
#define COUNT (GROUPS * 64u)
#define ROOM 1003u

static uint32_t places[COUNT], f[ROOM], c[COUNT], d[ROOM];

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
    const uint32_t first = next_random(ROOM / 16 + 1) * 16 + (next_random(4) ? 0 : next_random(16));
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
    const uint32_t first = next_random(ROOM + 20) - 10, gap = next_random(40) - 20;
    const uint32_t second = kind % 2 ? first + gap : next_random(ROOM + 20) - 10;
    const uint32_t at = next_random(17), bits = next_random(65536);
    for (uint32_t i = 0; i < 16; i++) {
        const bool is_first = kind < 4 ? i < at : kind < 6 ? i % 2 == 0 : bits >> i & 1;
        block[i] = (is_first ? first : second) + i;
        if (kind == 7)
            block[i] = next_random(ROOM + 4);
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

static void
run(uint32_t cpu_flags, uint32_t limit)
{
    const struct grid grid = {GROUPS, 1, 1, {limit}};
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)places, .size_B = sizeof(places)},
        {.ptr = (uint8_t *)f, .size_B = sizeof(f)},
        {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
        {.ptr = (uint8_t *)d, .size_B = sizeof(d)},
    };
    uint32_t expected[ROOM] = {0};
    struct rp_kernel *kernel = kernel_load("runs", cpu_flags);

    memset(c, 0xff, sizeof(c));
    memset(d, 0, sizeof(d));
    kernel_run(kernel, buffers, &grid);
    for (uint32_t i = 0; i < COUNT; i++) {
        REQUIRE_EQ(c[i], places[i] < ROOM ? f[places[i]] : 0);
        if (places[i] < ROOM && i % 97 < limit)
            expected[places[i]] = i + 1;
    }
    REQUIRE_BYTES(d, expected, sizeof(expected));
    rp_kernel_destroy(kernel);
}

int
main(void)
{
    for (uint32_t i = 0; i < ROOM; i++)
        f[i] = next_random(UINT32_MAX) | 1;
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        for (uint32_t round = 0; round < 20; round++) {
            for (uint32_t b = 0; b < COUNT / 16; b++)
                fill_any(places + b * 16, next_random(10));
            run(isa_flags[isa], round % 2 ? 97 : 60);
        }
    return 0;
}

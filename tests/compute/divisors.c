/* SPDX-License-Identifier: MIT */
/* Divisions by constants, which become products: of every kind of dividend by many divisors, and
 * the upper halves of products.
 */
#include "harness.h"

#include <stdio.h>

#define COUNT 4096u
#define GROUP 64u
#define RESULTS 14u
#define ROOM 16u /* results of an invocation, and unused words */
#define RANDOM_DIVISORS 60u

static uint32_t a[COUNT], b[ROOM * COUNT];

static const uint32_t fixed[] = {
    1,          2,          3,          4,          5,          6,          7,
    9,          10,         11,         12,         14,         25,         28,
    48,         60,         100,        125,        255,        256,        257,
    641,        1000,       1920,       65535,      65536,      65537,      998244353,
    0x55555555, 0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0xaaaaaaab, 0xfffffffe,
    0xffffffff, 0xfffffffd, 0xfffffffc, 0xfffffff9, 0xffff0000, 0xc0000000, 0xfffffc18,
};

#define FIXED (sizeof(fixed) / sizeof(fixed[0]))

static uint32_t
divisor_at(uint32_t k, uint64_t *state)
{
    if (k < FIXED)
        return fixed[k];
    const uint32_t r = (uint32_t)test_random(state) >> test_random(state) % 31;
    return r ? r : 7;
}

/* Multiples of the divisor and their neighbours, edges, and any number. */
static void
fill(uint32_t divisor, uint64_t *state)
{
    static const uint32_t edges[] = {0, 1, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff};
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t r = (uint32_t)test_random(state), size = r >> (r & 31);
        const uint32_t near = size * divisor + (uint32_t)test_random(state) % 3 - 1;
        const uint32_t edge = edges[r % 6] + (r >> 8) % 3 - 1;
        a[i] = i % 4 == 0 ? r : i % 4 == 1 ? edge : i % 4 == 2 ? near : 0 - near;
    }
}

static int32_t
modulo(int64_t x, int64_t y)
{
    const int64_t r = x % y;
    return (int32_t)(r && (r ^ y) < 0 ? r + y : r);
}

static void
expect(uint32_t i, uint32_t d, uint32_t out[RESULTS])
{
    const uint32_t x = a[i], other = a[i ^ 1u], small = x >> 9;
    const int64_t s = (int32_t)x, positive = x >> 1, divisor = (int32_t)d;
    const uint32_t all[RESULTS] = {
        x / d,
        x % d,
        (uint32_t)(s / divisor),
        (uint32_t)modulo(s, divisor),
        (uint32_t)(s % divisor),
        small / d,
        small % d,
        (uint32_t)(positive / divisor),
        (uint32_t)modulo(positive, divisor),
        (uint32_t)(positive % divisor),
        (uint32_t)((uint64_t)x * other >> 32),
        (uint32_t)((uint64_t)(s * (int32_t)other) >> 32),
        (uint32_t)((uint64_t)x * d >> 32),
        (uint32_t)((uint64_t)(s * divisor) >> 32),
    };
    memcpy(out, all, sizeof(all));
}

static void
divisions_are_exact(uint32_t isa, uint32_t divisor)
{
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)a, .size_B = sizeof(a)}, {.ptr = (uint8_t *)b, .size_B = sizeof(b)}};
    const VkSpecializationMapEntry entry = {0, 0, sizeof(divisor)};
    const VkSpecializationInfo constants = {1, &entry, sizeof(divisor), &divisor};
    const struct grid grid = {.x = COUNT / GROUP, .y = 1, .thread_count = 1};
    struct rp_kernel *kernel = kernel_load_specialized("divisors", isa_flags[isa], &constants);
    kernel_run(kernel, buffers, &grid);
    rp_kernel_destroy(kernel);
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t expected[RESULTS];
        expect(i, divisor, expected);
        for (uint32_t k = 0; k < RESULTS; k++) {
            const uint32_t got = b[i / GROUP * GROUP * ROOM + k * GROUP + i % GROUP];
            if (got != expected[k])
                fprintf(stderr, "result %u of %#x by %#x: %#x, not %#x\n", k, a[i], divisor, got,
                        expected[k]);
            REQUIRE_EQ(got, expected[k]);
        }
    }
}

int
main(void)
{
    uint64_t state = 29;
    for (uint32_t k = 0; k < FIXED + RANDOM_DIVISORS; k++) {
        const uint32_t divisor = divisor_at(k, &state);
        fill(divisor, &state);
        for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
            divisions_are_exact(isa, divisor);
    }
    return 0;
}

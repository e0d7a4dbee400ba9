/* SPDX-License-Identifier: MIT */
/* Arithmetic of 64 bits where one operand is the same for all invocations, rotations, and words
 * that are combined with what they are shifted to. */
#include "harness.h"

#include <math.h>

#define LANES 192u
#define RESULTS 24u

static uint64_t a[LANES], b[RESULTS * LANES];

static uint64_t
bits_of_double(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof(bits));
    return bits;
}

static uint64_t
turned(uint64_t x, uint32_t by)
{
    return x << by | x >> (64 - by);
}

static void
expect(uint64_t x, uint64_t other, uint32_t shift, uint64_t *r)
{
    const double d = (double)((int64_t)x >> 20), e = (double)((int64_t)other >> 20);
    const uint64_t wanted[RESULTS] = {
        x + 0x9e3779b97f4a7c15u,
        x - other,
        other - x,
        x * 0xbf58476d1ce4e5b9u,
        x & other,
        other | x,
        x ^ 0x0123456789abcdefu,
        x << shift,
        x >> 35,
        (uint64_t)((int64_t)x >> shift),
        other << (x & 63),
        other >> (x & 63),
        turned(x, 31),
        turned(x, 1) + turned(x ^ 5, 63),
        x ^ x >> 30,
        x ^ x << 13,
        x << 29 | x >> 32,
        turned(x, 20),
        bits_of_double(d + e),
        bits_of_double(d - 3.0),
        bits_of_double(3.0 - d),
        bits_of_double(d * e),
        bits_of_double(d / e),
        bits_of_double(e / d) + bits_of_double(sqrt(fabs(d))),
    };
    memcpy(r, wanted, sizeof(wanted));
}

static void
shared_operands_give_the_same_bits(uint32_t isa)
{
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)a, .size_B = sizeof(a)},
        {.ptr = (uint8_t *)b, .size_B = sizeof(b)},
    };
    const uint64_t other = 0xfedcba9876543210u;
    struct grid grid = {LANES / 64, 1, 1, {17, 0, (uint32_t)other, (uint32_t)(other >> 32)}};
    struct rp_kernel *kernel = kernel_load("longs", isa_flags[isa]);
    memset(b, 0, sizeof(b));
    kernel_run(kernel, buffers, &grid);
    for (uint32_t i = 0; i < LANES; i++) {
        uint64_t wanted[RESULTS];
        expect(a[i], other, 17, wanted);
        for (uint32_t r = 0; r < RESULTS; r++)
            REQUIRE_EQ(b[RESULTS * i + r], wanted[r]);
    }
    rp_kernel_destroy(kernel);
}

static void
shifts_are_one_operation(void)
{
    static char text[65536];
    struct rp_kernel *kernel = kernel_load("longs", isa_flags[0]);
    REQUIRE(rp_kernel_print(kernel, text, sizeof(text)) <= sizeof(text));
    REQUIRE_EQ(text_count(text, "ROTL64"), 4);
    REQUIRE_EQ(text_count(text, "XSHR64"), 1);
    REQUIRE_EQ(text_count(text, "XSHL64"), 1);
    REQUIRE_EQ(text_count(text, "= OR64"), 2); /* with another operand, and of no rotation */
    REQUIRE_EQ(text_count(text, ":lv = SPLAT"), 0);
    rp_kernel_destroy(kernel);
}

static void
late_longs_are_in_their_places(uint32_t isa)
{
    struct rp_kernel *kernel = kernel_load("longs_late", isa_flags[isa]);
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)a, .size_B = 8 * LANES}, {.ptr = (uint8_t *)b, .size_B = 8 * LANES}};
    for (uint32_t i = 0; i < LANES; i++) {
        a[i] = i * 0x9e3779b97f4a7c15u;
        b[i] = i;
    }
    kernel_run(kernel, buffers, &(struct grid){LANES / 64, 1, 1, {0}});
    for (uint32_t i = 0; i < LANES; i++)
        REQUIRE_EQ(b[i], i < 40 ? i : a[i] * 3 + i);
    rp_kernel_destroy(kernel);
}

int
main(void)
{
    uint64_t state = 1;
    for (uint32_t i = 0; i < LANES; i++)
        a[i] = state = state * 6364136223846793005u + 1442695040888963407u;
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        shared_operands_give_the_same_bits(isa);
    shifts_are_one_operation();
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        late_longs_are_in_their_places(isa);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* min, max and clamp of any two floats, and their floor, ceil and trunc, give the same bits on each
 * instruction set: those that are defined here.
 */
#include "harness.h"

#include <math.h>

#define SPECIAL_COUNT 32u
#define COUNT (SPECIAL_COUNT * SPECIAL_COUNT)

/* Zeros, denormals, halves, large ones, infinities, quiet and signalling NaNs, of both signs. */
static const uint32_t specials[SPECIAL_COUNT / 2] = {
    0x00000000, 0x00000001, 0x007fffff, 0x00800000, 0x3effffff, 0x3f000000, 0x3f7fffff, 0x3f800000,
    0x3fc00000, 0x4b7fffff, 0x4f000000, 0x7f7fffff, 0x7f800000, 0x7fc00000, 0x7fc12345, 0x7f812345,
};

static uint32_t a[COUNT], b[8 * COUNT], c[COUNT];

static bool
is_nan(uint32_t bits)
{
    return (bits & 0x7fffffff) > 0x7f800000;
}

/* When one is NaN: the other; of zeros the negative one is less. */
static uint32_t
lesser(uint32_t x, uint32_t y)
{
    if (is_nan(x) || is_nan(y))
        return is_nan(y) ? x : y;
    if (float_of(x) == float_of(y))
        return x | y;
    return float_of(x) < float_of(y) ? x : y;
}

static uint32_t
greater(uint32_t x, uint32_t y)
{
    if (is_nan(x) || is_nan(y))
        return is_nan(y) ? x : y;
    if (float_of(x) == float_of(y))
        return x & y;
    return float_of(x) > float_of(y) ? x : y;
}

static void
require_whole(uint32_t x, uint32_t whole, float expected)
{
    if (is_nan(x))
        REQUIRE(is_nan(whole));
    else
        REQUIRE_EQ(whole, bits_of(expected));
}

static void
check(uint32_t i)
{
    const uint32_t *r = b + 8 * i;
    REQUIRE_EQ(r[0], lesser(a[i], c[i]));
    REQUIRE_EQ(r[1], greater(a[i], c[i]));
    REQUIRE_EQ(r[2], lesser(greater(a[i], c[i]), c[i ^ 1]));
    require_whole(a[i], r[3], floorf(float_of(a[i])));
    require_whole(a[i], r[4], ceilf(float_of(a[i])));
    require_whole(a[i], r[5], truncf(float_of(a[i])));
    REQUIRE_EQ(r[6], lesser(a[i], 0));
    REQUIRE_EQ(r[7], greater(a[i], 0x80000000));
}

int
main(void)
{
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)a, .size_B = sizeof(a)},
        {.ptr = (uint8_t *)b, .size_B = sizeof(b)},
        {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
    };
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t x = i / SPECIAL_COUNT, y = i % SPECIAL_COUNT;
        a[i] = specials[x / 2] | x % 2 << 31;
        c[i] = specials[y / 2] | y % 2 << 31;
    }
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++) {
        struct rp_kernel *kernel = kernel_load("extremes", isa_flags[isa]);
        kernel_run(kernel, buffers, &(struct grid){COUNT / 64, 1, 1, {0}});
        for (uint32_t i = 0; i < COUNT; i++)
            check(i);
        rp_kernel_destroy(kernel);
    }
    return 0;
}

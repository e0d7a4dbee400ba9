/* SPDX-License-Identifier: MIT */
/* Where results become zero and infinite: steps of ldexp, sinh and cosh. */
#include "harness.h"

#include <limits.h>
#include <math.h>

#define ROWS 64u

static struct row {
    float x;
    int32_t power;
} rows[ROWS] = {
    {0x1.a30bdcp127f, -12675885},
    {-0x1.f1abcap126f, -7045},
    {0x1.fffffep127f, -278},
    {0x1p127f, -276},
    {0x1p-149f, 276},
    {0x1p-149f, 277},
    {1, INT_MIN},
    {-1, INT_MAX},
    {0, INT_MAX},
    {0x1.65a84ep6f, 0}, /* e^x is infinite, half of it would not be */
    {-0x1.65a84ep6f, 1},
    {88.75f, -1},
    {88.7f, 2},
    {-88.7f, 3},
    {1000, 4},
    {2, 5},
};

static void
require_near(float result, float expected)
{
    if (isinf(expected))
        REQUIRE(result == expected);
    else
        REQUIRE(fabsf(result - expected) <= fabsf(expected) * 1e-4f);
}

static void
check(uint32_t flags)
{
    uint32_t a[2 * ROWS], b[3 * ROWS] = {0};
    for (uint32_t i = 0; i < ROWS; i++)
        memcpy(&a[2 * i], &rows[i], sizeof(rows[i]));
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)a, .size_B = sizeof(a)}, {.ptr = (uint8_t *)b, .size_B = sizeof(b)}};
    const struct grid grid = {.x = ROWS / 16, .y = 1, .thread_count = 1};
    struct rp_kernel *kernel = kernel_load("ends", flags);
    kernel_run(kernel, buffers, &grid);
    for (uint32_t i = 0; i < ROWS; i++) {
        const float x = rows[i].x, scaled = ldexpf(x, rows[i].power);
        const bool overflows = isinf(expf(fabsf(x)));
        REQUIRE_EQ(b[3 * i], bits_of(scaled));
        require_near(float_of(b[3 * i + 1]), overflows ? copysignf(INFINITY, x) : sinhf(x));
        require_near(float_of(b[3 * i + 2]), overflows ? INFINITY : coshf(x));
    }
    rp_kernel_destroy(kernel);
}

int
main(void)
{
    uint64_t state = 1;
    for (uint32_t i = 16; i < ROWS; i++) { /* denormal results, which are rounded once */
        const float one = 1.0f + (float)(test_random(&state) % 0x800000) * 0x1p-23f;
        rows[i].x = ldexpf(one, -110 - (int32_t)(test_random(&state) % 30));
        rows[i].power = -126 - ilogbf(rows[i].x) - (int32_t)(test_random(&state) % 24);
    }
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        check(isa_flags[isa]);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* Sums of products in floats, words and 16-bit integers, whole and cut off by the buffers' ends.
 */
#include "harness.h"

#define GROUPS 21u
#define COUNT (GROUPS * 64u - 9u)
#define ROOM (GROUPS * 64u + 16u)
#define HALVES 4096u /* where the kernel writes 16-bit sums */

static uint32_t a[ROOM], c[4 * ROOM];
static float f[ROOM];
static int16_t h[HALVES + ROOM];
static uint32_t size; /* elements of a and f that are bound; the rest reads as zero */

static float
float_sum(uint32_t i)
{
    static const float weight[5] = {0.5f, -1.25f, 3.0f, 0.1f, 7.5f};
    float sum = 0.0f;
    for (uint32_t k = 0; k < 5; k++)
        sum += weight[k] * (i + k < size ? f[i + k] : 0.0f);
    return sum;
}

static float
product(uint32_t i)
{
    float sum = 1.0f;
    for (uint32_t k = 0; k < 16; k++)
        sum += float_sum(i / 16 * 16 + k) * f[16 * (k / 4) + 4 * (k % 4) + i % 16];
    return sum;
}

static void
require_float(uint32_t bits, float expected)
{
    REQUIRE_EQ(bits, bits_of(expected));
}

static void
check(uint32_t i)
{
    uint32_t words = i * 7;
    int16_t halves = 0;
    for (uint32_t k = 0; k < 9; k++)
        words += (i + k < size ? a[i + k] : 0) * (3 * k + 2);
    for (uint32_t k = 0; k < 6; k++)
        halves = (int16_t)(halves + h[i + k] * (int)(k + 1));
    require_float(c[4 * i], float_sum(i));
    REQUIRE_EQ(c[4 * i + 1], words);
    REQUIRE_EQ(h[HALVES + i], halves);
    require_float(c[4 * i + 3], product(i));
}

static void
run(uint32_t isa)
{
    const struct grid grid = {GROUPS, 1, 2, {COUNT}};
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)a, .size_B = size * sizeof(a[0])},
        {.ptr = (uint8_t *)f, .size_B = size * sizeof(f[0])},
        {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
        {.ptr = (uint8_t *)h, .size_B = sizeof(h)},
    };
    struct rp_kernel *kernel = kernel_load("mac", isa_flags[isa]);
    memset(c, 0, sizeof(c));
    memset(h + HALVES, 0, ROOM * sizeof(h[0]));
    kernel_run(kernel, buffers, &grid);
    for (uint32_t i = 0; i < COUNT; i++)
        check(i);
    REQUIRE_EQ(c[4 * COUNT], 0);
    rp_kernel_destroy(kernel);
}

int
main(void)
{
    static const uint32_t sizes[] = {ROOM, COUNT, 1001};

    for (uint32_t i = 0; i < ROOM; i++) {
        a[i] = i * 2654435761u;
        f[i] = (float)(int)(a[i] >> 16) * 0.001f - 30.0f;
        h[i] = (int16_t)(a[i] >> 13);
    }
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++) {
        for (uint32_t s = 0; s < 3; s++) {
            size = sizes[s];
            run(isa);
        }
    }
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* Lanes leave loops by comparisons of any numbers, NaN among them, in workgroups of few lanes and
 * of so many that masks are looked at block by block or eight blocks at a time.
 */
#include "harness.h"

#include <math.h>

#define LANES 1024u

static float a[3 * LANES];
static uint32_t c[LANES];

/* As in kernels/exits.comp. */
static uint32_t
count(uint32_t i)
{
    const float most = a[i + LANES];
    uint32_t n = 0, m = 0, k = 0;

    float x = a[i];
    while (x < most) {
        x += 1.0f;
        if (++n > 40)
            break;
    }
    x = a[i + 2 * LANES];
    for (;;) {
        if (!(x >= most))
            break;
        x -= 0.75f;
        if (++m > 50)
            break;
    }
    for (uint32_t round = 0; round < (i & 3) + 2; round++) {
        x = a[(i + 31 * round) % LANES];
        while (!(x > most)) {
            x += 0.5f;
            if (++k > 60)
                break;
        }
        if (!(x < 8.0f))
            break;
    }
    return n | m << 8 | k << 16;
}

static float
any_number(uint64_t *seed)
{
    static const float special[] = {NAN, INFINITY, -INFINITY, -0.0f};
    const uint32_t bits = (uint32_t)test_random(seed) >> 8;
    return bits % 8 == 0 ? special[bits / 8 % 4] : (float)(bits % 4097) / 128.0f - 16.0f;
}

static void
lanes_leave_where_a_comparison_does_not_hold(uint32_t isa, uint32_t width, uint64_t *seed)
{
    static const VkSpecializationMapEntry entry = {0, 0, 4};
    const VkSpecializationInfo size = {1, &entry, sizeof(width), &width};
    const struct grid grid = {.x = LANES / width, .y = 1, .thread_count = 1};
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        [0] = {.ptr = (uint8_t *)a, .size_B = sizeof(a)},
        [2] = {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
    };
    struct rp_kernel *kernel = kernel_load_specialized("exits", isa_flags[isa], &size);

    for (uint32_t i = 0; i < 3 * LANES; i++)
        a[i] = any_number(seed);
    memset(c, 0, sizeof(c));
    kernel_run(kernel, buffers, &grid);
    for (uint32_t i = 0; i < LANES / width * width; i++)
        REQUIRE_EQ(c[i], count(i));
    rp_kernel_destroy(kernel);
}

int
main(void)
{
    static const uint32_t widths[] = {1, 16, 33, 64, 100, 128, 200, 256, 512, 1024};
    uint64_t seed = 1;
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        for (uint32_t w = 0; w < sizeof(widths) / sizeof(widths[0]); w++)
            lanes_leave_where_a_comparison_does_not_hold(isa, widths[w], &seed);
    return 0;
}

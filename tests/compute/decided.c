/* SPDX-License-Identifier: MIT */
/* Comparisons are decided by ranges only where every lane agrees. */
#include "harness.h"

static void
check(uint32_t flags)
{
    uint32_t b[16] = {0};
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        [1] = {.ptr = (uint8_t *)b, .size_B = sizeof(b)}};
    const struct grid grid = {.x = 1, .y = 1, .thread_count = 1};
    struct rp_kernel *kernel = kernel_load("decided", flags);
    kernel_run(kernel, buffers, &grid);
    for (uint32_t i = 0; i < 16; i++) {
        const uint32_t at_end = 4 + (i & 8);
        const bool is_less[4] = {((i + 1) << 3) < 68, at_end % 12 < 2, i >> 1 < 7, at_end / 4 < 3};
        uint32_t bits = 0;
        for (uint32_t k = 0; k < 4; k++)
            bits |= is_less[k] ? (15 - k) << (4 * k) : 0;
        REQUIRE_EQ(b[i], bits);
    }
    rp_kernel_destroy(kernel);
}

int
main(void)
{
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        check(isa_flags[isa]);
    return 0;
}

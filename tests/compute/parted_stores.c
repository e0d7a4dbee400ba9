/* SPDX-License-Identifier: MIT */
/* Words side by side of which some lanes store the second: the first is stored by all.
 */
#include "harness.h"

#define COUNT 128u

static uint32_t in[COUNT], out[8 * COUNT], expected[8 * COUNT];

static void
expect(uint32_t mask)
{
    memset(expected, 0xee, sizeof(expected));
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t x = in[i];
        uint32_t *at = expected + 8 * (x & 127);
        expected[8 * i] = x;
        if (x & 128)
            expected[8 * i + 1] = x + 1;
        at[2] = x + 2;
        if (mask & 1)
            at[3] = x + 3;
        at[5] = x + 5;
        if (x & 256)
            at[4] = x + 4;
    }
}

int
main(void)
{
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)in, .size_B = sizeof(in)},
        {.ptr = (uint8_t *)out, .size_B = sizeof(out)},
    };
    uint64_t state = 1;
    for (uint32_t i = 0; i < COUNT; i++) /* each in a place of its own */
        in[i] = (uint32_t)(test_random(&state) << 7) | (i * 5 + 3) % COUNT;
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++) {
        struct rp_kernel *kernel = kernel_load("parted_stores", isa_flags[isa]);
        for (uint32_t mask = 0; mask < 2; mask++) {
            const struct grid grid = {COUNT / 64, 1, 1, {mask}};
            memset(out, 0xee, sizeof(out));
            expect(mask);
            kernel_run(kernel, buffers, &grid);
            REQUIRE_BYTES(out, expected, sizeof(out));
        }
        rp_kernel_destroy(kernel);
    }
    return 0;
}

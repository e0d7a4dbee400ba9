/* SPDX-License-Identifier: MIT */
/* Values that are chosen between two ways, inside of one of which a block is left with another.
 */
#include "harness.h"

#define COUNT 128u

static uint32_t in[COUNT], out[4 * COUNT];

static uint32_t
chosen(uint32_t x, uint32_t way)
{
    return way & 1 ? (way & 2 ? x + 5 : x * 3) : x ^ 9;
}

static uint32_t
left(uint32_t x, uint32_t way)
{
    return way & 1 ? (way & 2 ? x + 7 : x * 5) : x ^ 17;
}

int
main(void)
{
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)in, .size_B = sizeof(in)},
        {.ptr = (uint8_t *)out, .size_B = sizeof(out)},
    };
    uint64_t state = 1;
    for (uint32_t i = 0; i < COUNT; i++)
        in[i] = (uint32_t)test_random(&state);
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++) {
        struct rp_kernel *kernel = kernel_load("tails", isa_flags[isa]);
        for (uint32_t mask = 0; mask < 4; mask++) {
            const struct grid grid = {COUNT / 64, 1, 1, {mask}};
            memset(out, 0xee, sizeof(out));
            kernel_run(kernel, buffers, &grid);
            for (uint32_t i = 0; i < COUNT; i++) {
                REQUIRE_EQ(out[4 * i], chosen(in[i], in[i] >> 2));
                REQUIRE_EQ(out[4 * i + 1], left(in[i], in[i] >> 2));
                REQUIRE_EQ(out[4 * i + 2], chosen(in[i], mask));
                REQUIRE_EQ(out[4 * i + 3], left(in[i], mask));
            }
        }
        rp_kernel_destroy(kernel);
    }
    return 0;
}

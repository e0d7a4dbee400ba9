/* SPDX-License-Identifier: MIT */
/* Control flow whose ways meet elsewhere than at the merge block.
 */
#include "harness.h"

#define COUNT 256u

static uint32_t in[COUNT], out[4 * COUNT];

static uint32_t
early(uint32_t x)
{
    return 7 * ((x & 3) == 3 ? x + 1 : 3 * x);
}

static uint32_t
twice(uint32_t x)
{
    uint32_t sum = x & 1 ? x + 5 : x;
    for (uint32_t k = x & 1 ? 0 : 2; k < 4; k++)
        sum *= 3;
    return sum;
}

static uint32_t
out_of(uint32_t x)
{
    uint32_t sum = x;
    for (uint32_t k = 0;; k++) {
        sum = x >> k & 1 ? 3 * sum : sum + 7;
        switch (sum & 7) {
        case 0:
            continue;
        case 1:
            return sum;
        case 2:
            sum += 5;
            break;
        case 3:
            sum += 4;
            break;
        default:
            break;
        }
        if (k >= 7)
            return sum;
    }
}

static void
run(uint32_t isa)
{
    const struct grid grid = {COUNT / 64, 1, 2, {0}};
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)in, .size_B = sizeof(in)},
        {.ptr = (uint8_t *)out, .size_B = sizeof(out)},
    };
    struct rp_kernel *kernel = kernel_load("meet", isa_flags[isa]);
    memset(out, 0xee, sizeof(out));
    kernel_run(kernel, buffers, &grid);
    for (uint32_t i = 0; i < COUNT; i++) {
        REQUIRE_EQ(out[4 * i], early(in[i]));
        REQUIRE_EQ(out[4 * i + 1], twice(in[i]));
        REQUIRE_EQ(out[4 * i + 2], out_of(in[i]));
        REQUIRE_EQ(out[4 * i + 3], early(twice(in[i])));
    }
    rp_kernel_destroy(kernel);
}

int
main(void)
{
    uint64_t state = 1;
    for (uint32_t i = 0; i < COUNT; i++)
        in[i] = i < 64 ? i : test_random(&state);
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        run(isa);
    return 0;
}

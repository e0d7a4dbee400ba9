/* SPDX-License-Identifier: MIT */
/* Values that one of two ways changes, where all lanes go the same way: right, and without a move
 * where the other way leaves them.
 */
#include "harness.h"

#include "compute/exec/op_list.h"
#include "compute/kernel.h"

#define COUNT 320u
#define ROUNDS 3u
#define FIRST_WAYS 4u /* before the loop */
#define LAST_WAY 7u

static uint32_t values[COUNT][4];

static uint32_t
mix_of(uint32_t n, uint32_t k)
{
    n = (n ^ n >> 3) * (2 * k + 3) + n / (k + 3);
    n = (n ^ n >> 5) * (4 * k + 5) + n % (k + 7);
    return (n ^ n >> 7) * (8 * k + 9) + n / (k + 11);
}

static void
ways(uint32_t v[4], uint32_t mask, uint32_t k)
{
    const bool takes = mask >> k & 1;
    v[takes ? 0 : 1] = mix_of(v[takes ? 0 : 1], k);
    v[2] = mix_of(v[2], takes ? k : k + 16);
}

static void
expect(uint32_t v[4], uint32_t mask, bool has_loop)
{
    for (uint32_t k = 0; k < FIRST_WAYS; k++)
        ways(v, mask, k);
    for (uint32_t round = 0; has_loop && round < ROUNDS; round++) {
        ways(v, mask, 4);
        if (v[0] % 5 == v[3] % 5) {
            v[3] += v[1];
            break;
        }
        const uint32_t old = v[0];
        ways(v, mask, 5);
        if (mask >> 6 & 1)
            v[3] = mix_of(old, 6) + v[0];
    }
    ways(v, mask, LAST_WAY);
}

static void
fill(uint32_t mask)
{
    uint64_t state = mask + 1;
    for (uint32_t i = 0; i < COUNT * 4; i++)
        (&values[0][0])[i] = (uint32_t)test_random(&state);
}

static void
run(const struct rp_kernel *kernel, uint32_t mask, bool has_loop)
{
    static uint32_t expected[COUNT][4];
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)values, .size_B = sizeof(values)}};
    const struct grid grid = {COUNT / 64, 1, 1, {mask, ROUNDS}};

    fill(mask);
    memcpy(expected, values, sizeof(expected));
    for (uint32_t i = 0; i < COUNT; i++)
        expect(expected[i], mask, has_loop);
    kernel_run(kernel, buffers, &grid);
    REQUIRE_BYTES(values, expected, sizeof(expected));
}

static uint32_t
count_moves(const struct rp_program *program)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < program->op_count; i++)
        count += program->codes[i] == RP_X_MOV_V;
    return count;
}

int
main(void)
{
    static const VkSpecializationMapEntry entry = {0, 0, sizeof(VkBool32)};
    for (uint32_t i = 0; i < 2 * ISA_COUNT; i++) {
        const VkBool32 has_loop = i % 2;
        const VkSpecializationInfo constants = {1, &entry, sizeof(has_loop), &has_loop};
        struct rp_kernel *kernel = kernel_load_specialized("ways", isa_flags[i / 2], &constants);
        for (uint32_t mask = 0; mask < 256; mask++)
            run(kernel, mask, has_loop);
        REQUIRE(has_loop || count_moves(kernel->groups) == 0);
        rp_kernel_destroy(kernel);
    }
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* Cooperative matrices: products, sums, conversions and where components lie in memory. */
#include "harness.h"

#include <math.h>

#define SIDE 16u
#define GROUPS 2u

static uint8_t bytes[GROUPS * 1024];
static float floats[GROUPS * 1024];
static uint32_t words[2048];
static _Alignas(4) uint16_t halves[GROUPS * 256];

static void
run(uint32_t isa, uint32_t subgroup_size)
{
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = bytes, .size_B = sizeof(bytes)},
        {.ptr = (uint8_t *)floats, .size_B = sizeof(floats)},
        {.ptr = (uint8_t *)words, .size_B = sizeof(words)},
        {.ptr = (uint8_t *)halves, .size_B = sizeof(halves)},
    };
    const struct grid grid = {1, 1, 2, {0}};
    const VkSpecializationMapEntry entry = {0, 0, 4};
    const VkSpecializationInfo width = {1, &entry, 4, &subgroup_size};
    struct rp_kernel *kernel = kernel_load_sized("matrix", isa_flags[isa], subgroup_size, &width);
    uint32_t state = isa + 1;

    for (uint32_t i = 0; i < GROUPS * 1024; i++) {
        state = state * 1664525 + 1013904223;
        bytes[i] = (uint8_t)(state >> 24);
        floats[i] = (float)(int32_t)state * 0x1p-24f;
    }
    memset(words, 0, sizeof(words));
    memset(halves, 0, sizeof(halves));
    kernel_run(kernel, buffers, &grid);
    rp_kernel_destroy(kernel);
}

/* Signed bytes by rows of 20 times unsigned ones by columns of 17, plus 7. */
static void
bytes_are_multiplied_as_their_signs_say(uint32_t group)
{
    const uint8_t *a = bytes + group * 1024, *b = a + 512;
    for (uint32_t row = 0; row < SIDE; row++) {
        for (uint32_t col = 0; col < SIDE; col++) {
            int32_t sum = 7;
            for (uint32_t k = 0; k < SIDE; k++)
                sum += (int8_t)a[row * 20 + k] * b[col * 17 + k];
            REQUIRE_EQ(words[group * 512 + col * SIDE + row], (uint32_t)sum);
        }
    }
}

/* (a * b + c + c) / 2 */
static float
float_result(uint32_t group, uint32_t row, uint32_t col)
{
    const float *a = floats + group * 1024, *b = a + 256, *c = a + 512;
    const float start = c[col * 18 + row];
    float sum = start;
    for (uint32_t k = 0; k < SIDE; k++)
        sum += a[row * SIDE + k] * b[k * SIDE + col];
    return (sum + start) * 0.5f;
}

static float
half_value(uint16_t half)
{
    const float size = ldexpf((float)((half & 1023) | 1024), (half >> 10 & 31) - 25);
    return half & 0x8000 ? -size : size;
}

static void
floats_are_added_in_order(uint32_t group)
{
    for (uint32_t row = 0; row < SIDE; row++) {
        for (uint32_t col = 0; col < SIDE; col++) {
            const float want = float_result(group, row, col);
            const uint32_t at = group * 512 + 256 + row * SIDE + col;
            REQUIRE_EQ(words[at], bits_of(want));
            const uint16_t half = halves[group * 256 + row * SIDE + col];
            const float error = fabsf(half_value(half) - want);
            REQUIRE(error <= fabsf(half_value((uint16_t)(half + 1)) - want));
            REQUIRE(error <= fabsf(half_value((uint16_t)(half - 1)) - want));
        }
    }
}

/* A lane's components are some of the matrix, each of one lane only. */
static void
components_are_spread_over_the_lanes(uint32_t group, uint32_t subgroup_size)
{
    bool is_taken[SIDE * SIDE] = {false};
    REQUIRE_EQ(words[1024], SIDE * SIDE / subgroup_size);
    for (uint32_t lane = 0; lane < subgroup_size; lane++) {
        const float f = float_of(words[1040 + group * subgroup_size + lane]);
        uint32_t at = 0;
        while (at < SIDE * SIDE && (is_taken[at] || float_result(group, at / SIDE, at % SIDE) != f))
            at++;
        REQUIRE(at < SIDE * SIDE);
        is_taken[at] = true;
    }
}

int
main(void)
{
    for (uint32_t i = 0; i < ISA_COUNT * 3; i++) {
        const uint32_t size = RP_MIN_SUBGROUP_SIZE << i % 3;
        run(i / 3, size);
        for (uint32_t group = 0; group < GROUPS; group++) {
            bytes_are_multiplied_as_their_signs_say(group);
            floats_are_added_in_order(group);
            components_are_spread_over_the_lanes(group, size);
        }
    }
    return 0;
}

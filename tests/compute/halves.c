/* SPDX-License-Identifier: MIT */
/* A position in the grid is not negative and far from wrapping around: doubled and halved it stays
 * one that lies in rows. */
#include "harness.h"

#define ROOM (1u << 14)

static uint32_t a[ROOM], c[ROOM];

static void
run(const uint32_t size[2], uint32_t cpu_flags, uint32_t row_length)
{
    static const VkSpecializationMapEntry entries[2] = {{0, 0, 4}, {1, 4, 4}};
    const VkSpecializationInfo sizes = {2, entries, 8, size};
    const uint32_t width = row_length * size[0], height = 3 * size[1];
    const struct grid grid = {row_length, 3, 2, {width}};
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        [0] = {.ptr = (uint8_t *)a, .size_B = sizeof(a)},
        [2] = {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
    };
    struct rp_kernel *kernel = kernel_load_specialized("halves", cpu_flags, &sizes);
    struct rp_kernel_statistics statistics;

    REQUIRE(width * height <= ROOM);
    rp_kernel_statistics(kernel, &statistics);
    REQUIRE_EQ(statistics.gather_count, 0);
    kernel_run(kernel, buffers, &grid);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            REQUIRE_EQ(c[y * width + x], a[y * width + x] + x * 16 + y * 4096);
    rp_kernel_destroy(kernel);
}

int
main(void)
{
    static const uint32_t sizes[][2] = {{16, 16}, {8, 8}, {64, 1}, {5, 3}, {1, 4}};

    for (uint32_t i = 0; i < ROOM; i++)
        a[i] = i * 2654435761u;
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        for (uint32_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
            for (uint32_t row_length = 1; row_length <= 19; row_length += 9)
                run(sizes[s], isa_flags[isa], row_length);
    return 0;
}

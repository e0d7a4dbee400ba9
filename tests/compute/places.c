/* SPDX-License-Identifier: MIT */
/* An invocation knows its place in the workgroup, whether the grid runs by rows or by
 * workgroups. */
#include "harness.h"

#define ROOM (1u << 15)

static uint32_t c[ROOM][4];

struct shape {
    uint32_t size[3];
    uint32_t uses_x;
};

static void
check(const struct shape *s, const struct grid *grid, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t *size = s->size;
    const uint32_t *place = c[(z * size[1] * grid->y + y) * size[0] * grid->x + x];
    const uint32_t lx = x % size[0] * s->uses_x * 16, wx = x / size[0] * s->uses_x * 16;
    const uint32_t index = (z * size[1] + y % size[1]) * size[0] + x % size[0];
    REQUIRE_EQ(place[0], y % size[1] + lx);
    REQUIRE_EQ(place[1], z + wx);
    REQUIRE_EQ(place[2], y / size[1] + index * s->uses_x * 16);
    REQUIRE_EQ(place[3], 0);
}

static void
run(const struct shape *s, uint32_t cpu_flags, uint32_t row_length)
{
    static const VkSpecializationMapEntry entries[4] = {
        {0, 0, 4}, {1, 4, 4}, {2, 8, 4}, {3, 12, 4}};
    const VkSpecializationInfo sizes = {4, entries, sizeof(*s), s};
    const struct grid grid = {row_length, 3, 2, {0}};
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        [2] = {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
    };
    struct rp_kernel *kernel = kernel_load_specialized("places", cpu_flags, &sizes);

    REQUIRE(row_length * 3 * s->size[0] * s->size[1] * s->size[2] <= ROOM);
    memset(c, 0xff, sizeof(c));
    kernel_run(kernel, buffers, &grid);
    for (uint32_t z = 0; z < s->size[2]; z++)
        for (uint32_t y = 0; y < 3 * s->size[1]; y++)
            for (uint32_t x = 0; x < row_length * s->size[0]; x++)
                check(s, &grid, x, y, z);
    rp_kernel_destroy(kernel);
}

int
main(void)
{
    static const struct shape shapes[] = {
        {{32, 8, 3}, 0}, {{8, 8, 1}, 0}, {{1, 1, 1}, 0}, {{1, 4, 2}, 0}, {{5, 3, 2}, 0},
        {{32, 8, 3}, 1}, {{8, 8, 1}, 1}, {{1, 1, 1}, 1}, {{1, 4, 2}, 1}, {{5, 3, 2}, 1},
    };
    static const uint32_t row_lengths[] = {1, 3, 14};

    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        for (uint32_t s = 0; s < sizeof(shapes) / sizeof(shapes[0]); s++)
            for (uint32_t r = 0; r < 3; r++)
                run(&shapes[s], isa_flags[isa], row_lengths[r]);
    return 0;
}

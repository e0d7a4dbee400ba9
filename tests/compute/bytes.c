/* SPDX-License-Identifier: MIT */
/* Bytes that lie side by side are read together, and each of them is inside the buffer or zero. */
#include "harness.h"

#define LANES 320u
#define ROOM 1027u

static int8_t a[ROOM];
static int32_t c[4 * LANES];

static int32_t
byte(uint32_t at, uint32_t size_B)
{
    return at < size_B ? a[at] : 0;
}

static int32_t
sum(uint32_t at, uint32_t size_B)
{
    return byte(at, size_B) + 1000 * byte(at + 1, size_B) - 70 * byte(at + 2, size_B) +
           300000 * byte(at + 3, size_B);
}

static void
check(uint32_t cpu_flags, const uint32_t push[3], uint32_t size_B)
{
    struct rp_kernel *kernel = kernel_load("bytes", cpu_flags);
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        [0] = {.ptr = (uint8_t *)a, .size_B = size_B},
        [2] = {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
    };
    kernel_run(kernel, buffers, &(struct grid){LANES / 64, 1, 1, {push[0], push[1], push[2]}});
    rp_kernel_destroy(kernel);
    for (uint32_t i = 0; i < LANES; i++) {
        const uint32_t four = i * 4;
        REQUIRE_EQ(c[4 * i], sum(push[0] + i * push[1], size_B));
        REQUIRE_EQ(c[4 * i + 1], sum(push[0] + (i ^ 5u) * push[1], size_B));
        REQUIRE_EQ(c[4 * i + 2], sum(push[2], size_B) + (int32_t)i);
        REQUIRE_EQ(c[4 * i + 3], sum(250, size_B) + byte(four + 1, size_B) +
                                     3 * byte(four + 2, size_B) + 5 * byte(four + 3, size_B) +
                                     7 * byte(four, size_B));
    }
}

/* Four accesses of bytes, each of four; one of each is a gather. And one store of four words. */
static void
four_bytes_are_one_load(uint32_t cpu_flags)
{
    struct rp_kernel_statistics statistics;
    struct rp_kernel *kernel = kernel_load("bytes", cpu_flags);
    rp_kernel_statistics(kernel, &statistics);
    rp_kernel_destroy(kernel);
    REQUIRE_EQ(statistics.gather_count, 1);
    REQUIRE_EQ(statistics.op_count, 66);
}

int
main(void)
{
    static const uint32_t sizes[] = {ROOM, 1024, 253, 251, 3};
    static const uint32_t pushes[][3] = {{0, 4, 0},    {1, 16, 7},     {3, 3, 1023}, {0, 0, 1026},
                                         {1000, 1, 1}, {1020, 5, 250}, {0, 1, 0}};

    for (uint32_t i = 0; i < ROOM; i++)
        a[i] = (int8_t)(i * 2654435761u >> 13);
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++) {
        for (uint32_t p = 0; p < sizeof(pushes) / sizeof(pushes[0]); p++)
            for (uint32_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
                check(isa_flags[isa], pushes[p], sizes[s]);
        four_bytes_are_one_load(isa_flags[isa]);
    }
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* With exact bounds no index comes back into the buffer, however large it is. */
#include "harness.h"

#define LANES 640u
#define ROOM 256u /* words in each buffer that is indexed */

static uint32_t a[ROOM], b[ROOM], c[LANES], d[ROOM];

static uint32_t
word(const uint32_t *buffer, uint64_t index)
{
    return index < ROOM ? buffer[index] : 0;
}

static void
check(const uint32_t push[3])
{
    uint32_t want[ROOM] = {0};
    for (uint32_t i = 0; i < LANES; i++) {
        const uint32_t at = push[0] + i * push[1], shuffled = push[0] + (i ^ 5) * push[1];
        REQUIRE_EQ(c[i], word(a, at) + 3 * word(b, (uint64_t)at * 4 + (i & 3)) +
                             5 * word(a, shuffled) + 7 * word(a, push[2]));
        if (at < ROOM)
            want[at] = i & 1 ? i : i + 1;
    }
    REQUIRE(memcmp(d, want, sizeof(d)) == 0);
}

static void
run(uint32_t cpu_flags, const uint32_t push[3])
{
    const struct grid grid = {LANES / 64, 1, 2, {push[0], push[1], push[2]}};
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)a, .size_B = sizeof(a)},
        {.ptr = (uint8_t *)b, .size_B = sizeof(b)},
        {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
        {.ptr = (uint8_t *)d, .size_B = sizeof(d)},
    };
    struct rp_kernel *kernel = kernel_load_exact("bounds", cpu_flags);

    memset(c, 0xff, sizeof(c));
    memset(d, 0, sizeof(d));
    kernel_run(kernel, buffers, &grid);
    check(push);
    rp_kernel_destroy(kernel);
}

int
main(void)
{
    static const uint32_t places[][3] = {
        {0, 1, 3},                          /* first part inside */
        {0u - 20, 1, 0x40000003},           /* from before the beginning */
        {0x40000000, 1, 0xc0000003},        /* four bytes an element come round */
        {0x10000000, 1, 0x80000000},        /* sixteen bytes do */
        {0x3fffff80, 1, 255},               /* within the lanes */
        {0, 0x40000001, 256},               /* now and then inside */
        {600, 0xffffffff, 0xffffffff},      /* backwards into it */
        {0x20000000, 0x08000001, 0x3fffffff},
    };
    for (uint32_t k = 0; k < ROOM; k++) {
        a[k] = 1000 + k;
        b[k] = 2000 + 3 * k;
    }
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        for (uint32_t p = 0; p < sizeof(places) / sizeof(places[0]); p++)
            run(isa_flags[isa], places[p]);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* Loops that the compiler runs ahead of time, against the same loops in C. */
#include "harness.h"

#define GROUPS 37u
#define LANES 60u
#define TILE 150u

static uint32_t a[GROUPS * TILE], c[GROUPS * LANES];

static uint32_t
counted(uint32_t i, uint32_t v)
{
    static const uint32_t table[6] = {3, 1, 4, 1, 5, 9};
    uint32_t t[6], moving[4], s = 0, w = 0;

    for (uint32_t k = 0; k < 6; k++)
        t[k] = (v * (k + table[k])) ^ i;
    for (uint32_t k = 0; k < 4; k++)
        moving[k] = t[k + 1];
    for (int k = 5; k >= 0; k--) {
        if ((v >> k & 1) == 1)
            continue;
        s = s * 3 + t[k];
        if (s % 13 == 7)
            break;
        t[k] = s;
    }
    for (uint32_t x = 0; x < 4; x++)
        for (uint32_t y = 0; y < x; y++)
            s += t[y] * (x + 1);
    for (uint32_t m = 32; m > 0; m >>= 1)
        s += (v & m) != 0 ? t[m % 6] : m;
    s += moving[(i + s) % 4];
    do {
        s ^= s << 3;
        w++;
    } while (w < 3);
    for (uint32_t q = 0; q < 5; q++) {
        if ((s >> q & 3) == 2)
            continue; /* over the way out */
        s += q;
        if (q == 2)
            return s;
    }
    for (uint32_t q = 0; q < 5; q++)
        if ((s ^ q) % 17 == 3)
            return s + q * 1000;
    return s;
}

static void
check_group(uint32_t group)
{
    uint32_t tile[TILE];
    for (uint32_t i = 0; i < TILE; i++)
        tile[i] = counted(i, a[group * TILE + i]);
    for (uint32_t l = 0; l < LANES; l++) {
        uint32_t sum = l + 120 < TILE ? l + 120 : l + 60;
        for (uint32_t i = 0; i < 3; i++)
            sum = sum * 5 + tile[(l * 7 + i * 50) % TILE];
        REQUIRE_EQ(c[group * LANES + l], sum);
    }
}

int
main(void)
{
    const struct grid grid = {GROUPS, 1, 2, {0}};
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)a, .size_B = sizeof(a)},
        {0},
        {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
    };

    for (uint32_t i = 0; i < GROUPS * TILE; i++)
        a[i] = i * 2654435761u >> 7;
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++) {
        struct rp_kernel *kernel = kernel_load("unrolled", isa_flags[isa]);
        struct rp_kernel_statistics stats;
        rp_kernel_statistics(kernel, &stats);
        REQUIRE_EQ(stats.loop_count, 0);
        memset(c, 0, sizeof(c));
        kernel_run(kernel, buffers, &grid);
        for (uint32_t group = 0; group < GROUPS; group++)
            check_group(group);
        rp_kernel_destroy(kernel);
    }
    return 0;
}

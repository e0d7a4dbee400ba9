/* SPDX-License-Identifier: MIT */
/* Positions that are rounded down to words, wherever they begin, and pairs of operations. */
#include "harness.h"

#define LANES 1344u
#define ROOM 2048u /* words */

static uint32_t a[ROOM], c[ROOM], d[LANES];

static uint32_t
word(uint32_t index)
{
    return index < ROOM ? a[index] : 0;
}

/* A word of an element of that many words. Places in memory have 32 bits. */
static uint32_t
part(uint32_t index, uint32_t words, uint32_t which)
{
    return word((index * words * 4 + which * 4) / 4);
}

static uint32_t
elements(uint32_t four, uint32_t eight)
{
    return 7 * part(four / 4, 4, 1) + 11 * part(four / 4, 4, 3) + 13 * part(four >> 1, 2, 1) +
           17 * part(eight / 8, 3, 0) + 19 * part(eight / 16, 4, 0);
}

static uint32_t
mixed(uint32_t p, uint32_t shift)
{
    const int32_t r = p & 255, g = p >> 8 & 255, b = p >> 16 & 255;
    const int32_t luma = (66 * r + 129 * g + 25 * b + 4224) >> 8;
    const int32_t chroma = (-38 * r - 74 * g + 112 * b + 131584) >> 10;
    const int32_t wide = p & 0x7fff;
    const uint32_t large =
        (uint32_t)(wide * 32767) ^ (uint32_t)(wide * -32768) ^ (p & 0xffff) * 32771u;
    uint32_t x = p ^ p << 13, y = p ^ p >> shift;
    x ^= x >> 17;
    x ^= x << 5;
    y ^= y << 9;
    return (uint32_t)luma + (uint32_t)chroma * 7 + large + ((p + 0x12345678u) >> 5) + x * 3 + y * 5;
}

static void
run(uint32_t cpu_flags, uint32_t base)
{
    static uint32_t want[ROOM];
    const struct grid grid = {LANES / 64, 1, 2, {base, 11}};
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        [0] = {.ptr = (uint8_t *)a, .size_B = sizeof(a)},
        [2] = {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
        [3] = {.ptr = (uint8_t *)d, .size_B = sizeof(d)},
    };
    struct rp_kernel *kernel = kernel_load("rounded", cpu_flags);
    struct rp_kernel_statistics statistics;
    rp_kernel_statistics(kernel, &statistics);
    REQUIRE_EQ(statistics.gather_count, 3); /* three of eight words, two that lanes share */

    memset(c, 0, sizeof(c));
    memset(want, 0, sizeof(want));
    kernel_run(kernel, buffers, &grid);
    for (uint32_t i = 0; i < LANES; i++) {
        const uint32_t four = base + i * 4, eight = base + i * 8;
        REQUIRE_EQ(d[i], word(four / 4) + 3 * word((eight >> 3) * 2 + 1) +
                             5 * word((four >> 3) * 2) + elements(four, eight) + mixed(a[i], 11));
        if (four / 4 < ROOM)
            want[four / 4] = i + 1;
    }
    REQUIRE(memcmp(c, want, sizeof(c)) == 0);
    rp_kernel_destroy(kernel);
}

int
main(void)
{
    static const uint32_t bases[] = {0, 1, 3, 64, 1022, 6000, 0xffffff00, 0xfffff003, 0x7ffffffd};

    for (uint32_t i = 0; i < ROOM; i++)
        a[i] = i * 2654435761u ^ i << 24;
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        for (uint32_t b = 0; b < sizeof(bases) / sizeof(bases[0]); b++)
            run(isa_flags[isa], bases[b]);
    return 0;
}

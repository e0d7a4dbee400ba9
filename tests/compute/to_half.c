/* SPDX-License-Identifier: MIT */
/* Floats become the nearest halves on each instruction set, even ones in the middle; NaN keeps its
 * sign and its high bits. */
#include "harness.h"

#include <math.h>

#define PLACES 8u /* looked at between a half and the next one */
#define COUNT (65536u * PLACES)

static uint32_t a[COUNT], c[COUNT][2];

static uint32_t
to_half(uint32_t bits)
{
    const uint32_t sign = bits >> 16 & 0x8000;
    const double size = fabs((double)float_of(bits));
    int exponent;

    if (isnan(float_of(bits)))
        return sign | 0x7e00 | (bits >> 13 & 0x3ff);
    if (size >= 65520)
        return sign | 0x7c00;
    (void)frexp(size, &exponent);
    exponent = size < 0x1p-14 ? -14 : exponent - 1;
    /* In units of the last place: 1,024 of them and what the exponent adds, or a denormal. */
    return sign | (((uint32_t)(exponent + 14) << 10) + (uint32_t)rint(ldexp(size, 10 - exponent)));
}

static uint32_t
to_float(uint32_t half)
{
    const uint32_t sign = (half & 0x8000) << 16, rest = half & 0x7fff;

    if (rest >= 0x7c00)
        return sign | 0x7f800000 | (rest & 0x3ff) << 13;
    return sign |
           bits_of((float)(rest < 0x400 ? ldexp(rest, -24)
                                        : ldexp((rest & 0x3ff) + 0x400, (int)(rest >> 10) - 25)));
}

/* Each half, what is just beside it, the middle to the next one and what is beside that. */
static uint32_t
place(uint32_t half, uint32_t which)
{
    const uint32_t here = to_float(half);
    const uint32_t next = to_float(half + 1);
    const bool is_finite = (half & 0x7fff) < 0x7c00;
    const uint32_t middle =
        is_finite ? bits_of(float_of(here) + (float_of(next) - float_of(here)) / 2) : here + 0x1000;
    const uint32_t places[PLACES] = {here,   here + 1,   here + 0xfff, middle - 1,
                                     middle, middle + 1, next - 1,     half * 2654435761u};

    return places[which];
}

int
main(void)
{
    const struct grid grid = {COUNT / 64, 1, 2, {0}};
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        [0] = {.ptr = (uint8_t *)a, .size_B = sizeof(a)},
        [2] = {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
    };

    for (uint32_t i = 0; i < COUNT; i++)
        a[i] = place(i / PLACES, i % PLACES);
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++) {
        struct rp_kernel *kernel = kernel_load("to_half", isa_flags[isa]);
        memset(c, 0xee, sizeof(c));
        kernel_run(kernel, buffers, &grid);
        for (uint32_t i = 0; i < COUNT; i++) {
            REQUIRE_EQ(c[i][0], to_half(a[i]));
            REQUIRE_EQ(c[i][1], to_float(to_half(a[i])));
        }
        rp_kernel_destroy(kernel);
    }
    return 0;
}

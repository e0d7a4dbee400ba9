/* SPDX-License-Identifier: MIT */
/* bfloat16: all 65,536 values as other types, other types as bfloat16 with every way to round, dot
 * products, products of matrices. The evaluator here counts in doubles, which hold all of it.
 */
#include "harness.h"

#include <math.h>
#include <stdlib.h>

#define COUNT 65536u
#define WORDS 8u

static _Alignas(16) uint16_t values[COUNT];
static _Alignas(16) uint32_t words[COUNT];
static _Alignas(16) uint32_t results[COUNT * WORDS];
static _Alignas(16) uint16_t rounded[COUNT * WORDS];

/* The value of a bfloat16 by its parts; of the largest exponent as if it were a number. */
static double
size_of(uint32_t bfloat)
{
    const int exponent = (int)(bfloat >> 7 & 255);
    const double mantissa = (double)(bfloat & 127) + (exponent ? 128 : 0);
    return ldexp(mantissa, (exponent ? exponent : 1) - 127 - 7);
}

static bool
is_nan(uint32_t bfloat)
{
    return (bfloat & 0x7f80) == 0x7f80 && (bfloat & 127);
}

static double
value_of(uint32_t bfloat)
{
    if (is_nan(bfloat))
        return NAN;
    const double size = (bfloat & 0x7fff) == 0x7f80 ? INFINITY : size_of(bfloat & 0x7fff);
    return bfloat & 0x8000 ? -size : size;
}

/* The nearest one, the even one of two, or the next one towards zero: by bisection over sizes,
 * whose order is that of their bits. */
static uint16_t
nearest(double x, bool is_down)
{
    const uint16_t sign = signbit(x) ? 0x8000 : 0;
    const double size = fabs(x);
    if (isnan(x))
        return 0x7fc0;
    if (isinf(x))
        return sign | 0x7f80;
    uint32_t low = 0, high = 0x7f80; /* size_of(low) <= size, and high is more, or infinity */
    while (high - low > 1) {
        const uint32_t mid = (low + high) / 2;
        if (size_of(mid) <= size)
            low = mid;
        else
            high = mid;
    }
    if (is_down)
        return (uint16_t)(sign | low);
    const double below = size - size_of(low), above = size_of(high) - size;
    const bool is_up = above < below || (above == below && (low & 1));
    return (uint16_t)(sign | (is_up ? high : low));
}

static bool
is_same(uint32_t got, uint32_t want)
{
    return got == want || (is_nan(got) && is_nan(want));
}

static double
half_value(uint32_t half)
{
    const int exponent = (int)(half >> 10 & 31);
    double size =
        ldexp((double)((half & 1023) + (exponent ? 1024 : 0)), (exponent ? exponent : 1) - 25);
    if (exponent == 31)
        size = half & 1023 ? NAN : INFINITY;
    return half & 0x8000 ? -size : size;
}

/* A double as the nearest float, or the next one towards zero. */
static float
float_from(double x, bool is_down)
{
    const float f = (float)x;
    return is_down && fabs((double)f) > fabs(x) ? nextafterf(f, 0) : f;
}

static void
run(const char *name, uint32_t isa, uint32_t group_count)
{
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)values, .size_B = sizeof(values)},
        {.ptr = (uint8_t *)words, .size_B = sizeof(words)},
        {.ptr = (uint8_t *)results, .size_B = sizeof(results)},
        {.ptr = (uint8_t *)rounded, .size_B = sizeof(rounded)},
    };
    const struct grid grid = {group_count, 1, 2, {0}};
    struct rp_kernel *kernel = kernel_load_sized(name, isa_flags[isa], 16, NULL);
    memset(results, 0xee, sizeof(results));
    memset(rounded, 0xee, sizeof(rounded));
    kernel_run(kernel, buffers, &grid);
    rp_kernel_destroy(kernel);
}

/* As integers where it fits: what does not is undefined. */
static void
check_integers(uint32_t i)
{
    const double v = value_of(i);
    if (v > -2147483649.0 && v < 2147483648.0)
        REQUIRE_EQ(results[i * WORDS + 2], (uint32_t)(int32_t)v);
    if (v > -1.0 && v < 4294967296.0)
        REQUIRE_EQ(results[i * WORDS + 3], (uint32_t)v);
}

static void
every_value_is_what_it_is_as_another_type(uint32_t isa)
{
    for (uint32_t i = 0; i < COUNT; i++)
        values[i] = (uint16_t)i;
    run("bfloat", isa, COUNT / 64);
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t *r = &results[i * WORDS];
        const double v = value_of(i);
        if (is_nan(i)) {
            REQUIRE(isnan(float_of(r[0])) && isnan(half_value(r[1])));
        } else {
            double as_double;
            memcpy(&as_double, &r[4], 8);
            REQUIRE(as_double == v && (signbit(as_double) != 0) == (i >> 15 != 0));
            REQUIRE_EQ(r[0], i << 16);
            /* The nearest half is not farther away than its neighbours. */
            const double error = fabs(half_value(r[1]) - v);
            REQUIRE(fabs(v) >= 65520
                        ? isinf(half_value(r[1]))
                        : error <= fabs(half_value(r[1] + 1) - v) &&
                              (r[1] & 0x7fff ? error <= fabs(half_value(r[1] - 1) - v) : true));
        }
        check_integers(i);
        REQUIRE_EQ(r[7], i);
    }
}

/* Products and sums as floats, rounded once. */
static void
dot_products_are_rounded_at_the_end(uint32_t isa)
{
    run("bfloat", isa, COUNT / 64);
    for (uint32_t i = 0; i < COUNT; i++) {
        const float a = float_of(i << 16), b = float_of((i ^ 5) << 16);
        const float first = a * 3.0f, second = b * 2.0f;
        float sum = first + second;
        sum = sum + 6.0f;
        REQUIRE(is_same(results[i * WORDS + 6], nearest(sum, false)));
    }
}

static void
check_rounded(uint32_t i)
{
    const uint32_t word = words[i];
    const uint16_t *r = &rounded[i * WORDS];
    const uint64_t twice = (uint64_t)word << 32 | word;
    double d;
    memcpy(&d, &twice, 8);
    REQUIRE(is_same(r[0], nearest(float_of(word), false)));
    REQUIRE_EQ(r[1], nearest((float)(int32_t)word, false));
    REQUIRE_EQ(r[2], nearest((float)word, false));
    REQUIRE(is_same(r[3], nearest(half_value(word & 0xffff), false)));
    REQUIRE(is_same(r[4], nearest(float_of(word), true)));
    REQUIRE(is_same(r[5], nearest(float_from(d, true), true)));
    REQUIRE(is_same(r[6], nearest(float_from(d, false), false)));
    REQUIRE(r[7] == (word & 0xffff) || isnan(half_value(word & 0xffff)));
}

/* Each upper half with what decides how it is rounded, and at random. */
static void
other_types_are_rounded(uint32_t isa)
{
    static const uint32_t lower[] = {0, 1, 0x7fff, 0x8000, 0x8001, 0xffff};
    uint32_t state = isa + 7;
    for (uint32_t round = 0; round < 8; round++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            state = state * 1664525 + 1013904223;
            words[i] = round < 6 ? i << 16 | lower[round] : state ^ state >> 15;
        }
        run("bfloat", isa, COUNT / 64);
        for (uint32_t i = 0; i < COUNT; i++)
            check_rounded(i);
    }
}

/* A of rows, B and C of columns: sums in floats, in order; then once more, C being bfloat16. */
static void
matrices_are_multiplied(uint32_t isa)
{
    uint32_t state = isa + 9;
    for (uint32_t i = 0; i < 1024; i++) {
        state = state * 1664525 + 1013904223;
        values[i] = nearest((double)(int32_t)state * 0x1p-28, false);
        words[i] = bits_of((float)(int32_t)state * 0x1p-24f);
    }
    run("bfloat_matrix", isa, 1);
    const uint16_t *a = values, *b = values + 256, *c = values + 512;
    for (uint32_t row = 0; row < 16; row++)
        for (uint32_t col = 0; col < 16; col++) {
            float sum = float_of(words[row * 16 + col]);
            float low = float_of((uint32_t)c[row * 16 + col] << 16);
            for (uint32_t k = 0; k < 16; k++) {
                const float x = float_of((uint32_t)a[row * 16 + k] << 16);
                const float product = x * float_of((uint32_t)b[k * 16 + col] << 16);
                sum += product;
                low += product;
            }
            REQUIRE_EQ(results[row * 16 + col], bits_of(sum));
            REQUIRE_EQ(rounded[row * 16 + col], nearest(low, false));
            REQUIRE_EQ(rounded[256 + row * 16 + col], nearest(sum, false));
        }
}

int
main(void)
{
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++) {
        every_value_is_what_it_is_as_another_type(isa);
        dot_products_are_rounded_at_the_end(isa);
        other_types_are_rounded(isa);
        matrices_are_multiplied(isa);
    }
    return 0;
}

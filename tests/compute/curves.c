/* SPDX-License-Identifier: MIT */
/* Sines, logarithms, powers and the like beside C's in double: how exact they are, what they are of
 * operands that go another way (zeros, denormals, negative numbers, infinities, NaN, large angles),
 * alone among others and all together; the same bits on every instruction set.
 */
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT 32768u
#define WORDS 8u

enum { SIN, COS, TANH, LOG, LOG2, ATAN, POW, ATAN2 };

static uint32_t a[COUNT], b[WORDS * COUNT], expected[WORDS * COUNT];

static const float specials[] = {
    0.0f,   -0.0f,  INFINITY, -INFINITY,       NAN,        1.0f,
    -1.0f,  1e-40f, -1e-40f,  0x1p-149f,       0x1p-126f,  0x1.fffffcp-127f,
    3e38f,  -3e38f, 1e30f,    -1e9f,           0x1p24f,    40.0f,
    -40.0f, 9.0f,   1e-20f,   0x1.fffffep127f, 1.5707964f, 3.1415927f,
};

#define SPECIALS (sizeof(specials) / sizeof(specials[0]))

/* First each special one in a vector of common numbers, then workgroups of special ones, then
 * numbers of any size. */
static void
fill(void)
{
    uint64_t state = 5;
    for (uint32_t i = 0; i < COUNT; i++) {
        const float any = (float)((int32_t)test_random(&state)) * 0x1p-31f;
        float x = ldexpf(any, (int)(i / 64 % 8) - 1);
        if (i < 64 * SPECIALS && i % 64 == i / 64 % 16)
            x = specials[i / 64];
        else if (i >= 64 * SPECIALS && i < 128 * SPECIALS)
            x = specials[i % SPECIALS];
        a[i] = bits_of(i % 3 ? x : fabsf(x));
    }
}

static void
run(uint32_t flags, float exponent)
{
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)a, .size_B = sizeof(a)}, {.ptr = (uint8_t *)b, .size_B = sizeof(b)}};
    const struct grid grid = {
        .x = COUNT / 64, .y = 1, .thread_count = 1, .push = {bits_of(exponent)}};
    struct rp_kernel *kernel = kernel_load("curves", flags);
    memset(b, 0xa5, sizeof(b));
    kernel_run(kernel, buffers, &grid);
    rp_kernel_destroy(kernel);
}

/* Within as many units of the last place of a number as large as `exact` or `least`. */
static void
check(uint32_t bits, double exact, double allowed, double least)
{
    const float result = float_of(bits);
    if (isnan(exact) || isinf((float)exact) || exact == 0) {
        REQUIRE(isnan(exact) ? isnan(result) : result == (float)exact);
        return;
    }
    int exponent;
    (void)frexp(fmax(fabs(exact), least), &exponent);
    if (!(fabs((double)result - exact) <= allowed * ldexp(1.0, exponent - 24)))
        fprintf(stderr, "%.9g, not %.17g (%g)\n", (double)result, exact, allowed);
    REQUIRE(fabs((double)result - exact) <= allowed * ldexp(1.0, exponent - 24));
}

static void
check_angles(float x, const uint32_t *r)
{
    if (isnan(x) || isinf(x)) {
        REQUIRE(isnan(float_of(r[SIN])) && isnan(float_of(r[COS])));
        return;
    }
    REQUIRE(fabsf(float_of(r[SIN])) <= 1 && fabsf(float_of(r[COS])) <= 1);
    if (fabsf(x) > 200)
        return;
    check(r[SIN], sin((double)x), 2.3, 0.5);
    check(r[COS], cos((double)x), 2.3, 0.5);
    if (fabsf(x) < 1e-4f) {
        REQUIRE(float_of(r[SIN]) == x);
        REQUIRE_EQ(r[COS], bits_of(1.0f));
    }
}

/* C's pow knows more: that of a negative number is NaN here. */
static double
power(float x, float exponent)
{
    if (exponent == 0)
        return 1;
    return x < 0 ? NAN : pow(fabs((double)x), (double)exponent);
}

static void
check_all(float exponent)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        const float x = float_of(a[i]);
        const uint32_t *r = b + (size_t)WORDS * i;
        check_angles(x, r);
        check(r[TANH], tanh((double)x), 3.7, 0x1p-100);
        if (fabsf(x) >= 9.5f)
            REQUIRE(fabsf(float_of(r[TANH])) == 1);
        check(r[LOG], x < 0 ? NAN : log(fabs((double)x)), 2.7, 0.25);
        check(r[LOG2], x < 0 ? NAN : log2(fabs((double)x)), 2.7, 0.25);
        check(r[ATAN], atan((double)x), 2.8, 0x1p-100);
        const double exact = power(x, exponent);
        check(r[POW], exact, 4 + 2 * fabs(log2(fabs(exact))), 0x1p-126);
        if (!isinf(x))
            check(r[ATAN2], atan2((double)x, (double)exponent), 3, 0x1p-100);
    }
}

int
main(void)
{
    static const float exponents[] = {1.7f, 0.0f, -0.5f, 2.0f};
    fill();
    for (uint32_t e = 0; e < sizeof(exponents) / sizeof(exponents[0]); e++) {
        for (uint32_t isa = 0; isa < ISA_COUNT; isa++) {
            run(isa_flags[isa], exponents[e]);
            if (isa == 0)
                memcpy(expected, b, sizeof(b));
            REQUIRE_BYTES(b, expected, sizeof(b));
        }
        check_all(exponents[e]);
    }
    return 0;
}

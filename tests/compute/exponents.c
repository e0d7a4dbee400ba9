/* SPDX-License-Identifier: MIT */
/* exp and exp2 of any float, beside C's in double; these and functions like them have the same bits
 * on every instruction set, and the short ones in tiles, too.
 */
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT 32768u
#define WORDS 16u /* an invocation: of eight functions */

static uint32_t a[COUNT], b[WORDS * COUNT], expected[WORDS * COUNT];

static const float specials[] = {
    0.0f,      -0.0f,   INFINITY,  -INFINITY, NAN,     1.0f,    -1.0f,   88.7228f,
    88.72284f, 88.8f,   -87.3f,    -87.4f,    -103.9f, -104.0f, -150.0f, -149.0f,
    -126.5f,   127.0f,  127.9999f, 128.0f,    130.5f,  1e30f,   -1e30f,  -151.0f,
    -151.5f,   -126.0f, 1e-40f,    -1e-40f,   0.5f,    -0.5f,   1e-20f,  0.499999f,
};

#define SPECIALS (sizeof(specials) / sizeof(specials[0]))

/* Of any size, then workgroups of about the same size; some at the edge of normal numbers. */
static float
number(uint32_t i, float any)
{
    const uint32_t size = i < COUNT / 2 ? i % 16 : i / 64 % 16;
    if (i < SPECIALS)
        return specials[i];
    if (i >= COUNT / 2 && size == 15)
        return 2.0f * any + (any < 0 ? -125.0f : 125.0f);
    return ldexpf(any, (int)size - 7);
}

static void
fill(void)
{
    uint64_t state = 11;
    for (uint32_t i = 0; i < COUNT; i++)
        a[i] = bits_of(number(i, (float)((int32_t)test_random(&state)) * 0x1p-31f));
}

/* Vulkan allows an error of 3 + 2 |x| ULP. */
static void
check(float x, uint32_t bits, double exact, double allowed)
{
    const float result = float_of(bits);
    if (isnan(x)) {
        REQUIRE(isnan(result));
        return;
    }
    if ((float)exact == INFINITY || isinf(result)) {
        REQUIRE(isinf(result) && result > 0 && exact > 3.4e38);
        return;
    }
    int exponent;
    (void)frexp(exact, &exponent);
    const double ulp = ldexp(1.0, exponent - 24 < -149 ? -149 : exponent - 24);
    if (fabs((double)result - exact) > allowed * ulp)
        fprintf(stderr, "of %.9g: %.9g, not %.17g\n", (double)x, (double)result, exact);
    REQUIRE(fabs((double)result - exact) <= allowed * ulp);
}

static void
run(uint32_t flags)
{
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)a, .size_B = sizeof(a)}, {.ptr = (uint8_t *)b, .size_B = sizeof(b)}};
    const struct grid grid = {.x = COUNT / 64, .y = 1, .thread_count = 1, .push = {bits_of(1.0f)}};
    struct rp_kernel *kernel = kernel_load("exponents", flags);
    memset(b, 0xa5, sizeof(b));
    kernel_run(kernel, buffers, &grid);
    rp_kernel_destroy(kernel);
}

static bool
is_nan(uint32_t bits)
{
    return (bits & INT32_MAX) > 0x7f800000;
}

static void
check_all(void)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t *r = b + (size_t)WORDS * i;
        const float x = float_of(a[i]);
        for (uint32_t f = 0; f < WORDS; f += 2)
            REQUIRE(r[f] == r[f + 1] || (is_nan(r[f]) && is_nan(r[f + 1])));
        check(x, r[0], exp((double)x), 1.2 + 1.25 * fabs((double)x));
        check(x, r[2], exp2((double)x), 1.3);
        if (x == rintf(x) && x >= -149.0f && x <= 127.0f)
            REQUIRE_EQ(r[2], bits_of(ldexpf(1.0f, (int)x)));
    }
    REQUIRE_EQ(b[0], bits_of(1.0f));
}

/* In the row of operations the short ones are not by themselves. */
static void
require_tiles(void)
{
    static const char *const names[] = {"RSQRT", "FRACT"};
    static char text[65536];
    struct rp_kernel *kernel = kernel_load("exponents", isa_flags[0]);
    REQUIRE(rp_kernel_print(kernel, text, sizeof(text)) <= sizeof(text));
    for (uint32_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char operation[16];
        bool is_tiled = false;
        (void)snprintf(operation, sizeof(operation), "= %s %%", names[i]);
        for (const char *at = strstr(text, operation); at; at = strstr(at + 1, operation)) {
            const char *mark = strpbrk(at, ";\n");
            is_tiled |= mark && strncmp(mark, "; |", 3) == 0;
        }
        REQUIRE(is_tiled);
    }
    rp_kernel_destroy(kernel);
}

int
main(void)
{
    require_tiles();
    fill();
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++) {
        run(isa_flags[isa]);
        if (isa == 0)
            memcpy(expected, b, sizeof(b));
        REQUIRE_BYTES(b, expected, sizeof(b));
    }
    check_all();
    return 0;
}

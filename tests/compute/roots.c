/* SPDX-License-Identifier: MIT */
/* Square roots and their reciprocals have C's bits: of all floats of two binades, of floats of any
 * size, and of the doubles whose roots lie closest to the middle of two doubles.
 */
#include "harness.h"

#include <math.h>
#include <string.h>

#define COUNT 65536u

static uint32_t a[COUNT], b[4 * COUNT];
static double a64[COUNT], b64[2 * COUNT];

static const float specials[] = {
    0.0f,      -0.0f,     INFINITY, -INFINITY, NAN,   -1.0f,           1e-40f,          -1e-40f,
    0x1p-149f, 0x1p-126f, 0x1p-96f, 0x1p-97f,  1e38f, 0x1.fffffep127f, 0x1.fffffep-97f, 4.0f,
};

static void
run(const char *name, uint32_t flags)
{
    const bool is_64 = !strcmp(name, "roots64");
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = is_64 ? (uint8_t *)a64 : (uint8_t *)a, .size_B = is_64 ? sizeof(a64) : sizeof(a)},
        {.ptr = is_64 ? (uint8_t *)b64 : (uint8_t *)b, .size_B = is_64 ? sizeof(b64) : sizeof(b)}};
    const struct grid grid = {
        .x = COUNT / (is_64 ? 64 : 128), .y = 1, .thread_count = 1, .push = {bits_of(1.0f)}};
    struct rp_kernel *kernel = kernel_load(name, flags);
    memset(buffers[1].ptr, 0xa5, buffers[1].size_B);
    kernel_run(kernel, buffers, &grid);
    rp_kernel_destroy(kernel);
}

static void
require_float(uint32_t bits, float exact)
{
    REQUIRE(isnan(exact) ? isnan(float_of(bits)) : bits == bits_of(exact));
}

static void
check(uint32_t flags)
{
    run("roots", flags);
    for (uint32_t i = 0; i < COUNT; i++) {
        const float root = sqrtf(float_of(a[i]));
        for (uint32_t k = 0; k < 2; k++) {
            require_float(b[4 * i + k], root);
            require_float(b[4 * i + 2 + k], 1.0f / root);
        }
    }
}

static void
check_sizes(void)
{
    uint64_t state = 3;
    const uint32_t count = sizeof(specials) / sizeof(specials[0]);
    for (uint32_t i = 0; i < COUNT; i++) {
        const bool is_special = i / 4096 % 2 ? i % 16 == i / 16 % 16 : i < 128;
        a[i] = is_special ? bits_of(specials[i / 16 % count]) : test_random(&state);
        if (i >= COUNT / 2)
            a[i] = (a[i] & 0x007fffff) | (64 + i / 128 % 128) << 23;
    }
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        check(isa_flags[isa]);
}

static void
check_binades(void)
{
    for (uint32_t first = bits_of(1.0f); first < bits_of(4.0f); first += COUNT) {
        for (uint32_t i = 0; i < COUNT; i++)
            a[i] = first + i;
        check(isa_flags[ISA_COUNT - 1]);
    }
}

/* m is odd and has 54 bits, m * m is 4 a + c: the root lies about c / 8m from m / 2, in the middle
 * of two doubles. c is 1 more than a multiple of 8. */
static double
near_middle(int64_t c, uint32_t zeros, bool is_upper, bool is_negative)
{
    uint64_t m = 1;
    for (uint32_t bit = 3; bit < zeros; bit++)
        m += ((m * m - (uint64_t)c) >> bit & 1) << (bit - 1);
    m = is_negative ? 0 - m : m;
    m = (m & ((UINT64_C(1) << (zeros - 1)) - 1)) | (uint64_t)is_upper << (zeros - 1);
    m = (m & ((UINT64_C(1) << 53) - 1)) | UINT64_C(1) << 53;
    /* 4 a is m * m - c: m is high * 2^27 + low. */
    const uint64_t high = m >> 27, low = m & ((1u << 27) - 1);
    const uint64_t rest = low * low - (uint64_t)c;
    return (double)(high * high) * 0x1p52 + ((double)(high * low) * 0x1p26 + (double)rest * 0.25);
}

static void
check_doubles(void)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        const int64_t c = 8 * (int64_t)(i / 16 % 32 - 16) + 1;
        const double d = near_middle(c, 55 + (i & 1), i >> 1 & 1, i >> 2 & 1);
        a64[i] =
            ldexp(i >> 3 & 1 ? nextafter(d, i & 64 ? 0 : HUGE_VAL) : d, (int)(i / 512) * 16 - 1100);
        if (i / 1024 % 4 == 3)
            a64[i] = i % 16 ? 1.0 + i : (double)specials[i / 16 % 16];
    }
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++) {
        run("roots64", isa_flags[isa]);
        for (uint32_t i = 0; i < COUNT; i++) {
            const double root = sqrt(a64[i]), reciprocal = 1.0 / root;
            REQUIRE(isnan(root) ? isnan(b64[2 * i]) : !memcmp(&b64[2 * i], &root, 8));
            REQUIRE(isnan(root) ? isnan(b64[2 * i + 1]) : !memcmp(&b64[2 * i + 1], &reciprocal, 8));
        }
    }
}

int
main(void)
{
    check_sizes();
    check_binades();
    check_doubles();
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* Float controls: rounding towards zero and denormal numbers as zero, of each width alone and of
 * all, beside what the processor's own modes give.
 */
#include "harness.h"

#include "reelpipe/cpu.h"

#include <fenv.h>
#include <math.h>

#define PAIRS 1024u
#define WORDS 24u /* of results, as in controls.comp */

#define FLUSH 4460u
#define TRUNCATE 4463u
#define RTE 4462u

struct modes {
    uint32_t flushed; /* sums of widths */
    uint32_t truncated;
};

static uint32_t pairs[PAIRS][4], words[PAIRS][WORDS], sums[PAIRS];

static double
as_double(uint32_t low, uint32_t high)
{
    const uint64_t bits = (uint64_t)high << 32 | low;
    double d;
    memcpy(&d, &bits, 8);
    return d;
}

static double
half_value(uint32_t half)
{
    const int exponent = (int)(half >> 10 & 31), mantissa = (int)(half & 1023);
    const double size = exponent == 31 ? (mantissa ? NAN : INFINITY)
                        : exponent     ? ldexp(1024 + mantissa, exponent - 25)
                                       : ldexp(mantissa, -24);
    return half & 0x8000 ? -size : size;
}

/* A number as a half. What it stands for may have been rounded towards zero, but then to more than
 * twice the digits of a half, and the lost ones are in `is_inexact`. */
static uint32_t
to_half(double d, bool is_inexact, const struct modes *m)
{
    const uint32_t sign = signbit(d) ? 0x8000 : 0;
    if (isnan(d))
        return sign | 0x7e00;
    uint32_t low = 0, high = 0x7c00; /* the last half that is not above, by bisection */
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        *(half_value(middle) <= fabs(d) ? &low : &high) = middle;
    }
    if (isinf(d))
        low = 0x7c00;
    else if (!(m->truncated & 16)) {
        const double upper = high == 0x7c00 ? 65536 : half_value(high);
        const double rest = fabs(d) - half_value(low), half = (upper - half_value(low)) / 2;
        low += rest > half || (rest == half && (is_inexact || low & 1));
    }
    if (m->flushed & 16 && low < 0x400)
        low = 0;
    return sign | low;
}

static float
flush32(float f, const struct modes *m)
{
    return m->flushed & 32 && fabsf(f) < 0x1p-126f ? copysignf(0, f) : f;
}

static double
flush64(double d, const struct modes *m)
{
    return m->flushed & 64 && fabs(d) < 0x1p-1022 ? copysign(0, d) : d;
}

static double
flush_half(uint32_t half, const struct modes *m)
{
    return m->flushed & 16 && (half & 0x7c00) == 0 ? copysign(0, half_value(half))
                                                   : half_value(half);
}

static void
round_as(const struct modes *m, uint32_t width)
{
    fesetround(m->truncated & width ? FE_TOWARDZERO : FE_TONEAREST);
}

static void
same_float(uint32_t got, float want, const struct modes *m)
{
    want = flush32(want, m);
    if (isnan(want))
        REQUIRE(isnan(float_of(got)));
    else
        REQUIRE_EQ(got, bits_of(want));
}

static void
same_double(const uint32_t *got, double want, const struct modes *m)
{
    uint64_t bits;
    want = flush64(want, m);
    memcpy(&bits, &want, 8);
    if (isnan(want)) {
        REQUIRE(isnan(as_double(got[0], got[1])));
        return;
    }
    REQUIRE_EQ(got[0], (uint32_t)bits);
    REQUIRE_EQ(got[1], (uint32_t)(bits >> 32));
}

static void
same_half(uint32_t got, double want, bool is_inexact, const struct modes *m)
{
    const uint32_t half = to_half(want, is_inexact, m);
    if ((half & 0x7fff) > 0x7c00)
        REQUIRE((got & 0x7fff) > 0x7c00);
    else
        REQUIRE_EQ(got & 0xffff, half);
}

/* The processor's arithmetic is not to be moved to where another mode is set. */
static void
check_floats(const uint32_t *p, const uint32_t *got, uint32_t sum, const struct modes *m)
{
    const volatile float x = flush32(float_of(p[0]), m), y = flush32(float_of(p[2]), m);
    const int power = ((int)(p[3] % 4000) - 2000) / 8;
    volatile float r[7];

    round_as(m, 32);
    r[0] = x + y;
    r[1] = x - y;
    r[2] = x * y;
    r[3] = x / y;
    r[4] = sqrtf(x);
    r[5] = ldexpf(x, power);
    r[6] = x - floorf(x);
    fesetround(FE_TONEAREST);
    for (uint32_t i = 0; i < 6; i++)
        same_float(got[i], r[i], m);
    same_float(got[22], r[6] >= 1 ? 0x1.fffffep-1f : r[6], m);

    round_as(m, 32);
    r[0] = float_of(p[0]) + float_of(p[2]); /* atomics keep denormal operands */
    fesetround(FE_TONEAREST);
    same_float(sum, r[0], m);
}

static void
check_doubles(const uint32_t *p, const uint32_t *got, const struct modes *m)
{
    const volatile double d = flush64(as_double(p[0], p[1]), m),
                          e = flush64(as_double(p[2], p[3]), m);
    const int64_t whole = (int64_t)((uint64_t)p[1] << 32 | p[0]);
    volatile double r[5];

    round_as(m, 64);
    r[0] = d + e;
    r[1] = d - e;
    r[2] = d * e;
    r[3] = ldexp(d, (int)(p[3] % 4000) - 2000);
    r[4] = (double)whole;
    fesetround(FE_TONEAREST);
    for (uint32_t i = 0; i < 5; i++)
        same_double(got + 12 + 2 * i, r[i], m);
}

static void
check_halves(const uint32_t *p, const uint32_t *got, const struct modes *m)
{
    const double h = flush_half(p[0] & 0xffff, m), k = flush_half(p[2] & 0xffff, m);
    const uint64_t whole = (uint64_t)p[1] << 32 | p[0];

    same_half(got[6], h + k, false, m);
    same_half(got[6] >> 16, h - k, false, m);
    same_half(got[7], h * k, false, m);
    fesetround(FE_TOWARDZERO); /* a quotient that lies between two halves is not exact */
    const volatile double a = h, b = k;
    const volatile double quotient = a / b;
    fesetround(FE_TONEAREST);
    same_half(got[7] >> 16, quotient, true, m);
    same_half(got[8], flush32(float_of(p[0]), m), false, m);
    same_half(got[8] >> 16, flush64(as_double(p[0], p[1]), m), false, m);
    same_half(got[23], (int32_t)p[0], false, m);
    same_half(got[23] >> 16, (double)whole, false, m);
}

static void
check_conversions(const uint32_t *p, const uint32_t *got, const struct modes *m)
{
    const volatile double d = flush64(as_double(p[0], p[1]), m);
    const volatile int64_t whole = (int64_t)((uint64_t)p[1] << 32 | p[0]);
    const volatile int32_t word = (int32_t)p[0];
    volatile float r[3];

    round_as(m, 32);
    r[0] = (float)d;
    r[1] = (float)word;
    r[2] = (float)whole;
    fesetround(FE_TONEAREST);
    for (uint32_t i = 0; i < 3; i++)
        same_float(got[9 + i], r[i], m);
}

static uint32_t
interesting(uint32_t random)
{
    static const uint32_t some[] = {0,          0x80000000, 1,          0x007fffff, 0x00800000,
                                    0x7f7fffff, 0x7f800000, 0xff800000, 0x7ff00000, 0x000fffff,
                                    0x00100000, 0x7fefffff, 0x3ff00000, 0x3c0003ff, 0x7fc00000};
    switch (random >> 29) {
    case 0:
        return some[random % (sizeof(some) / sizeof(some[0]))];
    case 1:
        return random & 0x807fffff; /* denormal floats */
    case 2:
        return (random & 0x807fffff) | (random >> 8 & 0x3f) << 23; /* near them */
    default:
        return random;
    }
}

static void
make_pairs(void)
{
    uint32_t state = 17;
    for (uint32_t i = 0; i < PAIRS; i++) {
        for (uint32_t k = 0; k < 4; k++) {
            state = state * 1664525 + 1013904223;
            pairs[i][k] = interesting(state ^ state >> 16);
        }
        if (i % 3 == 0) { /* of near exponents, so that few digits are lost */
            pairs[i][2] = (pairs[i][0] & 0xff800000) ^ (pairs[i][2] & 0x81ffffff);
            pairs[i][3] = (pairs[i][1] & 0xfff00000) ^ (pairs[i][3] & 0x803fffff);
        }
    }
}

/* controls.comp with more execution modes, behind its entry point. */
static struct rp_kernel *
kernel_with(const struct modes *m, uint32_t cpu_flags)
{
    size_t count, at = 5;
    uint32_t *module = module_load("controls", &count);
    uint32_t *longer = calloc(count + 6 * 4, 4);
    struct rp_compute_message message;
    struct rp_shader *shader = NULL;
    struct rp_kernel *kernel = NULL;

    REQUIRE(longer);
    while ((module[at] & 0xffff) != 15)
        at += module[at] >> 16;
    const uint32_t entry = module[at + 2];
    at += module[at] >> 16;
    memcpy(longer, module, at * 4);
    size_t to = at;
    for (uint32_t width = 16; width <= 64; width *= 2) {
        const uint32_t rounding[] = {4 << 16 | 16, entry, m->truncated & width ? TRUNCATE : RTE,
                                     width};
        const uint32_t denormals[] = {4 << 16 | 16, entry, FLUSH, width};
        memcpy(longer + to, rounding, sizeof(rounding));
        memcpy(longer + to + 4, denormals, sizeof(denormals));
        to += m->flushed & width ? 8 : 4;
    }
    memcpy(longer + to, module + at, (count - at) * 4);
    REQUIRE_EQ(rp_shader_create(longer, to + count - at, &message, &shader), VK_SUCCESS);
    const struct rp_kernel_info info = {
        .shader = shader, .entry_point = "main", .cpu_flags = cpu_flags & rp_cpu_flags()};
    REQUIRE_EQ(rp_kernel_create(&info, &message, &kernel), VK_SUCCESS);
    rp_shader_destroy(shader);
    free(longer);
    free(module);
    return kernel;
}

static void
results_are_those_of_the_processor(const struct modes *m, uint32_t isa)
{
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)pairs, .size_B = sizeof(pairs)},
        {.ptr = (uint8_t *)words, .size_B = sizeof(words)},
        {.ptr = (uint8_t *)sums, .size_B = sizeof(sums)},
    };
    const struct grid grid = {PAIRS / 64, 1, 2, {0}};
    struct rp_kernel *kernel = kernel_with(m, isa_flags[isa]);

    memset(words, 0, sizeof(words));
    for (uint32_t i = 0; i < PAIRS; i++)
        sums[i] = pairs[i][0];
    kernel_run(kernel, buffers, &grid);
    rp_kernel_destroy(kernel);
    for (uint32_t i = 0; i < PAIRS; i++) {
        check_floats(pairs[i], words[i], sums[i], m);
        check_doubles(pairs[i], words[i], m);
        check_halves(pairs[i], words[i], m);
        check_conversions(pairs[i], words[i], m);
    }
}

int
main(void)
{
    static const struct modes modes[] = {{0, 0},   {0, 16},  {0, 32},   {0, 64},  {0, 112},
                                         {16, 0},  {32, 0},  {64, 0},   {112, 0}, {112, 112},
                                         {32, 80}, {80, 32}, {16, 112}, {112, 64}};
    make_pairs();
    for (uint32_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
        for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
            results_are_those_of_the_processor(&modes[i], isa);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* Conversions, dot products and atomics on numbers of every width, against C. */
#include "harness.h"

#include "format/pack.h"

#include <math.h>

#define COUNT 128u

static struct {
    int32_t n[COUNT];
    float f[COUNT];
} input;
static uint8_t memory[256];
static uint32_t c[32 * COUNT];

static void
run(const char *name, uint32_t isa, uint32_t group_count)
{
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)&input, .size_B = sizeof(input)},
        {.ptr = memory, .size_B = sizeof(memory)},
        {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
    };
    const struct grid grid = {group_count, 1, 2, {0}};
    struct rp_kernel *kernel = kernel_load(name, isa_flags[isa]);
    memset(c, 0x5a, sizeof(c));
    kernel_run(kernel, buffers, &grid);
    rp_kernel_destroy(kernel);
}

static void
input_fill(void)
{
    uint64_t state = 3;
    for (uint32_t i = 0; i < COUNT; i++) {
        input.n[i] = (int32_t)(test_random(&state) * 2654435761u) >> test_random(&state) % 31;
        input.f[i] = ((float)(test_random(&state) % 800000) - 400000.0f) * 0.01f;
    }
}

/* The nearest half, ties to even. */
static uint32_t
half_of(double value)
{
    int exponent;
    (void)frexp(value, &exponent);
    const double unit = ldexp(1.0, exponent - 11 < -24 ? -24 : exponent - 11);
    return rp_float_to_half((float)(rint(value / unit) * unit));
}

static uint64_t
double_bits(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof(bits));
    return bits;
}

static void
expect_of_floats(float y, uint32_t r[32])
{
    const double d = (double)y * 0.125;
    const float h = rp_half_to_float((uint16_t)half_of(y));
    const int64_t scaled = (int64_t)(d * 1048576.0);
    r[0] = half_of(y);
    r[2] = (uint32_t)(int32_t)h;
    r[3] = (uint32_t)fabsf(h);
    r[4] = half_of((double)y * 1.0009765625);
    r[6] = (uint32_t)double_bits(d);
    r[7] = (uint32_t)(double_bits(d) >> 32);
    r[8] = (uint32_t)(int32_t)d;
    r[9] = (uint32_t)fabs(d);
    r[10] = (uint32_t)(uint64_t)scaled;
    r[11] = (uint32_t)((uint64_t)scaled >> 32);
    r[12] = (uint32_t)(uint64_t)fabsf(y);
    r[22] = (uint32_t)(int32_t)h;
    r[23] = (uint32_t)(int32_t)(y * 0.03125f);
}

static void
expect_of_integers(int32_t x, uint32_t r[32])
{
    const int64_t l = (int64_t)x * 1234567;
    const uint32_t u = (uint32_t)x, low = u & 0xffff;
    r[1] = r[15] = half_of(x);
    r[5] = bits_of((float)((double)x * 1.0000000001));
    r[13] = bits_of((float)l);
    r[14] = bits_of((float)(uint64_t)l);
    r[16] = (uint32_t)(int32_t)(int8_t)u;
    r[17] = u & 0xff;
    r[18] = (uint32_t)(int32_t)(int16_t)u;
    r[19] = low;
    r[20] = bits_of((float)(int8_t)u);
    r[21] = half_of(u & 0xff);
    r[24] = u & 0x80 ? 0xffffffffu : 0;
    r[25] = (uint32_t)double_bits((double)l);
    r[26] = (uint32_t)(double_bits((double)l) >> 32);
    r[27] = 7u << 16 | low; /* words 1 and 2 of high, low, 7, high */
    r[28] = __builtin_bswap32(u);
    r[29] = (u >> 24 << 8 | (u >> 8 & 0xff)) << 16 | (low >> 8);
    r[30] = (uint32_t)((uint64_t)l >> 32 & 0xffff) | (uint32_t)l << 16;
    r[31] = bits_of(rp_half_to_float((uint16_t)(u & 0x7bff))) ^ (uint32_t)((uint64_t)l >> 32);
}

static void
conversions_are_exact(uint32_t isa)
{
    run("convert", isa, COUNT / 32);
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t r[32];
        expect_of_floats(input.f[i], r);
        expect_of_integers(input.n[i], r);
        for (uint32_t k = 0; k < 32; k++) {
            if (c[32 * i + k] == r[k])
                continue;
            (void)fprintf(stderr, "result %u of %d and %.9g is %#x, not %#x\n", k, input.n[i],
                          (double)input.f[i], c[32 * i + k], r[k]);
            exit(1);
        }
    }
}

enum signs { SIGNED, UNSIGNED, MIXED };

/* Of the elements of two words; the second is unsigned when they are mixed. */
static int64_t
dot(uint32_t x, uint32_t y, uint32_t width, enum signs signs)
{
    const uint32_t mask = (1u << width) - 1, top = 1u << (width - 1);
    int64_t sum = 0;
    for (uint32_t at = 0; at < 32; at += width) {
        int64_t p = x >> at & mask, q = y >> at & mask;
        p -= signs != UNSIGNED && p & top ? (int64_t)mask + 1 : 0;
        q -= signs == SIGNED && q & top ? (int64_t)mask + 1 : 0;
        sum += p * q;
    }
    return sum;
}

static uint32_t
clamp(int64_t value, int64_t low, int64_t high)
{
    return (uint32_t)(value < low ? low : value > high ? high : value);
}

static void
dot_products_are_exact(uint32_t isa)
{
    run("dots", isa, COUNT / 2 / 16);
    for (uint32_t i = 0; i < COUNT / 2; i++) {
        const uint32_t x = (uint32_t)input.n[2 * i], y = (uint32_t)input.n[2 * i + 1];
        const int64_t s = dot(x, y, 8, SIGNED), u = dot(x, y, 8, UNSIGNED), m = dot(x, y, 8, MIXED);
        const int64_t shorts = dot(x, y, 16, SIGNED);
        const int64_t words = (int64_t)(int32_t)x * y + (int64_t)(int32_t)y * 3;
        const uint32_t r[16] = {
            (uint32_t)s,
            (uint32_t)u,
            (uint32_t)m,
            clamp(s + 2147483000, INT32_MIN, INT32_MAX),
            clamp(u + 4294967000, 0, UINT32_MAX),
            clamp(m - 2147483000, INT32_MIN, INT32_MAX),
            (uint32_t)s,
            (uint32_t)u,
            (uint32_t)m,
            clamp(s + 32000, INT16_MIN, INT16_MAX),
            clamp(u + 65000, 0, UINT16_MAX),
            (uint32_t)shorts,
            (uint32_t)((uint64_t)shorts >> 32),
            (uint32_t)words,
            (uint32_t)((uint64_t)words >> 32),
            x * y + y * 3,
        };
        for (uint32_t k = 0; k < 16; k++) {
            if (c[16 * i + k] == r[k])
                continue;
            (void)fprintf(stderr, "result %u of %#x and %#x is %#x, not %#x\n", k, x, y,
                          c[16 * i + k], r[k]);
            exit(1);
        }
    }
}

struct atomics {
    float f[4];
    double d[4];
    uint16_t h[4];
    int64_t s[6];
    uint64_t u[8];
};

/* 128 invocations with -50 to 77, in two workgroups. */
static void
atomics_add_up(uint32_t isa)
{
    struct atomics *m = (struct atomics *)memory;
    memset(memory, 0, sizeof(memory));
    m->u[0] = m->u[2] = UINT64_MAX;
    run("floats", isa, 2);
    const float f[4] = {128 * 127 / 2 - 50 * 128, -50, 77, 7.5f};
    const double d[4] = {(128 * 127 / 2 - 50 * 128) * 0.5, -50, 77, -2.5};
    for (uint32_t i = 0; i < 4; i++) {
        REQUIRE(m->f[i] == f[i]);
        REQUIRE(m->d[i] == d[i]);
        static const double h[4] = {32, -50, 77, 3};
        REQUIRE_EQ(m->h[i], half_of(h[i]));
    }
    REQUIRE(m->s[0] == -(INT64_C(50) << 33));
    REQUIRE(m->s[1] == INT64_C(77) << 33);
    REQUIRE(m->s[2] == (int64_t)(128 * 127 / 2 - 50 * 128) * (INT64_C(1) << 33));
    REQUIRE(m->u[0] == UINT64_C(5) << 40);
    REQUIRE(m->u[1] == UINT64_C(132) << 40);
    REQUIRE(m->u[2] == 0);
    REQUIRE(m->u[3] == UINT64_C(0x5555555555555555));
    REQUIRE(m->u[4] == 0); /* 0 ^ 1 ^ .. ^ 127 */
    REQUIRE(m->u[5] == UINT64_C(99) << 32);
    REQUIRE(m->u[6] >= 1 && m->u[6] <= 128);
    for (uint32_t group = 0; group < 2; group++) {
        const float low = group ? 0.0f : -50.0f; /* of 0 and the group's */
        const float high = group ? 77.0f : 13.0f;
        const uint32_t r[8] = {
            bits_of(96),  bits_of(low),  bits_of(high),          bits_of(48),
            bits_of(low), bits_of(high), (uint32_t)(int32_t)low, (uint32_t)high,
        };
        REQUIRE_BYTES(c + 8 * group, r, sizeof(r));
    }
}

int
main(void)
{
    input_fill();
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++) {
        conversions_are_exact(isa);
        atomics_add_up(isa);
        if (HAS_SPIRV_AS)
            dot_products_are_exact(isa);
    }
    return 0;
}

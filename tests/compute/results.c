/* SPDX-License-Identifier: MIT */
/* What kernels write, against the same arithmetic in C: control flow, memory, barriers. */
#include "harness.h"

#define WORDS 131072u

static uint32_t a[WORDS], b[WORDS], c[WORDS];

static void
run(const char *name, uint32_t isa, size_t out_words, const struct grid *grid)
{
    struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)a, .size_B = sizeof(a)},
        {.ptr = (uint8_t *)b, .size_B = sizeof(b)},
        {.ptr = (uint8_t *)c, .size_B = out_words * 4},
    };
    struct rp_kernel *kernel = kernel_load(name, isa_flags[isa]);
    memset(c, 0, sizeof(c));
    kernel_run(kernel, buffers, grid);
    rp_kernel_destroy(kernel);
}

static float
as_float(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, 4);
    return f;
}

static void
saxpy_stops_at_its_bound(uint32_t isa, uint32_t threads)
{
    const uint32_t n = 100003;
    const struct grid grid = {(n + 63) / 64, 1, threads, {n - 5, 0x3fd9999a}}; /* 1.7 */
    for (uint32_t i = 0; i < n; i++) {
        const float x = (float)i * 0.37f, y = 1.0f / (float)(i + 1);
        memcpy(&a[i], &x, 4);
        memcpy(&b[i], &y, 4);
    }
    run("saxpy", isa, n, &grid);
    for (uint32_t i = 0; i < n; i++) {
        const float product = 1.7f * as_float(a[i]);
        REQUIRE(as_float(c[i]) == (i < n - 5 ? product + as_float(b[i]) : 0.0f));
    }
}

static void
hash_loops_as_long_as_each_lane_wants(uint32_t isa, uint32_t threads)
{
    const uint32_t n = 20001;
    const struct grid grid = {(n + 63) / 64, 1, threads, {n}};
    run("hash", isa, n, &grid);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t x = i * 2654435761u + 1;
        for (uint32_t rounds = (x >> 26) + 1; rounds; rounds--) {
            x ^= x << 13;
            x ^= x >> 17;
            x ^= x << 5;
        }
        REQUIRE_EQ(c[i], x);
    }
}

static uint32_t
mandel(uint32_t px, uint32_t py)
{
    const float cx = (float)px * 0.01f - 2.2f, cy = (float)py * 0.01f - 1.2f;
    float x = 0, y = 0;
    uint32_t i = 0;
    for (; i < 64; i++) {
        const float xx = x * x, yy = y * y;
        if (xx + yy > 4.0f)
            break;
        const float t = x * y;
        x = xx - yy + cx;
        y = 2.0f * t + cy;
    }
    return i;
}

static void
mandel_keeps_the_round_each_lane_left_in(uint32_t isa, uint32_t threads)
{
    const uint32_t w = 317, h = 101;
    const struct grid grid = {(w + 15) / 16, (h + 15) / 16, threads, {w, h, 0x3c23d70a, 64}};
    run("mandel", isa, (size_t)w * h, &grid);
    for (uint32_t i = 0; i < w * h; i++)
        REQUIRE_EQ(c[i], mandel(i % w, i / w));
}

static void
reduce_adds_through_shared_memory(uint32_t isa, uint32_t threads)
{
    const struct grid grid = {64, 1, threads, {0}};
    for (uint32_t i = 0; i < 65536; i++)
        a[i] = i * i;
    run("reduce", isa, 64, &grid);
    for (uint32_t g = 0; g < 64; g++) {
        uint32_t sum = 0;
        for (uint32_t i = 0; i < 1024; i++)
            sum += a[g * 1024 + i];
        REQUIRE_EQ(c[g], sum);
    }
}

static uint32_t
misc_call(uint32_t x, uint32_t *y)
{
    if ((x & 3) == 1)
        return 7;
    *y += x;
    for (uint32_t i = 0; i < x % 7; i++) {
        if (i == 3)
            continue;
        if (*y > 1000)
            return *y;
        *y += i * x;
    }
    return *y + 1;
}

static uint32_t
misc_switch(uint32_t v, uint32_t r, uint32_t y)
{
    switch (v % 6) {
    case 0:
        return r + 10;
    case 1:
        return (r + 100) * 3;
    case 2:
        return r * 3;
    case 5:
        r ^= 0x55;
        return y > 50 ? r : r + 5 - 9;
    default:
        return r - 9;
    }
}

static uint32_t
misc(uint32_t i, uint32_t v)
{
    uint32_t y = i, array[8], s = 0, w = 0;
    const uint32_t called = misc_call(v, &y);
    const uint32_t r = misc_switch(v, called, y);
    for (uint32_t k = 0; k < 8; k++)
        array[k] = v * k;
    array[v & 7] += 1;
    for (uint32_t k = 0; k < 8; k++)
        s += array[(k + i) & 7] * (k + 1);
    for (;;) {
        w++;
        if (w > v % 11)
            break;
        if (!(w & 1))
            continue;
        if (w * i > 77 && v > 3) {
            s += w;
            break;
        }
        s += 2;
    }
    do
        w += 3;
    while (w < 20 + (v & 15));
    return r * 31 + y * 7 + s * 3 + w;
}

static void
control_flow_diverges_and_joins(uint32_t isa, uint32_t threads)
{
    const uint32_t n = 20003;
    const struct grid grid = {(n + 63) / 64, 1, threads, {n}};
    for (uint32_t i = 0; i < n; i++)
        a[i] = i * 2654435761u >> 20;
    run("misc", isa, n, &grid);
    for (uint32_t i = 0; i < n; i++)
        REQUIRE_EQ(c[i], misc(i, a[i]));
}

int
main(void)
{
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++) {
        for (uint32_t threads = 1; threads <= 2; threads++) {
            saxpy_stops_at_its_bound(isa, threads);
            hash_loops_as_long_as_each_lane_wants(isa, threads);
            mandel_keeps_the_round_each_lane_left_in(isa, threads);
            reduce_adds_through_shared_memory(isa, threads);
            control_flow_diverges_and_joins(isa, threads);
        }
    }
    return 0;
}

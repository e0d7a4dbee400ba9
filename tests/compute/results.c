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
        const float product = 1.7f * float_of(a[i]);
        REQUIRE(float_of(c[i]) == (i < n - 5 ? product + float_of(b[i]) : 0.0f));
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

static void
late_additions_all_arrive(uint32_t isa, uint32_t threads)
{
    static uint32_t expected[WORDS];
    const uint32_t n = 30007;
    for (uint32_t bins = 1; bins <= 5000; bins = bins * 17 + 3) {
        const struct grid grid = {(n + 63) / 64, 1, threads, {n, bins}};
        uint32_t count = 0;
        memset(expected, 0, sizeof(expected));
        memset(b, 0, sizeof(b));
        for (uint32_t i = 0; i < n; i++) {
            a[i] = i * 2654435761u >> 7;
            for (uint32_t k = 0; k < 3; k++)
                expected[(a[i] >> 4 * k) % bins] += a[i] & 15;
            count += a[i] >> 6 & 1;
        }
        run("late", isa, bins, &grid);
        REQUIRE_BYTES(c, expected, bins * 4);
        REQUIRE_EQ(b[5], count);
    }
}

static void
tiles_move_along_rows_and_columns(uint32_t isa, uint32_t threads, uint32_t tw, uint32_t th)
{
    const uint32_t w = 5 * tw - 3, h = 3 * th - 1;
    const struct grid grid = {5, 3, threads, {w, h}};
    for (uint32_t i = 0; i < WORDS; i++)
        a[i] = i * 2654435761u;
    run(tw == 8 ? "tile8" : "tile32", isa, (size_t)w * h, &grid);
    for (uint32_t y = 0; y < h; y++) {
        for (uint32_t x = 0; x < w; x++) {
            const uint32_t gx = x / tw * tw, gy = y / th * th;
            const uint32_t up = a[(gy + th - 1 - y % th) * w + x];
            const uint32_t left = a[y * w + gx + tw - 1 - x % tw];
            REQUIRE_EQ(c[y * w + x],
                       up * 3 + left * 5 + a[gy * w + x] * 7 + a[y * w + gx + 3] * 11);
        }
    }
}

/* The first of eight words is wanted by other lanes before the rest is loaded. */
static void
words_are_there_before_they_are_read(uint32_t isa, uint32_t threads)
{
    static const uint32_t factors[8] = {3, 5, 7, 11, 13, 17, 19, 23};
    const uint32_t n = 1024;
    const struct grid grid = {n / 64, 1, threads, {0}};
    for (uint32_t i = 0; i < 8 * n; i++)
        a[i] = i * 2654435761u;
    run("words", isa, n, &grid);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t expected = a[8 * (i ^ 1) + 5];
        for (uint32_t k = 0; k < 8; k++)
            expected ^= a[8 * i + k] * factors[k];
        REQUIRE_EQ(c[i], expected);
    }
}

static void
values_are_kept_for_the_next_round(uint32_t isa, uint32_t threads)
{
    const uint32_t n = 1024;
    const struct grid grid = {n / 64, 1, threads, {0}};
    for (uint32_t i = 0; i < n; i++)
        a[i] = i * 2654435761u >> 8;
    run("kept", isa, 2 * n, &grid);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t rounds = a[i] & 15, kept = rounds && i & 7 ? 256 : 0;
        REQUIRE_EQ(c[2 * i], kept);
        REQUIRE_EQ(c[2 * i + 1], rounds && !(i & 32) ? (kept ? 5 : 4) : 0);
    }
}

/* A number of any size, often at an edge. */
static uint32_t
odd_number(uint32_t i)
{
    const uint32_t r = i * 2654435761u ^ i >> 3;
    switch (i % 5) {
    case 0:
        return r;
    case 1:
        return r >> (r & 31);
    case 2:
        return 0x80000000u + r % 5 - 2;
    case 3:
        return 0u - (r >> (r & 31));
    default:
        return (1u << (r & 31)) + r / 64 % 3 - 1;
    }
}

/* GLSL's % of int is OpSMod: the sign of the divisor. */
static uint32_t
mod(uint32_t x, uint32_t y)
{
    const int64_t r = (int64_t)(int32_t)x % (int32_t)y;
    return (uint32_t)(r && (r ^ (int32_t)y) < 0 ? r + (int32_t)y : r);
}

static void
division_is_exact(uint32_t isa, uint32_t threads)
{
    static const uint32_t divisors[] = {1, 3, 20, 0x7fffffff, 0x80000000, 0xfffffffd};
    const uint32_t n = 16001;
    for (uint32_t k = 0; k < sizeof(divisors) / sizeof(divisors[0]); k++) {
        const uint32_t d = divisors[k];
        const struct grid grid = {(n + 63) / 64, 1, threads, {n, d}};
        for (uint32_t i = 0; i < n; i++) {
            b[i] = odd_number(i * 7 + k) ? odd_number(i * 7 + k) : 1;
            a[i] = i % 3 ? odd_number(i / 3) : b[i] * (i & 255) - (i >> 8 & 1);
            if (a[i] == 0x80000000u && b[i] == UINT32_MAX)
                a[i] = 1;
        }
        run("divide", isa, 6 * n, &grid);
        for (uint32_t i = 0; i < n; i++) {
            REQUIRE_EQ(c[6 * i], a[i] / b[i]);
            REQUIRE_EQ(c[6 * i + 1], a[i] % b[i]);
            REQUIRE_EQ(c[6 * i + 2], (uint32_t)((int32_t)a[i] / (int32_t)b[i]));
            REQUIRE_EQ(c[6 * i + 3], mod(a[i], b[i]));
            REQUIRE_EQ(c[6 * i + 4], a[i] / d);
            REQUIRE_EQ(c[6 * i + 5], mod(a[i], d));
        }
    }
}

/* In C what kernels/left.comp does. */
static void
leave_loops(uint32_t v, uint32_t most, uint32_t out[3])
{
    uint32_t x = 0, y = v >> 28, z = v >> 24;

    for (uint32_t k = 0; k < (most < 2 ? most : 2) && !(v & 1); k++)
        x = v + k;
    for (uint32_t k = 0; k < most && y * 7 + k <= v; k++)
        y = y * 3 + 1;
    out[0] = x;
    out[1] = y;
    out[2] = z;
    for (uint32_t k = 0; k < most; k++) {
        for (uint32_t n = 0; n < v % 9 && (z % 11 == v % 11 || z % 5 != 3); n++) {
            if (z % 11 == v % 11)
                return;
            z = out[2] = z * 5 + n;
        }
        z = out[2] = z + k;
    }
}

static void
loops_keep_their_values_by_every_way_out(uint32_t isa, uint32_t threads)
{
    const uint32_t n = 3200;
    const struct grid grid = {n / 64, 1, threads, {0}};

    for (uint32_t most = 0; most <= 5; most++) {
        a[0] = most;
        for (uint32_t i = 0; i < n; i++)
            a[1 + i] = i * 2654435761u;
        run("left", isa, 3 * n, &grid);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t want[3];
            leave_loops(a[1 + i], most, want);
            for (uint32_t k = 0; k < 3; k++)
                REQUIRE_EQ(c[3 * i + k], want[k]);
        }
    }
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
            late_additions_all_arrive(isa, threads);
            tiles_move_along_rows_and_columns(isa, threads, 8, 8);
            tiles_move_along_rows_and_columns(isa, threads, 32, 4);
            words_are_there_before_they_are_read(isa, threads);
            values_are_kept_for_the_next_round(isa, threads);
            division_is_exact(isa, threads);
            loops_keep_their_values_by_every_way_out(isa, threads);
        }
    }
    return 0;
}

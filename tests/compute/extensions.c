/* SPDX-License-Identifier: MIT */
/* Kernels that need extensions: derivatives, partitions, clocks, atomics on 16 and 64 bits. */
#include "harness.h"
#include "platform/pages.h"

#include <math.h>

static uint32_t a[4096], b[16], c[16384];

static void
run_sized(const char *name, uint32_t isa, uint32_t group_count, uint32_t subgroup_size)
{
    struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)a, .size_B = sizeof(a)},
        {.ptr = (uint8_t *)b, .size_B = sizeof(b)},
        {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
    };
    const struct grid grid = {group_count, 1, 2, {0}};
    struct rp_kernel *kernel = kernel_load_sized(name, isa_flags[isa], subgroup_size, NULL);
    memset(b, 0, sizeof(b));
    memset(c, 0, sizeof(c));
    kernel_run(kernel, buffers, &grid);
    rp_kernel_destroy(kernel);
}

static void
run(const char *name, uint32_t isa, uint32_t group_count)
{
    run_sized(name, isa, group_count, 0);
}

static float
result(uint32_t i)
{
    float f;
    memcpy(&f, &c[i], 4);
    return f;
}

static float
surface(uint32_t x, uint32_t y)
{
    return (float)(x * x * 3 + y * y * 5 + x * y);
}

static void
quads_are_two_by_two_invocations_of_one_subgroup(uint32_t isa)
{
    run("quads", isa, 1);
    for (uint32_t i = 0; i < 12 * 6; i++) {
        const uint32_t x = i % 12, y = i / 12;
        const float dx = surface(x | 1, y) - surface(x & ~1u, y);
        const float dy = surface(x, y | 1) - surface(x, y & ~1u);
        REQUIRE(result(4 * i) == dx);
        REQUIRE(result(4 * i + 1) == dy);
        REQUIRE(result(4 * i + 2) == dx + dy);
        REQUIRE(result(4 * i + 3) == surface(x & ~1u, y | 1));
    }
}

static void
quads_are_four_invocations_in_a_row(uint32_t isa)
{
    run("linear", isa, 1);
    for (uint32_t i = 0; i < 60; i++) {
        const uint32_t right = i | 1, left = i & ~1u, low = i | 2, up = i & ~2u;
        REQUIRE(result(2 * i) == (float)(right * right - left * left));
        REQUIRE(result(2 * i + 1) == (float)(low * low - up * up));
    }
}

static void
partitions_are_the_lanes_of_equal_values(uint32_t isa, uint32_t size)
{
    const uint32_t *sums = c + 2 * 256;
    for (uint32_t i = 0; i < 256; i++)
        a[i] = i * 2654435761u >> 16;
    run_sized("partition", isa, 4, size);
    for (uint32_t i = 0; i < 256; i++) {
        const uint32_t first = i & ~(size - 1), v = a[i];
        uint32_t sum = 0, most = 0, before = 0;
        uint64_t bits = 0;
        for (uint32_t k = first; v % 7 && k < first + size; k++) {
            if (a[k] % 7 == 0 || a[k] % 3 != v % 3 || (a[k] & 1) != (v & 1))
                continue;
            bits |= UINT64_C(1) << (k - first);
            sum += a[k];
            most = k <= i && a[k] > most ? a[k] : most;
            before ^= k < i ? a[k] : 0;
        }
        REQUIRE_EQ(c[2 * i], (uint32_t)bits);
        REQUIRE_EQ(c[2 * i + 1], (uint32_t)(bits >> 32));
        REQUIRE_EQ(sums[3 * i], sum);
        REQUIRE_EQ(sums[3 * i + 1], most);
        REQUIRE_EQ(sums[3 * i + 2], before);
    }
}

static void
atomics_of_16_and_64_bits_add_up(uint32_t isa)
{
    uint64_t words[3 + 128];
    run("shared64", isa, 1);
    memcpy(words, c, sizeof(words));
    REQUIRE_EQ(words[0], ((uint64_t)(63 * 64) << 32) + 64); /* 0 + 2 + .. + 126 */
    REQUIRE_EQ(words[1], ((uint64_t)(64 * 64) << 32) + 64);
    REQUIRE_EQ(words[2], 64u);
    REQUIRE_EQ(b[0], 0x5c000000u); /* 256 in the second half */
    REQUIRE_EQ(b[1], 0x57f00000u); /* 127 */
    for (uint32_t i = 0; i < 128; i++)
        REQUIRE(words[3 + i] > 0 && words[3 + i] < UINT64_C(100000000000));
}

/* 50 words and 50 double words, each between pages that cannot be read. */
static void
addresses_are_read_by_active_lanes_alone(uint32_t isa)
{
    const size_t page = (size_t)rp_page_B();
    uint8_t *map = rp_pages_map(8 * page, false);
    REQUIRE(map);
    for (size_t i = 0; i < 8; i += 2)
        REQUIRE(rp_pages_reserve(map + i * page, page));
    uint32_t *const starts = (uint32_t *)(map + page);
    uint32_t *const ends = (uint32_t *)(map + 4 * page) - 50;
    uint64_t *const longs = (uint64_t *)(map + 5 * page);

    for (uint32_t from_start = 0; from_start < 2; from_start++) {
        uint32_t *const words = from_start ? starts : ends;
        for (uint32_t i = 0; i < 50; i++) {
            words[i] = i * i;
            longs[i] = 7 * i;
        }
        const uint64_t addresses[2] = {(uintptr_t)words, (uintptr_t)longs};
        memcpy(a, addresses, sizeof(addresses));
        run("guarded", isa, 2);
        for (uint32_t i = 0; i < 128; i++) {
            uint32_t sum = i >= 5 && i < 55 ? (i - 5) * (i - 5) + 7 * (i - 5) : 0;
            sum += i % 2 == 0 && i < 100 ? i / 2 * (i / 2) : 0;
            REQUIRE_EQ(c[i], sum);
        }
    }
    rp_pages_unmap(map, 8 * page);
}

/* A uniform block in memory that cannot be read: a descriptor that nobody uses may be stale. */
static void
blocks_are_read_in_rounds_alone(uint32_t isa)
{
    const size_t page = (size_t)rp_page_B();
    uint8_t *map = rp_pages_map(page, false);
    REQUIRE(map);
    struct rp_kernel *kernel = kernel_load("unused", isa_flags[isa]);
    for (uint32_t count = 2; count-- > 0;) {
        const struct rp_descriptor buffers[BINDING_COUNT] = {
            {.ptr = (uint8_t *)a, .size_B = sizeof(a)},
            {.ptr = map, .size_B = 64},
            {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
        };
        const struct grid grid = {2, 1, 2, {count}};
        if (count == 0)
            REQUIRE(rp_pages_reserve(map, page));
        for (uint32_t i = 0; i < 128; i++)
            a[i] = i * 7;
        kernel_run(kernel, buffers, &grid);
        for (uint32_t i = 0; i < 128; i++)
            REQUIRE_EQ(c[i], count ? 3 * a[i] : a[i]);
    }
    rp_kernel_destroy(kernel);
    rp_pages_unmap(map, page);
}

/* Three planes of 8-bit texels, the second and third half as large. */
struct planes {
    uint8_t texel[3][12 * 30];
    struct rp_texture_level level[3];
    struct rp_texture view[3];
    struct rp_descriptor descriptor[3];
};

static void
planes_init(struct planes *p, uint32_t seed)
{
    memset(p, 0, sizeof(*p));
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t width = i ? 15 : 30, height = i ? 6 : 12;
        for (uint32_t k = 0; k < width * height && seed; k++)
            p->texel[i][k] = (uint8_t)(k * 7 + i * 31 + seed);
        p->level[i] = (struct rp_texture_level){.data = p->texel[i],
                                                .width_px = width,
                                                .height_px = height,
                                                .depth_px = 1,
                                                .row_B = width};
        p->view[i] = (struct rp_texture){.type = VK_IMAGE_VIEW_TYPE_2D,
                                         .format = VK_FORMAT_R8_UINT,
                                         .plane_count = 1,
                                         .level_count = 1,
                                         .layer_count = 1,
                                         .sample_count = 1,
                                         .levels = &p->level[i]};
        p->descriptor[i].view = &p->view[i];
    }
}

/* As FFmpeg's filters do: a plane for each z of the workgroup. */
static void
lanes_of_one_workgroup_use_different_images(uint32_t isa)
{
    struct planes from, to;
    planes_init(&from, 1);
    planes_init(&to, 0);
    const struct rp_descriptor buffer = {.ptr = (uint8_t *)c, .size_B = sizeof(c)};
    const struct rp_descriptor_array by_binding[3] = {
        {.items = from.descriptor, .count = 3},
        {.items = to.descriptor, .count = 3},
        {.items = &buffer, .count = 1},
    };
    struct rp_kernel *kernel = kernel_load("planes", isa_flags[isa]);
    kernel_run_arrays(kernel, by_binding, &(struct grid){1, 12, 1, {0}});
    rp_kernel_destroy(kernel);

    for (uint32_t p = 0; p < 3; p++) {
        const uint32_t width = p ? 15 : 30, height = p ? 6 : 12;
        for (uint32_t k = 0; k < width * height; k++)
            REQUIRE_EQ(to.texel[p][k], from.texel[p][width * height - 1 - k]);
        for (uint32_t y = 0; y < 12; y++) {
            for (uint32_t x = 0; x < 32; x++) {
                const uint32_t other = ((p * 32 + x) * 5 + y) % 3;
                const uint32_t texel = from.texel[other][y / 4 * (other ? 15 : 30) + x / 4];
                REQUIRE_EQ(c[y * 96 + p * 32 + x], texel + 1000 * width + 100000 * height);
            }
        }
    }
}

/* Atomics on texels of another size do nothing; on 64-bit texels what they should. */
static void
atomics_touch_texels_of_their_size_alone(uint32_t isa)
{
    struct planes images, untouched;
    uint64_t longs[4] = {0};
    planes_init(&images, 3);
    planes_init(&untouched, 3);
    images.level[1] = (struct rp_texture_level){
        .data = (uint8_t *)longs, .width_px = 4, .height_px = 1, .depth_px = 1, .row_B = 32};
    images.view[1].format = VK_FORMAT_R64_UINT;
    const struct rp_descriptor_array all = {.items = images.descriptor, .count = 3};
    const struct rp_descriptor_array by_binding[2] = {all, all};
    struct rp_kernel *kernel = kernel_load("sizes", isa_flags[isa]);
    kernel_run_arrays(kernel, by_binding, &(struct grid){1, 12, 1, {0}});
    rp_kernel_destroy(kernel);
    REQUIRE_BYTES(images.texel, untouched.texel, sizeof(images.texel));
    for (uint32_t i = 0; i < 4; i++)
        REQUIRE_EQ(longs[i], ((uint64_t)(28 + i) << 40) + 7);
}

#if HAS_SPIRV_AS
/* The upper half of the product; no compiler has 128 bits on 32-bit processors. */
static uint64_t
high_product(uint64_t x, uint64_t y)
{
    const uint64_t x_low = (uint32_t)x, x_high = x >> 32;
    const uint64_t y_low = (uint32_t)y, y_high = y >> 32;
    const uint64_t middle = x_high * y_low + (x_low * y_low >> 32);
    const uint64_t other = x_low * y_high + (uint32_t)middle;
    return x_high * y_high + (middle >> 32) + (other >> 32);
}

/* Likewise of numbers with a sign. */
static uint64_t
signed_high_product(uint64_t x, uint64_t y)
{
    return high_product(x, y) - (x >> 63 ? y : 0) - (y >> 63 ? x : 0);
}

static uint64_t
reversed(uint64_t x)
{
    uint64_t r = 0;
    for (uint32_t i = 0; i < 64; i++)
        r |= (x >> i & 1) << (63 - i);
    return r;
}

static void
integers_of_64_bits_have_every_operation(uint32_t isa)
{
    const uint64_t odds = 0x123456789abcdef1u, field = ((UINT64_C(1) << 40) - 1) << 5;
    uint64_t in[64], out[64 * 8];
    for (uint32_t i = 0; i < 64; i++) {
        in[i] = (i * UINT64_C(0x9e3779b97f4a7c15)) ^ (uint64_t)i << 60;
        in[i] = i < 32 ? in[i] : (uint64_t)i - 48; /* exponents that are none, and some that are */
    }
    memcpy(a, in, sizeof(in));
    run("wide", isa, 4);
    memcpy(out, c, sizeof(out));
    for (uint32_t i = 0; i < 64; i++) {
        const int64_t x = (int64_t)in[i];
        const int exponent = x > 1000 ? 1000 : x < -1000 ? -1000 : (int)x;
        const float scaled = ldexpf(1.5f, exponent);
        REQUIRE_EQ(out[8 * i], (uint64_t)__builtin_popcountll(in[i]));
        REQUIRE_EQ(out[8 * i + 1], reversed(in[i]));
        REQUIRE_EQ(out[8 * i + 2], (uint64_t)((int64_t)(in[i] << 21) >> 24));
        REQUIRE_EQ(out[8 * i + 3], (in[i] & ~field) | (odds << 5 & field));
        REQUIRE_EQ(out[8 * i + 4], high_product(in[i], odds));
        REQUIRE_EQ(out[8 * i + 5], signed_high_product(in[i], odds));
        REQUIRE_EQ(out[8 * i + 6], bits_of(scaled));
        REQUIRE_EQ(out[8 * i + 7], 7u);
    }
}

static void
numbers_of_lanes_have_any_width(uint32_t isa)
{
    for (uint32_t i = 0; i < 64; i++)
        a[i] = 3 + (i * 7 & 15); /* less 3, in the width of the number: a lane */
    run("lanes", isa, 4);
    for (uint32_t i = 0; i < 64; i++) {
        const uint32_t lane = i * 7 & 15, *group = a + (i & ~15u);
        REQUIRE_EQ(c[5 * i], group[lane]);
        REQUIRE_EQ(c[5 * i + 1], group[lane]);
        REQUIRE_EQ(c[5 * i + 2], group[lane]);
        REQUIRE_EQ(c[5 * i + 3], group[(i & 15) ^ lane]);
        REQUIRE_EQ(c[5 * i + 4], lane == 0 || lane == 2);
    }
}
#endif

int
main(void)
{
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++) {
        quads_are_two_by_two_invocations_of_one_subgroup(isa);
        quads_are_four_invocations_in_a_row(isa);
        for (uint32_t size = RP_MIN_SUBGROUP_SIZE; size <= RP_MAX_SUBGROUP_SIZE; size *= 2)
            partitions_are_the_lanes_of_equal_values(isa, size);
        atomics_of_16_and_64_bits_add_up(isa);
        addresses_are_read_by_active_lanes_alone(isa);
        blocks_are_read_in_rounds_alone(isa);
        lanes_of_one_workgroup_use_different_images(isa);
        atomics_touch_texels_of_their_size_alone(isa);
#if HAS_SPIRV_AS
        integers_of_64_bits_have_every_operation(isa);
        numbers_of_lanes_have_any_width(isa);
#endif
    }
    return 0;
}

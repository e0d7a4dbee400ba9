/* SPDX-License-Identifier: MIT */
/* Images whose texels lie in rows, near each other, across the borders: every bit as the formulas
 * of the specification give it, and no byte behind the image is touched.
 *
 * usage: image_rows [STEP]
 *   STEP   every which format of a kernel is tried, others with each kernel (default 1: all)
 */
#include "harness.h"
#include "platform/pages.h"

#include <math.h>
#include <stdbool.h>

#define MOST_TEXELS 451
#define GRID_WIDTH 64
#define GRID_HEIGHT 16
#define MAX_TEXEL_B 16

enum operation {
    LOAD,
    STORE,
    STORE_SOME,
    SAMPLE,
    LOAD_SWAPPED,
    LOAD_SAME,
    FETCH_SAME,
    STORE_SAME,
};

struct kind {
    VkFormat format;
    uint32_t components;
    uint32_t bits;                                             /* of each; 10: the fourth has 2 */
    enum { UNORM, BGRA, UINT, SINT, FLOAT, BGRA_UINT } nature; /* BGRA is UNORM, too */
};

static const struct kind kinds[] = {
    {VK_FORMAT_R8_UNORM, 1, 8, UNORM},
    {VK_FORMAT_R8G8_UNORM, 2, 8, UNORM},
    {VK_FORMAT_R8G8B8A8_UNORM, 4, 8, UNORM},
    {VK_FORMAT_B8G8R8A8_UNORM, 4, 8, BGRA},
    {VK_FORMAT_R16_UNORM, 1, 16, UNORM},
    {VK_FORMAT_R16G16_UNORM, 2, 16, UNORM},
    {VK_FORMAT_R32_SFLOAT, 1, 32, FLOAT},
    {VK_FORMAT_R16G16B16A16_UNORM, 4, 16, UNORM},
    {VK_FORMAT_R8_UINT, 1, 8, UINT},
    {VK_FORMAT_R8G8_UINT, 2, 8, UINT},
    {VK_FORMAT_R8G8B8A8_UINT, 4, 8, UINT},
    {VK_FORMAT_R16_UINT, 1, 16, UINT},
    {VK_FORMAT_R16G16_UINT, 2, 16, UINT},
    {VK_FORMAT_R16G16B16A16_UINT, 4, 16, UINT},
    {VK_FORMAT_R16_SFLOAT, 1, 16, FLOAT},
    {VK_FORMAT_R16G16_SFLOAT, 2, 16, FLOAT},
    {VK_FORMAT_R16G16B16A16_SFLOAT, 4, 16, FLOAT},
    {VK_FORMAT_R32G32_SFLOAT, 2, 32, FLOAT},
    {VK_FORMAT_R32G32B32A32_SFLOAT, 4, 32, FLOAT},
    {VK_FORMAT_R32G32_UINT, 2, 32, UINT},
    {VK_FORMAT_R32G32B32A32_UINT, 4, 32, UINT},
    {VK_FORMAT_A2B10G10R10_UNORM_PACK32, 4, 10, UNORM},
    {VK_FORMAT_A2R10G10B10_UNORM_PACK32, 4, 10, BGRA},
    {VK_FORMAT_A2B10G10R10_UINT_PACK32, 4, 10, UINT},
    {VK_FORMAT_A2R10G10B10_UINT_PACK32, 4, 10, BGRA_UINT},
    {VK_FORMAT_R16_SINT, 1, 16, SINT},
    {VK_FORMAT_R16G16_SINT, 2, 16, SINT},
    {VK_FORMAT_R16G16B16A16_SINT, 4, 16, SINT},
};

/* As the kernel has it. */
struct push {
    int32_t operation;
    int32_t width;
    int32_t first[2];
    int32_t step[2];
    float origin[2];
    float slope[2];
};

struct test {
    const struct kind *kind;
    const struct rp_kernel *kernel;
    VkFilter filter;
    VkSamplerAddressMode mode[2];
    struct push push;
};

static int32_t width_px = 41, height_px = 11;
static uint8_t *image;                                        /* ends where its pages end */
static uint8_t expected_image[MOST_TEXELS * MAX_TEXEL_B + 4]; /* fields are got as words */
static float values[GRID_HEIGHT][GRID_WIDTH][4];
static float expected[GRID_HEIGHT][GRID_WIDTH][4];

static uint32_t
texel_size(const struct kind *kind)
{
    return kind->bits == 10 ? 4 : kind->components * kind->bits / 8;
}

static bool
is_float(const struct kind *kind)
{
    return kind->nature == UNORM || kind->nature == BGRA || kind->nature == FLOAT;
}

static uint32_t
texel_count(void)
{
    return (uint32_t)(width_px * height_px);
}

/* The image's last byte is the last before a page that nobody may touch. */
static void
image_make(uint32_t size_B)
{
    static uint8_t *pages;
    const size_t page_B = (size_t)rp_page_B();
    const size_t all_B = (MOST_TEXELS * MAX_TEXEL_B + page_B - 1) / page_B * page_B;
    if (!pages) {
        pages = rp_pages_map(all_B + page_B, false);
        REQUIRE(pages);
        REQUIRE(rp_pages_reserve(pages + all_B, page_B));
    }
    image = pages + all_B - size_B;
}

static void
fill(const struct kind *kind)
{
    uint64_t state = 7;
    image_make(texel_count() * texel_size(kind));
    for (uint32_t i = 0; i < texel_count() * texel_size(kind); i++)
        image[i] = (uint8_t)test_random(&state);
    for (uint32_t i = 0; kind->bits == 32 && i < texel_count() * kind->components; i++) {
        const float value = (float)(test_random(&state) % 1000) * 0.001f;
        memcpy(image + 4 * (size_t)i, &value, 4);
    }
    memcpy(expected_image, image, texel_count() * texel_size(kind));
}

static float
from_uint(uint32_t n)
{
    float value;
    memcpy(&value, &n, sizeof(value));
    return value;
}

/* Others each time, or a store would find what it is to write. */
static void
fill_values(const struct kind *kind)
{
    static const float odd[8] = {-1.0f, 2.0f, NAN, INFINITY, -INFINITY, -0.0f, 0.5f, 1.0f};
    static uint64_t state = 9;
    for (uint32_t i = 0; i < GRID_WIDTH * GRID_HEIGHT * 4; i++) {
        const uint32_t any = (uint32_t)test_random(&state), n = any & 0xffffff;
        float *value = &values[0][0][0] + i;
        if (i % 13 == 0)
            *value = odd[i / 13 % 8];
        else if (!is_float(kind))
            *value = from_uint(i % 3 ? n >> i % 24 : 0 - (n >> i % 24));
        else
            *value = kind->nature == FLOAT && i % 3 ? from_uint(any) : (float)n * 0x1p-24f;
    }
    memcpy(expected, values, sizeof(expected));
}

/* The bits of component c and the first of them. */
static uint32_t
width_of(const struct kind *kind, uint32_t c)
{
    return kind->bits == 10 && c == 3 ? 2 : kind->bits;
}

static uint32_t
place_of(const struct kind *kind, uint32_t c)
{
    const bool is_bgr = kind->nature == BGRA || kind->nature == BGRA_UINT;
    return kind->bits * (is_bgr && c < 3 ? 2 - c : c);
}

static uint32_t
mask_of(uint32_t bits)
{
    return bits == 32 ? UINT32_MAX : (1u << bits) - 1;
}

/* A float of 16 bits as one of 32, and the nearest to one of 32, even where two are as near. */
static float
from_half(uint32_t half)
{
    const uint32_t sign = half & 0x8000, exponent = half >> 10 & 31, mantissa = half & 1023;
    if (exponent == 31)
        return from_uint(sign << 16 | 0x7f800000 | mantissa << 13);
    const float value =
        ldexpf((float)(exponent ? mantissa + 1024 : mantissa), (exponent ? (int)exponent : 1) - 25);
    return sign ? -value : value;
}

static uint32_t
to_half(float value)
{
    const uint32_t sign = signbit(value) ? 0x8000 : 0;
    if (isnan(value))
        return sign | 0x7e00;
    if (fabsf(value) >= 65520.0f)
        return sign | 0x7c00;
    int exponent;
    (void)frexpf(value, &exponent);
    const int step = value == 0.0f || exponent < -13 ? 0 : exponent + 13; /* 0: denormal */
    const double magnitude = fabs((double)value);
    return sign | (((uint32_t)step << 10) + (uint32_t)lrint(ldexp(magnitude, 24 - step)));
}

static void
texel_read(const struct kind *kind, int32_t x, int32_t y, float out[4])
{
    const float one = is_float(kind) ? 1.0f : from_uint(1);
    memcpy(out, (const float[4]){0.0f, 0.0f, 0.0f, kind->components == 4 ? 0.0f : one}, 16);
    if (x < 0 || y < 0 || x >= width_px || y >= height_px)
        return;
    const uint8_t *texel = expected_image + (size_t)(y * width_px + x) * texel_size(kind);
    for (uint32_t c = 0; c < kind->components; c++) {
        const uint32_t bits = width_of(kind, c), place = place_of(kind, c);
        uint32_t n;
        memcpy(&n, texel + place / 8, sizeof(n));
        n = n >> place % 8 & mask_of(bits);
        if (bits == 32 || kind->nature == UINT || kind->nature == BGRA_UINT)
            out[c] = from_uint(n);
        else if (kind->nature == SINT)
            out[c] = from_uint(n & 0x8000 ? n | 0xffff0000 : n);
        else
            out[c] = kind->nature == FLOAT ? from_half(n) : (float)(n / (double)mask_of(bits));
    }
}

/* As it lies in the image. */
static uint32_t
encoded(const struct kind *kind, uint32_t bits, float value)
{
    const uint32_t most = mask_of(bits);
    uint32_t n;
    memcpy(&n, &value, sizeof(n));
    if (bits == 32)
        return n;
    if (kind->nature == UINT || kind->nature == BGRA_UINT)
        return n < most ? n : most;
    if (kind->nature == SINT) {
        const int32_t number = (int32_t)n;
        return (uint32_t)(number < -32768 ? -32768 : number > 32767 ? 32767 : number) & most;
    }
    if (kind->nature == FLOAT)
        return to_half(value);
    const double clamped = !(value > 0.0f) ? 0.0 : value < 1.0f ? (double)value : 1.0;
    return bits == 8 ? (uint32_t)lrintf((float)clamped * (float)most)
                     : (uint32_t)lrint(clamped * most);
}

static void
texel_write(const struct kind *kind, int32_t x, int32_t y, const float in[4])
{
    if (x < 0 || y < 0 || x >= width_px || y >= height_px)
        return;
    uint8_t *texel = expected_image + (size_t)(y * width_px + x) * texel_size(kind);
    for (uint32_t c = 0; c < kind->components; c++) {
        const uint32_t bits = width_of(kind, c), place = place_of(kind, c), shift = place % 8;
        uint32_t word;
        memcpy(&word, texel + place / 8, sizeof(word));
        word = (word & ~(mask_of(bits) << shift)) | encoded(kind, bits, in[c]) << shift;
        memcpy(texel + place / 8, &word, sizeof(word));
    }
}

static int32_t
moved(int32_t from, int32_t by)
{
    return (int32_t)((uint32_t)from + (uint32_t)by);
}

/* In texels; far away is as far as integers go. */
static float
place(float coordinate, float size)
{
    return fminf(fmaxf(coordinate * size, -1.0e9f), 1.0e9f);
}

/* The texel that stands for one that may lie outside. */
static int32_t
wrap(int32_t value, int32_t size, VkSamplerAddressMode mode)
{
    if (mode == VK_SAMPLER_ADDRESS_MODE_REPEAT)
        return (value % size + size) % size;
    return value < 0 ? 0 : value < size ? value : size - 1;
}

static void
texel_sample(const struct test *t, float u, float v, float out[4])
{
    float x = place(u, (float)width_px), y = place(v, (float)height_px);
    if (t->filter == VK_FILTER_NEAREST) {
        texel_read(t->kind, wrap((int32_t)floorf(x), width_px, t->mode[0]),
                   wrap((int32_t)floorf(y), height_px, t->mode[1]), out);
        return;
    }
    x -= 0.5f;
    y -= 0.5f;
    const float fx = x - floorf(x), fy = y - floorf(y);
    const float weight[4] = {(1.0f - fx) * (1.0f - fy), fx * (1.0f - fy), (1.0f - fx) * fy,
                             fx * fy};
    float sum[4] = {0};
    for (int32_t i = 0; i < 4; i++) {
        float texel[4];
        texel_read(t->kind, wrap((int32_t)floorf(x) + i % 2, width_px, t->mode[0]),
                   wrap((int32_t)floorf(y) + i / 2, height_px, t->mode[1]), texel);
        for (uint32_t c = 0; c < 4 && weight[i] != 0.0f; c++)
            sum[c] += weight[i] * texel[c];
    }
    memcpy(out, sum, sizeof(sum));
}

static void
expect(const struct test *t)
{
    const struct push *p = &t->push;
    for (int32_t y = 0; y < GRID_HEIGHT; y++) {
        for (int32_t x = 0; x < GRID_WIDTH; x++) {
            const int32_t at[2] = {moved(p->first[0], x * p->step[0]),
                                   moved(p->first[1], y + x * p->step[1])};
            float *value = expected[y][x], texel[4];
            if (p->operation == LOAD)
                texel_read(t->kind, at[0], at[1], value);
            else if (p->operation == STORE || (p->operation == STORE_SOME && x % 3 != 1))
                texel_write(t->kind, at[0], at[1], value);
            else if (p->operation == SAMPLE)
                texel_sample(t, p->origin[0] + p->slope[0] * (float)x,
                             p->origin[1] + p->slope[1] * (float)y, value);
            else if (p->operation == LOAD_SWAPPED) {
                texel_read(t->kind, at[0], at[1], texel);
                value[0] = texel[1];
                value[1] = texel[0];
            } else if (p->operation == LOAD_SAME || p->operation == FETCH_SAME) {
                texel_read(t->kind, p->first[0], p->first[1], value);
            } else if (p->operation == STORE_SAME) {
                texel_write(t->kind, p->first[0], p->first[1], expected[0][0]);
            }
        }
    }
}

/* Alpha that a format does not have is 1 in a sample, too, whatever the weights sum up to. */
static void
require_alike(const struct test *t)
{
    for (uint32_t i = 0; i < GRID_WIDTH * GRID_HEIGHT * 4; i++) {
        const float is = (&values[0][0][0])[i], should = (&expected[0][0][0])[i];
        if (!memcmp(&is, &should, 4) || (i % 4 == 3 && t->kind->components < 4 && is == 1.0f))
            continue;
        if (t->push.operation == SAMPLE && isnan(is) && isnan(should)) /* which of several */
            continue;
        (void)fprintf(stderr, "format %d, operation %d, step %d: (%u, %u)[%u] is %.9g, not %.9g\n",
                      t->kind->format, t->push.operation, t->push.step[0], i / 4 % GRID_WIDTH,
                      i / 4 / GRID_WIDTH, i % 4, (double)is, (double)should);
        exit(1);
    }
    REQUIRE_BYTES(image, expected_image, texel_count() * texel_size(t->kind));
}

static void
check(struct test *t, const uint32_t local[2])
{
    const struct rp_texture_level level = {
        .data = image,
        .width_px = (uint32_t)width_px,
        .height_px = (uint32_t)height_px,
        .depth_px = 1,
        .row_B = (uint32_t)width_px * texel_size(t->kind),
        .slice_B = texel_count() * texel_size(t->kind),
        .layer_B = texel_count() * texel_size(t->kind),
    };
    const struct rp_texture view = {
        .type = VK_IMAGE_VIEW_TYPE_2D,
        .format = t->kind->format,
        .plane_count = 1,
        .level_count = 1,
        .layer_count = 1,
        .sample_count = 1,
        .levels = &level,
    };
    const struct rp_sampler_state sampler = {
        .mag_filter = t->filter,
        .min_filter = t->filter,
        .address_mode = {t->mode[0], t->mode[1], VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE},
    };
    const struct rp_descriptor items[BINDING_COUNT] = {
        {.view = &view, .sampler = &sampler},
        {.view = &view},
        {.ptr = (uint8_t *)values, .size_B = sizeof(values)},
    };
    struct grid grid = {GRID_WIDTH / local[0], GRID_HEIGHT / local[1], 1, {0}};
    memcpy(grid.push, &t->push, sizeof(t->push));
    fill_values(t->kind);
    kernel_run(t->kernel, items, &grid);
    expect(t);
    require_alike(t);
}

/* What all invocations read, and write. */
static void
check_same(struct test *t, const uint32_t local[2])
{
    t->push.operation = STORE_SAME;
    check(t, local);
    t->push.operation = LOAD_SAME;
    check(t, local);
    t->push.operation = FETCH_SAME;
    if (is_float(t->kind)) /* the other kernel has no texture */
        check(t, local);
}

static void
check_places(struct test *t, const uint32_t local[2])
{
    const int32_t first[][2] = {
        {0, 0}, {-5, -3}, {3, 2}, {width_px - 31, 1}, {2 * width_px, 1}, {INT32_MAX, 0}};
    static const int32_t step[][2] = {{1, 0}, {2, 0}, {3, 0}, {-1, 0}, {0, 1}, {1, 1}};
    for (uint32_t i = 0; i < sizeof(first) / sizeof(first[0]); i++) {
        for (uint32_t k = 0; k < sizeof(step) / sizeof(step[0]); k++) {
            t->push.first[0] = first[i][0] + (step[k][0] < 0 && i < 3 ? width_px : 0);
            t->push.first[1] = first[i][1];
            memcpy(t->push.step, step[k], sizeof(step[k]));
            for (t->push.operation = LOAD; t->push.operation <= LOAD_SWAPPED; t->push.operation++) {
                const bool is_store = t->push.operation == STORE || t->push.operation == STORE_SOME;
                /* Several invocations would write one texel. */
                if (t->push.operation != SAMPLE && !(is_store && step[k][0] == 0))
                    check(t, local);
            }
        }
        t->push.first[0] = first[i][0];
        check_same(t, local);
    }
}

static void
check_samples(struct test *t, const uint32_t local[2])
{
    static const float slope[][2] = {{1.5f, 1.0f}, {0.3f, 0.7f},    {1.9f, 2.0f},
                                     {4.0f, 0.0f}, {-1.0f, 1.0f},   {12.0f, -0.5f},
                                     {0.0f, 1.0f}, {3.0e37f, 1.0f}, {NAN, 1.0f}};
    static const VkSamplerAddressMode modes[2] = {VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                                  VK_SAMPLER_ADDRESS_MODE_REPEAT};
    t->push.operation = SAMPLE;
    for (uint32_t i = 0; i < sizeof(slope) / sizeof(slope[0]); i++) {
        t->push.origin[0] = slope[i][0] < 0.0f ? 1.1f : -0.02f;
        t->push.origin[1] = slope[i][1] < 0.0f ? 0.9f : -0.07f;
        t->push.slope[0] = slope[i][0] / (float)width_px;
        t->push.slope[1] = slope[i][1] / (float)height_px;
        for (uint32_t k = 0; k < 8; k++) {
            t->filter = k % 2 ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
            t->mode[0] = modes[k / 2 % 2];
            t->mode[1] = modes[k / 4];
            check(t, local);
        }
    }
}

/* Of a picture of another size. */
static void
check_samples_of(struct test *t, const uint32_t local[2], int32_t width, int32_t height)
{
    const int32_t before[2] = {width_px, height_px};
    width_px = width;
    height_px = height;
    fill(t->kind);
    check_samples(t, local);
    width_px = before[0];
    height_px = before[1];
}

/* A level that is one scalar for all lanes, where the first of them take no part. */
static void
fetches_keep_their_level(uint32_t cpu_flags)
{
    static float fine[8 * 8];
    static float coarse[4 * 4];
    static float fetched[256];
    for (uint32_t i = 0; i < 64; i++)
        fine[i] = 100.0f;
    for (uint32_t i = 0; i < 16; i++)
        coarse[i] = 200.0f;
    const struct rp_texture_level levels[] = {
        {.data = (uint8_t *)fine,
         .width_px = 8,
         .height_px = 8,
         .depth_px = 1,
         .row_B = 32,
         .slice_B = 256,
         .layer_B = 256},
        {.data = (uint8_t *)coarse,
         .width_px = 4,
         .height_px = 4,
         .depth_px = 1,
         .row_B = 16,
         .slice_B = 64,
         .layer_B = 64},
    };
    const struct rp_texture view = {
        .type = VK_IMAGE_VIEW_TYPE_2D,
        .format = VK_FORMAT_R32_SFLOAT,
        .plane_count = 1,
        .level_count = 2,
        .layer_count = 1,
        .sample_count = 1,
        .levels = levels,
    };
    const struct rp_sampler_state sampler = {.max_lod = 100.0f};
    const struct rp_descriptor items[BINDING_COUNT] = {
        {.view = &view, .sampler = &sampler},
        {0},
        {.ptr = (uint8_t *)fetched, .size_B = sizeof(fetched)},
    };
    struct rp_kernel *kernel = kernel_load("level", cpu_flags);
    for (uint32_t from = 0; from < 256; from += 16) {
        for (uint32_t level = 0; level < 2; level++) {
            memset(fetched, 0, sizeof(fetched));
            const struct grid grid = {1, 1, 1, {level, from}};
            kernel_run(kernel, items, &grid);
            for (uint32_t i = 0; i < 256; i++)
                REQUIRE(fetched[i] == (i < from ? 0.0f : level ? 200.0f : 100.0f));
        }
    }
    rp_kernel_destroy(kernel);
}

int
main(int argc, char **argv)
{
    const uint32_t step = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1;
    REQUIRE(step > 0);
    static const uint32_t sizes[][3] = {{16, 16, 0}, {16, 16, 1}, {32, 4, 1}, {64, 1, 1},
                                        {8, 8, 1},   {4, 2, 0},   {64, 1, 0}};
    static const VkSpecializationMapEntry entries[3] = {{0, 0, 4}, {1, 4, 4}, {2, 8, 4}};
    for (uint32_t i = 0; i < ISA_COUNT * (sizeof(sizes) / sizeof(sizes[0])); i++) {
        const uint32_t *size = sizes[i / ISA_COUNT];
        const VkSpecializationInfo constants = {3, entries, sizeof(sizes[0]), size};
        struct rp_kernel *kernel =
            kernel_load_specialized("image_rows", isa_flags[i % ISA_COUNT], &constants);
        struct rp_kernel *uint_kernel =
            kernel_load_specialized("image_rows_uint", isa_flags[i % ISA_COUNT], &constants);
        for (uint32_t k = i % step; k < sizeof(kinds) / sizeof(kinds[0]); k += step) {
            struct test t = {.kind = &kinds[k],
                             .mode = {VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                      VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE},
                             .kernel = is_float(&kinds[k]) ? kernel : uint_kernel,
                             .push = {.width = GRID_WIDTH}};
            fill(&kinds[k]);
            check_places(&t, size);
            if (is_float(&kinds[k]))
                check_samples(&t, size);
            if (is_float(&kinds[k]) && i < ISA_COUNT)
                check_samples_of(&t, size, 16, 12); /* a power of two repeats another way */
        }
        rp_kernel_destroy(kernel);
        rp_kernel_destroy(uint_kernel);
    }
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        fetches_keep_their_level(isa_flags[isa]);
    return 0;
}

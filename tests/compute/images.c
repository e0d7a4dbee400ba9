/* SPDX-License-Identifier: MIT */
/* Fetches, samples, loads and stores of 2D images against the same in C, for the formats that have
 * short cuts and one that has none, on each instruction set.
 */
#include "harness.h"

#include <math.h>

#define WIDTH 83u
#define HEIGHT 29u
#define TEXELS (WIDTH * HEIGHT)
#define ROW_B (WIDTH * 16 + 32)
#define TOLERANCE 2e-5f

enum operation {
    FETCH_ROW,
    FETCH,
    SAMPLE,
    SAMPLE_ROW,
    LOAD_ROW,
    LOAD,
    STORE,
    STORE_OUTSIDE,
    GATHER
};

struct kind {
    VkFormat format;
    uint32_t texel_B;
    uint32_t component_count;
    bool is_float; /* else 8-bit UNORM */
    bool is_bgra;
};

static const struct kind kinds[] = {
    {VK_FORMAT_R8_UNORM, 1, 1, false, false},
    {VK_FORMAT_R8G8_UNORM, 2, 2, false, false},
    {VK_FORMAT_R8G8B8A8_UNORM, 4, 4, false, false},
    {VK_FORMAT_B8G8R8A8_UNORM, 4, 4, false, true},
    {VK_FORMAT_R32_SFLOAT, 4, 1, true, false},
    {VK_FORMAT_R32G32B32A32_SFLOAT, 16, 4, true, false},
};

static uint8_t image[HEIGHT * ROW_B];
static uint8_t before[sizeof(image)];
static float result[TEXELS][4];

static uint32_t
hash(uint32_t i)
{
    uint32_t x = i * 2654435761u + 17;
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ x << 5;
}

static void
image_fill(const struct kind *kind)
{
    uint64_t state = 5;
    for (size_t i = 0; i < sizeof(image); i++)
        image[i] = (uint8_t)test_random(&state);
    for (size_t i = 0; kind->is_float && i < sizeof(image); i += 4) {
        const float value = (float)(test_random(&state) % 1000) * 0.001f;
        memcpy(image + i, &value, 4);
    }
    memcpy(before, image, sizeof(image));
}

/* Components that the format has not are 0, alpha is 1. */
static void
texel_read(const struct kind *kind, uint32_t x, uint32_t y, float out[4])
{
    const uint8_t *texel = before + y * ROW_B + x * kind->texel_B;
    out[0] = out[1] = out[2] = 0;
    out[3] = 1;
    for (uint32_t i = 0; i < kind->component_count; i++) {
        const uint32_t to = kind->is_bgra && i < 3 ? 2 - i : i;
        if (kind->is_float)
            memcpy(&out[to], texel + 4 * (size_t)i, 4);
        else
            out[to] = (float)texel[i] / 255.0f;
    }
}

static int32_t
floor_mod(int32_t x, int32_t n)
{
    return (x % n + n) % n;
}

/* The texel that an address mode takes; -1: the border. */
static int32_t
wrap(int32_t x, uint32_t size, VkSamplerAddressMode mode)
{
    const int32_t n = (int32_t)size;
    const int32_t clamped = x < 0 ? 0 : x >= n ? n - 1 : x;
    switch ((int)mode) {
    case VK_SAMPLER_ADDRESS_MODE_REPEAT:
        return floor_mod(x, n);
    case VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT: {
        const int32_t m = floor_mod(x, 2 * n);
        return m < n ? m : 2 * n - 1 - m;
    }
    case VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER:
        return x == clamped ? x : -1;
    default:
        return clamped;
    }
}

static void
texel_wrapped(const struct kind *kind, const struct rp_sampler_state *sampler, int32_t x, int32_t y,
              float out[4])
{
    const int32_t tx = wrap(x, WIDTH, sampler->address_mode[0]);
    const int32_t ty = wrap(y, HEIGHT, sampler->address_mode[1]);
    if (tx >= 0 && ty >= 0)
        texel_read(kind, (uint32_t)tx, (uint32_t)ty, out);
    else
        memset(out, 0, 4 * sizeof(float)); /* transparent black, then the format's alpha */
    if ((tx < 0 || ty < 0) && kind->component_count < 4)
        out[3] = 1;
}

static void
sample(const struct kind *kind, const struct rp_sampler_state *sampler, float u, float v,
       float out[4])
{
    if (sampler->mag_filter == VK_FILTER_NEAREST) {
        texel_wrapped(kind, sampler, (int32_t)floorf(u * WIDTH), (int32_t)floorf(v * HEIGHT), out);
        return;
    }
    const float x = u * WIDTH - 0.5f;
    const float y = v * HEIGHT - 0.5f;
    const float fx = x - floorf(x);
    const float fy = y - floorf(y);
    float t[4][4];
    for (int i = 0; i < 4; i++)
        texel_wrapped(kind, sampler, (int32_t)floorf(x) + (i & 1), (int32_t)floorf(y) + (i >> 1),
                      t[i]);
    for (int i = 0; i < 4; i++) {
        const float top = t[0][i] * (1 - fx) + t[1][i] * fx;
        const float bottom = t[2][i] * (1 - fx) + t[3][i] * fx;
        out[i] = top * (1 - fy) + bottom * fy;
    }
}

/* Counter-clockwise from the lower left, as OpImageGather has it. */
static void
gather(const struct kind *kind, const struct rp_sampler_state *sampler, float u, float v,
       float out[4])
{
    static const int32_t offset[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    const int32_t x = (int32_t)floorf(u * WIDTH - 0.5f);
    const int32_t y = (int32_t)floorf(v * HEIGHT - 0.5f);
    for (int i = 0; i < 4; i++) {
        float texel[4];
        texel_wrapped(kind, sampler, x + offset[i][0], y + offset[i][1], texel);
        out[i] = texel[0];
    }
}

static void
expect(const struct kind *kind, const struct rp_sampler_state *sampler, enum operation operation,
       uint32_t i, float out[4])
{
    const uint32_t h = hash(i);
    const float u = (float)(h & 0x3ff) * (2.0f / 1024.0f) - 0.5f;
    const float v = (float)(h >> 10 & 0x3ff) * (2.0f / 1024.0f) - 0.5f;
    switch (operation) {
    case FETCH_ROW:
    case LOAD_ROW:
        texel_read(kind, i % WIDTH, i / WIDTH, out);
        break;
    case FETCH:
    case LOAD:
        texel_read(kind, h % WIDTH, (h >> 10) % HEIGHT, out);
        break;
    case SAMPLE:
        sample(kind, sampler, u, v, out);
        break;
    case SAMPLE_ROW:
        sample(kind, sampler, ((float)(i % WIDTH) + 0.25f) / WIDTH,
               ((float)(i / WIDTH) + 0.25f) / HEIGHT, out);
        break;
    default:
        gather(kind, sampler, u, v, out);
        break;
    }
}

static void
run(struct rp_kernel *kernel, const struct kind *kind, const struct rp_sampler_state *sampler,
    enum operation operation)
{
    const struct rp_texture_level level = {
        .data = image,
        .width_px = WIDTH,
        .height_px = HEIGHT,
        .depth_px = 1,
        .row_B = ROW_B,
        .slice_B = sizeof(image),
        .layer_B = sizeof(image),
    };
    const struct rp_texture view = {
        .type = VK_IMAGE_VIEW_TYPE_2D,
        .format = kind->format,
        .plane_count = 1,
        .level_count = 1,
        .layer_count = 1,
        .sample_count = 1,
        .levels = &level,
    };
    const struct rp_descriptor items[BINDING_COUNT] = {
        {.view = &view, .sampler = sampler},
        {.view = &view},
        {.ptr = (uint8_t *)result, .size_B = sizeof(result)},
    };
    const struct grid grid = {(TEXELS + 63) / 64, 1, 2, {(uint32_t)operation, WIDTH, HEIGHT}};
    memset(result, 0x5a, sizeof(result));
    kernel_run(kernel, items, &grid);
}

static void
reads_are_right(struct rp_kernel *kernel, const struct kind *kind,
                const struct rp_sampler_state *sampler, enum operation operation)
{
    run(kernel, kind, sampler, operation);
    REQUIRE_BYTES(image, before, sizeof(image));
    for (uint32_t i = 0; i < TEXELS; i++) {
        float expected[4];
        expect(kind, sampler, operation, i, expected);
        for (uint32_t k = 0; k < 4; k++) {
            if (fabsf(result[i][k] - expected[k]) <= TOLERANCE)
                continue;
            (void)fprintf(
                stderr,
                "format %d, operation %d, filter %d, mode %d: texel %u [%u] is %g, not %g\n",
                kind->format, operation, sampler->mag_filter, sampler->address_mode[0], i, k,
                (double)result[i][k], (double)expected[k]);
            exit(1);
        }
    }
}

static void
stores_are_right(struct rp_kernel *kernel, const struct kind *kind,
                 const struct rp_sampler_state *sampler)
{
    run(kernel, kind, sampler, STORE);
    for (uint32_t i = 0; i < TEXELS; i++) {
        uint8_t *texel = before + i / WIDTH * ROW_B + i % WIDTH * kind->texel_B;
        for (uint32_t k = 0; k < kind->component_count; k++) {
            const uint32_t from = kind->is_bgra && k < 3 ? 2 - k : k;
            const uint32_t byte = hash(i) >> 8 * from & 255;
            const float value = (float)byte / 255.0f;
            if (kind->is_float)
                memcpy(texel + 4 * (size_t)k, &value, 4);
            else
                texel[k] = (uint8_t)byte;
        }
    }
    REQUIRE_BYTES(image, before, sizeof(image)); /* the rest of each row too */

    run(kernel, kind, sampler, STORE_OUTSIDE);
    for (uint32_t y = 0; y < HEIGHT; y++)
        memset(before + y * ROW_B + (WIDTH - 3) * kind->texel_B, 0, 3 * (size_t)kind->texel_B);
    REQUIRE_BYTES(image, before, sizeof(image));
}

static void
every_sampler(struct rp_kernel *kernel, const struct kind *kind)
{
    static const VkSamplerAddressMode modes[] = {
        VK_SAMPLER_ADDRESS_MODE_REPEAT, VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT,
        VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER};
    for (uint32_t i = 0; i < 8; i++) {
        const VkFilter filter = i & 1 ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
        const struct rp_sampler_state sampler = {
            .mag_filter = filter,
            .min_filter = filter,
            .address_mode = {modes[i / 2], modes[i / 2], modes[i / 2]},
            .max_lod = 1,
        };
        reads_are_right(kernel, kind, &sampler, SAMPLE);
        reads_are_right(kernel, kind, &sampler, SAMPLE_ROW);
        reads_are_right(kernel, kind, &sampler, GATHER);
    }
}

int
main(void)
{
    static const struct rp_sampler_state plain;
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++) {
        struct rp_kernel *kernel = kernel_load("texels", isa_flags[isa]);
        for (uint32_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
            image_fill(&kinds[i]);
            reads_are_right(kernel, &kinds[i], &plain, FETCH_ROW);
            reads_are_right(kernel, &kinds[i], &plain, FETCH);
            reads_are_right(kernel, &kinds[i], &plain, LOAD_ROW);
            reads_are_right(kernel, &kinds[i], &plain, LOAD);
            every_sampler(kernel, &kinds[i]);
            stores_are_right(kernel, &kinds[i], &plain);
        }
        rp_kernel_destroy(kernel);
    }
    return 0;
}

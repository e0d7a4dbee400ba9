/* SPDX-License-Identifier: MIT */
/* Layers of arrays, slices of volumes and texel buffers by the short cuts of each instruction set,
 * every bit as the texture unit gives it for one lane after the other.
 *
 * usage: image_pictures [STEP]
 *   STEP   every which format of a kernel is tried, others with each kernel (default 1: all)
 */
#include "compute/image/image.h"
#include "harness.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#define WIDTH 13
#define HEIGHT 7
#define DEPTH 4 /* layers or slices */
#define TEXELS (WIDTH * HEIGHT * DEPTH)
#define MAX_TEXEL_B 16
#define GRID_WIDTH 16
#define GRID_HEIGHT 8
#define MAX_LANES (GRID_WIDTH * GRID_HEIGHT * 8)
#define LAYERS 12u /* that are asked for */
#define EDGE VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE
#define REPEAT VK_SAMPLER_ADDRESS_MODE_REPEAT
#define BORDER VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER

/* As the kernel numbers them. */
enum operation {
    LOAD_ARRAY,
    LOAD_VOLUME,
    LOAD_BUFFER,
    LOAD_ARRAY_AT,
    LOAD_VOLUME_AT,
    LOAD_BUFFER_AT,
    STORE_ARRAY,
    STORE_VOLUME,
    STORE_BUFFER,
    FETCH_ARRAY,
    FETCH_BUFFER,
    FETCH_BUFFER_AT,
    SAMPLE_ARRAY,
    SAMPLE_VOLUME,
    GATHER_RED,
    GATHER_GREEN,
    GATHER_ALPHA,
    OPERATION_COUNT,
};

struct push {
    int32_t first[4];
    int32_t size[2];
    int32_t operation;
    int32_t skips;
};

static const struct format {
    VkFormat format;
    uint32_t texel_B;
    bool is_float; /* to the shader */
} formats[] = {
    {VK_FORMAT_R8_UNORM, 1, true},
    {VK_FORMAT_R8G8_UNORM, 2, true},
    {VK_FORMAT_R8G8B8A8_UNORM, 4, true},
    {VK_FORMAT_B8G8R8A8_UNORM, 4, true},
    {VK_FORMAT_R16_UNORM, 2, true},
    {VK_FORMAT_R16G16_UINT, 4, false},
    {VK_FORMAT_R32_UINT, 4, false},
    {VK_FORMAT_R32_SFLOAT, 4, true},
    {VK_FORMAT_R16G16B16A16_SFLOAT, 8, true},
    {VK_FORMAT_R32G32_SFLOAT, 8, true},
    {VK_FORMAT_R32G32B32A32_SFLOAT, 16, true},
    {VK_FORMAT_R32G32B32A32_UINT, 16, false},
    {VK_FORMAT_R16G16_UNORM, 4, true},
    {VK_FORMAT_R16G16B16A16_UNORM, 8, true},
    {VK_FORMAT_R16_SFLOAT, 2, true},
    {VK_FORMAT_R8_SNORM, 1, true},
    {VK_FORMAT_R8G8_SNORM, 2, true},
    {VK_FORMAT_R8G8B8A8_SNORM, 4, true},
    {VK_FORMAT_R8G8B8A8_SRGB, 4, true},
    {VK_FORMAT_B8G8R8A8_SRGB, 4, true},
    {VK_FORMAT_A2B10G10R10_UNORM_PACK32, 4, true},
    {VK_FORMAT_B10G11R11_UFLOAT_PACK32, 4, true},
    {VK_FORMAT_A2R10G10B10_UNORM_PACK32, 4, true},
    {VK_FORMAT_A2B10G10R10_UINT_PACK32, 4, false},
    {VK_FORMAT_R16_SINT, 2, false},
    {VK_FORMAT_R16G16B16A16_UINT, 8, false},
    {VK_FORMAT_R16G16B16A16_SINT, 8, false},
    {VK_FORMAT_R32G32_UINT, 8, false},
};

struct test {
    const struct format *format;
    const struct rp_kernel *kernel;
    const uint32_t *local;
    VkFilter filter;
    VkFilter min_filter; /* which the sampler's bias asks for */
    VkSamplerAddressMode mode[3];
    bool is_short; /* a texel buffer with a byte less than one texel */
    struct push push;
};

static uint32_t values[MAX_LANES][4], expected[MAX_LANES][4];
static int32_t places[MAX_LANES][4];
static uint32_t coordinates[3][MAX_LANES];
static uint16_t mask[MAX_LANES / 16];
static uint64_t random_state = 11;

static bool
is_buffer(int32_t operation)
{
    return operation == LOAD_BUFFER || operation == LOAD_BUFFER_AT || operation == STORE_BUFFER ||
           operation == FETCH_BUFFER || operation == FETCH_BUFFER_AT;
}

static bool
is_store(int32_t operation)
{
    return operation >= STORE_ARRAY && operation <= STORE_BUFFER;
}

static bool
is_volume(int32_t operation)
{
    return operation == LOAD_VOLUME || operation == LOAD_VOLUME_AT || operation == STORE_VOLUME ||
           operation == SAMPLE_VOLUME;
}

static bool
is_sample(int32_t operation)
{
    return operation >= SAMPLE_ARRAY;
}

static bool
has_places(int32_t operation)
{
    return (operation >= LOAD_ARRAY_AT && operation <= LOAD_BUFFER_AT) ||
           operation == FETCH_BUFFER_AT || is_sample(operation);
}

/* Words whose halves, bytes and floats are all finite and of moderate size. */
static void
fill(uint8_t *image, uint32_t size_B)
{
    for (uint32_t i = 0; i < size_B; i += 4) {
        const uint32_t word = (uint32_t)test_random(&random_state) & 0xbfffbfff;
        memcpy(image + i, &word, 4);
    }
}

/* A coordinate that is a number of no texel, or none at all. */
static int32_t
far_place(uint64_t word, bool is_float)
{
    static const float floats[] = {NAN,     INFINITY, -INFINITY, FLT_MAX, -FLT_MAX, 1.0e9f,
                                   -1.0e9f, 7.7e7f,   -7.7e7f,   0x1p31f, -0.0f,    1.0e-42f};
    static const int32_t numbers[] = {INT32_MIN,      INT32_MAX,      -1,      1 << 30, -(1 << 30),
                                      INT32_MIN + 16, INT32_MAX - 15, 1 << 28, 1 << 16};
    if (is_float)
        return (int32_t)bits_of(floats[word % (sizeof(floats) / sizeof(floats[0]))]);
    return numbers[word % (sizeof(numbers) / sizeof(numbers[0]))];
}

/* Some inside, some not; the third coordinate is the same for all of two rows of 8, or of none. */
static void
fill_places(int32_t operation, bool is_mixed)
{
    static const float layers[] = {0.0f,  1.0f, 0.5f, 1.5f,     2.49f,     3.0f,
                                   17.0f, NAN,  2.0f, INFINITY, -INFINITY, -2.0f};
    for (uint32_t k = 0; k < MAX_LANES; k++) {
        const uint32_t word = (uint32_t)test_random(&random_state);
        const uint32_t x = k % GRID_WIDTH, y = k / GRID_WIDTH;
        const uint32_t third = is_mixed ? word >> 28 : (x / 8 + y / 2 * 3) % LAYERS;
        const bool is_dense = y % 4 < 2;
        places[k][0] = is_dense ? (int32_t)x : (int32_t)(word % (WIDTH + 4)) - 2;
        places[k][1] = is_dense ? (int32_t)y % 5 : (int32_t)(word >> 8) % (HEIGHT + 4) - 2;
        places[k][2] = (int32_t)third - 1;
        places[k][3] = is_dense ? (int32_t)k : (int32_t)(word % (TEXELS + 40)) - 20;
        if (is_sample(operation)) {
            const float at[3] = {(float)places[k][0] / WIDTH + 0.013f,
                                 (float)places[k][1] / HEIGHT + (is_dense ? 0.1f : 0.0f),
                                 layers[third % LAYERS] / (is_volume(operation) ? DEPTH : 1)};
            memcpy(places[k], at, sizeof(at));
        }
        if (!is_dense && k % 5 == 1)
            places[k][word >> 16 & 1] = far_place(word >> 20, is_sample(operation));
        if (!is_dense && k % 7 == 3)
            places[k][3] = far_place(word >> 20, false);
    }
}

static void
fill_coordinates(const struct test *t)
{
    const struct push *p = &t->push;
    memset(mask, 0, sizeof(mask));
    for (int32_t k = 0; k < MAX_LANES; k++) {
        const int32_t x = k % GRID_WIDTH, y = k / GRID_WIDTH % GRID_HEIGHT;
        const int32_t z = k / (GRID_WIDTH * GRID_HEIGHT);
        const int32_t line[3] = {p->first[0] + (is_buffer(p->operation) ? k : x), p->first[1] + y,
                                 p->first[2] + z};
        for (uint32_t i = 0; i < 3; i++)
            coordinates[i][k] = (uint32_t)(has_places(p->operation) ? places[k][i] : line[i]);
        if (is_buffer(p->operation) && has_places(p->operation))
            coordinates[0][k] = (uint32_t)places[k][3];
        if (!p->skips || (x + y) % 3 != 1)
            mask[k / 16] |= (uint16_t)(1u << k % 16);
    }
}

/* What the texture unit gives, lane by lane. */
static void
expect(const struct test *t, const struct rp_descriptor *desc, uint32_t lanes)
{
    static uint32_t columns[4][MAX_LANES];
    const int32_t operation = t->push.operation;
    const struct rp_image_shape shape = {
        .dim = is_buffer(operation)   ? RP_DIM_BUFFER
               : is_volume(operation) ? RP_DIM_3D
                                      : RP_DIM_2D,
        .is_arrayed = !is_buffer(operation) && !is_volume(operation),
    };
    const struct rp_image_args args = {.coord = {coordinates[0], coordinates[1], coordinates[2]}};
    uint32_t *const out[4] = {columns[0], columns[1], columns[2], columns[3]};
    const uint32_t *const in[4] = {columns[0], columns[1], columns[2], columns[3]};
    fill_coordinates(t);
    for (uint32_t i = 0; i < 4 * lanes; i++)
        columns[i % 4][i / 4] = expected[i / 4][i % 4];
    if (is_store(operation))
        rp_image_write(&shape, desc, &args, lanes, mask, in, NULL);
    else if (operation >= GATHER_RED)
        rp_image_gather(&shape, desc->view, desc->sampler, &args,
                        operation == GATHER_ALPHA ? 3 : (uint32_t)(operation - GATHER_RED), lanes,
                        mask, out);
    else if (is_sample(operation))
        rp_image_sample(&shape, desc->view, desc->sampler, &args, lanes, mask, out);
    else
        rp_image_read(&shape, desc, &args, operation >= FETCH_ARRAY, lanes, mask, out);
    for (uint32_t i = 0; i < 4 * lanes; i++)
        expected[i / 4][i % 4] = columns[i % 4][i / 4];
}

/* Alpha that a format does not have is 1 in a sample, too, whatever the weights sum up to. */
static bool
is_missing_alpha(const struct test *t, uint32_t component, uint32_t word)
{
    const VkFormat format = t->format->format;
    const bool has_alpha =
        format == VK_FORMAT_R8G8B8A8_SRGB || format == VK_FORMAT_B8G8R8A8_SRGB ||
        format == VK_FORMAT_A2B10G10R10_UNORM_PACK32 ||
        format == VK_FORMAT_A2R10G10B10_UNORM_PACK32 || format == VK_FORMAT_R16G16B16A16_UNORM ||
        format == VK_FORMAT_R8G8B8A8_UNORM || format == VK_FORMAT_B8G8R8A8_UNORM ||
        format == VK_FORMAT_R8G8B8A8_SNORM || format == VK_FORMAT_R16G16B16A16_SFLOAT ||
        format == VK_FORMAT_R32G32B32A32_SFLOAT;
    return is_sample(t->push.operation) && t->push.operation < GATHER_RED && component == 3 &&
           !has_alpha && word == bits_of(1.0f);
}

static void
require_alike(const struct test *t)
{
    for (uint32_t i = 0; i < MAX_LANES * 4; i++) {
        const uint32_t is = values[i / 4][i % 4];
        if (is == expected[i / 4][i % 4] || is_missing_alpha(t, i % 4, is) ||
            (is_sample(t->push.operation) && isnan(float_of(is)) &&
             isnan(float_of(expected[i / 4][i % 4])))) /* which of several */
            continue;
        (void)fprintf(stderr,
                      "format %d, operation %d, groups of %u * %u * %u: [%u][%u] is %08x, "
                      "not %08x\n",
                      t->format->format, t->push.operation, t->local[0], t->local[1], t->local[2],
                      i / 4, i % 4, is, expected[i / 4][i % 4]);
        exit(1);
    }
}

static void
check(struct test *t)
{
    const uint32_t texel_B = t->format->texel_B, size_B = TEXELS * texel_B;
    const bool has_slices = is_volume(t->push.operation);
    uint8_t *image = malloc(size_B), *copy = malloc(size_B); /* as small as can be */
    REQUIRE(image && copy);
    struct rp_texture_level levels[2] = {
        {
            .data = image,
            .width_px = WIDTH,
            .height_px = HEIGHT,
            .depth_px = has_slices ? DEPTH : 1,
            .row_B = (size_t)WIDTH * texel_B,
            .slice_B = has_slices ? (size_t)WIDTH * HEIGHT * texel_B : 0,
            .layer_B = has_slices ? 0 : (size_t)WIDTH * HEIGHT * texel_B,
        },
        {.data = image,
         .width_px = 1,
         .height_px = 1,
         .depth_px = 1,
         .row_B = texel_B}, /* not shown */
    };
    const struct rp_texture view = {
        .type = has_slices ? VK_IMAGE_VIEW_TYPE_3D : VK_IMAGE_VIEW_TYPE_2D_ARRAY,
        .format = t->format->format,
        .plane_count = 1,
        .level_count = 1,
        .layer_count = has_slices ? 1 : DEPTH,
        .sample_count = 1,
        .levels = levels,
    };
    const struct rp_sampler_state sampler = {
        .mag_filter = t->filter,
        .min_filter = t->min_filter,
        .mip_lod_bias = 1.0f,
        .max_lod = 1.0f,
        .address_mode = {t->mode[0], t->mode[1], t->mode[2]},
        .border_color.float32 = {0.1f, 0.2f, 0.3f, 0.4f},
    };
    struct rp_descriptor desc = {.view = &view, .sampler = &sampler};
    if (is_buffer(t->push.operation))
        desc = (struct rp_descriptor){
            .ptr = image, .size_B = t->is_short ? texel_B - 1 : size_B, .format = view.format};
    const struct rp_descriptor items[BINDING_COUNT] = {
        desc,
        desc,
        {.ptr = (uint8_t *)values, .size_B = sizeof(values)},
        {.ptr = (uint8_t *)places, .size_B = sizeof(places)},
    };
    struct grid grid = {GRID_WIDTH / t->local[0], GRID_HEIGHT / t->local[1], 1, {0}};
    memcpy(grid.push, &t->push, sizeof(t->push));
    fill(image, size_B);
    fill((uint8_t *)values, sizeof(values));
    memcpy(copy, image, size_B);
    memcpy(expected, values, sizeof(values));

    kernel_run(t->kernel, items, &grid);
    levels[0].data = copy;
    if (is_buffer(t->push.operation))
        desc.ptr = copy;
    expect(t, &desc, GRID_WIDTH * GRID_HEIGHT * t->local[2]);
    require_alike(t);
    REQUIRE_BYTES(image, copy, size_B);
    free(image);
    free(copy);
}

static void
check_samples(struct test *t, bool is_mixed)
{
    static const VkSamplerAddressMode modes[][3] = {
        {EDGE, EDGE, EDGE},     {REPEAT, REPEAT, REPEAT}, {BORDER, BORDER, BORDER},
        {BORDER, REPEAT, EDGE}, {EDGE, BORDER, REPEAT},   {REPEAT, EDGE, BORDER}};
    fill_places(t->push.operation, is_mixed);
    const uint32_t step = t->push.operation >= GATHER_RED ? 2 : 1; /* no filter */
    const uint32_t mode_count = sizeof(modes) / sizeof(modes[0]);
    for (uint32_t k = 0; k <= 2 * mode_count; k += step) {
        t->filter = k % 2 ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
        t->min_filter = k == 2 * mode_count ? VK_FILTER_LINEAR : t->filter;
        memcpy(t->mode, modes[k / 2 % mode_count], sizeof(t->mode));
        check(t);
    }
}

/* All lanes are outside. */
static void
check_short_buffers(struct test *t)
{
    struct push *p = &t->push;
    t->is_short = true;
    for (p->operation = 0; p->operation < SAMPLE_ARRAY; p->operation++)
        if (is_buffer(p->operation))
            check(t);
    t->is_short = false;
}

static void
check_operations(struct test *t)
{
    static const int32_t first[][3] = {
        {0, 0, 0}, {-3, 1, 2}, {2, -1, 3}, {INT32_MAX - 2000, 0, -1}};
    struct push *p = &t->push;
    for (uint32_t i = 0; i < sizeof(first) / sizeof(first[0]); i++) {
        memcpy(p->first, first[i], sizeof(first[i]));
        for (p->skips = 0; p->skips < 2; p->skips++) {
            fill_places(0, i == 3);
            for (p->operation = 0; p->operation < SAMPLE_ARRAY; p->operation++)
                check(t);
            if (!t->format->is_float)
                p->operation = GATHER_RED;
            for (; i % 3 == 0 && p->operation < OPERATION_COUNT; p->operation++)
                check_samples(t, i == 3);
        }
    }
}

int
main(int argc, char **argv)
{
    const uint32_t step = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1;
    REQUIRE(step > 0);
    static const uint32_t sizes[][3] = {{8, 8, 1}, {16, 4, 1}, {4, 4, 4}, {8, 2, 8},
                                        {4, 2, 8}, {16, 8, 8}, {2, 2, 1}};
    static const VkSpecializationMapEntry entries[3] = {{0, 0, 4}, {1, 4, 4}, {2, 8, 4}};
    for (uint32_t i = 0; i < ISA_COUNT * (sizeof(sizes) / sizeof(sizes[0])); i++) {
        const uint32_t *size = sizes[i / ISA_COUNT];
        const VkSpecializationInfo constants = {3, entries, sizeof(sizes[0]), size};
        struct rp_kernel *kernel =
            kernel_load_specialized("image_pictures", isa_flags[i % ISA_COUNT], &constants);
        for (uint32_t k = i % step; k < sizeof(formats) / sizeof(formats[0]); k += step) {
            struct test t = {.format = &formats[k],
                             .kernel = kernel,
                             .local = size,
                             .push = {.size = {GRID_WIDTH, GRID_HEIGHT}}};
            check_short_buffers(&t);
            check_operations(&t);
        }
        rp_kernel_destroy(kernel);
    }
    return 0;
}

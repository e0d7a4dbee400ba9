/* SPDX-License-Identifier: MIT */
/* Levels of detail, gradients, comparisons, gathers, volumes and cubes: images whose levels and
 * layers are of one colour, or a slope, so that what is right is a short formula.
 */
#include "harness.h"

#include <math.h>
#include <stdbool.h>

#define LANES 64u
#define LEVELS 3u
#define LAYERS 3u
#define WIDTH 16u
#define HEIGHT 8u
#define TOLERANCE 1e-4f

static float flat[LEVELS][LAYERS][WIDTH * HEIGHT]; /* 10 * level + layer */
static float slope[HEIGHT][WIDTH][2];              /* x, x + 16 * y */
static float volume[4][8][8];                      /* x + 10 * y + 100 * z */
static float faces[6][4][4];                       /* 1 + face */
static float result[LANES][4];

static struct rp_texture_level flat_levels[LEVELS], slope_level, volume_level, face_level;

static void
images_fill(void)
{
    for (uint32_t i = 0; i < LEVELS * LAYERS * WIDTH * HEIGHT; i++) {
        const uint32_t image = i / (WIDTH * HEIGHT);
        flat[image / LAYERS][image % LAYERS][i % (WIDTH * HEIGHT)] =
            (float)(10 * (image / LAYERS) + image % LAYERS);
    }
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        slope[i / WIDTH][i % WIDTH][0] = (float)(i % WIDTH);
        slope[i / WIDTH][i % WIDTH][1] = (float)i;
    }
    for (uint32_t i = 0; i < 8 * 8 * 4; i++)
        volume[i / 64][i / 8 % 8][i % 8] = (float)(i % 8 + 10 * (i / 8 % 8) + 100 * (i / 64));
    for (uint32_t i = 0; i < 6 * 16; i++)
        faces[i / 16][i / 4 % 4][i % 4] = (float)(1 + i / 16);
    for (uint32_t level = 0; level < LEVELS; level++)
        flat_levels[level] = (struct rp_texture_level){.data = (uint8_t *)flat[level],
                                                       .width_px = WIDTH >> level,
                                                       .height_px = HEIGHT >> level,
                                                       .depth_px = 1,
                                                       .row_B = (WIDTH >> level) * 4,
                                                       .slice_B = sizeof(flat[0][0]),
                                                       .layer_B = sizeof(flat[0][0])};
    slope_level = (struct rp_texture_level){.data = (uint8_t *)slope,
                                            .width_px = WIDTH,
                                            .height_px = HEIGHT,
                                            .depth_px = 1,
                                            .row_B = sizeof(slope[0]),
                                            .slice_B = sizeof(slope),
                                            .layer_B = sizeof(slope)};
    volume_level = (struct rp_texture_level){.data = (uint8_t *)volume,
                                             .width_px = 8,
                                             .height_px = 8,
                                             .depth_px = 4,
                                             .row_B = sizeof(volume[0][0]),
                                             .slice_B = sizeof(volume[0]),
                                             .layer_B = sizeof(volume)};
    face_level = (struct rp_texture_level){.data = (uint8_t *)faces,
                                           .width_px = 4,
                                           .height_px = 4,
                                           .depth_px = 1,
                                           .row_B = sizeof(faces[0][0]),
                                           .slice_B = sizeof(faces[0]),
                                           .layer_B = sizeof(faces[0])};
}

static struct rp_texture
view_of(VkImageViewType type, VkFormat format, const struct rp_texture_level *levels,
        uint32_t level_count, uint32_t layer_count)
{
    return (struct rp_texture){.type = type,
                               .format = format,
                               .plane_count = 1,
                               .level_count = level_count,
                               .layer_count = layer_count,
                               .sample_count = 1,
                               .levels = levels};
}

static struct rp_sampler_state
sampler_of(VkFilter filter, VkSamplerMipmapMode mipmap_mode)
{
    const VkSamplerAddressMode repeat = VK_SAMPLER_ADDRESS_MODE_REPEAT;
    return (struct rp_sampler_state){.mag_filter = filter,
                                     .min_filter = filter,
                                     .mipmap_mode = mipmap_mode,
                                     .address_mode = {repeat, repeat, repeat},
                                     .max_lod = 100.0f};
}

static struct rp_kernel *kernel;

static void
run_with(const struct rp_sampler_state *sampler, uint32_t operation, bool is_cube, bool is_empty)
{
    const struct rp_texture views[3] = {
        view_of(VK_IMAGE_VIEW_TYPE_2D_ARRAY, VK_FORMAT_R32_SFLOAT, flat_levels, LEVELS, LAYERS),
        view_of(VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_R32G32_SFLOAT, &slope_level, 1, 1),
        is_cube ? view_of(VK_IMAGE_VIEW_TYPE_CUBE, VK_FORMAT_R32_SFLOAT, &face_level, 1, 6)
                : view_of(VK_IMAGE_VIEW_TYPE_3D, VK_FORMAT_R32_SFLOAT, &volume_level, 1, 1),
    };
    const struct rp_descriptor items[BINDING_COUNT] = {
        {.view = is_empty ? NULL : &views[0], .sampler = sampler},
        {.view = is_empty ? NULL : &views[1], .sampler = sampler},
        {.ptr = (uint8_t *)result, .size_B = sizeof(result)},
        {.view = is_empty ? NULL : &views[2], .sampler = sampler},
    };
    const struct grid grid = {1, 1, 1, {operation}};
    memset(result, 0x5a, sizeof(result));
    kernel_run(kernel, items, &grid);
}

static void
run(const struct rp_sampler_state *sampler, uint32_t operation)
{
    run_with(sampler, operation, operation == 8, false);
}

static void
require(uint32_t lane, uint32_t component, float expected)
{
    const float actual = result[lane][component];
    if (fabsf(actual - expected) <= TOLERANCE)
        return;
    (void)fprintf(stderr, "lane %u [%u] is %g, not %g\n", lane, component, (double)actual,
                  (double)expected);
    exit(1);
}

static float
clamped(float value, float low, float high)
{
    return fminf(fmaxf(value, low), high);
}

static float
layer_of(uint32_t lane)
{
    return clamped(rintf((float)(lane % 7) - 1.3f), 0, LAYERS - 1);
}

/* log2 of the longer side of the footprint of operations 1 and 2. */
static float
footprint_lod(uint32_t lane)
{
    const uint32_t x = lane % 8, y = lane / 8;
    return (float)(x > y ? x : y) * 0.25f - 1.0f;
}

static void
levels_are_mixed_and_clamped(void)
{
    struct rp_sampler_state s = sampler_of(VK_FILTER_LINEAR, VK_SAMPLER_MIPMAP_MODE_LINEAR);
    s.mip_lod_bias = 0.5f;
    s.min_lod = 0.25f;
    s.max_lod = 1.75f;
    run(&s, 0);
    for (uint32_t i = 0; i < LANES; i++)
        require(i, 0, 10 * clamped((float)i * 0.125f - 0.5f, 0.25f, 1.75f) + layer_of(i));
    s = sampler_of(VK_FILTER_NEAREST, VK_SAMPLER_MIPMAP_MODE_NEAREST);
    run(&s, 0);
    for (uint32_t i = 0; i < LANES; i++) {
        const float lod = clamped((float)i * 0.125f - 1.0f, 0, LEVELS - 1);
        require(i, 0, 10 * fmaxf(ceilf(lod + 0.5f) - 1, 0) + layer_of(i));
    }
}

static void
biases_together_have_a_limit(void)
{
    struct rp_sampler_state s = sampler_of(VK_FILTER_NEAREST, VK_SAMPLER_MIPMAP_MODE_LINEAR);
    s.mip_lod_bias = 15.5f; /* and 1 of the shader's: 16 */
    run(&s, 14);
    for (uint32_t i = 0; i < LANES; i++)
        require(i, 0, 11);
}

static void
gradients_choose_the_level(void)
{
    struct rp_sampler_state s = sampler_of(VK_FILTER_NEAREST, VK_SAMPLER_MIPMAP_MODE_LINEAR);
    run(&s, 1);
    for (uint32_t i = 0; i < LANES; i++)
        require(i, 0, 10 * clamped(footprint_lod(i), 0, LEVELS - 1) + layer_of(i));
    s.max_anisotropy = 4;
    run(&s, 1);
    for (uint32_t i = 0; i < LANES; i++) {
        const uint32_t x = i % 8, y = i / 8;
        const float ratio = exp2f(0.25f * fabsf((float)x - (float)y));
        const float probes = fminf(ceilf(ratio - 1e-5f), 4);
        require(i, 0, 10 * clamped(footprint_lod(i) - log2f(probes), 0, LEVELS - 1) + layer_of(i));
    }
}

static bool
compares(VkCompareOp op, float ref, float texel)
{
    switch ((int)op) {
    case VK_COMPARE_OP_NEVER:
        return false;
    case VK_COMPARE_OP_LESS:
        return ref < texel;
    case VK_COMPARE_OP_EQUAL:
        return ref == texel;
    case VK_COMPARE_OP_LESS_OR_EQUAL:
        return ref <= texel;
    case VK_COMPARE_OP_GREATER:
        return ref > texel;
    case VK_COMPARE_OP_NOT_EQUAL:
        return ref != texel;
    case VK_COMPARE_OP_GREATER_OR_EQUAL:
        return ref >= texel;
    default:
        return true;
    }
}

static void
comparisons_are_made_with_the_reference(void)
{
    struct rp_sampler_state s = sampler_of(VK_FILTER_NEAREST, VK_SAMPLER_MIPMAP_MODE_NEAREST);
    s.has_compare = true;
    for (int op = VK_COMPARE_OP_NEVER; op <= VK_COMPARE_OP_ALWAYS; op++) {
        s.compare_op = (VkCompareOp)op;
        run(&s, 2);
        for (uint32_t i = 0; i < LANES; i++) {
            const float lod = clamped(footprint_lod(i), 0, LEVELS - 1);
            const float texel = 10 * fmaxf(ceilf(lod + 0.5f) - 1, 0) + layer_of(i);
            require(i, 0, compares(s.compare_op, (float)i * 0.5f, texel));
        }
    }
    s.compare_op = VK_COMPARE_OP_LESS;
    run(&s, 4);
    for (uint32_t i = 0; i < LANES; i++) {
        static const uint32_t right[4] = {0, 1, 1, 0};
        const float left = floorf(((float)(i % 8 + 3) / 16 + 0.01f) * WIDTH - 0.5f);
        for (uint32_t k = 0; k < 4; k++)
            require(i, k, 5.5f < left + (float)right[k]);
    }
}

/* Column and row of operation 3's and 6's place, in texels. */
static void
place_of(uint32_t lane, float *x, float *y)
{
    *x = ((float)(lane % 8 + 3) / 16 + 0.01f) * WIDTH;
    *y = ((float)(lane / 8 + 2) / 16 + 0.01f) * HEIGHT;
}

static float
wrapped(float x, float size)
{
    return x - size * floorf(x / size);
}

static void
offsets_move_what_is_read(void)
{
    static const float corners[4][2] = {{-1, 0}, {2, 1}, {0, -2}, {3, 3}};
    const struct rp_sampler_state s = sampler_of(VK_FILTER_NEAREST, VK_SAMPLER_MIPMAP_MODE_NEAREST);
    float x, y;
    run(&s, 3);
    for (uint32_t i = 0; i < LANES; i++) {
        place_of(i, &x, &y);
        for (uint32_t k = 0; k < 4; k++)
            require(i, k,
                    wrapped(floorf(x - 0.5f) + corners[k][0], WIDTH) +
                        WIDTH * wrapped(floorf(y - 0.5f) + corners[k][1], HEIGHT));
    }
    run(&s, 6);
    for (uint32_t i = 0; i < LANES; i++) {
        place_of(i, &x, &y);
        require(i, 1, wrapped(floorf(x) + 2, WIDTH) + WIDTH * wrapped(floorf(y) - 1, HEIGHT));
    }
    run(&s, 13);
    for (uint32_t i = 0; i < LANES; i++) {
        place_of(i, &x, &y);
        require(i, 1, wrapped(floorf(x) - 1, WIDTH) + WIDTH * wrapped(floorf(y) + 1, HEIGHT));
    }
}

static void
projection_divides(void)
{
    const struct rp_sampler_state s = sampler_of(VK_FILTER_NEAREST, VK_SAMPLER_MIPMAP_MODE_NEAREST);
    float x, y;
    run(&s, 5);
    for (uint32_t i = 0; i < LANES; i++) {
        place_of(i, &x, &y);
        require(i, 0, floorf(x));
        require(i, 1, floorf(x) + WIDTH * floorf(y));
    }
}

static void
volumes_are_filtered_in_three_directions(void)
{
    const struct rp_sampler_state s = sampler_of(VK_FILTER_LINEAR, VK_SAMPLER_MIPMAP_MODE_NEAREST);
    run(&s, 7);
    for (uint32_t i = 0; i < LANES; i++) {
        const float x = (float)(i % 8) * 0.37f + 0.1f, y = (float)(i / 8) * 0.37f + 0.1f;
        require(i, 0, x + 10 * y + 100 * ((float)(i % 5) * 0.37f + 0.1f));
    }
}

static void
cubes_show_the_face_that_is_looked_at(void)
{
    const struct rp_sampler_state s = sampler_of(VK_FILTER_NEAREST, VK_SAMPLER_MIPMAP_MODE_NEAREST);
    run(&s, 8);
    for (uint32_t i = 0; i < LANES; i++) {
        const float d[3] = {(float)(i % 8) - 3.25f, (float)(i / 8) - 3.5f, (float)(i % 3) - 0.75f};
        uint32_t axis = 2; /* the longest; z, then y before x when they are equal */
        if (fabsf(d[1]) > fabsf(d[2]) && fabsf(d[1]) >= fabsf(d[0]))
            axis = 1;
        else if (fabsf(d[0]) > fabsf(d[2]))
            axis = 0;
        require(i, 0, (float)(1 + 2 * axis + (d[axis] < 0)));
    }
}

/* Neighbours differ by half a texel times 2^(y / 2), and by a jump from one pair to the next. */
static void
derivatives_choose_the_level(void)
{
    struct rp_sampler_state s = sampler_of(VK_FILTER_NEAREST, VK_SAMPLER_MIPMAP_MODE_NEAREST);
    run(&s, 9);
    for (uint32_t i = 0; i < LANES; i++) {
        const float lod = (float)(i / 16) - 1;
        require(i, 1, lod);
        require(i, 0, clamped(lod, 0, LEVELS - 1));
        require(i, 2, LEVELS);
        require(i, 3, LAYERS);
    }
    s.mipmap_mode = VK_SAMPLER_MIPMAP_MODE_LINEAR;
    run(&s, 10);
    for (uint32_t i = 0; i < LANES; i++)
        require(i, 0, 10 * clamped((float)(i / 16) - 0.75f, 0, LEVELS - 1) + 1);
}

static void
sizes_are_those_of_the_level(void)
{
    const struct rp_sampler_state s = sampler_of(VK_FILTER_NEAREST, VK_SAMPLER_MIPMAP_MODE_NEAREST);
    static const float expected[4] = {WIDTH / 2, HEIGHT / 2, LAYERS, 4};
    run(&s, 11);
    for (uint32_t i = 0; i < LANES; i++)
        REQUIRE_BYTES(result[i], expected, sizeof(expected));
}

/* R32 has no third component: it is 0 everywhere. Nothing is there without a view. */
static void
nothing_reads_as_zero(void)
{
    const struct rp_sampler_state s = sampler_of(VK_FILTER_LINEAR, VK_SAMPLER_MIPMAP_MODE_LINEAR);
    static const float zeros[4];
    run(&s, 12);
    for (uint32_t i = 0; i < LANES; i++)
        REQUIRE_BYTES(result[i], zeros, sizeof(zeros));
    for (uint32_t operation = 0; operation < 14; operation++) {
        run_with(&s, operation, operation == 8, true);
        for (uint32_t i = 0; i < LANES; i++)
            REQUIRE_BYTES(result[i], zeros, sizeof(zeros));
    }
}

static void
run_all(uint32_t isa)
{
    kernel = kernel_load("texturing", isa_flags[isa]);
    RUN(levels_are_mixed_and_clamped);
    RUN(biases_together_have_a_limit);
    RUN(gradients_choose_the_level);
    RUN(comparisons_are_made_with_the_reference);
    RUN(offsets_move_what_is_read);
    RUN(projection_divides);
    RUN(volumes_are_filtered_in_three_directions);
    RUN(cubes_show_the_face_that_is_looked_at);
    RUN(derivatives_choose_the_level);
    RUN(sizes_are_those_of_the_level);
    RUN(nothing_reads_as_zero);
    rp_kernel_destroy(kernel);
}

int
main(void)
{
    images_fill();
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        run_all(isa);
    return 0;
}

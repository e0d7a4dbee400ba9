/* SPDX-License-Identifier: MIT */
/* The texture unit against numbers worked out by hand or by plain double arithmetic.
 */
#include "test.h"

#include "compute/image/filter.h"
#include "compute/image/image.h"
#include "compute/image/lanes.h"
#include "compute/image/ycbcr.h"

#include <math.h>
#include <string.h>

#define SIZE 4u

/* A 2D view of bytes of a format, one level. */
struct fixture {
    struct rp_texture_level level;
    struct rp_texture view;
    struct rp_sampler_state sampler;
    uint8_t data[SIZE * SIZE * 6 * 16];
};

static const struct rp_image_shape shape_2d = {.dim = RP_DIM_2D};
static const struct rp_image_shape shape_cube = {.dim = RP_DIM_CUBE};

static void
fixture_init(struct fixture *f, VkFormat format, uint32_t layer_count)
{
    const uint32_t texel_B = rp_texel_codec_get(format).texel_B;
    *f = (struct fixture){
        .level = {.data = f->data,
                  .width_px = SIZE,
                  .height_px = SIZE,
                  .depth_px = 1,
                  .row_B = (size_t)SIZE * texel_B,
                  .slice_B = (size_t)SIZE * SIZE * texel_B,
                  .layer_B = (size_t)SIZE * SIZE * texel_B},
        .view = {.type = VK_IMAGE_VIEW_TYPE_2D,
                 .format = format,
                 .plane_count = 1,
                 .level_count = 1,
                 .layer_count = layer_count,
                 .sample_count = 1,
                 .swizzle = {VK_COMPONENT_SWIZZLE_R, VK_COMPONENT_SWIZZLE_G, VK_COMPONENT_SWIZZLE_B,
                             VK_COMPONENT_SWIZZLE_A}},
        .sampler = {.mag_filter = VK_FILTER_LINEAR,
                    .min_filter = VK_FILTER_LINEAR,
                    .address_mode = {VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                     VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                     VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE},
                    .max_lod = VK_LOD_CLAMP_NONE},
    };
    f->view.levels = &f->level;
}

/* R32_SFLOAT with texel (x, y) = x + 10 y. */
static void
fixture_init_ramp(struct fixture *f)
{
    fixture_init(f, VK_FORMAT_R32_SFLOAT, 1);
    for (uint32_t i = 0; i < SIZE * SIZE; i++) {
        const float value = (float)(i % SIZE + 10 * (i / SIZE));
        memcpy(f->data + 4 * (size_t)i, &value, sizeof(value));
    }
}

static float
sample_at(struct fixture *f, float u, float v)
{
    const uint32_t coord[2] = {rp_float_bits(u), rp_float_bits(v)};
    const struct rp_image_args args = {.coord = {&coord[0], &coord[1]}};
    uint32_t out[4];
    uint32_t *const outs[4] = {&out[0], &out[1], &out[2], &out[3]};
    rp_image_sample(&shape_2d, &f->view, &f->sampler, &args, 1, NULL, outs);
    return rp_bits_float(out[0]);
}

static void
every_texel_survives_a_round_trip(void)
{
    uint32_t count;
    const struct rp_format *all = rp_format_all(&count);
    uint32_t seed = 1;

    for (uint32_t i = 0; i < count; i++) {
        const struct rp_texel_codec codec = rp_texel_codec_get(all[i].vk);
        if (!codec.texel_B || rp_format_is_depth_stencil(&all[i]) || all[i].plane_count > 1 ||
            all[i].has_shared_exponent || all[i].channels[0].bits == 64)
            continue;
        for (uint32_t round = 0; round < 200; round++) {
            uint8_t texel[32], again[32] = {0};
            uint32_t value[4], value2[4];
            for (uint32_t b = 0; b < sizeof(texel); b++)
                texel[b] = (uint8_t)((seed = seed * 1664525 + 1013904223) >> 24);
            codec.decode(codec.fmt, texel, value);
            codec.encode(codec.fmt, again, value);
            codec.decode(codec.fmt, again, value2);
            for (uint32_t c = 0; c < 4; c++)
                REQUIRE(value[c] == value2[c] || isnan(rp_bits_float(value[c])));
        }
    }
}

static void
linear_filters_mix_by_distance(void)
{
    struct fixture f;
    fixture_init_ramp(&f);

    REQUIRE(sample_at(&f, 0.375f, 0.375f) == 11.0f); /* the centre of texel (1, 1) */
    REQUIRE(sample_at(&f, 0.5f, 0.375f) == 11.5f);
    REQUIRE(sample_at(&f, 0.5f, 0.5f) == 16.5f);
    REQUIRE(sample_at(&f, 0.0f, 0.0f) == 0.0f);
    REQUIRE(sample_at(&f, NAN, 0.125f) == 0.0f);
    f.sampler.mag_filter = VK_FILTER_NEAREST;
    REQUIRE(sample_at(&f, 0.49f, 0.51f) == 21.0f);
}

static void
address_modes_wrap(void)
{
    struct fixture f;
    fixture_init_ramp(&f);
    f.sampler.mag_filter = VK_FILTER_NEAREST;
    f.sampler.border_color.float32[0] = -1.0f;

    static const struct {
        VkSamplerAddressMode mode;
        float at[4]; /* texels -1, -2, 4, 6 of the first row */
    } modes[] = {
        {VK_SAMPLER_ADDRESS_MODE_REPEAT, {3, 2, 0, 2}},
        {VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT, {0, 1, 3, 1}},
        {VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, {0, 0, 3, 3}},
        {VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, {-1, -1, -1, -1}},
        {VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE, {0, 1, 3, 3}},
    };
    for (uint32_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
        f.sampler.address_mode[0] = modes[i].mode;
        REQUIRE(sample_at(&f, -0.125f, 0.1f) == modes[i].at[0]);
        REQUIRE(sample_at(&f, -0.375f, 0.1f) == modes[i].at[1]);
        REQUIRE(sample_at(&f, 1.125f, 0.1f) == modes[i].at[2]);
        REQUIRE(sample_at(&f, 1.625f, 0.1f) == modes[i].at[3]);
    }
}

static void
gathers_come_counterclockwise_from_lower_left(void)
{
    struct fixture f;
    fixture_init_ramp(&f);
    const uint32_t coord = rp_float_bits(0.5f);
    const struct rp_image_args args = {.coord = {&coord, &coord}};
    uint32_t out[4];
    uint32_t *const outs[4] = {&out[0], &out[1], &out[2], &out[3]};

    rp_image_gather(&shape_2d, &f.view, &f.sampler, &args, 0, 1, NULL, outs);
    REQUIRE(rp_bits_float(out[0]) == 21.0f);
    REQUIRE(rp_bits_float(out[1]) == 22.0f);
    REQUIRE(rp_bits_float(out[2]) == 12.0f);
    REQUIRE(rp_bits_float(out[3]) == 11.0f);
}

static void
comparisons_are_filtered(void)
{
    struct fixture f;
    fixture_init_ramp(&f);
    f.sampler.compare_op = VK_COMPARE_OP_LESS_OR_EQUAL;
    const uint32_t coord = rp_float_bits(0.5f), ref = rp_float_bits(12.0f);
    const struct rp_image_args args = {.coord = {&coord, &coord}, .dref = &ref};
    uint32_t out[4];
    uint32_t *const outs[4] = {&out[0], NULL, NULL, NULL};

    rp_image_sample(&shape_2d, &f.view, &f.sampler, &args, 1, NULL, outs);
    REQUIRE(rp_bits_float(out[0]) == 0.75f); /* 12, 21 and 22 pass, 11 does not */
}

static void
reads_outside_are_zero_and_writes_are_dropped(void)
{
    struct fixture f;
    fixture_init(&f, VK_FORMAT_R8G8_UNORM, 1);
    const struct rp_descriptor desc = {.view = &f.view}, empty = {0};
    const uint32_t x[4] = {0, SIZE, UINT32_MAX, 1}, y[4] = {0, 0, 0, SIZE};
    const uint32_t one[4] = {0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000};
    const struct rp_image_args args = {.coord = {x, y}};
    const uint32_t *const values[4] = {one, one, one, one};
    uint32_t out[4][4];
    uint32_t *const outs[4] = {out[0], out[1], out[2], out[3]};

    memset(f.data, 7, sizeof(f.data));
    rp_image_write(&shape_2d, &desc, &args, 4, NULL, values, NULL);
    REQUIRE_EQ(f.data[0], 255);
    REQUIRE_EQ(f.data[1], 255);
    for (uint32_t i = 2; i < sizeof(f.data); i++)
        REQUIRE_EQ(f.data[i], 7);
    rp_image_read(&shape_2d, &desc, &args, false, 4, NULL, outs);
    REQUIRE_EQ(out[0][0], 0x3f800000);
    REQUIRE_EQ(out[0][1], 0);
    REQUIRE_EQ(out[3][1], 0x3f800000); /* the format has no alpha */
    rp_image_read(&shape_2d, &empty, &args, false, 4, NULL, outs);
    REQUIRE_EQ(out[3][0], 0);
}

/* Every texel holds a linear function of its centre's direction: filtered across edges it stays
 * close to the function, which a wrong neighbour would not. */
static void
cube_faces_join(void)
{
    struct fixture f;
    fixture_init(&f, VK_FORMAT_R32_SFLOAT, 6);
    f.view.type = VK_IMAGE_VIEW_TYPE_CUBE;
    static const float axes[6][3][3] = {
        {{1, 0, 0}, {0, 0, -1}, {0, -1, 0}}, {{-1, 0, 0}, {0, 0, 1}, {0, -1, 0}},
        {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}},   {{0, -1, 0}, {1, 0, 0}, {0, 0, -1}},
        {{0, 0, 1}, {1, 0, 0}, {0, -1, 0}},  {{0, 0, -1}, {-1, 0, 0}, {0, -1, 0}},
    };
    for (uint32_t i = 0; i < 6 * SIZE * SIZE; i++) {
        const float s = ((float)(i % SIZE) + 0.5f) / SIZE * 2 - 1;
        const float t = ((float)(i / SIZE % SIZE) + 0.5f) / SIZE * 2 - 1;
        const float(*a)[3] = axes[i / SIZE / SIZE];
        const float value = 3 * (a[0][0] + s * a[1][0] + t * a[2][0]) +
                            5 * (a[0][1] + s * a[1][1] + t * a[2][1]) +
                            7 * (a[0][2] + s * a[1][2] + t * a[2][2]);
        memcpy(f.data + 4 * (size_t)i, &value, sizeof(value));
    }
    for (uint32_t face = 0; face < 6; face++)
        for (int32_t i = 0; i < 4 * (int32_t)SIZE; i++) {
            const float along = ((float)(i % (int32_t)SIZE) + 0.5f) / SIZE * 2 - 1;
            const float edge = 0.999f;
            const uint32_t side = (uint32_t)i / SIZE;
            const float s = side == 0 ? edge : side == 1 ? -edge : along;
            const float t = side == 2 ? edge : side == 3 ? -edge : along;
            const float(*a)[3] = axes[face];
            uint32_t r[3], out[4];
            uint32_t *const outs[4] = {&out[0], &out[1], &out[2], &out[3]};
            float expected = 0;
            for (uint32_t c = 0; c < 3; c++) {
                const float value = a[0][c] + s * a[1][c] + t * a[2][c];
                r[c] = rp_float_bits(value);
                expected += (c == 0 ? 3 : c == 1 ? 5 : 7) * value;
            }
            const struct rp_image_args args = {.coord = {&r[0], &r[1], &r[2]}};
            rp_image_sample(&shape_cube, &f.view, &f.sampler, &args, 1, NULL, outs);
            /* Half a texel (0.25) beside the edge on both sides: off by at most that slope. */
            REQUIRE(fabsf(rp_bits_float(out[0]) - expected) < 2.0f);
        }
}

/* VK_EXT_non_seamless_cube_map: at its edges a face knows itself alone. */
static void
cube_faces_can_stand_alone(void)
{
    struct fixture f;
    fixture_init(&f, VK_FORMAT_R32_SFLOAT, 6);
    f.view.type = VK_IMAGE_VIEW_TYPE_CUBE;
    for (uint32_t i = 0; i < 6 * SIZE * SIZE; i++) {
        const float value = (float)(1 + i / (SIZE * SIZE));
        memcpy(f.data + 4 * (size_t)i, &value, sizeof(value));
    }
    const uint32_t r[3] = {rp_float_bits(1.0f), rp_float_bits(0.99f), rp_float_bits(0.0f)};
    const struct rp_image_args args = {.coord = {&r[0], &r[1], &r[2]}};
    uint32_t out[4];
    uint32_t *const outs[4] = {&out[0], &out[1], &out[2], &out[3]};

    rp_image_sample(&shape_cube, &f.view, &f.sampler, &args, 1, NULL, outs);
    REQUIRE(rp_bits_float(out[0]) > 1.5f); /* half of +X (1) and half of +Y (3) */
    f.sampler.is_non_seamless = true;
    rp_image_sample(&shape_cube, &f.view, &f.sampler, &args, 1, NULL, outs);
    REQUIRE(rp_bits_float(out[0]) == 1.0f);
    f.sampler.address_mode[1] = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
    f.sampler.border_color.float32[0] = 100.0f;
    rp_image_sample(&shape_cube, &f.view, &f.sampler, &args, 1, NULL, outs);
    REQUIRE(rp_bits_float(out[0]) > 40.0f);
}

/* VK_EXT_custom_border_color, VK_EXT_border_color_swizzle. */
static void
borders_of_any_colour_are_swizzled_like_texels(void)
{
    struct fixture f;
    fixture_init(&f, VK_FORMAT_R8G8B8A8_UNORM, 1);
    f.sampler.address_mode[0] = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
    f.sampler.border_color = (VkClearColorValue){.float32 = {0.25f, 0.5f, 0.75f, 0.125f}};
    f.view.swizzle = (VkComponentMapping){VK_COMPONENT_SWIZZLE_B, VK_COMPONENT_SWIZZLE_A,
                                          VK_COMPONENT_SWIZZLE_ONE, VK_COMPONENT_SWIZZLE_G};
    const uint32_t coord[2] = {rp_float_bits(-2.0f), rp_float_bits(0.5f)};
    const struct rp_image_args args = {.coord = {&coord[0], &coord[1]}};
    uint32_t out[4];
    uint32_t *const outs[4] = {&out[0], &out[1], &out[2], &out[3]};

    rp_image_sample(&shape_2d, &f.view, &f.sampler, &args, 1, NULL, outs);
    REQUIRE(rp_bits_float(out[0]) == 0.75f);
    REQUIRE(rp_bits_float(out[1]) == 0.125f);
    REQUIRE(rp_bits_float(out[2]) == 1.0f);
    REQUIRE(rp_bits_float(out[3]) == 0.5f);
}

/* Nothing is read beside blocks that hold two texels each, though samplers with a conversion never
 * ask for a border. */
static void
borders_lie_around_packed_chroma(void)
{
    struct fixture f;
    fixture_init(&f, VK_FORMAT_G8B8G8R8_422_UNORM, 1);
    f.level.row_B = SIZE * 2;
    f.sampler.mag_filter = f.sampler.min_filter = VK_FILTER_NEAREST;
    f.sampler.address_mode[0] = f.sampler.address_mode[1] = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
    f.sampler.border_color = (VkClearColorValue){.float32 = {0.25f, 0.25f, 0.25f, 0.25f}};
    memset(f.data, 255, sizeof(f.data));

    REQUIRE(sample_at(&f, 0.5f, 0.5f) == 1.0f);
    REQUIRE(sample_at(&f, 0.5f, -0.5f) == 0.25f);
    REQUIRE(sample_at(&f, 1.5f, 0.5f) == 0.25f);
}

/* VK_EXT_image_view_min_lod, on a view of two levels: 10 everywhere, then 20. */
static void
views_have_a_lowest_level(void)
{
    struct fixture f;
    fixture_init(&f, VK_FORMAT_R32_SFLOAT, 1);
    struct rp_texture_level levels[2] = {f.level, f.level};
    levels[1].data += SIZE * SIZE * 4;
    f.view.levels = levels;
    f.view.level_count = 2;
    f.sampler.mipmap_mode = VK_SAMPLER_MIPMAP_MODE_LINEAR;
    for (uint32_t i = 0; i < 2 * SIZE * SIZE; i++) {
        const float value = i < SIZE * SIZE ? 10.0f : 20.0f;
        memcpy(f.data + 4 * (size_t)i, &value, sizeof(value));
    }
    static const struct {
        float min_lod, sampled, fetched, gathered;
    } rows[4] = {{0, 10, 10, 10}, {0.5f, 15, 10, 10}, {0.75f, 17.5f, 10, 10}, {1, 20, 0, 0}};
    const uint32_t half = rp_float_bits(0.5f), zero = 0, one = 1;
    const struct rp_image_args sample = {.coord = {&half, &half}};
    const struct rp_image_args fetch[2] = {{.coord = {&one, &one}, .lod = &zero},
                                           {.coord = {&one, &one}, .lod = &one}};
    const struct rp_descriptor desc = {.view = &f.view};
    uint32_t out[4];
    uint32_t *const outs[4] = {&out[0], &out[1], &out[2], &out[3]};
    for (uint32_t i = 0; i < 4; i++) {
        f.view.min_lod = rows[i].min_lod;
        rp_image_sample(&shape_2d, &f.view, &f.sampler, &sample, 1, NULL, outs);
        REQUIRE(rp_bits_float(out[0]) == rows[i].sampled);
        rp_image_gather(&shape_2d, &f.view, &f.sampler, &sample, 0, 1, NULL, outs);
        REQUIRE(rp_bits_float(out[0]) == rows[i].gathered);
        rp_image_read(&shape_2d, &desc, &fetch[0], true, 1, NULL, outs);
        REQUIRE(rp_bits_float(out[0]) == rows[i].fetched);
        rp_image_read(&shape_2d, &desc, &fetch[1], true, 1, NULL, outs);
        REQUIRE(rp_bits_float(out[0]) == 20.0f);
    }
}

/* White, and the narrow code of pure red of 8 bits: Y 63, Cb 102, Cr 240 (rounded). A code of 10
 * bits is four times one of 8. */
static void
ycbcr_becomes_rgb(VkFormat format, float unit, float most)
{
    const struct rp_ycbcr narrow709 = {
        .format = format,
        .model = VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_709,
        .range = VK_SAMPLER_YCBCR_RANGE_ITU_NARROW,
    };
    uint32_t white[4] = {rp_float_bits(128 * unit / most), rp_float_bits(235 * unit / most),
                         rp_float_bits(128 * unit / most), rp_float_bits(1.0f)};
    uint32_t red[4] = {rp_float_bits(240 * unit / most), rp_float_bits(63 * unit / most),
                       rp_float_bits(102 * unit / most), rp_float_bits(1.0f)};

    rp_ycbcr_convert(&narrow709, white);
    rp_ycbcr_convert(&narrow709, red);
    for (uint32_t c = 0; c < 4; c++)
        REQUIRE(fabsf(rp_bits_float(white[c]) - 1.0f) < 1e-5f);
    REQUIRE(fabsf(rp_bits_float(red[0]) - 1.0f) < 0.005f);
    REQUIRE(fabsf(rp_bits_float(red[1])) < 0.005f);
    REQUIRE(fabsf(rp_bits_float(red[2])) < 0.005f);
}

/* Of the high bits of words alone: those below are set here and there. */
static void
planes_of_p010_are_sampled_as_rgb(void)
{
    const struct rp_ycbcr full709 = {
        .format = VK_FORMAT_G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16,
        .model = VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_709,
        .range = VK_SAMPLER_YCBCR_RANGE_ITU_FULL,
        .x_offset = VK_CHROMA_LOCATION_MIDPOINT,
        .y_offset = VK_CHROMA_LOCATION_MIDPOINT,
        .components = {VK_COMPONENT_SWIZZLE_R, VK_COMPONENT_SWIZZLE_G, VK_COMPONENT_SWIZZLE_B,
                       VK_COMPONENT_SWIZZLE_A},
    };
    struct fixture f;
    fixture_init(&f, full709.format, 1);
    uint16_t luma[SIZE * SIZE], chroma[SIZE * SIZE / 2];
    for (uint32_t i = 0; i < SIZE * SIZE; i++)
        luma[i] = (uint16_t)(1000u << 6 | i);
    for (uint32_t i = 0; i < SIZE * SIZE / 2; i++)
        chroma[i] = (uint16_t)(512u << 6 | 0x2a);
    struct rp_texture_level levels[2] = {
        {.data = (uint8_t *)luma,
         .width_px = SIZE,
         .height_px = SIZE,
         .depth_px = 1,
         .row_B = SIZE * 2,
         .slice_B = sizeof(luma),
         .layer_B = sizeof(luma)},
        {.data = (uint8_t *)chroma,
         .width_px = SIZE / 2,
         .height_px = SIZE / 2,
         .depth_px = 1,
         .row_B = SIZE * 2,
         .slice_B = sizeof(chroma),
         .layer_B = sizeof(chroma)},
    };
    f.view.levels = levels;
    f.view.plane_count = 2;
    f.sampler.mag_filter = f.sampler.min_filter = VK_FILTER_NEAREST;
    f.sampler.ycbcr = &full709;

    for (uint32_t i = 0; i < SIZE * SIZE; i++) {
        const float u = ((float)(i % SIZE) + 0.5f) / SIZE, v = ((float)(i / SIZE) + 0.5f) / SIZE;
        REQUIRE(fabsf(sample_at(&f, u, v) - 1000.0f / 1023.0f) < 1e-5f);
    }
}

int
main(void)
{
    RUN(every_texel_survives_a_round_trip);
    RUN(linear_filters_mix_by_distance);
    RUN(address_modes_wrap);
    RUN(gathers_come_counterclockwise_from_lower_left);
    RUN(comparisons_are_filtered);
    RUN(reads_outside_are_zero_and_writes_are_dropped);
    RUN(cube_faces_join);
    RUN(cube_faces_can_stand_alone);
    RUN(borders_of_any_colour_are_swizzled_like_texels);
    RUN(borders_lie_around_packed_chroma);
    RUN(views_have_a_lowest_level);
    RUN(ycbcr_becomes_rgb, VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, 1, 255);
    RUN(ycbcr_becomes_rgb, VK_FORMAT_G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16, 4, 1023);
    RUN(planes_of_p010_are_sampled_as_rgb);
    return 0;
}

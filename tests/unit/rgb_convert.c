/* SPDX-License-Identifier: MIT */
/* RGB to Y'CbCr: every model, range and siting, from and to 8 and 10 bits, against the formulas in
 * double precision, and the kernels of each instruction set against the plain ones.
 */
#include "video/rgb/convert.h"
#include "video/rgb/dsp.h"

#include "reelpipe/cpu.h"
#include "test.h"

#include <math.h>
#include <string.h>

#define WIDTH 62u
#define HEIGHT 18u
#define STRIDE (4 * WIDTH + 12)
#define GUARD 0x5a

static uint8_t texels[HEIGHT * STRIDE];

static void
fill_texels(uint32_t seed)
{
    uint32_t state = seed;
    for (uint32_t i = 0; i < sizeof(texels); i++) {
        state = state * 1664525u + 1013904223u;
        texels[i] = seed == 0 ? 255 : (uint8_t)(state >> 24);
    }
}

/* How pixels are laid out in texels, and what they become. */
struct kind {
    bool is_bgra;
    enum rp_rgb_bits bits;
    uint32_t bit_depth; /* of samples */
};

struct output {
    uint16_t luma[HEIGHT][WIDTH + 4];
    uint16_t chroma[HEIGHT / 2][WIDTH + 4];
};

#define OUT_STRIDE (2 * (WIDTH + 4))

/* A sample of a row of an output. */
static uint32_t
sample_at(const uint16_t *row, uint32_t x, uint32_t bit_depth)
{
    if (bit_depth == 8)
        return ((const uint8_t *)row)[x];
    REQUIRE_EQ(row[x] & 63, 0);
    return row[x] >> 6;
}

static void
require_untouched_margin(const uint16_t *row, uint32_t bit_depth)
{
    for (uint32_t x_B = WIDTH * (bit_depth / 8 + (bit_depth > 8)); x_B < OUT_STRIDE; x_B++)
        REQUIRE_EQ(((const uint8_t *)row)[x_B], GUARD);
}

/* Always to WIDTH x HEIGHT. */
static void
convert(const struct rp_rgb_dsp *dsp, const struct rp_rgb_conversion *conversion,
        const struct kind *kind, uint32_t width_px, uint32_t height_px, struct output *out)
{
    static _Alignas(16) uint8_t scratch[4096];
    REQUIRE(rp_rgb_scratch_B(WIDTH) <= sizeof(scratch));
    memset(out, GUARD, sizeof(*out));
    const struct rp_picture dst = {
        .layout = RP_PICTURE_NV12,
        .bit_depth = kind->bit_depth,
        .width_px = WIDTH,
        .height_px = HEIGHT,
        .plane = {{(uint8_t *)out->luma[0], OUT_STRIDE}, {(uint8_t *)out->chroma[0], OUT_STRIDE}},
    };
    rp_rgb_convert(dsp, conversion,
                   &(struct rp_rgb_source){.texels = texels,
                                           .stride_B = STRIDE,
                                           .width_px = width_px,
                                           .height_px = height_px,
                                           .is_bgra = kind->is_bgra,
                                           .bits = kind->bits},
                   &dst, scratch);
    for (uint32_t y = 0; y < HEIGHT; y++) {
        require_untouched_margin(out->luma[y], kind->bit_depth);
        require_untouched_margin(out->chroma[y / 2], kind->bit_depth);
    }
}

/* Component 0 to 2: red, green, blue, 0 to 1, of a pixel or the next one inside. */
static double
rgb_at(int32_t x, int32_t y, uint32_t component, const struct kind *kind)
{
    x = x < 0 ? 0 : x;
    y = y < 0 ? 0 : y;
    uint32_t pixel;
    memcpy(&pixel, texels + (uint32_t)y * STRIDE + 4 * (uint32_t)x, sizeof(pixel));
    const uint32_t place = kind->is_bgra ? 2 - component : component;
    return kind->bits == RP_RGB_8_BITS ? (pixel >> 8 * place & 255) / 255.0
                                       : (pixel >> 10 * place & 1023) / 1023.0;
}

/* Filtered for the chroma sample of the block whose first pixel is (x, y). */
static double
rgb_filtered(int32_t x, int32_t y, uint32_t component, const struct kind *kind,
             const VkVideoEncodeSessionRgbConversionCreateInfoVALVE *info)
{
    const bool cosited_x =
        info->xChromaOffset == VK_VIDEO_ENCODE_RGB_CHROMA_OFFSET_COSITED_EVEN_BIT_VALVE;
    const bool cosited_y =
        info->yChromaOffset == VK_VIDEO_ENCODE_RGB_CHROMA_OFFSET_COSITED_EVEN_BIT_VALVE;
    static const double weights[2][3] = {{0, 0.5, 0.5}, {0.25, 0.5, 0.25}};
    double sum = 0;
    for (int32_t j = -1; j <= 1; j++) {
        for (int32_t i = -1; i <= 1; i++)
            sum += weights[cosited_x][i + 1] * weights[cosited_y][j + 1] *
                   rgb_at(x + i, y + j, component, kind);
    }
    return sum;
}

static void
require_near(uint32_t actual, double expected, uint32_t bit_depth)
{
    const double most = (1u << bit_depth) - 1;
    expected = expected < 0 ? 0 : expected > most ? most : expected;
    /* Rounding, and coefficients of 16 bits. */
    REQUIRE(fabs(actual - expected) < (bit_depth == 8 ? 0.52 : 0.54));
}

static void
check(const VkVideoEncodeSessionRgbConversionCreateInfoVALVE *info, const struct kind *kind,
      const struct output *out)
{
    const bool is_601 = info->rgbModel == VK_VIDEO_ENCODE_RGB_MODEL_CONVERSION_YCBCR_601_BIT_VALVE;
    const bool is_709 = info->rgbModel == VK_VIDEO_ENCODE_RGB_MODEL_CONVERSION_YCBCR_709_BIT_VALVE;
    const bool is_narrow =
        info->rgbRange == VK_VIDEO_ENCODE_RGB_RANGE_COMPRESSION_NARROW_RANGE_BIT_VALVE;
    const double kr = is_601 ? 0.299 : is_709 ? 0.2126 : 0.2627;
    const double kb = is_601 ? 0.114 : is_709 ? 0.0722 : 0.0593;
    const uint32_t depth = kind->bit_depth;
    const double unit = 1u << (depth - 8), all = (1u << depth) - 1;
    for (int32_t y = 0; y < (int32_t)HEIGHT; y++) {
        for (int32_t x = 0; x < (int32_t)WIDTH; x++) {
            const double luma = kr * rgb_at(x, y, 0, kind) + (1 - kr - kb) * rgb_at(x, y, 1, kind) +
                                kb * rgb_at(x, y, 2, kind);
            require_near(sample_at(out->luma[y], (uint32_t)x, depth),
                         is_narrow ? (16 + 219 * luma) * unit : all * luma, depth);
            if (x % 2 || y % 2)
                continue;
            const double r = rgb_filtered(x, y, 0, kind, info);
            const double g = rgb_filtered(x, y, 1, kind, info);
            const double b = rgb_filtered(x, y, 2, kind, info);
            const double mean = kr * r + (1 - kr - kb) * g + kb * b;
            const double scale = is_narrow ? 224 * unit : all;
            const uint16_t *chroma = out->chroma[y / 2];
            require_near(sample_at(chroma, (uint32_t)x, depth),
                         128 * unit + scale * (b - mean) / (2 * (1 - kb)), depth);
            require_near(sample_at(chroma, (uint32_t)x + 1, depth),
                         128 * unit + scale * (r - mean) / (2 * (1 - kr)), depth);
        }
    }
}

static void
all_conversions_follow_their_formulas_on_every_cpu(enum rp_rgb_bits bits, uint32_t bit_depth)
{
    struct rp_rgb_dsp plain, best;
    rp_rgb_dsp_init(&plain, 0);
    rp_rgb_dsp_init(&best, rp_cpu_flags());
    for (uint32_t i = 0; i < 3 * 2 * 4 * 2 * 3; i++) {
        const VkVideoEncodeSessionRgbConversionCreateInfoVALVE info = {
            .rgbModel = (VkVideoEncodeRgbModelConversionFlagBitsVALVE)(4u << i % 3),
            .rgbRange = (VkVideoEncodeRgbRangeCompressionFlagBitsVALVE)(1u << i / 3 % 2),
            .xChromaOffset = (VkVideoEncodeRgbChromaOffsetFlagBitsVALVE)(1u << i / 6 % 2),
            .yChromaOffset = (VkVideoEncodeRgbChromaOffsetFlagBitsVALVE)(1u << i / 12 % 2),
        };
        static struct output out, again;
        struct rp_rgb_conversion conversion;
        const struct kind kind = {i / 24 % 2, bits, bit_depth};
        REQUIRE(rp_rgb_conversion_init(&conversion, &info, bit_depth));
        fill_texels(i / 48);
        convert(&plain, &conversion, &kind, WIDTH, HEIGHT, &out);
        check(&info, &kind, &out);
        convert(&best, &conversion, &kind, WIDTH, HEIGHT, &again);
        REQUIRE(memcmp(&out, &again, sizeof(out)) == 0);
    }
}

/* As an image does in which these texels stand once more. */
static void
an_odd_image_goes_on_as_it_ends(void)
{
    static struct output odd, even;
    struct rp_rgb_dsp dsp;
    rp_rgb_dsp_init(&dsp, rp_cpu_flags());
    for (uint32_t i = 0; i < 4; i++) {
        const VkVideoEncodeSessionRgbConversionCreateInfoVALVE info = {
            .rgbModel = VK_VIDEO_ENCODE_RGB_MODEL_CONVERSION_YCBCR_709_BIT_VALVE,
            .rgbRange = VK_VIDEO_ENCODE_RGB_RANGE_COMPRESSION_FULL_RANGE_BIT_VALVE,
            .xChromaOffset = (VkVideoEncodeRgbChromaOffsetFlagBitsVALVE)(1u << i % 2),
            .yChromaOffset = (VkVideoEncodeRgbChromaOffsetFlagBitsVALVE)(1u << i / 2),
        };
        const struct kind kind = {false, RP_RGB_8_BITS, 8};
        struct rp_rgb_conversion conversion;
        REQUIRE(rp_rgb_conversion_init(&conversion, &info, 8));
        fill_texels(1 + i);
        convert(&dsp, &conversion, &kind, WIDTH - 1, HEIGHT - 1, &odd);
        for (uint32_t y = 0; y < HEIGHT; y++)
            memcpy(&texels[y * STRIDE + 4 * (WIDTH - 1)], &texels[y * STRIDE + 4 * (WIDTH - 2)], 4);
        memcpy(&texels[(HEIGHT - 1) * STRIDE], &texels[(HEIGHT - 2) * STRIDE], 4 * WIDTH);
        convert(&dsp, &conversion, &kind, WIDTH, HEIGHT, &even);
        REQUIRE_BYTES(&odd, &even, sizeof(odd));
    }
}

static void
unknown_conversions_are_refused(void)
{
    struct rp_rgb_conversion conversion;
    REQUIRE(rp_rgb_conversion_init(&conversion, NULL, 8));
    VkVideoEncodeSessionRgbConversionCreateInfoVALVE info = {
        .rgbModel = VK_VIDEO_ENCODE_RGB_MODEL_CONVERSION_RGB_IDENTITY_BIT_VALVE,
        .rgbRange = VK_VIDEO_ENCODE_RGB_RANGE_COMPRESSION_FULL_RANGE_BIT_VALVE,
        .xChromaOffset = VK_VIDEO_ENCODE_RGB_CHROMA_OFFSET_MIDPOINT_BIT_VALVE,
        .yChromaOffset = VK_VIDEO_ENCODE_RGB_CHROMA_OFFSET_MIDPOINT_BIT_VALVE,
    };
    REQUIRE(!rp_rgb_conversion_init(&conversion, &info, 8));
    info.rgbModel = VK_VIDEO_ENCODE_RGB_MODEL_CONVERSION_YCBCR_601_BIT_VALVE;
    info.xChromaOffset = (VkVideoEncodeRgbChromaOffsetFlagBitsVALVE)3;
    REQUIRE(!rp_rgb_conversion_init(&conversion, &info, 8));
}

int
main(void)
{
    RUN(all_conversions_follow_their_formulas_on_every_cpu, RP_RGB_8_BITS, 8);
    RUN(all_conversions_follow_their_formulas_on_every_cpu, RP_RGB_8_BITS, 10);
    RUN(all_conversions_follow_their_formulas_on_every_cpu, RP_RGB_10_BITS, 8);
    RUN(all_conversions_follow_their_formulas_on_every_cpu, RP_RGB_10_BITS, 10);
    RUN(an_odd_image_goes_on_as_it_ends);
    RUN(unknown_conversions_are_refused);
    return 0;
}

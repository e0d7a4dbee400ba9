/* SPDX-License-Identifier: MIT */
/* RGB to Y'CbCr: every model, range and siting against the formulas in double precision, and the
 * kernels of each instruction set against the plain ones.
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

struct output {
    uint8_t luma[HEIGHT][WIDTH + 4];
    uint8_t chroma[HEIGHT / 2][WIDTH + 4];
};

/* Always to WIDTH x HEIGHT. */
static void
convert(const struct rp_rgb_dsp *dsp, const struct rp_rgb_conversion *conversion, bool is_bgra,
        uint32_t width_px, uint32_t height_px, struct output *out)
{
    static _Alignas(16) uint8_t scratch[4096];
    REQUIRE(rp_rgb_scratch_B(WIDTH) <= sizeof(scratch));
    memset(out, GUARD, sizeof(*out));
    const struct rp_picture dst = {
        .layout = RP_PICTURE_NV12,
        .bit_depth = 8,
        .width_px = WIDTH,
        .height_px = HEIGHT,
        .plane = {{out->luma[0], WIDTH + 4}, {out->chroma[0], WIDTH + 4}},
    };
    rp_rgb_convert(dsp, conversion,
                   &(struct rp_rgb_source){.texels = texels,
                                           .stride_B = STRIDE,
                                           .width_px = width_px,
                                           .height_px = height_px,
                                           .is_bgra = is_bgra},
                   &dst, scratch);
    for (uint32_t y = 0; y < HEIGHT; y++) {
        for (uint32_t x = WIDTH; x < WIDTH + 4; x++) {
            REQUIRE_EQ(out->luma[y][x], GUARD);
            REQUIRE_EQ(out->chroma[y / 2][x], GUARD);
        }
    }
}

/* Component 0 to 2: red, green, blue, 0 to 1, of a pixel or the next one inside. */
static double
rgb_at(int32_t x, int32_t y, uint32_t component, bool is_bgra)
{
    x = x < 0 ? 0 : x;
    y = y < 0 ? 0 : y;
    return texels[(uint32_t)y * STRIDE + 4 * (uint32_t)x + (is_bgra ? 2 - component : component)] /
           255.0;
}

/* Filtered for the chroma sample of the block whose first pixel is (x, y). */
static double
rgb_filtered(int32_t x, int32_t y, uint32_t component, bool is_bgra,
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
                   rgb_at(x + i, y + j, component, is_bgra);
    }
    return sum;
}

static void
require_near(uint8_t actual, double expected)
{
    expected = expected < 0 ? 0 : expected > 255 ? 255 : expected;
    REQUIRE(fabs(actual - expected) < 0.52); /* rounding, and coefficients of 16 bits */
}

static void
check(const VkVideoEncodeSessionRgbConversionCreateInfoVALVE *info, bool is_bgra,
      const struct output *out)
{
    const bool is_601 = info->rgbModel == VK_VIDEO_ENCODE_RGB_MODEL_CONVERSION_YCBCR_601_BIT_VALVE;
    const bool is_709 = info->rgbModel == VK_VIDEO_ENCODE_RGB_MODEL_CONVERSION_YCBCR_709_BIT_VALVE;
    const bool is_narrow =
        info->rgbRange == VK_VIDEO_ENCODE_RGB_RANGE_COMPRESSION_NARROW_RANGE_BIT_VALVE;
    const double kr = is_601 ? 0.299 : is_709 ? 0.2126 : 0.2627;
    const double kb = is_601 ? 0.114 : is_709 ? 0.0722 : 0.0593;
    for (int32_t y = 0; y < (int32_t)HEIGHT; y++) {
        for (int32_t x = 0; x < (int32_t)WIDTH; x++) {
            const double luma = kr * rgb_at(x, y, 0, is_bgra) +
                                (1 - kr - kb) * rgb_at(x, y, 1, is_bgra) +
                                kb * rgb_at(x, y, 2, is_bgra);
            require_near(out->luma[y][x], is_narrow ? 16 + 219 * luma : 255 * luma);
            if (x % 2 || y % 2)
                continue;
            const double r = rgb_filtered(x, y, 0, is_bgra, info);
            const double g = rgb_filtered(x, y, 1, is_bgra, info);
            const double b = rgb_filtered(x, y, 2, is_bgra, info);
            const double mean = kr * r + (1 - kr - kb) * g + kb * b;
            const double scale = is_narrow ? 224 : 255;
            require_near(out->chroma[y / 2][x], 128 + scale * (b - mean) / (2 * (1 - kb)));
            require_near(out->chroma[y / 2][x + 1], 128 + scale * (r - mean) / (2 * (1 - kr)));
        }
    }
}

static void
all_conversions_follow_their_formulas_on_every_cpu(void)
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
        REQUIRE(rp_rgb_conversion_init(&conversion, &info));
        fill_texels(i / 48);
        convert(&plain, &conversion, i / 24 % 2, WIDTH, HEIGHT, &out);
        check(&info, i / 24 % 2, &out);
        convert(&best, &conversion, i / 24 % 2, WIDTH, HEIGHT, &again);
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
        struct rp_rgb_conversion conversion;
        REQUIRE(rp_rgb_conversion_init(&conversion, &info));
        fill_texels(1 + i);
        convert(&dsp, &conversion, false, WIDTH - 1, HEIGHT - 1, &odd);
        for (uint32_t y = 0; y < HEIGHT; y++)
            memcpy(&texels[y * STRIDE + 4 * (WIDTH - 1)], &texels[y * STRIDE + 4 * (WIDTH - 2)], 4);
        memcpy(&texels[(HEIGHT - 1) * STRIDE], &texels[(HEIGHT - 2) * STRIDE], 4 * WIDTH);
        convert(&dsp, &conversion, false, WIDTH, HEIGHT, &even);
        REQUIRE_BYTES(&odd, &even, sizeof(odd));
    }
}

static void
unknown_conversions_are_refused(void)
{
    struct rp_rgb_conversion conversion;
    REQUIRE(rp_rgb_conversion_init(&conversion, NULL));
    VkVideoEncodeSessionRgbConversionCreateInfoVALVE info = {
        .rgbModel = VK_VIDEO_ENCODE_RGB_MODEL_CONVERSION_RGB_IDENTITY_BIT_VALVE,
        .rgbRange = VK_VIDEO_ENCODE_RGB_RANGE_COMPRESSION_FULL_RANGE_BIT_VALVE,
        .xChromaOffset = VK_VIDEO_ENCODE_RGB_CHROMA_OFFSET_MIDPOINT_BIT_VALVE,
        .yChromaOffset = VK_VIDEO_ENCODE_RGB_CHROMA_OFFSET_MIDPOINT_BIT_VALVE,
    };
    REQUIRE(!rp_rgb_conversion_init(&conversion, &info));
    info.rgbModel = VK_VIDEO_ENCODE_RGB_MODEL_CONVERSION_YCBCR_601_BIT_VALVE;
    info.xChromaOffset = (VkVideoEncodeRgbChromaOffsetFlagBitsVALVE)3;
    REQUIRE(!rp_rgb_conversion_init(&conversion, &info));
}

int
main(void)
{
    RUN(all_conversions_follow_their_formulas_on_every_cpu);
    RUN(an_odd_image_goes_on_as_it_ends);
    RUN(unknown_conversions_are_refused);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* Matrices, and the walk over the picture, two rows at a time.
 */
#include "video/rgb/convert.h"

#include "util/compiler.h"

#include <string.h>

#define ONE 65536 /* of fixed-point numbers */
#define PIXEL_B 4

/* Rows of sums, each with one more element in front of the picture. */
#define ROW_ELEMENTS(width_px) ((size_t)(width_px) + 16)

struct luma_weights {
    double red;
    double blue;
};

static struct luma_weights
model_weights(VkVideoEncodeRgbModelConversionFlagBitsVALVE model)
{
    if (model == VK_VIDEO_ENCODE_RGB_MODEL_CONVERSION_YCBCR_601_BIT_VALVE)
        return (struct luma_weights){0.299, 0.114};
    if (model == VK_VIDEO_ENCODE_RGB_MODEL_CONVERSION_YCBCR_2020_BIT_VALVE)
        return (struct luma_weights){0.2627, 0.0593};
    return (struct luma_weights){0.2126, 0.0722};
}

static int32_t
to_fixed(double value)
{
    return (int32_t)(value * ONE + (value < 0 ? -0.5 : 0.5));
}

static void
matrix_init(int32_t matrix[3][3], struct luma_weights weights, double luma_scale,
            double chroma_scale)
{
    const double y[3] = {weights.red, 1 - weights.red - weights.blue, weights.blue};
    for (uint32_t i = 0; i < 3; i++) {
        const double cb = ((i == 2) - y[i]) / (2 * (1 - weights.blue));
        const double cr = ((i == 0) - y[i]) / (2 * (1 - weights.red));
        matrix[0][i] = to_fixed(y[i] * luma_scale);
        matrix[1][i] = to_fixed(cb * chroma_scale);
        matrix[2][i] = to_fixed(cr * chroma_scale);
    }
    /* Rounded or not, grey has no colour, and white is as white as can be. */
    matrix[0][1] = to_fixed(luma_scale) - matrix[0][0] - matrix[0][2];
    matrix[1][1] = -matrix[1][0] - matrix[1][2];
    matrix[2][1] = -matrix[2][0] - matrix[2][2];
}

static void
matrices_init(struct rp_rgb_conversion *conversion, struct luma_weights weights, bool is_narrow)
{
    static const double largest[RP_RGB_BITS_COUNT] = {255, 1023}; /* components of RGB */
    const double unit = 1u << (conversion->bit_depth - 8);
    const double all = (1u << conversion->bit_depth) - 1;
    for (uint32_t i = 0; i < RP_RGB_BITS_COUNT; i++)
        matrix_init(conversion->matrix[i], weights, (is_narrow ? 219 * unit : all) / largest[i],
                    (is_narrow ? 224 * unit : all) / largest[i]);
    conversion->luma_offset = is_narrow ? 16 << (conversion->bit_depth - 8) : 0;
}

static bool
is_one_of(uint32_t value, uint32_t mask)
{
    return value && !(value & (value - 1)) && value & mask;
}

bool
rp_rgb_conversion_init(struct rp_rgb_conversion *conversion,
                       const VkVideoEncodeSessionRgbConversionCreateInfoVALVE *info,
                       uint32_t bit_depth)
{
    static const VkVideoEncodeSessionRgbConversionCreateInfoVALVE defaults = {
        .rgbModel = VK_VIDEO_ENCODE_RGB_MODEL_CONVERSION_YCBCR_709_BIT_VALVE,
        .rgbRange = VK_VIDEO_ENCODE_RGB_RANGE_COMPRESSION_NARROW_RANGE_BIT_VALVE,
        .xChromaOffset = VK_VIDEO_ENCODE_RGB_CHROMA_OFFSET_COSITED_EVEN_BIT_VALVE,
        .yChromaOffset = VK_VIDEO_ENCODE_RGB_CHROMA_OFFSET_MIDPOINT_BIT_VALVE,
    };
    if (!info)
        info = &defaults;
    if (!is_one_of(info->rgbModel, RP_RGB_MODELS) || !is_one_of(info->rgbRange, RP_RGB_RANGES) ||
        !is_one_of(info->xChromaOffset, RP_RGB_CHROMA_OFFSETS) ||
        !is_one_of(info->yChromaOffset, RP_RGB_CHROMA_OFFSETS))
        return false;

    *conversion = (struct rp_rgb_conversion){
        .bit_depth = bit_depth,
        .is_cosited_x =
            info->xChromaOffset == VK_VIDEO_ENCODE_RGB_CHROMA_OFFSET_COSITED_EVEN_BIT_VALVE,
        .is_cosited_y =
            info->yChromaOffset == VK_VIDEO_ENCODE_RGB_CHROMA_OFFSET_COSITED_EVEN_BIT_VALVE,
    };
    matrices_init(conversion, model_weights(info->rgbModel),
                  info->rgbRange == VK_VIDEO_ENCODE_RGB_RANGE_COMPRESSION_NARROW_RANGE_BIT_VALVE);
    return true;
}

size_t
rp_rgb_scratch_B(uint32_t width_px)
{
    /* Three rows of sums, and three of pixels. */
    return 3 * ROW_ELEMENTS(width_px) * (sizeof(int32_t) + PIXEL_B);
}

/* A row of the source; copied to room when the picture has a column more than src. */
static const uint8_t *
source_row(const struct rp_rgb_source *src, uint32_t y, uint32_t width_px, uint8_t *room)
{
    const uint8_t *row = src->texels + RP_MIN(y, src->height_px - 1) * src->stride_B;
    if (src->width_px >= width_px)
        return row;
    const size_t last_B = PIXEL_B * (size_t)(src->width_px - 1);
    memcpy(room, row, last_B + PIXEL_B);
    memcpy(room + last_B + PIXEL_B, row + last_B, PIXEL_B);
    return room;
}

static struct rp_rgb_matrix
order_columns(const int32_t matrix[3][3], bool is_bgra)
{
    struct rp_rgb_matrix o;
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t from = is_bgra ? 2 - i : i;
        o.y[i] = matrix[0][from];
        o.cb[i] = matrix[1][from];
        o.cr[i] = matrix[2][from];
    }
    return o;
}

void
rp_rgb_convert(const struct rp_rgb_dsp *dsp, const struct rp_rgb_conversion *conversion,
               const struct rp_rgb_source *src, const struct rp_picture *dst, void *scratch)
{
    const struct rp_rgb_matrix o = order_columns(conversion->matrix[src->bits], src->is_bgra);
    const enum rp_rgb_bits bits = conversion->bit_depth == 8 ? RP_RGB_8_BITS : RP_RGB_10_BITS;
    rp_rgb_luma_fn *const luma_row = dsp->luma[src->bits][bits];
    const size_t row_elements = ROW_ELEMENTS(dst->width_px);
    int32_t *const sums[3] = {
        (int32_t *)scratch + 4,
        (int32_t *)scratch + row_elements + 4,
        (int32_t *)scratch + 2 * row_elements + 4,
    };
    uint8_t *const rooms = (uint8_t *)((int32_t *)scratch + 3 * row_elements);
    const size_t room_B = PIXEL_B * row_elements;
    /* Pixels that a chroma sample is summed up from, as a power of two. */
    const uint32_t log2_count = 2u + conversion->is_cosited_x + conversion->is_cosited_y;

    for (uint32_t y = 0; y < dst->height_px; y += 2) {
        const uint8_t *first = source_row(src, y, dst->width_px, rooms);
        const uint8_t *second = source_row(src, y + 1, dst->width_px, rooms + room_B);
        const uint8_t *above =
            source_row(src, y > 0 ? y - 1 : 0, dst->width_px, rooms + 2 * room_B);
        uint8_t *luma = dst->plane[0].data + y * dst->plane[0].stride_B;
        uint8_t *chroma = dst->plane[1].data + y / 2 * dst->plane[1].stride_B;

        luma_row(&o, conversion->luma_offset, first, luma, dst->width_px);
        luma_row(&o, conversion->luma_offset, second, luma + dst->plane[0].stride_B, dst->width_px);
        dsp->sum[src->bits](conversion->is_cosited_y ? above : first, first, second,
                            conversion->is_cosited_y ? 2 : 0, sums, dst->width_px);
        for (uint32_t i = 0; i < 3; i++)
            sums[i][-1] = sums[i][0]; /* the picture goes on as it ends */
        dsp->chroma[bits](&o, (const int32_t *const *)sums, conversion->is_cosited_x,
                          16 + log2_count, chroma, dst->width_px);
    }
}

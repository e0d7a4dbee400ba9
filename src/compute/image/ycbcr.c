/* SPDX-License-Identifier: MIT */
/* From Y'CbCr to R'G'B' as sampler conversions say.
 */
#include "compute/image/ycbcr.h"

#include "compute/image/lanes.h"
#include "format/format.h"

/* Luma weights of red and blue. */
struct matrix {
    float kr, kb;
};

static struct matrix
matrix_of(VkSamplerYcbcrModelConversion model)
{
    switch ((int)model) {
    case VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_601:
        return (struct matrix){0.299f, 0.114f};
    case VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_2020:
        return (struct matrix){0.2627f, 0.0593f};
    default:
        return (struct matrix){0.2126f, 0.0722f};
    }
}

/* Bits of one component: 8, 10, 12 or 16. */
static uint32_t
component_bits(VkFormat format)
{
    const struct rp_format *fmt = rp_format_get(format);
    if (!fmt)
        return 8;
    const struct rp_format *plane = rp_format_get(fmt->planes[0].format);
    return fmt->channels[0].bits ? fmt->channels[0].bits : plane ? plane->channels[0].bits : 8;
}

void
rp_ycbcr_convert(const struct rp_ycbcr *ycbcr, uint32_t color[4])
{
    uint32_t in[4];
    rp_swizzle_apply(&ycbcr->components, color, false, in);
    memcpy(color, in, sizeof(in));
    if (ycbcr->model == VK_SAMPLER_YCBCR_MODEL_CONVERSION_RGB_IDENTITY)
        return;

    const uint32_t bits = component_bits(ycbcr->format);
    const float most = (float)((1u << bits) - 1);
    const float unit = (float)(1u << (bits - 8));
    const bool is_full = ycbcr->range == VK_SAMPLER_YCBCR_RANGE_ITU_FULL;
    const float y_in = rp_bits_float(in[1]);
    const float zero = 128.0f * unit;
    const float scale = is_full ? most : 224.0f * unit;
    const float y = is_full ? y_in : (y_in * most - 16.0f * unit) / (219.0f * unit);
    const float cb = (rp_bits_float(in[2]) * most - zero) / scale;
    const float cr = (rp_bits_float(in[0]) * most - zero) / scale;

    if (ycbcr->model == VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_IDENTITY) {
        color[0] = rp_float_bits(cr);
        color[1] = rp_float_bits(y);
        color[2] = rp_float_bits(cb);
        return;
    }

    const struct matrix m = matrix_of(ycbcr->model);
    const float kg = 1.0f - m.kr - m.kb;
    const float red = y + 2.0f * (1.0f - m.kr) * cr;
    const float blue = y + 2.0f * (1.0f - m.kb) * cb;
    const float green =
        y - (2.0f * m.kr * (1.0f - m.kr) * cr + 2.0f * m.kb * (1.0f - m.kb) * cb) / kg;
    color[0] = rp_float_bits(red);
    color[1] = rp_float_bits(green);
    color[2] = rp_float_bits(blue);
}

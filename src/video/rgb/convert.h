/* SPDX-License-Identifier: MIT */
/* RGB to Y'CbCr 4:2:0, as VK_VALVE_video_encode_rgb_conversion defines it.
 */
#ifndef RP_VIDEO_RGB_CONVERT_H
#define RP_VIDEO_RGB_CONVERT_H

#include "reelpipe/picture.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rp_rgb_dsp; /* video/rgb/dsp.h */

/* What the capabilities say. */
#define RP_RGB_MODELS \
    (VK_VIDEO_ENCODE_RGB_MODEL_CONVERSION_YCBCR_601_BIT_VALVE | \
     VK_VIDEO_ENCODE_RGB_MODEL_CONVERSION_YCBCR_709_BIT_VALVE | \
     VK_VIDEO_ENCODE_RGB_MODEL_CONVERSION_YCBCR_2020_BIT_VALVE)
#define RP_RGB_RANGES \
    (VK_VIDEO_ENCODE_RGB_RANGE_COMPRESSION_FULL_RANGE_BIT_VALVE | \
     VK_VIDEO_ENCODE_RGB_RANGE_COMPRESSION_NARROW_RANGE_BIT_VALVE)
#define RP_RGB_CHROMA_OFFSETS \
    (VK_VIDEO_ENCODE_RGB_CHROMA_OFFSET_COSITED_EVEN_BIT_VALVE | \
     VK_VIDEO_ENCODE_RGB_CHROMA_OFFSET_MIDPOINT_BIT_VALVE)

struct rp_rgb_conversion {
    /* Of R, G, B, in 1/65536, for Y', Cb and Cr. */
    int32_t matrix[3][3];
    int32_t luma_offset;
    bool is_cosited_x; /* chroma lies on even columns, else between two */
    bool is_cosited_y;
};

/* False when the driver does not have it. info NULL: BT.709, narrow range, chroma as MPEG has
 * it. */
bool rp_rgb_conversion_init(struct rp_rgb_conversion *conversion,
                            const VkVideoEncodeSessionRgbConversionCreateInfoVALVE *info);

/* 8 bits a component, 4 bytes a pixel. */
struct rp_rgb_source {
    const uint8_t *texels; /* NULL: there is none */
    size_t stride_B;
    uint32_t width_px; /* what may be read */
    uint32_t height_px;
    bool is_bgra; /* blue first, else red first */
};

/* Bytes of working memory that a conversion to this width takes. */
size_t rp_rgb_scratch_B(uint32_t width_px);

/* dst: NV12; its extent, which is even, is converted. Of an odd src the last column and row are
 * taken twice, else it has at least as much. scratch: aligned to 16. */
void rp_rgb_convert(const struct rp_rgb_dsp *dsp, const struct rp_rgb_conversion *conversion,
                    const struct rp_rgb_source *src, const struct rp_picture *dst, void *scratch);

#endif

/* SPDX-License-Identifier: MIT */
/* RGB to Y'CbCr 4:2:0, as VK_VALVE_video_encode_rgb_conversion defines it.
 */
#ifndef RP_VIDEO_RGB_CONVERT_H
#define RP_VIDEO_RGB_CONVERT_H

#include "video/rgb/dsp.h"

#include "reelpipe/picture.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
    uint32_t bit_depth; /* of Y'CbCr, 8 or 10 */
    /* The factors of R, G, B, in 1/65536, for Y', Cb and Cr; by the bits of a component of RGB. */
    int32_t matrix[RP_RGB_BITS_COUNT][3][3];
    int32_t luma_offset;
    bool is_cosited_x; /* chroma lies on even columns, else between two */
    bool is_cosited_y;
};

/* The conversion to samples of 8 or 10 bits. False when the driver does not have it. info NULL:
 * BT.709, narrow range, chroma as MPEG has it. */
bool rp_rgb_conversion_init(struct rp_rgb_conversion *conversion,
                            const VkVideoEncodeSessionRgbConversionCreateInfoVALVE *info,
                            uint32_t bit_depth);

/* 4 bytes a pixel, in host byte order. */
struct rp_rgb_source {
    const uint8_t *texels; /* NULL: there is none */
    size_t stride_B;
    uint32_t width_px; /* what may be read */
    uint32_t height_px;
    bool is_bgra;          /* blue has the lowest bits, else red */
    enum rp_rgb_bits bits; /* of a component */
};

/* Bytes of working memory that a conversion to this width takes. */
size_t rp_rgb_scratch_B(uint32_t width_px);

/* dst: NV12 or P010, as bit_depth of the conversion says; its extent, which is even, is converted.
 * Of an odd src the last column and row are taken twice, else it has at least as much. scratch:
 * aligned to 16. */
void rp_rgb_convert(const struct rp_rgb_dsp *dsp, const struct rp_rgb_conversion *conversion,
                    const struct rp_rgb_source *src, const struct rp_picture *dst, void *scratch);

#endif

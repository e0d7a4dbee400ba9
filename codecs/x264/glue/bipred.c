/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x264's averages take weights from -63 to 127; H.264 allows -64 and 128 too.
 */
#include "glue/bipred.h"

static inline void
avg_wide(pixel *dst, intptr_t dst_stride, const pixel *src0, intptr_t stride0, const pixel *src1,
         intptr_t stride1, int weight, int width, int height)
{
    const int w0 = weight == -128 ? 128 : weight;
    const int w1 = 64 - w0;

    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++)
            dst[x] = x264_clip_pixel((src0[x] * w0 + src1[x] * w1 + 32) >> 6);
        dst += dst_stride;
        src0 += stride0;
        src1 += stride1;
    }
}

#define AVG_WIDE(width, height) \
    static void avg_wide_##width##x##height(pixel *dst, intptr_t dst_stride, pixel *src0, \
                                            intptr_t stride0, pixel *src1, intptr_t stride1, \
                                            int weight) \
    { \
        avg_wide(dst, dst_stride, src0, stride0, src1, stride1, weight, width, height); \
    }

AVG_WIDE(16, 16)
AVG_WIDE(16, 8)
AVG_WIDE(8, 16)
AVG_WIDE(8, 8)
AVG_WIDE(8, 4)
AVG_WIDE(4, 16)
AVG_WIDE(4, 8)
AVG_WIDE(4, 4)
AVG_WIDE(4, 2)
AVG_WIDE(2, 8)
AVG_WIDE(2, 4)
AVG_WIDE(2, 2)

const rp_x264_avg_fn rp_x264_wide_avg[12] = {
    [PIXEL_16x16] = avg_wide_16x16, [PIXEL_16x8] = avg_wide_16x8, [PIXEL_8x16] = avg_wide_8x16,
    [PIXEL_8x8] = avg_wide_8x8,     [PIXEL_8x4] = avg_wide_8x4,   [PIXEL_4x16] = avg_wide_4x16,
    [PIXEL_4x8] = avg_wide_4x8,     [PIXEL_4x4] = avg_wide_4x4,   [PIXEL_4x2] = avg_wide_4x2,
    [PIXEL_2x8] = avg_wide_2x8,     [PIXEL_2x4] = avg_wide_2x4,   [PIXEL_2x2] = avg_wide_2x2,
};

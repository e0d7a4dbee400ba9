/* SPDX-License-Identifier: MIT */
/* The kernels in C that compilers make vectors of; included once for each instruction set.
 */
#ifndef RP_VIDEO_RGB_DSP_ROWS_H
#define RP_VIDEO_RGB_DSP_ROWS_H

#include "util/compiler.h"
#include "video/rgb/dsp.h"

static inline void
luma_row(const struct rp_rgb_matrix *matrix, int32_t offset, const uint8_t *src,
         uint8_t *restrict dst, uint32_t width_px)
{
    const uint32_t *restrict pixels = (const uint32_t *)(const void *)src;
    const int32_t c0 = matrix->y[0];
    const int32_t c1 = matrix->y[1];
    const int32_t c2 = matrix->y[2];
    const int32_t bias = (offset << 16) + (1 << 15);
    for (uint32_t x = 0; x < width_px; x++) {
        const int32_t b0 = (int32_t)(pixels[x] & 255);
        const int32_t b1 = (int32_t)(pixels[x] >> 8 & 255);
        const int32_t b2 = (int32_t)(pixels[x] >> 16 & 255);
        dst[x] = (uint8_t)((c0 * b0 + c1 * b1 + c2 * b2 + bias) >> 16);
    }
}

static inline void
sum_rows(const uint8_t *above, const uint8_t *middle, const uint8_t *below, int32_t middle_weight,
         int32_t *const sums[3], uint32_t width_px)
{
    const uint32_t *a = (const uint32_t *)(const void *)above;
    const uint32_t *m = (const uint32_t *)(const void *)middle;
    const uint32_t *b = (const uint32_t *)(const void *)below;
    for (uint32_t i = 0; i < 3; i++) {
        int32_t *restrict out = sums[i];
        const uint32_t shift = 8 * i;
        for (uint32_t x = 0; x < width_px; x++)
            out[x] = (int32_t)(a[x] >> shift & 255) +
                     middle_weight * (int32_t)(m[x] >> shift & 255) +
                     (int32_t)(b[x] >> shift & 255);
    }
}

static inline uint8_t
clamp_sample(int32_t value)
{
    return (uint8_t)RP_MAX(0, RP_MIN(value, 255));
}

static inline void
chroma_row(const struct rp_rgb_matrix *matrix, const int32_t *const sums[3], bool is_cosited,
           uint32_t shift, uint8_t *restrict dst, uint32_t width_px)
{
    const int32_t bias = (128 << shift) + (1 << (shift - 1));
    const int32_t left = is_cosited;
    const int32_t middle = 1 + is_cosited;
    const int32_t *s0 = sums[0];
    const int32_t *s1 = sums[1];
    const int32_t *s2 = sums[2];
    const struct rp_rgb_matrix m = *matrix;
    for (uint32_t i = 0; i < width_px / 2; i++) {
        const ptrdiff_t x = 2 * (ptrdiff_t)i; /* x - 1 is in the row's margin */
        const int32_t f0 = left * s0[x - 1] + middle * s0[x] + s0[x + 1];
        const int32_t f1 = left * s1[x - 1] + middle * s1[x] + s1[x + 1];
        const int32_t f2 = left * s2[x - 1] + middle * s2[x] + s2[x + 1];
        const int32_t cb = (m.cb[0] * f0 + m.cb[1] * f1 + m.cb[2] * f2 + bias) >> shift;
        const int32_t cr = (m.cr[0] * f0 + m.cr[1] * f1 + m.cr[2] * f2 + bias) >> shift;
        dst[x] = clamp_sample(cb);
        dst[x + 1] = clamp_sample(cr);
    }
}

#endif

/* SPDX-License-Identifier: MIT */
/* The kernels in C that compilers make vectors of; included once for each instruction set.
 */
#ifndef RP_VIDEO_RGB_DSP_ROWS_H
#define RP_VIDEO_RGB_DSP_ROWS_H

#include "util/compiler.h"
#include "video/rgb/dsp.h"

/* Bits are constants where these are inlined. */

static inline int32_t
component_of(uint32_t pixel, uint32_t i, uint32_t bits)
{
    return (int32_t)(pixel >> (bits * i) & ((1u << bits) - 1));
}

static inline void
luma_row(const struct rp_rgb_matrix *matrix, int32_t offset, const uint8_t *src, void *restrict dst,
         uint32_t width_px, uint32_t rgb_bits, uint32_t sample_bits)
{
    const uint32_t *restrict pixels = (const uint32_t *)(const void *)src;
    uint8_t *restrict bytes = dst;
    uint16_t *restrict words = dst;
    const int32_t c0 = matrix->y[0];
    const int32_t c1 = matrix->y[1];
    const int32_t c2 = matrix->y[2];
    const int32_t bias = (offset << 16) + (1 << 15);
    for (uint32_t x = 0; x < width_px; x++) {
        const int32_t sample =
            (c0 * component_of(pixels[x], 0, rgb_bits) + c1 * component_of(pixels[x], 1, rgb_bits) +
             c2 * component_of(pixels[x], 2, rgb_bits) + bias) >>
            16;
        if (sample_bits == 8)
            bytes[x] = (uint8_t)sample;
        else
            words[x] = (uint16_t)(sample << (16 - sample_bits));
    }
}

static inline void
sum_rows(const uint8_t *above, const uint8_t *middle, const uint8_t *below, int32_t middle_weight,
         int32_t *const sums[3], uint32_t width_px, uint32_t rgb_bits)
{
    const uint32_t *a = (const uint32_t *)(const void *)above;
    const uint32_t *m = (const uint32_t *)(const void *)middle;
    const uint32_t *b = (const uint32_t *)(const void *)below;
    for (uint32_t i = 0; i < 3; i++) {
        int32_t *restrict out = sums[i];
        for (uint32_t x = 0; x < width_px; x++)
            out[x] = component_of(a[x], i, rgb_bits) +
                     middle_weight * component_of(m[x], i, rgb_bits) +
                     component_of(b[x], i, rgb_bits);
    }
}

static inline int32_t
clamp_sample(int32_t value, uint32_t bits)
{
    return RP_MAX(0, RP_MIN(value, (1 << bits) - 1));
}

/* The sums of all that is added stay below 2^31: each coefficient is at most half of what makes the
 * largest sample of the largest component. */
static inline void
chroma_row(const struct rp_rgb_matrix *matrix, const int32_t *const sums[3], bool is_cosited,
           uint32_t shift, void *restrict dst, uint32_t width_px, uint32_t bits)
{
    const int32_t bias = (1 << (bits - 1) << shift) + (1 << (shift - 1));
    const int32_t left = is_cosited;
    const int32_t middle = 1 + is_cosited;
    const int32_t *s0 = sums[0];
    const int32_t *s1 = sums[1];
    const int32_t *s2 = sums[2];
    const struct rp_rgb_matrix m = *matrix;
    uint8_t *restrict bytes = dst;
    uint16_t *restrict words = dst;
    for (uint32_t i = 0; i < width_px / 2; i++) {
        const ptrdiff_t x = 2 * (ptrdiff_t)i; /* x - 1 is in the row's margin */
        const int32_t f0 = left * s0[x - 1] + middle * s0[x] + s0[x + 1];
        const int32_t f1 = left * s1[x - 1] + middle * s1[x] + s1[x + 1];
        const int32_t f2 = left * s2[x - 1] + middle * s2[x] + s2[x + 1];
        const int32_t cb = (m.cb[0] * f0 + m.cb[1] * f1 + m.cb[2] * f2 + bias) >> shift;
        const int32_t cr = (m.cr[0] * f0 + m.cr[1] * f1 + m.cr[2] * f2 + bias) >> shift;
        if (bits == 8) {
            bytes[x] = (uint8_t)clamp_sample(cb, bits);
            bytes[x + 1] = (uint8_t)clamp_sample(cr, bits);
        } else {
            words[x] = (uint16_t)(clamp_sample(cb, bits) << (16 - bits));
            words[x + 1] = (uint16_t)(clamp_sample(cr, bits) << (16 - bits));
        }
    }
}

#define LUMA_ROW(rgb_bits, sample_bits) \
    static void luma_row_##rgb_bits##_##sample_bits(const struct rp_rgb_matrix *matrix, \
                                                    int32_t offset, const uint8_t *src, void *dst, \
                                                    uint32_t width_px) \
    { \
        luma_row(matrix, offset, src, dst, width_px, rgb_bits, sample_bits); \
    }
LUMA_ROW(8, 8)
LUMA_ROW(8, 10)
LUMA_ROW(10, 8)
LUMA_ROW(10, 10)

#define SUM_ROWS(bits) \
    static void sum_rows_##bits(const uint8_t *above, const uint8_t *middle, const uint8_t *below, \
                                int32_t middle_weight, int32_t *const sums[3], uint32_t width_px) \
    { \
        sum_rows(above, middle, below, middle_weight, sums, width_px, bits); \
    }
SUM_ROWS(8)
SUM_ROWS(10)

#define CHROMA_ROW(bits) \
    static void chroma_row_##bits(const struct rp_rgb_matrix *matrix, \
                                  const int32_t *const sums[3], bool is_cosited, uint32_t shift, \
                                  void *dst, uint32_t width_px) \
    { \
        chroma_row(matrix, sums, is_cosited, shift, dst, width_px, bits); \
    }
CHROMA_ROW(8)
CHROMA_ROW(10)

/* All of them. */
static const struct rp_rgb_dsp dsp_rows = {
    .luma = {{luma_row_8_8, luma_row_8_10}, {luma_row_10_8, luma_row_10_10}},
    .sum = {sum_rows_8, sum_rows_10},
    .chroma = {chroma_row_8, chroma_row_10},
};

#endif

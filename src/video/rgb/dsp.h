/* SPDX-License-Identifier: MIT */
/* Kernels of the RGB conversion, chosen by what the CPU can do. All give the same bytes.
 */
#ifndef RP_VIDEO_RGB_DSP_H
#define RP_VIDEO_RGB_DSP_H

#include <stdbool.h>
#include <stdint.h>

/* Coefficients in 1/65536, in the order of the components of a pixel, from the lowest bits on. */
struct rp_rgb_matrix {
    int32_t y[3];
    int32_t cb[3];
    int32_t cr[3];
};

/* Bits of a component of RGB, or of a sample of Y'CbCr. Pixels of RGB have 32 bits, of which three
 * components are the lowest; samples are bytes, or the high bits of words of 16. */
enum rp_rgb_bits {
    RP_RGB_8_BITS,
    RP_RGB_10_BITS,
    RP_RGB_BITS_COUNT,
};

/* One row of Y'. src is aligned to 4. */
typedef void rp_rgb_luma_fn(const struct rp_rgb_matrix *matrix, int32_t offset, const uint8_t *src,
                            void *dst, uint32_t width_px);

/* above + middle_weight * middle + below, for each of the three components of a pixel. */
typedef void rp_rgb_sum_fn(const uint8_t *above, const uint8_t *middle, const uint8_t *below,
                           int32_t middle_weight, int32_t *const sums[3], uint32_t width_px);

/* One row of Cb and Cr, interleaved, from sums, which have an element before the first. shift: 16
 * and the logarithm of the pixels that go into one sample. width_px is even. */
typedef void rp_rgb_chroma_fn(const struct rp_rgb_matrix *matrix, const int32_t *const sums[3],
                              bool is_cosited, uint32_t shift, void *dst, uint32_t width_px);

struct rp_rgb_dsp {
    rp_rgb_luma_fn *luma[RP_RGB_BITS_COUNT][RP_RGB_BITS_COUNT]; /* [of RGB][of Y'] */
    rp_rgb_sum_fn *sum[RP_RGB_BITS_COUNT];                      /* [of RGB] */
    rp_rgb_chroma_fn *chroma[RP_RGB_BITS_COUNT];                /* [of Cb and Cr] */
};

/* cpu_flags: rp_cpu_flags(). */
void rp_rgb_dsp_init(struct rp_rgb_dsp *dsp, uint32_t cpu_flags);

/* src/video/rgb/dsp_v3.c; does nothing on other architectures. */
void rp_rgb_dsp_init_v3(struct rp_rgb_dsp *dsp);

/* src/video/rgb/dsp_neon.c; likewise. */
void rp_rgb_dsp_init_neon(struct rp_rgb_dsp *dsp);

#endif

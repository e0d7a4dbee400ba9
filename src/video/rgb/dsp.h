/* SPDX-License-Identifier: MIT */
/* Kernels of the RGB conversion, chosen by what the CPU can do. All give the same bytes.
 */
#ifndef RP_VIDEO_RGB_DSP_H
#define RP_VIDEO_RGB_DSP_H

#include <stdbool.h>
#include <stdint.h>

/* Coefficients in 1/65536, in the order of the bytes of a pixel. */
struct rp_rgb_matrix {
    int32_t y[3];
    int32_t cb[3];
    int32_t cr[3];
};

struct rp_rgb_dsp {
    /* One row of Y'. src is aligned to 4. */
    void (*luma)(const struct rp_rgb_matrix *matrix, int32_t offset, const uint8_t *src,
                 uint8_t *dst, uint32_t width_px);

    /* above + middle_weight * middle + below, for each byte of the first three of a pixel. */
    void (*sum)(const uint8_t *above, const uint8_t *middle, const uint8_t *below,
                int32_t middle_weight, int32_t *const sums[3], uint32_t width_px);

    /* One row of Cb and Cr, interleaved, from sums, which have an element before the first. shift:
     * 16 and the logarithm of the pixels that go into one sample. width_px is even. */
    void (*chroma)(const struct rp_rgb_matrix *matrix, const int32_t *const sums[3],
                   bool is_cosited, uint32_t shift, uint8_t *dst, uint32_t width_px);
};

/* cpu_flags: rp_cpu_flags(). */
void rp_rgb_dsp_init(struct rp_rgb_dsp *dsp, uint32_t cpu_flags);

/* src/video/rgb/dsp_v3.c; does nothing on other architectures. */
void rp_rgb_dsp_init_v3(struct rp_rgb_dsp *dsp);

#endif

/* SPDX-License-Identifier: MIT */
/* The kernels of 8 bits for NEON, which takes the components of pixels apart as it loads them; the
 * others compilers make vectors of (video/rgb/dsp_rows.h).
 */
#include "video/rgb/dsp.h"

#if defined(__aarch64__)
#include "video/rgb/dsp_rows.h"

#include <arm_neon.h>

#define PIXELS 16u /* at a time */

/* Four products, added to sums. Coefficients of Y' are below 2^16. */
static inline uint32x4x2_t
products_add(uint32x4x2_t sums, uint8x8_t component, int32_t coefficient)
{
    const uint16x8_t wide = vmovl_u8(component);
    const uint16_t by = (uint16_t)coefficient;
    return (uint32x4x2_t){{vmlal_n_u16(sums.val[0], vget_low_u16(wide), by),
                           vmlal_high_n_u16(sums.val[1], wide, by)}};
}

static inline uint8x8_t
luma_of_eight(const struct rp_rgb_matrix *matrix, uint32x4_t bias, uint8x8_t c0, uint8x8_t c1,
              uint8x8_t c2)
{
    uint32x4x2_t sums = {{bias, bias}};
    sums = products_add(sums, c0, matrix->y[0]);
    sums = products_add(sums, c1, matrix->y[1]);
    sums = products_add(sums, c2, matrix->y[2]);
    return vmovn_u16(vcombine_u16(vshrn_n_u32(sums.val[0], 16), vshrn_n_u32(sums.val[1], 16)));
}

static void
luma_row_neon(const struct rp_rgb_matrix *matrix, int32_t offset, const uint8_t *src, void *dst,
              uint32_t width_px)
{
    const uint32x4_t bias = vdupq_n_u32(((uint32_t)offset << 16) + (1 << 15));
    uint8_t *bytes = dst;
    uint32_t x = 0;
    for (; x + PIXELS <= width_px; x += PIXELS) {
        const uint8x16x4_t p = vld4q_u8(src + 4 * (size_t)x);
        const uint8x8_t low = luma_of_eight(matrix, bias, vget_low_u8(p.val[0]),
                                            vget_low_u8(p.val[1]), vget_low_u8(p.val[2]));
        const uint8x8_t high = luma_of_eight(matrix, bias, vget_high_u8(p.val[0]),
                                             vget_high_u8(p.val[1]), vget_high_u8(p.val[2]));
        vst1q_u8(bytes + x, vcombine_u8(low, high));
    }
    luma_row_8_8(matrix, offset, src + 4 * (size_t)x, bytes + x, width_px - x);
}

/* above + weight * middle + below, of eight. */
static inline void
sums_store(int32_t *out, uint8x8_t above, uint8x8_t middle, uint8x8_t below, uint8x8_t weight)
{
    const uint16x8_t sum = vmlal_u8(vaddl_u8(above, below), middle, weight);
    vst1q_s32(out, vreinterpretq_s32_u32(vmovl_u16(vget_low_u16(sum))));
    vst1q_s32(out + 4, vreinterpretq_s32_u32(vmovl_high_u16(sum)));
}

static void
sum_rows_neon(const uint8_t *above, const uint8_t *middle, const uint8_t *below,
              int32_t middle_weight, int32_t *const sums[3], uint32_t width_px)
{
    const uint8x8_t weight = vdup_n_u8((uint8_t)middle_weight);
    uint32_t x = 0;
    for (; x + PIXELS <= width_px; x += PIXELS) {
        const uint8x16x4_t a = vld4q_u8(above + 4 * (size_t)x);
        const uint8x16x4_t m = vld4q_u8(middle + 4 * (size_t)x);
        const uint8x16x4_t b = vld4q_u8(below + 4 * (size_t)x);
        for (uint32_t i = 0; i < 3; i++) {
            sums_store(sums[i] + x, vget_low_u8(a.val[i]), vget_low_u8(m.val[i]),
                       vget_low_u8(b.val[i]), weight);
            sums_store(sums[i] + x + 8, vget_high_u8(a.val[i]), vget_high_u8(m.val[i]),
                       vget_high_u8(b.val[i]), weight);
        }
    }
    int32_t *const rest[3] = {sums[0] + x, sums[1] + x, sums[2] + x};
    sum_rows_8(above + 4 * (size_t)x, middle + 4 * (size_t)x, below + 4 * (size_t)x, middle_weight,
               rest, width_px - x);
}

void
rp_rgb_dsp_init_neon(struct rp_rgb_dsp *dsp)
{
    *dsp = dsp_rows;
    dsp->luma[RP_RGB_8_BITS][RP_RGB_8_BITS] = luma_row_neon;
    dsp->sum[RP_RGB_8_BITS] = sum_rows_neon;
}
#else
void
rp_rgb_dsp_init_neon(struct rp_rgb_dsp *dsp)
{
    (void)dsp;
}
#endif

/* SPDX-License-Identifier: MIT */
/* Eight samples at a time.
 */
#include "codecs/planes/high_bits.h"

#if defined(__aarch64__)
#include <arm_neon.h>

void
rp_high_bits_write_vectors(const uint16_t *src, uint16_t *dst, uint32_t count, uint32_t shift)
{
    const int16x8_t left = vdupq_n_s16((int16_t)shift);
    for (uintptr_t x = 0; x < count; x += 8)
        vst1q_u16(dst + x, vshlq_u16(vld1q_u16(src + x), left));
}

void
rp_high_bits_interleave_vectors(const uint16_t *u, const uint16_t *v, uint16_t *dst, uint32_t count,
                                uint32_t shift)
{
    const int16x8_t left = vdupq_n_s16((int16_t)shift);
    for (uintptr_t x = 0; x < count; x += 8) {
        const uint16x8x2_t pairs = {
            {vshlq_u16(vld1q_u16(u + x), left), vshlq_u16(vld1q_u16(v + x), left)}};
        vst2q_u16(dst + 2 * x, pairs);
    }
}

void
rp_high_bits_read_vectors(const uint16_t *src, uint16_t *dst, uint32_t count, uint32_t shift)
{
    const int16x8_t right = vdupq_n_s16((int16_t)(0 - (int32_t)shift));
    for (uintptr_t x = 0; x < count; x += 8)
        vst1q_u16(dst + x, vshlq_u16(vld1q_u16(src + x), right));
}

void
rp_high_bits_deinterleave_vectors(const uint16_t *src, uint16_t *u, uint16_t *v, uint32_t count,
                                  uint32_t shift)
{
    const int16x8_t right = vdupq_n_s16((int16_t)(0 - (int32_t)shift));
    for (uintptr_t x = 0; x < count; x += 8) {
        const uint16x8x2_t pairs = vld2q_u16(src + 2 * x);
        vst1q_u16(u + x, vshlq_u16(pairs.val[0], right));
        vst1q_u16(v + x, vshlq_u16(pairs.val[1], right));
    }
}
#endif

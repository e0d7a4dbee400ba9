/* SPDX-License-Identifier: MIT */
/* Rows of samples of 9 to 15 bits in words of 16: codecs have them in the low bits, the images of
 * Vulkan in the high ones (VK_FORMAT_R10X6_UNORM_PACK16 and its like), where the bits below mean
 * nothing: they are written as zeros, and not looked at.
 *
 * What writes images goes past the caches where the processor can, as rp_interleave() does: after
 * the last row rp_interleave_end(). bit_depth: of a sample.
 */
#ifndef RP_CODECS_PLANES_HIGH_BITS_H
#define RP_CODECS_PLANES_HIGH_BITS_H

#include <stdint.h>

/* count samples to an image. */
void rp_high_bits_write(const uint16_t *src, uint16_t *dst, uint32_t count, uint32_t bit_depth);

/* U and V to UV of an image: dst gets count pairs. */
void rp_high_bits_interleave(const uint16_t *u, const uint16_t *v, uint16_t *dst, uint32_t count,
                             uint32_t bit_depth);

/* count samples from an image. */
void rp_high_bits_read(const uint16_t *src, uint16_t *dst, uint32_t count, uint32_t bit_depth);

/* UV of an image, count pairs, to U and V. */
void rp_high_bits_deinterleave(const uint16_t *src, uint16_t *u, uint16_t *v, uint32_t count,
                               uint32_t bit_depth);

/* high_bits_sse2.c or high_bits_neon.c; as above, count a multiple of 8; shift: 16 - bit_depth.
 * SSE2's want images that are written at multiples of 16 bytes. */
void rp_high_bits_write_vectors(const uint16_t *src, uint16_t *dst, uint32_t count, uint32_t shift);
void rp_high_bits_interleave_vectors(const uint16_t *u, const uint16_t *v, uint16_t *dst,
                                     uint32_t count, uint32_t shift);
void rp_high_bits_read_vectors(const uint16_t *src, uint16_t *dst, uint32_t count, uint32_t shift);
void rp_high_bits_deinterleave_vectors(const uint16_t *src, uint16_t *u, uint16_t *v,
                                       uint32_t count, uint32_t shift);

#endif

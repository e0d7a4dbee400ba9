/* SPDX-License-Identifier: MIT */
/* Moves and fills rectangles of bytes: pointers, strides and extents, no Vulkan handle.
 *
 * workers spreads large work over the device's threads; NULL does it here. Source and destination
 * do not overlap.
 */
#ifndef RP_TRANSFER_TRANSFER_H
#define RP_TRANSFER_TRANSFER_H

#include <stddef.h>
#include <stdint.h>

struct rp_workers;

/* Rows in memory: a picture, or slices (of depth or layers) of pictures. */
struct rp_transfer_box {
    uint8_t *data; /* first byte of the first row */
    uint64_t row_stride_B;
    uint64_t slice_stride_B;
};

/* What a copy moves or a fill covers in each box. */
struct rp_transfer_size {
    uint64_t row_B;
    uint32_t row_count;
    uint32_t slice_count;
};

void rp_transfer_copy(struct rp_workers *workers, uint8_t *dst, const uint8_t *src,
                      uint64_t size_B);
void rp_transfer_copy_box(struct rp_workers *workers, const struct rp_transfer_box *dst,
                          const struct rp_transfer_box *src, const struct rp_transfer_size *size);

/* size_B: a multiple of 4. dst: aligned to 4. */
void rp_transfer_fill(struct rp_workers *workers, uint8_t *dst, uint64_t size_B, uint32_t word);

/* Repeats the texel of texel_B (at most 32) bytes along each row; row_B is a multiple of it. */
void rp_transfer_fill_box(struct rp_workers *workers, const struct rp_transfer_box *dst,
                          const struct rp_transfer_size *size, const uint8_t *texel,
                          uint32_t texel_B);

#endif

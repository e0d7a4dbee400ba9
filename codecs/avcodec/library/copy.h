/* SPDX-License-Identifier: MIT */
/* Decoded planes to the application's picture.
 */
#ifndef RP_CODECS_AVCODEC_LIBRARY_COPY_H
#define RP_CODECS_AVCODEC_LIBRARY_COPY_H

#include "codecs/avcodec/library/planes.h"
#include "reelpipe/picture.h"

/* Lines of a frame, counted in each plane. */
struct rp_avcodec_lines {
    uint32_t first; /* 0, or 1: the bottom field */
    uint32_t step;  /* 1, or 2: one field */
};

/* No picture, or one that samples of this depth can be copied to: NV12 or I420 of 8 bits, or
 * P010. */
bool rp_avcodec_output_is_supported(const struct rp_picture *picture, uint32_t bit_depth);

/* Copies luma rows first_row to end_row (even, or the last), of these lines, and their chroma, cut
 * to the extents of both, which have the same bit depth. What was decoded in place is there
 * already. dst without data: nothing. */
void rp_avcodec_copy_rows(const struct rp_avcodec_planes *planes, const struct rp_picture *dst,
                          struct rp_avcodec_lines lines, uint32_t first_row, uint32_t end_row);

#endif

/* SPDX-License-Identifier: MIT */
/* Which coding tree blocks of a picture were decoded.
 *
 * libavcodec says nothing of slices that it could not read to their ends. So each block is marked
 * before: the coding block that is decoded last in it, at the lower right, gets samples that no
 * decoder would write. Deblocking of decoded neighbours changes no more than three samples next to
 * a block's edges, and sample adaptive offsets change a sample by no more than 7 of 8 bits, or 31
 * of
 * 10.
 */
#ifndef RP_CODECS_AVCODEC_H265_MARKS_H
#define RP_CODECS_AVCODEC_H265_MARKS_H

#include <stddef.h>
#include <stdint.h>

struct rp_h265dec_marks {
    uint32_t width_px;
    uint32_t height_px;
    uint32_t ctb_px;
    uint32_t bit_depth; /* 8, or 10 in the low bits of words */
    uint32_t seed;      /* other samples in each picture: pictures predict from each other */
};

/* Marks all blocks of the luma plane. */
void rp_h265dec_marks_set(struct rp_h265dec_marks *marks, uint8_t *luma, size_t stride_B);

/* Returns how many blocks still have their marks; these become grey, their chroma (planes 1 and 2)
 * too. */
uint32_t rp_h265dec_marks_clear(const struct rp_h265dec_marks *marks, uint8_t *const data[3],
                                const size_t stride_B[3]);

#endif

/* SPDX-License-Identifier: MIT */
/* The contract between the video engine and a VP9 picture decoder: what decode.h leaves to the
 * standard. Clauses are those of the VP9 Bitstream & Decoding Process Specification, version 0.6.
 *
 * A decoder has one stream, in the order of its pictures: they hand on probabilities, motion
 * vectors and segments to each other. The engine owns the uncompressed header: it writes each one
 * anew, of what the application says of its picture, and names references by their places among the
 * eight of the stream.
 */
#ifndef REELPIPE_DECODE_VP9_H
#define REELPIPE_DECODE_VP9_H

#include "reelpipe/decode.h"

#include <stddef.h>
#include <stdint.h>

#define RP_VP9_DECODE_MAX_WIDTH_PX 8192
#define RP_VP9_DECODE_MAX_HEIGHT_PX 4352

/* One picture. common.setup_slot is not looked at: the header says which references the picture
 * takes the place of, which it does when the status is OK. When it is not, all are as before;
 * NO_MEMORY: the decoder has been reset.
 *
 * Outputs have the coded extent, or less, odd ones too; they are of 8-bit 4:2:0 or P010, as the
 * stream is. A target is of 8 bits.
 *
 * UNSUPPORTED: pictures other than 4:2:0 of 8 or 10 bits; outputs that are not as said. */
struct rp_vp9_decode_job {
    struct rp_decode_job common; /* first */

    uint32_t width_px;
    uint32_t height_px;
    uint32_t bit_depth; /* 8 or 10 */

    /* uncompressed_header() and trailing_bits() (6.2, 6.1.1). */
    const uint8_t *header;
    size_t header_B;

    /* compressed_header() and decode_tiles(), in the source range, with anything behind them. */
    size_t data_offset_B;
    size_t data_B;
};

static inline const struct rp_vp9_decode_job *
rp_vp9_decode_job_of(const struct rp_decode_job *job)
{
    return (const struct rp_vp9_decode_job *)job;
}

/* NULL when the build or the machine does not have it. Any thread; cheap enough for device
 * enumeration (no library is loaded). */
const struct rp_decode_codec *rp_codec_vp9_decode(void);

#endif

/* SPDX-License-Identifier: MIT */
/* The contract between the video engine and an AV1 picture decoder: what decode.h leaves to the
 * standard. Clauses are those of the AV1 Bitstream & Decoding Process Specification, version 1.0.0
 * with errata 1.
 *
 * The engine owns the syntax: it makes streams of its own of what applications say of their
 * pictures (src/video/av1/private_stream.h), in which each picture is shown at once and named by
 * its place among the eight references of the stream. The decoder decodes these streams.
 */
#ifndef REELPIPE_DECODE_AV1_H
#define REELPIPE_DECODE_AV1_H

#include "reelpipe/decode.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Streams of one decoder: each has a sequence header and eight references. */
#define RP_AV1_DECODE_STREAMS 4

#define RP_AV1_DECODE_MAX_WIDTH_PX 8192
#define RP_AV1_DECODE_MAX_HEIGHT_PX 4352

/* One picture of one stream. common.setup_slot is not looked at: the frame header says which
 * references the picture takes the place of. When the status is neither OK nor DAMAGED those are
 * empty, and all others as before.
 *
 * Outputs are of 8-bit 4:2:0 or P010, and of the bit depth of the stream. A target is of 8 bits.
 *
 * UNSUPPORTED: pictures other than 4:2:0 or monochrome ones (whose chroma is then grey) of 8 or 10
 * bits; outputs that are not as said. */
struct rp_av1_decode_job {
    struct rp_decode_job common; /* first */

    uint32_t stream;         /* below RP_AV1_DECODE_STREAMS */
    bool starts_stream;      /* what was decoded as this stream before is no longer needed */
    bool applies_film_grain; /* to dst alone; else grain parameters in the header are not used */

    /* The stream's sequence header OBU without its OBU header (5.5), each time. */
    const uint8_t *sequence_header;
    size_t sequence_header_B;

    /* What a frame OBU (5.10) begins with: uncompressed_header(), byte_alignment() and, where there
     * are several tiles, tile_start_and_end_present_flag (0) and byte_alignment(). It says that
     * tile sizes have four bytes, and that the picture is shown. */
    const uint8_t *frame_header;
    size_t frame_header_B;

    /* All tiles of the frame, in their order, within the source range. */
    const uint32_t *tile_offsets_B;
    const uint32_t *tile_sizes_B;
    uint32_t tile_count;
};

static inline const struct rp_av1_decode_job *
rp_av1_decode_job_of(const struct rp_decode_job *job)
{
    return (const struct rp_av1_decode_job *)job;
}

/* NULL when the build or the machine does not have it. Any thread; cheap enough for device
 * enumeration (no library is loaded). */
const struct rp_decode_codec *rp_codec_av1_decode(void);

#endif

/* SPDX-License-Identifier: MIT */
/* The contract between the video engine and an H.265 picture decoder: what decode.h leaves to the
 * standard. Clauses are those of Rec. ITU-T H.265 (V9).
 *
 * The engine owns the syntax: it makes streams of its own of what applications say of their
 * pictures (src/video/h265/private_stream.h), in which nothing but a reference picture set ever
 * drops a picture. The decoder decodes these streams.
 */
#ifndef REELPIPE_DECODE_H265_H
#define REELPIPE_DECODE_H265_H

#include "reelpipe/decode.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RP_H265_DECODE_SLOTS 17

/* Streams of one decoder: each has a sequence parameter set and a decoded picture buffer. */
#define RP_H265_DECODE_STREAMS 4

#define RP_H265_DECODE_MAX_WIDTH_PX 8192
#define RP_H265_DECODE_MAX_HEIGHT_PX 4352

/* A slice segment NAL unit, in two pieces. */
struct rp_h265_decode_slice {
    /* Start code, NAL unit header and slice segment header with byte_alignment(), in the byte
     * stream format; it may go on with slice segment data. */
    const uint8_t *header;
    size_t header_B;

    /* The rest, in the source range, with its emulation prevention: it ends before the next start
     * code, or with its size. */
    size_t data_offset_B;
    size_t data_B;
};

/* One picture of one stream. common.setup_slot is not looked at: the slice headers' reference
 * picture sets say which pictures stay. A picture that is not there is replaced by grey: DAMAGED,
 * as when coding tree blocks are missing. FAILED: all pictures are as before. NO_MEMORY: the stream
 * has ended.
 *
 * UNSUPPORTED: pictures that are not 4:2:0 of 8 bits or P010, as the stream says. */
struct rp_h265_decode_job {
    struct rp_decode_job common; /* first */

    uint32_t stream;    /* below RP_H265_DECODE_STREAMS */
    bool starts_stream; /* what was decoded as this stream before is no longer needed */

    /* Properties of the stream, looked at when it starts. */
    uint32_t width_px; /* of luma: pic_width_in_luma_samples */
    uint32_t height_px;
    uint32_t ctb_px;
    uint32_t bit_depth;     /* 8 or 10, of luma and chroma */
    bool has_parallel_rows; /* wavefronts, which several threads may decode */

    /* The NAL units of the video, sequence and picture parameter set in the byte stream format,
     * each time. */
    const uint8_t *parameter_sets;
    size_t parameter_sets_B;

    const struct rp_h265_decode_slice *slices; /* at least one */
    uint32_t slice_count;
};

static inline const struct rp_h265_decode_job *
rp_h265_decode_job_of(const struct rp_decode_job *job)
{
    return (const struct rp_h265_decode_job *)job;
}

/* NULL when the build or the machine does not have it. Any thread; cheap enough for device
 * enumeration (no library is loaded). */
const struct rp_decode_codec *rp_codec_h265_decode(void);

#endif

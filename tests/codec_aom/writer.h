/* SPDX-License-Identifier: MIT */
/* The headers of a stream, by the driver's own syntax (src/video/av1/).
 */
#ifndef RP_TESTS_CODEC_AOM_WRITER_H
#define RP_TESTS_CODEC_AOM_WRITER_H

#include "video/av1/state.h"

#include "reelpipe/encode_av1.h"

#define WRITER_MAX_HEADER_B 1024

struct writer {
    struct rp_av1_state state;
    struct rp_av1_frame frame; /* the last one that was written */
};

void writer_init(struct writer *writer, const StdVideoAV1SequenceHeader *seq);

/* An OBU. Returns its size; data has WRITER_MAX_HEADER_B. */
size_t writer_sequence(const struct writer *writer, uint8_t *data);
size_t writer_show_existing(struct writer *writer, uint32_t index, uint8_t *data);

/* rp_av1_encode_job::write_headers, with a struct writer, whose state stays in front of frame. */
void writer_headers(const void *ctx, const struct rp_av1_coded_picture *coded, size_t tile_group_B,
                    struct rp_bits *bits);

#endif

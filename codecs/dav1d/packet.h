/* SPDX-License-Identifier: MIT */
/* What libdav1d gets for one picture: a sequence header when it has none yet, and one frame OBU.
 */
#ifndef RP_CODECS_DAV1D_PACKET_H
#define RP_CODECS_DAV1D_PACKET_H

#include "reelpipe/decode_av1.h"
#include "util/compiler.h"

/* Kept from picture to picture. */
struct rp_dav1d_packet {
    uint8_t *data;
    size_t size_B;
    size_t capacity_B;
};

void rp_dav1d_packet_finish(struct rp_dav1d_packet *packet);

/* RP_CODEC_OK, NO_MEMORY, or FAILED: a tile is empty or not in the source range, or they overlap.
 * Reads each byte of the source once. */
enum rp_codec_status rp_dav1d_packet_make(struct rp_dav1d_packet *packet,
                                          const struct rp_av1_decode_job *job,
                                          bool has_sequence_header) RP_MUST_CHECK;

#endif

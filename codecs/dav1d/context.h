/* SPDX-License-Identifier: MIT */
/* One instance of libdav1d: it decodes one stream, of which it keeps the references.
 */
#ifndef RP_CODECS_DAV1D_CONTEXT_H
#define RP_CODECS_DAV1D_CONTEXT_H

#include "codecs/dav1d/buffers.h"
#include "codecs/dav1d/library.h"
#include "codecs/dav1d/packet.h"

struct rp_dav1d_context {
    const struct rp_dav1d_library *lib;
    struct Dav1dContext *dav1d;
    bool has_sequence_header;
    struct rp_dav1d_buffers buffers;
};

/* NULL when memory (or a thread) cannot be had. */
struct rp_dav1d_context *rp_dav1d_context_create(const struct rp_dav1d_library *lib,
                                                 uint32_t thread_count);
void rp_dav1d_context_destroy(struct rp_dav1d_context *ctx); /* accepts NULL */

/* Forgets all references, and the sequence header. */
void rp_dav1d_context_reset(struct rp_dav1d_context *ctx);

/* The contract's decode(), of one stream. packet: whose memory is used. */
enum rp_codec_status rp_dav1d_context_decode(struct rp_dav1d_context *ctx,
                                             struct rp_dav1d_packet *packet,
                                             const struct rp_av1_decode_job *job);

#endif

/* SPDX-License-Identifier: MIT */
/* One libavcodec decoder with its pictures: one stream of a session.
 */
#ifndef RP_CODECS_AVCODEC_H265_CONTEXT_H
#define RP_CODECS_AVCODEC_H265_CONTEXT_H

#include "codecs/avcodec/h265/marks.h"
#include "codecs/avcodec/library/instance.h"
#include "codecs/avcodec/library/nal.h"
#include "codecs/avcodec/library/planes.h"
#include "reelpipe/decode_h265.h"

struct rp_h265dec_context {
    struct rp_avcodec_instance instance;
    struct rp_avcodec_plane_pool planes;
    struct rp_h265dec_marks marks;
    struct rp_avcodec_buffer parameter_sets; /* that libavcodec has; empty: none */
    uint64_t last_use;

    /* Of the packet sent last: its picture, then references that were not there. */
    struct rp_avcodec_planes *current;
    uint32_t allocation_count;
    bool is_out_of_memory;
};

/* The contract's layout(). */
void rp_h265dec_layout(uint32_t width_px, uint32_t height_px, struct rp_decode_layout *out);

/* For the stream of the job. NULL: *status_out says why. */
struct rp_h265dec_context *rp_h265dec_context_create(const struct rp_avcodec_library *lib,
                                                     const struct rp_h265_decode_job *job,
                                                     uint32_t thread_count,
                                                     enum rp_codec_status *status_out);
void rp_h265dec_context_destroy(struct rp_h265dec_context *ctx); /* accepts NULL */

/* Forgets all pictures and parameter sets. */
void rp_h265dec_context_reset(struct rp_h265dec_context *ctx);

/* The contract's decode(), of one stream. packet: whose memory is used. */
enum rp_codec_status rp_h265dec_context_decode(struct rp_h265dec_context *ctx,
                                               struct rp_avcodec_buffer *packet,
                                               const struct rp_h265_decode_job *job);

#endif

/* SPDX-License-Identifier: MIT */
/* libavcodec's VP9 decoder with its pictures, which may have several sizes.
 */
#ifndef RP_CODECS_AVCODEC_VP9_CONTEXT_H
#define RP_CODECS_AVCODEC_VP9_CONTEXT_H

#include "codecs/avcodec/library/instance.h"
#include "codecs/avcodec/library/nal.h"
#include "codecs/avcodec/library/planes.h"
#include "reelpipe/decode_vp9.h"

struct rp_vp9dec_pool; /* the planes of one size */

struct rp_vp9dec_context {
    const struct rp_avcodec_library *lib;
    struct rp_avcodec_instance instance;
    bool is_open;                    /* the instance; it is opened again with the next picture */
    struct rp_avcodec_buffer packet; /* what libavcodec gets */
    struct rp_vp9dec_pool *pools;    /* those that have pictures, and the one in use */

    /* Of the packet sent last. */
    struct rp_vp9dec_pool *pool;
    struct rp_avcodec_planes *current; /* its picture; NULL: none was begun */
    bool is_out_of_memory;
};

/* The contract's layout(). */
void rp_vp9dec_layout(uint32_t width_px, uint32_t height_px, struct rp_decode_layout *out);

/* RP_CODEC_OK, or why not; the context is zeroed before, and to be finished in any case. */
enum rp_codec_status rp_vp9dec_context_init(struct rp_vp9dec_context *ctx,
                                            const struct rp_avcodec_library *lib);
void rp_vp9dec_context_finish(struct rp_vp9dec_context *ctx);

/* Forgets all pictures. */
void rp_vp9dec_context_reset(struct rp_vp9dec_context *ctx);

/* The contract's decode(). */
enum rp_codec_status rp_vp9dec_context_decode(struct rp_vp9dec_context *ctx,
                                              const struct rp_vp9_decode_job *job);

#endif

/* SPDX-License-Identifier: MIT */
/* One libavcodec decoder with its pictures: everything of one picture format in a session.
 */
#ifndef RP_CODECS_AVCODEC_H264_CONTEXT_H
#define RP_CODECS_AVCODEC_H264_CONTEXT_H

#include "codecs/avcodec/h264/held.h"
#include "codecs/avcodec/h264/params.h"
#include "codecs/avcodec/library/instance.h"
#include "codecs/avcodec/library/nal.h"
#include "codecs/avcodec/library/planes.h"
#include "reelpipe/codec.h"
#include "reelpipe/decode_h264.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rp_h264dec_context {
    struct rp_avcodec_instance instance;
    struct rp_avcodec_plane_pool planes;
    struct rp_h264dec_format format;

    struct rp_h264dec_dpb dpb;
    uint64_t last_use;
    uint32_t max_num_ref_frames; /* of the picture decoded last */

    /* The parameter sets that libavcodec has; size 0 when they must be sent. */
    uint8_t sps[RP_H264DEC_PARAMS_NAL_B];
    uint8_t pps[RP_H264DEC_PARAMS_NAL_B];
    size_t sps_B;
    size_t pps_B;

    /* Of the frame (both fields) decoded last. */
    struct rp_avcodec_planes *current;
    struct AVFrame *current_frame; /* libavcodec's */

    /* Of the picture to be sent next: where its rows go as they are done, or NULL. rows_done have
     * gone. */
    const struct rp_h264_decode_job *follower;
    uint32_t rows_done;

    /* Of the packet that was begun last. */
    uint32_t allocation_count;
    bool is_out_of_memory;
    int error; /* what libavcodec said of it; negative: wrong */
};

/* The contract's layout(). */
void rp_h264dec_layout(uint32_t width_px, uint32_t height_px, struct rp_decode_layout *out);

/* NULL: *status_out says why. */
struct rp_h264dec_context *rp_h264dec_context_create(const struct rp_avcodec_library *lib,
                                                     const struct rp_h264dec_format *format,
                                                     uint32_t thread_count, uint32_t frame_num_bits,
                                                     enum rp_codec_status *status_out);
void rp_h264dec_context_destroy(struct rp_h264dec_context *ctx); /* accepts NULL */

/* Forgets all references; the next frame_num is 0. */
void rp_h264dec_context_reset(struct rp_h264dec_context *ctx);

/* Appends the parameter sets that libavcodec does not have yet. False when memory is short. */
bool rp_h264dec_context_put_params(struct rp_h264dec_context *ctx,
                                   const StdVideoH264SequenceParameterSet *sps,
                                   const StdVideoH264PictureParameterSet *pps,
                                   struct rp_avcodec_buffer *packet) RP_MUST_CHECK;

/* The next packet's frame goes to the job's target, if that suits. */
void rp_h264dec_context_offer_target(struct rp_h264dec_context *ctx,
                                     const struct rp_h264_decode_job *job);

/* The next packet's rows are copied to the job's pictures as soon as they are done, while they are
 * in the cache: for a frame of one slice, whose rows are done from top to bottom. */
void rp_h264dec_context_follow(struct rp_h264dec_context *ctx,
                               const struct rp_h264_decode_job *job);

/* What has not been copied yet of these fields; all of it when is_damaged: libavcodec conceals at
 * the end. */
void rp_h264dec_context_copy_out(struct rp_h264dec_context *ctx,
                                 const struct rp_h264_decode_job *job, uint32_t fields,
                                 bool is_damaged);

/* Begins a packet: parameter sets and the slices of one frame or field. On OK libavcodec has taken
 * the picture, and what it keeps and drops; ctx->current is where. FAILED and NO_MEMORY: nothing
 * was begun, or, if libavcodec did something else than decoding one picture, the context has been
 * reset. */
enum rp_codec_status rp_h264dec_context_begin(struct rp_h264dec_context *ctx,
                                              struct rp_avcodec_buffer *packet,
                                              bool is_second_field) RP_MUST_CHECK;

/* Then: the picture is complete; OK or DAMAGED. */
enum rp_codec_status rp_h264dec_context_complete(struct rp_h264dec_context *ctx) RP_MUST_CHECK;

#endif

/* SPDX-License-Identifier: MIT */
/* The decoder of one video session: contexts by picture format, and the picture under way.
 */
#ifndef RP_CODECS_AVCODEC_H264_DECODER_H
#define RP_CODECS_AVCODEC_H264_DECODER_H

#include "codecs/avcodec/h264/context.h"
#include "reelpipe/decode_h264.h"

#include <stdbool.h>
#include <stdint.h>

/* Picture formats that a session may alternate between, and how much memory may be kept for those
 * that are not in use. The least recently used go first, with all their pictures.
 *
 * Of one format there are two contexts where 16 references are not enough: an IDR picture may be
 * decoded before the last pictures that precede it in the stream (FFmpeg's frame threads overtake
 * each other), and what these refer to must stay. */
#define RP_H264DEC_CONTEXTS_OF_FORMAT 2
#define RP_H264DEC_MAX_CONTEXTS (4 * RP_H264DEC_CONTEXTS_OF_FORMAT)
#define RP_H264DEC_IDLE_MEMORY_B ((size_t)512 << 20)

#define RP_H264DEC_FRAME_NUM_BITS 16

/* One slice NAL unit inside rp_h264_decoder::nals. */
struct rp_h264dec_unit {
    size_t offset_B;
    size_t size_B;
    bool is_usable; /* its header has been parsed */
};

/* A first field that waits for its second one. */
struct rp_h264dec_first_field {
    struct rp_h264dec_context *ctx; /* NULL: none */
    uint32_t fields;
    uint32_t frame_num; /* the application's */
    bool is_idr;
    int32_t setup_slot;
    const uint8_t *dst;
    bool is_reference;
    uint32_t private_frame_num;
};

struct rp_decoder {
    const struct rp_avcodec_library *lib;
    uint32_t thread_count;
    uint32_t frame_num_bits;
    uint64_t use_count;
    struct rp_h264dec_context *contexts[RP_H264DEC_MAX_CONTEXTS];
    struct rp_h264dec_first_field first_field;

    struct rp_avcodec_buffer nals;   /* RBSPs of the current job */
    struct rp_avcodec_buffer units;  /* struct rp_h264dec_unit */
    struct rp_avcodec_buffer packet; /* what libavcodec gets */
};

/* As the contract's create(); frame_num_bits (5 to 16) makes private numbers wrap early in
 * tests. */
struct rp_decoder *rp_h264_decoder_create(uint32_t thread_count, uint32_t frame_num_bits,
                                          enum rp_codec_status *status_out);
void rp_h264_decoder_destroy(struct rp_decoder *dec);
void rp_h264_decoder_reset(struct rp_decoder *dec);

/* The context of the format for a frame or a first field: where its references are; for an IDR
 * picture one with room, made when there is none. NULL: *status_out says why. */
struct rp_h264dec_context *rp_h264_decoder_context(struct rp_decoder *dec,
                                                   const struct rp_h264dec_format *format,
                                                   const struct rp_h264_decode_job *job,
                                                   enum rp_codec_status *status_out);

/* picture.c: the contract's decode(). */
enum rp_codec_status rp_h264_decoder_decode(struct rp_decoder *dec,
                                            const struct rp_h264_decode_job *job);

#endif

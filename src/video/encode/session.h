/* SPDX-License-Identifier: MIT */
/* What a session of the encode engine keeps between pictures; private to encode/engine.c and h264/.
 */
#ifndef RP_VIDEO_ENCODE_SESSION_H
#define RP_VIDEO_ENCODE_SESSION_H

#include "video/encode/engine.h"
#include "video/h264/idr_ids.h"
#include "video/h264/parameters.h"
#include "video/h264/slice_header.h"
#include "video/rgb/dsp.h"

#include <pthread.h>

/* Rate control of the codec, shared by pictures in flight. */
struct rp_encode_rate {
    struct rp_h264_rate *codec_rate; /* owned */
    uint32_t user_count;             /* pictures in flight, and the session */
};

struct rp_video_encode {
    pthread_mutex_t mutex; /* of all but codec, codec_enc and what concerns RGB */
    pthread_cond_t picture_ended;
    const struct rp_encode_codec *codec; /* borrowed */
    struct rp_h264_encoder *codec_enc;   /* owned */
    struct rp_encode_slots slots;
    struct rp_encode_picture *free_pictures; /* owned list */
    struct rp_encode_picture *running;       /* list of those begun and not run to their end */
    uint64_t picture_number;                 /* counts begun pictures; stamps slots */

    bool has_rgb_input;
    struct rp_rgb_conversion rgb;
    struct rp_rgb_dsp rgb_dsp;

    uint32_t quality_level;
    struct rp_encode_rate_control rate_control;
    struct rp_rate_settings expected_rate; /* what scopes last said to be set */
    struct rp_encode_rate *rate; /* owned; of rate_control when its mode is CBR or VBR, or NULL */
    bool rate_is_new;            /* rate_control has not been given to rate yet */
    bool rate_is_stale;          /* a reset came after the last picture: an IDR starts afresh */

    /* 8.2.1.2: what the order count of type 1 counts on. */
    uint32_t previous_frame_num;
    uint32_t previous_frame_num_offset;
    bool previous_had_mmco5;

    struct rp_idr_ids idr_ids;
};

/* A slot that a picture of the codec stands in, and what the image was when it did. */
struct rp_encode_use {
    struct rp_encode_slot *slot; /* borrowed, in enc->slots */
    uint64_t generation;
};

/* One picture on its way, from begin to finish. Slices and what follows from them grow with the
 * first picture that needs more. */
struct rp_encode_picture {
    struct rp_video_encode *enc;
    struct rp_encode_picture *next_free;
    struct rp_encode_picture *next_running;
    struct rp_h264_encode_job job;
    struct rp_h264_active active;
    struct rp_h264_slice_header header;
    uint64_t sequence;                         /* of the submission */
    StdVideoEncodeH264SliceHeader *std_slices; /* owned, of slice_capacity */
    struct rp_h264_slice *slices;              /* owned, of slice_capacity */
    uint32_t *slice_sizes_B;                   /* owned, of slice_capacity */
    uint32_t slice_capacity;
    int8_t *qp_deltas;    /* owned, of mb_capacity; what a quantization map says */
    float *emphasis;      /* owned, of mb_capacity; what an emphasis map says */
    uint8_t *force_intra; /* owned, of mb_capacity; both of intra refresh */
    uint8_t *intra_clean;
    uint32_t mb_capacity;
    struct rp_h264_weights weights;
    uint32_t clean_region_count; /* regions that are refreshed in every reference */
    struct rp_rgb_source rgb;    /* what is converted before the picture is coded; or no texels */
    uint8_t *converted; /* owned, of converted_capacity_B: the source in NV12, and scratch */
    size_t converted_capacity_B;
    uint8_t *convert_scratch;                            /* in converted */
    struct rp_encode_rate *rate;                         /* a reference, or NULL */
    struct rp_encode_use uses[2 * RP_H264_MAX_REFS + 1]; /* references, then the reconstruction */
    uint32_t use_count;
    struct rp_encode_result result;
    _Alignas(16) uint8_t caller[RP_ENCODE_PICTURE_CALLER_B];
};

/* h264/resolve.c: fills in pic->job, pic->header and the rest from the request. */
enum rp_codec_status rp_encode_resolve(struct rp_video_encode *enc,
                                       const struct rp_encode_request *request,
                                       struct rp_encode_picture *pic) RP_MUST_CHECK;

/* The steps of it, in their order. */
enum rp_codec_status rp_encode_resolve_slices(const struct rp_video_encode *enc,
                                              const struct rp_encode_request *request,
                                              struct rp_encode_picture *pic) RP_MUST_CHECK;
enum rp_codec_status rp_encode_resolve_references(struct rp_video_encode *enc,
                                                  const struct rp_encode_request *request,
                                                  struct rp_encode_picture *pic) RP_MUST_CHECK;
/* After slices and references. */
void rp_encode_resolve_weights(struct rp_encode_picture *pic);
/* How the slice header names them. */
void rp_encode_name_references(const struct rp_encode_request *request,
                               struct rp_encode_picture *pic);

/* After the codec has begun the picture: the numbering moves on, and its slots are known. */
void rp_encode_advance(struct rp_video_encode *enc, const struct rp_encode_picture *pic);

#endif

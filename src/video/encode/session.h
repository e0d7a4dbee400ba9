/* SPDX-License-Identifier: MIT */
/* What a session of the encode engine keeps between pictures; private to encode/ and to the
 * standards' halves.
 */
#ifndef RP_VIDEO_ENCODE_SESSION_H
#define RP_VIDEO_ENCODE_SESSION_H

#include "video/encode/engine.h"
#include "video/encode/slots.h"
#include "video/encode/standard.h"
#include "video/rgb/dsp.h"

#include <pthread.h>

/* Rate control of the codec, shared by pictures in flight. */
struct rp_encode_rate {
    struct rp_encoder_rate *codec_rate; /* owned */
    uint32_t user_count;                /* pictures in flight, and the session */
};

struct rp_video_encode {
    pthread_mutex_t mutex; /* of all but standard, codec, codec_enc and what concerns RGB */
    pthread_cond_t picture_ended;
    const struct rp_encode_standard *standard; /* borrowed */
    const struct rp_encode_codec *codec;       /* borrowed */
    struct rp_encoder *codec_enc;              /* owned */
    void *state;                               /* owned; of standard->state_B, the standard's */
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
    bool rate_is_stale;          /* a reset came after the last picture: a key starts afresh */
};

/* A slot that a picture of the codec stands in, and what the image was when it did. */
struct rp_encode_use {
    struct rp_encode_slot *slot; /* borrowed, in enc->slots */
    uint64_t generation;
    bool has_motion; /* of the slot, when the codec has begun the picture */
};

/* One picture on its way, from begin to finish: what the picture of every standard begins with.
 * What is owned grows with the first picture that needs more. */
struct rp_encode_picture {
    struct rp_video_encode *enc;
    struct rp_encode_picture *next_free;
    struct rp_encode_picture *next_running;
    struct rp_encode_job *job; /* in the standard's part */
    bool is_key;               /* an IDR picture or key frame: nothing before it is referred to */
    uint64_t sequence;         /* of the submission */
    int16_t *qp_deltas;        /* owned, of block_capacity; what a quantization map says */
    float *emphasis;           /* owned, of block_capacity; what an emphasis map says */
    uint8_t *force_intra;      /* owned, of block_capacity; both of intra refresh */
    uint8_t *intra_clean;
    uint32_t block_capacity;
    uint32_t clean_region_count; /* regions that are refreshed in every reference */
    struct rp_rgb_source rgb;    /* what is converted before the picture is coded; or no texels */
    uint8_t
        *converted; /* owned, of converted_capacity_B: the source in NV12 or P010, and scratch */
    size_t converted_capacity_B;
    uint8_t *convert_scratch;                            /* in converted */
    struct rp_encode_rate *rate;                         /* a reference, or NULL */
    struct rp_encode_use uses[RP_ENCODE_MAX_REFERENCES]; /* references, then the reconstruction */
    uint32_t use_count;
    struct rp_encode_feedback feedback;
    _Alignas(16) uint8_t caller[RP_ENCODE_PICTURE_CALLER_B];
};

/* Steps that the resolve() of a standard is made of (picture.c), in its own order. */

/* A quantization or an emphasis map, if there is one: the job's qp_delta or emphasis. */
enum rp_codec_status rp_encode_read_map(const struct rp_encode_request *request,
                                        struct rp_encode_picture *pic) RP_MUST_CHECK;

/* RGB input will be converted into memory of the picture, on the worker that codes it: the job's
 * src. */
enum rp_codec_status rp_encode_convert_source(const struct rp_encode_request *request,
                                              struct rp_encode_picture *pic) RP_MUST_CHECK;

/* The picture of a resource in a slot of the codec, which the picture uses. *is_foreign_out (unless
 * it is NULL): its content came from elsewhere since the codec wrote it. */
enum rp_codec_status rp_encode_use_slot(struct rp_encode_picture *pic,
                                        const struct rp_encode_resource *resource,
                                        struct rp_dpb_picture *out,
                                        bool *is_foreign_out) RP_MUST_CHECK;

/* One more reference, whose dirty regions bound what this picture may take for refreshed. */
void rp_encode_note_dirty_regions(const struct rp_encode_request *request,
                                  const struct rp_encode_reference *ref,
                                  struct rp_encode_picture *pic);

/* Intra refresh: the job's force_intra and intra_clean. first_blocks: of partitions that follow
 * each other in raster order. */
enum rp_codec_status rp_encode_fill_refresh(const struct rp_encode_request *request,
                                            const uint32_t *first_blocks, uint32_t partition_count,
                                            struct rp_encode_picture *pic) RP_MUST_CHECK;
enum rp_codec_status rp_encode_fill_refresh_tiles(const struct rp_encode_request *request,
                                                  const struct rp_intra_refresh_tiles *tiles,
                                                  struct rp_encode_picture *pic) RP_MUST_CHECK;

/* The codec has begun the picture: it knows all slots that the picture uses. */
void rp_encode_know_slots(const struct rp_encode_picture *pic);

#endif

/* SPDX-License-Identifier: MIT */
/* One encoder of libaom: it codes the pictures of one sequence, and owns what its references are.
 *
 * One thread at a time. When libaom fails inside a picture the context is broken: nothing more is
 * coded with it, and slots that it wrote hold no picture.
 */
#ifndef RP_CODECS_AOM_CONTEXT_H
#define RP_CODECS_AOM_CONTEXT_H

#include "codecs/aom/staging.h"
#include "codecs/planes/small_picture.h"

#include "reelpipe/encode_av1.h"

#include "aom/aom_encoder.h"

#include <stdbool.h>
#include <stdint.h>

#define RP_AOM_QUALITY_LEVELS 4u

struct AV1_COMP;
struct RefCntBuffer;
struct rp_aom_pack_copy;
struct rp_workers;

/* What must be the same for pictures that refer to each other. */
struct rp_aom_config {
    uint32_t width_px;
    uint32_t height_px;
    uint32_t bit_depth;
    uint32_t order_hint_bits; /* 0: the sequence has no order hints */
    bool has_filter_intra;
    bool has_intra_edge_filter;
    bool has_masked_compound;
    bool has_ref_frame_mvs;
    bool has_cdef;
    bool has_separate_uv_delta_q;
};

/* A source made smaller, for rate control: of all slots that hold the picture. */
struct rp_aom_source {
    struct rp_aom_source *next; /* of the context's spares */
    uint32_t reference_count;
    struct rp_small_picture small;
};

struct rp_aom_context {
    uint32_t reference_count; /* of the encoder, and of the slots that it wrote */
    bool is_broken;
    struct rp_aom_config config;
    struct rp_workers *workers; /* borrowed; or NULL */
    aom_codec_ctx_t codec;
    aom_codec_enc_cfg_t settings;  /* in effect */
    uint32_t quality_level;        /* in effect */
    struct AV1_COMP *compressor;   /* the codec's; NULL before the first picture */
    struct RefCntBuffer *stand_in; /* owned; behind numbers that no name of the picture has */
    int64_t picture_count;         /* with those that were coded again */
    int64_t display_order;         /* of the last picture: its order hint, unwrapped */
    struct rp_aom_staging staging;
    struct rp_aom_source *spare_sources; /* owned */
    struct rp_aom_pack_copy *pack_copy;  /* owned; NULL: one thread codes pictures */
};

/* Empty when context is NULL. */
struct rp_encoder_slot {
    struct rp_aom_context *context; /* a reference */
    struct RefCntBuffer *buffer;    /* a reference, in the context's pool */
    bool knows_altref; /* the picture is intra, or its ALTREF_FRAME is what a decoder has there */
    int64_t number;    /* of the picture in the context */
    struct rp_aom_source
        *source;      /* a reference, in the context; NULL: coded without rate control */
    double rate_base; /* that the picture was coded with, as rate control counts; 0: not known */
};

struct rp_aom_config rp_aom_config_of(const struct rp_av1_encode_job *job);

/* With one reference. workers (or NULL) is borrowed. NULL when memory is short. */
struct rp_aom_context *rp_aom_context_create(const struct rp_aom_config *config,
                                             struct rp_workers *workers);
void rp_aom_context_unref(struct rp_aom_context *ctx); /* accepts NULL */

bool rp_aom_context_is_for(const struct rp_aom_context *ctx, const struct rp_aom_config *config);

/* The speed of the next pictures. False: libaom refused. */
bool rp_aom_context_set_quality(struct rp_aom_context *ctx, uint32_t quality_level);

/* With one reference, and nothing in it. NULL when memory is short. */
struct rp_aom_source *rp_aom_source_take(struct rp_aom_context *ctx);
void rp_aom_source_unref(struct rp_aom_context *ctx, struct rp_aom_source *source); /* or NULL */

/* The picture of from, with references of its own. */
void rp_aom_slot_copy(struct rp_encoder_slot *to, const struct rp_encoder_slot *from);
void rp_aom_slot_clear(struct rp_encoder_slot *slot);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rate control of a session: settings as they were when a picture began, and the layers' states,
 * which pictures leave in their order.
 */
#ifndef RP_CODECS_X264_RATE_SESSION_H
#define RP_CODECS_X264_RATE_SESSION_H

#include "rate/layer.h"
#include "rate/mb_persistence.h"

/* What rate control was set to when a picture began. */
struct rp_x264_rate_snapshot {
    uint64_t version; /* of settings */
    struct rp_rate_settings settings;
};

/* What is known of a picture when some of its rows are coded. */
struct rp_x264_rate_partial_result {
    uint64_t number; /* of the next picture, which may use it; 0: none may */
    uint64_t version;
    uint64_t serial; /* of its reconstruction; 0: none is kept */
    int width;       /* in macroblocks */
    int height;
    int row_count; /* that are coded */
    struct rp_x264_rate_layer layer;
};

struct rp_encoder_rate {
    struct rp_rate_settings settings; /* of the next picture that begins */
    uint64_t version;
    struct rp_x264_rate_layer layer[RP_RATE_LAYERS];
    uint64_t layer_version[RP_RATE_LAYERS]; /* of the settings in effect; 0: none yet */
    struct rp_rate_virtual_buffer buffer;   /* of all layers */
    uint64_t buffer_version;
    uint32_t layer_count;    /* of that version */
    uint64_t layers_version; /* since which there are so many layers */
    struct rp_x264_mb_persistence persistence;

    /* What pictures side by side share (order.h), which are of one layer, the first. Guarded by
     * the encoder's mutex, as that layer is. Pictures take turns with what there are two of. */
    struct rp_x264_rate_layer before; /* the layer before the last picture that left it */
    uint64_t left_number;             /* of the picture after that one */
    struct rp_x264_rate_partial_result partial[2];
    bool is_followed[2];   /* another picture uses its partial result, and is being coded */
    uint64_t again_number; /* of the picture after the last one that was coded again */
};

struct rp_encoder_rate *rp_x264_rate_create(void); /* NULL when memory is short */
void rp_x264_rate_destroy(struct rp_encoder_rate *rate);
void rp_x264_rate_set(struct rp_encoder_rate *rate, const struct rp_rate_settings *settings);

/* The layer of the job with the snapshot's settings, opened with h. NULL when memory is short. */
struct rp_x264_rate_layer *rp_x264_rate_layer_for(struct rp_encoder_rate *rate,
                                                  const struct rp_x264_rate_snapshot *snapshot,
                                                  uint32_t temporal_layer, x264_t *h);

/* The slice type that a picture counts as: B pictures without a future reference are P. */
int rp_x264_rate_type(const struct rp_h264_encode_job *job);

/* How the references were coded. They are complete, and costs of the picture against RefPicList0[0]
 * are there. */
void rp_x264_rate_know_refs(struct rp_x264_context *ctx);

#endif

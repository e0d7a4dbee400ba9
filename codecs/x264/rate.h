/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rate control of a session: settings as they were when a picture began, and a layer's state that
 * pictures pass through one after the other.
 */
#ifndef RP_CODECS_X264_RATE_H
#define RP_CODECS_X264_RATE_H

#include "rate_layer.h"

/* What rate control was set to when a picture began. */
struct rp_x264_rate_ticket {
    uint64_t version; /* of settings */
    struct rp_h264_rate_settings settings;
};

struct rp_h264_rate {
    struct rp_h264_rate_settings settings; /* of the next picture that begins */
    uint64_t version;
    struct rp_x264_rate_layer layer[RP_H264_RATE_LAYERS];
    uint64_t layer_version[RP_H264_RATE_LAYERS]; /* of the settings in effect; 0: none yet */
    struct rp_x264_bucket bucket; /* of all layers */
    uint64_t bucket_version;
};

struct rp_h264_rate *rp_x264_rate_create(void); /* NULL when memory is short */
void rp_x264_rate_destroy(struct rp_h264_rate *rate);
void rp_x264_rate_set(struct rp_h264_rate *rate, const struct rp_h264_rate_settings *settings);

/* The layer of the job with the ticket's settings, opened with h. NULL when memory is short. */
struct rp_x264_rate_layer *rp_x264_rate_layer_for(struct rp_h264_rate *rate,
                                                  const struct rp_x264_rate_ticket *ticket,
                                                  uint32_t temporal_layer, x264_t *h);

/* The slice type that a picture counts as: B pictures without a future reference are P. */
int rp_x264_rate_type(const struct rp_h264_encode_job *job);

/* How the references were coded. They are complete, and costs of the picture against RefPicList0[0]
 * are there. */
void rp_x264_rate_know_refs(struct rp_x264_context *ctx);

#endif

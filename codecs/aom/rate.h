/* SPDX-License-Identifier: MIT */
/* Rate control: the law of codecs/rate over q indices.
 *
 * libaom has a controller of its own, which is not used: it belongs to one context and one order of
 * pictures, counts B pictures as P, and knows no limit of a picture's size. Here each picture has
 * one q index, chosen when all before it are coded, by what pictures of its type have cost. One that
 * comes out too large for a limit is coded again.
 */
#ifndef RP_CODECS_AOM_RATE_H
#define RP_CODECS_AOM_RATE_H

#include "codecs/rate/law.h"
#include "codecs/rate/target.h"
#include "codecs/rate/virtual_buffer.h"

#include "reelpipe/encode_av1.h"
#include "reelpipe/rate.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What rate control was set to when a picture began. */
struct rp_aom_rate_snapshot {
    uint64_t version; /* 0: never */
    struct rp_rate_settings settings;
};

struct rp_aom_rate_layer {
    uint64_t version; /* of the settings in effect; 0: none yet */
    struct rp_rate_target target;
    struct rp_rate_law law;
    double
        cost[RP_RATE_TYPES]; /* for each unit of complexity: mean of the last pictures; 0: none */
};

/* Bits of the last pictures of all layers: those of a second. */
struct rp_aom_rate_second {
    float bits[RP_RATE_PAST];
    uint32_t count; /* of all pictures so far */
};

struct rp_encoder_rate {
    struct rp_aom_rate_snapshot next; /* of the next picture that begins */

    /* Of pictures, in the order in which they are coded. */
    struct rp_aom_rate_layer layer[RP_RATE_LAYERS];
    struct rp_rate_virtual_buffer buffer; /* of all layers */
    uint64_t buffer_version;
    double stream_bps; /* of all layers, as stream_fps */
    double stream_fps;
    struct rp_aom_rate_second second;
};

/* What is known of a picture before it is coded. */
struct rp_aom_rate_question {
    enum rp_rate_type type;
    uint32_t temporal_layer;
    double complexity;     /* of its small picture */
    double reference_base; /* as its references were coded, mean; 0: not known */
    int block_count;       /* of 16x16 samples */
    uint32_t bit_depth;
    size_t preceding_B;
};

/* One picture on its way. */
struct rp_aom_rate_picture {
    struct rp_encoder_rate *rate;    /* borrowed */
    struct rp_aom_rate_layer *layer; /* borrowed, of rate */
    struct rp_rate_picture now;      /* as the law sees it */
    uint32_t bit_depth;
    double preceding_bits;
    double step_factor; /* its step over that of P pictures */
    double aim_bits;    /* that it should take; 0: what comes */
    double limit_bits;  /* that it may take, with what precedes it */
    int least_index;
    int greatest_index;
    int q_index; /* that it is to be coded with */
    int attempt_count;
    int fitting_index; /* the finest one that has kept to the limit; -1: none has */
    bool was_over;     /* an attempt has not kept to it */
    double last_step;  /* of the attempt before; 0: there was none */
    double last_bits;
};

/* NULL when memory is short. */
struct rp_encoder_rate *rp_aom_rate_create(void);
void rp_aom_rate_destroy(struct rp_encoder_rate *rate); /* accepts NULL */
void rp_aom_rate_set(struct rp_encoder_rate *rate, const struct rp_rate_settings *settings);

/* The picture to come: out->q_index. */
void rp_aom_rate_plan(struct rp_encoder_rate *rate, const struct rp_aom_rate_snapshot *snapshot,
                      const struct rp_aom_rate_question *question, struct rp_aom_rate_picture *out);

/* The picture has come out with so many bytes: true when it is to be coded again, with another
 * q_index. */
bool rp_aom_rate_is_again(struct rp_aom_rate_picture *picture, size_t size_B);

/* That was its last attempt. Returns the base that it was coded with: the step of a P picture. */
double rp_aom_rate_end(struct rp_aom_rate_picture *picture, size_t size_B);

/* The step of a q index, in the units of the law. */
double rp_aom_rate_step(int q_index, uint32_t bit_depth);

#endif

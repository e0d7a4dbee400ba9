/* SPDX-License-Identifier: MIT */
/* Rate control by the law (law.h) for encoders that code a picture with the quantiser they are
 * told, and can code it again.
 *
 * Each picture has one quantiser, chosen when all before it are coded, by what pictures of its type
 * have cost. One that comes out too large for a limit, or breaks a window, is coded again. The
 * encoder says how hard the picture is (its complexity), and what its quantisers are.
 */
#ifndef RP_CODECS_RATE_CONTROL_H
#define RP_CODECS_RATE_CONTROL_H

#include "law.h"
#include "target.h"
#include "virtual_buffer.h"

#include "reelpipe/rate.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is constant for an encoder. */
struct rp_rate_encoder {
    struct rp_rate_scale scale;
    int32_t least_unasked_index; /* finer quantisers come by wish alone: without loss, say */
    double (*step)(int index, uint32_t bit_depth); /* rises with the index */
    double step_factor[RP_RATE_TYPES];             /* of a picture's step over that of P pictures */
    double usual_cost[RP_RATE_TYPES];              /* bits at base 1 for each unit of complexity,
                                                      before any picture of the type was coded */
};

/* What rate control was set to when a picture began. */
struct rp_rate_snapshot {
    uint64_t version; /* 0: never */
    struct rp_rate_settings settings;
};

struct rp_rate_control_layer {
    uint64_t version; /* of the settings in effect; 0: none yet */
    struct rp_rate_target target;
    struct rp_rate_law law;
    double
        cost[RP_RATE_TYPES]; /* for each unit of complexity: mean of the last pictures; 0: none */
};

/* Bits of the last pictures of all layers: those of a second. */
struct rp_rate_second {
    float bits[RP_RATE_PAST];
    uint32_t count; /* of all pictures so far */
};

/* The state of one session. Zeroed, then encoder is set. */
struct rp_rate_control {
    const struct rp_rate_encoder *encoder; /* borrowed, constant */
    struct rp_rate_snapshot next;          /* of the next picture that begins */

    /* The state after the pictures so far, in the order in which they are coded. */
    struct rp_rate_control_layer layer[RP_RATE_LAYERS];
    struct rp_rate_virtual_buffer buffer; /* of all layers */
    uint64_t buffer_version;
    double stream_bps; /* of all layers, as stream_fps */
    double stream_fps;
    struct rp_rate_second second;
};

/* What is known of a picture before it is coded. */
struct rp_rate_question {
    enum rp_rate_type type;    /* by what it is predicted from */
    enum rp_rate_type limited; /* whose limits it has: the type that the application calls it */
    uint32_t temporal_layer;
    double complexity;     /* of its small picture */
    double reference_base; /* as its references were coded, mean; 0: not known */
    int block_count;       /* of 16x16 samples */
    uint32_t bit_depth;
    size_t preceding_B;
};

/* One picture on its way. */
struct rp_rate_plan {
    struct rp_rate_control *control;     /* borrowed */
    struct rp_rate_control_layer *layer; /* borrowed, of control */
    struct rp_rate_picture picture;      /* as the law sees it */
    uint32_t bit_depth;
    double preceding_bits;
    double own_limit_bits; /* that the application set; 0: none */
    double aim_bits;       /* that it should take; 0: what comes */
    double limit_bits;     /* that it may take, with what precedes it */
    int least_index;
    int greatest_index;
    int index; /* of the quantiser that it is to be coded with */
    int attempt_count;
    int fitting_index; /* the finest one that has kept to the limit; -1: none has */
    bool was_over;     /* an attempt has not kept to it */
    double last_step;  /* of the attempt before; 0: there was none */
    double last_bits;
};

/* Settings of the pictures that begin from now on. Equal ones change nothing. */
void rp_rate_control_set(struct rp_rate_control *control, const struct rp_rate_settings *settings);

/* The picture to come: out->index. */
void rp_rate_control_plan(struct rp_rate_control *control, const struct rp_rate_snapshot *snapshot,
                          const struct rp_rate_question *question, struct rp_rate_plan *out);

/* The picture has come out with so many bytes: true when it is to be coded again, with another
 * index. */
bool rp_rate_plan_is_again(struct rp_rate_plan *plan, size_t size_B);

/* Ends the picture's last attempt. Returns the base that it was coded with: the step of a P
 * picture. */
double rp_rate_plan_end(struct rp_rate_plan *plan, size_t size_B);

#endif

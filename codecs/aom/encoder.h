/* SPDX-License-Identifier: MIT */
/* The encoder of a session and its slots. Pictures are coded one after the other, in the order they
 * began: whoever codes is alone with the contexts and the slots.
 */
#ifndef RP_CODECS_AOM_ENCODER_H
#define RP_CODECS_AOM_ENCODER_H

#include "codecs/aom/context.h"
#include "codecs/aom/rate.h"

#include "reelpipe/encode_av1.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* A job from begin() to the end of encode(). */
struct rp_aom_begun {
    struct rp_aom_begun *next_free;
    uint64_t number;
    struct rp_aom_rate_snapshot rate; /* of jobs with rate control */
};

struct rp_encoder {
    struct rp_workers *workers; /* borrowed */
    pthread_mutex_t mutex;      /* of what follows but the context and the small picture */
    pthread_cond_t turn_ended;
    uint64_t begun_count;
    uint64_t ended_count;
    bool is_busy;                    /* somebody codes, or clears a slot */
    struct rp_aom_begun *free_begun; /* owned list */

    struct rp_aom_context *context;    /* a reference; of the last picture, or NULL */
    struct rp_aom_small_picture small; /* of the picture under way, with rate control */
};

#endif

/* SPDX-License-Identifier: MIT */
/* The encoder of a session and its slots. Pictures are coded one after the other, in the order they
 * began: whoever codes is alone with the contexts and the slots.
 */
#ifndef RP_CODECS_AOM_ENCODER_H
#define RP_CODECS_AOM_ENCODER_H

#include "codecs/aom/context.h"
#include "codecs/aom/decoded.h"
#include "codecs/aom/rate.h"
#include "codecs/rate/turns.h"

#include "reelpipe/encode_av1.h"

struct rp_encoder {
    struct rp_workers *workers; /* borrowed */
    struct rp_turns turns;

    /* Of whoever has the turn. */
    struct rp_aom_context *context; /* a reference; of the last picture, or NULL */
    struct rp_aom_decoded decoded;
};

#endif

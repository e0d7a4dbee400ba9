/* SPDX-License-Identifier: MIT */
/* The encoder of a session. Pictures are coded one after the other, in the order they began, each by
 * several threads (wave.h): whoever codes is alone with the contexts and the slots.
 */
#ifndef RP_CODECS_KVAZAAR_ENCODER_H
#define RP_CODECS_KVAZAAR_ENCODER_H

#include "codecs/kvazaar/context.h"
#include "codecs/planes/small_picture.h"
#include "codecs/rate/turns.h"

#define RP_KVAZAAR_CONTEXTS 4u /* sizes and arrangements of slices that are remembered */

/* Of this bit depth, and of 10 bits: the names of that one have the number in them
 * (tools/gen/kvazaar_names.py). */
extern const struct rp_encode_codec rp_kvazaar_codec;
extern const struct rp_encode_codec rp_kvazaar10_codec;

struct rp_encoder {
    struct rp_workers *workers; /* borrowed; or NULL */
    struct rp_turns turns;

    /* Of whoever has the turn. */
    struct rp_kvazaar_context *contexts[RP_KVAZAAR_CONTEXTS]; /* owned; the last used one first */
    struct rp_small_picture small; /* of the picture under way, with rate control */
};

#endif

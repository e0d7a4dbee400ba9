/* SPDX-License-Identifier: MIT */
/* Rate control of a session, for encoders that have no state of their own beside the common one.
 * These functions stand in their struct rp_encode_codec.
 */
#ifndef RP_CODECS_RATE_SESSION_H
#define RP_CODECS_RATE_SESSION_H

#include "control.h"

#include "reelpipe/encode.h"

struct rp_encoder_rate {
    struct rp_rate_control control;
};

/* encoder: constant, borrowed. NULL when memory is short. */
struct rp_encoder_rate *rp_session_rate_create(const struct rp_rate_encoder *encoder);
void rp_session_rate_destroy(struct rp_encoder *enc,
                             struct rp_encoder_rate *rate); /* accepts NULL */
void rp_session_rate_set(struct rp_encoder_rate *rate, const struct rp_rate_settings *settings);

#endif

/* SPDX-License-Identifier: MIT */
#include "session.h"

#include "util/alloc.h"

struct rp_encoder_rate *
rp_session_rate_create(const struct rp_rate_encoder *encoder)
{
    struct rp_encoder_rate *rate = rp_zalloc(NULL, sizeof(*rate), _Alignof(struct rp_encoder_rate),
                                             VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (rate)
        rate->control.encoder = encoder;
    return rate;
}

void
rp_session_rate_destroy(struct rp_encoder *enc, struct rp_encoder_rate *rate)
{
    (void)enc;
    rp_free(NULL, rate);
}

void
rp_session_rate_set(struct rp_encoder_rate *rate, const struct rp_rate_settings *settings)
{
    rp_rate_control_set(&rate->control, settings);
}

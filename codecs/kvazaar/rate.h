/* SPDX-License-Identifier: MIT */
/* Rate control over QPs.
 *
 * kvazaar has a controller of its own, which is not used: it wants its own groups of pictures. Here
 * pictures have the QP that codecs/rate/control.h chooses.
 */
#ifndef RP_CODECS_KVAZAAR_RATE_H
#define RP_CODECS_KVAZAAR_RATE_H

#include "codecs/planes/small_picture.h"
#include "codecs/rate/session.h"

#include "reelpipe/encode_h265.h"

#include <stdbool.h>

extern const struct rp_rate_encoder rp_kvazaar_rate_encoder;

/* The step of a QP, in the units of the law. */
double rp_kvazaar_rate_step(int qp, uint32_t bit_depth);

/* Plans the job's picture, whose turn it is. small: its small picture. */
void rp_kvazaar_rate_plan(const struct rp_h265_encode_job *job,
                          const struct rp_small_picture *small, struct rp_rate_plan *out);

#endif

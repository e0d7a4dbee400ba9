/* SPDX-License-Identifier: MIT */
/* Rate control over q indices.
 *
 * libaom has a controller of its own, which is not used: it belongs to one context and one order of
 * pictures, counts B pictures as P, and knows no limit of a picture's size. Here pictures have the
 * q index that codecs/rate/control.h chooses.
 */
#ifndef RP_CODECS_AOM_RATE_H
#define RP_CODECS_AOM_RATE_H

#include "codecs/rate/session.h"

#include "reelpipe/encode_av1.h"

#include <stdint.h>

extern const struct rp_rate_encoder rp_aom_rate_encoder;

/* The step of a q index, in the units of the law. */
double rp_aom_rate_step(int q_index, uint32_t bit_depth);

#endif

/* SPDX-License-Identifier: MIT */
/* One picture, from the job to its result.
 */
#ifndef RP_CODECS_AOM_PICTURE_H
#define RP_CODECS_AOM_PICTURE_H

#include "codecs/aom/context.h"
#include "codecs/aom/decoded.h"
#include "codecs/aom/rate.h"

#include "reelpipe/encode_av1.h"

/* Sets the job's result and its setup slot, and what a decoder has then; of a picture that could
 * not be coded the result alone. The job is a supported one (check.h), its references are resolved
 * (decoded.h). rate: the picture's plan, which goes on with what comes out, and source what it was
 * made from; NULL when the job has a q index. */
void rp_aom_picture_encode(struct rp_aom_context *ctx, struct rp_aom_decoded *decoded,
                           struct rp_av1_encode_job *job, struct rp_aom_source *source,
                           struct rp_rate_plan *rate);

#endif

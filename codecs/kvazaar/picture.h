/* SPDX-License-Identifier: MIT */
/* One picture: from a job to its slices and its reconstruction.
 */
#ifndef RP_CODECS_KVAZAAR_PICTURE_H
#define RP_CODECS_KVAZAAR_PICTURE_H

#include "codecs/kvazaar/context.h"
#include "codecs/kvazaar/rate.h"

#include "reelpipe/encode_h265.h"

/* Sets the job's result, and what the setup slot holds. The job is a supported one (check.h), of the
 * context's configuration. plan: its rate control, or NULL. NO_MEMORY: the context is good for
 * nothing but destruction. */
void rp_kvazaar_picture_encode(struct rp_kvazaar_context *ctx, struct rp_h265_encode_job *job,
                               struct rp_rate_plan *plan);

#endif

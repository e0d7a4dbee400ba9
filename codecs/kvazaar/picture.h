/* SPDX-License-Identifier: MIT */
/* One picture: from a job to its slices and its reconstruction.
 */
#ifndef RP_CODECS_KVAZAAR_PICTURE_H
#define RP_CODECS_KVAZAAR_PICTURE_H

#include "codecs/kvazaar/context.h"
#include "codecs/kvazaar/rate.h"

#include "reelpipe/encode_h265.h"

/* Codes it into the content that has begun for it, and sets the job's result. The job is a
 * supported one (check.h), of the context's configuration. plan: its rate control, or NULL.
 * NO_MEMORY: the context is good for nothing but destruction. */
void rp_kvazaar_picture_encode(struct rp_kvazaar_context *ctx, struct rp_h265_encode_job *job,
                               struct rp_rate_plan *plan);

/* The reconstruction of the job goes to the application's image. */
void rp_kvazaar_picture_copy(const struct rp_kvazaar_context *ctx, struct rp_h265_encode_job *job);

#endif

/* SPDX-License-Identifier: MIT */
/* The reference lists of a picture in kvazaar's terms.
 */
#ifndef RP_CODECS_KVAZAAR_REFERENCES_H
#define RP_CODECS_KVAZAAR_REFERENCES_H

#include "codecs/kvazaar/context.h"

#include "reelpipe/encode_h265.h"

/* Picture order counts are told to kvazaar relative to that of the current picture, which is this:
 * it takes small ones for none. */
#define RP_KVAZAAR_CURRENT_POC (1 << 20)

/* Sets ctx up for the job's references. Who codes blocks waits for those that are coded yet. */
void rp_kvazaar_references_set(struct rp_kvazaar_context *ctx,
                               const struct rp_h265_encode_job *job);

#endif

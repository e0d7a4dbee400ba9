/* SPDX-License-Identifier: MIT */
/* The slices of a coded picture as NAL units.
 */
#ifndef RP_CODECS_KVAZAAR_SLICES_H
#define RP_CODECS_KVAZAAR_SLICES_H

#include "codecs/kvazaar/context.h"

#include "reelpipe/encode_h265.h"

#include <stddef.h>

/* Writes those of the picture that ctx has coded to the job's dst, nothing past its end, and their
 * sizes to slice_size_B. Returns how many bytes all have, whether they fit or not; 0 when a header
 * is larger than any can be. */
size_t rp_kvazaar_slices_write(const struct rp_kvazaar_context *ctx,
                               const struct rp_h265_encode_job *job);

#endif

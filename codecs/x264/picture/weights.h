/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Explicit weights of P pictures (8.4.2.3.2): any for each reference. x264 itself weights one
 * picture and its duplicates.
 */
#ifndef RP_CODECS_X264_PICTURE_WEIGHTS_H
#define RP_CODECS_X264_PICTURE_WEIGHTS_H

#include "context.h"

/* Memory for the job's weighted references. False when it is short. */
bool rp_x264_weights_reserve(struct rp_x264_context *ctx);

/* The job's weights go to h->sh; after the slice's set-up. */
void rp_x264_weights_init(struct rp_x264_context *ctx);

/* ctx helps owner, whose references have been weighted, or will be by whoever needs their rows. */
void rp_x264_weights_join(struct rp_x264_context *ctx, const struct rp_x264_context *owner);

/* Weights the rows that the macroblock row about to be analysed may search, once they are there. */
void rp_x264_weights_row(x264_t *h);

void rp_x264_weights_free(struct rp_x264_context *ctx);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The picture to be coded, in x264's layout.
 */
#ifndef RP_CODECS_X264_PICTURE_SOURCE_H
#define RP_CODECS_X264_PICTURE_SOURCE_H

#include "context.h"

struct rp_encoder;

/* may_be_by_bands: those who code bands or rows of the picture will copy theirs.
 * Sets h->fenc to a frame with the job's pixels: the job's own memory where its layout permits,
 * or for rate control a frame with half-size planes. False when memory is short. */
bool rp_x264_source_load(struct rp_encoder *enc, struct rp_x264_context *ctx, bool may_be_by_bands);

/* Copies rows of macroblocks, at least one, to h->fenc: x264's functions copy a line where they are
 * asked for none. Those who code bands or rows do it for theirs when ctx->has_source_by_bands. */
void rp_x264_source_copy_rows(x264_t *h, const struct rp_picture *src, int first_row, int end_row);

/* Forgets the job's memory. */
void rp_x264_source_unload(struct rp_x264_context *ctx);

#endif

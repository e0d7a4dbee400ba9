/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The picture in half size, by which rate control foresees what its rows will cost: made and
 * compared row by row, by the threads that code its rows next.
 */
#ifndef RP_CODECS_X264_PICTURE_HALF_SIZE_H
#define RP_CODECS_X264_PICTURE_HALF_SIZE_H

#include "context.h"

struct rp_encoder;

/* Copies the job's pixels to h->fenc, makes its half-size planes, and sets the picture's offsets
 * of QP (quant.h). may_stay: who codes a row may copy its pixels then; true when that is left to
 * do. */
bool rp_x264_half_size_make(struct rp_encoder *enc, struct rp_x264_context *ctx, bool may_stay);

/* What h->fenc costs in half size, intra coded and, unless it is NULL, against the planes of ref.
 * ctx->attempt is there. */
void rp_x264_half_size_cost(struct rp_encoder *enc, struct rp_x264_context *ctx, x264_frame_t *ref);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* QP per macroblock: the job's maps and x264's adaptive quantisation.
 */
#ifndef RP_CODECS_X264_PICTURE_QUANT_H
#define RP_CODECS_X264_PICTURE_QUANT_H

#include "context.h"

/* Sets ctx->qp_offsets for the picture in h->fenc; with rate control, rows have theirs after
 * rp_x264_quant_row(), which looks at the pixels of row y, of src or else of h->fenc, and needs an
 * h of ctx's picture. */
void rp_x264_quant_prepare(struct rp_x264_context *ctx);
void rp_x264_quant_row(x264_t *h, const struct rp_picture *src, int y);

/* Gives ctx the offsets of the picture that from has prepared: it codes slices of it, too. */
void rp_x264_quant_join(struct rp_x264_context *ctx, const struct rp_x264_context *from);

/* The coarsest that is allowed: no macroblock is finer but for the application's maps. */
void rp_x264_quant_flatten(struct rp_x264_context *ctx);

#endif

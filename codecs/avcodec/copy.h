/* SPDX-License-Identifier: MIT */
/* Decoded planes to the application's picture.
 */
#ifndef RP_CODECS_AVCODEC_COPY_H
#define RP_CODECS_AVCODEC_COPY_H

#include "codecs/avcodec/context.h"
#include "reelpipe/picture.h"

/* Copies the lines of these fields (RP_H264DEC_FRAME: all) of ctx->current, cut to dst's extent.
 * dst without data: nothing. */
void rp_h264dec_copy_out(const struct rp_h264dec_context *ctx, const struct rp_picture *dst,
                         uint32_t fields);

#endif

/* SPDX-License-Identifier: MIT */
/* Decoded planes to the application's picture.
 */
#ifndef RP_CODECS_AVCODEC_H264_COPY_H
#define RP_CODECS_AVCODEC_H264_COPY_H

#include "codecs/avcodec/h264/context.h"
#include "reelpipe/picture.h"

/* Copies luma rows first_row to end_row (even, or the last), of these fields (RP_H264DEC_FRAME:
 * all), and their chroma from ctx->current, cut to dst's extent. What was decoded in place is
 * there already. dst without data: nothing. */
void rp_h264dec_copy_rows(const struct rp_h264dec_context *ctx, const struct rp_picture *dst,
                          uint32_t fields, uint32_t first_row, uint32_t end_row);

#endif

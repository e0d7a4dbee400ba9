/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The coded picture's way from x264's buffer to the application's.
 */
#ifndef RP_CODECS_X264_PICTURE_BITSTREAM_H
#define RP_CODECS_X264_PICTURE_BITSTREAM_H

#include "context.h"

/* Empties x264's buffer; writes the access unit delimiter when it is wanted. */
void rp_x264_bitstream_start(struct rp_x264_context *ctx, bool has_aud);

/* Writes the NAL units to job->common.dst and their size to result. */
enum rp_codec_status rp_x264_bitstream_finish(struct rp_x264_context *ctx,
                                              struct rp_encode_result *result);

/* Adds a filler data NAL unit of about filler_B bytes, as far as there is room. Returns the
 * picture's status. */
enum rp_codec_status rp_x264_bitstream_fill(const struct rp_h264_encode_job *job, size_t filler_B,
                                            struct rp_encode_result *result);

/* write_slice_header() of rp_x264_hooks. */
void rp_x264_bitstream_write_slice_header(x264_t *h, bs_t *s);

#endif

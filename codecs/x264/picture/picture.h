/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One picture through x264, by hand: what x264_encoder_encode() does around slice_write(), with
 * the application's references, headers and slices.
 */
#ifndef RP_CODECS_X264_PICTURE_PICTURE_H
#define RP_CODECS_X264_PICTURE_PICTURE_H

#include "context.h"

struct rp_h264_encoder;
struct rp_x264_rate_snapshot;

/* Codes job with ctx, which fits job and is the caller's alone. Sets job->result. snapshot: of a job
 * with rate control, which has been ordered; else NULL. When memory ran short or the codec failed, ctx
 * must be destroyed. */
enum rp_codec_status rp_x264_picture_encode(struct rp_h264_encoder *enc,
                                            struct rp_x264_context *ctx,
                                            struct rp_h264_encode_job *job,
                                            const struct rp_x264_rate_snapshot *snapshot);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One picture through x264, by hand: what x264_encoder_encode() does around slice_write(), with the
 * application's references, headers and slices.
 *
 * The folder:
 *   job_slots   which slots need work before a job can be coded, and which jobs wait for which
 *   slot        a slot, and what begin() finds out of a job
 *   content     one decoded picture: x264's frame of it, and what later pictures must know
 *   source      the picture to be coded, in x264's layout
 *   refs        the reference lists of a job as x264 is to see them
 *   weights     explicit weights of references
 *   quant       QP offsets of macroblocks: maps and adaptive quantisation
 *   refresh     intra refresh
 *   setup       what a context needs before it codes slices
 *   slices      several slices: bands, and the contexts that code them
 *   row_filter  the loop filter of several slices
 *   wave        one slice: its rows side by side; wave_row codes them, wave_join puts them together
 *   bitstream   NAL units on their way to the application's buffer
 *   picture     the stages of a picture, with a constant QP or with rate control
 *   hooks       which of these answer x264's calls
 */
#ifndef RP_CODECS_X264_PICTURE_PICTURE_H
#define RP_CODECS_X264_PICTURE_PICTURE_H

#include "context.h"

struct rp_encoder;
struct rp_x264_rate_snapshot;

/* Codes job with ctx, which fits job and is the caller's alone. Sets job->common.result. snapshot:
 * of a job with rate control, which has been ordered; else NULL. When memory ran short or the codec
 * failed, ctx must be destroyed. */
enum rp_codec_status rp_x264_picture_encode(struct rp_encoder *enc, struct rp_x264_context *ctx,
                                            struct rp_h264_encode_job *job,
                                            const struct rp_x264_rate_snapshot *snapshot);

#endif

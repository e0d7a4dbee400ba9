/* SPDX-License-Identifier: MIT */
/* Control pictures: grey intra frames of our own making that nobody sees.
 *
 * They carry marking that no picture of the application can (a reference becomes long-term before
 * a B picture looks at it), use up a frame_num that is still held, or stand in for references that
 * do not exist. They are rare and take a millisecond or few.
 */
#ifndef RP_CODECS_AVCODEC_H264_CONTROL_H
#define RP_CODECS_AVCODEC_H264_CONTROL_H

#include "codecs/avcodec/h264/context.h"

/* Decodes one into ctx, as the next frame. marking: makes it a reference that becomes an orphan
 * (fewer than RP_H264DEC_MAX_HELD are left by marking); NULL: not a reference. packet is scratch.
 * Not OK: the context has been reset. */
enum rp_codec_status rp_h264dec_control_send(struct rp_h264dec_context *ctx,
                                             const StdVideoH264SequenceParameterSet *sps,
                                             const StdVideoH264PictureParameterSet *pps,
                                             const struct rp_h264dec_marking *marking,
                                             struct rp_avcodec_buffer *packet);

#endif

/* SPDX-License-Identifier: MIT */
/* The sequence header of an encode session, from Vulkan's structures: what our encoder cannot do is
 * overridden.
 */
#ifndef RP_VIDEO_AV1_ENCODE_SEQUENCE_H
#define RP_VIDEO_AV1_ENCODE_SEQUENCE_H

#include "util/compiler.h"
#include "video/av1/sequence.h"

#include <vk_video/vulkan_video_codec_av1std_encode.h>

/* A sequence header OBU with its own header: at most so many bytes. */
#define RP_AV1_MAX_SEQUENCE_OBU_B 1024

/* Borrowed for the call. */
struct rp_av1_encode_sequence_info {
    const StdVideoAV1SequenceHeader *header;
    const StdVideoEncodeAV1DecoderModelInfo *decoder_model;      /* or NULL */
    const StdVideoEncodeAV1OperatingPointInfo *operating_points; /* or NULL: one of all layers */
    uint32_t operating_point_count;
    uint32_t bit_depth; /* of the session's profile */
};

/* The sequence header as the stream has it, with what the syntax implies. False for a header that
 * cannot be written, or whose pictures no session of the profile can have. */
bool rp_av1_encode_sequence_init(const struct rp_av1_encode_sequence_info *info,
                                 struct rp_av1_sequence *out,
                                 bool *has_overrides_out) RP_MUST_CHECK;

/* What of it is in StdVideoAV1SequenceHeader: for the codec. Pointers inside lead to color. */
void rp_av1_encode_sequence_to_std(const struct rp_av1_sequence *seq, StdVideoAV1ColorConfig *color,
                                   StdVideoAV1SequenceHeader *out);

/* The OBU, with its size field. Returns its size; nothing is written past capacity_B. */
size_t rp_av1_encode_sequence_write(const struct rp_av1_sequence *seq, uint8_t *dst,
                                    size_t capacity_B);

#endif

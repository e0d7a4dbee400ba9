/* SPDX-License-Identifier: MIT */
/* Vulkan's structures of AV1 headers as those of this folder, for a private stream
 * (private_stream.h).
 */
#ifndef RP_VIDEO_AV1_PRIVATE_HEADERS_H
#define RP_VIDEO_AV1_PRIVATE_HEADERS_H

#include "video/av1/frame.h"

#include <vk_video/vulkan_video_codec_av1std_decode.h>

/* Without ids, timing and operating points, of the largest size, and with tools of screen content
 * that each frame chooses: what is left is what decoding needs. std->pColorConfig is set. */
void rp_av1_private_sequence(const StdVideoAV1SequenceHeader *std, struct rp_av1_sequence *out);

/* All but what is the stream's own: refresh_frame_flags, ref_order_hint[] and ref_frame_idx[].
 * False when a structure that is needed is not there, or says what no header can. */
bool rp_av1_private_frame(const StdVideoDecodeAV1PictureInfo *std,
                          const StdVideoAV1SequenceHeader *std_sequence,
                          const struct rp_av1_sequence *seq, uint32_t width_px, uint32_t height_px,
                          struct rp_av1_frame *out);

#endif

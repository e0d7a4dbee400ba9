/* SPDX-License-Identifier: MIT */
/* What our encoder cannot do is overridden in the parameter sets, and the overrides are reported.
 */
#ifndef RP_VIDEO_H264_OVERRIDES_H
#define RP_VIDEO_H264_OVERRIDES_H

#include <vk_video/vulkan_video_codec_h264std.h>

#include <stdbool.h>

/* profile_idc has 8x8 transform, scaling lists and a second chroma QP offset in its syntax. */
bool rp_h264_profile_is_high(StdVideoH264ProfileIdc profile_idc);

/* True when something was changed. */
bool rp_h264_override_sps(StdVideoH264SequenceParameterSet *sps);
bool rp_h264_override_pps(const StdVideoH264SequenceParameterSet *sps,
                          StdVideoH264PictureParameterSet *pps);

#endif

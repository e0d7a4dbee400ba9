/* SPDX-License-Identifier: MIT */
/* The sequence header of a VkVideoSessionParametersKHR: a deep copy that never changes.
 */
#ifndef RP_VIDEO_AV1_SESSION_PARAMETERS_H
#define RP_VIDEO_AV1_SESSION_PARAMETERS_H

#include "video/parameters.h"

#include <vk_video/vulkan_video_codec_av1std.h>

/* What a row of video/standard.h has of them. */
extern const struct rp_video_parameters_ops rp_av1_parameters_ops;

/* The sequence header as the application gave it; pColorConfig is set. NULL when there is none, or
 * no object. */
const StdVideoAV1SequenceHeader *
rp_av1_parameters_sequence(const struct rp_video_parameters *common);

#endif

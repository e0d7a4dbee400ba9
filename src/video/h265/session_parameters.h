/* SPDX-License-Identifier: MIT */
/* H.265 parameter sets of a VkVideoSessionParametersKHR: deep copies, found by their ids.
 */
#ifndef RP_VIDEO_H265_SESSION_PARAMETERS_H
#define RP_VIDEO_H265_SESSION_PARAMETERS_H

#include "video/parameters.h"

#include <vk_video/vulkan_video_codec_h265std.h>

extern const struct rp_video_parameters_ops rp_h265_parameters_ops;

/* NULL when there is no such set; params may be NULL. Valid as long as the parameters object. */
const StdVideoH265SequenceParameterSet *
rp_h265_parameters_find_sps(const struct rp_video_parameters *params, uint32_t vps_id,
                            uint32_t sps_id);
const StdVideoH265PictureParameterSet *
rp_h265_parameters_find_pps(const struct rp_video_parameters *params, uint32_t vps_id,
                            uint32_t sps_id, uint32_t pps_id);

#endif

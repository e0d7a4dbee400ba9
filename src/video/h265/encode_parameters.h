/* SPDX-License-Identifier: MIT */
/* H.265 parameter sets of an encode session's VkVideoSessionParametersKHR: deep copies as the
 * stream has them, found by their ids, and written.
 */
#ifndef RP_VIDEO_H265_ENCODE_PARAMETERS_H
#define RP_VIDEO_H265_ENCODE_PARAMETERS_H

#include "video/parameters.h"

#include <vk_video/vulkan_video_codec_h265std.h>

#include <stdbool.h>
#include <stdint.h>

extern const struct rp_video_parameters_ops rp_h265_encode_parameters_ops;

/* What a picture is coded with. Valid as long as the parameters object. */
struct rp_h265_active {
    const StdVideoH265SequenceParameterSet *sps; /* whose short-term sets are all derived (7.4.8) */
    const StdVideoH265PictureParameterSet *pps;
    bool has_overrides;
};

/* False when there are no such sets; params may be NULL. */
bool rp_h265_encode_parameters_find(const struct rp_video_parameters *params, uint32_t vps_id,
                                    uint32_t sps_id, uint32_t pps_id, struct rp_h265_active *out);

#endif

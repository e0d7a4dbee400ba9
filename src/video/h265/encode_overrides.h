/* SPDX-License-Identifier: MIT */
/* Parameter sets as the encoder can keep to them: what it cannot do is overridden, and reported
 * (VkVideoEncodeH265SessionParametersFeedbackInfoKHR).
 */
#ifndef RP_VIDEO_H265_ENCODE_OVERRIDES_H
#define RP_VIDEO_H265_ENCODE_OVERRIDES_H

#include <vk_video/vulkan_video_codec_h265std.h>

#include <stdbool.h>

/* True when something changed. Sizes are rounded up to whole coding blocks, with a conformance
 * window for what was asked. Profiles become profile_idc. */
bool rp_h265_override_profile(StdVideoH265ProfileTierLevel *ptl,
                              StdVideoH265ProfileIdc profile_idc);
bool rp_h265_override_sps(StdVideoH265SequenceParameterSet *sps);
/* What holds for all PPSs of a session. */
struct rp_h265_pps_rules {
    bool has_maps;       /* coding tree blocks have quantisers of their own */
    bool has_wavefronts; /* rows of them are coded side by side */
};

bool rp_h265_override_pps(StdVideoH265PictureParameterSet *pps,
                          const struct rp_h265_pps_rules *rules);

#endif

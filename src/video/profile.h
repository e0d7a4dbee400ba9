/* SPDX-License-Identifier: MIT */
/* A video profile, taken apart and checked against the codecs that are there.
 */
#ifndef RP_VIDEO_PROFILE_H
#define RP_VIDEO_PROFILE_H

#include "util/compiler.h"
#include "video/standard.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rp_decode_codec;
struct rp_encode_codec;

struct rp_video_profile {
    const struct rp_video_standard *standard;
    const struct rp_encode_codec *encode_codec; /* of encode operations, else NULL */
    const struct rp_decode_codec *decode_codec; /* of decode operations, else NULL */
    int32_t idc;                                /* the standard's: StdVideoH264ProfileIdc, ... */
    VkVideoChromaSubsamplingFlagBitsKHR chroma_subsampling;
    VkVideoComponentBitDepthFlagBitsKHR bit_depth; /* of luma and chroma */
    bool has_rgb_conversion;                       /* encode: RGB input */
    bool depth_names_profile;                      /* the name that is given counts for nothing */
    VkVideoEncodeTuningModeKHR tuning_mode;        /* encode */
};

/* VK_ERROR_VIDEO_PROFILE_OPERATION_, _FORMAT_, _CODEC_ or _PICTURE_LAYOUT_NOT_SUPPORTED_KHR for
 * what is not there. */
VkResult rp_video_profile_parse(const struct rp_video_codecs *codecs,
                                const VkVideoProfileInfoKHR *info,
                                struct rp_video_profile *out) RP_MUST_CHECK;

static inline bool
rp_video_profile_is_encode(const struct rp_video_profile *profile)
{
    return profile->standard->encode != NULL;
}

#endif

/* SPDX-License-Identifier: MIT */
/* The formats of images that hold pictures or maps of video, and what for.
 */
#ifndef RP_VIDEO_FORMATS_H
#define RP_VIDEO_FORMATS_H

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stdint.h>

struct rp_video_codecs;
struct rp_video_profile;

struct rp_video_format {
    VkFormat format;
    VkImageTiling tiling;
    VkImageUsageFlags usages; /* of video alone */
    bool is_rgb;              /* input of profiles with RGB conversion, and of no other */
    VkVideoComponentBitDepthFlagsKHR bit_depths; /* of the profiles that it is for */
};

/* All formats, in the order in which they are shown: clients take the first that fits. */
const struct rp_video_format *rp_video_formats(uint32_t *count_out);

/* The video usages that images of a profile may have. */
VkImageUsageFlags rp_video_profile_usages(const struct rp_video_profile *profile);

/* What the format is for with the profile: a profile with RGB conversion keeps its DPB in the
 * format that is the input of the others. */
VkImageUsageFlags rp_video_format_usages(const struct rp_video_format *format,
                                         const struct rp_video_profile *profile);

/* What the codecs that are there add to a format's features. */
VkFormatFeatureFlags2 rp_video_format_features(const struct rp_video_codecs *codecs,
                                               VkFormat format);

#endif

/* SPDX-License-Identifier: MIT */
/* One row per format and tiling.
 */
#include "video/formats.h"

#include "util/compiler.h"
#include "video/profile.h"
#include "video/standard.h"

#define SRC VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR
#define DPB VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR
#define DELTA VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR
#define EMPHASIS VK_IMAGE_USAGE_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR
#define ENCODE (SRC | DPB | DELTA | EMPHASIS)
#define DST VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR
#define DECODE (DST | VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR)

#define OPTIMAL VK_IMAGE_TILING_OPTIMAL
#define LINEAR VK_IMAGE_TILING_LINEAR

#define P010 VK_FORMAT_G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16

#define BITS_8 VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR
#define BITS_10 VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR
#define ANY_BITS (~(VkVideoComponentBitDepthFlagsKHR)0) /* maps */

static const struct rp_video_format formats[] = {
    {VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, OPTIMAL, SRC | DPB | DECODE, false, BITS_8},
    {VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM, OPTIMAL, SRC | DST, false, BITS_8},
    {P010, OPTIMAL, SRC | DPB | DECODE, false, BITS_10},
    {VK_FORMAT_A2R10G10B10_UNORM_PACK32, OPTIMAL, SRC, true, BITS_10},
    {VK_FORMAT_A2B10G10R10_UNORM_PACK32, OPTIMAL, SRC, true, BITS_10},
    {VK_FORMAT_B8G8R8A8_UNORM, OPTIMAL, SRC, true, BITS_8 | BITS_10},
    {VK_FORMAT_R8G8B8A8_UNORM, OPTIMAL, SRC, true, BITS_8 | BITS_10},
    {VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, LINEAR, SRC, false, BITS_8},
    {VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM, LINEAR, SRC, false, BITS_8},
    {P010, LINEAR, SRC, false, BITS_10},
    {VK_FORMAT_A2R10G10B10_UNORM_PACK32, LINEAR, SRC, true, BITS_10},
    {VK_FORMAT_A2B10G10R10_UNORM_PACK32, LINEAR, SRC, true, BITS_10},
    {VK_FORMAT_B8G8R8A8_UNORM, LINEAR, SRC, true, BITS_8 | BITS_10},
    {VK_FORMAT_R8G8B8A8_UNORM, LINEAR, SRC, true, BITS_8 | BITS_10},
    {VK_FORMAT_R8_SINT, OPTIMAL, DELTA, false, ANY_BITS},
    {VK_FORMAT_R16_SINT, OPTIMAL, DELTA, false, ANY_BITS},
    {VK_FORMAT_R32_SINT, OPTIMAL, DELTA, false, ANY_BITS},
    {VK_FORMAT_R8_SINT, LINEAR, DELTA, false, ANY_BITS},
    {VK_FORMAT_R16_SINT, LINEAR, DELTA, false, ANY_BITS},
    {VK_FORMAT_R32_SINT, LINEAR, DELTA, false, ANY_BITS},
    {VK_FORMAT_R8_UNORM, OPTIMAL, EMPHASIS, false, ANY_BITS},
    {VK_FORMAT_R8_UNORM, LINEAR, EMPHASIS, false, ANY_BITS},
};

const struct rp_video_format *
rp_video_formats(uint32_t *count_out)
{
    *count_out = RP_ARRAY_SIZE(formats);
    return formats;
}

VkImageUsageFlags
rp_video_profile_usages(const struct rp_video_profile *profile)
{
    if (!rp_video_profile_is_encode(profile))
        return DECODE;
    return ENCODE & ~profile->standard->missing_map_usages;
}

VkImageUsageFlags
rp_video_format_usages(const struct rp_video_format *format, const struct rp_video_profile *profile)
{
    if (!(format->bit_depths & profile->bit_depth))
        return 0;
    const VkImageUsageFlags usages = format->usages & rp_video_profile_usages(profile);
    return format->is_rgb == profile->has_rgb_conversion ? usages : usages & ~SRC;
}

/* The usages of images in which some profile of a codec that is there has its pictures or maps. */
static VkImageUsageFlags
usages_of_codecs(const struct rp_video_codecs *codecs, const struct rp_video_format *format)
{
    VkImageUsageFlags usages = 0;
    if (format->bit_depths & codecs->encode_bit_depths)
        usages |= ENCODE;
    if (format->bit_depths & codecs->decode_bit_depths)
        usages |= DECODE;
    return format->usages & usages;
}

VkFormatFeatureFlags2
rp_video_format_features(const struct rp_video_codecs *codecs, VkFormat format)
{
    static const struct {
        VkImageUsageFlags usage;
        VkFormatFeatureFlags2 feature;
    } pairs[] = {
        {SRC, VK_FORMAT_FEATURE_2_VIDEO_ENCODE_INPUT_BIT_KHR},
        {DPB, VK_FORMAT_FEATURE_2_VIDEO_ENCODE_DPB_BIT_KHR},
        {DELTA, VK_FORMAT_FEATURE_2_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR},
        {EMPHASIS, VK_FORMAT_FEATURE_2_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR},
        {VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR, VK_FORMAT_FEATURE_2_VIDEO_DECODE_OUTPUT_BIT_KHR},
        {VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR, VK_FORMAT_FEATURE_2_VIDEO_DECODE_DPB_BIT_KHR},
    };

    VkImageUsageFlags usages = 0;
    for (uint32_t i = 0; i < RP_ARRAY_SIZE(formats); i++) {
        if (formats[i].format == format)
            usages |= usages_of_codecs(codecs, &formats[i]);
    }
    VkFormatFeatureFlags2 features = 0;
    for (uint32_t i = 0; i < RP_ARRAY_SIZE(pairs); i++) {
        if (usages & pairs[i].usage)
            features |= pairs[i].feature;
    }
    return features;
}

/* SPDX-License-Identifier: MIT */
/* The profiles of H.265.
 */
#include "video.h"

#include "tools/client/video_session.h"

static const char *const level_names[] = {
    "1.0", "2.0", "2.1", "3.0", "3.1", "4.0", "4.1", "5.0", "5.1", "5.2", "6.0", "6.1", "6.2",
};

struct profile {
    const char *decode;
    StdVideoH265ProfileIdc std;
    VkVideoComponentBitDepthFlagsKHR bit_depth;
};

static cJSON *
decode_profile(const struct info_vulkan *vk, const struct profile *p)
{
    const VkVideoDecodeH265ProfileInfoKHR h265_profile = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_PROFILE_INFO_KHR,
        .stdProfileIdc = p->std,
    };
    VkVideoProfileInfoKHR profile =
        video_profile(VK_VIDEO_CODEC_OPERATION_DECODE_H265_BIT_KHR, &h265_profile);
    VkVideoDecodeH265CapabilitiesKHR h265 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_CAPABILITIES_KHR};
    profile.lumaBitDepth = profile.chromaBitDepth = p->bit_depth;
    cJSON *node = info_decode_profile(vk, &profile, &h265);
    if (node) {
        const uint32_t level = (uint32_t)h265.maxLevelIdc;
        cJSON_AddStringToObject(node, "level",
                                level < INFO_COUNT(level_names) ? level_names[level] : "?");
    }
    return node;
}

void
info_video_h265(const struct info_vulkan *vk, cJSON *to)
{
    static const struct profile profiles[] = {
        {"H.265 Main decode", STD_VIDEO_H265_PROFILE_IDC_MAIN,
         VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR},
        {"H.265 Main 10 decode", STD_VIDEO_H265_PROFILE_IDC_MAIN_10,
         VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR},
    };
    for (uint32_t i = 0; i < INFO_COUNT(profiles); i++) {
        cJSON *node = decode_profile(vk, &profiles[i]);
        if (node)
            cJSON_AddItemToObject(to, profiles[i].decode, node);
    }
}

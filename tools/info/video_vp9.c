/* SPDX-License-Identifier: MIT */
/* The profiles of VP9.
 */
#include "video.h"

#include "tools/client/video_session.h"

static const char *const level_names[] = {
    "1.0", "1.1", "2.0", "2.1", "3.0", "3.1", "4.0",
    "4.1", "5.0", "5.1", "5.2", "6.0", "6.1", "6.2",
};

struct profile {
    const char *decode;
    StdVideoVP9Profile std;
    VkVideoComponentBitDepthFlagsKHR bit_depth;
};

static cJSON *
decode_profile(const struct info_vulkan *vk, const struct profile *p)
{
    const VkVideoDecodeVP9ProfileInfoKHR vp9_profile = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_VP9_PROFILE_INFO_KHR,
        .stdProfile = p->std,
    };
    VkVideoProfileInfoKHR profile =
        video_profile(VK_VIDEO_CODEC_OPERATION_DECODE_VP9_BIT_KHR, &vp9_profile);
    VkVideoDecodeVP9CapabilitiesKHR vp9 = {.sType =
                                               VK_STRUCTURE_TYPE_VIDEO_DECODE_VP9_CAPABILITIES_KHR};
    profile.lumaBitDepth = profile.chromaBitDepth = p->bit_depth;
    cJSON *node = info_decode_profile(vk, &profile, &vp9);
    if (node) {
        const uint32_t level = (uint32_t)vp9.maxLevel;
        cJSON_AddStringToObject(node, "level",
                                level < INFO_COUNT(level_names) ? level_names[level] : "?");
    }
    return node;
}

void
info_video_vp9(const struct info_vulkan *vk, cJSON *to)
{
    static const struct profile profiles[] = {
        {"VP9 profile 0 decode", STD_VIDEO_VP9_PROFILE_0, VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR},
        {"VP9 profile 2 10 bit decode", STD_VIDEO_VP9_PROFILE_2,
         VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR},
    };
    for (uint32_t i = 0; i < INFO_COUNT(profiles); i++) {
        cJSON *node = decode_profile(vk, &profiles[i]);
        if (node)
            cJSON_AddItemToObject(to, profiles[i].decode, node);
    }
}

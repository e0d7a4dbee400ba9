/* SPDX-License-Identifier: MIT */
/* Video profiles of the device: what the codecs share, and what each one adds.
 */
#ifndef RP_TOOLS_INFO_VIDEO_H
#define RP_TOOLS_INFO_VIDEO_H

#include "info.h"

#define INFO_COUNT(array) (uint32_t)(sizeof(array) / sizeof((array)[0]))

/* What is the same for every codec of the profile; codec: the codec's structure of capabilities,
 * which is filled. NULL: there is no such profile. */
cJSON *info_encode_profile(const struct info_vulkan *vk, const VkVideoProfileInfoKHR *profile,
                           void *codec);
cJSON *info_decode_profile(const struct info_vulkan *vk, const VkVideoProfileInfoKHR *profile,
                           void *codec);

/* Adds all profiles of the codec that there are. */
void info_video_h264(const struct info_vulkan *vk, cJSON *to);
void info_video_h265(const struct info_vulkan *vk, cJSON *to);
void info_video_av1(const struct info_vulkan *vk, cJSON *to);
void info_video_vp9(const struct info_vulkan *vk, cJSON *to);

#endif

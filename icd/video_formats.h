/* SPDX-License-Identifier: MIT */
/* Which images hold pictures of video profiles.
 */
#ifndef RP_ICD_VIDEO_FORMATS_H
#define RP_ICD_VIDEO_FORMATS_H

#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

struct rp_physical_device;

/* VK_SUCCESS also when list is NULL or empty. Else an error of the profiles, which comes before any
 * of the image; or VK_ERROR_IMAGE_USAGE_NOT_SUPPORTED_KHR. */
VkResult rp_video_check_image(const struct rp_physical_device *pdev,
                              const VkVideoProfileListInfoKHR *list, VkFormat format,
                              VkImageUsageFlags2KHR usage) RP_MUST_CHECK;

#endif

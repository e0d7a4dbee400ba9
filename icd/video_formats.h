/* SPDX-License-Identifier: MIT */
/* Which images hold pictures of video profiles.
 */
#ifndef RP_ICD_VIDEO_FORMATS_H
#define RP_ICD_VIDEO_FORMATS_H

#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

struct rp_physical_device;

/* list may be NULL or empty. An error of its profiles comes before any of the image, which is
 * VK_ERROR_IMAGE_USAGE_NOT_SUPPORTED_KHR; VK_ERROR_FORMAT_NOT_SUPPORTED when only the type is wrong
 * for what usage says. */
VkResult rp_video_check_image(const struct rp_physical_device *pdev,
                              const VkVideoProfileListInfoKHR *list, VkFormat format,
                              VkImageType type, VkImageUsageFlags2KHR usage) RP_MUST_CHECK;

#endif

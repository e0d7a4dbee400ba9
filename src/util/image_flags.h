/* SPDX-License-Identifier: MIT */
/* Flags and usages of images, which the 64-bit ones of VK_KHR_extended_flags replace in a chain.
 */
#ifndef RP_UTIL_IMAGE_FLAGS_H
#define RP_UTIL_IMAGE_FLAGS_H

#include "util/pnext.h"

#include <vulkan/vulkan_core.h>

#include <stdint.h>

static inline VkImageCreateFlags2KHR
rp_image_flags(const void *chain, VkImageCreateFlags flags)
{
    const VkImageCreateFlags2CreateInfoKHR *extended =
        rp_find_struct(chain, VK_STRUCTURE_TYPE_IMAGE_CREATE_FLAGS_2_CREATE_INFO_KHR);
    return extended ? extended->flags : flags;
}

static inline VkImageUsageFlags2KHR
rp_image_usage(const void *chain, VkImageUsageFlags usage)
{
    const VkImageUsageFlags2CreateInfoKHR *extended =
        rp_find_struct(chain, VK_STRUCTURE_TYPE_IMAGE_USAGE_FLAGS_2_CREATE_INFO_KHR);
    return extended ? extended->usage : usage;
}

/* usage: the image's, where the chain gives the stencil aspect none of its own. */
static inline VkImageUsageFlags2KHR
rp_image_stencil_usage(const void *chain, VkImageUsageFlags2KHR usage)
{
    const VkImageStencilUsage2CreateInfoKHR *extended =
        rp_find_struct(chain, VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_2_CREATE_INFO_KHR);
    const VkImageStencilUsageCreateInfo *plain =
        rp_find_struct(chain, VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO);
    if (extended)
        return extended->stencilUsage;
    return plain ? plain->stencilUsage : usage;
}

static inline VkImageUsageFlags2KHR
rp_image_view_usage(const void *chain, VkImageUsageFlags2KHR usage)
{
    const VkImageViewUsage2CreateInfoKHR *extended =
        rp_find_struct(chain, VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_2_CREATE_INFO_KHR);
    const VkImageViewUsageCreateInfo *plain =
        rp_find_struct(chain, VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO);
    if (extended)
        return extended->usage;
    return plain ? plain->usage : usage;
}

#endif

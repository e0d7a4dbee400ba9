/* SPDX-License-Identifier: MIT */
/* Format queries: the lower device's answers with what is lent, cut to what it can copy.
 */
#include "icd/layer/formats.h"

#include "icd/layer/chain.h"
#include "icd/layer/instance.h"
#include "util/compiler.h"
#include "util/pnext.h"

#define ENCODE_FEATURES \
    (VK_FORMAT_FEATURE_2_VIDEO_ENCODE_INPUT_BIT_KHR | VK_FORMAT_FEATURE_2_VIDEO_ENCODE_DPB_BIT_KHR)
#define DECODE_FEATURES \
    (VK_FORMAT_FEATURE_2_VIDEO_DECODE_OUTPUT_BIT_KHR | VK_FORMAT_FEATURE_2_VIDEO_DECODE_DPB_BIT_KHR)

static const struct rp_layer_format formats[] = {
    {VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
     2,
     {{VK_IMAGE_ASPECT_PLANE_0_BIT, 1, 0}, {VK_IMAGE_ASPECT_PLANE_1_BIT, 2, 1}}},
    {VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM,
     3,
     {{VK_IMAGE_ASPECT_PLANE_0_BIT, 1, 0},
      {VK_IMAGE_ASPECT_PLANE_1_BIT, 1, 1},
      {VK_IMAGE_ASPECT_PLANE_2_BIT, 1, 1}}},
    {VK_FORMAT_G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16,
     2,
     {{VK_IMAGE_ASPECT_PLANE_0_BIT, 2, 0}, {VK_IMAGE_ASPECT_PLANE_1_BIT, 4, 1}}},
    {VK_FORMAT_B8G8R8A8_UNORM, 1, {{VK_IMAGE_ASPECT_COLOR_BIT, 4, 0}}},
    {VK_FORMAT_R8G8B8A8_UNORM, 1, {{VK_IMAGE_ASPECT_COLOR_BIT, 4, 0}}},
};

const struct rp_layer_format *
rp_layer_format_find(VkFormat format)
{
    for (size_t i = 0; i < RP_ARRAY_SIZE(formats); i++) {
        if (formats[i].format == format)
            return &formats[i];
    }
    return NULL;
}

/* Of OPTIMAL images. lower: what the lower device can do with the format. */
static VkFormatFeatureFlags2
lent_features(const struct rp_layer_physical_device *pdev, VkFormat format,
              VkFormatFeatureFlags2 lower)
{
    const struct rp_layer_instance *instance = pdev->instance;
    VkFormatProperties3 more = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3};
    VkFormatProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2,
        .pNext = &more,
    };
    VkFormatFeatureFlags2 lent = 0;

    if (!rp_layer_format_find(format))
        return 0;
    instance->driver.GetPhysicalDeviceFormatProperties2(instance->driver_device, format,
                                                        &properties);
    if (pdev->operations[RP_LAYER_ENCODE] && lower & VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT)
        lent |= ENCODE_FEATURES;
    if (pdev->operations[RP_LAYER_DECODE] && lower & VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT)
        lent |= DECODE_FEATURES;
    return more.optimalTilingFeatures & lent;
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_GetPhysicalDeviceFormatProperties(VkPhysicalDevice handle, VkFormat format,
                                           VkFormatProperties *out)
{
    const struct rp_layer_physical_device *pdev = rp_layer_physical_device_get(handle);

    rp_layer_instance_find(handle)->lower.GetPhysicalDeviceFormatProperties(handle, format, out);
    if (pdev && rp_layer_is_served(pdev))
        out->optimalTilingFeatures |=
            (VkFormatFeatureFlags)lent_features(pdev, format, out->optimalTilingFeatures);
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_GetPhysicalDeviceFormatProperties2(VkPhysicalDevice handle, VkFormat format,
                                            VkFormatProperties2 *out)
{
    const struct rp_layer_physical_device *pdev = rp_layer_physical_device_get(handle);

    rp_layer_instance_find(handle)->lower.GetPhysicalDeviceFormatProperties2(handle, format, out);
    if (!pdev || !rp_layer_is_served(pdev))
        return;
    const VkFormatFeatureFlags2 lent =
        lent_features(pdev, format, out->formatProperties.optimalTilingFeatures);
    out->formatProperties.optimalTilingFeatures |= (VkFormatFeatureFlags)lent;
    VkFormatProperties3 *more =
        rp_find_struct_mut(out->pNext, VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3);
    if (more)
        more->optimalTilingFeatures |= lent;
}

/* What the driver says of the pictures alone. */
static VkResult
driver_image_properties(const struct rp_layer_physical_device *pdev,
                        const VkPhysicalDeviceImageFormatInfo2 *info, VkImageUsageFlags usage,
                        VkImageFormatProperties *out)
{
    const VkVideoProfileListInfoKHR *list =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR);
    VkVideoProfileListInfoKHR profiles;
    VkPhysicalDeviceImageFormatInfo2 above = *info;
    VkImageFormatProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2,
    };

    above.pNext = NULL;
    above.usage = usage;
    if (rp_layer_profiles_are_lent(pdev, info->pNext)) {
        profiles = *list;
        profiles.pNext = NULL;
        above.pNext = &profiles;
    }
    const VkResult result = pdev->instance->driver.GetPhysicalDeviceImageFormatProperties2(
        pdev->instance->driver_device, &above, &properties);
    *out = properties.imageFormatProperties;
    return result;
}

static void
intersect(VkImageFormatProperties *out, const VkImageFormatProperties *with)
{
    out->maxExtent.width = RP_MIN(out->maxExtent.width, with->maxExtent.width);
    out->maxExtent.height = RP_MIN(out->maxExtent.height, with->maxExtent.height);
    out->maxMipLevels = RP_MIN(out->maxMipLevels, with->maxMipLevels);
    out->maxArrayLayers = RP_MIN(out->maxArrayLayers, with->maxArrayLayers);
    out->sampleCounts &= with->sampleCounts;
}

/* The lower device's part of an image that video shares: it copies instead. */
static VkResult
lower_image_properties(const struct rp_layer_physical_device *pdev,
                       const VkPhysicalDeviceImageFormatInfo2 *info, VkImageUsageFlags lent,
                       VkImageFormatProperties2 *out)
{
    struct rp_arena arena;
    void *chain = NULL;
    VkPhysicalDeviceImageFormatInfo2 below = *info;

    rp_arena_init(&arena, NULL);
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (rp_layer_chain_copy(&arena, info->pNext, &chain)) {
        if (rp_layer_profiles_are_lent(pdev, chain))
            rp_layer_chain_remove(&chain, VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR);
        below.pNext = chain;
        below.usage = (info->usage & ~lent) | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
        if (info->usage & lent & VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR)
            below.usage |= VK_IMAGE_USAGE_TRANSFER_DST_BIT;
        if (!pdev->lower_operations)
            below.flags &= ~(VkImageCreateFlags)VK_IMAGE_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR;
        result = pdev->instance->lower.GetPhysicalDeviceImageFormatProperties2(pdev->handle, &below,
                                                                               out);
    }
    rp_arena_finish(&arena);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_GetPhysicalDeviceImageFormatProperties2(VkPhysicalDevice handle,
                                                 const VkPhysicalDeviceImageFormatInfo2 *info,
                                                 VkImageFormatProperties2 *out)
{
    const struct rp_layer_instance *instance = rp_layer_instance_find(handle);
    const struct rp_layer_physical_device *pdev = rp_layer_physical_device_get(handle);
    const VkImageUsageFlags lent = pdev ? info->usage & rp_layer_image_usages(pdev) : 0;
    const VkImageUsageFlags both =
        VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR | VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR;
    VkImageFormatProperties driver;

    if (!lent)
        return instance->lower.GetPhysicalDeviceImageFormatProperties2(handle, info, out);
    out->imageFormatProperties = (VkImageFormatProperties){0};
    /* A source is a copy, which the encoder's references would overwrite. */
    if (!rp_layer_format_find(info->format) || info->tiling != VK_IMAGE_TILING_OPTIMAL ||
        (lent & both) == both)
        return VK_ERROR_FORMAT_NOT_SUPPORTED;
    VkResult result = driver_image_properties(pdev, info, lent, &driver);
    if (result == VK_SUCCESS)
        result = lower_image_properties(pdev, info, lent, out);
    if (result == VK_SUCCESS)
        intersect(&out->imageFormatProperties, &driver);
    return result;
}

/* SPDX-License-Identifier: MIT */
/* Format queries: the lower device's answers with what is lent, cut to what it can copy.
 */
#include "icd/layer/formats.h"

#include "icd/layer/chain.h"
#include "icd/layer/instance.h"
#include "icd/layer/usage.h"
#include "util/compiler.h"
#include "util/pnext.h"

#define ENCODE_FEATURES \
    (VK_FORMAT_FEATURE_2_VIDEO_ENCODE_INPUT_BIT_KHR | \
     VK_FORMAT_FEATURE_2_VIDEO_ENCODE_DPB_BIT_KHR | \
     VK_FORMAT_FEATURE_2_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR | \
     VK_FORMAT_FEATURE_2_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR)
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
    {VK_FORMAT_A2R10G10B10_UNORM_PACK32, 1, {{VK_IMAGE_ASPECT_COLOR_BIT, 4, 0}}},
    {VK_FORMAT_A2B10G10R10_UNORM_PACK32, 1, {{VK_IMAGE_ASPECT_COLOR_BIT, 4, 0}}},
    {VK_FORMAT_R8_SINT, 1, {{VK_IMAGE_ASPECT_COLOR_BIT, 1, 0}}},
    {VK_FORMAT_R16_SINT, 1, {{VK_IMAGE_ASPECT_COLOR_BIT, 2, 0}}},
    {VK_FORMAT_R32_SINT, 1, {{VK_IMAGE_ASPECT_COLOR_BIT, 4, 0}}},
    {VK_FORMAT_R8_UNORM, 1, {{VK_IMAGE_ASPECT_COLOR_BIT, 1, 0}}},
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

/* The features that lent families give to OPTIMAL images. lower: what the lower device can do with
 * the format. */
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

/* What the driver says of the lent part. */
static VkResult
driver_image_properties(const struct rp_layer_physical_device *pdev,
                        const VkPhysicalDeviceImageFormatInfo2 *info, VkFlags64 lent,
                        struct rp_arena *arena, VkImageFormatProperties *out)
{
    VkVideoProfileListInfoKHR profiles;
    VkPhysicalDeviceImageFormatInfo2 above = *info;
    VkImageFormatProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2,
    };

    if (!rp_layer_profiles_lent(pdev, arena, info->pNext, &profiles))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    above.pNext = profiles.profileCount > 0 ? &profiles : NULL;
    above.usage = (VkImageUsageFlags)lent;
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
                       const VkPhysicalDeviceImageFormatInfo2 *info,
                       const struct rp_layer_usage *usage, struct rp_arena *arena,
                       VkImageFormatProperties2 *out)
{
    void *chain = NULL;
    VkPhysicalDeviceImageFormatInfo2 below = *info;

    if (!rp_layer_chain_copy(arena, info->pNext, &chain) ||
        !rp_layer_profiles_keep_lower(pdev, arena, &chain))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    below.pNext = chain;
    below.usage = (VkImageUsageFlags)usage->lower | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    if (usage->lent & VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR)
        below.usage |= VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    if (!rp_layer_image_usage_is_video(usage->lower))
        below.flags &= ~(VkImageCreateFlags)VK_IMAGE_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR;
    return pdev->instance->lower.GetPhysicalDeviceImageFormatProperties2(pdev->handle, &below, out);
}

/* Whether the layer can make such an image. A source is a copy, which the encoder's references
 * would overwrite; references are our driver's alone, so that neither the lower device nor its
 * codecs see them. FFmpeg wants to sample references, and never does. */
static bool
is_servable(const VkPhysicalDeviceImageFormatInfo2 *info, const struct rp_layer_usage *usage)
{
    const bool is_reference = !(usage->lent & RP_LAYER_PICTURE_USAGES);
    const VkImageUsageFlags source_and_reference =
        VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR | VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR;
    const VkImageUsageFlags references =
        VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR | VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR;

    return rp_layer_format_find(info->format) && info->tiling == VK_IMAGE_TILING_OPTIMAL &&
           (usage->lent & source_and_reference) != source_and_reference &&
           !(usage->lent & usage->lower & references) &&
           !(is_reference && usage->lower & ~(VkFlags64)VK_IMAGE_USAGE_SAMPLED_BIT);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_GetPhysicalDeviceImageFormatProperties2(VkPhysicalDevice handle,
                                                 const VkPhysicalDeviceImageFormatInfo2 *info,
                                                 VkImageFormatProperties2 *out)
{
    const struct rp_layer_instance *instance = rp_layer_instance_find(handle);
    const struct rp_layer_physical_device *pdev = rp_layer_physical_device_get(handle);
    struct rp_layer_usage usage = {.lower = info->usage};
    VkImageFormatProperties driver;
    struct rp_arena arena;

    if (pdev)
        usage = rp_layer_image_usage(pdev, info->usage, info->flags, info->pNext);
    if (!usage.lent)
        return instance->lower.GetPhysicalDeviceImageFormatProperties2(handle, info, out);
    out->imageFormatProperties = (VkImageFormatProperties){0};
    if (!is_servable(info, &usage))
        return VK_ERROR_FORMAT_NOT_SUPPORTED;
    rp_arena_init(&arena, NULL);
    VkResult result = driver_image_properties(pdev, info, usage.lent, &arena, &driver);
    if (result == VK_SUCCESS)
        result = lower_image_properties(pdev, info, &usage, &arena, out);
    rp_arena_finish(&arena);
    if (result == VK_SUCCESS)
        intersect(&out->imageFormatProperties, &driver);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_GetPhysicalDeviceImageFormatProperties(VkPhysicalDevice handle, VkFormat format,
                                                VkImageType type, VkImageTiling tiling,
                                                VkImageUsageFlags usage, VkImageCreateFlags flags,
                                                VkImageFormatProperties *out)
{
    const struct rp_layer_instance *instance = rp_layer_instance_find(handle);
    const VkPhysicalDeviceImageFormatInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
        .format = format,
        .type = type,
        .tiling = tiling,
        .usage = usage,
        .flags = flags,
    };
    VkImageFormatProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2,
    };

    if (!rp_layer_image_usage_is_video(usage))
        return instance->lower.GetPhysicalDeviceImageFormatProperties(handle, format, type, tiling,
                                                                      usage, flags, out);
    const VkResult result =
        rp_layer_GetPhysicalDeviceImageFormatProperties2(handle, &info, &properties);
    *out = properties.imageFormatProperties;
    return result;
}

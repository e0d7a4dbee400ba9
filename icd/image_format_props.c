/* SPDX-License-Identifier: MIT */
/* vkGetPhysicalDeviceImageFormatProperties2: which images can be made.
 */
#include "format/format.h"
#include "icd/external.h"
#include "icd/format_props.h"
#include "icd/video_formats.h"
#include "object/image.h"
#include "object/instance.h"
#include "util/compiler.h"
#include "util/image_flags.h"
#include "util/pnext.h"

#include "rp_entrypoints.h"

#include <stdbool.h>

#define DRM_FORMAT_MOD_LINEAR 0

struct usage_rule {
    VkImageUsageFlags usage;
    VkFormatFeatureFlags2 feature;
};

static const struct usage_rule usage_rules[] = {
    {VK_IMAGE_USAGE_TRANSFER_SRC_BIT, VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT},
    {VK_IMAGE_USAGE_TRANSFER_DST_BIT, VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT},
    {VK_IMAGE_USAGE_SAMPLED_BIT, VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT},
    {VK_IMAGE_USAGE_STORAGE_BIT, VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT},
    {VK_IMAGE_USAGE_HOST_TRANSFER_BIT, VK_FORMAT_FEATURE_2_HOST_IMAGE_TRANSFER_BIT},
    {VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR, VK_FORMAT_FEATURE_2_VIDEO_ENCODE_INPUT_BIT_KHR},
    {VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR, VK_FORMAT_FEATURE_2_VIDEO_ENCODE_DPB_BIT_KHR},
    {VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR,
     VK_FORMAT_FEATURE_2_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR},
    {VK_IMAGE_USAGE_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR,
     VK_FORMAT_FEATURE_2_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR},
    {VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR, VK_FORMAT_FEATURE_2_VIDEO_DECODE_OUTPUT_BIT_KHR},
    {VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR, VK_FORMAT_FEATURE_2_VIDEO_DECODE_DPB_BIT_KHR},
};

/* What a view of a compressed image's blocks as texels may be used for. */
#define BLOCK_VIEW_FEATURES \
    (VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT)

#define KNOWN_FLAGS \
    (VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT | \
     VK_IMAGE_CREATE_ALIAS_BIT | VK_IMAGE_CREATE_SPLIT_INSTANCE_BIND_REGIONS_BIT | \
     VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT | VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT | \
     VK_IMAGE_CREATE_EXTENDED_USAGE_BIT | VK_IMAGE_CREATE_DISJOINT_BIT | \
     VK_IMAGE_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR | \
     VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT | \
     VK_IMAGE_CREATE_DESCRIPTOR_HEAP_CAPTURE_REPLAY_BIT_EXT | \
     VK_IMAGE_CREATE_ALIAS_SINGLE_LAYER_DESCRIPTOR_BIT_KHR)

/* Views of depth slices. */
#define SLICE_FLAGS \
    (VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT | VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT)

static bool
usage_fits(VkImageUsageFlags2KHR usage, VkFormatFeatureFlags2 features)
{
    for (size_t i = 0; i < RP_ARRAY_SIZE(usage_rules); i++) {
        if (features & usage_rules[i].feature)
            usage &= ~(VkImageUsageFlags2KHR)usage_rules[i].usage;
    }
    return usage == 0;
}

/* Views have formats of the image's class or, of one plane, of the plane's. */
static bool
is_view_format(const struct rp_format *fmt, const struct rp_format *view)
{
    if (view->compat_class == fmt->compat_class)
        return true;
    for (uint32_t i = 0; i < fmt->plane_count && rp_format_is_multi_planar(fmt); i++) {
        if (view->compat_class == rp_format_get(fmt->planes[i].format)->compat_class)
            return true;
    }
    return false;
}

/* With EXTENDED_USAGE it is enough that a format which a view may have has the feature. */
static VkFormatFeatureFlags2
view_features(const struct rp_physical_device *pdev, const struct rp_format *fmt,
              VkImageCreateFlags2KHR flags)
{
    VkFormatFeatureFlags2 features = rp_device_format_features(pdev, fmt);
    uint32_t count;
    const struct rp_format *all = rp_format_all(&count);

    if (!features || !(flags & VK_IMAGE_CREATE_EXTENDED_USAGE_BIT))
        return features;
    if (flags & VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT)
        features |= BLOCK_VIEW_FEATURES;
    for (uint32_t i = 0; i < count; i++) {
        if (is_view_format(fmt, &all[i]))
            features |= rp_device_format_features(pdev, &all[i]);
    }
    return features;
}

static bool
flags_fit(const struct rp_format *fmt, VkImageType type, VkImageCreateFlags2KHR flags)
{
    if (flags & ~(VkImageCreateFlags2KHR)KNOWN_FLAGS)
        return false;
    if (flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT && type != VK_IMAGE_TYPE_2D)
        return false;
    if (flags & SLICE_FLAGS && type != VK_IMAGE_TYPE_3D)
        return false;
    if (flags & VK_IMAGE_CREATE_ALIAS_SINGLE_LAYER_DESCRIPTOR_BIT_KHR && type == VK_IMAGE_TYPE_3D)
        return false;
    if (flags & VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT && !rp_format_is_compressed(fmt))
        return false;
    return !(flags & VK_IMAGE_CREATE_DISJOINT_BIT) || rp_format_is_multi_planar(fmt);
}

static bool
type_fits(const struct rp_format *fmt, VkImageType type)
{
    switch (type) {
    case VK_IMAGE_TYPE_1D:
        return !rp_format_is_compressed(fmt) && !fmt->chroma;
    case VK_IMAGE_TYPE_2D:
        return true;
    case VK_IMAGE_TYPE_3D:
        return !rp_format_is_compressed(fmt) && !fmt->chroma && !rp_format_is_depth_stencil(fmt);
    case VK_IMAGE_TYPE_MAX_ENUM:
        break;
    }
    return false;
}

static bool
tiling_fits(const struct rp_physical_device *pdev, const struct rp_format *fmt,
            const VkPhysicalDeviceImageFormatInfo2 *info)
{
    const VkPhysicalDeviceImageDrmFormatModifierInfoEXT *modifier = rp_find_struct(
        info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_DRM_FORMAT_MODIFIER_INFO_EXT);

    switch ((int)info->tiling) {
    case VK_IMAGE_TILING_OPTIMAL:
    case VK_IMAGE_TILING_LINEAR:
        return true;
    case VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT:
        return rp_extension_set_has(&pdev->extensions, RP_EXT_IMAGE_DRM_FORMAT_MODIFIER) &&
               info->type == VK_IMAGE_TYPE_2D && !rp_format_is_depth_stencil(fmt) && modifier &&
               modifier->drmFormatModifier == DRM_FORMAT_MOD_LINEAR;
    }
    return false;
}

static uint32_t
level_count(VkExtent3D extent)
{
    uint32_t largest = RP_MAX(extent.width, RP_MAX(extent.height, extent.depth));
    uint32_t count = 0;
    for (; largest; largest >>= 1)
        count++;
    return count;
}

static void
fill_limits(const struct rp_physical_device *pdev, const struct rp_format *fmt,
            const VkPhysicalDeviceImageFormatInfo2 *info, VkImageFormatProperties *out)
{
    const struct rp_properties *limits = &pdev->properties;

    out->maxExtent = (VkExtent3D){limits->maxImageDimension1D, 1, 1};
    out->maxArrayLayers = limits->maxImageArrayLayers;
    if (info->type == VK_IMAGE_TYPE_2D) {
        const uint32_t side =
            rp_image_flags(info->pNext, info->flags) & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT
                ? limits->maxImageDimensionCube
                : limits->maxImageDimension2D;
        out->maxExtent = (VkExtent3D){side, side, 1};
    } else if (info->type == VK_IMAGE_TYPE_3D) {
        const uint32_t side = limits->maxImageDimension3D;
        out->maxExtent = (VkExtent3D){side, side, side};
        out->maxArrayLayers = 1;
    }
    const bool is_plain = !fmt->chroma && info->tiling != VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT;
    out->maxMipLevels = is_plain ? level_count(out->maxExtent) : 1;
    out->sampleCounts = VK_SAMPLE_COUNT_1_BIT;
    out->maxResourceSize = RP_MAX_IMAGE_B;
}

static VkResult
fill_external(const struct rp_physical_device *pdev, const VkPhysicalDeviceImageFormatInfo2 *info,
              VkExternalImageFormatProperties *out)
{
    const VkPhysicalDeviceExternalImageFormatInfo *external =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_IMAGE_FORMAT_INFO);
    VkExternalMemoryProperties properties = {0};

    if (external && external->handleType) {
        rp_external_memory_properties(pdev, external->handleType, &properties);
        if (!properties.externalMemoryFeatures)
            return VK_ERROR_FORMAT_NOT_SUPPORTED;
    }
    if (out)
        out->externalMemoryProperties = properties;
    return VK_SUCCESS;
}

static void
fill_chain(VkBaseOutStructure *s)
{
    for (; s; s = s->pNext) {
        switch ((int)s->sType) {
        case VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_IMAGE_FORMAT_PROPERTIES:
            ((VkSamplerYcbcrConversionImageFormatProperties *)s)
                ->combinedImageSamplerDescriptorCount = 1;
            break;
        case VK_STRUCTURE_TYPE_HOST_IMAGE_COPY_DEVICE_PERFORMANCE_QUERY: {
            VkHostImageCopyDevicePerformanceQuery *p = (VkHostImageCopyDevicePerformanceQuery *)s;
            p->optimalDeviceAccess = VK_TRUE;
            p->identicalMemoryLayout = VK_TRUE;
            break;
        }
        case VK_STRUCTURE_TYPE_FILTER_CUBIC_IMAGE_VIEW_IMAGE_FORMAT_PROPERTIES_EXT: {
            VkFilterCubicImageViewImageFormatPropertiesEXT *p =
                (VkFilterCubicImageViewImageFormatPropertiesEXT *)s;
            p->filterCubic = VK_FALSE;
            p->filterCubicMinmax = VK_FALSE;
            break;
        }
        case VK_STRUCTURE_TYPE_IMAGE_COMPRESSION_PROPERTIES_EXT: {
            VkImageCompressionPropertiesEXT *p = (VkImageCompressionPropertiesEXT *)s;
            p->imageCompressionFlags = VK_IMAGE_COMPRESSION_DISABLED_EXT;
            p->imageCompressionFixedRateFlags = VK_IMAGE_COMPRESSION_FIXED_RATE_NONE_EXT;
            break;
        }
        case VK_STRUCTURE_TYPE_SUBSAMPLED_IMAGE_FORMAT_PROPERTIES_EXT:
            ((VkSubsampledImageFormatPropertiesEXT *)s)->subsampledImageDescriptorCount = 1;
            break;
        case VK_STRUCTURE_TYPE_TEXTURE_LOD_GATHER_FORMAT_PROPERTIES_AMD:
            ((VkTextureLODGatherFormatPropertiesAMD *)s)->supportsTextureGatherLODBiasAMD =
                VK_FALSE;
            break;
        }
    }
}

static VkResult
check_image(const struct rp_physical_device *pdev, const struct rp_format *fmt,
            const VkPhysicalDeviceImageFormatInfo2 *info)
{
    const VkImageCreateFlags2KHR flags = rp_image_flags(info->pNext, info->flags);
    const VkImageUsageFlags2KHR usage = rp_image_usage(info->pNext, info->usage);
    const VkFormatFeatureFlags2 features = fmt ? view_features(pdev, fmt, flags) : 0;
    const VkResult result = rp_video_check_image(
        pdev, rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR),
        info->format, info->type, usage);

    if (result != VK_SUCCESS)
        return result;
    if (!features || !type_fits(fmt, info->type) || !tiling_fits(pdev, fmt, info) ||
        !flags_fit(fmt, info->type, flags) || !usage_fits(usage, features) ||
        !usage_fits(rp_image_stencil_usage(info->pNext, usage), features))
        return VK_ERROR_FORMAT_NOT_SUPPORTED;
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_GetPhysicalDeviceImageFormatProperties2(VkPhysicalDevice physicalDevice,
                                           const VkPhysicalDeviceImageFormatInfo2 *info,
                                           VkImageFormatProperties2 *out)
{
    const struct rp_physical_device *pdev = rp_physical_device_from_handle(physicalDevice);
    const struct rp_format *fmt = rp_format_get(info->format);

    out->imageFormatProperties = (VkImageFormatProperties){0};
    VkExternalImageFormatProperties *external =
        rp_find_struct_mut(out->pNext, VK_STRUCTURE_TYPE_EXTERNAL_IMAGE_FORMAT_PROPERTIES);
    if (external)
        external->externalMemoryProperties = (VkExternalMemoryProperties){0};

    VkResult result = check_image(pdev, fmt, info);
    if (result == VK_SUCCESS)
        result = fill_external(pdev, info, external);
    if (result != VK_SUCCESS)
        return result; /* an answer, no error */

    fill_limits(pdev, fmt, info, &out->imageFormatProperties);
    fill_chain(out->pNext);
    return VK_SUCCESS;
}

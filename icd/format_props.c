/* SPDX-License-Identifier: MIT */
/* vkGetPhysicalDeviceFormatProperties2.
 */
#include "icd/format_props.h"

#include "format/features.h"
#include "format/format.h"
#include "object/instance.h"
#include "video/formats.h"
#include "video/profile.h"

#include "rp_entrypoints.h"

#define DRM_FORMAT_MOD_LINEAR 0

/* Bits above 31 exist in VkFormatFeatureFlags2 alone. */
#define FLAGS_1 UINT64_C(0x7fffffff)

VkFormatFeatureFlags2
rp_device_format_features(const struct rp_physical_device *pdev, const struct rp_format *fmt)
{
    VkFormatFeatureFlags2 features = rp_format_image_features(fmt);

    features |= rp_video_format_features(&pdev->video, fmt->vk);
    if (features && rp_feature_set_has(&pdev->features, RP_FEATURE_HOST_IMAGE_COPY))
        features |= VK_FORMAT_FEATURE_2_HOST_IMAGE_TRANSFER_BIT;
    if (features & VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT)
        features |= VK_FORMAT_FEATURE_2_COPY_IMAGE_INDIRECT_DST_BIT_KHR;
    return features;
}

static void
fill_modifiers(const struct rp_format *fmt, VkFormatFeatureFlags2 features,
               VkDrmFormatModifierPropertiesListEXT *list)
{
    const uint32_t total = features ? 1 : 0;
    if (!list->pDrmFormatModifierProperties || list->drmFormatModifierCount > total)
        list->drmFormatModifierCount = total;
    if (list->pDrmFormatModifierProperties && list->drmFormatModifierCount)
        list->pDrmFormatModifierProperties[0] = (VkDrmFormatModifierPropertiesEXT){
            .drmFormatModifier = DRM_FORMAT_MOD_LINEAR,
            .drmFormatModifierPlaneCount = fmt->plane_count,
            .drmFormatModifierTilingFeatures = (VkFormatFeatureFlags)(features & FLAGS_1),
        };
}

static void
fill_modifiers2(const struct rp_format *fmt, VkFormatFeatureFlags2 features,
                VkDrmFormatModifierPropertiesList2EXT *list)
{
    const uint32_t total = features ? 1 : 0;
    if (!list->pDrmFormatModifierProperties || list->drmFormatModifierCount > total)
        list->drmFormatModifierCount = total;
    if (list->pDrmFormatModifierProperties && list->drmFormatModifierCount)
        list->pDrmFormatModifierProperties[0] = (VkDrmFormatModifierProperties2EXT){
            .drmFormatModifier = DRM_FORMAT_MOD_LINEAR,
            .drmFormatModifierPlaneCount = fmt->plane_count,
            .drmFormatModifierTilingFeatures = features,
        };
}

static void
fill_chain(const struct rp_format *fmt, VkFormatFeatureFlags2 image, VkFormatFeatureFlags2 buffer,
           bool has_modifiers, VkBaseOutStructure *s)
{
    for (; s; s = s->pNext) {
        switch ((int)s->sType) {
        case VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3: {
            VkFormatProperties3 *p = (VkFormatProperties3 *)s;
            p->linearTilingFeatures = image;
            p->optimalTilingFeatures = image;
            p->bufferFeatures = buffer;
            break;
        }
        case VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_EXT:
            fill_modifiers(fmt, has_modifiers ? image : 0,
                           (VkDrmFormatModifierPropertiesListEXT *)s);
            break;
        case VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_2_EXT:
            fill_modifiers2(fmt, has_modifiers ? image : 0,
                            (VkDrmFormatModifierPropertiesList2EXT *)s);
            break;
        case VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_4_KHR: {
            VkFormatProperties4KHR *p = (VkFormatProperties4KHR *)s;
            p->linearTilingFeatures = 0; /* no bit is defined yet */
            p->optimalTilingFeatures = 0;
            p->bufferFeatures = 0;
            break;
        }
        case VK_STRUCTURE_TYPE_TENSOR_FORMAT_PROPERTIES_ARM: {
            VkTensorFormatPropertiesARM *p = (VkTensorFormatPropertiesARM *)s;
            p->optimalTilingTensorFeatures = 0;
            p->linearTilingTensorFeatures = 0;
            break;
        }
        case VK_STRUCTURE_TYPE_TENSOR_EXPLICIT_TILING_FORMAT_PROPERTIES_ARM: {
            VkTensorExplicitTilingFormatPropertiesARM *p =
                (VkTensorExplicitTilingFormatPropertiesARM *)s;
            p->brick16TilingTensorFeatures = 0;
            p->brick8TilingTensorFeatures = 0;
            p->brick4TilingTensorFeatures = 0;
            p->blockUTilingTensorFeatures = 0;
            p->blockU64kTilingTensorFeatures = 0;
            break;
        }
        case VK_STRUCTURE_TYPE_SUBPASS_RESOLVE_PERFORMANCE_QUERY_EXT:
            ((VkSubpassResolvePerformanceQueryEXT *)s)->optimal = VK_FALSE;
            break;
        }
    }
}

VKAPI_ATTR void VKAPI_CALL
rp_GetPhysicalDeviceFormatProperties2(VkPhysicalDevice physicalDevice, VkFormat format,
                                      VkFormatProperties2 *out)
{
    const struct rp_physical_device *pdev = rp_physical_device_from_handle(physicalDevice);
    const struct rp_format *fmt = rp_format_get(format);
    const VkFormatFeatureFlags2 image = fmt ? rp_device_format_features(pdev, fmt) : 0;
    const VkFormatFeatureFlags2 buffer = fmt ? rp_format_buffer_features(fmt) : 0;
    const bool has_modifiers =
        rp_extension_set_has(&pdev->extensions, RP_EXT_IMAGE_DRM_FORMAT_MODIFIER) && fmt &&
        !rp_format_is_depth_stencil(fmt);

    out->formatProperties = (VkFormatProperties){
        .linearTilingFeatures = (VkFormatFeatureFlags)(image & FLAGS_1),
        .optimalTilingFeatures = (VkFormatFeatureFlags)(image & FLAGS_1),
        .bufferFeatures = (VkFormatFeatureFlags)(buffer & FLAGS_1),
    };
    fill_chain(fmt, image, buffer, has_modifiers, out->pNext);
}

VKAPI_ATTR void VKAPI_CALL
rp_GetPhysicalDeviceSparseImageFormatProperties2(VkPhysicalDevice physicalDevice,
                                                 const VkPhysicalDeviceSparseImageFormatInfo2 *info,
                                                 uint32_t *count,
                                                 VkSparseImageFormatProperties2 *out)
{
    *count = 0;
}

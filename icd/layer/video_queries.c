/* SPDX-License-Identifier: MIT */
/* Capabilities and formats of video profiles: our driver's where the operation is lent, cut to what
 * the layer serves.
 */
#include "icd/layer/chain.h"
#include "icd/layer/formats.h"
#include "icd/layer/instance.h"
#include "icd/layer/usage.h"
#include "util/pnext.h"

#include <string.h>

#define MAX_FORMATS 32

#define REFERENCES \
    (VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR | VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR)

#define ENCODE_SOURCE_AND_REFERENCE \
    (VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR | VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR)

static bool
lower_can(const struct rp_layer_physical_device *pdev, VkFormat format, VkImageCreateFlags flags,
          VkImageUsageFlags usage)
{
    const VkPhysicalDeviceImageFormatInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
        .format = format,
        .type = VK_IMAGE_TYPE_2D,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = usage,
        .flags = flags,
    };
    VkImageFormatProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2,
    };
    return pdev->instance->lower.GetPhysicalDeviceImageFormatProperties2(pdev->handle, &info,
                                                                         &properties) == VK_SUCCESS;
}

/* The lent usages that an image may have at once: none is a source and a reference of the encoder
 * (formats.c), and the one that is not wanted is left out. FFmpeg 7.1 wants both of one format, for
 * images of its own each. */
static VkImageUsageFlags
lent_at_once(VkImageUsageFlags wanted, VkImageUsageFlags lent)
{
    const VkImageUsageFlags one = wanted & ENCODE_SOURCE_AND_REFERENCE;
    return one ? (lent & ~ENCODE_SOURCE_AND_REFERENCE) | (lent & one) : lent;
}

/* Flags and usages as the lower device has them; false when the layer cannot copy such pictures, or
 * when the lower device cannot use them as is wanted. */
static bool
cut_to_lower(const struct rp_layer_physical_device *pdev, VkImageUsageFlags wanted,
             VkImageUsageFlags lent, VkVideoFormatPropertiesKHR *format)
{
    static const VkImageUsageFlags usages[] = {
        VK_IMAGE_USAGE_TRANSFER_SRC_BIT,  VK_IMAGE_USAGE_TRANSFER_DST_BIT,
        VK_IMAGE_USAGE_SAMPLED_BIT,       VK_IMAGE_USAGE_STORAGE_BIT,
        VK_IMAGE_USAGE_HOST_TRANSFER_BIT, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
    };
    const VkImageCreateFlags independent =
        format->imageCreateFlags & VK_IMAGE_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR;
    VkImageCreateFlags flags = format->imageCreateFlags & ~independent;
    VkImageUsageFlags plain = 0;

    if (!rp_layer_format_find(format->format) || format->imageTiling != VK_IMAGE_TILING_OPTIMAL)
        return false;
    if (!lower_can(pdev, format->format, flags, VK_IMAGE_USAGE_TRANSFER_SRC_BIT))
        flags = 0;
    for (size_t i = 0; i < sizeof(usages) / sizeof(usages[0]); i++) {
        if (lower_can(pdev, format->format, flags, usages[i]))
            plain |= usages[i];
    }
    VkImageUsageFlags needed = wanted & ~lent;
    if (!(wanted & lent & RP_LAYER_PICTURE_USAGES))
        plain &= VK_IMAGE_USAGE_SAMPLED_BIT; /* of a reference the lower device has nothing */
    if (wanted & lent & (VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR | RP_LAYER_MAP_USAGES))
        needed |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    if (wanted & lent & VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR)
        needed |= VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    format->imageCreateFlags = flags | independent;
    format->imageUsageFlags = lent_at_once(wanted, format->imageUsageFlags & lent) | plain;
    return !(needed & ~plain);
}

/* Our driver's formats, of which one has a chain. */
static VkResult
driver_formats(const struct rp_layer_physical_device *pdev,
               const VkPhysicalDeviceVideoFormatInfoKHR *info, uint32_t *count,
               VkVideoFormatPropertiesKHR *all, uint32_t with_chain, void *chain)
{
    const struct rp_layer_instance *instance = pdev->instance;

    for (uint32_t i = 0; i < *count; i++)
        all[i] = (VkVideoFormatPropertiesKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_FORMAT_PROPERTIES_KHR,
            .pNext = i == with_chain ? chain : NULL,
        };
    return instance->driver.GetPhysicalDeviceVideoFormatPropertiesKHR(instance->driver_device, info,
                                                                      count, all);
}

/* The formats of lent profiles: info has no others. */
static VkResult
lent_formats(const struct rp_layer_physical_device *pdev,
             const VkPhysicalDeviceVideoFormatInfoKHR *info, uint32_t *count,
             VkVideoFormatPropertiesKHR *out)
{
    const VkImageUsageFlags lent =
        (VkImageUsageFlags)rp_layer_image_usage(pdev, ~0u, 0, info->pNext).lent;
    VkVideoFormatPropertiesKHR all[MAX_FORMATS];
    VkPhysicalDeviceVideoFormatInfoKHR above = *info;
    uint32_t total = MAX_FORMATS;

    above.imageUsage &= lent;
    VkResult result = driver_formats(pdev, &above, &total, all, UINT32_MAX, NULL);
    if (result < 0)
        return result;
    uint32_t found = 0;
    uint32_t written = 0;
    for (uint32_t i = 0; i < total; i++) {
        VkVideoFormatPropertiesKHR cut = all[i];
        if (!cut_to_lower(pdev, info->imageUsage, lent, &cut))
            continue;
        if (out && written < *count) {
            void *chain = out[written].pNext;
            if (chain) {
                VkVideoFormatPropertiesKHR again[MAX_FORMATS];
                uint32_t same = total;
                (void)driver_formats(pdev, &above, &same, again, i, chain);
            }
            cut.pNext = chain;
            out[written++] = cut;
        }
        found++;
    }
    if (found == 0)
        return VK_ERROR_IMAGE_USAGE_NOT_SUPPORTED_KHR;
    *count = out ? written : found;
    return out && written < found ? VK_INCOMPLETE : VK_SUCCESS;
}

/* Whether our driver has pictures of the format, for the lent part of what is asked. */
static bool
driver_has(const struct rp_layer_physical_device *pdev,
           const VkPhysicalDeviceVideoFormatInfoKHR *info, VkFormat format)
{
    VkVideoFormatPropertiesKHR all[MAX_FORMATS];
    uint32_t total = MAX_FORMATS;

    if (driver_formats(pdev, info, &total, all, UINT32_MAX, NULL) < 0)
        return false;
    for (uint32_t i = 0; i < total; i++) {
        if (all[i].format == format && all[i].imageTiling == VK_IMAGE_TILING_OPTIMAL)
            return true;
    }
    return false;
}

/* The formats for profiles of both sides: those of the lower device that our driver has, too, and
 * the layer can copy. */
static VkResult
shared_formats(const struct rp_layer_physical_device *pdev,
               const VkPhysicalDeviceVideoFormatInfoKHR *above,
               const VkPhysicalDeviceVideoFormatInfoKHR *below, uint32_t *count,
               VkVideoFormatPropertiesKHR *out)
{
    const struct rp_layer_instance_calls *lower = &pdev->instance->lower;
    VkVideoFormatPropertiesKHR all[MAX_FORMATS];
    uint32_t total = MAX_FORMATS;
    uint32_t found = 0;
    uint32_t written = 0;

    for (uint32_t i = 0; i < total; i++)
        all[i] = (VkVideoFormatPropertiesKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_FORMAT_PROPERTIES_KHR,
        };
    const VkResult result =
        lower->GetPhysicalDeviceVideoFormatPropertiesKHR(pdev->handle, below, &total, all);
    if (result < 0)
        return result;
    for (uint32_t i = 0; i < total; i++) {
        if (all[i].imageTiling != VK_IMAGE_TILING_OPTIMAL || !rp_layer_format_find(all[i].format) ||
            !driver_has(pdev, above, all[i].format))
            continue;
        if (out && written < *count) {
            all[i].pNext = out[written].pNext;
            all[i].imageUsageFlags |= above->imageUsage;
            out[written++] = all[i];
        }
        found++;
    }
    if (found == 0)
        return VK_ERROR_IMAGE_USAGE_NOT_SUPPORTED_KHR;
    *count = out ? written : found;
    return out && written < found ? VK_INCOMPLETE : VK_SUCCESS;
}

/* Whether there are images of the profile for a usage: of 10 bits not each lower device can hold
 * pictures. */
static bool
has_images(const struct rp_layer_physical_device *pdev, const VkVideoProfileInfoKHR *profile,
           VkImageUsageFlags usage)
{
    const VkVideoProfileListInfoKHR list = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR,
        .profileCount = 1,
        .pProfiles = profile,
    };
    const VkPhysicalDeviceVideoFormatInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_FORMAT_INFO_KHR,
        .pNext = &list,
        .imageUsage = usage,
    };
    uint32_t count;
    return lent_formats(pdev, &info, &count, NULL) == VK_SUCCESS;
}

static bool
has_pictures(const struct rp_layer_physical_device *pdev, const VkVideoProfileInfoKHR *profile)
{
    return has_images(pdev, profile,
                      profile->videoCodecOperation & pdev->operations[RP_LAYER_ENCODE]
                          ? (VkImageUsageFlags)VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR
                          : (VkImageUsageFlags)VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR);
}

/* Without the maps that the lower device cannot hold. */
static void
cut_maps(const struct rp_layer_physical_device *pdev, const VkVideoProfileInfoKHR *profile,
         VkVideoEncodeCapabilitiesKHR *encode)
{
    static const struct {
        VkVideoEncodeCapabilityFlagsKHR flag;
        VkImageUsageFlags usage;
    } maps[] = {
        {VK_VIDEO_ENCODE_CAPABILITY_QUANTIZATION_DELTA_MAP_BIT_KHR,
         VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR},
        {VK_VIDEO_ENCODE_CAPABILITY_EMPHASIS_MAP_BIT_KHR,
         VK_IMAGE_USAGE_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR},
    };

    for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++) {
        if (encode->flags & maps[i].flag && !has_images(pdev, profile, maps[i].usage))
            encode->flags &= ~maps[i].flag;
    }
}

/* Without video a driver does not answer such calls, and the loader ends the process. */
static bool
lower_has_video(const struct rp_layer_physical_device *pdev)
{
    return pdev && pdev->lower_operations;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_GetPhysicalDeviceVideoCapabilitiesKHR(VkPhysicalDevice handle,
                                               const VkVideoProfileInfoKHR *profile,
                                               VkVideoCapabilitiesKHR *out)
{
    const struct rp_layer_instance *instance = rp_layer_instance_find(handle);
    const struct rp_layer_physical_device *pdev = rp_layer_physical_device_get(handle);

    if (!pdev || !rp_layer_operation_is_lent(pdev, profile->videoCodecOperation))
        return lower_has_video(pdev)
                   ? instance->lower.GetPhysicalDeviceVideoCapabilitiesKHR(handle, profile, out)
                   : VK_ERROR_VIDEO_PROFILE_OPERATION_NOT_SUPPORTED_KHR;
    VkResult result = instance->driver.GetPhysicalDeviceVideoCapabilitiesKHR(
        instance->driver_device, profile, out);
    if (result == VK_SUCCESS && !has_pictures(pdev, profile))
        result = VK_ERROR_VIDEO_PROFILE_FORMAT_NOT_SUPPORTED_KHR;
    VkVideoEncodeCapabilitiesKHR *encode =
        rp_find_struct_mut(out->pNext, VK_STRUCTURE_TYPE_VIDEO_ENCODE_CAPABILITIES_KHR);
    if (result == VK_SUCCESS && encode)
        cut_maps(pdev, profile, encode);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_GetPhysicalDeviceVideoEncodeQualityLevelPropertiesKHR(
    VkPhysicalDevice handle, const VkPhysicalDeviceVideoEncodeQualityLevelInfoKHR *info,
    VkVideoEncodeQualityLevelPropertiesKHR *out)
{
    const struct rp_layer_instance *instance = rp_layer_instance_find(handle);
    const struct rp_layer_physical_device *pdev = rp_layer_physical_device_get(handle);

    if (pdev && rp_layer_operation_is_lent(pdev, info->pVideoProfile->videoCodecOperation))
        return instance->driver.GetPhysicalDeviceVideoEncodeQualityLevelPropertiesKHR(
            instance->driver_device, info, out);
    return lower_has_video(pdev)
               ? instance->lower.GetPhysicalDeviceVideoEncodeQualityLevelPropertiesKHR(handle, info,
                                                                                       out)
               : VK_ERROR_VIDEO_PROFILE_OPERATION_NOT_SUPPORTED_KHR;
}

static VkResult
formats_of_profiles(const struct rp_layer_physical_device *pdev,
                    const VkPhysicalDeviceVideoFormatInfoKHR *info, struct rp_arena *arena,
                    uint32_t *count, VkVideoFormatPropertiesKHR *out)
{
    const struct rp_layer_instance_calls *lower = &pdev->instance->lower;
    const struct rp_layer_usage usage =
        rp_layer_image_usage(pdev, info->imageUsage, 0, info->pNext);
    VkPhysicalDeviceVideoFormatInfoKHR above = *info;
    VkPhysicalDeviceVideoFormatInfoKHR below = *info;
    VkVideoProfileListInfoKHR lent;
    void *chain = NULL;

    if (!rp_layer_profiles_lent(pdev, arena, info->pNext, &lent) ||
        !rp_layer_chain_copy(arena, info->pNext, &chain) ||
        !rp_layer_profiles_keep_lower(pdev, arena, &chain))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    above.pNext = &lent;
    above.imageUsage = (VkImageUsageFlags)usage.lent;
    below.pNext = chain;
    below.imageUsage = (VkImageUsageFlags)usage.lower;
    const bool has_lower =
        rp_find_struct(chain, VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR) != NULL;
    if (lent.profileCount > 0 && !has_lower)
        return lent_formats(pdev, info, count, out);
    if (!lower_has_video(pdev))
        return VK_ERROR_VIDEO_PROFILE_OPERATION_NOT_SUPPORTED_KHR;
    if (lent.profileCount == 0)
        return lower->GetPhysicalDeviceVideoFormatPropertiesKHR(pdev->handle, &below, count, out);
    if (usage.lent & usage.lower & REFERENCES)
        return VK_ERROR_IMAGE_USAGE_NOT_SUPPORTED_KHR;
    return shared_formats(pdev, &above, &below, count, out);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_GetPhysicalDeviceVideoFormatPropertiesKHR(VkPhysicalDevice handle,
                                                   const VkPhysicalDeviceVideoFormatInfoKHR *info,
                                                   uint32_t *count, VkVideoFormatPropertiesKHR *out)
{
    const struct rp_layer_physical_device *pdev = rp_layer_physical_device_get(handle);
    struct rp_arena arena;

    if (!pdev)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    rp_arena_init(&arena, NULL);
    const VkResult result = formats_of_profiles(pdev, info, &arena, count, out);
    rp_arena_finish(&arena);
    return result;
}

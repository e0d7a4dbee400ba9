/* SPDX-License-Identifier: MIT */
/* Capabilities and formats of video profiles: our driver's where the operation is lent, cut to what
 * the layer serves.
 */
#include "icd/layer/formats.h"
#include "icd/layer/instance.h"
#include "util/pnext.h"

#include <string.h>

#define MAX_FORMATS 32

#define MAP_CAPABILITIES \
    (VK_VIDEO_ENCODE_CAPABILITY_QUANTIZATION_DELTA_MAP_BIT_KHR | \
     VK_VIDEO_ENCODE_CAPABILITY_EMPHASIS_MAP_BIT_KHR)

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

/* Flags and usages as the lower device has them; false when the layer cannot copy such pictures, or
 * when the lower device cannot use them as is wanted. */
static bool
cut_to_lower(const struct rp_layer_physical_device *pdev, VkImageUsageFlags wanted,
             VkVideoFormatPropertiesKHR *format)
{
    static const VkImageUsageFlags usages[] = {
        VK_IMAGE_USAGE_TRANSFER_SRC_BIT,  VK_IMAGE_USAGE_TRANSFER_DST_BIT,
        VK_IMAGE_USAGE_SAMPLED_BIT,       VK_IMAGE_USAGE_STORAGE_BIT,
        VK_IMAGE_USAGE_HOST_TRANSFER_BIT, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
    };
    const VkImageCreateFlags independent =
        format->imageCreateFlags & VK_IMAGE_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR;
    const VkImageUsageFlags lent = rp_layer_image_usages(pdev);
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
    if (wanted & VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR & lent)
        needed |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    if (wanted & VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR & lent)
        needed |= VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    format->imageCreateFlags = flags | independent;
    format->imageUsageFlags = (format->imageUsageFlags & lent) | plain;
    return !(needed & ~plain);
}

static VkResult
lent_formats(const struct rp_layer_physical_device *pdev,
             const VkPhysicalDeviceVideoFormatInfoKHR *info, uint32_t *count,
             VkVideoFormatPropertiesKHR *out)
{
    const struct rp_layer_instance *instance = pdev->instance;
    VkVideoFormatPropertiesKHR all[MAX_FORMATS];
    VkPhysicalDeviceVideoFormatInfoKHR above = *info;
    uint32_t total = MAX_FORMATS;

    above.imageUsage &= rp_layer_image_usages(pdev);
    for (uint32_t i = 0; i < total; i++)
        all[i] = (VkVideoFormatPropertiesKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_FORMAT_PROPERTIES_KHR,
        };
    VkResult result = instance->driver.GetPhysicalDeviceVideoFormatPropertiesKHR(
        instance->driver_device, &above, &total, all);
    if (result < 0)
        return result;
    uint32_t found = 0;
    uint32_t written = 0;
    for (uint32_t i = 0; i < total; i++) {
        if (!cut_to_lower(pdev, info->imageUsage, &all[i]))
            continue;
        if (out && written < *count) {
            all[i].pNext = out[written].pNext;
            out[written++] = all[i];
        }
        found++;
    }
    if (found == 0)
        return VK_ERROR_IMAGE_USAGE_NOT_SUPPORTED_KHR;
    *count = out ? written : found;
    return out && written < found ? VK_INCOMPLETE : VK_SUCCESS;
}

/* Whether the lower device can hold pictures of the profile: of 10 bits not each can. */
static bool
has_pictures(const struct rp_layer_physical_device *pdev, const VkVideoProfileInfoKHR *profile)
{
    const VkVideoProfileListInfoKHR list = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR,
        .profileCount = 1,
        .pProfiles = profile,
    };
    const VkPhysicalDeviceVideoFormatInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_FORMAT_INFO_KHR,
        .pNext = &list,
        .imageUsage = profile->videoCodecOperation & pdev->operations[RP_LAYER_ENCODE]
                          ? (VkImageUsageFlags)VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR
                          : (VkImageUsageFlags)VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR,
    };
    uint32_t count;
    return lent_formats(pdev, &info, &count, NULL) == VK_SUCCESS;
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
        encode->flags &= ~(VkVideoEncodeCapabilityFlagsKHR)MAP_CAPABILITIES;
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

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_GetPhysicalDeviceVideoFormatPropertiesKHR(VkPhysicalDevice handle,
                                                   const VkPhysicalDeviceVideoFormatInfoKHR *info,
                                                   uint32_t *count, VkVideoFormatPropertiesKHR *out)
{
    const struct rp_layer_instance *instance = rp_layer_instance_find(handle);
    const struct rp_layer_physical_device *pdev = rp_layer_physical_device_get(handle);

    if (!pdev)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (rp_layer_profiles_are_lent(pdev, info->pNext))
        return lent_formats(pdev, info, count, out);
    /* A picture that the lower device decodes and our driver encodes. */
    VkPhysicalDeviceVideoFormatInfoKHR below = *info;
    below.imageUsage &= ~rp_layer_image_usages(pdev);
    return lower_has_video(pdev) ? instance->lower.GetPhysicalDeviceVideoFormatPropertiesKHR(
                                       handle, &below, count, out)
                                 : VK_ERROR_VIDEO_PROFILE_OPERATION_NOT_SUPPORTED_KHR;
}

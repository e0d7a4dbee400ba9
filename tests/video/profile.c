/* SPDX-License-Identifier: MIT */
/* The structures that queries and sessions begin with.
 */
#include "profile.h"

#include "test.h"

VkVideoEncodeH264ProfileInfoKHR profile_h264;

VkVideoProfileInfoKHR
profile_of(StdVideoH264ProfileIdc idc)
{
    profile_h264 = (VkVideoEncodeH264ProfileInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_PROFILE_INFO_KHR,
        .stdProfileIdc = idc,
    };
    return (VkVideoProfileInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_INFO_KHR,
        .pNext = &profile_h264,
        .videoCodecOperation = VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR,
        .chromaSubsampling = VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR,
        .lumaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,
        .chromaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,
    };
}

VkVideoSessionCreateInfoKHR
profile_session(const VkVideoProfileInfoKHR *profile, const VkExtensionProperties *version)
{
    return (VkVideoSessionCreateInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_CREATE_INFO_KHR,
        .pVideoProfile = profile,
        .pictureFormat = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
        .maxCodedExtent = {640, 480},
        .referencePictureFormat = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
        .maxDpbSlots = 4,
        .maxActiveReferencePictures = 3,
        .pStdHeaderVersion = version,
    };
}

const VkExtensionProperties profile_std_version = {
    .extensionName = VK_STD_VULKAN_VIDEO_CODEC_H264_ENCODE_EXTENSION_NAME,
    .specVersion = VK_STD_VULKAN_VIDEO_CODEC_H264_ENCODE_SPEC_VERSION,
};

uint32_t
profile_formats(struct vk *vk, const VkVideoProfileInfoKHR *profile, VkImageUsageFlags usage,
                VkVideoFormatPropertiesKHR *out, VkResult *result)
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
    uint32_t count = 0;
    *result = vkGetPhysicalDeviceVideoFormatPropertiesKHR(vk->pdev, &info, &count, NULL);
    if (*result != VK_SUCCESS)
        return 0;
    REQUIRE(count > 0 && count <= 16);
    for (uint32_t i = 0; i < count; i++)
        out[i] =
            (VkVideoFormatPropertiesKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_FORMAT_PROPERTIES_KHR};
    *result = vkGetPhysicalDeviceVideoFormatPropertiesKHR(vk->pdev, &info, &count, out);
    return count;
}

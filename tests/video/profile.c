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
    return video_profile(VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR, &profile_h264);
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

uint32_t
profile_formats(struct vk *vk, const VkVideoProfileInfoKHR *profile, VkImageUsageFlags usage,
                VkVideoFormatPropertiesKHR *out, VkResult *result)
{
    struct video_formats formats;
    *result = video_formats_get(vkGetPhysicalDeviceVideoFormatPropertiesKHR, vk->pdev, profile,
                                usage, &formats);
    if (*result != VK_SUCCESS)
        return 0;
    REQUIRE(formats.count > 0);
    memcpy(out, formats.properties, formats.count * sizeof(*out));
    return formats.count;
}

/* SPDX-License-Identifier: MIT */
/* vkGetPhysicalDeviceVideoFormatPropertiesKHR: which images hold pictures of video profiles.
 */
#include "object/instance.h"
#include "util/compiler.h"
#include "util/pnext.h"
#include "video/profile.h"

#include "rp_entrypoints.h"

#define SRC VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR
#define ENCODE_DPB VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR
#define DST VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR
#define DECODE_DPB VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR

#define ENCODE_USAGES (SRC | ENCODE_DPB)
#define DECODE_USAGES (DST | DECODE_DPB)

/* Of buffers in truth; a client asks for images with them (clients.md 1.4). */
#define IGNORED_USAGES                                                                             \
    (VK_IMAGE_USAGE_VIDEO_ENCODE_DST_BIT_KHR | VK_IMAGE_USAGE_VIDEO_DECODE_SRC_BIT_KHR)

#define VIDEO_USAGES                                                                               \
    (ENCODE_USAGES | DECODE_USAGES | IGNORED_USAGES |                                              \
     VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR |                                  \
     VK_IMAGE_USAGE_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR)

#define PLAIN_USAGES                                                                               \
    (VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |                           \
     VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT)

struct video_format {
    VkFormat format;
    VkImageTiling tiling;
    VkImageUsageFlags video_usages;
};

/* Clients take the first one. */
static const struct video_format video_formats[] = {
    {VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, VK_IMAGE_TILING_OPTIMAL, ENCODE_USAGES | DECODE_USAGES},
    {VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM, VK_IMAGE_TILING_OPTIMAL, SRC},
    {VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, VK_IMAGE_TILING_LINEAR, SRC},
    {VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM, VK_IMAGE_TILING_LINEAR, SRC},
};

/* The video usages that images of all these profiles may have. */
static VkResult
allowed_usages(const struct rp_physical_device *pdev, const VkVideoProfileListInfoKHR *list,
               VkImageUsageFlags *out)
{
    const struct rp_video_codecs codecs = {
        .h264_encode = pdev->h264_encode,
        .h264_decode = pdev->h264_decode,
    };
    VkImageUsageFlags usages = 0;
    for (uint32_t i = 0; i < list->profileCount; i++) {
        struct rp_video_profile profile;
        const VkResult result = rp_video_profile_parse(&codecs, &list->pProfiles[i], &profile);
        if (result != VK_SUCCESS)
            return result;
        usages |= rp_video_profile_is_encode(&profile) ? ENCODE_USAGES : DECODE_USAGES;
    }
    *out = usages;
    return VK_SUCCESS;
}

static void
fill_format(const struct video_format *format, VkImageUsageFlags allowed,
            VkVideoFormatPropertiesKHR *out)
{
    out->format = format->format;
    out->componentMapping = (VkComponentMapping){0}; /* all IDENTITY */
    out->imageCreateFlags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT |
                            VK_IMAGE_CREATE_EXTENDED_USAGE_BIT | VK_IMAGE_CREATE_ALIAS_BIT |
                            VK_IMAGE_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR;
    out->imageType = VK_IMAGE_TYPE_2D;
    out->imageTiling = format->tiling;
    out->imageUsageFlags = PLAIN_USAGES | (format->video_usages & allowed);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_GetPhysicalDeviceVideoFormatPropertiesKHR(VkPhysicalDevice physicalDevice,
                                             const VkPhysicalDeviceVideoFormatInfoKHR *info,
                                             uint32_t *count, VkVideoFormatPropertiesKHR *out)
{
    const struct rp_physical_device *pdev = rp_physical_device_from_handle(physicalDevice);
    const VkVideoProfileListInfoKHR *list =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR);
    if (!list || list->profileCount == 0)
        return VK_ERROR_VIDEO_PROFILE_OPERATION_NOT_SUPPORTED_KHR;

    VkImageUsageFlags allowed;
    const VkResult result = allowed_usages(pdev, list, &allowed);
    if (result != VK_SUCCESS)
        return result; /* an answer, no error */
    const VkImageUsageFlags wanted =
        info->imageUsage & VIDEO_USAGES & ~(VkImageUsageFlags)IGNORED_USAGES;
    if (wanted == 0 || wanted & ~allowed)
        return VK_ERROR_IMAGE_USAGE_NOT_SUPPORTED_KHR;

    uint32_t found = 0;
    uint32_t written = 0;
    for (uint32_t i = 0; i < RP_ARRAY_SIZE(video_formats); i++) {
        if (wanted & ~video_formats[i].video_usages)
            continue;
        if (out && found < *count)
            fill_format(&video_formats[i], allowed, &out[written++]);
        found++;
    }
    *count = out ? written : found;
    return out && written < found ? VK_INCOMPLETE : VK_SUCCESS;
}

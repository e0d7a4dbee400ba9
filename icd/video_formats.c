/* SPDX-License-Identifier: MIT */
/* vkGetPhysicalDeviceVideoFormatPropertiesKHR: which images hold pictures of video profiles.
 */
#include "icd/video_formats.h"

#include "object/instance.h"
#include "util/image_flags.h"
#include "util/pnext.h"
#include "video/encode/standard.h"
#include "video/formats.h"
#include "video/profile.h"
#include "video/standard.h"

#include "rp_entrypoints.h"

#include <stdbool.h>

/* Usages of buffers: FFmpeg 7.1 asks for images with them, and must not be refused. */
#define BUFFER_USAGES \
    (VK_IMAGE_USAGE_VIDEO_ENCODE_DST_BIT_KHR | VK_IMAGE_USAGE_VIDEO_DECODE_SRC_BIT_KHR)

#define VIDEO_USAGES \
    (VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR | VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR | \
     VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR | VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR | \
     VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR | \
     VK_IMAGE_USAGE_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR)

#define MAP_USAGES \
    (VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR | \
     VK_IMAGE_USAGE_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR)

/* With these a picture goes from a decoder to an encoder: a client asks for both with the profile
 * of one (FFmpeg: ENCODE_SRC with a decode profile, where there is VK_KHR_video_maintenance1; the
 * validation layers: all that an image has with the profile of the session that it comes to). */
#define PASSED_ON_USAGES \
    (VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR | VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR)

/* Each operation with 8, 10 or 12 bits, with and without conversion of RGB. */
#define KIND_LIMIT (6 * RP_VIDEO_STANDARD_LIMIT)

/* What a list of profiles, of any length, comes to: one profile of each kind, all of which have the
 * same images. */
struct profiles {
    struct rp_video_profile profile[KIND_LIMIT];
    uint32_t count;
    VkImageUsageFlags usages; /* that images of all of them may have */
};

/* What all images of video can be used for besides. */
static VkImageUsageFlags
plain_usages(const struct rp_physical_device *pdev)
{
    const VkImageUsageFlags usages = VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                     VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
                                     VK_IMAGE_USAGE_STORAGE_BIT;
    return rp_feature_set_has(&pdev->features, RP_FEATURE_HOST_IMAGE_COPY)
               ? usages | VK_IMAGE_USAGE_HOST_TRANSFER_BIT
               : usages;
}

static void
profiles_add(struct profiles *profiles, const struct rp_video_profile *profile)
{
    for (uint32_t i = 0; i < profiles->count; i++) {
        if (profiles->profile[i].standard == profile->standard &&
            profiles->profile[i].bit_depth == profile->bit_depth &&
            profiles->profile[i].has_rgb_conversion == profile->has_rgb_conversion)
            return;
    }
    profiles->profile[profiles->count++] = *profile;
    profiles->usages |= rp_video_profile_usages(profile);
}

static VkResult
parse_profiles(const struct rp_physical_device *pdev, const VkVideoProfileListInfoKHR *list,
               struct profiles *out)
{
    *out = (struct profiles){0};
    if (!list || list->profileCount == 0)
        return VK_ERROR_VIDEO_PROFILE_OPERATION_NOT_SUPPORTED_KHR;
    for (uint32_t i = 0; i < list->profileCount; i++) {
        struct rp_video_profile profile;
        const VkResult result = rp_video_profile_parse(&pdev->video, &list->pProfiles[i], &profile);
        if (result != VK_SUCCESS)
            return result;
        profiles_add(out, &profile);
    }
    return VK_SUCCESS;
}

/* The usages of images of all the profiles; 0: the format is not for one of them. */
static VkImageUsageFlags
format_usages(const struct rp_video_format *format, const struct profiles *profiles,
              VkImageUsageFlags wanted)
{
    if (wanted & ~format->usages)
        return 0;
    VkImageUsageFlags all = wanted;
    for (uint32_t i = 0; i < profiles->count; i++) {
        const struct rp_video_profile *profile = &profiles->profile[i];
        const VkImageUsageFlags usages = rp_video_format_usages(format, profile);
        if (!usages || wanted & rp_video_profile_usages(profile) & ~usages)
            return 0;
        all |= usages;
    }
    return all;
}

static bool
usages_are_of(const struct profiles *profiles, VkImageUsageFlags wanted)
{
    VkImageUsageFlags usages = profiles->usages | PASSED_ON_USAGES;
    if (wanted & VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR) /* and the decoder refers to it */
        usages |= VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR;
    return !(wanted & ~usages);
}

/* Checks images of either tiling: one that is LINEAR works wherever an OPTIMAL one does. */
static VkResult
check_profiles(const struct rp_physical_device *pdev, const VkVideoProfileListInfoKHR *list,
               VkFormat format, VkImageUsageFlags2KHR usage)
{
    struct profiles profiles;
    const VkResult result = parse_profiles(pdev, list, &profiles);
    const VkImageUsageFlags wanted = (VkImageUsageFlags)usage & VIDEO_USAGES;
    if (result != VK_SUCCESS)
        return result;
    if (usage & ~(VkImageUsageFlags2KHR)(VIDEO_USAGES | plain_usages(pdev)))
        return VK_ERROR_IMAGE_USAGE_NOT_SUPPORTED_KHR;
    if (!wanted)
        return VK_SUCCESS;

    uint32_t format_count;
    const struct rp_video_format *formats = rp_video_formats(&format_count);
    for (uint32_t i = 0; i < format_count && usages_are_of(&profiles, wanted); i++) {
        if (formats[i].format == format && format_usages(&formats[i], &profiles, wanted))
            return VK_SUCCESS;
    }
    return VK_ERROR_IMAGE_USAGE_NOT_SUPPORTED_KHR;
}

VkResult
rp_video_check_image(const struct rp_physical_device *pdev, const VkVideoProfileListInfoKHR *list,
                     VkFormat format, VkImageType type, VkImageUsageFlags2KHR usage)
{
    const VkResult result =
        list && list->profileCount > 0 ? check_profiles(pdev, list, format, usage) : VK_SUCCESS;
    /* Maps are 2D (VUID-VkImageCreateInfo-usage-10252), and so are pictures. */
    if (result == VK_SUCCESS && usage & VIDEO_USAGES && type != VK_IMAGE_TYPE_2D)
        return VK_ERROR_FORMAT_NOT_SUPPORTED;
    return result;
}

/* Clients take the flags over as they are; references and maps have a profile
 * (VUID-VkImageCreateInfo-flags-08329, -08331). */
static bool
may_lack_profile(VkImageUsageFlags wanted)
{
    return !(wanted & (VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR | MAP_USAGES)) &&
           (wanted & VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR ||
            !(wanted & VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR));
}

/* The texel size of the maps of the first profile that has maps. */
static uint32_t
map_texel_px(const struct profiles *profiles)
{
    for (uint32_t i = 0; i < profiles->count; i++) {
        if (profiles->profile[i].standard->encode)
            return profiles->profile[i].standard->encode->map_texel_px;
    }
    return 0;
}

/* What a codec says of its maps besides. */
static void
fill_map_chain(const struct profiles *profiles, VkBaseOutStructure *s)
{
    for (; s; s = s->pNext) {
        for (uint32_t i = 0; i < profiles->count; i++) {
            const struct rp_encode_standard *encode = profiles->profile[i].standard->encode;
            if (encode && encode->fill_map_format)
                encode->fill_map_format(s);
        }
    }
}

static void
fill_format(const struct rp_video_format *format, const struct profiles *profiles,
            VkImageUsageFlags usage, VkImageUsageFlags wanted, VkVideoFormatPropertiesKHR *out)
{
    out->format = format->format;
    out->componentMapping = (VkComponentMapping){0}; /* all IDENTITY */
    out->imageCreateFlags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT |
                            VK_IMAGE_CREATE_EXTENDED_USAGE_BIT | VK_IMAGE_CREATE_ALIAS_BIT;
    if (may_lack_profile(wanted))
        out->imageCreateFlags |= VK_IMAGE_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR;
    out->imageType = VK_IMAGE_TYPE_2D;
    out->imageTiling = format->tiling;
    out->imageUsageFlags = usage;

    VkVideoFormatQuantizationMapPropertiesKHR *map = rp_find_struct_mut(
        out->pNext, VK_STRUCTURE_TYPE_VIDEO_FORMAT_QUANTIZATION_MAP_PROPERTIES_KHR);
    if (map) {
        const uint32_t texel_px = format->usages & MAP_USAGES ? map_texel_px(profiles) : 0;
        map->quantizationMapTexelSize = (VkExtent2D){texel_px, texel_px};
    }
    if (format->usages & MAP_USAGES)
        fill_map_chain(profiles, out->pNext);
    VkImageCreateFlags2CreateInfoKHR *flags =
        rp_find_struct_mut(out->pNext, VK_STRUCTURE_TYPE_IMAGE_CREATE_FLAGS_2_CREATE_INFO_KHR);
    if (flags)
        flags->flags = out->imageCreateFlags;
    VkImageUsageFlags2CreateInfoKHR *usages =
        rp_find_struct_mut(out->pNext, VK_STRUCTURE_TYPE_IMAGE_USAGE_FLAGS_2_CREATE_INFO_KHR);
    if (usages)
        usages->usage = out->imageUsageFlags;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_GetPhysicalDeviceVideoFormatPropertiesKHR(VkPhysicalDevice physicalDevice,
                                             const VkPhysicalDeviceVideoFormatInfoKHR *info,
                                             uint32_t *count, VkVideoFormatPropertiesKHR *out)
{
    const struct rp_physical_device *pdev = rp_physical_device_from_handle(physicalDevice);
    struct profiles profiles;
    const VkResult result = parse_profiles(
        pdev, rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR),
        &profiles);
    if (result != VK_SUCCESS)
        return result; /* an answer, no error */
    const VkImageUsageFlags2KHR usage = rp_image_usage(info->pNext, info->imageUsage);
    const VkImageUsageFlags wanted = (VkImageUsageFlags)usage & VIDEO_USAGES;
    const VkImageUsageFlags plain = plain_usages(pdev);
    if (!(wanted & profiles.usages) || !usages_are_of(&profiles, wanted) ||
        usage & ~(VkImageUsageFlags2KHR)(VIDEO_USAGES | BUFFER_USAGES | plain))
        return VK_ERROR_IMAGE_USAGE_NOT_SUPPORTED_KHR;

    uint32_t format_count;
    const struct rp_video_format *formats = rp_video_formats(&format_count);
    uint32_t found = 0;
    uint32_t written = 0;
    for (uint32_t i = 0; i < format_count; i++) {
        const VkImageUsageFlags usages = format_usages(&formats[i], &profiles, wanted);
        if (!usages)
            continue;
        if (out && found < *count)
            fill_format(&formats[i], &profiles, plain | usages, wanted, &out[written++]);
        found++;
    }
    if (found == 0)
        return VK_ERROR_IMAGE_USAGE_NOT_SUPPORTED_KHR;
    *count = out ? written : found;
    return out && written < found ? VK_INCOMPLETE : VK_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
/* What the driver says of the images of video: formats, usages, maps; each can be made.
 */
#include "profile.h"
#include "test.h"
#include "vk.h"

/* An application that makes one image for all that it may meet. */
static void
lists_of_many_profiles_have_the_images_of_each(struct vk *vk)
{
    VkVideoEncodeH264ProfileInfoKHR h264[12];
    VkVideoProfileInfoKHR profiles[12];
    for (uint32_t i = 0; i < 12; i++) {
        profiles[i] =
            profile_of(i % 2 ? STD_VIDEO_H264_PROFILE_IDC_MAIN : STD_VIDEO_H264_PROFILE_IDC_HIGH);
        h264[i] = profile_h264;
        profiles[i].pNext = &h264[i];
    }
    VkVideoProfileListInfoKHR list = {.sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR,
                                      .pProfiles = profiles};
    const VkPhysicalDeviceVideoFormatInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_FORMAT_INFO_KHR,
        .pNext = &list,
        .imageUsage = VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR,
    };
    uint32_t wanted = 0;
    for (list.profileCount = 1; list.profileCount <= 12; list.profileCount++) {
        uint32_t count = 0;
        REQUIRE_EQ(vkGetPhysicalDeviceVideoFormatPropertiesKHR(vk->pdev, &info, &count, NULL),
                   VK_SUCCESS);
        wanted = wanted ? wanted : count;
        REQUIRE(count > 0);
        REQUIRE_EQ(count, wanted);
    }
    list.profileCount = 12;
    h264[11].stdProfileIdc = STD_VIDEO_H264_PROFILE_IDC_HIGH_10; /* one is not supported */
    uint32_t count = 0;
    REQUIRE_EQ(vkGetPhysicalDeviceVideoFormatPropertiesKHR(vk->pdev, &info, &count, NULL),
               VK_ERROR_VIDEO_PROFILE_CODEC_NOT_SUPPORTED_KHR);
}

static VkResult
try_image(struct vk *vk, const VkVideoProfileInfoKHR *profile,
          const VkVideoFormatPropertiesKHR *format)
{
    const VkVideoProfileListInfoKHR list = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR,
        .profileCount = 1,
        .pProfiles = profile,
    };
    const VkPhysicalDeviceImageFormatInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
        .pNext = &list,
        .format = format->format,
        .type = format->imageType,
        .tiling = format->imageTiling,
        .usage = format->imageUsageFlags,
        .flags = format->imageCreateFlags,
    };
    VkImageFormatProperties2 properties = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2};
    return vkGetPhysicalDeviceImageFormatProperties2(vk->pdev, &info, &properties);
}

static void
require_image(struct vk *vk, const VkVideoFormatPropertiesKHR *format)
{
    const VkVideoProfileInfoKHR profile = profile_of(STD_VIDEO_H264_PROFILE_IDC_MAIN);
    REQUIRE_EQ(try_image(vk, &profile, format), VK_SUCCESS);
}

#define NV12 VK_FORMAT_G8_B8R8_2PLANE_420_UNORM
#define I420 VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM
#define P010 VK_FORMAT_G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16
#define ENCODE_SRC VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR
#define ENCODE_DPB VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR
#define PASSED_ON \
    (ENCODE_SRC | VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR | VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR)
#define NO_USAGE VK_ERROR_IMAGE_USAGE_NOT_SUPPORTED_KHR

static void
images_are_for_the_profiles_that_they_are_asked_for(struct vk *vk)
{
    static VkVideoEncodeProfileRgbConversionInfoVALVE rgb = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_PROFILE_RGB_CONVERSION_INFO_VALVE};
    static const struct {
        VkFormat format;
        VkImageUsageFlags usage;
        VkResult plain, with_rgb;
    } cases[] = {
        {NV12, ENCODE_SRC | VK_IMAGE_USAGE_TRANSFER_DST_BIT, VK_SUCCESS, NO_USAGE},
        {NV12, ENCODE_DPB, VK_SUCCESS, VK_SUCCESS},
        {NV12, ENCODE_SRC | ENCODE_DPB, VK_SUCCESS, NO_USAGE},
        {NV12, VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR, NO_USAGE, NO_USAGE},
        /* A decoder's picture on its way to the encoder. */
        {NV12, ENCODE_SRC | VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR, VK_SUCCESS, NO_USAGE},
        {NV12, PASSED_ON, VK_SUCCESS, NO_USAGE},
        {I420, PASSED_ON, NO_USAGE, NO_USAGE},
        {I420, ENCODE_SRC, VK_SUCCESS, NO_USAGE},
        {I420, ENCODE_DPB, NO_USAGE, NO_USAGE},
        {VK_FORMAT_B8G8R8A8_UNORM, ENCODE_SRC, NO_USAGE, VK_SUCCESS},
        {VK_FORMAT_B8G8R8A8_UNORM, VK_IMAGE_USAGE_STORAGE_BIT, VK_SUCCESS, VK_SUCCESS},
        {VK_FORMAT_R8G8_UNORM, ENCODE_SRC, NO_USAGE, NO_USAGE},
        {P010, ENCODE_SRC, NO_USAGE, NO_USAGE},
    };
    VkVideoProfileInfoKHR profile = profile_of(STD_VIDEO_H264_PROFILE_IDC_MAIN);
    profile_h264.pNext = &rgb;
    for (uint32_t i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
        const VkVideoFormatPropertiesKHR format = {
            .format = cases[i / 2].format,
            .imageType = VK_IMAGE_TYPE_2D,
            .imageUsageFlags = cases[i / 2].usage,
        };
        rgb.performEncodeRgbConversion = i % 2;
        const VkResult wanted = i % 2 ? cases[i / 2].with_rgb : cases[i / 2].plain;
        REQUIRE_EQ(try_image(vk, &profile, &format), wanted);
    }

    /* What is wrong with the profile comes first. */
    const VkVideoFormatPropertiesKHR ten_bit = {
        .format = P010,
        .imageType = VK_IMAGE_TYPE_2D,
        .imageUsageFlags = ENCODE_SRC,
    };
    profile.lumaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR;
    REQUIRE_EQ(try_image(vk, &profile, &ten_bit), VK_ERROR_VIDEO_PROFILE_FORMAT_NOT_SUPPORTED_KHR);
}

static void
nv12_comes_first_and_every_format_can_be_made(struct vk *vk)
{
    static const VkImageUsageFlags usages[] = {
        VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR,
        VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
        VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR,
        VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR | VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR,
        /* What FFmpeg 7.1 asks for. */
        VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR | VK_IMAGE_USAGE_VIDEO_ENCODE_DST_BIT_KHR,
    };
    const VkVideoProfileInfoKHR profile = profile_of(STD_VIDEO_H264_PROFILE_IDC_MAIN);
    VkVideoFormatPropertiesKHR formats[16];
    VkResult result;
    for (uint32_t i = 0; i < sizeof(usages) / sizeof(usages[0]); i++) {
        const uint32_t count = profile_formats(vk, &profile, usages[i], formats, &result);
        REQUIRE_EQ(result, VK_SUCCESS);
        REQUIRE_EQ(formats[0].format, VK_FORMAT_G8_B8R8_2PLANE_420_UNORM);
        REQUIRE_EQ(formats[0].imageTiling, VK_IMAGE_TILING_OPTIMAL);
        for (uint32_t j = 0; j < count; j++)
            require_image(vk, &formats[j]);
    }
    (void)profile_formats(vk, &profile, VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR, formats, &result);
    REQUIRE_EQ(result, VK_ERROR_IMAGE_USAGE_NOT_SUPPORTED_KHR);
}

/* What is granted is in what is listed; nothing is drawn here. */
static void
usages_besides_video_are_listed_or_refused(struct vk *vk)
{
    static const VkImageUsageFlags granted[] = {0,
                                                VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                                                VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                                                VK_IMAGE_USAGE_SAMPLED_BIT,
                                                VK_IMAGE_USAGE_STORAGE_BIT,
                                                VK_IMAGE_USAGE_HOST_TRANSFER_BIT};
    static const VkImageUsageFlags refused[] = {
        VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT,
        VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT};
    const VkVideoProfileInfoKHR profile = profile_of(STD_VIDEO_H264_PROFILE_IDC_MAIN);
    VkVideoFormatPropertiesKHR formats[16];
    VkResult result;
    for (uint32_t i = 0; i < sizeof(granted) / sizeof(granted[0]); i++) {
        const VkImageUsageFlags usage = ENCODE_SRC | granted[i];
        const uint32_t count = profile_formats(vk, &profile, usage, formats, &result);
        REQUIRE_EQ(result, VK_SUCCESS);
        for (uint32_t j = 0; j < count; j++) {
            REQUIRE_EQ(formats[j].imageUsageFlags & usage, usage);
            REQUIRE(formats[j].imageUsageFlags & VK_IMAGE_USAGE_HOST_TRANSFER_BIT);
            require_image(vk, &formats[j]);
        }
    }
    for (uint32_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        (void)profile_formats(vk, &profile, ENCODE_SRC | refused[i], formats, &result);
        REQUIRE_EQ(result, NO_USAGE);
        const VkVideoFormatPropertiesKHR drawn = {
            .format = NV12,
            .imageType = VK_IMAGE_TYPE_2D,
            .imageUsageFlags = ENCODE_SRC | refused[i],
        };
        REQUIRE_EQ(try_image(vk, &profile, &drawn), NO_USAGE);
    }
}

static void
pictures_and_maps_are_2d(struct vk *vk)
{
    static const VkImageUsageFlags usages[] = {
        ENCODE_SRC, ENCODE_DPB, VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR,
        VK_IMAGE_USAGE_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR};
    static const VkImageType types[] = {VK_IMAGE_TYPE_1D, VK_IMAGE_TYPE_3D};
    static VkVideoEncodeProfileRgbConversionInfoVALVE rgb = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_PROFILE_RGB_CONVERSION_INFO_VALVE};
    const VkVideoProfileInfoKHR profile = profile_of(STD_VIDEO_H264_PROFILE_IDC_MAIN);
    profile_h264.pNext = &rgb;
    VkVideoFormatPropertiesKHR formats[16];
    VkResult result;
    for (uint32_t i = 0; i < 2 * sizeof(usages) / sizeof(usages[0]); i++) {
        rgb.performEncodeRgbConversion = i % 2;
        const uint32_t count = profile_formats(vk, &profile, usages[i / 2], formats, &result);
        REQUIRE(count > 0);
        for (uint32_t j = 0; j < 2 * count; j++) {
            VkVideoFormatPropertiesKHR other = formats[j / 2];
            other.imageType = types[j % 2];
            REQUIRE_EQ(try_image(vk, &profile, &other), VK_ERROR_FORMAT_NOT_SUPPORTED);
        }
    }
}

/* A client makes images with the flags that it gets (the Khronos CTS, maps). */
static void
only_inputs_are_made_without_a_profile(struct vk *vk)
{
    static const struct {
        VkImageUsageFlags usage;
        bool is_independent;
    } cases[] = {
        {ENCODE_SRC, true},
        {ENCODE_DPB, false},
        {ENCODE_SRC | ENCODE_DPB, false},
        {PASSED_ON, true},
        {VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR, false},
        {VK_IMAGE_USAGE_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR, false},
    };
    const VkVideoProfileInfoKHR profile = profile_of(STD_VIDEO_H264_PROFILE_IDC_MAIN);
    VkVideoFormatPropertiesKHR formats[16];
    VkResult result;
    for (uint32_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const uint32_t count = profile_formats(vk, &profile, cases[i].usage, formats, &result);
        for (uint32_t j = 0; j < count; j++) {
            const bool is_independent =
                formats[j].imageCreateFlags & VK_IMAGE_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR;
            REQUIRE_EQ(is_independent, cases[i].is_independent);
        }
        REQUIRE(count > 0);
    }
}

static void
require_map_formats(struct vk *vk, VkImageUsageFlags usage, const VkFormat *wanted, uint32_t count)
{
    const VkVideoProfileInfoKHR profile = profile_of(STD_VIDEO_H264_PROFILE_IDC_MAIN);
    const VkVideoProfileListInfoKHR list = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR,
        .profileCount = 1,
        .pProfiles = &profile,
    };
    const VkPhysicalDeviceVideoFormatInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_FORMAT_INFO_KHR,
        .pNext = &list,
        .imageUsage = usage,
    };
    VkVideoFormatQuantizationMapPropertiesKHR maps[16];
    VkVideoFormatPropertiesKHR formats[16];
    uint32_t found_count = 16;
    uint32_t seen = 0;
    for (uint32_t i = 0; i < 16; i++) {
        maps[i] = (VkVideoFormatQuantizationMapPropertiesKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_FORMAT_QUANTIZATION_MAP_PROPERTIES_KHR};
        formats[i] = (VkVideoFormatPropertiesKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_FORMAT_PROPERTIES_KHR, .pNext = &maps[i]};
    }
    REQUIRE_EQ(vkGetPhysicalDeviceVideoFormatPropertiesKHR(vk->pdev, &info, &found_count, formats),
               VK_SUCCESS);
    for (uint32_t i = 0; i < found_count; i++) {
        uint32_t which = 0;
        while (which < count && wanted[which] != formats[i].format)
            which++;
        REQUIRE(which < count);
        seen |= 1u << which;
        REQUIRE_EQ(maps[i].quantizationMapTexelSize.width, 16);
        REQUIRE_EQ(maps[i].quantizationMapTexelSize.height, 16);
        require_image(vk, &formats[i]);
    }
    REQUIRE_EQ(seen, (1u << count) - 1);
}

static void
maps_have_their_formats(struct vk *vk)
{
    static const VkFormat deltas[] = {VK_FORMAT_R8_SINT, VK_FORMAT_R16_SINT, VK_FORMAT_R32_SINT};
    static const VkFormat emphasis = VK_FORMAT_R8_UNORM;
    require_map_formats(vk, VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR, deltas, 3);
    require_map_formats(vk, VK_IMAGE_USAGE_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR, &emphasis, 1);
}

#define DECODE_DST VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR
#define DECODE_DPB VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR

static VkFormatFeatureFlags
video_features_of(struct vk *vk, VkFormat format)
{
    VkFormatProperties properties;
    vkGetPhysicalDeviceFormatProperties(vk->pdev, format, &properties);
    return properties.optimalTilingFeatures & (VK_FORMAT_FEATURE_VIDEO_DECODE_OUTPUT_BIT_KHR |
                                               VK_FORMAT_FEATURE_VIDEO_DECODE_DPB_BIT_KHR);
}

/* Of AV1, where the device decodes it. */
static void
pictures_of_10_bits_are_in_p010(struct vk *vk)
{
    static const VkVideoDecodeAV1ProfileInfoKHR av1 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_AV1_PROFILE_INFO_KHR,
        .stdProfile = STD_VIDEO_AV1_PROFILE_MAIN,
    };
    VkVideoProfileInfoKHR profile =
        video_profile(VK_VIDEO_CODEC_OPERATION_DECODE_AV1_BIT_KHR, &av1);
    VkVideoFormatPropertiesKHR formats[16];
    VkResult result;
    (void)profile_formats(vk, &profile, DECODE_DST, formats, &result);
    if (result == VK_ERROR_VIDEO_PROFILE_OPERATION_NOT_SUPPORTED_KHR) {
        REQUIRE_EQ(video_features_of(vk, P010), 0);
        return;
    }
    REQUIRE_EQ(video_features_of(vk, P010), video_features_of(vk, NV12));

    profile.lumaBitDepth = profile.chromaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR;
    static const VkImageUsageFlags usages[] = {DECODE_DST, DECODE_DPB, DECODE_DST | DECODE_DPB};
    for (uint32_t i = 0; i < sizeof(usages) / sizeof(usages[0]); i++) {
        REQUIRE_EQ(profile_formats(vk, &profile, usages[i], formats, &result), 1);
        REQUIRE_EQ(formats[0].format, P010);
        REQUIRE_EQ(formats[0].imageTiling, VK_IMAGE_TILING_OPTIMAL);
        REQUIRE_EQ(try_image(vk, &profile, &formats[0]), VK_SUCCESS);
        formats[0].format = NV12;
        REQUIRE_EQ(try_image(vk, &profile, &formats[0]), NO_USAGE);
    }
    profile.chromaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR;
    (void)profile_formats(vk, &profile, DECODE_DST, formats, &result);
    REQUIRE_EQ(result, VK_ERROR_VIDEO_PROFILE_FORMAT_NOT_SUPPORTED_KHR);
}

int
main(void)
{
    struct vk vk;
    vk_open(&vk);
    RUN(lists_of_many_profiles_have_the_images_of_each, &vk);
    RUN(nv12_comes_first_and_every_format_can_be_made, &vk);
    RUN(images_are_for_the_profiles_that_they_are_asked_for, &vk);
    RUN(usages_besides_video_are_listed_or_refused, &vk);
    RUN(pictures_and_maps_are_2d, &vk);
    RUN(only_inputs_are_made_without_a_profile, &vk);
    RUN(maps_have_their_formats, &vk);
    RUN(pictures_of_10_bits_are_in_p010, &vk);
    vk_close(&vk);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* What the driver says of video: capabilities, quality levels, sessions.
 */
#include "profile.h"
#include "test.h"
#include "vk.h"

#include <string.h>

struct caps {
    VkVideoCapabilitiesKHR video;
    VkVideoEncodeCapabilitiesKHR encode;
    VkVideoEncodeH264CapabilitiesKHR h264;
    VkVideoEncodeQuantizationMapCapabilitiesKHR map;
    VkVideoEncodeH264QuantizationMapCapabilitiesKHR h264_map;
    VkVideoEncodeIntraRefreshCapabilitiesKHR refresh;
    VkVideoEncodeFeedback2CapabilitiesKHR feedback2;
    VkVideoEncodeRgbConversionCapabilitiesVALVE rgb;
};

static VkResult
get_caps(struct vk *vk, const VkVideoProfileInfoKHR *profile, uint8_t fill, struct caps *out)
{
    memset(out, fill, sizeof(*out));
    out->video.sType = VK_STRUCTURE_TYPE_VIDEO_CAPABILITIES_KHR;
    out->encode.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_CAPABILITIES_KHR;
    out->h264.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_CAPABILITIES_KHR;
    out->map.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUANTIZATION_MAP_CAPABILITIES_KHR;
    out->h264_map.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_QUANTIZATION_MAP_CAPABILITIES_KHR;
    out->refresh.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_INTRA_REFRESH_CAPABILITIES_KHR;
    out->video.pNext = &out->encode;
    out->encode.pNext = &out->h264;
    out->h264.pNext = &out->map;
    out->map.pNext = &out->h264_map;
    out->h264_map.pNext = &out->refresh;
    out->feedback2.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_FEEDBACK_2_CAPABILITIES_KHR;
    out->rgb.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_RGB_CONVERSION_CAPABILITIES_VALVE;
    out->refresh.pNext = &out->feedback2;
    out->feedback2.pNext = &out->rgb;
    out->rgb.pNext = NULL;
    return vkGetPhysicalDeviceVideoCapabilitiesKHR(vk->pdev, profile, &out->video);
}

#define SAME(member) REQUIRE(memcmp(&a.member, &b.member, sizeof(a.member)) == 0)

static void
every_member_of_the_capabilities_is_written(struct vk *vk)
{
    static const StdVideoH264ProfileIdc idcs[] = {66, 77, 100};
    struct caps a, b;
    for (uint32_t i = 0; i < 3; i++) {
        const VkVideoProfileInfoKHR profile = profile_of(idcs[i]);
        REQUIRE_EQ(get_caps(vk, &profile, 0, &a), VK_SUCCESS);
        REQUIRE_EQ(get_caps(vk, &profile, 0xff, &b), VK_SUCCESS);
        SAME(video.flags);
        SAME(video.minBitstreamBufferOffsetAlignment);
        SAME(video.minBitstreamBufferSizeAlignment);
        SAME(video.pictureAccessGranularity);
        SAME(video.minCodedExtent);
        SAME(video.maxCodedExtent);
        SAME(video.maxDpbSlots);
        SAME(video.maxActiveReferencePictures);
        SAME(video.stdHeaderVersion);
        SAME(encode.flags);
        SAME(encode.rateControlModes);
        SAME(encode.maxRateControlLayers);
        SAME(encode.maxBitrate);
        SAME(encode.maxQualityLevels);
        SAME(encode.encodeInputPictureGranularity);
        SAME(encode.supportedEncodeFeedbackFlags);
        SAME(h264.flags);
        SAME(h264.maxLevelIdc);
        SAME(h264.maxSliceCount);
        SAME(h264.maxPPictureL0ReferenceCount);
        SAME(h264.maxBPictureL0ReferenceCount);
        SAME(h264.maxL1ReferenceCount);
        SAME(h264.maxTemporalLayerCount);
        SAME(h264.expectDyadicTemporalLayerPattern);
        SAME(h264.minQp);
        SAME(h264.maxQp);
        SAME(h264.prefersGopRemainingFrames);
        SAME(h264.requiresGopRemainingFrames);
        SAME(h264.stdSyntaxFlags);
        SAME(map.maxQuantizationMapExtent);
        SAME(h264_map.minQpDelta);
        SAME(h264_map.maxQpDelta);
        SAME(refresh.intraRefreshModes);
        SAME(refresh.maxIntraRefreshCycleDuration);
        SAME(refresh.maxIntraRefreshActiveReferencePictures);
        SAME(refresh.partitionIndependentIntraRefreshRegions);
        SAME(refresh.nonRectangularIntraRefreshRegions);
        SAME(feedback2.maxPerPartitionFeedbackEntries);
        SAME(feedback2.supportedPerPartitionEncodeFeedbackFlags);
        SAME(rgb.rgbModels);
        SAME(rgb.rgbRanges);
        SAME(rgb.xChromaOffsets);
        SAME(rgb.yChromaOffsets);
        REQUIRE(a.h264.flags != 0);
        REQUIRE_EQ(a.video.maxDpbSlots, 17);
        REQUIRE_EQ(a.video.maxActiveReferencePictures, 16);
        REQUIRE(a.encode.maxQualityLevels >= 5);
        const bool has_8x8 =
            a.h264.stdSyntaxFlags & VK_VIDEO_ENCODE_H264_STD_TRANSFORM_8X8_MODE_FLAG_SET_BIT_KHR;
        REQUIRE_EQ(has_8x8, idcs[i] == 100);
        REQUIRE(!(a.h264.stdSyntaxFlags &
                  VK_VIDEO_ENCODE_H264_STD_SCALING_MATRIX_PRESENT_FLAG_SET_BIT_KHR));
    }
}

static void
unknown_profiles_get_the_error_that_fits(struct vk *vk)
{
    struct caps caps;
    VkVideoProfileInfoKHR profile = profile_of(STD_VIDEO_H264_PROFILE_IDC_HIGH);
    profile.chromaSubsampling = VK_VIDEO_CHROMA_SUBSAMPLING_422_BIT_KHR;
    REQUIRE_EQ(get_caps(vk, &profile, 0, &caps), VK_ERROR_VIDEO_PROFILE_FORMAT_NOT_SUPPORTED_KHR);
    profile = profile_of(STD_VIDEO_H264_PROFILE_IDC_HIGH_10);
    profile.lumaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR;
    REQUIRE_EQ(get_caps(vk, &profile, 0, &caps), VK_ERROR_VIDEO_PROFILE_FORMAT_NOT_SUPPORTED_KHR);
    profile = profile_of(STD_VIDEO_H264_PROFILE_IDC_HIGH_444_PREDICTIVE);
    REQUIRE_EQ(get_caps(vk, &profile, 0, &caps), VK_ERROR_VIDEO_PROFILE_CODEC_NOT_SUPPORTED_KHR);
    profile.videoCodecOperation = (VkVideoCodecOperationFlagBitsKHR)(1 << 29); /* of no codec */
    REQUIRE_EQ(get_caps(vk, &profile, 0, &caps),
               VK_ERROR_VIDEO_PROFILE_OPERATION_NOT_SUPPORTED_KHR);
}

static void
maps_reach_over_any_picture(struct vk *vk)
{
    const VkVideoProfileInfoKHR profile = profile_of(STD_VIDEO_H264_PROFILE_IDC_MAIN);
    struct caps caps;
    REQUIRE_EQ(get_caps(vk, &profile, 0, &caps), VK_SUCCESS);
    REQUIRE(16 * caps.map.maxQuantizationMapExtent.width >= caps.video.maxCodedExtent.width);
    REQUIRE(16 * caps.map.maxQuantizationMapExtent.height >= caps.video.maxCodedExtent.height);
    REQUIRE_EQ(caps.h264_map.minQpDelta, -51);
    REQUIRE_EQ(caps.h264_map.maxQpDelta, 51);
}

static void
quality_levels_are_sane(struct vk *vk)
{
    struct caps caps;
    const VkVideoProfileInfoKHR profile = profile_of(STD_VIDEO_H264_PROFILE_IDC_HIGH);
    REQUIRE_EQ(get_caps(vk, &profile, 0, &caps), VK_SUCCESS);
    for (uint32_t level = 0; level < caps.encode.maxQualityLevels; level++) {
        VkVideoEncodeH264QualityLevelPropertiesKHR h264 = {
            .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_QUALITY_LEVEL_PROPERTIES_KHR};
        VkVideoEncodeQualityLevelPropertiesKHR properties = {
            .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUALITY_LEVEL_PROPERTIES_KHR, .pNext = &h264};
        const VkPhysicalDeviceVideoEncodeQualityLevelInfoKHR info = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_ENCODE_QUALITY_LEVEL_INFO_KHR,
            .pVideoProfile = &profile,
            .qualityLevel = level,
        };
        REQUIRE_EQ(
            vkGetPhysicalDeviceVideoEncodeQualityLevelPropertiesKHR(vk->pdev, &info, &properties),
            VK_SUCCESS);
        REQUIRE(properties.preferredRateControlMode & caps.encode.rateControlModes);
        REQUIRE(h264.preferredGopFrameCount % 256 != 0); /* kept in 8 bits, divided by */
        REQUIRE(h264.preferredIdrPeriod > 0);
        REQUIRE(h264.preferredMaxL0ReferenceCount >= 1);
        REQUIRE(h264.preferredMaxL0ReferenceCount <= caps.h264.maxPPictureL0ReferenceCount);
    }
}

static VkResult
try_session(struct vk *vk, const VkVideoSessionCreateInfoKHR *info)
{
    VkVideoSessionKHR session = VK_NULL_HANDLE;
    const VkResult result = vkCreateVideoSessionKHR(vk->dev, info, NULL, &session);
    if (result == VK_SUCCESS)
        vkDestroyVideoSessionKHR(vk->dev, session, NULL);
    return result;
}

static void
sessions_are_checked_but_for_what_clients_do(struct vk *vk)
{
    const VkVideoProfileInfoKHR profile = profile_of(STD_VIDEO_H264_PROFILE_IDC_MAIN);
    VkExtensionProperties version = *video_std_version(profile.videoCodecOperation);
    VkVideoSessionCreateInfoKHR info = profile_session(&profile, &version);
    REQUIRE_EQ(try_session(vk, &info), VK_SUCCESS);

    info.maxCodedExtent = (VkExtent2D){8192, 4352};
    info.maxCodedExtent = (VkExtent2D){4352, 8192};
    REQUIRE_EQ(try_session(vk, &info), VK_SUCCESS);
    info.maxCodedExtent = (VkExtent2D){5968, 5968}; /* as many macroblocks as level 6.2 allows */
    REQUIRE_EQ(try_session(vk, &info), VK_SUCCESS);
    info.maxDpbSlots = 18; /* one more than the capabilities say */
    info.maxActiveReferencePictures = 16;
    REQUIRE_EQ(try_session(vk, &info), VK_SUCCESS);
    info.maxDpbSlots = 40;
    REQUIRE_EQ(try_session(vk, &info), VK_ERROR_INITIALIZATION_FAILED);

    static const VkExtent2D extents[] = {{0, 0},       {8, 64},      {64, 8},     {8208, 4352},
                                         {8192, 8192}, {8192, 4353}, {5968, 5984}};
    for (uint32_t i = 0; i < sizeof(extents) / sizeof(extents[0]); i++) {
        info = profile_session(&profile, &version);
        info.maxCodedExtent = extents[i];
        REQUIRE_EQ(try_session(vk, &info), VK_ERROR_INITIALIZATION_FAILED);
    }
    info = profile_session(&profile, &version);
    info.pictureFormat = VK_FORMAT_R8G8B8A8_UNORM;
    REQUIRE_EQ(try_session(vk, &info), VK_ERROR_INITIALIZATION_FAILED);
    info = profile_session(&profile, &version);
    version.specVersion++;
    REQUIRE_EQ(try_session(vk, &info), VK_ERROR_VIDEO_STD_VERSION_NOT_SUPPORTED_KHR);
}

static void
rgb_is_all_that_rgb_profiles_take(struct vk *vk)
{
    static VkVideoEncodeProfileRgbConversionInfoVALVE rgb_profile = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_PROFILE_RGB_CONVERSION_INFO_VALVE,
        .performEncodeRgbConversion = VK_TRUE,
    };
    const VkVideoProfileInfoKHR profile = profile_of(STD_VIDEO_H264_PROFILE_IDC_MAIN);
    profile_h264.pNext = &rgb_profile;
    const VkImageUsageFlags src = VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR;
    const VkImageUsageFlags dpb = VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR;
    VkVideoFormatPropertiesKHR formats[16];
    VkResult result;
    REQUIRE_EQ(profile_formats(vk, &profile, src, formats, &result), 4); /* two, two tilings */
    REQUIRE_EQ(result, VK_SUCCESS);
    for (uint32_t i = 0; i < 4; i++) {
        REQUIRE(formats[i].format == VK_FORMAT_B8G8R8A8_UNORM ||
                formats[i].format == VK_FORMAT_R8G8B8A8_UNORM);
    }
    REQUIRE_EQ(profile_formats(vk, &profile, dpb, formats, &result), 1);
    REQUIRE_EQ(result, VK_SUCCESS);
    REQUIRE_EQ(formats[0].format, VK_FORMAT_G8_B8R8_2PLANE_420_UNORM);
    REQUIRE_EQ(formats[0].imageUsageFlags & (src | dpb), dpb);
    (void)profile_formats(vk, &profile, src | dpb, formats, &result);
    REQUIRE_EQ(result, VK_ERROR_IMAGE_USAGE_NOT_SUPPORTED_KHR);

    const VkVideoEncodeSessionRgbConversionCreateInfoVALVE rgb = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_SESSION_RGB_CONVERSION_CREATE_INFO_VALVE,
        .rgbModel = VK_VIDEO_ENCODE_RGB_MODEL_CONVERSION_YCBCR_709_BIT_VALVE,
        .rgbRange = VK_VIDEO_ENCODE_RGB_RANGE_COMPRESSION_NARROW_RANGE_BIT_VALVE,
        .xChromaOffset = VK_VIDEO_ENCODE_RGB_CHROMA_OFFSET_COSITED_EVEN_BIT_VALVE,
        .yChromaOffset = VK_VIDEO_ENCODE_RGB_CHROMA_OFFSET_MIDPOINT_BIT_VALVE,
    };
    VkVideoSessionCreateInfoKHR info =
        profile_session(&profile, video_std_version(profile.videoCodecOperation));
    info.pNext = &rgb;
    REQUIRE_EQ(try_session(vk, &info), VK_ERROR_INITIALIZATION_FAILED);
    info.pictureFormat = VK_FORMAT_R8G8B8A8_UNORM;
    REQUIRE_EQ(try_session(vk, &info), VK_SUCCESS);
}

/* All that the capabilities name, and at least what the formulas of three standards are. */
static void
every_rgb_conversion_has_its_session(struct vk *vk)
{
    const VkVideoEncodeProfileRgbConversionInfoVALVE rgb_profile = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_PROFILE_RGB_CONVERSION_INFO_VALVE,
        .performEncodeRgbConversion = VK_TRUE,
    };
    const VkVideoProfileInfoKHR profile = profile_of(STD_VIDEO_H264_PROFILE_IDC_HIGH);
    profile_h264.pNext = &rgb_profile;
    struct caps caps;
    REQUIRE_EQ(get_caps(vk, &profile, 0, &caps), VK_SUCCESS);
    uint32_t made_count = 0;
    for (uint32_t i = 0; i < 8 * 4 * 4 * 4; i++) {
        const VkVideoEncodeSessionRgbConversionCreateInfoVALVE rgb = {
            .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_SESSION_RGB_CONVERSION_CREATE_INFO_VALVE,
            .rgbModel = (VkVideoEncodeRgbModelConversionFlagBitsVALVE)(1u << i % 8),
            .rgbRange = (VkVideoEncodeRgbRangeCompressionFlagBitsVALVE)(1u << i / 8 % 4),
            .xChromaOffset = (VkVideoEncodeRgbChromaOffsetFlagBitsVALVE)(1u << i / 32 % 4),
            .yChromaOffset = (VkVideoEncodeRgbChromaOffsetFlagBitsVALVE)(1u << i / 128),
        };
        const bool is_reported = caps.rgb.rgbModels & rgb.rgbModel &&
                                 caps.rgb.rgbRanges & rgb.rgbRange &&
                                 caps.rgb.xChromaOffsets & rgb.xChromaOffset &&
                                 caps.rgb.yChromaOffsets & rgb.yChromaOffset;
        VkVideoSessionCreateInfoKHR info =
            profile_session(&profile, video_std_version(profile.videoCodecOperation));
        info.pictureFormat = VK_FORMAT_B8G8R8A8_UNORM;
        info.pNext = &rgb;
        REQUIRE_EQ(try_session(vk, &info),
                   is_reported ? VK_SUCCESS : VK_ERROR_INITIALIZATION_FAILED);
        made_count += is_reported;
    }
    REQUIRE_EQ(made_count, 3 * 2 * 2 * 2);
}

int
main(void)
{
    struct vk vk;
    vk_open(&vk);
    RUN(every_member_of_the_capabilities_is_written, &vk);
    RUN(unknown_profiles_get_the_error_that_fits, &vk);
    RUN(maps_reach_over_any_picture, &vk);
    RUN(quality_levels_are_sane, &vk);
    RUN(sessions_are_checked_but_for_what_clients_do, &vk);
    RUN(rgb_is_all_that_rgb_profiles_take, &vk);
    RUN(every_rgb_conversion_has_its_session, &vk);
    vk_close(&vk);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* What the driver says of video: capabilities, formats, quality levels, sessions, parameter sets.
 */
#include "test.h"
#include "vk.h"

#include <string.h>

static VkVideoEncodeH264ProfileInfoKHR h264_profile;

static VkVideoProfileInfoKHR
profile_of(StdVideoH264ProfileIdc idc)
{
    h264_profile = (VkVideoEncodeH264ProfileInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_PROFILE_INFO_KHR,
        .stdProfileIdc = idc,
    };
    return (VkVideoProfileInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_INFO_KHR,
        .pNext = &h264_profile,
        .videoCodecOperation = VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR,
        .chromaSubsampling = VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR,
        .lumaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,
        .chromaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,
    };
}

struct caps {
    VkVideoCapabilitiesKHR video;
    VkVideoEncodeCapabilitiesKHR encode;
    VkVideoEncodeH264CapabilitiesKHR h264;
    VkVideoEncodeQuantizationMapCapabilitiesKHR map;
    VkVideoEncodeH264QuantizationMapCapabilitiesKHR h264_map;
    VkVideoEncodeIntraRefreshCapabilitiesKHR refresh;
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
    out->refresh.pNext = NULL;
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
    profile.videoCodecOperation = VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR;
    REQUIRE_EQ(get_caps(vk, &profile, 0, &caps),
               VK_ERROR_VIDEO_PROFILE_OPERATION_NOT_SUPPORTED_KHR);
}

static uint32_t
get_formats(struct vk *vk, const VkVideoProfileInfoKHR *profile, VkImageUsageFlags usage,
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

static void
require_image(struct vk *vk, const VkVideoFormatPropertiesKHR *format)
{
    const VkVideoProfileInfoKHR profile = profile_of(STD_VIDEO_H264_PROFILE_IDC_MAIN);
    const VkVideoProfileListInfoKHR list = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR,
        .profileCount = 1,
        .pProfiles = &profile,
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
    REQUIRE_EQ(vkGetPhysicalDeviceImageFormatProperties2(vk->pdev, &info, &properties), VK_SUCCESS);
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
        const uint32_t count = get_formats(vk, &profile, usages[i], formats, &result);
        REQUIRE_EQ(result, VK_SUCCESS);
        REQUIRE_EQ(formats[0].format, VK_FORMAT_G8_B8R8_2PLANE_420_UNORM);
        REQUIRE_EQ(formats[0].imageTiling, VK_IMAGE_TILING_OPTIMAL);
        for (uint32_t j = 0; j < count; j++)
            require_image(vk, &formats[j]);
    }
    (void)get_formats(vk, &profile, VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR, formats, &result);
    REQUIRE_EQ(result, VK_ERROR_IMAGE_USAGE_NOT_SUPPORTED_KHR);
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
maps_have_their_formats_and_reach_over_any_picture(struct vk *vk)
{
    static const VkFormat deltas[] = {VK_FORMAT_R8_SINT, VK_FORMAT_R16_SINT, VK_FORMAT_R32_SINT};
    static const VkFormat emphasis = VK_FORMAT_R8_UNORM;
    const VkVideoProfileInfoKHR profile = profile_of(STD_VIDEO_H264_PROFILE_IDC_MAIN);
    struct caps caps;
    require_map_formats(vk, VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR, deltas, 3);
    require_map_formats(vk, VK_IMAGE_USAGE_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR, &emphasis, 1);
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

static VkVideoSessionCreateInfoKHR
session_info(const VkVideoProfileInfoKHR *profile, const VkExtensionProperties *version)
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

static const VkExtensionProperties std_version = {
    .extensionName = VK_STD_VULKAN_VIDEO_CODEC_H264_ENCODE_EXTENSION_NAME,
    .specVersion = VK_STD_VULKAN_VIDEO_CODEC_H264_ENCODE_SPEC_VERSION,
};

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
    VkExtensionProperties version = std_version;
    VkVideoSessionCreateInfoKHR info = session_info(&profile, &version);
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
        info = session_info(&profile, &version);
        info.maxCodedExtent = extents[i];
        REQUIRE_EQ(try_session(vk, &info), VK_ERROR_INITIALIZATION_FAILED);
    }
    info = session_info(&profile, &version);
    info.pictureFormat = VK_FORMAT_R8G8B8A8_UNORM;
    REQUIRE_EQ(try_session(vk, &info), VK_ERROR_INITIALIZATION_FAILED);
    info = session_info(&profile, &version);
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
    h264_profile.pNext = &rgb_profile;
    const VkImageUsageFlags src = VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR;
    const VkImageUsageFlags dpb = VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR;
    VkVideoFormatPropertiesKHR formats[16];
    VkResult result;
    REQUIRE_EQ(get_formats(vk, &profile, src, formats, &result), 4); /* two, two tilings */
    REQUIRE_EQ(result, VK_SUCCESS);
    for (uint32_t i = 0; i < 4; i++) {
        REQUIRE(formats[i].format == VK_FORMAT_B8G8R8A8_UNORM ||
                formats[i].format == VK_FORMAT_R8G8B8A8_UNORM);
    }
    REQUIRE_EQ(get_formats(vk, &profile, dpb, formats, &result), 1);
    REQUIRE_EQ(result, VK_SUCCESS);
    REQUIRE_EQ(formats[0].format, VK_FORMAT_G8_B8R8_2PLANE_420_UNORM);
    REQUIRE_EQ(formats[0].imageUsageFlags & (src | dpb), dpb);
    (void)get_formats(vk, &profile, src | dpb, formats, &result);
    REQUIRE_EQ(result, VK_ERROR_IMAGE_USAGE_NOT_SUPPORTED_KHR);

    const VkVideoEncodeSessionRgbConversionCreateInfoVALVE rgb = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_SESSION_RGB_CONVERSION_CREATE_INFO_VALVE,
        .rgbModel = VK_VIDEO_ENCODE_RGB_MODEL_CONVERSION_YCBCR_709_BIT_VALVE,
        .rgbRange = VK_VIDEO_ENCODE_RGB_RANGE_COMPRESSION_NARROW_RANGE_BIT_VALVE,
        .xChromaOffset = VK_VIDEO_ENCODE_RGB_CHROMA_OFFSET_COSITED_EVEN_BIT_VALVE,
        .yChromaOffset = VK_VIDEO_ENCODE_RGB_CHROMA_OFFSET_MIDPOINT_BIT_VALVE,
    };
    VkVideoSessionCreateInfoKHR info = session_info(&profile, &std_version);
    info.pNext = &rgb;
    REQUIRE_EQ(try_session(vk, &info), VK_ERROR_INITIALIZATION_FAILED);
    info.pictureFormat = VK_FORMAT_R8G8B8A8_UNORM;
    REQUIRE_EQ(try_session(vk, &info), VK_SUCCESS);
}

static StdVideoH264SequenceParameterSet
sps_with_id(uint8_t id)
{
    return (StdVideoH264SequenceParameterSet){
        .flags = {.frame_mbs_only_flag = 1, .direct_8x8_inference_flag = 1},
        .profile_idc = STD_VIDEO_H264_PROFILE_IDC_MAIN,
        .level_idc = STD_VIDEO_H264_LEVEL_IDC_4_1,
        .chroma_format_idc = STD_VIDEO_H264_CHROMA_FORMAT_IDC_420,
        .seq_parameter_set_id = id,
        .pic_width_in_mbs_minus1 = 9u + id,
        .pic_height_in_map_units_minus1 = 7,
    };
}

struct sets {
    StdVideoH264SequenceParameterSet sps[4];
    StdVideoH264PictureParameterSet pps[4];
    VkVideoEncodeH264SessionParametersAddInfoKHR add;
};

static void
fill_sets(struct sets *sets, uint8_t first_id, uint32_t count)
{
    memset(sets, 0, sizeof(*sets));
    for (uint32_t i = 0; i < count; i++) {
        sets->sps[i] = sps_with_id((uint8_t)(first_id + i));
        sets->pps[i].seq_parameter_set_id = (uint8_t)(first_id + i);
        sets->pps[i].flags.entropy_coding_mode_flag = 1;
    }
    sets->add = (VkVideoEncodeH264SessionParametersAddInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_PARAMETERS_ADD_INFO_KHR,
        .stdSPSCount = count,
        .pStdSPSs = sets->sps,
        .stdPPSCount = count,
        .pStdPPSs = sets->pps,
    };
}

static VkResult
create_parameters(struct vk *vk, VkVideoSessionKHR session, VkVideoSessionParametersKHR template,
                  uint32_t max_count, const struct sets *sets, VkVideoSessionParametersKHR *out)
{
    const VkVideoEncodeH264SessionParametersCreateInfoKHR h264 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .maxStdSPSCount = max_count,
        .maxStdPPSCount = max_count,
        .pParametersAddInfo = sets ? &sets->add : NULL,
    };
    const VkVideoSessionParametersCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .pNext = &h264,
        .videoSessionParametersTemplate = template,
        .videoSession = session,
    };
    return vkCreateVideoSessionParametersKHR(vk->dev, &info, NULL, out);
}

static VkResult
update_parameters(struct vk *vk, VkVideoSessionParametersKHR params, uint32_t sequence,
                  const struct sets *sets)
{
    return vkUpdateVideoSessionParametersKHR(
        vk->dev, params,
        &(VkVideoSessionParametersUpdateInfoKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_PARAMETERS_UPDATE_INFO_KHR,
            .pNext = &sets->add,
            .updateSequenceCount = sequence});
}

struct encoded {
    uint8_t data[512];
    size_t size_B;
    VkVideoEncodeH264SessionParametersFeedbackInfoKHR h264;
    VkVideoEncodeSessionParametersFeedbackInfoKHR feedback;
};

static VkResult
get_encoded(struct vk *vk, VkVideoSessionParametersKHR params, uint32_t id, struct encoded *out)
{
    const VkVideoEncodeH264SessionParametersGetInfoKHR h264 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_PARAMETERS_GET_INFO_KHR,
        .writeStdSPS = VK_TRUE,
        .writeStdPPS = VK_TRUE,
        .stdSPSId = id,
    };
    const VkVideoEncodeSessionParametersGetInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_SESSION_PARAMETERS_GET_INFO_KHR,
        .pNext = &h264,
        .videoSessionParameters = params,
    };
    memset(out, 0xff, sizeof(*out));
    out->h264.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_PARAMETERS_FEEDBACK_INFO_KHR;
    out->h264.pNext = NULL;
    out->feedback.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_SESSION_PARAMETERS_FEEDBACK_INFO_KHR;
    out->feedback.pNext = &out->h264;

    /* The size that comes in with no data means nothing. */
    out->size_B = 1024;
    REQUIRE_EQ(vkGetEncodedVideoSessionParametersKHR(vk->dev, &info, NULL, &out->size_B, NULL),
               VK_SUCCESS);
    REQUIRE(out->size_B <= 256);
    size_t short_B = out->size_B ? out->size_B - 1 : 0;
    if (out->size_B) {
        REQUIRE_EQ(vkGetEncodedVideoSessionParametersKHR(vk->dev, &info, NULL, &short_B, out->data),
                   VK_INCOMPLETE);
        REQUIRE_EQ(out->data[out->size_B - 1], 0xff);
    }
    return vkGetEncodedVideoSessionParametersKHR(vk->dev, &info, &out->feedback, &out->size_B,
                                                 out->data);
}

static void
parameter_sets_are_added_updated_and_inherited(struct vk *vk)
{
    const VkVideoProfileInfoKHR profile = profile_of(STD_VIDEO_H264_PROFILE_IDC_MAIN);
    const VkVideoSessionCreateInfoKHR info = session_info(&profile, &std_version);
    VkVideoSessionKHR session;
    VkVideoSessionParametersKHR first, second, none;
    struct sets sets;
    struct encoded before, after;
    REQUIRE_EQ(vkCreateVideoSessionKHR(vk->dev, &info, NULL, &session), VK_SUCCESS);

    fill_sets(&sets, 0, 2);
    REQUIRE(create_parameters(vk, session, VK_NULL_HANDLE, 1, &sets, &none) < 0);
    REQUIRE_EQ(create_parameters(vk, session, VK_NULL_HANDLE, 3, &sets, &first), VK_SUCCESS);
    fill_sets(&sets, 2, 1);
    /* Not one more than the last update: as Vulkan-Video-Samples have it. */
    REQUIRE_EQ(update_parameters(vk, first, 0, &sets), VK_SUCCESS);
    REQUIRE(update_parameters(vk, first, 2, &sets) < 0); /* it is there already */
    fill_sets(&sets, 3, 1);
    REQUIRE(update_parameters(vk, first, 2, &sets) < 0); /* no room */

    fill_sets(&sets, 1, 1);
    sets.sps[0].pic_height_in_map_units_minus1 = 90; /* replaces the template's */
    REQUIRE_EQ(create_parameters(vk, session, first, 3, &sets, &second), VK_SUCCESS);
    for (uint32_t id = 0; id < 3; id++) {
        REQUIRE_EQ(get_encoded(vk, first, id, &before), VK_SUCCESS);
        REQUIRE_EQ(get_encoded(vk, second, id, &after), VK_SUCCESS);
        REQUIRE(before.size_B > 0);
        const bool is_equal =
            before.size_B == after.size_B && memcmp(before.data, after.data, before.size_B) == 0;
        REQUIRE_EQ(is_equal, id != 1);
        REQUIRE_EQ(after.feedback.hasOverrides, VK_FALSE);
    }
    vkDestroyVideoSessionParametersKHR(vk->dev, first, NULL);
    vkDestroyVideoSessionParametersKHR(vk->dev, second, NULL);
    vkDestroyVideoSessionParametersKHR(vk->dev, VK_NULL_HANDLE, NULL);
    vkDestroyVideoSessionKHR(vk->dev, session, NULL);
}

static void
what_cannot_be_done_is_overridden_and_reported(struct vk *vk)
{
    const VkVideoProfileInfoKHR profile = profile_of(STD_VIDEO_H264_PROFILE_IDC_MAIN);
    const VkVideoSessionCreateInfoKHR info = session_info(&profile, &std_version);
    VkVideoSessionKHR session;
    VkVideoSessionParametersKHR params;
    struct sets sets;
    struct encoded encoded;
    REQUIRE_EQ(vkCreateVideoSessionKHR(vk->dev, &info, NULL, &session), VK_SUCCESS);
    fill_sets(&sets, 0, 2);
    sets.sps[0].flags.frame_mbs_only_flag = 0;     /* field coding */
    sets.pps[1].flags.transform_8x8_mode_flag = 1; /* not in Main */
    REQUIRE_EQ(create_parameters(vk, session, VK_NULL_HANDLE, 2, &sets, &params), VK_SUCCESS);

    REQUIRE_EQ(get_encoded(vk, params, 0, &encoded), VK_SUCCESS);
    REQUIRE_EQ(encoded.feedback.hasOverrides, VK_TRUE);
    REQUIRE_EQ(encoded.h264.hasStdSPSOverrides, VK_TRUE);
    REQUIRE_EQ(encoded.h264.hasStdPPSOverrides, VK_FALSE);
    REQUIRE_EQ(get_encoded(vk, params, 1, &encoded), VK_SUCCESS);
    REQUIRE_EQ(encoded.h264.hasStdSPSOverrides, VK_FALSE);
    REQUIRE_EQ(encoded.h264.hasStdPPSOverrides, VK_TRUE);
    vkDestroyVideoSessionParametersKHR(vk->dev, params, NULL);
    vkDestroyVideoSessionKHR(vk->dev, session, NULL);
}

int
main(void)
{
    struct vk vk;
    vk_open(&vk);
    RUN(every_member_of_the_capabilities_is_written, &vk);
    RUN(unknown_profiles_get_the_error_that_fits, &vk);
    RUN(nv12_comes_first_and_every_format_can_be_made, &vk);
    RUN(maps_have_their_formats_and_reach_over_any_picture, &vk);
    RUN(quality_levels_are_sane, &vk);
    RUN(sessions_are_checked_but_for_what_clients_do, &vk);
    RUN(rgb_is_all_that_rgb_profiles_take, &vk);
    RUN(parameter_sets_are_added_updated_and_inherited, &vk);
    RUN(what_cannot_be_done_is_overridden_and_reported, &vk);
    vk_close(&vk);
    return 0;
}

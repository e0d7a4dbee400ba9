/* SPDX-License-Identifier: MIT */
/* Results of the video calls. Without the codec there is nothing to call.
 */
#include "results.h"

#include "tools/client/video_session.h"

#include <vk_video/vulkan_video_codec_h264std.h>
#include <vk_video/vulkan_video_codec_h264std_decode.h>
#include <vk_video/vulkan_video_codec_h264std_encode.h>

/* A profile of each codec that is there, to be spoilt. */
struct profile {
    VkVideoEncodeH264ProfileInfoKHR encode;
    VkVideoDecodeH264ProfileInfoKHR decode;
    VkVideoProfileInfoKHR info;
    VkVideoProfileListInfoKHR list;
};

static void
profile_init(struct profile *p, VkVideoCodecOperationFlagBitsKHR operation)
{
    *p = (struct profile){
        .encode = {.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_PROFILE_INFO_KHR,
                   .stdProfileIdc = STD_VIDEO_H264_PROFILE_IDC_MAIN},
        .decode = {.sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_PROFILE_INFO_KHR,
                   .stdProfileIdc = STD_VIDEO_H264_PROFILE_IDC_MAIN},
    };
    const bool is_encode = operation == VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR;
    p->info = video_profile(operation, is_encode ? (const void *)&p->encode : &p->decode);
    p->list = video_profile_list(&p->info);
}

static bool
has_encode(struct fixture *f)
{
    return fixture_has_extension(f, VK_KHR_VIDEO_ENCODE_H264_EXTENSION_NAME);
}

static VkResult
image_format(struct fixture *f, const struct profile *p)
{
    const VkPhysicalDeviceImageFormatInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
        .pNext = &p->list,
        .format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
        .type = VK_IMAGE_TYPE_2D,
        .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT,
    };
    VkImageFormatProperties2 out = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2};
    return vkGetPhysicalDeviceImageFormatProperties2(f->pdev, &info, &out);
}

static VkResult
capabilities(struct fixture *f, const struct profile *p)
{
    VkVideoEncodeH264CapabilitiesKHR h264 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_CAPABILITIES_KHR};
    VkVideoEncodeCapabilitiesKHR encode = {.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_CAPABILITIES_KHR,
                                           .pNext = &h264};
    VkVideoCapabilitiesKHR out = {.sType = VK_STRUCTURE_TYPE_VIDEO_CAPABILITIES_KHR,
                                  .pNext = &encode};
    return vkGetPhysicalDeviceVideoCapabilitiesKHR(f->pdev, &p->info, &out);
}

static VkResult
video_formats(struct fixture *f, const struct profile *p, VkImageUsageFlags usage)
{
    const VkPhysicalDeviceVideoFormatInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_FORMAT_INFO_KHR,
        .pNext = &p->list,
        .imageUsage = usage,
    };
    uint32_t count;
    return vkGetPhysicalDeviceVideoFormatPropertiesKHR(f->pdev, &info, &count, NULL);
}

static VkResult
quality_levels(struct fixture *f, const struct profile *p)
{
    const VkPhysicalDeviceVideoEncodeQualityLevelInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_ENCODE_QUALITY_LEVEL_INFO_KHR,
        .pVideoProfile = &p->info,
    };
    VkVideoEncodeQualityLevelPropertiesKHR out = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUALITY_LEVEL_PROPERTIES_KHR};
    return vkGetPhysicalDeviceVideoEncodeQualityLevelPropertiesKHR(f->pdev, &info, &out);
}

/* All four calls that take a profile say the same of it. */
static void
profile_is_refused(struct fixture *f, const struct profile *p, VkResult result)
{
    REQUIRE_EQ(image_format(f, p), result);
    REQUIRE_EQ(capabilities(f, p), result);
    REQUIRE_EQ(video_formats(f, p, VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR), result);
    if (has_encode(f))
        REQUIRE_EQ(quality_levels(f, p), result);
}

static void
operation_that_is_not_there(struct fixture *f)
{
    struct profile p;
    profile_init(&p, (VkVideoCodecOperationFlagBitsKHR)(1 << 29)); /* which no codec has */
    if (has_encode(f))
        profile_is_refused(f, &p, VK_ERROR_VIDEO_PROFILE_OPERATION_NOT_SUPPORTED_KHR);
}

static void
format_that_is_not_coded(struct fixture *f)
{
    struct profile p;
    profile_init(&p, VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR);
    p.info.chromaSubsampling = VK_VIDEO_CHROMA_SUBSAMPLING_444_BIT_KHR;
    if (has_encode(f))
        profile_is_refused(f, &p, VK_ERROR_VIDEO_PROFILE_FORMAT_NOT_SUPPORTED_KHR);
}

static void
profile_that_is_not_coded(struct fixture *f)
{
    struct profile p;
    profile_init(&p, VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR);
    p.encode.stdProfileIdc = STD_VIDEO_H264_PROFILE_IDC_HIGH_444_PREDICTIVE;
    if (has_encode(f))
        profile_is_refused(f, &p, VK_ERROR_VIDEO_PROFILE_CODEC_NOT_SUPPORTED_KHR);
}

static void
layout_that_is_not_decoded(struct fixture *f)
{
    struct profile p;
    profile_init(&p, VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR);
    p.decode.pictureLayout = VK_VIDEO_DECODE_H264_PICTURE_LAYOUT_INTERLACED_SEPARATE_PLANES_BIT_KHR;
    if (!fixture_has_extension(f, VK_KHR_VIDEO_DECODE_H264_EXTENSION_NAME))
        return;
    const VkResult result = VK_ERROR_VIDEO_PICTURE_LAYOUT_NOT_SUPPORTED_KHR;
    REQUIRE_EQ(image_format(f, &p), result);
    REQUIRE_EQ(capabilities(f, &p), result);
    REQUIRE_EQ(video_formats(f, &p, VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR), result);
}

static void
usage_of_the_other_direction(struct fixture *f)
{
    struct profile p;
    profile_init(&p, VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR);
    if (has_encode(f))
        REQUIRE_EQ(video_formats(f, &p, VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR),
                   VK_ERROR_IMAGE_USAGE_NOT_SUPPORTED_KHR);
}

static void
video_formats_cut_short(struct fixture *f)
{
    struct profile p;
    profile_init(&p, VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR);
    const VkPhysicalDeviceVideoFormatInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_FORMAT_INFO_KHR,
        .pNext = &p.list,
        .imageUsage = VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR,
    };
    VkVideoFormatPropertiesKHR out = {.sType = VK_STRUCTURE_TYPE_VIDEO_FORMAT_PROPERTIES_KHR};
    uint32_t count = 1;
    if (!has_encode(f))
        return;
    REQUIRE_EQ(vkGetPhysicalDeviceVideoFormatPropertiesKHR(f->pdev, &info, &count, &out),
               VK_INCOMPLETE);
    REQUIRE_EQ(count, 1);
}

static VkResult
session_create(struct fixture *f, uint32_t version, uint32_t width_px, const void *chain,
               VkVideoSessionKHR *out)
{
    struct profile p;
    profile_init(&p, VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR);
    VkExtensionProperties header = {.specVersion = version};
    (void)snprintf(header.extensionName, sizeof(header.extensionName), "%s",
                   VK_STD_VULKAN_VIDEO_CODEC_H264_ENCODE_EXTENSION_NAME);
    const VkVideoSessionCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_CREATE_INFO_KHR,
        .pNext = chain,
        .queueFamilyIndex = 2,
        .pVideoProfile = &p.info,
        .pictureFormat = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
        .maxCodedExtent = {width_px, 128},
        .referencePictureFormat = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
        .maxDpbSlots = 1,
        .maxActiveReferencePictures = 1,
        .pStdHeaderVersion = &header,
    };
    return vkCreateVideoSessionKHR(f->dev, &info, f->alloc, out);
}

#define VERSION VK_STD_VULKAN_VIDEO_CODEC_H264_ENCODE_SPEC_VERSION

static void
header_of_another_version(struct fixture *f)
{
    VkVideoSessionKHR session;
    if (has_encode(f))
        REQUIRE_EQ(session_create(f, VK_MAKE_VIDEO_STD_VERSION(9, 0, 0), 128, NULL, &session),
                   VK_ERROR_VIDEO_STD_VERSION_NOT_SUPPORTED_KHR);
}

static void
session_larger_than_any_picture(struct fixture *f)
{
    VkVideoSessionKHR session;
    if (has_encode(f))
        REQUIRE_EQ(session_create(f, VERSION, 1u << 20, NULL, &session),
                   VK_ERROR_INITIALIZATION_FAILED);
}

/* One piece, so that whoever binds what is asked for binds something. */
static void
no_room_for_what_a_session_wants(struct fixture *f)
{
    VkVideoSessionKHR session;
    VkVideoSessionMemoryRequirementsKHR needs = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_MEMORY_REQUIREMENTS_KHR};
    uint32_t count = 0;
    if (!has_encode(f))
        return;
    REQUIRE_EQ(session_create(f, VERSION, 128, NULL, &session), VK_SUCCESS);
    REQUIRE_EQ(vkGetVideoSessionMemoryRequirementsKHR(f->dev, session, &count, NULL), VK_SUCCESS);
    REQUIRE_EQ(count, 1);
    count = 0;
    REQUIRE_EQ(vkGetVideoSessionMemoryRequirementsKHR(f->dev, session, &count, &needs),
               VK_INCOMPLETE);
    REQUIRE_EQ(count, 0);
    count = 2;
    REQUIRE_EQ(vkGetVideoSessionMemoryRequirementsKHR(f->dev, session, &count, &needs), VK_SUCCESS);
    REQUIRE_EQ(count, 1);
    REQUIRE(needs.memoryRequirements.size > 0 && needs.memoryRequirements.memoryTypeBits == 1);
    vkDestroyVideoSessionKHR(f->dev, session, f->alloc);
}

/* add NULL: an object without parameter sets. */
static VkResult
parameters_create(struct fixture *f, VkVideoSessionKHR session,
                  const VkVideoEncodeH264SessionParametersAddInfoKHR *add,
                  VkVideoSessionParametersKHR *out)
{
    const VkVideoEncodeH264SessionParametersCreateInfoKHR h264 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .maxStdSPSCount = 2,
        .maxStdPPSCount = 2,
        .pParametersAddInfo = add,
    };
    const VkVideoSessionParametersCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .pNext = &h264,
        .videoSession = session,
    };
    return vkCreateVideoSessionParametersKHR(f->dev, &info, f->alloc, out);
}

static const StdVideoH264SequenceParameterSet good_sps = {
    .flags = {.frame_mbs_only_flag = 1, .direct_8x8_inference_flag = 1},
    .profile_idc = STD_VIDEO_H264_PROFILE_IDC_MAIN,
    .level_idc = STD_VIDEO_H264_LEVEL_IDC_4_0,
    .chroma_format_idc = STD_VIDEO_H264_CHROMA_FORMAT_IDC_420,
    .max_num_ref_frames = 1,
    .pic_width_in_mbs_minus1 = 7,
    .pic_height_in_map_units_minus1 = 7,
};

/* 128x128: level 1 holds 6 pictures (A.3.1 h), level 4, which the set claims, 16. */
static void
more_references_than_the_session_s_level_holds(struct fixture *f)
{
    StdVideoH264SequenceParameterSet sps = good_sps;
    const VkVideoEncodeH264SessionParametersAddInfoKHR add = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_PARAMETERS_ADD_INFO_KHR,
        .stdSPSCount = 1,
        .pStdSPSs = &sps,
    };
    for (uint32_t use_max = 0; use_max < 2; use_max++) {
        const VkVideoEncodeH264SessionCreateInfoKHR level = {
            .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_CREATE_INFO_KHR,
            .useMaxLevelIdc = use_max,
            .maxLevelIdc = STD_VIDEO_H264_LEVEL_IDC_1_0,
        };
        VkVideoSessionKHR session;
        VkVideoSessionParametersKHR params;
        REQUIRE_EQ(session_create(f, VERSION, 128, &level, &session), VK_SUCCESS);
        sps.max_num_ref_frames = 6;
        REQUIRE_EQ(parameters_create(f, session, &add, &params), VK_SUCCESS);
        vkDestroyVideoSessionParametersKHR(f->dev, params, f->alloc);
        sps.max_num_ref_frames = 7;
        const VkResult result = parameters_create(f, session, &add, &params);
        REQUIRE_EQ(result, use_max ? VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR : VK_SUCCESS);
        if (result == VK_SUCCESS)
            vkDestroyVideoSessionParametersKHR(f->dev, params, f->alloc);
        vkDestroyVideoSessionKHR(f->dev, session, f->alloc);
    }
}

static void
parameter_sets_that_cannot_be_coded(struct fixture *f)
{
    if (!has_encode(f))
        return;
    StdVideoH264SequenceParameterSet bad_sps = good_sps;
    bad_sps.pic_width_in_mbs_minus1 = 5000;
    const VkVideoEncodeH264SessionParametersAddInfoKHR bad = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_PARAMETERS_ADD_INFO_KHR,
        .stdSPSCount = 1,
        .pStdSPSs = &bad_sps,
    };
    VkVideoSessionKHR session;
    VkVideoSessionParametersKHR params;
    REQUIRE_EQ(session_create(f, VERSION, 128, NULL, &session), VK_SUCCESS);
    REQUIRE_EQ(parameters_create(f, session, &bad, &params),
               VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR);
    REQUIRE_EQ(parameters_create(f, session, NULL, &params), VK_SUCCESS);
    const VkVideoSessionParametersUpdateInfoKHR update = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_PARAMETERS_UPDATE_INFO_KHR,
        .pNext = &bad,
        .updateSequenceCount = 1,
    };
    REQUIRE_EQ(vkUpdateVideoSessionParametersKHR(f->dev, params, &update),
               VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR);
    vkDestroyVideoSessionParametersKHR(f->dev, params, f->alloc);
    vkDestroyVideoSessionKHR(f->dev, session, f->alloc);
    more_references_than_the_session_s_level_holds(f);
}

static void
headers_cut_short(struct fixture *f)
{
    if (!has_encode(f))
        return;
    const VkVideoEncodeH264SessionParametersAddInfoKHR add = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_PARAMETERS_ADD_INFO_KHR,
        .stdSPSCount = 1,
        .pStdSPSs = &good_sps,
    };
    VkVideoSessionKHR session;
    VkVideoSessionParametersKHR params;
    REQUIRE_EQ(session_create(f, VERSION, 128, NULL, &session), VK_SUCCESS);
    REQUIRE_EQ(parameters_create(f, session, &add, &params), VK_SUCCESS);
    const VkVideoEncodeH264SessionParametersGetInfoKHR h264 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_PARAMETERS_GET_INFO_KHR,
        .writeStdSPS = VK_TRUE,
    };
    const VkVideoEncodeSessionParametersGetInfoKHR get = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_SESSION_PARAMETERS_GET_INFO_KHR,
        .pNext = &h264,
        .videoSessionParameters = params,
    };
    uint8_t bytes[4] = {1, 2, 3, 4};
    size_t size_B = sizeof(bytes);
    REQUIRE_EQ(vkGetEncodedVideoSessionParametersKHR(f->dev, &get, NULL, &size_B, bytes),
               VK_INCOMPLETE);
    REQUIRE_EQ(size_B, 0);
    REQUIRE_BYTES(bytes, ((uint8_t[]){1, 2, 3, 4}), sizeof(bytes)); /* nothing is written */
    vkDestroyVideoSessionParametersKHR(f->dev, params, f->alloc);
    vkDestroyVideoSessionKHR(f->dev, session, f->alloc);
}

#define PROFILE_ROWS(code, produce) \
    {"GetPhysicalDeviceImageFormatProperties2", code, produce, NULL}, \
        {"GetPhysicalDeviceVideoCapabilitiesKHR", code, produce, NULL}, \
    { \
        "GetPhysicalDeviceVideoFormatPropertiesKHR", code, produce, NULL \
    }

static const struct result_row rows[] = {
    PROFILE_ROWS(VK_ERROR_VIDEO_PROFILE_OPERATION_NOT_SUPPORTED_KHR, operation_that_is_not_there),
    PROFILE_ROWS(VK_ERROR_VIDEO_PROFILE_FORMAT_NOT_SUPPORTED_KHR, format_that_is_not_coded),
    PROFILE_ROWS(VK_ERROR_VIDEO_PROFILE_CODEC_NOT_SUPPORTED_KHR, profile_that_is_not_coded),
    PROFILE_ROWS(VK_ERROR_VIDEO_PICTURE_LAYOUT_NOT_SUPPORTED_KHR, layout_that_is_not_decoded),
    {"GetVideoSessionMemoryRequirementsKHR", VK_INCOMPLETE, no_room_for_what_a_session_wants, NULL},
    {"GetPhysicalDeviceVideoEncodeQualityLevelPropertiesKHR",
     VK_ERROR_VIDEO_PROFILE_OPERATION_NOT_SUPPORTED_KHR, operation_that_is_not_there, NULL},
    {"GetPhysicalDeviceVideoEncodeQualityLevelPropertiesKHR",
     VK_ERROR_VIDEO_PROFILE_FORMAT_NOT_SUPPORTED_KHR, format_that_is_not_coded, NULL},
    {"GetPhysicalDeviceVideoEncodeQualityLevelPropertiesKHR",
     VK_ERROR_VIDEO_PROFILE_CODEC_NOT_SUPPORTED_KHR, profile_that_is_not_coded, NULL},
    {"GetPhysicalDeviceVideoFormatPropertiesKHR", VK_ERROR_IMAGE_USAGE_NOT_SUPPORTED_KHR,
     usage_of_the_other_direction, NULL},
    {"GetPhysicalDeviceVideoFormatPropertiesKHR", VK_INCOMPLETE, video_formats_cut_short, NULL},
    {"CreateVideoSessionKHR", VK_ERROR_VIDEO_STD_VERSION_NOT_SUPPORTED_KHR,
     header_of_another_version, NULL},
    {"CreateVideoSessionKHR", VK_ERROR_INITIALIZATION_FAILED, session_larger_than_any_picture,
     NULL},
    {"CreateVideoSessionParametersKHR", VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR,
     parameter_sets_that_cannot_be_coded, NULL},
    {"UpdateVideoSessionParametersKHR", VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR,
     parameter_sets_that_cannot_be_coded, NULL},
    {"GetEncodedVideoSessionParametersKHR", VK_INCOMPLETE, headers_cut_short, NULL},
};

const struct result_table result_video = {rows, sizeof(rows) / sizeof(rows[0])};

/* SPDX-License-Identifier: MIT */
/* Every profile that the device codes, with all its capabilities.
 */
#include "info.h"

#include "tools/client/video_session.h"

#include <stdio.h>
#include <string.h>

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof((array)[0]))

struct profile {
    const char *name;
    StdVideoH264ProfileIdc idc;
};

static const struct profile profiles[] = {
    {"Constrained Baseline", STD_VIDEO_H264_PROFILE_IDC_BASELINE},
    {"Main", STD_VIDEO_H264_PROFILE_IDC_MAIN},
    {"High", STD_VIDEO_H264_PROFILE_IDC_HIGH},
};

static const char *const level_names[] = {
    "1.0", "1.1", "1.2", "1.3", "2.0", "2.1", "2.2", "3.0", "3.1", "3.2",
    "4.0", "4.1", "4.2", "5.0", "5.1", "5.2", "6.0", "6.1", "6.2",
};

static const struct info_bit rate_bits[] = {
    {VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR, "constant QP"},
    {VK_VIDEO_ENCODE_RATE_CONTROL_MODE_CBR_BIT_KHR, "CBR"},
    {VK_VIDEO_ENCODE_RATE_CONTROL_MODE_VBR_BIT_KHR, "VBR"},
};

static const struct info_bit feedback_bits[] = {
    {VK_VIDEO_ENCODE_FEEDBACK_BITSTREAM_BUFFER_OFFSET_BIT_KHR, "offset"},
    {VK_VIDEO_ENCODE_FEEDBACK_BITSTREAM_BYTES_WRITTEN_BIT_KHR, "bytes written"},
    {VK_VIDEO_ENCODE_FEEDBACK_BITSTREAM_HAS_OVERRIDES_BIT_KHR, "has overrides"},
    {VK_VIDEO_ENCODE_FEEDBACK_AVERAGE_QUANTIZATION_BIT_KHR, "average QP"},
    {VK_VIDEO_ENCODE_FEEDBACK_MIN_QUANTIZATION_BIT_KHR, "least QP"},
    {VK_VIDEO_ENCODE_FEEDBACK_MAX_QUANTIZATION_BIT_KHR, "greatest QP"},
    {VK_VIDEO_ENCODE_FEEDBACK_INTRA_PIXELS_BIT_KHR, "intra pixels"},
    {VK_VIDEO_ENCODE_FEEDBACK_INTER_PIXELS_BIT_KHR, "inter pixels"},
    {VK_VIDEO_ENCODE_FEEDBACK_SKIPPED_PIXELS_BIT_KHR, "skipped pixels"},
    {VK_VIDEO_ENCODE_FEEDBACK_PICTURE_PARTITION_COUNT_BIT_KHR, "partitions"},
};

static const struct info_bit partition_feedback_bits[] = {
    {VK_VIDEO_ENCODE_PER_PARTITION_FEEDBACK_STATUS_BIT_KHR, "status"},
    {VK_VIDEO_ENCODE_PER_PARTITION_FEEDBACK_BITSTREAM_BUFFER_OFFSET_BIT_KHR, "offset"},
    {VK_VIDEO_ENCODE_PER_PARTITION_FEEDBACK_BITSTREAM_BYTES_WRITTEN_BIT_KHR, "bytes written"},
};

static const struct info_bit encode_bits[] = {
    {VK_VIDEO_ENCODE_CAPABILITY_PRECEDING_EXTERNALLY_ENCODED_BYTES_BIT_KHR,
     "preceding external bytes"},
    {VK_VIDEO_ENCODE_CAPABILITY_INSUFFICIENT_BITSTREAM_BUFFER_RANGE_DETECTION_BIT_KHR,
     "insufficient range detection"},
    {VK_VIDEO_ENCODE_CAPABILITY_QUANTIZATION_DELTA_MAP_BIT_KHR, "QP delta maps"},
    {VK_VIDEO_ENCODE_CAPABILITY_EMPHASIS_MAP_BIT_KHR, "emphasis maps"},
};

static const struct info_bit h264_bits[] = {
    {VK_VIDEO_ENCODE_H264_CAPABILITY_HRD_COMPLIANCE_BIT_KHR, "HRD compliance"},
    {VK_VIDEO_ENCODE_H264_CAPABILITY_PREDICTION_WEIGHT_TABLE_GENERATED_BIT_KHR,
     "generated weight tables"},
    {VK_VIDEO_ENCODE_H264_CAPABILITY_ROW_UNALIGNED_SLICE_BIT_KHR, "row unaligned slices"},
    {VK_VIDEO_ENCODE_H264_CAPABILITY_DIFFERENT_SLICE_TYPE_BIT_KHR, "different slice types"},
    {VK_VIDEO_ENCODE_H264_CAPABILITY_B_FRAME_IN_L0_LIST_BIT_KHR, "B in L0"},
    {VK_VIDEO_ENCODE_H264_CAPABILITY_B_FRAME_IN_L1_LIST_BIT_KHR, "B in L1"},
    {VK_VIDEO_ENCODE_H264_CAPABILITY_PER_PICTURE_TYPE_MIN_MAX_QP_BIT_KHR,
     "min/max QP per picture type"},
    {VK_VIDEO_ENCODE_H264_CAPABILITY_PER_SLICE_CONSTANT_QP_BIT_KHR, "QP per slice"},
    {VK_VIDEO_ENCODE_H264_CAPABILITY_GENERATE_PREFIX_NALU_BIT_KHR, "prefix NAL units"},
    {VK_VIDEO_ENCODE_H264_CAPABILITY_MB_QP_DIFF_WRAPAROUND_BIT_KHR, "QP wraparound"},
};

static const struct info_bit std_bits[] = {
    {VK_VIDEO_ENCODE_H264_STD_TRANSFORM_8X8_MODE_FLAG_SET_BIT_KHR, "8x8 transform"},
    {VK_VIDEO_ENCODE_H264_STD_CHROMA_QP_INDEX_OFFSET_BIT_KHR, "chroma QP offset"},
    {VK_VIDEO_ENCODE_H264_STD_PIC_INIT_QP_MINUS26_BIT_KHR, "initial QP"},
    {VK_VIDEO_ENCODE_H264_STD_WEIGHTED_PRED_FLAG_SET_BIT_KHR, "weighted P"},
    {VK_VIDEO_ENCODE_H264_STD_WEIGHTED_BIPRED_IDC_IMPLICIT_BIT_KHR, "implicit weighted B"},
    {VK_VIDEO_ENCODE_H264_STD_DIRECT_SPATIAL_MV_PRED_FLAG_UNSET_BIT_KHR, "temporal direct"},
    {VK_VIDEO_ENCODE_H264_STD_ENTROPY_CODING_MODE_FLAG_UNSET_BIT_KHR, "CAVLC"},
    {VK_VIDEO_ENCODE_H264_STD_ENTROPY_CODING_MODE_FLAG_SET_BIT_KHR, "CABAC"},
    {VK_VIDEO_ENCODE_H264_STD_CONSTRAINED_INTRA_PRED_FLAG_SET_BIT_KHR,
     "constrained intra prediction"},
    {VK_VIDEO_ENCODE_H264_STD_DEBLOCKING_FILTER_DISABLED_BIT_KHR, "deblocking off"},
    {VK_VIDEO_ENCODE_H264_STD_DEBLOCKING_FILTER_ENABLED_BIT_KHR, "deblocking on"},
    {VK_VIDEO_ENCODE_H264_STD_DEBLOCKING_FILTER_PARTIAL_BIT_KHR, "deblocking per slice border"},
    {VK_VIDEO_ENCODE_H264_STD_SLICE_QP_DELTA_BIT_KHR, "slice QP delta"},
    {VK_VIDEO_ENCODE_H264_STD_DIFFERENT_SLICE_QP_DELTA_BIT_KHR, "different slice QP delta"},
};

static const struct info_bit caps_bits[] = {
    {VK_VIDEO_CAPABILITY_PROTECTED_CONTENT_BIT_KHR, "protected content"},
    {VK_VIDEO_CAPABILITY_SEPARATE_REFERENCE_IMAGES_BIT_KHR, "separate reference images"},
};

static const char *
level_name(StdVideoH264LevelIdc level)
{
    return (uint32_t)level < COUNT(level_names) ? level_names[level] : "?";
}

static void
add_common(cJSON *node, const VkVideoCapabilitiesKHR *caps)
{
    info_add_extent(node, "smallest", caps->minCodedExtent);
    info_add_extent(node, "largest", caps->maxCodedExtent);
    info_add_extent(node, "access_granularity", caps->pictureAccessGranularity);
    cJSON_AddNumberToObject(node, "dpb_slots", caps->maxDpbSlots);
    cJSON_AddNumberToObject(node, "active_references", caps->maxActiveReferencePictures);
    cJSON_AddNumberToObject(node, "bitstream_offset_alignment",
                            (double)caps->minBitstreamBufferOffsetAlignment);
    cJSON_AddNumberToObject(node, "bitstream_size_alignment",
                            (double)caps->minBitstreamBufferSizeAlignment);
    info_add_bits(node, "flags", caps->flags, caps_bits, COUNT(caps_bits));
}

static void
add_encode(cJSON *node, const VkVideoEncodeCapabilitiesKHR *encode,
           const VkVideoEncodeH264CapabilitiesKHR *h264,
           const VkVideoEncodeFeedback2CapabilitiesKHR *feedback2)
{
    cJSON_AddStringToObject(node, "level", level_name(h264->maxLevelIdc));
    info_add_bits(node, "rate_control", encode->rateControlModes, rate_bits, COUNT(rate_bits));
    cJSON_AddNumberToObject(node, "rate_control_layers", encode->maxRateControlLayers);
    cJSON_AddNumberToObject(node, "max_bitrate", (double)encode->maxBitrate);
    cJSON_AddNumberToObject(node, "quality_levels", encode->maxQualityLevels);
    info_add_extent(node, "input_granularity", encode->encodeInputPictureGranularity);
    info_add_bits(node, "feedback", encode->supportedEncodeFeedbackFlags, feedback_bits,
                  COUNT(feedback_bits));
    cJSON_AddNumberToObject(node, "partitions_with_feedback",
                            feedback2->maxPerPartitionFeedbackEntries);
    info_add_bits(node, "partition_feedback", feedback2->supportedPerPartitionEncodeFeedbackFlags,
                  partition_feedback_bits, COUNT(partition_feedback_bits));
    info_add_bits(node, "encode_flags", encode->flags, encode_bits, COUNT(encode_bits));
    cJSON_AddNumberToObject(node, "slices", h264->maxSliceCount);
    cJSON_AddNumberToObject(node, "p_l0_references", h264->maxPPictureL0ReferenceCount);
    cJSON_AddNumberToObject(node, "b_l0_references", h264->maxBPictureL0ReferenceCount);
    cJSON_AddNumberToObject(node, "l1_references", h264->maxL1ReferenceCount);
    cJSON_AddNumberToObject(node, "temporal_layers", h264->maxTemporalLayerCount);
    cJSON_AddNumberToObject(node, "min_qp", h264->minQp);
    cJSON_AddNumberToObject(node, "max_qp", h264->maxQp);
    info_add_bits(node, "h264_flags", h264->flags, h264_bits, COUNT(h264_bits));
    info_add_bits(node, "syntax", h264->stdSyntaxFlags, std_bits, COUNT(std_bits));
}

static const char *
format_name(VkFormat format)
{
    switch ((int)format) {
    case VK_FORMAT_G8_B8R8_2PLANE_420_UNORM:
        return "NV12";
    case VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM:
        return "I420";
    case VK_FORMAT_G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16:
        return "P010";
    case VK_FORMAT_R8G8B8A8_UNORM:
        return "RGBA";
    case VK_FORMAT_B8G8R8A8_UNORM:
        return "BGRA";
    default:
        return "other";
    }
}

static void
add_formats(const struct info_vulkan *vk, cJSON *node, const char *key,
            const VkVideoProfileInfoKHR *profile, VkImageUsageFlags usage)
{
    struct video_formats formats;

    if (video_formats_get(vk->GetPhysicalDeviceVideoFormatPropertiesKHR, vk->device, profile, usage,
                          &formats) < 0)
        return;
    cJSON *array = cJSON_AddArrayToObject(node, key);
    for (uint32_t i = 0; i < formats.count; i++) {
        char text[32];
        (void)snprintf(text, sizeof(text), "%s %s", format_name(formats.properties[i].format),
                       formats.properties[i].imageTiling == VK_IMAGE_TILING_LINEAR ? "linear"
                                                                                   : "optimal");
        cJSON_AddItemToArray(array, cJSON_CreateString(text));
    }
}

static cJSON *
encode_profile(const struct info_vulkan *vk, const struct profile *p)
{
    const VkVideoEncodeH264ProfileInfoKHR h264_profile = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_PROFILE_INFO_KHR, .stdProfileIdc = p->idc};
    const VkVideoProfileInfoKHR profile =
        video_profile(VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR, &h264_profile);
    VkVideoEncodeFeedback2CapabilitiesKHR feedback2 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_FEEDBACK_2_CAPABILITIES_KHR};
    VkVideoEncodeH264CapabilitiesKHR h264 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_CAPABILITIES_KHR, .pNext = &feedback2};
    VkVideoEncodeCapabilitiesKHR encode = {.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_CAPABILITIES_KHR,
                                           .pNext = &h264};
    VkVideoCapabilitiesKHR caps = {.sType = VK_STRUCTURE_TYPE_VIDEO_CAPABILITIES_KHR,
                                   .pNext = &encode};

    if (vk->GetPhysicalDeviceVideoCapabilitiesKHR(vk->device, &profile, &caps) != VK_SUCCESS)
        return NULL;
    cJSON *node = cJSON_CreateObject();
    add_common(node, &caps);
    add_encode(node, &encode, &h264, &feedback2);
    add_formats(vk, node, "input_formats", &profile, VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR);
    add_formats(vk, node, "dpb_formats", &profile, VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR);
    return node;
}

/* codec: the codec's structure of capabilities, which is filled. NULL: there is no such profile. */
static cJSON *
decode_profile(const struct info_vulkan *vk, const VkVideoProfileInfoKHR *profile, void *codec)
{
    static const struct info_bit decode_bits[] = {
        {VK_VIDEO_DECODE_CAPABILITY_DPB_AND_OUTPUT_COINCIDE_BIT_KHR, "DPB and output coincide"},
        {VK_VIDEO_DECODE_CAPABILITY_DPB_AND_OUTPUT_DISTINCT_BIT_KHR, "DPB and output distinct"},
    };
    VkVideoDecodeCapabilitiesKHR decode = {.sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_CAPABILITIES_KHR,
                                           .pNext = codec};
    VkVideoCapabilitiesKHR caps = {.sType = VK_STRUCTURE_TYPE_VIDEO_CAPABILITIES_KHR,
                                   .pNext = &decode};

    if (vk->GetPhysicalDeviceVideoCapabilitiesKHR(vk->device, profile, &caps) != VK_SUCCESS)
        return NULL;
    cJSON *node = cJSON_CreateObject();
    add_common(node, &caps);
    info_add_bits(node, "decode_flags", decode.flags, decode_bits, COUNT(decode_bits));
    add_formats(vk, node, "output_formats", profile, VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR);
    add_formats(vk, node, "dpb_formats", profile, VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR);
    return node;
}

static cJSON *
decode_h264_profile(const struct info_vulkan *vk, const struct profile *p)
{
    const VkVideoDecodeH264ProfileInfoKHR h264_profile = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_PROFILE_INFO_KHR,
        .stdProfileIdc = p->idc,
        .pictureLayout = VK_VIDEO_DECODE_H264_PICTURE_LAYOUT_INTERLACED_INTERLEAVED_LINES_BIT_KHR,
    };
    const VkVideoProfileInfoKHR profile =
        video_profile(VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR, &h264_profile);
    VkVideoDecodeH264CapabilitiesKHR h264 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_CAPABILITIES_KHR};
    cJSON *node = decode_profile(vk, &profile, &h264);
    if (node)
        cJSON_AddStringToObject(node, "level", level_name(h264.maxLevelIdc));
    return node;
}

/* With film grain. */
static cJSON *
decode_av1_profile(const struct info_vulkan *vk, VkVideoComponentBitDepthFlagsKHR bit_depth)
{
    const VkVideoDecodeAV1ProfileInfoKHR av1_profile = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_AV1_PROFILE_INFO_KHR,
        .stdProfile = STD_VIDEO_AV1_PROFILE_MAIN,
        .filmGrainSupport = VK_TRUE,
    };
    VkVideoProfileInfoKHR profile =
        video_profile(VK_VIDEO_CODEC_OPERATION_DECODE_AV1_BIT_KHR, &av1_profile);
    VkVideoDecodeAV1CapabilitiesKHR av1 = {.sType =
                                               VK_STRUCTURE_TYPE_VIDEO_DECODE_AV1_CAPABILITIES_KHR};
    profile.lumaBitDepth = profile.chromaBitDepth = bit_depth;
    cJSON *node = decode_profile(vk, &profile, &av1);
    if (node) {
        char level[8];
        (void)snprintf(level, sizeof(level), "%u.%u", 2 + (uint32_t)av1.maxLevel / 4 % 8,
                       (uint32_t)av1.maxLevel % 4);
        cJSON_AddStringToObject(node, "level", level);
    }
    return node;
}

static void
add_decode_av1(const struct info_vulkan *vk, cJSON *to)
{
    cJSON *node = decode_av1_profile(vk, VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR);
    if (node)
        cJSON_AddItemToObject(to, "AV1 Main decode", node);
    node = decode_av1_profile(vk, VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR);
    if (node)
        cJSON_AddItemToObject(to, "AV1 Main 10 bit decode", node);
}

cJSON *
info_video(const struct info_vulkan *vk)
{
    cJSON *node = cJSON_CreateObject();

    if (!vk->GetPhysicalDeviceVideoCapabilitiesKHR)
        return node;
    for (uint32_t i = 0; i < COUNT(profiles); i++) {
        char name[64];
        cJSON *encode = encode_profile(vk, &profiles[i]);
        cJSON *decode = decode_h264_profile(vk, &profiles[i]);
        (void)snprintf(name, sizeof(name), "H.264 %s encode", profiles[i].name);
        if (encode)
            cJSON_AddItemToObject(node, name, encode);
        (void)snprintf(name, sizeof(name), "H.264 %s decode", profiles[i].name);
        if (decode)
            cJSON_AddItemToObject(node, name, decode);
    }
    add_decode_av1(vk, node);
    return node;
}

/* SPDX-License-Identifier: MIT */
/* Every profile that the device codes, with all its capabilities: what is the same for each codec.
 */
#include "video.h"

#include "tools/client/video_session.h"

#include <stdio.h>

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

static const struct info_bit caps_bits[] = {
    {VK_VIDEO_CAPABILITY_PROTECTED_CONTENT_BIT_KHR, "protected content"},
    {VK_VIDEO_CAPABILITY_SEPARATE_REFERENCE_IMAGES_BIT_KHR, "separate reference images"},
};

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
    info_add_bits(node, "flags", caps->flags, caps_bits, INFO_COUNT(caps_bits));
}

static void
add_encode(cJSON *node, const VkVideoEncodeCapabilitiesKHR *encode,
           const VkVideoEncodeFeedback2CapabilitiesKHR *feedback2)
{
    info_add_bits(node, "rate_control", encode->rateControlModes, rate_bits, INFO_COUNT(rate_bits));
    cJSON_AddNumberToObject(node, "rate_control_layers", encode->maxRateControlLayers);
    cJSON_AddNumberToObject(node, "max_bitrate", (double)encode->maxBitrate);
    cJSON_AddNumberToObject(node, "quality_levels", encode->maxQualityLevels);
    info_add_extent(node, "input_granularity", encode->encodeInputPictureGranularity);
    info_add_bits(node, "feedback", encode->supportedEncodeFeedbackFlags, feedback_bits,
                  INFO_COUNT(feedback_bits));
    cJSON_AddNumberToObject(node, "partitions_with_feedback",
                            feedback2->maxPerPartitionFeedbackEntries);
    info_add_bits(node, "partition_feedback", feedback2->supportedPerPartitionEncodeFeedbackFlags,
                  partition_feedback_bits, INFO_COUNT(partition_feedback_bits));
    info_add_bits(node, "encode_flags", encode->flags, encode_bits, INFO_COUNT(encode_bits));
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

cJSON *
info_encode_profile(const struct info_vulkan *vk, const VkVideoProfileInfoKHR *profile, void *codec)
{
    VkVideoEncodeFeedback2CapabilitiesKHR feedback2 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_FEEDBACK_2_CAPABILITIES_KHR, .pNext = codec};
    VkVideoEncodeCapabilitiesKHR encode = {.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_CAPABILITIES_KHR,
                                           .pNext = &feedback2};
    VkVideoCapabilitiesKHR caps = {.sType = VK_STRUCTURE_TYPE_VIDEO_CAPABILITIES_KHR,
                                   .pNext = &encode};

    if (vk->GetPhysicalDeviceVideoCapabilitiesKHR(vk->device, profile, &caps) != VK_SUCCESS)
        return NULL;
    cJSON *node = cJSON_CreateObject();
    add_common(node, &caps);
    add_encode(node, &encode, &feedback2);
    add_formats(vk, node, "input_formats", profile, VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR);
    add_formats(vk, node, "dpb_formats", profile, VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR);
    return node;
}

cJSON *
info_decode_profile(const struct info_vulkan *vk, const VkVideoProfileInfoKHR *profile, void *codec)
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
    info_add_bits(node, "decode_flags", decode.flags, decode_bits, INFO_COUNT(decode_bits));
    add_formats(vk, node, "output_formats", profile, VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR);
    add_formats(vk, node, "dpb_formats", profile, VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR);
    return node;
}

cJSON *
info_video(const struct info_vulkan *vk)
{
    cJSON *node = cJSON_CreateObject();

    if (!vk->GetPhysicalDeviceVideoCapabilitiesKHR)
        return node;
    info_video_h264(vk, node);
    info_video_h265(vk, node);
    info_video_av1(vk, node);
    info_video_vp9(vk, node);
    return node;
}

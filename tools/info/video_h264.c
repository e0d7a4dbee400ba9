/* SPDX-License-Identifier: MIT */
/* The profiles of H.264.
 */
#include "video.h"

#include "tools/client/video_session.h"

#include <stdio.h>

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

static const char *
level_name(StdVideoH264LevelIdc level)
{
    return (uint32_t)level < INFO_COUNT(level_names) ? level_names[level] : "?";
}

static void
add_encode(cJSON *node, const VkVideoEncodeH264CapabilitiesKHR *h264)
{
    cJSON_AddStringToObject(node, "level", level_name(h264->maxLevelIdc));
    cJSON_AddNumberToObject(node, "slices", h264->maxSliceCount);
    cJSON_AddNumberToObject(node, "p_l0_references", h264->maxPPictureL0ReferenceCount);
    cJSON_AddNumberToObject(node, "b_l0_references", h264->maxBPictureL0ReferenceCount);
    cJSON_AddNumberToObject(node, "l1_references", h264->maxL1ReferenceCount);
    cJSON_AddNumberToObject(node, "temporal_layers", h264->maxTemporalLayerCount);
    cJSON_AddNumberToObject(node, "min_qp", h264->minQp);
    cJSON_AddNumberToObject(node, "max_qp", h264->maxQp);
    info_add_bits(node, "h264_flags", h264->flags, h264_bits, INFO_COUNT(h264_bits));
    info_add_bits(node, "syntax", h264->stdSyntaxFlags, std_bits, INFO_COUNT(std_bits));
}

static cJSON *
encode_profile(const struct info_vulkan *vk, const struct profile *p)
{
    const VkVideoEncodeH264ProfileInfoKHR h264_profile = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_PROFILE_INFO_KHR, .stdProfileIdc = p->idc};
    const VkVideoProfileInfoKHR profile =
        video_profile(VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR, &h264_profile);
    VkVideoEncodeH264CapabilitiesKHR h264 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_CAPABILITIES_KHR};
    cJSON *node = info_encode_profile(vk, &profile, &h264);
    if (node)
        add_encode(node, &h264);
    return node;
}

static cJSON *
decode_profile(const struct info_vulkan *vk, const struct profile *p)
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
    cJSON *node = info_decode_profile(vk, &profile, &h264);
    if (node)
        cJSON_AddStringToObject(node, "level", level_name(h264.maxLevelIdc));
    return node;
}

void
info_video_h264(const struct info_vulkan *vk, cJSON *to)
{
    for (uint32_t i = 0; i < INFO_COUNT(profiles); i++) {
        char name[64];
        cJSON *encode = encode_profile(vk, &profiles[i]);
        cJSON *decode = decode_profile(vk, &profiles[i]);
        (void)snprintf(name, sizeof(name), "H.264 %s encode", profiles[i].name);
        if (encode)
            cJSON_AddItemToObject(to, name, encode);
        (void)snprintf(name, sizeof(name), "H.264 %s decode", profiles[i].name);
        if (decode)
            cJSON_AddItemToObject(to, name, decode);
    }
}

/* SPDX-License-Identifier: MIT */
/* The profiles of H.265.
 */
#include "video.h"

#include "tools/client/video_session.h"

static const char *const level_names[] = {
    "1.0", "2.0", "2.1", "3.0", "3.1", "4.0", "4.1", "5.0", "5.1", "5.2", "6.0", "6.1", "6.2",
};

struct profile {
    const char *encode;
    const char *decode;
    StdVideoH265ProfileIdc std;
    VkVideoComponentBitDepthFlagsKHR bit_depth;
};

static const struct info_bit h265_bits[] = {
    {VK_VIDEO_ENCODE_H265_CAPABILITY_HRD_COMPLIANCE_BIT_KHR, "HRD compliance"},
    {VK_VIDEO_ENCODE_H265_CAPABILITY_PREDICTION_WEIGHT_TABLE_GENERATED_BIT_KHR,
     "generated weight tables"},
    {VK_VIDEO_ENCODE_H265_CAPABILITY_ROW_UNALIGNED_SLICE_SEGMENT_BIT_KHR, "row unaligned slices"},
    {VK_VIDEO_ENCODE_H265_CAPABILITY_DIFFERENT_SLICE_SEGMENT_TYPE_BIT_KHR, "different slice types"},
    {VK_VIDEO_ENCODE_H265_CAPABILITY_B_FRAME_IN_L0_LIST_BIT_KHR, "B in L0"},
    {VK_VIDEO_ENCODE_H265_CAPABILITY_B_FRAME_IN_L1_LIST_BIT_KHR, "B in L1"},
    {VK_VIDEO_ENCODE_H265_CAPABILITY_PER_PICTURE_TYPE_MIN_MAX_QP_BIT_KHR,
     "min/max QP per picture type"},
    {VK_VIDEO_ENCODE_H265_CAPABILITY_PER_SLICE_SEGMENT_CONSTANT_QP_BIT_KHR, "QP per slice"},
    {VK_VIDEO_ENCODE_H265_CAPABILITY_MULTIPLE_TILES_PER_SLICE_SEGMENT_BIT_KHR, "tiles per slice"},
    {VK_VIDEO_ENCODE_H265_CAPABILITY_MULTIPLE_SLICE_SEGMENTS_PER_TILE_BIT_KHR, "slices per tile"},
    {VK_VIDEO_ENCODE_H265_CAPABILITY_CU_QP_DIFF_WRAPAROUND_BIT_KHR, "QP wraparound"},
};

static const struct info_bit std_bits[] = {
    {VK_VIDEO_ENCODE_H265_STD_SEPARATE_COLOR_PLANE_FLAG_SET_BIT_KHR, "separate colour planes"},
    {VK_VIDEO_ENCODE_H265_STD_SAMPLE_ADAPTIVE_OFFSET_ENABLED_FLAG_SET_BIT_KHR, "SAO"},
    {VK_VIDEO_ENCODE_H265_STD_SCALING_LIST_DATA_PRESENT_FLAG_SET_BIT_KHR, "scaling lists"},
    {VK_VIDEO_ENCODE_H265_STD_PCM_ENABLED_FLAG_SET_BIT_KHR, "PCM"},
    {VK_VIDEO_ENCODE_H265_STD_SPS_TEMPORAL_MVP_ENABLED_FLAG_SET_BIT_KHR,
     "temporal motion vector prediction"},
    {VK_VIDEO_ENCODE_H265_STD_INIT_QP_MINUS26_BIT_KHR, "initial QP"},
    {VK_VIDEO_ENCODE_H265_STD_WEIGHTED_PRED_FLAG_SET_BIT_KHR, "weighted P"},
    {VK_VIDEO_ENCODE_H265_STD_WEIGHTED_BIPRED_FLAG_SET_BIT_KHR, "weighted B"},
    {VK_VIDEO_ENCODE_H265_STD_LOG2_PARALLEL_MERGE_LEVEL_MINUS2_BIT_KHR, "parallel merge level"},
    {VK_VIDEO_ENCODE_H265_STD_SIGN_DATA_HIDING_ENABLED_FLAG_SET_BIT_KHR, "sign data hiding"},
    {VK_VIDEO_ENCODE_H265_STD_TRANSFORM_SKIP_ENABLED_FLAG_SET_BIT_KHR, "transform skip"},
    {VK_VIDEO_ENCODE_H265_STD_TRANSFORM_SKIP_ENABLED_FLAG_UNSET_BIT_KHR, "no transform skip"},
    {VK_VIDEO_ENCODE_H265_STD_PPS_SLICE_CHROMA_QP_OFFSETS_PRESENT_FLAG_SET_BIT_KHR,
     "slice chroma QP offsets"},
    {VK_VIDEO_ENCODE_H265_STD_TRANSQUANT_BYPASS_ENABLED_FLAG_SET_BIT_KHR, "lossless blocks"},
    {VK_VIDEO_ENCODE_H265_STD_CONSTRAINED_INTRA_PRED_FLAG_SET_BIT_KHR,
     "constrained intra prediction"},
    {VK_VIDEO_ENCODE_H265_STD_ENTROPY_CODING_SYNC_ENABLED_FLAG_SET_BIT_KHR, "wavefronts"},
    {VK_VIDEO_ENCODE_H265_STD_DEBLOCKING_FILTER_OVERRIDE_ENABLED_FLAG_SET_BIT_KHR,
     "deblocking per slice"},
    {VK_VIDEO_ENCODE_H265_STD_DEPENDENT_SLICE_SEGMENTS_ENABLED_FLAG_SET_BIT_KHR,
     "dependent slice segments"},
    {VK_VIDEO_ENCODE_H265_STD_DEPENDENT_SLICE_SEGMENT_FLAG_SET_BIT_KHR, "dependent slice segment"},
    {VK_VIDEO_ENCODE_H265_STD_SLICE_QP_DELTA_BIT_KHR, "slice QP delta"},
    {VK_VIDEO_ENCODE_H265_STD_DIFFERENT_SLICE_QP_DELTA_BIT_KHR, "different slice QP delta"},
};

static const struct info_bit ctb_bits[] = {
    {VK_VIDEO_ENCODE_H265_CTB_SIZE_16_BIT_KHR, "16x16"},
    {VK_VIDEO_ENCODE_H265_CTB_SIZE_32_BIT_KHR, "32x32"},
    {VK_VIDEO_ENCODE_H265_CTB_SIZE_64_BIT_KHR, "64x64"},
};

static const struct info_bit transform_bits[] = {
    {VK_VIDEO_ENCODE_H265_TRANSFORM_BLOCK_SIZE_4_BIT_KHR, "4x4"},
    {VK_VIDEO_ENCODE_H265_TRANSFORM_BLOCK_SIZE_8_BIT_KHR, "8x8"},
    {VK_VIDEO_ENCODE_H265_TRANSFORM_BLOCK_SIZE_16_BIT_KHR, "16x16"},
    {VK_VIDEO_ENCODE_H265_TRANSFORM_BLOCK_SIZE_32_BIT_KHR, "32x32"},
};

static void
add_level(cJSON *node, StdVideoH265LevelIdc level)
{
    cJSON_AddStringToObject(node, "level",
                            (uint32_t)level < INFO_COUNT(level_names) ? level_names[level] : "?");
}

static void
add_encode(cJSON *node, const VkVideoEncodeH265CapabilitiesKHR *h265)
{
    add_level(node, h265->maxLevelIdc);
    cJSON_AddNumberToObject(node, "slices", h265->maxSliceSegmentCount);
    info_add_extent(node, "tiles", h265->maxTiles);
    info_add_bits(node, "coding_tree_blocks", h265->ctbSizes, ctb_bits, INFO_COUNT(ctb_bits));
    info_add_bits(node, "transform_blocks", h265->transformBlockSizes, transform_bits,
                  INFO_COUNT(transform_bits));
    cJSON_AddNumberToObject(node, "p_l0_references", h265->maxPPictureL0ReferenceCount);
    cJSON_AddNumberToObject(node, "b_l0_references", h265->maxBPictureL0ReferenceCount);
    cJSON_AddNumberToObject(node, "l1_references", h265->maxL1ReferenceCount);
    cJSON_AddNumberToObject(node, "temporal_sub_layers", h265->maxSubLayerCount);
    cJSON_AddNumberToObject(node, "min_qp", h265->minQp);
    cJSON_AddNumberToObject(node, "max_qp", h265->maxQp);
    info_add_bits(node, "h265_flags", h265->flags, h265_bits, INFO_COUNT(h265_bits));
    info_add_bits(node, "syntax", h265->stdSyntaxFlags, std_bits, INFO_COUNT(std_bits));
}

static cJSON *
encode_profile(const struct info_vulkan *vk, const struct profile *p)
{
    const VkVideoEncodeH265ProfileInfoKHR h265_profile = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_PROFILE_INFO_KHR,
        .stdProfileIdc = p->std,
    };
    VkVideoProfileInfoKHR profile =
        video_profile(VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR, &h265_profile);
    VkVideoEncodeH265CapabilitiesKHR h265 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_CAPABILITIES_KHR};
    profile.lumaBitDepth = profile.chromaBitDepth = p->bit_depth;
    cJSON *node = info_encode_profile(vk, &profile, &h265);
    if (node)
        add_encode(node, &h265);
    return node;
}

static cJSON *
decode_profile(const struct info_vulkan *vk, const struct profile *p)
{
    const VkVideoDecodeH265ProfileInfoKHR h265_profile = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_PROFILE_INFO_KHR,
        .stdProfileIdc = p->std,
    };
    VkVideoProfileInfoKHR profile =
        video_profile(VK_VIDEO_CODEC_OPERATION_DECODE_H265_BIT_KHR, &h265_profile);
    VkVideoDecodeH265CapabilitiesKHR h265 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_CAPABILITIES_KHR};
    profile.lumaBitDepth = profile.chromaBitDepth = p->bit_depth;
    cJSON *node = info_decode_profile(vk, &profile, &h265);
    if (node)
        add_level(node, h265.maxLevelIdc);
    return node;
}

void
info_video_h265(const struct info_vulkan *vk, cJSON *to)
{
    static const struct profile profiles[] = {
        {"H.265 Main encode", "H.265 Main decode", STD_VIDEO_H265_PROFILE_IDC_MAIN,
         VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR},
        {"H.265 Main 10 encode", "H.265 Main 10 decode", STD_VIDEO_H265_PROFILE_IDC_MAIN_10,
         VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR},
    };
    for (uint32_t i = 0; i < INFO_COUNT(profiles); i++) {
        cJSON *encode = encode_profile(vk, &profiles[i]);
        cJSON *decode = decode_profile(vk, &profiles[i]);
        if (encode)
            cJSON_AddItemToObject(to, profiles[i].encode, encode);
        if (decode)
            cJSON_AddItemToObject(to, profiles[i].decode, decode);
    }
}

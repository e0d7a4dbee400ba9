/* SPDX-License-Identifier: MIT */
/* The profiles of AV1.
 */
#include "video.h"

#include "tools/client/video_session.h"

#include <stdio.h>

static const struct info_bit av1_bits[] = {
    {VK_VIDEO_ENCODE_AV1_CAPABILITY_PER_RATE_CONTROL_GROUP_MIN_MAX_Q_INDEX_BIT_KHR,
     "min/max Q index per rate control group"},
    {VK_VIDEO_ENCODE_AV1_CAPABILITY_GENERATE_OBU_EXTENSION_HEADER_BIT_KHR, "OBU extension headers"},
    {VK_VIDEO_ENCODE_AV1_CAPABILITY_PRIMARY_REFERENCE_CDF_ONLY_BIT_KHR,
     "primary reference for CDFs alone"},
    {VK_VIDEO_ENCODE_AV1_CAPABILITY_FRAME_SIZE_OVERRIDE_BIT_KHR, "frame size override"},
    {VK_VIDEO_ENCODE_AV1_CAPABILITY_MOTION_VECTOR_SCALING_BIT_KHR, "motion vector scaling"},
    {VK_VIDEO_ENCODE_AV1_CAPABILITY_COMPOUND_PREDICTION_INTRA_REFRESH_BIT_KHR,
     "intra refresh with compound prediction"},
};

static const struct info_bit std_bits[] = {
    {VK_VIDEO_ENCODE_AV1_STD_UNIFORM_TILE_SPACING_FLAG_SET_BIT_KHR, "uniform tiles"},
    {VK_VIDEO_ENCODE_AV1_STD_SKIP_MODE_PRESENT_UNSET_BIT_KHR, "skip mode off"},
    {VK_VIDEO_ENCODE_AV1_STD_PRIMARY_REF_FRAME_BIT_KHR, "primary reference"},
    {VK_VIDEO_ENCODE_AV1_STD_DELTA_Q_BIT_KHR, "delta Q"},
};

static const struct info_bit superblock_bits[] = {
    {VK_VIDEO_ENCODE_AV1_SUPERBLOCK_SIZE_64_BIT_KHR, "64x64"},
    {VK_VIDEO_ENCODE_AV1_SUPERBLOCK_SIZE_128_BIT_KHR, "128x128"},
};

static const struct info_bit name_bits[] = {
    {1 << 0, "LAST"},   {1 << 1, "LAST2"},   {1 << 2, "LAST3"},  {1 << 3, "GOLDEN"},
    {1 << 4, "BWDREF"}, {1 << 5, "ALTREF2"}, {1 << 6, "ALTREF"},
};

static void
add_level(cJSON *node, StdVideoAV1Level level)
{
    char text[8];
    (void)snprintf(text, sizeof(text), "%u.%u", 2 + (uint32_t)level / 4 % 8, (uint32_t)level % 4);
    cJSON_AddStringToObject(node, "level", text);
}

static void
add_names(cJSON *node, const char *key, uint32_t mask)
{
    info_add_bits(node, key, mask, name_bits, INFO_COUNT(name_bits));
}

static void
add_encode(cJSON *node, const VkVideoEncodeAV1CapabilitiesKHR *av1)
{
    add_level(node, av1->maxLevel);
    info_add_extent(node, "picture_alignment", av1->codedPictureAlignment);
    info_add_extent(node, "tiles", av1->maxTiles);
    info_add_extent(node, "smallest_tile", av1->minTileSize);
    info_add_extent(node, "largest_tile", av1->maxTileSize);
    info_add_bits(node, "superblocks", av1->superblockSizes, superblock_bits,
                  INFO_COUNT(superblock_bits));
    cJSON_AddNumberToObject(node, "single_references", av1->maxSingleReferenceCount);
    add_names(node, "single_names", av1->singleReferenceNameMask);
    cJSON_AddNumberToObject(node, "unidirectional_references",
                            av1->maxUnidirectionalCompoundReferenceCount);
    cJSON_AddNumberToObject(node, "unidirectional_group_1",
                            av1->maxUnidirectionalCompoundGroup1ReferenceCount);
    add_names(node, "unidirectional_names", av1->unidirectionalCompoundReferenceNameMask);
    cJSON_AddNumberToObject(node, "bidirectional_references",
                            av1->maxBidirectionalCompoundReferenceCount);
    cJSON_AddNumberToObject(node, "bidirectional_group_1",
                            av1->maxBidirectionalCompoundGroup1ReferenceCount);
    cJSON_AddNumberToObject(node, "bidirectional_group_2",
                            av1->maxBidirectionalCompoundGroup2ReferenceCount);
    add_names(node, "bidirectional_names", av1->bidirectionalCompoundReferenceNameMask);
    cJSON_AddNumberToObject(node, "temporal_layers", av1->maxTemporalLayerCount);
    cJSON_AddNumberToObject(node, "spatial_layers", av1->maxSpatialLayerCount);
    cJSON_AddNumberToObject(node, "operating_points", av1->maxOperatingPoints);
    cJSON_AddNumberToObject(node, "min_q_index", av1->minQIndex);
    cJSON_AddNumberToObject(node, "max_q_index", av1->maxQIndex);
    info_add_bits(node, "av1_flags", av1->flags, av1_bits, INFO_COUNT(av1_bits));
    info_add_bits(node, "syntax", av1->stdSyntaxFlags, std_bits, INFO_COUNT(std_bits));
}

static cJSON *
encode_profile(const struct info_vulkan *vk, VkVideoComponentBitDepthFlagsKHR bit_depth)
{
    const VkVideoEncodeAV1ProfileInfoKHR av1_profile = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_PROFILE_INFO_KHR,
        .stdProfile = STD_VIDEO_AV1_PROFILE_MAIN,
    };
    VkVideoProfileInfoKHR profile =
        video_profile(VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR, &av1_profile);
    VkVideoEncodeAV1CapabilitiesKHR av1 = {.sType =
                                               VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_CAPABILITIES_KHR};
    profile.lumaBitDepth = profile.chromaBitDepth = bit_depth;
    cJSON *node = info_encode_profile(vk, &profile, &av1);
    if (node)
        add_encode(node, &av1);
    return node;
}

/* With film grain. */
static cJSON *
decode_profile(const struct info_vulkan *vk, VkVideoComponentBitDepthFlagsKHR bit_depth)
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
    cJSON *node = info_decode_profile(vk, &profile, &av1);
    if (node)
        add_level(node, av1.maxLevel);
    return node;
}

void
info_video_av1(const struct info_vulkan *vk, cJSON *to)
{
    static const struct {
        VkVideoComponentBitDepthFlagsKHR bit_depth;
        const char *encode;
        const char *decode;
    } depths[] = {
        {VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR, "AV1 Main encode", "AV1 Main decode"},
        {VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR, "AV1 Main 10 bit encode",
         "AV1 Main 10 bit decode"},
    };
    for (uint32_t i = 0; i < INFO_COUNT(depths); i++) {
        cJSON *encode = encode_profile(vk, depths[i].bit_depth);
        cJSON *decode = decode_profile(vk, depths[i].bit_depth);
        if (encode)
            cJSON_AddItemToObject(to, depths[i].encode, encode);
        if (decode)
            cJSON_AddItemToObject(to, depths[i].decode, decode);
    }
}

/* SPDX-License-Identifier: MIT */
/* Capabilities of AV1 encode.
 */
#include "video/av1/encode_caps.h"

#include "util/compiler.h"
#include "video/av1/sequence.h"
#include "video/encode/caps.h"
#include "video/profile.h"

#include "reelpipe/encode_av1.h"

void
rp_av1_encode_caps_get(const struct rp_encode_codec *codec, struct rp_encode_caps *out)
{
    rp_encode_caps_init(out, codec);
}

/* The names are those that the codec's search makes use of. LAST2_FRAME is not offered, though it
 * could be: a client takes the first free name of the mask for its second reference, and writes its
 * index in the place of GOLDEN_FRAME. */
static void
fill_encode(VkVideoEncodeAV1CapabilitiesKHR *out)
{
    out->flags = VK_VIDEO_ENCODE_AV1_CAPABILITY_PER_RATE_CONTROL_GROUP_MIN_MAX_Q_INDEX_BIT_KHR |
                 VK_VIDEO_ENCODE_AV1_CAPABILITY_GENERATE_OBU_EXTENSION_HEADER_BIT_KHR |
                 VK_VIDEO_ENCODE_AV1_CAPABILITY_PRIMARY_REFERENCE_CDF_ONLY_BIT_KHR;
    out->maxLevel = RP_AV1_ENCODE_MAX_LEVEL;
    out->codedPictureAlignment = (VkExtent2D){1, 1};
    out->maxTiles = (VkExtent2D){RP_AV1_ENCODE_MAX_TILE_COLS, RP_AV1_ENCODE_MAX_TILE_ROWS};
    out->minTileSize = (VkExtent2D){RP_AV1_SUPERBLOCK_PX, RP_AV1_SUPERBLOCK_PX};
    out->maxTileSize = (VkExtent2D){4096, 4096};
    out->superblockSizes = VK_VIDEO_ENCODE_AV1_SUPERBLOCK_SIZE_64_BIT_KHR;
    out->maxSingleReferenceCount = 2;
    out->singleReferenceNameMask = RP_AV1_NAME_LAST | RP_AV1_NAME_GOLDEN;
    out->maxUnidirectionalCompoundReferenceCount = 2;
    out->maxUnidirectionalCompoundGroup1ReferenceCount = 2;
    out->unidirectionalCompoundReferenceNameMask = RP_AV1_NAME_LAST | RP_AV1_NAME_GOLDEN;
    out->maxBidirectionalCompoundReferenceCount = 2;
    out->maxBidirectionalCompoundGroup1ReferenceCount = 1;
    out->maxBidirectionalCompoundGroup2ReferenceCount = 1;
    out->bidirectionalCompoundReferenceNameMask = RP_AV1_NAME_LAST | RP_AV1_NAME_ALTREF;
    out->maxTemporalLayerCount = RP_RATE_LAYERS;
    out->maxSpatialLayerCount = 1;
    out->maxOperatingPoints = RP_AV1_MAX_OPERATING_POINTS;
    out->minQIndex = 0;
    out->maxQIndex = RP_AV1_MAX_Q_INDEX;
    out->prefersGopRemainingFrames = VK_FALSE;
    out->requiresGopRemainingFrames = VK_FALSE;
    out->stdSyntaxFlags = VK_VIDEO_ENCODE_AV1_STD_UNIFORM_TILE_SPACING_FLAG_SET_BIT_KHR |
                          VK_VIDEO_ENCODE_AV1_STD_SKIP_MODE_PRESENT_UNSET_BIT_KHR |
                          VK_VIDEO_ENCODE_AV1_STD_PRIMARY_REF_FRAME_BIT_KHR |
                          VK_VIDEO_ENCODE_AV1_STD_DELTA_Q_BIT_KHR;
}

void
rp_av1_encode_fill_capabilities(const struct rp_video_profile *profile, VkBaseOutStructure *s)
{
    (void)profile;
    if (s->sType == VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_CAPABILITIES_KHR) {
        fill_encode((VkVideoEncodeAV1CapabilitiesKHR *)s);
    } else if (s->sType == VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_QUANTIZATION_MAP_CAPABILITIES_KHR) {
        VkVideoEncodeAV1QuantizationMapCapabilitiesKHR *p =
            (VkVideoEncodeAV1QuantizationMapCapabilitiesKHR *)s;
        p->minQIndexDelta = -RP_AV1_MAX_Q_INDEX;
        p->maxQIndexDelta = RP_AV1_MAX_Q_INDEX;
    }
}

void
rp_av1_encode_fill_map_format(VkBaseOutStructure *s)
{
    if (s->sType == VK_STRUCTURE_TYPE_VIDEO_FORMAT_AV1_QUANTIZATION_MAP_PROPERTIES_KHR)
        ((VkVideoFormatAV1QuantizationMapPropertiesKHR *)s)->compatibleSuperblockSizes =
            VK_VIDEO_ENCODE_AV1_SUPERBLOCK_SIZE_64_BIT_KHR;
}

uint32_t
rp_av1_encode_preferred_q_index(enum rp_rate_type type)
{
    static const uint8_t q_indices[RP_RATE_TYPES] = {
        [RP_RATE_P] = 120, [RP_RATE_B] = 140, [RP_RATE_I] = 100};
    return q_indices[type];
}

/* From the past alone, two references at the slower levels. */
void
rp_av1_encode_fill_quality(const struct rp_video_profile *profile, uint32_t quality_level,
                           VkBaseOutStructure *s)
{
    (void)profile;
    if (s->sType != VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_QUALITY_LEVEL_PROPERTIES_KHR)
        return;
    VkVideoEncodeAV1QualityLevelPropertiesKHR *out = (VkVideoEncodeAV1QualityLevelPropertiesKHR *)s;
    const uint32_t reference_count = quality_level < 2 ? 1 : 2;
    out->preferredRateControlFlags =
        VK_VIDEO_ENCODE_AV1_RATE_CONTROL_REGULAR_GOP_BIT_KHR |
        VK_VIDEO_ENCODE_AV1_RATE_CONTROL_REFERENCE_PATTERN_FLAT_BIT_KHR;
    out->preferredGopFrameCount = 60;
    out->preferredKeyFramePeriod = 60;
    out->preferredConsecutiveBipredictiveFrameCount = 0;
    out->preferredTemporalLayerCount = 1;
    out->preferredConstantQIndex = (VkVideoEncodeAV1QIndexKHR){
        .intraQIndex = rp_av1_encode_preferred_q_index(RP_RATE_I),
        .predictiveQIndex = rp_av1_encode_preferred_q_index(RP_RATE_P),
        .bipredictiveQIndex = rp_av1_encode_preferred_q_index(RP_RATE_B),
    };
    out->preferredMaxSingleReferenceCount = reference_count;
    out->preferredSingleReferenceNameMask =
        reference_count == 1 ? RP_AV1_NAME_LAST : RP_AV1_NAME_LAST | RP_AV1_NAME_GOLDEN;
    out->preferredMaxUnidirectionalCompoundReferenceCount = 0;
    out->preferredMaxUnidirectionalCompoundGroup1ReferenceCount = 0;
    out->preferredUnidirectionalCompoundReferenceNameMask = 0;
    out->preferredMaxBidirectionalCompoundReferenceCount = 0;
    out->preferredMaxBidirectionalCompoundGroup1ReferenceCount = 0;
    out->preferredMaxBidirectionalCompoundGroup2ReferenceCount = 0;
    out->preferredBidirectionalCompoundReferenceNameMask = 0;
}

bool
rp_av1_encode_extent_is_valid(VkExtent2D extent_px)
{
    return extent_px.width >= RP_AV1_ENCODE_MIN_PX && extent_px.height >= RP_AV1_ENCODE_MIN_PX &&
           extent_px.width <= RP_AV1_ENCODE_MAX_WIDTH_PX &&
           extent_px.height <= RP_AV1_ENCODE_MAX_HEIGHT_PX;
}

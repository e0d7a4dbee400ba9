/* SPDX-License-Identifier: MIT */
/* Capabilities of H.265 encode.
 */
#include "video/h265/encode_caps.h"

#include "video/encode/caps.h"
#include "video/profile.h"

#include "reelpipe/encode_h265.h"

void
rp_h265_encode_caps_get(const struct rp_encode_codec *codec, struct rp_encode_caps *out)
{
    rp_encode_caps_init(out, codec);
    out->partitions_are_rows = true;
    /* Emphasis shares out what rate control has to give. */
    if (codec->rate_create)
        out->flags |= VK_VIDEO_ENCODE_CAPABILITY_EMPHASIS_MAP_BIT_KHR;
}

/* Whatever else an application writes into its parameter sets is overridden
 * (encode_overrides.c). */
static void
fill_encode(VkVideoEncodeH265CapabilitiesKHR *out)
{
    out->flags = VK_VIDEO_ENCODE_H265_CAPABILITY_B_FRAME_IN_L0_LIST_BIT_KHR |
                 VK_VIDEO_ENCODE_H265_CAPABILITY_B_FRAME_IN_L1_LIST_BIT_KHR |
                 VK_VIDEO_ENCODE_H265_CAPABILITY_PER_PICTURE_TYPE_MIN_MAX_QP_BIT_KHR |
                 VK_VIDEO_ENCODE_H265_CAPABILITY_MULTIPLE_SLICE_SEGMENTS_PER_TILE_BIT_KHR;
    out->maxLevelIdc = STD_VIDEO_H265_LEVEL_IDC_6_2;
    out->maxSliceSegmentCount = RP_H265_ENCODE_MAX_SLICES;
    out->maxTiles = (VkExtent2D){1, 1};
    out->ctbSizes = VK_VIDEO_ENCODE_H265_CTB_SIZE_64_BIT_KHR;
    out->transformBlockSizes = VK_VIDEO_ENCODE_H265_TRANSFORM_BLOCK_SIZE_4_BIT_KHR |
                               VK_VIDEO_ENCODE_H265_TRANSFORM_BLOCK_SIZE_8_BIT_KHR |
                               VK_VIDEO_ENCODE_H265_TRANSFORM_BLOCK_SIZE_16_BIT_KHR |
                               VK_VIDEO_ENCODE_H265_TRANSFORM_BLOCK_SIZE_32_BIT_KHR;
    out->maxPPictureL0ReferenceCount = RP_H265_ENCODE_MAX_REFS;
    out->maxBPictureL0ReferenceCount = RP_H265_ENCODE_MAX_REFS;
    out->maxL1ReferenceCount = RP_H265_ENCODE_MAX_REFS;
    out->maxSubLayerCount = RP_RATE_LAYERS;
    out->expectDyadicTemporalSubLayerPattern = VK_FALSE;
    out->minQp = 0;
    out->maxQp = RP_H265_MAX_QP;
    out->prefersGopRemainingFrames = VK_FALSE;
    out->requiresGopRemainingFrames = VK_FALSE;
    out->stdSyntaxFlags =
        VK_VIDEO_ENCODE_H265_STD_SAMPLE_ADAPTIVE_OFFSET_ENABLED_FLAG_SET_BIT_KHR |
        VK_VIDEO_ENCODE_H265_STD_SPS_TEMPORAL_MVP_ENABLED_FLAG_SET_BIT_KHR |
        VK_VIDEO_ENCODE_H265_STD_INIT_QP_MINUS26_BIT_KHR |
        VK_VIDEO_ENCODE_H265_STD_SIGN_DATA_HIDING_ENABLED_FLAG_SET_BIT_KHR |
        VK_VIDEO_ENCODE_H265_STD_TRANSFORM_SKIP_ENABLED_FLAG_SET_BIT_KHR |
        VK_VIDEO_ENCODE_H265_STD_TRANSFORM_SKIP_ENABLED_FLAG_UNSET_BIT_KHR |
        VK_VIDEO_ENCODE_H265_STD_ENTROPY_CODING_SYNC_ENABLED_FLAG_SET_BIT_KHR |
        VK_VIDEO_ENCODE_H265_STD_DEBLOCKING_FILTER_OVERRIDE_ENABLED_FLAG_SET_BIT_KHR |
        VK_VIDEO_ENCODE_H265_STD_SLICE_QP_DELTA_BIT_KHR;
}

void
rp_h265_encode_fill_capabilities(const struct rp_video_profile *profile, VkBaseOutStructure *s)
{
    (void)profile;
    if (s->sType == VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_CAPABILITIES_KHR) {
        fill_encode((VkVideoEncodeH265CapabilitiesKHR *)s);
    } else if (s->sType == VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_QUANTIZATION_MAP_CAPABILITIES_KHR) {
        VkVideoEncodeH265QuantizationMapCapabilitiesKHR *p =
            (VkVideoEncodeH265QuantizationMapCapabilitiesKHR *)s;
        p->minQpDelta = -RP_H265_MAX_QP_DELTA;
        p->maxQpDelta = RP_H265_MAX_QP_DELTA;
    }
}

void
rp_h265_encode_fill_map_format(VkBaseOutStructure *s)
{
    if (s->sType == VK_STRUCTURE_TYPE_VIDEO_FORMAT_H265_QUANTIZATION_MAP_PROPERTIES_KHR)
        ((VkVideoFormatH265QuantizationMapPropertiesKHR *)s)->compatibleCtbSizes =
            VK_VIDEO_ENCODE_H265_CTB_SIZE_64_BIT_KHR;
}

int32_t
rp_h265_encode_preferred_qp(enum rp_rate_type type)
{
    static const uint8_t qps[RP_RATE_TYPES] = {
        [RP_RATE_P] = 29, [RP_RATE_B] = 31, [RP_RATE_I] = 26};
    return qps[type];
}

void
rp_h265_encode_fill_quality(const struct rp_video_profile *profile, uint32_t quality_level,
                            VkBaseOutStructure *s)
{
    (void)profile;
    if (s->sType != VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_QUALITY_LEVEL_PROPERTIES_KHR)
        return;
    VkVideoEncodeH265QualityLevelPropertiesKHR *out =
        (VkVideoEncodeH265QualityLevelPropertiesKHR *)s;
    out->preferredRateControlFlags =
        VK_VIDEO_ENCODE_H265_RATE_CONTROL_REGULAR_GOP_BIT_KHR |
        VK_VIDEO_ENCODE_H265_RATE_CONTROL_REFERENCE_PATTERN_FLAT_BIT_KHR;
    out->preferredGopFrameCount = 60;
    out->preferredIdrPeriod = 60;
    out->preferredConsecutiveBFrameCount = 0;
    out->preferredSubLayerCount = 1;
    out->preferredConstantQp = (VkVideoEncodeH265QpKHR){
        .qpI = rp_h265_encode_preferred_qp(RP_RATE_I),
        .qpP = rp_h265_encode_preferred_qp(RP_RATE_P),
        .qpB = rp_h265_encode_preferred_qp(RP_RATE_B),
    };
    out->preferredMaxL0ReferenceCount = quality_level < 3 ? 1 : 2;
    out->preferredMaxL1ReferenceCount = 0;
}

bool
rp_h265_encode_extent_is_valid(VkExtent2D extent_px)
{
    return extent_px.width >= RP_H265_ENCODE_MIN_PX && extent_px.height >= RP_H265_ENCODE_MIN_PX &&
           extent_px.width <= RP_H265_ENCODE_MAX_WIDTH_PX &&
           extent_px.height <= RP_H265_ENCODE_MAX_HEIGHT_PX;
}

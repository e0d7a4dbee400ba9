/* SPDX-License-Identifier: MIT */
/* Capabilities of H.264 encode.
 */
#include "video/h264/encode_caps.h"

#include "util/compiler.h"
#include "video/encode/caps.h"
#include "video/profile.h"

#include "reelpipe/encode_h264.h"

static VkVideoEncodeH264StdFlagsKHR
std_flags_of(StdVideoH264ProfileIdc profile_idc)
{
    VkVideoEncodeH264StdFlagsKHR flags =
        VK_VIDEO_ENCODE_H264_STD_CHROMA_QP_INDEX_OFFSET_BIT_KHR |
        VK_VIDEO_ENCODE_H264_STD_PIC_INIT_QP_MINUS26_BIT_KHR |
        VK_VIDEO_ENCODE_H264_STD_ENTROPY_CODING_MODE_FLAG_UNSET_BIT_KHR |
        VK_VIDEO_ENCODE_H264_STD_CONSTRAINED_INTRA_PRED_FLAG_SET_BIT_KHR |
        VK_VIDEO_ENCODE_H264_STD_DEBLOCKING_FILTER_DISABLED_BIT_KHR |
        VK_VIDEO_ENCODE_H264_STD_DEBLOCKING_FILTER_ENABLED_BIT_KHR |
        VK_VIDEO_ENCODE_H264_STD_DEBLOCKING_FILTER_PARTIAL_BIT_KHR;

    if (profile_idc != STD_VIDEO_H264_PROFILE_IDC_BASELINE)
        flags |= VK_VIDEO_ENCODE_H264_STD_ENTROPY_CODING_MODE_FLAG_SET_BIT_KHR |
                 VK_VIDEO_ENCODE_H264_STD_WEIGHTED_PRED_FLAG_SET_BIT_KHR |
                 VK_VIDEO_ENCODE_H264_STD_WEIGHTED_BIPRED_IDC_IMPLICIT_BIT_KHR |
                 VK_VIDEO_ENCODE_H264_STD_DIRECT_SPATIAL_MV_PRED_FLAG_UNSET_BIT_KHR;
    /* Clients copy this bit into the PPS whatever its profile is. */
    if (profile_idc == STD_VIDEO_H264_PROFILE_IDC_HIGH)
        flags |= VK_VIDEO_ENCODE_H264_STD_TRANSFORM_8X8_MODE_FLAG_SET_BIT_KHR;
    return flags;
}

void
rp_h264_encode_caps_get(const struct rp_encode_codec *codec, StdVideoH264ProfileIdc profile_idc,
                        struct rp_h264_encode_caps *out)
{
    const bool has_b = profile_idc != STD_VIDEO_H264_PROFILE_IDC_BASELINE;

    *out = (struct rp_h264_encode_caps){
        .h264_flags = VK_VIDEO_ENCODE_H264_CAPABILITY_ROW_UNALIGNED_SLICE_BIT_KHR |
                      VK_VIDEO_ENCODE_H264_CAPABILITY_PER_PICTURE_TYPE_MIN_MAX_QP_BIT_KHR |
                      VK_VIDEO_ENCODE_H264_CAPABILITY_PER_SLICE_CONSTANT_QP_BIT_KHR |
                      VK_VIDEO_ENCODE_H264_CAPABILITY_PREDICTION_WEIGHT_TABLE_GENERATED_BIT_KHR |
                      VK_VIDEO_ENCODE_H264_CAPABILITY_DIFFERENT_SLICE_TYPE_BIT_KHR |
                      VK_VIDEO_ENCODE_H264_CAPABILITY_MB_QP_DIFF_WRAPAROUND_BIT_KHR,
        .p_l0_count = RP_H264_MAX_REFS,
        .temporal_layer_count = RP_RATE_LAYERS,
        .std_flags = std_flags_of(profile_idc),
    };
    rp_encode_caps_init(&out->common, codec);
    if (codec->rate_create) {
        /* Emphasis shares out what rate control has to give. */
        out->common.flags |= VK_VIDEO_ENCODE_CAPABILITY_EMPHASIS_MAP_BIT_KHR;
        out->h264_flags |= VK_VIDEO_ENCODE_H264_CAPABILITY_HRD_COMPLIANCE_BIT_KHR;
    }
    if (has_b) {
        out->b_l0_count = RP_H264_MAX_REFS;
        out->l1_count = RP_H264_MAX_L1_REFS;
        out->h264_flags |= VK_VIDEO_ENCODE_H264_CAPABILITY_B_FRAME_IN_L0_LIST_BIT_KHR |
                           VK_VIDEO_ENCODE_H264_CAPABILITY_B_FRAME_IN_L1_LIST_BIT_KHR;
    }
}

static void
fill_encode(const struct rp_h264_encode_caps *caps, VkVideoEncodeH264CapabilitiesKHR *out)
{
    out->flags = caps->h264_flags;
    out->maxLevelIdc = STD_VIDEO_H264_LEVEL_IDC_6_2;
    out->maxSliceCount = RP_H264_MAX_SLICES;
    out->maxPPictureL0ReferenceCount = caps->p_l0_count;
    out->maxBPictureL0ReferenceCount = caps->b_l0_count;
    out->maxL1ReferenceCount = caps->l1_count;
    out->maxTemporalLayerCount = caps->temporal_layer_count;
    out->expectDyadicTemporalLayerPattern = VK_FALSE;
    out->minQp = 0;
    out->maxQp = RP_H264_MAX_QP;
    out->prefersGopRemainingFrames = VK_FALSE;
    out->requiresGopRemainingFrames = VK_FALSE;
    out->stdSyntaxFlags = caps->std_flags;
}

void
rp_h264_encode_fill_capabilities(const struct rp_video_profile *profile, VkBaseOutStructure *s)
{
    if (s->sType == VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_CAPABILITIES_KHR) {
        struct rp_h264_encode_caps caps;
        rp_h264_encode_caps_get(profile->encode_codec, (StdVideoH264ProfileIdc)profile->idc, &caps);
        fill_encode(&caps, (VkVideoEncodeH264CapabilitiesKHR *)s);
    } else if (s->sType == VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_QUANTIZATION_MAP_CAPABILITIES_KHR) {
        VkVideoEncodeH264QuantizationMapCapabilitiesKHR *p =
            (VkVideoEncodeH264QuantizationMapCapabilitiesKHR *)s;
        p->minQpDelta = -RP_H264_MAX_QP;
        p->maxQpDelta = RP_H264_MAX_QP;
    }
}

void
rp_h264_encode_preference_get(StdVideoH264ProfileIdc profile_idc, uint32_t quality_level,
                              struct rp_h264_encode_preference *out)
{
    static const uint8_t l0_counts[] = {1, 1, 1, 2, 2, 3, 5, 8}; /* ultrafast to slower */
    const uint32_t last_level = RP_ARRAY_SIZE(l0_counts) - 1;

    /* A client keeps the GOP size in 8 bits and divides by it: never a multiple of 256. */
    *out = (struct rp_h264_encode_preference){
        .gop_frame_count = 60,
        .idr_period = 60,
        .constant_qp = {.qpI = 23, .qpP = 26, .qpB = 28},
        .l0_count = l0_counts[RP_MIN(quality_level, last_level)],
        .wants_cabac = quality_level > 0 && profile_idc != STD_VIDEO_H264_PROFILE_IDC_BASELINE,
    };
}

void
rp_h264_encode_fill_quality(const struct rp_video_profile *profile, uint32_t quality_level,
                            VkBaseOutStructure *s)
{
    if (s->sType != VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_QUALITY_LEVEL_PROPERTIES_KHR)
        return;
    VkVideoEncodeH264QualityLevelPropertiesKHR *out =
        (VkVideoEncodeH264QualityLevelPropertiesKHR *)s;
    struct rp_h264_encode_preference preference;
    rp_h264_encode_preference_get((StdVideoH264ProfileIdc)profile->idc, quality_level, &preference);

    out->preferredRateControlFlags =
        VK_VIDEO_ENCODE_H264_RATE_CONTROL_REGULAR_GOP_BIT_KHR |
        VK_VIDEO_ENCODE_H264_RATE_CONTROL_REFERENCE_PATTERN_FLAT_BIT_KHR;
    out->preferredGopFrameCount = preference.gop_frame_count;
    out->preferredIdrPeriod = preference.idr_period;
    out->preferredConsecutiveBFrameCount = preference.consecutive_b_frame_count;
    out->preferredTemporalLayerCount = 1;
    out->preferredConstantQp = preference.constant_qp;
    out->preferredMaxL0ReferenceCount = preference.l0_count;
    out->preferredMaxL1ReferenceCount = preference.l1_count;
    out->preferredStdEntropyCodingModeFlag = preference.wants_cabac;
}

static uint32_t
to_mbs(uint32_t px)
{
    return (px + 15) / 16;
}

bool
rp_h264_encode_extent_is_valid(VkExtent2D extent_px)
{
    const uint32_t longer = RP_MAX(extent_px.width, extent_px.height);
    const uint32_t shorter = RP_MIN(extent_px.width, extent_px.height);
    return shorter >= RP_H264_MIN_EXTENT_PX && longer <= RP_H264_MAX_WIDTH_PX &&
           to_mbs(longer) * to_mbs(shorter) <=
               to_mbs(RP_H264_MAX_WIDTH_PX) * to_mbs(RP_H264_MAX_HEIGHT_PX);
}

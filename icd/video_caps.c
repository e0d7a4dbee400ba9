/* SPDX-License-Identifier: MIT */
/* Video capabilities and quality levels, as src/video/ says what works.
 */
#include "object/instance.h"
#include "util/log.h"
#include "util/pnext.h"
#include "video/encode/intra_refresh.h"
#include "video/encode/quantization_map.h"
#include "video/formats.h"
#include "video/h264/encode_caps.h"
#include "video/profile.h"
#include "video/rgb/convert.h"

#include "reelpipe/decode_h264.h"
#include "reelpipe/encode_h264.h"

#include "rp_entrypoints.h"

#include <string.h>

static struct rp_video_codecs
pdev_codecs(const struct rp_physical_device *pdev)
{
    return (struct rp_video_codecs){
        .h264_encode = pdev->h264_encode,
        .h264_decode = pdev->h264_decode,
    };
}

static void
fill_std_version(VkExtensionProperties *out, const char *name, uint32_t version)
{
    memset(out, 0, sizeof(*out));
    strcpy(out->extensionName, name);
    out->specVersion = version;
}

static void
fill_common(VkVideoCapabilitiesKHR *out)
{
    out->flags = VK_VIDEO_CAPABILITY_SEPARATE_REFERENCE_IMAGES_BIT_KHR;
    out->minBitstreamBufferOffsetAlignment = 1;
    out->minBitstreamBufferSizeAlignment = 1;
    out->pictureAccessGranularity = (VkExtent2D){16, 16};
    out->minCodedExtent = (VkExtent2D){RP_ENCODE_MIN_EXTENT_PX, RP_ENCODE_MIN_EXTENT_PX};
    out->maxCodedExtent = (VkExtent2D){RP_ENCODE_MAX_WIDTH_PX, RP_ENCODE_MAX_HEIGHT_PX};
}

static void
fill_encode(const struct rp_h264_encode_caps *caps, bool knows_feedback2,
            VkVideoEncodeCapabilitiesKHR *out)
{
    out->flags = caps->flags;
    out->rateControlModes = caps->rate_control_modes;
    out->maxRateControlLayers = caps->rate_layer_count;
    out->maxBitrate = RP_ENCODE_MAX_BITRATE;
    out->maxQualityLevels = caps->quality_level_count;
    out->encodeInputPictureGranularity = (VkExtent2D){1, 1};
    out->supportedEncodeFeedbackFlags = caps->feedback_flags;
    /* Clients make query pools with all that is supported, whether they have switched on the
     * extension or not: they get to see what it adds when they ask for its structure. */
    if (knows_feedback2)
        out->supportedEncodeFeedbackFlags |= caps->more_feedback_flags;
}

static void
fill_h264_encode(const struct rp_h264_encode_caps *caps, VkVideoEncodeH264CapabilitiesKHR *out)
{
    out->flags = caps->h264_flags;
    out->maxLevelIdc = STD_VIDEO_H264_LEVEL_IDC_6_2;
    out->maxSliceCount = RP_ENCODE_MAX_SLICES;
    out->maxPPictureL0ReferenceCount = caps->p_l0_count;
    out->maxBPictureL0ReferenceCount = caps->b_l0_count;
    out->maxL1ReferenceCount = caps->l1_count;
    out->maxTemporalLayerCount = caps->temporal_layer_count;
    out->expectDyadicTemporalLayerPattern = VK_FALSE;
    out->minQp = 0;
    out->maxQp = 51;
    out->prefersGopRemainingFrames = VK_FALSE;
    out->requiresGopRemainingFrames = VK_FALSE;
    out->stdSyntaxFlags = caps->std_flags;
}

/* Structures of extensions that are not there get zeros: clients chain them all the same. */
static void
fill_encode_chain(const struct rp_h264_encode_caps *caps, VkBaseOutStructure *s)
{
    const bool knows_feedback2 =
        rp_find_struct(s, VK_STRUCTURE_TYPE_VIDEO_ENCODE_FEEDBACK_2_CAPABILITIES_KHR) != NULL;
    for (; s; s = s->pNext) {
        switch ((int)s->sType) {
        case VK_STRUCTURE_TYPE_VIDEO_ENCODE_CAPABILITIES_KHR:
            fill_encode(caps, knows_feedback2, (VkVideoEncodeCapabilitiesKHR *)s);
            break;
        case VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_CAPABILITIES_KHR:
            fill_h264_encode(caps, (VkVideoEncodeH264CapabilitiesKHR *)s);
            break;
        case VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUANTIZATION_MAP_CAPABILITIES_KHR:
            ((VkVideoEncodeQuantizationMapCapabilitiesKHR *)s)->maxQuantizationMapExtent =
                (VkExtent2D){RP_ENCODE_MAX_WIDTH_PX / RP_QUANTIZATION_MAP_TEXEL_PX,
                             RP_ENCODE_MAX_WIDTH_PX / RP_QUANTIZATION_MAP_TEXEL_PX};
            break;
        case VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_QUANTIZATION_MAP_CAPABILITIES_KHR: {
            VkVideoEncodeH264QuantizationMapCapabilitiesKHR *p =
                (VkVideoEncodeH264QuantizationMapCapabilitiesKHR *)s;
            p->minQpDelta = -RP_QUANTIZATION_MAP_MAX_DELTA;
            p->maxQpDelta = RP_QUANTIZATION_MAP_MAX_DELTA;
            break;
        }
        case VK_STRUCTURE_TYPE_VIDEO_ENCODE_INTRA_REFRESH_CAPABILITIES_KHR: {
            VkVideoEncodeIntraRefreshCapabilitiesKHR *p =
                (VkVideoEncodeIntraRefreshCapabilitiesKHR *)s;
            p->intraRefreshModes = RP_INTRA_REFRESH_MODES;
            p->maxIntraRefreshCycleDuration = RP_INTRA_REFRESH_MAX_CYCLE;
            p->maxIntraRefreshActiveReferencePictures = RP_H264_MAX_REFS;
            p->partitionIndependentIntraRefreshRegions = VK_TRUE;
            p->nonRectangularIntraRefreshRegions = VK_TRUE;
            break;
        }
        case VK_STRUCTURE_TYPE_VIDEO_ENCODE_FEEDBACK_2_CAPABILITIES_KHR: {
            VkVideoEncodeFeedback2CapabilitiesKHR *p = (VkVideoEncodeFeedback2CapabilitiesKHR *)s;
            p->maxPerPartitionFeedbackEntries = RP_ENCODE_MAX_SLICES;
            p->supportedPerPartitionEncodeFeedbackFlags = caps->partition_feedback_flags;
            break;
        }
        case VK_STRUCTURE_TYPE_VIDEO_ENCODE_RGB_CONVERSION_CAPABILITIES_VALVE: {
            VkVideoEncodeRgbConversionCapabilitiesVALVE *p =
                (VkVideoEncodeRgbConversionCapabilitiesVALVE *)s;
            p->rgbModels = RP_RGB_MODELS;
            p->rgbRanges = RP_RGB_RANGES;
            p->xChromaOffsets = RP_RGB_CHROMA_OFFSETS;
            p->yChromaOffsets = RP_RGB_CHROMA_OFFSETS;
            break;
        }
        }
    }
}

static void
fill_decode_chain(VkBaseOutStructure *s)
{
    for (; s; s = s->pNext) {
        switch ((int)s->sType) {
        case VK_STRUCTURE_TYPE_VIDEO_DECODE_CAPABILITIES_KHR:
            ((VkVideoDecodeCapabilitiesKHR *)s)->flags =
                VK_VIDEO_DECODE_CAPABILITY_DPB_AND_OUTPUT_COINCIDE_BIT_KHR |
                VK_VIDEO_DECODE_CAPABILITY_DPB_AND_OUTPUT_DISTINCT_BIT_KHR;
            break;
        case VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_CAPABILITIES_KHR: {
            VkVideoDecodeH264CapabilitiesKHR *p = (VkVideoDecodeH264CapabilitiesKHR *)s;
            p->maxLevelIdc = STD_VIDEO_H264_LEVEL_IDC_6_2;
            p->fieldOffsetGranularity = (VkOffset2D){0, 0};
            break;
        }
        }
    }
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_GetPhysicalDeviceVideoCapabilitiesKHR(VkPhysicalDevice physicalDevice,
                                         const VkVideoProfileInfoKHR *info,
                                         VkVideoCapabilitiesKHR *out)
{
    const struct rp_physical_device *pdev = rp_physical_device_from_handle(physicalDevice);
    const struct rp_video_codecs codecs = pdev_codecs(pdev);
    struct rp_video_profile profile;
    const VkResult result = rp_video_profile_parse(&codecs, info, &profile);
    if (result != VK_SUCCESS)
        return result; /* an answer, no error */

    fill_common(out);
    out->maxDpbSlots = RP_H264_MAX_DPB_SLOTS;
    out->maxActiveReferencePictures = RP_H264_MAX_REFS;
    if (rp_video_profile_is_encode(&profile)) {
        struct rp_h264_encode_caps caps;
        rp_h264_encode_caps_get(pdev->h264_encode, profile.h264_profile_idc, &caps);
        fill_std_version(&out->stdHeaderVersion,
                         VK_STD_VULKAN_VIDEO_CODEC_H264_ENCODE_EXTENSION_NAME,
                         VK_STD_VULKAN_VIDEO_CODEC_H264_ENCODE_SPEC_VERSION);
        fill_encode_chain(&caps, out->pNext);
    } else {
        fill_std_version(&out->stdHeaderVersion,
                         VK_STD_VULKAN_VIDEO_CODEC_H264_DECODE_EXTENSION_NAME,
                         VK_STD_VULKAN_VIDEO_CODEC_H264_DECODE_SPEC_VERSION);
        fill_decode_chain(out->pNext);
    }
    return VK_SUCCESS;
}

static void
fill_h264_quality(const struct rp_h264_encode_preference *preference,
                  VkVideoEncodeH264QualityLevelPropertiesKHR *out)
{
    out->preferredRateControlFlags =
        VK_VIDEO_ENCODE_H264_RATE_CONTROL_REGULAR_GOP_BIT_KHR |
        VK_VIDEO_ENCODE_H264_RATE_CONTROL_REFERENCE_PATTERN_FLAT_BIT_KHR;
    out->preferredGopFrameCount = preference->gop_frame_count;
    out->preferredIdrPeriod = preference->idr_period;
    out->preferredConsecutiveBFrameCount = preference->consecutive_b_frame_count;
    out->preferredTemporalLayerCount = 1;
    out->preferredConstantQp = preference->constant_qp;
    out->preferredMaxL0ReferenceCount = preference->l0_count;
    out->preferredMaxL1ReferenceCount = preference->l1_count;
    out->preferredStdEntropyCodingModeFlag = preference->wants_cabac;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_GetPhysicalDeviceVideoEncodeQualityLevelPropertiesKHR(
    VkPhysicalDevice physicalDevice, const VkPhysicalDeviceVideoEncodeQualityLevelInfoKHR *info,
    VkVideoEncodeQualityLevelPropertiesKHR *out)
{
    const struct rp_physical_device *pdev = rp_physical_device_from_handle(physicalDevice);
    const struct rp_video_codecs codecs = pdev_codecs(pdev);
    struct rp_video_profile profile;
    const VkResult result = rp_video_profile_parse(&codecs, info->pVideoProfile, &profile);
    if (result != VK_SUCCESS)
        return result;
    if (!rp_video_profile_is_encode(&profile))
        return VK_ERROR_VIDEO_PROFILE_OPERATION_NOT_SUPPORTED_KHR;

    out->preferredRateControlMode = VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR;
    out->preferredRateControlLayerCount = 0;
    struct rp_h264_encode_preference preference;
    rp_h264_encode_preference_get(profile.h264_profile_idc, info->qualityLevel, &preference);
    for (VkBaseOutStructure *s = out->pNext; s; s = s->pNext) {
        if (s->sType == VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_QUALITY_LEVEL_PROPERTIES_KHR)
            fill_h264_quality(&preference, (VkVideoEncodeH264QualityLevelPropertiesKHR *)s);
    }
    return VK_SUCCESS;
}

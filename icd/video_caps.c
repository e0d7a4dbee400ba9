/* SPDX-License-Identifier: MIT */
/* Video capabilities and quality levels: what is the same for every codec, from the rows of
 * video/standard.h; structures of one codec are filled by its row.
 */
#include "object/instance.h"
#include "util/compiler.h"
#include "util/log.h"
#include "util/pnext.h"
#include "video/encode/intra_refresh.h"
#include "video/encode/standard.h"
#include "video/profile.h"
#include "video/rgb/convert.h"
#include "video/standard.h"

#include "rp_entrypoints.h"

#include <string.h>

static void
fill_std_version(const struct rp_video_standard *standard, VkExtensionProperties *out)
{
    memset(out, 0, sizeof(*out));
    strcpy(out->extensionName, standard->header_name);
    out->specVersion = standard->header_version;
}

static void
fill_common(const struct rp_video_standard *standard, VkVideoCapabilitiesKHR *out)
{
    out->flags = VK_VIDEO_CAPABILITY_SEPARATE_REFERENCE_IMAGES_BIT_KHR;
    out->minBitstreamBufferOffsetAlignment = 1;
    out->minBitstreamBufferSizeAlignment = 1;
    out->pictureAccessGranularity = standard->access_granularity_px;
    out->minCodedExtent = standard->min_extent_px;
    out->maxCodedExtent = standard->max_extent_px;
    out->maxDpbSlots = standard->max_dpb_slots;
    out->maxActiveReferencePictures = standard->max_active_references;
    fill_std_version(standard, &out->stdHeaderVersion);
}

static void
fill_encode(const struct rp_video_standard *standard, const struct rp_encode_caps *caps,
            bool knows_feedback2, VkVideoEncodeCapabilitiesKHR *out)
{
    out->flags = caps->flags;
    out->rateControlModes = caps->rate_control_modes;
    out->maxRateControlLayers = caps->rate_layer_count;
    out->maxBitrate = standard->encode->max_bitrate_bps;
    out->maxQualityLevels = caps->quality_level_count;
    const uint32_t granularity_px = standard->encode->input_granularity_px;
    out->encodeInputPictureGranularity = (VkExtent2D){granularity_px, granularity_px};
    out->supportedEncodeFeedbackFlags = caps->feedback_flags;
    /* Clients make query pools with all that is supported, whether they have switched on the
     * extension or not: they get to see what it adds when they ask for its structure. */
    if (knows_feedback2)
        out->supportedEncodeFeedbackFlags |= caps->more_feedback_flags;
}

/* Maps of pictures that are turned by 90 degrees, too. */
static VkExtent2D
max_map_extent(const struct rp_video_standard *standard, const struct rp_encode_caps *caps)
{
    if (!(caps->flags & VK_VIDEO_ENCODE_CAPABILITY_QUANTIZATION_DELTA_MAP_BIT_KHR))
        return (VkExtent2D){0, 0};
    const uint32_t longer_px =
        RP_MAX(standard->max_extent_px.width, standard->max_extent_px.height);
    const uint32_t extent_tx = longer_px / standard->encode->map_texel_px;
    return (VkExtent2D){extent_tx, extent_tx};
}

/* Structures of extensions that are not there get zeros: clients chain them all the same. */
static void
fill_encode_chain(const struct rp_video_profile *profile, VkBaseOutStructure *s)
{
    const struct rp_video_standard *standard = profile->standard;
    struct rp_encode_caps caps;
    standard->encode->get_caps(profile, &caps);
    const bool knows_feedback2 =
        rp_find_struct(s, VK_STRUCTURE_TYPE_VIDEO_ENCODE_FEEDBACK_2_CAPABILITIES_KHR) != NULL;
    for (; s; s = s->pNext) {
        switch ((int)s->sType) {
        case VK_STRUCTURE_TYPE_VIDEO_ENCODE_CAPABILITIES_KHR:
            fill_encode(standard, &caps, knows_feedback2, (VkVideoEncodeCapabilitiesKHR *)s);
            break;
        case VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUANTIZATION_MAP_CAPABILITIES_KHR:
            ((VkVideoEncodeQuantizationMapCapabilitiesKHR *)s)->maxQuantizationMapExtent =
                max_map_extent(standard, &caps);
            break;
        case VK_STRUCTURE_TYPE_VIDEO_ENCODE_INTRA_REFRESH_CAPABILITIES_KHR: {
            VkVideoEncodeIntraRefreshCapabilitiesKHR *p =
                (VkVideoEncodeIntraRefreshCapabilitiesKHR *)s;
            const bool has_refresh = caps.refresh_modes != 0;
            p->intraRefreshModes = caps.refresh_modes;
            p->maxIntraRefreshCycleDuration = has_refresh ? RP_INTRA_REFRESH_MAX_CYCLE : 0;
            p->maxIntraRefreshActiveReferencePictures =
                has_refresh ? standard->max_active_references : 0;
            p->partitionIndependentIntraRefreshRegions = has_refresh;
            p->nonRectangularIntraRefreshRegions = has_refresh && !caps.partitions_are_rows;
            break;
        }
        case VK_STRUCTURE_TYPE_VIDEO_ENCODE_FEEDBACK_2_CAPABILITIES_KHR: {
            VkVideoEncodeFeedback2CapabilitiesKHR *p = (VkVideoEncodeFeedback2CapabilitiesKHR *)s;
            p->maxPerPartitionFeedbackEntries = standard->encode->max_partitions;
            p->supportedPerPartitionEncodeFeedbackFlags = caps.partition_feedback_flags;
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
        default:
            standard->fill_capabilities(profile, s);
        }
    }
}

static void
fill_decode_chain(const struct rp_video_profile *profile, VkBaseOutStructure *s)
{
    for (; s; s = s->pNext) {
        if (s->sType == VK_STRUCTURE_TYPE_VIDEO_DECODE_CAPABILITIES_KHR)
            ((VkVideoDecodeCapabilitiesKHR *)s)->flags =
                VK_VIDEO_DECODE_CAPABILITY_DPB_AND_OUTPUT_COINCIDE_BIT_KHR |
                VK_VIDEO_DECODE_CAPABILITY_DPB_AND_OUTPUT_DISTINCT_BIT_KHR;
        else
            profile->standard->fill_capabilities(profile, s);
    }
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_GetPhysicalDeviceVideoCapabilitiesKHR(VkPhysicalDevice physicalDevice,
                                         const VkVideoProfileInfoKHR *info,
                                         VkVideoCapabilitiesKHR *out)
{
    const struct rp_physical_device *pdev = rp_physical_device_from_handle(physicalDevice);
    struct rp_video_profile profile;
    const VkResult result = rp_video_profile_parse(&pdev->video, info, &profile);
    if (result != VK_SUCCESS)
        return result; /* an answer, no error */

    fill_common(profile.standard, out);
    if (rp_video_profile_is_encode(&profile))
        fill_encode_chain(&profile, out->pNext);
    else
        fill_decode_chain(&profile, out->pNext);
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_GetPhysicalDeviceVideoEncodeQualityLevelPropertiesKHR(
    VkPhysicalDevice physicalDevice, const VkPhysicalDeviceVideoEncodeQualityLevelInfoKHR *info,
    VkVideoEncodeQualityLevelPropertiesKHR *out)
{
    const struct rp_physical_device *pdev = rp_physical_device_from_handle(physicalDevice);
    struct rp_video_profile profile;
    const VkResult result = rp_video_profile_parse(&pdev->video, info->pVideoProfile, &profile);
    if (result != VK_SUCCESS)
        return result;
    if (!rp_video_profile_is_encode(&profile))
        return VK_ERROR_VIDEO_PROFILE_OPERATION_NOT_SUPPORTED_KHR;

    out->preferredRateControlMode = VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR;
    out->preferredRateControlLayerCount = 0;
    for (VkBaseOutStructure *s = out->pNext; s; s = s->pNext)
        profile.standard->encode->fill_quality(&profile, info->qualityLevel, s);
    return VK_SUCCESS;
}

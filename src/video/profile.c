/* SPDX-License-Identifier: MIT */
/* Profile checks, from the general to the particular: operation, format, codec, layout.
 */
#include "video/profile.h"

#include "util/pnext.h"
#include "video/standard.h"

#include "reelpipe/encode.h"

/* False when the operation has no row, or no codec. */
static bool
find_codec(const struct rp_video_codecs *codecs, VkVideoCodecOperationFlagBitsKHR operation,
           struct rp_video_profile *out)
{
    uint32_t count;
    const struct rp_video_standard *const *standards = rp_video_standards(&count);

    for (uint32_t i = 0; i < count; i++) {
        if (standards[i]->operation != operation)
            continue;
        out->standard = standards[i];
        out->encode_codec = codecs->encode[i];
        out->decode_codec = codecs->decode[i];
        return out->encode_codec || out->decode_codec;
    }
    return false;
}

/* Exactly one of the flags that are supported. */
static bool
is_one_of(VkFlags flag, VkFlags supported)
{
    return flag & supported && (flag & (flag - 1)) == 0;
}

VkResult
rp_video_profile_parse(const struct rp_video_codecs *codecs, const VkVideoProfileInfoKHR *info,
                       struct rp_video_profile *out)
{
    struct rp_video_profile profile = {0};
    if (!find_codec(codecs, info->videoCodecOperation, &profile))
        return VK_ERROR_VIDEO_PROFILE_OPERATION_NOT_SUPPORTED_KHR;
    if (!is_one_of(info->chromaSubsampling, profile.standard->chroma_subsamplings) ||
        !is_one_of(info->lumaBitDepth, profile.standard->bit_depths) ||
        info->chromaBitDepth != info->lumaBitDepth)
        return VK_ERROR_VIDEO_PROFILE_FORMAT_NOT_SUPPORTED_KHR;
    profile.chroma_subsampling = (VkVideoChromaSubsamplingFlagBitsKHR)info->chromaSubsampling;
    profile.bit_depth = (VkVideoComponentBitDepthFlagBitsKHR)info->lumaBitDepth;
    profile.depth_names_profile = codecs->depth_names_profile;
    if (profile.bit_depth == VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR && profile.encode_codec &&
        profile.encode_codec->of_10_bits)
        profile.encode_codec = profile.encode_codec->of_10_bits;

    const VkResult result = profile.standard->parse_profile(info, &profile);
    if (result != VK_SUCCESS)
        return result;
    if (rp_video_profile_is_encode(&profile)) {
        const VkVideoEncodeProfileRgbConversionInfoVALVE *rgb = rp_find_struct(
            info->pNext, VK_STRUCTURE_TYPE_VIDEO_ENCODE_PROFILE_RGB_CONVERSION_INFO_VALVE);
        profile.has_rgb_conversion = rgb && rgb->performEncodeRgbConversion;
        const VkVideoEncodeUsageInfoKHR *usage =
            rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_VIDEO_ENCODE_USAGE_INFO_KHR);
        profile.tuning_mode = usage ? usage->tuningMode : VK_VIDEO_ENCODE_TUNING_MODE_DEFAULT_KHR;
    }
    *out = profile;
    return VK_SUCCESS;
}

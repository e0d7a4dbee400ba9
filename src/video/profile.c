/* SPDX-License-Identifier: MIT */
/* Profile checks, from the general to the particular: operation, format, codec, layout.
 */
#include "video/profile.h"

#include "util/pnext.h"

static bool
operation_is_there(const struct rp_video_codecs *codecs, VkVideoCodecOperationFlagBitsKHR operation)
{
    return (operation == VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR && codecs->h264_encode) ||
           (operation == VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR && codecs->h264_decode);
}

static bool
profile_idc_is_there(StdVideoH264ProfileIdc profile_idc)
{
    return profile_idc == STD_VIDEO_H264_PROFILE_IDC_BASELINE ||
           profile_idc == STD_VIDEO_H264_PROFILE_IDC_MAIN ||
           profile_idc == STD_VIDEO_H264_PROFILE_IDC_HIGH;
}

static VkResult
parse_encode(const VkVideoProfileInfoKHR *info, struct rp_video_profile *out)
{
    const VkVideoEncodeH264ProfileInfoKHR *h264 =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_PROFILE_INFO_KHR);
    if (!h264 || !profile_idc_is_there(h264->stdProfileIdc))
        return VK_ERROR_VIDEO_PROFILE_CODEC_NOT_SUPPORTED_KHR;
    out->h264_profile_idc = h264->stdProfileIdc;

    const VkVideoEncodeProfileRgbConversionInfoVALVE *rgb = rp_find_struct(
        info->pNext, VK_STRUCTURE_TYPE_VIDEO_ENCODE_PROFILE_RGB_CONVERSION_INFO_VALVE);
    out->has_rgb_conversion = rgb && rgb->performEncodeRgbConversion;
    return VK_SUCCESS;
}

static VkResult
parse_decode(const VkVideoProfileInfoKHR *info, struct rp_video_profile *out)
{
    const VkVideoDecodeH264ProfileInfoKHR *h264 =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_PROFILE_INFO_KHR);
    if (!h264 || !profile_idc_is_there(h264->stdProfileIdc))
        return VK_ERROR_VIDEO_PROFILE_CODEC_NOT_SUPPORTED_KHR;
    out->h264_profile_idc = h264->stdProfileIdc;

    out->picture_layout = h264->pictureLayout;
    if (h264->pictureLayout != VK_VIDEO_DECODE_H264_PICTURE_LAYOUT_PROGRESSIVE_KHR &&
        h264->pictureLayout !=
            VK_VIDEO_DECODE_H264_PICTURE_LAYOUT_INTERLACED_INTERLEAVED_LINES_BIT_KHR)
        return VK_ERROR_VIDEO_PICTURE_LAYOUT_NOT_SUPPORTED_KHR;
    return VK_SUCCESS;
}

VkResult
rp_video_profile_parse(const struct rp_video_codecs *codecs, const VkVideoProfileInfoKHR *info,
                       struct rp_video_profile *out)
{
    if (!operation_is_there(codecs, info->videoCodecOperation))
        return VK_ERROR_VIDEO_PROFILE_OPERATION_NOT_SUPPORTED_KHR;
    if (info->chromaSubsampling != VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR ||
        info->lumaBitDepth != VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR ||
        info->chromaBitDepth != VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR)
        return VK_ERROR_VIDEO_PROFILE_FORMAT_NOT_SUPPORTED_KHR;

    struct rp_video_profile profile = {.operation = info->videoCodecOperation};
    const VkResult result = rp_video_profile_is_encode(&profile) ? parse_encode(info, &profile)
                                                                 : parse_decode(info, &profile);
    if (result == VK_SUCCESS)
        *out = profile;
    return result;
}

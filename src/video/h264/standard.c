/* SPDX-License-Identifier: MIT */
/* The rows of H.264 encode and decode.
 */
#include "video/h264/standard.h"

#include "util/pnext.h"
#include "video/h264/encode_caps.h"
#include "video/h264/parameters.h"
#include "video/profile.h"
#include "video/standard.h"

#include "reelpipe/decode_h264.h"
#include "reelpipe/encode_h264.h"

#include <stddef.h>

static bool
profile_idc_is_there(StdVideoH264ProfileIdc profile_idc)
{
    return profile_idc == STD_VIDEO_H264_PROFILE_IDC_BASELINE ||
           profile_idc == STD_VIDEO_H264_PROFILE_IDC_MAIN ||
           profile_idc == STD_VIDEO_H264_PROFILE_IDC_HIGH;
}

static VkResult
encode_parse_profile(const VkVideoProfileInfoKHR *info, struct rp_video_profile *out)
{
    const VkVideoEncodeH264ProfileInfoKHR *h264 =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_PROFILE_INFO_KHR);
    if (!h264 || !profile_idc_is_there(h264->stdProfileIdc))
        return VK_ERROR_VIDEO_PROFILE_CODEC_NOT_SUPPORTED_KHR;
    out->idc = h264->stdProfileIdc;
    return VK_SUCCESS;
}

static VkResult
decode_parse_profile(const VkVideoProfileInfoKHR *info, struct rp_video_profile *out)
{
    const VkVideoDecodeH264ProfileInfoKHR *h264 =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_PROFILE_INFO_KHR);
    if (!h264 || !profile_idc_is_there(h264->stdProfileIdc))
        return VK_ERROR_VIDEO_PROFILE_CODEC_NOT_SUPPORTED_KHR;
    out->idc = h264->stdProfileIdc;
    if (h264->pictureLayout != VK_VIDEO_DECODE_H264_PICTURE_LAYOUT_PROGRESSIVE_KHR &&
        h264->pictureLayout !=
            VK_VIDEO_DECODE_H264_PICTURE_LAYOUT_INTERLACED_INTERLEAVED_LINES_BIT_KHR)
        return VK_ERROR_VIDEO_PICTURE_LAYOUT_NOT_SUPPORTED_KHR;
    return VK_SUCCESS;
}

static bool
decode_extent_is_valid(VkExtent2D extent_px)
{
    return extent_px.width <= RP_H264_DECODE_MAX_WIDTH_PX &&
           extent_px.height <= RP_H264_DECODE_MAX_HEIGHT_PX;
}

static void
decode_fill_capabilities(const struct rp_video_profile *profile, VkBaseOutStructure *s)
{
    (void)profile;
    if (s->sType != VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_CAPABILITIES_KHR)
        return;
    VkVideoDecodeH264CapabilitiesKHR *p = (VkVideoDecodeH264CapabilitiesKHR *)s;
    p->maxLevelIdc = STD_VIDEO_H264_LEVEL_IDC_6_2;
    p->fieldOffsetGranularity = (VkOffset2D){0, 0};
}

/* What both rows have in common. A picture may have the size of level 6.2. */
#define SAMPLES_AND_LIMITS \
    .chroma_subsamplings = VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR, \
    .bit_depths = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR, .access_granularity_px = {16, 16}, \
    .min_extent_px = {RP_H264_MIN_EXTENT_PX, RP_H264_MIN_EXTENT_PX}, \
    .max_extent_px = {RP_H264_MAX_WIDTH_PX, RP_H264_MAX_HEIGHT_PX}, \
    .max_dpb_slots = RP_H264_MAX_DPB_SLOTS, .max_active_references = RP_H264_MAX_REFS

const struct rp_video_standard rp_h264_encode_operation = {
    .operation = VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR,
    .header_name = VK_STD_VULKAN_VIDEO_CODEC_H264_ENCODE_EXTENSION_NAME,
    .header_version = VK_STD_VULKAN_VIDEO_CODEC_H264_ENCODE_SPEC_VERSION,
    SAMPLES_AND_LIMITS,
    .parse_profile = encode_parse_profile,
    .extent_is_valid = rp_h264_encode_extent_is_valid,
    .fill_capabilities = rp_h264_encode_fill_capabilities,
    .parameters = &rp_h264_parameters_ops,
    .encode = &rp_h264_encode,
};

const struct rp_video_standard rp_h264_decode_operation = {
    .operation = VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR,
    .header_name = VK_STD_VULKAN_VIDEO_CODEC_H264_DECODE_EXTENSION_NAME,
    .header_version = VK_STD_VULKAN_VIDEO_CODEC_H264_DECODE_SPEC_VERSION,
    SAMPLES_AND_LIMITS,
    .parse_profile = decode_parse_profile,
    .extent_is_valid = decode_extent_is_valid,
    .fill_capabilities = decode_fill_capabilities,
    .parameters = &rp_h264_parameters_ops,
    .decode = &rp_h264_decode,
};

/* SPDX-License-Identifier: MIT */
/* The rows of H.265 encode and decode.
 */
#include "video/h265/standard.h"

#include "util/pnext.h"
#include "video/h265/encode_caps.h"
#include "video/h265/encode_parameters.h"
#include "video/h265/session_parameters.h"
#include "video/profile.h"
#include "video/standard.h"

#include "reelpipe/decode_h265.h"
#include "reelpipe/encode_h265.h"

#include <stddef.h>

#define MIN_EXTENT_PX 16
#define MAX_ACTIVE_REFERENCES 16

/* A.3.3: streams of Main 10 may have either depth. */
static VkResult
set_profile(StdVideoH265ProfileIdc idc, struct rp_video_profile *out)
{
    if (idc != STD_VIDEO_H265_PROFILE_IDC_MAIN_10 &&
        out->bit_depth != VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR)
        return VK_ERROR_VIDEO_PROFILE_FORMAT_NOT_SUPPORTED_KHR;
    out->idc = idc;
    return VK_SUCCESS;
}

static VkResult
encode_parse_profile(const VkVideoProfileInfoKHR *info, struct rp_video_profile *out)
{
    const VkVideoEncodeH265ProfileInfoKHR *h265 =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_PROFILE_INFO_KHR);
    if (!h265 || (h265->stdProfileIdc != STD_VIDEO_H265_PROFILE_IDC_MAIN &&
                  h265->stdProfileIdc != STD_VIDEO_H265_PROFILE_IDC_MAIN_10))
        return VK_ERROR_VIDEO_PROFILE_CODEC_NOT_SUPPORTED_KHR;
    if (out->depth_names_profile && out->bit_depth == VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR)
        return set_profile(STD_VIDEO_H265_PROFILE_IDC_MAIN_10, out);
    return set_profile(h265->stdProfileIdc, out);
}

static VkResult
decode_parse_profile(const VkVideoProfileInfoKHR *info, struct rp_video_profile *out)
{
    const VkVideoDecodeH265ProfileInfoKHR *h265 =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_PROFILE_INFO_KHR);
    if (!h265 || (h265->stdProfileIdc != STD_VIDEO_H265_PROFILE_IDC_MAIN &&
                  h265->stdProfileIdc != STD_VIDEO_H265_PROFILE_IDC_MAIN_10 &&
                  h265->stdProfileIdc != STD_VIDEO_H265_PROFILE_IDC_MAIN_STILL_PICTURE))
        return VK_ERROR_VIDEO_PROFILE_CODEC_NOT_SUPPORTED_KHR;
    return set_profile(h265->stdProfileIdc, out);
}

static bool
decode_extent_is_valid(VkExtent2D extent_px)
{
    return extent_px.width <= RP_H265_DECODE_MAX_WIDTH_PX &&
           extent_px.height <= RP_H265_DECODE_MAX_HEIGHT_PX;
}

static void
decode_fill_capabilities(const struct rp_video_profile *profile, VkBaseOutStructure *s)
{
    (void)profile;
    if (s->sType == VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_CAPABILITIES_KHR)
        ((VkVideoDecodeH265CapabilitiesKHR *)s)->maxLevelIdc = STD_VIDEO_H265_LEVEL_IDC_6_2;
}

/* A picture may have the size of level 6.2. */
const struct rp_video_standard rp_h265_encode_operation = {
    .operation = VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR,
    .header_name = VK_STD_VULKAN_VIDEO_CODEC_H265_ENCODE_EXTENSION_NAME,
    .header_version = VK_STD_VULKAN_VIDEO_CODEC_H265_ENCODE_SPEC_VERSION,
    .chroma_subsamplings = VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR,
    .bit_depths = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR | VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR,
    .access_granularity_px = {8, 8},
    .min_extent_px = {RP_H265_ENCODE_MIN_PX, RP_H265_ENCODE_MIN_PX},
    .max_extent_px = {RP_H265_ENCODE_MAX_WIDTH_PX, RP_H265_ENCODE_MAX_HEIGHT_PX},
    .max_dpb_slots = RP_H265_ENCODE_SLOTS,
    .max_active_references = RP_H265_ENCODE_MAX_REFS,
    .parse_profile = encode_parse_profile,
    .extent_is_valid = rp_h265_encode_extent_is_valid,
    .fill_capabilities = rp_h265_encode_fill_capabilities,
    .parameters = &rp_h265_encode_parameters_ops,
    .encode = &rp_h265_encode,
};

const struct rp_video_standard rp_h265_decode_operation = {
    .operation = VK_VIDEO_CODEC_OPERATION_DECODE_H265_BIT_KHR,
    .header_name = VK_STD_VULKAN_VIDEO_CODEC_H265_DECODE_EXTENSION_NAME,
    .header_version = VK_STD_VULKAN_VIDEO_CODEC_H265_DECODE_SPEC_VERSION,
    .chroma_subsamplings = VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR,
    .bit_depths = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR | VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR,
    .access_granularity_px = {8, 8},
    .min_extent_px = {MIN_EXTENT_PX, MIN_EXTENT_PX},
    .max_extent_px = {RP_H265_DECODE_MAX_WIDTH_PX, RP_H265_DECODE_MAX_HEIGHT_PX},
    .max_dpb_slots = RP_H265_DECODE_SLOTS,
    .max_active_references = MAX_ACTIVE_REFERENCES,
    .parse_profile = decode_parse_profile,
    .extent_is_valid = decode_extent_is_valid,
    .fill_capabilities = decode_fill_capabilities,
    .parameters = &rp_h265_parameters_ops,
    .decode = &rp_h265_decode,
};

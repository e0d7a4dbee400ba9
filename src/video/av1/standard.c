/* SPDX-License-Identifier: MIT */
/* The rows of AV1 encode and decode.
 */
#include "video/av1/standard.h"

#include "util/pnext.h"
#include "video/av1/encode_caps.h"
#include "video/av1/encode_parameters.h"
#include "video/av1/frame.h"
#include "video/av1/session_parameters.h"
#include "video/profile.h"
#include "video/standard.h"

#include "reelpipe/decode_av1.h"
#include "reelpipe/encode_av1.h"

#include <stddef.h>

static VkResult
encode_parse_profile(const VkVideoProfileInfoKHR *info, struct rp_video_profile *out)
{
    const VkVideoEncodeAV1ProfileInfoKHR *av1 =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_PROFILE_INFO_KHR);
    if (!av1 || av1->stdProfile != STD_VIDEO_AV1_PROFILE_MAIN)
        return VK_ERROR_VIDEO_PROFILE_CODEC_NOT_SUPPORTED_KHR;
    out->idc = av1->stdProfile;
    return VK_SUCCESS;
}

static VkResult
decode_parse_profile(const VkVideoProfileInfoKHR *info, struct rp_video_profile *out)
{
    const VkVideoDecodeAV1ProfileInfoKHR *av1 =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_VIDEO_DECODE_AV1_PROFILE_INFO_KHR);
    if (!av1 || av1->stdProfile != STD_VIDEO_AV1_PROFILE_MAIN)
        return VK_ERROR_VIDEO_PROFILE_CODEC_NOT_SUPPORTED_KHR;
    out->idc = av1->stdProfile; /* with film grain and without */
    return VK_SUCCESS;
}

static bool
decode_extent_is_valid(VkExtent2D extent_px)
{
    return extent_px.width <= RP_AV1_DECODE_MAX_WIDTH_PX &&
           extent_px.height <= RP_AV1_DECODE_MAX_HEIGHT_PX;
}

static void
decode_fill_capabilities(const struct rp_video_profile *profile, VkBaseOutStructure *s)
{
    (void)profile;
    if (s->sType == VK_STRUCTURE_TYPE_VIDEO_DECODE_AV1_CAPABILITIES_KHR)
        ((VkVideoDecodeAV1CapabilitiesKHR *)s)->maxLevel = STD_VIDEO_AV1_LEVEL_6_3;
}

/* Pictures are coded in the size that the sequence says, to the pixel. */
const struct rp_video_standard rp_av1_encode_operation = {
    .operation = VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR,
    .header_name = VK_STD_VULKAN_VIDEO_CODEC_AV1_ENCODE_EXTENSION_NAME,
    .header_version = VK_STD_VULKAN_VIDEO_CODEC_AV1_ENCODE_SPEC_VERSION,
    .chroma_subsamplings = VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR,
    .bit_depths = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR | VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR,
    .access_granularity_px = {1, 1},
    .min_extent_px = {RP_AV1_ENCODE_MIN_PX, RP_AV1_ENCODE_MIN_PX},
    .max_extent_px = {RP_AV1_ENCODE_MAX_WIDTH_PX, RP_AV1_ENCODE_MAX_HEIGHT_PX},
    .max_dpb_slots = RP_AV1_MAX_DPB_SLOTS,
    .max_active_references = RP_AV1_NAMES,
    .parse_profile = encode_parse_profile,
    .extent_is_valid = rp_av1_encode_extent_is_valid,
    .fill_capabilities = rp_av1_encode_fill_capabilities,
    .parameters = &rp_av1_encode_parameters_ops,
    .missing_map_usages = VK_IMAGE_USAGE_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR,
    .encode = &rp_av1_encode,
};

/* A picture has at most the area of level 6.3. */
const struct rp_video_standard rp_av1_decode_operation = {
    .operation = VK_VIDEO_CODEC_OPERATION_DECODE_AV1_BIT_KHR,
    .header_name = VK_STD_VULKAN_VIDEO_CODEC_AV1_DECODE_EXTENSION_NAME,
    .header_version = VK_STD_VULKAN_VIDEO_CODEC_AV1_DECODE_SPEC_VERSION,
    .chroma_subsamplings = VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR,
    .bit_depths = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR | VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR,
    .access_granularity_px = {RP_AV1_GRANULARITY_PX, RP_AV1_GRANULARITY_PX},
    .min_extent_px = {1, 1},
    .max_extent_px = {RP_AV1_DECODE_MAX_WIDTH_PX, RP_AV1_DECODE_MAX_HEIGHT_PX},
    .max_dpb_slots = RP_AV1_REFERENCES + 1,
    .max_active_references = RP_AV1_REFS_PER_FRAME,
    .parse_profile = decode_parse_profile,
    .extent_is_valid = decode_extent_is_valid,
    .fill_capabilities = decode_fill_capabilities,
    .parameters = &rp_av1_parameters_ops,
    .decode = &rp_av1_decode,
};

/* SPDX-License-Identifier: MIT */
/* The row of VP9 decode.
 */
#include "video/vp9/standard.h"

#include "util/pnext.h"
#include "video/parameters.h"
#include "video/profile.h"
#include "video/standard.h"
#include "video/vp9/header.h"

#include "reelpipe/decode_vp9.h"

#include <stddef.h>

static VkResult
decode_parse_profile(const VkVideoProfileInfoKHR *info, struct rp_video_profile *out)
{
    const VkVideoDecodeVP9ProfileInfoKHR *vp9 =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_VIDEO_DECODE_VP9_PROFILE_INFO_KHR);
    if (!vp9 ||
        (vp9->stdProfile != STD_VIDEO_VP9_PROFILE_0 && vp9->stdProfile != STD_VIDEO_VP9_PROFILE_2))
        return VK_ERROR_VIDEO_PROFILE_CODEC_NOT_SUPPORTED_KHR;
    /* Profile 0 has 8 bits, profile 2 has more. */
    const bool has_8_bits = out->bit_depth == VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR;
    if (has_8_bits != (vp9->stdProfile == STD_VIDEO_VP9_PROFILE_0))
        return VK_ERROR_VIDEO_PROFILE_FORMAT_NOT_SUPPORTED_KHR;
    out->idc = vp9->stdProfile;
    return VK_SUCCESS;
}

static bool
decode_extent_is_valid(VkExtent2D extent_px)
{
    return extent_px.width <= RP_VP9_DECODE_MAX_WIDTH_PX &&
           extent_px.height <= RP_VP9_DECODE_MAX_HEIGHT_PX;
}

static void
decode_fill_capabilities(const struct rp_video_profile *profile, VkBaseOutStructure *s)
{
    (void)profile;
    if (s->sType == VK_STRUCTURE_TYPE_VIDEO_DECODE_VP9_CAPABILITIES_KHR)
        ((VkVideoDecodeVP9CapabilitiesKHR *)s)->maxLevel = STD_VIDEO_VP9_LEVEL_6_1;
}

/* VP9 has none: all is in the headers of pictures. */
static VkResult
parameters_create(const VkAllocationCallbacks *callbacks,
                  const struct rp_video_parameters_info *info, struct rp_video_parameters **out)
{
    (void)callbacks;
    (void)info;
    (void)out;
    return VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR;
}

static const struct rp_video_parameters_ops no_parameters = {.create = parameters_create};

const struct rp_video_standard rp_vp9_decode_operation = {
    .operation = VK_VIDEO_CODEC_OPERATION_DECODE_VP9_BIT_KHR,
    .header_name = VK_STD_VULKAN_VIDEO_CODEC_VP9_DECODE_EXTENSION_NAME,
    .header_version = VK_STD_VULKAN_VIDEO_CODEC_VP9_DECODE_SPEC_VERSION,
    .chroma_subsamplings = VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR,
    .bit_depths = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR | VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR,
    .access_granularity_px = {RP_VP9_GRANULARITY_PX, RP_VP9_GRANULARITY_PX},
    .min_extent_px = {1, 1},
    .max_extent_px = {RP_VP9_DECODE_MAX_WIDTH_PX, RP_VP9_DECODE_MAX_HEIGHT_PX},
    .max_dpb_slots = RP_VP9_REFERENCES + 1,
    .max_active_references = RP_VP9_REFS_PER_FRAME,
    .parse_profile = decode_parse_profile,
    .extent_is_valid = decode_extent_is_valid,
    .fill_capabilities = decode_fill_capabilities,
    .parameters = &no_parameters,
    .decode = &rp_vp9_decode,
};

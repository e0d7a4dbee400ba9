/* SPDX-License-Identifier: MIT */
/* H.264 in the encode engine: the encode half of its row.
 */
#include "util/compiler.h"
#include "util/pnext.h"
#include "video/encode/standard.h"
#include "video/h264/encode_caps.h"
#include "video/h264/standard.h"
#include "video/profile.h"

#include "reelpipe/encode_h264.h"

#include <assert.h>

#define MB_PX 16u /* a macroblock has a QP, and is what intra refresh goes by */

static_assert(RP_H264_MAX_SLICES <= RP_ENCODE_PARTITION_LIMIT, "there is room for all slices");

static void
get_caps(const struct rp_video_profile *profile, struct rp_encode_caps *out)
{
    struct rp_h264_encode_caps caps;
    rp_h264_encode_caps_get(profile->encode_codec, (StdVideoH264ProfileIdc)profile->idc, &caps);
    *out = caps.common;
}

static int32_t
max_level(const void *chain)
{
    const VkVideoEncodeH264SessionCreateInfoKHR *h264 =
        rp_find_struct(chain, VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_CREATE_INFO_KHR);
    if (!h264 || !h264->useMaxLevelIdc)
        return STD_VIDEO_H264_LEVEL_IDC_6_2;
    return RP_MIN(h264->maxLevelIdc, STD_VIDEO_H264_LEVEL_IDC_6_2);
}

const struct rp_encode_standard rp_h264_encode = {
    .codec = rp_codec_h264_encode,
    .max_partitions = RP_H264_MAX_SLICES,
    .max_bitrate_bps = RP_H264_MAX_BITRATE,
    .map_texel_px = MB_PX,
    .refresh_block_px = MB_PX,
    .get_caps = get_caps,
    .fill_quality = rp_h264_encode_fill_quality,
    .max_level = max_level,
};

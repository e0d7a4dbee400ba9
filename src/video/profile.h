/* SPDX-License-Identifier: MIT */
/* A video profile, taken apart and checked against the codecs that are there.
 */
#ifndef RP_VIDEO_PROFILE_H
#define RP_VIDEO_PROFILE_H

#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>

struct rp_h264_decode_codec;
struct rp_h264_encode_codec;

/* The codecs of a physical device; NULL: not there. */
struct rp_video_codecs {
    const struct rp_h264_encode_codec *h264_encode;
    const struct rp_h264_decode_codec *h264_decode;
};

struct rp_video_profile {
    VkVideoCodecOperationFlagBitsKHR operation;
    StdVideoH264ProfileIdc h264_profile_idc;
    VkVideoDecodeH264PictureLayoutFlagBitsKHR picture_layout; /* decode */
    bool has_rgb_conversion;                                  /* encode: RGB input */
};

/* VK_ERROR_VIDEO_PROFILE_OPERATION_, _FORMAT_, _CODEC_ or _PICTURE_LAYOUT_NOT_SUPPORTED_KHR for
 * what is not there. */
VkResult rp_video_profile_parse(const struct rp_video_codecs *codecs,
                                const VkVideoProfileInfoKHR *info,
                                struct rp_video_profile *out) RP_MUST_CHECK;

static inline bool
rp_video_profile_is_encode(const struct rp_video_profile *profile)
{
    return profile->operation == VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR;
}

#endif

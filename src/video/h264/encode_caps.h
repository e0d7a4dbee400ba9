/* SPDX-License-Identifier: MIT */
/* What H.264 encode can do: the one place that both the queries and the checks read.
 */
#ifndef RP_VIDEO_H264_ENCODE_CAPS_H
#define RP_VIDEO_H264_ENCODE_CAPS_H

#include "video/encode/standard.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stdint.h>

struct rp_encode_codec;
struct rp_video_profile;

#define RP_H264_MIN_EXTENT_PX 16u
/* The frame size of level 6.2 (table A-1). Others of no larger area will do, too, as long as
 * neither side is longer than this width. */
#define RP_H264_MAX_WIDTH_PX 8192u
#define RP_H264_MAX_HEIGHT_PX 4352u
#define RP_H264_MAX_BITRATE UINT64_C(800000000) /* level 6.2, Main */
#define RP_H264_MAX_SLICES 544u

struct rp_h264_encode_caps {
    struct rp_encode_caps common;
    VkVideoEncodeH264CapabilityFlagsKHR h264_flags;
    uint32_t p_l0_count;
    uint32_t b_l0_count;
    uint32_t l1_count;
    uint32_t temporal_layer_count;
    VkVideoEncodeH264StdFlagsKHR std_flags;
};

void rp_h264_encode_caps_get(const struct rp_encode_codec *codec,
                             StdVideoH264ProfileIdc profile_idc, struct rp_h264_encode_caps *out);

/* For H.264's row of video/standard.h, and its encode half. */
void rp_h264_encode_fill_capabilities(const struct rp_video_profile *profile,
                                      VkBaseOutStructure *s);
void rp_h264_encode_fill_quality(const struct rp_video_profile *profile, uint32_t quality_level,
                                 VkBaseOutStructure *s);

/* What a quality level would like, the values of VkVideoEncodeH264QualityLevelPropertiesKHR. */
struct rp_h264_encode_preference {
    uint32_t gop_frame_count;
    uint32_t idr_period;
    uint32_t consecutive_b_frame_count;
    VkVideoEncodeH264QpKHR constant_qp;
    uint32_t l0_count;
    uint32_t l1_count;
    bool wants_cabac;
};

void rp_h264_encode_preference_get(StdVideoH264ProfileIdc profile_idc, uint32_t quality_level,
                                   struct rp_h264_encode_preference *out);

/* A session or a picture may have this size. */
bool rp_h264_encode_extent_is_valid(VkExtent2D extent_px);

#endif

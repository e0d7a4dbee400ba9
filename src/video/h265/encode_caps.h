/* SPDX-License-Identifier: MIT */
/* What H.265 encode can do: the one place that both the queries and the checks read.
 */
#ifndef RP_VIDEO_H265_ENCODE_CAPS_H
#define RP_VIDEO_H265_ENCODE_CAPS_H

#include "video/encode/standard.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stdint.h>

struct rp_encode_codec;
struct rp_video_profile;

#define RP_H265_MAX_BITRATE UINT64_C(800000000) /* level 6.2, High tier */

void rp_h265_encode_caps_get(const struct rp_encode_codec *codec, struct rp_encode_caps *out);

/* For H.265's row of video/standard.h, and its encode half. */
void rp_h265_encode_fill_capabilities(const struct rp_video_profile *profile,
                                      VkBaseOutStructure *s);
void rp_h265_encode_fill_quality(const struct rp_video_profile *profile, uint32_t quality_level,
                                 VkBaseOutStructure *s);

void rp_h265_encode_fill_map_format(VkBaseOutStructure *s);

/* The quantiser where the application chose none. */
int32_t rp_h265_encode_preferred_qp(enum rp_rate_type type);

/* A session or a picture may have this size. */
bool rp_h265_encode_extent_is_valid(VkExtent2D extent_px);

#endif

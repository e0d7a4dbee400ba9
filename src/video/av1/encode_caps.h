/* SPDX-License-Identifier: MIT */
/* What AV1 encode can do: the one place that both the queries and the checks read.
 */
#ifndef RP_VIDEO_AV1_ENCODE_CAPS_H
#define RP_VIDEO_AV1_ENCODE_CAPS_H

#include "video/encode/standard.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stdint.h>

struct rp_encode_codec;
struct rp_video_profile;

#define RP_AV1_MAX_BITRATE UINT64_C(800000000) /* level 6.3, High tier (A.3) */

#define RP_AV1_ENCODE_MAX_LEVEL STD_VIDEO_AV1_LEVEL_6_3

/* Bits of reference names, LAST_FRAME first. */
#define RP_AV1_NAME_LAST 0x01u
#define RP_AV1_NAME_GOLDEN 0x08u
#define RP_AV1_NAME_ALTREF 0x40u

void rp_av1_encode_caps_get(const struct rp_encode_codec *codec, struct rp_encode_caps *out);

/* For AV1's row of video/standard.h, and its encode half. */
void rp_av1_encode_fill_capabilities(const struct rp_video_profile *profile, VkBaseOutStructure *s);
void rp_av1_encode_fill_quality(const struct rp_video_profile *profile, uint32_t quality_level,
                                VkBaseOutStructure *s);

void rp_av1_encode_fill_map_format(VkBaseOutStructure *s);

/* What pictures of this group have where nothing is said of rates. */
uint32_t rp_av1_encode_preferred_q_index(enum rp_rate_type type);

/* A session may have this size. */
bool rp_av1_encode_extent_is_valid(VkExtent2D extent_px);

#endif

/* SPDX-License-Identifier: MIT */
/* What the encode engine asks of a standard: the encode half of a row of video/standard.h.
 */
#ifndef RP_VIDEO_ENCODE_STANDARD_H
#define RP_VIDEO_ENCODE_STANDARD_H

#include <vulkan/vulkan_core.h>

#include <stdint.h>

struct rp_encode_codec;
struct rp_video_profile;

/* Slices or tiles that one picture of any standard may have. */
#define RP_ENCODE_PARTITION_LIMIT 544u

/* The values of VkVideoEncodeCapabilitiesKHR and its like that depend on the codec. */
struct rp_encode_caps {
    VkVideoEncodeCapabilityFlagsKHR flags;
    VkVideoEncodeRateControlModeFlagsKHR rate_control_modes;
    uint32_t rate_layer_count;
    uint32_t quality_level_count;
    VkVideoEncodeFeedbackFlagsKHR feedback_flags;
    VkVideoEncodeFeedbackFlagsKHR more_feedback_flags; /* of VK_KHR_video_encode_feedback2 */
    VkVideoEncodePerPartitionFeedbackFlagsKHR partition_feedback_flags;
};

struct rp_encode_standard {
    /* The codec; NULL when the build does not have it. */
    const struct rp_encode_codec *(*codec)(void);

    uint32_t max_partitions; /* slices or tiles of one picture, at most RP_ENCODE_PARTITION_LIMIT */
    uint64_t max_bitrate_bps;
    uint32_t map_texel_px;     /* one texel of a quantization map is for so many pixels, squared */
    uint32_t refresh_block_px; /* intra refresh goes by blocks of so many pixels, squared */

    void (*get_caps)(const struct rp_video_profile *profile, struct rp_encode_caps *out);

    /* One structure in the chain of VkVideoEncodeQualityLevelPropertiesKHR: fills it if it is this
     * codec's. */
    void (*fill_quality)(const struct rp_video_profile *profile, uint32_t quality_level,
                         VkBaseOutStructure *s);

    /* The greatest level of a session's streams, in the standard's own numbers, by the chain of
     * VkVideoSessionCreateInfoKHR. */
    int32_t (*max_level)(const void *chain);
};

#endif

/* SPDX-License-Identifier: MIT */
/* What the encode engine asks of a standard: the encode half of a row of video/standard.h.
 */
#ifndef RP_VIDEO_ENCODE_STANDARD_H
#define RP_VIDEO_ENCODE_STANDARD_H

#include "reelpipe/codec.h"
#include "reelpipe/rate.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rp_arena;
struct rp_encode_codec;
struct rp_encode_picture;
struct rp_encode_rate_control;
struct rp_encode_request;
struct rp_video_encode;
struct rp_video_parameters;
struct rp_video_profile;

/* Slices or tiles of one picture whose feedback any standard gives: there may be more tiles. */
#define RP_ENCODE_PARTITION_LIMIT 544u

/* The values of VkVideoEncodeCapabilitiesKHR and its like that depend on the codec. */
struct rp_encode_caps {
    VkVideoEncodeCapabilityFlagsKHR flags;
    VkVideoEncodeRateControlModeFlagsKHR rate_control_modes;
    uint32_t rate_layer_count;
    uint32_t quality_level_count;
    VkVideoEncodeIntraRefreshModeFlagsKHR refresh_modes; /* 0: there is no intra refresh */
    bool partitions_are_rows; /* whole rows of coding blocks: refreshed ones are rectangles */
    VkVideoEncodeFeedbackFlagsKHR feedback_flags;
    VkVideoEncodeFeedbackFlagsKHR more_feedback_flags; /* of VK_KHR_video_encode_feedback2 */
    VkVideoEncodePerPartitionFeedbackFlagsKHR partition_feedback_flags;
};

/* What the sequence header of a picture promises of the stream (H.264: E.2.2). */
struct rp_encode_hrd {
    bool is_constant; /* the stream says that its rate is constant */
    uint64_t bps;     /* 0: it promises nothing */
    uint64_t buffer_bits;
};

struct rp_encode_standard {
    /* The codec; NULL when the build does not have it. */
    const struct rp_encode_codec *(*codec)(void);

    uint32_t max_partitions; /* whose feedback is given, at most RP_ENCODE_PARTITION_LIMIT */
    uint64_t max_bitrate_bps;
    int32_t max_qp; /* quantisers go from 0 to it; texels of maps are offsets up to it */
    uint32_t
        input_granularity_px;  /* sequences have sizes of whole ones, which clients round up to */
    uint32_t coding_block_px;  /* pictures are coded in whole blocks of so many pixels, squared */
    uint32_t map_texel_px;     /* one texel of a quantization map is for so many pixels, squared */
    uint32_t refresh_block_px; /* intra refresh goes by blocks of so many pixels, squared */

    /* The standard's structures, in the chains of VkVideoEncodeInfoKHR and of each of its
     * VkVideoReferenceSlotInfoKHR. */
    VkStructureType picture_info_type;
    VkStructureType reference_info_type;

    void (*get_caps)(const struct rp_video_profile *profile, struct rp_encode_caps *out);

    /* One structure in the chain of VkVideoEncodeQualityLevelPropertiesKHR: fills it if it is this
     * codec's. */
    void (*fill_quality)(const struct rp_video_profile *profile, uint32_t quality_level,
                         VkBaseOutStructure *s);

    /* Or NULL. One structure in the chain of VkVideoFormatPropertiesKHR of a quantization map:
     * fills it if it is this codec's. */
    void (*fill_map_format)(VkBaseOutStructure *s);

    /* The greatest level of a session's streams, in the standard's own numbers, by the chain of
     * VkVideoSessionCreateInfoKHR. */
    int32_t (*max_level)(const void *chain);

    /* Read the standard's structures in the chains of VkVideoCodingControlInfoKHR and of a
     * VkVideoEncodeRateControlLayerInfoKHR. Rates and modes are there already. */
    void (*parse_rate)(const void *chain, struct rp_encode_rate_control *out);
    void (*parse_rate_layer)(const void *chain, struct rp_rate_layer *out);

    /* The standard's picture, which begins with struct rp_encode_picture (session.h): its size, and
     * what it begins and ends with. picture_init() clears all but what the picture owns. */
    size_t picture_B;
    void (*picture_init)(struct rp_encode_picture *pic);
    void (*picture_finish)(struct rp_encode_picture *pic);

    /* Or NULL. A picture is recorded: gives copy, the picture_info_type that rp_struct_copy() made
     * of from, what depends on the bound parameters (or NULL). False when memory is short. */
    bool (*keep_picture)(struct rp_arena *arena, const struct rp_video_parameters *params,
                         const void *from, void *copy);

    size_t state_B; /* of the standard's own state in each session, zeroed; may be 0 */

    /* Makes the codec's job of the request, without the rate. With the session's mutex. */
    enum rp_codec_status (*resolve)(struct rp_video_encode *enc,
                                    const struct rp_encode_request *request,
                                    struct rp_encode_picture *pic);

    /* The codec has begun the picture: the standard's state moves on. With the session's mutex. */
    void (*advance)(struct rp_video_encode *enc, const struct rp_encode_picture *pic);

    /* Or NULL: no buffer model is promised. */
    void (*get_hrd)(const struct rp_encode_picture *pic, struct rp_encode_hrd *out);

    /* How many of the bytes between the start of a buffer and the picture in it belong to the
     * picture's access unit. */
    uint32_t (*preceding_B)(const uint8_t *bytes, size_t size_B);

    /* The codec has coded the picture: says in its feedback what parts it has. */
    void (*complete)(struct rp_encode_picture *pic);
};

#endif

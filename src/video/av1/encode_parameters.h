/* SPDX-License-Identifier: MIT */
/* The parameters object of an AV1 encode session: one sequence header, which never changes.
 */
#ifndef RP_VIDEO_AV1_ENCODE_PARAMETERS_H
#define RP_VIDEO_AV1_ENCODE_PARAMETERS_H

#include "video/av1/sequence.h"
#include "video/parameters.h"

#include <vk_video/vulkan_video_codec_av1std.h>

#include <stdbool.h>
#include <stdint.h>

struct rp_av1_encode_parameters {
    struct rp_video_parameters common; /* first */
    VkAllocationCallbacks callbacks;
    bool has_callbacks;
    struct rp_av1_sequence sequence; /* as the stream has it */
    StdVideoAV1SequenceHeader std;   /* the same; its pointers lead into this object */
    StdVideoAV1ColorConfig color;
    bool has_overrides;
};

/* What the row of encode has of them. */
extern const struct rp_video_parameters_ops rp_av1_encode_parameters_ops;

static inline const struct rp_av1_encode_parameters *
rp_av1_encode_parameters_of(const struct rp_video_parameters *params)
{
    return (const struct rp_av1_encode_parameters *)params;
}

#endif

/* SPDX-License-Identifier: MIT */
/* One allocation: the header, and what it points to.
 */
#include "video/av1/session_parameters.h"

#include "util/alloc.h"
#include "util/pnext.h"
#include "video/av1/private_stream.h"
#include "video/profile.h"

struct av1_parameters {
    struct rp_video_parameters common; /* first */
    VkAllocationCallbacks callbacks;
    bool has_callbacks;
    bool has_sequence;
    StdVideoAV1SequenceHeader sequence;
    StdVideoAV1ColorConfig color;
    StdVideoAV1TimingInfo timing;
};

/* 0: none. */
static VkVideoComponentBitDepthFlagsKHR
bit_depth_flag(uint32_t bit_depth)
{
    switch (bit_depth) {
    case 8:
        return VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR;
    case 10:
        return VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR;
    case 12:
        return VK_VIDEO_COMPONENT_BIT_DEPTH_12_BIT_KHR;
    default:
        return 0;
    }
}

/* NULL when there is none. FFmpeg begins with an object of zeros, which no picture uses. */
static const StdVideoAV1SequenceHeader *
find_sequence(const void *chain)
{
    const VkVideoDecodeAV1SessionParametersCreateInfoKHR *av1 = rp_find_struct(
        chain, VK_STRUCTURE_TYPE_VIDEO_DECODE_AV1_SESSION_PARAMETERS_CREATE_INFO_KHR);
    const StdVideoAV1SequenceHeader *sequence = av1 ? av1->pStdSequenceHeader : NULL;
    return sequence && sequence->pColorConfig ? sequence : NULL;
}

/* Sequences that pictures of the session can have. Their sizes are the pictures' own. */
static bool
sequence_fits(const struct rp_video_profile *profile, const StdVideoAV1SequenceHeader *sequence)
{
    return (int32_t)sequence->seq_profile == profile->idc &&
           rp_av1_private_sequence_check(sequence) == RP_CODEC_OK &&
           bit_depth_flag(sequence->pColorConfig->BitDepth) == profile->bit_depth;
}

static void
copy_sequence(struct av1_parameters *params, const StdVideoAV1SequenceHeader *sequence)
{
    params->has_sequence = true;
    params->sequence = *sequence;
    params->color = *sequence->pColorConfig;
    params->sequence.pColorConfig = &params->color;
    params->sequence.pTimingInfo = NULL;
    if (sequence->flags.timing_info_present_flag && sequence->pTimingInfo) {
        params->timing = *sequence->pTimingInfo;
        params->sequence.pTimingInfo = &params->timing;
    }
}

static VkResult
create(const VkAllocationCallbacks *callbacks, const struct rp_video_parameters_info *info,
       struct rp_video_parameters **out)
{
    const StdVideoAV1SequenceHeader *sequence = find_sequence(info->chain);
    if (sequence && !sequence_fits(info->profile, sequence))
        return VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR;

    struct av1_parameters *params =
        rp_zalloc(callbacks, sizeof(*params), 8, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!params)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    rp_video_parameters_init(&params->common, &rp_av1_parameters_ops);
    params->has_callbacks = callbacks != NULL;
    if (callbacks)
        params->callbacks = *callbacks;
    if (sequence)
        copy_sequence(params, sequence);
    *out = &params->common;
    return VK_SUCCESS;
}

static void
destroy(struct rp_video_parameters *common)
{
    struct av1_parameters *params = (struct av1_parameters *)common;
    const VkAllocationCallbacks callbacks = params->callbacks;
    rp_free(params->has_callbacks ? &callbacks : NULL, params);
}

/* AV1 has nothing to add: VUID-vkUpdateVideoSessionParametersKHR-videoSessionParameters-09260 and
 * -10279. */
static VkResult
update(struct rp_video_parameters *params, const void *chain)
{
    return VK_SUCCESS;
}

const StdVideoAV1SequenceHeader *
rp_av1_parameters_sequence(const struct rp_video_parameters *common)
{
    const struct av1_parameters *params = (const struct av1_parameters *)common;
    return params && params->has_sequence ? &params->sequence : NULL;
}

const struct rp_video_parameters_ops rp_av1_parameters_ops = {
    .create = create,
    .destroy = destroy,
    .update = update,
};

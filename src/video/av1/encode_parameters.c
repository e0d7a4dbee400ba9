/* SPDX-License-Identifier: MIT */
/* From VkVideoEncodeAV1SessionParametersCreateInfoKHR to the sequence header OBU.
 */
#include "video/av1/encode_parameters.h"

#include "util/alloc.h"
#include "util/pnext.h"
#include "video/av1/encode_sequence.h"
#include "video/profile.h"

static uint32_t
bit_depth_of(const struct rp_video_profile *profile)
{
    return profile->bit_depth == VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR ? 10 : 8;
}

/* From the structure of the chain; without one, as the template has it. */
static bool
params_init(struct rp_av1_encode_parameters *params, const struct rp_video_parameters_info *info)
{
    const VkVideoEncodeAV1SessionParametersCreateInfoKHR *av1 = rp_find_struct(
        info->chain, VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_SESSION_PARAMETERS_CREATE_INFO_KHR);
    if (av1 && av1->pStdSequenceHeader) {
        const struct rp_av1_encode_sequence_info sequence = {
            .header = av1->pStdSequenceHeader,
            .decoder_model = av1->pStdDecoderModelInfo,
            .operating_points = av1->pStdOperatingPoints,
            .operating_point_count = av1->stdOperatingPointCount,
            .bit_depth = bit_depth_of(info->profile),
        };
        if (!rp_av1_encode_sequence_init(&sequence, &params->sequence, &params->has_overrides))
            return false;
    } else if (info->template) {
        const struct rp_av1_encode_parameters *template =
            rp_av1_encode_parameters_of(info->template);
        params->sequence = template->sequence;
        params->has_overrides = template->has_overrides;
    } else {
        return false;
    }
    rp_av1_encode_sequence_to_std(&params->sequence, &params->color, &params->std);
    return true;
}

static VkResult
create(const VkAllocationCallbacks *callbacks, const struct rp_video_parameters_info *info,
       struct rp_video_parameters **out)
{
    struct rp_av1_encode_parameters *params =
        rp_zalloc(callbacks, sizeof(*params), _Alignof(struct rp_av1_encode_parameters),
                  VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!params)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (!params_init(params, info)) {
        rp_free(callbacks, params);
        return VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR;
    }
    params->has_callbacks = callbacks != NULL;
    if (callbacks)
        params->callbacks = *callbacks;
    rp_video_parameters_init(&params->common, &rp_av1_encode_parameters_ops);
    *out = &params->common;
    return VK_SUCCESS;
}

static void
destroy(struct rp_video_parameters *common)
{
    struct rp_av1_encode_parameters *params = (struct rp_av1_encode_parameters *)common;
    const VkAllocationCallbacks callbacks = params->callbacks;
    rp_free(params->has_callbacks ? &callbacks : NULL, params);
}

/* A sequence header cannot be replaced: an update has nothing to say. */
static VkResult
update(struct rp_video_parameters *params, const void *chain)
{
    (void)params;
    (void)chain;
    return VK_SUCCESS;
}

/* AV1 has no structure that names what is wanted, and none of its own for overrides. */
static bool
write(const struct rp_video_parameters *common, const void *chain, uint8_t *dst, size_t capacity_B,
      VkVideoEncodeSessionParametersFeedbackInfoKHR *feedback, size_t *size_B_out)
{
    const struct rp_av1_encode_parameters *params = rp_av1_encode_parameters_of(common);
    (void)chain;
    *size_B_out = rp_av1_encode_sequence_write(&params->sequence, dst, capacity_B);
    if (feedback)
        feedback->hasOverrides = params->has_overrides;
    return true;
}

const struct rp_video_parameters_ops rp_av1_encode_parameters_ops = {
    .create = create,
    .destroy = destroy,
    .update = update,
    .write = write,
};

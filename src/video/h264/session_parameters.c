/* SPDX-License-Identifier: MIT */
/* H.264 parameter sets of encode and decode sessions alike: from the structures of an application to
 * video/h264/parameters.h, and, as the encoder writes them, back.
 */
#include "util/compiler.h"
#include "util/pnext.h"
#include "video/h264/parameters.h"
#include "video/h264/writer.h"
#include "video/profile.h"

#include <assert.h>

/* The structures of encode and decode have the same members in the same order. */
static_assert(sizeof(VkVideoEncodeH264SessionParametersAddInfoKHR) ==
                  sizeof(VkVideoDecodeH264SessionParametersAddInfoKHR),
              "the add infos are alike");

static struct rp_h264_parameter_sets
sets_of_encode(const VkVideoEncodeH264SessionParametersAddInfoKHR *add)
{
    if (!add)
        return (struct rp_h264_parameter_sets){0};
    return (struct rp_h264_parameter_sets){
        .sps = add->pStdSPSs,
        .sps_count = add->pStdSPSs ? add->stdSPSCount : 0,
        .pps = add->pStdPPSs,
        .pps_count = add->pStdPPSs ? add->stdPPSCount : 0,
    };
}

static struct rp_h264_parameter_sets
sets_of_decode(const VkVideoDecodeH264SessionParametersAddInfoKHR *add)
{
    if (!add)
        return (struct rp_h264_parameter_sets){0};
    return (struct rp_h264_parameter_sets){
        .sps = add->pStdSPSs,
        .sps_count = add->pStdSPSs ? add->stdSPSCount : 0,
        .pps = add->pStdPPSs,
        .pps_count = add->pStdPPSs ? add->stdPPSCount : 0,
    };
}

static void
read_encode_info(const void *chain, struct rp_h264_parameters_info *out)
{
    const VkVideoEncodeH264SessionParametersCreateInfoKHR *h264 = rp_find_struct(
        chain, VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_PARAMETERS_CREATE_INFO_KHR);
    if (h264) {
        out->max_sps_count = h264->maxStdSPSCount;
        out->max_pps_count = h264->maxStdPPSCount;
        out->sets = sets_of_encode(h264->pParametersAddInfo);
    }
}

static void
read_decode_info(const void *chain, struct rp_h264_parameters_info *out)
{
    const VkVideoDecodeH264SessionParametersCreateInfoKHR *h264 = rp_find_struct(
        chain, VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_SESSION_PARAMETERS_CREATE_INFO_KHR);
    if (h264) {
        out->max_sps_count = h264->maxStdSPSCount;
        out->max_pps_count = h264->maxStdPPSCount;
        out->sets = sets_of_decode(h264->pParametersAddInfo);
    }
}

static VkResult
create(const VkAllocationCallbacks *callbacks, const struct rp_video_parameters_info *info,
       struct rp_video_parameters **out)
{
    struct rp_h264_parameters_info h264 = {
        .template = rp_h264_parameters_of(info->template),
        .is_encode = rp_video_profile_is_encode(info->profile),
        .profile_idc = (StdVideoH264ProfileIdc)info->profile->idc,
        .max_level_idc = (StdVideoH264LevelIdc)info->max_level,
    };
    if (h264.is_encode)
        read_encode_info(info->chain, &h264);
    else
        read_decode_info(info->chain, &h264);

    struct rp_h264_parameters *params;
    const VkResult result = rp_h264_parameters_create(callbacks, &h264, &params);
    if (result == VK_SUCCESS)
        *out = rp_h264_parameters_common(params);
    return result;
}

static struct rp_h264_parameters *
h264_of(struct rp_video_parameters *params)
{
    return (struct rp_h264_parameters *)params;
}

static void
destroy(struct rp_video_parameters *params)
{
    rp_h264_parameters_destroy(h264_of(params));
}

static VkResult
update(struct rp_video_parameters *params, const void *chain)
{
    const VkVideoEncodeH264SessionParametersAddInfoKHR *encode =
        rp_find_struct(chain, VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_PARAMETERS_ADD_INFO_KHR);
    const VkVideoDecodeH264SessionParametersAddInfoKHR *decode =
        rp_find_struct(chain, VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_SESSION_PARAMETERS_ADD_INFO_KHR);
    const struct rp_h264_parameter_sets sets = rp_h264_parameters_is_encode(h264_of(params))
                                                   ? sets_of_encode(encode)
                                                   : sets_of_decode(decode);
    return rp_h264_parameters_update(h264_of(params), &sets);
}

/* The sets that the application wants to see, one NAL unit after the other. Returns their size;
 * nothing is written past capacity_B. */
static size_t
write_sets(const struct rp_h264_parameters *params,
           const VkVideoEncodeH264SessionParametersGetInfoKHR *get, uint8_t *dst, size_t capacity_B,
           VkVideoEncodeH264SessionParametersFeedbackInfoKHR *overrides)
{
    size_t size_B = 0;
    bool has_sps_overrides = false;
    const StdVideoH264SequenceParameterSet *sps =
        rp_h264_parameters_find_sps(params, get->stdSPSId, &has_sps_overrides);
    struct rp_h264_active active;

    if (get->writeStdSPS && sps) {
        size_B += rp_h264_write_sps(sps, dst, capacity_B);
        overrides->hasStdSPSOverrides = has_sps_overrides;
    }
    if (get->writeStdPPS &&
        rp_h264_parameters_find(params, get->stdSPSId, get->stdPPSId, &active)) {
        const size_t used_B = RP_MIN(size_B, capacity_B);
        size_B += rp_h264_write_pps(active.sps, &active.pps, dst + used_B, capacity_B - used_B);
        overrides->hasStdPPSOverrides = active.has_pps_overrides;
    }
    return size_B;
}

static void
write_feedback(VkVideoEncodeSessionParametersFeedbackInfoKHR *feedback,
               const VkVideoEncodeH264SessionParametersFeedbackInfoKHR *overrides)
{
    if (!feedback)
        return;
    feedback->hasOverrides = overrides->hasStdSPSOverrides || overrides->hasStdPPSOverrides;
    VkVideoEncodeH264SessionParametersFeedbackInfoKHR *h264 = rp_find_struct_mut(
        feedback->pNext, VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_PARAMETERS_FEEDBACK_INFO_KHR);
    if (h264) {
        h264->hasStdSPSOverrides = overrides->hasStdSPSOverrides;
        h264->hasStdPPSOverrides = overrides->hasStdPPSOverrides;
    }
}

static bool
write(const struct rp_video_parameters *params, const void *chain, uint8_t *dst, size_t capacity_B,
      VkVideoEncodeSessionParametersFeedbackInfoKHR *feedback, size_t *size_B_out)
{
    const VkVideoEncodeH264SessionParametersGetInfoKHR *get =
        rp_find_struct(chain, VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_PARAMETERS_GET_INFO_KHR);
    if (!get)
        return false;

    VkVideoEncodeH264SessionParametersFeedbackInfoKHR overrides = {0};
    *size_B_out = write_sets(rp_h264_parameters_of(params), get, dst, capacity_B, &overrides);
    write_feedback(feedback, &overrides);
    return true;
}

const struct rp_video_parameters_ops rp_h264_parameters_ops = {
    .create = create,
    .destroy = destroy,
    .update = update,
    .write = write,
};

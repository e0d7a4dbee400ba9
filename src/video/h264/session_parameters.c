/* SPDX-License-Identifier: MIT */
/* H.264 parameter sets of encode and decode sessions alike: from the structures of an application
 * to video/h264/parameters.h, and, as the encoder writes them, back.
 */
#include "util/compiler.h"
#include "util/pnext.h"
#include "video/h264/parameters.h"
#include "video/h264/writer.h"
#include "video/profile.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* Encode and decode have structures of their own, with the same members in the same places: both
 * are copied into those of encode. */
#define IS_ALIKE(name, member) \
    (sizeof(VkVideoEncodeH264SessionParameters##name##KHR) == \
         sizeof(VkVideoDecodeH264SessionParameters##name##KHR) && \
     offsetof(VkVideoEncodeH264SessionParameters##name##KHR, member) == \
         offsetof(VkVideoDecodeH264SessionParameters##name##KHR, member))
static_assert(IS_ALIKE(AddInfo, stdSPSCount) && IS_ALIKE(AddInfo, pStdSPSs) &&
                  IS_ALIKE(AddInfo, stdPPSCount) && IS_ALIKE(AddInfo, pStdPPSs),
              "the add infos are alike");
static_assert(IS_ALIKE(CreateInfo, maxStdSPSCount) && IS_ALIKE(CreateInfo, maxStdPPSCount) &&
                  IS_ALIKE(CreateInfo, pParametersAddInfo),
              "the create infos are alike");

/* add_info: of encode or decode, or NULL. */
static struct rp_h264_parameter_sets
read_sets(const void *add_info)
{
    VkVideoEncodeH264SessionParametersAddInfoKHR add = {0};
    if (add_info)
        memcpy(&add, add_info, sizeof(add));
    return (struct rp_h264_parameter_sets){
        .sps = add.pStdSPSs,
        .sps_count = add.pStdSPSs ? add.stdSPSCount : 0,
        .pps = add.pStdPPSs,
        .pps_count = add.pStdPPSs ? add.stdPPSCount : 0,
    };
}

static void
read_create_info(const void *chain, struct rp_h264_parameters_info *out)
{
    const void *create_info = rp_find_struct(
        chain, out->is_encode
                   ? VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_PARAMETERS_CREATE_INFO_KHR
                   : VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_SESSION_PARAMETERS_CREATE_INFO_KHR);
    VkVideoEncodeH264SessionParametersCreateInfoKHR h264 = {0};
    if (create_info)
        memcpy(&h264, create_info, sizeof(h264));
    out->max_sps_count = h264.maxStdSPSCount;
    out->max_pps_count = h264.maxStdPPSCount;
    out->sets = read_sets(h264.pParametersAddInfo);
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
    read_create_info(info->chain, &h264);

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
    const struct rp_h264_parameter_sets sets = read_sets(rp_find_struct(
        chain, rp_h264_parameters_is_encode(h264_of(params))
                   ? VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_PARAMETERS_ADD_INFO_KHR
                   : VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_SESSION_PARAMETERS_ADD_INFO_KHR));
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

/* SPDX-License-Identifier: MIT */
/* Video session parameters: H.264 parameter sets of encode and decode sessions alike.
 */
#include "object/device.h"
#include "object/video_session.h"
#include "util/log.h"
#include "util/pnext.h"
#include "video/h264/parameters.h"
#include "video/h264/writer.h"

#include "rp_entrypoints.h"

#include <string.h>

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
    out->is_encode = true;
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

VKAPI_ATTR VkResult VKAPI_CALL
rp_CreateVideoSessionParametersKHR(VkDevice device,
                                   const VkVideoSessionParametersCreateInfoKHR *info,
                                   const VkAllocationCallbacks *alloc,
                                   VkVideoSessionParametersKHR *out)
{
    struct rp_device *dev = rp_device_from_handle(device);
    struct rp_video_session *vs = rp_video_session_from_handle(info->videoSession);
    const struct rp_video_session_parameters *template =
        rp_video_session_parameters_from_handle(info->videoSessionParametersTemplate);

    struct rp_h264_parameters_info h264 = {.template = template ? template->h264 : NULL};
    if (rp_video_profile_is_encode(&vs->profile))
        read_encode_info(info->pNext, &h264);
    else
        read_decode_info(info->pNext, &h264);
    h264.profile_idc = vs->profile.h264_profile_idc;
    h264.max_level_idc = vs->max_level_idc;

    struct rp_video_session_parameters *params =
        rp_object_zalloc(dev, alloc, sizeof(*params), VK_OBJECT_TYPE_VIDEO_SESSION_PARAMETERS_KHR);
    if (!params)
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);
    params->session = vs;
    const VkResult result =
        rp_h264_parameters_create(rp_callbacks(dev, alloc), &h264, &params->h264);
    if (result != VK_SUCCESS) {
        rp_object_free(dev, alloc, params);
        return result;
    }
    if (RP_UNLIKELY(dev->quirks) && !rp_video_profile_is_encode(&vs->profile))
        dev->quirks->ops->begin_picture(dev->quirks, 0, 0);
    *out = rp_video_session_parameters_to_handle(params);
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_UpdateVideoSessionParametersKHR(VkDevice device, VkVideoSessionParametersKHR handle,
                                   const VkVideoSessionParametersUpdateInfoKHR *info)
{
    struct rp_video_session_parameters *params = rp_video_session_parameters_from_handle(handle);
    const struct rp_h264_parameter_sets sets =
        rp_video_profile_is_encode(&params->session->profile)
            ? sets_of_encode(rp_find_struct(
                  info->pNext, VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_PARAMETERS_ADD_INFO_KHR))
            : sets_of_decode(rp_find_struct(
                  info->pNext,
                  VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_SESSION_PARAMETERS_ADD_INFO_KHR));
    /* updateSequenceCount is not looked at: Khronos' Vulkan-Video-Samples leave it at 0. */
    return rp_h264_parameters_update(params->h264, &sets);
}

VKAPI_ATTR void VKAPI_CALL
rp_DestroyVideoSessionParametersKHR(VkDevice device, VkVideoSessionParametersKHR handle,
                                    const VkAllocationCallbacks *alloc)
{
    struct rp_video_session_parameters *params = rp_video_session_parameters_from_handle(handle);
    if (!params)
        return;
    rp_h264_parameters_unref(params->h264);
    rp_object_free(rp_device_from_handle(device), alloc, params);
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

VKAPI_ATTR VkResult VKAPI_CALL
rp_GetEncodedVideoSessionParametersKHR(VkDevice device,
                                       const VkVideoEncodeSessionParametersGetInfoKHR *info,
                                       VkVideoEncodeSessionParametersFeedbackInfoKHR *feedback,
                                       size_t *size_B, void *data)
{
    const struct rp_video_session_parameters *params =
        rp_video_session_parameters_from_handle(info->videoSessionParameters);
    const VkVideoEncodeH264SessionParametersGetInfoKHR *get = rp_find_struct(
        info->pNext, VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_PARAMETERS_GET_INFO_KHR);
    if (!get)
        return rp_error(rp_device_from_handle(device), VK_ERROR_UNKNOWN);

    /* *size_B means nothing when there is no data (a client leaves it as it was). */
    uint8_t nothing;
    VkVideoEncodeH264SessionParametersFeedbackInfoKHR overrides = {0};
    const size_t needed_B = write_sets(params->h264, get, &nothing, 0, &overrides);

    write_feedback(feedback, &overrides);
    if (data && needed_B > *size_B) {
        *size_B = 0; /* and no data at all */
        return VK_INCOMPLETE;
    }
    if (data)
        (void)write_sets(params->h264, get, data, needed_B, &overrides);
    *size_B = needed_B;
    return VK_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
/* Video session parameters: parameter sets, as the session's standard keeps them.
 */
#include "object/capture.h"
#include "object/device.h"
#include "object/video_session.h"
#include "util/log.h"
#include "video/parameters.h"
#include "video/standard.h"

#include "rp_entrypoints.h"

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

    const struct rp_video_parameters_info sets = {
        .profile = &vs->profile,
        .max_level = vs->max_level,
        .template = template ? template->sets : NULL,
        .has_quantization_maps =
            info->flags & VK_VIDEO_SESSION_PARAMETERS_CREATE_QUANTIZATION_MAP_COMPATIBLE_BIT_KHR,
        .may_optimize =
            vs->flags & VK_VIDEO_SESSION_CREATE_ALLOW_ENCODE_PARAMETER_OPTIMIZATIONS_BIT_KHR,
        .max_coded_extent = vs->max_coded_extent,
        .chain = info->pNext,
    };
    struct rp_video_session_parameters *params =
        rp_object_zalloc(dev, alloc, sizeof(*params), VK_OBJECT_TYPE_VIDEO_SESSION_PARAMETERS_KHR);
    if (!params)
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);
    params->session = vs;
    const VkResult result =
        vs->profile.standard->parameters->create(rp_callbacks(dev, alloc), &sets, &params->sets);
    if (result != VK_SUCCESS) {
        rp_object_free(dev, alloc, params);
        return rp_error(dev, result);
    }
    if (RP_UNLIKELY(dev->quirks) && !rp_video_profile_is_encode(&vs->profile))
        dev->quirks->ops->begin_picture(dev->quirks, 0, 0);
    rp_capture_created(dev, &params->base, info);
    *out = rp_video_session_parameters_to_handle(params);
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_UpdateVideoSessionParametersKHR(VkDevice device, VkVideoSessionParametersKHR handle,
                                   const VkVideoSessionParametersUpdateInfoKHR *info)
{
    struct rp_video_session_parameters *params = rp_video_session_parameters_from_handle(handle);
    /* updateSequenceCount is not looked at: Khronos' Vulkan-Video-Samples leave it at 0. */
    const VkResult result = params->sets->ops->update(params->sets, info->pNext);
    if (result == VK_SUCCESS)
        rp_capture_changed(params->base.dev, &params->base, info);
    return result == VK_SUCCESS ? result : rp_error(rp_device_from_handle(device), result);
}

VKAPI_ATTR void VKAPI_CALL
rp_DestroyVideoSessionParametersKHR(VkDevice device, VkVideoSessionParametersKHR handle,
                                    const VkAllocationCallbacks *alloc)
{
    struct rp_video_session_parameters *params = rp_video_session_parameters_from_handle(handle);
    if (!params)
        return;
    rp_video_parameters_unref(params->sets);
    rp_object_free(rp_device_from_handle(device), alloc, params);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_GetEncodedVideoSessionParametersKHR(VkDevice device,
                                       const VkVideoEncodeSessionParametersGetInfoKHR *info,
                                       VkVideoEncodeSessionParametersFeedbackInfoKHR *feedback,
                                       size_t *size_B, void *data)
{
    const struct rp_video_session_parameters *params =
        rp_video_session_parameters_from_handle(info->videoSessionParameters);
    const struct rp_video_parameters *sets = params->sets;

    /* *size_B means nothing when there is no data (a client leaves it as it was). */
    uint8_t nothing;
    size_t needed_B;
    if (!sets->ops->write || !sets->ops->write(sets, info->pNext, &nothing, 0, feedback, &needed_B))
        return rp_error(rp_device_from_handle(device), VK_ERROR_UNKNOWN);
    if (data && needed_B > *size_B) {
        *size_B = 0; /* and no data at all */
        return VK_INCOMPLETE;
    }
    if (data)
        (void)sets->ops->write(sets, info->pNext, data, needed_B, NULL, &needed_B);
    *size_B = needed_B;
    return VK_SUCCESS;
}

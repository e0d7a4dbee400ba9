/* SPDX-License-Identifier: MIT */
/* Video sessions. They ask for 64 bytes of device memory, because clients bind some, and do not use
 * it: what a picture needs is made when it comes.
 */
#include "object/video_session.h"

#include "object/capture.h"
#include "object/device.h"
#include "reelpipe/workers.h"
#include "util/log.h"
#include "util/pnext.h"
#include "video/decode/engine.h"
#include "video/encode/engine.h"
#include "video/encode/standard.h"
#include "video/formats.h"
#include "video/standard.h"

#include "rp_entrypoints.h"

#include <string.h>

#define UNUSED_MEMORY_B 64

#define OVERLAP_IDS ((1u << 24) - 1)

static bool
format_is_known(VkFormat format, VkImageUsageFlags usage, const struct rp_video_profile *profile)
{
    uint32_t count;
    const struct rp_video_format *formats = rp_video_formats(&count);
    for (uint32_t i = 0; i < count; i++) {
        if (formats[i].format == format && rp_video_format_usages(&formats[i], profile) & usage)
            return true;
    }
    return false;
}

static bool
header_version_is_known(const VkExtensionProperties *version, const char *name,
                        uint32_t spec_version)
{
    return strncmp(version->extensionName, name, VK_MAX_EXTENSION_NAME_SIZE) == 0 &&
           version->specVersion <= spec_version;
}

/* What sessions of both kinds have to be. Khronos' Vulkan-Video-Samples ask for one slot
 * more than the capabilities say: nothing is sized by it. */
static VkResult
session_check(const struct rp_device *dev, const VkVideoSessionCreateInfoKHR *info,
              const struct rp_video_profile *profile)
{
    const struct rp_video_standard *standard = profile->standard;
    const bool is_encode = rp_video_profile_is_encode(profile);
    const VkImageUsageFlags picture_usage = is_encode ? VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR
                                                      : VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR;
    const VkImageUsageFlags reference_usage = is_encode ? VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR
                                                        : VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR;

    if (!header_version_is_known(info->pStdHeaderVersion, standard->header_name,
                                 standard->header_version))
        return rp_error(dev, VK_ERROR_VIDEO_STD_VERSION_NOT_SUPPORTED_KHR);
    if (!standard->extent_is_valid(info->maxCodedExtent) ||
        !format_is_known(info->pictureFormat, picture_usage, profile) ||
        (info->maxDpbSlots > 0 &&
         !format_is_known(info->referencePictureFormat, reference_usage, profile)) ||
        info->maxDpbSlots > standard->max_dpb_slots + 1)
        return rp_error(dev, VK_ERROR_INITIALIZATION_FAILED);
    return VK_SUCCESS;
}

static VkResult
session_create_encode(struct rp_device *dev, const VkVideoSessionCreateInfoKHR *info,
                      struct rp_video_session *vs)
{
    const struct rp_video_standard *standard = vs->profile.standard;
    if (info->maxActiveReferencePictures > standard->max_dpb_slots + 1)
        return rp_error(dev, VK_ERROR_INITIALIZATION_FAILED);
    vs->max_level = standard->encode->max_level(info->pNext);

    const VkVideoEncodeSessionIntraRefreshCreateInfoKHR *refresh = rp_find_struct(
        info->pNext, VK_STRUCTURE_TYPE_VIDEO_ENCODE_SESSION_INTRA_REFRESH_CREATE_INFO_KHR);
    struct rp_encode_caps caps;
    standard->encode->get_caps(&vs->profile, &caps);
    if (refresh && refresh->intraRefreshMode & ~caps.refresh_modes)
        return rp_error(dev, VK_ERROR_INITIALIZATION_FAILED);
    if (refresh)
        vs->intra_refresh_mode = refresh->intraRefreshMode;

    struct rp_rgb_conversion rgb;
    const VkVideoEncodeSessionRgbConversionCreateInfoVALVE *conversion = rp_find_struct(
        info->pNext, VK_STRUCTURE_TYPE_VIDEO_ENCODE_SESSION_RGB_CONVERSION_CREATE_INFO_VALVE);
    const uint32_t bit_depth =
        vs->profile.bit_depth == VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR ? 10 : 8;
    if (vs->profile.has_rgb_conversion && !rp_rgb_conversion_init(&rgb, conversion, bit_depth))
        return rp_error(dev, VK_ERROR_INITIALIZATION_FAILED);

    vs->encode = rp_video_encode_create(&(struct rp_video_encode_info){
        .standard = standard->encode,
        .codec = vs->profile.encode_codec,
        .workers = dev->workers,
        .max_dpb_slots = info->maxDpbSlots,
        .rgb = vs->profile.has_rgb_conversion ? &rgb : NULL,
    });
    const uint64_t number = atomic_fetch_add(&dev->next_encode_session, 1);
    vs->id = 1 + number;
    vs->overlap_id = 1 + (uint32_t)(number % OVERLAP_IDS);
    return vs->encode ? VK_SUCCESS : rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);
}

static VkResult
session_create_decode(struct rp_device *dev, struct rp_video_session *vs)
{
    enum rp_codec_status status;
    vs->decode = rp_video_decode_create(vs->profile.standard->decode, vs->profile.decode_codec,
                                        rp_workers_thread_count(dev->workers), &status);
    if (vs->decode)
        return VK_SUCCESS;
    return rp_error(dev, status == RP_CODEC_NO_MEMORY ? VK_ERROR_OUT_OF_HOST_MEMORY
                                                      : VK_ERROR_INITIALIZATION_FAILED);
}

static void
session_destroy(struct rp_device *dev, const VkAllocationCallbacks *alloc,
                struct rp_video_session *vs)
{
    if (!vs)
        return;
    if (RP_UNLIKELY(dev->quirks))
        dev->quirks->ops->forget_session(dev->quirks, (uintptr_t)vs);
    rp_video_encode_destroy(vs->encode);
    rp_video_decode_destroy(vs->decode);
    rp_object_free(dev, alloc, vs);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_CreateVideoSessionKHR(VkDevice device, const VkVideoSessionCreateInfoKHR *info,
                         const VkAllocationCallbacks *alloc, VkVideoSessionKHR *out)
{
    struct rp_device *dev = rp_device_from_handle(device);
    struct rp_video_profile profile;
    if (rp_video_profile_parse(&dev->physical_device->video, info->pVideoProfile, &profile) !=
        VK_SUCCESS)
        return rp_error(dev, VK_ERROR_INITIALIZATION_FAILED);

    struct rp_video_session *vs =
        rp_object_zalloc(dev, alloc, sizeof(*vs), VK_OBJECT_TYPE_VIDEO_SESSION_KHR);
    if (!vs)
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);

    vs->profile = profile;
    vs->flags = info->flags;
    vs->max_coded_extent = info->maxCodedExtent;
    VkResult result = session_check(dev, info, &profile);
    if (result == VK_SUCCESS)
        result = rp_video_profile_is_encode(&profile) ? session_create_encode(dev, info, vs)
                                                      : session_create_decode(dev, vs);
    if (result != VK_SUCCESS) {
        session_destroy(dev, alloc, vs);
        return result;
    }
    rp_capture_created(dev, &vs->base, info);
    *out = rp_video_session_to_handle(vs);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
rp_DestroyVideoSessionKHR(VkDevice device, VkVideoSessionKHR handle,
                          const VkAllocationCallbacks *alloc)
{
    session_destroy(rp_device_from_handle(device), alloc, rp_video_session_from_handle(handle));
}

/* A session keeps all that it has by itself, and lets alone what is bound to it. But clients bind
 * what they are told to without looking how many that are, and
 * VUID-vkBindVideoSessionMemoryKHR-bindSessionMemoryInfoCount-arraylength forbids none. */
VKAPI_ATTR VkResult VKAPI_CALL
rp_GetVideoSessionMemoryRequirementsKHR(VkDevice device, VkVideoSessionKHR handle, uint32_t *count,
                                        VkVideoSessionMemoryRequirementsKHR *requirements)
{
    if (requirements && *count == 0)
        return VK_INCOMPLETE;
    if (requirements) {
        requirements->memoryBindIndex = 0;
        requirements->memoryRequirements = (VkMemoryRequirements){
            .size = UNUSED_MEMORY_B,
            .alignment = UNUSED_MEMORY_B,
            .memoryTypeBits = 1,
        };
    }
    *count = 1;
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_BindVideoSessionMemoryKHR(VkDevice device, VkVideoSessionKHR handle, uint32_t count,
                             const VkBindVideoSessionMemoryInfoKHR *infos)
{
    return VK_SUCCESS;
}

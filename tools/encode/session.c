/* SPDX-License-Identifier: MIT */
/* Making a video session, in the order in which Vulkan wants to be asked. */
#include "tools/encode/session.h"

#include <stdlib.h>

static uint32_t
min_u32(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void
profile_init(struct encoder *enc)
{
    const struct encode_codec *codec = enc->settings.codec;
    struct profile *profile = &enc->profile;

    profile->usage = (VkVideoEncodeUsageInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_USAGE_INFO_KHR,
    };
    codec->profile_init(enc);
    profile->info = video_profile(codec->work.codec_operations, &profile->codec);
    if (enc->settings.bit_depth > 8) {
        profile->info.lumaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR;
        profile->info.chromaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR;
    }
    profile->list = video_profile_list(&profile->info);
}

static void
capabilities_get(struct encoder *enc)
{
    struct capabilities *caps = &enc->caps;
    VkResult result;

    enc->settings.codec->capabilities_init(caps);
    caps->encode = (VkVideoEncodeCapabilitiesKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_CAPABILITIES_KHR,
        .pNext = &caps->codec,
    };
    caps->video = (VkVideoCapabilitiesKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_CAPABILITIES_KHR,
        .pNext = &caps->encode,
    };
    result = enc->gpu->vk.GetPhysicalDeviceVideoCapabilitiesKHR(enc->gpu->physical_device,
                                                                &enc->profile.info, &caps->video);
    if (result == VK_ERROR_VIDEO_PROFILE_OPERATION_NOT_SUPPORTED_KHR ||
        result == VK_ERROR_VIDEO_PROFILE_FORMAT_NOT_SUPPORTED_KHR ||
        result == VK_ERROR_VIDEO_PROFILE_CODEC_NOT_SUPPORTED_KHR)
        die("the device does not have this profile of --codec %s with %u bits",
            enc->settings.codec->name, enc->settings.bit_depth);
    vk_check(result, "vkGetPhysicalDeviceVideoCapabilitiesKHR");
}

/* The active references of a picture. */
static uint32_t
active_refs(const struct encoder_settings *settings)
{
    return settings->b_frames > 0 && settings->refs < 2 ? 2 : settings->refs;
}

/* A group that is too short for B pictures has fewer. References of P pictures give way. */
static void
b_frames_check(struct encoder *enc)
{
    struct encoder_settings *settings = &enc->settings;
    const uint32_t slots = min_u32(enc->caps.video.maxDpbSlots, settings->codec->max_slots);

    if (settings->gop > 0)
        settings->b_frames = min_u32(settings->b_frames, settings->gop - 1);
    if (settings->b_frames == 0)
        return;
    if (!settings->codec->has_b_pictures)
        die("--codec %s encodes no B pictures", settings->codec->name);
    while (settings->refs > 1 && gop_slots(settings->refs, settings->b_frames) > slots)
        settings->refs--;
    if (gop_slots(settings->refs, settings->b_frames) > slots ||
        active_refs(settings) > enc->caps.video.maxActiveReferencePictures)
        die("%u B pictures in a row need more references than there are", settings->b_frames);
}

/* Ends the program for what cannot be had; lowers what is a wish. */
static void
settings_check(struct encoder *enc)
{
    struct encoder_settings *settings = &enc->settings;
    const struct capabilities *caps = &enc->caps;
    const VkExtent2D min = caps->video.minCodedExtent;
    const VkExtent2D max = caps->video.maxCodedExtent;

    if (settings->width_px < min.width || settings->height_px < min.height ||
        settings->width_px > max.width || settings->height_px > max.height)
        die("%ux%u is outside %ux%u to %ux%u", settings->width_px, settings->height_px, min.width,
            min.height, max.width, max.height);
    if (!(caps->encode.rateControlModes & settings->rate_mode))
        die("the device does not have this rate control mode for this codec");
    if (settings->quality_level >= caps->encode.maxQualityLevels)
        die("quality level %u: the device has 0 to %u", settings->quality_level,
            caps->encode.maxQualityLevels - 1);
    if (settings->bitrate_bps > caps->encode.maxBitrate)
        die("the device encodes up to %llu bit/s", (unsigned long long)caps->encode.maxBitrate);
    settings->codec->settings_check(enc);
    settings->refs = min_u32(settings->refs, GOP_MAX_REFS);
    settings->refs = min_u32(settings->refs, caps->video.maxActiveReferencePictures);
    settings->refs = min_u32(settings->refs, caps->video.maxDpbSlots - 1);
    if (settings->refs == 0) {
        settings->refs = 1;
        settings->gop = 1;
    }
    b_frames_check(enc);
    if (settings->reconstructed)
        settings->in_flight = 1;
}

/* Whether the device has wanted for images of that usage; sets *out to it, else to the first. */
static bool
format_find(struct encoder *enc, VkImageUsageFlags usage, VkFormat wanted, VkFormat *out)
{
    struct video_formats formats;
    const VkResult result =
        video_formats_get(enc->gpu->vk.GetPhysicalDeviceVideoFormatPropertiesKHR,
                          enc->gpu->physical_device, &enc->profile.info, usage, &formats);

    if (result != VK_INCOMPLETE)
        vk_check(result, "vkGetPhysicalDeviceVideoFormatPropertiesKHR");
    if (formats.count == 0)
        die("the device has no picture format for this use");
    *out = formats.properties[0].format;
    for (uint32_t i = 0; i < formats.count; i++) {
        if (formats.properties[i].format == wanted &&
            formats.properties[i].imageTiling == VK_IMAGE_TILING_OPTIMAL) {
            *out = wanted;
            return true;
        }
    }
    return false;
}

static void
formats_choose(struct encoder *enc)
{
    const VkImageUsageFlags readable =
        enc->settings.reconstructed ? VK_IMAGE_USAGE_TRANSFER_SRC_BIT : 0;
    VkFormat format;

    if (!format_find(enc, VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                     enc->settings.format, &format))
        die("the device does not encode from this picture format");
    format_find(enc, VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR | readable,
                enc->settings.bit_depth > 8 ? VK_FORMAT_G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16
                                            : VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
                &enc->dpb_format);
}

static void
rate_control_init(struct encoder *enc)
{
    const struct encoder_settings *settings = &enc->settings;
    struct rate_control *rate = &enc->rate;

    rate->info = (VkVideoEncodeRateControlInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_RATE_CONTROL_INFO_KHR,
        .rateControlMode = settings->rate_mode,
    };
    if (settings->rate_mode == VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR)
        return;
    rate->layer = (VkVideoEncodeRateControlLayerInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_RATE_CONTROL_LAYER_INFO_KHR,
        .averageBitrate = settings->bitrate_bps,
        .maxBitrate = settings->max_bitrate_bps,
        .frameRateNumerator = settings->fps_numerator,
        .frameRateDenominator = settings->fps_denominator,
    };
    settings->codec->rate_init(enc);
    rate->info.pNext = &rate->codec;
    rate->info.layerCount = 1;
    rate->info.pLayers = &rate->layer;
    rate->info.virtualBufferSizeInMs = settings->virtual_buffer_ms;
    rate->info.initialVirtualBufferSizeInMs = settings->virtual_buffer_ms * 3 / 4;
}

static void
parameters_create(struct encoder *enc)
{
    const VkVideoEncodeQualityLevelInfoKHR quality = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUALITY_LEVEL_INFO_KHR,
        .qualityLevel = enc->settings.quality_level,
    };

    enc->settings.codec->parameters_create(enc, &quality);
}

/* The driver writes the parameter sets: it may have changed what it was given. */
static void
header_get(struct encoder *enc)
{
    const struct video_device *device = &enc->gpu->video;
    const void *chain = enc->settings.codec->parameters_get;

    vk_check(video_parameters_encoded(device, enc->parameters, chain, NULL, &enc->header_B, NULL),
             "vkGetEncodedVideoSessionParametersKHR");
    enc->header = malloc(enc->header_B + 1);
    if (!enc->header)
        die("out of memory");
    vk_check(
        video_parameters_encoded(device, enc->parameters, chain, NULL, &enc->header_B, enc->header),
        "vkGetEncodedVideoSessionParametersKHR");
}

void
session_create(struct encoder *enc)
{
    VkVideoSessionCreateInfoKHR info;

    profile_init(enc);
    capabilities_get(enc);
    settings_check(enc);
    formats_choose(enc);
    enc->slot_count = gop_slots(enc->settings.refs, enc->settings.b_frames);
    info = (VkVideoSessionCreateInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_CREATE_INFO_KHR,
        .queueFamilyIndex = enc->gpu->family,
        .pVideoProfile = &enc->profile.info,
        .pictureFormat = enc->settings.format,
        .maxCodedExtent = encoder_extent(enc),
        .referencePictureFormat = enc->dpb_format,
        .maxDpbSlots = enc->slot_count,
        .maxActiveReferencePictures = active_refs(&enc->settings),
        .pStdHeaderVersion = &enc->caps.video.stdHeaderVersion,
    };
    if (enc->settings.has_largest_session) {
        info.maxCodedExtent = enc->caps.video.maxCodedExtent;
        info.maxDpbSlots = enc->caps.video.maxDpbSlots;
        info.maxActiveReferencePictures = enc->caps.video.maxActiveReferencePictures;
    }
    vk_check(video_session_create(&enc->gpu->video, &info, &enc->session),
             "making a video session");
    rate_control_init(enc);
    parameters_create(enc);
    header_get(enc);
}

void
session_destroy(struct encoder *enc)
{
    const struct video_device *device = &enc->gpu->video;

    device->DestroyVideoSessionParametersKHR(device->handle, enc->parameters, NULL);
    video_session_destroy(device, &enc->session);
    free(enc->header);
}

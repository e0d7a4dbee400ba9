/* SPDX-License-Identifier: MIT */
#include "av1_application_state.h"

#include "tests/codec_aom/judge.h"

#include <stdlib.h>

#define MAP_TEXEL_PX 16u

static VkFormat
format_of(const struct av1_application *app)
{
    return app->options.bit_depth > 8 ? VK_FORMAT_G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16
                                      : VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
}

static bool
set_profile(struct av1_application *app)
{
    app->av1_profile = (VkVideoEncodeAV1ProfileInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_PROFILE_INFO_KHR,
        .stdProfile = STD_VIDEO_AV1_PROFILE_MAIN,
    };
    app->rgb_profile = (VkVideoEncodeProfileRgbConversionInfoVALVE){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_PROFILE_RGB_CONVERSION_INFO_VALVE,
        .performEncodeRgbConversion = VK_TRUE,
    };
    if (app->options.rgb)
        app->av1_profile.pNext = &app->rgb_profile;
    app->profile = video_profile(VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR, &app->av1_profile);
    if (app->options.bit_depth > 8)
        app->profile.lumaBitDepth = app->profile.chromaBitDepth =
            VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR;
    app->profiles = video_profile_list(&app->profile);

    VkVideoEncodeAV1CapabilitiesKHR av1 = {.sType =
                                               VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_CAPABILITIES_KHR};
    VkVideoEncodeCapabilitiesKHR encode = {.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_CAPABILITIES_KHR,
                                           .pNext = &av1};
    VkVideoCapabilitiesKHR caps = {.sType = VK_STRUCTURE_TYPE_VIDEO_CAPABILITIES_KHR,
                                   .pNext = &encode};
    return vkGetPhysicalDeviceVideoCapabilitiesKHR(app->vk->pdev, &app->profile, &caps) ==
           VK_SUCCESS;
}

static void
create_session(struct av1_application *app)
{
    const struct av1_application_options *o = &app->options;
    const VkVideoEncodeSessionIntraRefreshCreateInfoKHR refresh = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_SESSION_INTRA_REFRESH_CREATE_INFO_KHR,
        .intraRefreshMode = o->refresh_mode,
    };
    CHECK(video_session_create(
        &app->vk->video,
        &(VkVideoSessionCreateInfoKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_CREATE_INFO_KHR,
            .pNext = o->rgb ? (const void *)o->rgb : &refresh,
            .queueFamilyIndex = app->vk->encode_family,
            .flags = o->map_format
                         ? VK_VIDEO_SESSION_CREATE_ALLOW_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR
                         : 0,
            .pVideoProfile = &app->profile,
            .pictureFormat = o->rgb ? o->rgb_format : format_of(app),
            .maxCodedExtent = {o->width_px, o->height_px},
            .referencePictureFormat = format_of(app),
            .maxDpbSlots = AV1_SLOTS,
            .maxActiveReferencePictures = AV1_NAMES,
            .pStdHeaderVersion = video_std_version(app->profile.videoCodecOperation)},
        &app->session));
}

static void
create_parameters(struct av1_application *app)
{
    const struct av1_application_options *o = &app->options;
    const StdVideoAV1ColorConfig color = {
        .flags.separate_uv_delta_q = o->has_separate_uv_deltas,
        .BitDepth = (uint8_t)o->bit_depth,
        .subsampling_x = 1,
        .subsampling_y = 1,
        .color_primaries = STD_VIDEO_AV1_COLOR_PRIMARIES_UNSPECIFIED,
        .transfer_characteristics = STD_VIDEO_AV1_TRANSFER_CHARACTERISTICS_UNSPECIFIED,
        .matrix_coefficients = STD_VIDEO_AV1_MATRIX_COEFFICIENTS_UNSPECIFIED,
    };
    const StdVideoAV1TimingInfo timing = {.num_units_in_display_tick = 1, .time_scale = 30};
    const StdVideoEncodeAV1DecoderModelInfo model = {
        .buffer_delay_length_minus_1 = 15,
        .buffer_removal_time_length_minus_1 = 15,
        .frame_presentation_time_length_minus_1 = 31,
        .num_units_in_decoding_tick = 1,
    };
    const StdVideoEncodeAV1OperatingPointInfo point = {
        .flags.decoder_model_present_for_this_op = 1,
        .seq_level_idx = STD_VIDEO_AV1_LEVEL_6_3,
        .decoder_buffer_delay = 100,
        .encoder_buffer_delay = 100,
    };
    const StdVideoAV1SequenceHeader sequence = {
        .flags = o->tools,
        .delta_frame_id_length_minus_2 = 6,
        .additional_frame_id_length_minus_1 = 7,
        .pTimingInfo = o->tools.timing_info_present_flag ? &timing : NULL,
        .frame_width_bits_minus_1 = 15,
        .frame_height_bits_minus_1 = 15,
        .max_frame_width_minus_1 = (uint16_t)(o->width_px - 1),
        .max_frame_height_minus_1 = (uint16_t)(o->height_px - 1),
        .order_hint_bits_minus_1 = 7,
        .seq_force_integer_mv = STD_VIDEO_AV1_SELECT_INTEGER_MV,
        .seq_force_screen_content_tools = STD_VIDEO_AV1_SELECT_SCREEN_CONTENT_TOOLS,
        .pColorConfig = &color,
    };
    VkVideoEncodeQuantizationMapSessionParametersCreateInfoKHR map = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUANTIZATION_MAP_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .quantizationMapTexelSize = {MAP_TEXEL_PX, MAP_TEXEL_PX},
    };
    const VkVideoEncodeAV1SessionParametersCreateInfoKHR av1 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .pNext = o->map_format ? &map : NULL,
        .pStdSequenceHeader = &sequence,
        .pStdDecoderModelInfo = o->tools.timing_info_present_flag ? &model : NULL,
        .stdOperatingPointCount = o->tools.timing_info_present_flag ? 1 : 0,
        .pStdOperatingPoints = o->tools.timing_info_present_flag ? &point : NULL,
    };
    CHECK(video_parameters_create(
        &app->vk->video, app->session.handle,
        o->map_format ? VK_VIDEO_SESSION_PARAMETERS_CREATE_QUANTIZATION_MAP_COMPATIBLE_BIT_KHR : 0,
        &av1, &app->parameters));
}

/* The sequence header as the driver writes it. */
static void
read_sequence(struct av1_application *app)
{
    VkVideoEncodeSessionParametersFeedbackInfoKHR feedback = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_SESSION_PARAMETERS_FEEDBACK_INFO_KHR};
    app->sequence_B = sizeof(app->sequence);
    CHECK(video_parameters_encoded(&app->vk->video, app->parameters, NULL, &feedback,
                                   &app->sequence_B, app->sequence));
    app->has_sequence_overrides = feedback.hasOverrides;
}

static struct vk_image
create_image(struct av1_application *app, VkFormat format, uint32_t texel_px,
             VkImageUsageFlags usage)
{
    return vk_image_create(app->vk,
                           &(struct vk_image_info){
                               .format = format,
                               .width_px = (app->image_width_px + texel_px - 1) / texel_px,
                               .height_px = (app->image_height_px + texel_px - 1) / texel_px,
                               .layer_count = 1,
                               .tiling = VK_IMAGE_TILING_OPTIMAL,
                               .usage = usage,
                               .next = &app->profiles,
                           });
}

static void
create_resources(struct av1_application *app)
{
    const VkImageUsageFlags copied =
        VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    app->source = create_image(app, app->options.rgb ? app->options.rgb_format : format_of(app), 1,
                               VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR | copied);
    for (uint32_t i = 0; i < AV1_SLOTS; i++)
        app->dpb[i] = create_image(app, format_of(app), 1,
                                   VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR |
                                       (app->options.has_private_references ? 0 : copied));
    if (app->options.map_format)
        app->map =
            create_image(app, app->options.map_format, MAP_TEXEL_PX,
                         VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR | copied);
    app->staging =
        vk_buffer_create(app->vk, 4 * (VkDeviceSize)app->image_width_px * app->image_height_px,
                         VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT, NULL);
    app->bitstream = vk_buffer_create(app->vk, AV1_BITSTREAM_B,
                                      VK_BUFFER_USAGE_VIDEO_ENCODE_DST_BIT_KHR, &app->profiles);
    const VkQueryPoolVideoEncodePerPartitionFeedbackCreateInfoKHR partitions = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_VIDEO_ENCODE_PER_PARTITION_FEEDBACK_CREATE_INFO_KHR,
        .pNext = &app->profile,
        .maxPerPartitionFeedbackEntries = AV1_MAX_TILES,
        .perPartitionEncodeFeedbackFlags = 7, /* status, offset, bytes */
    };
    const VkQueryPoolVideoEncodeFeedbackCreateInfoKHR feedback = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_VIDEO_ENCODE_FEEDBACK_CREATE_INFO_KHR,
        .pNext = &partitions,
        .encodeFeedbackFlags = 0x3ff, /* all of VK_KHR_video_encode_feedback2 */
    };
    CHECK(vkCreateQueryPool(
        app->vk->dev,
        &(VkQueryPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                 .pNext = &feedback,
                                 .queryType = VK_QUERY_TYPE_VIDEO_ENCODE_FEEDBACK_KHR,
                                 .queryCount = 1},
        NULL, &app->queries));
}

struct av1_application *
av1_open(struct vk *vk, const struct av1_application_options *options)
{
    struct av1_application *app = calloc(1, sizeof(*app));
    REQUIRE(app);
    app->vk = vk;
    app->options = *options;
    app->image_width_px = (options->width_px + 1) & ~1u;
    app->image_height_px = (options->height_px + 1) & ~1u;
    if (!set_profile(app)) {
        free(app);
        return NULL;
    }
    create_session(app);
    create_parameters(app);
    read_sequence(app);
    create_resources(app);
    app->judge = judge_create();
    app->stream = malloc(AV1_STREAM_B);
    REQUIRE(app->stream);
    for (uint32_t i = 0; i < AV1_REFERENCES; i++)
        app->references[i].slot = -1;
    return app;
}

void
av1_close(struct av1_application *app)
{
    struct vk *vk = app->vk;
    judge_destroy(app->judge);
    vkDestroyQueryPool(vk->dev, app->queries, NULL);
    vk_buffer_destroy(vk, &app->staging);
    vk_buffer_destroy(vk, &app->bitstream);
    vk_image_destroy(vk, &app->source);
    if (app->options.map_format)
        vk_image_destroy(vk, &app->map);
    for (uint32_t i = 0; i < AV1_SLOTS; i++)
        vk_image_destroy(vk, &app->dpb[i]);
    vkDestroyVideoSessionParametersKHR(vk->dev, app->parameters, NULL);
    video_session_destroy(&vk->video, &app->session);
    for (uint32_t i = 0; i < AV1_REFERENCES; i++)
        free(app->references[i].shown);
    free(app->stream);
    free(app);
}

const uint8_t *
av1_stream(const struct av1_application *app, size_t *size_B)
{
    *size_B = app->stream_B;
    return app->stream;
}

bool
av1_has_sequence_overrides(const struct av1_application *app)
{
    return app->has_sequence_overrides;
}

bool
av1_has_cdef(const struct av1_application *app)
{
    return app->options.tools.enable_cdef;
}

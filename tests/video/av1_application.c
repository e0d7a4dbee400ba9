/* SPDX-License-Identifier: MIT */
#include "av1_application.h"

#include "content.h"

#include "tests/codec_aom/judge.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>

#define CHECK(call) REQUIRE_EQ((call), VK_SUCCESS)

#define REFERENCES STD_VIDEO_AV1_NUM_REF_FRAMES
#define NAMES STD_VIDEO_AV1_REFS_PER_FRAME
#define BITSTREAM_B (4u << 20)
#define STREAM_B (32u << 20)
#define MAP_TEXEL_PX 16u

/* One of a decoder's references. */
struct reference {
    int32_t slot;   /* -1: none */
    uint8_t *shown; /* planar, as the judge wants it */
    StdVideoAV1FrameType type;
    bool is_showable;
    uint8_t order_hint;
};

struct av1_application {
    struct vk *vk;
    struct av1_application_options options;
    VkVideoEncodeAV1ProfileInfoKHR av1_profile;
    VkVideoProfileInfoKHR profile;
    VkVideoProfileListInfoKHR profiles;
    struct video_session session;
    VkVideoSessionParametersKHR parameters;
    uint8_t sequence[256];
    size_t sequence_B;
    bool has_sequence_overrides;
    struct vk_image source;
    struct vk_image dpb[AV1_SLOTS];
    struct vk_image map;
    struct vk_buffer staging;
    struct vk_buffer bitstream;
    VkQueryPool queries;
    bool is_active[AV1_SLOTS];
    bool is_begun;
    struct judge *judge;
    struct reference references[REFERENCES];
    uint8_t *stream; /* of STREAM_B */
    size_t stream_B;
    size_t unit_at; /* in the stream: since a picture was shown */
    uint64_t size_B;
    uint32_t image_width_px; /* even */
    uint32_t image_height_px;
};

static size_t
planar_B(const struct av1_application *app)
{
    const struct av1_application_options *o = &app->options;
    const size_t chroma = (size_t)((o->width_px + 1) / 2) * ((o->height_px + 1) / 2);
    return ((size_t)o->width_px * o->height_px + 2 * chroma) * (o->bit_depth > 8 ? 2 : 1);
}

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
            .pNext = &refresh,
            .queueFamilyIndex = app->vk->encode_family,
            .flags = o->map_format
                         ? VK_VIDEO_SESSION_CREATE_ALLOW_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR
                         : 0,
            .pVideoProfile = &app->profile,
            .pictureFormat = format_of(app),
            .maxCodedExtent = {o->width_px, o->height_px},
            .referencePictureFormat = format_of(app),
            .maxDpbSlots = AV1_SLOTS,
            .maxActiveReferencePictures = NAMES,
            .pStdHeaderVersion = video_std_version(app->profile.videoCodecOperation)},
        &app->session));
}

static void
create_parameters(struct av1_application *app)
{
    const struct av1_application_options *o = &app->options;
    const StdVideoAV1ColorConfig color = {
        .BitDepth = (uint8_t)o->bit_depth,
        .subsampling_x = 1,
        .subsampling_y = 1,
        .color_primaries = STD_VIDEO_AV1_COLOR_PRIMARIES_UNSPECIFIED,
        .transfer_characteristics = STD_VIDEO_AV1_TRANSFER_CHARACTERISTICS_UNSPECIFIED,
        .matrix_coefficients = STD_VIDEO_AV1_MATRIX_COEFFICIENTS_UNSPECIFIED,
    };
    const StdVideoAV1SequenceHeader sequence = {
        .flags = o->tools,
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
    };
    CHECK(video_parameters_create(
        &app->vk->video, app->session.handle,
        o->map_format ? VK_VIDEO_SESSION_PARAMETERS_CREATE_QUANTIZATION_MAP_COMPATIBLE_BIT_KHR : 0,
        &av1, &app->parameters));

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
    return vk_image_create(
        app->vk,
        &(struct vk_image_info){
            .format = format,
            .width_px = (app->image_width_px + texel_px - 1) / texel_px,
            .height_px = (app->image_height_px + texel_px - 1) / texel_px,
            .layer_count = 1,
            .tiling = VK_IMAGE_TILING_OPTIMAL,
            .usage = usage | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
            .next = &app->profiles,
        });
}

static void
create_resources(struct av1_application *app)
{
    app->source = create_image(app, format_of(app), 1, VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR);
    for (uint32_t i = 0; i < AV1_SLOTS; i++)
        app->dpb[i] = create_image(app, format_of(app), 1, VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR);
    if (app->options.map_format)
        app->map = create_image(app, app->options.map_format, MAP_TEXEL_PX,
                                VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR);
    app->staging =
        vk_buffer_create(app->vk, 4 * (VkDeviceSize)app->image_width_px * app->image_height_px,
                         VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT, NULL);
    app->bitstream = vk_buffer_create(app->vk, BITSTREAM_B,
                                      VK_BUFFER_USAGE_VIDEO_ENCODE_DST_BIT_KHR, &app->profiles);
    const VkQueryPoolVideoEncodeFeedbackCreateInfoKHR feedback = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_VIDEO_ENCODE_FEEDBACK_CREATE_INFO_KHR,
        .pNext = &app->profile,
        .encodeFeedbackFlags = VK_VIDEO_ENCODE_FEEDBACK_BITSTREAM_BUFFER_OFFSET_BIT_KHR |
                               VK_VIDEO_ENCODE_FEEDBACK_BITSTREAM_BYTES_WRITTEN_BIT_KHR |
                               VK_VIDEO_ENCODE_FEEDBACK_BITSTREAM_HAS_OVERRIDES_BIT_KHR,
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
    create_resources(app);
    app->judge = judge_create();
    app->stream = malloc(STREAM_B);
    REQUIRE(app->stream);
    for (uint32_t i = 0; i < REFERENCES; i++)
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
    for (uint32_t i = 0; i < REFERENCES; i++)
        free(app->references[i].shown);
    free(app->stream);
    free(app);
}

void
av1_picture_init(struct av1_picture *pic, StdVideoAV1FrameType type, uint32_t order_hint,
                 bool is_shown)
{
    const bool is_intra =
        type == STD_VIDEO_AV1_FRAME_TYPE_KEY || type == STD_VIDEO_AV1_FRAME_TYPE_INTRA_ONLY;
    const bool is_shown_key = type == STD_VIDEO_AV1_FRAME_TYPE_KEY && is_shown;
    const bool is_whole = is_shown_key || type == STD_VIDEO_AV1_FRAME_TYPE_SWITCH;
    *pic = (struct av1_picture){
        .info =
            {
                .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_PICTURE_INFO_KHR,
                .predictionMode = is_intra
                                      ? VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_INTRA_ONLY_KHR
                                      : VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_SINGLE_REFERENCE_KHR,
                .rateControlGroup = is_intra
                                        ? VK_VIDEO_ENCODE_AV1_RATE_CONTROL_GROUP_INTRA_KHR
                                        : VK_VIDEO_ENCODE_AV1_RATE_CONTROL_GROUP_PREDICTIVE_KHR,
                .constantQIndex = 120,
                .referenceNameSlotIndices = {-1, -1, -1, -1, -1, -1, -1},
            },
        .std = {.flags = {.error_resilient_mode = is_whole,
                          .show_frame = is_shown,
                          .showable_frame = is_shown ? type != STD_VIDEO_AV1_FRAME_TYPE_KEY : 1,
                          .is_filter_switchable = 1},
                .frame_type = type,
                .order_hint = (uint8_t)order_hint,
                .primary_ref_frame = STD_VIDEO_AV1_PRIMARY_REF_NONE,
                .refresh_frame_flags = is_whole ? 0xff : 0,
                .interpolation_filter = STD_VIDEO_AV1_INTERPOLATION_FILTER_SWITCHABLE,
                .TxMode = STD_VIDEO_AV1_TX_MODE_SELECT},
    };
}

void
av1_picture_name(const struct av1_application *app, struct av1_picture *pic, uint32_t name,
                 uint32_t index)
{
    pic->std.ref_frame_idx[name] = (int8_t)index;
    pic->info.referenceNameSlotIndices[name] = app->references[index].slot;
}

int32_t
av1_free_slot(const struct av1_application *app, uint32_t refresh_frame_flags)
{
    bool is_taken[AV1_SLOTS] = {false};
    for (uint32_t i = 0; i < REFERENCES; i++) {
        if (app->references[i].slot >= 0)
            is_taken[app->references[i].slot] = true;
    }
    (void)refresh_frame_flags; /* a picture may still refer to what it replaces */
    int32_t slot = 0;
    while (is_taken[slot])
        slot++;
    return slot; /* eight references, nine slots */
}

/* NV12 or P010 of content, into the staging buffer. */
static void
draw(struct av1_application *app, uint32_t time)
{
    const uint32_t width = app->image_width_px, height = app->image_height_px;
    const size_t luma = (size_t)width * height;
    uint8_t *pixels = malloc(luma * 3 / 2);
    REQUIRE(pixels);
    content_fill(pixels, width, height, app->options.content, time);
    const uint32_t is_deep = app->options.bit_depth > 8;
    for (size_t i = 0; i < luma * 3 / 2; i++) {
        const size_t at = i - luma;
        const uint8_t sample =
            i < luma ? pixels[i] : pixels[luma + (at & 1 ? luma / 4 : 0) + at / 2];
        if (is_deep)
            ((uint16_t *)(void *)app->staging.data)[i] = (uint16_t)(sample << 8);
        else
            app->staging.data[i] = sample;
    }
    free(pixels);
}

static void
plane_copies(const struct av1_application *app, VkBufferImageCopy *out)
{
    const VkDeviceSize luma_B = (VkDeviceSize)app->image_width_px * app->image_height_px *
                                (app->options.bit_depth > 8 ? 2 : 1);
    for (uint32_t i = 0; i < 2; i++)
        out[i] = (VkBufferImageCopy){
            .bufferOffset = i * luma_B,
            .imageSubresource = {VK_IMAGE_ASPECT_PLANE_0_BIT << i, 0, 0, 1},
            .imageExtent = {app->image_width_px >> i, app->image_height_px >> i, 1},
        };
}

static void
upload(struct av1_application *app, const struct av1_picture *pic, uint32_t time)
{
    VkBufferImageCopy copies[2];
    plane_copies(app, copies);
    draw(app, time);
    vk_begin(app->vk);
    vkCmdCopyBufferToImage(app->vk->cb, app->staging.handle, app->source.handle,
                           VK_IMAGE_LAYOUT_GENERAL, 2, copies);
    vk_finish(app->vk);
    if (!pic->map)
        return;
    const uint32_t texel_B = app->options.map_format == VK_FORMAT_R8_SINT    ? 1
                             : app->options.map_format == VK_FORMAT_R16_SINT ? 2
                                                                             : 4;
    memcpy(app->staging.data, pic->map, (size_t)app->map.width_px * app->map.height_px * texel_B);
    vk_begin(app->vk);
    vkCmdCopyBufferToImage(
        app->vk->cb, app->staging.handle, app->map.handle, VK_IMAGE_LAYOUT_GENERAL, 1,
        &(VkBufferImageCopy){.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                             .imageExtent = {app->map.width_px, app->map.height_px, 1}});
    vk_finish(app->vk);
}

/* The reconstruction in a slot, as the judge wants it. */
static uint8_t *
read_slot(struct av1_application *app, int32_t slot)
{
    const uint32_t width = app->options.width_px, height = app->options.height_px;
    const uint32_t is_deep = app->options.bit_depth > 8;
    VkBufferImageCopy copies[2];
    plane_copies(app, copies);
    vk_begin(app->vk);
    vkCmdCopyImageToBuffer(app->vk->cb, app->dpb[slot].handle, VK_IMAGE_LAYOUT_GENERAL,
                           app->staging.handle, 2, copies);
    vk_finish(app->vk);

    uint8_t *shown = malloc(planar_B(app));
    REQUIRE(shown);
    size_t at = 0;
    for (uint32_t plane = 0; plane < 3; plane++) {
        const uint32_t columns = plane ? (width + 1) / 2 : width;
        const uint32_t rows = plane ? (height + 1) / 2 : height;
        const size_t first = plane ? (size_t)app->image_width_px * app->image_height_px : 0;
        for (uint32_t y = 0; y < rows; y++) {
            for (uint32_t x = 0; x < columns; x++, at++) {
                const size_t i =
                    first + (size_t)y * app->image_width_px + (plane ? 2 * x + (plane - 1) : x);
                if (is_deep)
                    ((uint16_t *)(void *)shown)[at] =
                        ((const uint16_t *)(const void *)app->staging.data)[i] >> 6;
                else
                    shown[at] = app->staging.data[i];
            }
        }
    }
    return shown;
}

static void
append(struct av1_application *app, const void *data, size_t size_B)
{
    REQUIRE(app->stream_B + size_B <= STREAM_B);
    memcpy(app->stream + app->stream_B, data, size_B);
    app->stream_B += size_B;
}

static void
begin_unit(struct av1_application *app, bool has_sequence)
{
    static const uint8_t delimiter[] = {0x12, 0x00};
    if (app->unit_at == app->stream_B)
        append(app, delimiter, sizeof(delimiter));
    if (has_sequence)
        append(app, app->sequence, app->sequence_B);
}

static void
end_unit(struct av1_application *app, const uint8_t *shown)
{
    judge_unit(app->judge, app->stream + app->unit_at, app->stream_B - app->unit_at, shown,
               app->options.width_px, app->options.height_px, app->options.bit_depth);
    app->unit_at = app->stream_B;
}

static void
keep_references(struct av1_application *app, const struct av1_picture *pic, int32_t slot,
                const uint8_t *shown)
{
    for (uint32_t i = 0; i < REFERENCES; i++) {
        struct reference *ref = &app->references[i];
        if (!(pic->std.refresh_frame_flags >> i & 1))
            continue;
        free(ref->shown);
        *ref = (struct reference){
            .slot = slot,
            .shown = malloc(planar_B(app)),
            .type = pic->std.frame_type,
            .is_showable = !pic->std.flags.show_frame && pic->std.flags.showable_frame,
            .order_hint = pic->std.order_hint,
        };
        REQUIRE(ref->shown);
        memcpy(ref->shown, shown, planar_B(app));
    }
}

struct slot_info {
    VkVideoPictureResourceInfoKHR resource;
    StdVideoEncodeAV1ReferenceInfo std;
    VkVideoEncodeAV1DpbSlotInfoKHR av1;
    VkVideoReferenceIntraRefreshInfoKHR refresh;
};

static VkVideoReferenceSlotInfoKHR
slot_of(const struct av1_application *app, int32_t slot, const struct av1_picture *pic,
        struct slot_info *info)
{
    *info = (struct slot_info){
        .resource = {.sType = VK_STRUCTURE_TYPE_VIDEO_PICTURE_RESOURCE_INFO_KHR,
                     .codedExtent = {app->options.width_px, app->options.height_px},
                     .imageViewBinding = app->dpb[slot].view},
        .refresh = {.sType = VK_STRUCTURE_TYPE_VIDEO_REFERENCE_INTRA_REFRESH_INFO_KHR,
                    .dirtyIntraRefreshRegions =
                        pic->refresh_cycle ? pic->refresh_cycle - pic->refresh_index : 0},
        .av1 = {.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_DPB_SLOT_INFO_KHR},
    };
    info->av1.pStdReferenceInfo = &info->std;
    info->av1.pNext = &info->refresh;
    return (VkVideoReferenceSlotInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_REFERENCE_SLOT_INFO_KHR,
        .pNext = &info->av1,
        .slotIndex = slot,
        .pPictureResource = &info->resource,
    };
}

static void
record_control(struct av1_application *app, VkCommandBuffer cb)
{
    const struct av1_application_options *o = &app->options;
    const VkVideoEncodeAV1RateControlLayerInfoKHR av1_layer = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_RATE_CONTROL_LAYER_INFO_KHR,
        .useMinQIndex = o->min_q.intraQIndex > 0,
        .minQIndex = o->min_q,
        .useMaxQIndex = o->max_q.intraQIndex > 0,
        .maxQIndex = o->max_q,
    };
    const VkVideoEncodeRateControlLayerInfoKHR layer = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_RATE_CONTROL_LAYER_INFO_KHR,
        .pNext = &av1_layer,
        .averageBitrate = o->average_bps,
        .maxBitrate = o->is_vbr ? 2 * o->average_bps : o->average_bps,
        .frameRateNumerator = 30,
        .frameRateDenominator = 1,
    };
    const VkVideoEncodeQualityLevelInfoKHR quality = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUALITY_LEVEL_INFO_KHR,
        .qualityLevel = o->quality_level,
    };
    const VkVideoEncodeRateControlInfoKHR rate = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_RATE_CONTROL_INFO_KHR,
        .pNext = &quality,
        .rateControlMode = !o->average_bps ? VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR
                           : o->is_vbr     ? VK_VIDEO_ENCODE_RATE_CONTROL_MODE_VBR_BIT_KHR
                                           : VK_VIDEO_ENCODE_RATE_CONTROL_MODE_CBR_BIT_KHR,
        .layerCount = o->average_bps ? 1 : 0,
        .pLayers = o->average_bps ? &layer : NULL,
        .virtualBufferSizeInMs = 1000,
        .initialVirtualBufferSizeInMs = 600,
    };
    vkCmdControlVideoCodingKHR(cb,
                               &(VkVideoCodingControlInfoKHR){
                                   .sType = VK_STRUCTURE_TYPE_VIDEO_CODING_CONTROL_INFO_KHR,
                                   .pNext = &rate,
                                   .flags = VK_VIDEO_CODING_CONTROL_RESET_BIT_KHR |
                                            VK_VIDEO_CODING_CONTROL_ENCODE_RATE_CONTROL_BIT_KHR |
                                            VK_VIDEO_CODING_CONTROL_ENCODE_QUALITY_LEVEL_BIT_KHR});
}

/* The slots that the names stand for, each once. */
static uint32_t
list_references(const struct av1_application *app, const struct av1_picture *pic,
                VkVideoReferenceSlotInfoKHR *slots, struct slot_info *infos)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < NAMES; i++) {
        const int32_t slot = pic->info.referenceNameSlotIndices[i];
        bool is_there = slot < 0 || slot >= AV1_SLOTS;
        for (uint32_t k = 0; k < count && !is_there; k++)
            is_there = slots[k].slotIndex == slot;
        if (is_there)
            continue;
        slots[count] = slot_of(app, slot, pic, &infos[count]);
        count++;
    }
    return count;
}

static void
record(struct av1_application *app, const struct av1_picture *pic, int32_t slot)
{
    struct slot_info infos[NAMES + 1];
    VkVideoReferenceSlotInfoKHR slots[NAMES + 1];
    const uint32_t ref_count = list_references(app, pic, slots, infos);
    uint32_t count = ref_count;
    if (slot >= 0) {
        slots[count] = slot_of(app, slot, pic, &infos[count]);
        count++;
    }
    VkVideoReferenceSlotInfoKHR bound[NAMES + 1];
    memcpy(bound, slots, sizeof(bound));
    if (slot >= 0)
        bound[ref_count].slotIndex = -1;

    StdVideoEncodeAV1PictureInfo std = pic->std;
    for (uint32_t i = 0; i < REFERENCES; i++)
        std.ref_order_hint[i] = app->references[i].order_hint;
    VkVideoEncodeAV1PictureInfoKHR av1 = pic->info;
    av1.pStdPictureInfo = &std;
    const VkVideoEncodeQuantizationMapInfoKHR map = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUANTIZATION_MAP_INFO_KHR,
        .pNext = &av1,
        .quantizationMap = app->map.view,
        .quantizationMapExtent = {app->map.width_px, app->map.height_px},
    };
    const VkVideoEncodeIntraRefreshInfoKHR refresh = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_INTRA_REFRESH_INFO_KHR,
        .pNext = pic->map ? (const void *)&map : &av1,
        .intraRefreshCycleDuration = pic->refresh_cycle,
        .intraRefreshIndex = pic->refresh_index,
    };
    const VkCommandBuffer cb = app->vk->cb;
    vk_begin(app->vk);
    vkCmdResetQueryPool(cb, app->queries, 0, 1);
    vkCmdBeginVideoCodingKHR(
        cb, &(VkVideoBeginCodingInfoKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_BEGIN_CODING_INFO_KHR,
                                         .videoSession = app->session.handle,
                                         .videoSessionParameters = app->parameters,
                                         .referenceSlotCount = count,
                                         .pReferenceSlots = bound});
    if (!app->is_begun)
        record_control(app, cb);
    app->is_begun = true;
    vkCmdBeginQuery(cb, app->queries, 0, 0);
    vkCmdEncodeVideoKHR(
        cb,
        &(VkVideoEncodeInfoKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_INFO_KHR,
            .pNext = pic->refresh_cycle ? (const void *)&refresh
                     : pic->map         ? (const void *)&map
                                        : &av1,
            .flags = (pic->map ? VK_VIDEO_ENCODE_WITH_QUANTIZATION_DELTA_MAP_BIT_KHR : 0) |
                     (pic->refresh_cycle ? VK_VIDEO_ENCODE_INTRA_REFRESH_BIT_KHR : 0),
            .dstBuffer = app->bitstream.handle,
            .dstBufferRange = BITSTREAM_B,
            .srcPictureResource = {.sType = VK_STRUCTURE_TYPE_VIDEO_PICTURE_RESOURCE_INFO_KHR,
                                   .codedExtent = {app->options.width_px, app->options.height_px},
                                   .imageViewBinding = app->source.view},
            .pSetupReferenceSlot = slot >= 0 ? &slots[ref_count] : NULL,
            .referenceSlotCount = ref_count,
            .pReferenceSlots = slots,
        });
    vkCmdEndQuery(cb, app->queries, 0);
    vkCmdEndVideoCodingKHR(
        cb, &(VkVideoEndCodingInfoKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_END_CODING_INFO_KHR});
    vk_finish(app->vk);
}

struct av1_result
av1_encode(struct av1_application *app, const struct av1_picture *pic, int32_t slot, uint32_t time)
{
    upload(app, pic, time);
    record(app, pic, slot);
    int32_t values[4];
    CHECK(vkGetQueryPoolResults(app->vk->dev, app->queries, 0, 1, sizeof(values), values,
                                sizeof(values), VK_QUERY_RESULT_WITH_STATUS_BIT_KHR));
    const struct av1_result result = {
        .status = values[3],
        .offset_B = (uint32_t)values[0],
        .size_B = (uint32_t)values[1],
        .has_overrides = values[2],
        .data = app->bitstream.data,
    };
    if (result.status != VK_QUERY_RESULT_STATUS_COMPLETE_KHR)
        return result;

    REQUIRE(result.offset_B == 0 && result.size_B <= BITSTREAM_B);
    app->size_B += result.size_B;
    begin_unit(app,
               pic->std.frame_type == STD_VIDEO_AV1_FRAME_TYPE_KEY && pic->std.flags.show_frame);
    append(app, result.data, result.size_B);
    if (slot < 0)
        return result;
    uint8_t *shown = read_slot(app, slot);
    keep_references(app, pic, slot, shown);
    if (pic->std.flags.show_frame)
        end_unit(app, shown);
    free(shown);
    return result;
}

bool
av1_is_showable(const struct av1_application *app, uint32_t index)
{
    return app->references[index].slot >= 0 && app->references[index].is_showable;
}

/* Of a sequence without ids and times (5.9.2). */
void
av1_show(struct av1_application *app, uint32_t index)
{
    const struct reference shown = app->references[index];
    const uint8_t header[] = {0x1a, 0x01, (uint8_t)(0x88 | index << 4)};
    begin_unit(app, false);
    append(app, header, sizeof(header));
    end_unit(app, shown.shown);
    for (uint32_t i = 0; i < REFERENCES; i++) {
        struct reference *ref = &app->references[i];
        if (shown.type == STD_VIDEO_AV1_FRAME_TYPE_KEY && i != index) {
            free(ref->shown);
            *ref = shown;
            ref->shown = malloc(planar_B(app));
            REQUIRE(ref->shown);
            memcpy(ref->shown, shown.shown, planar_B(app));
        }
        if (ref->slot == shown.slot)
            ref->is_showable = false;
    }
}

uint64_t
av1_size_B(const struct av1_application *app)
{
    return app->size_B;
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

/* SPDX-License-Identifier: MIT */
#include "h265_application.h"

#include "test.h"

#include <string.h>

#define CHECK(call) REQUIRE_EQ((call), VK_SUCCESS)
#define NV12 VK_FORMAT_G8_B8R8_2PLANE_420_UNORM
#define P010 VK_FORMAT_G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16
#define DELTA_FORMAT VK_FORMAT_R16_SINT
#define EMPHASIS_FORMAT VK_FORMAT_R8_UNORM
#define GUARD 0xa5 /* of the bitstream buffer */
#define GUARD_B 4096u

struct route {
    struct vk *vk;
    struct h265_profile profile;
    struct video_session session;
    VkVideoSessionParametersKHR parameters[H265_QUALITY_LEVELS];
    struct vk_image source;
    struct vk_image dpb[APP_SLOTS];
    struct vk_image map;
    struct vk_buffer staging;
    struct vk_buffer bitstream;
    VkQueryPool queries;
    struct h265_route_options options;
    bool has_maps;
    bool is_begun;
    uint32_t quality_level; /* of the last picture */
    h265_change_fn *change;
    void *change_ctx;
    VkDeviceSize range_at_B; /* of the last picture, in bitstream */
    VkDeviceSize range_end_B;
    struct h265_feedback feedback;
};

static struct vk *route_vk;
static struct h265_route_options route_options;

static VkFormat
format_of(const struct app *app)
{
    return app->bit_depth > 8 ? P010 : NV12;
}

static struct route *
route_of(const struct app *app)
{
    return app->route_state;
}

void
h265_profile_init(struct h265_profile *profile, uint32_t bit_depth)
{
    profile->h265 = (VkVideoEncodeH265ProfileInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_PROFILE_INFO_KHR,
        .stdProfileIdc =
            bit_depth > 8 ? STD_VIDEO_H265_PROFILE_IDC_MAIN_10 : STD_VIDEO_H265_PROFILE_IDC_MAIN,
    };
    profile->info = video_profile(VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR, &profile->h265);
    if (bit_depth > 8)
        profile->info.lumaBitDepth = profile->info.chromaBitDepth =
            VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR;
    profile->list = video_profile_list(&profile->info);
}

bool
h265_route_init(struct vk *vk)
{
    struct h265_profile profile;
    VkVideoEncodeH265CapabilitiesKHR h265 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_CAPABILITIES_KHR};
    VkVideoEncodeCapabilitiesKHR encode = {.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_CAPABILITIES_KHR,
                                           .pNext = &h265};
    VkVideoCapabilitiesKHR caps = {.sType = VK_STRUCTURE_TYPE_VIDEO_CAPABILITIES_KHR,
                                   .pNext = &encode};
    route_vk = vk;
    h265_profile_init(&profile, 8);
    return vkGetPhysicalDeviceVideoCapabilitiesKHR(vk->pdev, &profile.info, &caps) == VK_SUCCESS;
}

void
h265_route_set_options(const struct h265_route_options *options)
{
    route_options = *options;
}

static void
session_create(const struct app *app, struct route *route)
{
    const VkVideoEncodeSessionIntraRefreshCreateInfoKHR refresh = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_SESSION_INTRA_REFRESH_CREATE_INFO_KHR,
        .intraRefreshMode = route->options.refresh_mode,
    };
    CHECK(video_session_create(
        &route->vk->video,
        &(VkVideoSessionCreateInfoKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_CREATE_INFO_KHR,
            .pNext = &refresh,
            .queueFamilyIndex = route->vk->encode_family,
            .flags = !route->has_maps ? 0
                     : route->options.has_emphasis
                         ? VK_VIDEO_SESSION_CREATE_ALLOW_ENCODE_EMPHASIS_MAP_BIT_KHR
                         : VK_VIDEO_SESSION_CREATE_ALLOW_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR,
            .pVideoProfile = &route->profile.info,
            .pictureFormat = format_of(app),
            .maxCodedExtent = {app->width_px, app->height_px},
            .referencePictureFormat = format_of(app),
            .maxDpbSlots = APP_SLOTS,
            .maxActiveReferencePictures = APP_SLOTS - 1,
            .pStdHeaderVersion = video_std_version(route->profile.info.videoCodecOperation),
        },
        &route->session));
}

/* Objects with the same sets, one for each quality level. */
static void
parameters_create(const struct app *app, struct route *route)
{
    const StdVideoH265VideoParameterSet vps = {
        .flags = {.vps_temporal_id_nesting_flag = 1, .vps_sub_layer_ordering_info_present_flag = 1},
        .pDecPicBufMgr = &app->sps.dec_pic_buf_mgr,
        .pProfileTierLevel = &app->sps.profile_tier_level,
    };
    const VkVideoEncodeH265SessionParametersAddInfoKHR add = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_SESSION_PARAMETERS_ADD_INFO_KHR,
        .stdVPSCount = 1,
        .pStdVPSs = &vps,
        .stdSPSCount = 1,
        .pStdSPSs = &app->sps.std,
        .stdPPSCount = 1,
        .pStdPPSs = &app->pps.std,
    };
    const VkVideoEncodeQuantizationMapSessionParametersCreateInfoKHR map = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUANTIZATION_MAP_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .quantizationMapTexelSize = {RP_H265_CTB_PX, RP_H265_CTB_PX},
    };
    for (uint32_t i = 0; i < H265_QUALITY_LEVELS; i++) {
        const VkVideoEncodeQualityLevelInfoKHR quality = {
            .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUALITY_LEVEL_INFO_KHR,
            .pNext = route->has_maps ? &map : NULL,
            .qualityLevel = i,
        };
        const VkVideoEncodeH265SessionParametersCreateInfoKHR h265 = {
            .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_SESSION_PARAMETERS_CREATE_INFO_KHR,
            .pNext = &quality,
            .maxStdVPSCount = 1,
            .maxStdSPSCount = 1,
            .maxStdPPSCount = 1,
            .pParametersAddInfo = &add,
        };
        CHECK(video_parameters_create(
            &route->vk->video, route->session.handle,
            route->has_maps ? VK_VIDEO_SESSION_PARAMETERS_CREATE_QUANTIZATION_MAP_COMPATIBLE_BIT_KHR
                            : 0,
            &h265, &route->parameters[i]));
    }
}

static void
sets_get(struct app *app, const struct route *route)
{
    static const VkVideoEncodeH265SessionParametersGetInfoKHR get = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_SESSION_PARAMETERS_GET_INFO_KHR,
        .writeStdVPS = VK_TRUE,
        .writeStdSPS = VK_TRUE,
        .writeStdPPS = VK_TRUE,
    };
    for (uint32_t i = 0; i < H265_QUALITY_LEVELS; i++) {
        uint8_t sets[sizeof(app->sets)];
        size_t sets_B = sizeof(sets);
        CHECK(video_parameters_encoded(&route->vk->video, route->parameters[i], &get, NULL, &sets_B,
                                       sets));
        REQUIRE(i == 0 || (sets_B == app->sets_B && memcmp(sets, app->sets, sets_B) == 0));
        memcpy(app->sets, sets, sets_B);
        app->sets_B = sets_B;
    }
}

static struct vk_image
image_create(const struct route *route, VkFormat format, uint32_t width_px, uint32_t height_px,
             VkImageUsageFlags usage)
{
    return vk_image_create(route->vk, &(struct vk_image_info){
                                          .format = format,
                                          .width_px = width_px,
                                          .height_px = height_px,
                                          .layer_count = 1,
                                          .tiling = VK_IMAGE_TILING_OPTIMAL,
                                          .usage = usage,
                                          .next = &route->profile.list,
                                      });
}

static void
queries_create(struct route *route)
{
    const VkQueryPoolVideoEncodePerPartitionFeedbackCreateInfoKHR partitions = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_VIDEO_ENCODE_PER_PARTITION_FEEDBACK_CREATE_INFO_KHR,
        .pNext = &route->profile.info,
        .maxPerPartitionFeedbackEntries = RP_H265_ENCODE_MAX_SLICES,
        .perPartitionEncodeFeedbackFlags = 7, /* status, offset, bytes */
    };
    const VkQueryPoolVideoEncodeFeedbackCreateInfoKHR feedback = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_VIDEO_ENCODE_FEEDBACK_CREATE_INFO_KHR,
        .pNext = &partitions,
        .encodeFeedbackFlags = 0x3ff, /* all of VK_KHR_video_encode_feedback2 */
    };
    CHECK(vkCreateQueryPool(
        route->vk->dev,
        &(VkQueryPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                 .pNext = &feedback,
                                 .queryType = VK_QUERY_TYPE_VIDEO_ENCODE_FEEDBACK_KHR,
                                 .queryCount = 1},
        NULL, &route->queries));
}

static void
route_open(struct app *app)
{
    const VkImageUsageFlags transfer =
        VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    struct route *route = calloc(1, sizeof(*route));
    REQUIRE(route);
    app->route_state = route;
    route->options = route_options;
    route->vk = route_vk;
    route->has_maps = app->pps.std.flags.cu_qp_delta_enabled_flag;
    h265_profile_init(&route->profile, app->bit_depth);
    session_create(app, route);
    parameters_create(app, route);
    sets_get(app, route);
    route->source = image_create(route, format_of(app), app->width_px, app->height_px,
                                 transfer | VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR);
    for (uint32_t i = 0; i < APP_SLOTS; i++)
        route->dpb[i] = image_create(route, format_of(app), app->width_px, app->height_px,
                                     VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR |
                                         (route->options.has_private_references ? 0 : transfer));
    if (route->has_maps)
        route->map = image_create(
            route, route->options.has_emphasis ? EMPHASIS_FORMAT : DELTA_FORMAT,
            (app->width_px + RP_H265_CTB_PX - 1) / RP_H265_CTB_PX,
            (app->height_px + RP_H265_CTB_PX - 1) / RP_H265_CTB_PX,
            transfer | (route->options.has_emphasis
                            ? VK_IMAGE_USAGE_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR
                            : VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR));
    route->staging = vk_buffer_create(route->vk, 3 * (VkDeviceSize)app->width_px * app->height_px,
                                      VK_BUFFER_USAGE_TRANSFER_SRC_BIT, NULL);
    route->bitstream =
        vk_buffer_create(route->vk, APP_PICTURE_B + GUARD_B,
                         VK_BUFFER_USAGE_VIDEO_ENCODE_DST_BIT_KHR, &route->profile.list);
    queries_create(route);
}

static void
route_close(struct app *app)
{
    struct route *route = route_of(app);
    struct vk *vk = route->vk;
    vkDestroyQueryPool(vk->dev, route->queries, NULL);
    vk_buffer_destroy(vk, &route->staging);
    vk_buffer_destroy(vk, &route->bitstream);
    vk_image_destroy(vk, &route->source);
    if (route->has_maps)
        vk_image_destroy(vk, &route->map);
    for (uint32_t i = 0; i < APP_SLOTS; i++)
        vk_image_destroy(vk, &route->dpb[i]);
    for (uint32_t i = 0; i < H265_QUALITY_LEVELS; i++)
        vkDestroyVideoSessionParametersKHR(vk->dev, route->parameters[i], NULL);
    video_session_destroy(&vk->video, &route->session);
    free(route);
}

static void
picture_write(const struct app *app, const struct vk_image *image, const uint8_t *planes)
{
    struct route *route = route_of(app);
    const VkDeviceSize luma_B = (VkDeviceSize)app->width_px * app->height_px * app_sample_B(app);
    VkBufferImageCopy copies[2];
    for (uint32_t i = 0; i < 2; i++)
        copies[i] = (VkBufferImageCopy){
            .bufferOffset = i * luma_B,
            .imageSubresource = {VK_IMAGE_ASPECT_PLANE_0_BIT << i, 0, 0, 1},
            .imageExtent = {app->width_px >> i, app->height_px >> i, 1},
        };
    memcpy(route->staging.data, planes, luma_B * 3 / 2);
    vk_begin(route->vk);
    vkCmdCopyBufferToImage(route->vk->cb, route->staging.handle, image->handle,
                           VK_IMAGE_LAYOUT_GENERAL, 2, copies);
    vk_finish(route->vk);
}

static void
map_write(const struct app *app)
{
    struct route *route = route_of(app);
    const struct vk_image *map = &route->map;
    const uint32_t count = map->width_px * map->height_px;
    for (uint32_t i = 0; i < count && app->job.common.emphasis; i++)
        route->staging.data[i] = (uint8_t)(app->job.common.emphasis[i] * 255);
    if (app->job.common.qp_delta)
        memcpy(route->staging.data, app->job.common.qp_delta, count * sizeof(app->map[0]));
    vk_begin(route->vk);
    vkCmdCopyBufferToImage(
        route->vk->cb, route->staging.handle, map->handle, VK_IMAGE_LAYOUT_GENERAL, 1,
        &(VkBufferImageCopy){.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                             .imageExtent = {map->width_px, map->height_px, 1}});
    vk_finish(route->vk);
}

/* The first picture, and one with another quality level. */
static void
control_record(struct route *route, VkCommandBuffer cb, uint32_t quality_level)
{
    const uint64_t average_bps = route->options.average_bps;
    const int32_t least = route->options.least_qp, greatest = route->options.greatest_qp;
    const VkVideoEncodeH265RateControlLayerInfoKHR bounds = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_RATE_CONTROL_LAYER_INFO_KHR,
        .useMinQp = VK_TRUE,
        .minQp = {least, least, least},
        .useMaxQp = VK_TRUE,
        .maxQp = {greatest, greatest, greatest},
    };
    const VkVideoEncodeRateControlLayerInfoKHR layer = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_RATE_CONTROL_LAYER_INFO_KHR,
        .pNext = greatest ? &bounds : NULL,
        .averageBitrate = average_bps,
        .maxBitrate = 2 * average_bps,
        .frameRateNumerator = 25,
        .frameRateDenominator = 1,
    };
    const VkVideoEncodeRateControlInfoKHR rate = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_RATE_CONTROL_INFO_KHR,
        .rateControlMode = average_bps ? VK_VIDEO_ENCODE_RATE_CONTROL_MODE_VBR_BIT_KHR
                                       : VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR,
        .layerCount = average_bps ? 1 : 0,
        .pLayers = &layer,
        .virtualBufferSizeInMs = 1000,
        .initialVirtualBufferSizeInMs = 500,
    };
    const VkVideoEncodeQualityLevelInfoKHR quality = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUALITY_LEVEL_INFO_KHR,
        .pNext = &rate,
        .qualityLevel = quality_level,
    };
    if (route->is_begun && quality_level == route->quality_level)
        return;
    vkCmdControlVideoCodingKHR(
        cb, &(VkVideoCodingControlInfoKHR){
                .sType = VK_STRUCTURE_TYPE_VIDEO_CODING_CONTROL_INFO_KHR,
                .pNext = &quality,
                .flags = (route->is_begun ? 0 : VK_VIDEO_CODING_CONTROL_RESET_BIT_KHR) |
                         VK_VIDEO_CODING_CONTROL_ENCODE_RATE_CONTROL_BIT_KHR |
                         VK_VIDEO_CODING_CONTROL_ENCODE_QUALITY_LEVEL_BIT_KHR,
            });
    route->is_begun = true;
    route->quality_level = quality_level;
}

/* The slots of the references, and that of the setup behind them. */
static uint32_t
slots_init(const struct app *app, const struct app_description *description, int32_t setup,
           VkVideoPictureResourceInfoKHR resources[APP_SLOTS],
           VkVideoReferenceSlotInfoKHR slots[APP_SLOTS])
{
    const struct route *route = route_of(app);
    uint32_t count = 0;
    for (int32_t n = 0; n <= APP_SLOTS; n++) {
        const int32_t i = n < APP_SLOTS ? n : setup;
        if (i < 0 || (n < APP_SLOTS && (!app->slots[i].is_reference || i == setup)))
            continue;
        resources[count] = (VkVideoPictureResourceInfoKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_PICTURE_RESOURCE_INFO_KHR,
            .codedExtent = {app->width_px, app->height_px},
            .imageViewBinding = route->dpb[i].view,
        };
        slots[count] = (VkVideoReferenceSlotInfoKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_REFERENCE_SLOT_INFO_KHR,
            .pNext = &description->slots[i],
            .slotIndex = i,
            .pPictureResource = &resources[count],
        };
        count++;
    }
    return count - (setup >= 0);
}

static void
record(struct app *app, struct app_description *description, int32_t setup)
{
    struct route *route = route_of(app);
    const uint32_t level = app->job.common.quality_level;
    const VkCommandBuffer cb = route->vk->encode_cb;
    VkVideoPictureResourceInfoKHR resources[APP_SLOTS];
    VkVideoReferenceSlotInfoKHR slots[APP_SLOTS];
    VkVideoReferenceSlotInfoKHR bound[APP_SLOTS];
    const uint32_t ref_count = slots_init(app, description, setup, resources, slots);
    VkVideoEncodeQuantizationMapInfoKHR map = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUANTIZATION_MAP_INFO_KHR,
        .pNext = &description->info,
        .quantizationMap = route->map.view,
        .quantizationMapExtent = {route->map.width_px, route->map.height_px},
    };
    const bool has_map = app->job.common.qp_delta || app->job.common.emphasis;
    VkVideoEncodeInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_INFO_KHR,
        .pNext = has_map ? (const void *)&map : &description->info,
        .flags = !has_map ? 0
                 : route->options.has_emphasis
                     ? VK_VIDEO_ENCODE_WITH_EMPHASIS_MAP_BIT_KHR
                     : VK_VIDEO_ENCODE_WITH_QUANTIZATION_DELTA_MAP_BIT_KHR,
        .dstBuffer = route->bitstream.handle,
        .dstBufferRange = APP_PICTURE_B,
        .srcPictureResource = {.sType = VK_STRUCTURE_TYPE_VIDEO_PICTURE_RESOURCE_INFO_KHR,
                               .codedExtent = {app->width_px, app->height_px},
                               .imageViewBinding = route->source.view},
        .pSetupReferenceSlot = setup >= 0 ? &slots[ref_count] : NULL,
        .referenceSlotCount = ref_count,
        .pReferenceSlots = slots,
    };
    memcpy(bound, slots, sizeof(bound));
    if (setup >= 0)
        bound[ref_count].slotIndex = -1;
    if (route->change)
        route->change(route->change_ctx,
                      &(struct h265_call){&info, description, slots, has_map ? &map : NULL});
    route->range_at_B = info.dstBufferOffset;
    route->range_end_B = info.dstBufferOffset + info.dstBufferRange;

    vk_begin_encode(route->vk);
    vkCmdResetQueryPool(cb, route->queries, 0, 1);
    vkCmdBeginVideoCodingKHR(
        cb, &(VkVideoBeginCodingInfoKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_BEGIN_CODING_INFO_KHR,
                                         .videoSession = route->session.handle,
                                         .videoSessionParameters = route->parameters[level],
                                         .referenceSlotCount = ref_count + (setup >= 0),
                                         .pReferenceSlots = bound});
    control_record(route, cb, level);
    vkCmdBeginQuery(cb, route->queries, 0, 0);
    vkCmdEncodeVideoKHR(cb, &info);
    vkCmdEndQuery(cb, route->queries, 0);
    vkCmdEndVideoCodingKHR(
        cb, &(VkVideoEndCodingInfoKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_END_CODING_INFO_KHR});
    vk_finish_encode(route->vk);
}

/* Checks the feedback of a picture that is COMPLETE. */
static void
feedback_check(const struct app *app, const struct h265_feedback *f)
{
    uint32_t end_B = f->offset_B;
    REQUIRE_EQ(f->intra_px + f->inter_px, app->width_px * app->height_px);
    REQUIRE(f->skipped_px <= f->inter_px);
    REQUIRE(f->inter_px == 0 || app->job.slice_type != STD_VIDEO_H265_SLICE_TYPE_I);
    REQUIRE(f->min_qp >= 0 && f->min_qp <= f->average_qp && f->average_qp <= f->max_qp &&
            f->max_qp <= RP_H265_MAX_QP);
    if (!app->job.common.qp_delta && !route_of(app)->options.average_bps)
        REQUIRE(f->min_qp == app->job.qp && f->max_qp == app->job.qp);
    REQUIRE_EQ(f->slice_count, app->job.slice_count);
    for (uint32_t i = 0; i < f->slice_count; i++) {
        REQUIRE_EQ(f->slices[i].status, VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
        REQUIRE_EQ(f->slices[i].offset_B, end_B);
        end_B += f->slices[i].size_B;
    }
    REQUIRE_EQ(end_B, f->offset_B + f->size_B);
}

static void
route_encode(struct app *app, int32_t slot)
{
    struct route *route = route_of(app);
    struct rp_encode_result *result = &app->job.common.result;
    struct app_description description;
    picture_write(app, &route->source, app->source);
    if (app->job.common.qp_delta || app->job.common.emphasis)
        map_write(app);
    app_describe(app, &description);
    memset(route->bitstream.data, GUARD, route->bitstream.size_B);
    record(app, &description, slot);
    for (VkDeviceSize i = 0; i < route->bitstream.size_B; i++) {
        if (i == route->range_at_B)
            i = route->range_end_B;
        REQUIRE_EQ(route->bitstream.data[i], GUARD);
    }

    struct h265_feedback *feedback = &route->feedback;
    CHECK(vkGetQueryPoolResults(route->vk->dev, route->queries, 0, 1, sizeof(*feedback), feedback,
                                sizeof(*feedback), VK_QUERY_RESULT_WITH_STATUS_BIT_KHR));
    *result = (struct rp_encode_result){.status = RP_CODEC_FAILED};
    if (feedback->status == VK_QUERY_RESULT_STATUS_INSUFFICIENT_BITSTREAM_BUFFER_RANGE_KHR)
        result->status = RP_CODEC_NO_SPACE;
    if (feedback->status != VK_QUERY_RESULT_STATUS_COMPLETE_KHR)
        return;
    if (!route->change)
        feedback_check(app, feedback);
    result->status = RP_CODEC_OK;
    result->size_B = feedback->size_B;
    memcpy(app->job.common.dst, route->bitstream.data + route->range_at_B + feedback->offset_B,
           feedback->size_B);
    if (slot >= 0 && !route->options.has_private_references)
        vk_image_read(route->vk, &route->dpb[slot], 0, app->slots[slot].planes);
}

const struct app_route h265_route = {
    .open = route_open,
    .close = route_close,
    .encode = route_encode,
};

const struct h265_feedback *
h265_last_feedback(const struct app *app)
{
    return &route_of(app)->feedback;
}

void
h265_set_change(struct app *app, h265_change_fn *change, void *ctx)
{
    route_of(app)->change = change;
    route_of(app)->change_ctx = ctx;
}

void
h265_write_slot(struct app *app, uint32_t slot, const uint8_t *planes)
{
    picture_write(app, &route_of(app)->dpb[slot], planes);
    memcpy(app->slots[slot].planes, planes,
           (size_t)app->width_px * app->height_px * 3 / 2 * app_sample_B(app));
}

void
h265_swap_images(struct app *a, struct app *b, uint32_t slot)
{
    const struct vk_image image = route_of(a)->dpb[slot];
    route_of(a)->dpb[slot] = route_of(b)->dpb[slot];
    route_of(b)->dpb[slot] = image;
}

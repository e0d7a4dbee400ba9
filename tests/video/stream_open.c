/* SPDX-License-Identifier: MIT */
/* Session, parameter sets, images and buffers of a stream.
 */
#include "stream_state.h"

#include "decoder.h"

#include "tools/client/video_h264.h"
#include "util/compiler.h"

#include <string.h>

static void
set_defaults(struct stream_options *o)
{
    if (o->profile_idc == 0)
        o->profile_idc = STD_VIDEO_H264_PROFILE_IDC_HIGH;
    if (o->slot_count == 0)
        o->slot_count = 2;
    if (o->max_refs == 0)
        o->max_refs = o->slot_count > 1 ? o->slot_count - 1 : 1;
    if (o->shot_count == 0)
        o->shot_count = 1;
    if (o->reorder_count == 0)
        o->reorder_count = o->max_refs;
    if (o->buffer_slack_B == 0)
        o->buffer_slack_B = 4096 + o->width_px * o->height_px * 4;
}

static void
set_profile(struct stream *s)
{
    s->h264_profile = (VkVideoEncodeH264ProfileInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_PROFILE_INFO_KHR,
        .stdProfileIdc = s->options.profile_idc,
    };
    if (s->options.is_rgb) {
        s->rgb_profile = (VkVideoEncodeProfileRgbConversionInfoVALVE){
            .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_PROFILE_RGB_CONVERSION_INFO_VALVE,
            .performEncodeRgbConversion = VK_TRUE,
        };
        s->h264_profile.pNext = &s->rgb_profile;
    }
    s->profile = video_profile(VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR, &s->h264_profile);
    s->profiles = video_profile_list(&s->profile);
}

static VkFormat
source_format(const struct stream *s)
{
    if (s->options.is_rgb)
        return s->options.rgb && s->options.rgb->is_rgba ? VK_FORMAT_R8G8B8A8_UNORM
                                                         : VK_FORMAT_B8G8R8A8_UNORM;
    return s->options.is_i420 ? VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM
                              : VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
}

static VkVideoSessionCreateFlagsKHR
map_session_flags(VkFormat format)
{
    if (format == VK_FORMAT_UNDEFINED)
        return 0;
    return format == VK_FORMAT_R8_UNORM
               ? VK_VIDEO_SESSION_CREATE_ALLOW_ENCODE_EMPHASIS_MAP_BIT_KHR
               : VK_VIDEO_SESSION_CREATE_ALLOW_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR;
}

static void
create_session(struct stream *s)
{
    const struct stream_options *o = &s->options;
    const VkVideoEncodeSessionIntraRefreshCreateInfoKHR refresh = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_SESSION_INTRA_REFRESH_CREATE_INFO_KHR,
        .intraRefreshMode = o->refresh_mode,
    };
    const VkVideoEncodeSessionRgbConversionCreateInfoVALVE rgb = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_SESSION_RGB_CONVERSION_CREATE_INFO_VALVE,
        .rgbModel = VK_VIDEO_ENCODE_RGB_MODEL_CONVERSION_YCBCR_601_BIT_VALVE,
        .rgbRange = VK_VIDEO_ENCODE_RGB_RANGE_COMPRESSION_FULL_RANGE_BIT_VALVE,
        .xChromaOffset = VK_VIDEO_ENCODE_RGB_CHROMA_OFFSET_COSITED_EVEN_BIT_VALVE,
        .yChromaOffset = VK_VIDEO_ENCODE_RGB_CHROMA_OFFSET_MIDPOINT_BIT_VALVE,
    };
    CHECK(video_session_create(
        &s->vk->video,
        &(VkVideoSessionCreateInfoKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_CREATE_INFO_KHR,
            .queueFamilyIndex = s->vk->encode_family,
            .pNext = !o->is_rgb ? (const void *)&refresh
                     : o->rgb   ? &o->rgb->info
                                : &rgb,
            .flags = (o->has_inline_queries ? VK_VIDEO_SESSION_CREATE_INLINE_QUERIES_BIT_KHR : 0) |
                     map_session_flags(o->map_format),
            .pVideoProfile = &s->profile,
            .pictureFormat = source_format(s),
            .maxCodedExtent = {o->width_px, o->height_px},
            .referencePictureFormat = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
            .maxDpbSlots = o->slot_count,
            .maxActiveReferencePictures = o->slot_count > 16 ? 16 : o->slot_count,
            .pStdHeaderVersion = video_std_version(s->profile.videoCodecOperation)},
        &s->session));
}

void
stream_fill_sps(const struct stream_options *o, StdVideoH264SequenceParameterSet *sps,
                StdVideoH264SequenceParameterSetVui *vui, StdVideoH264HrdParameters *hrd)
{
    *hrd = (StdVideoH264HrdParameters){
        .bit_rate_value_minus1 = {(uint32_t)(o->average_bps / 64) - 1},
        .cpb_size_value_minus1 = {(uint32_t)(o->average_bps / 16) - 1},
        .cbr_flag = {1},
        .initial_cpb_removal_delay_length_minus1 = 23,
        .cpb_removal_delay_length_minus1 = 23,
        .dpb_output_delay_length_minus1 = 23,
    };
    const uint32_t width_mb = (o->width_px + 15) / 16;
    const uint32_t height_mb = (o->height_px + 15) / 16;
    *vui = (StdVideoH264SequenceParameterSetVui){
        .flags = {.bitstream_restriction_flag = 1,
                  .timing_info_present_flag = o->has_cbr_hrd,
                  .nal_hrd_parameters_present_flag = o->has_cbr_hrd},
        .num_units_in_tick = 1,
        .time_scale = 50,
        .pHrdParameters = hrd,
        .max_num_reorder_frames = (uint8_t)(o->poc_type == 2 ? 0 : o->reorder_count),
        .max_dec_frame_buffering = (uint8_t)RP_MAX(o->max_refs, o->reorder_count),
    };
    *sps = (StdVideoH264SequenceParameterSet){
        .flags = {.frame_mbs_only_flag = 1,
                  .direct_8x8_inference_flag = 1,
                  .frame_cropping_flag = o->width_px % 16 || o->height_px % 16,
                  .vui_parameters_present_flag = 1,
                  .delta_pic_order_always_zero_flag = 0},
        .profile_idc = o->profile_idc,
        .level_idc =
            stream_is_large(o) ? STD_VIDEO_H264_LEVEL_IDC_6_2 : STD_VIDEO_H264_LEVEL_IDC_5_2,
        .chroma_format_idc = STD_VIDEO_H264_CHROMA_FORMAT_IDC_420,
        .log2_max_frame_num_minus4 = (uint8_t)o->log2_max_frame_num_minus4,
        .pic_order_cnt_type = (StdVideoH264PocType)o->poc_type,
        .log2_max_pic_order_cnt_lsb_minus4 = 6,
        .max_num_ref_frames = (uint8_t)o->max_refs,
        .pic_width_in_mbs_minus1 = width_mb - 1,
        .pic_height_in_map_units_minus1 = height_mb - 1,
        .frame_crop_right_offset = (16 * width_mb - o->width_px) / 2,
        .frame_crop_bottom_offset = (16 * height_mb - o->height_px) / 2,
        .pSequenceParameterSetVui = vui,
    };
}

void
stream_fill_pps(const struct stream_options *o, StdVideoH264PictureParameterSet *pps)
{
    *pps = (StdVideoH264PictureParameterSet){
        .flags = {.transform_8x8_mode_flag = o->has_transform8x8,
                  .constrained_intra_pred_flag = o->has_constrained_intra,
                  .deblocking_filter_control_present_flag = 1,
                  .weighted_pred_flag = o->has_weighted_pred,
                  .entropy_coding_mode_flag = !o->is_cavlc},
        .weighted_bipred_idc = (StdVideoH264WeightedBipredIdc)o->weighted_bipred_idc,
        .pic_init_qp_minus26 = (int8_t)o->init_qp_minus26,
        .chroma_qp_index_offset = (int8_t)o->chroma_qp_offset,
        .second_chroma_qp_index_offset = (int8_t)o->chroma_qp_offset,
    };
}

VkVideoSessionParametersKHR
stream_create_parameters(const struct stream *s, const StdVideoH264SequenceParameterSet *sps,
                         const StdVideoH264PictureParameterSet *pps)
{
    const bool has_map = s->options.map_format != VK_FORMAT_UNDEFINED;
    struct video_h264_encode_sets h264;
    video_h264_encode_sets_init(&h264, sps, pps);
    const VkVideoEncodeQuantizationMapSessionParametersCreateInfoKHR map = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUANTIZATION_MAP_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .pNext = &h264.info,
        .quantizationMapTexelSize = {16, 16},
    };
    VkVideoSessionParametersKHR params = VK_NULL_HANDLE;
    const VkResult result = video_parameters_create(
        &s->vk->video, s->session.handle,
        has_map ? VK_VIDEO_SESSION_PARAMETERS_CREATE_QUANTIZATION_MAP_COMPATIBLE_BIT_KHR : 0,
        has_map ? (const void *)&map : &h264.info, &params);
    REQUIRE(result == VK_SUCCESS || result == VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR);
    return params;
}

static void
create_parameters(struct stream *s)
{
    StdVideoH264SequenceParameterSetVui vui;
    StdVideoH264SequenceParameterSet sps;
    StdVideoH264PictureParameterSet pps;
    StdVideoH264HrdParameters hrd;
    stream_fill_sps(&s->options, &sps, &vui, &hrd);
    stream_fill_pps(&s->options, &pps);
    s->params = stream_create_parameters(s, &sps, &pps);
    REQUIRE(s->params);
    memset(&sps, 0xee, sizeof(sps)); /* deep copies were made */
    memset(&vui, 0xee, sizeof(vui));
}

static void
get_headers(struct stream *s)
{
    VkVideoEncodeSessionParametersFeedbackInfoKHR feedback = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_SESSION_PARAMETERS_FEEDBACK_INFO_KHR,
        .hasOverrides = VK_TRUE,
    };
    s->headers_B = 256; /* what several clients bring */
    CHECK(video_h264_sets_encoded(&s->vk->video, s->params, &feedback, &s->headers_B, s->headers));
    REQUIRE_EQ(feedback.hasOverrides, VK_FALSE);
}

static void
create_queries(struct stream *s)
{
    const VkQueryPoolVideoEncodePerPartitionFeedbackCreateInfoKHR partitions = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_VIDEO_ENCODE_PER_PARTITION_FEEDBACK_CREATE_INFO_KHR,
        .pNext = &s->profile,
        .maxPerPartitionFeedbackEntries = STREAM_MAX_SLICES,
        .perPartitionEncodeFeedbackFlags = 7, /* status, offset, bytes */
    };
    const VkQueryPoolVideoEncodeFeedbackCreateInfoKHR feedback = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_VIDEO_ENCODE_FEEDBACK_CREATE_INFO_KHR,
        .pNext = &partitions,
        .encodeFeedbackFlags = 0x3ff, /* all of VK_KHR_video_encode_feedback2 */
    };
    CHECK(vkCreateQueryPool(
        s->vk->dev,
        &(VkQueryPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                 .pNext = &feedback,
                                 .queryType = VK_QUERY_TYPE_VIDEO_ENCODE_FEEDBACK_KHR,
                                 .queryCount = STREAM_MAX_SHOTS},
        NULL, &s->queries));
}

static void
create_chain(struct stream *s)
{
    const VkSemaphoreTypeCreateInfo type = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
    };
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                        .pNext = &type};
    for (uint32_t i = 0; i < s->options.shot_count; i++)
        CHECK(vkCreateSemaphore(s->vk->dev, &info, NULL, &s->chain[i]));
}

struct vk_buffer
stream_bitstream_buffer(const struct stream *s, VkDeviceSize size_B)
{
    return vk_buffer_create(s->vk, size_B, VK_BUFFER_USAGE_VIDEO_ENCODE_DST_BIT_KHR, &s->profiles);
}

static void
create_map(struct stream *s, struct shot *shot)
{
    const VkFormat format = s->options.map_format;
    shot->map = vk_image_create(
        s->vk, &(struct vk_image_info){.format = format,
                                       .width_px = width_mb(s),
                                       .height_px = height_mb(s),
                                       .layer_count = 1,
                                       .usage = map_usage(format) | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                                       .next = &s->profiles});
    shot->map_staging = vk_buffer_create(s->vk, map_B(s), VK_BUFFER_USAGE_TRANSFER_SRC_BIT, NULL);
}

static struct vk_image_info
dpb_info(const struct stream *s)
{
    const struct stream_options *o = &s->options;
    const VkImageCreateFlags storage_flags = /* of a view of one plane */
        VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_EXTENDED_USAGE_BIT;
    return (struct vk_image_info){
        .format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
        .width_px = o->dpb_width_px ? o->dpb_width_px : o->width_px,
        .height_px = o->height_px,
        .layer_count = o->is_layered ? o->slot_count : 1,
        .usage = VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                 VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                 (o->has_dpb_sources ? VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR : 0) |
                 (o->is_storage ? VK_IMAGE_USAGE_STORAGE_BIT : 0),
        .flags =
            (o->is_storage ? storage_flags : 0) | (o->is_aliased ? VK_IMAGE_CREATE_ALIAS_BIT : 0),
        .next = &s->profiles,
        .is_exported = o->is_exported,
    };
}

static void
create_dpb(struct stream *s)
{
    const struct vk_image_info info = dpb_info(s);
    const uint32_t count = s->options.is_layered ? 1 : s->options.slot_count;
    for (uint32_t i = 0; i < count; i++)
        s->dpb[i] = vk_image_create(s->vk, &info);
}

struct vk_image
stream_create_alias(const struct stream *s, int32_t slot)
{
    const struct vk_image_info info = dpb_info(s);
    VkMemoryRequirements requirements;
    struct vk_image alias = vk_image_create_unbound(s->vk, &info, &requirements);
    const struct vk_image *img = stream_slot_image(s, slot);
    if (s->options.is_exported)
        alias.memory = vk_image_import_memory(s->vk, img);
    vk_image_bind(s->vk, &alias, alias.memory ? alias.memory : img->memory, 0);
    return alias;
}

static void
create_shots(struct stream *s)
{
    const struct stream_options *o = &s->options;
    for (uint32_t i = 0; i < o->shot_count; i++) {
        struct shot *shot = &s->shots[i];
        shot->cb = vk_command_buffer(s->vk);
        shot->src = vk_image_create(
            s->vk,
            &(struct vk_image_info){
                .format = source_format(s),
                .width_px = o->width_px,
                .height_px = o->height_px,
                .layer_count = 1,
                .tiling = o->is_linear ? VK_IMAGE_TILING_LINEAR : VK_IMAGE_TILING_OPTIMAL,
                .usage = VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                .next = &s->profiles});
        shot->staging =
            vk_buffer_create(s->vk, 4 * frame_B(s), VK_BUFFER_USAGE_TRANSFER_SRC_BIT, NULL);
        if (o->map_format)
            create_map(s, shot);
        shot->readback =
            vk_buffer_create(s->vk, frame_B(s), VK_BUFFER_USAGE_TRANSFER_DST_BIT, NULL);
        shot->dst = stream_bitstream_buffer(s, DST_OFFSET_B + o->buffer_slack_B + 64);
        shot->source = malloc(frame_B(s));
        REQUIRE(shot->source);
    }
}

struct stream *
stream_open(struct vk *vk, const struct stream_options *options)
{
    struct stream *s = calloc(1, sizeof(*s));
    REQUIRE(s);
    s->vk = vk;
    s->options = *options;
    set_defaults(&s->options);
    set_profile(s);
    if (options->session_of) {
        s->session = options->session_of->session;
        memcpy(s->dpb, options->session_of->dpb, sizeof(s->dpb));
    } else {
        create_session(s);
        if (options->dpb_of)
            memcpy(s->dpb, options->dpb_of->dpb, sizeof(s->dpb));
        else
            create_dpb(s);
    }
    create_parameters(s);
    get_headers(s);
    create_queries(s);
    if (s->options.is_chained)
        create_chain(s);
    create_shots(s);
    s->model.max_frame_num = 1u << (s->options.log2_max_frame_num_minus4 + 4);
    s->model.max_refs = s->options.max_refs;
    s->decoder = decoder_open();
    s->hash = UINT64_C(0xcbf29ce484222325);
    s->worst_psnr = 9999;
    s->halves = (struct stream_halves){9999, 9999};
    return s;
}

void
stream_destroy_objects(struct stream *s)
{
    struct vk *vk = s->vk;
    const uint32_t dpb_count = s->options.is_layered ? 1 : s->options.slot_count;
    for (uint32_t i = 0; i < dpb_count && !s->options.session_of && !s->options.dpb_of; i++)
        vk_image_destroy(vk, &s->dpb[i]);
    for (uint32_t i = 0; i < s->options.shot_count; i++) {
        vk_image_destroy(vk, &s->shots[i].src);
        if (s->options.map_format) {
            vk_image_destroy(vk, &s->shots[i].map);
            vk_buffer_destroy(vk, &s->shots[i].map_staging);
        }
        vk_buffer_destroy(vk, &s->shots[i].staging);
        vk_buffer_destroy(vk, &s->shots[i].readback);
        vk_buffer_destroy(vk, &s->shots[i].dst);
        vkFreeCommandBuffers(vk->dev, vk->pool, 1, &s->shots[i].cb);
        free(s->shots[i].source);
    }
    vkDestroyQueryPool(vk->dev, s->queries, NULL);
    for (uint32_t i = 0; i < STREAM_MAX_SHOTS; i++)
        vkDestroySemaphore(vk->dev, s->chain[i], NULL);
    vkDestroyVideoSessionParametersKHR(vk->dev, s->params, NULL);
    if (s->options.session_of)
        return;
    video_session_destroy(&vk->video, &s->session);
}

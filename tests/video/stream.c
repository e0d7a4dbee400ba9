/* SPDX-License-Identifier: MIT */
/* The encoding application: session, numbers, commands, results.
 */
#include "stream.h"

#include "content.h"
#include "decoder.h"
#include "test.h"

#include "util/compiler.h"

#include <string.h>

#define CHECK(call) REQUIRE_EQ((call), VK_SUCCESS)

/* Start of a picture in its buffer: unaligned on purpose, as clients do. */
#define DST_OFFSET_B 13u
#define GUARD 0xa5

/* All that a picture in flight owns. */
struct shot {
    bool is_busy;
    uint32_t number;
    VkCommandBuffer cb;
    VkFence fence; /* not used: the queue is waited for */
    struct vk_image src;
    struct vk_image map;
    struct vk_buffer map_staging;
    struct vk_buffer staging; /* the source as the image's planes */
    struct vk_buffer dst;
    struct vk_buffer readback;
    uint8_t *source; /* planar */

    struct stream_picture pic;
    struct dpb_picture numbers;
    StdVideoEncodeH264PictureInfo std;
    StdVideoEncodeH264ReferenceListsInfo lists;
    StdVideoEncodeH264RefListModEntry mods[2][20];
    StdVideoEncodeH264RefPicMarkingEntry marks[20];
    struct dpb_frame refs[STREAM_MAX_SLOTS]; /* as of this picture */
    uint32_t ref_count;
    StdVideoEncodeH264SliceHeader headers[STREAM_MAX_SLICES];
    VkVideoEncodeH264NaluSliceInfoKHR slices[STREAM_MAX_SLICES];
};

struct kept {
    uint8_t *recon;  /* planar; NULL: the picture has none */
    uint8_t *source; /* planar */
    bool is_sent;
    bool is_seen;
};

struct stream {
    struct vk *vk;
    struct stream_options options;
    VkVideoEncodeH264ProfileInfoKHR h264_profile;
    VkVideoEncodeProfileRgbConversionInfoVALVE rgb_profile;
    VkVideoProfileInfoKHR profile;
    VkVideoProfileListInfoKHR profiles;
    VkVideoSessionKHR session;
    VkVideoSessionParametersKHR params;
    VkQueryPool queries;
    struct vk_image dpb[STREAM_MAX_SLOTS]; /* one, when it is layered */
    uint8_t headers[512];
    size_t headers_B;

    struct dpb_model model;
    uint32_t idr_count;
    uint32_t prepared_count;
    struct shot shots[STREAM_MAX_SHOTS];
    struct decoder *decoder;
    struct kept *kept;
    uint32_t kept_capacity;
    uint64_t size_B;
    uint64_t hash;
    int32_t worst_psnr;
    struct stream_halves halves;
};

static size_t
frame_B(const struct stream *s)
{
    return (size_t)s->options.width_px * s->options.height_px * 3 / 2;
}

static uint32_t
width_mb(const struct stream *s)
{
    return (s->options.width_px + 15) / 16;
}

static uint32_t
height_mb(const struct stream *s)
{
    return (s->options.height_px + 15) / 16;
}

static VkImageUsageFlags
map_usage(VkFormat format)
{
    return format == VK_FORMAT_R8_UNORM
               ? VK_IMAGE_USAGE_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR
               : VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR;
}

/* Bytes of one map. */
static size_t
map_B(const struct stream *s)
{
    const VkFormat format = s->options.map_format;
    const size_t texel_B = format == VK_FORMAT_R32_SINT ? 4 : format == VK_FORMAT_R16_SINT ? 2 : 1;
    return texel_B * width_mb(s) * height_mb(s);
}

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
    s->profile = (VkVideoProfileInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_INFO_KHR,
        .pNext = &s->h264_profile,
        .videoCodecOperation = VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR,
        .chromaSubsampling = VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR,
        .lumaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,
        .chromaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,
    };
    s->profiles = (VkVideoProfileListInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR,
        .profileCount = 1,
        .pProfiles = &s->profile,
    };
}

static VkFormat
source_format(const struct stream *s)
{
    if (s->options.is_rgb)
        return VK_FORMAT_B8G8R8A8_UNORM;
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
    VkExtensionProperties version = {
        .extensionName = VK_STD_VULKAN_VIDEO_CODEC_H264_ENCODE_EXTENSION_NAME,
        .specVersion = VK_STD_VULKAN_VIDEO_CODEC_H264_ENCODE_SPEC_VERSION,
    };
    const VkVideoEncodeSessionRgbConversionCreateInfoVALVE rgb = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_SESSION_RGB_CONVERSION_CREATE_INFO_VALVE,
        .rgbModel = VK_VIDEO_ENCODE_RGB_MODEL_CONVERSION_YCBCR_601_BIT_VALVE,
        .rgbRange = VK_VIDEO_ENCODE_RGB_RANGE_COMPRESSION_FULL_RANGE_BIT_VALVE,
        .xChromaOffset = VK_VIDEO_ENCODE_RGB_CHROMA_OFFSET_COSITED_EVEN_BIT_VALVE,
        .yChromaOffset = VK_VIDEO_ENCODE_RGB_CHROMA_OFFSET_MIDPOINT_BIT_VALVE,
    };
    CHECK(vkCreateVideoSessionKHR(
        s->vk->dev,
        &(VkVideoSessionCreateInfoKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_CREATE_INFO_KHR,
            .queueFamilyIndex = s->vk->encode_family,
            .pNext = o->is_rgb ? &rgb : NULL,
            .flags = (o->has_inline_queries ? VK_VIDEO_SESSION_CREATE_INLINE_QUERIES_BIT_KHR : 0) |
                     map_session_flags(o->map_format),
            .pVideoProfile = &s->profile,
            .pictureFormat = source_format(s),
            .maxCodedExtent = {o->width_px, o->height_px},
            .referencePictureFormat = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
            .maxDpbSlots = o->slot_count,
            .maxActiveReferencePictures = o->slot_count > 16 ? 16 : o->slot_count,
            .pStdHeaderVersion = &version},
        NULL, &s->session));
    uint32_t count = 0;
    CHECK(vkGetVideoSessionMemoryRequirementsKHR(s->vk->dev, s->session, &count, NULL));
    REQUIRE_EQ(count, 0);
    CHECK(vkBindVideoSessionMemoryKHR(s->vk->dev, s->session, 0, NULL));
}

static void
fill_sps(const struct stream_options *o, StdVideoH264SequenceParameterSet *sps,
         StdVideoH264SequenceParameterSetVui *vui)
{
    const uint32_t width_mb = (o->width_px + 15) / 16;
    const uint32_t height_mb = (o->height_px + 15) / 16;
    *vui = (StdVideoH264SequenceParameterSetVui){
        .flags = {.bitstream_restriction_flag = 1},
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
        .level_idc = STD_VIDEO_H264_LEVEL_IDC_6_2,
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

static void
fill_pps(const struct stream_options *o, StdVideoH264PictureParameterSet *pps)
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

static void
create_parameters(struct stream *s)
{
    StdVideoH264SequenceParameterSetVui vui;
    StdVideoH264SequenceParameterSet sps;
    StdVideoH264PictureParameterSet pps;
    fill_sps(&s->options, &sps, &vui);
    fill_pps(&s->options, &pps);
    const VkVideoEncodeH264SessionParametersAddInfoKHR add = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_PARAMETERS_ADD_INFO_KHR,
        .stdSPSCount = 1,
        .pStdSPSs = &sps,
        .stdPPSCount = 1,
        .pStdPPSs = &pps,
    };
    const VkVideoEncodeH264SessionParametersCreateInfoKHR h264 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .maxStdSPSCount = 1,
        .maxStdPPSCount = 1,
        .pParametersAddInfo = &add,
    };
    const VkVideoEncodeQuantizationMapSessionParametersCreateInfoKHR map = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUANTIZATION_MAP_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .pNext = &h264,
        .quantizationMapTexelSize = {16, 16},
    };
    CHECK(vkCreateVideoSessionParametersKHR(
        s->vk->dev,
        &(VkVideoSessionParametersCreateInfoKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_PARAMETERS_CREATE_INFO_KHR,
            .pNext = s->options.map_format ? (const void *)&map : &h264,
            .flags = s->options.map_format
                         ? VK_VIDEO_SESSION_PARAMETERS_CREATE_QUANTIZATION_MAP_COMPATIBLE_BIT_KHR
                         : 0,
            .videoSession = s->session},
        NULL, &s->params));
    memset(&sps, 0xee, sizeof(sps)); /* deep copies were made */
    memset(&vui, 0xee, sizeof(vui));
}

static void
get_headers(struct stream *s)
{
    const VkVideoEncodeH264SessionParametersGetInfoKHR h264 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_PARAMETERS_GET_INFO_KHR,
        .writeStdSPS = VK_TRUE,
        .writeStdPPS = VK_TRUE,
    };
    const VkVideoEncodeSessionParametersGetInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_SESSION_PARAMETERS_GET_INFO_KHR,
        .pNext = &h264,
        .videoSessionParameters = s->params,
    };
    VkVideoEncodeSessionParametersFeedbackInfoKHR feedback = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_SESSION_PARAMETERS_FEEDBACK_INFO_KHR,
        .hasOverrides = VK_TRUE,
    };
    s->headers_B = 256; /* what several clients bring */
    CHECK(vkGetEncodedVideoSessionParametersKHR(s->vk->dev, &info, &feedback, &s->headers_B,
                                                s->headers));
    REQUIRE_EQ(feedback.hasOverrides, VK_FALSE);
}

static void
create_queries(struct stream *s)
{
    const VkQueryPoolVideoEncodeFeedbackCreateInfoKHR feedback = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_VIDEO_ENCODE_FEEDBACK_CREATE_INFO_KHR,
        .pNext = &s->profile,
        .encodeFeedbackFlags = VK_VIDEO_ENCODE_FEEDBACK_BITSTREAM_BUFFER_OFFSET_BIT_KHR |
                               VK_VIDEO_ENCODE_FEEDBACK_BITSTREAM_BYTES_WRITTEN_BIT_KHR,
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

static void
create_images(struct stream *s)
{
    const struct stream_options *o = &s->options;
    const uint32_t count = o->is_layered ? 1 : o->slot_count;
    for (uint32_t i = 0; i < count; i++) {
        s->dpb[i] = vk_image_create(
            s->vk, &(struct vk_image_info){.format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
                                           .width_px = o->width_px,
                                           .height_px = o->height_px,
                                           .layer_count = o->is_layered ? o->slot_count : 1,
                                           .usage = VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR |
                                                    VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                                    VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                                           .next = &s->profiles});
    }
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
        shot->dst = vk_buffer_create(s->vk, DST_OFFSET_B + o->buffer_slack_B + 64,
                                     VK_BUFFER_USAGE_VIDEO_ENCODE_DST_BIT_KHR, &s->profiles);
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
    create_session(s);
    create_parameters(s);
    get_headers(s);
    create_queries(s);
    create_images(s);
    s->model.max_frame_num = 1u << (s->options.log2_max_frame_num_minus4 + 4);
    s->model.max_refs = s->options.max_refs;
    s->decoder = decoder_open();
    s->hash = UINT64_C(0xcbf29ce484222325);
    s->worst_psnr = 9999;
    s->halves = (struct stream_halves){9999, 9999};
    return s;
}

const struct dpb_model *
stream_model(const struct stream *s)
{
    return &s->model;
}

int32_t
stream_free_slot(const struct stream *s)
{
    for (int32_t slot = 0; slot < (int32_t)s->options.slot_count; slot++) {
        if (!dpb_model_find(&s->model, slot))
            return slot;
    }
    REQUIRE(!"a free slot");
    return -1;
}

static struct shot *
shot_of(struct stream *s, uint32_t number)
{
    return &s->shots[number % s->options.shot_count];
}

/* The planes of the source image, one after the other. */
static void
fill_staging(const struct stream *s, struct shot *shot)
{
    const size_t luma_B = (size_t)s->options.width_px * s->options.height_px;
    if (s->options.map_format && shot->pic.map)
        memcpy(shot->map_staging.data, shot->pic.map, map_B(s));
    if (s->options.is_rgb) {
        memset(shot->source + luma_B, 128, luma_B / 2);
        for (size_t i = 0; i < luma_B; i++)
            memset(shot->staging.data + 4 * i, shot->source[i], 4);
        return;
    }
    memcpy(shot->staging.data, shot->source, frame_B(s));
    for (size_t i = 0; i < luma_B / 4 && !s->options.is_i420; i++) {
        shot->staging.data[luma_B + 2 * i] = shot->source[luma_B + i];
        shot->staging.data[luma_B + 2 * i + 1] = shot->source[luma_B * 5 / 4 + i];
    }
}

static void
prepare_lists(struct stream *s, struct shot *shot)
{
    const struct stream_picture *pic = &shot->pic;
    StdVideoEncodeH264ReferenceListsInfo *lists = &shot->lists;
    *lists = (StdVideoEncodeH264ReferenceListsInfo){0};
    /* As a client does on pictures without lists: rubbish that must not be looked at. */
    lists->num_ref_idx_l0_active_minus1 = (uint8_t)(pic->list_count[0] - 1);
    lists->num_ref_idx_l1_active_minus1 = (uint8_t)(pic->list_count[1] - 1);
    memset(lists->RefPicList0, STD_VIDEO_H264_NO_REFERENCE_PICTURE, sizeof(lists->RefPicList0));
    memset(lists->RefPicList1, STD_VIDEO_H264_NO_REFERENCE_PICTURE, sizeof(lists->RefPicList1));
    memcpy(lists->RefPicList0, pic->list[0], pic->list_count[0]);
    memcpy(lists->RefPicList1, pic->list[1], pic->list_count[1]);

    uint32_t mod_count[2] = {0};
    for (uint32_t x = 0; x < 2 && pic->slice_type != 2; x++) {
        if (pic->list_count[x])
            mod_count[x] = dpb_model_modify(&s->model, &shot->numbers, x, pic->list[x],
                                            pic->list_count[x], shot->mods[x]);
    }
    lists->refList0ModOpCount = (uint8_t)mod_count[0];
    lists->refList1ModOpCount = (uint8_t)mod_count[1];
    lists->flags.ref_pic_list_modification_flag_l0 = mod_count[0] > 0;
    lists->flags.ref_pic_list_modification_flag_l1 = mod_count[1] > 0;
    lists->pRefList0ModOperations = shot->mods[0];
    lists->pRefList1ModOperations = shot->mods[1];
    lists->refPicMarkingOpCount =
        (uint8_t)dpb_model_marking(&s->model, &shot->numbers, shot->marks);
    lists->pRefPicMarkingOperations = shot->marks;
}

static void
prepare_slices(const struct stream *s, struct shot *shot)
{
    struct stream_picture *pic = &shot->pic;
    if (pic->slice_count == 0)
        pic->slice_count = 1;
    REQUIRE(pic->slice_count <= STREAM_MAX_SLICES);
    for (uint32_t i = 0; i < pic->slice_count; i++) {
        shot->headers[i] = (StdVideoEncodeH264SliceHeader){
            .flags = {.direct_spatial_mv_pred_flag = !pic->is_temporal_direct},
            .first_mb_in_slice = pic->first_mbs ? pic->first_mbs[i]
                                                : height_mb(s) * i / pic->slice_count * width_mb(s),
            .slice_type = (StdVideoH264SliceType)pic->slice_type,
            .slice_alpha_c0_offset_div2 = (int8_t)pic->alpha_div2,
            .slice_beta_offset_div2 = (int8_t)pic->beta_div2,
            .cabac_init_idc = (StdVideoH264CabacInitIdc)pic->cabac_init_idc,
            .disable_deblocking_filter_idc =
                (StdVideoH264DisableDeblockingFilterIdc)pic->deblocking_idc,
        };
        /* A client says 1 for the first macroblock of the only slice. */
        if (pic->slice_count == 1)
            shot->headers[i].first_mb_in_slice = 1;
        shot->slices[i] = (VkVideoEncodeH264NaluSliceInfoKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_NALU_SLICE_INFO_KHR,
            .constantQp = s->options.average_bps ? 0
                          : pic->slice_qps       ? pic->slice_qps[i]
                                                 : pic->qp,
            .pStdSliceHeader = &shot->headers[i],
        };
    }
}

uint32_t
stream_prepare(struct stream *s, const struct stream_picture *pic)
{
    const uint32_t number = s->prepared_count++;
    struct shot *shot = shot_of(s, number);
    if (shot->is_busy)
        (void)stream_collect(s, shot->number);
    shot->is_busy = true;
    shot->number = number;
    shot->pic = *pic;
    if (shot->pic.range_B == 0)
        shot->pic.range_B = s->options.buffer_slack_B;
    shot->numbers = (struct dpb_picture){
        .is_idr = pic->is_idr,
        .is_reference = pic->is_reference || pic->is_idr,
        .is_long_term = pic->is_long_term,
        .slice_type = pic->slice_type,
        .frame_num = dpb_model_next_frame_num(&s->model, pic->is_idr),
        .poc = pic->poc,
        .slot = pic->setup_slot,
        .marks = pic->marks,
        .mark_count = pic->mark_count,
    };
    content_fill(shot->source, s->options.width_px, s->options.height_px, s->options.content,
                 number);
    fill_staging(s, shot);
    prepare_lists(s, shot);
    prepare_slices(s, shot);
    memcpy(shot->refs, s->model.frames, sizeof(s->model.frames));
    shot->ref_count = pic->is_idr ? 0 : s->model.frame_count;
    if (pic->is_idr)
        s->idr_count++;
    shot->std = (StdVideoEncodeH264PictureInfo){
        .flags = {.IdrPicFlag = pic->is_idr,
                  .is_reference = shot->numbers.is_reference,
                  .long_term_reference_flag = pic->is_idr && pic->is_long_term,
                  .adaptive_ref_pic_marking_mode_flag = pic->mark_count > 0},
        .idr_pic_id = (uint16_t)s->idr_count,
        .primary_pic_type = pic->is_idr ? STD_VIDEO_H264_PICTURE_TYPE_IDR
                                        : (StdVideoH264PictureType)pic->slice_type,
        /* Not wrapped, as some clients have it. */
        .frame_num = shot->numbers.frame_num + 3 * s->model.max_frame_num,
        .PicOrderCnt = pic->poc,
        .pRefLists = &shot->lists,
    };
    dpb_model_mark(&s->model, &shot->numbers);
    return number;
}

/* Memory of the structures that name a slot, for as long as recording takes. */
struct slot_info {
    VkVideoPictureResourceInfoKHR resource;
    StdVideoEncodeH264ReferenceInfo std;
    VkVideoEncodeH264DpbSlotInfoKHR h264;
    VkVideoReferenceSlotInfoKHR slot;
};

static void
fill_slot(const struct stream *s, int32_t slot, const struct dpb_frame *frame,
          struct slot_info *out)
{
    out->resource = (VkVideoPictureResourceInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_PICTURE_RESOURCE_INFO_KHR,
        .codedExtent = {s->options.width_px, s->options.height_px},
        .baseArrayLayer = s->options.is_layered ? (uint32_t)slot : 0,
        .imageViewBinding = s->dpb[s->options.is_layered ? 0 : slot].view,
    };
    out->std = (StdVideoEncodeH264ReferenceInfo){
        .flags = {.used_for_long_term_reference = frame->is_long_term},
        .FrameNum = frame->frame_num,
        .PicOrderCnt = frame->poc,
        .long_term_frame_idx = (uint16_t)frame->long_term_frame_idx,
    };
    out->h264 = (VkVideoEncodeH264DpbSlotInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_DPB_SLOT_INFO_KHR,
        .pStdReferenceInfo = &out->std,
    };
    out->slot = (VkVideoReferenceSlotInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_REFERENCE_SLOT_INFO_KHR,
        .pNext = &out->h264,
        .slotIndex = slot,
        .pPictureResource = &out->resource,
    };
}

static void
record_control(const struct stream *s, VkCommandBuffer cb)
{
    const struct stream_options *o = &s->options;
    const VkVideoEncodeQualityLevelInfoKHR quality = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUALITY_LEVEL_INFO_KHR,
        .qualityLevel = o->quality_level,
    };
    const VkVideoEncodeRateControlLayerInfoKHR layer = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_RATE_CONTROL_LAYER_INFO_KHR,
        .averageBitrate = o->average_bps,
        .maxBitrate = o->is_vbr ? o->average_bps * 2 : o->average_bps,
        .frameRateNumerator = 25,
        .frameRateDenominator = 1,
    };
    const VkVideoEncodeRateControlInfoKHR rate = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_RATE_CONTROL_INFO_KHR,
        .pNext = &quality,
        .rateControlMode = o->average_bps == 0 ? VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR
                           : o->is_vbr         ? VK_VIDEO_ENCODE_RATE_CONTROL_MODE_VBR_BIT_KHR
                                               : VK_VIDEO_ENCODE_RATE_CONTROL_MODE_CBR_BIT_KHR,
        .layerCount = o->average_bps ? 1 : 0,
        .pLayers = &layer,
        .virtualBufferSizeInMs = 1000,
        .initialVirtualBufferSizeInMs = 500,
    };
    vkCmdControlVideoCodingKHR(cb,
                               &(VkVideoCodingControlInfoKHR){
                                   .sType = VK_STRUCTURE_TYPE_VIDEO_CODING_CONTROL_INFO_KHR,
                                   .pNext = &rate,
                                   .flags = VK_VIDEO_CODING_CONTROL_RESET_BIT_KHR |
                                            VK_VIDEO_CODING_CONTROL_ENCODE_RATE_CONTROL_BIT_KHR |
                                            VK_VIDEO_CODING_CONTROL_ENCODE_QUALITY_LEVEL_BIT_KHR});
}

static uint32_t
plane_copies(const struct stream *s, bool is_i420, uint32_t layer, VkBufferImageCopy *out)
{
    const uint32_t count = is_i420 ? 3 : 2;
    const VkDeviceSize luma_B = (VkDeviceSize)s->options.width_px * s->options.height_px;
    for (uint32_t i = 0; i < count; i++) {
        out[i] = (VkBufferImageCopy){
            .bufferOffset = i == 0 ? 0 : luma_B + (i - 1) * (luma_B / 4),
            .imageSubresource = {VK_IMAGE_ASPECT_PLANE_0_BIT << i, 0, layer, 1},
            .imageExtent = {s->options.width_px >> (i > 0), s->options.height_px >> (i > 0), 1},
        };
    }
    return count;
}

static void
record_upload(const struct stream *s, const struct shot *shot)
{
    VkBufferImageCopy regions[3] = {
        {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
         .imageExtent = {s->options.width_px, s->options.height_px, 1}},
        {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
         .imageExtent = {width_mb(s), height_mb(s), 1}},
    };
    if (shot->pic.map)
        vkCmdCopyBufferToImage(shot->cb, shot->map_staging.handle, shot->map.handle,
                               VK_IMAGE_LAYOUT_GENERAL, 1, &regions[1]);
    const uint32_t count = s->options.is_rgb ? 1 : plane_copies(s, s->options.is_i420, 0, regions);
    vkCmdCopyBufferToImage(shot->cb, shot->staging.handle, shot->src.handle,
                           VK_IMAGE_LAYOUT_GENERAL, count, regions);
}

static void
record_encode(struct stream *s, struct shot *shot, const VkVideoReferenceSlotInfoKHR *refs,
              const VkVideoReferenceSlotInfoKHR *setup)
{
    const uint32_t query = shot->number % s->options.shot_count;
    const VkVideoInlineQueryInfoKHR inline_query = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_INLINE_QUERY_INFO_KHR,
        .queryPool = s->queries,
        .firstQuery = query,
        .queryCount = 1,
    };
    VkVideoEncodeH264PictureInfoKHR h264 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_PICTURE_INFO_KHR,
        .pNext = s->options.has_inline_queries ? &inline_query : NULL,
        .naluSliceEntryCount = shot->pic.slice_count,
        .pNaluSliceEntries = shot->slices,
        .pStdPictureInfo = &shot->std,
    };
    const VkVideoEncodeQuantizationMapInfoKHR map = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUANTIZATION_MAP_INFO_KHR,
        .pNext = &h264,
        .quantizationMap = shot->map.view,
        .quantizationMapExtent = {width_mb(s), height_mb(s)},
    };
    const bool has_map = shot->pic.map != NULL;
    VkVideoEncodeInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_INFO_KHR,
        .pNext = has_map ? (const void *)&map : &h264,
        .flags = !has_map ? 0
                 : s->options.map_format == VK_FORMAT_R8_UNORM
                     ? VK_VIDEO_ENCODE_WITH_EMPHASIS_MAP_BIT_KHR
                     : VK_VIDEO_ENCODE_WITH_QUANTIZATION_DELTA_MAP_BIT_KHR,
        .dstBuffer = shot->dst.handle,
        .dstBufferOffset = DST_OFFSET_B,
        .dstBufferRange = shot->pic.has_no_range ? 0 : shot->pic.range_B,
        .srcPictureResource = {.sType = VK_STRUCTURE_TYPE_VIDEO_PICTURE_RESOURCE_INFO_KHR,
                               .codedExtent = {s->options.width_px, s->options.height_px},
                               .imageViewBinding = shot->src.view},
        .pSetupReferenceSlot = setup,
        .referenceSlotCount = shot->ref_count,
        .pReferenceSlots = refs,
    };
    if (shot->pic.tamper)
        shot->pic.tamper(&(struct stream_call){.info = &info,
                                               .h264 = &h264,
                                               .slices = shot->slices,
                                               .headers = shot->headers,
                                               .std = &shot->std,
                                               .lists = &shot->lists});
    if (!s->options.has_inline_queries)
        vkCmdBeginQuery(shot->cb, s->queries, query, 0);
    vkCmdEncodeVideoKHR(shot->cb, &info);
    if (!s->options.has_inline_queries)
        vkCmdEndQuery(shot->cb, s->queries, query);
}

static void
record_coding(struct stream *s, struct shot *shot)
{
    struct slot_info infos[STREAM_MAX_SLOTS + 1];
    VkVideoReferenceSlotInfoKHR slots[STREAM_MAX_SLOTS + 1];
    for (uint32_t i = 0; i < shot->ref_count; i++) {
        fill_slot(s, shot->refs[i].slot, &shot->refs[i], &infos[i]);
        slots[i] = infos[i].slot;
    }
    uint32_t slot_count = shot->ref_count;
    const bool has_setup = shot->pic.setup_slot >= 0;
    struct slot_info setup;
    if (has_setup) {
        const struct dpb_frame current = {.frame_num = shot->numbers.frame_num,
                                          .poc = shot->pic.poc};
        fill_slot(s, shot->pic.setup_slot, &current, &setup);
        slots[slot_count] = setup.slot;
        slots[slot_count++].slotIndex = -1;
    }

    vkCmdBeginVideoCodingKHR(shot->cb, &(VkVideoBeginCodingInfoKHR){
                                           .sType = VK_STRUCTURE_TYPE_VIDEO_BEGIN_CODING_INFO_KHR,
                                           .videoSession = s->session,
                                           .videoSessionParameters = s->params,
                                           .referenceSlotCount = slot_count,
                                           .pReferenceSlots = slots});
    if (shot->number == 0)
        record_control(s, shot->cb);
    record_encode(s, shot, slots, has_setup ? &setup.slot : NULL);
    vkCmdEndVideoCodingKHR(
        shot->cb, &(VkVideoEndCodingInfoKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_END_CODING_INFO_KHR});
    memset(infos, 0xee, sizeof(infos)); /* deep copies were made */
    memset(&setup, 0xee, sizeof(setup));
}

void
stream_record(struct stream *s, uint32_t number)
{
    struct shot *shot = shot_of(s, number);
    VkBufferImageCopy regions[3];
    CHECK(vkBeginCommandBuffer(
        shot->cb,
        &(VkCommandBufferBeginInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO}));
    record_upload(s, shot);
    vkCmdResetQueryPool(shot->cb, s->queries, number % s->options.shot_count, 1);
    record_coding(s, shot);
    if (shot->pic.setup_slot >= 0) {
        const int32_t slot = shot->pic.setup_slot;
        const uint32_t count =
            plane_copies(s, false, s->options.is_layered ? (uint32_t)slot : 0, regions);
        vkCmdCopyImageToBuffer(shot->cb, s->dpb[s->options.is_layered ? 0 : slot].handle,
                               VK_IMAGE_LAYOUT_GENERAL, shot->readback.handle, count, regions);
    }
    CHECK(vkEndCommandBuffer(shot->cb));
    memset(shot->headers, 0xee, sizeof(shot->headers));
    memset(&shot->std, 0xee, sizeof(shot->std));
    memset(shot->mods, 0xee, sizeof(shot->mods));
}

void
stream_submit(struct stream *s, uint32_t number)
{
    struct shot *shot = shot_of(s, number);
    memset(shot->dst.data, GUARD, shot->dst.size_B);
    vk_submit(s->vk, shot->cb);
}

static void
keep_recon(const struct stream *s, const struct shot *shot, struct kept *kept)
{
    const size_t luma_B = (size_t)s->options.width_px * s->options.height_px;
    kept->recon = malloc(frame_B(s));
    REQUIRE(kept->recon);
    memcpy(kept->recon, shot->readback.data, luma_B);
    for (size_t i = 0; i < luma_B / 4; i++) {
        kept->recon[luma_B + i] = shot->readback.data[luma_B + 2 * i];
        kept->recon[luma_B * 5 / 4 + i] = shot->readback.data[luma_B + 2 * i + 1];
    }
}

static struct kept *
kept_of(struct stream *s, uint32_t number)
{
    if (number >= s->kept_capacity) {
        const uint32_t capacity = number * 2 + 64;
        s->kept = realloc(s->kept, capacity * sizeof(*s->kept));
        REQUIRE(s->kept);
        memset(s->kept + s->kept_capacity, 0, (capacity - s->kept_capacity) * sizeof(*s->kept));
        s->kept_capacity = capacity;
    }
    return &s->kept[number];
}

static void
send_to_decoder(struct stream *s, struct shot *shot, const struct stream_result *result)
{
    struct kept *kept = kept_of(s, shot->number);
    if (shot->pic.setup_slot >= 0)
        keep_recon(s, shot, kept);
    kept->source = malloc(frame_B(s));
    REQUIRE(kept->source);
    memcpy(kept->source, shot->source, frame_B(s));
    kept->is_sent = true;

    const size_t headers_B = shot->pic.is_idr ? s->headers_B : 0;
    uint8_t *unit = malloc(headers_B + result->size_B);
    REQUIRE(unit);
    memcpy(unit, s->headers, headers_B);
    memcpy(unit + headers_B, result->data, result->size_B);
    decoder_send(s->decoder, unit, headers_B + result->size_B, shot->number);
    free(unit);

    s->size_B += result->size_B;
    for (uint32_t i = 0; i < result->size_B; i++)
        s->hash = (s->hash ^ result->data[i]) * UINT64_C(0x100000001b3);
}

/* Before the offset and after the bytes (or the range) everything is as it was. */
static void
check_guards(const struct shot *shot, uint32_t size_B)
{
    const size_t range_B =
        shot->pic.has_no_range ? shot->dst.size_B - DST_OFFSET_B : shot->pic.range_B;
    for (uint32_t i = 0; i < DST_OFFSET_B; i++)
        REQUIRE_EQ(shot->dst.data[i], GUARD);
    for (size_t i = DST_OFFSET_B + range_B; i < shot->dst.size_B; i++)
        REQUIRE_EQ(shot->dst.data[i], GUARD);
    REQUIRE(size_B <= range_B);
}

struct stream_result
stream_collect(struct stream *s, uint32_t number)
{
    struct shot *shot = shot_of(s, number);
    REQUIRE(shot->is_busy && shot->number == number);
    CHECK(vkQueueWaitIdle(s->vk->queue));
    shot->is_busy = false;

    uint32_t values[3];
    CHECK(vkGetQueryPoolResults(s->vk->dev, s->queries, number % s->options.shot_count, 1,
                                sizeof(values), values, sizeof(values),
                                VK_QUERY_RESULT_WITH_STATUS_BIT_KHR));
    const struct stream_result result = {
        .status = (int32_t)values[2],
        .offset_B = values[0],
        .size_B = values[1],
        .data = shot->dst.data + DST_OFFSET_B,
        .source = shot->source,
    };
    REQUIRE_EQ(result.offset_B, 0);
    check_guards(shot, result.size_B);
    if (result.status == VK_QUERY_RESULT_STATUS_COMPLETE_KHR)
        send_to_decoder(s, shot, &result);
    return result;
}

uint32_t
stream_encode(struct stream *s, const struct stream_picture *pic)
{
    const uint32_t number = stream_prepare(s, pic);
    stream_record(s, number);
    stream_submit(s, number);
    if (s->options.shot_count == 1)
        REQUIRE_EQ(stream_collect(s, number).status, VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
    return number;
}

void
stream_touch_slot(struct stream *s, int32_t slot)
{
    const struct vk_image *img = &s->dpb[s->options.is_layered ? 0 : slot];
    const uint32_t layer = s->options.is_layered ? (uint32_t)slot : 0;
    uint8_t *pixels = malloc(frame_B(s));
    REQUIRE(pixels);
    vk_image_read_i420(s->vk, img, layer, pixels);
    vk_image_write_i420(s->vk, img, layer, pixels);
    free(pixels);
}

uint64_t
stream_size_B(const struct stream *s)
{
    return s->size_B;
}

uint64_t
stream_hash(const struct stream *s)
{
    return s->hash;
}

const uint8_t *
stream_headers(const struct stream *s, size_t *size_B)
{
    *size_B = s->headers_B;
    return s->headers;
}

static void
compare_frame(void *ctx, uint32_t number, uint32_t width_px, uint32_t height_px,
              const uint8_t *pixels)
{
    struct stream *s = ctx;
    REQUIRE(number < s->prepared_count);
    struct kept *kept = kept_of(s, number);
    REQUIRE(kept->is_sent && !kept->is_seen);
    kept->is_seen = true;
    REQUIRE_EQ(width_px, s->options.width_px);
    REQUIRE_EQ(height_px, s->options.height_px);

    for (size_t i = 0; kept->recon && i < frame_B(s); i++) {
        if (kept->recon[i] != pixels[i]) {
            (void)fprintf(stderr, "picture %u differs at byte %zu of %zu\n", number, i, frame_B(s));
            exit(1);
        }
    }
    const uint32_t half_px = width_px / 2;
    const int32_t psnr = content_psnr(pixels, kept->source, width_px, width_px, height_px);
    const int32_t left = content_psnr(pixels, kept->source, width_px, half_px, height_px);
    const int32_t right =
        content_psnr(pixels + half_px, kept->source + half_px, width_px, half_px, height_px);
    s->worst_psnr = RP_MIN(s->worst_psnr, psnr);
    s->halves.left = RP_MIN(s->halves.left, left);
    s->halves.right = RP_MIN(s->halves.right, right);
}

static void
destroy_objects(struct stream *s)
{
    struct vk *vk = s->vk;
    for (uint32_t i = 0; i < (s->options.is_layered ? 1 : s->options.slot_count); i++)
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
        free(s->shots[i].source);
    }
    vkDestroyQueryPool(vk->dev, s->queries, NULL);
    vkDestroyVideoSessionParametersKHR(vk->dev, s->params, NULL);
    vkDestroyVideoSessionKHR(vk->dev, s->session, NULL);
}

void
stream_flush(struct stream *s)
{
    /* In coding order: the decoder wants it. */
    for (uint32_t i = 0; i < s->options.shot_count; i++) {
        struct shot *oldest = NULL;
        for (uint32_t j = 0; j < s->options.shot_count; j++) {
            struct shot *shot = &s->shots[j];
            if (shot->is_busy && (!oldest || shot->number < oldest->number))
                oldest = shot;
        }
        if (oldest)
            REQUIRE_EQ(stream_collect(s, oldest->number).status,
                       VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
    }
}

int32_t
stream_finish(struct stream *s)
{
    struct stream_halves halves;
    return stream_finish_halves(s, &halves);
}

int32_t
stream_finish_halves(struct stream *s, struct stream_halves *out)
{
    stream_flush(s);
    uint32_t sent_count = 0;
    for (uint32_t i = 0; i < s->prepared_count; i++)
        sent_count += kept_of(s, i)->is_sent;
    REQUIRE_EQ(decoder_finish(s->decoder, compare_frame, s), sent_count);

    const int32_t psnr = s->worst_psnr;
    *out = s->halves;
    destroy_objects(s);
    for (uint32_t i = 0; i < s->kept_capacity; i++) {
        free(s->kept[i].recon);
        free(s->kept[i].source);
    }
    free(s->kept);
    free(s);
    return psnr;
}

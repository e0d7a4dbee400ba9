/* SPDX-License-Identifier: MIT */
/* H.264: IDR, P and B pictures, progressive, 8 bits. */
#include "tools/encode/h264.h"

#include "tools/client/video_h264.h"
#include "tools/encode/picture.h"

#include <string.h>

#define NO_REFERENCE 0xff /* STD_VIDEO_H264_NO_REFERENCE_PICTURE */

static void
h264_profile_init(struct encoder *enc)
{
    enc->profile.codec.h264 = (VkVideoEncodeH264ProfileInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_PROFILE_INFO_KHR,
        .pNext = &enc->profile.usage,
        .stdProfileIdc = enc->settings.h264.profile,
    };
}

static void
h264_capabilities_init(struct capabilities *caps)
{
    caps->codec.h264 = (VkVideoEncodeH264CapabilitiesKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_CAPABILITIES_KHR,
    };
}

static void
h264_settings_check(struct encoder *enc)
{
    struct encoder_settings *settings = &enc->settings;
    const VkVideoEncodeH264CapabilitiesKHR *caps = &enc->caps.codec.h264;
    const uint32_t slice_count = settings->slice_count;

    if (slice_count > caps->maxSliceCount || slice_count > H264_MAX_SLICES ||
        slice_count > (settings->height_px + 15) / 16)
        die("%u slices of a picture are too many", slice_count);
    if (!encoder_q_is_within(enc, caps->minQp, caps->maxQp))
        die("QP: the device has %d to %d", caps->minQp, caps->maxQp);
    if (settings->refs > caps->maxPPictureL0ReferenceCount)
        settings->refs = caps->maxPPictureL0ReferenceCount;
    if (settings->b_frames > 0 &&
        (settings->h264.profile == STD_VIDEO_H264_PROFILE_IDC_BASELINE ||
         caps->maxBPictureL0ReferenceCount == 0 || caps->maxL1ReferenceCount == 0))
        die("--b-frames: there are no B pictures in this profile");
}

static void
h264_rate_init(struct encoder *enc)
{
    const uint32_t gop = enc->settings.gop;
    const uint32_t b_frames = enc->settings.b_frames;
    VkVideoEncodeH264RateControlFlagsKHR flags = 0;

    if (gop > 0)
        flags |= VK_VIDEO_ENCODE_H264_RATE_CONTROL_REGULAR_GOP_BIT_KHR;
    if (gop > 0 && b_frames == 0)
        flags |= VK_VIDEO_ENCODE_H264_RATE_CONTROL_REFERENCE_PATTERN_FLAT_BIT_KHR;
    if (gop > 0 && b_frames > 0)
        flags |= VK_VIDEO_ENCODE_H264_RATE_CONTROL_REFERENCE_PATTERN_DYADIC_BIT_KHR;
    enc->rate.codec.h264 = (VkVideoEncodeH264RateControlInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_RATE_CONTROL_INFO_KHR,
        .flags = flags,
        .gopFrameCount = gop,
        .idrPeriod = gop,
        .consecutiveBFrameCount = b_frames,
        .temporalLayerCount = 1,
    };
}

/* The sets that the settings ask for, as far as the device has the syntax. */
static void
sets_init(struct encoder *enc)
{
    const struct encoder_settings *settings = &enc->settings;
    const StdVideoH264ProfileIdc profile = settings->h264.profile;
    const VkVideoEncodeH264CapabilitiesKHR *caps = &enc->caps.codec.h264;
    const VkVideoEncodeH264StdFlagsKHR syntax = caps->stdSyntaxFlags;
    struct h264_sets *sets = &enc->sets.h264;
    const struct h264_settings h264 = {
        .width_px = settings->width_px,
        .height_px = settings->height_px,
        .fps_numerator = settings->fps_numerator,
        .fps_denominator = settings->fps_denominator,
        .profile = profile,
        .uses_cabac = profile != STD_VIDEO_H264_PROFILE_IDC_BASELINE &&
                      !settings->h264.wants_cavlc &&
                      syntax & VK_VIDEO_ENCODE_H264_STD_ENTROPY_CODING_MODE_FLAG_SET_BIT_KHR,
        .uses_transform_8x8 = profile == STD_VIDEO_H264_PROFILE_IDC_HIGH &&
                              syntax & VK_VIDEO_ENCODE_H264_STD_TRANSFORM_8X8_MODE_FLAG_SET_BIT_KHR,
        .is_bt709 = settings->is_bt709,
        .ref_count = settings->refs,
        .dpb_count = enc->slot_count - 1,
        .reordered = gop_reordered(settings->b_frames),
        .bitrate_bps = settings->max_bitrate_bps,
    };

    h264_sets_init(sets, &h264);
    if (sets->sps.level_idc > caps->maxLevelIdc)
        sets->sps.level_idc = caps->maxLevelIdc;
}

static void
h264_parameters_create(struct encoder *enc, const void *chain)
{
    struct video_h264_encode_sets sets;

    sets_init(enc);
    video_h264_encode_sets_init(&sets, &enc->sets.h264.sps, &enc->sets.h264.pps);
    sets.info.pNext = chain;
    vk_check(video_parameters_create(&enc->gpu->video, enc->session.handle, 0, &sets.info,
                                     &enc->parameters),
             "vkCreateVideoSessionParametersKHR");
}

static StdVideoH264PictureType
picture_type(const struct gop_picture *picture)
{
    if (picture->is_key)
        return STD_VIDEO_H264_PICTURE_TYPE_IDR;
    return picture->is_b ? STD_VIDEO_H264_PICTURE_TYPE_B : STD_VIDEO_H264_PICTURE_TYPE_P;
}

static uint32_t
frame_num(const struct gop_picture *picture)
{
    return picture->refs_before % (1u << H264_LOG2_MAX_FRAME_NUM);
}

static int32_t
picture_order_count(const struct gop_picture *picture)
{
    return (int32_t)(2 * picture->position);
}

static void
slot_init(const struct gop_picture *picture, struct h264_slot *slot)
{
    slot->std = (StdVideoEncodeH264ReferenceInfo){
        .primary_pic_type = picture_type(picture),
        .FrameNum = frame_num(picture),
        .PicOrderCnt = picture_order_count(picture),
    };
    slot->info = (VkVideoEncodeH264DpbSlotInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_DPB_SLOT_INFO_KHR,
        .pStdReferenceInfo = &slot->std,
    };
}

/* How far a reference is behind the picture in the order of coding, less one. */
static uint16_t
pictures_back_minus_1(const struct gop_picture *picture, const struct gop_picture *ref)
{
    return (uint16_t)(picture->refs_before - ref->refs_before - 1);
}

/* The initial list 0 of a P picture has the references that were coded last first (8.2.4.2.1), B
 * pictures too: operations put those in front that are meant. The initial lists of a B picture have
 * the nearest ones first (8.2.4.2.3), which are meant. */
static void
modifications_init(const struct gop *gop, const struct gop_picture *picture,
                   struct h264_picture *h264)
{
    uint32_t predicted = picture->refs_before;

    if (gop->max_b == 0 || picture->is_b || picture->is_key)
        return;
    for (uint32_t i = 0; i < gop->ref_count; i++) {
        const uint32_t back = predicted - gop->refs[i].refs_before;

        h264->modifications[i] = (StdVideoEncodeH264RefListModEntry){
            .modification_of_pic_nums_idc =
                STD_VIDEO_H264_MODIFICATION_OF_PIC_NUMS_IDC_SHORT_TERM_SUBTRACT,
            .abs_diff_pic_num_minus1 = (uint16_t)(back - 1),
        };
        predicted = gop->refs[i].refs_before;
    }
    h264->modifications[gop->ref_count] = (StdVideoEncodeH264RefListModEntry){
        .modification_of_pic_nums_idc = STD_VIDEO_H264_MODIFICATION_OF_PIC_NUMS_IDC_END,
    };
    h264->lists.flags.ref_pic_list_modification_flag_l0 = 1;
    h264->lists.refList0ModOpCount = (uint8_t)(gop->ref_count + 1);
    h264->lists.pRefList0ModOperations = h264->modifications;
}

/* Without B pictures the sliding window does it (8.2.5.3). */
static void
markings_init(const struct gop *gop, const struct gop_picture *picture, struct h264_picture *h264)
{
    if (gop->max_b == 0 || gop->ended_count == 0)
        return;
    for (uint32_t i = 0; i < gop->ended_count; i++)
        h264->markings[i] = (StdVideoEncodeH264RefPicMarkingEntry){
            .memory_management_control_operation =
                STD_VIDEO_H264_MEM_MGMT_CONTROL_OP_UNMARK_SHORT_TERM,
            .difference_of_pic_nums_minus1 = pictures_back_minus_1(picture, &gop->ended[i]),
        };
    h264->markings[gop->ended_count] = (StdVideoEncodeH264RefPicMarkingEntry){
        .memory_management_control_operation = STD_VIDEO_H264_MEM_MGMT_CONTROL_OP_END,
    };
    h264->std.flags.adaptive_ref_pic_marking_mode_flag = 1;
    h264->lists.refPicMarkingOpCount = (uint8_t)(gop->ended_count + 1);
    h264->lists.pRefPicMarkingOperations = h264->markings;
}

/* One picture on each side, or those of the past with the newest first. */
static void
references_init(const struct gop *gop, struct picture_info *info)
{
    struct h264_picture *h264 = &info->codec.h264;
    const uint32_t count0 = info->picture.is_b ? 1 : gop->ref_count;

    h264->lists = (StdVideoEncodeH264ReferenceListsInfo){
        .num_ref_idx_l0_active_minus1 = count0 > 0 ? (uint8_t)(count0 - 1) : 0,
    };
    memset(h264->lists.RefPicList0, NO_REFERENCE, sizeof(h264->lists.RefPicList0));
    memset(h264->lists.RefPicList1, NO_REFERENCE, sizeof(h264->lists.RefPicList1));
    for (uint32_t i = 0; i < gop->ref_count; i++)
        slot_init(&gop->refs[i], &h264->slots[i]);
    for (uint32_t i = 0; i < count0; i++)
        h264->lists.RefPicList0[i] = (uint8_t)gop->refs[i].slot;
    if (info->picture.is_b)
        h264->lists.RefPicList1[0] = (uint8_t)gop->refs[1].slot;
    slot_init(&info->picture, &h264->slots[info->ref_count]);
    for (uint32_t i = 0; i <= info->ref_count; i++)
        info->references[i].pNext = &h264->slots[i].info;
    modifications_init(gop, &info->picture, h264);
    markings_init(gop, &info->picture, h264);
}

static StdVideoH264SliceType
slice_type(const struct gop_picture *picture)
{
    if (picture->is_key)
        return STD_VIDEO_H264_SLICE_TYPE_I;
    return picture->is_b ? STD_VIDEO_H264_SLICE_TYPE_B : STD_VIDEO_H264_SLICE_TYPE_P;
}

static void
slices_init(const struct encoder *enc, struct picture_info *info)
{
    const struct encoder_settings *settings = &enc->settings;
    struct h264_picture *h264 = &info->codec.h264;
    const StdVideoH264SliceType type = slice_type(&info->picture);
    const int32_t qp = encoder_q(enc, &info->picture);
    const uint32_t count0 = h264->lists.num_ref_idx_l0_active_minus1 + 1u;
    const bool has_constant_qp =
        settings->rate_mode == VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR;
    const uint32_t width_mb = (settings->width_px + 15) / 16;
    const uint32_t height_mb = (settings->height_px + 15) / 16;

    h264->slice_count = settings->slice_count ? settings->slice_count : 1;
    for (uint32_t i = 0; i < h264->slice_count; i++) {
        h264->slice_headers[i] = (StdVideoEncodeH264SliceHeader){
            .flags.num_ref_idx_active_override_flag =
                type != STD_VIDEO_H264_SLICE_TYPE_I &&
                count0 != enc->sets.h264.pps.num_ref_idx_l0_default_active_minus1 + 1u,
            .flags.direct_spatial_mv_pred_flag = type == STD_VIDEO_H264_SLICE_TYPE_B,
            .first_mb_in_slice = height_mb * i / h264->slice_count * width_mb,
            .slice_type = type,
            .slice_qp_delta = has_constant_qp ? (int8_t)(qp - 26) : 0,
        };
        h264->slices[i] = (VkVideoEncodeH264NaluSliceInfoKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_NALU_SLICE_INFO_KHR,
            .constantQp = has_constant_qp ? qp : 0,
            .pStdSliceHeader = &h264->slice_headers[i],
        };
    }
}

static void
h264_picture_init(const struct encoder *enc, struct picture_info *info)
{
    struct h264_picture *h264 = &info->codec.h264;

    h264->std = (StdVideoEncodeH264PictureInfo){
        .flags.IdrPicFlag = info->picture.is_key,
        .flags.is_reference = info->picture.is_reference,
        /* Two IDR pictures in a row must not have the same (7.4.3). */
        .idr_pic_id = (uint16_t)(info->picture.group % 2),
        .primary_pic_type = picture_type(&info->picture),
        .frame_num = frame_num(&info->picture),
        .PicOrderCnt = picture_order_count(&info->picture),
        .pRefLists = info->picture.is_key ? NULL : &h264->lists,
    };
    references_init(&enc->gop, info);
    slices_init(enc, info);
    h264->info = (VkVideoEncodeH264PictureInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_PICTURE_INFO_KHR,
        .naluSliceEntryCount = h264->slice_count,
        .pNaluSliceEntries = h264->slices,
        .pStdPictureInfo = &h264->std,
    };
    info->chain = &h264->info;
}

static const char *const device_extensions[] = {
    VK_KHR_VIDEO_QUEUE_EXTENSION_NAME,
    VK_KHR_VIDEO_ENCODE_QUEUE_EXTENSION_NAME,
    VK_KHR_VIDEO_ENCODE_H264_EXTENSION_NAME,
};

static const VkVideoEncodeH264SessionParametersGetInfoKHR both_sets = {
    .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_PARAMETERS_GET_INFO_KHR,
    .writeStdSPS = VK_TRUE,
    .writeStdPPS = VK_TRUE,
};

const struct encode_codec encode_h264 = {
    .name = "h264",
    .work =
        {
            .verb = "encodes H.264",
            .queue_flags = VK_QUEUE_VIDEO_ENCODE_BIT_KHR,
            .codec_operations = VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR,
            .extension_count = sizeof(device_extensions) / sizeof(device_extensions[0]),
            .extensions = device_extensions,
        },
    .default_q = 26,
    .has_b_pictures = true,
    .max_slots = ENCODER_MAX_SLOTS,
    .q_b_offset = 2,
    .max_q = 51,
    .parameters_get = &both_sets,
    .profile_init = h264_profile_init,
    .capabilities_init = h264_capabilities_init,
    .settings_check = h264_settings_check,
    .rate_init = h264_rate_init,
    .parameters_create = h264_parameters_create,
    .picture_init = h264_picture_init,
};

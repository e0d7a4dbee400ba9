/* SPDX-License-Identifier: MIT */
/* H.265: IDR and P pictures, 8 or 10 bits. */
#include "tools/encode/h265.h"

#include "tools/encode/picture.h"

#include <string.h>

#define MAX_REFS 15 /* of a picture: MaxDpbSize is 16 (A.4.2), with the picture itself */
#define MERGE_CANDIDATES 5
#define NO_REFERENCE STD_VIDEO_H265_NO_REFERENCE_PICTURE

static void
h265_profile_init(struct encoder *enc)
{
    enc->profile.codec.h265 = (VkVideoEncodeH265ProfileInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_PROFILE_INFO_KHR,
        .pNext = &enc->profile.usage,
        .stdProfileIdc = enc->settings.bit_depth > 8 ? STD_VIDEO_H265_PROFILE_IDC_MAIN_10
                                                     : STD_VIDEO_H265_PROFILE_IDC_MAIN,
    };
}

static void
h265_capabilities_init(struct capabilities *caps)
{
    caps->codec.h265 = (VkVideoEncodeH265CapabilitiesKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_CAPABILITIES_KHR,
    };
}

/* The number of the highest bit. */
static uint32_t
highest_bit(uint32_t bits)
{
    uint32_t number = 0;

    while (bits >> 1 >> number)
        number++;
    return number;
}

static uint32_t
lowest_bit(uint32_t bits)
{
    return highest_bit(bits & -bits);
}

/* The largest that the device has: VK_VIDEO_ENCODE_H265_CTB_SIZE_16_BIT_KHR is the lowest bit. */
static uint32_t
log2_ctb_px(const struct encoder *enc)
{
    return 4 + highest_bit(enc->caps.codec.h265.ctbSizes);
}

static uint32_t
in_ctbs(const struct encoder *enc, uint32_t px)
{
    const uint32_t log2_px = log2_ctb_px(enc);

    return (px + (1u << log2_px) - 1) >> log2_px;
}

static void
h265_settings_check(struct encoder *enc)
{
    struct encoder_settings *settings = &enc->settings;
    const VkVideoEncodeH265CapabilitiesKHR *caps = &enc->caps.codec.h265;
    const uint32_t slice_count = settings->slice_count;

    if (slice_count > caps->maxSliceSegmentCount || slice_count > H265_MAX_SLICES ||
        slice_count > in_ctbs(enc, settings->height_px))
        die("%u slices of a picture are too many", slice_count);
    if (settings->q_key < caps->minQp || settings->q_key > caps->maxQp ||
        settings->q_p < caps->minQp || settings->q_p > caps->maxQp)
        die("QP: the device has %d to %d", caps->minQp, caps->maxQp);
    if (settings->refs > caps->maxPPictureL0ReferenceCount)
        settings->refs = caps->maxPPictureL0ReferenceCount;
    if (settings->refs > MAX_REFS)
        settings->refs = MAX_REFS;
}

static void
h265_rate_init(struct encoder *enc)
{
    const uint32_t gop = enc->settings.gop;

    enc->rate.codec.h265 = (VkVideoEncodeH265RateControlInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_RATE_CONTROL_INFO_KHR,
        .flags = gop > 0 ? VK_VIDEO_ENCODE_H265_RATE_CONTROL_REGULAR_GOP_BIT_KHR |
                               VK_VIDEO_ENCODE_H265_RATE_CONTROL_REFERENCE_PATTERN_FLAT_BIT_KHR
                         : 0,
        .gopFrameCount = gop,
        .idrPeriod = gop,
        .subLayerCount = 1,
    };
}

/* The sets that the settings ask for, as far as the device has the syntax. */
static void
sets_init(struct encoder *enc)
{
    const struct encoder_settings *settings = &enc->settings;
    const VkVideoEncodeH265CapabilitiesKHR *caps = &enc->caps.codec.h265;
    const VkVideoEncodeH265StdFlagsKHR syntax = caps->stdSyntaxFlags;
    struct h265_sets *sets = &enc->sets.h265;
    const struct h265_settings h265 = {
        .width_px = settings->width_px,
        .height_px = settings->height_px,
        .fps_numerator = settings->fps_numerator,
        .fps_denominator = settings->fps_denominator,
        .bit_depth = settings->bit_depth,
        .log2_ctb_px = log2_ctb_px(enc),
        .log2_min_transform_px = 2 + lowest_bit(caps->transformBlockSizes),
        .log2_max_transform_px = 2 + highest_bit(caps->transformBlockSizes),
        .uses_sao =
            syntax & VK_VIDEO_ENCODE_H265_STD_SAMPLE_ADAPTIVE_OFFSET_ENABLED_FLAG_SET_BIT_KHR,
        .uses_temporal_mvp =
            syntax & VK_VIDEO_ENCODE_H265_STD_SPS_TEMPORAL_MVP_ENABLED_FLAG_SET_BIT_KHR,
        .uses_sign_hiding =
            syntax & VK_VIDEO_ENCODE_H265_STD_SIGN_DATA_HIDING_ENABLED_FLAG_SET_BIT_KHR,
        .is_bt709 = settings->is_bt709,
        .ref_count = settings->refs,
        .slice_count = settings->slice_count,
        .bitrate_bps = settings->max_bitrate_bps,
    };

    h265_sets_init(sets, &h265);
    if (sets->profile_tier_level.general_level_idc > caps->maxLevelIdc)
        sets->profile_tier_level.general_level_idc = caps->maxLevelIdc;
}

static void
h265_parameters_create(struct encoder *enc, const void *chain)
{
    const struct h265_sets *sets = &enc->sets.h265;
    const VkVideoEncodeH265SessionParametersAddInfoKHR add = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_SESSION_PARAMETERS_ADD_INFO_KHR,
        .stdVPSCount = 1,
        .pStdVPSs = &sets->vps,
        .stdSPSCount = 1,
        .pStdSPSs = &sets->sps,
        .stdPPSCount = 1,
        .pStdPPSs = &sets->pps,
    };
    const VkVideoEncodeH265SessionParametersCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .pNext = chain,
        .maxStdVPSCount = 1,
        .maxStdSPSCount = 1,
        .maxStdPPSCount = 1,
        .pParametersAddInfo = &add,
    };

    sets_init(enc);
    vk_check(
        video_parameters_create(&enc->gpu->video, enc->session.handle, 0, &info, &enc->parameters),
        "vkCreateVideoSessionParametersKHR");
}

static StdVideoH265PictureType
picture_type(const struct gop_picture *picture)
{
    return picture->is_key ? STD_VIDEO_H265_PICTURE_TYPE_IDR : STD_VIDEO_H265_PICTURE_TYPE_P;
}

static void
slot_init(const struct gop_picture *picture, struct h265_slot *slot)
{
    slot->std = (StdVideoEncodeH265ReferenceInfo){
        .pic_type = picture_type(picture),
        .PicOrderCntVal = (int32_t)picture->position,
    };
    slot->info = (VkVideoEncodeH265DpbSlotInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_DPB_SLOT_INFO_KHR,
        .pStdReferenceInfo = &slot->std,
    };
}

/* The newest picture comes first: the order of RefPicListTemp0 (8.3.4). */
static void
references_init(const struct gop *gop, struct picture_info *info)
{
    struct h265_picture *h265 = &info->codec.h265;

    h265->lists = (StdVideoEncodeH265ReferenceListsInfo){
        .num_ref_idx_l0_active_minus1 = gop->ref_count > 0 ? (uint8_t)(gop->ref_count - 1) : 0,
    };
    memset(h265->lists.RefPicList0, NO_REFERENCE, sizeof(h265->lists.RefPicList0));
    memset(h265->lists.RefPicList1, NO_REFERENCE, sizeof(h265->lists.RefPicList1));
    for (uint32_t i = 0; i < gop->ref_count; i++) {
        slot_init(&gop->refs[i], &h265->slots[i]);
        h265->lists.RefPicList0[i] = (uint8_t)gop->refs[i].slot;
    }
    slot_init(&info->picture, &h265->slots[info->ref_count]);
    for (uint32_t i = 0; i <= info->ref_count; i++)
        info->references[i].pNext = &h265->slots[i].info;
}

static void
slices_init(const struct encoder *enc, struct picture_info *info)
{
    const struct encoder_settings *settings = &enc->settings;
    const StdVideoH265SpsFlags *sps = &enc->sets.h265.sps.flags;
    struct h265_picture *h265 = &info->codec.h265;
    const bool is_idr = info->picture.is_key;
    const int32_t qp = is_idr ? settings->q_key : settings->q_p;
    const bool has_constant_qp =
        settings->rate_mode == VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR;
    const uint32_t width = in_ctbs(enc, settings->width_px);
    const uint32_t height = in_ctbs(enc, settings->height_px);

    h265->slice_count = settings->slice_count ? settings->slice_count : 1;
    for (uint32_t i = 0; i < h265->slice_count; i++) {
        h265->slice_headers[i] = (StdVideoEncodeH265SliceSegmentHeader){
            .flags =
                {
                    .first_slice_segment_in_pic_flag = i == 0,
                    .slice_sao_luma_flag = sps->sample_adaptive_offset_enabled_flag,
                    .slice_sao_chroma_flag = sps->sample_adaptive_offset_enabled_flag,
                    .num_ref_idx_active_override_flag =
                        !is_idr && info->ref_count !=
                                       enc->sets.h265.pps.num_ref_idx_l0_default_active_minus1 + 1u,
                    .collocated_from_l0_flag = 1,
                },
            .slice_type = is_idr ? STD_VIDEO_H265_SLICE_TYPE_I : STD_VIDEO_H265_SLICE_TYPE_P,
            .slice_segment_address = height * i / h265->slice_count * width,
            .MaxNumMergeCand = MERGE_CANDIDATES,
            .slice_qp_delta = has_constant_qp ? (int8_t)(qp - 26) : 0,
        };
        h265->slices[i] = (VkVideoEncodeH265NaluSliceSegmentInfoKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_NALU_SLICE_SEGMENT_INFO_KHR,
            .constantQp = has_constant_qp ? qp : 0,
            .pStdSliceSegmentHeader = &h265->slice_headers[i],
        };
    }
}

static void
h265_picture_init(const struct encoder *enc, struct picture_info *info)
{
    struct h265_picture *h265 = &info->codec.h265;
    const bool is_idr = info->picture.is_key;

    references_init(&enc->gop, info);
    slices_init(enc, info);
    h265->std = (StdVideoEncodeH265PictureInfo){
        .flags =
            {
                .is_reference = 1,
                .IrapPicFlag = is_idr,
                .pic_output_flag = 1,
                .short_term_ref_pic_set_sps_flag = !is_idr,
                .slice_temporal_mvp_enabled_flag =
                    !is_idr && enc->sets.h265.sps.flags.sps_temporal_mvp_enabled_flag,
            },
        .pic_type = picture_type(&info->picture),
        .short_term_ref_pic_set_idx = is_idr ? 0 : (uint8_t)(info->ref_count - 1),
        .PicOrderCntVal = (int32_t)info->picture.position,
        .pRefLists = is_idr ? NULL : &h265->lists,
    };
    h265->info = (VkVideoEncodeH265PictureInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_PICTURE_INFO_KHR,
        .naluSliceSegmentEntryCount = h265->slice_count,
        .pNaluSliceSegmentEntries = h265->slices,
        .pStdPictureInfo = &h265->std,
    };
    info->chain = &h265->info;
}

static const char *const device_extensions[] = {
    VK_KHR_VIDEO_QUEUE_EXTENSION_NAME,
    VK_KHR_VIDEO_ENCODE_QUEUE_EXTENSION_NAME,
    VK_KHR_VIDEO_ENCODE_H265_EXTENSION_NAME,
};

static const VkVideoEncodeH265SessionParametersGetInfoKHR all_sets = {
    .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_SESSION_PARAMETERS_GET_INFO_KHR,
    .writeStdVPS = VK_TRUE,
    .writeStdSPS = VK_TRUE,
    .writeStdPPS = VK_TRUE,
};

const struct encode_codec encode_h265 = {
    .name = "h265",
    .work =
        {
            .verb = "encodes H.265",
            .queue_flags = VK_QUEUE_VIDEO_ENCODE_BIT_KHR,
            .codec_operations = VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR,
            .extension_count = sizeof(device_extensions) / sizeof(device_extensions[0]),
            .extensions = device_extensions,
        },
    .default_q = 26,
    .has_10_bits = true,
    .parameters_get = &all_sets,
    .profile_init = h265_profile_init,
    .capabilities_init = h265_capabilities_init,
    .settings_check = h265_settings_check,
    .rate_init = h265_rate_init,
    .parameters_create = h265_parameters_create,
    .picture_init = h265_picture_init,
};

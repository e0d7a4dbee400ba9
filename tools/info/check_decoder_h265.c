/* SPDX-License-Identifier: MIT */
/* H.265 in the decoder of --check.
 */
#include "check_decoder.h"

#include <string.h>

#define NAL_VPS 32u /* those of slices come before it (Table 7-1) */

static bool
is_slice(uint8_t first_byte)
{
    return (first_byte >> 1 & 63u) < NAL_VPS;
}

static VkResult
parameters_create(const struct video_device *device, VkVideoSessionKHR session,
                  const struct encoder *enc, VkVideoSessionParametersKHR *out)
{
    const VkVideoDecodeH265SessionParametersAddInfoKHR add = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_SESSION_PARAMETERS_ADD_INFO_KHR,
        .stdVPSCount = 1,
        .pStdVPSs = &enc->sets.h265.vps,
        .stdSPSCount = 1,
        .pStdSPSs = &enc->sets.h265.sps,
        .stdPPSCount = 1,
        .pStdPPSs = &enc->sets.h265.pps,
    };
    const VkVideoDecodeH265SessionParametersCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .maxStdVPSCount = 1,
        .maxStdSPSCount = 1,
        .maxStdPPSCount = 1,
        .pParametersAddInfo = &add,
    };

    return video_parameters_create(device, session, 0, &info, out);
}

static void
slot_init(struct check_picture *picture, uint32_t slot)
{
    picture->codec.h265.references[slot] = (StdVideoDecodeH265ReferenceInfo){
        .PicOrderCntVal = (int32_t)check_slot_position(picture, slot),
    };
    picture->codec.h265.slots[slot] = (VkVideoDecodeH265DpbSlotInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_DPB_SLOT_INFO_KHR,
        .pStdReferenceInfo = &picture->codec.h265.references[slot],
    };
    picture->slots[slot] = &picture->codec.h265.slots[slot];
}

static void
picture_init(struct check_picture *picture)
{
    StdVideoDecodeH265PictureInfo *std = &picture->codec.h265.std;
    const bool is_idr = picture->position == 0;

    *std = (StdVideoDecodeH265PictureInfo){
        .flags =
            {
                .IrapPicFlag = is_idr,
                .IdrPicFlag = is_idr,
                .IsReference = 1,
                .short_term_ref_pic_set_sps_flag = !is_idr,
            },
        .PicOrderCntVal = (int32_t)picture->position,
    };
    memset(std->RefPicSetStCurrBefore, STD_VIDEO_H265_NO_REFERENCE_PICTURE,
           sizeof(std->RefPicSetStCurrBefore));
    memset(std->RefPicSetStCurrAfter, STD_VIDEO_H265_NO_REFERENCE_PICTURE,
           sizeof(std->RefPicSetStCurrAfter));
    memset(std->RefPicSetLtCurr, STD_VIDEO_H265_NO_REFERENCE_PICTURE, sizeof(std->RefPicSetLtCurr));
    if (!is_idr)
        std->RefPicSetStCurrBefore[0] = (uint8_t)((picture->position + 1) % CHECK_SLOTS);
    picture->codec.h265.info = (VkVideoDecodeH265PictureInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_PICTURE_INFO_KHR,
        .pStdPictureInfo = std,
        .sliceSegmentCount = picture->slice_count,
        .pSliceSegmentOffsets = picture->slice_offsets_B,
    };
    picture->chain = &picture->codec.h265.info;
    for (uint32_t i = 0; i < CHECK_SLOTS; i++)
        slot_init(picture, i);
}

static const char *const extensions[] = {
    VK_KHR_VIDEO_QUEUE_EXTENSION_NAME,
    VK_KHR_VIDEO_DECODE_QUEUE_EXTENSION_NAME,
    VK_KHR_VIDEO_DECODE_H265_EXTENSION_NAME,
};

static const VkVideoDecodeH265ProfileInfoKHR profile = {
    .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_PROFILE_INFO_KHR,
    .stdProfileIdc = STD_VIDEO_H265_PROFILE_IDC_MAIN,
};

const struct check_codec check_codec_h265 = {
    .work =
        {
            .verb = "decodes H.265",
            .queue_flags = VK_QUEUE_VIDEO_DECODE_BIT_KHR,
            .codec_operations = VK_VIDEO_CODEC_OPERATION_DECODE_H265_BIT_KHR,
            .extension_count = sizeof(extensions) / sizeof(extensions[0]),
            .extensions = extensions,
        },
    .encode = &encode_h265,
    .profile = &profile,
    .is_slice = is_slice,
    .parameters_create = parameters_create,
    .picture_init = picture_init,
};

/* SPDX-License-Identifier: MIT */
/* H.264 in the decoder of --check.
 */
#include "check_decoder.h"

#include "tools/client/video_h264.h"

#define NAL_SLICE 1u
#define NAL_SLICE_IDR 5u

static bool
is_slice(uint8_t first_byte)
{
    const uint32_t type = first_byte & 31u;

    return type == NAL_SLICE || type == NAL_SLICE_IDR;
}

static VkResult
parameters_create(const struct video_device *device, VkVideoSessionKHR session,
                  const struct encoder *enc, VkVideoSessionParametersKHR *out)
{
    struct video_h264_decode_sets h264;

    video_h264_decode_sets_init(&h264, &enc->sets.h264.sps, &enc->sets.h264.pps);
    return video_parameters_create(device, session, 0, &h264.info, out);
}

static void
slot_init(struct check_picture *picture, uint32_t slot)
{
    const uint32_t position = check_slot_position(picture, slot);
    const int32_t poc = (int32_t)(2 * position);

    picture->codec.h264.references[slot] = (StdVideoDecodeH264ReferenceInfo){
        .FrameNum = (uint16_t)position, .PicOrderCnt = {poc, poc}};
    picture->codec.h264.slots[slot] = (VkVideoDecodeH264DpbSlotInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_DPB_SLOT_INFO_KHR,
        .pStdReferenceInfo = &picture->codec.h264.references[slot],
    };
    picture->slots[slot] = &picture->codec.h264.slots[slot];
}

static void
picture_init(struct check_picture *picture)
{
    const bool is_idr = picture->position == 0;
    const int32_t poc = (int32_t)(2 * picture->position);

    picture->codec.h264.std = (StdVideoDecodeH264PictureInfo){
        .flags = {.is_intra = is_idr, .IdrPicFlag = is_idr, .is_reference = 1},
        .frame_num = (uint16_t)picture->position,
        .PicOrderCnt = {poc, poc},
    };
    picture->codec.h264.info = (VkVideoDecodeH264PictureInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_PICTURE_INFO_KHR,
        .pStdPictureInfo = &picture->codec.h264.std,
        .sliceCount = picture->slice_count,
        .pSliceOffsets = picture->slice_offsets_B,
    };
    picture->chain = &picture->codec.h264.info;
    for (uint32_t i = 0; i < CHECK_SLOTS; i++)
        slot_init(picture, i);
}

static const char *const extensions[] = {
    VK_KHR_VIDEO_QUEUE_EXTENSION_NAME,
    VK_KHR_VIDEO_DECODE_QUEUE_EXTENSION_NAME,
    VK_KHR_VIDEO_DECODE_H264_EXTENSION_NAME,
};

static const VkVideoDecodeH264ProfileInfoKHR profile = {
    .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_PROFILE_INFO_KHR,
    .stdProfileIdc = STD_VIDEO_H264_PROFILE_IDC_HIGH,
};

const struct check_codec check_codec_h264 = {
    .work =
        {
            .verb = "decodes H.264",
            .queue_flags = VK_QUEUE_VIDEO_DECODE_BIT_KHR,
            .codec_operations = VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR,
            .extension_count = sizeof(extensions) / sizeof(extensions[0]),
            .extensions = extensions,
        },
    .encode = &encode_h264,
    .profile = &profile,
    .is_slice = is_slice,
    .parameters_create = parameters_create,
    .picture_init = picture_init,
};

/* SPDX-License-Identifier: MIT */
/* An IDR picture of H.265, in eight bytes, and what x265 said of it.
 */
#include "check.h"
#include "check_grey.h"

static const uint8_t slice[] = {0x00, 0x00, 0x01, 0x28, 0x01, 0xad, 0x40, 0x05, 0x24, 0x76, 0xf0};

static const StdVideoH265ProfileTierLevel profile_tier_level = {
    .general_profile_idc = STD_VIDEO_H265_PROFILE_IDC_MAIN,
    .general_level_idc = STD_VIDEO_H265_LEVEL_IDC_1_0,
};
static const StdVideoH265DecPicBufMgr dec_pic_buf_mgr = {.max_dec_pic_buffering_minus1 = {2}};
static const StdVideoH265VideoParameterSet vps = {
    .pDecPicBufMgr = &dec_pic_buf_mgr,
    .pProfileTierLevel = &profile_tier_level,
};
static const StdVideoH265SequenceParameterSet sps = {
    .chroma_format_idc = STD_VIDEO_H265_CHROMA_FORMAT_IDC_420,
    .pic_width_in_luma_samples = CHECK_GREY_WIDTH_PX,
    .pic_height_in_luma_samples = CHECK_GREY_HEIGHT_PX,
    .log2_max_pic_order_cnt_lsb_minus4 = 4,
    .log2_min_luma_coding_block_size_minus3 = 1,
    .log2_diff_max_min_luma_transform_block_size = 2,
    .pProfileTierLevel = &profile_tier_level,
    .pDecPicBufMgr = &dec_pic_buf_mgr,
};
static const StdVideoH265PictureParameterSet pps = {
    .flags = {.pps_loop_filter_across_slices_enabled_flag = 1,
              .deblocking_filter_control_present_flag = 1,
              .pps_deblocking_filter_disabled_flag = 1},
};

void
check_decode_h265(void)
{
    static const uint32_t offset_B = 0;
    const VkVideoDecodeH265ProfileInfoKHR profile = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_PROFILE_INFO_KHR,
        .stdProfileIdc = STD_VIDEO_H265_PROFILE_IDC_MAIN,
    };
    const VkVideoDecodeH265SessionParametersAddInfoKHR add = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_SESSION_PARAMETERS_ADD_INFO_KHR,
        .stdVPSCount = 1,
        .pStdVPSs = &vps,
        .stdSPSCount = 1,
        .pStdSPSs = &sps,
        .stdPPSCount = 1,
        .pStdPPSs = &pps,
    };
    const VkVideoDecodeH265SessionParametersCreateInfoKHR parameters = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .maxStdVPSCount = 1,
        .maxStdSPSCount = 1,
        .maxStdPPSCount = 1,
        .pParametersAddInfo = &add,
    };
    const StdVideoDecodeH265ReferenceInfo reference = {.PicOrderCntVal = 0};
    const VkVideoDecodeH265DpbSlotInfoKHR slot = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_DPB_SLOT_INFO_KHR,
        .pStdReferenceInfo = &reference,
    };
    StdVideoDecodeH265PictureInfo picture = {
        .flags = {.IrapPicFlag = 1, .IdrPicFlag = 1, .IsReference = 1},
    };
    for (uint32_t i = 0; i < STD_VIDEO_DECODE_H265_REF_PIC_SET_LIST_SIZE; i++)
        picture.RefPicSetStCurrBefore[i] = picture.RefPicSetStCurrAfter[i] =
            picture.RefPicSetLtCurr[i] = STD_VIDEO_H265_NO_REFERENCE_PICTURE;
    const VkVideoDecodeH265PictureInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_PICTURE_INFO_KHR,
        .pStdPictureInfo = &picture,
        .sliceSegmentCount = 1,
        .pSliceSegmentOffsets = &offset_B,
    };
    check_grey(&(struct check_grey){
        .verb = "decodes H.265",
        .operation = VK_VIDEO_CODEC_OPERATION_DECODE_H265_BIT_KHR,
        .extension = VK_KHR_VIDEO_DECODE_H265_EXTENSION_NAME,
        .profile = &profile,
        .parameters = &parameters,
        .picture = &info,
        .slot = &slot,
        .data = slice,
        .data_B = sizeof(slice),
    });
}

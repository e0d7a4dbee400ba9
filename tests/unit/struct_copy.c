/* SPDX-License-Identifier: MIT */
/* Deep copies survive what the application does to its own structures.
 */
#include "util/struct_copy.h"

#include "struct_copy_fill.h"

#include <vk_video/vulkan_video_codec_h264std_encode.h>

#include <string.h>

static void
a_null_chain_is_null(void)
{
    struct rp_arena arena;
    rp_arena_init(&arena, NULL);
    void *out = &arena;

    REQUIRE(rp_chain_copy(&arena, NULL, &out));
    REQUIRE(!out);
    rp_arena_finish(&arena);
}

static void
unknown_structures_are_left_out(void)
{
    VkVideoInlineQueryInfoKHR last = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_INLINE_QUERY_INFO_KHR, .firstQuery = 7, .queryCount = 1};
    VkBaseInStructure unknown2 = {(VkStructureType)0x7ffffffe, (void *)&last};
    VkVideoEncodeQualityLevelInfoKHR quality = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUALITY_LEVEL_INFO_KHR,
        .pNext = &unknown2,
        .qualityLevel = 3,
    };
    VkBaseInStructure unknown = {(VkStructureType)0x7ffffffd, (void *)&quality};

    struct rp_arena arena;
    rp_arena_init(&arena, NULL);
    void *out;
    REQUIRE(rp_chain_copy(&arena, &unknown, &out));
    quality.qualityLevel = 0;
    last.firstQuery = 0;

    const VkVideoEncodeQualityLevelInfoKHR *first = out;
    const VkVideoInlineQueryInfoKHR *second = first->pNext;
    REQUIRE_EQ(first->qualityLevel, 3);
    REQUIRE_EQ(second->sType, VK_STRUCTURE_TYPE_VIDEO_INLINE_QUERY_INFO_KHR);
    REQUIRE_EQ(second->firstQuery, 7);
    REQUIRE(!second->pNext);
    rp_arena_finish(&arena);
}

static void
nested_arrays_and_std_structures_are_copied(void)
{
    StdVideoEncodeH264ReferenceListsInfo lists = {.num_ref_idx_l0_active_minus1 = 255,
                                                  .refPicMarkingOpCount = 1};
    StdVideoEncodeH264RefPicMarkingEntry marking = {
        .memory_management_control_operation = STD_VIDEO_H264_MEM_MGMT_CONTROL_OP_UNMARK_SHORT_TERM,
        .difference_of_pic_nums_minus1 = 5,
    };
    lists.pRefPicMarkingOperations = &marking;
    StdVideoEncodeH264PictureInfo std = {.frame_num = 11, .pRefLists = &lists};
    StdVideoEncodeH264SliceHeader header = {.slice_qp_delta = -3};
    VkVideoEncodeH264NaluSliceInfoKHR slices[2];
    for (int i = 0; i < 2; i++)
        slices[i] = (VkVideoEncodeH264NaluSliceInfoKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_NALU_SLICE_INFO_KHR,
            .constantQp = 20 + i,
            .pStdSliceHeader = &header,
        };
    VkVideoEncodeH264PictureInfoKHR picture = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_PICTURE_INFO_KHR,
        .naluSliceEntryCount = 2,
        .pNaluSliceEntries = slices,
        .pStdPictureInfo = &std,
    };
    const VkVideoReferenceSlotInfoKHR setup = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_REFERENCE_SLOT_INFO_KHR, .slotIndex = 4};
    VkVideoEncodeInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_INFO_KHR,
        .pNext = &picture,
        .pSetupReferenceSlot = &setup,
    };

    struct rp_arena arena;
    const void *out = copy_of(&arena, &info);
    memset(&lists, 0xcc, sizeof(lists));
    memset(&marking, 0xcc, sizeof(marking));
    memset(&std, 0xcc, sizeof(std));
    memset(&header, 0xcc, sizeof(header));
    memset(slices, 0xcc, sizeof(slices));
    memset(&picture, 0xcc, sizeof(picture));

    const VkVideoEncodeInfoKHR *copy = out;
    const VkVideoEncodeH264PictureInfoKHR *p = copy->pNext;
    REQUIRE_EQ(copy->pSetupReferenceSlot->slotIndex, 4);
    REQUIRE(copy->pSetupReferenceSlot != &setup);
    REQUIRE_EQ(p->pNaluSliceEntries[1].constantQp, 21);
    REQUIRE_EQ(p->pNaluSliceEntries[0].pStdSliceHeader->slice_qp_delta, -3);
    REQUIRE_EQ(p->pStdPictureInfo->frame_num, 11);
    REQUIRE_EQ(p->pStdPictureInfo->pRefLists->num_ref_idx_l0_active_minus1, 255);
    REQUIRE_EQ(
        p->pStdPictureInfo->pRefLists->pRefPicMarkingOperations[0].difference_of_pic_nums_minus1,
        5);
    REQUIRE(!copy->pReferenceSlots);
    rp_arena_finish(&arena);
}

static void
std_pointers_count_only_when_their_flag_says_so(void)
{
    StdVideoH264SequenceParameterSetVui vui = {.aspect_ratio_idc =
                                                   STD_VIDEO_H264_ASPECT_RATIO_IDC_SQUARE};
    const StdVideoH264SequenceParameterSet sps[2] = {
        {.flags.vui_parameters_present_flag = 1,
         .pSequenceParameterSetVui = &vui,
         .pScalingLists = (const void *)1},
        {.pSequenceParameterSetVui = (const void *)1, .pOffsetForRefFrame = (const void *)1},
    };
    const VkVideoEncodeH264SessionParametersAddInfoKHR add = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_PARAMETERS_ADD_INFO_KHR,
        .stdSPSCount = 2,
        .pStdSPSs = sps,
    };

    struct rp_arena arena;
    const void *out = copy_of(&arena, &add);

    const VkVideoEncodeH264SessionParametersAddInfoKHR *copy = out;
    REQUIRE(copy->pStdSPSs[0].pSequenceParameterSetVui != &vui);
    REQUIRE_EQ(copy->pStdSPSs[0].pSequenceParameterSetVui->aspect_ratio_idc,
               STD_VIDEO_H264_ASPECT_RATIO_IDC_SQUARE);
    REQUIRE(!copy->pStdSPSs[0].pScalingLists);
    REQUIRE(!copy->pStdSPSs[1].pSequenceParameterSetVui);
    REQUIRE(!copy->pStdSPSs[1].pOffsetForRefFrame);
    rp_arena_finish(&arena);
}

int
main(void)
{
    RUN(a_null_chain_is_null);
    RUN(unknown_structures_are_left_out);
    RUN(nested_arrays_and_std_structures_are_copied);
    RUN(std_pointers_count_only_when_their_flag_says_so);
    return 0;
}

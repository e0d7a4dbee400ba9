/* SPDX-License-Identifier: MIT */
/* Deep copies of H.265's parameter sets and pictures, with all that hangs from their Std
 * structures.
 */
#include "util/struct_copy.h"

#include "struct_copy_fill.h"

#include <vk_video/vulkan_video_codec_h265std_decode.h>
#include <vk_video/vulkan_video_codec_h265std_encode.h>

#define SUB_LAYERS 3
#define SHORT_TERM_SETS 5

/* Every structure that parameter sets are made of, once. */
struct sets {
    StdVideoH265SubLayerHrdParameters nal[SUB_LAYERS];
    StdVideoH265SubLayerHrdParameters vcl[SUB_LAYERS];
    StdVideoH265HrdParameters hrd;
    StdVideoH265DecPicBufMgr dpb;
    StdVideoH265ProfileTierLevel level;
    StdVideoH265ScalingLists scaling;
    StdVideoH265ShortTermRefPicSet short_term[SHORT_TERM_SETS];
    StdVideoH265LongTermRefPicsSps long_term;
    StdVideoH265SequenceParameterSetVui vui;
    StdVideoH265PredictorPaletteEntries palette;
    StdVideoH265VideoParameterSet vps;
    StdVideoH265SequenceParameterSet sps[2];
    StdVideoH265PictureParameterSet pps[2];
};

/* All flags are set, but for those of the second SPS and PPS. */
static void
sets_fill(struct sets *s)
{
    fill_bytes(s, sizeof(*s));
    s->hrd.flags.nal_hrd_parameters_present_flag = 1;
    s->hrd.flags.vcl_hrd_parameters_present_flag = 1;
    s->hrd.pSubLayerHrdParametersNal = s->nal;
    s->hrd.pSubLayerHrdParametersVcl = s->vcl;
    s->vui.flags.vui_hrd_parameters_present_flag = 1;
    s->vui.pHrdParameters = &s->hrd;

    s->vps.flags.vps_timing_info_present_flag = 1;
    s->vps.vps_max_sub_layers_minus1 = SUB_LAYERS - 1;
    s->vps.pDecPicBufMgr = &s->dpb;
    s->vps.pHrdParameters = &s->hrd;
    s->vps.pProfileTierLevel = &s->level;

    for (int i = 0; i < 2; i++) {
        const bool is_present = i == 0;
        StdVideoH265SequenceParameterSet *sps = &s->sps[i];
        sps->flags.sps_scaling_list_data_present_flag = is_present;
        sps->flags.long_term_ref_pics_present_flag = is_present;
        sps->flags.vui_parameters_present_flag = is_present;
        sps->flags.sps_palette_predictor_initializers_present_flag = is_present;
        sps->num_short_term_ref_pic_sets = is_present ? SHORT_TERM_SETS : 0;
        sps->sps_max_sub_layers_minus1 = SUB_LAYERS - 1;
        sps->pProfileTierLevel = &s->level;
        sps->pDecPicBufMgr = &s->dpb;
        sps->pScalingLists = is_present ? &s->scaling : WILD;
        sps->pShortTermRefPicSet = is_present ? s->short_term : WILD;
        sps->pLongTermRefPicsSps = is_present ? &s->long_term : WILD;
        sps->pSequenceParameterSetVui = is_present ? &s->vui : WILD;
        sps->pPredictorPaletteEntries = is_present ? &s->palette : WILD;

        StdVideoH265PictureParameterSet *pps = &s->pps[i];
        pps->flags.pps_scaling_list_data_present_flag = is_present;
        pps->flags.pps_palette_predictor_initializers_present_flag = is_present;
        pps->pScalingLists = is_present ? &s->scaling : WILD;
        pps->pPredictorPaletteEntries = is_present ? &s->palette : WILD;
    }
}

static void
require_hrd(const StdVideoH265HrdParameters *copy, const struct sets *expected)
{
    StdVideoH265HrdParameters hrd = expected->hrd;
    hrd.pSubLayerHrdParametersNal = copy->pSubLayerHrdParametersNal;
    hrd.pSubLayerHrdParametersVcl = copy->pSubLayerHrdParametersVcl;
    REQUIRE_COPY(copy, hrd);
    REQUIRE_COPY(copy->pSubLayerHrdParametersNal, expected->nal);
    REQUIRE_COPY(copy->pSubLayerHrdParametersVcl, expected->vcl);
}

static void
require_vps(const StdVideoH265VideoParameterSet *copy, const struct sets *expected)
{
    StdVideoH265VideoParameterSet vps = expected->vps;
    vps.pDecPicBufMgr = copy->pDecPicBufMgr;
    vps.pHrdParameters = copy->pHrdParameters;
    vps.pProfileTierLevel = copy->pProfileTierLevel;
    REQUIRE_COPY(copy, vps);
    REQUIRE_COPY(copy->pDecPicBufMgr, expected->dpb);
    REQUIRE_COPY(copy->pProfileTierLevel, expected->level);
    require_hrd(copy->pHrdParameters, expected);
}

static void
require_sps(const StdVideoH265SequenceParameterSet *copy, const struct sets *expected, int i)
{
    StdVideoH265SequenceParameterSet sps = expected->sps[i];
    sps.pProfileTierLevel = copy->pProfileTierLevel;
    sps.pDecPicBufMgr = copy->pDecPicBufMgr;
    sps.pScalingLists = copy->pScalingLists;
    sps.pShortTermRefPicSet = copy->pShortTermRefPicSet;
    sps.pLongTermRefPicsSps = copy->pLongTermRefPicsSps;
    sps.pSequenceParameterSetVui = copy->pSequenceParameterSetVui;
    sps.pPredictorPaletteEntries = copy->pPredictorPaletteEntries;
    REQUIRE_COPY(copy, sps);
    REQUIRE_COPY(copy->pProfileTierLevel, expected->level);
    REQUIRE_COPY(copy->pDecPicBufMgr, expected->dpb);
    if (i > 0) {
        REQUIRE(!copy->pScalingLists && !copy->pShortTermRefPicSet && !copy->pLongTermRefPicsSps);
        REQUIRE(!copy->pSequenceParameterSetVui && !copy->pPredictorPaletteEntries);
        return;
    }
    REQUIRE_COPY(copy->pScalingLists, expected->scaling);
    REQUIRE_COPY(copy->pShortTermRefPicSet, expected->short_term);
    REQUIRE_COPY(copy->pLongTermRefPicsSps, expected->long_term);
    REQUIRE_COPY(copy->pPredictorPaletteEntries, expected->palette);

    StdVideoH265SequenceParameterSetVui vui = expected->vui;
    vui.pHrdParameters = copy->pSequenceParameterSetVui->pHrdParameters;
    REQUIRE_COPY(copy->pSequenceParameterSetVui, vui);
    require_hrd(copy->pSequenceParameterSetVui->pHrdParameters, expected);
}

static void
require_pps(const StdVideoH265PictureParameterSet *copy, const struct sets *expected, int i)
{
    StdVideoH265PictureParameterSet pps = expected->pps[i];
    pps.pScalingLists = copy->pScalingLists;
    pps.pPredictorPaletteEntries = copy->pPredictorPaletteEntries;
    REQUIRE_COPY(copy, pps);
    if (i > 0) {
        REQUIRE(!copy->pScalingLists && !copy->pPredictorPaletteEntries);
        return;
    }
    REQUIRE_COPY(copy->pScalingLists, expected->scaling);
    REQUIRE_COPY(copy->pPredictorPaletteEntries, expected->palette);
}

/* The structures of both directions have the same members. */
#define ADD_INFO(direction, sets) \
    { \
        .sType = VK_STRUCTURE_TYPE_VIDEO_##direction##_H265_SESSION_PARAMETERS_ADD_INFO_KHR, \
        .stdVPSCount = 1, .pStdVPSs = &(sets).vps, .stdSPSCount = 2, .pStdSPSs = (sets).sps, \
        .stdPPSCount = 2, .pStdPPSs = (sets).pps, \
    }

#define REQUIRE_ADD_INFO(copy, expected) \
    do { \
        REQUIRE_EQ((copy)->stdSPSCount, 2); \
        require_vps((copy)->pStdVPSs, expected); \
        for (int i = 0; i < 2; i++) { \
            require_sps(&(copy)->pStdSPSs[i], expected, i); \
            require_pps(&(copy)->pStdPPSs[i], expected, i); \
        } \
    } while (0)

static void
encode_parameter_sets_are_copied_whole(void)
{
    static struct sets sets;
    static struct sets expected;
    sets_fill(&sets);
    expected = sets;
    VkVideoEncodeH265SessionParametersAddInfoKHR add = ADD_INFO(ENCODE, sets);
    const VkVideoEncodeH265SessionParametersCreateInfoKHR create = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .maxStdPPSCount = 9,
        .pParametersAddInfo = &add,
    };

    struct rp_arena arena;
    const void *out = copy_of(&arena, &create);
    memset(&sets, 0xcc, sizeof(sets));
    memset(&add, 0xcc, sizeof(add));

    const VkVideoEncodeH265SessionParametersCreateInfoKHR *copy = out;
    REQUIRE_EQ(copy->maxStdPPSCount, 9);
    REQUIRE_ADD_INFO(copy->pParametersAddInfo, &expected);
    rp_arena_finish(&arena);
}

static void
decode_parameter_sets_are_copied_whole(void)
{
    static struct sets sets;
    static struct sets expected;
    sets_fill(&sets);
    expected = sets;
    const VkVideoDecodeH265SessionParametersAddInfoKHR add = ADD_INFO(DECODE, sets);
    const VkVideoDecodeH265InlineSessionParametersInfoKHR inline_sets = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_INLINE_SESSION_PARAMETERS_INFO_KHR,
        .pNext = &add,
        .pStdVPS = &sets.vps,
        .pStdSPS = &sets.sps[0],
        .pStdPPS = &sets.pps[1],
    };

    struct rp_arena arena;
    const void *out = copy_of(&arena, &inline_sets);
    memset(&sets, 0xcc, sizeof(sets));

    const VkVideoDecodeH265InlineSessionParametersInfoKHR *copy = out;
    require_vps(copy->pStdVPS, &expected);
    require_sps(copy->pStdSPS, &expected, 0);
    require_pps(copy->pStdPPS, &expected, 1);
    const VkVideoDecodeH265SessionParametersAddInfoKHR *chained = copy->pNext;
    REQUIRE_ADD_INFO(chained, &expected);
    rp_arena_finish(&arena);
}

/* Every structure that a picture to encode is made of. */
struct encode_picture {
    StdVideoEncodeH265WeightTable weights;
    StdVideoEncodeH265SliceSegmentHeader header;
    StdVideoEncodeH265ReferenceListsInfo lists;
    StdVideoH265ShortTermRefPicSet short_term;
    StdVideoEncodeH265LongTermRefPics long_term;
    StdVideoEncodeH265PictureInfo std;
    StdVideoEncodeH265ReferenceInfo reference;
};

static void
encode_pictures_are_copied_whole(void)
{
    static struct encode_picture p;
    static struct encode_picture expected;
    fill_bytes(&p, sizeof(p));
    p.header.pWeightTable = &p.weights;
    p.std.flags.short_term_ref_pic_set_sps_flag = 0;
    p.std.pRefLists = &p.lists;
    p.std.pShortTermRefPicSet = &p.short_term;
    p.std.pLongTermRefPics = &p.long_term;
    expected = p;
    const VkVideoEncodeH265NaluSliceSegmentInfoKHR segments[2] = {
        {.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_NALU_SLICE_SEGMENT_INFO_KHR,
         .constantQp = 20,
         .pStdSliceSegmentHeader = &p.header},
        {.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_NALU_SLICE_SEGMENT_INFO_KHR,
         .constantQp = 21,
         .pStdSliceSegmentHeader = &p.header},
    };
    const VkVideoEncodeH265PictureInfoKHR picture = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_PICTURE_INFO_KHR,
        .naluSliceSegmentEntryCount = 2,
        .pNaluSliceSegmentEntries = segments,
        .pStdPictureInfo = &p.std,
    };
    const VkVideoEncodeH265DpbSlotInfoKHR slot = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_DPB_SLOT_INFO_KHR,
        .pStdReferenceInfo = &p.reference,
    };
    const VkVideoReferenceSlotInfoKHR setup = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_REFERENCE_SLOT_INFO_KHR, .pNext = &slot, .slotIndex = 4};
    const VkVideoEncodeInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_INFO_KHR,
        .pNext = &picture,
        .pSetupReferenceSlot = &setup,
    };

    struct rp_arena arena;
    const void *out = copy_of(&arena, &info);
    memset(&p, 0xcc, sizeof(p));

    const VkVideoEncodeInfoKHR *copy = out;
    const VkVideoEncodeH265DpbSlotInfoKHR *slot_copy = copy->pSetupReferenceSlot->pNext;
    REQUIRE_COPY(slot_copy->pStdReferenceInfo, expected.reference);

    const VkVideoEncodeH265PictureInfoKHR *picture_copy = copy->pNext;
    const StdVideoEncodeH265PictureInfo *std = picture_copy->pStdPictureInfo;
    expected.std.pRefLists = std->pRefLists;
    expected.std.pShortTermRefPicSet = std->pShortTermRefPicSet;
    expected.std.pLongTermRefPics = std->pLongTermRefPics;
    REQUIRE_COPY(std, expected.std);
    REQUIRE_COPY(std->pRefLists, expected.lists);
    REQUIRE_COPY(std->pShortTermRefPicSet, expected.short_term);
    REQUIRE_COPY(std->pLongTermRefPics, expected.long_term);
    for (int i = 0; i < 2; i++) {
        const VkVideoEncodeH265NaluSliceSegmentInfoKHR *segment =
            &picture_copy->pNaluSliceSegmentEntries[i];
        REQUIRE_EQ(segment->constantQp, 20 + i);
        expected.header.pWeightTable = segment->pStdSliceSegmentHeader->pWeightTable;
        REQUIRE_COPY(segment->pStdSliceSegmentHeader, expected.header);
        REQUIRE_COPY(segment->pStdSliceSegmentHeader->pWeightTable, expected.weights);
    }
    rp_arena_finish(&arena);
}

static void
a_set_of_the_sps_needs_no_set_of_the_picture(void)
{
    const StdVideoEncodeH265PictureInfo std = {
        .flags.short_term_ref_pic_set_sps_flag = 1,
        .pShortTermRefPicSet = WILD,
    };
    const VkVideoEncodeH265PictureInfoKHR picture = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_PICTURE_INFO_KHR,
        .pStdPictureInfo = &std,
    };

    struct rp_arena arena;
    const void *out = copy_of(&arena, &picture);
    REQUIRE(!((VkVideoEncodeH265PictureInfoKHR *)out)->pStdPictureInfo->pShortTermRefPicSet);
    rp_arena_finish(&arena);
}

static void
decode_pictures_are_copied_whole(void)
{
    StdVideoDecodeH265PictureInfo std;
    StdVideoDecodeH265ReferenceInfo reference;
    fill_bytes(&std, sizeof(std));
    fill_bytes(&reference, sizeof(reference));
    const StdVideoDecodeH265PictureInfo expected_std = std;
    const StdVideoDecodeH265ReferenceInfo expected_reference = reference;
    uint32_t offsets[3] = {0, 70, 900};
    const VkVideoDecodeH265DpbSlotInfoKHR slot = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_DPB_SLOT_INFO_KHR,
        .pStdReferenceInfo = &reference,
    };
    const VkVideoDecodeH265PictureInfoKHR picture = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_PICTURE_INFO_KHR,
        .pNext = &slot,
        .pStdPictureInfo = &std,
        .sliceSegmentCount = 3,
        .pSliceSegmentOffsets = offsets,
    };

    struct rp_arena arena;
    const void *out = copy_of(&arena, &picture);
    memset(&std, 0xcc, sizeof(std));
    memset(&reference, 0xcc, sizeof(reference));
    memset(offsets, 0xcc, sizeof(offsets));

    const VkVideoDecodeH265PictureInfoKHR *copy = out;
    const VkVideoDecodeH265DpbSlotInfoKHR *slot_copy = copy->pNext;
    REQUIRE_COPY(copy->pStdPictureInfo, expected_std);
    REQUIRE_COPY(slot_copy->pStdReferenceInfo, expected_reference);
    REQUIRE_EQ(copy->pSliceSegmentOffsets[2], 900);
    rp_arena_finish(&arena);
}

int
main(void)
{
    RUN(encode_parameter_sets_are_copied_whole);
    RUN(decode_parameter_sets_are_copied_whole);
    RUN(encode_pictures_are_copied_whole);
    RUN(a_set_of_the_sps_needs_no_set_of_the_picture);
    RUN(decode_pictures_are_copied_whole);
    return 0;
}

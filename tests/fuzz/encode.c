/* SPDX-License-Identifier: MIT */
/* Fuzz target: nonsense in all that describes a picture, its rate and its parameter sets. Whatever
 * its status is, nothing is written where it should not be, and the IDR picture after it is exact.
 */
#include "nonsense.h"

#include "tests/test.h"
#include "tests/video/pictures.h"
#include "tests/video/said_processors.h"
#include "tests/video/stream.h"
#include "tests/video/stream_state.h"
#include "tools/client/video_h264.h"

#include <string.h>

#define PICTURES 8u

static StdVideoEncodeH264WeightTable weights;

static void
spoil_slice(StdVideoEncodeH264SliceHeader *header, VkVideoEncodeH264NaluSliceInfoKHR *slice)
{
    MAYBE(header->first_mb_in_slice, (uint32_t)strange());
    MAYBE(header->slice_type, (StdVideoH264SliceType)below(4));
    MAYBE(header->slice_alpha_c0_offset_div2, (int8_t)strange());
    MAYBE(header->slice_beta_offset_div2, (int8_t)strange());
    MAYBE(header->slice_qp_delta, (int8_t)strange());
    MAYBE(header->cabac_init_idc, (StdVideoH264CabacInitIdc)below(6));
    MAYBE(header->disable_deblocking_filter_idc, (StdVideoH264DisableDeblockingFilterIdc)below(6));
    MAYBE(header->flags.direct_spatial_mv_pred_flag, below(2));
    MAYBE(header->flags.num_ref_idx_active_override_flag, below(2));
    MAYBE(header->pWeightTable, &weights);
    MAYBE(slice->constantQp, (int32_t)strange());
}

static void
spoil_lists(StdVideoEncodeH264ReferenceListsInfo *lists)
{
    static StdVideoEncodeH264RefListModEntry mods[8];
    static StdVideoEncodeH264RefPicMarkingEntry marks[8];
    MAYBE(lists->num_ref_idx_l0_active_minus1, (uint8_t)below(40));
    MAYBE(lists->num_ref_idx_l1_active_minus1, (uint8_t)below(40));
    for (uint32_t i = 0; i < 32; i++) {
        MAYBE(lists->RefPicList0[i], (uint8_t)(one_in(4) ? strange() : below(4)));
        MAYBE(lists->RefPicList1[i], (uint8_t)(one_in(4) ? strange() : below(4)));
    }
    if (one_in(3)) {
        lists->flags.ref_pic_list_modification_flag_l0 = below(2);
        lists->flags.ref_pic_list_modification_flag_l1 = below(2);
        lists->refList0ModOpCount = lists->refList1ModOpCount = (uint8_t)below(8);
        lists->pRefList0ModOperations = lists->pRefList1ModOperations = mods;
    }
    if (one_in(3)) {
        lists->refPicMarkingOpCount = (uint8_t)below(8);
        lists->pRefPicMarkingOperations = marks;
    }
    for (uint32_t i = 0; i < 8; i++) {
        mods[i].modification_of_pic_nums_idc = (StdVideoH264ModificationOfPicNumsIdc)below(5);
        mods[i].abs_diff_pic_num_minus1 = mods[i].long_term_pic_num = (uint16_t)strange();
        marks[i].memory_management_control_operation = (StdVideoH264MemMgmtControlOp)below(8);
        marks[i].difference_of_pic_nums_minus1 = (uint16_t)strange();
        marks[i].long_term_frame_idx = marks[i].long_term_pic_num = (uint16_t)strange();
        marks[i].max_long_term_frame_idx_plus1 = (uint16_t)strange();
    }
}

static void
spoil_picture(StdVideoEncodeH264PictureInfo *std)
{
    MAYBE(std->flags.IdrPicFlag, below(2));
    MAYBE(std->flags.is_reference, below(2));
    MAYBE(std->flags.long_term_reference_flag, below(2));
    MAYBE(std->flags.adaptive_ref_pic_marking_mode_flag, below(2));
    MAYBE(std->seq_parameter_set_id, (uint8_t)below(3));
    MAYBE(std->pic_parameter_set_id, (uint8_t)below(3));
    MAYBE(std->idr_pic_id, (uint16_t)strange());
    MAYBE(std->primary_pic_type, (StdVideoH264PictureType)below(8));
    MAYBE(std->frame_num, (uint32_t)strange());
    MAYBE(std->PicOrderCnt, (int32_t)strange());
    MAYBE(std->temporal_id, (uint8_t)strange());
    if (one_in(8))
        std->pRefLists = NULL;
}

static void
spoil_resources(VkVideoEncodeInfoKHR *info)
{
    VkVideoPictureResourceInfoKHR *src = &info->srcPictureResource;
    MAYBE(src->codedOffset.x, (int32_t)strange());
    MAYBE(src->codedOffset.y, (int32_t)below(64));
    MAYBE(src->codedExtent.width, (uint32_t)(one_in(3) ? strange() : below(100)));
    MAYBE(src->codedExtent.height, (uint32_t)(one_in(3) ? strange() : below(100)));
    if (one_in(10))
        src->baseArrayLayer = (uint32_t)strange();
    if (one_in(10))
        info->pSetupReferenceSlot = NULL;
    if (one_in(6) && info->referenceSlotCount > 0)
        info->referenceSlotCount--;
    MAYBE(info->precedingExternallyEncodedBytes, (uint32_t)strange());
    /* Without the structures that go with them, or with wrong ones. */
    if (one_in(6))
        info->flags |= below(8);
}

/* What the references are said to be, and whether they are there. */
static void
spoil_references(VkVideoEncodeInfoKHR *info)
{
    static VkVideoReferenceSlotInfoKHR slots[STREAM_MAX_SLOTS];
    static VkVideoEncodeH264DpbSlotInfoKHR h264[STREAM_MAX_SLOTS];
    static VkVideoReferenceIntraRefreshInfoKHR refresh[STREAM_MAX_SLOTS];
    static StdVideoEncodeH264ReferenceInfo std[STREAM_MAX_SLOTS];
    for (uint32_t i = 0; i < info->referenceSlotCount; i++) {
        slots[i] = info->pReferenceSlots[i];
        h264[i] = *(const VkVideoEncodeH264DpbSlotInfoKHR *)slots[i].pNext;
        refresh[i] = *(const VkVideoReferenceIntraRefreshInfoKHR *)h264[i].pNext;
        std[i] = *h264[i].pStdReferenceInfo;
        h264[i].pNext = &refresh[i];
        h264[i].pStdReferenceInfo = one_in(20) ? NULL : &std[i];
        slots[i].pNext = one_in(20) ? NULL : &h264[i];
        MAYBE(slots[i].slotIndex, (int32_t)(one_in(4) ? strange() : below(4)));
        MAYBE(refresh[i].dirtyIntraRefreshRegions, (uint32_t)strange());
        MAYBE(std[i].flags.used_for_long_term_reference, below(2));
        MAYBE(std[i].FrameNum, (uint32_t)strange());
        MAYBE(std[i].PicOrderCnt, (int32_t)strange());
        MAYBE(std[i].long_term_pic_num, (uint16_t)strange());
        MAYBE(std[i].long_term_frame_idx, (uint16_t)strange());
        if (one_in(20))
            slots[i].pPictureResource = NULL;
    }
    info->pReferenceSlots = slots;
}

/* Maps of another size and cycles of another length than they are said to be. */
static void
spoil_chain(struct stream_call *call)
{
    static VkVideoEncodeQuantizationMapInfoKHR map;
    static VkVideoEncodeIntraRefreshInfoKHR refresh;
    const VkBaseInStructure *s = call->info->pNext;
    call->info->pNext = call->h264;
    for (; s; s = s->pNext) {
        if (s->sType == VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUANTIZATION_MAP_INFO_KHR) {
            map = *(const VkVideoEncodeQuantizationMapInfoKHR *)s;
            MAYBE(map.quantizationMapExtent.width, (uint32_t)(one_in(2) ? strange() : below(6)));
            MAYBE(map.quantizationMapExtent.height, (uint32_t)(one_in(2) ? strange() : below(6)));
            if (one_in(12))
                map.quantizationMap = VK_NULL_HANDLE;
            map.pNext = call->info->pNext;
            call->info->pNext = &map;
        } else if (s->sType == VK_STRUCTURE_TYPE_VIDEO_ENCODE_INTRA_REFRESH_INFO_KHR) {
            refresh = *(const VkVideoEncodeIntraRefreshInfoKHR *)s;
            MAYBE(refresh.intraRefreshCycleDuration, (uint32_t)strange());
            MAYBE(refresh.intraRefreshIndex, (uint32_t)strange());
            refresh.pNext = call->info->pNext;
            call->info->pNext = &refresh;
        }
    }
    if (one_in(12)) /* an inline query stays: it is asked */
        call->info->pNext = call->h264->pNext;
}

static void
spoil(struct stream_call *call)
{
    spoil_references(call->info);
    spoil_chain(call);
    for (uint32_t i = 0; i < sizeof(weights); i++)
        ((uint8_t *)&weights)[i] = (uint8_t)strange();
    const uint32_t slice_count = call->h264->naluSliceEntryCount;
    if (one_in(3))
        call->h264->naluSliceEntryCount = one_in(8) ? 0 : 1 + below(slice_count);
    for (uint32_t i = 0; i < slice_count; i++)
        spoil_slice(&call->headers[i], &call->slices[i]);
    spoil_lists(call->lists);
    spoil_picture(call->std);
    spoil_resources(call->info);
}

static void
spoil_qp(VkVideoEncodeH264QpKHR *qp)
{
    MAYBE(qp->qpI, (int32_t)strange());
    MAYBE(qp->qpP, (int32_t)strange());
    MAYBE(qp->qpB, (int32_t)strange());
}

static void
spoil_layer(VkVideoEncodeH264RateControlLayerInfoKHR *h264)
{
    *h264 = (VkVideoEncodeH264RateControlLayerInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_RATE_CONTROL_LAYER_INFO_KHR,
        .useMinQp = below(2),
        .useMaxQp = below(2),
        .maxQp = {51, 51, 51},
        .useMaxFrameSize = below(2),
        .maxFrameSize = {100000, 100000, 100000},
    };
    spoil_qp(&h264->minQp);
    spoil_qp(&h264->maxQp);
    MAYBE(h264->maxFrameSize.frameISize, (uint32_t)strange());
    MAYBE(h264->maxFrameSize.framePSize, (uint32_t)strange());
    MAYBE(h264->maxFrameSize.frameBSize, (uint32_t)strange());
}

/* The pattern that the application promises. */
static void
spoil_pattern(VkVideoEncodeH264RateControlInfoKHR *h264)
{
    *h264 = (VkVideoEncodeH264RateControlInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_RATE_CONTROL_INFO_KHR,
        .flags = below(32),
        .gopFrameCount = 30,
        .idrPeriod = 30,
        .temporalLayerCount = 1,
    };
    MAYBE(h264->gopFrameCount, (uint32_t)strange());
    MAYBE(h264->idrPeriod, (uint32_t)strange());
    MAYBE(h264->consecutiveBFrameCount, (uint32_t)strange());
    MAYBE(h264->temporalLayerCount, (uint32_t)strange());
}

static void
spoil_control(struct stream_control *control)
{
    static VkVideoEncodeH264RateControlLayerInfoKHR h264_layers[4];
    static VkVideoEncodeH264RateControlInfoKHR pattern;
    if (one_in(2)) {
        spoil_pattern(&pattern);
        pattern.pNext = control->rate->pNext;
        control->rate->pNext = &pattern;
    }
    VkVideoEncodeRateControlInfoKHR *rate = control->rate;
    MAYBE(rate->rateControlMode, (VkVideoEncodeRateControlModeFlagBitsKHR)below(8));
    MAYBE(rate->layerCount, below(5));
    MAYBE(rate->virtualBufferSizeInMs, (uint32_t)strange());
    MAYBE(rate->initialVirtualBufferSizeInMs, (uint32_t)strange());
    MAYBE(control->quality->qualityLevel, (uint32_t)strange());
    if (one_in(8))
        *control->flags |= VK_VIDEO_CODING_CONTROL_RESET_BIT_KHR;
    for (uint32_t i = 0; i < 4; i++) {
        VkVideoEncodeRateControlLayerInfoKHR *layer = &control->layers[i];
        MAYBE(layer->averageBitrate, strange());
        MAYBE(layer->maxBitrate, strange());
        MAYBE(layer->frameRateNumerator, (uint32_t)strange());
        MAYBE(layer->frameRateDenominator, (uint32_t)strange());
        spoil_layer(&h264_layers[i]);
        layer->pNext = one_in(2) ? &h264_layers[i] : NULL;
    }
}

/* Random parameter sets in place of the stream's, when they are accepted. */
static VkVideoSessionParametersKHR
strange_parameters(struct stream *s)
{
    StdVideoH264SequenceParameterSetVui vui;
    StdVideoH264SequenceParameterSet sps;
    StdVideoH264PictureParameterSet pps;
    StdVideoH264HrdParameters hrd;
    stream_fill_sps(&s->options, &sps, &vui, &hrd);
    stream_fill_pps(&s->options, &pps);
    StdVideoH264ScalingLists scaling;
    int32_t offsets[256];
    memset(&scaling, (int)below(256), sizeof(scaling));
    memset(offsets, (int)below(256), sizeof(offsets));
    sps.pScalingLists = pps.pScalingLists = &scaling;
    sps.pOffsetForRefFrame = offsets;
    MAYBE(sps.flags.frame_mbs_only_flag, below(2));
    MAYBE(sps.flags.seq_scaling_matrix_present_flag, below(2));
    MAYBE(sps.flags.qpprime_y_zero_transform_bypass_flag, below(2));
    MAYBE(sps.flags.direct_8x8_inference_flag, below(2));
    MAYBE(sps.flags.gaps_in_frame_num_value_allowed_flag, below(2));
    MAYBE(sps.profile_idc, (StdVideoH264ProfileIdc)(one_in(2) ? 66 + 11 * below(4) : strange()));
    MAYBE(sps.level_idc, (StdVideoH264LevelIdc)below(24));
    MAYBE(sps.chroma_format_idc, (StdVideoH264ChromaFormatIdc)below(5));
    MAYBE(sps.bit_depth_luma_minus8, (uint8_t)below(8));
    MAYBE(sps.log2_max_frame_num_minus4, (uint8_t)below(16));
    MAYBE(sps.log2_max_pic_order_cnt_lsb_minus4, (uint8_t)below(16));
    MAYBE(sps.pic_order_cnt_type, (StdVideoH264PocType)below(4));
    MAYBE(sps.num_ref_frames_in_pic_order_cnt_cycle, (uint8_t)strange());
    MAYBE(sps.offset_for_non_ref_pic, (int32_t)strange());
    MAYBE(sps.offset_for_top_to_bottom_field, (int32_t)strange());
    MAYBE(sps.max_num_ref_frames, (uint8_t)below(20));
    MAYBE(sps.pic_width_in_mbs_minus1, (uint32_t)(one_in(2) ? strange() : below(12)));
    MAYBE(sps.pic_height_in_map_units_minus1, (uint32_t)(one_in(2) ? strange() : below(12)));
    MAYBE(sps.frame_crop_right_offset, (uint32_t)strange());
    MAYBE(hrd.cpb_cnt_minus1, (uint8_t)strange());
    MAYBE(pps.num_ref_idx_l0_default_active_minus1, (uint8_t)strange());
    MAYBE(pps.weighted_bipred_idc, (StdVideoH264WeightedBipredIdc)below(4));
    MAYBE(pps.flags.weighted_pred_flag, below(2));
    MAYBE(pps.flags.transform_8x8_mode_flag, below(2));
    MAYBE(pps.flags.entropy_coding_mode_flag, below(2));
    MAYBE(pps.flags.pic_scaling_matrix_present_flag, below(2));
    MAYBE(pps.flags.bottom_field_pic_order_in_frame_present_flag, below(2));
    MAYBE(pps.flags.redundant_pic_cnt_present_flag, below(2));
    MAYBE(pps.flags.deblocking_filter_control_present_flag, below(2));
    MAYBE(pps.pic_init_qp_minus26, (int8_t)strange());
    MAYBE(pps.chroma_qp_index_offset, (int8_t)strange());
    MAYBE(pps.second_chroma_qp_index_offset, (int8_t)strange());
    return stream_create_parameters(s, &sps, &pps);
}

static void
read_parameters(const struct stream *s, VkVideoSessionParametersKHR params)
{
    uint8_t data[4096];
    size_t size_B = sizeof(data);
    const VkResult result = video_h264_sets_encoded(&s->vk->video, params, NULL, &size_B, data);
    REQUIRE(result == VK_SUCCESS || result == VK_INCOMPLETE);
    REQUIRE(size_B <= sizeof(data));
}

static void
encode_noise(struct stream *s, struct stream_picture pic)
{
    static uint8_t map[4 * 16 * 24];
    /* Few bytes of the input: there are other things to read from it. */
    const uint32_t map_seed = input_u32(&in);
    for (uint32_t i = 0; i < sizeof(map); i++)
        map[i] = (uint8_t)((i + 1) * map_seed >> 24);
    pic.is_noise = true;
    pic.map = s->options.map_format && one_in(2) ? map : NULL;
    if (s->options.refresh_mode && one_in(2)) {
        pic.refresh_cycle = 1 + below(6);
        pic.refresh_index = below(6);
    }
    pic.slice_count = 1 + below(5);
    pic.tamper = spoil;
    if (one_in(4))
        pic.range_B = 1 + below(400);
    if (s->options.average_bps) {
        pic.new_average_bps = one_in(2) ? strange() : 0;
        pic.tamper_control = spoil_control;
    }
    const uint32_t number = stream_prepare(s, &pic);
    stream_record(s, number);
    stream_submit(s, number);
    if (s->options.shot_count == 1)
        (void)stream_collect(s, number);
}

static void
encode_noise_with_strange_parameters(struct stream *s, const struct stream_picture *pic)
{
    const VkVideoSessionParametersKHR own = s->params;
    const VkVideoSessionParametersKHR params = strange_parameters(s);
    if (params) {
        s->params = params;
        read_parameters(s, params);
        encode_noise(s, *pic);
        s->params = own;
        REQUIRE_EQ(vkDeviceWaitIdle(s->vk->dev), VK_SUCCESS);
        vkDestroyVideoSessionParametersKHR(s->vk->dev, params, NULL);
    }
}

static VkFormat
strange_map_format(uint64_t average_bps)
{
    static const VkFormat formats[] = {VK_FORMAT_UNDEFINED, VK_FORMAT_R8_SINT, VK_FORMAT_R16_SINT,
                                       VK_FORMAT_R32_SINT};
    return average_bps && one_in(4) ? VK_FORMAT_R8_UNORM : formats[below(4)];
}

/* Nonsense of every kind, and after each an IDR and a P picture that are right. */
static void
run_session(struct vk *vk)
{
    const uint64_t average_bps = below(2) ? 100000 + below(900000) : 0;
    const uint32_t refresh = below(5);
    const bool is_tall = one_in(3); /* enough for several threads, also with rate control */
    struct stream *s = stream_open(vk, &(struct stream_options){
                                           .width_px = (is_tall ? 128 : 32) + 2 * below(30),
                                           .height_px = (is_tall ? 320 : 32) + 2 * below(30),
                                           .slot_count = 4,
                                           .max_refs = 3,
                                           .has_weighted_pred = below(2),
                                           .weighted_bipred_idc = below(3),
                                           .is_cavlc = below(2),
                                           .has_transform8x8 = below(2),
                                           .is_layered = below(2),
                                           .quality_level = below(8),
                                           .is_vbr = below(2),
                                           .average_bps = average_bps,
                                           .layer_count = 1 + below(4),
                                           .map_format = strange_map_format(average_bps),
                                           .refresh_mode = refresh ? 1u << (refresh - 1) : 0,
                                           .is_rgb = one_in(4),
                                           .is_linear = below(2),
                                           .has_inline_queries = below(2),
                                           .shot_count = 1 + below(4),
                                           /* OpenH264 has limits that nobody has listed. */
                                           .is_judged_once = true,
                                       });
    for (uint32_t i = 0; i < PICTURES && in.size_B; i++) {
        struct stream_picture pic = picture_idr(s);
        pic.setup_slot = 0;
        (void)stream_encode(s, &pic);
        pic = picture_p(s, 2, slot_by_age(s, 0));
        pic.setup_slot = 1;
        (void)stream_encode(s, &pic);
        pic = picture_p(s, 4, slot_by_age(s, 0));
        pic.setup_slot = 2 + (int32_t)below(2);
        if (one_in(4))
            encode_noise_with_strange_parameters(s, &pic);
        else
            encode_noise(s, pic);
    }
    (void)stream_finish(s);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_B)
{
    static struct vk vk;
    in = (struct input){data, size_B};
    atomic_store(&said_processors, 8);
    if (!vk.dev)
        vk_open(&vk);
    run_session(&vk);
    return 0;
}

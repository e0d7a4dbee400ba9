/* SPDX-License-Identifier: MIT */
/* The encoding application: numbers and commands of pictures.
 */
#include "stream_state.h"

#include "content.h"

#include <string.h>

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

static void
fill_colours(const struct stream *s, uint8_t *texels)
{
    const size_t count = (size_t)s->options.width_px * s->options.height_px;
    s->options.rgb->fill(texels, s->options.width_px, s->options.height_px);
    for (size_t i = 0; i < count && !s->options.rgb->is_rgba; i++) {
        const uint8_t red = texels[4 * i];
        texels[4 * i] = texels[4 * i + 2];
        texels[4 * i + 2] = red;
    }
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
        if (s->options.rgb)
            fill_colours(s, shot->staging.data);
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
    const struct stream_slice common = {pic->slice_type, pic->cabac_init_idc, pic->deblocking_idc,
                                        pic->alpha_div2, pic->beta_div2};
    shot->has_filter = false;
    for (uint32_t i = 0; i < pic->slice_count; i++) {
        const struct stream_slice *slice = pic->slices ? &pic->slices[i] : &common;
        shot->has_filter |= slice->deblocking_idc != 1;
        shot->headers[i] = (StdVideoEncodeH264SliceHeader){
            .flags = {.direct_spatial_mv_pred_flag = !pic->is_temporal_direct},
            /* 0 for all: as Vulkan-Video-Samples has it, the driver's to choose. */
            .first_mb_in_slice = pic->first_mbs ? pic->first_mbs[i] : 0,
            .slice_type = (StdVideoH264SliceType)slice->type,
            .slice_alpha_c0_offset_div2 = (int8_t)slice->alpha_div2,
            .slice_beta_offset_div2 = (int8_t)slice->beta_div2,
            .cabac_init_idc = (StdVideoH264CabacInitIdc)slice->cabac_init_idc,
            .disable_deblocking_filter_idc =
                (StdVideoH264DisableDeblockingFilterIdc)slice->deblocking_idc,
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
    for (uint32_t i = 0; i < s->model.frame_count; i++)
        shot->dirty_counts[i] = s->dirty_counts[s->model.frames[i].slot];
    if (pic->setup_slot >= 0)
        s->dirty_counts[pic->setup_slot] =
            pic->refresh_cycle ? pic->refresh_cycle - pic->refresh_index - 1 : 0;
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
        .temporal_id = (uint8_t)pic->temporal_id,
        .pRefLists = &shot->lists,
    };
    dpb_model_mark(&s->model, &shot->numbers);
    return number;
}

/* Memory of the structures that name a slot, for as long as recording takes. */
struct slot_info {
    VkVideoPictureResourceInfoKHR resource;
    VkVideoReferenceIntraRefreshInfoKHR refresh;
    StdVideoEncodeH264ReferenceInfo std;
    VkVideoEncodeH264DpbSlotInfoKHR h264;
    VkVideoReferenceSlotInfoKHR slot;
};

static void
fill_slot(const struct stream *s, int32_t slot, const struct dpb_frame *frame, uint32_t dirty_count,
          struct slot_info *out)
{
    out->resource = (VkVideoPictureResourceInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_PICTURE_RESOURCE_INFO_KHR,
        .codedOffset = {(int32_t)s->options.dpb_x_px, 0},
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
    out->refresh = (VkVideoReferenceIntraRefreshInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_REFERENCE_INTRA_REFRESH_INFO_KHR,
        .dirtyIntraRefreshRegions = dirty_count,
    };
    out->h264 = (VkVideoEncodeH264DpbSlotInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_DPB_SLOT_INFO_KHR,
        .pNext = &out->refresh,
        .pStdReferenceInfo = &out->std,
    };
    out->slot = (VkVideoReferenceSlotInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_REFERENCE_SLOT_INFO_KHR,
        .pNext = &out->h264,
        .slotIndex = slot,
        .pPictureResource = &out->resource,
    };
}

/* layers: 4 */
static VkVideoEncodeRateControlInfoKHR
rate_control(const struct stream_options *o, uint64_t average_bps,
             VkVideoEncodeRateControlLayerInfoKHR *layers)
{
    for (uint32_t i = 0; i < 4; i++)
        layers[i] = (VkVideoEncodeRateControlLayerInfoKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_RATE_CONTROL_LAYER_INFO_KHR,
            .averageBitrate = average_bps,
            .maxBitrate = o->is_vbr ? average_bps * 2 : average_bps,
            .frameRateNumerator = 25,
            .frameRateDenominator = o->layer_count > 1 ? o->layer_count : 1,
        };
    return (VkVideoEncodeRateControlInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_RATE_CONTROL_INFO_KHR,
        .rateControlMode = average_bps == 0 ? VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR
                           : o->is_vbr      ? VK_VIDEO_ENCODE_RATE_CONTROL_MODE_VBR_BIT_KHR
                                            : VK_VIDEO_ENCODE_RATE_CONTROL_MODE_CBR_BIT_KHR,
        .layerCount = average_bps == 0 ? 0
                      : o->layer_count ? o->layer_count
                                       : 1,
        .pLayers = layers,
        .virtualBufferSizeInMs = 1000,
        .initialVirtualBufferSizeInMs = 500,
    };
}

static void
record_control(struct stream *s, const struct shot *shot, uint64_t average_bps,
               VkVideoCodingControlFlagsKHR flags)
{
    VkVideoEncodeQualityLevelInfoKHR quality = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUALITY_LEVEL_INFO_KHR,
        .qualityLevel = s->options.quality_level,
    };
    VkVideoEncodeRateControlLayerInfoKHR layers[4];
    VkVideoEncodeRateControlInfoKHR rate = rate_control(&s->options, average_bps, layers);
    rate.pNext = &quality;
    if (shot->pic.tamper_control)
        shot->pic.tamper_control(&(struct stream_control){&rate, layers, &quality, &flags});
    if (flags & VK_VIDEO_CODING_CONTROL_ENCODE_QUALITY_LEVEL_BIT_KHR)
        s->quality_level = quality.qualityLevel;
    vkCmdControlVideoCodingKHR(
        shot->cb,
        &(VkVideoCodingControlInfoKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_CODING_CONTROL_INFO_KHR,
                                       .pNext = &rate,
                                       .flags = flags});
    memset(layers, 0xee, sizeof(layers)); /* deep copies were made */
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
    const VkVideoEncodeIntraRefreshInfoKHR refresh = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_INTRA_REFRESH_INFO_KHR,
        .pNext = has_map ? (const void *)&map : &h264,
        .intraRefreshCycleDuration = shot->pic.refresh_cycle,
        .intraRefreshIndex = shot->pic.refresh_index,
    };
    VkVideoEncodeInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_INFO_KHR,
        .pNext = &refresh,
        .flags = (shot->pic.refresh_cycle ? VK_VIDEO_ENCODE_INTRA_REFRESH_BIT_KHR : 0) |
                 (!has_map ? 0
                  : s->options.map_format == VK_FORMAT_R8_UNORM
                      ? VK_VIDEO_ENCODE_WITH_EMPHASIS_MAP_BIT_KHR
                      : VK_VIDEO_ENCODE_WITH_QUANTIZATION_DELTA_MAP_BIT_KHR),
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
        fill_slot(s, shot->refs[i].slot, &shot->refs[i], shot->dirty_counts[i], &infos[i]);
        slots[i] = infos[i].slot;
    }
    uint32_t slot_count = shot->ref_count;
    const bool has_setup = shot->pic.setup_slot >= 0;
    struct slot_info setup;
    if (has_setup) {
        const struct dpb_frame current = {.frame_num = shot->numbers.frame_num,
                                          .poc = shot->pic.poc};
        fill_slot(s, shot->pic.setup_slot, &current, 0, &setup);
        slots[slot_count] = setup.slot;
        slots[slot_count++].slotIndex = -1;
    }

    VkVideoEncodeRateControlLayerInfoKHR layers[4];
    const VkVideoEncodeRateControlInfoKHR believed =
        rate_control(&s->options, shot->pic.believed_bps, layers);
    vkCmdBeginVideoCodingKHR(shot->cb, &(VkVideoBeginCodingInfoKHR){
                                           .sType = VK_STRUCTURE_TYPE_VIDEO_BEGIN_CODING_INFO_KHR,
                                           .pNext = shot->pic.believed_bps ? &believed : NULL,
                                           .videoSession = s->session.handle,
                                           .videoSessionParameters = s->params,
                                           .referenceSlotCount = slot_count,
                                           .pReferenceSlots = slots});
    if (shot->number == 0)
        record_control(s, shot, s->options.average_bps,
                       VK_VIDEO_CODING_CONTROL_RESET_BIT_KHR |
                           VK_VIDEO_CODING_CONTROL_ENCODE_RATE_CONTROL_BIT_KHR |
                           VK_VIDEO_CODING_CONTROL_ENCODE_QUALITY_LEVEL_BIT_KHR);
    if (shot->pic.new_average_bps)
        record_control(s, shot, shot->pic.new_average_bps,
                       VK_VIDEO_CODING_CONTROL_ENCODE_RATE_CONTROL_BIT_KHR);
    shot->quality_level = s->quality_level;
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
    if (!s->options.is_overlapped || number < s->options.shot_count)
        record_upload(s, shot);
    vkCmdResetQueryPool(shot->cb, s->queries, number % s->options.shot_count, 1);
    record_coding(s, shot);
    if (shot->pic.setup_slot >= 0 && (!s->options.is_overlapped || shot->pic.wants_recon)) {
        const int32_t slot = shot->pic.setup_slot;
        const uint32_t count =
            plane_copies(s, false, s->options.is_layered ? (uint32_t)slot : 0, regions);
        for (uint32_t p = 0; p < count; p++)
            regions[p].imageOffset.x = (int32_t)(s->options.dpb_x_px >> (p > 0));
        vkCmdCopyImageToBuffer(shot->cb, s->dpb[s->options.is_layered ? 0 : slot].handle,
                               VK_IMAGE_LAYOUT_GENERAL, shot->readback.handle, count, regions);
    }
    CHECK(vkEndCommandBuffer(shot->cb));
    memset(shot->headers, 0xee, sizeof(shot->headers));
    memset(&shot->std, 0xee, sizeof(shot->std));
    memset(shot->mods, 0xee, sizeof(shot->mods));
}

static void
submit_chained(const struct stream *s, const struct shot *shot)
{
    const uint64_t before = shot->number;
    const uint64_t after = before + 1;
    const bool is_free = before == 0 || (s->options.has_free_idrs && shot->pic.is_idr);
    const VkSemaphore wait = is_free ? VK_NULL_HANDLE : chain_of(s, shot->number - 1);
    const VkSemaphore signal = chain_of(s, shot->number);
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = !is_free,
        .pWaitSemaphoreValues = &before,
        .signalSemaphoreValueCount = 1,
        .pSignalSemaphoreValues = &after,
    };
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .pNext = &values,
        .waitSemaphoreCount = !is_free,
        .pWaitSemaphores = &wait,
        .pWaitDstStageMask = &stage,
        .commandBufferCount = 1,
        .pCommandBuffers = &shot->cb,
        .signalSemaphoreCount = 1,
        .pSignalSemaphores = &signal,
    };
    CHECK(vkQueueSubmit(s->vk->encode_queues[shot->number % VK_ENCODE_QUEUES], 1, &submit,
                        VK_NULL_HANDLE));
}

void
stream_submit(struct stream *s, uint32_t number)
{
    struct shot *shot = shot_of(s, number);
    memset(shot->dst.data, GUARD, shot->dst.size_B);
    stream_write_opening(s, shot->dst.data);
    if (s->options.is_chained)
        submit_chained(s, shot);
    else
        vk_submit(s->vk, shot->cb);
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

/* SPDX-License-Identifier: MIT */
#include "av1_application_state.h"

#include <string.h>

struct slot_info {
    VkVideoPictureResourceInfoKHR resource;
    StdVideoEncodeAV1ReferenceInfo std;
    VkVideoEncodeAV1DpbSlotInfoKHR av1;
    VkVideoReferenceIntraRefreshInfoKHR refresh;
};

static VkVideoReferenceSlotInfoKHR
slot_of(const struct av1_application *app, int32_t slot, const struct av1_picture *pic,
        struct slot_info *info)
{
    *info = (struct slot_info){
        .resource = {.sType = VK_STRUCTURE_TYPE_VIDEO_PICTURE_RESOURCE_INFO_KHR,
                     .codedExtent = {app->options.width_px, app->options.height_px},
                     .imageViewBinding = app->dpb[slot].view},
        .refresh = {.sType = VK_STRUCTURE_TYPE_VIDEO_REFERENCE_INTRA_REFRESH_INFO_KHR,
                    .dirtyIntraRefreshRegions =
                        pic->refresh_cycle ? pic->refresh_cycle - pic->refresh_index : 0},
        .av1 = {.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_DPB_SLOT_INFO_KHR},
    };
    info->av1.pStdReferenceInfo = &info->std;
    info->av1.pNext = &info->refresh;
    return (VkVideoReferenceSlotInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_REFERENCE_SLOT_INFO_KHR,
        .pNext = &info->av1,
        .slotIndex = slot,
        .pPictureResource = &info->resource,
    };
}

static void
record_control(struct av1_application *app, VkCommandBuffer cb)
{
    const struct av1_application_options *o = &app->options;
    const VkVideoEncodeAV1RateControlLayerInfoKHR av1_layer = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_RATE_CONTROL_LAYER_INFO_KHR,
        .useMinQIndex = o->min_q.intraQIndex > 0,
        .minQIndex = o->min_q,
        .useMaxQIndex = o->max_q.intraQIndex > 0,
        .maxQIndex = o->max_q,
    };
    const VkVideoEncodeRateControlLayerInfoKHR layer = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_RATE_CONTROL_LAYER_INFO_KHR,
        .pNext = &av1_layer,
        .averageBitrate = o->average_bps,
        .maxBitrate = o->is_vbr ? 2 * o->average_bps : o->average_bps,
        .frameRateNumerator = 30,
        .frameRateDenominator = 1,
    };
    const VkVideoEncodeQualityLevelInfoKHR quality = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUALITY_LEVEL_INFO_KHR,
        .qualityLevel = o->quality_level,
    };
    const VkVideoEncodeRateControlInfoKHR rate = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_RATE_CONTROL_INFO_KHR,
        .pNext = &quality,
        .rateControlMode = !o->average_bps ? VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR
                           : o->is_vbr     ? VK_VIDEO_ENCODE_RATE_CONTROL_MODE_VBR_BIT_KHR
                                           : VK_VIDEO_ENCODE_RATE_CONTROL_MODE_CBR_BIT_KHR,
        .layerCount = o->average_bps ? 1 : 0,
        .pLayers = o->average_bps ? &layer : NULL,
        .virtualBufferSizeInMs = 1000,
        .initialVirtualBufferSizeInMs = 600,
    };
    vkCmdControlVideoCodingKHR(cb,
                               &(VkVideoCodingControlInfoKHR){
                                   .sType = VK_STRUCTURE_TYPE_VIDEO_CODING_CONTROL_INFO_KHR,
                                   .pNext = &rate,
                                   .flags = VK_VIDEO_CODING_CONTROL_RESET_BIT_KHR |
                                            VK_VIDEO_CODING_CONTROL_ENCODE_RATE_CONTROL_BIT_KHR |
                                            VK_VIDEO_CODING_CONTROL_ENCODE_QUALITY_LEVEL_BIT_KHR});
}

/* The slots that the names stand for, each once. */
static uint32_t
list_references(const struct av1_application *app, const struct av1_picture *pic,
                VkVideoReferenceSlotInfoKHR *slots, struct slot_info *infos)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < AV1_NAMES; i++) {
        const int32_t slot = pic->info.referenceNameSlotIndices[i];
        bool is_there = slot < 0 || slot >= AV1_SLOTS;
        for (uint32_t k = 0; k < count && !is_there; k++)
            is_there = slots[k].slotIndex == slot;
        if (is_there)
            continue;
        slots[count] = slot_of(app, slot, pic, &infos[count]);
        count++;
    }
    return count;
}

/* One picture with its query, between the begin and the end of coding. */
static void
record_coding(struct av1_application *app, const VkVideoReferenceSlotInfoKHR *bound, uint32_t count,
              const VkVideoEncodeInfoKHR *info)
{
    const VkCommandBuffer cb = app->vk->encode_cb;
    vk_begin_encode(app->vk);
    vkCmdResetQueryPool(cb, app->queries, 0, 1);
    vkCmdBeginVideoCodingKHR(
        cb, &(VkVideoBeginCodingInfoKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_BEGIN_CODING_INFO_KHR,
                                         .videoSession = app->session.handle,
                                         .videoSessionParameters = app->parameters,
                                         .referenceSlotCount = count,
                                         .pReferenceSlots = bound});
    if (!app->is_begun)
        record_control(app, cb);
    app->is_begun = true;
    vkCmdBeginQuery(cb, app->queries, 0, 0);
    vkCmdEncodeVideoKHR(cb, info);
    vkCmdEndQuery(cb, app->queries, 0);
    vkCmdEndVideoCodingKHR(
        cb, &(VkVideoEndCodingInfoKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_END_CODING_INFO_KHR});
    vk_finish_encode(app->vk);
}

void
av1_record(struct av1_application *app, const struct av1_picture *pic, int32_t slot)
{
    struct slot_info infos[AV1_NAMES + 1];
    VkVideoReferenceSlotInfoKHR slots[AV1_NAMES + 1];
    const uint32_t ref_count = list_references(app, pic, slots, infos);
    uint32_t count = ref_count;
    if (slot >= 0) {
        slots[count] = slot_of(app, slot, pic, &infos[count]);
        count++;
    }
    VkVideoReferenceSlotInfoKHR bound[AV1_NAMES + 1];
    memcpy(bound, slots, sizeof(bound));
    if (slot >= 0)
        bound[ref_count].slotIndex = -1;

    StdVideoEncodeAV1PictureInfo std = pic->std;
    for (uint32_t i = 0; i < AV1_REFERENCES; i++)
        std.ref_order_hint[i] = app->references[i].order_hint;
    VkVideoEncodeAV1PictureInfoKHR av1 = pic->info;
    av1.pStdPictureInfo = &std;
    const VkVideoEncodeQuantizationMapInfoKHR map = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUANTIZATION_MAP_INFO_KHR,
        .pNext = &av1,
        .quantizationMap = app->map.view,
        .quantizationMapExtent = {app->map.width_px, app->map.height_px},
    };
    const VkVideoEncodeIntraRefreshInfoKHR refresh = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_INTRA_REFRESH_INFO_KHR,
        .pNext = pic->map ? (const void *)&map : &av1,
        .intraRefreshCycleDuration = pic->refresh_cycle,
        .intraRefreshIndex = pic->refresh_index,
    };
    VkVideoEncodeInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_INFO_KHR,
        .pNext = pic->refresh_cycle ? (const void *)&refresh
                 : pic->map         ? (const void *)&map
                                    : &av1,
        .flags = (pic->map ? VK_VIDEO_ENCODE_WITH_QUANTIZATION_DELTA_MAP_BIT_KHR : 0) |
                 (pic->refresh_cycle ? VK_VIDEO_ENCODE_INTRA_REFRESH_BIT_KHR : 0),
        .dstBuffer = app->bitstream.handle,
        .dstBufferRange = AV1_BITSTREAM_B,
        .srcPictureResource = {.sType = VK_STRUCTURE_TYPE_VIDEO_PICTURE_RESOURCE_INFO_KHR,
                               .codedExtent = {app->options.width_px, app->options.height_px},
                               .imageViewBinding = app->source.view},
        .pSetupReferenceSlot = slot >= 0 ? &slots[ref_count] : NULL,
        .referenceSlotCount = ref_count,
        .pReferenceSlots = slots,
    };
    if (pic->change)
        pic->change(pic->ctx, &(struct av1_call){&info, &av1, &std, slots});
    app->range_B = info.dstBufferRange;
    record_coding(app, bound, count, &info);
}

/* SPDX-License-Identifier: MIT */
/* The commands of one picture. Everything they point to lives until they are recorded. */
#include "tools/encode/picture.h"

#include "tools/encode/dpb.h"

#include <string.h>

#define NO_REFERENCE 0xff /* STD_VIDEO_H264_NO_REFERENCE_PICTURE */

/* What the driver is told of one reference picture or of the one being made. */
struct slot_info {
    StdVideoEncodeH264ReferenceInfo std;
    VkVideoEncodeH264DpbSlotInfoKHR h264;
    VkVideoPictureResourceInfoKHR resource;
};

struct picture_info {
    struct gop_picture picture;
    struct slot_info slots[ENCODER_MAX_SLOTS];
    VkVideoReferenceSlotInfoKHR references[ENCODER_MAX_SLOTS]; /* refs, then the setup slot */
    uint32_t ref_count;
    StdVideoEncodeH264ReferenceListsInfo lists;
    StdVideoEncodeH264PictureInfo std;
    StdVideoEncodeH264SliceHeader slice_headers[ENCODER_MAX_SLICES];
    VkVideoEncodeH264NaluSliceInfoKHR slices[ENCODER_MAX_SLICES];
    uint32_t slice_count;
    VkVideoEncodeH264PictureInfoKHR h264;
};

static StdVideoH264PictureType
picture_type(const struct gop_picture *picture)
{
    return picture->is_idr ? STD_VIDEO_H264_PICTURE_TYPE_IDR : STD_VIDEO_H264_PICTURE_TYPE_P;
}

static void
reference_init(const struct encoder *enc, const struct gop_picture *picture, struct slot_info *slot,
               VkVideoReferenceSlotInfoKHR *reference)
{
    slot->std = (StdVideoEncodeH264ReferenceInfo){
        .primary_pic_type = picture_type(picture),
        .FrameNum = picture->frame_num,
        .PicOrderCnt = picture->poc,
    };
    slot->h264 = (VkVideoEncodeH264DpbSlotInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_DPB_SLOT_INFO_KHR,
        .pStdReferenceInfo = &slot->std,
    };
    slot->resource = dpb_resource(enc, picture->slot);
    *reference = (VkVideoReferenceSlotInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_REFERENCE_SLOT_INFO_KHR,
        .pNext = &slot->h264,
        .slotIndex = (int32_t)picture->slot,
        .pPictureResource = &slot->resource,
    };
}

static void
references_init(const struct encoder *enc, struct picture_info *info)
{
    const struct gop *gop = &enc->gop;

    info->ref_count = gop->ref_count;
    info->lists = (StdVideoEncodeH264ReferenceListsInfo){
        .num_ref_idx_l0_active_minus1 = gop->ref_count > 0 ? (uint8_t)(gop->ref_count - 1) : 0,
    };
    memset(info->lists.RefPicList0, NO_REFERENCE, sizeof(info->lists.RefPicList0));
    memset(info->lists.RefPicList1, NO_REFERENCE, sizeof(info->lists.RefPicList1));
    for (uint32_t i = 0; i < gop->ref_count; i++) {
        reference_init(enc, &gop->refs[i], &info->slots[i], &info->references[i]);
        info->lists.RefPicList0[i] = (uint8_t)gop->refs[i].slot;
    }
    reference_init(enc, &info->picture, &info->slots[info->ref_count],
                   &info->references[info->ref_count]);
}

static void
slices_init(const struct encoder *enc, struct picture_info *info)
{
    const bool is_idr = info->picture.is_idr;
    const int32_t qp = is_idr ? enc->settings.qp_idr : enc->settings.qp_p;
    const bool has_constant_qp =
        enc->settings.rate_mode == VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR;
    const uint32_t width_mb = (enc->settings.width_px + 15) / 16;
    const uint32_t height_mb = (enc->settings.height_px + 15) / 16;

    info->slice_count = enc->settings.slice_count ? enc->settings.slice_count : 1;
    for (uint32_t i = 0; i < info->slice_count; i++) {
        info->slice_headers[i] = (StdVideoEncodeH264SliceHeader){
            .flags.num_ref_idx_active_override_flag =
                !is_idr &&
                info->ref_count != enc->sets.pps.num_ref_idx_l0_default_active_minus1 + 1u,
            .first_mb_in_slice = height_mb * i / info->slice_count * width_mb,
            .slice_type = is_idr ? STD_VIDEO_H264_SLICE_TYPE_I : STD_VIDEO_H264_SLICE_TYPE_P,
            .slice_qp_delta = has_constant_qp ? (int8_t)(qp - 26) : 0,
        };
        info->slices[i] = (VkVideoEncodeH264NaluSliceInfoKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_NALU_SLICE_INFO_KHR,
            .constantQp = has_constant_qp ? qp : 0,
            .pStdSliceHeader = &info->slice_headers[i],
        };
    }
}

static void
picture_info_init(const struct encoder *enc, struct picture_info *info)
{
    references_init(enc, info);
    slices_init(enc, info);
    info->std = (StdVideoEncodeH264PictureInfo){
        .flags.IdrPicFlag = info->picture.is_idr,
        .flags.is_reference = 1,
        .idr_pic_id = (uint16_t)info->picture.idr_pic_id,
        .primary_pic_type = picture_type(&info->picture),
        .frame_num = info->picture.frame_num,
        .PicOrderCnt = info->picture.poc,
        .pRefLists = info->picture.is_idr ? NULL : &info->lists,
    };
    info->h264 = (VkVideoEncodeH264PictureInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_PICTURE_INFO_KHR,
        .naluSliceEntryCount = info->slice_count,
        .pNaluSliceEntries = info->slices,
        .pStdPictureInfo = &info->std,
    };
}

/* The reference pictures and the setup slot, which holds nothing yet and so has no index here. */
static void
record_begin(struct encoder *enc, VkCommandBuffer cb, const struct picture_info *info)
{
    VkVideoReferenceSlotInfoKHR slots[ENCODER_MAX_SLOTS];
    const VkVideoBeginCodingInfoKHR begin = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_BEGIN_CODING_INFO_KHR,
        .pNext = &enc->rate.info,
        .videoSession = enc->session.handle,
        .videoSessionParameters = enc->parameters,
        .referenceSlotCount = info->ref_count + 1,
        .pReferenceSlots = slots,
    };

    memcpy(slots, info->references, (info->ref_count + 1) * sizeof(slots[0]));
    slots[info->ref_count].slotIndex = -1;
    enc->gpu->vk.CmdBeginVideoCodingKHR(cb, &begin);
}

/* Of the parameter sets that picture_collect() writes in front of the picture: the device's rate
 * control counts them where it can be told of them. */
static uint32_t
header_size_B(const struct encoder *enc, const struct picture_info *info)
{
    const bool is_counted = enc->caps.encode.flags &
                            VK_VIDEO_ENCODE_CAPABILITY_PRECEDING_EXTERNALLY_ENCODED_BYTES_BIT_KHR;

    return info->picture.is_idr && is_counted ? (uint32_t)enc->header_B : 0;
}

static void
record_encode(struct encoder *enc, struct flight *flight, const struct source *source,
              const struct picture_info *info)
{
    const VkVideoEncodeInfoKHR encode = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_INFO_KHR,
        .pNext = &info->h264,
        .dstBuffer = flight->bitstream.handle,
        .dstBufferRange = flight->bitstream.size_B,
        .srcPictureResource =
            {
                .sType = VK_STRUCTURE_TYPE_VIDEO_PICTURE_RESOURCE_INFO_KHR,
                .codedExtent = encoder_extent(enc),
                .imageViewBinding = source->image.view,
            },
        .pSetupReferenceSlot = &info->references[info->ref_count],
        .referenceSlotCount = info->ref_count,
        .pReferenceSlots = info->references,
        .precedingExternallyEncodedBytes = header_size_B(enc, info),
    };
    struct vk *vk = &enc->gpu->vk;

    vk->CmdBeginQuery(flight->cb, enc->queries, flight->query, 0);
    vk->CmdEncodeVideoKHR(flight->cb, &encode);
    vk->CmdEndQuery(flight->cb, enc->queries, flight->query);
}

/* Pictures before this one have written what it reads. */
static void
record_barrier(struct encoder *enc, VkCommandBuffer cb)
{
    const VkMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
        .srcStageMask = VK_PIPELINE_STAGE_2_VIDEO_ENCODE_BIT_KHR,
        .srcAccessMask = VK_ACCESS_2_VIDEO_ENCODE_WRITE_BIT_KHR,
        .dstStageMask = VK_PIPELINE_STAGE_2_VIDEO_ENCODE_BIT_KHR,
        .dstAccessMask =
            VK_ACCESS_2_VIDEO_ENCODE_READ_BIT_KHR | VK_ACCESS_2_VIDEO_ENCODE_WRITE_BIT_KHR,
    };
    const VkDependencyInfo dependency = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .memoryBarrierCount = 1,
        .pMemoryBarriers = &barrier,
    };

    enc->gpu->vk.CmdPipelineBarrier2(cb, &dependency);
}

void
picture_submit(struct encoder *enc, struct flight *flight, struct source *source)
{
    const VkVideoEndCodingInfoKHR end = {.sType = VK_STRUCTURE_TYPE_VIDEO_END_CODING_INFO_KHR};
    struct gpu *gpu = enc->gpu;
    struct picture_info info;

    info.picture = gop_next(&enc->gop);
    picture_info_init(enc, &info);

    gpu_command_begin(gpu, flight->cb);
    gpu->vk.CmdResetQueryPool(flight->cb, enc->queries, flight->query, 1);
    record_barrier(enc, flight->cb);
    record_begin(enc, flight->cb, &info);
    record_encode(enc, flight, source, &info);
    gpu->vk.CmdEndVideoCodingKHR(flight->cb, &end);

    flight->is_idr = info.picture.is_idr;
    flight->done = ++enc->encoded_value;
    source->encoded = flight->done;
    gpu_submit(gpu, gpu->queue, flight->cb, (struct gpu_point){enc->copied, source->copied},
               (struct gpu_point){enc->encoded, flight->done});

    gop_add(&enc->gop, &info.picture);
    enc->last_slot = info.picture.slot;
    enc->picture_count++;
}

void
picture_collect(struct encoder *enc, struct flight *flight)
{
    struct {
        uint32_t offset_B;
        uint32_t size_B;
        int32_t status;
    } feedback;
    struct gpu *gpu = enc->gpu;

    gpu_timeline_wait(gpu, enc->encoded, flight->done);
    flight->done = 0;
    vk_check(gpu->vk.GetQueryPoolResults(gpu->device, enc->queries, flight->query, 1,
                                         sizeof(feedback), &feedback, sizeof(feedback),
                                         VK_QUERY_RESULT_WITH_STATUS_BIT_KHR),
             "vkGetQueryPoolResults");
    if (feedback.status != VK_QUERY_RESULT_STATUS_COMPLETE_KHR)
        die("a picture was not encoded: status %d", feedback.status);
    gpu_buffer_invalidate(gpu, &flight->bitstream);
    if (flight->is_idr)
        enc->settings.write(enc->settings.ctx, enc->header, enc->header_B);
    enc->settings.write(enc->settings.ctx, flight->bitstream.data + feedback.offset_B,
                        feedback.size_B);
}

void
session_initialize(struct encoder *enc, VkCommandBuffer cb)
{
    const VkVideoBeginCodingInfoKHR begin = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_BEGIN_CODING_INFO_KHR,
        .videoSession = enc->session.handle,
        .videoSessionParameters = enc->parameters,
    };
    const VkVideoEncodeQualityLevelInfoKHR quality = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUALITY_LEVEL_INFO_KHR,
        .pNext = &enc->rate.info,
        .qualityLevel = enc->settings.quality_level,
    };
    const VkVideoCodingControlInfoKHR control = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_CODING_CONTROL_INFO_KHR,
        .pNext = &quality,
        .flags = VK_VIDEO_CODING_CONTROL_RESET_BIT_KHR |
                 VK_VIDEO_CODING_CONTROL_ENCODE_RATE_CONTROL_BIT_KHR |
                 VK_VIDEO_CODING_CONTROL_ENCODE_QUALITY_LEVEL_BIT_KHR,
    };
    const VkVideoEndCodingInfoKHR end = {.sType = VK_STRUCTURE_TYPE_VIDEO_END_CODING_INFO_KHR};
    struct gpu *gpu = enc->gpu;

    gpu_command_begin(gpu, cb);
    dpb_record_first_barriers(enc, cb);
    gpu->vk.CmdBeginVideoCodingKHR(cb, &begin);
    gpu->vk.CmdControlVideoCodingKHR(cb, &control);
    gpu->vk.CmdEndVideoCodingKHR(cb, &end);
    gpu_submit(gpu, gpu->queue, cb, (struct gpu_point){0},
               (struct gpu_point){enc->encoded, ++enc->encoded_value});
    gpu_timeline_wait(gpu, enc->encoded, enc->encoded_value);
}

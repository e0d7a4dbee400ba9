/* SPDX-License-Identifier: MIT */
/* The commands of one picture. Everything they point to lives until they are recorded. */
#include "tools/encode/picture.h"

#include "tools/encode/dpb.h"

#include <string.h>

static void
reference_init(const struct encoder *enc, uint32_t slot, uint32_t index, struct picture_info *info)
{
    info->resources[index] = dpb_resource(enc, slot);
    info->references[index] = (VkVideoReferenceSlotInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_REFERENCE_SLOT_INFO_KHR,
        .slotIndex = (int32_t)slot,
        .pPictureResource = &info->resources[index],
    };
}

static void
picture_info_init(struct encoder *enc, struct picture_info *info)
{
    const struct gop *gop = &enc->gop;

    info->picture = gop_next(&enc->gop);
    info->ref_count = gop->ref_count;
    for (uint32_t i = 0; i < gop->ref_count; i++)
        reference_init(enc, gop->refs[i].slot, i, info);
    reference_init(enc, info->picture.slot, info->ref_count, info);
    enc->settings.codec->picture_init(enc, info);
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

/* Of what picture_collect() writes in front of the picture. */
static uint32_t
preceding_size_B(const struct encoder *enc, bool is_key)
{
    return (uint32_t)(enc->settings.codec->delimiter_B + (is_key ? enc->header_B : 0));
}

static void
record_encode(struct encoder *enc, struct flight *flight, const struct source *source,
              const struct picture_info *info)
{
    /* The device's rate control counts what it is told of. */
    const bool is_counted = enc->caps.encode.flags &
                            VK_VIDEO_ENCODE_CAPABILITY_PRECEDING_EXTERNALLY_ENCODED_BYTES_BIT_KHR;
    const VkVideoEncodeInfoKHR encode = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_INFO_KHR,
        .pNext = info->chain,
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
        .precedingExternallyEncodedBytes =
            is_counted ? preceding_size_B(enc, info->picture.is_key) : 0,
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

    picture_info_init(enc, &info);

    gpu_command_begin(gpu, flight->cb);
    gpu->vk.CmdResetQueryPool(flight->cb, enc->queries, flight->query, 1);
    record_barrier(enc, flight->cb);
    record_begin(enc, flight->cb, &info);
    record_encode(enc, flight, source, &info);
    gpu->vk.CmdEndVideoCodingKHR(flight->cb, &end);

    flight->is_key = info.picture.is_key;
    flight->done = ++enc->encoded_value;
    source->encoded = flight->done;
    gpu_submit(gpu, gpu->queue, flight->cb, (struct gpu_point){enc->copied, source->copied},
               (struct gpu_point){enc->encoded, flight->done});

    gop_add(&enc->gop, &info.picture);
    enc->last_slot = info.picture.slot;
    enc->picture_count++;
}

static void
picture_write(const struct encoder *enc, bool is_key, const uint8_t *data, size_t size_B)
{
    const struct encoder_settings *settings = &enc->settings;
    const struct encode_codec *codec = settings->codec;

    if (settings->begin_picture)
        settings->begin_picture(settings->ctx, preceding_size_B(enc, is_key) + size_B);
    if (codec->delimiter_B > 0)
        settings->write(settings->ctx, codec->delimiter, codec->delimiter_B);
    if (is_key)
        settings->write(settings->ctx, enc->header, enc->header_B);
    settings->write(settings->ctx, data, size_B);
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
    picture_write(enc, flight->is_key, flight->bitstream.data + feedback.offset_B, feedback.size_B);
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

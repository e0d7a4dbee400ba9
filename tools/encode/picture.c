/* SPDX-License-Identifier: MIT */
/* The commands of one picture. Everything they point to lives until they are recorded. */
#include "tools/encode/picture.h"

#include "tools/encode/dpb.h"

#include <stdlib.h>
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

    info->ref_count = gop->ref_count;
    for (uint32_t i = 0; i < gop->ref_count; i++)
        reference_init(enc, gop->refs[i].slot, i, info);
    reference_init(enc, info->picture.slot, info->ref_count, info);
    enc->settings.codec->picture_init(enc, info);
}

/* A decoder does not display the picture when it has decoded it. */
static bool
is_hidden(const struct encoder *enc, const struct gop_picture *picture)
{
    return enc->settings.codec->show && picture->is_early;
}

/* A picture that was hidden is displayed after this one. */
static bool
shows_next(const struct encoder *enc, const struct gop_picture *picture)
{
    return enc->settings.codec->show && picture->next_slot >= 0;
}

static size_t
show_size_B(const struct encoder *enc)
{
    uint8_t bytes[CODEC_SHOW_MAX_B];

    return enc->settings.codec->show(0, bytes);
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
        .precedingExternallyEncodedBytes = is_counted ? enc->external_B : 0,
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

    info.picture = flight->picture;
    picture_info_init(enc, &info);
    if (!enc->has_early) /* it begins a temporal unit */
        enc->external_B += (uint32_t)enc->settings.codec->delimiter_B;
    if (info.picture.is_key)
        enc->external_B += (uint32_t)enc->header_B;

    gpu_command_begin(gpu, flight->cb);
    gpu->vk.CmdResetQueryPool(flight->cb, enc->queries, flight->query, 1);
    record_barrier(enc, flight->cb);
    record_begin(enc, flight->cb, &info);
    record_encode(enc, flight, source, &info);
    gpu->vk.CmdEndVideoCodingKHR(flight->cb, &end);

    flight->done = ++enc->encoded_value;
    source->encoded = flight->done;
    gpu_submit(gpu, gpu->queue, flight->cb, (struct gpu_point){enc->copied, source->copied},
               (struct gpu_point){enc->encoded, flight->done});

    gop_coded(&enc->gop, &info.picture);
    enc->has_early = is_hidden(enc, &info.picture);
    enc->external_B = 0;
    if (shows_next(enc, &info.picture))
        enc->external_B = (uint32_t)(enc->settings.codec->delimiter_B + show_size_B(enc));
    enc->picture_count++;
}

/* A picture, in AV1 a temporal unit, of two parts. */
static void
unit_write(const struct encoder *enc, bool is_key, const void *const part[2],
           const size_t part_B[2])
{
    const struct encoder_settings *settings = &enc->settings;
    const struct encode_codec *codec = settings->codec;
    const size_t header_B = is_key ? enc->header_B : 0;

    if (settings->begin_picture)
        settings->begin_picture(settings->ctx,
                                codec->delimiter_B + header_B + part_B[0] + part_B[1]);
    if (codec->delimiter_B > 0)
        settings->write(settings->ctx, codec->delimiter, codec->delimiter_B);
    if (is_key)
        settings->write(settings->ctx, enc->header, enc->header_B);
    for (uint32_t i = 0; i < 2; i++) {
        if (part_B[i] > 0)
            settings->write(settings->ctx, part[i], part_B[i]);
    }
}

static void
early_add(struct encoder *enc, const uint8_t *data, size_t size_B)
{
    uint8_t *early = realloc(enc->early, enc->early_B + size_B);

    if (!early)
        die("out of memory");
    memcpy(early + enc->early_B, data, size_B);
    enc->early = early;
    enc->early_B += size_B;
}

/* Pictures that are not displayed yet go into the temporal unit of the next one that is. */
static void
picture_write(struct encoder *enc, const struct gop_picture *picture, const uint8_t *data,
              size_t size_B)
{
    uint8_t show[CODEC_SHOW_MAX_B];

    if (is_hidden(enc, picture)) {
        early_add(enc, data, size_B);
        return;
    }
    unit_write(enc, picture->is_key, (const void *const[]){enc->early, data},
               (const size_t[]){enc->early_B, size_B});
    enc->early_B = 0;
    if (!shows_next(enc, picture))
        return;
    size_B = enc->settings.codec->show((uint32_t)picture->next_slot, show);
    unit_write(enc, false, (const void *const[]){show, NULL}, (const size_t[]){size_B, 0});
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
    picture_write(enc, &flight->picture, flight->bitstream.data + feedback.offset_B,
                  feedback.size_B);
    if (enc->settings.reconstructed) {
        const struct planes planes = dpb_read_back(enc, flight->picture.slot);

        enc->settings.reconstructed(enc->settings.reconstructed_ctx, flight->picture.display,
                                    &planes);
    }
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

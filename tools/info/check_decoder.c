/* SPDX-License-Identifier: MIT */
/* The decoder of --check: two slots, one picture at a time.
 */
#include "check_decoder.h"

#include <stdlib.h>
#include <string.h>

#define FORMAT VK_FORMAT_G8_B8R8_2PLANE_420_UNORM

struct slot {
    struct gpu_image image;
    VkVideoPictureResourceInfoKHR resource;
};

struct check_decoder {
    struct gpu *gpu; /* borrowed */
    const struct check_codec *codec;
    VkExtent2D extent;
    VkVideoProfileInfoKHR profile;
    VkVideoProfileListInfoKHR profiles;
    struct video_session session;
    VkVideoSessionParametersKHR parameters;
    struct slot slots[CHECK_SLOTS];
    struct gpu_buffer bitstream;
    struct gpu_buffer readback;
    VkQueryPool status;
    VkCommandPool pool;
    VkCommandBuffer cb;
    VkSemaphore done;
    uint64_t done_value;
};

static void
session_create(struct check_decoder *dec)
{
    const VkVideoSessionCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_CREATE_INFO_KHR,
        .queueFamilyIndex = dec->gpu->family,
        .pVideoProfile = &dec->profile,
        .pictureFormat = FORMAT,
        .maxCodedExtent = dec->extent,
        .referencePictureFormat = FORMAT,
        .maxDpbSlots = CHECK_SLOTS,
        .maxActiveReferencePictures = CHECK_SLOTS - 1,
        .pStdHeaderVersion = video_std_version(dec->profile.videoCodecOperation),
    };
    vk_check(video_session_create(&dec->gpu->video, &info, &dec->session),
             "making a video session");
}

static void
slot_create(struct check_decoder *dec, struct slot *slot)
{
    gpu_image_create(dec->gpu, FORMAT, dec->extent, 1,
                     VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR |
                         VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                     &dec->profiles, &slot->image);
    slot->resource = (VkVideoPictureResourceInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_PICTURE_RESOURCE_INFO_KHR,
        .codedExtent = dec->extent,
        .imageViewBinding = slot->image.view,
    };
}

static void
commands_create(struct check_decoder *dec)
{
    struct gpu *gpu = dec->gpu;
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .pNext = &dec->profile,
        .queryType = VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR,
        .queryCount = 1,
    };

    vk_check(gpu->vk.CreateQueryPool(gpu->device, &info, NULL, &dec->status), "vkCreateQueryPool");
    dec->pool = gpu_command_pool_create(gpu, gpu->family);
    dec->cb = gpu_command_buffer_create(gpu, dec->pool);
    dec->done = gpu_timeline_create(gpu);
}

struct check_decoder *
check_decoder_create(struct gpu *gpu, const struct check_codec *codec, const struct encoder *enc)
{
    const VkExtent2D extent = encoder_extent(enc);
    const VkDeviceSize picture_B = (VkDeviceSize)extent.width * extent.height * 3 / 2;
    struct check_decoder *dec = calloc(1, sizeof(*dec));

    if (!dec)
        die("out of memory");
    dec->gpu = gpu;
    dec->codec = codec;
    dec->extent = extent;
    dec->profile = video_profile((VkVideoCodecOperationFlagBitsKHR)codec->work.codec_operations,
                                 codec->profile);
    dec->profiles = video_profile_list(&dec->profile);
    session_create(dec);
    vk_check(codec->parameters_create(&gpu->video, dec->session.handle, enc, &dec->parameters),
             "vkCreateVideoSessionParametersKHR");
    for (uint32_t i = 0; i < CHECK_SLOTS; i++)
        slot_create(dec, &dec->slots[i]);
    gpu_buffer_create(gpu, 2 * picture_B, VK_BUFFER_USAGE_VIDEO_DECODE_SRC_BIT_KHR, &dec->profiles,
                      &dec->bitstream);
    gpu_buffer_create(gpu, picture_B, VK_BUFFER_USAGE_TRANSFER_DST_BIT, NULL, &dec->readback);
    commands_create(dec);
    return dec;
}

void
check_decoder_destroy(struct check_decoder *dec)
{
    struct gpu *gpu = dec->gpu;

    gpu->vk.DestroySemaphore(gpu->device, dec->done, NULL);
    gpu->vk.DestroyCommandPool(gpu->device, dec->pool, NULL);
    gpu->vk.DestroyQueryPool(gpu->device, dec->status, NULL);
    gpu_buffer_destroy(gpu, &dec->readback);
    gpu_buffer_destroy(gpu, &dec->bitstream);
    for (uint32_t i = 0; i < CHECK_SLOTS; i++)
        gpu_image_destroy(gpu, &dec->slots[i].image);
    gpu->video.DestroyVideoSessionParametersKHR(gpu->device, dec->parameters, NULL);
    video_session_destroy(&gpu->video, &dec->session);
    free(dec);
}

/* Copies the slices of an access unit into the bitstream buffer. */
static void
slices_copy(struct check_decoder *dec, const uint8_t *unit, size_t unit_B,
            struct check_picture *picture)
{
    uint32_t count = 0;

    for (size_t i = 0; i + 3 < unit_B; i++) {
        const bool is_start = unit[i] == 0 && unit[i + 1] == 0 && unit[i + 2] == 1;
        if (is_start && dec->codec->is_slice(unit[i + 3]) && count < CHECK_MAX_SLICES)
            picture->slice_offsets_B[count++] = (uint32_t)i;
    }
    picture->slice_count = count;
    if (count == 0 || unit_B > dec->bitstream.size_B)
        die("the access unit has %u slices and %zu bytes", count, unit_B);
    memcpy(dec->bitstream.data, unit, unit_B);
    gpu_buffer_flush(dec->gpu, &dec->bitstream);
}

static void
record_decode(struct check_decoder *dec, uint32_t setup, bool is_idr,
              const VkVideoDecodeInfoKHR *info)
{
    struct gpu *gpu = dec->gpu;
    const VkVideoReferenceSlotInfoKHR slots[CHECK_SLOTS] = {
        *info->pReferenceSlots,
        {.sType = VK_STRUCTURE_TYPE_VIDEO_REFERENCE_SLOT_INFO_KHR,
         .slotIndex = -1, /* it becomes active with this picture */
         .pPictureResource = &dec->slots[setup].resource},
    };
    const VkVideoBeginCodingInfoKHR begin = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_BEGIN_CODING_INFO_KHR,
        .videoSession = dec->session.handle,
        .videoSessionParameters = dec->parameters,
        .referenceSlotCount = is_idr ? 1 : 2,
        .pReferenceSlots = is_idr ? &slots[1] : slots,
    };
    const VkVideoCodingControlInfoKHR reset = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_CODING_CONTROL_INFO_KHR,
        .flags = VK_VIDEO_CODING_CONTROL_RESET_BIT_KHR,
    };
    const VkVideoEndCodingInfoKHR end = {.sType = VK_STRUCTURE_TYPE_VIDEO_END_CODING_INFO_KHR};

    gpu_image_barrier(gpu, dec->cb, dec->slots[setup].image.handle, 0, VK_IMAGE_LAYOUT_UNDEFINED,
                      VK_IMAGE_LAYOUT_VIDEO_DECODE_DPB_KHR);
    gpu->vk.CmdResetQueryPool(dec->cb, dec->status, 0, 1);
    gpu->vk.CmdBeginVideoCodingKHR(dec->cb, &begin);
    if (is_idr)
        gpu->vk.CmdControlVideoCodingKHR(dec->cb, &reset);
    gpu->vk.CmdBeginQuery(dec->cb, dec->status, 0, 0);
    gpu->vk.CmdDecodeVideoKHR(dec->cb, info);
    gpu->vk.CmdEndQuery(dec->cb, dec->status, 0);
    gpu->vk.CmdEndVideoCodingKHR(dec->cb, &end);
}

/* Copies what has been decoded into the readback buffer. */
static void
record_readback(struct check_decoder *dec, VkImage image)
{
    const uint32_t width_px = dec->extent.width;
    const uint32_t height_px = dec->extent.height;
    const VkBufferImageCopy regions[] = {
        {.imageSubresource = {VK_IMAGE_ASPECT_PLANE_0_BIT, 0, 0, 1},
         .imageExtent = {width_px, height_px, 1}},
        {.bufferOffset = (VkDeviceSize)width_px * height_px,
         .imageSubresource = {VK_IMAGE_ASPECT_PLANE_1_BIT, 0, 0, 1},
         .imageExtent = {width_px / 2, height_px / 2, 1}},
    };

    gpu_image_barrier(dec->gpu, dec->cb, image, 0, VK_IMAGE_LAYOUT_VIDEO_DECODE_DPB_KHR,
                      VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    dec->gpu->vk.CmdCopyImageToBuffer(dec->cb, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                                      dec->readback.handle, 2, regions);
    gpu_image_barrier(dec->gpu, dec->cb, image, 0, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                      VK_IMAGE_LAYOUT_VIDEO_DECODE_DPB_KHR);
}

/* Submits, waits, and looks at the query. */
static void
finish(struct check_decoder *dec, uint32_t position)
{
    struct gpu *gpu = dec->gpu;
    int32_t status = 0;

    gpu_submit(gpu, gpu->queue, dec->cb, (struct gpu_point){0},
               (struct gpu_point){dec->done, ++dec->done_value});
    gpu_timeline_wait(gpu, dec->done, dec->done_value);
    vk_check(gpu->vk.GetQueryPoolResults(gpu->device, dec->status, 0, 1, sizeof(status), &status,
                                         sizeof(status), VK_QUERY_RESULT_WITH_STATUS_BIT_KHR),
             "vkGetQueryPoolResults");
    if (status != VK_QUERY_RESULT_STATUS_COMPLETE_KHR)
        die("picture %u of its group: status %d", position, status);
    gpu_buffer_invalidate(gpu, &dec->readback);
}

const uint8_t *
check_decoder_decode(struct check_decoder *dec, const uint8_t *unit, size_t unit_B,
                     uint32_t position)
{
    const uint32_t setup = position % CHECK_SLOTS;
    const uint32_t ref = (position + 1) % CHECK_SLOTS;
    struct check_picture picture = {.position = position};

    slices_copy(dec, unit, unit_B, &picture);
    dec->codec->picture_init(&picture);
    VkVideoReferenceSlotInfoKHR references[CHECK_SLOTS];
    for (uint32_t i = 0; i < CHECK_SLOTS; i++)
        references[i] = (VkVideoReferenceSlotInfoKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_REFERENCE_SLOT_INFO_KHR,
            .pNext = picture.slots[i],
            .slotIndex = (int32_t)i,
            .pPictureResource = &dec->slots[i].resource,
        };
    const VkVideoDecodeInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_INFO_KHR,
        .pNext = picture.chain,
        .srcBuffer = dec->bitstream.handle,
        .srcBufferRange = unit_B,
        .dstPictureResource = dec->slots[setup].resource,
        .pSetupReferenceSlot = &references[setup],
        .referenceSlotCount = position > 0,
        .pReferenceSlots = &references[ref],
    };

    gpu_command_begin(dec->gpu, dec->cb);
    record_decode(dec, setup, position == 0, &info);
    record_readback(dec, dec->slots[setup].image.handle);
    finish(dec, position);
    return dec->readback.data;
}

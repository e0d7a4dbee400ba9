/* SPDX-License-Identifier: MIT */
/* A session, an image for each slot, and one command buffer.
 */
#include "av1_decoder.h"

#include "test.h"
#include "tests/codec_dav1d/std_structures.h"

#include <stdlib.h>
#include <string.h>

#define CHECK(call) REQUIRE_EQ((call), VK_SUCCESS)

#define BITSTREAM_B (UINT64_C(8) << 20)
#define MAX_TILES 4096
#define GRANULARITY_PX 8 /* pictures are written as far as the next multiple */
#define NO_SLOT (-1)

struct slot {
    struct guarded_image dpb; /* [0] has all layers when layered */
    struct guarded_image dst; /* distinct */
    VkExtent2D coded;
    StdVideoDecodeAV1ReferenceInfo std;
};

struct av1_decoder {
    struct vk *vk;
    struct av1_decoder_options options;
    VkVideoDecodeAV1ProfileInfoKHR av1_profile;
    VkVideoProfileInfoKHR profile;
    VkVideoProfileListInfoKHR profiles;
    struct video_session session;
    StdVideoAV1SequenceHeader sequence; /* of params */
    StdVideoAV1ColorConfig color;
    VkVideoSessionParametersKHR params;
    VkQueryPool status;
    VkCommandPool pool;
    VkCommandBuffer cb;
    struct vk_buffer bitstream;
    struct slot slots[APP_SLOTS_PER_STREAM];
    bool shall_reset;
    uint32_t tile_offsets_B[MAX_TILES];
};

/* The slots of one command. */
struct command_slots {
    uint32_t count;
    VkVideoDecodeAV1DpbSlotInfoKHR av1[APP_SLOTS_PER_STREAM + 1];
    VkVideoPictureResourceInfoKHR resources[APP_SLOTS_PER_STREAM + 1];
    VkVideoReferenceSlotInfoKHR infos[APP_SLOTS_PER_STREAM + 1];
};

static void
profile_init(struct av1_decoder *dec)
{
    dec->av1_profile = (VkVideoDecodeAV1ProfileInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_AV1_PROFILE_INFO_KHR,
        .stdProfile = STD_VIDEO_AV1_PROFILE_MAIN,
        .filmGrainSupport = dec->options.has_grain,
    };
    dec->profile = video_profile(VK_VIDEO_CODEC_OPERATION_DECODE_AV1_BIT_KHR, &dec->av1_profile);
    if (dec->options.bit_depth > 8)
        dec->profile.lumaBitDepth = dec->profile.chromaBitDepth =
            VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR;
    dec->profiles = video_profile_list(&dec->profile);
}

static bool
is_supported(const struct av1_decoder *dec)
{
    VkVideoDecodeAV1CapabilitiesKHR av1 = {.sType =
                                               VK_STRUCTURE_TYPE_VIDEO_DECODE_AV1_CAPABILITIES_KHR};
    VkVideoDecodeCapabilitiesKHR decode = {.sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_CAPABILITIES_KHR,
                                           .pNext = &av1};
    VkVideoCapabilitiesKHR caps = {.sType = VK_STRUCTURE_TYPE_VIDEO_CAPABILITIES_KHR,
                                   .pNext = &decode};
    return vkGetPhysicalDeviceVideoCapabilitiesKHR(dec->vk->pdev, &dec->profile, &caps) ==
           VK_SUCCESS;
}

/* The format of DPB images, which output images may have, too. */
static VkFormat
semi_planar_format(const struct av1_decoder *dec)
{
    return dec->options.bit_depth > 8 ? VK_FORMAT_G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16
                                      : VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
}

static VkFormat
dst_format(const struct av1_decoder *dec)
{
    return dec->options.is_i420 && dec->options.bit_depth == 8 ? VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM
                                                               : semi_planar_format(dec);
}

static void
session_create(struct av1_decoder *dec)
{
    const VkVideoSessionCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_CREATE_INFO_KHR,
        .flags =
            dec->options.is_inline ? VK_VIDEO_SESSION_CREATE_INLINE_SESSION_PARAMETERS_BIT_KHR : 0,
        .queueFamilyIndex = dec->vk->decode_family,
        .pVideoProfile = &dec->profile,
        .pictureFormat = dst_format(dec),
        .maxCodedExtent = {1920, 1088},
        .referencePictureFormat = semi_planar_format(dec),
        .maxDpbSlots = APP_SLOTS_PER_STREAM,
        .maxActiveReferencePictures = RP_AV1_REFS_PER_FRAME,
        .pStdHeaderVersion = video_std_version(dec->profile.videoCodecOperation),
    };
    CHECK(video_session_create(&dec->vk->video, &info, &dec->session));
}

struct av1_decoder *
av1_decoder_open(struct vk *vk, const struct av1_decoder_options *options)
{
    struct av1_decoder *dec = calloc(1, sizeof(*dec));
    REQUIRE(dec);
    dec->vk = vk;
    dec->options = *options;
    dec->shall_reset = true;
    profile_init(dec);
    if (vk->decode_family == UINT32_MAX || !is_supported(dec)) {
        free(dec);
        return NULL;
    }
    session_create(dec);
    vk_decode_commands_create(vk, &dec->profile, 1, &dec->status, &dec->pool, &dec->cb);
    dec->bitstream =
        vk_buffer_create(vk, BITSTREAM_B, VK_BUFFER_USAGE_VIDEO_DECODE_SRC_BIT_KHR, &dec->profiles);
    return dec;
}

void
av1_decoder_close(struct av1_decoder *dec)
{
    CHECK(vkDeviceWaitIdle(dec->vk->dev));
    for (uint32_t i = 0; i < APP_SLOTS_PER_STREAM; i++) {
        guarded_image_destroy(dec->vk, &dec->slots[i].dpb);
        guarded_image_destroy(dec->vk, &dec->slots[i].dst);
    }
    vkDestroyVideoSessionParametersKHR(dec->vk->dev, dec->params, NULL);
    vk_buffer_destroy(dec->vk, &dec->bitstream);
    vkDestroyCommandPool(dec->vk->dev, dec->pool, NULL);
    vkDestroyQueryPool(dec->vk->dev, dec->status, NULL);
    video_session_destroy(&dec->vk->video, &dec->session);
    free(dec);
}

void
av1_decoder_set_change(struct av1_decoder *dec, av1_change_fn *change)
{
    dec->options.change = change;
}

void
av1_decoder_set_inline(struct av1_decoder *dec, bool is_inline)
{
    dec->options.is_inline = is_inline;
}

void
av1_decoder_reset(struct av1_decoder *dec)
{
    dec->shall_reset = true;
}

VkVideoSessionKHR
av1_decoder_session(const struct av1_decoder *dec)
{
    return dec->session.handle;
}

void
av1_decoder_begin_sequence(void *ctx)
{
    struct av1_decoder *dec = ctx;
    dec->shall_reset |= dec->options.shall_reset;
}

/* The parameters of the picture's sequence header; NULL when it is inlined. */
static VkVideoSessionParametersKHR
parameters_get(struct av1_decoder *dec, const struct std_structures *std)
{
    StdVideoAV1SequenceHeader sequence = std->sequence;
    sequence.pColorConfig = &dec->color;
    if (dec->options.is_inline ||
        (dec->params && memcmp(&sequence, &dec->sequence, sizeof(sequence)) == 0 &&
         memcmp(&std->color, &dec->color, sizeof(dec->color)) == 0))
        return dec->params;
    vkDestroyVideoSessionParametersKHR(dec->vk->dev, dec->params, NULL);
    dec->sequence = sequence;
    dec->color = std->color;
    CHECK(video_parameters_create(
        &dec->vk->video, dec->session.handle, 0,
        &(VkVideoDecodeAV1SessionParametersCreateInfoKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_AV1_SESSION_PARAMETERS_CREATE_INFO_KHR,
            .pStdSequenceHeader = &dec->sequence},
        &dec->params));
    return dec->params;
}

static uint32_t
round_up(uint32_t px)
{
    return (px + GRANULARITY_PX - 1) / GRANULARITY_PX * GRANULARITY_PX;
}

static void
image_fit(struct av1_decoder *dec, struct guarded_image *img, const struct app_job *job,
          uint32_t layers, VkFormat format, VkImageUsageFlags usage)
{
    const StdVideoAV1SequenceHeader *sequence = &job->std->sequence;
    const bool is_largest = layers > 1; /* and not made again in mid stream */
    const uint32_t width_px =
        round_up(is_largest ? sequence->max_frame_width_minus_1 + 1u : job->width_px) +
        dec->options.border_px;
    const uint32_t height_px =
        round_up(is_largest ? sequence->max_frame_height_minus_1 + 1u : job->height_px) +
        dec->options.border_px;
    if (img->image.width_px == width_px && img->image.height_px == height_px)
        return;
    guarded_image_destroy(dec->vk, img);
    *img = guarded_image_create(dec->vk,
                                &(struct vk_image_info){.format = format,
                                                        .width_px = width_px,
                                                        .height_px = height_px,
                                                        .layer_count = layers,
                                                        .usage = usage,
                                                        .next = &dec->profiles},
                                dec->options.memory, false);
}

/* Where the slot's pictures are; *layer_out is 0 but for layered ones. */
static struct guarded_image *
dpb_image(struct av1_decoder *dec, int32_t slot, uint32_t *layer_out)
{
    *layer_out = dec->options.is_layered ? (uint32_t)slot : 0;
    return &dec->slots[dec->options.is_layered ? 0 : slot].dpb;
}

static bool
is_distinct(const struct av1_decoder *dec, const struct app_job *job)
{
    return dec->options.is_distinct || job->dst_setup.plane[0].data;
}

/* Makes the images of the picture; layered ones are filled anew for none but the first one. */
static void
images_fit(struct av1_decoder *dec, const struct app_job *job)
{
    const VkImageUsageFlags dst =
        VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    struct slot *slot = &dec->slots[job->setup_slot];
    uint32_t layer;
    if (dec->options.is_moving && !dec->options.is_layered)
        guarded_image_destroy(dec->vk, &slot->dpb);
    image_fit(dec, dpb_image(dec, job->setup_slot, &layer), job,
              dec->options.is_layered ? APP_SLOTS_PER_STREAM : 1, semi_planar_format(dec),
              VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR | dst);
    if (is_distinct(dec, job))
        image_fit(dec, &slot->dst, job, 1, dst_format(dec), dst);
    slot->coded = (VkExtent2D){job->width_px, job->height_px};
    if (dec->options.is_narrow && !job->frame->frame_size_override_flag)
        slot->coded.width = job->frame->size.frame_width;
    slot->std = (StdVideoDecodeAV1ReferenceInfo){
        .frame_type = (uint8_t)job->frame->frame_type,
        .OrderHint = (uint8_t)job->frame->order_hint,
    };
}

static VkVideoPictureResourceInfoKHR
resource_of(const struct av1_decoder *dec, int32_t slot, const struct guarded_image *img,
            uint32_t layer)
{
    return (VkVideoPictureResourceInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_PICTURE_RESOURCE_INFO_KHR,
        .codedExtent = dec->slots[slot].coded,
        .baseArrayLayer = layer,
        .imageViewBinding = img->image.view,
    };
}

static void
slots_add(struct av1_decoder *dec, struct command_slots *slots, int32_t slot)
{
    uint32_t layer;
    const struct guarded_image *img = dpb_image(dec, slot, &layer);
    for (uint32_t i = 0; i < slots->count; i++) {
        if (slots->infos[i].slotIndex == slot)
            return;
    }
    if (!img->image.handle)
        return; /* of a damaged picture */
    const uint32_t i = slots->count++;
    slots->resources[i] = resource_of(dec, slot, img, layer);
    slots->av1[i] = (VkVideoDecodeAV1DpbSlotInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_AV1_DPB_SLOT_INFO_KHR,
        .pStdReferenceInfo = &dec->slots[slot].std,
    };
    slots->infos[i] = (VkVideoReferenceSlotInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_REFERENCE_SLOT_INFO_KHR,
        .pNext = &slots->av1[i],
        .slotIndex = slot,
        .pPictureResource = &slots->resources[i],
    };
}

/* The tiles, with other bytes around them. Returns how many bytes there are. */
static VkDeviceSize
bitstream_fill(struct av1_decoder *dec, const struct app_job *job)
{
    VkDeviceSize size_B = dec->options.margin_B;
    memset(dec->bitstream.data, 0x5a, dec->options.margin_B);
    REQUIRE(job->tile_count <= MAX_TILES);
    for (uint32_t i = 0; i < job->tile_count; i++) {
        const uint32_t tile_B = job->tile_sizes_B[i];
        REQUIRE(size_B + tile_B + dec->options.margin_B <= dec->bitstream.size_B);
        dec->tile_offsets_B[i] = (uint32_t)size_B;
        memcpy(dec->bitstream.data + size_B, job->data + job->tile_offsets_B[i], tile_B);
        size_B += tile_B;
        memset(dec->bitstream.data + size_B, 0x5a, dec->options.margin_B);
        size_B += dec->options.margin_B;
    }
    return size_B;
}

static void
coding_record(struct av1_decoder *dec, const VkVideoBeginCodingInfoKHR *begin,
              const VkVideoDecodeInfoKHR *info)
{
    static const VkVideoCodingControlInfoKHR reset = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_CODING_CONTROL_INFO_KHR,
        .flags = VK_VIDEO_CODING_CONTROL_RESET_BIT_KHR,
    };
    CHECK(vkBeginCommandBuffer(dec->cb, &(VkCommandBufferBeginInfo){
                                            .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO}));
    vkCmdResetQueryPool(dec->cb, dec->status, 0, 1);
    vkCmdBeginVideoCodingKHR(dec->cb, begin);
    if (dec->shall_reset)
        vkCmdControlVideoCodingKHR(dec->cb, &reset);
    dec->shall_reset = false;
    vkCmdBeginQuery(dec->cb, dec->status, 0, 0);
    vkCmdDecodeVideoKHR(dec->cb, info);
    vkCmdEndQuery(dec->cb, dec->status, 0);
    vkCmdEndVideoCodingKHR(
        dec->cb, &(VkVideoEndCodingInfoKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_END_CODING_INFO_KHR});
    CHECK(vkEndCommandBuffer(dec->cb));
}

static void
picture_record(struct av1_decoder *dec, const struct app_job *job, const struct guarded_image *dst,
               uint32_t dst_layer)
{
    struct command_slots slots = {.count = 0};
    const VkVideoDecodeAV1InlineSessionParametersInfoKHR inlined = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_AV1_INLINE_SESSION_PARAMETERS_INFO_KHR,
        .pStdSequenceHeader = &job->std->sequence,
    };
    VkVideoDecodeAV1PictureInfoKHR av1 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_AV1_PICTURE_INFO_KHR,
        .pNext = dec->options.is_inline ? &inlined : NULL,
        .pStdPictureInfo = &job->std->picture,
        .tileCount = job->tile_count,
        .pTileOffsets = dec->tile_offsets_B,
        .pTileSizes = job->tile_sizes_B,
    };
    for (uint32_t i = 0; i < RP_AV1_REFS_PER_FRAME; i++) {
        av1.referenceNameSlotIndices[i] = job->name_slots[i];
        if (job->name_slots[i] >= 0)
            slots_add(dec, &slots, job->name_slots[i]);
    }
    const uint32_t ref_count = slots.count;
    uint32_t setup_layer;
    const struct guarded_image *setup_image = dpb_image(dec, job->setup_slot, &setup_layer);
    const VkVideoPictureResourceInfoKHR setup_resource =
        resource_of(dec, job->setup_slot, setup_image, setup_layer);
    const VkVideoDecodeAV1DpbSlotInfoKHR setup_av1 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_AV1_DPB_SLOT_INFO_KHR,
        .pStdReferenceInfo = &dec->slots[job->setup_slot].std,
    };
    VkVideoReferenceSlotInfoKHR setup = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_REFERENCE_SLOT_INFO_KHR,
        .pNext = &setup_av1,
        .slotIndex = job->setup_slot,
        .pPictureResource = &setup_resource,
    };
    slots.infos[slots.count] = setup;
    slots.infos[slots.count++].slotIndex = NO_SLOT; /* it becomes active with this picture */

    VkVideoDecodeInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_INFO_KHR,
        .pNext = &av1,
        .srcBuffer = dec->bitstream.handle,
        .srcBufferRange = bitstream_fill(dec, job),
        .dstPictureResource = resource_of(dec, job->setup_slot, dst, dst_layer),
        .pSetupReferenceSlot = &setup,
        .referenceSlotCount = ref_count,
        .pReferenceSlots = slots.infos,
    };
    const VkVideoBeginCodingInfoKHR begin = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_BEGIN_CODING_INFO_KHR,
        .videoSession = dec->session.handle,
        .videoSessionParameters = parameters_get(dec, job->std),
        .referenceSlotCount = slots.count,
        .pReferenceSlots = slots.infos,
    };
    if (dec->options.change)
        dec->options.change(&info, &av1);
    coding_record(dec, &begin, &info);
}

/* Where a plane of the image is in the buffer that it is read through. */
struct read_plane {
    const uint8_t *data;
    uint32_t row_B;
    uint32_t rows;
    uint32_t shift; /* of its rows, and of the samples of each component */
    uint32_t components;
};

/* What is in the picture goes to the component that `to` begins with, of pairs when step is 2; what
 * is beyond the access granularity is as it was. */
static void
plane_take(const struct guarded_image *img, const struct read_plane *from,
           const struct rp_picture *picture, uint8_t *to, size_t stride_B, uint32_t step)
{
    const uint32_t sample_B = picture->bit_depth > 8 ? 2 : 1;
    const uint32_t shift = from->shift;
    const uint32_t per_row = ((picture->width_px + shift) >> shift) * from->components;
    const uint32_t rows = (picture->height_px + shift) >> shift;
    const uint32_t used_B = (round_up(picture->width_px) >> shift) * from->components * sample_B;
    const bool is_reused = img->image.layer_count > 1; /* by pictures of other sizes */
    const uint32_t used_rows = round_up(picture->height_px) >> shift;
    for (uint32_t y = 0; y < from->rows; y++) {
        const uint8_t *row = from->data + (size_t)y * from->row_B;
        for (uint32_t x = 0; x < per_row && y < rows; x++)
            memcpy(to + y * stride_B + (size_t)x * step * sample_B, row + (size_t)x * sample_B,
                   sample_B);
        for (uint32_t i = y < used_rows ? used_B : 0; i < from->row_B && !is_reused; i++)
            REQUIRE_EQ(row[i], img->filling);
    }
}

static void
planes_copy(struct av1_decoder *dec, const struct guarded_image *img, uint32_t layer,
            const struct vk_buffer *buf, const struct read_plane *planes, uint32_t count)
{
    VkBufferImageCopy regions[3];
    for (uint32_t i = 0; i < count; i++) {
        regions[i] = (VkBufferImageCopy){
            .bufferOffset = (VkDeviceSize)(planes[i].data - buf->data),
            .imageSubresource = {VK_IMAGE_ASPECT_PLANE_0_BIT << i, 0, layer, 1},
            .imageExtent = {img->image.width_px >> planes[i].shift, planes[i].rows, 1},
        };
    }
    vk_begin(dec->vk);
    vkCmdCopyImageToBuffer(dec->vk->cb, img->image.handle, VK_IMAGE_LAYOUT_GENERAL, buf->handle,
                           count, regions);
    vk_finish(dec->vk);
}

static void
picture_read(struct av1_decoder *dec, const struct guarded_image *img, uint32_t layer,
             const struct rp_picture *to)
{
    const uint32_t sample_B = to->bit_depth > 8 ? 2 : 1;
    const uint32_t width_B = img->image.width_px * sample_B;
    const uint32_t height = img->image.height_px;
    const size_t luma_B = (size_t)width_B * height;
    const bool is_planar = img->image.format == VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM;
    struct vk_buffer buf =
        vk_buffer_create(dec->vk, luma_B * 3 / 2, VK_BUFFER_USAGE_TRANSFER_DST_BIT, NULL);
    const uint32_t chroma_B = is_planar ? width_B / 2 : width_B;
    const uint32_t components = is_planar ? 1 : 2;
    const struct read_plane planes[] = {
        {buf.data, width_B, height, 0, 1},
        {buf.data + luma_B, chroma_B, height / 2, 1, components},
        {buf.data + luma_B * 5 / 4, chroma_B, height / 2, 1, components},
    };
    planes_copy(dec, img, layer, &buf, planes, is_planar ? 3 : 2);
    plane_take(img, &planes[0], to, to->plane[0].data, to->plane[0].stride_B, 1);
    for (uint32_t i = 0; i < (is_planar ? 2 : 1); i++)
        plane_take(img, &planes[1 + i], to, to->plane[1].data + i * sample_B, to->plane[1].stride_B,
                   is_planar ? 2 : 1);
    vk_buffer_destroy(dec->vk, &buf);
}

static bool
is_complete(struct av1_decoder *dec)
{
    int32_t status = 0;
    CHECK(vkGetQueryPoolResults(dec->vk->dev, dec->status, 0, 1, sizeof(status), &status,
                                sizeof(status), VK_QUERY_RESULT_WITH_STATUS_BIT_KHR));
    REQUIRE(status == VK_QUERY_RESULT_STATUS_COMPLETE_KHR ||
            status == VK_QUERY_RESULT_STATUS_ERROR_KHR);
    return status == VK_QUERY_RESULT_STATUS_COMPLETE_KHR;
}

static VkResult
submit(struct av1_decoder *dec)
{
    if (dec->options.submission)
        dec->options.submission(true);
    const VkResult result = vkQueueSubmit(dec->vk->decode_queue, 1,
                                          &(VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                                          .commandBufferCount = 1,
                                                          .pCommandBuffers = &dec->cb},
                                          VK_NULL_HANDLE);
    if (result == VK_SUCCESS)
        CHECK(vkQueueWaitIdle(dec->vk->decode_queue));
    if (dec->options.submission)
        dec->options.submission(false);
    return result;
}

enum rp_codec_status
av1_decoder_decode(void *ctx, const struct app_job *job)
{
    struct av1_decoder *dec = ctx;
    images_fit(dec, job);
    uint32_t setup_layer;
    const struct guarded_image *setup = dpb_image(dec, job->setup_slot, &setup_layer);
    const struct guarded_image *dst =
        is_distinct(dec, job) ? &dec->slots[job->setup_slot].dst : setup;
    const uint32_t dst_layer = dst == setup ? setup_layer : 0;
    picture_record(dec, job, dst, dst_layer);
    const VkResult result = submit(dec);
    if (result == VK_ERROR_OUT_OF_HOST_MEMORY)
        return RP_CODEC_NO_MEMORY;
    CHECK(result);
    picture_read(dec, dst, dst_layer, &job->dst);
    if (job->dst_setup.plane[0].data)
        picture_read(dec, setup, setup_layer, &job->dst_setup);
    return is_complete(dec) ? RP_CODEC_OK : RP_CODEC_DAMAGED;
}

/* SPDX-License-Identifier: MIT */
/* A session, an image for each slot, and a command buffer for each queue.
 */
#include "vulkan_vp9.h"

#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

#define CHECK(call) REQUIRE_EQ((call), VK_SUCCESS)

#define BITSTREAM_B (UINT64_C(1) << 20)
#define MAX_WIDTH_PX 1056u /* of layers */
#define MAX_HEIGHT_PX 240u
#define P010 VK_FORMAT_G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16

struct vulkan_vp9 {
    struct vk *vk;
    struct vulkan_vp9_options options;
    vulkan_vp9_change_fn *change;
    VkFormat dpb_format;
    VkFormat dst_format;
    VkVideoDecodeVP9ProfileInfoKHR vp9_profile;
    VkVideoProfileInfoKHR profile;
    VkVideoProfileListInfoKHR profiles;
    struct video_session session;
    VkQueryPool status;
    VkCommandPool pool;
    VkCommandBuffer cbs[VK_DECODE_QUEUES];
    uint64_t picture_count;
    struct vk_buffer bitstream;
    struct vk_image dpb[APP_SLOTS]; /* [0] has all layers when layered */
    struct vk_image dst;            /* distinct */
    bool shall_reset;
};

/* The slots of one command. */
struct slots {
    uint32_t count;
    VkVideoPictureResourceInfoKHR resources[APP_SLOTS + 1];
    VkVideoReferenceSlotInfoKHR infos[APP_SLOTS + 1];
};

static VkResult
session_create(struct vulkan_vp9 *dec)
{
    const VkVideoSessionCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_CREATE_INFO_KHR,
        .queueFamilyIndex = dec->vk->decode_family,
        .pVideoProfile = &dec->profile,
        .pictureFormat = dec->dst_format,
        .maxCodedExtent = {1920, 1088},
        .referencePictureFormat = dec->dpb_format,
        .maxDpbSlots = APP_SLOTS,
        .maxActiveReferencePictures = STD_VIDEO_VP9_REFS_PER_FRAME,
        .pStdHeaderVersion = video_std_version(dec->profile.videoCodecOperation),
    };
    return video_session_create(&dec->vk->video, &info, &dec->session);
}

static bool
has_profile(struct vk *vk, const VkVideoProfileInfoKHR *profile)
{
    VkVideoDecodeVP9CapabilitiesKHR vp9 = {.sType =
                                               VK_STRUCTURE_TYPE_VIDEO_DECODE_VP9_CAPABILITIES_KHR};
    VkVideoDecodeCapabilitiesKHR decode = {.sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_CAPABILITIES_KHR,
                                           .pNext = &vp9};
    VkVideoCapabilitiesKHR caps = {.sType = VK_STRUCTURE_TYPE_VIDEO_CAPABILITIES_KHR,
                                   .pNext = &decode};
    if (vkGetPhysicalDeviceVideoCapabilitiesKHR(vk->pdev, profile, &caps) != VK_SUCCESS)
        return false;
    REQUIRE_EQ(caps.maxDpbSlots, APP_SLOTS);
    REQUIRE_EQ(caps.maxActiveReferencePictures, STD_VIDEO_VP9_REFS_PER_FRAME);
    REQUIRE_EQ(vp9.maxLevel, STD_VIDEO_VP9_LEVEL_6_1);
    return true;
}

struct vulkan_vp9 *
vulkan_vp9_open(struct vk *vk, const struct vulkan_vp9_options *options)
{
    struct vulkan_vp9 *dec = calloc(1, sizeof(*dec));
    REQUIRE(dec);
    const bool has_words = options->bit_depth > 8;
    dec->vk = vk;
    dec->options = *options;
    dec->dpb_format = has_words ? P010 : VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
    dec->dst_format = options->is_planar && options->is_distinct && !has_words
                          ? VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM
                          : dec->dpb_format;
    dec->shall_reset = true;
    dec->vp9_profile = (VkVideoDecodeVP9ProfileInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_VP9_PROFILE_INFO_KHR,
        .stdProfile = has_words ? STD_VIDEO_VP9_PROFILE_2 : STD_VIDEO_VP9_PROFILE_0,
    };
    dec->profile = video_profile(VK_VIDEO_CODEC_OPERATION_DECODE_VP9_BIT_KHR, &dec->vp9_profile);
    if (has_words)
        dec->profile.lumaBitDepth = dec->profile.chromaBitDepth =
            VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR;
    dec->profiles = video_profile_list(&dec->profile);
    if (!has_profile(vk, &dec->profile)) {
        free(dec);
        return NULL;
    }
    CHECK(session_create(dec));
    vk_decode_commands_create(vk, &dec->profile, VK_DECODE_QUEUES, &dec->status, &dec->pool,
                              dec->cbs);
    dec->bitstream =
        vk_buffer_create(vk, BITSTREAM_B, VK_BUFFER_USAGE_VIDEO_DECODE_SRC_BIT_KHR, &dec->profiles);
    return dec;
}

static void
image_destroy(struct vulkan_vp9 *dec, struct vk_image *img)
{
    if (img->handle)
        vk_image_destroy(dec->vk, img);
    *img = (struct vk_image){.handle = VK_NULL_HANDLE};
}

void
vulkan_vp9_close(struct vulkan_vp9 *dec)
{
    CHECK(vkDeviceWaitIdle(dec->vk->dev));
    for (uint32_t i = 0; i < APP_SLOTS; i++)
        image_destroy(dec, &dec->dpb[i]);
    image_destroy(dec, &dec->dst);
    vk_buffer_destroy(dec->vk, &dec->bitstream);
    vkDestroyCommandPool(dec->vk->dev, dec->pool, NULL);
    vkDestroyQueryPool(dec->vk->dev, dec->status, NULL);
    video_session_destroy(&dec->vk->video, &dec->session);
    free(dec);
}

void
vulkan_vp9_set_change(struct vulkan_vp9 *dec, vulkan_vp9_change_fn *change)
{
    dec->change = change;
}

static void
image_fit(struct vulkan_vp9 *dec, struct vk_image *img, const struct rp_picture *picture,
          uint32_t layer_count, VkFormat format, VkImageUsageFlags usage)
{
    const uint32_t border_px = dec->options.border_px;
    const uint32_t width_px =
        layer_count > 1 ? MAX_WIDTH_PX : ((picture->width_px + 1) & ~1u) + border_px;
    const uint32_t height_px =
        layer_count > 1 ? MAX_HEIGHT_PX : ((picture->height_px + 1) & ~1u) + border_px;
    if (img->width_px == width_px && img->height_px == height_px)
        return;
    image_destroy(dec, img);
    *img = vk_image_create(dec->vk, &(struct vk_image_info){.format = format,
                                                            .width_px = width_px,
                                                            .height_px = height_px,
                                                            .layer_count = layer_count,
                                                            .usage = usage,
                                                            .next = &dec->profiles});
}

static struct vk_image *
slot_image(struct vulkan_vp9 *dec, int32_t slot)
{
    return &dec->dpb[dec->options.is_layered ? 0 : slot];
}

static void
images_fit(struct vulkan_vp9 *dec, int32_t slot, const struct rp_picture *picture)
{
    const VkImageUsageFlags dst =
        VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    image_fit(dec, slot_image(dec, slot), picture, dec->options.is_layered ? APP_SLOTS : 1,
              dec->dpb_format,
              VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR | (dec->options.is_distinct ? 0 : dst));
    if (dec->options.is_distinct)
        image_fit(dec, &dec->dst, picture, 1, dec->dst_format, dst);
}

static VkVideoPictureResourceInfoKHR
resource_of(VkExtent2D extent, const struct vk_image *img, uint32_t layer)
{
    return (VkVideoPictureResourceInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_PICTURE_RESOURCE_INFO_KHR,
        .codedExtent = extent,
        .baseArrayLayer = layer,
        .imageViewBinding = img->view,
    };
}

static VkVideoReferenceSlotInfoKHR *
slots_add(struct vulkan_vp9 *dec, struct slots *slots, VkExtent2D extent, int32_t slot)
{
    const uint32_t i = slots->count++;
    slots->resources[i] =
        resource_of(extent, slot_image(dec, slot), dec->options.is_layered ? (uint32_t)slot : 0);
    slots->infos[i] = (VkVideoReferenceSlotInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_REFERENCE_SLOT_INFO_KHR,
        .slotIndex = slot,
        .pPictureResource = &slots->resources[i],
    };
    return &slots->infos[i];
}

/* Each reference once. */
static void
references_add(struct vulkan_vp9 *dec, struct slots *slots, const struct app_job *job)
{
    for (uint32_t i = 0; i < STD_VIDEO_VP9_REFS_PER_FRAME; i++) {
        const int32_t slot = job->name_slots[i];
        bool is_there = slot < 0;
        for (uint32_t k = 0; k < slots->count; k++)
            is_there |= slots->infos[k].slotIndex == slot;
        if (!is_there) {
            const struct vk_image *img = slot_image(dec, slot);
            (void)slots_add(dec, slots, (VkExtent2D){img->width_px, img->height_px}, slot);
        }
    }
}

static void
coding_record(struct vulkan_vp9 *dec, VkCommandBuffer cb, uint32_t query,
              const VkVideoBeginCodingInfoKHR *begin, const VkVideoDecodeInfoKHR *info)
{
    static const VkVideoCodingControlInfoKHR reset = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_CODING_CONTROL_INFO_KHR,
        .flags = VK_VIDEO_CODING_CONTROL_RESET_BIT_KHR,
    };
    CHECK(vkBeginCommandBuffer(
        cb, &(VkCommandBufferBeginInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO}));
    vkCmdResetQueryPool(cb, dec->status, query, 1);
    vkCmdBeginVideoCodingKHR(cb, begin);
    if (dec->shall_reset)
        vkCmdControlVideoCodingKHR(cb, &reset);
    dec->shall_reset = false;
    vkCmdBeginQuery(cb, dec->status, query, 0);
    vkCmdDecodeVideoKHR(cb, info);
    vkCmdEndQuery(cb, dec->status, query);
    vkCmdEndVideoCodingKHR(
        cb, &(VkVideoEndCodingInfoKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_END_CODING_INFO_KHR});
    CHECK(vkEndCommandBuffer(cb));
}

static void
record(struct vulkan_vp9 *dec, const struct app_job *job, VkCommandBuffer cb, uint32_t query)
{
    const struct vp9_header *header = job->header;
    const uint32_t margin_B = dec->options.margin_B;
    const VkExtent2D extent = {job->dst.width_px, job->dst.height_px};
    struct slots slots = {.count = 0};
    REQUIRE(margin_B + job->data_B <= dec->bitstream.size_B);
    memset(dec->bitstream.data, 0xc5, margin_B);
    memcpy(dec->bitstream.data + margin_B, job->data, job->data_B);
    references_add(dec, &slots, job);
    const uint32_t ref_count = slots.count;
    VkVideoReferenceSlotInfoKHR *active = slots_add(dec, &slots, extent, job->setup_slot);
    const VkVideoReferenceSlotInfoKHR setup = *active;
    active->slotIndex = -1; /* it becomes active with this picture */

    StdVideoDecodeVP9PictureInfo std = header->std;
    VkVideoDecodeVP9PictureInfoKHR vp9 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_VP9_PICTURE_INFO_KHR,
        .pStdPictureInfo = &std,
        .referenceNameSlotIndices = {job->name_slots[0], job->name_slots[1], job->name_slots[2]},
        .uncompressedHeaderOffset = margin_B,
        .compressedHeaderOffset = margin_B + header->uncompressed_B,
        .tilesOffset = margin_B + header->uncompressed_B + header->compressed_B,
    };
    VkVideoDecodeInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_INFO_KHR,
        .pNext = &vp9,
        .srcBuffer = dec->bitstream.handle,
        .srcBufferRange = margin_B + job->data_B,
        .dstPictureResource =
            dec->options.is_distinct ? resource_of(extent, &dec->dst, 0) : *setup.pPictureResource,
        .pSetupReferenceSlot = &setup,
        .referenceSlotCount = ref_count,
        .pReferenceSlots = slots.infos,
    };
    const VkVideoBeginCodingInfoKHR begin = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_BEGIN_CODING_INFO_KHR,
        .videoSession = dec->session.handle,
        .referenceSlotCount = slots.count,
        .pReferenceSlots = slots.infos,
    };
    if (dec->change)
        dec->change(&info, &vp9, &std);
    coding_record(dec, cb, query, &begin, &info);
}

/* Waits. */
static void
submit(struct vulkan_vp9 *dec, VkCommandBuffer cb, VkQueue queue)
{
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &cb,
    };
    CHECK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
    CHECK(vkQueueWaitIdle(queue));
}

/* A plane of the picture, of an image that may be larger. */
static void
plane_take(const struct rp_picture *dst, uint32_t plane, const uint8_t *from, size_t row_B,
           uint32_t components)
{
    const uint32_t shift = plane > 0;
    const uint32_t sample_B = dst->bit_depth > 8 ? 2 : 1;
    const size_t used_B = ((dst->width_px + shift) >> shift) * components * sample_B;
    for (uint32_t y = 0; y < (dst->height_px + shift) >> shift; y++)
        memcpy(dst->plane[plane].data + y * dst->plane[plane].stride_B, from + y * row_B, used_B);
}

static void
picture_read(struct vulkan_vp9 *dec, int32_t slot, const struct rp_picture *dst)
{
    const struct vk_image *img = dec->options.is_distinct ? &dec->dst : slot_image(dec, slot);
    const uint32_t layer =
        dec->options.is_layered && !dec->options.is_distinct ? (uint32_t)slot : 0;
    const size_t row_B = (size_t)img->width_px * (dst->bit_depth > 8 ? 2 : 1);
    const size_t luma_B = row_B * img->height_px;
    uint8_t *planes = malloc(luma_B * 3 / 2);
    REQUIRE(planes);
    vk_image_read(dec->vk, img, layer, planes);
    plane_take(dst, 0, planes, row_B, 1);
    if (dst->layout == RP_PICTURE_NV12) {
        plane_take(dst, 1, planes + luma_B, row_B, 2);
    } else {
        plane_take(dst, 1, planes + luma_B, row_B / 2, 1);
        plane_take(dst, 2, planes + luma_B * 5 / 4, row_B / 2, 1);
    }
    free(planes);
}

enum rp_codec_status
vulkan_vp9_decode(void *context, const struct app_job *job)
{
    struct vulkan_vp9 *dec = context;
    const uint32_t queue =
        dec->options.has_queues ? (uint32_t)(dec->picture_count++ % VK_DECODE_QUEUES) : 0;
    images_fit(dec, job->setup_slot, &job->dst);
    record(dec, job, dec->cbs[queue], queue);
    submit(dec, dec->cbs[queue], dec->vk->decode_queues[queue]);

    int32_t status = 0;
    CHECK(vkGetQueryPoolResults(dec->vk->dev, dec->status, queue, 1, sizeof(status), &status,
                                sizeof(status), VK_QUERY_RESULT_WITH_STATUS_BIT_KHR));
    REQUIRE(status == VK_QUERY_RESULT_STATUS_COMPLETE_KHR ||
            status == VK_QUERY_RESULT_STATUS_ERROR_KHR);
    picture_read(dec, job->setup_slot, &job->dst);
    return status == VK_QUERY_RESULT_STATUS_COMPLETE_KHR ? RP_CODEC_OK : RP_CODEC_DAMAGED;
}

/* SPDX-License-Identifier: MIT */
/* A session for the first picture's bit depth, an image for each slot, and a command buffer for
 * each picture.
 */
#include "vulkan_h265.h"

#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

#define CHECK(call) REQUIRE_EQ((call), VK_SUCCESS)

#define SLOTS RP_H265_DECODE_SLOTS
#define BITSTREAM_B (UINT64_C(4) << 20)

struct vulkan_h265 {
    struct vk *vk;
    struct vulkan_h265_options options;
    VkFormat format; /* of pictures; UNDEFINED: there is no session yet */
    VkVideoDecodeH265ProfileInfoKHR h265_profile;
    VkVideoProfileInfoKHR profile;
    VkVideoProfileListInfoKHR profiles;
    struct video_session session;
    VkQueryPool status;
    VkCommandPool pool;
    VkCommandBuffer cb;
    struct vk_buffer bitstream;
    struct vk_image dpb[SLOTS]; /* [0] has all layers when layered */
    struct vk_image dst;        /* distinct */
    bool shall_reset;
    vulkan_h265_change_fn *change; /* or NULL */
};

/* The slots of one command. */
struct slots {
    uint32_t count;
    StdVideoDecodeH265ReferenceInfo std[SLOTS + 1];
    VkVideoDecodeH265DpbSlotInfoKHR h265[SLOTS + 1];
    VkVideoPictureResourceInfoKHR resources[SLOTS + 1];
    VkVideoReferenceSlotInfoKHR infos[SLOTS + 1];
};

static void
session_create(struct vulkan_h265 *dec)
{
    const VkVideoSessionCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_CREATE_INFO_KHR,
        .flags =
            dec->options.is_inlined ? VK_VIDEO_SESSION_CREATE_INLINE_SESSION_PARAMETERS_BIT_KHR : 0,
        .queueFamilyIndex = dec->vk->decode_family,
        .pVideoProfile = &dec->profile,
        .pictureFormat = dec->format,
        .maxCodedExtent = {1920, 1088},
        .referencePictureFormat = dec->format,
        .maxDpbSlots = SLOTS,
        .maxActiveReferencePictures = 16,
        .pStdHeaderVersion = video_std_version(dec->profile.videoCodecOperation),
    };
    CHECK(video_session_create(&dec->vk->video, &info, &dec->session));
}

struct vulkan_h265 *
vulkan_h265_open(struct vk *vk, const struct vulkan_h265_options *options)
{
    struct vulkan_h265 *dec = calloc(1, sizeof(*dec));
    REQUIRE(dec);
    dec->vk = vk;
    dec->options = *options;
    return dec;
}

void
vulkan_h265_set_change(struct vulkan_h265 *dec, vulkan_h265_change_fn *change)
{
    dec->change = change;
}

static void
begin(struct vulkan_h265 *dec, uint32_t bit_depth)
{
    if (dec->format != VK_FORMAT_UNDEFINED)
        return;
    dec->format = bit_depth == 8 ? VK_FORMAT_G8_B8R8_2PLANE_420_UNORM
                                 : VK_FORMAT_G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16;
    dec->shall_reset = true;
    dec->h265_profile = (VkVideoDecodeH265ProfileInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_PROFILE_INFO_KHR,
        .stdProfileIdc = bit_depth > 8 || dec->options.is_main_10
                             ? STD_VIDEO_H265_PROFILE_IDC_MAIN_10
                             : STD_VIDEO_H265_PROFILE_IDC_MAIN,
    };
    dec->profile = video_profile(VK_VIDEO_CODEC_OPERATION_DECODE_H265_BIT_KHR, &dec->h265_profile);
    if (bit_depth > 8)
        dec->profile.lumaBitDepth = dec->profile.chromaBitDepth =
            VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR;
    dec->profiles = video_profile_list(&dec->profile);
    session_create(dec);
    vk_decode_commands_create(dec->vk, &dec->profile, 1, &dec->status, &dec->pool, &dec->cb);
    dec->bitstream = vk_buffer_create(dec->vk, BITSTREAM_B,
                                      VK_BUFFER_USAGE_VIDEO_DECODE_SRC_BIT_KHR, &dec->profiles);
}

static void
image_destroy(struct vulkan_h265 *dec, struct vk_image *img)
{
    if (img->handle)
        vk_image_destroy(dec->vk, img);
    *img = (struct vk_image){.handle = VK_NULL_HANDLE};
}

void
vulkan_h265_close(struct vulkan_h265 *dec)
{
    CHECK(vkDeviceWaitIdle(dec->vk->dev));
    for (uint32_t i = 0; i < SLOTS; i++)
        image_destroy(dec, &dec->dpb[i]);
    image_destroy(dec, &dec->dst);
    vk_buffer_destroy(dec->vk, &dec->bitstream);
    vkDestroyCommandPool(dec->vk->dev, dec->pool, NULL);
    vkDestroyQueryPool(dec->vk->dev, dec->status, NULL);
    video_session_destroy(&dec->vk->video, &dec->session);
    free(dec);
}

static void
image_fit(struct vulkan_h265 *dec, struct vk_image *img, const struct rp_picture *picture,
          uint32_t layer_count, VkImageUsageFlags usage)
{
    if (img->width_px == picture->width_px && img->height_px == picture->height_px)
        return;
    image_destroy(dec, img);
    *img = vk_image_create(dec->vk, &(struct vk_image_info){.format = dec->format,
                                                            .width_px = picture->width_px,
                                                            .height_px = picture->height_px,
                                                            .layer_count = layer_count,
                                                            .usage = usage,
                                                            .next = &dec->profiles});
}

static struct vk_image *
slot_image(struct vulkan_h265 *dec, int32_t slot)
{
    return &dec->dpb[dec->options.is_layered ? 0 : slot];
}

static void
images_fit(struct vulkan_h265 *dec, int32_t slot, const struct rp_picture *picture)
{
    const VkImageUsageFlags dst =
        VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    image_fit(dec, slot_image(dec, slot), picture, dec->options.is_layered ? SLOTS : 1,
              VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR | (dec->options.is_distinct ? 0 : dst));
    if (dec->options.is_distinct)
        image_fit(dec, &dec->dst, picture, 1, dst);
}

static VkVideoPictureResourceInfoKHR
resource_of(const struct rp_picture *picture, const struct vk_image *img, uint32_t layer)
{
    return (VkVideoPictureResourceInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_PICTURE_RESOURCE_INFO_KHR,
        .codedExtent = {picture->width_px, picture->height_px},
        .baseArrayLayer = layer,
        .imageViewBinding = img->view,
    };
}

static VkVideoReferenceSlotInfoKHR *
slots_add(struct vulkan_h265 *dec, struct slots *slots, const struct rp_picture *picture,
          int32_t slot, int32_t poc)
{
    const uint32_t i = slots->count++;
    slots->std[i] = (StdVideoDecodeH265ReferenceInfo){.PicOrderCntVal = poc};
    slots->h265[i] = (VkVideoDecodeH265DpbSlotInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_DPB_SLOT_INFO_KHR,
        .pStdReferenceInfo = &slots->std[i],
    };
    slots->resources[i] =
        resource_of(picture, slot_image(dec, slot), dec->options.is_layered ? (uint32_t)slot : 0);
    slots->infos[i] = (VkVideoReferenceSlotInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_REFERENCE_SLOT_INFO_KHR,
        .pNext = &slots->h265[i],
        .slotIndex = slot,
        .pPictureResource = &slots->resources[i],
    };
    return &slots->infos[i];
}

static void
set_write(uint8_t out[STD_VIDEO_DECODE_H265_REF_PIC_SET_LIST_SIZE],
          const struct rp_h265_private_set *set, struct slots *slots, bool is_long_term)
{
    memset(out, STD_VIDEO_H265_NO_REFERENCE_PICTURE, STD_VIDEO_DECODE_H265_REF_PIC_SET_LIST_SIZE);
    for (uint32_t i = 0; i < set->count; i++) {
        out[i] = (uint8_t)set->at[i].slot;
        for (uint32_t k = 0; k < slots->count; k++) {
            if (slots->infos[k].slotIndex == set->at[i].slot)
                slots->std[k].flags.used_for_long_term_reference = is_long_term;
        }
    }
}

static VkVideoSessionParametersKHR
parameters_create(struct vulkan_h265 *dec, const struct rp_h265_private_request *request)
{
    const StdVideoH265VideoParameterSet vps = {.vps_video_parameter_set_id =
                                                   request->sps->sps_video_parameter_set_id};
    const VkVideoDecodeH265SessionParametersAddInfoKHR add = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_SESSION_PARAMETERS_ADD_INFO_KHR,
        .stdVPSCount = 1,
        .pStdVPSs = &vps,
        .stdSPSCount = 1,
        .pStdSPSs = request->sps,
        .stdPPSCount = 1,
        .pStdPPSs = request->pps,
    };
    const VkVideoDecodeH265SessionParametersCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .maxStdVPSCount = 1,
        .maxStdSPSCount = 1,
        .maxStdPPSCount = 1,
        .pParametersAddInfo = &add,
    };
    VkVideoSessionParametersKHR params;
    CHECK(video_parameters_create(&dec->vk->video, dec->session.handle, 0, &info, &params));
    return params;
}

static void
coding_record(struct vulkan_h265 *dec, const VkVideoBeginCodingInfoKHR *begin,
              const VkVideoDecodeInfoKHR *info)
{
    static const VkVideoCodingControlInfoKHR reset = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_CODING_CONTROL_INFO_KHR,
        .flags = VK_VIDEO_CODING_CONTROL_RESET_BIT_KHR,
    };
    VkCommandBuffer cb = dec->cb;
    CHECK(vkBeginCommandBuffer(
        cb, &(VkCommandBufferBeginInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO}));
    vkCmdResetQueryPool(cb, dec->status, 0, 1);
    vkCmdBeginVideoCodingKHR(cb, begin);
    if (dec->shall_reset)
        vkCmdControlVideoCodingKHR(cb, &reset);
    dec->shall_reset = false;
    vkCmdBeginQuery(cb, dec->status, 0, 0);
    vkCmdDecodeVideoKHR(cb, info);
    vkCmdEndQuery(cb, dec->status, 0);
    vkCmdEndVideoCodingKHR(
        cb, &(VkVideoEndCodingInfoKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_END_CODING_INFO_KHR});
    CHECK(vkEndCommandBuffer(cb));
}

/* From the range of the request to a buffer of the device; offsets count from its start. */
static size_t
bitstream_fill(struct vulkan_h265 *dec, const struct rp_h265_private_request *request,
               uint32_t *offsets_B)
{
    const size_t begin_B = request->slice_offsets_B[0];
    const size_t size_B = request->src_B - begin_B;
    REQUIRE(size_B <= dec->bitstream.size_B);
    memcpy(dec->bitstream.data, request->src + begin_B, size_B);
    for (uint32_t i = 0; i < request->slice_count; i++)
        offsets_B[i] = request->slice_offsets_B[i] - (uint32_t)begin_B;
    return size_B;
}

static void
record(struct vulkan_h265 *dec, const struct rp_h265_private_request *request,
       const struct rp_picture *dst, VkVideoSessionParametersKHR params)
{
    uint32_t offsets_B[APP_MAX_SLICES];
    const size_t src_B = bitstream_fill(dec, request, offsets_B);
    struct slots slots = {.count = 0};
    for (uint32_t i = 0; i < request->listed_count; i++)
        (void)slots_add(dec, &slots, dst, request->listed[i].slot, request->listed[i].poc);
    const uint32_t ref_count = slots.count;
    StdVideoDecodeH265PictureInfo std = {
        .flags = {.IdrPicFlag = request->is_idr,
                  .IsReference = request->poc & 1 /* references all */},
        .sps_video_parameter_set_id = request->sps->sps_video_parameter_set_id,
        .pps_seq_parameter_set_id = request->pps->pps_seq_parameter_set_id,
        .pps_pic_parameter_set_id = request->pps->pps_pic_parameter_set_id,
        .PicOrderCntVal = request->poc,
        .NumBitsForSTRefPicSetInSlice = (uint16_t)request->short_term_set_bits,
    };
    set_write(std.RefPicSetStCurrBefore, &request->before, &slots, false);
    set_write(std.RefPicSetStCurrAfter, &request->after, &slots, false);
    set_write(std.RefPicSetLtCurr, &request->long_term, &slots, true);
    VkVideoReferenceSlotInfoKHR *active =
        slots_add(dec, &slots, dst, request->setup_slot, request->poc);
    const VkVideoReferenceSlotInfoKHR setup = *active;
    active->slotIndex = -1; /* it becomes active with this picture */

    const VkVideoDecodeH265InlineSessionParametersInfoKHR inlined = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_INLINE_SESSION_PARAMETERS_INFO_KHR,
        .pStdSPS = request->sps,
        .pStdPPS = request->pps,
    };
    const VkVideoDecodeH265PictureInfoKHR h265 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_PICTURE_INFO_KHR,
        .pNext = dec->options.is_inlined ? &inlined : NULL,
        .pStdPictureInfo = &std,
        .sliceSegmentCount = request->slice_count,
        .pSliceSegmentOffsets = offsets_B,
    };
    VkVideoDecodeInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_INFO_KHR,
        .pNext = &h265,
        .srcBuffer = dec->bitstream.handle,
        .srcBufferRange = src_B,
        .dstPictureResource =
            dec->options.is_distinct ? resource_of(dst, &dec->dst, 0) : *setup.pPictureResource,
        .pSetupReferenceSlot = &setup,
        .referenceSlotCount = ref_count,
        .pReferenceSlots = slots.infos,
    };
    VkVideoBeginCodingInfoKHR begin = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_BEGIN_CODING_INFO_KHR,
        .videoSession = dec->session.handle,
        .videoSessionParameters = params,
        .referenceSlotCount = slots.count,
        .pReferenceSlots = slots.infos,
    };
    if (dec->change)
        dec->change(&info, &begin, &std);
    coding_record(dec, &begin, &info);
}

static void
picture_read(struct vulkan_h265 *dec, int32_t slot, const struct rp_picture *dst)
{
    const struct vk_image *img = dec->options.is_distinct ? &dec->dst : slot_image(dec, slot);
    const uint32_t layer =
        dec->options.is_layered && !dec->options.is_distinct ? (uint32_t)slot : 0;
    const size_t row_B = (size_t)dst->width_px * (dst->bit_depth > 8 ? 2 : 1);
    uint8_t *pixels = malloc(row_B * dst->height_px * 3 / 2);
    REQUIRE(pixels && dst->layout == RP_PICTURE_NV12);
    vk_image_read(dec->vk, img, layer, pixels);
    const uint8_t *from = pixels;
    for (uint32_t i = 0; i < 2; i++) {
        for (uint32_t y = 0; y < (i ? dst->height_px / 2 : dst->height_px); y++, from += row_B)
            memcpy(dst->plane[i].data + y * dst->plane[i].stride_B, from, row_B);
    }
    free(pixels);
}

enum rp_codec_status
vulkan_h265_decode(void *context, const struct rp_h265_private_request *request,
                   const struct rp_picture *dst)
{
    struct vulkan_h265 *dec = context;
    VkVideoSessionParametersKHR params = VK_NULL_HANDLE;
    begin(dec, dst->bit_depth);
    if (!dec->options.is_inlined)
        params = parameters_create(dec, request);
    images_fit(dec, request->setup_slot, dst);
    record(dec, request, dst, params);
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &dec->cb,
    };
    CHECK(vkQueueSubmit(dec->vk->decode_queue, 1, &info, VK_NULL_HANDLE));
    CHECK(vkQueueWaitIdle(dec->vk->decode_queue));
    if (params)
        vkDestroyVideoSessionParametersKHR(dec->vk->dev, params, NULL);

    int32_t status = 0;
    CHECK(vkGetQueryPoolResults(dec->vk->dev, dec->status, 0, 1, sizeof(status), &status,
                                sizeof(status), VK_QUERY_RESULT_WITH_STATUS_BIT_KHR));
    picture_read(dec, request->setup_slot, dst);
    return status == VK_QUERY_RESULT_STATUS_COMPLETE_KHR ? RP_CODEC_OK : RP_CODEC_DAMAGED;
}

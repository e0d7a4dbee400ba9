/* SPDX-License-Identifier: MIT */
/* One decode session, its images and its command buffers.
 */
#include "decode_client.h"

#include "pictures.h"
#include "test.h"
#include "tools/client/video_h264.h"
#include "util/compiler.h"

#include <stdlib.h>
#include <string.h>

/* One more than the capabilities say, as clients ask for. */
#define USUAL_DPB_SLOTS 18

static void
create_profile(struct decode *d)
{
    d->h264_profile = (VkVideoDecodeH264ProfileInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_PROFILE_INFO_KHR,
        .stdProfileIdc = STD_VIDEO_H264_PROFILE_IDC_HIGH,
        .pictureLayout = VK_VIDEO_DECODE_H264_PICTURE_LAYOUT_INTERLACED_INTERLEAVED_LINES_BIT_KHR,
    };
    d->profile = video_profile(VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR, &d->h264_profile);
    d->profiles = video_profile_list(&d->profile);
}

static void
create_session(struct decode *d, uint32_t max_dpb_slots)
{
    const struct stream_options *o = &d->stream->options;
    CHECK(video_session_create(
        &d->vk->video,
        &(VkVideoSessionCreateInfoKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_CREATE_INFO_KHR,
            .queueFamilyIndex = d->vk->decode_family,
            .pVideoProfile = &d->profile,
            .pictureFormat = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
            .maxCodedExtent = {o->width_px, o->height_px},
            .referencePictureFormat = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
            .maxDpbSlots = max_dpb_slots,
            .maxActiveReferencePictures = RP_MIN(o->slot_count, max_dpb_slots),
            .pStdHeaderVersion = video_std_version(d->profile.videoCodecOperation)},
        &d->session));

    StdVideoH264SequenceParameterSetVui vui;
    StdVideoH264SequenceParameterSet sps;
    StdVideoH264PictureParameterSet pps;
    StdVideoH264HrdParameters hrd;
    stream_fill_sps(o, &sps, &vui, &hrd);
    stream_fill_pps(o, &pps);
    struct video_h264_decode_sets h264;
    video_h264_decode_sets_init(&h264, &sps, &pps);
    CHECK(video_parameters_create(&d->vk->video, d->session.handle, 0, &h264.info, &d->params));
}

static void
create_commands(struct decode *d)
{
    CHECK(vkCreateQueryPool(
        d->vk->dev,
        &(VkQueryPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                 .pNext = &d->profile,
                                 .queryType = VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR,
                                 .queryCount = DECODE_MAX_SHOTS},
        NULL, &d->status));
    CHECK(vkCreateCommandPool(
        d->vk->dev,
        &(VkCommandPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                   .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                   .queueFamilyIndex = d->vk->decode_family},
        NULL, &d->pool));
    CHECK(vkAllocateCommandBuffers(
        d->vk->dev,
        &(VkCommandBufferAllocateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                       .commandPool = d->pool,
                                       .commandBufferCount = DECODE_MAX_SHOTS},
        d->cbs));
}

static struct decode *
open_without_images(struct vk *vk, struct stream *stream, uint32_t max_dpb_slots)
{
    struct decode *d = calloc(1, sizeof(*d));
    REQUIRE(d);
    REQUIRE(vkCmdDecodeVideoKHR);
    d->vk = vk;
    d->stream = stream;
    create_profile(d);
    create_session(d, max_dpb_slots);
    create_commands(d);
    d->bitstream = vk_buffer_create(vk, (VkDeviceSize)DECODE_MAX_SHOTS * DECODE_MAX_PICTURE_B,
                                    VK_BUFFER_USAGE_VIDEO_DECODE_SRC_BIT_KHR, &d->profiles);
    return d;
}

static void
create_images(struct decode *d, VkImageUsageFlags usage, uint32_t layer_count)
{
    const struct stream *stream = d->stream;
    d->has_own_images = true;
    d->image_profile_infos[0] = d->profile;
    d->image_profile_infos[1] = stream->profile;
    d->image_profiles = d->profiles;
    d->image_profiles.pProfiles = d->image_profile_infos;
    d->image_profiles.profileCount = usage ? 2 : 1;
    for (uint32_t i = 0; i < stream->options.slot_count; i++)
        d->dpb[i] = vk_image_create(
            d->vk, &(struct vk_image_info){.format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
                                           .width_px = stream->options.width_px,
                                           .height_px = stream->options.height_px,
                                           .layer_count = layer_count,
                                           .usage = VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR |
                                                    VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR |
                                                    VK_IMAGE_USAGE_TRANSFER_SRC_BIT | usage,
                                           .next = &d->image_profiles});
}

struct decode *
decode_open(struct vk *vk, struct stream *stream)
{
    struct decode *d = open_without_images(vk, stream, USUAL_DPB_SLOTS);
    create_images(d, 0, 2);
    return d;
}

struct decode *
decode_open_for(struct vk *vk, struct stream *stream, VkImageUsageFlags usage)
{
    struct decode *d = open_without_images(vk, stream, USUAL_DPB_SLOTS);
    create_images(d, usage, 1);
    return d;
}

struct decode *
decode_open_beside(struct vk *vk, struct stream *stream, const struct decode *other)
{
    struct decode *d = open_without_images(vk, stream, USUAL_DPB_SLOTS);
    memcpy(d->dpb, other->dpb, sizeof(d->dpb));
    d->layer = 1;
    return d;
}

struct decode *
decode_open_in(struct vk *vk, struct stream *stream, const struct vk_image *img,
               uint32_t first_layer, uint32_t max_dpb_slots)
{
    struct decode *d = open_without_images(vk, stream, max_dpb_slots);
    for (uint32_t i = 0; i < stream->options.slot_count; i++)
        d->dpb[i] = *img;
    d->layer = first_layer;
    d->layer_step = 1;
    return d;
}

void
decode_close(struct decode *d)
{
    for (uint32_t i = 0; i < d->stream->options.slot_count && d->has_own_images; i++)
        vk_image_destroy(d->vk, &d->dpb[i]);
    vk_buffer_destroy(d->vk, &d->bitstream);
    vkDestroyCommandPool(d->vk->dev, d->pool, NULL);
    vkDestroyQueryPool(d->vk->dev, d->status, NULL);
    vkDestroyVideoSessionParametersKHR(d->vk->dev, d->params, NULL);
    video_session_destroy(&d->vk->video, &d->session);
    free(d);
}

static VkVideoPictureResourceInfoKHR
resource_of(const struct decode *d, int32_t slot)
{
    return (VkVideoPictureResourceInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_PICTURE_RESOURCE_INFO_KHR,
        .codedExtent = {d->stream->options.width_px, d->stream->options.height_px},
        .baseArrayLayer = d->layer + d->layer_step * (uint32_t)slot,
        .imageViewBinding = d->dpb[slot].view,
    };
}

struct decode_source
decode_source_make_of(struct decode *d, uint32_t i, const struct stream_picture *pic)
{
    struct stream *s = d->stream;
    const uint32_t number = stream_prepare(s, pic);
    stream_record(s, number);
    stream_submit(s, number);
    const struct stream_result result = stream_collect(s, number);
    REQUIRE_EQ(result.status, VK_QUERY_RESULT_STATUS_COMPLETE_KHR);

    const struct decode_source source = {
        .std = {.flags = {.is_intra = pic->is_idr, .IdrPicFlag = pic->is_idr, .is_reference = 1},
                .frame_num = (uint16_t)i,
                .PicOrderCnt = {pic->poc, pic->poc}},
        .slot = pic->setup_slot,
        .ref_slot = pic->is_idr ? -1 : pic->list[0][0],
        .data = malloc(result.size_B),
        .size_B = result.size_B,
        .recon = stream_recon(s, number),
    };
    REQUIRE(source.data);
    memcpy(source.data, result.data, result.size_B);
    d->infos[source.slot] = (StdVideoDecodeH264ReferenceInfo){.FrameNum = (uint16_t)i,
                                                              .PicOrderCnt = {pic->poc, pic->poc}};
    return source;
}

struct decode_source
decode_source_make(struct decode *d, uint32_t i)
{
    const struct stream_picture pic = picture_of_chain(d->stream, i, 26);
    return decode_source_make_of(d, i, &pic);
}

void
decode_slots_add(struct slots *slots, const struct decode *d, int32_t slot)
{
    const uint32_t i = slots->count++;
    slots->resources[i] = resource_of(d, slot);
    slots->h264[i] = (VkVideoDecodeH264DpbSlotInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_DPB_SLOT_INFO_KHR,
        .pStdReferenceInfo = &d->infos[slot],
    };
    slots->infos[i] = (VkVideoReferenceSlotInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_REFERENCE_SLOT_INFO_KHR,
        .pNext = &slots->h264[i],
        .slotIndex = slot,
        .pPictureResource = &slots->resources[i],
    };
}

void
decode_record(struct decode *d, uint32_t shot, const StdVideoDecodeH264PictureInfo *std,
              struct slots *slots, int32_t setup_slot, const uint8_t *data, size_t size_B)
{
    VkCommandBuffer cb = d->cbs[shot];
    const uint32_t slice_offset_B = 0;
    REQUIRE(size_B <= DECODE_MAX_PICTURE_B);
    memcpy(d->bitstream.data + (size_t)shot * DECODE_MAX_PICTURE_B, data, size_B);
    const uint32_t ref_count = slots->count;
    decode_slots_add(slots, d, setup_slot);
    const VkVideoReferenceSlotInfoKHR setup = slots->infos[ref_count];
    slots->infos[ref_count].slotIndex = -1; /* it becomes active with this picture */
    const VkVideoDecodeH264PictureInfoKHR h264 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_PICTURE_INFO_KHR,
        .pStdPictureInfo = std,
        .sliceCount = 1,
        .pSliceOffsets = &slice_offset_B,
    };
    const VkVideoDecodeInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_INFO_KHR,
        .pNext = &h264,
        .srcBuffer = d->bitstream.handle,
        .srcBufferOffset =
            (VkDeviceSize)(d->has_no_source ? 2 * DECODE_MAX_SHOTS : shot) * DECODE_MAX_PICTURE_B,
        .srcBufferRange = size_B,
        .dstPictureResource = d->output ? *d->output : resource_of(d, setup_slot),
        .pSetupReferenceSlot = &setup,
        .referenceSlotCount = ref_count,
        .pReferenceSlots = slots->infos,
    };

    CHECK(vkBeginCommandBuffer(
        cb, &(VkCommandBufferBeginInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO}));
    vkCmdResetQueryPool(cb, d->status, shot, 1);
    vkCmdBeginVideoCodingKHR(
        cb, &(VkVideoBeginCodingInfoKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_BEGIN_CODING_INFO_KHR,
                                         .videoSession = d->session.handle,
                                         .videoSessionParameters = d->params,
                                         .referenceSlotCount = slots->count,
                                         .pReferenceSlots = slots->infos});
    if (std->flags.IdrPicFlag || d->has_reset)
        vkCmdControlVideoCodingKHR(cb, &(VkVideoCodingControlInfoKHR){
                                           .sType = VK_STRUCTURE_TYPE_VIDEO_CODING_CONTROL_INFO_KHR,
                                           .flags = VK_VIDEO_CODING_CONTROL_RESET_BIT_KHR});
    vkCmdBeginQuery(cb, d->status, shot, 0);
    vkCmdDecodeVideoKHR(cb, &info);
    vkCmdEndQuery(cb, d->status, shot);
    vkCmdEndVideoCodingKHR(
        cb, &(VkVideoEndCodingInfoKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_END_CODING_INFO_KHR});
    CHECK(vkEndCommandBuffer(cb));
}

int32_t
decode_status(struct decode *d, uint32_t shot)
{
    int32_t status = 0;
    CHECK(vkGetQueryPoolResults(d->vk->dev, d->status, shot, 1, sizeof(status), &status,
                                sizeof(status), VK_QUERY_RESULT_WITH_STATUS_BIT_KHR));
    return status;
}

/* SPDX-License-Identifier: MIT */
/* Encode and decode on one device: what the decoder writes equals the encoder's reconstruction,
 * bit for bit, without any other decoder.
 */
#include "pictures.h"
#include "stream.h"
#include "stream_state.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BITSTREAM_B 400000u
#define PICTURES 20u

static PFN_vkCmdDecodeVideoKHR cmd_decode_video;

struct decode {
    struct vk *vk;
    struct stream *stream; /* that is decoded; not owned */
    VkVideoDecodeH264ProfileInfoKHR h264_profile;
    VkVideoProfileInfoKHR profile;
    VkVideoProfileListInfoKHR profiles;
    VkVideoSessionKHR session;
    VkVideoSessionParametersKHR params;
    VkQueryPool status;
    VkCommandPool pool;
    VkCommandBuffer cb;
    struct vk_buffer bitstream;
    struct vk_image dpb[STREAM_MAX_SLOTS];
    StdVideoDecodeH264ReferenceInfo infos[STREAM_MAX_SLOTS]; /* what is in each slot */
};

static void
create_profile(struct decode *d)
{
    d->h264_profile = (VkVideoDecodeH264ProfileInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_PROFILE_INFO_KHR,
        .stdProfileIdc = STD_VIDEO_H264_PROFILE_IDC_HIGH,
        .pictureLayout =
            VK_VIDEO_DECODE_H264_PICTURE_LAYOUT_INTERLACED_INTERLEAVED_LINES_BIT_KHR,
    };
    d->profile = (VkVideoProfileInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_INFO_KHR,
        .pNext = &d->h264_profile,
        .videoCodecOperation = VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR,
        .chromaSubsampling = VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR,
        .lumaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,
        .chromaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,
    };
    d->profiles = (VkVideoProfileListInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR,
        .profileCount = 1,
        .pProfiles = &d->profile,
    };
}

static void
create_session(struct decode *d)
{
    const struct stream_options *o = &d->stream->options;
    const VkExtensionProperties version = {
        .extensionName = VK_STD_VULKAN_VIDEO_CODEC_H264_DECODE_EXTENSION_NAME,
        .specVersion = VK_STD_VULKAN_VIDEO_CODEC_H264_DECODE_SPEC_VERSION,
    };
    CHECK(vkCreateVideoSessionKHR(
        d->vk->dev,
        &(VkVideoSessionCreateInfoKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_CREATE_INFO_KHR,
            .queueFamilyIndex = d->vk->decode_family,
            .pVideoProfile = &d->profile,
            .pictureFormat = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
            .maxCodedExtent = {o->width_px, o->height_px},
            .referencePictureFormat = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
            .maxDpbSlots = 18, /* one more than the capabilities say, as clients ask for */
            .maxActiveReferencePictures = o->slot_count,
            .pStdHeaderVersion = &version},
        NULL, &d->session));
    CHECK(vkBindVideoSessionMemoryKHR(d->vk->dev, d->session, 0, NULL));

    StdVideoH264SequenceParameterSetVui vui;
    StdVideoH264SequenceParameterSet sps;
    StdVideoH264PictureParameterSet pps;
    StdVideoH264HrdParameters hrd;
    stream_fill_sps(o, &sps, &vui, &hrd);
    stream_fill_pps(o, &pps);
    const VkVideoDecodeH264SessionParametersAddInfoKHR add = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_SESSION_PARAMETERS_ADD_INFO_KHR,
        .stdSPSCount = 1,
        .pStdSPSs = &sps,
        .stdPPSCount = 1,
        .pStdPPSs = &pps,
    };
    const VkVideoDecodeH264SessionParametersCreateInfoKHR h264 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .maxStdSPSCount = 1,
        .maxStdPPSCount = 1,
        .pParametersAddInfo = &add,
    };
    CHECK(vkCreateVideoSessionParametersKHR(
        d->vk->dev,
        &(VkVideoSessionParametersCreateInfoKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_PARAMETERS_CREATE_INFO_KHR,
            .pNext = &h264,
            .videoSession = d->session},
        NULL, &d->params));
}

static void
create_commands(struct decode *d)
{
    CHECK(vkCreateQueryPool(
        d->vk->dev,
        &(VkQueryPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                 .pNext = &d->profile,
                                 .queryType = VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR,
                                 .queryCount = 1},
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
                                       .commandBufferCount = 1},
        &d->cb));
}

static struct decode *
decode_open(struct vk *vk, struct stream *stream)
{
    struct decode *d = calloc(1, sizeof(*d));
    REQUIRE(d);
    d->vk = vk;
    d->stream = stream;
    create_profile(d);
    create_session(d);
    create_commands(d);
    d->bitstream =
        vk_buffer_create(vk, BITSTREAM_B, VK_BUFFER_USAGE_VIDEO_DECODE_SRC_BIT_KHR, &d->profiles);
    for (uint32_t i = 0; i < stream->options.slot_count; i++)
        d->dpb[i] = vk_image_create(
            vk, &(struct vk_image_info){
                    .format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
                    .width_px = stream->options.width_px,
                    .height_px = stream->options.height_px,
                    .layer_count = 1,
                    .usage = VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR |
                             VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR |
                             VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                    .next = &d->profiles});
    return d;
}

static void
decode_close(struct decode *d)
{
    for (uint32_t i = 0; i < d->stream->options.slot_count; i++)
        vk_image_destroy(d->vk, &d->dpb[i]);
    vk_buffer_destroy(d->vk, &d->bitstream);
    vkDestroyCommandPool(d->vk->dev, d->pool, NULL);
    vkDestroyQueryPool(d->vk->dev, d->status, NULL);
    vkDestroyVideoSessionParametersKHR(d->vk->dev, d->params, NULL);
    vkDestroyVideoSessionKHR(d->vk->dev, d->session, NULL);
    free(d);
}

static VkVideoPictureResourceInfoKHR
resource_of(const struct decode *d, int32_t slot)
{
    return (VkVideoPictureResourceInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_PICTURE_RESOURCE_INFO_KHR,
        .codedExtent = {d->stream->options.width_px, d->stream->options.height_px},
        .imageViewBinding = d->dpb[slot].view,
    };
}

/* The references of one picture, as begin and decode list them. */
struct slots {
    uint32_t count;
    VkVideoPictureResourceInfoKHR resources[STREAM_MAX_SLOTS + 1];
    VkVideoDecodeH264DpbSlotInfoKHR h264[STREAM_MAX_SLOTS + 1];
    VkVideoReferenceSlotInfoKHR infos[STREAM_MAX_SLOTS + 1];
};

static void
slots_add(struct slots *slots, const struct decode *d, int32_t slot)
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

static void
record(struct decode *d, const StdVideoDecodeH264PictureInfo *std, struct slots *slots,
       int32_t setup_slot, size_t size_B)
{
    const uint32_t slice_offset_B = 0;
    const uint32_t ref_count = slots->count;
    slots_add(slots, d, setup_slot);
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
        .srcBufferRange = size_B,
        .dstPictureResource = resource_of(d, setup_slot),
        .pSetupReferenceSlot = &setup,
        .referenceSlotCount = ref_count,
        .pReferenceSlots = slots->infos,
    };

    CHECK(vkBeginCommandBuffer(d->cb, &(VkCommandBufferBeginInfo){
                                          .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO}));
    vkCmdResetQueryPool(d->cb, d->status, 0, 1);
    vkCmdBeginVideoCodingKHR(d->cb, &(VkVideoBeginCodingInfoKHR){
                                        .sType = VK_STRUCTURE_TYPE_VIDEO_BEGIN_CODING_INFO_KHR,
                                        .videoSession = d->session,
                                        .videoSessionParameters = d->params,
                                        .referenceSlotCount = slots->count,
                                        .pReferenceSlots = slots->infos});
    if (std->flags.IdrPicFlag)
        vkCmdControlVideoCodingKHR(d->cb, &(VkVideoCodingControlInfoKHR){
                                              .sType = VK_STRUCTURE_TYPE_VIDEO_CODING_CONTROL_INFO_KHR,
                                              .flags = VK_VIDEO_CODING_CONTROL_RESET_BIT_KHR});
    vkCmdBeginQuery(d->cb, d->status, 0, 0);
    cmd_decode_video(d->cb, &info);
    vkCmdEndQuery(d->cb, d->status, 0);
    vkCmdEndVideoCodingKHR(
        d->cb,
        &(VkVideoEndCodingInfoKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_END_CODING_INFO_KHR});
    CHECK(vkEndCommandBuffer(d->cb));
}

static int32_t
submit(struct decode *d)
{
    int32_t status = 0;
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &d->cb,
    };
    CHECK(vkQueueSubmit(d->vk->decode_queue, 1, &info, VK_NULL_HANDLE));
    CHECK(vkQueueWaitIdle(d->vk->decode_queue));
    CHECK(vkGetQueryPoolResults(d->vk->dev, d->status, 0, 1, sizeof(status), &status,
                                sizeof(status), VK_QUERY_RESULT_WITH_STATUS_BIT_KHR));
    return status;
}

/* Encodes a picture of a chain and decodes it; both pictures have to be the same. */
static void
round_trip_picture(struct decode *d, const struct stream_picture *pic, uint32_t frame_num)
{
    struct stream *s = d->stream;
    struct slots slots = {0};
    const uint32_t number = stream_prepare(s, pic);
    stream_record(s, number);
    stream_submit(s, number);
    const struct stream_result result = stream_collect(s, number);
    REQUIRE_EQ(result.status, VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
    REQUIRE(result.size_B <= BITSTREAM_B);
    memcpy(d->bitstream.data, result.data, result.size_B);

    const StdVideoDecodeH264PictureInfo std = {
        .flags = {.is_intra = pic->is_idr,
                  .IdrPicFlag = pic->is_idr,
                  .is_reference = pic->is_reference},
        .frame_num = (uint16_t)frame_num,
        .PicOrderCnt = {pic->poc, pic->poc},
    };
    d->infos[pic->setup_slot] = (StdVideoDecodeH264ReferenceInfo){
        .FrameNum = (uint16_t)frame_num, .PicOrderCnt = {pic->poc, pic->poc}};
    for (uint32_t i = 0; i < pic->list_count[0]; i++)
        slots_add(&slots, d, pic->list[0][i]);
    record(d, &std, &slots, pic->setup_slot, result.size_B);
    REQUIRE_EQ(submit(d), VK_QUERY_RESULT_STATUS_COMPLETE_KHR);

    uint8_t *pixels = malloc(frame_B(s));
    REQUIRE(pixels);
    vk_image_read_i420(d->vk, &d->dpb[pic->setup_slot], 0, pixels);
    REQUIRE(memcmp(pixels, stream_recon(s, number), frame_B(s)) == 0);
    free(pixels);
}

static void
the_decoder_returns_the_reconstruction(struct vk *vk, const struct stream_options *options)
{
    struct stream *s = stream_open(vk, options);
    struct decode *d = decode_open(vk, s);
    uint32_t frame_num = 0;

    for (uint32_t i = 0; i < PICTURES; i++) {
        const struct stream_picture pic = picture_of_chain(s, i % 12, 24 + (int32_t)i);
        frame_num = pic.is_idr ? 0 : (frame_num + 1) % 16;
        round_trip_picture(d, &pic, frame_num);
    }
    decode_close(d);
    (void)stream_finish(s);
}

int
main(void)
{
    struct vk vk;
    vk_open(&vk);
    if (vk.decode_family == UINT32_MAX) {
        (void)fprintf(stderr, "the device does not decode: libavcodec is not there\n");
        vk_close(&vk);
        return TEST_SKIPPED;
    }
    cmd_decode_video = (PFN_vkCmdDecodeVideoKHR)vkGetDeviceProcAddr(vk.dev, "vkCmdDecodeVideoKHR");
    REQUIRE(cmd_decode_video);
    const struct stream_options plain = {.width_px = 176, .height_px = 144};
    const struct stream_options rich = {.width_px = 322, .height_px = 182, .has_transform8x8 = true};
    const struct stream_options cavlc = {.width_px = 208, .height_px = 112, .is_cavlc = true};
    RUN(the_decoder_returns_the_reconstruction, &vk, &plain);
    RUN(the_decoder_returns_the_reconstruction, &vk, &rich);
    RUN(the_decoder_returns_the_reconstruction, &vk, &cavlc);
    vk_close(&vk);
    return 0;
}

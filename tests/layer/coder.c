/* SPDX-License-Identifier: MIT */
/* Sessions, pictures and their bytes.
 */
#include "coder.h"

#include "tools/client/video_h264.h"

#include <string.h>

#define CHECK(call) REQUIRE_EQ((call), VK_SUCCESS)
#define BITSTREAM_B ((VkDeviceSize)65536)

const StdVideoH264SequenceParameterSet coder_sps = {
    .flags = {.frame_mbs_only_flag = 1, .direct_8x8_inference_flag = 1},
    .profile_idc = STD_VIDEO_H264_PROFILE_IDC_MAIN,
    .level_idc = STD_VIDEO_H264_LEVEL_IDC_3_1,
    .chroma_format_idc = STD_VIDEO_H264_CHROMA_FORMAT_IDC_420,
    .max_num_ref_frames = 1,
    .pic_width_in_mbs_minus1 = CODER_WIDTH_PX / 16 - 1,
    .pic_height_in_map_units_minus1 = CODER_HEIGHT_PX / 16 - 1,
};
const StdVideoH264PictureParameterSet coder_pps = {
    .flags = {.deblocking_filter_control_present_flag = 1, .entropy_coding_mode_flag = 1},
};

uint32_t
coder_family(VkPhysicalDevice pdev, VkVideoCodecOperationFlagsKHR operation)
{
    VkQueueFamilyVideoPropertiesKHR video[FIXTURE_MAX_FAMILIES];
    VkQueueFamilyProperties2 families[FIXTURE_MAX_FAMILIES];
    uint32_t count = FIXTURE_MAX_FAMILIES;

    for (uint32_t i = 0; i < count; i++) {
        video[i] = (VkQueueFamilyVideoPropertiesKHR){
            .sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_VIDEO_PROPERTIES_KHR};
        families[i] = (VkQueueFamilyProperties2){
            .sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2, .pNext = &video[i]};
    }
    vkGetPhysicalDeviceQueueFamilyProperties2(pdev, &count, families);
    for (uint32_t i = 0; i < count; i++) {
        if (video[i].videoCodecOperations & operation)
            return i;
    }
    return UINT32_MAX;
}

static void
create_session(struct coder *coder)
{
    const VkVideoSessionCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_CREATE_INFO_KHR,
        .queueFamilyIndex = coder->family,
        .pVideoProfile = &coder->profile,
        .pictureFormat = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
        .maxCodedExtent = {CODER_WIDTH_PX, CODER_HEIGHT_PX},
        .referencePictureFormat = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
        .maxDpbSlots = 1,
        .maxActiveReferencePictures = 1,
        .pStdHeaderVersion = video_std_version(VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR),
    };
    struct video_h264_encode_sets sets;

    CHECK(video_session_create(&coder->device, &info, &coder->session));
    video_h264_encode_sets_init(&sets, &coder_sps, &coder_pps);
    CHECK(video_parameters_create(&coder->device, coder->session.handle, 0, &sets.info,
                                  &coder->parameters));
}

static void
create_buffer(struct coder *coder, const VkBufferCreateInfo *sharing)
{
    VkBufferCreateInfo info = sharing ? *sharing : (VkBufferCreateInfo){0};
    VkMemoryRequirements needs;
    void *map;

    info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    info.pNext = &coder->profiles;
    info.size = BITSTREAM_B;
    info.usage = VK_BUFFER_USAGE_VIDEO_ENCODE_DST_BIT_KHR;
    CHECK(vkCreateBuffer(coder->f->dev, &info, NULL, &coder->bitstream));
    vkGetBufferMemoryRequirements(coder->f->dev, coder->bitstream, &needs);
    const VkMemoryAllocateInfo memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs.size,
        .memoryTypeIndex = fixture_mapped_type(coder->f, needs.memoryTypeBits),
    };
    CHECK(vkAllocateMemory(coder->f->dev, &memory, NULL, &coder->memory));
    CHECK(vkBindBufferMemory(coder->f->dev, coder->bitstream, coder->memory, 0));
    CHECK(vkMapMemory(coder->f->dev, coder->memory, 0, VK_WHOLE_SIZE, 0, &map));
    coder->bytes = map;
}

static void
create_queries(struct coder *coder)
{
    const VkQueryPoolVideoEncodeFeedbackCreateInfoKHR feedback = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_VIDEO_ENCODE_FEEDBACK_CREATE_INFO_KHR,
        .pNext = &coder->profile,
        .encodeFeedbackFlags = VK_VIDEO_ENCODE_FEEDBACK_BITSTREAM_BYTES_WRITTEN_BIT_KHR,
    };
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .pNext = &feedback,
        .queryType = VK_QUERY_TYPE_VIDEO_ENCODE_FEEDBACK_KHR,
        .queryCount = 2,
    };
    CHECK(vkCreateQueryPool(coder->f->dev, &info, NULL, &coder->queries));
}

static void
create_commands(struct coder *coder)
{
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = coder->family,
    };
    CHECK(vkCreateCommandPool(coder->f->dev, &pool, NULL, &coder->pool));
    const VkCommandBufferAllocateInfo cb = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = coder->pool,
        .commandBufferCount = 1,
    };
    CHECK(vkAllocateCommandBuffers(coder->f->dev, &cb, &coder->cb));
}

void
coder_init(struct fixture *f, struct coder *out, const VkBufferCreateInfo *sharing)
{
    *out = (struct coder){.f = f, .device = video_device_load(f->dev, vkGetDeviceProcAddr)};
    out->family = coder_family(f->pdev, VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR);
    REQUIRE(out->family != UINT32_MAX);
    out->queue = f->queues[out->family];
    out->h264 = (VkVideoEncodeH264ProfileInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_PROFILE_INFO_KHR,
        .stdProfileIdc = STD_VIDEO_H264_PROFILE_IDC_MAIN,
    };
    out->profile = video_profile(VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR, &out->h264);
    out->profiles = video_profile_list(&out->profile);
    create_session(out);
    VkImageCreateInfo dpb = coder_image_info(out, 1);
    dpb.usage = VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR;
    out->dpb = test_image_create_with(f, &dpb);
    out->dpb_view = coder_view_create(out, out->dpb.handle, 0, 1);
    create_buffer(out, sharing);
    create_queries(out);
    create_commands(out);
}

void
coder_finish(struct coder *coder)
{
    const VkDevice dev = coder->f->dev;

    vkDestroyCommandPool(dev, coder->pool, NULL);
    vkDestroyQueryPool(dev, coder->queries, NULL);
    vkDestroyBuffer(dev, coder->bitstream, NULL);
    vkFreeMemory(dev, coder->memory, NULL);
    vkDestroyImageView(dev, coder->dpb_view, NULL);
    test_image_destroy(coder->f, &coder->dpb);
    vkDestroyVideoSessionParametersKHR(dev, coder->parameters, NULL);
    video_session_destroy(&coder->device, &coder->session);
}

VkImageCreateInfo
coder_image_info(const struct coder *coder, uint32_t layer_count)
{
    VkImageCreateInfo info =
        test_image_info(VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, CODER_WIDTH_PX, CODER_HEIGHT_PX);

    info.pNext = &coder->profiles;
    info.arrayLayers = layer_count;
    info.usage |= VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR;
    return info;
}

VkImageView
coder_view_create(const struct coder *coder, VkImage image, uint32_t first, uint32_t layer_count)
{
    const VkImageViewUsageCreateInfo usage = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO,
        .usage = image == coder->dpb.handle ? VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR
                                            : VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR,
    };
    const VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .pNext = &usage,
        .image = image,
        .viewType = layer_count > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D,
        .format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, first, layer_count},
    };
    VkImageView view;
    CHECK(vkCreateImageView(coder->f->dev, &info, NULL, &view));
    return view;
}

static void
barrier(VkCommandBuffer cb, VkImage image, uint32_t layer, VkImageLayout from, VkImageLayout to,
        uint32_t from_family, uint32_t to_family)
{
    const VkImageMemoryBarrier2 info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        .srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        .dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = from_family,
        .dstQueueFamilyIndex = to_family,
        .image = image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, layer, 1},
    };
    const VkDependencyInfo dependency = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .imageMemoryBarrierCount = 1,
        .pImageMemoryBarriers = &info,
    };
    vkCmdPipelineBarrier2(cb, &dependency);
}

struct test_buffer
coder_picture_create(struct fixture *f, uint32_t seed)
{
    struct test_buffer buf = test_buffer_create(f, CODER_PICTURE_B, 0);
    uint32_t state = seed;

    for (uint32_t i = 0; i < CODER_PICTURE_B; i++) {
        if (i % 8 == 0)
            state = state * 1664525u + 1013904223u;
        buf.bytes[i] = (uint8_t)(state >> 24);
    }
    return buf;
}

void
coder_fill(struct coder *coder, VkImage image, uint32_t layer, uint32_t seed, VkImageLayout layout,
           uint32_t to_family)
{
    struct fixture *f = coder->f;
    struct test_buffer buf = coder_picture_create(f, seed);
    VkBufferImageCopy copies[2];

    for (uint32_t i = 0; i < 2; i++)
        copies[i] = (VkBufferImageCopy){
            .bufferOffset = i * CODER_WIDTH_PX * CODER_HEIGHT_PX,
            .imageSubresource = {VK_IMAGE_ASPECT_PLANE_0_BIT << i, 0, layer, 1},
            .imageExtent = {CODER_WIDTH_PX >> i, CODER_HEIGHT_PX >> i, 1},
        };
    test_begin(f);
    barrier(f->cb, image, layer, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
            VK_QUEUE_FAMILY_IGNORED, VK_QUEUE_FAMILY_IGNORED);
    vkCmdCopyBufferToImage(f->cb, buf.handle, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 2,
                           copies);
    const bool is_released = to_family != UINT32_MAX;
    barrier(f->cb, image, layer, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, layout,
            is_released ? 0 : VK_QUEUE_FAMILY_IGNORED,
            is_released ? to_family : VK_QUEUE_FAMILY_IGNORED);
    test_submit_and_wait(f);
    test_buffer_destroy(f, &buf);
}

void
coder_acquire(struct coder *coder, VkImage image, uint32_t layer, VkImageLayout from,
              uint32_t from_family)
{
    barrier(coder->cb, image, layer, from, VK_IMAGE_LAYOUT_VIDEO_ENCODE_SRC_KHR, from_family,
            from_family == VK_QUEUE_FAMILY_IGNORED ? VK_QUEUE_FAMILY_IGNORED : coder->family);
}

void
coder_begin(struct coder *coder)
{
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    CHECK(vkBeginCommandBuffer(coder->cb, &begin));
}

static const VkVideoEncodeRateControlInfoKHR rate = {
    .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_RATE_CONTROL_INFO_KHR,
    .rateControlMode = VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR,
};

static void
record_control(struct coder *coder)
{
    const VkVideoCodingControlInfoKHR control = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_CODING_CONTROL_INFO_KHR,
        .pNext = &rate,
        .flags = VK_VIDEO_CODING_CONTROL_RESET_BIT_KHR |
                 VK_VIDEO_CODING_CONTROL_ENCODE_RATE_CONTROL_BIT_KHR,
    };
    vkCmdControlVideoCodingKHR(coder->cb, &control);
}

static void
record_picture(struct coder *coder, const VkVideoPictureResourceInfoKHR *source,
               const VkVideoReferenceSlotInfoKHR *slot)
{
    const StdVideoEncodeH264SliceHeader header = {.slice_type = STD_VIDEO_H264_SLICE_TYPE_I};
    const VkVideoEncodeH264NaluSliceInfoKHR slice = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_NALU_SLICE_INFO_KHR,
        .constantQp = 26,
        .pStdSliceHeader = &header,
    };
    const StdVideoEncodeH264PictureInfo std = {
        .flags = {.IdrPicFlag = 1, .is_reference = 1},
        .primary_pic_type = STD_VIDEO_H264_PICTURE_TYPE_IDR,
    };
    const VkVideoEncodeH264PictureInfoKHR picture = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_PICTURE_INFO_KHR,
        .naluSliceEntryCount = 1,
        .pNaluSliceEntries = &slice,
        .pStdPictureInfo = &std,
    };
    const VkVideoEncodeInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_INFO_KHR,
        .pNext = &picture,
        .dstBuffer = coder->bitstream,
        .dstBufferRange = BITSTREAM_B,
        .srcPictureResource = *source,
        .pSetupReferenceSlot = slot,
    };
    vkCmdEncodeVideoKHR(coder->cb, &info);
}

void
coder_record(struct coder *coder, VkImageView view, uint32_t layer, bool has_reset)
{
    const VkVideoPictureResourceInfoKHR dpb = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_PICTURE_RESOURCE_INFO_KHR,
        .codedExtent = {CODER_WIDTH_PX, CODER_HEIGHT_PX},
        .imageViewBinding = coder->dpb_view,
    };
    VkVideoPictureResourceInfoKHR source = dpb;
    const StdVideoEncodeH264ReferenceInfo reference = {
        .primary_pic_type = STD_VIDEO_H264_PICTURE_TYPE_IDR,
    };
    const VkVideoEncodeH264DpbSlotInfoKHR h264 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_DPB_SLOT_INFO_KHR,
        .pStdReferenceInfo = &reference,
    };
    VkVideoReferenceSlotInfoKHR slot = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_REFERENCE_SLOT_INFO_KHR,
        .pNext = &h264,
        .slotIndex = -1,
        .pPictureResource = &dpb,
    };
    const VkVideoBeginCodingInfoKHR begin = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_BEGIN_CODING_INFO_KHR,
        .pNext = coder->is_controlled ? &rate : NULL,
        .videoSession = coder->session.handle,
        .videoSessionParameters = coder->parameters,
        .referenceSlotCount = 1,
        .pReferenceSlots = &slot,
    };
    const VkVideoEndCodingInfoKHR end = {.sType = VK_STRUCTURE_TYPE_VIDEO_END_CODING_INFO_KHR};

    source.imageViewBinding = view;
    source.baseArrayLayer = layer;
    if (has_reset)
        vkCmdResetQueryPool(coder->cb, coder->queries, 0, 1);
    vkCmdBeginVideoCodingKHR(coder->cb, &begin);
    record_control(coder);
    coder->is_controlled = true;
    slot.slotIndex = 0;
    vkCmdBeginQuery(coder->cb, coder->queries, 0, 0);
    record_picture(coder, &source, &slot);
    vkCmdEndQuery(coder->cb, coder->queries, 0);
    vkCmdEndVideoCodingKHR(coder->cb, &end);
}

void
coder_end(struct coder *coder)
{
    CHECK(vkEndCommandBuffer(coder->cb));
}

uint32_t
coder_result(struct coder *coder)
{
    int32_t values[2]; /* bytes, status */

    CHECK(vkGetQueryPoolResults(coder->f->dev, coder->queries, 0, 1, sizeof(values), values,
                                sizeof(values), VK_QUERY_RESULT_WITH_STATUS_BIT_KHR));
    REQUIRE_EQ(values[1], VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
    REQUIRE(values[0] > 0);
    return (uint32_t)values[0];
}

uint32_t
coder_run(struct coder *coder)
{
    struct fixture *f = coder->f;
    const VkCommandBufferSubmitInfo cb = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
        .commandBuffer = coder->cb,
    };
    const VkSubmitInfo2 submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
        .commandBufferInfoCount = 1,
        .pCommandBufferInfos = &cb,
    };
    CHECK(vkQueueSubmit2(coder->queue, 1, &submit, f->fence));
    CHECK(vkWaitForFences(f->dev, 1, &f->fence, VK_TRUE, UINT64_MAX));
    CHECK(vkResetFences(f->dev, 1, &f->fence));
    return coder_result(coder);
}

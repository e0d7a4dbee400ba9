/* SPDX-License-Identifier: MIT */
/* A shader of the application and a lent queue work on one picture: what the shader writes by views
 * of the planes is what is encoded, and what was decoded is what it reads by them.
 */
#include "coder.h"
#include "gate.h"
#include "plane_kernel.h"
#include "tools/client/video_h264.h"

#include <stdlib.h>
#include <string.h>

#define CHECK(call) REQUIRE_EQ((call), VK_SUCCESS)
#define SEED 9u
#define MAX_BYTES 65536u

/* Records a barrier into f->cb. */
static void
transition(struct fixture *f, VkImage image, VkImageLayout from, VkImageLayout to)
{
    const VkImageMemoryBarrier2 info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        .srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        .dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, VK_REMAINING_ARRAY_LAYERS},
    };
    const VkDependencyInfo dependency = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .imageMemoryBarrierCount = 1,
        .pImageMemoryBarriers = &info,
    };
    vkCmdPipelineBarrier2(f->cb, &dependency);
}

/* Writes to the second of two layers. */
static void
write_by_shader(struct fixture *f, VkImage image)
{
    struct test_buffer buf = coder_picture_create(f, SEED);
    struct plane_kernel kernel = plane_kernel_create(f, image, 1, &buf);

    test_begin(f);
    transition(f, image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    plane_kernel_record(f, &kernel, true);
    transition(f, image, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_VIDEO_ENCODE_SRC_KHR);
    test_submit_and_wait(f);
    plane_kernel_destroy(f, &kernel);
    test_buffer_destroy(f, &buf);
}

/* The stream of a picture in the second of two layers. Returns its size. */
static uint32_t
encode(struct fixture *f, bool is_by_shader, uint8_t out[MAX_BYTES])
{
    struct coder coder;

    coder_init(f, &coder, NULL);
    VkImageCreateInfo info = coder_image_info(&coder, 2);
    if (is_by_shader) {
        info.flags |= PLANE_KERNEL_FLAGS;
        info.usage |= PLANE_KERNEL_USAGE;
    }
    struct test_image img = test_image_create_with(f, &info);
    const VkImageView view = coder_view_create(&coder, img.handle, 1, 1);
    if (is_by_shader)
        write_by_shader(f, img.handle);
    else
        coder_fill(&coder, img.handle, 1, SEED, VK_IMAGE_LAYOUT_VIDEO_ENCODE_SRC_KHR, UINT32_MAX);
    coder_begin(&coder);
    coder_record(&coder, view, 0, true);
    coder_end(&coder);
    const uint32_t size_B = coder_run(&coder);
    REQUIRE(size_B <= MAX_BYTES);
    memcpy(out, coder.bytes, size_B);
    vkDestroyImageView(f->dev, view, NULL);
    test_image_destroy(f, &img);
    coder_finish(&coder);
    return size_B;
}

static void
what_a_shader_writes_into_planes_is_encoded(struct fixture *f)
{
    static uint8_t copied[MAX_BYTES], written[MAX_BYTES];
    const uint32_t size_B = encode(f, false, copied);

    REQUIRE_EQ(encode(f, true, written), size_B);
    REQUIRE(memcmp(written, copied, size_B) == 0);
}

/* Decodes one IDR picture into an image that is no reference. */
struct decoding {
    uint32_t family;
    VkVideoDecodeH264ProfileInfoKHR h264;
    VkVideoProfileInfoKHR profile;
    VkVideoProfileListInfoKHR profiles;
    struct video_device device;
    struct video_session session;
    VkVideoSessionParametersKHR parameters;
    VkBuffer bitstream;
    VkDeviceMemory memory;
    VkCommandPool pool;
    VkCommandBuffer cb;
};

static void
decoding_create_session(struct fixture *f, struct decoding *d)
{
    d->family = coder_family(f->pdev, VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR);
    d->h264 = (VkVideoDecodeH264ProfileInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_PROFILE_INFO_KHR,
        .stdProfileIdc = STD_VIDEO_H264_PROFILE_IDC_MAIN,
    };
    d->profile = video_profile(VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR, &d->h264);
    d->profiles = video_profile_list(&d->profile);
    d->device = video_device_load(f->dev, vkGetDeviceProcAddr);
    const VkVideoSessionCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_CREATE_INFO_KHR,
        .queueFamilyIndex = d->family,
        .pVideoProfile = &d->profile,
        .pictureFormat = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
        .maxCodedExtent = {CODER_WIDTH_PX, CODER_HEIGHT_PX},
        .pStdHeaderVersion = video_std_version(VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR),
    };
    struct video_h264_decode_sets sets;
    CHECK(video_session_create(&d->device, &info, &d->session));
    video_h264_decode_sets_init(&sets, &coder_sps, &coder_pps);
    CHECK(video_parameters_create(&d->device, d->session.handle, 0, &sets.info, &d->parameters));
}

static void
decoding_create_bitstream(struct fixture *f, struct decoding *d, const uint8_t *bytes,
                          uint32_t size_B)
{
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .pNext = &d->profiles,
        .size = MAX_BYTES,
        .usage = VK_BUFFER_USAGE_VIDEO_DECODE_SRC_BIT_KHR,
    };
    VkMemoryRequirements needs;
    void *map;
    CHECK(vkCreateBuffer(f->dev, &info, NULL, &d->bitstream));
    vkGetBufferMemoryRequirements(f->dev, d->bitstream, &needs);
    const VkMemoryAllocateInfo memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs.size,
        .memoryTypeIndex = fixture_mapped_type(f, needs.memoryTypeBits),
    };
    CHECK(vkAllocateMemory(f->dev, &memory, NULL, &d->memory));
    CHECK(vkBindBufferMemory(f->dev, d->bitstream, d->memory, 0));
    CHECK(vkMapMemory(f->dev, d->memory, 0, VK_WHOLE_SIZE, 0, &map));
    memset(map, 0, MAX_BYTES);
    memcpy(map, bytes, size_B);
}

static void
decoding_create_commands(struct fixture *f, struct decoding *d)
{
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .queueFamilyIndex = d->family,
    };
    CHECK(vkCreateCommandPool(f->dev, &pool, NULL, &d->pool));
    const VkCommandBufferAllocateInfo cb = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = d->pool,
        .commandBufferCount = 1,
    };
    CHECK(vkAllocateCommandBuffers(f->dev, &cb, &d->cb));
}

static void
decoding_destroy(struct fixture *f, struct decoding *d)
{
    vkDestroyCommandPool(f->dev, d->pool, NULL);
    vkDestroyBuffer(f->dev, d->bitstream, NULL);
    vkFreeMemory(f->dev, d->memory, NULL);
    vkDestroyVideoSessionParametersKHR(f->dev, d->parameters, NULL);
    video_session_destroy(&d->device, &d->session);
}

static void
decoding_record(struct decoding *d, VkImageView view)
{
    const uint32_t slice_offset_B = 0;
    const StdVideoDecodeH264PictureInfo std = {
        .flags = {.is_intra = 1, .IdrPicFlag = 1, .is_reference = 1}};
    const VkVideoDecodeH264PictureInfoKHR h264 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_PICTURE_INFO_KHR,
        .pStdPictureInfo = &std,
        .sliceCount = 1,
        .pSliceOffsets = &slice_offset_B,
    };
    const VkVideoDecodeInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_INFO_KHR,
        .pNext = &h264,
        .srcBuffer = d->bitstream,
        .srcBufferRange = MAX_BYTES,
        .dstPictureResource = {.sType = VK_STRUCTURE_TYPE_VIDEO_PICTURE_RESOURCE_INFO_KHR,
                               .codedExtent = {CODER_WIDTH_PX, CODER_HEIGHT_PX},
                               .imageViewBinding = view},
    };
    const VkVideoBeginCodingInfoKHR begin = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_BEGIN_CODING_INFO_KHR,
        .videoSession = d->session.handle,
        .videoSessionParameters = d->parameters,
    };
    const VkVideoCodingControlInfoKHR control = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_CODING_CONTROL_INFO_KHR,
        .flags = VK_VIDEO_CODING_CONTROL_RESET_BIT_KHR,
    };
    const VkVideoEndCodingInfoKHR end = {.sType = VK_STRUCTURE_TYPE_VIDEO_END_CODING_INFO_KHR};
    const VkCommandBufferBeginInfo once = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    CHECK(vkBeginCommandBuffer(d->cb, &once));
    vkCmdBeginVideoCodingKHR(d->cb, &begin);
    vkCmdControlVideoCodingKHR(d->cb, &control);
    vkCmdDecodeVideoKHR(d->cb, &info);
    vkCmdEndVideoCodingKHR(d->cb, &end);
    CHECK(vkEndCommandBuffer(d->cb));
}

/* By the shader, or by copies. out has the bytes of NV12 without padding. */
static void
read_back(struct fixture *f, VkImage image, bool is_by_shader, uint8_t out[CODER_PICTURE_B])
{
    struct test_buffer buf = test_buffer_create(f, CODER_PICTURE_B, 0x5a);
    struct plane_kernel kernel;
    VkBufferImageCopy copies[2];

    test_begin(f);
    transition(f, image, VK_IMAGE_LAYOUT_VIDEO_DECODE_DST_KHR, VK_IMAGE_LAYOUT_GENERAL);
    if (is_by_shader) {
        kernel = plane_kernel_create(f, image, 0, &buf);
        plane_kernel_record(f, &kernel, false);
    } else {
        for (uint32_t i = 0; i < 2; i++)
            copies[i] = (VkBufferImageCopy){
                .bufferOffset = i * CODER_WIDTH_PX * CODER_HEIGHT_PX,
                .imageSubresource = {VK_IMAGE_ASPECT_PLANE_0_BIT << i, 0, 0, 1},
                .imageExtent = {CODER_WIDTH_PX >> i, CODER_HEIGHT_PX >> i, 1},
            };
        vkCmdCopyImageToBuffer(f->cb, image, VK_IMAGE_LAYOUT_GENERAL, buf.handle, 2, copies);
    }
    test_submit_and_wait(f);
    memcpy(out, buf.bytes, CODER_PICTURE_B);
    if (is_by_shader)
        plane_kernel_destroy(f, &kernel);
    test_buffer_destroy(f, &buf);
}

static void
decode(struct fixture *f, const uint8_t *bytes, uint32_t size_B, bool is_by_shader,
       uint8_t out[CODER_PICTURE_B])
{
    struct decoding d = {0};

    decoding_create_session(f, &d);
    decoding_create_bitstream(f, &d, bytes, size_B);
    decoding_create_commands(f, &d);
    VkImageCreateInfo info =
        test_image_info(VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, CODER_WIDTH_PX, CODER_HEIGHT_PX);
    info.pNext = &d.profiles;
    info.usage |= VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR;
    if (is_by_shader) {
        info.flags |= PLANE_KERNEL_FLAGS;
        info.usage |= PLANE_KERNEL_USAGE;
    }
    struct test_image img = test_image_create_with(f, &info);
    const VkImageViewUsageCreateInfo usage = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO,
        .usage = VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR,
    };
    const VkImageViewCreateInfo view_info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .pNext = &usage,
        .image = img.handle,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    VkImageView view;
    CHECK(vkCreateImageView(f->dev, &view_info, NULL, &view));

    test_begin(f);
    transition(f, img.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_VIDEO_DECODE_DST_KHR);
    test_submit_and_wait(f);
    decoding_record(&d, view);
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &d.cb,
    };
    CHECK(vkQueueSubmit(f->queues[d.family], 1, &submit, f->fence));
    CHECK(vkWaitForFences(f->dev, 1, &f->fence, VK_TRUE, UINT64_MAX));
    CHECK(vkResetFences(f->dev, 1, &f->fence));
    read_back(f, img.handle, is_by_shader, out);
    vkDestroyImageView(f->dev, view, NULL);
    test_image_destroy(f, &img);
    decoding_destroy(f, &d);
}

static void
a_shader_reads_what_was_decoded_from_planes(struct fixture *f)
{
    static uint8_t stream[MAX_BYTES], copied[CODER_PICTURE_B], read[CODER_PICTURE_B];

    if (!needs(coder_family(f->pdev, VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR) != UINT32_MAX,
               "a decoder of H.264"))
        return;
    const uint32_t size_B = encode(f, false, stream);
    struct test_buffer source = coder_picture_create(f, SEED);
    uint32_t error = 0;
    decode(f, stream, size_B, false, copied);
    for (uint32_t i = 0; i < CODER_PICTURE_B; i++)
        error += (uint32_t)abs(copied[i] - source.bytes[i]);
    REQUIRE(error / CODER_PICTURE_B < 16); /* the picture of the stream */
    decode(f, stream, size_B, true, read);
    REQUIRE(memcmp(read, copied, CODER_PICTURE_B) == 0);
    test_buffer_destroy(f, &source);
}

static const struct test_case cases[] = {
    TEST_CASE(what_a_shader_writes_into_planes_is_encoded),
    TEST_CASE(a_shader_reads_what_was_decoded_from_planes),
};
TEST_MAIN(cases)

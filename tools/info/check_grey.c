/* SPDX-License-Identifier: MIT */
/* A session, an image and one command.
 */
#include "check_grey.h"

#include "check.h"

#include "tools/client/video_session.h"
#include "tools/encode/gpu.h"

#include <string.h>

#define WIDTH_PX CHECK_GREY_WIDTH_PX
#define HEIGHT_PX CHECK_GREY_HEIGHT_PX
#define PICTURE_B (WIDTH_PX * HEIGHT_PX * 3 / 2)

struct grey_check {
    const struct check_grey *what;
    struct gpu gpu;
    VkVideoProfileInfoKHR profile;
    VkVideoProfileListInfoKHR profiles;
    struct video_session session;
    VkVideoSessionParametersKHR parameters; /* NULL: the codec has none */
    struct gpu_image image;
    struct gpu_buffer bitstream;
    struct gpu_buffer readback;
    VkCommandPool pool;
    VkCommandBuffer cb;
};

static void
session_create(struct grey_check *check)
{
    check->profile = video_profile(check->what->operation, check->what->profile);
    check->profiles = video_profile_list(&check->profile);
    const VkVideoSessionCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_CREATE_INFO_KHR,
        .queueFamilyIndex = check->gpu.family,
        .pVideoProfile = &check->profile,
        .pictureFormat = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
        .maxCodedExtent = {WIDTH_PX, HEIGHT_PX},
        .referencePictureFormat = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
        .maxDpbSlots = 1,
        .maxActiveReferencePictures = 1,
        .pStdHeaderVersion = video_std_version(check->profile.videoCodecOperation),
    };
    vk_check(video_session_create(&check->gpu.video, &info, &check->session),
             "vkCreateVideoSessionKHR");
    if (check->what->parameters)
        vk_check(video_parameters_create(&check->gpu.video, check->session.handle, 0,
                                         check->what->parameters, &check->parameters),
                 "vkCreateVideoSessionParametersKHR");
}

static void
record_decode(struct grey_check *check)
{
    const struct vk *vk = &check->gpu.vk;
    const VkVideoPictureResourceInfoKHR resource = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_PICTURE_RESOURCE_INFO_KHR,
        .codedExtent = {WIDTH_PX, HEIGHT_PX},
        .imageViewBinding = check->image.view,
    };
    const VkVideoReferenceSlotInfoKHR setup = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_REFERENCE_SLOT_INFO_KHR,
        .pNext = check->what->slot,
        .pPictureResource = &resource,
    };
    VkVideoReferenceSlotInfoKHR inactive = setup;
    inactive.slotIndex = -1;
    const VkVideoDecodeInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_INFO_KHR,
        .pNext = check->what->picture,
        .srcBuffer = check->bitstream.handle,
        .srcBufferRange = check->bitstream.size_B,
        .dstPictureResource = resource,
        .pSetupReferenceSlot = &setup,
    };
    const VkVideoBeginCodingInfoKHR begin = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_BEGIN_CODING_INFO_KHR,
        .videoSession = check->session.handle,
        .videoSessionParameters = check->parameters,
        .referenceSlotCount = 1,
        .pReferenceSlots = &inactive,
    };
    const VkVideoCodingControlInfoKHR reset = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_CODING_CONTROL_INFO_KHR,
        .flags = VK_VIDEO_CODING_CONTROL_RESET_BIT_KHR,
    };
    gpu_image_barrier(&check->gpu, check->cb, check->image.handle, 0, VK_IMAGE_LAYOUT_UNDEFINED,
                      VK_IMAGE_LAYOUT_VIDEO_DECODE_DPB_KHR);
    vk->CmdBeginVideoCodingKHR(check->cb, &begin);
    vk->CmdControlVideoCodingKHR(check->cb, &reset);
    vk->CmdDecodeVideoKHR(check->cb, &info);
    vk->CmdEndVideoCodingKHR(check->cb, &(VkVideoEndCodingInfoKHR){
                                            .sType = VK_STRUCTURE_TYPE_VIDEO_END_CODING_INFO_KHR});
}

static void
record_readback(struct grey_check *check)
{
    const VkBufferImageCopy region = {
        .imageSubresource = {VK_IMAGE_ASPECT_PLANE_0_BIT, 0, 0, 1},
        .imageExtent = {WIDTH_PX, HEIGHT_PX, 1},
    };
    gpu_image_barrier(&check->gpu, check->cb, check->image.handle, 0,
                      VK_IMAGE_LAYOUT_VIDEO_DECODE_DPB_KHR, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    check->gpu.vk.CmdCopyImageToBuffer(check->cb, check->image.handle,
                                       VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, check->readback.handle,
                                       1, &region);
}

static void
picture_decode(struct grey_check *check)
{
    struct gpu *gpu = &check->gpu;
    const VkSemaphore done = gpu_timeline_create(gpu);
    check->pool = gpu_command_pool_create(gpu, gpu->family);
    check->cb = gpu_command_buffer_create(gpu, check->pool);
    gpu_command_begin(gpu, check->cb);
    record_decode(check);
    record_readback(check);
    gpu_submit(gpu, gpu->queue, check->cb, (struct gpu_point){0}, (struct gpu_point){done, 1});
    gpu_timeline_wait(gpu, done, 1);
    gpu_buffer_invalidate(gpu, &check->readback);
    gpu->vk.DestroySemaphore(gpu->device, done, NULL);
    gpu->vk.DestroyCommandPool(gpu->device, check->pool, NULL);
}

void
check_grey(const struct check_grey *what)
{
    const char *const extensions[] = {
        VK_KHR_VIDEO_QUEUE_EXTENSION_NAME,
        VK_KHR_VIDEO_DECODE_QUEUE_EXTENSION_NAME,
        what->extension,
    };
    const struct gpu_work work = {
        .verb = what->verb,
        .queue_flags = VK_QUEUE_VIDEO_DECODE_BIT_KHR,
        .codec_operations = what->operation,
        .extension_count = sizeof(extensions) / sizeof(extensions[0]),
        .extensions = extensions,
        .feature = what->feature,
    };
    struct grey_check check = {.what = what};
    struct gpu *gpu = &check.gpu;

    gpu_open(gpu, CHECK_DEVICE, &work);
    session_create(&check);
    gpu_image_create(gpu, VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, (VkExtent2D){WIDTH_PX, HEIGHT_PX}, 1,
                     VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR |
                         VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                     &check.profiles, &check.image);
    gpu_buffer_create(gpu, what->data_B, VK_BUFFER_USAGE_VIDEO_DECODE_SRC_BIT_KHR, &check.profiles,
                      &check.bitstream);
    gpu_buffer_create(gpu, PICTURE_B, VK_BUFFER_USAGE_TRANSFER_DST_BIT, NULL, &check.readback);
    memcpy(check.bitstream.data, what->data, what->data_B);
    gpu_buffer_flush(gpu, &check.bitstream);

    picture_decode(&check);
    for (uint32_t i = 0; i < WIDTH_PX * HEIGHT_PX; i++)
        if (check.readback.data[i] != CHECK_GREY)
            die("pixel %u is %u, not %u", i, check.readback.data[i], CHECK_GREY);

    gpu_buffer_destroy(gpu, &check.readback);
    gpu_buffer_destroy(gpu, &check.bitstream);
    gpu_image_destroy(gpu, &check.image);
    if (check.parameters)
        gpu->video.DestroyVideoSessionParametersKHR(gpu->device, check.parameters, NULL);
    video_session_destroy(&gpu->video, &check.session);
    gpu_close(gpu);
}

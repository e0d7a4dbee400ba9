/* SPDX-License-Identifier: MIT */
/* A key frame of 32x16 grey pixels, in two bytes: whether there is a decoder of AV1 that works.
 */
#include "check.h"

#include "tools/client/video_session.h"
#include "tools/encode/gpu.h"

#include <string.h>

#define WIDTH_PX 32u
#define HEIGHT_PX 16u
#define GREY 126 /* luma */
#define PICTURE_B (WIDTH_PX * HEIGHT_PX * 3 / 2)

static const uint8_t tile[] = {0x01, 0x40};

/* What libaom said of the picture. */
static const StdVideoAV1ColorConfig color = {
    .BitDepth = 8,
    .subsampling_x = 1,
    .subsampling_y = 1,
    .color_primaries = STD_VIDEO_AV1_COLOR_PRIMARIES_UNSPECIFIED,
    .transfer_characteristics = STD_VIDEO_AV1_TRANSFER_CHARACTERISTICS_UNSPECIFIED,
    .matrix_coefficients = STD_VIDEO_AV1_MATRIX_COEFFICIENTS_UNSPECIFIED,
};
static const StdVideoAV1SequenceHeader sequence = {
    .flags = {.enable_filter_intra = 1,
              .enable_intra_edge_filter = 1,
              .enable_cdef = 1,
              .enable_restoration = 1},
    .seq_profile = STD_VIDEO_AV1_PROFILE_MAIN,
    .max_frame_width_minus_1 = WIDTH_PX - 1,
    .max_frame_height_minus_1 = HEIGHT_PX - 1,
    .seq_force_integer_mv = 2,           /* each frame says */
    .seq_force_screen_content_tools = 2, /* likewise */
    .pColorConfig = &color,
};
static const StdVideoAV1TileInfo tiles = {
    .flags = {.uniform_tile_spacing_flag = 1}, .TileCols = 1, .TileRows = 1};
static const StdVideoAV1Quantization quantization = {.base_q_idx = 200};
static const StdVideoAV1LoopFilter loop_filter = {
    .flags = {.loop_filter_delta_enabled = 1},
    .loop_filter_ref_deltas = {1, 0, 0, 0, -1, 0, -1, -1}};
static const StdVideoAV1CDEF cdef = {.cdef_damping_minus_3 = 0};
static const StdVideoDecodeAV1PictureInfo picture = {
    .flags = {.error_resilient_mode = 1},
    .frame_type = STD_VIDEO_AV1_FRAME_TYPE_KEY,
    .primary_ref_frame = STD_VIDEO_AV1_PRIMARY_REF_NONE,
    .refresh_frame_flags = 0xff,
    .TxMode = STD_VIDEO_AV1_TX_MODE_LARGEST,
    .pTileInfo = &tiles,
    .pQuantization = &quantization,
    .pLoopFilter = &loop_filter,
    .pCDEF = &cdef,
};

struct av1_check {
    struct gpu gpu;
    VkVideoDecodeAV1ProfileInfoKHR av1_profile;
    VkVideoProfileInfoKHR profile;
    VkVideoProfileListInfoKHR profiles;
    struct video_session session;
    VkVideoSessionParametersKHR parameters;
    struct gpu_image image;
    struct gpu_buffer bitstream;
    struct gpu_buffer readback;
    VkCommandPool pool;
    VkCommandBuffer cb;
};

static void
session_create(struct av1_check *check)
{
    check->av1_profile = (VkVideoDecodeAV1ProfileInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_AV1_PROFILE_INFO_KHR,
        .stdProfile = STD_VIDEO_AV1_PROFILE_MAIN,
    };
    check->profile =
        video_profile(VK_VIDEO_CODEC_OPERATION_DECODE_AV1_BIT_KHR, &check->av1_profile);
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
    const VkVideoDecodeAV1SessionParametersCreateInfoKHR av1 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_AV1_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .pStdSequenceHeader = &sequence,
    };
    vk_check(video_parameters_create(&check->gpu.video, check->session.handle, 0, &av1,
                                     &check->parameters),
             "vkCreateVideoSessionParametersKHR");
}

static void
record_decode(struct av1_check *check)
{
    static const uint32_t offset_B = 0;
    static const uint32_t size_B = sizeof(tile);
    const struct vk *vk = &check->gpu.vk;
    const VkVideoPictureResourceInfoKHR resource = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_PICTURE_RESOURCE_INFO_KHR,
        .codedExtent = {WIDTH_PX, HEIGHT_PX},
        .imageViewBinding = check->image.view,
    };
    const StdVideoDecodeAV1ReferenceInfo reference = {.frame_type = STD_VIDEO_AV1_FRAME_TYPE_KEY};
    const VkVideoDecodeAV1DpbSlotInfoKHR av1_slot = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_AV1_DPB_SLOT_INFO_KHR,
        .pStdReferenceInfo = &reference,
    };
    const VkVideoReferenceSlotInfoKHR setup = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_REFERENCE_SLOT_INFO_KHR,
        .pNext = &av1_slot,
        .pPictureResource = &resource,
    };
    VkVideoReferenceSlotInfoKHR inactive = setup;
    inactive.slotIndex = -1;
    const VkVideoDecodeAV1PictureInfoKHR av1 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_AV1_PICTURE_INFO_KHR,
        .pStdPictureInfo = &picture,
        .referenceNameSlotIndices = {-1, -1, -1, -1, -1, -1, -1},
        .tileCount = 1,
        .pTileOffsets = &offset_B,
        .pTileSizes = &size_B,
    };
    const VkVideoDecodeInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_INFO_KHR,
        .pNext = &av1,
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
record_readback(struct av1_check *check)
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
picture_decode(struct av1_check *check)
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
check_decode_av1(void)
{
    static const char *const extensions[] = {
        VK_KHR_VIDEO_QUEUE_EXTENSION_NAME,
        VK_KHR_VIDEO_DECODE_QUEUE_EXTENSION_NAME,
        VK_KHR_VIDEO_DECODE_AV1_EXTENSION_NAME,
    };
    static const struct gpu_work work = {
        .verb = "decodes AV1",
        .queue_flags = VK_QUEUE_VIDEO_DECODE_BIT_KHR,
        .codec_operations = VK_VIDEO_CODEC_OPERATION_DECODE_AV1_BIT_KHR,
        .extension_count = sizeof(extensions) / sizeof(extensions[0]),
        .extensions = extensions,
    };
    struct av1_check check = {.cb = VK_NULL_HANDLE};
    struct gpu *gpu = &check.gpu;

    gpu_open(gpu, CHECK_DEVICE, &work);
    session_create(&check);
    gpu_image_create(gpu, VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, (VkExtent2D){WIDTH_PX, HEIGHT_PX}, 1,
                     VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR |
                         VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                     &check.profiles, &check.image);
    gpu_buffer_create(gpu, sizeof(tile), VK_BUFFER_USAGE_VIDEO_DECODE_SRC_BIT_KHR, &check.profiles,
                      &check.bitstream);
    gpu_buffer_create(gpu, PICTURE_B, VK_BUFFER_USAGE_TRANSFER_DST_BIT, NULL, &check.readback);
    memcpy(check.bitstream.data, tile, sizeof(tile));
    gpu_buffer_flush(gpu, &check.bitstream);

    picture_decode(&check);
    for (uint32_t i = 0; i < WIDTH_PX * HEIGHT_PX; i++)
        if (check.readback.data[i] != GREY)
            die("pixel %u is %u, not %u", i, check.readback.data[i], GREY);

    gpu_buffer_destroy(gpu, &check.readback);
    gpu_buffer_destroy(gpu, &check.bitstream);
    gpu_image_destroy(gpu, &check.image);
    gpu->video.DestroyVideoSessionParametersKHR(gpu->device, check.parameters, NULL);
    video_session_destroy(&gpu->video, &check.session);
    gpu_close(gpu);
}

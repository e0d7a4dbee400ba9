/* SPDX-License-Identifier: MIT */
/* Reference pictures in images that the application owns, as Vulkan Video has it. */
#include "tools/encode/dpb.h"

#include "tools/encode/source.h"

void
dpb_create(struct encoder *enc)
{
    const VkExtent2D extent =
        extent_round_up(encoder_extent(enc), enc->caps.video.pictureAccessGranularity);
    const VkImageUsageFlags readable =
        enc->settings.reconstructed ? VK_IMAGE_USAGE_TRANSFER_SRC_BIT : 0;
    uint32_t image_count;

    enc->has_layered_dpb =
        !(enc->caps.video.flags & VK_VIDEO_CAPABILITY_SEPARATE_REFERENCE_IMAGES_BIT_KHR);
    image_count = enc->has_layered_dpb ? 1 : enc->slot_count;
    for (uint32_t i = 0; i < image_count; i++)
        gpu_image_create(enc->gpu, enc->dpb_format, extent, enc->slot_count / image_count,
                         VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR | readable, &enc->profile.list,
                         &enc->dpb[i]);
    if (enc->settings.reconstructed) {
        gpu_buffer_create(enc->gpu, staging_size(enc), VK_BUFFER_USAGE_TRANSFER_DST_BIT, NULL,
                          &enc->readback);
        enc->readback_cb = gpu_command_buffer_create(enc->gpu, enc->copy_pool);
    }
}

void
dpb_destroy(struct encoder *enc)
{
    const uint32_t image_count = enc->has_layered_dpb ? 1 : enc->slot_count;

    for (uint32_t i = 0; i < image_count; i++)
        gpu_image_destroy(enc->gpu, &enc->dpb[i]);
    if (enc->settings.reconstructed)
        gpu_buffer_destroy(enc->gpu, &enc->readback);
}

static VkImage
slot_image(const struct encoder *enc, uint32_t slot)
{
    return enc->dpb[enc->has_layered_dpb ? 0 : slot].handle;
}

static uint32_t
slot_layer(const struct encoder *enc, uint32_t slot)
{
    return enc->has_layered_dpb ? slot : 0;
}

VkVideoPictureResourceInfoKHR
dpb_resource(const struct encoder *enc, uint32_t slot)
{
    return (VkVideoPictureResourceInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_PICTURE_RESOURCE_INFO_KHR,
        .codedExtent = encoder_extent(enc),
        .baseArrayLayer = slot_layer(enc, slot),
        .imageViewBinding = enc->dpb[enc->has_layered_dpb ? 0 : slot].view,
    };
}

void
dpb_record_first_barriers(struct encoder *enc, VkCommandBuffer cb)
{
    for (uint32_t slot = 0; slot < enc->slot_count; slot++)
        gpu_image_barrier(enc->gpu, cb, slot_image(enc, slot), slot_layer(enc, slot),
                          VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_VIDEO_ENCODE_DPB_KHR);
}

struct planes
dpb_read_back(struct encoder *enc, uint32_t slot)
{
    struct gpu *gpu = enc->gpu;
    const VkImage image = slot_image(enc, slot);
    const uint32_t layer = slot_layer(enc, slot);
    VkBufferImageCopy regions[3];
    const uint32_t region_count = staging_regions(enc, enc->dpb_format, layer, regions);

    gpu_command_begin(gpu, enc->readback_cb);
    gpu_image_barrier(gpu, enc->readback_cb, image, layer, VK_IMAGE_LAYOUT_VIDEO_ENCODE_DPB_KHR,
                      VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    gpu->vk.CmdCopyImageToBuffer(enc->readback_cb, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                                 enc->readback.handle, region_count, regions);
    gpu_image_barrier(gpu, enc->readback_cb, image, layer, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                      VK_IMAGE_LAYOUT_VIDEO_ENCODE_DPB_KHR);
    gpu_submit(gpu, gpu->copy_queue, enc->readback_cb,
               (struct gpu_point){enc->encoded, enc->encoded_value},
               (struct gpu_point){enc->copied, ++enc->copied_value});
    gpu_timeline_wait(gpu, enc->copied, enc->copied_value);
    gpu_buffer_invalidate(gpu, &enc->readback);
    return staging_planes(enc, enc->dpb_format, &enc->readback);
}

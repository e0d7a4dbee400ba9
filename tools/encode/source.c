/* SPDX-License-Identifier: MIT */
/* Frames on their way into source images. */
#include "tools/encode/source.h"

#include <stdlib.h>

/* Offsets of planes: good for every device and for the CPU. */
#define PLANE_ALIGN_B 256

static bool
has_two_planes(VkFormat format)
{
    return format != VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM;
}

static uint32_t
sample_size(const struct encoder *enc)
{
    return enc->settings.bit_depth > 8 ? 2 : 1;
}

static VkDeviceSize
plane_size(uint32_t row_B, uint32_t row_count)
{
    const VkDeviceSize size_B = (VkDeviceSize)row_B * row_count;

    return (size_B + PLANE_ALIGN_B - 1) / PLANE_ALIGN_B * PLANE_ALIGN_B;
}

static VkDeviceSize
luma_size(const struct encoder *enc)
{
    return plane_size(enc->settings.width_px * sample_size(enc), enc->settings.height_px);
}

/* One of two chroma planes, or the half of both in one. */
static VkDeviceSize
chroma_size(const struct encoder *enc)
{
    return plane_size(enc->settings.width_px / 2 * sample_size(enc), enc->settings.height_px / 2);
}

VkDeviceSize
staging_size(const struct encoder *enc)
{
    return luma_size(enc) + 2 * chroma_size(enc);
}

struct planes
staging_planes(const struct encoder *enc, VkFormat format, const struct gpu_buffer *buffer)
{
    const uint32_t sample_B = sample_size(enc);
    const uint32_t row_B = enc->settings.width_px * sample_B;
    const bool is_interleaved = has_two_planes(format);
    uint8_t *u = buffer->data + luma_size(enc);

    return (struct planes){
        .y = buffer->data,
        .u = u,
        .v = u + (is_interleaved ? sample_B : chroma_size(enc)),
        .y_stride_B = row_B,
        .chroma_stride_B = is_interleaved ? row_B : row_B / 2,
        .chroma_step_B = is_interleaved ? 2 * sample_B : sample_B,
        .sample_B = sample_B,
    };
}

static VkBufferImageCopy
plane_region(const struct encoder *enc, uint32_t plane, uint32_t layer, VkDeviceSize offset_B)
{
    static const VkImageAspectFlags aspects[] = {
        VK_IMAGE_ASPECT_PLANE_0_BIT,
        VK_IMAGE_ASPECT_PLANE_1_BIT,
        VK_IMAGE_ASPECT_PLANE_2_BIT,
    };
    const uint32_t divisor = plane == 0 ? 1 : 2;

    return (VkBufferImageCopy){
        .bufferOffset = offset_B,
        .imageSubresource = {aspects[plane], 0, layer, 1},
        .imageExtent = {enc->settings.width_px / divisor, enc->settings.height_px / divisor, 1},
    };
}

uint32_t
staging_regions(const struct encoder *enc, VkFormat format, uint32_t layer,
                VkBufferImageCopy regions[3])
{
    const VkDeviceSize chroma_B = luma_size(enc);

    regions[0] = plane_region(enc, 0, layer, 0);
    regions[1] = plane_region(enc, 1, layer, chroma_B);
    if (has_two_planes(format))
        return 2;
    regions[2] = plane_region(enc, 2, layer, chroma_B + chroma_size(enc));
    return 3;
}

void
sources_create(struct encoder *enc)
{
    const VkExtent2D granules = enc->caps.encode.encodeInputPictureGranularity;
    const VkExtent2D extent = extent_round_up(encoder_extent(enc), granules);
    const uint32_t count = enc->settings.source_count;

    enc->sources = calloc(count, sizeof(*enc->sources));
    if (!enc->sources)
        die("out of memory");
    for (uint32_t i = 0; i < count; i++) {
        struct source *source = &enc->sources[i];

        gpu_image_create(enc->gpu, enc->settings.format, extent, 1,
                         VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                         &enc->profile.list, &source->image);
        gpu_buffer_create(enc->gpu, staging_size(enc), VK_BUFFER_USAGE_TRANSFER_SRC_BIT, NULL,
                          &source->staging);
        source->cb = gpu_command_buffer_create(enc->gpu, enc->copy_pool);
    }
}

void
sources_destroy(struct encoder *enc)
{
    for (uint32_t i = 0; i < enc->settings.source_count; i++) {
        gpu_image_destroy(enc->gpu, &enc->sources[i].image);
        gpu_buffer_destroy(enc->gpu, &enc->sources[i].staging);
    }
    free(enc->sources);
}

struct planes
encoder_source_map(struct encoder *enc, uint32_t source)
{
    if (enc->sources[source].copied > 0)
        gpu_timeline_wait(enc->gpu, enc->copied, enc->sources[source].copied);
    return staging_planes(enc, enc->settings.format, &enc->sources[source].staging);
}

void
encoder_source_upload(struct encoder *enc, uint32_t source)
{
    struct gpu *gpu = enc->gpu;
    struct source *src = &enc->sources[source];
    VkBufferImageCopy regions[3];
    const uint32_t region_count = staging_regions(enc, enc->settings.format, 0, regions);

    gpu_buffer_flush(gpu, &src->staging);
    gpu_command_begin(gpu, src->cb);
    gpu_image_barrier(gpu, src->cb, src->image.handle, 0, VK_IMAGE_LAYOUT_UNDEFINED,
                      VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    gpu->vk.CmdCopyBufferToImage(src->cb, src->staging.handle, src->image.handle,
                                 VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, region_count, regions);
    gpu_image_barrier(gpu, src->cb, src->image.handle, 0, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                      VK_IMAGE_LAYOUT_VIDEO_ENCODE_SRC_KHR);
    src->copied = ++enc->copied_value;
    gpu_submit(gpu, gpu->copy_queue, src->cb, (struct gpu_point){enc->encoded, src->encoded},
               (struct gpu_point){enc->copied, src->copied});
}

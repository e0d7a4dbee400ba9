/* SPDX-License-Identifier: MIT */
/* Making stagings: the row pitch is our driver's, and the copies have it.
 */
#include "icd/layer/staging.h"

#include "icd/layer/device.h"
#include "icd/layer/image.h"
#include "icd/layer/memory.h"
#include "icd/layer/usage.h"
#include "platform/pages.h"
#include "util/alloc.h"

#include <stddef.h>

static void
staging_destroy(struct rp_layer_device *dev, struct rp_layer_staging *staging)
{
    if (!staging)
        return;
    dev->driver.DestroyImageView(dev->driver_handle, staging->view, NULL);
    dev->driver.DestroyImage(dev->driver_handle, staging->img, NULL);
    dev->driver.FreeMemory(dev->driver_handle, staging->driver_memory, NULL);
    dev->lower.DestroyBuffer(dev->handle, staging->buffer, NULL);
    dev->lower.FreeMemory(dev->handle, staging->memory, NULL);
    rp_free(NULL, staging);
}

static VkResult
create_driver_image(struct rp_layer_image *img, struct rp_layer_staging *staging)
{
    struct rp_layer_device *dev = img->dev;
    /* Our driver writes references only into images that somebody can read. */
    const VkImageUsageFlags readable =
        img->lower_usage & RP_LAYER_READING_USAGES ? VK_IMAGE_USAGE_TRANSFER_SRC_BIT : 0;
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .flags = VK_IMAGE_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = img->format,
        .extent = {img->extent.width, img->extent.height, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = VK_IMAGE_TILING_LINEAR,
        .usage = img->usage | readable,
    };
    return dev->driver.CreateImage(dev->driver_handle, &info, NULL, &staging->img);
}

/* The lower buffer with its memory; *host_out: where the host sees it. */
static VkResult
create_buffer(struct rp_layer_image *img, struct rp_layer_staging *staging,
              VkDeviceSize *size_B_out, uint8_t **host_out)
{
    struct rp_layer_device *dev = img->dev;
    const VkImageMemoryRequirementsInfo2 image_info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2,
        .image = staging->img,
    };
    VkMemoryRequirements2 image = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    VkMemoryRequirements needed;

    dev->driver.GetImageMemoryRequirements2(dev->driver_handle, &image_info, &image);
    const VkBufferCreateInfo buffer_info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = (image.memoryRequirements.size + rp_page_B() - 1) & ~(rp_page_B() - 1),
        .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
    };
    VkResult result = dev->lower.CreateBuffer(dev->handle, &buffer_info, NULL, &staging->buffer);
    if (result != VK_SUCCESS)
        return result;
    dev->lower.GetBufferMemoryRequirements(dev->handle, staging->buffer, &needed);
    const uint32_t types = rp_layer_memory_host_types(dev, needed.memoryTypeBits);
    if (!types)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    const VkMemoryAllocateInfo memory_info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needed.size,
        .memoryTypeIndex = (uint32_t)__builtin_ctz(types),
    };
    result = dev->lower.AllocateMemory(dev->handle, &memory_info, NULL, &staging->memory);
    if (result == VK_SUCCESS)
        result = dev->lower.BindBufferMemory(dev->handle, staging->buffer, staging->memory, 0);
    void *host = NULL;
    if (result == VK_SUCCESS)
        result = dev->lower.MapMemory(dev->handle, staging->memory, 0, VK_WHOLE_SIZE, 0, &host);
    *size_B_out = needed.size;
    *host_out = host;
    return result;
}

static VkResult
bind_driver_image(struct rp_layer_image *img, struct rp_layer_staging *staging, uint8_t *host,
                  VkDeviceSize size_B)
{
    struct rp_layer_device *dev = img->dev;
    VkDeviceSize start_B;

    VkResult result = rp_layer_memory_import(dev, host, size_B, &staging->driver_memory, &start_B);
    if (result != VK_SUCCESS)
        return result;
    const VkBindImageMemoryInfo bind = {
        .sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO,
        .image = staging->img,
        .memory = staging->driver_memory,
        .memoryOffset = start_B,
    };
    result = dev->driver.BindImageMemory2(dev->driver_handle, 1, &bind);
    if (result != VK_SUCCESS)
        return result;
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = staging->img,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = img->format,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    return dev->driver.CreateImageView(dev->driver_handle, &view, NULL, &staging->view);
}

static void
fill_copies(const struct rp_layer_image *img, uint32_t layer, struct rp_layer_staging *staging)
{
    const struct rp_layer_device *dev = img->dev;
    const struct rp_layer_format *format = rp_layer_format_find(img->format);

    staging->copy_count = format->plane_count;
    for (uint32_t i = 0; i < format->plane_count; i++) {
        const VkImageSubresource subresource = {.aspectMask = format->planes[i].aspect};
        const uint32_t shift = format->planes[i].shift;
        const uint32_t round = (1u << shift) - 1;
        VkSubresourceLayout layout;

        dev->driver.GetImageSubresourceLayout(dev->driver_handle, staging->img, &subresource,
                                              &layout);
        staging->copies[i] = (VkBufferImageCopy){
            .bufferOffset = layout.offset,
            .bufferRowLength = (uint32_t)layout.rowPitch / format->planes[i].texel_B,
            .imageSubresource = {format->planes[i].aspect, 0, layer, 1},
            .imageExtent = {(img->extent.width + round) >> shift,
                            (img->extent.height + round) >> shift, 1},
        };
    }
}

static VkResult
staging_create(struct rp_layer_image *img, uint32_t layer, struct rp_layer_staging **out)
{
    VkDeviceSize size_B;
    uint8_t *host;

    struct rp_layer_staging *staging =
        rp_zalloc(NULL, sizeof(*staging), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!staging)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkResult result = create_driver_image(img, staging);
    if (result == VK_SUCCESS)
        result = create_buffer(img, staging, &size_B, &host);
    if (result == VK_SUCCESS)
        result = bind_driver_image(img, staging, host, size_B);
    if (result != VK_SUCCESS) {
        staging_destroy(img->dev, staging);
        return result;
    }
    fill_copies(img, layer, staging);
    *out = staging;
    return VK_SUCCESS;
}

VkResult
rp_layer_staging_get(struct rp_layer_image *img, uint32_t layer, struct rp_layer_staging **out)
{
    VkResult result = VK_SUCCESS;

    if (layer >= img->layer_count)
        return VK_ERROR_UNKNOWN;
    pthread_mutex_lock(&img->dev->image_mutex);
    if (!img->stagings[layer])
        result = staging_create(img, layer, &img->stagings[layer]);
    *out = img->stagings[layer];
    pthread_mutex_unlock(&img->dev->image_mutex);
    return result;
}

void
rp_layer_stagings_destroy(struct rp_layer_image *img)
{
    for (uint32_t i = 0; i < img->layer_count && img->stagings; i++) {
        staging_destroy(img->dev, img->stagings[i]);
        img->stagings[i] = NULL;
    }
}

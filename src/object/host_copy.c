/* SPDX-License-Identifier: MIT */
/* Host image copies: the transfer engine on the application's own thread. Images have no layouts,
 * so transitions do nothing.
 */
#include "object/device.h"
#include "object/image.h"
#include "object/image_region.h"

#include "rp_entrypoints.h"

/* With MEMCPY the memory looks like the subresource itself, layer after layer. */
static struct rp_transfer_box
linear_box(const struct rp_image_region *region, uint8_t *data, VkHostImageCopyFlags flags,
           uint32_t row_length_px, uint32_t image_height_px, VkExtent3D extent)
{
    if (!(flags & VK_HOST_IMAGE_COPY_MEMCPY_BIT))
        return rp_image_region_linear(region, data, row_length_px, image_height_px, extent);
    return (struct rp_transfer_box){
        .data = data,
        .row_stride_B = region->box.row_stride_B,
        .slice_stride_B = region->box.row_stride_B * region->size.row_count,
    };
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_CopyMemoryToImage(VkDevice device, const VkCopyMemoryToImageInfo *info)
{
    struct rp_device *dev = rp_device_from_handle(device);
    struct rp_image *img = rp_image_from_handle(info->dstImage);

    rp_image_mark_written(img);
    for (uint32_t i = 0; i < info->regionCount; i++) {
        const VkMemoryToImageCopy *r = &info->pRegions[i];
        struct rp_image_region region;
        rp_image_region_init(&region, img, r->imageSubresource.aspectMask, &r->imageSubresource,
                             r->imageOffset, r->imageExtent);
        /* The cast takes const away from what is only read. */
        const struct rp_transfer_box src =
            linear_box(&region, (uint8_t *)r->pHostPointer, info->flags, r->memoryRowLength,
                       r->memoryImageHeight, r->imageExtent);
        rp_transfer_copy_box(dev->workers, &region.box, &src, &region.size);
        rp_image_region_clear_x8(&region);
    }
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_CopyImageToMemory(VkDevice device, const VkCopyImageToMemoryInfo *info)
{
    struct rp_device *dev = rp_device_from_handle(device);
    struct rp_image *img = rp_image_from_handle(info->srcImage);

    for (uint32_t i = 0; i < info->regionCount; i++) {
        const VkImageToMemoryCopy *r = &info->pRegions[i];
        struct rp_image_region region;
        rp_image_region_init(&region, img, r->imageSubresource.aspectMask, &r->imageSubresource,
                             r->imageOffset, r->imageExtent);
        const struct rp_transfer_box dst =
            linear_box(&region, r->pHostPointer, info->flags, r->memoryRowLength,
                       r->memoryImageHeight, r->imageExtent);
        rp_transfer_copy_box(dev->workers, &dst, &region.box, &region.size);
    }
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_CopyImageToImage(VkDevice device, const VkCopyImageToImageInfo *info)
{
    struct rp_device *dev = rp_device_from_handle(device);
    struct rp_image *dst = rp_image_from_handle(info->dstImage);

    rp_image_mark_written(dst);
    for (uint32_t i = 0; i < info->regionCount; i++) {
        rp_image_copy_region(dev->workers, dst, rp_image_from_handle(info->srcImage),
                             &info->pRegions[i]);
    }
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_TransitionImageLayout(VkDevice device, uint32_t count,
                         const VkHostImageLayoutTransitionInfo *infos)
{
    return VK_SUCCESS;
}

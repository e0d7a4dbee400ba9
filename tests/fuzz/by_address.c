/* SPDX-License-Identifier: MIT */
/* Copies by address, for the targets that have them beside those of buffers.
 */
#include "by_address.h"

void
copy_memory(VkCommandBuffer cb, VkDeviceAddressRangeKHR src, VkDeviceAddressRangeKHR dst)
{
    const VkDeviceMemoryCopyKHR region = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_COPY_KHR, .srcRange = src, .dstRange = dst};
    const VkCopyDeviceMemoryInfoKHR info = {.sType = VK_STRUCTURE_TYPE_COPY_DEVICE_MEMORY_INFO_KHR,
                                            .regionCount = 1,
                                            .pRegions = &region};
    vkCmdCopyMemoryKHR(cb, &info);
}

static void
copy_image(VkCommandBuffer cb, VkDeviceAddressRangeKHR range, VkImage img,
           const VkBufferImageCopy *copy, PFN_vkCmdCopyMemoryToImageKHR record)
{
    const VkDeviceMemoryImageCopyKHR region = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_IMAGE_COPY_KHR,
        .addressRange = range,
        .addressRowLength = copy->bufferRowLength,
        .addressImageHeight = copy->bufferImageHeight,
        .imageSubresource = copy->imageSubresource,
        .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .imageOffset = copy->imageOffset,
        .imageExtent = copy->imageExtent,
    };
    const VkCopyDeviceMemoryImageInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_COPY_DEVICE_MEMORY_IMAGE_INFO_KHR,
        .image = img,
        .regionCount = 1,
        .pRegions = &region,
    };
    record(cb, &info);
}

void
copy_memory_to_image(VkCommandBuffer cb, VkDeviceAddressRangeKHR src, VkImage dst,
                     const VkBufferImageCopy *copy)
{
    copy_image(cb, src, dst, copy, vkCmdCopyMemoryToImageKHR);
}

void
copy_image_to_memory(VkCommandBuffer cb, VkImage src, VkDeviceAddressRangeKHR dst,
                     const VkBufferImageCopy *copy)
{
    copy_image(cb, dst, src, copy, vkCmdCopyImageToMemoryKHR);
}

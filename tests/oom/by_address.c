/* SPDX-License-Identifier: MIT */
#include "by_address.h"

void
by_address_record(struct scenario *s, VkCommandBuffer cb)
{
    static const uint8_t data[65536];
    const VkDeviceAddressRangeKHR half = {s->address, SCENARIO_BUFFER_B / 2};
    const VkDeviceAddressRangeKHR counts = {s->address + SCENARIO_COUNTS_AT_B, 12};
    const VkStridedDeviceAddressRangeKHR results = {s->address, 800, 8};
    VkDeviceMemoryCopyKHR copies[100];
    for (uint32_t i = 0; i < 100; i++)
        copies[i] = (VkDeviceMemoryCopyKHR){
            .sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_COPY_KHR,
            .srcRange = {s->address + i * 64, 64},
            .dstRange = {s->address + SCENARIO_BUFFER_B / 2 + i * 64, 64},
        };
    const VkCopyDeviceMemoryInfoKHR copy = {.sType = VK_STRUCTURE_TYPE_COPY_DEVICE_MEMORY_INFO_KHR,
                                            .regionCount = 100,
                                            .pRegions = copies};
    const VkDeviceMemoryImageCopyKHR region = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_IMAGE_COPY_KHR,
        .addressRange = half,
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 2},
        .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .imageExtent = {64, 64, 1},
    };
    const VkCopyDeviceMemoryImageInfoKHR image = {
        .sType = VK_STRUCTURE_TYPE_COPY_DEVICE_MEMORY_IMAGE_INFO_KHR,
        .image = s->image,
        .regionCount = 1,
        .pRegions = &region,
    };
    const VkConditionalRenderingBeginInfo2EXT condition = {
        .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_2_EXT, .addressRange = counts};
    const VkDispatchIndirect2InfoKHR dispatch = {
        .sType = VK_STRUCTURE_TYPE_DISPATCH_INDIRECT_2_INFO_KHR, .addressRange = counts};

    vkCmdFillMemoryKHR(cb, &half, 0, 0x01020304);
    vkCmdUpdateMemoryKHR(cb, &half, 0, sizeof(data), data);
    vkCmdCopyMemoryKHR(cb, &copy);
    vkCmdCopyMemoryToImageKHR(cb, &image);
    vkCmdCopyImageToMemoryKHR(cb, &image);
    vkCmdCopyQueryPoolResultsToMemoryKHR(cb, s->queries, 0, 100, &results, 0,
                                         VK_QUERY_RESULT_64_BIT);
    vkCmdBeginConditionalRendering2EXT(cb, &condition);
    vkCmdDispatchIndirect2KHR(cb, &dispatch);
    vkCmdEndConditionalRenderingEXT(cb);
}

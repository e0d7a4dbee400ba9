/* SPDX-License-Identifier: MIT */
/* Recording it.
 */
#include "lent_work.h"

uint32_t
lent_family(const struct fixture *f)
{
    uint32_t family = 0;

    while (family < f->family_count &&
           !(f->family[family].queueFlags & VK_QUEUE_VIDEO_ENCODE_BIT_KHR))
        family++;
    REQUIRE(family < f->family_count);
    return family;
}

struct lent_work
lent_work_create(struct fixture *f)
{
    const uint32_t family = lent_family(f);
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .queueFamilyIndex = family,
    };
    struct lent_work work = {.queue = f->queues[family]};
    VkImageCreateInfo info = test_image_info(VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, 64, 64);

    info.flags = VK_IMAGE_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR;
    info.usage |= VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR;
    work.img = test_image_create_with(f, &info);
    REQUIRE_EQ(vkCreateCommandPool(f->dev, &pool, NULL, &work.pool), VK_SUCCESS);
    const VkCommandBufferAllocateInfo alloc = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = work.pool,
        .commandBufferCount = 1,
    };
    REQUIRE_EQ(vkAllocateCommandBuffers(f->dev, &alloc, &work.cb), VK_SUCCESS);
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
    };
    REQUIRE_EQ(vkBeginCommandBuffer(work.cb, &begin), VK_SUCCESS);
    const VkImageMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .dstStageMask = VK_PIPELINE_STAGE_2_VIDEO_ENCODE_BIT_KHR,
        .dstAccessMask = VK_ACCESS_2_VIDEO_ENCODE_READ_BIT_KHR,
        .newLayout = VK_IMAGE_LAYOUT_VIDEO_ENCODE_SRC_KHR,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = work.img.handle,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    const VkDependencyInfo dependency = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .imageMemoryBarrierCount = 1,
        .pImageMemoryBarriers = &barrier,
    };
    vkCmdPipelineBarrier2(work.cb, &dependency);
    REQUIRE_EQ(vkEndCommandBuffer(work.cb), VK_SUCCESS);
    return work;
}

void
lent_work_destroy(struct fixture *f, struct lent_work *work)
{
    vkDestroyCommandPool(f->dev, work->pool, NULL);
    test_image_destroy(f, &work->img);
}

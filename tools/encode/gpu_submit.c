/* SPDX-License-Identifier: MIT */
/* Command buffers, barriers, submissions and the timelines that order them. */
#include "tools/encode/gpu.h"

VkSemaphore
gpu_timeline_create(struct gpu *gpu)
{
    const VkSemaphoreTypeCreateInfo type = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
    };
    const VkSemaphoreCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
        .pNext = &type,
    };
    VkSemaphore timeline;

    vk_check(gpu->vk.CreateSemaphore(gpu->device, &info, NULL, &timeline), "vkCreateSemaphore");
    return timeline;
}

void
gpu_timeline_wait(struct gpu *gpu, VkSemaphore timeline, uint64_t value)
{
    const VkSemaphoreWaitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
        .semaphoreCount = 1,
        .pSemaphores = &timeline,
        .pValues = &value,
    };

    vk_check(gpu->vk.WaitSemaphores(gpu->device, &info, UINT64_MAX), "vkWaitSemaphores");
}

VkCommandPool
gpu_command_pool_create(struct gpu *gpu, uint32_t family)
{
    const VkCommandPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = family,
    };
    VkCommandPool pool;

    vk_check(gpu->vk.CreateCommandPool(gpu->device, &info, NULL, &pool), "vkCreateCommandPool");
    return pool;
}

VkCommandBuffer
gpu_command_buffer_create(struct gpu *gpu, VkCommandPool pool)
{
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1,
    };
    VkCommandBuffer cb;

    vk_check(gpu->vk.AllocateCommandBuffers(gpu->device, &info, &cb), "vkAllocateCommandBuffers");
    return cb;
}

void
gpu_command_begin(struct gpu *gpu, VkCommandBuffer cb)
{
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };

    vk_check(gpu->vk.BeginCommandBuffer(cb, &info), "vkBeginCommandBuffer");
}

void
gpu_submit(struct gpu *gpu, VkQueue queue, VkCommandBuffer cb, struct gpu_point wait,
           struct gpu_point signal)
{
    const VkCommandBufferSubmitInfo command = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
        .commandBuffer = cb,
    };
    const VkSemaphoreSubmitInfo wait_info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
        .semaphore = wait.timeline,
        .value = wait.value,
        .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
    };
    const VkSemaphoreSubmitInfo signal_info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
        .semaphore = signal.timeline,
        .value = signal.value,
        .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
    };
    const VkSubmitInfo2 submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
        .waitSemaphoreInfoCount = wait.value > 0,
        .pWaitSemaphoreInfos = &wait_info,
        .commandBufferInfoCount = 1,
        .pCommandBufferInfos = &command,
        .signalSemaphoreInfoCount = 1,
        .pSignalSemaphoreInfos = &signal_info,
    };

    vk_check(gpu->vk.EndCommandBuffer(cb), "vkEndCommandBuffer");
    vk_check(gpu->vk.QueueSubmit2(queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit2");
}

void
gpu_image_barrier(struct gpu *gpu, VkCommandBuffer cb, VkImage image, uint32_t layer,
                  VkImageLayout from, VkImageLayout to)
{
    const VkImageMemoryBarrier2 barrier = {
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
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, layer, 1},
    };
    const VkDependencyInfo dependency = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .imageMemoryBarrierCount = 1,
        .pImageMemoryBarriers = &barrier,
    };

    gpu->vk.CmdPipelineBarrier2(cb, &dependency);
}

/* SPDX-License-Identifier: MIT */
/* Submissions, waits and signals of one point each.
 */
#include "point.h"

VkResult
point_try_submit(VkQueue queue, VkCommandBuffer cb, struct point wait, struct point signal,
                 VkFence fence)
{
    const VkSemaphoreSubmitInfo waits = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
        .semaphore = wait.semaphore,
        .value = wait.value,
        .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
    };
    const VkSemaphoreSubmitInfo signals = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
        .semaphore = signal.semaphore,
        .value = signal.value,
        .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
    };
    const VkCommandBufferSubmitInfo commands = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
        .commandBuffer = cb,
    };
    const VkSubmitInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
        .waitSemaphoreInfoCount = wait.semaphore ? 1 : 0,
        .pWaitSemaphoreInfos = &waits,
        .commandBufferInfoCount = cb ? 1 : 0,
        .pCommandBufferInfos = &commands,
        .signalSemaphoreInfoCount = signal.semaphore ? 1 : 0,
        .pSignalSemaphoreInfos = &signals,
    };
    return vkQueueSubmit2(queue, 1, &info, fence);
}

void
point_submit(VkQueue queue, VkCommandBuffer cb, struct point wait, struct point signal,
             VkFence fence)
{
    REQUIRE_EQ(point_try_submit(queue, cb, wait, signal, fence), VK_SUCCESS);
}

VkResult
point_wait(struct fixture *f, struct point point, uint64_t timeout_ns)
{
    const VkSemaphoreWaitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
        .semaphoreCount = 1,
        .pSemaphores = &point.semaphore,
        .pValues = &point.value,
    };
    return vkWaitSemaphores(f->dev, &info, timeout_ns);
}

void
point_signal(struct fixture *f, struct point point)
{
    const VkSemaphoreSignalInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
        .semaphore = point.semaphore,
        .value = point.value,
    };
    REQUIRE_EQ(vkSignalSemaphore(f->dev, &info), VK_SUCCESS);
}

void
fence_wait_and_reset(struct fixture *f)
{
    REQUIRE_EQ(vkWaitForFences(f->dev, 1, &f->fence, VK_TRUE, 10 * SECOND_NS), VK_SUCCESS);
    REQUIRE_EQ(vkResetFences(f->dev, 1, &f->fence), VK_SUCCESS);
}

void
point_present(struct fixture *f, VkSemaphore wait)
{
    const PFN_vkQueuePresentKHR function =
        (PFN_vkQueuePresentKHR)vkGetDeviceProcAddr(f->dev, "vkQueuePresentKHR");
    const VkSwapchainKHR swapchain = (VkSwapchainKHR)(uintptr_t)16;
    const uint32_t index = 0;
    const VkPresentInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
        .waitSemaphoreCount = wait ? 1 : 0,
        .pWaitSemaphores = &wait,
        .swapchainCount = 1,
        .pSwapchains = &swapchain,
        .pImageIndices = &index,
    };
    REQUIRE(function);
    REQUIRE_EQ(function(f->queue, &info), VK_SUCCESS);
}

/* SPDX-License-Identifier: MIT */
/* The part of the tests' lower device that presents, and names objects.
 */
#include "lower.h"

#include <stdatomic.h>

/* Timelines, as far as the tests make them at a time. */
static VkSemaphore timelines[64];

static VKAPI_ATTR VkResult VKAPI_CALL
create_semaphore(VkDevice dev, const VkSemaphoreCreateInfo *info,
                 const VkAllocationCallbacks *alloc, VkSemaphore *out)
{
    const VkSemaphoreTypeCreateInfo *type =
        lower_find(info->pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
    const VkResult result = DEVICE_CALL(vkCreateSemaphore)(dev, info, alloc, out);
    static uint32_t next;

    for (size_t i = 0; result == VK_SUCCESS && i < 64; i++) {
        if (timelines[i] == *out)
            timelines[i] = VK_NULL_HANDLE;
    }
    if (result == VK_SUCCESS && type && type->semaphoreType == VK_SEMAPHORE_TYPE_TIMELINE)
        timelines[next++ % 64] = *out;
    return result;
}

/* A batch without commands. */
static VkResult
submit_binary(VkQueue queue, VkSemaphore wait, VkSemaphore signal, VkFence fence)
{
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .waitSemaphoreCount = wait ? 1 : 0,
        .pWaitSemaphores = &wait,
        .pWaitDstStageMask = &stage,
        .signalSemaphoreCount = signal ? 1 : 0,
        .pSignalSemaphores = &signal,
    };

    for (size_t i = 0; i < 64; i++)
        REQUIRE(!timelines[i] || (timelines[i] != wait && timelines[i] != signal));
    return DEVICE_CALL(vkQueueSubmit)(queue, 1, &info, fence);
}

/* A swapchain of one image, without a window. */
static VKAPI_ATTR VkResult VKAPI_CALL
acquire_image(VkDevice dev, VkSwapchainKHR swapchain, uint64_t timeout_ns, VkSemaphore semaphore,
              VkFence fence, uint32_t *index)
{
    VkQueue queue;

    DEVICE_CALL(vkGetDeviceQueue)(dev, 0, 0, &queue);
    *index = 0;
    return submit_binary(queue, VK_NULL_HANDLE, semaphore, fence);
}

/* For tests: the submissions that the last presentation came behind. */
EXPORT uint32_t lower_presented_behind(void);
static atomic_uint presented_behind;
EXPORT uint32_t
lower_presented_behind(void)
{
    return atomic_load(&presented_behind);
}

static VKAPI_ATTR VkResult VKAPI_CALL
present(VkQueue queue, const VkPresentInfoKHR *info)
{
    VkResult result = VK_SUCCESS;

    atomic_store(&presented_behind, lower_submit_count());
    for (uint32_t i = 0; i < info->waitSemaphoreCount && result == VK_SUCCESS; i++)
        result = submit_binary(queue, info->pWaitSemaphores[i], VK_NULL_HANDLE, VK_NULL_HANDLE);
    return result;
}

/* For tests: the bytes that have been bound so far. */
EXPORT uint32_t lower_bound_size(void);
static atomic_uint bound_size_B;
EXPORT uint32_t
lower_bound_size(void)
{
    return atomic_load(&bound_size_B);
}

static void
count_binds(const VkBindSparseInfo *info)
{
    for (uint32_t i = 0; i < info->bufferBindCount; i++) {
        for (uint32_t k = 0; k < info->pBufferBinds[i].bindCount; k++)
            atomic_fetch_add(&bound_size_B, (uint32_t)info->pBufferBinds[i].pBinds[k].size);
    }
    for (uint32_t i = 0; i < info->imageOpaqueBindCount; i++) {
        for (uint32_t k = 0; k < info->pImageOpaqueBinds[i].bindCount; k++)
            atomic_fetch_add(&bound_size_B, (uint32_t)info->pImageOpaqueBinds[i].pBinds[k].size);
    }
    for (uint32_t i = 0; i < info->imageBindCount; i++) {
        for (uint32_t k = 0; k < info->pImageBinds[i].bindCount; k++)
            atomic_fetch_add(&bound_size_B, info->pImageBinds[i].pBinds[k].extent.width);
    }
}

/* The driver binds nothing: the semaphores alone are its batches'. */
static VKAPI_ATTR VkResult VKAPI_CALL
bind_sparse(VkQueue queue, uint32_t count, const VkBindSparseInfo *infos, VkFence fence)
{
    VkResult result = VK_SUCCESS;

    for (uint32_t i = 0; i < count && result == VK_SUCCESS; i++) {
        static const VkPipelineStageFlags stages[4] = {
            VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
            VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT};
        const VkSubmitInfo info = {
            .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
            .pNext = lower_find(infos[i].pNext, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO),
            .waitSemaphoreCount = infos[i].waitSemaphoreCount,
            .pWaitSemaphores = infos[i].pWaitSemaphores,
            .pWaitDstStageMask = stages,
            .signalSemaphoreCount = infos[i].signalSemaphoreCount,
            .pSignalSemaphores = infos[i].pSignalSemaphores,
        };
        REQUIRE(info.waitSemaphoreCount <= 4);
        count_binds(&infos[i]);
        result =
            DEVICE_CALL(vkQueueSubmit)(queue, 1, &info, i + 1 == count ? fence : VK_NULL_HANDLE);
    }
    return result;
}

/* The tests name and label lent objects alone. */
static VKAPI_ATTR VkResult VKAPI_CALL
set_object_name(VkDevice dev, const VkDebugUtilsObjectNameInfoEXT *info)
{
    REQUIRE(info->objectType != VK_OBJECT_TYPE_COMMAND_POOL);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL
begin_queue_label(VkQueue queue, const VkDebugUtilsLabelEXT *label)
{
    REQUIRE(!"a label of a lent queue");
}

static VKAPI_ATTR void VKAPI_CALL
begin_command_label(VkCommandBuffer cb, const VkDebugUtilsLabelEXT *label)
{
    REQUIRE(!"a label of a lent command buffer");
}

static VKAPI_ATTR VkResult VKAPI_CALL
set_marker_name(VkDevice dev, const VkDebugMarkerObjectNameInfoEXT *info)
{
    REQUIRE(info->objectType != VK_DEBUG_REPORT_OBJECT_TYPE_COMMAND_POOL_EXT);
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL
set_marker_tag(VkDevice dev, const VkDebugMarkerObjectTagInfoEXT *info)
{
    REQUIRE(info->objectType != VK_DEBUG_REPORT_OBJECT_TYPE_COMMAND_POOL_EXT);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL
mark(VkCommandBuffer cb, const VkDebugMarkerMarkerInfoEXT *info)
{
    REQUIRE(!"a marker of a lent command buffer");
}

static VKAPI_ATTR void VKAPI_CALL
end_marker(VkCommandBuffer cb)
{
    REQUIRE(!"a marker of a lent command buffer");
}

/* Each family presents everywhere. */
static VKAPI_ATTR VkResult VKAPI_CALL
surface_support(VkPhysicalDevice pdev, uint32_t family, VkSurfaceKHR surface, VkBool32 *out)
{
    lower_check_family(family);
    *out = VK_TRUE;
    return VK_SUCCESS;
}

static VKAPI_ATTR VkBool32 VKAPI_CALL
system_support(VkPhysicalDevice pdev, uint32_t family, void *display)
{
    lower_check_family(family);
    return VK_TRUE;
}

static const struct lower_own own[] = {
    OWN("vkSetDebugUtilsObjectNameEXT", set_object_name, false),
    OWN("vkQueueBeginDebugUtilsLabelEXT", begin_queue_label, false),
    OWN("vkCmdBeginDebugUtilsLabelEXT", begin_command_label, false),
    OWN("vkDebugMarkerSetObjectNameEXT", set_marker_name, true),
    OWN("vkDebugMarkerSetObjectTagEXT", set_marker_tag, true),
    OWN("vkCmdDebugMarkerBeginEXT", mark, true),
    OWN("vkCmdDebugMarkerInsertEXT", mark, true),
    OWN("vkCmdDebugMarkerEndEXT", end_marker, true),
    OWN("vkCreateSemaphore", create_semaphore, true),
    OWN("vkAcquireNextImageKHR", acquire_image, true),
    OWN("vkQueuePresentKHR", present, true),
    OWN("vkQueueBindSparse", bind_sparse, true),
    OWN("vkGetPhysicalDeviceSurfaceSupportKHR", surface_support, false),
    OWN("vkGetPhysicalDeviceXcbPresentationSupportKHR", system_support, false),
    OWN("vkGetPhysicalDeviceXlibPresentationSupportKHR", system_support, false),
    OWN("vkGetPhysicalDeviceWaylandPresentationSupportKHR", system_support, false),
};

PFN_vkVoidFunction
lower_presentation_function(const char *name, bool is_device)
{
    return lower_own_function(own, sizeof(own) / sizeof(own[0]), name, is_device);
}

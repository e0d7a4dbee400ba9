/* SPDX-License-Identifier: MIT */
/* The steps of the scenario, and their undoing.
 */
#include "scenario.h"

#include "test.h"

#include <string.h>

#define SIZE_PX 64u
#define BITSTREAM_B 65536u
#define WAIT_NS UINT64_C(20000000000)

static const VkVideoEncodeH264ProfileInfoKHR h264 = {
    .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_PROFILE_INFO_KHR,
    .stdProfileIdc = STD_VIDEO_H264_PROFILE_IDC_MAIN,
};
static const VkVideoProfileInfoKHR profile = {
    .sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_INFO_KHR,
    .pNext = &h264,
    .videoCodecOperation = VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR,
    .chromaSubsampling = VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR,
    .lumaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,
    .chromaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,
};
static const VkVideoProfileListInfoKHR profiles = {
    .sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR,
    .profileCount = 1,
    .pProfiles = &profile,
};

VkInstance
scenario_instance(VkPhysicalDevice *pdev, uint32_t *family)
{
    const VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .apiVersion = VK_API_VERSION_1_3,
    };
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pApplicationInfo = &application,
    };
    VkQueueFamilyProperties families[8];
    uint32_t count = 1;
    VkInstance instance;

    vk_open();
    REQUIRE_EQ(vkCreateInstance(&info, NULL, &instance), VK_SUCCESS);
    vk_functions_load_instance(instance);
    REQUIRE_EQ(vkEnumeratePhysicalDevices(instance, &count, pdev), VK_SUCCESS);
    count = 8;
    vkGetPhysicalDeviceQueueFamilyProperties(*pdev, &count, families);
    *family = 0;
    while (*family < count && !(families[*family].queueFlags & VK_QUEUE_VIDEO_ENCODE_BIT_KHR))
        ++*family;
    REQUIRE(*family < count);
    return instance;
}

static VkResult
make_device(struct scenario *s)
{
    static const float priority = 1.0f;
    static const char *const extensions[] = {VK_KHR_VIDEO_QUEUE_EXTENSION_NAME,
                                             VK_KHR_VIDEO_ENCODE_QUEUE_EXTENSION_NAME,
                                             VK_KHR_VIDEO_ENCODE_H264_EXTENSION_NAME};
    const VkPhysicalDeviceVulkan13Features v13 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
        .synchronization2 = VK_TRUE,
        .privateData = VK_TRUE,
    };
    VkDeviceQueueCreateInfo queues[2];
    for (uint32_t i = 0; i < 2; i++)
        queues[i] = (VkDeviceQueueCreateInfo){
            .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
            .queueFamilyIndex = i == 0 ? 0 : s->family,
            .queueCount = 1,
            .pQueuePriorities = &priority,
        };
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &v13,
        .queueCreateInfoCount = 2,
        .pQueueCreateInfos = queues,
        .enabledExtensionCount = sizeof(extensions) / sizeof(extensions[0]),
        .ppEnabledExtensionNames = extensions,
    };
    const VkResult result = vkCreateDevice(s->pdev, &info, NULL, &s->dev);
    if (result != VK_SUCCESS) {
        s->dev = VK_NULL_HANDLE;
        return result;
    }
    vk_functions_load_device(s->dev);
    vkGetDeviceQueue(s->dev, 0, 0, &s->queue);
    vkGetDeviceQueue(s->dev, s->family, 0, &s->lent_queue);
    return VK_SUCCESS;
}

static VkResult
allocate(struct scenario *s, const VkMemoryRequirements *needs, VkDeviceMemory *out)
{
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs->size,
    };
    return vkAllocateMemory(s->dev, &info, NULL, out);
}

static VkResult
make_image(struct scenario *s, VkImageUsageFlags usage, VkImage *image, VkDeviceMemory *memory,
           VkImageView *view)
{
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .pNext = &profiles,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
        .extent = {SIZE_PX, SIZE_PX, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = usage,
    };
    VkMemoryRequirements needs;

    VkResult result = vkCreateImage(s->dev, &info, NULL, image);
    if (result != VK_SUCCESS) {
        *image = VK_NULL_HANDLE;
        return result;
    }
    vkGetImageMemoryRequirements(s->dev, *image, &needs);
    result = allocate(s, &needs, memory);
    if (result == VK_SUCCESS)
        result = vkBindImageMemory(s->dev, *image, *memory, 0);
    const VkImageViewCreateInfo view_info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = *image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = info.format,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    return result == VK_SUCCESS ? vkCreateImageView(s->dev, &view_info, NULL, view) : result;
}

static VkResult
make_images(struct scenario *s)
{
    const VkResult result =
        make_image(s, VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                   &s->image, &s->image_memory, &s->view);
    return result == VK_SUCCESS ? make_image(s, VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR, &s->dpb,
                                             &s->dpb_memory, &s->dpb_view)
                                : result;
}

static VkResult
make_buffer(struct scenario *s)
{
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .pNext = &profiles,
        .size = BITSTREAM_B,
        .usage = VK_BUFFER_USAGE_VIDEO_ENCODE_DST_BIT_KHR | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
    };
    VkMemoryRequirements needs;
    void *map;

    VkResult result = vkCreateBuffer(s->dev, &info, NULL, &s->buffer);
    if (result != VK_SUCCESS)
        return result;
    vkGetBufferMemoryRequirements(s->dev, s->buffer, &needs);
    result = allocate(s, &needs, &s->buffer_memory);
    if (result == VK_SUCCESS)
        result = vkBindBufferMemory(s->dev, s->buffer, s->buffer_memory, 0);
    return result == VK_SUCCESS ? vkMapMemory(s->dev, s->buffer_memory, 0, VK_WHOLE_SIZE, 0, &map)
                                : result;
}

static VkResult
make_queries(struct scenario *s)
{
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .pNext = &profile,
        .queryType = VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR,
        .queryCount = 1,
    };
    return vkCreateQueryPool(s->dev, &info, NULL, &s->queries);
}

static VkResult
make_synchronization(struct scenario *s)
{
    const VkSemaphoreTypeCreateInfo type = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
    };
    const VkSemaphoreCreateInfo timeline = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
        .pNext = &type,
    };
    const VkSemaphoreCreateInfo binary = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    const VkEventCreateInfo event = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};

    VkResult result = vkCreateSemaphore(s->dev, &timeline, NULL, &s->timeline);
    if (result == VK_SUCCESS)
        result = vkCreateSemaphore(s->dev, &timeline, NULL, &s->pair);
    if (result == VK_SUCCESS)
        result = vkCreateSemaphore(s->dev, &binary, NULL, &s->binary);
    if (result == VK_SUCCESS)
        result = vkCreateFence(s->dev, &fence, NULL, &s->fence);
    if (result == VK_SUCCESS)
        result = vkCreateEvent(s->dev, &event, NULL, &s->event);
    return result;
}

static VkResult
make_pool(struct scenario *s, uint32_t family, VkCommandPool *pool, VkCommandBuffer *cb)
{
    const VkCommandPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .queueFamilyIndex = family,
    };
    const VkResult result = vkCreateCommandPool(s->dev, &info, NULL, pool);
    if (result != VK_SUCCESS)
        return result;
    const VkCommandBufferAllocateInfo cb_info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = *pool,
        .commandBufferCount = 1,
    };
    return vkAllocateCommandBuffers(s->dev, &cb_info, cb);
}

static VkResult
make_private_data(struct scenario *s)
{
    const VkPrivateDataSlotCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO,
    };
    const VkResult result = vkCreatePrivateDataSlot(s->dev, &info, NULL, &s->slot);
    return result == VK_SUCCESS ? vkSetPrivateData(s->dev, VK_OBJECT_TYPE_COMMAND_POOL,
                                                   (uint64_t)s->lent_pool, s->slot, 3)
                                : result;
}

static void
record_barrier(struct scenario *s, VkCommandBuffer cb, VkImageLayout from, VkImageLayout to)
{
    const VkImageMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = s->image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .imageMemoryBarrierCount = 1,
        .pImageMemoryBarriers = &barrier,
    };
    vkCmdPipelineBarrier2(cb, &info);
}

/* What stands in the chain of a dependency, and names the lent family: the lower device's handles
 * do not matter. And both forms of waiting for an event. */
static void
record_chains(struct scenario *s)
{
    const VkMemoryRangeBarrierKHR range = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIER_KHR,
        .srcQueueFamilyIndex = s->family,
    };
    const VkMemoryRangeBarriersInfoKHR ranges = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIERS_INFO_KHR,
        .memoryRangeBarrierCount = 1,
        .pMemoryRangeBarriers = &range,
    };
    const VkTensorMemoryBarrierARM tensor = {
        .sType = VK_STRUCTURE_TYPE_TENSOR_MEMORY_BARRIER_ARM,
        .srcQueueFamilyIndex = s->family,
    };
    const VkTensorDependencyInfoARM tensors = {
        .sType = VK_STRUCTURE_TYPE_TENSOR_DEPENDENCY_INFO_ARM,
        .pNext = &ranges,
        .tensorMemoryBarrierCount = 1,
        .pTensorMemoryBarriers = &tensor,
    };
    VkTensorMemoryBarrierARM first = tensor;
    first.pNext = &tensors;
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .pNext = &first};
    const VkBufferMemoryBarrier buffer = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
        .srcQueueFamilyIndex = s->family,
        .buffer = s->buffer,
        .size = VK_WHOLE_SIZE,
    };

    vkCmdPipelineBarrier2(s->cb, &info);
    vkCmdSetEvent2(s->cb, s->event, &info);
    vkCmdWaitEvents2(s->cb, 1, &s->event, &info);
    vkCmdSetEvent(s->cb, s->event, VK_PIPELINE_STAGE_TRANSFER_BIT);
    vkCmdWaitEvents(s->cb, 1, &s->event, VK_PIPELINE_STAGE_TRANSFER_BIT,
                    VK_PIPELINE_STAGE_TRANSFER_BIT, 0, NULL, 1, &buffer, 0, NULL);
    vkCmdPipelineBarrier(s->cb, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                         0, NULL, 1, &buffer, 0, NULL);
}

static VkResult
record(struct scenario *s)
{
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const VkDependencyInfo nothing = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO};

    VkResult result = vkBeginCommandBuffer(s->cb, &begin);
    if (result != VK_SUCCESS)
        return result;
    vkCmdResetQueryPool(s->cb, s->queries, 0, 1);
    vkCmdCopyQueryPoolResults(s->cb, s->queries, 0, 1, s->buffer, 0, 4,
                              VK_QUERY_RESULT_WITH_STATUS_BIT_KHR);
    record_barrier(s, s->cb, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    record_chains(s);
    result = vkEndCommandBuffer(s->cb);
    if (result == VK_SUCCESS)
        result = vkBeginCommandBuffer(s->lent_cb, &begin);
    if (result != VK_SUCCESS)
        return result;
    record_barrier(s, s->lent_cb, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                   VK_IMAGE_LAYOUT_VIDEO_ENCODE_SRC_KHR);
    vkCmdSetEvent2(s->lent_cb, s->event, &nothing);
    return vkEndCommandBuffer(s->lent_cb);
}

static VkResult
submit(VkQueue queue, VkCommandBuffer cb, VkSemaphore wait, VkSemaphore signal, VkFence fence)
{
    const VkSemaphoreSubmitInfo points[2] = {
        {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
         .semaphore = wait,
         .value = 1,
         .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT},
        {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
         .semaphore = signal,
         .value = 1,
         .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT},
    };
    const VkCommandBufferSubmitInfo commands = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
        .commandBuffer = cb,
    };
    const VkSubmitInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
        .waitSemaphoreInfoCount = wait ? 1 : 0,
        .pWaitSemaphoreInfos = &points[0],
        .commandBufferInfoCount = cb ? 1 : 0,
        .pCommandBufferInfos = &commands,
        .signalSemaphoreInfoCount = signal ? 1 : 0,
        .pSignalSemaphoreInfos = &points[1],
    };
    return vkQueueSubmit2(queue, 1, &info, fence);
}

/* A submission that fails for want of memory has had no effect, whichever of its batches it was. */
static VkResult
submit_pair(struct scenario *s, VkQueue queue, uint64_t value)
{
    const VkSemaphoreSubmitInfo signals[2] = {
        {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, .semaphore = s->pair, .value = value},
        {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
         .semaphore = s->pair,
         .value = value + 1},
    };
    VkSubmitInfo2 infos[2];
    uint64_t reached = 0;

    for (uint32_t i = 0; i < 2; i++)
        infos[i] = (VkSubmitInfo2){
            .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
            .signalSemaphoreInfoCount = 1,
            .pSignalSemaphoreInfos = &signals[i],
        };
    const VkResult result = vkQueueSubmit2(queue, 2, infos, VK_NULL_HANDLE);
    if (result == VK_ERROR_OUT_OF_HOST_MEMORY || result == VK_ERROR_OUT_OF_DEVICE_MEMORY) {
        REQUIRE_EQ(vkDeviceWaitIdle(s->dev), VK_SUCCESS);
        REQUIRE_EQ(vkGetSemaphoreCounterValue(s->dev, s->pair, &reached), VK_SUCCESS);
        REQUIRE(reached < value);
    }
    return result == VK_SUCCESS ? vkQueueWaitIdle(queue) : result;
}

/* Waits for the timeline, which a lent queue has yet to signal. */
static VkResult
bind(struct scenario *s, uint64_t value)
{
    static const uint64_t wait_value = 1;
    const VkSparseMemoryBind binding = {.size = 1};
    const VkSparseImageMemoryBind image_binding = {.extent = {1, 1, 1}};
    const VkSparseBufferMemoryBindInfo buffers = {.bindCount = 1, .pBinds = &binding};
    const VkSparseImageOpaqueMemoryBindInfo opaque = {.bindCount = 1, .pBinds = &binding};
    const VkSparseImageMemoryBindInfo images = {.bindCount = 1, .pBinds = &image_binding};
    const VkTimelineSemaphoreSubmitInfo timeline = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = 1,
        .pWaitSemaphoreValues = &wait_value,
        .signalSemaphoreValueCount = 1,
        .pSignalSemaphoreValues = &value,
    };
    const VkBindSparseInfo info = {
        .sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
        .pNext = &timeline,
        .waitSemaphoreCount = 1,
        .pWaitSemaphores = &s->timeline,
        .bufferBindCount = 1,
        .pBufferBinds = &buffers,
        .imageOpaqueBindCount = 1,
        .pImageOpaqueBinds = &opaque,
        .imageBindCount = 1,
        .pImageBinds = &images,
        .signalSemaphoreCount = 1,
        .pSignalSemaphores = &s->pair,
    };
    return vkQueueBindSparse(s->queue, 1, &info, VK_NULL_HANDLE);
}

/* From the lower queue to the lent one, and back; the way back is submitted first. */
static VkResult
work(struct scenario *s)
{
    VkResult result = submit(s->queue, s->cb, VK_NULL_HANDLE, s->binary, VK_NULL_HANDLE);
    if (result == VK_SUCCESS)
        result = submit_pair(s, s->queue, 1);
    if (result == VK_SUCCESS)
        result = submit_pair(s, s->lent_queue, 3);
    if (result == VK_SUCCESS)
        result = submit(s->queue, NULL, s->timeline, VK_NULL_HANDLE, s->fence);
    s->is_waited_for = result == VK_SUCCESS;
    if (result == VK_SUCCESS)
        result = bind(s, 5);
    if (result == VK_SUCCESS)
        result = submit(s->lent_queue, s->lent_cb, s->binary, s->timeline, VK_NULL_HANDLE);
    if (result == VK_SUCCESS)
        s->is_waited_for = false;
    if (result != VK_SUCCESS)
        return result;
    result = vkWaitForFences(s->dev, 1, &s->fence, VK_TRUE, WAIT_NS);
    REQUIRE(result != VK_TIMEOUT);
    return result == VK_SUCCESS ? vkDeviceWaitIdle(s->dev) : result;
}

VkResult
scenario_run(struct scenario *s)
{
    VkResult result = make_device(s);
    if (result == VK_SUCCESS)
        result = make_images(s);
    if (result == VK_SUCCESS)
        result = make_buffer(s);
    if (result == VK_SUCCESS)
        result = make_queries(s);
    if (result == VK_SUCCESS)
        result = make_synchronization(s);
    if (result == VK_SUCCESS)
        result = make_pool(s, 0, &s->pool, &s->cb);
    if (result == VK_SUCCESS)
        result = make_pool(s, s->family, &s->lent_pool, &s->lent_cb);
    if (result == VK_SUCCESS)
        result = make_private_data(s);
    if (result == VK_SUCCESS)
        result = record(s);
    return result == VK_SUCCESS ? work(s) : result;
}

void
scenario_destroy(struct scenario *s)
{
    if (!s->dev)
        return;
    const VkSemaphoreSignalInfo signal = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
        .semaphore = s->timeline,
        .value = 1,
    };
    if (s->is_waited_for)
        (void)vkSignalSemaphore(s->dev, &signal);
    (void)vkDeviceWaitIdle(s->dev); /* what was submitted before a fault */
    vkDestroyPrivateDataSlot(s->dev, s->slot, NULL);
    vkDestroyCommandPool(s->dev, s->lent_pool, NULL);
    vkDestroyCommandPool(s->dev, s->pool, NULL);
    vkDestroyFence(s->dev, s->fence, NULL);
    vkDestroySemaphore(s->dev, s->timeline, NULL);
    vkDestroySemaphore(s->dev, s->pair, NULL);
    vkDestroySemaphore(s->dev, s->binary, NULL);
    vkDestroyEvent(s->dev, s->event, NULL);
    vkDestroyQueryPool(s->dev, s->queries, NULL);
    vkDestroyBuffer(s->dev, s->buffer, NULL);
    vkFreeMemory(s->dev, s->buffer_memory, NULL);
    vkDestroyImageView(s->dev, s->dpb_view, NULL);
    vkDestroyImage(s->dev, s->dpb, NULL);
    vkFreeMemory(s->dev, s->dpb_memory, NULL);
    vkDestroyImageView(s->dev, s->view, NULL);
    vkDestroyImage(s->dev, s->image, NULL);
    vkFreeMemory(s->dev, s->image_memory, NULL);
    vkDestroyDevice(s->dev, NULL);
}

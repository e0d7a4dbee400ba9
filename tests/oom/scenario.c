/* SPDX-License-Identifier: MIT */
/* The steps of the scenario, and their undoing.
 */
#include "scenario.h"

#include "by_address.h"
#include "heaps.h"
#include "kernel.h"
#include "memory_sets.h"
#include "shader_objects.h"
#include "test.h"

#define MEMORY_B SCENARIO_MEMORY_B

/* With a chain of features. */
static VkResult
create_device(struct scenario *s, const void *features)
{
    static const float priorities[2];
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueCount = 2,
        .pQueuePriorities = priorities,
    };
    static const char *const extensions[] = {
        VK_EXT_HOST_IMAGE_COPY_EXTENSION_NAME,       VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME,
        VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME, VK_KHR_DEVICE_ADDRESS_COMMANDS_EXTENSION_NAME,
        VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME,     VK_EXT_SHADER_OBJECT_EXTENSION_NAME,
        VK_EXT_DESCRIPTOR_HEAP_EXTENSION_NAME};
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = features,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .enabledExtensionCount = sizeof(extensions) / sizeof(extensions[0]),
        .ppEnabledExtensionNames = extensions,
    };
    const VkResult result = vkCreateDevice(s->pdev, &info, s->alloc, &s->dev);
    if (result != VK_SUCCESS) {
        s->dev = VK_NULL_HANDLE;
        return result;
    }
    vk_functions_load_device(s->dev);
    vkGetDeviceQueue(s->dev, 0, 0, &s->queue);
    return VK_SUCCESS;
}

static VkResult
make_device(struct scenario *s)
{
    const VkPhysicalDeviceConditionalRenderingFeaturesEXT conditional = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT,
        .conditionalRendering = VK_TRUE,
    };
    const VkPhysicalDeviceDeviceAddressCommandsFeaturesKHR commands = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_ADDRESS_COMMANDS_FEATURES_KHR,
        .pNext = (void *)&conditional,
        .deviceAddressCommands = VK_TRUE,
    };
    const VkPhysicalDeviceDescriptorBufferFeaturesEXT descriptors = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT,
        .pNext = (void *)&commands,
        .descriptorBuffer = VK_TRUE,
    };
    const VkPhysicalDeviceDescriptorHeapFeaturesEXT heaps = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_FEATURES_EXT,
        .pNext = (void *)&descriptors,
        .descriptorHeap = VK_TRUE,
    };
    const VkPhysicalDeviceShaderObjectFeaturesEXT shaders = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
        .pNext = (void *)&heaps,
        .shaderObject = VK_TRUE,
    };
    const VkPhysicalDeviceVulkan12Features v12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .pNext = (void *)&shaders,
        .bufferDeviceAddress = VK_TRUE,
    };
    const VkPhysicalDeviceVulkan14Features v14 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES,
        .pNext = (void *)&v12,
        .hostImageCopy = VK_TRUE,
    };
    const VkPhysicalDeviceVulkan13Features v13 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
        .pNext = (void *)&v14,
        .synchronization2 = VK_TRUE,
        .privateData = VK_TRUE,
    };
    return create_device(s, &v13);
}

static VkResult
make_memory(struct scenario *s)
{
    const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .pNext = &flags,
                                       .allocationSize = MEMORY_B};
    const VkResult result = vkAllocateMemory(s->dev, &info, s->alloc, &s->memory);
    return result == VK_SUCCESS ? vkMapMemory(s->dev, s->memory, 0, VK_WHOLE_SIZE, 0, &s->mapped)
                                : result;
}

static VkResult
make_buffer(struct scenario *s)
{
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = SCENARIO_BUFFER_B,
        .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                 VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                 VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT |
                 VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
    };
    VkResult result = vkCreateBuffer(s->dev, &info, s->alloc, &s->buffer);
    if (result == VK_SUCCESS)
        result = vkBindBufferMemory(s->dev, s->buffer, s->memory, 0);
    if (result != VK_SUCCESS)
        return result;
    const VkBufferDeviceAddressInfo address = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = s->buffer};
    s->address = vkGetBufferDeviceAddress(s->dev, &address);
    const VkBufferViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
        .buffer = s->buffer,
        .format = VK_FORMAT_R8G8B8A8_UNORM,
        .range = VK_WHOLE_SIZE,
    };
    return vkCreateBufferView(s->dev, &view, s->alloc, &s->buffer_view);
}

static VkResult
make_image(struct scenario *s)
{
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = VK_FORMAT_R8G8B8A8_UNORM,
        .extent = {64, 64, 1},
        .mipLevels = 7,
        .arrayLayers = 2,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                 VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_HOST_TRANSFER_BIT,
    };
    VkResult result = vkCreateImage(s->dev, &info, s->alloc, &s->image);
    if (result == VK_SUCCESS)
        result = vkBindImageMemory(s->dev, s->image, s->memory, SCENARIO_BUFFER_B);
    if (result != VK_SUCCESS)
        return result;
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = s->image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
        .format = VK_FORMAT_R8G8B8A8_UNORM,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0, 2},
    };
    return vkCreateImageView(s->dev, &view, s->alloc, &s->view);
}

static VkResult
make_samplers(struct scenario *s)
{
    const VkSamplerYcbcrConversionCreateInfo conversion = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO,
        .format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
    };
    const VkResult result =
        vkCreateSamplerYcbcrConversion(s->dev, &conversion, s->alloc, &s->conversion);
    if (result != VK_SUCCESS)
        return result;
    const VkSamplerYcbcrConversionInfo chained = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO, .conversion = s->conversion};
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                      .pNext = &chained};
    return vkCreateSampler(s->dev, &info, s->alloc, &s->sampler);
}

static VkResult
make_layouts(struct scenario *s)
{
    const VkDescriptorSetLayoutBinding bindings[2] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_COMPUTE_BIT, &s->sampler},
    };
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 2,
        .pBindings = bindings,
    };
    VkResult result = vkCreateDescriptorSetLayout(s->dev, &info, s->alloc, &s->set_layout);
    if (result != VK_SUCCESS)
        return result;
    const VkPipelineLayoutCreateInfo pipeline = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &s->set_layout,
    };
    result = vkCreatePipelineLayout(s->dev, &pipeline, s->alloc, &s->pipeline_layout);
    if (result != VK_SUCCESS)
        return result;
    const VkDescriptorUpdateTemplateEntry entry = {
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
    };
    const VkDescriptorUpdateTemplateCreateInfo template = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = 1,
        .pDescriptorUpdateEntries = &entry,
        .descriptorSetLayout = s->set_layout,
    };
    return vkCreateDescriptorUpdateTemplate(s->dev, &template, s->alloc, &s->template);
}

static VkResult
make_sets(struct scenario *s)
{
    const VkDescriptorPoolSize sizes[2] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 16},
                                           {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 4}};
    const VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 4,
        .poolSizeCount = 2,
        .pPoolSizes = sizes,
    };
    VkResult result = vkCreateDescriptorPool(s->dev, &info, s->alloc, &s->descriptor_pool);
    const VkDescriptorSetLayout layouts[2] = {s->set_layout, s->set_layout};
    const VkDescriptorSetAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = s->descriptor_pool,
        .descriptorSetCount = 2,
        .pSetLayouts = layouts,
    };
    VkDescriptorSet sets[2] = {0};
    if (result == VK_SUCCESS)
        result = vkAllocateDescriptorSets(s->dev, &allocate, sets);
    if (result != VK_SUCCESS)
        return result;
    s->set = sets[1];
    const VkDescriptorBufferInfo buffer = {s->buffer, 0, VK_WHOLE_SIZE};
    vkUpdateDescriptorSetWithTemplate(s->dev, s->set, s->template, &buffer);
    return VK_SUCCESS;
}

/* Another pipeline, from what the cache hands out and another one takes. */
static VkResult
make_cached_pipeline(struct scenario *s, const VkComputePipelineCreateInfo *info)
{
    static uint8_t data[1 << 16];
    size_t size_B = sizeof(data);
    VkResult result = vkGetPipelineCacheData(s->dev, s->pipeline_cache, &size_B, data);
    const VkPipelineCacheCreateInfo cache = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
                                             .initialDataSize = size_B,
                                             .pInitialData = data};
    if (result == VK_SUCCESS)
        result = vkCreatePipelineCache(s->dev, &cache, s->alloc, &s->second_cache);
    if (result == VK_SUCCESS)
        result = vkMergePipelineCaches(s->dev, s->second_cache, 1, &s->pipeline_cache);
    if (result == VK_SUCCESS)
        result = vkCreateComputePipelines(s->dev, s->second_cache, 1, info, s->alloc,
                                          &s->cached_pipeline);
    return result;
}

/* Several of one call: one that the cache has, three that it has not, two of which are equal. */
static VkResult
make_pipelines(struct scenario *s, const VkComputePipelineCreateInfo *info)
{
    static const uint32_t rounds[SCENARIO_PIPELINES] = {3, 4, 5, 4};
    VkSpecializationInfo constants[SCENARIO_PIPELINES];
    VkComputePipelineCreateInfo infos[SCENARIO_PIPELINES];
    for (uint32_t i = 0; i < SCENARIO_PIPELINES; i++) {
        constants[i] = *info->stage.pSpecializationInfo;
        constants[i].pData = &rounds[i];
        infos[i] = *info;
        infos[i].stage.pSpecializationInfo = &constants[i];
        if (i != SCENARIO_MEMORY_PIPELINE)
            continue;
        infos[i].flags |= VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
        infos[i].layout = s->memory_layout;
    }
    return vkCreateComputePipelines(s->dev, s->pipeline_cache, SCENARIO_PIPELINES, infos, s->alloc,
                                    s->pipelines);
}

static VkResult
make_pipeline(struct scenario *s)
{
    const VkPipelineCacheCreateInfo cache = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    const VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = sizeof(scenario_kernel),
                                           .pCode = scenario_kernel};
    VkResult result = vkCreatePipelineCache(s->dev, &cache, s->alloc, &s->pipeline_cache);
    if (result == VK_SUCCESS)
        result = vkCreateShaderModule(s->dev, &code, s->alloc, &s->module);
    if (result != VK_SUCCESS)
        return result;
    static const uint32_t rounds = 3;
    static const VkSpecializationMapEntry entry = {0, 0, sizeof(rounds)};
    static const VkSpecializationInfo constants = {1, &entry, sizeof(rounds), &rounds};
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = s->module,
                  .pName = "main",
                  .pSpecializationInfo = &constants},
        .layout = s->pipeline_layout,
    };
    result = vkCreateComputePipelines(s->dev, s->pipeline_cache, 1, &info, s->alloc, &s->pipeline);
    if (result == VK_SUCCESS)
        result = make_cached_pipeline(s, &info);
    return result == VK_SUCCESS ? make_pipelines(s, &info) : result;
}

static VkResult
make_small_objects(struct scenario *s)
{
    const VkQueryPoolCreateInfo queries = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                           .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                           .queryCount = 100};
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    const VkEventCreateInfo event = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    const VkPrivateDataSlotCreateInfo slot = {.sType =
                                                  VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO};
    VkResult result = vkCreateQueryPool(s->dev, &queries, s->alloc, &s->queries);
    if (result == VK_SUCCESS)
        result = vkCreateFence(s->dev, &fence, s->alloc, &s->fence);
    if (result == VK_SUCCESS)
        result = vkCreateEvent(s->dev, &event, s->alloc, &s->event);
    if (result == VK_SUCCESS)
        result = vkCreatePrivateDataSlot(s->dev, &slot, s->alloc, &s->slot);
    if (result == VK_SUCCESS)
        result = vkSetPrivateData(s->dev, VK_OBJECT_TYPE_BUFFER, (uint64_t)(uintptr_t)s->buffer,
                                  s->slot, 42);
    return result;
}

static VkResult
make_semaphores(struct scenario *s)
{
    const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                            .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
    const VkResult result = vkCreateSemaphore(s->dev, &info, s->alloc, &s->timeline);
    info.pNext = NULL;
    return result == VK_SUCCESS ? vkCreateSemaphore(s->dev, &info, s->alloc, &s->binary) : result;
}

static VkResult
make_command_buffers(struct scenario *s)
{
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
    };
    const VkResult result = vkCreateCommandPool(s->dev, &pool, s->alloc, &s->pool);
    if (result != VK_SUCCESS)
        return result;
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = s->pool,
        .commandBufferCount = SCENARIO_COMMAND_BUFFERS,
    };
    return vkAllocateCommandBuffers(s->dev, &info, s->cbs);
}

static void
record_work(struct scenario *s, VkCommandBuffer cb)
{
    static const uint8_t data[65536];
    static const VkDispatchIndirectCommand counts = {2, 1, 1};
    VkBufferCopy copies[100];
    VkMemoryBarrier barriers[20];
    for (uint32_t i = 0; i < 100; i++)
        copies[i] = (VkBufferCopy){i * 64, SCENARIO_BUFFER_B / 2 + i * 64, 64};
    for (uint32_t i = 0; i < 20; i++)
        barriers[i] = (VkMemoryBarrier){.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    const VkBufferImageCopy region = {
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 2},
        .imageExtent = {64, 64, 1},
    };
    const VkClearColorValue color = {.float32 = {1.0f, 0.5f, 0.25f, 0.0f}};
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 7, 0, 2};

    vkCmdResetQueryPool(cb, s->queries, 0, 100);
    for (uint32_t i = 0; i < 100; i++)
        vkCmdWriteTimestamp(cb, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, s->queries, i);
    vkCmdFillBuffer(cb, s->buffer, 0, VK_WHOLE_SIZE, 0x01020304);
    vkCmdUpdateBuffer(cb, s->buffer, 0, sizeof(data), data);
    vkCmdCopyBuffer(cb, s->buffer, s->buffer, 100, copies);
    vkCmdPipelineBarrier(cb, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 20,
                         barriers, 0, NULL, 0, NULL);
    vkCmdClearColorImage(cb, s->image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
    vkCmdCopyBufferToImage(cb, s->buffer, s->image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
    vkCmdCopyImageToBuffer(cb, s->image, VK_IMAGE_LAYOUT_GENERAL, s->buffer, 1, &region);
    vkCmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_COMPUTE, s->pipeline);
    vkCmdBindDescriptorSets(cb, VK_PIPELINE_BIND_POINT_COMPUTE, s->pipeline_layout, 0, 1, &s->set,
                            0, NULL);
    vkCmdUpdateBuffer(cb, s->buffer, SCENARIO_COUNTS_AT_B, sizeof(counts), &counts);
    vkCmdDispatch(cb, 4, 1, 1);
    vkCmdDispatchIndirect(cb, s->buffer, SCENARIO_COUNTS_AT_B);
    shader_objects_record(s, cb);
    by_address_record(s, cb);
    memory_sets_record(s, cb);
    heaps_record(s, cb);
    vkCmdSetEvent(cb, s->event, VK_PIPELINE_STAGE_TRANSFER_BIT);
    vkCmdWaitEvents(cb, 1, &s->event, VK_PIPELINE_STAGE_TRANSFER_BIT,
                    VK_PIPELINE_STAGE_TRANSFER_BIT, 20, barriers, 0, NULL, 0, NULL);
}

static VkResult
record(struct scenario *s)
{
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < SCENARIO_COMMAND_BUFFERS && result == VK_SUCCESS; i++) {
        result = vkBeginCommandBuffer(s->cbs[i], &begin);
        if (result != VK_SUCCESS)
            break;
        record_work(s, s->cbs[i]);
        result = vkEndCommandBuffer(s->cbs[i]);
    }
    return result;
}

/* The first submission waits for the host, so that it goes through the queue's thread. */
static VkResult
submit(struct scenario *s)
{
    const uint64_t value = 1;
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const VkTimelineSemaphoreSubmitInfo timeline = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = 1,
        .pWaitSemaphoreValues = &value,
    };
    const VkSubmitInfo infos[2] = {
        {
            .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
            .pNext = &timeline,
            .waitSemaphoreCount = 1,
            .pWaitSemaphores = &s->timeline,
            .pWaitDstStageMask = &stage,
            .commandBufferCount = SCENARIO_COMMAND_BUFFERS,
            .pCommandBuffers = s->cbs,
            .signalSemaphoreCount = 1,
            .pSignalSemaphores = &s->binary,
        },
        {
            .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
            .waitSemaphoreCount = 1,
            .pWaitSemaphores = &s->binary,
            .pWaitDstStageMask = &stage,
        },
    };
    const VkResult result = vkQueueSubmit(s->queue, 2, infos, s->fence);
    if (result != VK_SUCCESS)
        return result;
    const VkSemaphoreSignalInfo signal = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = s->timeline, .value = 1};
    REQUIRE_EQ(vkSignalSemaphore(s->dev, &signal), VK_SUCCESS);
    return vkWaitForFences(s->dev, 1, &s->fence, VK_TRUE, UINT64_MAX);
}

static VkResult
copy_on_the_host(struct scenario *s)
{
    static uint8_t texels[2 * 64 * 64 * 4];
    const VkMemoryToImageCopy region = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_TO_IMAGE_COPY,
        .pHostPointer = texels,
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 2},
        .imageExtent = {64, 64, 1},
    };
    const VkCopyMemoryToImageInfo info = {
        .sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_IMAGE_INFO,
        .dstImage = s->image,
        .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .regionCount = 1,
        .pRegions = &region,
    };
    return vkCopyMemoryToImageEXT(s->dev, &info);
}

static VkResult (*const steps[])(struct scenario *) = {
    make_device,
    make_memory,
    make_buffer,
    make_image,
    make_samplers,
    make_layouts,
    memory_sets_make,
    make_sets,
    make_pipeline,
    heaps_make,
    shader_objects_make,
    make_small_objects,
    make_semaphores,
    make_command_buffers,
    record,
    submit,
    copy_on_the_host,
};

VkInstance
scenario_instance(VkPhysicalDevice *pdev)
{
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_3};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application};
    VkInstance instance;
    uint32_t count = 1;
    REQUIRE_EQ(vkCreateInstance(&info, NULL, &instance), VK_SUCCESS);
    vk_functions_load_instance(instance);
    REQUIRE(vkEnumeratePhysicalDevices(instance, &count, pdev) >= 0 && count == 1);
    return instance;
}

VkResult
scenario_run(struct scenario *s)
{
    VkResult result = VK_SUCCESS;
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]) && result == VK_SUCCESS; i++)
        result = steps[i](s);
    return result;
}

void
scenario_destroy(struct scenario *s)
{
    if (!s->dev)
        return;
    (void)vkDeviceWaitIdle(s->dev);
    vkDestroyCommandPool(s->dev, s->pool, s->alloc);
    vkDestroyPrivateDataSlot(s->dev, s->slot, s->alloc);
    vkDestroyEvent(s->dev, s->event, s->alloc);
    vkDestroyFence(s->dev, s->fence, s->alloc);
    vkDestroySemaphore(s->dev, s->binary, s->alloc);
    vkDestroySemaphore(s->dev, s->timeline, s->alloc);
    vkDestroyQueryPool(s->dev, s->queries, s->alloc);
    vkDestroyPipeline(s->dev, s->pipeline, s->alloc);
    vkDestroyShaderModule(s->dev, s->module, s->alloc);
    vkDestroyPipeline(s->dev, s->cached_pipeline, s->alloc);
    for (uint32_t i = 0; i < SCENARIO_PIPELINES; i++)
        vkDestroyPipeline(s->dev, s->pipelines[i], s->alloc);
    shader_objects_destroy(s);
    vkDestroyPipelineCache(s->dev, s->second_cache, s->alloc);
    vkDestroyPipelineCache(s->dev, s->pipeline_cache, s->alloc);
    vkDestroyDescriptorPool(s->dev, s->descriptor_pool, s->alloc);
    vkDestroyDescriptorUpdateTemplate(s->dev, s->template, s->alloc);
    memory_sets_destroy(s);
    heaps_destroy(s);
    vkDestroyPipelineLayout(s->dev, s->pipeline_layout, s->alloc);
    vkDestroyDescriptorSetLayout(s->dev, s->set_layout, s->alloc);
    vkDestroySampler(s->dev, s->sampler, s->alloc);
    vkDestroySamplerYcbcrConversion(s->dev, s->conversion, s->alloc);
    vkDestroyImageView(s->dev, s->view, s->alloc);
    vkDestroyBufferView(s->dev, s->buffer_view, s->alloc);
    vkDestroyImage(s->dev, s->image, s->alloc);
    vkDestroyBuffer(s->dev, s->buffer, s->alloc);
    vkFreeMemory(s->dev, s->memory, s->alloc);
    vkDestroyDevice(s->dev, s->alloc);
}

/* SPDX-License-Identifier: MIT */
#include "heaps.h"

#include "kernel.h"

#define SIZE_B 32u
#define HEAP_AT_B 2048u /* in the buffer of the set in memory */
#define HEAP_B 2048u

static const VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};

static VkResult
descriptors_write(struct scenario *s)
{
    uint8_t *at = (uint8_t *)s->mapped + SCENARIO_MEMORY_B - HEAP_B;
    const VkHostAddressRangeEXT to[3] = {{at, SIZE_B}, {at + SIZE_B, SIZE_B}, {at + 512, SIZE_B}};
    const VkDeviceAddressRangeEXT range = {s->address, 1024};
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = s->image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = VK_FORMAT_R8G8B8A8_UNORM,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    const VkImageDescriptorInfoEXT image = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_DESCRIPTOR_INFO_EXT,
        .pView = &view,
        .layout = VK_IMAGE_LAYOUT_GENERAL,
    };
    const VkResourceDescriptorInfoEXT resources[2] = {
        {.sType = VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT,
         .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
         .data.pAddressRange = &range},
        {.sType = VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT,
         .type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
         .data.pImage = &image},
    };
    const VkResult result = vkWriteResourceDescriptorsEXT(s->dev, 2, resources, to);
    return result == VK_SUCCESS ? vkWriteSamplerDescriptorsEXT(s->dev, 1, &sampler, &to[2])
                                : result;
}

VkResult
heaps_make(struct scenario *s)
{
    const VkDescriptorSetAndBindingMappingEXT mapping = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_AND_BINDING_MAPPING_EXT,
        .bindingCount = 1,
        .resourceMask = VK_SPIRV_RESOURCE_TYPE_ALL_EXT,
        .source = VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT,
        .sourceData.constantOffset = {.heapArrayStride = SIZE_B, .pEmbeddedSampler = &sampler},
    };
    const VkShaderDescriptorSetAndBindingMappingInfoEXT mappings = {
        .sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
        .mappingCount = 1,
        .pMappings = &mapping,
    };
    const VkPipelineCreateFlags2CreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT,
    };
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .pNext = &flags,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .pNext = &mappings,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = s->module,
                  .pName = "main"},
    };
    const VkResult result = descriptors_write(s);
    return result == VK_SUCCESS ? vkCreateComputePipelines(s->dev, s->pipeline_cache, 1, &info,
                                                           s->alloc, &s->heap_pipeline)
                                : result;
}

void
heaps_destroy(struct scenario *s)
{
    vkDestroyPipeline(s->dev, s->heap_pipeline, s->alloc);
}

void
heaps_record(struct scenario *s, VkCommandBuffer cb)
{
    const VkBufferDeviceAddressInfo address = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = s->memory_set};
    const VkBindHeapInfoEXT heap = {
        .sType = VK_STRUCTURE_TYPE_BIND_HEAP_INFO_EXT,
        .heapRange = {vkGetBufferDeviceAddress(s->dev, &address) + HEAP_AT_B, HEAP_B},
    };
    const uint32_t word = 5;
    const VkPushDataInfoEXT data = {
        .sType = VK_STRUCTURE_TYPE_PUSH_DATA_INFO_EXT,
        .data = {&word, sizeof(word)},
    };

    vkCmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_COMPUTE, s->heap_pipeline);
    vkCmdBindResourceHeapEXT(cb, &heap);
    vkCmdBindSamplerHeapEXT(cb, &heap);
    vkCmdPushDataEXT(cb, &data);
    vkCmdDispatch(cb, 4, 1, 1);
}

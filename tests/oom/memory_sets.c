/* SPDX-License-Identifier: MIT */
#include "memory_sets.h"

#include <string.h>

static VkResult
layout_make(struct scenario *s, VkDescriptorSetLayoutCreateFlags flags,
            const VkDescriptorSetLayoutBinding *binding, VkDescriptorSetLayout *out)
{
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT | flags,
        .bindingCount = 1,
        .pBindings = binding,
    };
    return vkCreateDescriptorSetLayout(s->dev, &info, s->alloc, out);
}

#define SET_B 4096u

/* One descriptor of the scenario's buffer; the others are null. */
static VkResult
set_make(struct scenario *s)
{
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = SET_B,
        .usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
                 VK_BUFFER_USAGE_DESCRIPTOR_HEAP_BIT_EXT |
                 VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT,
    };
    VkResult result = vkCreateBuffer(s->dev, &info, s->alloc, &s->memory_set);
    if (result == VK_SUCCESS)
        result = vkBindBufferMemory(s->dev, s->memory_set, s->memory, SCENARIO_MEMORY_B - SET_B);
    if (result != VK_SUCCESS)
        return result;
    const VkDescriptorAddressInfoEXT address = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT,
        .address = s->address,
        .range = 1024,
    };
    const VkDescriptorGetInfoEXT descriptor = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT,
        .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .data.pStorageBuffer = &address,
    };
    uint8_t *at = (uint8_t *)s->mapped + SCENARIO_MEMORY_B - SET_B;
    memset(at, 0, SET_B);
    vkGetDescriptorEXT(s->dev, &descriptor, 32, at);
    return VK_SUCCESS;
}

VkResult
memory_sets_make(struct scenario *s)
{
    const VkDescriptorSetLayoutBinding buffers = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4,
                                                  VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    const VkDescriptorSetLayoutBinding sampler = {0, VK_DESCRIPTOR_TYPE_SAMPLER, 1,
                                                  VK_SHADER_STAGE_COMPUTE_BIT, &s->sampler};
    VkResult result = layout_make(s, 0, &buffers, &s->memory_set_layouts[0]);
    if (result == VK_SUCCESS)
        result = layout_make(s, VK_DESCRIPTOR_SET_LAYOUT_CREATE_EMBEDDED_IMMUTABLE_SAMPLERS_BIT_EXT,
                             &sampler, &s->memory_set_layouts[1]);
    if (result != VK_SUCCESS)
        return result;
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 2,
        .pSetLayouts = s->memory_set_layouts,
    };
    result = vkCreatePipelineLayout(s->dev, &info, s->alloc, &s->memory_layout);
    return result == VK_SUCCESS ? set_make(s) : result;
}

void
memory_sets_destroy(struct scenario *s)
{
    vkDestroyBuffer(s->dev, s->memory_set, s->alloc);
    vkDestroyPipelineLayout(s->dev, s->memory_layout, s->alloc);
    for (uint32_t i = 0; i < 2; i++)
        vkDestroyDescriptorSetLayout(s->dev, s->memory_set_layouts[i], s->alloc);
}

void
memory_sets_record(struct scenario *s, VkCommandBuffer cb)
{
    const VkBufferDeviceAddressInfo address = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = s->memory_set};
    const VkDescriptorBufferBindingInfoEXT buffer = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT,
        .address = vkGetBufferDeviceAddress(s->dev, &address),
        .usage = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT,
    };
    const uint32_t index = 0;
    const VkDeviceSize offset_B = 0;

    vkCmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_COMPUTE, s->pipelines[SCENARIO_MEMORY_PIPELINE]);
    vkCmdBindDescriptorBuffersEXT(cb, 1, &buffer);
    vkCmdSetDescriptorBufferOffsetsEXT(cb, VK_PIPELINE_BIND_POINT_COMPUTE, s->memory_layout, 0, 1,
                                       &index, &offset_B);
    vkCmdBindDescriptorBufferEmbeddedSamplersEXT(cb, VK_PIPELINE_BIND_POINT_COMPUTE,
                                                 s->memory_layout, 1);
    vkCmdDispatch(cb, 4, 1, 1);
}

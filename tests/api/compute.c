/* SPDX-License-Identifier: MIT */
#include "compute.h"

VkPipeline
compute_pipeline(struct fixture *f, const struct compute *c, const uint32_t *words, size_t size_B)
{
    const VkShaderModuleCreateInfo module_info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size_B, .pCode = words};
    VkShaderModule module;
    REQUIRE_EQ(vkCreateShaderModule(f->dev, &module_info, f->alloc, &module), VK_SUCCESS);
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main"},
        .layout = c->layout,
    };
    VkPipeline pipeline;
    REQUIRE_EQ(vkCreateComputePipelines(f->dev, VK_NULL_HANDLE, 1, &info, f->alloc, &pipeline),
               VK_SUCCESS);
    vkDestroyShaderModule(f->dev, module, f->alloc);
    return pipeline;
}

static void
layouts_create(struct fixture *f, struct compute *c)
{
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                  VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding,
    };
    REQUIRE_EQ(vkCreateDescriptorSetLayout(f->dev, &set, f->alloc, &c->set_layout), VK_SUCCESS);
    const VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 4};
    const VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &c->set_layout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &push,
    };
    REQUIRE_EQ(vkCreatePipelineLayout(f->dev, &layout, f->alloc, &c->layout), VK_SUCCESS);
}

void
compute_buffer(struct fixture *f, struct compute *c, VkDeviceSize size_B, uint8_t fill)
{
    c->buf = test_buffer_create(f, size_B, fill);
    const VkDescriptorBufferInfo range = {c->buf.handle, 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = c->set,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .pBufferInfo = &range,
    };
    vkUpdateDescriptorSets(f->dev, 1, &write, 0, NULL);
}

static void
set_create(struct fixture *f, struct compute *c)
{
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    const VkDescriptorPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 1,
        .poolSizeCount = 1,
        .pPoolSizes = &size,
    };
    REQUIRE_EQ(vkCreateDescriptorPool(f->dev, &pool, f->alloc, &c->pool), VK_SUCCESS);
    const VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = c->pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &c->set_layout,
    };
    REQUIRE_EQ(vkAllocateDescriptorSets(f->dev, &info, &c->set), VK_SUCCESS);
    compute_buffer(f, c, COMPUTE_WORDS * 4, 0);
}

void
compute_init(struct fixture *f, struct compute *c)
{
    layouts_create(f, c);
    set_create(f, c);
}

void
compute_finish(struct fixture *f, struct compute *c)
{
    test_buffer_destroy(f, &c->buf);
    vkDestroyDescriptorPool(f->dev, c->pool, f->alloc);
    vkDestroyPipelineLayout(f->dev, c->layout, f->alloc);
    vkDestroyDescriptorSetLayout(f->dev, c->set_layout, f->alloc);
}

void
compute_begin(struct fixture *f, const struct compute *c, VkPipeline pipeline, uint32_t word)
{
    test_begin(f);
    vkCmdBindPipeline(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, c->layout, 0, 1, &c->set, 0,
                            NULL);
    vkCmdPushConstants(f->cb, c->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &word);
}

/* SPDX-License-Identifier: MIT */
/* Ten dispatches of fields.comp with values that the script beside this knows: scale is the number
 * of the dispatch, the block lies elsewhere from the sixth on with the same bytes from then on.
 */
#include "fixture.h"

#include "spirv_fields.h"

#define DISPATCHES 10u
#define BLOCK_B 256u

static VkPipeline
create_pipeline(struct fixture *f, VkPipelineLayout layout)
{
    const VkShaderModuleCreateInfo module = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = sizeof(spirv_fields),
        .pCode = spirv_fields,
    };
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .pNext = &module,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .pName = "main"},
        .layout = layout,
    };
    VkPipeline pipeline;
    REQUIRE_EQ(vkCreateComputePipelines(f->dev, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
               VK_SUCCESS);
    return pipeline;
}

static VkDescriptorSetLayout
create_set_layout(struct fixture *f)
{
    VkDescriptorSetLayoutBinding bindings[3];
    for (uint32_t i = 0; i < 3; i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){
            i, i ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1,
            VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT,
        .bindingCount = 3,
        .pBindings = bindings,
    };
    VkDescriptorSetLayout layout;
    REQUIRE_EQ(vkCreateDescriptorSetLayout(f->dev, &info, NULL, &layout), VK_SUCCESS);
    return layout;
}

static void
push_descriptors(struct fixture *f, VkPipelineLayout layout, const struct test_buffer *buf,
                 uint32_t block)
{
    const VkDescriptorBufferInfo pieces[] = {{buf->handle, block * BLOCK_B, BLOCK_B},
                                             {buf->handle, 3 * BLOCK_B, BLOCK_B},
                                             {buf->handle, 4 * BLOCK_B, BLOCK_B}};
    VkWriteDescriptorSet writes[3];
    for (uint32_t i = 0; i < 3; i++)
        writes[i] = (VkWriteDescriptorSet){
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstBinding = i,
            .descriptorCount = 1,
            .descriptorType =
                i ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
            .pBufferInfo = &pieces[i],
        };
    vkCmdPushDescriptorSetKHR(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 3, writes);
}

static void
fields_have_known_values(struct fixture *f)
{
    struct test_buffer buf = test_buffer_create(f, 8 * BLOCK_B, 0);
    const VkDescriptorSetLayout set_layout = create_set_layout(f);
    const VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 8};
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &set_layout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &push,
    };
    VkPipelineLayout layout;
    REQUIRE_EQ(vkCreatePipelineLayout(f->dev, &info, NULL, &layout), VK_SUCCESS);
    const VkPipeline pipeline = create_pipeline(f, layout);
    for (uint32_t d = 0; d < DISPATCHES; d++) {
        const float scale = d < 6 ? (float)d : 6.0f;
        const uint32_t pushed[2] = {d / 5, 7}, block = d < 6 ? 0 : 1 + d % 2;
        for (uint32_t b = 0; b < 3; b++)
            memcpy(buf.bytes + b * BLOCK_B, &scale, sizeof(scale));
        test_begin(f);
        vkCmdBindPipeline(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
        push_descriptors(f, layout, &buf, block);
        vkCmdPushConstants(f->cb, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 8, pushed);
        vkCmdDispatch(f->cb, 4, 1, 1);
        test_submit_and_wait(f);
        const float *out = (const float *)(buf.bytes + 4 * BLOCK_B);
        REQUIRE(out[31] == scale * 31 + (float)pushed[0]);
    }
    vkDestroyPipeline(f->dev, pipeline, NULL);
    vkDestroyPipelineLayout(f->dev, layout, NULL);
    vkDestroyDescriptorSetLayout(f->dev, set_layout, NULL);
    test_buffer_destroy(f, &buf);
}

static const struct test_case cases[] = {TEST_CASE(fields_have_known_values)};

TEST_MAIN(cases)

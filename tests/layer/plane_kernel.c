/* SPDX-License-Identifier: MIT */
/* The views, the pipeline and the descriptors of the shader.
 */
#include "plane_kernel.h"

#include "coder.h"

#include "planes.spv.h"

#define CHECK(call) REQUIRE_EQ((call), VK_SUCCESS)
#define BINDINGS 3

static const VkDescriptorType types[BINDINGS] = {
    VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
    VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
    VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
};

static VkImageView
view_create(struct fixture *f, VkImage image, uint32_t layer, uint32_t plane)
{
    const VkImageViewUsageCreateInfo usage = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO,
        .usage = PLANE_KERNEL_USAGE,
    };
    const VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .pNext = &usage,
        .image = image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = plane ? VK_FORMAT_R8G8_UNORM : VK_FORMAT_R8_UNORM,
        .subresourceRange = {VK_IMAGE_ASPECT_PLANE_0_BIT << plane, 0, 1, layer, 1},
    };
    VkImageView view;
    CHECK(vkCreateImageView(f->dev, &info, NULL, &view));
    return view;
}

static void
create_pipeline(struct fixture *f, struct plane_kernel *kernel)
{
    VkDescriptorSetLayoutBinding bindings[BINDINGS];
    for (uint32_t i = 0; i < BINDINGS; i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){
            .binding = i,
            .descriptorType = types[i],
            .descriptorCount = 1,
            .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
        };
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = BINDINGS,
        .pBindings = bindings,
    };
    CHECK(vkCreateDescriptorSetLayout(f->dev, &set, NULL, &kernel->set_layout));
    const VkPushConstantRange constants = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(uint32_t)};
    const VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &kernel->set_layout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &constants,
    };
    CHECK(vkCreatePipelineLayout(f->dev, &layout, NULL, &kernel->layout));
    const VkShaderModuleCreateInfo code = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = sizeof(spirv_planes),
        .pCode = spirv_planes,
    };
    VkShaderModule module;
    CHECK(vkCreateShaderModule(f->dev, &code, NULL, &module));
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main"},
        .layout = kernel->layout,
    };
    CHECK(vkCreateComputePipelines(f->dev, VK_NULL_HANDLE, 1, &info, NULL, &kernel->pipeline));
    vkDestroyShaderModule(f->dev, module, NULL);
}

static void
create_set(struct fixture *f, struct plane_kernel *kernel, VkBuffer buffer)
{
    const VkDescriptorPoolSize sizes[2] = {{types[0], 2}, {types[2], 1}};
    const VkDescriptorPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 1,
        .poolSizeCount = 2,
        .pPoolSizes = sizes,
    };
    CHECK(vkCreateDescriptorPool(f->dev, &pool, NULL, &kernel->pool));
    const VkDescriptorSetAllocateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = kernel->pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &kernel->set_layout,
    };
    CHECK(vkAllocateDescriptorSets(f->dev, &set, &kernel->set));
    const VkDescriptorBufferInfo bytes = {buffer, 0, VK_WHOLE_SIZE};
    VkDescriptorImageInfo planes[2];
    VkWriteDescriptorSet writes[BINDINGS];
    for (uint32_t i = 0; i < BINDINGS; i++) {
        if (i < 2)
            planes[i] = (VkDescriptorImageInfo){.imageView = kernel->views[i],
                                                .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
        writes[i] = (VkWriteDescriptorSet){
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstSet = kernel->set,
            .dstBinding = i,
            .descriptorCount = 1,
            .descriptorType = types[i],
            .pImageInfo = i < 2 ? &planes[i] : NULL,
            .pBufferInfo = i < 2 ? NULL : &bytes,
        };
    }
    vkUpdateDescriptorSets(f->dev, BINDINGS, writes, 0, NULL);
}

struct plane_kernel
plane_kernel_create(struct fixture *f, VkImage image, uint32_t layer, const struct test_buffer *buf)
{
    struct plane_kernel kernel;

    for (uint32_t i = 0; i < 2; i++)
        kernel.views[i] = view_create(f, image, layer, i);
    create_pipeline(f, &kernel);
    create_set(f, &kernel, buf->handle);
    return kernel;
}

void
plane_kernel_destroy(struct fixture *f, struct plane_kernel *kernel)
{
    vkDestroyDescriptorPool(f->dev, kernel->pool, NULL);
    vkDestroyPipeline(f->dev, kernel->pipeline, NULL);
    vkDestroyPipelineLayout(f->dev, kernel->layout, NULL);
    vkDestroyDescriptorSetLayout(f->dev, kernel->set_layout, NULL);
    for (uint32_t i = 0; i < 2; i++)
        vkDestroyImageView(f->dev, kernel->views[i], NULL);
}

void
plane_kernel_record(struct fixture *f, const struct plane_kernel *kernel, bool is_write)
{
    const uint32_t constant = is_write;

    vkCmdBindPipeline(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, kernel->pipeline);
    vkCmdBindDescriptorSets(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, kernel->layout, 0, 1,
                            &kernel->set, 0, NULL);
    vkCmdPushConstants(f->cb, kernel->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(constant),
                       &constant);
    vkCmdDispatch(f->cb, CODER_WIDTH_PX / 4 / 16, CODER_HEIGHT_PX * 3 / 2 / 16, 1);
}

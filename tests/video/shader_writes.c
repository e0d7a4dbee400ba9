/* SPDX-License-Identifier: MIT */
/* A reconstruction that a shader writes to is another picture: nothing that the encoder knows of
 * the one before is used with it.
 */
#include "pictures.h"
#include "stream.h"
#include "test.h"

#include "darken.spv.h"

#define WIDTH 128u
#define HEIGHT 96u

#define CHECK(call) REQUIRE_EQ((call), VK_SUCCESS)

struct kernel {
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkDescriptorPool descriptors;
    VkDescriptorSet set;
    VkCommandPool commands;
    VkCommandBuffer cb;
};

static void
create_pipeline(struct vk *vk, struct kernel *k)
{
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1,
                                                  VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    CHECK(vkCreateDescriptorSetLayout(
        vk->dev,
        &(VkDescriptorSetLayoutCreateInfo){.sType =
                                               VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                           .bindingCount = 1,
                                           .pBindings = &binding},
        NULL, &k->set_layout));
    CHECK(vkCreatePipelineLayout(
        vk->dev,
        &(VkPipelineLayoutCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                      .setLayoutCount = 1,
                                      .pSetLayouts = &k->set_layout},
        NULL, &k->layout));
    k->pipeline = vk_compute_pipeline(vk, k->layout, spirv_darken, sizeof(spirv_darken));
}

static void
create_set(struct vk *vk, struct kernel *k)
{
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1};
    CHECK(vkCreateDescriptorPool(
        vk->dev,
        &(VkDescriptorPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                      .maxSets = 1,
                                      .poolSizeCount = 1,
                                      .pPoolSizes = &size},
        NULL, &k->descriptors));
    CHECK(vkAllocateDescriptorSets(
        vk->dev,
        &(VkDescriptorSetAllocateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                       .descriptorPool = k->descriptors,
                                       .descriptorSetCount = 1,
                                       .pSetLayouts = &k->set_layout},
        &k->set));
    CHECK(vkCreateCommandPool(
        vk->dev,
        &(VkCommandPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                   .queueFamilyIndex = vk->compute_family},
        NULL, &k->commands));
    CHECK(vkAllocateCommandBuffers(
        vk->dev,
        &(VkCommandBufferAllocateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                       .commandPool = k->commands,
                                       .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                       .commandBufferCount = 1},
        &k->cb));
}

static void
kernel_destroy(struct vk *vk, struct kernel *k)
{
    vkDestroyCommandPool(vk->dev, k->commands, NULL);
    vkDestroyDescriptorPool(vk->dev, k->descriptors, NULL);
    vkDestroyPipeline(vk->dev, k->pipeline, NULL);
    vkDestroyPipelineLayout(vk->dev, k->layout, NULL);
    vkDestroyDescriptorSetLayout(vk->dev, k->set_layout, NULL);
}

static void
darken(struct vk *vk, const struct vk_image *img)
{
    struct kernel k;
    create_pipeline(vk, &k);
    create_set(vk, &k);
    VkImageView luma;
    CHECK(vkCreateImageView(
        vk->dev,
        &(VkImageViewCreateInfo){.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                 .image = img->handle,
                                 .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                 .format = VK_FORMAT_R8_UNORM,
                                 .subresourceRange = {VK_IMAGE_ASPECT_PLANE_0_BIT, 0, 1, 0, 1}},
        NULL, &luma));
    const VkDescriptorImageInfo image = {.imageView = luma, .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
    vkUpdateDescriptorSets(
        vk->dev, 1,
        &(VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                .dstSet = k.set,
                                .descriptorCount = 1,
                                .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                                .pImageInfo = &image},
        0, NULL);
    CHECK(vkBeginCommandBuffer(
        k.cb, &(VkCommandBufferBeginInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO}));
    vkCmdBindPipeline(k.cb, VK_PIPELINE_BIND_POINT_COMPUTE, k.pipeline);
    vkCmdBindDescriptorSets(k.cb, VK_PIPELINE_BIND_POINT_COMPUTE, k.layout, 0, 1, &k.set, 0, NULL);
    vkCmdDispatch(k.cb, WIDTH / 16, HEIGHT / 16, 1);
    CHECK(vkEndCommandBuffer(k.cb));
    CHECK(vkQueueSubmit(vk->compute_queue, 1,
                        &(VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                        .commandBufferCount = 1,
                                        .pCommandBuffers = &k.cb},
                        VK_NULL_HANDLE));
    CHECK(vkQueueWaitIdle(vk->compute_queue));
    vkDestroyImageView(vk->dev, luma, NULL);
    kernel_destroy(vk, &k);
}

static void
darken_slot(struct vk *vk, const struct stream *s, int32_t slot)
{
    darken(vk, stream_slot_image(s, slot));
}

static void
the_encoder_sees_what_a_shader_wrote(struct vk *vk)
{
    const struct stream_options options = {.width_px = WIDTH,
                                           .height_px = HEIGHT,
                                           .slot_count = 3,
                                           .max_refs = 2,
                                           .poc_type = 2,
                                           .quality_level = 5,
                                           .is_storage = true};
    require_write_is_seen(vk, &options, darken_slot);
}

int
main(void)
{
    struct vk vk;
    vk_open(&vk);
    RUN(the_encoder_sees_what_a_shader_wrote, &vk);
    vk_close(&vk);
    return 0;
}

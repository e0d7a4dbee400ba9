/* SPDX-License-Identifier: MIT */
/* Dispatches of accesses.comp, three workgroups each: every case of it, some with two pitches, and
 * one of eight by eight workgroups; with descriptors that are pushed, and with such in a heap. The
 * script beside this knows what a profile has to say of each.
 */
#include "fixture.h"

#include "spirv_accesses.h"

#define WORDS 8192u
#define BINDINGS 4u
#define DESCRIPTOR_B 32u /* of a heap */
#define SIDE_PX 16u

struct accesses {
    struct fixture *f;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    struct test_buffer buffers[3];
    struct test_image image;
    VkImageViewCreateInfo view_info;
    VkImageView view;
    bool has_heap;
    struct test_buffer heap;
};

static VkDescriptorType
type_of(uint32_t binding)
{
    return binding == 3 ? VK_DESCRIPTOR_TYPE_STORAGE_IMAGE : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

static void
create_layouts(struct accesses *a)
{
    VkDescriptorSetLayoutBinding bindings[BINDINGS];
    for (uint32_t i = 0; i < BINDINGS; i++)
        bindings[i] =
            (VkDescriptorSetLayoutBinding){i, type_of(i), 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    const VkDescriptorSetLayoutCreateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT,
        .bindingCount = BINDINGS,
        .pBindings = bindings,
    };
    REQUIRE_EQ(vkCreateDescriptorSetLayout(a->f->dev, &set_info, NULL, &a->set_layout), VK_SUCCESS);
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &a->set_layout,
    };
    REQUIRE_EQ(vkCreatePipelineLayout(a->f->dev, &info, NULL, &a->layout), VK_SUCCESS);
}

static void
create_image(struct accesses *a)
{
    VkImageCreateInfo info = test_image_info(VK_FORMAT_R32_UINT, SIDE_PX, SIDE_PX);
    info.usage |= VK_IMAGE_USAGE_STORAGE_BIT;
    a->image = test_image_create_with(a->f, &info);
    a->view_info = (VkImageViewCreateInfo){
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = a->image.handle,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = info.format,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    REQUIRE_EQ(vkCreateImageView(a->f->dev, &a->view_info, NULL, &a->view), VK_SUCCESS);
}

static VkPipeline
create_pipeline(const struct accesses *a, uint32_t number, uint32_t pitch, const void *next)
{
    const uint32_t values[] = {number, pitch};
    const VkSpecializationMapEntry entries[] = {{0, 0, 4}, {1, 4, 4}};
    const VkSpecializationInfo constants = {2, entries, sizeof(values), values};
    const VkDescriptorSetAndBindingMappingEXT mapping = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_AND_BINDING_MAPPING_EXT,
        .bindingCount = BINDINGS,
        .resourceMask = VK_SPIRV_RESOURCE_TYPE_ALL_EXT,
        .source = VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT,
        .sourceData.constantOffset.heapArrayStride = DESCRIPTOR_B,
    };
    const VkShaderDescriptorSetAndBindingMappingInfoEXT mappings = {
        .sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
        .mappingCount = 1,
        .pMappings = &mapping,
    };
    const VkPipelineCreateFlags2CreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
        .pNext = next,
        .flags = VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT,
    };
    const VkShaderModuleCreateInfo module = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .pNext = a->has_heap ? &mappings : NULL,
        .codeSize = sizeof(spirv_accesses),
        .pCode = spirv_accesses,
    };
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .pNext = a->has_heap ? &flags : next,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .pNext = &module,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .pName = "main",
                  .pSpecializationInfo = &constants},
        .layout = a->has_heap ? VK_NULL_HANDLE : a->layout,
    };
    VkPipeline pipeline;
    REQUIRE_EQ(vkCreateComputePipelines(a->f->dev, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
               VK_SUCCESS);
    return pipeline;
}

/* is_alias: the first two are one buffer. */
static void
push_descriptors(const struct accesses *a, bool is_alias)
{
    const VkDescriptorImageInfo image = {VK_NULL_HANDLE, a->view, VK_IMAGE_LAYOUT_GENERAL};
    VkDescriptorBufferInfo buffers[BINDINGS] = {{0}};
    VkWriteDescriptorSet writes[BINDINGS];
    for (uint32_t i = 0; i < BINDINGS; i++) {
        const uint32_t k = i == 1 && is_alias ? 0 : i;
        if (i < 3)
            buffers[i] = (VkDescriptorBufferInfo){a->buffers[k].handle, 0, VK_WHOLE_SIZE};
        writes[i] = (VkWriteDescriptorSet){
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstBinding = i,
            .descriptorCount = 1,
            .descriptorType = type_of(i),
            .pBufferInfo = &buffers[i],
            .pImageInfo = &image,
        };
    }
    vkCmdPushDescriptorSetKHR(a->f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, a->layout, 0, BINDINGS,
                              writes);
}

/* The same in a heap. */
static void
bind_heap(const struct accesses *a, bool is_alias)
{
    const VkImageDescriptorInfoEXT image = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_DESCRIPTOR_INFO_EXT,
        .pView = &a->view_info,
        .layout = VK_IMAGE_LAYOUT_GENERAL,
    };
    const VkBindHeapInfoEXT heap = {
        .sType = VK_STRUCTURE_TYPE_BIND_HEAP_INFO_EXT,
        .heapRange = test_address_range(a->f, a->heap.handle, 0, a->heap.size_B),
    };
    for (uint32_t i = 0; i < BINDINGS; i++) {
        const uint32_t k = i == 1 && is_alias ? 0 : i;
        VkDeviceAddressRangeEXT range;
        VkResourceDescriptorInfoEXT info = {
            .sType = VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT,
            .type = type_of(i),
            .data.pImage = &image,
        };
        const VkHostAddressRangeEXT to = {a->heap.bytes + i * DESCRIPTOR_B, DESCRIPTOR_B};
        if (i < 3) {
            range = test_address_range(a->f, a->buffers[k].handle, 0, WORDS * 4);
            info.data.pAddressRange = &range;
        }
        REQUIRE_EQ(vkWriteResourceDescriptorsEXT(a->f->dev, 1, &info, &to), VK_SUCCESS);
    }
    vkCmdBindResourceHeapEXT(a->f->cb, &heap);
}

static void
run_pipeline(const struct accesses *a, VkPipeline pipeline, uint32_t number, uint32_t columns,
             uint32_t rows)
{
    memset(a->buffers[0].bytes, 0, WORDS * 4);
    test_begin(a->f);
    vkCmdBindPipeline(a->f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    if (a->has_heap)
        bind_heap(a, number == 13);
    else
        push_descriptors(a, number == 13);
    vkCmdDispatch(a->f->cb, columns, rows, 1);
    test_submit_and_wait(a->f);
    vkDestroyPipeline(a->f->dev, pipeline, NULL);
}

static void
run_case(const struct accesses *a, uint32_t number, uint32_t pitch, uint32_t columns, uint32_t rows)
{
    run_pipeline(a, create_pipeline(a, number, pitch, NULL), number, columns, rows);
}

/* As an application without the features of robustness has it. */
static void
run_without_robustness(const struct accesses *a, uint32_t number)
{
    const VkPipelineRobustnessCreateInfo none = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO,
        .storageBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED,
        .uniformBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED,
        .vertexInputs = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED,
        .images = VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_DISABLED,
    };
    run_pipeline(a, create_pipeline(a, number, 32, &none), number, 3, 1);
}

static void
cases_run(struct fixture *f, bool has_heap)
{
    static const uint32_t numbers[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                       12, 13, 14, 15, 20, 21, 22, 23, 24, 25, 26,
                                       27, 28, 29, 40, 41, 42, 43, 44, 45, 46, 47};
    struct accesses a = {.f = f, .has_heap = has_heap};
    create_layouts(&a);
    create_image(&a);
    for (uint32_t i = 0; i < 3; i++)
        a.buffers[i] = test_buffer_create(f, WORDS * 4, 0);
    a.heap = test_buffer_create(f, BINDINGS * DESCRIPTOR_B, 0);
    for (uint32_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        run_case(&a, numbers[i], 32, 3, 1);
    run_case(&a, 50, 32, 3, 1);
    run_case(&a, 50, 33, 3, 1);
    run_case(&a, 60, 32, 8, 8);
    run_without_robustness(&a, 1);
    run_without_robustness(&a, 2);
    run_without_robustness(&a, 10);
    run_without_robustness(&a, 14);
    for (uint32_t i = 0; i < 3; i++)
        test_buffer_destroy(f, &a.buffers[i]);
    test_buffer_destroy(f, &a.heap);
    vkDestroyImageView(f->dev, a.view, NULL);
    test_image_destroy(f, &a.image);
    vkDestroyPipelineLayout(f->dev, a.layout, NULL);
    vkDestroyDescriptorSetLayout(f->dev, a.set_layout, NULL);
}

static void
descriptors_are_pushed(struct fixture *f)
{
    cases_run(f, false);
}

static void
descriptors_are_in_a_heap(struct fixture *f)
{
    cases_run(f, true);
}

static const struct test_case cases[] = {
    TEST_CASE(descriptors_are_pushed),
    TEST_CASE(descriptors_are_in_a_heap),
};

TEST_MAIN(cases)

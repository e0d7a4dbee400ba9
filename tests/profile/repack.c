/* SPDX-License-Identifier: MIT */
/* Each case of repack.comp, 4 by 4 by 2 workgroups; that which takes its ids from an array if
 * REPACK_SWIZZLE names a file with one.
 */
#include "fixture.h"

#include "spirv_repack.h"
#include "spirv_repack_barrier.h"

#include <stdio.h>
#include <stdlib.h>

#define COUNT (4u * 4u * 2u * 64u)
#define CASES 4u

struct repack {
    struct fixture *f;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    struct test_buffer buffers[2]; /* results, swizzle */
};

static void
create_layouts(struct repack *r)
{
    VkDescriptorSetLayoutBinding bindings[2];
    for (uint32_t i = 0; i < 2; i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                     VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    const VkDescriptorSetLayoutCreateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT,
        .bindingCount = 2,
        .pBindings = bindings,
    };
    REQUIRE_EQ(vkCreateDescriptorSetLayout(r->f->dev, &set_info, NULL, &r->set_layout), VK_SUCCESS);
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &r->set_layout,
    };
    REQUIRE_EQ(vkCreatePipelineLayout(r->f->dev, &info, NULL, &r->layout), VK_SUCCESS);
}

static VkPipeline
create_pipeline(const struct repack *r, uint32_t number)
{
    const VkSpecializationMapEntry entry = {0, 0, 4};
    const VkSpecializationInfo constants = {1, &entry, 4, &number};
    const VkShaderModuleCreateInfo module = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = number == 3 ? sizeof(spirv_repack_barrier) : sizeof(spirv_repack),
        .pCode = number == 3 ? spirv_repack_barrier : spirv_repack,
    };
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .pNext = &module,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .pName = "main",
                  .pSpecializationInfo = &constants},
        .layout = r->layout,
    };
    VkPipeline pipeline;
    REQUIRE_EQ(vkCreateComputePipelines(r->f->dev, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
               VK_SUCCESS);
    return pipeline;
}

static void
run_case(const struct repack *r, uint32_t number)
{
    VkDescriptorBufferInfo buffers[2];
    VkWriteDescriptorSet writes[2];
    const VkPipeline pipeline = create_pipeline(r, number);
    for (uint32_t i = 0; i < 2; i++) {
        buffers[i] = (VkDescriptorBufferInfo){r->buffers[i].handle, 0, VK_WHOLE_SIZE};
        writes[i] = (VkWriteDescriptorSet){
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstBinding = i,
            .descriptorCount = 1,
            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            .pBufferInfo = &buffers[i],
        };
    }
    test_begin(r->f);
    vkCmdBindPipeline(r->f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdPushDescriptorSetKHR(r->f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, r->layout, 0, 2, writes);
    vkCmdDispatch(r->f->cb, 4, 4, 2);
    test_submit_and_wait(r->f);
    vkDestroyPipeline(r->f->dev, pipeline, NULL);
}

/* False: there is none. */
static bool
load_swizzle(struct repack *r)
{
    const char *name = getenv("REPACK_SWIZZLE");
    if (!name)
        return false;
    FILE *file = fopen(name, "rb");
    REQUIRE(file);
    REQUIRE_EQ(fread(r->buffers[1].words, 4, COUNT, file), COUNT);
    (void)fclose(file);
    return true;
}

static uint32_t
result_of(uint32_t at)
{
    uint32_t sum = at;
    for (uint32_t i = 0; i < (at * 2654435761u) >> 27; i++)
        sum = sum * 1664525u + 1013904223u;
    return sum;
}

static void
cases_run(struct fixture *f)
{
    struct repack r = {.f = f};
    create_layouts(&r);
    for (uint32_t i = 0; i < 2; i++)
        r.buffers[i] = test_buffer_create(f, 4 * COUNT, 0xee);
    const bool has_swizzle = load_swizzle(&r);
    for (uint32_t i = 0; i < CASES; i++) {
        if (i == 1 && !has_swizzle)
            continue;
        memset(r.buffers[0].bytes, 0xee, 4 * COUNT);
        run_case(&r, i);
        for (uint32_t at = 0; i < 2 && at < COUNT; at++)
            REQUIRE_EQ(r.buffers[0].words[at], result_of(at));
        for (uint32_t at = 0; i == 2 && at < COUNT; at++)
            REQUIRE_EQ(r.buffers[0].words[at] == 0xeeeeeeeeu, at >= 64);
    }
    for (uint32_t i = 0; i < 2; i++)
        test_buffer_destroy(f, &r.buffers[i]);
    vkDestroyPipelineLayout(f->dev, r.layout, NULL);
    vkDestroyDescriptorSetLayout(f->dev, r.set_layout, NULL);
}

static const struct test_case cases[] = {TEST_CASE(cases_run)};

TEST_MAIN(cases)

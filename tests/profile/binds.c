/* SPDX-License-Identifier: MIT */
/* Does what the standard input says, line by line, on one device:
 *
 *   pipeline P NUMBER USED   makes pipeline P (0 or 1) of binds.comp with these; forgets all sets
 *   begin                    a command buffer begins
 *   use P                    binds pipeline P
 *   set S BUFFER... OFFSET   a new set S: a buffer for each descriptor; the dynamic offset
 *   again S                  binds that set once more, with its offset
 *   push FIRST COUNT WORD... push constants, by words
 *   dispatch
 *   barrier
 *   end                      submits and waits
 *   expect BUFFER WORD       what the kernel wrote
 *
 * Buffers are pieces of one, 256 bytes each; offsets count such pieces.
 */
#include "fixture.h"

#include "binds_modules.h"

#include <stdio.h>
#include <stdlib.h>

#define PIECE_B 256u
#define PIECES 256u
#define SETS 3u
#define MAX_NUMBERS 16u

static const uint32_t binding_counts[SETS] = {6, 3, 3};

struct binds {
    struct fixture f;
    VkDescriptorSetLayout set_layouts[SETS];
    VkPipelineLayout layout;
    VkDescriptorPool pool;
    VkPipeline pipelines[2];
    VkDescriptorSet sets[SETS];
    uint32_t offsets_B[SETS];
    struct test_buffer buf;
    uint32_t numbers[MAX_NUMBERS]; /* of the line */
    uint32_t number_count;
};

static uint32_t
descriptor_count(uint32_t set, uint32_t binding)
{
    return set == 0 && binding == 4 ? 2 : 1;
}

static VkDescriptorType
descriptor_type(uint32_t set, uint32_t binding)
{
    return set == 1 && binding == 1 ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC
                                    : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

static void
create_layouts(struct binds *b)
{
    for (uint32_t s = 0; s < SETS; s++) {
        VkDescriptorSetLayoutBinding bindings[6];
        for (uint32_t i = 0; i < binding_counts[s]; i++)
            bindings[i] =
                (VkDescriptorSetLayoutBinding){i, descriptor_type(s, i), descriptor_count(s, i),
                                               VK_SHADER_STAGE_COMPUTE_BIT, NULL};
        const VkDescriptorSetLayoutCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
            .bindingCount = binding_counts[s],
            .pBindings = bindings,
        };
        REQUIRE_EQ(vkCreateDescriptorSetLayout(b->f.dev, &info, NULL, &b->set_layouts[s]),
                   VK_SUCCESS);
    }
    const VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 16};
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = SETS,
        .pSetLayouts = b->set_layouts,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &push,
    };
    REQUIRE_EQ(vkCreatePipelineLayout(b->f.dev, &info, NULL, &b->layout), VK_SUCCESS);
}

static void
create_pool(struct binds *b)
{
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 8192},
                                          {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, 1024}};
    const VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 1024,
        .poolSizeCount = 2,
        .pPoolSizes = sizes,
    };
    REQUIRE_EQ(vkCreateDescriptorPool(b->f.dev, &info, NULL, &b->pool), VK_SUCCESS);
}

static void
create_pipeline(struct binds *b)
{
    const uint32_t *number = b->numbers;
    uint32_t m = 0;
    REQUIRE(b->number_count == 3 && number[0] < 2);
    while (m < sizeof(modules) / sizeof(modules[0]) && modules[m].used != number[2])
        m++;
    REQUIRE(m < sizeof(modules) / sizeof(modules[0]));
    const VkShaderModuleCreateInfo module = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = modules[m].size_B,
        .pCode = modules[m].words,
    };
    const VkSpecializationMapEntry entry = {0, 0, 4};
    const VkSpecializationInfo constants = {1, &entry, 4, number + 1};
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .pNext = &module,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .pName = "main",
                  .pSpecializationInfo = &constants},
        .layout = b->layout,
    };
    vkDestroyPipeline(b->f.dev, b->pipelines[number[0]], NULL);
    REQUIRE_EQ(vkCreateComputePipelines(b->f.dev, VK_NULL_HANDLE, 1, &info, NULL,
                                        &b->pipelines[number[0]]),
               VK_SUCCESS);
    REQUIRE_EQ(vkResetDescriptorPool(b->f.dev, b->pool, 0), VK_SUCCESS);
}

static void
bind_set(struct binds *b, uint32_t s)
{
    vkCmdBindDescriptorSets(b->f.cb, VK_PIPELINE_BIND_POINT_COMPUTE, b->layout, s, 1, &b->sets[s],
                            s == 1, &b->offsets_B[s]);
}

static void
bind_new_set(struct binds *b)
{
    const uint32_t s = b->numbers[0];
    const VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = b->pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &b->set_layouts[s],
    };
    REQUIRE_EQ(vkAllocateDescriptorSets(b->f.dev, &info, &b->sets[s]), VK_SUCCESS);
    uint32_t next = 1;
    for (uint32_t i = 0; i < binding_counts[s]; i++)
        for (uint32_t e = 0; e < descriptor_count(s, i); e++) {
            const VkDescriptorBufferInfo piece = {b->buf.handle, b->numbers[next++] * PIECE_B,
                                                  PIECE_B};
            const VkWriteDescriptorSet write = {
                .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                .dstSet = b->sets[s],
                .dstBinding = i,
                .dstArrayElement = e,
                .descriptorCount = 1,
                .descriptorType = descriptor_type(s, i),
                .pBufferInfo = &piece,
            };
            vkUpdateDescriptorSets(b->f.dev, 1, &write, 0, NULL);
        }
    REQUIRE_EQ(next + 1, b->number_count);
    b->offsets_B[s] = b->numbers[next] * PIECE_B;
    bind_set(b, s);
}

static void
run_line(struct binds *b, const char *what)
{
    const uint32_t *number = b->numbers;
    if (strcmp(what, "pipeline") == 0)
        create_pipeline(b);
    else if (strcmp(what, "begin") == 0)
        test_begin(&b->f);
    else if (strcmp(what, "use") == 0)
        vkCmdBindPipeline(b->f.cb, VK_PIPELINE_BIND_POINT_COMPUTE, b->pipelines[number[0]]);
    else if (strcmp(what, "set") == 0)
        bind_new_set(b);
    else if (strcmp(what, "again") == 0)
        bind_set(b, number[0]);
    else if (strcmp(what, "push") == 0)
        vkCmdPushConstants(b->f.cb, b->layout, VK_SHADER_STAGE_COMPUTE_BIT, number[0] * 4,
                           number[1] * 4, number + 2);
    else if (strcmp(what, "dispatch") == 0)
        vkCmdDispatch(b->f.cb, 1, 1, 1);
    else if (strcmp(what, "barrier") == 0)
        vkCmdPipelineBarrier(b->f.cb, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                             VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 0, NULL, 0, NULL, 0, NULL);
    else if (strcmp(what, "end") == 0)
        test_submit_and_wait(&b->f);
    else if (strcmp(what, "expect") == 0)
        REQUIRE_EQ(b->buf.words[number[0] * PIECE_B / 4], number[1]);
    else
        REQUIRE(!"a line that is known");
}

static void
run_all(struct binds *b)
{
    char line[512], what[16];
    while (fgets(line, sizeof(line), stdin)) {
        int at = 0, length;
        REQUIRE_EQ(sscanf(line, "%15s%n", what, &at), 1);
        b->number_count = 0;
        while (b->number_count < MAX_NUMBERS &&
               sscanf(line + at, "%u%n", &b->numbers[b->number_count], &length) == 1) {
            b->number_count++;
            at += length;
        }
        run_line(b, what);
    }
}

static void
does_what_the_input_says(struct fixture *f)
{
    struct binds *b = calloc(1, sizeof(*b));
    REQUIRE(b);
    b->f = *f;
    b->buf = test_buffer_create(&b->f, PIECES * PIECE_B, 0);
    create_layouts(b);
    create_pool(b);
    run_all(b);
    for (uint32_t i = 0; i < 2; i++)
        vkDestroyPipeline(f->dev, b->pipelines[i], NULL);
    vkDestroyDescriptorPool(f->dev, b->pool, NULL);
    vkDestroyPipelineLayout(f->dev, b->layout, NULL);
    for (uint32_t s = 0; s < SETS; s++)
        vkDestroyDescriptorSetLayout(f->dev, b->set_layouts[s], NULL);
    test_buffer_destroy(&b->f, &b->buf);
    free(b);
}

static const struct test_case cases[] = {TEST_CASE(does_what_the_input_says)};

TEST_MAIN(cases)

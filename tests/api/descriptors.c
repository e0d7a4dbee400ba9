/* SPDX-License-Identifier: MIT */
/* Compute pipelines and all ways to give them what they work on.
 */
#include "fixture.h"

#include "api_shaders.h"

#define COUNT 64
#define PART_B (COUNT * sizeof(uint32_t))

enum { SOURCE, RESULT, SCALE };

struct scale_pipeline {
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    struct test_buffer buf; /* source | result | scale, PART_B each */
};

struct set_kind {
    VkDescriptorSetLayoutCreateFlags flags;
    VkDescriptorType storage; /* STORAGE_BUFFER or its dynamic form */
    VkDescriptorType uniform; /* UNIFORM_BUFFER or INLINE_UNIFORM_BLOCK */
};

static const struct set_kind plain = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                      VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER};

static VkPipeline
pipeline_create_flags(struct fixture *f, const uint32_t *words, size_t size_B,
                      VkPipelineLayout layout, const VkSpecializationInfo *specialization,
                      VkPipelineCreateFlags flags)
{
    const VkShaderModuleCreateInfo code = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size_B, .pCode = words};
    VkShaderModule module;
    REQUIRE_EQ(vkCreateShaderModule(f->dev, &code, NULL, &module), VK_SUCCESS);
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .flags = flags,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main",
                  .pSpecializationInfo = specialization},
        .layout = layout,
    };
    VkPipeline pipeline;
    REQUIRE_EQ(vkCreateComputePipelines(f->dev, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
               VK_SUCCESS);
    vkDestroyShaderModule(f->dev, module, NULL);
    return pipeline;
}

static VkPipeline
pipeline_create(struct fixture *f, const uint32_t *words, size_t size_B, VkPipelineLayout layout,
                const VkSpecializationInfo *specialization)
{
    return pipeline_create_flags(f, words, size_B, layout, specialization, 0);
}

static void
set_allocate(struct fixture *f, struct scale_pipeline *p, const struct set_kind *kind)
{
    const VkDescriptorPoolInlineUniformBlockCreateInfo blocks = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO,
        .maxInlineUniformBlockBindings = 1,
    };
    const VkDescriptorPoolSize sizes[2] = {{kind->storage, 2}, {kind->uniform, 4}};
    const VkDescriptorPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .pNext = &blocks,
        .maxSets = 1,
        .poolSizeCount = 2,
        .pPoolSizes = sizes,
    };
    REQUIRE_EQ(vkCreateDescriptorPool(f->dev, &pool, NULL, &p->pool), VK_SUCCESS);
    const VkDescriptorSetAllocateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = p->pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &p->set_layout,
    };
    REQUIRE_EQ(vkAllocateDescriptorSets(f->dev, &set, &p->set), VK_SUCCESS);
}

static struct scale_pipeline
scale_pipeline_create(struct fixture *f, const struct set_kind *kind,
                      const VkSpecializationInfo *specialization)
{
    struct scale_pipeline p = {0};
    const bool is_inline = kind->uniform == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
    const VkDescriptorSetLayoutBinding bindings[3] = {
        {SOURCE, kind->storage, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {RESULT, kind->storage, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {SCALE, kind->uniform, is_inline ? 4 : 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
    };
    static const VkDescriptorType either[2] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                               VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER};
    const VkMutableDescriptorTypeListEXT lists[3] = {{2, either}, {2, either}, {2, either}};
    const VkMutableDescriptorTypeCreateInfoEXT types = {
        .sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT,
        .mutableDescriptorTypeListCount = 3,
        .pMutableDescriptorTypeLists = lists,
    };
    const VkDescriptorSetLayoutCreateInfo set_layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .pNext = kind->storage == VK_DESCRIPTOR_TYPE_MUTABLE_EXT ? &types : NULL,
        .flags = kind->flags,
        .bindingCount = 3,
        .pBindings = bindings,
    };
    REQUIRE_EQ(vkCreateDescriptorSetLayout(f->dev, &set_layout, NULL, &p.set_layout), VK_SUCCESS);
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 4};
    const VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &p.set_layout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    REQUIRE_EQ(vkCreatePipelineLayout(f->dev, &layout, NULL, &p.layout), VK_SUCCESS);
    p.pipeline = pipeline_create(f, spirv_scale, sizeof(spirv_scale), p.layout, specialization);
    if (!(kind->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT))
        set_allocate(f, &p, kind);

    p.buf = test_buffer_create(f, 3 * PART_B, 0xee);
    for (uint32_t i = 0; i < COUNT; i++)
        p.buf.words[i] = i;
    p.buf.words[2 * COUNT] = 3;
    return p;
}

static void
scale_pipeline_destroy(struct fixture *f, struct scale_pipeline *p)
{
    test_buffer_destroy(f, &p->buf);
    vkDestroyDescriptorPool(f->dev, p->pool, NULL);
    vkDestroyPipeline(f->dev, p->pipeline, NULL);
    vkDestroyPipelineLayout(f->dev, p->layout, NULL);
    vkDestroyDescriptorSetLayout(f->dev, p->set_layout, NULL);
}

/* The whole of part i of the buffer. */
static VkDescriptorBufferInfo
part(const struct scale_pipeline *p, uint32_t i)
{
    return (VkDescriptorBufferInfo){p->buf.handle, i * PART_B, PART_B};
}

static void
set_write(struct fixture *f, const struct scale_pipeline *p, uint32_t binding,
          VkDescriptorType type, const VkDescriptorBufferInfo *info)
{
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = p->set,
        .dstBinding = binding,
        .descriptorCount = 1,
        .descriptorType = type,
        .pBufferInfo = info,
    };
    vkUpdateDescriptorSets(f->dev, 1, &write, 0, NULL);
}

static void
set_write_all(struct fixture *f, const struct scale_pipeline *p)
{
    const VkDescriptorBufferInfo infos[3] = {part(p, 0), part(p, 1), part(p, 2)};
    set_write(f, p, SOURCE, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &infos[0]);
    set_write(f, p, RESULT, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &infos[1]);
    set_write(f, p, SCALE, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, &infos[2]);
}

static void
bind(struct fixture *f, const struct scale_pipeline *p, uint32_t addend)
{
    vkCmdBindPipeline(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, p->pipeline);
    if (p->set)
        vkCmdBindDescriptorSets(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, p->layout, 0, 1, &p->set, 0,
                                NULL);
    vkCmdPushConstants(f->cb, p->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &addend);
}

/* result[i] is i * 3 + constant for i in [first, end), untouched elsewhere. */
static void
require_scaled(const struct scale_pipeline *p, uint32_t first, uint32_t end, uint32_t constant)
{
    for (uint32_t i = 0; i < COUNT; i++)
        REQUIRE_EQ(p->buf.words[COUNT + i], i >= first && i < end ? i * 3 + constant : 0xeeeeeeeeu);
}

static void
a_dispatch_reads_sets_and_push_constants(struct fixture *f)
{
    struct scale_pipeline p = scale_pipeline_create(f, &plain, NULL);
    set_write_all(f, &p);
    test_begin(f);
    bind(f, &p, 100);
    vkCmdDispatch(f->cb, COUNT / 8, 1, 1);
    test_submit_and_wait(f);
    require_scaled(&p, 0, COUNT, 101);
    scale_pipeline_destroy(f, &p);
}

static void
specialization_changes_constants(struct fixture *f)
{
    const uint32_t bias = 1000;
    const VkSpecializationMapEntry entry = {7, 0, 4};
    const VkSpecializationInfo info = {1, &entry, 4, &bias};
    struct scale_pipeline p = scale_pipeline_create(f, &plain, &info);
    set_write_all(f, &p);
    test_begin(f);
    bind(f, &p, 0);
    vkCmdDispatch(f->cb, COUNT / 8, 1, 1);
    test_submit_and_wait(f);
    require_scaled(&p, 0, COUNT, 1000);
    scale_pipeline_destroy(f, &p);
}

static void
base_and_indirect_counts_are_honoured(struct fixture *f)
{
    struct scale_pipeline p = scale_pipeline_create(f, &plain, NULL);
    set_write_all(f, &p);
    struct test_buffer counts = test_buffer_create(f, 32, 0);
    counts.words[1] = 2;
    counts.words[2] = 1;
    counts.words[3] = 1;

    test_begin(f);
    bind(f, &p, 0);
    vkCmdDispatchBase(f->cb, 2, 0, 0, 3, 1, 1);
    test_submit_and_wait(f);
    require_scaled(&p, 16, 40, 1);

    test_begin(f);
    bind(f, &p, 0);
    vkCmdDispatchIndirect(f->cb, counts.handle, 4);
    vkCmdDispatch(f->cb, 0, 1, 1);
    test_submit_and_wait(f);
    for (uint32_t i = 0; i < 40; i++)
        REQUIRE_EQ(p.buf.words[COUNT + i], i * 3 + 1);
    REQUIRE_EQ(p.buf.words[COUNT + 40], 0xeeeeeeeeu);
    test_buffer_destroy(f, &counts);
    scale_pipeline_destroy(f, &p);
}

static void
dynamic_offsets_move_buffers(struct fixture *f)
{
    const struct set_kind kind = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC,
                                  VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER};
    struct scale_pipeline p = scale_pipeline_create(f, &kind, NULL);
    const VkDescriptorBufferInfo start = {p.buf.handle, 0, PART_B / 2};
    const VkDescriptorBufferInfo scale = part(&p, 2);
    set_write(f, &p, SOURCE, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, &start);
    set_write(f, &p, RESULT, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, &start);
    set_write(f, &p, SCALE, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, &scale);
    const uint32_t offsets[2] = {PART_B / 2, PART_B + PART_B / 2};
    const uint32_t addend = 0;

    test_begin(f);
    vkCmdBindPipeline(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, p.pipeline);
    vkCmdBindDescriptorSets(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, p.layout, 0, 1, &p.set, 2,
                            offsets);
    vkCmdPushConstants(f->cb, p.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &addend);
    vkCmdDispatch(f->cb, COUNT / 8, 1, 1);
    test_submit_and_wait(f);
    require_scaled(&p, COUNT / 2, COUNT, 1);
    scale_pipeline_destroy(f, &p);
}

static void
push_descriptors_add_up(struct fixture *f)
{
    const struct set_kind kind = {VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT,
                                  VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                  VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER};
    struct scale_pipeline p = scale_pipeline_create(f, &kind, NULL);
    VkDescriptorBufferInfo infos[3] = {part(&p, 0), part(&p, 1), part(&p, 2)};
    VkWriteDescriptorSet writes[3];
    for (uint32_t i = 0; i < 3; i++)
        writes[i] = (VkWriteDescriptorSet){
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstBinding = i,
            .descriptorCount = 1,
            .descriptorType = i == SCALE ? kind.uniform : kind.storage,
            .pBufferInfo = &infos[i],
        };

    test_begin(f);
    bind(f, &p, 0);
    vkCmdPushDescriptorSet(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, p.layout, 0, 1, &writes[SCALE]);
    vkCmdPushDescriptorSetKHR(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, p.layout, 0, 2, writes);
    infos[SOURCE] = (VkDescriptorBufferInfo){0}; /* copied when it was recorded */
    vkCmdDispatch(f->cb, COUNT / 8, 1, 1);
    test_submit_and_wait(f);
    require_scaled(&p, 0, COUNT, 1);
    scale_pipeline_destroy(f, &p);
}

/* One binding takes a descriptor of one type, then of another; copies carry the type along. */
static void
mutable_descriptors_change_their_type(struct fixture *f)
{
    const struct set_kind kind = {0, VK_DESCRIPTOR_TYPE_MUTABLE_EXT,
                                  VK_DESCRIPTOR_TYPE_MUTABLE_EXT};
    struct scale_pipeline p = scale_pipeline_create(f, &kind, NULL);
    const VkDescriptorBufferInfo scale = part(&p, 2);
    set_write(f, &p, RESULT, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, &scale);
    const VkCopyDescriptorSet copy = {
        .sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
        .srcSet = p.set,
        .srcBinding = RESULT,
        .dstSet = p.set,
        .dstBinding = SCALE,
        .descriptorCount = 1,
    };
    vkUpdateDescriptorSets(f->dev, 0, NULL, 1, &copy);
    const VkDescriptorBufferInfo storage[2] = {part(&p, 0), part(&p, 1)};
    set_write(f, &p, SOURCE, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &storage[0]);
    set_write(f, &p, RESULT, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &storage[1]);
    test_begin(f);
    bind(f, &p, 100);
    vkCmdDispatch(f->cb, COUNT / 8, 1, 1);
    test_submit_and_wait(f);
    require_scaled(&p, 0, COUNT, 101);
    scale_pipeline_destroy(f, &p);
}

/* Words of a condition buffer at 4: 0, 1. */
static void
conditions_leave_dispatches_out(struct fixture *f)
{
    static const struct {
        VkDeviceSize offset_B;
        VkConditionalRenderingFlagsEXT flags;
        bool runs;
    } rounds[4] = {
        {4, 0, false},
        {8, 0, true},
        {4, VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT, true},
        {8, VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT, false},
    };
    struct test_buffer condition = test_buffer_create(f, 16, 0);
    condition.words[2] = 1;
    for (uint32_t i = 0; i < 4; i++) {
        struct scale_pipeline p = scale_pipeline_create(f, &plain, NULL);
        const VkConditionalRenderingBeginInfoEXT info = {
            .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
            .buffer = condition.handle,
            .offset = rounds[i].offset_B,
            .flags = rounds[i].flags,
        };
        set_write_all(f, &p);
        test_begin(f);
        bind(f, &p, 0);
        vkCmdBeginConditionalRenderingEXT(f->cb, &info);
        vkCmdDispatchBase(f->cb, 2, 0, 0, 2, 1, 1);
        vkCmdEndConditionalRenderingEXT(f->cb);
        vkCmdDispatchBase(f->cb, 4, 0, 0, 1, 1, 1);
        test_submit_and_wait(f);
        require_scaled(&p, rounds[i].runs ? 16 : 32, 40, 1);
        scale_pipeline_destroy(f, &p);
    }
    test_buffer_destroy(f, &condition);
}

static void
inline_uniform_blocks_hold_bytes(struct fixture *f)
{
    const struct set_kind kind = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                  VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK};
    struct scale_pipeline p = scale_pipeline_create(f, &kind, NULL);
    const VkDescriptorBufferInfo infos[2] = {part(&p, 0), part(&p, 1)};
    set_write(f, &p, SOURCE, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &infos[0]);
    set_write(f, &p, RESULT, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &infos[1]);
    const uint32_t factor = 3;
    const VkWriteDescriptorSetInlineUniformBlock bytes = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK,
        .dataSize = 4,
        .pData = &factor,
    };
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .pNext = &bytes,
        .dstSet = p.set,
        .dstBinding = SCALE,
        .descriptorCount = 4,
        .descriptorType = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK,
    };
    vkUpdateDescriptorSets(f->dev, 1, &write, 0, NULL);

    test_begin(f);
    bind(f, &p, 0);
    vkCmdDispatch(f->cb, COUNT / 8, 1, 1);
    test_submit_and_wait(f);
    require_scaled(&p, 0, COUNT, 1);
    scale_pipeline_destroy(f, &p);
}

static void
null_descriptors_read_zero_and_swallow_writes(struct fixture *f)
{
    struct scale_pipeline p = scale_pipeline_create(f, &plain, NULL);
    const VkDescriptorBufferInfo none = {VK_NULL_HANDLE, 0, VK_WHOLE_SIZE};
    set_write_all(f, &p);
    set_write(f, &p, SOURCE, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &none);
    test_begin(f);
    bind(f, &p, 5);
    vkCmdDispatch(f->cb, COUNT / 8, 1, 1);
    test_submit_and_wait(f);
    for (uint32_t i = 0; i < COUNT; i++)
        REQUIRE_EQ(p.buf.words[COUNT + i], 6);

    set_write(f, &p, RESULT, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &none);
    test_begin(f);
    bind(f, &p, 50);
    vkCmdDispatch(f->cb, COUNT / 8, 1, 1);
    test_submit_and_wait(f);
    REQUIRE_EQ(p.buf.words[COUNT], 6);
    scale_pipeline_destroy(f, &p);
}

static void
executables_say_what_they_are(struct fixture *f)
{
    struct scale_pipeline p = scale_pipeline_create(f, &plain, NULL);
    VkPipelineExecutableInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
                                        .pipeline = p.pipeline};
    uint32_t representation_count = 9;
    REQUIRE_EQ(vkGetPipelineExecutableInternalRepresentationsKHR(f->dev, &info,
                                                                 &representation_count, NULL),
               VK_SUCCESS);
    REQUIRE_EQ(representation_count, 0); /* nothing was to be captured */
    vkDestroyPipeline(f->dev, p.pipeline, NULL);
    p.pipeline =
        pipeline_create_flags(f, spirv_scale, sizeof(spirv_scale), p.layout, NULL,
                              VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR |
                                  VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR);
    info.pipeline = p.pipeline;
    const VkPipelineInfoKHR pipeline = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR,
                                        .pipeline = p.pipeline};
    uint32_t count = 1;
    VkPipelineExecutablePropertiesKHR properties = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR};
    REQUIRE_EQ(vkGetPipelineExecutablePropertiesKHR(f->dev, &pipeline, &count, &properties),
               VK_SUCCESS);
    REQUIRE_EQ(properties.stages, VK_SHADER_STAGE_COMPUTE_BIT);

    VkPipelineExecutableStatisticKHR statistics[16];
    for (uint32_t i = 0; i < 16; i++)
        statistics[i] = (VkPipelineExecutableStatisticKHR){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR};
    count = 16;
    REQUIRE_EQ(vkGetPipelineExecutableStatisticsKHR(f->dev, &info, &count, statistics), VK_SUCCESS);
    REQUIRE(count >= 4 && count < 16 && statistics[0].value.u64 > 0);

    char text[65536];
    VkPipelineExecutableInternalRepresentationKHR ir = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR};
    count = 1;
    REQUIRE_EQ(vkGetPipelineExecutableInternalRepresentationsKHR(f->dev, &info, &count, &ir),
               VK_SUCCESS);
    REQUIRE(ir.dataSize > 1 && ir.dataSize <= sizeof(text));
    ir.pData = text;
    REQUIRE_EQ(vkGetPipelineExecutableInternalRepresentationsKHR(f->dev, &info, &count, &ir),
               VK_SUCCESS);
    REQUIRE_EQ(strlen(text) + 1, ir.dataSize);
    scale_pipeline_destroy(f, &p);
}

static void
words_that_are_no_shader_are_refused(struct fixture *f)
{
    static const uint32_t words[] = {0x07230203, 0x00010000, 0, 10, 0, 0xffff0011, 1};
    const VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = sizeof(words),
                                           .pCode = words};
    const VkPipelineLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    VkPipelineLayout layout;
    REQUIRE_EQ(vkCreatePipelineLayout(f->dev, &layout_info, NULL, &layout), VK_SUCCESS);
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .pNext = &code,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .pName = "main"},
        .layout = layout,
    };
    VkPipeline pipeline = (VkPipeline)(uintptr_t)8;
    REQUIRE_EQ(vkCreateComputePipelines(f->dev, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
               VK_ERROR_UNKNOWN);
    REQUIRE(pipeline == VK_NULL_HANDLE);
    vkDestroyPipelineLayout(f->dev, layout, NULL);
}

/* Not valid, but FFmpeg 9's chromaber_vulkan does it: the binding takes the samplers of writes. */
static void
null_immutable_samplers_are_none(struct fixture *f)
{
    const VkSampler none[2] = {VK_NULL_HANDLE, VK_NULL_HANDLE};
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 2,
                                                  VK_SHADER_STAGE_COMPUTE_BIT, none};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
    VkDescriptorSetLayout layout;
    REQUIRE_EQ(vkCreateDescriptorSetLayout(f->dev, &info, NULL, &layout), VK_SUCCESS);
    VkDescriptorSetLayoutSupport support = {.sType =
                                                VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT};
    vkGetDescriptorSetLayoutSupport(f->dev, &info, &support);
    REQUIRE(support.supported);
    vkDestroyDescriptorSetLayout(f->dev, layout, NULL);
}

static const struct test_case cases[] = {
    TEST_CASE(a_dispatch_reads_sets_and_push_constants),
    TEST_CASE(specialization_changes_constants),
    TEST_CASE(base_and_indirect_counts_are_honoured),
    TEST_CASE(dynamic_offsets_move_buffers),
    TEST_CASE(push_descriptors_add_up),
    TEST_CASE(mutable_descriptors_change_their_type),
    TEST_CASE(conditions_leave_dispatches_out),
    TEST_CASE(inline_uniform_blocks_hold_bytes),
    TEST_CASE(null_descriptors_read_zero_and_swallow_writes),
    TEST_CASE(executables_say_what_they_are),
    TEST_CASE(words_that_are_no_shader_are_refused),
    TEST_CASE(null_immutable_samplers_are_none),
};
TEST_MAIN(cases)

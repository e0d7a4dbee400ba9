/* SPDX-License-Identifier: MIT */
/* Several pipelines of one call: each is what it would be alone, and errors are told in their
 * order.
 */
#include "compute.h"

#include "api_shaders.h"

#define COUNT 40u /* more than are compiled at once */
#define EARLY_RETURN VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT
#define NO_COMPILE VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT

struct many {
    struct compute c;
    VkShaderModule good;
    VkShaderModule bad; /* what it says is no SPIR-V */
    uint32_t steps[COUNT];
    VkSpecializationInfo constants[COUNT];
    VkPipelineCreationFeedback feedbacks[COUNT];
    VkPipelineCreationFeedbackCreateInfo feedback_infos[COUNT];
    VkComputePipelineCreateInfo infos[COUNT];
    VkPipeline pipelines[COUNT];
};

static const VkSpecializationMapEntry step_entry = {0, 0, sizeof(uint32_t)};

static VkShaderModule
module_create(struct fixture *f, const uint32_t *words, size_t size_B)
{
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size_B, .pCode = words};
    VkShaderModule module;
    REQUIRE_EQ(vkCreateShaderModule(f->dev, &info, f->alloc, &module), VK_SUCCESS);
    return module;
}

/* Pipeline i numbers the words in steps of i + 1. */
static void
many_init(struct fixture *f, struct many *m)
{
    static const uint32_t nonsense[8] = {0x07230203, 0x00010300, 0, 8, 0, 0x00050001, 1, 2};
    *m = (struct many){0};
    compute_init(f, &m->c);
    m->good = module_create(f, spirv_constant, sizeof(spirv_constant));
    m->bad = module_create(f, nonsense, sizeof(nonsense));
    for (uint32_t i = 0; i < COUNT; i++) {
        m->steps[i] = i + 1;
        m->constants[i] = (VkSpecializationInfo){1, &step_entry, sizeof(m->steps[i]), &m->steps[i]};
        m->feedback_infos[i] = (VkPipelineCreationFeedbackCreateInfo){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO,
            .pPipelineCreationFeedback = &m->feedbacks[i],
        };
        m->infos[i] = (VkComputePipelineCreateInfo){
            .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
            .pNext = &m->feedback_infos[i],
            .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                      .module = m->good,
                      .pName = "main",
                      .pSpecializationInfo = &m->constants[i]},
            .layout = m->c.layout,
        };
        memset(&m->pipelines[i], 0xee, sizeof(m->pipelines[i]));
    }
}

static void
many_finish(struct fixture *f, struct many *m)
{
    for (uint32_t i = 0; i < COUNT; i++)
        vkDestroyPipeline(f->dev, m->pipelines[i], f->alloc);
    vkDestroyShaderModule(f->dev, m->good, f->alloc);
    vkDestroyShaderModule(f->dev, m->bad, f->alloc);
    compute_finish(f, &m->c);
}

static VkResult
many_create(struct fixture *f, struct many *m, VkPipelineCache cache)
{
    return vkCreateComputePipelines(f->dev, cache, COUNT, m->infos, f->alloc, m->pipelines);
}

static void
require_steps(struct fixture *f, const struct many *m, uint32_t i)
{
    REQUIRE(m->pipelines[i]);
    memset(m->c.buf.bytes, 0xee, 128);
    compute_begin(f, &m->c, m->pipelines[i], 7);
    vkCmdDispatch(f->cb, 2, 1, 1);
    test_submit_and_wait(f);
    for (uint32_t w = 0; w < 32; w++)
        REQUIRE_EQ(m->c.buf.words[w], 7 + w * m->steps[i]);
}

static void
each_is_what_it_would_be_alone(struct fixture *f)
{
    struct many m;
    many_init(f, &m);
    REQUIRE_EQ(many_create(f, &m, VK_NULL_HANDLE), VK_SUCCESS);
    for (uint32_t i = 0; i < COUNT; i++) {
        require_steps(f, &m, i);
        REQUIRE_EQ(m.feedbacks[i].flags, VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT);
        REQUIRE(m.feedbacks[i].duration > 0);
    }
    many_finish(f, &m);
}

static void
one_that_fails_leaves_the_others(struct fixture *f)
{
    struct many m;
    many_init(f, &m);
    m.infos[3].stage.module = m.bad;
    m.infos[20].stage.module = m.bad;
    REQUIRE(many_create(f, &m, VK_NULL_HANDLE) < 0);
    for (uint32_t i = 0; i < COUNT; i++) {
        REQUIRE_EQ(!m.pipelines[i], i == 3 || i == 20);
        REQUIRE_EQ(m.feedbacks[i].flags == 0, !m.pipelines[i]);
    }
    require_steps(f, &m, 2);
    require_steps(f, &m, COUNT - 1);
    many_finish(f, &m);
}

static void
one_that_fails_ends_the_call(struct fixture *f)
{
    struct many m;
    many_init(f, &m);
    m.infos[3].stage.module = m.bad; /* without the flag */
    m.infos[5].stage.module = m.bad;
    m.infos[5].flags = EARLY_RETURN;
    REQUIRE(many_create(f, &m, VK_NULL_HANDLE) < 0);
    for (uint32_t i = 0; i < COUNT; i++)
        REQUIRE_EQ(!m.pipelines[i], i == 3 || i >= 5);
    require_steps(f, &m, 4);
    many_finish(f, &m);
}

/* What a pipeline of the call brings, a later one of the call finds. */
static void
a_cache_has_what_came_before(struct fixture *f)
{
    const VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    VkPipelineCache cache;
    struct many m;
    many_init(f, &m);
    REQUIRE_EQ(vkCreatePipelineCache(f->dev, &info, f->alloc, &cache), VK_SUCCESS);
    m.infos[0].flags = NO_COMPILE; /* before the one that brings it */
    m.steps[0] = 9;
    m.infos[12].flags = NO_COMPILE; /* in the same round */
    m.steps[12] = 9;
    m.infos[39].flags = NO_COMPILE; /* in another one */
    m.steps[39] = 9;
    REQUIRE_EQ(many_create(f, &m, cache), VK_PIPELINE_COMPILE_REQUIRED);
    for (uint32_t i = 0; i < COUNT; i++) {
        const bool is_hit =
            m.feedbacks[i].flags & VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT;
        REQUIRE_EQ(!m.pipelines[i], i == 0);
        REQUIRE_EQ(is_hit, i == 12 || i == 39);
    }
    require_steps(f, &m, 12);
    require_steps(f, &m, 39);
    vkDestroyPipelineCache(f->dev, cache, f->alloc);
    many_finish(f, &m);
}

/* Equal ones share what the first of them brought, in its round and in later ones. */
static void
equal_ones_are_compiled_once(struct fixture *f)
{
    const VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    VkPipelineCache cache;
    struct many m;
    many_init(f, &m);
    REQUIRE_EQ(vkCreatePipelineCache(f->dev, &info, f->alloc, &cache), VK_SUCCESS);
    m.infos[0].stage.module = m.bad; /* 1 is its equal, and fails as it does */
    m.infos[1].stage.module = m.bad;
    m.steps[1] = m.steps[0];
    m.steps[5] = m.steps[3]; /* in the same round */
    m.steps[6] = m.steps[3];
    m.steps[30] = m.steps[3]; /* in another one */
    REQUIRE(many_create(f, &m, cache) < 0);
    for (uint32_t i = 0; i < COUNT; i++) {
        const bool is_hit =
            m.feedbacks[i].flags & VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT;
        REQUIRE_EQ(!m.pipelines[i], i < 2);
        REQUIRE_EQ(is_hit, i == 5 || i == 6 || i == 30);
        if (m.pipelines[i])
            require_steps(f, &m, i);
    }
    vkDestroyPipelineCache(f->dev, cache, f->alloc);
    many_finish(f, &m);
}

#define SIZES 4u

/* Equal but for the sizes that they ask for; 0: for none. */
static void
sized_create(struct fixture *f, const struct compute *c, const uint32_t sizes[SIZES],
             VkPipeline pipelines[SIZES])
{
    const VkShaderModule module = module_create(f, spirv_subgroup, sizeof(spirv_subgroup));
    VkPipelineShaderStageRequiredSubgroupSizeCreateInfo required[SIZES];
    VkComputePipelineCreateInfo infos[SIZES];
    for (uint32_t i = 0; i < SIZES; i++) {
        required[i] = (VkPipelineShaderStageRequiredSubgroupSizeCreateInfo){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
            .requiredSubgroupSize = sizes[i]};
        infos[i] = (VkComputePipelineCreateInfo){
            .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
            .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                      .pNext = sizes[i] ? &required[i] : NULL,
                      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                      .module = module,
                      .pName = "main"},
            .layout = c->layout,
        };
    }
    VkPipelineCache cache;
    const VkPipelineCacheCreateInfo cache_info = {.sType =
                                                      VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    REQUIRE_EQ(vkCreatePipelineCache(f->dev, &cache_info, f->alloc, &cache), VK_SUCCESS);
    REQUIRE_EQ(vkCreateComputePipelines(f->dev, cache, SIZES, infos, f->alloc, pipelines),
               VK_SUCCESS);
    vkDestroyPipelineCache(f->dev, cache, f->alloc);
    vkDestroyShaderModule(f->dev, module, f->alloc);
}

static void
require_size(struct fixture *f, const struct compute *c, VkPipeline pipeline, uint32_t size)
{
    VkPipelineExecutablePropertiesKHR executable = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR};
    const VkPipelineInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR,
                                    .pipeline = pipeline};
    uint32_t count = 1;
    REQUIRE_EQ(vkGetPipelineExecutablePropertiesKHR(f->dev, &info, &count, &executable),
               VK_SUCCESS);
    REQUIRE_EQ(executable.subgroupSize, size);
    compute_begin(f, c, pipeline, 0);
    vkCmdDispatch(f->cb, COMPUTE_WORDS / 64, 1, 1);
    test_submit_and_wait(f);
    for (uint32_t w = 0; w < COMPUTE_WORDS; w++)
        REQUIRE_EQ(c->buf.words[w], size << 16 | 64 / size << 8 | size);
}

static void
subgroups_have_the_size_that_is_required(struct fixture *f)
{
    static const uint32_t sizes[SIZES] = {16, 32, 64, 0};
    VkPhysicalDeviceSubgroupSizeControlProperties control = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES};
    VkPhysicalDeviceSubgroupProperties subgroup = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES, .pNext = &control};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &subgroup};
    struct compute c = {0};
    VkPipeline pipelines[SIZES];
    vkGetPhysicalDeviceProperties2(f->pdev, &properties);
    REQUIRE_EQ(control.minSubgroupSize, 16);
    REQUIRE_EQ(control.maxSubgroupSize, 64);
    REQUIRE_EQ(control.maxComputeWorkgroupSubgroups, 64);
    compute_init(f, &c);
    sized_create(f, &c, sizes, pipelines);
    for (uint32_t i = 0; i < SIZES; i++) {
        require_size(f, &c, pipelines[i], sizes[i] ? sizes[i] : subgroup.subgroupSize);
        vkDestroyPipeline(f->dev, pipelines[i], f->alloc);
    }
    compute_finish(f, &c);
}

static const struct test_case cases[] = {
    TEST_CASE(each_is_what_it_would_be_alone), TEST_CASE(one_that_fails_leaves_the_others),
    TEST_CASE(one_that_fails_ends_the_call),   TEST_CASE(a_cache_has_what_came_before),
    TEST_CASE(equal_ones_are_compiled_once),   TEST_CASE(subgroups_have_the_size_that_is_required),
};

TEST_MAIN(cases)

/* SPDX-License-Identifier: MIT */
/* VK_EXT_shader_object: a shader object does what a pipeline of the same SPIR-V does.
 */
#include "shader_many.h"

#include "api_shaders.h"

static const VkShaderStageFlagBits compute_stage = VK_SHADER_STAGE_COMPUTE_BIT;

static void
the_device_says_what_it_has(struct fixture *f)
{
    static const char *const names[] = {
        "vkCreateShadersEXT",
        "vkCmdSetCullModeEXT",
        "vkCmdSetCullMode",
        "vkCmdSetVertexInputEXT",
        "vkCmdBindVertexBuffers2",
        "vkCmdSetPolygonModeEXT",
        "vkCmdSetRasterizationStreamEXT",
        "vkCmdSetViewportSwizzleNV",
    };
    static const uint8_t zeros[VK_UUID_SIZE];
    VkPhysicalDeviceShaderObjectFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT};
    VkPhysicalDeviceFeatures2 features2 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                           .pNext = &features};
    VkPhysicalDeviceShaderObjectPropertiesEXT own = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &own};
    vkGetPhysicalDeviceFeatures2(f->pdev, &features2);
    vkGetPhysicalDeviceProperties2(f->pdev, &properties);
    REQUIRE(fixture_has_extension(f, VK_EXT_SHADER_OBJECT_EXTENSION_NAME));
    REQUIRE(features.shaderObject);
    REQUIRE(memcmp(own.shaderBinaryUUID, zeros, VK_UUID_SIZE) != 0);
    REQUIRE_EQ(own.shaderBinaryVersion, 1);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        REQUIRE(vkGetDeviceProcAddr(f->dev, names[i]));
}

static void
each_has_its_constants(struct fixture *f)
{
    struct shader_many m;
    shader_many_init(f, &m, spirv_constant, sizeof(spirv_constant));
    REQUIRE_EQ(shader_many_create(f, &m), VK_SUCCESS);
    for (uint32_t i = 0; i < SHADER_COUNT; i++)
        shader_require_numbers(f, &m.c, m.shaders[i], i + 1);
    shader_many_finish(f, &m);
}

/* "The application can determine which shader the returned error pertains to by locating the first
 * VK_NULL_HANDLE element in pShaders." */
static void
the_first_null_is_the_one_that_failed(struct fixture *f)
{
    static const uint32_t nonsense[8] = {0x07230203, 0x00010300, 0, 8, 0, 0x00050001, 1, 2};
    static const uint32_t bad[3] = {0, 5, 18};
    for (uint32_t b = 0; b < 4 * 3; b++) {
        struct shader_many m;
        shader_many_init(f, &m, spirv_constant, sizeof(spirv_constant));
        VkShaderCreateInfoEXT *info = &m.infos[bad[b % 3]];
        VkResult expected = VK_ERROR_FEATURE_NOT_PRESENT;
        if (b / 3 == 0) {
            info->pCode = nonsense;
            info->codeSize = sizeof(nonsense);
            expected = VK_ERROR_UNKNOWN;
        } else if (b / 3 == 1) {
            info->stage = VK_SHADER_STAGE_VERTEX_BIT;
        } else if (b / 3 == 2) {
            info->codeType = VK_SHADER_CODE_TYPE_BINARY_EXT;
            expected = VK_INCOMPATIBLE_SHADER_BINARY_EXT;
        } else {
            info->pName = "another";
            expected = VK_ERROR_UNKNOWN;
        }
        m.infos[19].stage = VK_SHADER_STAGE_FRAGMENT_BIT; /* a later one does not matter */
        const VkResult result = shader_many_create(f, &m);
        REQUIRE(result == expected || (expected == VK_ERROR_UNKNOWN && result < 0));
        for (uint32_t i = 0; i < SHADER_COUNT; i++)
            REQUIRE_EQ(!m.shaders[i], i >= bad[b % 3]);
        if (bad[b % 3])
            shader_require_numbers(f, &m.c, m.shaders[bad[b % 3] - 1], bad[b % 3]);
        shader_many_finish(f, &m);
    }
}

static void
require_subgroups(struct fixture *f, const struct compute *c, VkShaderEXT shader, uint32_t size)
{
    shader_begin(f, c, shader, 0);
    vkCmdDispatch(f->cb, COMPUTE_WORDS / 64, 1, 1);
    test_submit_and_wait(f);
    for (uint32_t w = 0; w < COMPUTE_WORDS; w++)
        REQUIRE_EQ(c->buf.words[w], size << 16 | 64 / size << 8 | size);
}

static void
subgroups_have_the_size_that_is_required(struct fixture *f)
{
    struct compute c = {0};
    compute_init(f, &c);
    for (uint32_t size = 16; size <= 64; size *= 2) {
        const VkShaderRequiredSubgroupSizeCreateInfoEXT required = {
            .sType = VK_STRUCTURE_TYPE_SHADER_REQUIRED_SUBGROUP_SIZE_CREATE_INFO_EXT,
            .requiredSubgroupSize = size};
        VkShaderCreateInfoEXT info = shader_info(&c, spirv_subgroup, sizeof(spirv_subgroup));
        info.pNext = &required;
        info.flags = VK_SHADER_CREATE_REQUIRE_FULL_SUBGROUPS_BIT_EXT;
        VkShaderEXT shader = shader_create(f, &info);
        void *data;
        const size_t size_B = shader_binary(f, shader, &data);
        require_subgroups(f, &c, shader, size);
        vkDestroyShaderEXT(f->dev, shader, f->alloc);
        shader = shader_binary_create(f, &c, data, size_B);
        require_subgroups(f, &c, shader, size);
        vkDestroyShaderEXT(f->dev, shader, f->alloc);
        free(data);
    }
    compute_finish(f, &c);
}

static void
barrier(struct fixture *f)
{
    const VkMemoryBarrier memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                    .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                    .dstAccessMask = VK_ACCESS_SHADER_WRITE_BIT};
    vkCmdPipelineBarrier(f->cb, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                         VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &memory, 0, NULL, 0, NULL);
}

static void
a_dispatch_has_its_base(struct fixture *f)
{
    struct compute c = {0};
    compute_init(f, &c);
    VkShaderCreateInfoEXT info = shader_info(&c, spirv_constant, sizeof(spirv_constant));
    info.flags = VK_SHADER_CREATE_DISPATCH_BASE_BIT_EXT;
    const VkShaderEXT shader = shader_create(f, &info);
    shader_begin(f, &c, shader, 7);
    vkCmdDispatchBase(f->cb, 4, 0, 0, 4, 1, 1);
    test_submit_and_wait(f);
    shader_require_words(&c, 64, 128, 7, 1);
    REQUIRE(c.buf.words[63] == 0xeeeeeeee && c.buf.words[128] == 0xeeeeeeee);
    vkDestroyShaderEXT(f->dev, shader, f->alloc);
    compute_finish(f, &c);
}

static void
pipelines_and_shader_objects_replace_each_other(struct fixture *f)
{
    struct shader_many m;
    shader_many_init(f, &m, spirv_constant, sizeof(spirv_constant));
    REQUIRE_EQ(shader_many_create(f, &m), VK_SUCCESS);
    const VkPipeline pipeline =
        compute_pipeline(f, &m.c, spirv_constant, sizeof(spirv_constant)); /* in steps of 1 */
    shader_begin(f, &m.c, m.shaders[4], 7);
    vkCmdDispatch(f->cb, 16, 1, 1);
    barrier(f);
    vkCmdBindPipeline(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdDispatch(f->cb, 12, 1, 1);
    barrier(f);
    vkCmdBindShadersEXT(f->cb, 1, &compute_stage, &m.shaders[8]);
    vkCmdDispatch(f->cb, 8, 1, 1);
    barrier(f);
    vkCmdBindShadersEXT(f->cb, 1, &compute_stage, &m.shaders[9]);
    vkCmdBindShadersEXT(f->cb, 1, &compute_stage, &m.shaders[9]);
    vkCmdDispatch(f->cb, 4, 1, 1);
    test_submit_and_wait(f);
    shader_require_words(&m.c, 0, 64, 7, 10);
    shader_require_words(&m.c, 64, 128, 7, 9);
    shader_require_words(&m.c, 128, 192, 7, 1);
    shader_require_words(&m.c, 192, 256, 7, 5);
    vkDestroyPipeline(f->dev, pipeline, f->alloc);
    shader_many_finish(f, &m);
}

/* A dispatch with nothing bound is no valid usage; ours does nothing, which shows what is bound.
 * Nor are stages of graphics: they disturb nothing. */
static void
null_unbinds(struct fixture *f)
{
    const VkShaderStageFlagBits stages[2] = {VK_SHADER_STAGE_VERTEX_BIT,
                                             VK_SHADER_STAGE_FRAGMENT_BIT};
    struct compute c = {0};
    compute_init(f, &c);
    const VkShaderCreateInfoEXT info = shader_info(&c, spirv_number, sizeof(spirv_number));
    const VkShaderEXT shader = shader_create(f, &info), none = VK_NULL_HANDLE;
    const VkPipeline pipeline = compute_pipeline(f, &c, spirv_number, sizeof(spirv_number));
    for (uint32_t i = 0; i < 4; i++) {
        shader_begin(f, &c, shader, 7);
        if (i >= 2)
            vkCmdBindPipeline(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
        vkCmdBindShadersEXT(f->cb, 1, &compute_stage, i % 2 ? NULL : &none);
        vkCmdDispatch(f->cb, COMPUTE_WORDS / 16, 1, 1);
        test_submit_and_wait(f);
        for (uint32_t w = 0; w < COMPUTE_WORDS; w++)
            REQUIRE_EQ(c.buf.words[w], 0xeeeeeeee);
    }
    shader_begin(f, &c, shader, 7);
    vkCmdBindShadersEXT(f->cb, 2, stages, NULL);
    vkCmdDispatch(f->cb, COMPUTE_WORDS / 16, 1, 1);
    test_submit_and_wait(f);
    shader_require_words(&c, 0, COMPUTE_WORDS, 7, 1);
    vkDestroyPipeline(f->dev, pipeline, f->alloc);
    vkDestroyShaderEXT(f->dev, shader, f->alloc);
    vkDestroyShaderEXT(f->dev, VK_NULL_HANDLE, f->alloc);
    compute_finish(f, &c);
}

/* "The implementation must not access these objects outside of the duration of the command." */
static void
what_it_was_made_of_may_go(struct fixture *f)
{
    struct compute c = {0};
    compute_init(f, &c);
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                  VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding,
    };
    VkDescriptorSetLayout layout;
    REQUIRE_EQ(vkCreateDescriptorSetLayout(f->dev, &set, f->alloc, &layout), VK_SUCCESS);
    uint32_t *words = malloc(sizeof(spirv_number));
    REQUIRE(words);
    memcpy(words, spirv_number, sizeof(spirv_number));
    VkShaderCreateInfoEXT info = shader_info(&c, words, sizeof(spirv_number));
    info.pSetLayouts = &layout;
    const VkShaderEXT shader = shader_create(f, &info);
    memset(words, 0, sizeof(spirv_number));
    free(words);
    vkDestroyDescriptorSetLayout(f->dev, layout, f->alloc);
    shader_require_numbers(f, &c, shader, 1);
    void *data;
    const size_t size_B = shader_binary(f, shader, &data);
    vkDestroyShaderEXT(f->dev, shader, f->alloc);
    const VkShaderEXT again = shader_binary_create(f, &c, data, size_B);
    memset(data, 0, size_B);
    free(data);
    shader_require_numbers(f, &c, again, 1);
    vkDestroyShaderEXT(f->dev, again, f->alloc);
    compute_finish(f, &c);
}

/* pSetLayouts is optional: then nothing is bound where the kernel looks. */
static void
set_layouts_may_be_missing(struct fixture *f)
{
    struct compute c = {0};
    compute_init(f, &c);
    VkShaderCreateInfoEXT info = shader_info(&c, spirv_number, sizeof(spirv_number));
    info.pSetLayouts = NULL;
    const VkShaderEXT shader = shader_create(f, &info);
    shader_begin(f, &c, shader, 7);
    vkCmdDispatch(f->cb, COMPUTE_WORDS / 16, 1, 1);
    test_submit_and_wait(f);
    for (uint32_t w = 0; w < COMPUTE_WORDS; w++)
        REQUIRE_EQ(c.buf.words[w], 0xeeeeeeee);
    vkDestroyShaderEXT(f->dev, shader, f->alloc);
    compute_finish(f, &c);
}

static void
it_has_a_name_and_private_data(struct fixture *f)
{
    struct compute c = {0};
    compute_init(f, &c);
    const VkShaderCreateInfoEXT info = shader_info(&c, spirv_number, sizeof(spirv_number));
    const VkShaderEXT shader = shader_create(f, &info);
    const uint64_t handle = (uint64_t)(uintptr_t)shader;
    const VkDebugUtilsObjectNameInfoEXT name = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = VK_OBJECT_TYPE_SHADER_EXT,
        .objectHandle = handle,
        .pObjectName = "number",
    };
    const VkPrivateDataSlotCreateInfo slot_info = {
        .sType = VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO};
    VkPrivateDataSlot slot;
    uint64_t data = 0;
    REQUIRE_EQ(vkSetDebugUtilsObjectNameEXT(f->dev, &name), VK_SUCCESS);
    REQUIRE_EQ(vkCreatePrivateDataSlot(f->dev, &slot_info, f->alloc, &slot), VK_SUCCESS);
    REQUIRE_EQ(vkSetPrivateData(f->dev, VK_OBJECT_TYPE_SHADER_EXT, handle, slot, 42), VK_SUCCESS);
    vkGetPrivateData(f->dev, VK_OBJECT_TYPE_SHADER_EXT, handle, slot, &data);
    REQUIRE_EQ(data, 42);
    vkDestroyShaderEXT(f->dev, shader, f->alloc);
    vkDestroyPrivateDataSlot(f->dev, slot, f->alloc);
    compute_finish(f, &c);
}

static const struct test_case cases[] = {
    TEST_CASE(the_device_says_what_it_has),
    TEST_CASE(each_has_its_constants),
    TEST_CASE(the_first_null_is_the_one_that_failed),
    TEST_CASE(subgroups_have_the_size_that_is_required),
    TEST_CASE(a_dispatch_has_its_base),
    TEST_CASE(pipelines_and_shader_objects_replace_each_other),
    TEST_CASE(null_unbinds),
    TEST_CASE(what_it_was_made_of_may_go),
    TEST_CASE(set_layouts_may_be_missing),
    TEST_CASE(it_has_a_name_and_private_data),
};

TEST_MAIN(cases)

/* SPDX-License-Identifier: MIT */
/* VK_EXT_descriptor_heap: descriptors without objects, and each way in which a mapping finds them.
 */
#include "heap_test.h"

static void
each_index_leads_to_a_descriptor(struct fixture *f)
{
    static const VkDescriptorMappingSourceEXT sources[] = {
        VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT,
        VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT,
        VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_EXT,
        VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_ARRAY_EXT,
    };
    struct heap_test h = heap_test_create(f);
    for (uint32_t i = 0; i < 4; i++) {
        heap_map_all(f, &h, sources[i], false);
        heap_run(f, &h, heap_all_shown);
        heap_map_all(f, &h, sources[i], i != 0);
        heap_run(f, &h, heap_all_shown);
    }
    heap_test_destroy(f, &h);
}

static void
data_needs_no_descriptor(struct fixture *f)
{
    struct heap_test h = heap_test_create(f);
    const VkDeviceAddress data = test_address_range(f, h.values.handle, 128, 4).address;

    for (uint32_t i = 0; i < 4; i++) {
        heap_map_all(f, &h, VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT, false);
        h.mapping_count--;
        const VkDescriptorMappingSourceEXT source =
            VK_DESCRIPTOR_MAPPING_SOURCE_RESOURCE_HEAP_DATA_EXT + (int)i;
        VkDescriptorMappingSourceDataEXT *d = &heap_mapping_add(&h, DATA, source)->sourceData;
        h.push[DATA_WORD] = 141;
        h.push[DATA_OFFSET] = HEAP_DATA_B - 256;
        memcpy(&h.push[2], &data, sizeof(data));
        memcpy(&h.indices.words[200], &data, sizeof(data));
        if (source == VK_DESCRIPTOR_MAPPING_SOURCE_RESOURCE_HEAP_DATA_EXT)
            d->heapData = (VkDescriptorMappingSourceHeapDataEXT){256, DATA_OFFSET * 4};
        else if (source == VK_DESCRIPTOR_MAPPING_SOURCE_PUSH_DATA_EXT)
            d->pushDataOffset = DATA_WORD * 4;
        else if (source == VK_DESCRIPTOR_MAPPING_SOURCE_PUSH_ADDRESS_EXT)
            d->pushAddressOffset = 8;
        else
            d->indirectAddress = (VkDescriptorMappingSourceIndirectAddressEXT){0, 800};
        heap_run(f, &h, heap_all_shown);
    }
    heap_test_destroy(f, &h);
}

static void
the_first_mapping_of_a_kind_counts(struct fixture *f)
{
    struct heap_test h = heap_test_create(f);
    heap_map_all(f, &h, VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT, false);
    /* One for all bindings of buffers that are only read, where binding 1 + i finds its own. */
    for (uint32_t i = 0; i < h.mapping_count; i++)
        if (h.mappings[i].firstBinding == VALUES)
            h.mappings[i].resourceMask = VK_SPIRV_RESOURCE_TYPE_READ_WRITE_STORAGE_BUFFER_BIT_EXT;
    VkDescriptorSetAndBindingMappingEXT *m =
        heap_mapping_add(&h, 0, VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT);
    m->bindingCount = 3;
    m->resourceMask = VK_SPIRV_RESOURCE_TYPE_UNIFORM_BUFFER_BIT_EXT;
    m->sourceData.constantOffset.heapOffset = (AT_VALUES - 1) * SIZE_B;
    m->sourceData.constantOffset.heapArrayStride = SIZE_B;
    heap_run(f, &h, heap_all_shown);
    heap_test_destroy(f, &h);
}

/* All of the same bindings: a resource finds the one of its own kind. */
static void
each_kind_has_a_mapping_of_its_own(struct fixture *f)
{
    enum { AT_STORAGE = AT_DATA + 1, AT_NOTHING };
    static const struct {
        VkSpirvResourceTypeFlagsEXT mask;
        uint32_t at;
    } kinds[] = {
        {VK_SPIRV_RESOURCE_TYPE_READ_WRITE_STORAGE_BUFFER_BIT_EXT, AT_RESULT},
        {VK_SPIRV_RESOURCE_TYPE_READ_ONLY_STORAGE_BUFFER_BIT_EXT, AT_STORAGE},
        {VK_SPIRV_RESOURCE_TYPE_READ_WRITE_IMAGE_BIT_EXT, AT_NOTHING},
        {VK_SPIRV_RESOURCE_TYPE_READ_ONLY_IMAGE_BIT_EXT, AT_TEXELS},
    };
    struct heap_test h = heap_test_create(f);
    const VkDeviceAddressRangeEXT value = test_address_range(f, h.values.handle, 0, 16);
    VkPipeline pipeline;

    heap_write_resource(f, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &value,
                        h.resources.bytes + AT_STORAGE * SIZE_B);
    for (uint32_t i = 0; i < 4; i++) {
        VkDescriptorSetAndBindingMappingEXT *m =
            heap_mapping_add(&h, 0, VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT);
        m->bindingCount = 4;
        m->resourceMask = kinds[i].mask;
        m->sourceData.constantOffset.heapOffset = kinds[i].at * SIZE_B;
    }
    REQUIRE_EQ(heap_pipeline_of(f, &h, VK_NULL_HANDLE, &heap_kinds, &pipeline), VK_SUCCESS);
    heap_begin(f, &h);
    vkCmdBindPipeline(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdDispatch(f->cb, 1, 1, 1);
    test_submit_and_wait(f);
    REQUIRE_EQ(h.result.words[0], 101);
    REQUIRE_EQ(h.result.words[1], 151);
    REQUIRE_EQ(h.result.words[2], 0);
    REQUIRE_EQ(h.result.words[3], RESULT_WORDS);
    vkDestroyPipeline(f->dev, pipeline, f->alloc);
    heap_test_destroy(f, &h);
}

/* Behind others that the shader does not use. */
static void
samplers_are_embedded_behind(struct fixture *f, uint32_t others)
{
    struct heap_test h = heap_test_create(f);
    const VkSamplerCreateInfo white = heap_sampler_info(VK_BORDER_COLOR_INT_OPAQUE_WHITE);
    const VkSamplerCreateInfo black = heap_sampler_info(VK_BORDER_COLOR_INT_OPAQUE_BLACK);
    uint32_t expected[RESULTS];

    heap_map_all(f, &h, VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT, false);
    memmove(h.mappings + others, h.mappings, h.mapping_count * sizeof(h.mappings[0]));
    const uint32_t count = others + h.mapping_count;
    h.mapping_count = 0;
    for (uint32_t i = 0; i < others; i++) {
        VkDescriptorSetAndBindingMappingEXT *m =
            heap_mapping_add(&h, i, VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT);
        m->descriptorSet = 3;
        m->sourceData.constantOffset.pEmbeddedSampler = &white;
    }
    h.mapping_count = count;
    h.mappings[others + 3].sourceData.constantOffset.pEmbeddedSampler = &black;
    h.mappings[others + 4].sourceData.constantOffset.pEmbeddedSampler = &white;
    memcpy(expected, heap_all_shown, sizeof(expected));
    expected[2] = 0;
    expected[4] = 1;
    memset(h.samplers.bytes, 0, h.samplers.size_B);
    heap_run(f, &h, expected);
    heap_test_destroy(f, &h);
}

static void
samplers_are_embedded(struct fixture *f)
{
    samplers_are_embedded_behind(f, 0);
    samplers_are_embedded_behind(f, BINDINGS);
}

static void
what_is_not_there_reads_as_zero(struct fixture *f)
{
    static const uint32_t none[RESULTS] = {0, 0, 0, 0, 0, 0, 0, 0, 0, RESULT_WORDS};
    struct heap_test h = heap_test_create(f);

    heap_map_all(f, &h, VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT, false);
    for (uint32_t i = 0; i < 2; i++) { /* null descriptors, then indices beyond the heaps */
        const uint32_t result_index = h.push[INDICES];
        for (uint32_t k = INDICES + 2; k < PUSH_WORDS; k++)
            h.push[k] = i ? 1u << 20 : 40;
        h.push[INDICES] = result_index;
        heap_run(f, &h, none);
    }
    heap_write_resource(f, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, NULL, h.resources.bytes);
    for (uint32_t i = 0; i < SIZE_B; i++)
        REQUIRE_EQ(h.resources.bytes[i], 0);
    heap_test_destroy(f, &h);
}

static void
views_go_with_their_image(struct fixture *f)
{
    struct heap_test h = heap_test_create(f);
    uint32_t expected[RESULTS];
    heap_map_all(f, &h, VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT, false);
    memcpy(expected, heap_all_shown, sizeof(expected));
    for (uint32_t i = 2; i < 7; i++)
        expected[i] = 0;
    vkDestroyImage(f->dev, h.img.handle, f->alloc);
    h.img.handle = VK_NULL_HANDLE;
    heap_run(f, &h, expected);
    heap_test_destroy(f, &h);
}

static void
equal_infos_give_equal_descriptors(struct fixture *f)
{
    struct heap_test h = heap_test_create(f);
    VkImageViewCreateInfo view = heap_view_info(&h);
    VkSamplerCreateInfo sampler = heap_sampler_info(VK_BORDER_COLOR_INT_OPAQUE_WHITE);
    uint8_t out[3][SIZE_B];

    for (uint32_t i = 0; i < 100; i++)
        heap_write_image(f, &view, out[i % 2]);
    view.components.r = VK_COMPONENT_SWIZZLE_G;
    heap_write_image(f, &view, out[2]);
    REQUIRE(memcmp(out[0], out[1], SIZE_B) == 0);
    REQUIRE(memcmp(out[0], out[2], SIZE_B) != 0);

    for (uint32_t i = 0; i < 100; i++)
        heap_write_sampler(f, &sampler, out[i % 2]);
    sampler.maxLod = 1.0f;
    heap_write_sampler(f, &sampler, out[2]);
    REQUIRE(memcmp(out[0], out[1], SIZE_B) == 0);
    REQUIRE(memcmp(out[0], out[2], SIZE_B) != 0);
    heap_test_destroy(f, &h);
}

static void
border_colors_have_indices(struct fixture *f)
{
    const VkSamplerCustomBorderColorCreateInfoEXT color = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
        .customBorderColor.uint32 = {77, 0, 0, 0},
        .format = VK_FORMAT_R32_UINT,
    };
    struct heap_test h = heap_test_create(f);
    VkSamplerCustomBorderColorIndexCreateInfoEXT index = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_INDEX_CREATE_INFO_EXT,
        .pNext = &color,
    };
    VkSamplerCreateInfo info = heap_sampler_info(VK_BORDER_COLOR_INT_CUSTOM_EXT);
    uint32_t expected[RESULTS], other = 0;

    REQUIRE_EQ(vkRegisterCustomBorderColorEXT(f->dev, &color, VK_FALSE, &index.index), VK_SUCCESS);
    other = index.index;
    REQUIRE_EQ(vkRegisterCustomBorderColorEXT(f->dev, &color, VK_TRUE, &other),
               VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS);
    REQUIRE_EQ(vkRegisterCustomBorderColorEXT(f->dev, &color, VK_FALSE, &other), VK_SUCCESS);
    REQUIRE(other != index.index);
    info.pNext = &index;
    heap_write_sampler(f, &info, h.samplers.bytes + AT_WHITE * SIZE_B);
    heap_map_all(f, &h, VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT, false);
    memcpy(expected, heap_all_shown, sizeof(expected));
    expected[2] = expected[3] = 77;
    heap_run(f, &h, expected);
    vkUnregisterCustomBorderColorEXT(f->dev, other);
    REQUIRE_EQ(vkRegisterCustomBorderColorEXT(f->dev, &color, VK_TRUE, &other), VK_SUCCESS);
    vkUnregisterCustomBorderColorEXT(f->dev, other);
    vkUnregisterCustomBorderColorEXT(f->dev, index.index);
    heap_test_destroy(f, &h);
}

static void
caches_tell_mappings_apart(struct fixture *f)
{
    const VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    struct heap_test h = heap_test_create(f);
    VkPipelineCache cache;
    VkPipeline pipelines[2];

    REQUIRE_EQ(vkCreatePipelineCache(f->dev, &info, f->alloc, &cache), VK_SUCCESS);
    heap_map_all(f, &h, VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT, false);
    h.mappings[1].sourceData.constantOffset.heapOffset += SIZE_B;
    REQUIRE_EQ(heap_pipeline(f, &h, cache, &pipelines[0]), VK_SUCCESS);
    h.mappings[1].sourceData.constantOffset.heapOffset -= SIZE_B;
    REQUIRE_EQ(heap_pipeline(f, &h, cache, &pipelines[1]), VK_SUCCESS);
    for (uint32_t i = 0; i < 2; i++) {
        heap_begin(f, &h);
        vkCmdBindPipeline(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, pipelines[i]);
        vkCmdDispatch(f->cb, 1, 1, 1);
        test_submit_and_wait(f);
        REQUIRE_EQ(h.result.words[0], i ? 101 : 102);
        vkDestroyPipeline(f->dev, pipelines[i], f->alloc);
    }
    vkDestroyPipelineCache(f->dev, cache, f->alloc);
    heap_test_destroy(f, &h);
}

/* With the samplers of info embedded, or where the heap has them. */
static VkShaderEXT
shader_make(struct fixture *f, const struct heap_test *h, size_t code_B, const void *code,
            VkShaderCodeTypeEXT type)
{
    const VkShaderDescriptorSetAndBindingMappingInfoEXT mappings = {
        .sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
        .mappingCount = h->mapping_count,
        .pMappings = h->mappings,
    };
    const VkShaderCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
        .pNext = &mappings,
        .flags = VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT,
        .stage = STAGE,
        .codeType = type,
        .codeSize = code_B,
        .pCode = code,
        .pName = "main",
    };
    VkShaderEXT shader;
    REQUIRE_EQ(vkCreateShadersEXT(f->dev, 1, &info, f->alloc, &shader), VK_SUCCESS);
    return shader;
}

static void
shader_objects_have_mappings(struct fixture *f)
{
    const VkShaderStageFlagBits stage = STAGE;
    const VkSamplerCreateInfo white = heap_sampler_info(VK_BORDER_COLOR_INT_OPAQUE_WHITE);
    struct heap_test h = heap_test_create(f);
    VkShaderEXT shaders[2];
    size_t binary_B = 0;

    heap_map_all(f, &h, VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_ARRAY_EXT, false);
    h.mappings[3].sourceData.indirectIndexArray.pEmbeddedSampler = &white;
    shaders[0] =
        shader_make(f, &h, heap_plain.size_B, heap_plain.words, VK_SHADER_CODE_TYPE_SPIRV_EXT);
    REQUIRE_EQ(vkGetShaderBinaryDataEXT(f->dev, shaders[0], &binary_B, NULL), VK_SUCCESS);
    struct test_buffer binary = test_buffer_create(f, binary_B, 0);
    REQUIRE_EQ(vkGetShaderBinaryDataEXT(f->dev, shaders[0], &binary_B, binary.bytes), VK_SUCCESS);
    shaders[1] = shader_make(f, &h, binary_B, binary.bytes, VK_SHADER_CODE_TYPE_BINARY_EXT);
    for (uint32_t i = 0; i < 2; i++) {
        heap_begin(f, &h);
        vkCmdBindShadersEXT(f->cb, 1, &stage, &shaders[i]);
        vkCmdDispatch(f->cb, 1, 1, 1);
        test_submit_and_wait(f);
        heap_check(&h, heap_all_shown);
        vkDestroyShaderEXT(f->dev, shaders[i], f->alloc);
    }
    test_buffer_destroy(f, &binary);
    heap_test_destroy(f, &h);
}

/* A secondary command buffer that goes on with the heaps of its primary one. */
static VkCommandBuffer
secondary_make(struct fixture *f, const struct heap_test *h, VkPipeline pipeline)
{
    const VkBindHeapInfoEXT resources = heap_bind_info(f, &h->resources);
    const VkBindHeapInfoEXT samplers = heap_bind_info(f, &h->samplers);
    const VkCommandBufferInheritanceDescriptorHeapInfoEXT heaps = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_DESCRIPTOR_HEAP_INFO_EXT,
        .pSamplerHeapBindInfo = &samplers,
        .pResourceHeapBindInfo = &resources,
    };
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, .pNext = &heaps};
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .pInheritanceInfo = &inheritance};
    VkCommandBuffer cb = test_cb_create(f, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    REQUIRE_EQ(vkBeginCommandBuffer(cb, &info), VK_SUCCESS);
    vkCmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    heap_push(cb, h);
    vkCmdDispatch(cb, 1, 1, 1);
    REQUIRE_EQ(vkEndCommandBuffer(cb), VK_SUCCESS);
    return cb;
}

static void
heaps_change_between_dispatches(struct fixture *f)
{
    struct heap_test h[2] = {heap_test_create(f), heap_test_create(f)};
    VkPipeline pipeline;

    heap_map_all(f, &h[0], VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT, false);
    REQUIRE_EQ(heap_pipeline(f, &h[0], VK_NULL_HANDLE, &pipeline), VK_SUCCESS);
    VkCommandBuffer second = secondary_make(f, &h[1], pipeline);
    heap_begin(f, &h[0]);
    vkCmdBindPipeline(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdDispatch(f->cb, 1, 1, 1);
    vkCmdExecuteCommands(f->cb, 1, &second);
    test_submit_and_wait(f);
    heap_check(&h[0], heap_all_shown);
    heap_check(&h[1], heap_all_shown);

    /* Written after they were recorded. */
    const VkDeviceAddressRangeEXT value = test_address_range(f, h[0].values.handle, 128, 4);
    heap_write_resource(f, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, &value,
                        h[0].resources.bytes + AT_VALUES * SIZE_B);
    heap_begin(f, &h[0]);
    vkCmdBindPipeline(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdDispatch(f->cb, 1, 1, 1);
    test_submit_and_wait(f);
    REQUIRE_EQ(h[0].result.words[0], 141);
    vkDestroyPipeline(f->dev, pipeline, f->alloc);
    for (uint32_t i = 0; i < 2; i++)
        heap_test_destroy(f, &h[i]);
}

static void
bad_mappings_are_refused(struct fixture *f)
{
    struct heap_test h = heap_test_create(f);
    VkPipeline pipeline;

    heap_map_all(f, &h, VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT, false);
    h.mappings[2].source = VK_DESCRIPTOR_MAPPING_SOURCE_PUSH_ADDRESS_EXT; /* an image */
    REQUIRE_EQ(heap_pipeline(f, &h, VK_NULL_HANDLE, &pipeline), VK_ERROR_UNKNOWN);
    heap_map_all(f, &h, VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT, false);
    h.mappings[1].sourceData.pushIndex.pushOffset = 256; /* beyond the push data */
    REQUIRE_EQ(heap_pipeline(f, &h, VK_NULL_HANDLE, &pipeline), VK_ERROR_UNKNOWN);
    h.mappings[1].source = VK_DESCRIPTOR_MAPPING_SOURCE_SHADER_RECORD_DATA_EXT;
    REQUIRE_EQ(heap_pipeline(f, &h, VK_NULL_HANDLE, &pipeline), VK_ERROR_UNKNOWN);
    heap_test_destroy(f, &h);
}

/* h->push: an address, whether it leads anywhere, and how often it is asked for, with that question
 * and without. */
static void
guarded_run(struct fixture *f, struct heap_test *h, VkPipeline pipeline)
{
    heap_begin(f, h);
    vkCmdBindPipeline(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdDispatch(f->cb, 1, 1, 1);
    test_submit_and_wait(f);
    REQUIRE_EQ(h->result.words[0], 7);
}

static void
addresses_are_read_where_the_shader_reads(struct fixture *f)
{
    struct heap_test h = heap_test_create(f);
    const VkDeviceAddress data = test_address_range(f, h.values.handle, 128, 4).address;
    const VkDeviceAddress table = test_address_range(f, h.indices.handle, 800, 8).address;
    const VkDeviceAddress nowhere = 16;

    memcpy(&h.indices.words[200], &data, sizeof(data));
    for (uint32_t is_indirect = 0; is_indirect < 2; is_indirect++) {
        VkPipeline pipeline;
        heap_map_all(f, &h, VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT, false);
        h.mapping_count--;
        heap_mapping_add(&h, DATA,
                         is_indirect ? VK_DESCRIPTOR_MAPPING_SOURCE_INDIRECT_ADDRESS_EXT
                                     : VK_DESCRIPTOR_MAPPING_SOURCE_PUSH_ADDRESS_EXT);
        REQUIRE_EQ(heap_pipeline_of(f, &h, VK_NULL_HANDLE, &heap_guarded, &pipeline), VK_SUCCESS);
        memcpy(h.push, &nowhere, sizeof(nowhere));
        h.push[2] = 0;
        h.push[3] = 2;
        h.push[4] = 0;
        guarded_run(f, &h, pipeline);
        REQUIRE_EQ(h.result.words[1], 0xeeeeeeee);
        memcpy(h.push, is_indirect ? &table : &data, sizeof(data));
        h.push[2] = 1;
        h.push[4] = 2;
        guarded_run(f, &h, pipeline);
        REQUIRE_EQ(h.result.words[1], 141);
        REQUIRE_EQ(h.result.words[2], 142);
        REQUIRE_EQ(h.result.words[5], 140);
        vkDestroyPipeline(f->dev, pipeline, f->alloc);
    }
    heap_test_destroy(f, &h);
}

static const struct test_case cases[] = {
    TEST_CASE(each_index_leads_to_a_descriptor),
    TEST_CASE(data_needs_no_descriptor),
    TEST_CASE(the_first_mapping_of_a_kind_counts),
    TEST_CASE(each_kind_has_a_mapping_of_its_own),
    TEST_CASE(samplers_are_embedded),
    TEST_CASE(what_is_not_there_reads_as_zero),
    TEST_CASE(views_go_with_their_image),
    TEST_CASE(equal_infos_give_equal_descriptors),
    TEST_CASE(border_colors_have_indices),
    TEST_CASE(caches_tell_mappings_apart),
    TEST_CASE(shader_objects_have_mappings),
    TEST_CASE(heaps_change_between_dispatches),
    TEST_CASE(bad_mappings_are_refused),
    TEST_CASE(addresses_are_read_where_the_shader_reads),
};
TEST_MAIN(cases)

/* SPDX-License-Identifier: MIT */
#include "heap_test.h"

#include "api_shaders.h"

const struct heap_module heap_plain = {spirv_heap, sizeof(spirv_heap)};
const struct heap_module heap_guarded = {spirv_heap_guarded, sizeof(spirv_heap_guarded)};
const struct heap_module heap_copier = {spirv_heap_copy, sizeof(spirv_heap_copy)};
const struct heap_module heap_kinds = {spirv_heap_kinds, sizeof(spirv_heap_kinds)};

const uint32_t heap_all_shown[RESULTS] = {101, 102, 1, 1, 0, 130, 130, 141, 151, RESULT_WORDS};

void
heap_write_resource(struct fixture *f, VkDescriptorType type, const void *data, uint8_t *out)
{
    const VkResourceDescriptorInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT,
        .type = type,
        .data.pAddressRange = data, /* all its members are pointers */
    };
    const VkHostAddressRangeEXT to = {out, SIZE_B};
    REQUIRE_EQ(vkWriteResourceDescriptorsEXT(f->dev, 1, &info, &to), VK_SUCCESS);
}

VkSamplerCreateInfo
heap_sampler_info(VkBorderColor border)
{
    return (VkSamplerCreateInfo){
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
        .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
        .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
        .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
        .borderColor = border,
    };
}

void
heap_write_sampler(struct fixture *f, const VkSamplerCreateInfo *info, uint8_t *out)
{
    const VkHostAddressRangeEXT to = {out, SIZE_B};
    REQUIRE_EQ(vkWriteSamplerDescriptorsEXT(f->dev, 1, info, &to), VK_SUCCESS);
}

VkImageViewCreateInfo
heap_view_info(const struct heap_test *h)
{
    return (VkImageViewCreateInfo){
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = h->img.handle,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = VK_FORMAT_R32_UINT,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
}

void
heap_write_image(struct fixture *f, const VkImageViewCreateInfo *view, uint8_t *out)
{
    const VkImageDescriptorInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_DESCRIPTOR_INFO_EXT,
        .pView = view,
        .layout = VK_IMAGE_LAYOUT_GENERAL,
    };
    heap_write_resource(f, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, &info, out);
}

uint32_t *
heap_first_texel(struct fixture *f, const struct heap_test *h)
{
    const VkImageSubresource first = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0};
    VkSubresourceLayout rows;
    vkGetImageSubresourceLayout(f->dev, h->img.handle, &first, &rows);
    return (uint32_t *)(void *)(h->img.bytes + rows.offset);
}

static void
image_make(struct fixture *f, struct heap_test *h)
{
    VkImageCreateInfo img = test_image_info(VK_FORMAT_R32_UINT, 2, 2);
    img.tiling = VK_IMAGE_TILING_LINEAR;
    img.usage |= VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT;
    h->img = test_image_create_with(f, &img);
    *heap_first_texel(f, h) = 130;
}

static void
heaps_fill(struct fixture *f, struct heap_test *h)
{
    const VkDeviceAddressRangeEXT result = test_address_range(f, h->result.handle, 0, 64);
    const VkDeviceAddressRangeEXT data = test_address_range(f, h->values.handle, 128, 16);
    const VkTexelBufferDescriptorInfoEXT texels = {
        .sType = VK_STRUCTURE_TYPE_TEXEL_BUFFER_DESCRIPTOR_INFO_EXT,
        .format = VK_FORMAT_R32_UINT,
        .addressRange = test_address_range(f, h->values.handle, 192, 16),
    };
    const VkImageViewCreateInfo view = heap_view_info(h);
    const VkSamplerCreateInfo white = heap_sampler_info(VK_BORDER_COLOR_INT_OPAQUE_WHITE);
    const VkSamplerCreateInfo black = heap_sampler_info(VK_BORDER_COLOR_INT_OPAQUE_BLACK);
    uint8_t *at = h->resources.bytes;

    heap_write_resource(f, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &result, at + AT_RESULT * SIZE_B);
    for (uint32_t i = 0; i < 2; i++) {
        const VkDeviceAddressRangeEXT value = test_address_range(f, h->values.handle, 64 * i, 16);
        heap_write_resource(f, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, &value,
                            at + (AT_VALUES + i) * SIZE_B);
        heap_write_image(f, &view, at + (AT_IMAGE + i) * SIZE_B);
    }
    heap_write_resource(f, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, &texels,
                        at + AT_TEXELS * SIZE_B);
    heap_write_resource(f, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, &data, at + AT_DATA * SIZE_B);
    h->resources.words[HEAP_DATA_B / 4] = 141;
    heap_write_sampler(f, &white, h->samplers.bytes + AT_WHITE * SIZE_B);
    heap_write_sampler(f, &black, h->samplers.bytes + AT_BLACK * SIZE_B);
}

struct heap_test
heap_test_create(struct fixture *f)
{
    struct heap_test h = {0};
    h.resources = test_buffer_create(f, 2048, 0);
    h.samplers = test_buffer_create(f, 1024, 0);
    h.values = test_buffer_create(f, 256, 0);
    h.indices = test_buffer_create(f, 2048, 0);
    h.result = test_buffer_create(f, RESULT_WORDS * 4, 0xee);
    h.values.words[0] = 101;
    h.values.words[16] = 102;
    h.values.words[32] = 141;
    h.values.words[49] = 151;
    image_make(f, &h);
    heaps_fill(f, &h);
    return h;
}

void
heap_test_destroy(struct fixture *f, struct heap_test *h)
{
    test_image_destroy(f, &h->img);
    test_buffer_destroy(f, &h->resources);
    test_buffer_destroy(f, &h->samplers);
    test_buffer_destroy(f, &h->values);
    test_buffer_destroy(f, &h->indices);
    test_buffer_destroy(f, &h->result);
}

VkDescriptorSetAndBindingMappingEXT *
heap_mapping_add(struct heap_test *h, uint32_t binding, VkDescriptorMappingSourceEXT source)
{
    VkDescriptorSetAndBindingMappingEXT *m = &h->mappings[h->mapping_count++];
    *m = (VkDescriptorSetAndBindingMappingEXT){
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_AND_BINDING_MAPPING_EXT,
        .firstBinding = binding,
        .bindingCount = 1,
        .resourceMask = VK_SPIRV_RESOURCE_TYPE_ALL_EXT,
        .source = source,
    };
    return m;
}

/* A binding whose descriptors begin at those places; a part of each offset is in the index. */
static void
map(struct heap_test *h, uint32_t binding, VkDescriptorMappingSourceEXT source, uint32_t resource,
    uint32_t sampler, bool is_packed)
{
    VkDescriptorMappingSourceDataEXT *d = &heap_mapping_add(h, binding, source)->sourceData;
    const uint32_t at = INDICES + 2 * binding, row = 8 * binding;
    switch ((int)source) {
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT:
        d->constantOffset = (VkDescriptorMappingSourceConstantOffsetEXT){
            resource * SIZE_B, SIZE_B, NULL, sampler * SIZE_B, SIZE_B};
        break;
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT:
        d->pushIndex = (VkDescriptorMappingSourcePushIndexEXT){
            SIZE_B, at * 4, SIZE_B, SIZE_B, NULL, is_packed, SIZE_B, at * 4 + 4, SIZE_B, SIZE_B};
        h->push[at] = (resource - 1) | (is_packed ? (sampler - 1) << 20 : 0);
        h->push[at + 1] = sampler - 1;
        break;
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_EXT:
        d->indirectIndex = (VkDescriptorMappingSourceIndirectIndexEXT){
            SIZE_B, 0,         row * 4, SIZE_B, SIZE_B,
            NULL,   is_packed, SIZE_B,  0,      (SAMPLER_INDICES + row) * 4,
            SIZE_B, SIZE_B};
        break;
    default:
        d->indirectIndexArray = (VkDescriptorMappingSourceIndirectIndexArrayEXT){
            SIZE_B, 0, row * 4, SIZE_B, NULL, is_packed, SIZE_B, 0, (SAMPLER_INDICES + row) * 4,
            SIZE_B};
    }
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t packed = is_packed ? (sampler - 1 + i) << 20 : 0;
        h->indices.words[row + i] = (resource - 1 + i) | packed;
        h->indices.words[SAMPLER_INDICES + row + i] = sampler - 1 + i;
    }
}

void
heap_map_all(struct fixture *f, struct heap_test *h, VkDescriptorMappingSourceEXT source,
             bool is_packed)
{
    const VkDeviceAddress indices = test_address_range(f, h->indices.handle, 0, 4).address;
    memcpy(h->push, &indices, sizeof(indices));
    h->mapping_count = 0;
    map(h, RESULT, source, AT_RESULT, 1, false);
    map(h, VALUES, source, AT_VALUES, 1, false);
    map(h, PLAIN, source, AT_IMAGE, 1, is_packed);
    map(h, OUTSIDE, source, AT_WHITE, 1, is_packed);
    map(h, BOTH, source, AT_IMAGE, AT_WHITE, is_packed);
    map(h, TEXELS, source, AT_TEXELS, 1, false);
    map(h, DATA, source, AT_DATA, 1, false); /* the last one: tests replace it */
}

VkResult
heap_pipeline_of(struct fixture *f, const struct heap_test *h, VkPipelineCache cache,
                 const struct heap_module *module, VkPipeline *out)
{
    const VkShaderDescriptorSetAndBindingMappingInfoEXT mappings = {
        .sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
        .mappingCount = h->mapping_count,
        .pMappings = h->mappings,
    };
    const VkShaderModuleCreateInfo code = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .pNext = &mappings,
        .codeSize = module->size_B,
        .pCode = module->words,
    };
    const VkPipelineCreateFlags2CreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT,
    };
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .pNext = &flags,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .pNext = &code,
                  .stage = STAGE,
                  .pName = "main"},
    };
    return vkCreateComputePipelines(f->dev, cache, 1, &info, f->alloc, out);
}

VkResult
heap_pipeline(struct fixture *f, const struct heap_test *h, VkPipelineCache cache, VkPipeline *out)
{
    return heap_pipeline_of(f, h, cache, &heap_plain, out);
}

VkBindHeapInfoEXT
heap_bind_info(struct fixture *f, const struct test_buffer *heap)
{
    return (VkBindHeapInfoEXT){
        .sType = VK_STRUCTURE_TYPE_BIND_HEAP_INFO_EXT,
        .heapRange = test_address_range(f, heap->handle, 0, heap->size_B),
    };
}

void
heap_push(VkCommandBuffer cb, const struct heap_test *h)
{
    const VkPushDataInfoEXT data = {
        .sType = VK_STRUCTURE_TYPE_PUSH_DATA_INFO_EXT,
        .data = {h->push, sizeof(h->push)},
    };
    vkCmdPushDataEXT(cb, &data);
}

void
heap_begin(struct fixture *f, struct heap_test *h)
{
    const VkBindHeapInfoEXT resources = heap_bind_info(f, &h->resources);
    const VkBindHeapInfoEXT samplers = heap_bind_info(f, &h->samplers);
    memset(h->result.bytes, 0xee, h->result.size_B);
    test_begin(f);
    vkCmdBindResourceHeapEXT(f->cb, &resources);
    vkCmdBindSamplerHeapEXT(f->cb, &samplers);
    heap_push(f->cb, h);
}

void
heap_check(const struct heap_test *h, const uint32_t expected[RESULTS])
{
    for (uint32_t i = 0; i < RESULTS; i++)
        REQUIRE_EQ(h->result.words[i], expected[i]);
}

void
heap_run(struct fixture *f, struct heap_test *h, const uint32_t expected[RESULTS])
{
    VkPipeline pipeline;
    REQUIRE_EQ(heap_pipeline(f, h, VK_NULL_HANDLE, &pipeline), VK_SUCCESS);
    heap_begin(f, h);
    vkCmdBindPipeline(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdDispatch(f->cb, 1, 1, 1);
    test_submit_and_wait(f);
    heap_check(h, expected);
    vkDestroyPipeline(f->dev, pipeline, f->alloc);
}

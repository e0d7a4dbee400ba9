/* SPDX-License-Identifier: MIT */
/* SPV_EXT_descriptor_heap, in words: what assembles shaders here knows nothing of it yet.
 */
#include "fixture.h"

#define SIZE_B 32u /* of a descriptor of any type */
#define STAGE VK_SHADER_STAGE_COMPUTE_BIT

#define OP(opcode, count) ((count) << 16 | (opcode))

/* clang-format off */
enum {
    MAIN = 1, HEAP, VOID, FUNCTION, UINT, C0, C1, C2, C5, OFFSET, POINTER, BUFFER_POINTER,
    TEXEL_POINTER, BUFFER, STRIDE, BUFFERS, IMAGE, IMAGES, WORDS, BLOCK, LABEL, P1, B1, W1, V1, P2,
    B2, W2, LENGTH, W3, P3, TEXEL, OLD, W4, BOUND,
};

/* result[0] = values[2], result[1] = values.length(), result[2] = texel 1, to which 5 is added.
 * values is descriptor 1 of the heap, result 2, the texels are the second member of a struct, where
 * OFFSET says. */
static const uint32_t module[] = {
    0x07230203, 0x00010600, 0, BOUND, 0,
    OP(17, 2), 1, OP(17, 2), 4473, OP(17, 2), 5128, OP(17, 2), 47,
    OP(14, 3), 0, 1,
    OP(15, 6), 5, MAIN, 0x6e69616d, 0, HEAP,
    OP(16, 6), MAIN, 17, 1, 1, 1,
    OP(71, 4), HEAP, 11, 5123, /* BuiltIn ResourceHeapEXT */
    OP(332, 4), BUFFERS, 5124, STRIDE, /* ArrayStrideIdEXT */
    OP(5127, 5), IMAGES, 1, 5125, OFFSET, /* OffsetIdEXT */
    OP(71, 4), WORDS, 6, 4, OP(71, 3), BLOCK, 2, OP(72, 5), BLOCK, 0, 35, 0,
    OP(71, 4), OFFSET, 1, 0, /* SpecId */
    OP(19, 2), VOID, OP(33, 3), FUNCTION, VOID, OP(21, 4), UINT, 32, 0,
    OP(43, 4), UINT, C0, 0, OP(43, 4), UINT, C1, 1, OP(43, 4), UINT, C2, 2,
    OP(43, 4), UINT, C5, 5, OP(50, 4), UINT, OFFSET, 0,
    OP(4417, 3), POINTER, 0, OP(4417, 3), BUFFER_POINTER, 12, OP(4417, 3), TEXEL_POINTER, 11,
    OP(5115, 3), BUFFER, 12, OP(5129, 4), UINT, STRIDE, BUFFER, OP(29, 3), BUFFERS, BUFFER,
    OP(25, 9), IMAGE, UINT, 5, 0, 0, 0, 2, 33, OP(30, 4), IMAGES, IMAGE, IMAGE,
    OP(29, 3), WORDS, UINT, OP(30, 3), BLOCK, WORDS,
    OP(4418, 4), POINTER, HEAP, 0,
    OP(54, 5), VOID, MAIN, 0, FUNCTION, OP(248, 2), LABEL,
    OP(4419, 6), POINTER, P1, BUFFERS, HEAP, C1, OP(5119, 4), BUFFER_POINTER, B1, P1,
    OP(4419, 7), BUFFER_POINTER, W1, BLOCK, B1, C0, C2, OP(61, 4), UINT, V1, W1,
    OP(4419, 6), POINTER, P2, BUFFERS, HEAP, C2, OP(5119, 4), BUFFER_POINTER, B2, P2,
    OP(4419, 7), BUFFER_POINTER, W2, BLOCK, B2, C0, C0, OP(62, 3), W2, V1,
    OP(4425, 6), UINT, LENGTH, BLOCK, B1, 0,
    OP(4419, 7), BUFFER_POINTER, W3, BLOCK, B2, C0, C1, OP(62, 3), W3, LENGTH,
    OP(4419, 6), POINTER, P3, IMAGES, HEAP, C1,
    OP(5126, 7), TEXEL_POINTER, TEXEL, IMAGE, P3, C1, C0,
    OP(234, 7), UINT, OLD, TEXEL, C1, C0, C5,
    OP(4419, 7), BUFFER_POINTER, W4, BLOCK, B2, C0, C2, OP(62, 3), W4, OLD,
    OP(253, 1), OP(56, 1),
};
/* clang-format on */

static void
descriptor_write(struct fixture *f, VkDescriptorType type, const void *data, uint8_t *out)
{
    const VkResourceDescriptorInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT,
        .type = type,
        .data.pAddressRange = data,
    };
    const VkHostAddressRangeEXT to = {out, SIZE_B};
    REQUIRE_EQ(vkWriteResourceDescriptorsEXT(f->dev, 1, &info, &to), VK_SUCCESS);
}

static VkResult
pipeline_make(struct fixture *f, const uint32_t *words, uint32_t offset_B, VkPipeline *out)
{
    const VkShaderModuleCreateInfo code = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = sizeof(module),
        .pCode = words,
    };
    const VkPipelineCreateFlags2CreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT,
    };
    const VkSpecializationMapEntry entry = {0, 0, 4};
    const VkSpecializationInfo constants = {1, &entry, 4, &offset_B};
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .pNext = &flags,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .pNext = &code,
                  .stage = STAGE,
                  .pName = "main",
                  .pSpecializationInfo = &constants},
    };
    return vkCreateComputePipelines(f->dev, VK_NULL_HANDLE, 1, &info, f->alloc, out);
}

static void
shaders_name_descriptors_of_heaps(struct fixture *f)
{
    struct test_buffer heap = test_buffer_create(f, 1024, 0);
    struct test_buffer values = test_buffer_create(f, 96, 0);
    struct test_buffer result = test_buffer_create(f, 64, 0xee);
    const VkDeviceAddressRangeEXT ranges[2] = {test_address_range(f, values.handle, 0, 24),
                                               test_address_range(f, result.handle, 0, 64)};
    const VkTexelBufferDescriptorInfoEXT texels = {
        .sType = VK_STRUCTURE_TYPE_TEXEL_BUFFER_DESCRIPTOR_INFO_EXT,
        .format = VK_FORMAT_R32_UINT,
        .addressRange = test_address_range(f, values.handle, 32, 16),
    };
    VkPipeline pipeline;

    values.words[2] = 42;
    values.words[9] = 70;
    descriptor_write(f, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &ranges[0], heap.bytes + SIZE_B);
    descriptor_write(f, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &ranges[1], heap.bytes + 2 * SIZE_B);
    descriptor_write(f, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, &texels, heap.bytes + 7 * SIZE_B);
    REQUIRE_EQ(pipeline_make(f, module, 7 * SIZE_B, &pipeline), VK_SUCCESS);
    const VkBindHeapInfoEXT bind = {
        .sType = VK_STRUCTURE_TYPE_BIND_HEAP_INFO_EXT,
        .heapRange = test_address_range(f, heap.handle, 0, heap.size_B),
    };
    test_begin(f);
    vkCmdBindPipeline(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindResourceHeapEXT(f->cb, &bind);
    vkCmdDispatch(f->cb, 1, 1, 1);
    test_submit_and_wait(f);
    REQUIRE_EQ(result.words[0], 42);
    REQUIRE_EQ(result.words[1], 6);
    REQUIRE_EQ(result.words[2], 70);
    REQUIRE_EQ(values.words[9], 75);
    vkDestroyPipeline(f->dev, pipeline, f->alloc);
    test_buffer_destroy(f, &heap);
    test_buffer_destroy(f, &values);
    test_buffer_destroy(f, &result);
}

/* Any word of the module may be wrong: nothing ends but the compilation. */
static void
damaged_modules_are_refused_or_compiled(struct fixture *f)
{
    uint32_t words[sizeof(module) / 4];
    uint32_t refused_count = 0;
    for (uint32_t i = 5; i < sizeof(module) / 4; i++) {
        for (uint32_t k = 0; k < 2; k++) {
            VkPipeline pipeline = VK_NULL_HANDLE;
            memcpy(words, module, sizeof(module));
            words[i] = k ? words[i] + 1 : i % BOUND;
            const VkResult result = pipeline_make(f, words, 0, &pipeline);
            refused_count += result != VK_SUCCESS;
            vkDestroyPipeline(f->dev, pipeline, f->alloc);
        }
    }
    REQUIRE(refused_count > sizeof(module) / 8);
}

static const struct test_case cases[] = {
    TEST_CASE(shaders_name_descriptors_of_heaps),
    TEST_CASE(damaged_modules_are_refused_or_compiled),
};
TEST_MAIN(cases)

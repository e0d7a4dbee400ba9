/* SPDX-License-Identifier: MIT */
/* VK_EXT_descriptor_buffer: arrays of descriptors without a size are read where a kernel uses them,
 * and nowhere else.
 */
#include "memory_set.h"

#include "api_shaders.h"
#include "platform/pages.h"

#include <stdlib.h>

#define COUNT 65536u  /* descriptors of a binding */
#define LANES 128u    /* two workgroups */
#define LANE_WORDS 8u /* of the result */
#define PART_B 64u    /* a buffer of many[] */

enum { RESULT, BUFFERS, STORED_IMAGES, SAMPLED_IMAGES, SAMPLERS, BINDINGS };

struct arrays {
    struct memory_set m; /* an image, and views */
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkSampler black;
    uint64_t size_B; /* of the set, whole pages */
    uint8_t *host;
    struct test_buffer set; /* host, imported */
    VkDeviceSize offsets[BINDINGS];
    struct test_buffer parts;
    struct test_buffer result;
};

/* A descriptor buffer in memory of this process, parts of which can be taken away. */
static void
set_import(struct fixture *f, struct arrays *a)
{
    const VkExternalMemoryHandleTypeFlagBits type =
        VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
    const VkImportMemoryHostPointerInfoEXT pointer = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT,
        .handleType = type,
        .pHostPointer = a->host,
    };
    const VkMemoryAllocateFlagsInfo flags = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
        .pNext = &pointer,
        .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT,
    };
    const VkMemoryAllocateInfo allocation = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = &flags,
        .allocationSize = a->size_B,
    };
    const VkExternalMemoryBufferCreateInfo external = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO, .handleTypes = type};
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .pNext = &external,
        .size = a->size_B,
        .usage = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT |
                 VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT |
                 VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
    };
    a->set = (struct test_buffer){.size_B = a->size_B, .bytes = a->host};
    REQUIRE_EQ(vkAllocateMemory(f->dev, &allocation, f->alloc, &a->set.memory), VK_SUCCESS);
    REQUIRE_EQ(vkCreateBuffer(f->dev, &info, f->alloc, &a->set.handle), VK_SUCCESS);
    REQUIRE_EQ(vkBindBufferMemory(f->dev, a->set.handle, a->set.memory, 0), VK_SUCCESS);
}

static void
set_layout_create(struct fixture *f, struct arrays *a)
{
    const VkDescriptorSetLayoutBinding bindings[BINDINGS] = {
        {RESULT, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, STAGE, NULL},
        {BUFFERS, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, COUNT, STAGE, NULL},
        {STORED_IMAGES, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, COUNT, STAGE, NULL},
        {SAMPLED_IMAGES, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, COUNT, STAGE, NULL},
        {SAMPLERS, VK_DESCRIPTOR_TYPE_SAMPLER, COUNT, STAGE, NULL},
    };
    VkDeviceSize size_B;
    a->set_layout = memory_set_layout_create(f, 0, BINDINGS, bindings, false);
    vkGetDescriptorSetLayoutSizeEXT(f->dev, a->set_layout, &size_B);
    a->size_B = rp_pages_B(size_B);
    for (uint32_t i = 0; i < BINDINGS; i++)
        vkGetDescriptorSetLayoutBindingOffsetEXT(f->dev, a->set_layout, i, &a->offsets[i]);
}

static struct arrays
arrays_create(struct fixture *f)
{
    struct arrays a = {.m = memory_set_create(f, spirv_memory_set, sizeof(spirv_memory_set))};
    a.black = memory_set_sampler(f, VK_BORDER_COLOR_INT_OPAQUE_BLACK);
    set_layout_create(f, &a);
    a.layout = memory_set_pipeline_layout(f, 1, &a.set_layout);
    a.pipeline =
        memory_set_pipeline(f, spirv_many_in_memory, sizeof(spirv_many_in_memory), a.layout);
    a.host = rp_pages_map(a.size_B, false);
    REQUIRE(a.host);
    set_import(f, &a);
    a.parts = test_buffer_create(f, LANES * PART_B, 0);
    a.result = test_buffer_create(f, LANES * LANE_WORDS * 4, 0xee);
    return a;
}

static void
arrays_destroy(struct fixture *f, struct arrays *a)
{
    test_buffer_destroy(f, &a->result);
    test_buffer_destroy(f, &a->parts);
    vkDestroyBuffer(f->dev, a->set.handle, f->alloc);
    vkFreeMemory(f->dev, a->set.memory, f->alloc);
    rp_pages_unmap(a->host, a->size_B);
    vkDestroyPipeline(f->dev, a->pipeline, f->alloc);
    vkDestroyPipelineLayout(f->dev, a->layout, f->alloc);
    vkDestroyDescriptorSetLayout(f->dev, a->set_layout, f->alloc);
    vkDestroySampler(f->dev, a->black, f->alloc);
    memory_set_destroy(f, &a->m);
}

static uint8_t *
place(const struct arrays *a, uint32_t binding, uint32_t index)
{
    return a->host + a->offsets[binding] + (size_t)index * SIZE_B;
}

static void
part_write(struct fixture *f, const struct arrays *a, uint32_t lane, uint32_t index)
{
    const VkDescriptorAddressInfoEXT part = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT,
        .address = memory_set_address(f, &a->parts) + (VkDeviceAddress)lane * PART_B,
        .range = 16 + 4 * (lane % 12),
    };
    for (uint32_t i = 0; i < 4; i++)
        a->parts.words[lane * PART_B / 4 + i] = 1000 * i + lane;
    memory_set_descriptor(f, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &part, place(a, BUFFERS, index));
}

/* Element lane * stride of each array; an odd lane has no image to store to, and a black border. */
static void
set_write(struct fixture *f, struct arrays *a, uint32_t stride)
{
    const VkDescriptorImageInfo image = {VK_NULL_HANDLE, a->m.view, VK_IMAGE_LAYOUT_GENERAL};
    const VkDescriptorAddressInfoEXT result = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT,
        .address = memory_set_address(f, &a->result),
        .range = a->result.size_B,
    };
    memory_set_descriptor(f, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &result, place(a, RESULT, 0));
    for (uint32_t lane = 0; lane < LANES && lane * stride < COUNT; lane++) {
        const uint32_t index = lane * stride;
        part_write(f, a, lane, index);
        if (lane % 2 == 0)
            memory_set_descriptor(f, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, &image,
                                  place(a, STORED_IMAGES, index));
        memory_set_descriptor(f, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, &image,
                              place(a, SAMPLED_IMAGES, index));
        memory_set_descriptor(f, VK_DESCRIPTOR_TYPE_SAMPLER, lane % 2 ? &a->black : &a->m.sampler,
                              place(a, SAMPLERS, index));
    }
}

static void
arrays_run(struct fixture *f, struct arrays *a, uint32_t stride)
{
    const struct test_buffer *set = &a->set;
    const uint32_t buffer = 0;
    const VkDeviceSize offset_B = 0;
    test_begin(f);
    vkCmdBindPipeline(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, a->pipeline);
    vkCmdPushConstants(f->cb, a->layout, STAGE, 0, 4, &stride);
    memory_set_bind(f, f->cb, 1, &set);
    vkCmdSetDescriptorBufferOffsetsEXT(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, a->layout, 0, 1,
                                       &buffer, &offset_B);
    vkCmdDispatch(f->cb, LANES / 64, 1, 1);
    test_submit_and_wait(f);
}

static void
result_check(const struct arrays *a, uint32_t stride)
{
    for (uint32_t lane = 0; lane < LANES; lane++) {
        const uint32_t *got = a->result.words + lane * LANE_WORDS;
        const bool is_there = lane * stride < COUNT;
        const uint32_t expected[LANE_WORDS] = {
            is_there ? lane : 0,
            is_there ? 4 + lane % 12 : 0,
            is_there ? 1000 + lane : 0,
            is_there && lane % 2 == 0 ? 131 : 0,
            is_there && lane % 2 == 0 ? 1 : 0,
            2001,
            131,
            3000,
        };
        REQUIRE_BYTES(got, expected, sizeof(expected));
    }
}

/* The last element is used; past it there is none. */
static void
lanes_use_elements_of_their_own(struct fixture *f)
{
    struct arrays a = arrays_create(f);
    const uint32_t strides[] = {1, (COUNT - 1) / 5, COUNT / 100};
    for (uint32_t i = 0; i < 3; i++) {
        memset(a.host, 0xcd, a.size_B); /* no descriptors */
        set_write(f, &a, strides[i]);
        arrays_run(f, &a, strides[i]);
        result_check(&a, strides[i]);
    }
    arrays_destroy(f, &a);
}

/* What no lane names may be anything. A capture and a profile look at all that is bound. */
static void
others_are_not_read(struct fixture *f)
{
    struct arrays a = arrays_create(f);
    const uint64_t page_B = rp_page_B();
    set_write(f, &a, 1);
    if (!getenv("REELPIPE_CAPTURE") && !getenv("REELPIPE_PROFILE")) {
        for (uint32_t b = BUFFERS; b < BINDINGS; b++) {
            const uint64_t begin_B = rp_pages_B(a.offsets[b] + LANES * SIZE_B);
            const uint64_t end_B = (a.offsets[b] + COUNT * SIZE_B) / page_B * page_B;
            REQUIRE(begin_B < end_B);
            REQUIRE(rp_pages_reserve(a.host + begin_B, end_B - begin_B));
        }
    }
    arrays_run(f, &a, 1);
    result_check(&a, 1);
    arrays_destroy(f, &a);
}

static const struct test_case cases[] = {
    TEST_CASE(lanes_use_elements_of_their_own),
    TEST_CASE(others_are_not_read),
};
TEST_MAIN(cases)

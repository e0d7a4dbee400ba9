/* SPDX-License-Identifier: MIT */
/* VK_EXT_descriptor_heap: what descriptors are as memory. They are the same when they are written
 * again, and copied by whoever likes to; what is none finds nothing.
 */
#include "heap_test.h"

#include <pthread.h>
#include <stdlib.h>

static VkImageCreateInfo
image_info(void)
{
    VkImageCreateInfo info = test_image_info(VK_FORMAT_R32_UINT, 2, 2);
    info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
    info.flags |= VK_IMAGE_CREATE_DESCRIPTOR_HEAP_CAPTURE_REPLAY_BIT_EXT;
    return info;
}

/* With the data of another one, which may be there still. */
static VkResult
image_again(struct fixture *f, const void *data, size_t size_B, VkImage *out)
{
    const VkHostAddressRangeConstEXT range = {data, size_B};
    const VkOpaqueCaptureDataCreateInfoEXT captured = {
        .sType = VK_STRUCTURE_TYPE_OPAQUE_CAPTURE_DATA_CREATE_INFO_EXT,
        .pData = &range,
    };
    VkImageCreateInfo info = image_info();
    info.pNext = &captured;
    return vkCreateImage(f->dev, &info, f->alloc, out);
}

static size_t
data_size_B(struct fixture *f)
{
    VkPhysicalDeviceDescriptorHeapPropertiesEXT heaps = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                       .pNext = &heaps};
    vkGetPhysicalDeviceProperties2(f->pdev, &all);
    REQUIRE(heaps.imageCaptureReplayOpaqueDataSize > 0);
    return heaps.imageCaptureReplayOpaqueDataSize;
}

/* The descriptor of a view of the image's first layer, with r as its red component. */
static void
view_descriptor(struct fixture *f, VkImage img, VkComponentSwizzle r, uint8_t out[SIZE_B])
{
    const struct heap_test h = {.img.handle = img};
    VkImageViewCreateInfo view = heap_view_info(&h);
    view.components.r = r;
    heap_write_image(f, &view, out);
}

/* What the application asks before it makes images to be made again. */
static void
require_format(struct fixture *f, const VkImageCreateInfo *info)
{
    const VkPhysicalDeviceImageFormatInfo2 asked = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
        .format = info->format,
        .type = info->imageType,
        .tiling = info->tiling,
        .usage = info->usage,
        .flags = info->flags,
    };
    VkImageFormatProperties2 told = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2};
    REQUIRE_EQ(vkGetPhysicalDeviceImageFormatProperties2(f->pdev, &asked, &told), VK_SUCCESS);
}

static void
images_made_again_have_their_descriptors(struct fixture *f)
{
    enum { COUNT = 5 };
    const VkImageCreateInfo info = image_info();
    require_format(f, &info);
    const size_t size_B = data_size_B(f);
    struct test_image made[COUNT];
    uint8_t data[COUNT][64], before[COUNT][2][SIZE_B], after[SIZE_B];

    REQUIRE(size_B <= 64);
    for (uint32_t i = 0; i < COUNT; i++) {
        VkHostAddressRangeEXT to = {data[i], size_B};
        made[i] = test_image_create_with(f, &info);
        REQUIRE_EQ(vkGetImageOpaqueCaptureDataEXT(f->dev, 1, &made[i].handle, &to), VK_SUCCESS);
        view_descriptor(f, made[i].handle, VK_COMPONENT_SWIZZLE_R, before[i][0]);
        view_descriptor(f, made[i].handle, VK_COMPONENT_SWIZZLE_G, before[i][1]);
        REQUIRE(!i || memcmp(before[i][0], before[i - 1][0], SIZE_B) != 0);
    }
    for (uint32_t i = 0; i < COUNT; i++)
        test_image_destroy(f, &made[i]);

    /* Others are and have been there meanwhile, and the order is another one. */
    VkImageCreateInfo plain = info;
    plain.flags &= ~(VkImageCreateFlags)VK_IMAGE_CREATE_DESCRIPTOR_HEAP_CAPTURE_REPLAY_BIT_EXT;
    struct test_image beside = test_image_create_with(f, &plain);
    struct test_image other = test_image_create_with(f, &info);
    test_image_destroy(f, &other);
    for (uint32_t i = COUNT; i-- > 0;) {
        const VkHostAddressRangeConstEXT range = {data[i], size_B};
        const VkOpaqueCaptureDataCreateInfoEXT captured = {
            .sType = VK_STRUCTURE_TYPE_OPAQUE_CAPTURE_DATA_CREATE_INFO_EXT, .pData = &range};
        VkImageCreateInfo again = info;
        again.pNext = &captured;
        made[i] = test_image_create_with(f, &again);
        for (uint32_t k = 2; k-- > 0;) {
            view_descriptor(f, made[i].handle, k ? VK_COMPONENT_SWIZZLE_G : VK_COMPONENT_SWIZZLE_R,
                            after);
            REQUIRE(memcmp(after, before[i][k], SIZE_B) == 0);
        }
    }
    test_image_destroy(f, &beside);
    for (uint32_t i = 0; i < COUNT; i++)
        test_image_destroy(f, &made[i]);
}

static void
data_of_another_image_is_refused(struct fixture *f)
{
    static const uint8_t nonsense[][8] = {
        {0}, {255, 255, 255, 255}, {0, 0, 0x40, 0}, {0, 0, 0, 128}};
    const VkImageCreateInfo info = image_info();
    struct test_image img = test_image_create_with(f, &info);
    struct test_image next = test_image_create_with(f, &info);
    uint8_t data[64];
    VkImage again;
    VkHostAddressRangeEXT to = {data, data_size_B(f)};

    REQUIRE_EQ(vkGetImageOpaqueCaptureDataEXT(f->dev, 1, &img.handle, &to), VK_SUCCESS);
    REQUIRE_EQ(image_again(f, data, to.size, &again), VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS);
    for (uint32_t i = 0; i < 4; i++)
        REQUIRE_EQ(image_again(f, nonsense[i], to.size, &again),
                   VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS);
    test_image_destroy(f, &img);
    REQUIRE_EQ(image_again(f, data, to.size, &again), VK_SUCCESS);
    vkDestroyImage(f->dev, again, f->alloc);
    test_image_destroy(f, &next);
}

enum { AT_COPIED = 20, AT_HEAP, AT_STORAGE };

/* The pipeline of heap_copy.comp: the texel through AT_COPIED, the heap through AT_HEAP. */
static VkPipeline
copier_make(struct fixture *f, struct heap_test *h)
{
    static const VkDescriptorMappingSourceEXT source =
        VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT;
    const VkDeviceAddressRangeEXT heap =
        test_address_range(f, h->resources.handle, 0, h->resources.size_B);
    const VkImageViewCreateInfo view = heap_view_info(h);
    const VkImageDescriptorInfoEXT image = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_DESCRIPTOR_INFO_EXT,
        .pView = &view,
        .layout = VK_IMAGE_LAYOUT_GENERAL,
    };
    VkPipeline pipeline;
    h->mapping_count = 0;
    heap_mapping_add(h, 0, source)->sourceData.constantOffset.heapOffset = AT_COPIED * SIZE_B;
    heap_mapping_add(h, 1, source)->sourceData.constantOffset.heapOffset = AT_HEAP * SIZE_B;
    heap_write_resource(f, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &heap,
                        h->resources.bytes + AT_HEAP * SIZE_B);
    heap_write_resource(f, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, &image,
                        h->resources.bytes + AT_STORAGE * SIZE_B);
    REQUIRE_EQ(heap_pipeline_of(f, h, VK_NULL_HANDLE, &heap_copier, &pipeline), VK_SUCCESS);
    return pipeline;
}

static void
kernels_copy_descriptors(struct fixture *f)
{
    struct heap_test h = heap_test_create(f);
    const VkPipeline pipeline = copier_make(f, &h);
    const uint32_t *texel = heap_first_texel(f, &h);
    const VkMemoryBarrier2 all = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
        .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        .srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        .dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_RESOURCE_HEAP_READ_BIT_EXT,
    };
    const VkDependencyInfo barrier = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .memoryBarrierCount = 1,
        .pMemoryBarriers = &all,
    };

    h.push[0] = 5;
    h.push[1] = AT_STORAGE;
    h.push[2] = AT_COPIED;
    heap_begin(f, &h);
    vkCmdBindPipeline(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdDispatch(f->cb, 1, 1, 1); /* its texel goes nowhere */
    vkCmdPipelineBarrier2(f->cb, &barrier);
    h.push[0] = 6;
    heap_push(f->cb, &h);
    vkCmdDispatch(f->cb, 1, 1, 1);
    test_submit_and_wait(f);
    REQUIRE_EQ(*texel, 6);
    REQUIRE(memcmp(h.resources.bytes + AT_COPIED * SIZE_B, h.resources.bytes + AT_STORAGE * SIZE_B,
                   SIZE_B) == 0);
    vkDestroyPipeline(f->dev, pipeline, f->alloc);
    heap_test_destroy(f, &h);
}

/* Whatever else the kernel names: the heap's bytes, samplers, push data. */
static void
indices_beyond_a_heap_find_nothing(struct fixture *f)
{
    enum { STEP = 1u << 12, FIRST = 16, STEPS = 1u << 15 }; /* to where 32 bits of offset end */
    struct heap_test h = heap_test_create(f);
    VkPipeline pipeline;

    heap_map_all(f, &h, VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT, false);
    h.mapping_count--;
    h.push[DATA_OFFSET] = HEAP_DATA_B;
    h.resources.words[0] = 77;
    heap_mapping_add(&h, DATA, VK_DESCRIPTOR_MAPPING_SOURCE_RESOURCE_HEAP_DATA_EXT)
        ->sourceData.heapData.pushOffset = DATA_OFFSET * 4;
    REQUIRE_EQ(heap_pipeline(f, &h, VK_NULL_HANDLE, &pipeline), VK_SUCCESS);
    for (uint32_t i = FIRST; i < STEPS; i += i < 2000 ? 1 : 229) {
        h.push[INDICES + 2 * VALUES] = i * STEP - 1; /* of what begins with the second one */
        heap_begin(f, &h);
        vkCmdBindPipeline(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
        vkCmdDispatch(f->cb, 1, 1, 1);
        test_submit_and_wait(f);
        REQUIRE_EQ(h.result.words[0], 0);
        REQUIRE_EQ(h.result.words[1], 0);
        REQUIRE_EQ(h.result.words[7], 141);
    }
    vkDestroyPipeline(f->dev, pipeline, f->alloc);
    heap_test_destroy(f, &h);
}

/* Descriptors of images and samplers name what is not there, of each kind in the place of each. */
static void
nonsense_in_a_heap_is_nothing(struct fixture *f)
{
    struct heap_test h = heap_test_create(f);
    VkPipeline pipeline;

    heap_map_all(f, &h, VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT, false);
    REQUIRE_EQ(heap_pipeline(f, &h, VK_NULL_HANDLE, &pipeline), VK_SUCCESS);
    srand(27);
    for (uint32_t i = 0; i < 300; i++) {
        uint32_t *heap = i % 2 ? h.samplers.words : h.resources.words;
        const uint32_t slot = i % 2 ? AT_WHITE : AT_IMAGE + i / 2 % 2;
        const uint32_t *from = i % 3 ? h.resources.words + AT_IMAGE * SIZE_B / 4
                                     : h.samplers.words + AT_BLACK * SIZE_B / 4;
        uint32_t words[SIZE_B / 4];
        memcpy(words, from, SIZE_B);
        for (uint32_t k = 0; k < 1 + i % 7; k++)
            words[1 + (uint32_t)rand() % 7] ^= 1u << (uint32_t)rand() % 32;
        if (i % 5 == 0)
            words[0] += (uint32_t)rand() % 3; /* the next kinds: no kind names an address here */
        memcpy(heap + slot * SIZE_B / 4, words, SIZE_B);
        heap_begin(f, &h);
        vkCmdBindPipeline(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
        vkCmdDispatch(f->cb, 1, 1, 1);
        test_submit_and_wait(f);
        REQUIRE_EQ(h.result.words[0], 101);
    }
    vkDestroyPipeline(f->dev, pipeline, f->alloc);
    heap_test_destroy(f, &h);
}

/* What is bound is as long as the heap may be; what lies beyond it is not looked at. */
static void
heaps_of_any_size_are_bound(struct fixture *f)
{
    static const VkDeviceSize sizes[] = {0, 31, AT_VALUES * SIZE_B, UINT64_MAX};
    struct heap_test h = heap_test_create(f);
    VkPipeline pipeline;

    heap_map_all(f, &h, VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT, false);
    REQUIRE_EQ(heap_pipeline(f, &h, VK_NULL_HANDLE, &pipeline), VK_SUCCESS);
    for (uint32_t i = 0; i < 4; i++) {
        VkBindHeapInfoEXT heap = heap_bind_info(f, &h.resources);
        heap.heapRange.size = sizes[i];
        heap_begin(f, &h);
        vkCmdBindResourceHeapEXT(f->cb, &heap);
        vkCmdBindPipeline(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
        vkCmdDispatch(f->cb, 1, 1, 1);
        test_submit_and_wait(f);
        REQUIRE_EQ(h.result.words[0], i < 2 ? 0xeeeeeeee : i == 2 ? 0 : 101);
    }
    /* No heap at all; more data than may be pushed. */
    static const uint8_t data[512];
    const VkPushDataInfoEXT pushes[] = {
        {.sType = VK_STRUCTURE_TYPE_PUSH_DATA_INFO_EXT, .data = {data, sizeof(data)}},
        {.sType = VK_STRUCTURE_TYPE_PUSH_DATA_INFO_EXT, .offset = 252, .data = {data, 8}},
        {.sType = VK_STRUCTURE_TYPE_PUSH_DATA_INFO_EXT, .offset = UINT32_MAX, .data = {data, 4}},
    };
    const VkBindHeapInfoEXT none = {.sType = VK_STRUCTURE_TYPE_BIND_HEAP_INFO_EXT};
    heap_begin(f, &h);
    vkCmdBindResourceHeapEXT(f->cb, &none);
    vkCmdBindSamplerHeapEXT(f->cb, &none);
    for (uint32_t i = 0; i < 3; i++)
        vkCmdPushDataEXT(f->cb, &pushes[i]);
    vkCmdBindPipeline(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdDispatch(f->cb, 1, 1, 1);
    test_submit_and_wait(f);
    REQUIRE_EQ(h.result.words[0], 0xeeeeeeee);
    vkDestroyPipeline(f->dev, pipeline, f->alloc);
    heap_test_destroy(f, &h);
}

struct writer {
    struct fixture *f;
    const struct heap_test *h;
};

/* Descriptors of a sampler and a view that nobody had written before. */
static void *
writer_run(void *ctx)
{
    const struct writer *w = ctx;
    VkSamplerCreateInfo sampler = heap_sampler_info(VK_BORDER_COLOR_INT_OPAQUE_WHITE);
    VkImageViewCreateInfo view = heap_view_info(w->h);
    uint8_t out[SIZE_B];

    for (uint32_t i = 0; i < 300; i++) {
        sampler.maxLod = (float)(i + 1);
        view.components.r = (VkComponentSwizzle)(i % 7);
        view.components.g = (VkComponentSwizzle)(i / 7 % 7);
        view.components.b = (VkComponentSwizzle)(i / 49);
        heap_write_sampler(w->f, &sampler, out);
        heap_write_image(w->f, &view, out);
    }
    return NULL;
}

static void
descriptors_are_written_beside_kernels(struct fixture *f)
{
    struct heap_test h = heap_test_create(f);
    struct writer w = {f, &h};
    pthread_t writers[2];
    VkPipeline pipeline;

    heap_map_all(f, &h, VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT, false);
    REQUIRE_EQ(heap_pipeline(f, &h, VK_NULL_HANDLE, &pipeline), VK_SUCCESS);
    for (uint32_t i = 0; i < 2; i++)
        REQUIRE_EQ(pthread_create(&writers[i], NULL, writer_run, &w), 0);
    for (uint32_t i = 0; i < 200; i++) {
        heap_begin(f, &h);
        vkCmdBindPipeline(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
        vkCmdDispatch(f->cb, 1, 1, 1);
        test_submit_and_wait(f);
        heap_check(&h, heap_all_shown);
    }
    for (uint32_t i = 0; i < 2; i++)
        REQUIRE_EQ(pthread_join(writers[i], NULL), 0);
    vkDestroyPipeline(f->dev, pipeline, f->alloc);
    heap_test_destroy(f, &h);
}

static const struct test_case cases[] = {
    TEST_CASE(images_made_again_have_their_descriptors),
    TEST_CASE(data_of_another_image_is_refused),
    TEST_CASE(kernels_copy_descriptors),
    TEST_CASE(indices_beyond_a_heap_find_nothing),
    TEST_CASE(nonsense_in_a_heap_is_nothing),
    TEST_CASE(heaps_of_any_size_are_bound),
    TEST_CASE(descriptors_are_written_beside_kernels),
};
TEST_MAIN(cases)

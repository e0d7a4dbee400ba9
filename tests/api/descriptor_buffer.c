/* SPDX-License-Identifier: MIT */
/* VK_EXT_descriptor_buffer: what descriptors in memory may be, and what they are otherwise.
 */
#include "memory_set.h"

#include "api_shaders.h"

#include <stdlib.h>
#include <time.h>

/* The same with null descriptors. */
static const uint32_t all_null[12] = {1, 0, 0, 0, 0, 0, 0, 0, 141, 0, 0, 0};

static struct memory_set
set_create(struct fixture *f)
{
    return memory_set_create(f, spirv_memory_set, sizeof(spirv_memory_set));
}

static void
the_device_has_the_features(struct fixture *f)
{
    VkPhysicalDeviceDescriptorBufferFeaturesEXT own = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT};
    VkPhysicalDeviceFeatures2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                     .pNext = &own};
    vkGetPhysicalDeviceFeatures2(f->pdev, &all);
    REQUIRE(own.descriptorBuffer && own.descriptorBufferImageLayoutIgnored &&
            own.descriptorBufferPushDescriptors);
    REQUIRE(!own.descriptorBufferCaptureReplay);
    REQUIRE(fixture_has_extension(f, VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME));
}

static void
properties_meet_the_required_limits(struct fixture *f)
{
    VkPhysicalDeviceDescriptorBufferPropertiesEXT own = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                       .pNext = &own};
    vkGetPhysicalDeviceProperties2(f->pdev, &all);
    const size_t sizes[13] = {
        own.samplerDescriptorSize,
        own.combinedImageSamplerDescriptorSize,
        own.sampledImageDescriptorSize,
        own.storageImageDescriptorSize,
        own.uniformTexelBufferDescriptorSize,
        own.robustUniformTexelBufferDescriptorSize,
        own.storageTexelBufferDescriptorSize,
        own.robustStorageTexelBufferDescriptorSize,
        own.uniformBufferDescriptorSize,
        own.robustUniformBufferDescriptorSize,
        own.storageBufferDescriptorSize,
        own.robustStorageBufferDescriptorSize,
        own.inputAttachmentDescriptorSize,
    };
    for (uint32_t i = 0; i < 13; i++)
        REQUIRE_EQ(sizes[i], SIZE_B);
    REQUIRE(own.combinedImageSamplerDescriptorSingleArray && own.bufferlessPushDescriptors);
    REQUIRE_EQ(own.descriptorBufferOffsetAlignment, 16);
    REQUIRE(own.maxDescriptorBufferBindings >= 3 && own.maxEmbeddedImmutableSamplers >= 2032);
    REQUIRE(own.maxResourceDescriptorBufferBindings >= 1 &&
            own.maxSamplerDescriptorBufferBindings >= 1 &&
            own.maxEmbeddedImmutableSamplerBindings >= 1);
    REQUIRE(own.samplerDescriptorBufferAddressSpaceSize >= 1u << 27 &&
            own.resourceDescriptorBufferAddressSpaceSize >= 1u << 27 &&
            own.descriptorBufferAddressSpaceSize >= 1u << 27);
    REQUIRE(own.maxSamplerDescriptorBufferRange >= 2048 * SIZE_B &&
            own.maxResourceDescriptorBufferRange >= ((1u << 20) - (1u << 15)) * SIZE_B);
}

static void
bindings_lie_in_order_and_a_variable_one_last(struct fixture *f)
{
    const VkDescriptorSetLayoutBinding bindings[4] = {
        {7, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 100, STAGE, NULL}, /* the variable one */
        {5, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 12, STAGE, NULL},
        {2, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 3, STAGE, NULL},
        {0, VK_DESCRIPTOR_TYPE_SAMPLER, 1, STAGE, NULL},
    };
    static const VkDeviceSize expected[8] = {[2] = SIZE_B, [5] = 4 * SIZE_B, [7] = 4 * SIZE_B + 16};
    VkDescriptorSetLayout layout = memory_set_layout_create(f, 0, 4, bindings, false);
    VkDeviceSize size_B, offset_B;

    for (uint32_t i = 0; i < 4; i++) {
        vkGetDescriptorSetLayoutBindingOffsetEXT(f->dev, layout, bindings[i].binding, &offset_B);
        REQUIRE_EQ(offset_B, expected[bindings[i].binding]);
    }
    vkGetDescriptorSetLayoutSizeEXT(f->dev, layout, &size_B);
    REQUIRE_EQ(size_B, expected[7] + 100 * SIZE_B);
    vkDestroyDescriptorSetLayout(f->dev, layout, f->alloc);
}

static void
each_type_of_descriptor_is_read(struct fixture *f)
{
    struct memory_set m = set_create(f);
    memory_set_write(f, &m, m.sets.bytes);
    memory_set_run(f, &m);
    REQUIRE_BYTES(m.result.words, all_shown, sizeof(all_shown));
    REQUIRE_EQ(m.values.words[2 * 16], 70);
    REQUIRE_EQ(m.values.words[5 * 16 + 1], 72);
    REQUIRE_EQ(*(const uint32_t *)m.img.bytes, 71);
    memory_set_destroy(f, &m);
}

/* NULL, an address of 0 with the whole size, and a view of VK_NULL_HANDLE. */
static void
null_descriptors_show_nothing(struct fixture *f)
{
    struct memory_set m = set_create(f);
    const VkDescriptorAddressInfoEXT nowhere = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT, .range = VK_WHOLE_SIZE};
    const VkDescriptorImageInfo no_view = {m.sampler, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL};

    for (uint32_t with_info = 0; with_info < 2; with_info++) {
        memory_set_write(f, &m, m.sets.bytes);
        for (uint32_t i = 0; i < 9; i++) {
            const VkDescriptorType type = one_of_each[i].descriptorType;
            const bool is_image = i >= 4 && i <= 6;
            const bool is_combined = type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
            const void *info = is_image ? (const void *)&no_view : &nowhere;
            uint8_t *at = m.sets.bytes + m.offsets[one_of_each[i].binding];
            if (type == VK_DESCRIPTOR_TYPE_SAMPLER ||
                type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK)
                continue;
            memory_set_descriptor(f, type, with_info || is_combined ? info : NULL, at);
        }
        memory_set_run(f, &m);
        REQUIRE_BYTES(m.result.words, all_null, sizeof(all_null));
    }
    REQUIRE_EQ(m.values.words[2 * 16], 120);
    memory_set_destroy(f, &m);
}

/* What no driver wrote names nothing, and neither does a view as what it is not. */
static void
unknown_contents_are_null_descriptors(struct fixture *f)
{
    struct memory_set m = set_create(f);
    srand(31);
    for (uint32_t round = 0; round < 200; round++) {
        memory_set_write(f, &m, m.sets.bytes);
        for (uint32_t i = UNIFORM; i <= MANY; i++) {
            uint8_t *at = m.sets.bytes + m.offsets[i];
            for (uint32_t k = 0; i != INLINE && k < SIZE_B; k++)
                at[k] = round == 0 ? 0xff : (uint8_t)rand();
        }
        memory_set_run(f, &m);
        REQUIRE_BYTES(m.result.words, all_null, sizeof(all_null));
    }
    memory_set_destroy(f, &m);
}

/* Types are told apart by their numbers: a name with any bits, a format that buffers have not, a
 * sampler where an image is wanted. */
static void
damaged_descriptors_are_null_descriptors(struct fixture *f)
{
    struct memory_set m = set_create(f);
    const uint32_t damaged[4] = {TEXELS, SAMPLED, COMBINED, STORED};
    srand(32);
    for (uint32_t round = 0; round < 300; round++) {
        memory_set_write(f, &m, m.sets.bytes);
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t *words = (uint32_t *)(m.sets.bytes + m.offsets[damaged[i]]);
            words[1] = round < 150 ? round : (uint32_t)rand() * 2654435761u;     /* format */
            words[6] = 1000 + (uint32_t)rand() * (round % 2 ? 1u : 2654435761u); /* view */
            if (damaged[i] == TEXELS && words[1] == VK_FORMAT_R32_UINT)
                words[1] = VK_FORMAT_UNDEFINED;
        }
        memory_set_run(f, &m);
        for (uint32_t i = 4; i < 8; i++)
            REQUIRE_EQ(m.result.words[i], 0);
    }
    memory_set_write(f, &m, m.sets.bytes);
    ((uint32_t *)(m.sets.bytes + m.offsets[TEXELS]))[1] = VK_FORMAT_R8G8B8A8_SRGB;
    ((uint32_t *)(m.sets.bytes + m.offsets[STORED]))[6] = 1u << 22; /* the first of no chunk */
    memcpy(m.sets.bytes + m.offsets[SAMPLED], m.sets.bytes + m.offsets[OUTSIDE], SIZE_B);
    memory_set_run(f, &m);
    REQUIRE_EQ(m.result.words[2], 0);
    REQUIRE_EQ(m.result.words[4], 0);
    REQUIRE_EQ(m.result.words[7], 0);
    memory_set_destroy(f, &m);
}

/* The descriptor of a view that is gone, and that of one made where it was. */
static void
descriptors_of_destroyed_views_name_nothing(struct fixture *f)
{
    struct memory_set m = set_create(f);
    uint8_t old[SIZE_B], new[SIZE_B];
    memory_set_write(f, &m, m.sets.bytes);
    memcpy(old, m.sets.bytes + m.offsets[SAMPLED], SIZE_B);
    vkDestroyImageView(f->dev, m.view, f->alloc);
    memory_set_run(f, &m);
    REQUIRE_EQ(m.result.words[4], 0);
    REQUIRE_EQ(m.result.words[6], 0);
    REQUIRE_EQ(m.result.words[7], 0);

    m.view = memory_set_view(f, &m);
    memory_set_write(f, &m, m.sets.bytes);
    memcpy(new, m.sets.bytes + m.offsets[SAMPLED], SIZE_B);
    REQUIRE_BYTES(new, old, SIZE_B); /* numbers are given again */
    memory_set_run(f, &m);
    REQUIRE_BYTES(m.result.words, all_shown, sizeof(all_shown));
    memory_set_destroy(f, &m);
}

/* More views than a chunk of names has, of which the last one is read. */
static void
thousands_of_views_have_descriptors(struct fixture *f)
{
    struct memory_set m = set_create(f);
    VkImageView *views = malloc(9000 * sizeof(*views));
    REQUIRE(views);
    const VkImageView first = m.view;
    for (uint32_t i = 0; i < 9000; i++)
        views[i] = memory_set_view(f, &m);
    m.view = views[8999];
    memory_set_write(f, &m, m.sets.bytes);
    memory_set_run(f, &m);
    REQUIRE_BYTES(m.result.words, all_shown, sizeof(all_shown));
    for (uint32_t i = 0; i < 9000; i++)
        vkDestroyImageView(f->dev, views[i], f->alloc);
    m.view = first;
    free(views);
    memory_set_destroy(f, &m);
}

/* A view without STORAGE usage is no storage image, whatever memory says. */
static void
views_are_read_as_their_usage_allows(struct fixture *f)
{
    struct memory_set m = set_create(f);
    const VkImageViewUsageCreateInfo usage = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO,
        .usage = VK_IMAGE_USAGE_SAMPLED_BIT,
    };
    const VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .pNext = &usage,
        .image = m.img.handle,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = VK_FORMAT_R32_UINT,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    vkDestroyImageView(f->dev, m.view, f->alloc);
    REQUIRE_EQ(vkCreateImageView(f->dev, &info, f->alloc, &m.view), VK_SUCCESS);
    memory_set_write(f, &m, m.sets.bytes);
    memory_set_run(f, &m);
    REQUIRE_EQ(m.result.words[4], 131);
    REQUIRE_EQ(m.result.words[7], 0);
    memory_set_destroy(f, &m);
}

/* VK_EXT_image_sliced_view_of_3d: a view's storage image is a part of what a sampler sees. */
static void
storage_images_are_slices(struct fixture *f)
{
    static const VkDescriptorSetLayoutBinding bindings[5] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1, STAGE, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1, STAGE, NULL},
        {2, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1, STAGE, NULL},
        {3, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, STAGE, NULL},
        {4, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1, STAGE, NULL},
    };
    struct memory_set m = set_create(f);
    VkImageCreateInfo info = test_image_info(VK_FORMAT_R32_UINT, 2, 2);
    info.imageType = VK_IMAGE_TYPE_3D;
    info.extent.depth = 4;
    info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT;
    struct test_image img = test_image_create_with(f, &info);
    const VkImageViewSlicedCreateInfoEXT sliced = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_SLICED_CREATE_INFO_EXT,
        .sliceOffset = 1,
        .sliceCount = 2,
    };
    const VkImageViewCreateInfo view_info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .pNext = &sliced,
        .image = img.handle,
        .viewType = VK_IMAGE_VIEW_TYPE_3D,
        .format = VK_FORMAT_R32_UINT,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    VkDescriptorImageInfo view = {.imageLayout = VK_IMAGE_LAYOUT_GENERAL};
    REQUIRE_EQ(vkCreateImageView(f->dev, &view_info, f->alloc, &view.imageView), VK_SUCCESS);
    VkDescriptorSetLayout set_layout = memory_set_layout_create(f, 0, 5, bindings, false);
    VkPipelineLayout layout = memory_set_pipeline_layout(f, 1, &set_layout);
    VkPipeline pipeline = memory_set_pipeline(f, spirv_views, sizeof(spirv_views), layout);
    memory_set_write(f, &m, m.sets.bytes); /* the result is behind SET_B */
    memset(m.sets.bytes, 0, SET_B);
    memory_set_descriptor(f, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, &view, m.sets.bytes);
    memcpy(m.sets.bytes + 3 * SIZE_B, m.sets.bytes + SET_B, SIZE_B);
    memory_set_descriptor(f, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, &view, m.sets.bytes + 4 * SIZE_B);

    memory_set_begin(f, &m);
    vkCmdBindPipeline(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdDispatch(f->cb, 1, 1, 1);
    test_submit_and_wait(f);
    REQUIRE_EQ(m.result.words[0], 2);
    REQUIRE_EQ(m.result.words[8], 4);
    vkDestroyPipeline(f->dev, pipeline, f->alloc);
    vkDestroyPipelineLayout(f->dev, layout, f->alloc);
    vkDestroyDescriptorSetLayout(f->dev, set_layout, f->alloc);
    vkDestroyImageView(f->dev, view.imageView, f->alloc);
    test_image_destroy(f, &img);
    memory_set_destroy(f, &m);
}

/* The binding may have 1,000; the buffer ends behind the third, and there a page ends. */
static void
variable_counts_end_with_the_buffer(struct fixture *f)
{
    struct memory_set m = set_create(f);
    struct test_buffer part = memory_set_buffer(f, 8192);
    const VkDeviceSize at_B = 8192 - (m.offsets[MANY] + 3 * SIZE_B);
    const struct test_buffer *both[2] = {&part, &m.sets};
    const uint32_t buffers[2] = {0, 1};
    const VkDeviceSize offsets[2] = {0, SET_B};
    memory_set_write(f, &m, m.sets.bytes);
    memcpy(part.bytes + at_B, m.sets.bytes, m.offsets[MANY]);
    for (uint32_t i = 0; i < 3; i++) {
        const VkDescriptorAddressInfoEXT range = memory_set_values(f, &m, 5 + i, 16);
        memory_set_descriptor(f, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &range,
                              part.bytes + at_B + m.offsets[MANY] + i * SIZE_B);
    }

    const uint32_t indices[4] = {0, 2, 3, 999};
    const uint32_t expected[4] = {151, 170, 0, 0};
    for (uint32_t i = 0; i < 4; i++) {
        memory_set_begin(f, &m);
        memory_set_bind_at(f, f->cb, 2, both, at_B);
        vkCmdSetDescriptorBufferOffsetsEXT(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, m.layout, 0, 2,
                                           buffers, offsets);
        vkCmdPushConstants(f->cb, m.layout, STAGE, 0, 4, &indices[i]);
        vkCmdDispatch(f->cb, 1, 1, 1);
        test_submit_and_wait(f);
        REQUIRE_EQ(m.result.words[9], expected[i]);
    }
    test_buffer_destroy(f, &part);
    memory_set_destroy(f, &m);
}

/* Only what a dispatch uses has to be there: tests/profile/check runs this, too. */
static void
unused_descriptors_may_name_what_is_gone(struct fixture *f)
{
    struct memory_set m = set_create(f);
    struct test_buffer gone = memory_set_buffer(f, 1 << 20);
    const VkDescriptorAddressInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT,
        .address = memory_set_address(f, &gone),
        .range = gone.size_B,
    };
    memory_set_write(f, &m, m.sets.bytes);
    memory_set_descriptor(f, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &info,
                          m.sets.bytes + m.offsets[MANY] + SIZE_B);
    test_buffer_destroy(f, &gone);
    memory_set_run(f, &m);
    REQUIRE_BYTES(m.result.words, all_shown, sizeof(all_shown));
    memory_set_destroy(f, &m);
}

/* In the same array; a capture goes on. Only where there is one, which reads them again at the end:
 * it takes a race for none. */
static void
unused_descriptors_are_written_while_a_dispatch_runs(struct fixture *f)
{
    if (!getenv("REELPIPE_CAPTURE"))
        return;
    struct memory_set m = set_create(f);
    VkPipelineLayout layout = memory_set_pipeline_layout(f, 1, &m.set_layouts[1]);
    VkPipeline slow = memory_set_pipeline(f, spirv_slow, sizeof(spirv_slow), layout);
    const VkDescriptorAddressInfoEXT info = memory_set_values(f, &m, 0, 64);
    const uint32_t first = 0;
    const VkDeviceSize offset_B = SET_B;
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &f->cb,
    };
    memory_set_write(f, &m, m.sets.bytes);
    memory_set_begin(f, &m);
    vkCmdDispatch(f->cb, 1, 1, 1);
    vkCmdBindPipeline(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, slow);
    vkCmdSetDescriptorBufferOffsetsEXT(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &first,
                                       &offset_B);
    vkCmdDispatch(f->cb, 500, 1, 1);
    REQUIRE_EQ(vkEndCommandBuffer(f->cb), VK_SUCCESS);
    REQUIRE_EQ(vkQueueSubmit(f->queue, 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
    nanosleep(&(struct timespec){.tv_nsec = 3 * 1000 * 1000}, NULL);
    memory_set_descriptor(f, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &info,
                          m.sets.bytes + m.offsets[MANY] + SIZE_B);
    REQUIRE_EQ(vkQueueWaitIdle(f->queue), VK_SUCCESS);
    REQUIRE_EQ(m.result.words[9], 151);
    vkDestroyPipeline(f->dev, slow, f->alloc);
    vkDestroyPipelineLayout(f->dev, layout, f->alloc);
    memory_set_destroy(f, &m);
}

static const struct test_case cases[] = {
    TEST_CASE(the_device_has_the_features),
    TEST_CASE(properties_meet_the_required_limits),
    TEST_CASE(bindings_lie_in_order_and_a_variable_one_last),
    TEST_CASE(each_type_of_descriptor_is_read),
    TEST_CASE(null_descriptors_show_nothing),
    TEST_CASE(unknown_contents_are_null_descriptors),
    TEST_CASE(damaged_descriptors_are_null_descriptors),
    TEST_CASE(descriptors_of_destroyed_views_name_nothing),
    TEST_CASE(thousands_of_views_have_descriptors),
    TEST_CASE(views_are_read_as_their_usage_allows),
    TEST_CASE(storage_images_are_slices),
    TEST_CASE(variable_counts_end_with_the_buffer),
    TEST_CASE(unused_descriptors_may_name_what_is_gone),
    TEST_CASE(unused_descriptors_are_written_while_a_dispatch_runs),
};
TEST_MAIN(cases)

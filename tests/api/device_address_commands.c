/* SPDX-License-Identifier: MIT */
/* VK_KHR_device_address_commands: memory named by its address. Ranges end what is read and written.
 */
#include "compute.h"

#include "api_shaders.h"

static VkDeviceAddressRangeKHR
range_of(struct fixture *f, const struct test_buffer *buf, VkDeviceSize offset_B,
         VkDeviceSize size_B)
{
    return test_address_range(f, buf->handle, offset_B, size_B);
}

static void
the_device_has_the_feature(struct fixture *f)
{
    VkPhysicalDeviceDeviceAddressCommandsFeaturesKHR own = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_ADDRESS_COMMANDS_FEATURES_KHR};
    VkPhysicalDeviceFeatures2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                     .pNext = &own};
    vkGetPhysicalDeviceFeatures2(f->pdev, &all);
    REQUIRE(own.deviceAddressCommands);
    REQUIRE(fixture_has_extension(f, VK_KHR_DEVICE_ADDRESS_COMMANDS_EXTENSION_NAME));
}

static void
memory_is_copied(struct fixture *f)
{
    struct test_buffer src = test_buffer_create(f, 32, 0);
    struct test_buffer dst = test_buffer_create(f, 32, 0xee);
    for (uint32_t i = 0; i < 8; i++)
        src.words[i] = 10 + i;
    const VkDeviceMemoryCopyKHR regions[3] = {
        {.sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_COPY_KHR,
         .srcRange = range_of(f, &src, 4, 8),
         .dstRange = range_of(f, &dst, 0, 8)},
        {.sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_COPY_KHR}, /* of nothing */
        {.sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_COPY_KHR,
         .srcRange = range_of(f, &src, 16, 4),
         .dstRange = range_of(f, &dst, 28, 4)},
    };
    const VkCopyDeviceMemoryInfoKHR info = {.sType = VK_STRUCTURE_TYPE_COPY_DEVICE_MEMORY_INFO_KHR,
                                            .regionCount = 3,
                                            .pRegions = regions};
    test_begin(f);
    vkCmdCopyMemoryKHR(f->cb, &info);
    test_submit_and_wait(f);

    const uint32_t none = 0xeeeeeeee;
    const uint32_t expected[8] = {11, 12, none, none, none, none, none, 14};
    REQUIRE_BYTES(dst.words, expected, sizeof(expected));
    test_buffer_destroy(f, &dst);
    test_buffer_destroy(f, &src);
}

static void
memory_is_filled_and_updated(struct fixture *f)
{
    static const uint32_t data[4] = {1, 2, 3, 4};
    struct test_buffer buf = test_buffer_create(f, 32, 0xee);
    const VkDeviceAddressRangeKHR filled = range_of(f, &buf, 4, 8);
    const VkDeviceAddressRangeKHR updated = range_of(f, &buf, 16, 8); /* the range is shorter */
    const VkDeviceAddressRangeKHR shorter = range_of(f, &buf, 28, 16);

    test_begin(f);
    vkCmdFillMemoryKHR(f->cb, &filled, 0, 7);
    vkCmdUpdateMemoryKHR(f->cb, &updated, 0, sizeof(data), data);
    vkCmdUpdateMemoryKHR(f->cb, &shorter, 0, 4, data); /* the data is shorter */
    test_submit_and_wait(f);

    const uint32_t none = 0xeeeeeeee;
    const uint32_t expected[8] = {none, 7, 7, none, 1, 2, none, 1};
    REQUIRE_BYTES(buf.words, expected, sizeof(expected));
    test_buffer_destroy(f, &buf);
}

static VkDeviceMemoryImageCopyKHR
image_copy(VkDeviceAddressRangeKHR range, uint32_t row_px, VkOffset3D offset, VkExtent3D extent)
{
    return (VkDeviceMemoryImageCopyKHR){
        .sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_IMAGE_COPY_KHR,
        .addressRange = range,
        .addressRowLength = row_px,
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .imageOffset = offset,
        .imageExtent = extent,
    };
}

static void
images_are_written_and_read(struct fixture *f)
{
    struct test_buffer in = test_buffer_create(f, 64, 0);
    struct test_buffer out = test_buffer_create(f, 68, 0xee);
    struct test_image img = test_image_create(f, VK_FORMAT_R32_UINT, 4, 4);
    const VkClearColorValue zero = {{0}};
    const VkImageSubresourceRange whole = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    const VkDeviceMemoryImageCopyKHR to[2] = {
        image_copy(range_of(f, &in, 0, 20), 3, (VkOffset3D){1, 2, 0}, (VkExtent3D){2, 2, 1}),
        /* A word too short for it: nothing outside of the range is read. */
        image_copy(range_of(f, &in, 0, 12), 0, (VkOffset3D){0}, (VkExtent3D){4, 1, 1}),
    };
    const VkDeviceMemoryImageCopyKHR from =
        image_copy(range_of(f, &out, 4, 64), 0, (VkOffset3D){0}, (VkExtent3D){4, 4, 1});
    VkCopyDeviceMemoryImageInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_COPY_DEVICE_MEMORY_IMAGE_INFO_KHR,
        .image = img.handle,
        .regionCount = 2,
        .pRegions = to,
    };
    for (uint32_t i = 0; i < 16; i++)
        in.words[i] = 100 + i;

    test_begin(f);
    vkCmdClearColorImage(f->cb, img.handle, VK_IMAGE_LAYOUT_GENERAL, &zero, 1, &whole);
    vkCmdCopyMemoryToImageKHR(f->cb, &info);
    info.regionCount = 1;
    info.pRegions = &from;
    vkCmdCopyImageToMemoryKHR(f->cb, &info);
    test_submit_and_wait(f);

    const uint32_t expected[17] = {0xeeeeeeee, [10] = 100, [11] = 101, [14] = 103, [15] = 104};
    REQUIRE_BYTES(out.words, expected, sizeof(expected));
    test_image_destroy(f, &img);
    test_buffer_destroy(f, &out);
    test_buffer_destroy(f, &in);
}

static void
query_results_end_with_the_range(struct fixture *f)
{
    const VkQueryPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                             .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                             .queryCount = 3};
    struct test_buffer buf = test_buffer_create(f, 64, 0xee);
    const VkDeviceAddressRangeKHR range = range_of(f, &buf, 8, 24);
    const VkStridedDeviceAddressRangeKHR dst = {range.address, range.size, 16};
    uint64_t results[3];
    VkQueryPool pool;
    REQUIRE_EQ(vkCreateQueryPool(f->dev, &pool_info, f->alloc, &pool), VK_SUCCESS);

    test_begin(f);
    vkCmdResetQueryPool(f->cb, pool, 0, 3);
    for (uint32_t i = 0; i < 3; i++)
        vkCmdWriteTimestamp2(f->cb, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool, i);
    vkCmdCopyQueryPoolResultsToMemoryKHR(f->cb, pool, 0, 3, &dst, 0,
                                         VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
    test_submit_and_wait(f);

    REQUIRE_EQ(vkGetQueryPoolResults(f->dev, pool, 0, 3, sizeof(results), results, 8,
                                     VK_QUERY_RESULT_64_BIT),
               VK_SUCCESS);
    const uint64_t none = UINT64_C(0xeeeeeeeeeeeeeeee);
    const uint64_t expected[8] = {none, results[0], none, results[1], none, none, none, none};
    REQUIRE_BYTES(buf.longs, expected, sizeof(expected));
    vkDestroyQueryPool(f->dev, pool, f->alloc);
    test_buffer_destroy(f, &buf);
}

static void
dispatches_read_their_counts_late(struct fixture *f)
{
    struct test_buffer counts = test_buffer_create(f, 32, 0);
    struct compute c;
    compute_init(f, &c);
    memset(c.buf.bytes, 0xee, 256);
    VkPipeline pipeline = compute_pipeline(f, &c, spirv_number, sizeof(spirv_number));
    const VkDispatchIndirect2InfoKHR infos[2] = {
        {.sType = VK_STRUCTURE_TYPE_DISPATCH_INDIRECT_2_INFO_KHR,
         .addressRange = range_of(f, &counts, 4, sizeof(VkDispatchIndirectCommand))},
        {.sType = VK_STRUCTURE_TYPE_DISPATCH_INDIRECT_2_INFO_KHR, /* too short: it does nothing */
         .addressRange = range_of(f, &counts, 16, sizeof(VkDispatchIndirectCommand) - 1)},
    };
    compute_begin(f, &c, pipeline, 5);
    vkCmdDispatchIndirect2KHR(f->cb, &infos[0]);
    vkCmdDispatchIndirect2KHR(f->cb, &infos[1]);
    memcpy(&counts.words[1], &(VkDispatchIndirectCommand){2, 1, 1}, 12);
    memcpy(&counts.words[4], &(VkDispatchIndirectCommand){3, 1, 1}, 12);
    test_submit_and_wait(f);

    for (uint32_t i = 0; i < 64; i++)
        REQUIRE_EQ(c.buf.words[i], i < 32 ? 5 + i : 0xeeeeeeee);
    vkDestroyPipeline(f->dev, pipeline, f->alloc);
    compute_finish(f, &c);
    test_buffer_destroy(f, &counts);
}

/* Words of the condition: 0, 1. */
static void
conditions_leave_dispatches_out(struct fixture *f)
{
    struct test_buffer condition = test_buffer_create(f, 8, 0);
    struct compute c;
    compute_init(f, &c);
    VkPipeline pipeline = compute_pipeline(f, &c, spirv_number, sizeof(spirv_number));
    condition.words[1] = 1;
    for (uint32_t i = 0; i < 4; i++) {
        const bool is_inverted = i & 2;
        const VkConditionalRenderingBeginInfo2EXT info = {
            .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_2_EXT,
            .addressRange = range_of(f, &condition, 4 * (i & 1), 4),
            .flags = is_inverted ? VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT : 0,
        };
        memset(c.buf.bytes, 0xee, 128);
        compute_begin(f, &c, pipeline, 5);
        vkCmdBeginConditionalRendering2EXT(f->cb, &info);
        vkCmdDispatch(f->cb, 1, 1, 1);
        vkCmdEndConditionalRenderingEXT(f->cb);
        vkCmdDispatchBase(f->cb, 1, 0, 0, 1, 1, 1);
        test_submit_and_wait(f);
        REQUIRE_EQ(c.buf.words[0], (i & 1) != is_inverted ? 5 : 0xeeeeeeee);
        REQUIRE_EQ(c.buf.words[16], 21);
    }
    vkDestroyPipeline(f->dev, pipeline, f->alloc);
    compute_finish(f, &c);
    test_buffer_destroy(f, &condition);
}

/* They order dispatches as any barrier does: the second one reads what the first one wrote. */
static void
barriers_name_ranges(struct fixture *f)
{
    struct test_buffer out = test_buffer_create(f, 64, 0);
    struct compute c;
    compute_init(f, &c);
    VkPipeline pipeline = compute_pipeline(f, &c, spirv_number, sizeof(spirv_number));
    const VkMemoryRangeBarrierKHR barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIER_KHR,
        .srcStageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
        .srcAccessMask = VK_ACCESS_2_SHADER_WRITE_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
        .dstAccessMask = VK_ACCESS_2_TRANSFER_READ_BIT,
        .addressRange = range_of(f, &c.buf, 0, 64),
    };
    const VkMemoryRangeBarriersInfoKHR barriers = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIERS_INFO_KHR,
        .memoryRangeBarrierCount = 1,
        .pMemoryRangeBarriers = &barrier,
    };
    const VkDependencyInfo dependency = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                         .pNext = &barriers};
    const VkDeviceMemoryCopyKHR region = {.sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_COPY_KHR,
                                          .srcRange = barrier.addressRange,
                                          .dstRange = range_of(f, &out, 0, 64)};
    const VkCopyDeviceMemoryInfoKHR info = {.sType = VK_STRUCTURE_TYPE_COPY_DEVICE_MEMORY_INFO_KHR,
                                            .regionCount = 1,
                                            .pRegions = &region};
    compute_begin(f, &c, pipeline, 3);
    vkCmdDispatch(f->cb, 1, 1, 1);
    vkCmdPipelineBarrier2(f->cb, &dependency);
    vkCmdCopyMemoryKHR(f->cb, &info);
    test_submit_and_wait(f);
    for (uint32_t i = 0; i < 16; i++)
        REQUIRE_EQ(out.words[i], 3 + i);
    vkDestroyPipeline(f->dev, pipeline, f->alloc);
    compute_finish(f, &c);
    test_buffer_destroy(f, &out);
}

static const struct test_case cases[] = {
    TEST_CASE(the_device_has_the_feature),       TEST_CASE(memory_is_copied),
    TEST_CASE(memory_is_filled_and_updated),     TEST_CASE(images_are_written_and_read),
    TEST_CASE(query_results_end_with_the_range), TEST_CASE(dispatches_read_their_counts_late),
    TEST_CASE(conditions_leave_dispatches_out),  TEST_CASE(barriers_name_ranges),
};

TEST_MAIN(cases)

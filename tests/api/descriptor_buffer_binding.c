/* SPDX-License-Identifier: MIT */
/* VK_EXT_descriptor_buffer: which memory is bound, and that dispatches read it when they run.
 */
#include "compute.h"
#include "memory_set.h"

#include "api_shaders.h"

static struct memory_set
set_create(struct fixture *f)
{
    return memory_set_create(f, spirv_memory_set, sizeof(spirv_memory_set));
}

/* The structure's form; sets at other offsets and in two buffers; what is past the buffer, or in
 * none, is empty. */
static void
offsets_choose_the_sets(struct fixture *f)
{
    struct memory_set m = set_create(f);
    struct test_buffer other = memory_set_buffer(f, 3 * SET_B);
    const struct test_buffer *both[2] = {&m.sets, &other};
    const uint32_t buffers[2] = {1, 0};
    VkDeviceSize offsets[2] = {2 * SET_B - 512, SET_B};
    VkSetDescriptorBufferOffsetsInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_SET_DESCRIPTOR_BUFFER_OFFSETS_INFO_EXT,
        .stageFlags = STAGE,
        .layout = m.layout,
        .setCount = 2,
        .pBufferIndices = buffers,
        .pOffsets = offsets,
    };
    memory_set_write(f, &m, m.sets.bytes);
    memcpy(other.bytes + offsets[0], m.sets.bytes, SET_B);
    memset(m.sets.bytes, 0, SET_B);

    for (uint32_t i = 0; i < 3; i++) {
        memory_set_begin(f, &m);
        memory_set_bind(f, f->cb, 2, both);
        vkCmdSetDescriptorBufferOffsets2EXT(f->cb, &info);
        vkCmdDispatch(f->cb, 1, 1, 1);
        test_submit_and_wait(f);
        REQUIRE_EQ(m.result.words[1], i == 0 ? 101 : 0);
        REQUIRE_EQ(m.result.words[8], i == 0 ? 141 : 0);
        offsets[0] = i == 0 ? 3 * SET_B : (VkDeviceSize)1 << 45; /* past its end */
    }
    test_buffer_destroy(f, &other);
    memory_set_destroy(f, &m);
}

/* Binding points beyond those that are bound are empty again. */
static void
buffers_are_unbound(struct fixture *f)
{
    struct memory_set m = set_create(f);
    const struct test_buffer *twice[2] = {&m.sets, &m.sets};
    const uint32_t buffers[2] = {1, 0};
    const VkDeviceSize offsets[2] = {0, SET_B};
    memory_set_write(f, &m, m.sets.bytes);
    memory_set_begin(f, &m);
    memory_set_bind(f, f->cb, 2, twice);
    memory_set_bind(f, f->cb, 1, twice);
    vkCmdSetDescriptorBufferOffsetsEXT(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, m.layout, 0, 2,
                                       buffers, offsets);
    vkCmdDispatch(f->cb, 1, 1, 1);
    test_submit_and_wait(f);
    REQUIRE_EQ(m.result.words[0], 1);
    REQUIRE_EQ(m.result.words[1], 0);
    memory_set_destroy(f, &m);
}

/* Written after the commands are recorded, and again before they are submitted once more. */
static void
descriptors_are_read_when_the_dispatch_runs(struct fixture *f)
{
    struct memory_set m = set_create(f);
    memory_set_begin(f, &m);
    vkCmdDispatch(f->cb, 1, 1, 1);
    REQUIRE_EQ(vkEndCommandBuffer(f->cb), VK_SUCCESS);
    for (uint32_t i = 0; i < 3; i++) {
        const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                     .commandBufferCount = 1,
                                     .pCommandBuffers = &f->cb};
        memory_set_write(f, &m, m.sets.bytes);
        const VkDescriptorAddressInfoEXT part = memory_set_values(f, &m, i, 16);
        memory_set_descriptor(f, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, &part,
                              m.sets.bytes + m.offsets[UNIFORM]);
        REQUIRE_EQ(vkQueueSubmit(f->queue, 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
        REQUIRE_EQ(vkQueueWaitIdle(f->queue), VK_SUCCESS);
        REQUIRE_EQ(m.result.words[1], m.values.words[16 * i]);
    }
    memory_set_destroy(f, &m);
}

/* Copies sets to m->sets on the device: in one submission, between two dispatches. */
static void
copy_and_dispatch(struct fixture *f, struct memory_set *m, bool in_one_submission)
{
    struct test_buffer staged = test_buffer_create(f, 2 * SET_B, 0);
    const VkBufferCopy region = {0, 0, 2 * SET_B};
    const VkMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
        .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
        .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
        .dstAccessMask = VK_ACCESS_2_DESCRIPTOR_BUFFER_READ_BIT_EXT,
    };
    const VkDependencyInfo dependency = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                         .memoryBarrierCount = 1,
                                         .pMemoryBarriers = &barrier};
    memory_set_write(f, m, staged.bytes);
    if (!in_one_submission) {
        test_begin(f);
        vkCmdCopyBuffer(f->cb, staged.handle, m->sets.handle, 1, &region);
        test_submit_and_wait(f);
    }
    memory_set_begin(f, m);
    if (in_one_submission) {
        vkCmdDispatch(f->cb, 1, 1, 1);
        vkCmdCopyBuffer(f->cb, staged.handle, m->sets.handle, 1, &region);
        vkCmdPipelineBarrier2(f->cb, &dependency);
    }
    vkCmdDispatch(f->cb, 1, 1, 1);
    test_submit_and_wait(f);
    REQUIRE_BYTES(m->result.words, all_shown, sizeof(all_shown));
    test_buffer_destroy(f, &staged);
}

static void
descriptors_are_copied_by_the_device(struct fixture *f)
{
    struct memory_set m = set_create(f);
    copy_and_dispatch(f, &m, false);
    memory_set_destroy(f, &m);
}

/* A capture ends here: tests/capture/check knows it. */
static void
descriptors_are_copied_in_the_same_submission(struct fixture *f)
{
    struct memory_set m = set_create(f);
    copy_and_dispatch(f, &m, true);
    memory_set_destroy(f, &m);
}

/* Set 1 is pushed; set 0 lies in memory. Then set 1 lies in memory again. */
static void
pushed_descriptors_go_with_those_in_memory(struct fixture *f)
{
    struct memory_set m = set_create(f);
    struct test_buffer pushed = test_buffer_create(f, WORDS * 4, 0xee);
    const VkDescriptorSetLayout layouts[2] = {
        m.set_layouts[0],
        memory_set_layout_create(f, VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT, 1,
                                 &one_buffer, false)};
    VkPipelineLayout layout = memory_set_pipeline_layout(f, 2, layouts);
    VkPipeline pipeline =
        memory_set_pipeline(f, spirv_memory_set, sizeof(spirv_memory_set), layout);
    const VkDescriptorBufferInfo buffer = {pushed.handle, 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .pBufferInfo = &buffer,
    };
    const uint32_t first = 0;
    const VkDeviceSize offset_B = SET_B;
    memory_set_write(f, &m, m.sets.bytes);
    memory_set_begin(f, &m);
    vkCmdBindPipeline(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdPushDescriptorSet(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 1, 1, &write);
    vkCmdDispatch(f->cb, 1, 1, 1);
    vkCmdBindPipeline(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, m.pipeline);
    vkCmdSetDescriptorBufferOffsetsEXT(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, m.layout, 1, 1,
                                       &first, &offset_B);
    vkCmdDispatch(f->cb, 1, 1, 1);
    test_submit_and_wait(f);
    REQUIRE_EQ(pushed.words[1], 101);
    REQUIRE_EQ(m.result.words[1], 101);
    vkDestroyPipeline(f->dev, pipeline, f->alloc);
    vkDestroyPipelineLayout(f->dev, layout, f->alloc);
    vkDestroyDescriptorSetLayout(f->dev, layouts[1], f->alloc);
    test_buffer_destroy(f, &pushed);
    memory_set_destroy(f, &m);
}

/* The samplers are the layout's; no memory holds them, and layouts may go before they are used. */
static void
embedded_samplers_need_no_memory(struct fixture *f)
{
    struct memory_set m = set_create(f);
    const VkSampler samplers[2] = {memory_set_sampler(f, VK_BORDER_COLOR_INT_OPAQUE_BLACK),
                                   memory_set_sampler(f, VK_BORDER_COLOR_INT_OPAQUE_WHITE)};
    const VkDescriptorSetLayoutBinding bindings[2] = {
        {0, VK_DESCRIPTOR_TYPE_SAMPLER, 1, STAGE, &samplers[0]},
        {3, VK_DESCRIPTOR_TYPE_SAMPLER, 1, STAGE, &samplers[1]},
    };
    const VkDescriptorSetLayoutBinding image = {0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1, STAGE,
                                                NULL};
    const VkDescriptorSetLayout layouts[3] = {
        memory_set_layout_create(f, 0, 1, &image, false),
        memory_set_layout_create(f, 0, 1, &one_buffer, false),
        memory_set_layout_create(
            f, VK_DESCRIPTOR_SET_LAYOUT_CREATE_EMBEDDED_IMMUTABLE_SAMPLERS_BIT_EXT, 2, bindings,
            false)};
    VkPipelineLayout layout = memory_set_pipeline_layout(f, 3, layouts);
    VkPipeline pipeline =
        memory_set_pipeline(f, spirv_embedded_samplers, sizeof(spirv_embedded_samplers), layout);
    const VkDescriptorImageInfo info = {VK_NULL_HANDLE, m.view, VK_IMAGE_LAYOUT_GENERAL};
    const VkBindDescriptorBufferEmbeddedSamplersInfoEXT second = {
        .sType = VK_STRUCTURE_TYPE_BIND_DESCRIPTOR_BUFFER_EMBEDDED_SAMPLERS_INFO_EXT,
        .stageFlags = STAGE,
        .layout = layout,
        .set = 2,
    };
    memory_set_write(f, &m, m.sets.bytes);
    memory_set_descriptor(f, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, &info, m.sets.bytes);

    for (uint32_t i = 0; i < 2; i++) {
        memory_set_begin(f, &m);
        vkCmdBindPipeline(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
        if (i == 0)
            vkCmdBindDescriptorBufferEmbeddedSamplersEXT(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE,
                                                         layout, 2);
        else
            vkCmdBindDescriptorBufferEmbeddedSamplers2EXT(f->cb, &second);
        vkCmdDispatch(f->cb, 1, 1, 1);
        if (i == 1) { /* recorded: no longer needed */
            vkDestroyPipelineLayout(f->dev, layout, f->alloc);
            for (uint32_t k = 0; k < 3; k++)
                vkDestroyDescriptorSetLayout(f->dev, layouts[k], f->alloc);
            for (uint32_t k = 0; k < 2; k++)
                vkDestroySampler(f->dev, samplers[k], f->alloc);
        }
        test_submit_and_wait(f);
        REQUIRE_EQ(m.result.words[0], 0); /* transparent parts of the border */
        REQUIRE_EQ(m.result.words[1], 1);
        REQUIRE_EQ(m.result.words[2], 131);
    }
    vkDestroyPipeline(f->dev, pipeline, f->alloc);
    memory_set_destroy(f, &m);
}

/* They run on several threads until a barrier. */
static void
dispatches_side_by_side_keep_their_descriptors(struct fixture *f)
{
    enum { COUNT = 24 };
    struct test_buffer sets = memory_set_buffer(f, COUNT * SIZE_B);
    struct test_buffer words = test_buffer_create(f, COUNT * 64, 0);
    const struct test_buffer *bound = &sets;
    VkDescriptorSetLayout set_layout = memory_set_layout_create(f, 0, 1, &one_buffer, false);
    VkPipelineLayout layout = memory_set_pipeline_layout(f, 1, &set_layout);
    VkPipeline pipeline = memory_set_pipeline(f, spirv_slow, sizeof(spirv_slow), layout);
    for (uint32_t round = 0; round < 3; round++) {
        test_begin(f);
        memory_set_bind(f, f->cb, 1, &bound);
        vkCmdBindPipeline(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
        for (uint32_t i = 0; i < COUNT; i++) {
            const uint32_t first = 0;
            const VkDeviceSize offset_B = i * SIZE_B;
            const VkDescriptorAddressInfoEXT part = {
                .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT,
                .address = memory_set_address(f, &words) + i * 64,
                .range = 64,
            };
            memory_set_descriptor(f, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &part,
                                  sets.bytes + offset_B);
            words.words[i * 16] = 1000 * round + i;
            vkCmdSetDescriptorBufferOffsetsEXT(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1,
                                               &first, &offset_B);
            vkCmdDispatch(f->cb, 1, 1, 1);
        }
        test_submit_and_wait(f);
        for (uint32_t i = 0; i < COUNT; i++) {
            uint32_t value = 1000 * round + i;
            for (uint32_t k = 0; k < 4000; k++)
                value = value * 1664525u + 1013904223u;
            REQUIRE_EQ(words.words[i * 16 + 1], value);
        }
    }
    vkDestroyPipeline(f->dev, pipeline, f->alloc);
    vkDestroyPipelineLayout(f->dev, layout, f->alloc);
    vkDestroyDescriptorSetLayout(f->dev, set_layout, f->alloc);
    test_buffer_destroy(f, &words);
    test_buffer_destroy(f, &sets);
}

/* A set that was bound before is not taken for one that still is. */
static void
sets_and_memory_take_turns(struct fixture *f)
{
    struct compute c;
    compute_init(f, &c);
    memset(c.buf.bytes, 0, c.buf.size_B);
    VkPipeline plain = compute_pipeline(f, &c, spirv_fill, sizeof(spirv_fill));
    VkDescriptorSetLayout set_layout = memory_set_layout_create(f, 0, 1, &one_buffer, false);
    VkPipelineLayout layout = memory_set_pipeline_layout(f, 1, &set_layout);
    VkPipeline pipeline = memory_set_pipeline(f, spirv_fill, sizeof(spirv_fill), layout);
    struct test_buffer set = memory_set_buffer(f, SIZE_B);
    struct test_buffer other = test_buffer_create(f, 256, 0);
    const struct test_buffer *bound = &set;
    const VkDescriptorAddressInfoEXT address = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT,
        .address = memory_set_address(f, &other),
        .range = 256,
    };
    const uint32_t factors[3] = {5, 6, 7}, first = 0;
    const VkDeviceSize offset_B = 0;
    memory_set_descriptor(f, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &address, set.bytes);

    compute_begin(f, &c, plain, factors[0]);
    vkCmdDispatch(f->cb, 1, 1, 1);
    memory_set_bind(f, f->cb, 1, &bound);
    vkCmdBindPipeline(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdSetDescriptorBufferOffsetsEXT(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &first,
                                       &offset_B);
    vkCmdPushConstants(f->cb, layout, STAGE, 0, 4, &factors[1]);
    vkCmdDispatch(f->cb, 1, 1, 1);
    vkCmdBindPipeline(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, plain);
    vkCmdBindDescriptorSets(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, c.layout, 0, 1, &c.set, 0, NULL);
    vkCmdPushConstants(f->cb, c.layout, STAGE, 0, 4, &factors[2]);
    vkCmdDispatch(f->cb, 1, 1, 1);
    test_submit_and_wait(f);
    REQUIRE_EQ(other.words[1], 6);
    REQUIRE_EQ(c.buf.words[1], 7);

    test_buffer_destroy(f, &other);
    test_buffer_destroy(f, &set);
    vkDestroyPipeline(f->dev, pipeline, f->alloc);
    vkDestroyPipelineLayout(f->dev, layout, f->alloc);
    vkDestroyDescriptorSetLayout(f->dev, set_layout, f->alloc);
    vkDestroyPipeline(f->dev, plain, f->alloc);
    compute_finish(f, &c);
}

/* So does it here, where nothing but an inline uniform block is written. */
static void
inline_blocks_are_copied_in_the_same_submission(struct fixture *f)
{
    struct memory_set m = set_create(f);
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_SHADER_READ_BIT};
    memory_set_write(f, &m, m.sets.bytes);
    memory_set_begin(f, &m);
    vkCmdFillBuffer(f->cb, m.sets.handle, m.offsets[INLINE], 64, 77);
    vkCmdPipelineBarrier(f->cb, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
    vkCmdDispatch(f->cb, 1, 1, 1);
    test_submit_and_wait(f);
    REQUIRE_EQ(m.result.words[8], 77);
    memory_set_destroy(f, &m);
}

/* Against the rules, and listed once all the same: the list ends, and nothing of it stays
 * behind. */
static void
a_buffer_that_is_bound_twice_still_holds_descriptors(struct fixture *f)
{
    for (uint32_t i = 0; i < 2; i++) {
        struct memory_set m = set_create(f);
        REQUIRE(vkBindBufferMemory(f->dev, m.sets.handle, m.sets.memory, 0) == VK_SUCCESS);
        memory_set_write(f, &m, m.sets.bytes);
        memory_set_run(f, &m);
        REQUIRE_BYTES(m.result.words, all_shown, sizeof(all_shown));
        memory_set_destroy(f, &m);
    }
}

static const struct test_case cases[] = {
    TEST_CASE(offsets_choose_the_sets),
    TEST_CASE(buffers_are_unbound),
    TEST_CASE(a_buffer_that_is_bound_twice_still_holds_descriptors),
    TEST_CASE(descriptors_are_read_when_the_dispatch_runs),
    TEST_CASE(descriptors_are_copied_by_the_device),
    TEST_CASE(pushed_descriptors_go_with_those_in_memory),
    TEST_CASE(embedded_samplers_need_no_memory),
    TEST_CASE(dispatches_side_by_side_keep_their_descriptors),
    TEST_CASE(sets_and_memory_take_turns),
    TEST_CASE(descriptors_are_copied_in_the_same_submission),
    TEST_CASE(inline_blocks_are_copied_in_the_same_submission),
};
TEST_MAIN(cases)

/* SPDX-License-Identifier: MIT */
/* Lent queries in lower command buffers: results are copied and queries reset when the batch's turn
 * comes, after all that it waits for.
 */
#include "coder.h"
#include "gate.h"
#include "point.h"

#include <string.h>

#define CHECK(call) REQUIRE_EQ((call), VK_SUCCESS)
#define UNTOUCHED 0xeeeeeeeeu
#define STRIDE_W 4u /* words between results */

static const struct point none;

/* A session with a source, and a command buffer for each of two pictures. */
struct work {
    struct coder coder;
    struct test_image img;
    VkImageView view;
    VkCommandBuffer cbs[2];
    struct test_buffer out;
    VkSemaphore order;
};

static void
work_init(struct fixture *f, struct work *w)
{
    coder_init(f, &w->coder, NULL);
    const VkImageCreateInfo info = coder_image_info(&w->coder, 1);
    const VkCommandBufferAllocateInfo cb_info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = w->coder.pool,
        .commandBufferCount = 1,
    };
    w->img = test_image_create_with(f, &info);
    w->view = coder_view_create(&w->coder, w->img.handle, 0, 1);
    coder_fill(&w->coder, w->img.handle, 0, 3, VK_IMAGE_LAYOUT_VIDEO_ENCODE_SRC_KHR, UINT32_MAX);
    w->cbs[0] = w->coder.cb;
    CHECK(vkAllocateCommandBuffers(f->dev, &cb_info, &w->cbs[1]));
    for (uint32_t i = 0; i < 2; i++) {
        w->coder.cb = w->cbs[i];
        coder_begin(&w->coder);
        coder_record(&w->coder, w->view, 0, false);
        coder_end(&w->coder);
    }
    vkResetQueryPool(f->dev, w->coder.queries, 0, 1);
    w->out = test_buffer_create(f, 64, 0);
    w->order = test_timeline_create(f);
}

static void
work_finish(struct fixture *f, struct work *w)
{
    vkDestroySemaphore(f->dev, w->order, NULL);
    test_buffer_destroy(f, &w->out);
    vkDestroyImageView(f->dev, w->view, NULL);
    test_image_destroy(f, &w->img);
    coder_finish(&w->coder);
}

static void
record_barrier(VkCommandBuffer cb)
{
    const VkMemoryBarrier2 memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
        .srcStageMask = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
        .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | VK_PIPELINE_STAGE_2_HOST_BIT,
        .dstAccessMask = VK_ACCESS_2_TRANSFER_READ_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT |
                         VK_ACCESS_2_HOST_READ_BIT,
    };
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .memoryBarrierCount = 1,
        .pMemoryBarriers = &memory,
    };
    vkCmdPipelineBarrier2(cb, &info);
}

/* The buffer is filled, then it gets the results, at its second word. */
static void
record_results(struct work *w, VkCommandBuffer cb, VkQueryResultFlags flags)
{
    vkCmdFillBuffer(cb, w->out.handle, 0, VK_WHOLE_SIZE, UNTOUCHED);
    record_barrier(cb);
    vkCmdCopyQueryPoolResults(cb, w->coder.queries, 0, 1, w->out.handle, 4, STRIDE_W * 4, flags);
    record_barrier(cb);
}

static void
require_results(const struct work *w, uint32_t bytes, int32_t status)
{
    REQUIRE_EQ(w->out.words[0], UNTOUCHED);
    REQUIRE_EQ(w->out.words[1], bytes);
    REQUIRE_EQ((int32_t)w->out.words[2], status);
    REQUIRE_EQ(w->out.words[3], UNTOUCHED);
}

/* Who copies is submitted first, and waits for the picture. */
static void
results_are_copied_when_their_picture_is_coded(struct fixture *f)
{
    struct work w;
    work_init(f, &w);

    test_begin(f);
    record_results(&w, f->cb, VK_QUERY_RESULT_WITH_STATUS_BIT_KHR);
    CHECK(vkEndCommandBuffer(f->cb));
    point_submit(f->queue, f->cb, (struct point){w.order, 1}, none, f->fence);
    REQUIRE_EQ(vkGetFenceStatus(f->dev, f->fence), VK_NOT_READY);
    point_submit(w.coder.queue, w.cbs[0], none, (struct point){w.order, 1}, VK_NULL_HANDLE);
    fence_wait_and_reset(f);
    const uint32_t bytes = coder_result(&w.coder);
    require_results(&w, bytes, VK_QUERY_RESULT_STATUS_COMPLETE_KHR);

    /* The same command buffer again, after a reset: nothing is available. */
    vkResetQueryPool(f->dev, w.coder.queries, 0, 1);
    point_submit(f->queue, f->cb, none, none, f->fence);
    fence_wait_and_reset(f);
    require_results(&w, 0, VK_QUERY_RESULT_STATUS_NOT_READY_KHR);
    work_finish(f, &w);
}

/* VK_KHR_device_address_commands: the results of two queries, of which the second's do not fit into
 * the range. */
static void
results_are_copied_to_addresses(struct fixture *f)
{
    struct work w;
    if (!needs_extension(f, VK_KHR_DEVICE_ADDRESS_COMMANDS_EXTENSION_NAME))
        return;
    work_init(f, &w);
    const VkBufferDeviceAddressInfo out = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
        .buffer = w.out.handle,
    };
    const VkStridedDeviceAddressRangeKHR range = {
        .address = vkGetBufferDeviceAddress(f->dev, &out) + 4,
        .size = 5 * 4,
        .stride = STRIDE_W * 4,
    };

    vkResetQueryPool(f->dev, w.coder.queries, 1, 1);
    test_begin(f);
    vkCmdFillBuffer(f->cb, w.out.handle, 0, VK_WHOLE_SIZE, UNTOUCHED);
    record_barrier(f->cb);
    vkCmdCopyQueryPoolResultsToMemoryKHR(f->cb, w.coder.queries, 0, 2, &range, 0,
                                         VK_QUERY_RESULT_WITH_STATUS_BIT_KHR);
    record_barrier(f->cb);
    CHECK(vkEndCommandBuffer(f->cb));
    point_submit(f->queue, f->cb, (struct point){w.order, 1}, none, f->fence);
    REQUIRE_EQ(vkGetFenceStatus(f->dev, f->fence), VK_NOT_READY);
    point_submit(w.coder.queue, w.cbs[0], none, (struct point){w.order, 1}, VK_NULL_HANDLE);
    fence_wait_and_reset(f);
    require_results(&w, coder_result(&w.coder), VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
    REQUIRE_EQ(w.out.words[1 + STRIDE_W], UNTOUCHED);
    work_finish(f, &w);
}

/* That batch is held back until the results are there, and what the presentation waits for may not
 * stand in front of it. */
static void
presentation_waits_for_a_batch_that_copies_results(struct fixture *f)
{
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    VkSemaphore copied;
    struct work w;

    if (!needs_own_lower())
        return;
    work_init(f, &w);
    CHECK(vkCreateSemaphore(f->dev, &info, NULL, &copied));
    test_begin(f);
    record_results(&w, f->cb, VK_QUERY_RESULT_WITH_STATUS_BIT_KHR);
    CHECK(vkEndCommandBuffer(f->cb));
    point_submit(w.coder.queue, w.cbs[0], none, (struct point){w.order, 1}, VK_NULL_HANDLE);
    point_submit(f->queue, f->cb, (struct point){w.order, 1}, (struct point){copied, 0}, f->fence);
    point_present(f, copied);
    fence_wait_and_reset(f);
    CHECK(vkDeviceWaitIdle(f->dev));
    vkDestroySemaphore(f->dev, copied, NULL);
    work_finish(f, &w);
}

/* Without a semaphore: the command itself waits. */
static void
a_copy_waits_for_its_results(struct fixture *f)
{
    struct work w;
    work_init(f, &w);

    test_begin(f);
    record_results(&w, f->cb, VK_QUERY_RESULT_WITH_STATUS_BIT_KHR | VK_QUERY_RESULT_WAIT_BIT);
    CHECK(vkEndCommandBuffer(f->cb));
    point_submit(f->queue, f->cb, none, none, f->fence);
    REQUIRE_EQ(vkGetFenceStatus(f->dev, f->fence), VK_NOT_READY);
    point_submit(w.coder.queue, w.cbs[0], none, none, VK_NULL_HANDLE);
    fence_wait_and_reset(f);
    require_results(&w, coder_result(&w.coder), VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
    CHECK(vkQueueWaitIdle(w.coder.queue));
    work_finish(f, &w);
}

/* Between two pictures with the same query, neither of which has begun when this is submitted. */
static void
a_lower_queue_copies_and_resets_between_pictures(struct fixture *f)
{
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    struct work w;
    VkSemaphore coded;

    work_init(f, &w);
    CHECK(vkCreateSemaphore(f->dev, &info, NULL, &coded));
    test_begin(f);
    record_results(&w, f->cb, VK_QUERY_RESULT_WITH_STATUS_BIT_KHR);
    vkCmdResetQueryPool(f->cb, w.coder.queries, 0, 1);
    CHECK(vkEndCommandBuffer(f->cb));
    point_submit(w.coder.queue, w.cbs[0], (struct point){w.order, 1}, (struct point){coded, 0},
                 VK_NULL_HANDLE);
    point_submit(f->queue, f->cb, (struct point){coded, 0}, (struct point){w.order, 2},
                 VK_NULL_HANDLE);
    point_submit(w.coder.queue, w.cbs[1], (struct point){w.order, 2}, (struct point){w.order, 3},
                 f->fence);
    point_signal(f, (struct point){w.order, 1});
    fence_wait_and_reset(f);
    REQUIRE(coder_result(&w.coder) > 0);
    require_results(&w, w.out.words[1], VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
    REQUIRE(w.out.words[1] != 0 && w.out.words[1] != UNTOUCHED);
    CHECK(vkDeviceWaitIdle(f->dev));
    vkDestroySemaphore(f->dev, coded, NULL);
    work_finish(f, &w);
}

/* A query of all feedback that there is, for up to so many partitions. */
#define PARTITIONS 3u
struct feedback {
    uint32_t offset_B;
    uint32_t size_B;
    uint32_t has_overrides;
    uint32_t average_qp;
    uint32_t min_qp;
    uint32_t max_qp;
    uint32_t intra_px;
    uint32_t inter_px;
    uint32_t skipped_px;
    uint32_t partition_count;
    int32_t status;
    struct {
        int32_t status;
        uint32_t offset_B;
        uint32_t size_B;
    } partitions[PARTITIONS];
};

static VkQueryPool
feedback_pool_create(struct fixture *f, const struct coder *coder)
{
    const VkQueryPoolVideoEncodePerPartitionFeedbackCreateInfoKHR partitions = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_VIDEO_ENCODE_PER_PARTITION_FEEDBACK_CREATE_INFO_KHR,
        .pNext = &coder->profile,
        .maxPerPartitionFeedbackEntries = PARTITIONS,
        .perPartitionEncodeFeedbackFlags =
            VK_VIDEO_ENCODE_PER_PARTITION_FEEDBACK_STATUS_BIT_KHR |
            VK_VIDEO_ENCODE_PER_PARTITION_FEEDBACK_BITSTREAM_BUFFER_OFFSET_BIT_KHR |
            VK_VIDEO_ENCODE_PER_PARTITION_FEEDBACK_BITSTREAM_BYTES_WRITTEN_BIT_KHR,
    };
    const VkQueryPoolVideoEncodeFeedbackCreateInfoKHR feedback = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_VIDEO_ENCODE_FEEDBACK_CREATE_INFO_KHR,
        .pNext = &partitions,
        .encodeFeedbackFlags = 0x3ff,
    };
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .pNext = &feedback,
        .queryType = VK_QUERY_TYPE_VIDEO_ENCODE_FEEDBACK_KHR,
        .queryCount = 2,
    };
    VkQueryPool pool;
    CHECK(vkCreateQueryPool(f->dev, &info, NULL, &pool));
    return pool;
}

/* By the host and by a lower queue, behind a query that nobody has used. */
static void
all_feedback_of_partitions_is_copied(struct fixture *f)
{
    struct feedback feedback = {0};
    struct work w;
    work_init(f, &w);
    const VkQueryPool pool = feedback_pool_create(f, &w.coder);
    struct test_buffer out = test_buffer_create(f, 2 * sizeof(feedback) + 4, 0xee);

    vkDestroyQueryPool(f->dev, w.coder.queries, NULL);
    w.coder.queries = pool;
    vkResetQueryPool(f->dev, pool, 0, 2);
    coder_begin(&w.coder);
    coder_record(&w.coder, w.view, 0, false);
    coder_end(&w.coder);
    test_begin(f);
    vkCmdCopyQueryPoolResults(f->cb, pool, 0, 2, out.handle, 0, sizeof(feedback),
                              VK_QUERY_RESULT_WITH_STATUS_BIT_KHR);
    CHECK(vkEndCommandBuffer(f->cb));
    point_submit(w.coder.queue, w.coder.cb, none, (struct point){w.order, 1}, VK_NULL_HANDLE);
    point_submit(f->queue, f->cb, (struct point){w.order, 1}, none, f->fence);
    fence_wait_and_reset(f);

    CHECK(vkGetQueryPoolResults(f->dev, pool, 0, 1, sizeof(feedback), &feedback, sizeof(feedback),
                                VK_QUERY_RESULT_WITH_STATUS_BIT_KHR));
    REQUIRE_EQ(feedback.status, VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
    REQUIRE_EQ(feedback.intra_px, CODER_WIDTH_PX * CODER_HEIGHT_PX);
    REQUIRE_EQ(feedback.partition_count, 1);
    REQUIRE_EQ(feedback.partitions[0].status, VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
    REQUIRE_EQ(feedback.partitions[0].size_B, feedback.size_B);
    const struct feedback *copies = (const struct feedback *)(const void *)out.bytes;
    REQUIRE(memcmp(copies, &feedback, offsetof(struct feedback, partitions[1])) == 0);
    REQUIRE_EQ(copies[0].status, VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
    REQUIRE_EQ(copies[1].status, VK_QUERY_RESULT_STATUS_NOT_READY_KHR);
    REQUIRE_EQ(out.words[2 * sizeof(feedback) / 4], UNTOUCHED);
    test_buffer_destroy(f, &out);
    work_finish(f, &w);
}

static void
secondary_command_buffers_copy_and_reset(struct fixture *f)
{
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
    };
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
        .pInheritanceInfo = &inheritance,
    };
    const VkCommandBuffer secondary = test_cb_create(f, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    int32_t values[2];
    struct work w;

    work_init(f, &w);
    CHECK(vkBeginCommandBuffer(secondary, &begin));
    record_results(&w, secondary, VK_QUERY_RESULT_WITH_STATUS_BIT_KHR);
    vkCmdResetQueryPool(secondary, w.coder.queries, 0, 1);
    CHECK(vkEndCommandBuffer(secondary));
    const uint32_t bytes = coder_run(&w.coder);
    for (uint32_t round = 0; round < 2; round++) {
        test_begin(f);
        vkCmdExecuteCommands(f->cb, 1, &secondary);
        if (round == 1)
            vkCmdExecuteCommands(f->cb, 1, &secondary);
        test_submit_and_wait(f);
        require_results(&w, round ? 0 : bytes,
                        round ? VK_QUERY_RESULT_STATUS_NOT_READY_KHR
                              : VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
    }
    REQUIRE_EQ(vkGetQueryPoolResults(f->dev, w.coder.queries, 0, 1, sizeof(values), values,
                                     sizeof(values), 0),
               VK_NOT_READY);
    vkFreeCommandBuffers(f->dev, f->pool, 1, &secondary);
    work_finish(f, &w);
}

static const struct test_case cases[] = {
    TEST_CASE(results_are_copied_when_their_picture_is_coded),
    TEST_CASE(results_are_copied_to_addresses),
    TEST_CASE(presentation_waits_for_a_batch_that_copies_results),
    TEST_CASE(a_copy_waits_for_its_results),
    TEST_CASE(a_lower_queue_copies_and_resets_between_pictures),
    TEST_CASE(all_feedback_of_partitions_is_copied),
    TEST_CASE(secondary_command_buffers_copy_and_reset),
};
TEST_MAIN(cases)

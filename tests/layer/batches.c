/* SPDX-License-Identifier: MIT */
/* Batches between lower and lent queues: waits, signals and fences, and objects that only one of
 * the two sides knows. Each is run over a lower device with queues to spare, and over one with a
 * single queue.
 */
#include "lent_work.h"
#include "point.h"

#include <string.h>

static const struct point none;

static VkSemaphore
binary_create(struct fixture *f)
{
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    VkSemaphore semaphore;
    REQUIRE_EQ(vkCreateSemaphore(f->dev, &info, NULL, &semaphore), VK_SUCCESS);
    return semaphore;
}

static VkFence
fence_create(struct fixture *f)
{
    const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkFence fence;
    REQUIRE_EQ(vkCreateFence(f->dev, &info, NULL, &fence), VK_SUCCESS);
    return fence;
}

/* The lower queue is asked to wait for the picture before the picture can be copied by it. */
static void
a_batch_that_waits_for_a_picture_does_not_block_its_copy(struct fixture *f)
{
    struct lent_work work = lent_work_create(f);
    const VkSemaphore begun = test_timeline_create(f);
    const VkSemaphore coded = test_timeline_create(f);
    const VkSemaphore drawn = test_timeline_create(f);

    point_submit(work.queue, work.cb, (struct point){begun, 1}, (struct point){coded, 1},
                 VK_NULL_HANDLE);
    point_submit(f->queue, NULL, (struct point){coded, 1}, (struct point){drawn, 1},
                 VK_NULL_HANDLE);
    REQUIRE_EQ(point_wait(f, (struct point){drawn, 1}, 20000000), VK_TIMEOUT);
    point_signal(f, (struct point){begun, 1});
    REQUIRE_EQ(point_wait(f, (struct point){drawn, 1}, 10 * SECOND_NS), VK_SUCCESS);

    REQUIRE_EQ(vkDeviceWaitIdle(f->dev), VK_SUCCESS);
    vkDestroySemaphore(f->dev, begun, NULL);
    vkDestroySemaphore(f->dev, coded, NULL);
    vkDestroySemaphore(f->dev, drawn, NULL);
    lent_work_destroy(f, &work);
}

/* The host signals only when it has seen the picture, whose copy stands behind that wait. */
static void
a_batch_that_waits_for_the_host_does_not_block_a_copy(struct fixture *f)
{
    struct lent_work work = lent_work_create(f);
    const VkSemaphore host = test_timeline_create(f);
    const VkFence coded = fence_create(f);

    point_submit(f->queue, NULL, (struct point){host, 1}, none, f->fence);
    point_submit(work.queue, work.cb, none, none, coded);
    REQUIRE_EQ(vkWaitForFences(f->dev, 1, &coded, VK_TRUE, 10 * SECOND_NS), VK_SUCCESS);
    REQUIRE_EQ(vkGetFenceStatus(f->dev, f->fence), VK_NOT_READY);
    point_signal(f, (struct point){host, 1});
    REQUIRE_EQ(vkWaitForFences(f->dev, 1, &f->fence, VK_TRUE, 10 * SECOND_NS), VK_SUCCESS);

    REQUIRE_EQ(vkResetFences(f->dev, 1, &f->fence), VK_SUCCESS);
    vkDestroyFence(f->dev, coded, NULL);
    vkDestroySemaphore(f->dev, host, NULL);
    lent_work_destroy(f, &work);
}

/* What was held back keeps its place in the queue, and so does what comes behind it. */
static void
batches_that_are_held_back_stay_in_order(struct fixture *f)
{
    const VkSemaphore host = test_timeline_create(f);
    const VkSemaphore order = test_timeline_create(f);

    for (uint64_t i = 1; i <= 8; i++)
        point_submit(f->queue, NULL, i == 1 ? (struct point){host, 1} : none,
                     (struct point){order, i}, i == 8 ? f->fence : VK_NULL_HANDLE);
    REQUIRE_EQ(vkGetFenceStatus(f->dev, f->fence), VK_NOT_READY);
    point_signal(f, (struct point){host, 1});
    REQUIRE_EQ(vkQueueWaitIdle(f->queue), VK_SUCCESS);
    REQUIRE_EQ(vkGetFenceStatus(f->dev, f->fence), VK_SUCCESS);
    uint64_t value;
    REQUIRE_EQ(vkGetSemaphoreCounterValue(f->dev, order, &value), VK_SUCCESS);
    REQUIRE_EQ(value, 8);

    REQUIRE_EQ(vkResetFences(f->dev, 1, &f->fence), VK_SUCCESS);
    vkDestroySemaphore(f->dev, host, NULL);
    vkDestroySemaphore(f->dev, order, NULL);
}

static void
binary_semaphores_go_there_and_back(struct fixture *f)
{
    struct lent_work work = lent_work_create(f);
    const VkSemaphore there = binary_create(f);
    const VkSemaphore back = binary_create(f);

    for (uint32_t round = 0; round < 10; round++) {
        point_submit(f->queue, NULL, none, (struct point){there, 0}, VK_NULL_HANDLE);
        point_submit(work.queue, work.cb, (struct point){there, 0}, (struct point){back, 0},
                     VK_NULL_HANDLE);
        point_submit(f->queue, NULL, (struct point){back, 0}, none, f->fence);
        REQUIRE_EQ(vkWaitForFences(f->dev, 1, &f->fence, VK_TRUE, 10 * SECOND_NS), VK_SUCCESS);
        REQUIRE_EQ(vkResetFences(f->dev, 1, &f->fence), VK_SUCCESS);
    }

    vkDestroySemaphore(f->dev, there, NULL);
    vkDestroySemaphore(f->dev, back, NULL);
    lent_work_destroy(f, &work);
}

static void
fences_of_both_kinds_are_waited_for_together(struct fixture *f)
{
    struct lent_work work = lent_work_create(f);
    const VkSemaphore host = test_timeline_create(f);
    const VkFence fences[2] = {fence_create(f), fence_create(f)};

    point_submit(work.queue, work.cb, (struct point){host, 1}, none, fences[0]);
    REQUIRE_EQ(vkWaitForFences(f->dev, 2, fences, VK_FALSE, 1000000), VK_TIMEOUT);
    point_submit(f->queue, NULL, none, none, fences[1]);
    REQUIRE_EQ(vkWaitForFences(f->dev, 2, fences, VK_FALSE, 10 * SECOND_NS), VK_SUCCESS);
    REQUIRE_EQ(vkWaitForFences(f->dev, 2, fences, VK_TRUE, 1000000), VK_TIMEOUT);
    REQUIRE_EQ(vkGetFenceStatus(f->dev, fences[0]), VK_NOT_READY);
    point_signal(f, (struct point){host, 1});
    REQUIRE_EQ(vkWaitForFences(f->dev, 2, fences, VK_TRUE, 10 * SECOND_NS), VK_SUCCESS);
    REQUIRE_EQ(vkGetFenceStatus(f->dev, fences[0]), VK_SUCCESS);
    REQUIRE_EQ(vkResetFences(f->dev, 2, fences), VK_SUCCESS);
    REQUIRE_EQ(vkGetFenceStatus(f->dev, fences[0]), VK_NOT_READY);

    vkDestroyFence(f->dev, fences[0], NULL);
    vkDestroyFence(f->dev, fences[1], NULL);
    vkDestroySemaphore(f->dev, host, NULL);
    lent_work_destroy(f, &work);
}

/* The older form, with a timeline's values beside it. */
static void
the_older_form_of_submissions_is_the_same(struct fixture *f)
{
    struct lent_work work = lent_work_create(f);
    const VkSemaphore semaphore = test_timeline_create(f);
    const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const uint64_t one = 1;
    const uint64_t two = 2;
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = 1,
        .pWaitSemaphoreValues = &one,
        .signalSemaphoreValueCount = 1,
        .pSignalSemaphoreValues = &two,
    };
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .pNext = &values,
        .waitSemaphoreCount = 1,
        .pWaitSemaphores = &semaphore,
        .pWaitDstStageMask = &stages,
        .commandBufferCount = 1,
        .pCommandBuffers = &work.cb,
        .signalSemaphoreCount = 1,
        .pSignalSemaphores = &semaphore,
    };

    REQUIRE_EQ(vkQueueSubmit(work.queue, 1, &info, f->fence), VK_SUCCESS);
    REQUIRE_EQ(vkGetFenceStatus(f->dev, f->fence), VK_NOT_READY);
    point_submit(f->queue, NULL, none, (struct point){semaphore, 1}, VK_NULL_HANDLE);
    REQUIRE_EQ(point_wait(f, (struct point){semaphore, 2}, 10 * SECOND_NS), VK_SUCCESS);
    REQUIRE_EQ(vkWaitForFences(f->dev, 1, &f->fence, VK_TRUE, 10 * SECOND_NS), VK_SUCCESS);

    REQUIRE_EQ(vkResetFences(f->dev, 1, &f->fence), VK_SUCCESS);
    vkDestroySemaphore(f->dev, semaphore, NULL);
    lent_work_destroy(f, &work);
}

/* Who has seen a semaphore's signal has done with it, whatever thread gave the signal. */
static void
semaphores_may_go_as_soon_as_they_are_signalled(struct fixture *f)
{
    const VkQueue lent = f->queues[lent_family(f)];

    for (uint32_t round = 0; round < 200; round++) {
        const VkSemaphore host = test_timeline_create(f);
        const VkSemaphore done = test_timeline_create(f);
        point_submit(round & 1 ? lent : f->queue, NULL, (struct point){host, 1},
                     (struct point){done, 1}, VK_NULL_HANDLE);
        point_signal(f, (struct point){host, 1});
        REQUIRE_EQ(point_wait(f, (struct point){done, 1}, 10 * SECOND_NS), VK_SUCCESS);
        vkDestroySemaphore(f->dev, done, NULL);
        vkDestroySemaphore(f->dev, host, NULL);
    }
    REQUIRE_EQ(vkDeviceWaitIdle(f->dev), VK_SUCCESS);
}

static void
lent_queues_become_idle(struct fixture *f)
{
    struct lent_work work = lent_work_create(f);
    const VkFence fence = fence_create(f);

    for (uint32_t i = 0; i < 3; i++)
        point_submit(work.queue, work.cb, none, none, i == 2 ? fence : VK_NULL_HANDLE);
    REQUIRE_EQ(vkQueueWaitIdle(work.queue), VK_SUCCESS);
    REQUIRE_EQ(vkGetFenceStatus(f->dev, fence), VK_SUCCESS);
    REQUIRE_EQ(vkResetFences(f->dev, 1, &fence), VK_SUCCESS);
    REQUIRE_EQ(vkQueueSubmit2(work.queue, 0, NULL, fence), VK_SUCCESS);
    REQUIRE_EQ(vkDeviceWaitIdle(f->dev), VK_SUCCESS);
    REQUIRE_EQ(vkGetFenceStatus(f->dev, fence), VK_SUCCESS);

    vkDestroyFence(f->dev, fence, NULL);
    lent_work_destroy(f, &work);
}

static void
require_private(struct fixture *f, VkPrivateDataSlot slot, VkObjectType type, uint64_t handle,
                uint64_t expected)
{
    uint64_t data = 99;
    vkGetPrivateData(f->dev, type, handle, slot, &data);
    REQUIRE_EQ(data, expected);
}

static void
private_data_and_names_of_lent_objects_stay_in_the_layer(struct fixture *f)
{
    struct lent_work work = lent_work_create(f);
    const VkPrivateDataSlotCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO,
    };
    const uint64_t pool = (uint64_t)work.pool;
    VkPrivateDataSlot slots[2];

    for (uint32_t i = 0; i < 2; i++)
        REQUIRE_EQ(vkCreatePrivateDataSlot(f->dev, &info, NULL, &slots[i]), VK_SUCCESS);
    require_private(f, slots[0], VK_OBJECT_TYPE_COMMAND_POOL, pool, 0);
    REQUIRE_EQ(vkSetPrivateData(f->dev, VK_OBJECT_TYPE_COMMAND_POOL, pool, slots[0], 7),
               VK_SUCCESS);
    REQUIRE_EQ(
        vkSetPrivateData(f->dev, VK_OBJECT_TYPE_IMAGE, (uint64_t)work.img.handle, slots[0], 8),
        VK_SUCCESS);
    require_private(f, slots[0], VK_OBJECT_TYPE_COMMAND_POOL, pool, 7);
    require_private(f, slots[1], VK_OBJECT_TYPE_COMMAND_POOL, pool, 0);
    require_private(f, slots[0], VK_OBJECT_TYPE_IMAGE, (uint64_t)work.img.handle, 8);
    const VkDebugUtilsObjectNameInfoEXT name = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = VK_OBJECT_TYPE_COMMAND_POOL,
        .objectHandle = pool,
        .pObjectName = "pool",
    };
    REQUIRE_EQ(vkSetDebugUtilsObjectNameEXT(f->dev, &name), VK_SUCCESS);

    /* A new slot may have the handle of an old one, but has no data. */
    vkDestroyPrivateDataSlot(f->dev, slots[0], NULL);
    REQUIRE_EQ(vkCreatePrivateDataSlot(f->dev, &info, NULL, &slots[0]), VK_SUCCESS);
    require_private(f, slots[0], VK_OBJECT_TYPE_COMMAND_POOL, pool, 0);
    for (uint32_t i = 0; i < 2; i++)
        vkDestroyPrivateDataSlot(f->dev, slots[i], NULL);
    lent_work_destroy(f, &work);
}

static const struct test_case cases[] = {
    TEST_CASE(a_batch_that_waits_for_a_picture_does_not_block_its_copy),
    TEST_CASE(a_batch_that_waits_for_the_host_does_not_block_a_copy),
    TEST_CASE(batches_that_are_held_back_stay_in_order),
    TEST_CASE(binary_semaphores_go_there_and_back),
    TEST_CASE(fences_of_both_kinds_are_waited_for_together),
    TEST_CASE(the_older_form_of_submissions_is_the_same),
    TEST_CASE(semaphores_may_go_as_soon_as_they_are_signalled),
    TEST_CASE(lent_queues_become_idle),
    TEST_CASE(private_data_and_names_of_lent_objects_stay_in_the_layer),
};
TEST_MAIN(cases)

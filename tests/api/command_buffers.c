/* SPDX-License-Identifier: MIT */
/* Command pools and command buffers: resets, resubmission, secondaries.
 */
#include "fixture.h"

static void
begin(VkCommandBuffer cb, VkCommandBufferUsageFlags usage)
{
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = usage,
        .pInheritanceInfo = &inheritance,
    };
    REQUIRE_EQ(vkBeginCommandBuffer(cb, &info), VK_SUCCESS);
}

static void
submit(struct fixture *f, uint32_t count, const VkCommandBuffer *cbs)
{
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = count,
        .pCommandBuffers = cbs,
    };
    REQUIRE_EQ(vkQueueSubmit(f->queue, 1, &info, f->fence), VK_SUCCESS);
    REQUIRE_EQ(vkWaitForFences(f->dev, 1, &f->fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
    REQUIRE_EQ(vkResetFences(f->dev, 1, &f->fence), VK_SUCCESS);
}

static void
a_command_buffer_runs_again_and_again(struct fixture *f)
{
    struct test_buffer buf = test_buffer_create(f, 64, 0);
    test_begin(f);
    vkCmdFillBuffer(f->cb, buf.handle, 0, 64, 0x12345678);
    REQUIRE_EQ(vkEndCommandBuffer(f->cb), VK_SUCCESS);

    for (int i = 0; i < 3; i++) {
        memset(buf.bytes, 0, 64);
        submit(f, 1, &f->cb);
        REQUIRE_EQ(buf.words[15], 0x12345678);
    }
    test_buffer_destroy(f, &buf);
}

static void
begin_forgets_what_was_recorded(struct fixture *f)
{
    struct test_buffer buf = test_buffer_create(f, 64, 0);

    test_begin(f);
    vkCmdFillBuffer(f->cb, buf.handle, 0, 32, 1);
    REQUIRE_EQ(vkEndCommandBuffer(f->cb), VK_SUCCESS);
    test_begin(f); /* resets implicitly */
    vkCmdFillBuffer(f->cb, buf.handle, 32, 32, 2);
    test_submit_and_wait(f);

    REQUIRE_EQ(buf.words[0], 0);
    REQUIRE_EQ(buf.words[8], 2);
    test_buffer_destroy(f, &buf);
}

static void
resets_of_buffer_and_pool_leave_nothing(struct fixture *f)
{
    const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    struct test_buffer buf = test_buffer_create(f, 64, 0);
    VkCommandPool pool;
    REQUIRE_EQ(vkCreateCommandPool(f->dev, &info, f->alloc, &pool), VK_SUCCESS);
    const VkCommandBufferAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = pool,
        .commandBufferCount = 3,
    };
    VkCommandBuffer cbs[3];
    REQUIRE_EQ(vkAllocateCommandBuffers(f->dev, &allocate, cbs), VK_SUCCESS);

    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 3; i++) {
            begin(cbs[i], VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
            for (int k = 0; k < 1000; k++) /* more than one block of the arena */
                vkCmdFillBuffer(cbs[i], buf.handle, 4 * (VkDeviceSize)i, 4, (uint32_t)(round + 1));
            REQUIRE_EQ(vkEndCommandBuffer(cbs[i]), VK_SUCCESS);
        }
        submit(f, 3, cbs);
        REQUIRE_EQ(buf.words[2], round + 1);
        REQUIRE_EQ(vkResetCommandPool(f->dev, pool,
                                      round & 1 ? VK_COMMAND_POOL_RESET_RELEASE_RESOURCES_BIT : 0),
                   VK_SUCCESS);
        vkTrimCommandPool(f->dev, pool, 0);
    }
    vkFreeCommandBuffers(f->dev, pool, 1, &cbs[1]); /* the others go with the pool */
    vkDestroyCommandPool(f->dev, pool, f->alloc);
    test_buffer_destroy(f, &buf);
}

static void
secondaries_run_where_they_are_executed(struct fixture *f)
{
    struct test_buffer buf = test_buffer_create(f, 64, 0);
    VkCommandBuffer secondaries[2] = {test_cb_create(f, VK_COMMAND_BUFFER_LEVEL_SECONDARY),
                                      test_cb_create(f, VK_COMMAND_BUFFER_LEVEL_SECONDARY)};
    for (uint32_t i = 0; i < 2; i++) {
        begin(secondaries[i], VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
        vkCmdFillBuffer(secondaries[i], buf.handle, 16, 4, 10 + i);
        vkCmdFillBuffer(secondaries[i], buf.handle, 4 * i, 4, 20 + i);
        REQUIRE_EQ(vkEndCommandBuffer(secondaries[i]), VK_SUCCESS);
    }

    test_begin(f);
    vkCmdFillBuffer(f->cb, buf.handle, 0, 4, 1);
    vkCmdExecuteCommands(f->cb, 2, secondaries);
    vkCmdFillBuffer(f->cb, buf.handle, 4, 4, 2);
    test_submit_and_wait(f);

    REQUIRE_EQ(buf.words[0], 20);
    REQUIRE_EQ(buf.words[1], 2);
    REQUIRE_EQ(buf.words[4], 11);
    vkFreeCommandBuffers(f->dev, f->pool, 2, secondaries);
    test_buffer_destroy(f, &buf);
}

static void
one_buffer_is_submitted_several_times_at_once(struct fixture *f)
{
    struct test_buffer buf = test_buffer_create(f, 64, 0);
    VkCommandBuffer cb = test_cb_create(f, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    begin(cb, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    vkCmdFillBuffer(cb, buf.handle, 0, 64, 77);
    REQUIRE_EQ(vkEndCommandBuffer(cb), VK_SUCCESS);

    const VkCommandBuffer cbs[4] = {cb, cb, cb, cb};
    submit(f, 4, cbs);

    REQUIRE_EQ(buf.words[0], 77);
    vkFreeCommandBuffers(f->dev, f->pool, 1, &cb);
    test_buffer_destroy(f, &buf);
}

static void
free_and_destroy_take_null(struct fixture *f)
{
    const VkCommandBuffer none[2] = {NULL, NULL};

    vkFreeCommandBuffers(f->dev, f->pool, 2, none);
    vkDestroyCommandPool(f->dev, VK_NULL_HANDLE, f->alloc);
    vkDestroyBuffer(f->dev, VK_NULL_HANDLE, f->alloc);
    vkDestroyImage(f->dev, VK_NULL_HANDLE, f->alloc);
    vkDestroyImageView(f->dev, VK_NULL_HANDLE, f->alloc);
    vkDestroyFence(f->dev, VK_NULL_HANDLE, f->alloc);
    vkDestroySemaphore(f->dev, VK_NULL_HANDLE, f->alloc);
    vkDestroyEvent(f->dev, VK_NULL_HANDLE, f->alloc);
    vkDestroyQueryPool(f->dev, VK_NULL_HANDLE, f->alloc);
    vkDestroySampler(f->dev, VK_NULL_HANDLE, f->alloc);
    vkFreeMemory(f->dev, VK_NULL_HANDLE, f->alloc);
}

static const struct test_case cases[] = {
    TEST_CASE(a_command_buffer_runs_again_and_again),
    TEST_CASE(begin_forgets_what_was_recorded),
    TEST_CASE(resets_of_buffer_and_pool_leave_nothing),
    TEST_CASE(secondaries_run_where_they_are_executed),
    TEST_CASE(one_buffer_is_submitted_several_times_at_once),
    TEST_CASE(free_and_destroy_take_null),
};
TEST_MAIN(cases)

/* SPDX-License-Identifier: MIT */
/* What is destroyed while batches are under way: what the specification allows leaves the others as
 * they are, and what it forbids neither crashes nor keeps anybody waiting.
 */
#include "coder.h"
#include "point.h"

#include <string.h>

#define CHECK(call) REQUIRE_EQ((call), VK_SUCCESS)

static const struct point none;

/* A picture to be coded, with all that it needs. */
struct work {
    struct coder coder;
    struct test_image img;
    VkImageView view;
    VkSemaphore begun;
    VkSemaphore done;
    VkFence fence;
};

static void
work_init(struct fixture *f, struct work *w)
{
    const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};

    coder_init(f, &w->coder, NULL);
    const VkImageCreateInfo info = coder_image_info(&w->coder, 1);
    w->img = test_image_create_with(f, &info);
    w->view = coder_view_create(&w->coder, w->img.handle, 0, 1);
    coder_fill(&w->coder, w->img.handle, 0, 3, VK_IMAGE_LAYOUT_VIDEO_ENCODE_SRC_KHR, UINT32_MAX);
    coder_begin(&w->coder);
    coder_record(&w->coder, w->view, 0, true);
    coder_end(&w->coder);
    w->begun = test_timeline_create(f);
    CHECK(vkCreateSemaphore(f->dev, &semaphore, NULL, &w->done));
    CHECK(vkCreateFence(f->dev, &fence, NULL, &w->fence));
}

/* All but the memory of pictures, which the lower device may be using. */
static void
work_destroy(struct fixture *f, struct work *w)
{
    vkDestroyFence(f->dev, w->fence, NULL);
    vkDestroySemaphore(f->dev, w->done, NULL);
    vkDestroySemaphore(f->dev, w->begun, NULL);
    vkDestroyImageView(f->dev, w->view, NULL);
    vkDestroyImage(f->dev, w->img.handle, NULL);
    coder_finish(&w->coder);
}

static void
work_submit(const struct work *w, struct point wait)
{
    point_submit(w->coder.queue, w->coder.cb, wait, (struct point){w->done, 0}, w->fence);
}

static void
objects_go_while_others_are_used(struct fixture *f)
{
    struct work held;
    uint8_t expected[4096];
    uint32_t expected_B = 0;

    work_init(f, &held);
    work_submit(&held, (struct point){held.begun, 1});
    for (uint32_t round = 0; round < 8; round++) {
        struct work w;
        work_init(f, &w);
        /* Command buffers that come and go while a batch of their pool's family is under way. */
        for (uint32_t i = 0; i < 20; i++) {
            const VkCommandBufferAllocateInfo info = {
                .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                .commandPool = w.coder.pool,
                .commandBufferCount = 2,
            };
            VkCommandBuffer cbs[2];
            CHECK(vkAllocateCommandBuffers(f->dev, &info, cbs));
            vkFreeCommandBuffers(f->dev, w.coder.pool, 2, cbs);
        }
        vkGetDeviceQueue(f->dev, w.coder.family, 1, &w.coder.queue);
        work_submit(&w, none);
        CHECK(vkWaitForFences(f->dev, 1, &w.fence, VK_TRUE, 10 * SECOND_NS));
        const uint32_t size_B = coder_result(&w.coder);
        REQUIRE(size_B <= sizeof(expected));
        if (round == 0)
            memcpy(expected, w.coder.bytes, expected_B = size_B);
        REQUIRE_EQ(size_B, expected_B);
        REQUIRE(memcmp(w.coder.bytes, expected, size_B) == 0);
        work_destroy(f, &w);
        vkFreeMemory(f->dev, w.img.memory, NULL);
    }
    point_signal(f, (struct point){held.begun, 1});
    CHECK(vkWaitForFences(f->dev, 1, &held.fence, VK_TRUE, 10 * SECOND_NS));
    REQUIRE_EQ(coder_result(&held.coder), expected_B);
    REQUIRE(memcmp(held.coder.bytes, expected, expected_B) == 0);
    work_destroy(f, &held);
    vkFreeMemory(f->dev, held.img.memory, NULL);
}

/* The fixture's own: the lower device of these tests is one at a time. */
static void
devices_go_right_after_their_work(struct fixture *f)
{
    for (uint32_t round = 0; round < 8; round++) {
        struct work w;
        work_init(f, &w);
        work_submit(&w, none);
        CHECK(vkWaitForFences(f->dev, 1, &w.fence, VK_TRUE, 10 * SECOND_NS));
        work_destroy(f, &w);
        vkFreeMemory(f->dev, w.img.memory, NULL);
        fixture_finish(f);
        fixture_init(f);
    }
}

/* Forbidden: everything that a batch uses goes before it begins. */
static void
objects_that_go_too_early_hurt_nobody(struct fixture *f)
{
    struct work w;
    const VkSemaphore host = test_timeline_create(f);
    const VkSemaphore after = test_timeline_create(f);

    work_init(f, &w);
    work_submit(&w, (struct point){host, 1});
    /* One that is held back where the lower queue is shared, for a semaphore that goes, too. */
    point_submit(f->queue, VK_NULL_HANDLE, (struct point){w.begun, 1}, none, VK_NULL_HANDLE);
    point_signal(f, (struct point){w.begun, 1});
    work_destroy(f, &w);
    point_signal(f, (struct point){host, 1});
    point_submit(w.coder.queue, VK_NULL_HANDLE, none, (struct point){after, 1}, VK_NULL_HANDLE);
    CHECK(point_wait(f, (struct point){after, 1}, 10 * SECOND_NS));
    CHECK(vkDeviceWaitIdle(f->dev));
    vkFreeMemory(f->dev, w.img.memory, NULL);
    vkDestroySemaphore(f->dev, after, NULL);
    vkDestroySemaphore(f->dev, host, NULL);
}

/* Forbidden: a device goes with batches that wait for what never happens. */
static void
devices_that_go_too_early_keep_nobody_waiting(struct fixture *f)
{
    for (uint32_t round = 0; round < 2; round++) {
        const VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
        const VkMemoryBarrier2 memory = {
            .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
            .srcStageMask = VK_PIPELINE_STAGE_2_HOST_BIT,
            .dstStageMask = VK_PIPELINE_STAGE_2_VIDEO_ENCODE_BIT_KHR,
        };
        const VkDependencyInfo dependency = {
            .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
            .memoryBarrierCount = 1,
            .pMemoryBarriers = &memory,
        };
        struct work w;
        VkEvent event;

        work_init(f, &w);
        CHECK(vkCreateEvent(f->dev, &info, NULL, &event));
        if (round == 0) {
            work_submit(&w, (struct point){w.begun, 1});
        } else {
            coder_begin(&w.coder);
            vkCmdWaitEvents2(w.coder.cb, 1, &event, &dependency);
            coder_end(&w.coder);
            work_submit(&w, none);
        }
        vkDestroyEvent(f->dev, event, NULL);
        work_destroy(f, &w);
        vkFreeMemory(f->dev, w.img.memory, NULL);
        fixture_finish(f);
        fixture_init(f);
    }
}

static const struct test_case cases[] = {
    TEST_CASE(objects_go_while_others_are_used),
    TEST_CASE(devices_go_right_after_their_work),
    TEST_CASE(objects_that_go_too_early_hurt_nobody),
    TEST_CASE(devices_that_go_too_early_keep_nobody_waiting),
};
TEST_MAIN(cases)

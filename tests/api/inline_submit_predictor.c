/* SPDX-License-Identifier: MIT */
/* Work runs inside vkQueueSubmit for an application that always waits for it at once, and only
 * then, and only when nothing is to be waited for.
 */
#include "compute.h"

#include "api_shaders.h"

#include <pthread.h>
#include <stdbool.h>

#define STEPS 1000u
#define PAIRS 100
#define MANY_ROUNDS 2000 /* this thread may lose the processor between submission and wait */

struct work {
    struct fixture *f;
    struct compute compute;
    VkPipeline pipeline;
    uint32_t word; /* what all of the buffer are, or will be */
    VkSemaphore timeline;
    uint64_t value; /* of the last submission */
};

static struct work
work_create(struct fixture *f)
{
    struct work w = {.f = f};
    compute_init(f, &w.compute);
    w.pipeline = compute_pipeline(f, &w.compute, spirv_steps, sizeof(spirv_steps));
    w.timeline = test_timeline_create(f);
    return w;
}

static void
work_destroy(struct work *w)
{
    REQUIRE_EQ(vkDeviceWaitIdle(w->f->dev), VK_SUCCESS);
    vkDestroySemaphore(w->f->dev, w->timeline, w->f->alloc);
    vkDestroyPipeline(w->f->dev, w->pipeline, w->f->alloc);
    compute_finish(w->f, &w->compute);
}

static void
work_begin(struct work *w)
{
    compute_begin(w->f, &w->compute, w->pipeline, STEPS);
}

/* A kernel with a loop: nobody knows how long it will take. */
static void
work_record(struct work *w)
{
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    const VkMemoryBarrier before = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
    };

    vkCmdPipelineBarrier(w->f->cb, stage, stage, 0, 1, &before, 0, NULL, 0, NULL);
    vkCmdDispatch(w->f->cb, COMPUTE_WORDS / 16, 1, 1);
    for (uint32_t i = 0; i < STEPS; i++)
        w->word = w->word * 1664525u + 1013904223u;
}

static void
work_check(const struct work *w)
{
    for (uint32_t i = 0; i < COMPUTE_WORDS; i++)
        REQUIRE_EQ(w->compute.buf.words[i], w->word);
}

/* Submits what f->cb has; it signals the timeline's next value, after gate has reached 1. True when
 * it is done on return. */
static bool
work_submit(struct work *w, VkSemaphore gate, VkFence fence)
{
    const uint64_t one = 1;
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const uint64_t value = ++w->value;
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = gate ? 1 : 0,
        .pWaitSemaphoreValues = &one,
        .signalSemaphoreValueCount = 1,
        .pSignalSemaphoreValues = &value,
    };
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .pNext = &values,
        .waitSemaphoreCount = gate ? 1 : 0,
        .pWaitSemaphores = &gate,
        .pWaitDstStageMask = &stage,
        .commandBufferCount = 1,
        .pCommandBuffers = &w->f->cb,
        .signalSemaphoreCount = 1,
        .pSignalSemaphores = &w->timeline,
    };
    uint64_t reached;

    REQUIRE_EQ(vkEndCommandBuffer(w->f->cb), VK_SUCCESS);
    REQUIRE_EQ(vkQueueSubmit(w->f->queue, 1, &info, fence), VK_SUCCESS);
    REQUIRE_EQ(vkGetSemaphoreCounterValue(w->f->dev, w->timeline, &reached), VK_SUCCESS);
    return reached >= value;
}

static void
wait_until(struct work *w, uint64_t value)
{
    const VkSemaphoreWaitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
        .semaphoreCount = 1,
        .pSemaphores = &w->timeline,
        .pValues = &value,
    };
    REQUIRE_EQ(vkWaitSemaphores(w->f->dev, &info, UINT64_MAX), VK_SUCCESS);
}

static void
wait_for_timeline(struct work *w)
{
    wait_until(w, w->value);
}

static void
wait_for_fence(struct work *w)
{
    REQUIRE_EQ(vkWaitForFences(w->f->dev, 1, &w->f->fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
}

static void
wait_for_queue(struct work *w)
{
    REQUIRE_EQ(vkQueueWaitIdle(w->f->queue), VK_SUCCESS);
}

/* Submits and waits until the work runs inside vkQueueSubmit. */
static void
teach_waiting(struct work *w, void (*wait)(struct work *w))
{
    struct fixture *f = w->f;
    bool is_inside = false;

    for (uint32_t i = 0; i < MANY_ROUNDS && !is_inside; i++) {
        work_begin(w);
        work_record(w);
        is_inside = work_submit(w, VK_NULL_HANDLE, f->fence);
        wait(w);
        REQUIRE_EQ(vkResetFences(f->dev, 1, &f->fence), VK_SUCCESS);
        work_check(w);
    }
    REQUIRE(is_inside);
}

static void
it_runs_where_it_is_waited_for(struct fixture *f)
{
    void (*const waits[])(struct work * w) = {wait_for_fence, wait_for_timeline, wait_for_queue};

    for (uint32_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
        struct work w = work_create(f);
        teach_waiting(&w, waits[i]);
        work_destroy(&w);
    }
}

/* A wait for the first of two submissions under way predicts nothing (who runs them is not to be
 * seen from here; unit/inline_submit_predictor.c has it). */
static void
two_under_way_are_both_run(struct fixture *f)
{
    struct work w = work_create(f);
    VkCommandBuffer cbs[2] = {f->cb, test_cb_create(f, VK_COMMAND_BUFFER_LEVEL_PRIMARY)};

    teach_waiting(&w, wait_for_timeline);
    for (uint32_t i = 0; i < PAIRS; i++) {
        f->cb = cbs[i % 2];
        work_begin(&w);
        work_record(&w);
        (void)work_submit(&w, VK_NULL_HANDLE, VK_NULL_HANDLE);
        wait_until(&w, w.value - 1);
    }
    wait_for_queue(&w);
    work_check(&w);
    f->cb = cbs[0];
    vkFreeCommandBuffers(f->dev, f->pool, 1, &cbs[1]);
    work_destroy(&w);
}

static void
a_semaphore_of_the_host_is_waited_for_aside(struct fixture *f)
{
    struct work w = work_create(f);
    struct work gate = work_create(f); /* of which only the timeline is used */
    const VkSemaphoreSignalInfo open = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = gate.timeline, .value = 1};

    teach_waiting(&w, wait_for_timeline);
    work_begin(&w);
    work_record(&w);
    REQUIRE(!work_submit(&w, gate.timeline, VK_NULL_HANDLE));
    REQUIRE_EQ(vkSignalSemaphore(f->dev, &open), VK_SUCCESS);
    wait_for_timeline(&w);
    work_check(&w);
    work_destroy(&gate);
    work_destroy(&w);
}

/* In the primary command buffer, and in a secondary one. */
static void
an_event_of_the_host_is_waited_for_aside(struct fixture *f)
{
    const VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    const VkDependencyInfo dependency = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .pInheritanceInfo = &inheritance};
    struct work w = work_create(f);
    VkCommandBuffer waiting = test_cb_create(f, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkEvent event;
    REQUIRE_EQ(vkCreateEvent(f->dev, &info, f->alloc, &event), VK_SUCCESS);
    REQUIRE_EQ(vkBeginCommandBuffer(waiting, &begin), VK_SUCCESS);
    vkCmdWaitEvents2(waiting, 1, &event, &dependency);
    REQUIRE_EQ(vkEndCommandBuffer(waiting), VK_SUCCESS);

    for (uint32_t is_secondary = 0; is_secondary < 2; is_secondary++) {
        teach_waiting(&w, wait_for_timeline);
        REQUIRE_EQ(vkResetEvent(f->dev, event), VK_SUCCESS);
        work_begin(&w);
        if (!is_secondary)
            vkCmdWaitEvents2(f->cb, 1, &event, &dependency);
        work_record(&w);
        if (is_secondary)
            vkCmdExecuteCommands(f->cb, 1, &waiting);
        REQUIRE(!work_submit(&w, VK_NULL_HANDLE, VK_NULL_HANDLE));
        REQUIRE_EQ(vkSetEvent(f->dev, event), VK_SUCCESS);
        wait_for_timeline(&w);
        work_check(&w);
    }
    vkFreeCommandBuffers(f->dev, f->pool, 1, &waiting);
    vkDestroyEvent(f->dev, event, f->alloc);
    work_destroy(&w);
}

/* The query is completed by another queue, later. */
static void
a_query_is_waited_for_aside(struct fixture *f)
{
    const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                        .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                        .queryCount = 1};
    struct work w = work_create(f);
    struct work other = work_create(f);
    VkQueryPool queries;
    REQUIRE_EQ(vkCreateQueryPool(f->dev, &info, f->alloc, &queries), VK_SUCCESS);
    vkResetQueryPool(f->dev, queries, 0, 1);
    VkCommandBuffer cb = f->cb;
    VkQueue queue = f->queue;

    teach_waiting(&w, wait_for_timeline);
    test_begin(f);
    vkCmdCopyQueryPoolResults(cb, queries, 0, 1, w.compute.buf.handle, 0, 8,
                              VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
    REQUIRE(!work_submit(&w, VK_NULL_HANDLE, VK_NULL_HANDLE));
    f->queue = f->second_queue;
    f->cb = test_cb_create(f, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    test_begin(f);
    vkCmdWriteTimestamp2(f->cb, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, queries, 0);
    work_submit(&other, VK_NULL_HANDLE, VK_NULL_HANDLE);
    wait_for_timeline(&w);
    REQUIRE(w.compute.buf.longs[0] > 0);

    wait_for_timeline(&other);
    vkFreeCommandBuffers(f->dev, f->pool, 1, &f->cb);
    f->cb = cb;
    f->queue = queue;
    vkDestroyQueryPool(f->dev, queries, f->alloc);
    work_destroy(&other);
    work_destroy(&w);
}

static void *
wait_for_next(void *arg)
{
    wait_for_timeline(arg);
    return NULL;
}

/* Another thread waits, for what runs inside and for what does not. */
static void
other_threads_may_wait(struct fixture *f)
{
    struct work w = work_create(f);

    teach_waiting(&w, wait_for_timeline);
    for (uint32_t i = 0; i < 20; i++) {
        pthread_t thread;
        work_begin(&w);
        work_record(&w);
        struct work next = w;
        next.value++;
        REQUIRE_EQ(pthread_create(&thread, NULL, wait_for_next, &next), 0);
        work_submit(&w, VK_NULL_HANDLE, VK_NULL_HANDLE);
        pthread_join(thread, NULL);
        work_check(&w);
    }
    work_destroy(&w);
}

static const struct test_case cases[] = {
    TEST_CASE(it_runs_where_it_is_waited_for),
    TEST_CASE(two_under_way_are_both_run),
    TEST_CASE(a_semaphore_of_the_host_is_waited_for_aside),
    TEST_CASE(an_event_of_the_host_is_waited_for_aside),
    TEST_CASE(a_query_is_waited_for_aside),
    TEST_CASE(other_threads_may_wait),
};
TEST_MAIN(cases)

/* SPDX-License-Identifier: MIT */
/* Fences, semaphores, events, and queues that wait for each other.
 */
#include "fixture.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

static VkSemaphore
semaphore_create(struct fixture *f, VkSemaphoreType type, uint64_t value)
{
    const VkSemaphoreTypeCreateInfo type_info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = type,
        .initialValue = value,
    };
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                        .pNext = &type_info};
    VkSemaphore sem;
    REQUIRE_EQ(vkCreateSemaphore(f->dev, &info, f->alloc, &sem), VK_SUCCESS);
    return sem;
}

static VkFence
fence_create(struct fixture *f, VkFenceCreateFlags flags)
{
    const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, .flags = flags};
    VkFence fence;
    REQUIRE_EQ(vkCreateFence(f->dev, &info, f->alloc, &fence), VK_SUCCESS);
    return fence;
}

/* One batch with at most one wait, command buffer and signal. */
static void
submit(VkQueue queue, VkSemaphore wait, uint64_t wait_value, VkCommandBuffer cb, VkSemaphore signal,
       uint64_t signal_value, VkFence fence)
{
    const VkSemaphoreSubmitInfo waits = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                         .semaphore = wait,
                                         .value = wait_value,
                                         .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
    const VkSemaphoreSubmitInfo signals = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                           .semaphore = signal,
                                           .value = signal_value,
                                           .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
    const VkCommandBufferSubmitInfo cbs = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                           .commandBuffer = cb};
    const VkSubmitInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
        .waitSemaphoreInfoCount = wait ? 1 : 0,
        .pWaitSemaphoreInfos = &waits,
        .commandBufferInfoCount = cb ? 1 : 0,
        .pCommandBufferInfos = &cbs,
        .signalSemaphoreInfoCount = signal ? 1 : 0,
        .pSignalSemaphoreInfos = &signals,
    };
    REQUIRE_EQ(vkQueueSubmit2(queue, 1, &info, fence), VK_SUCCESS);
}

static uint64_t
counter(struct fixture *f, VkSemaphore sem)
{
    uint64_t value;
    REQUIRE_EQ(vkGetSemaphoreCounterValue(f->dev, sem, &value), VK_SUCCESS);
    return value;
}

static VkResult
wait_value(struct fixture *f, VkSemaphore sem, uint64_t value, uint64_t timeout_ns)
{
    const VkSemaphoreWaitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
        .semaphoreCount = 1,
        .pSemaphores = &sem,
        .pValues = &value,
    };
    return vkWaitSemaphores(f->dev, &info, timeout_ns);
}

static void
signal_value(struct fixture *f, VkSemaphore sem, uint64_t value)
{
    const VkSemaphoreSignalInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = sem, .value = value};
    REQUIRE_EQ(vkSignalSemaphore(f->dev, &info), VK_SUCCESS);
}

static void
a_fence_knows_its_state(struct fixture *f)
{
    VkFence fences[2] = {fence_create(f, 0), fence_create(f, VK_FENCE_CREATE_SIGNALED_BIT)};

    REQUIRE_EQ(vkGetFenceStatus(f->dev, fences[0]), VK_NOT_READY);
    REQUIRE_EQ(vkGetFenceStatus(f->dev, fences[1]), VK_SUCCESS);
    REQUIRE_EQ(vkWaitForFences(f->dev, 2, fences, VK_TRUE, 0), VK_TIMEOUT);
    REQUIRE_EQ(vkWaitForFences(f->dev, 2, fences, VK_TRUE, 1000000), VK_TIMEOUT);
    REQUIRE_EQ(vkWaitForFences(f->dev, 2, fences, VK_FALSE, 0), VK_SUCCESS);
    submit(f->queue, VK_NULL_HANDLE, 0, NULL, VK_NULL_HANDLE, 0, fences[0]);
    REQUIRE_EQ(vkWaitForFences(f->dev, 2, fences, VK_TRUE, UINT64_MAX), VK_SUCCESS);
    REQUIRE_EQ(vkResetFences(f->dev, 2, fences), VK_SUCCESS);
    REQUIRE_EQ(vkGetFenceStatus(f->dev, fences[1]), VK_NOT_READY);
    for (int i = 0; i < 2; i++)
        vkDestroyFence(f->dev, fences[i], f->alloc);
}

static void
an_empty_submit_signals_its_fence(struct fixture *f)
{
    for (uint32_t i = 0; i < f->family_count; i++) {
        REQUIRE_EQ(vkQueueSubmit2(f->queues[i], 0, NULL, f->fence), VK_SUCCESS);
        REQUIRE_EQ(vkWaitForFences(f->dev, 1, &f->fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
        REQUIRE_EQ(vkResetFences(f->dev, 1, &f->fence), VK_SUCCESS);
        REQUIRE_EQ(vkQueueSubmit(f->queues[i], 0, NULL, f->fence), VK_SUCCESS);
        REQUIRE_EQ(vkWaitForFences(f->dev, 1, &f->fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
        REQUIRE_EQ(vkResetFences(f->dev, 1, &f->fence), VK_SUCCESS);
    }
}

static void
the_host_drives_a_timeline(struct fixture *f)
{
    VkSemaphore sem = semaphore_create(f, VK_SEMAPHORE_TYPE_TIMELINE, 5);

    REQUIRE_EQ(counter(f, sem), 5);
    REQUIRE_EQ(wait_value(f, sem, 5, 0), VK_SUCCESS);
    REQUIRE_EQ(wait_value(f, sem, 6, 100000), VK_TIMEOUT);
    signal_value(f, sem, 9);
    REQUIRE_EQ(wait_value(f, sem, 8, UINT64_MAX), VK_SUCCESS);
    REQUIRE_EQ(counter(f, sem), 9);
    vkDestroySemaphore(f->dev, sem, f->alloc);
}

/* Not allowed, but clients with one timeline for several queues do it. */
static void
a_late_signal_does_not_lower_a_timeline(struct fixture *f)
{
    VkSemaphore sem = semaphore_create(f, VK_SEMAPHORE_TYPE_TIMELINE, 0);

    submit(f->queue, VK_NULL_HANDLE, 0, NULL, sem, 9, VK_NULL_HANDLE);
    REQUIRE_EQ(vkQueueWaitIdle(f->queue), VK_SUCCESS);
    submit(f->second_queue, sem, 5, NULL, sem, 6, VK_NULL_HANDLE);
    REQUIRE_EQ(vkQueueWaitIdle(f->second_queue), VK_SUCCESS);
    REQUIRE_EQ(counter(f, sem), 9);
    vkDestroySemaphore(f->dev, sem, f->alloc);
}

/* Not allowed, but FFmpeg waits for the semaphores of frames that it has freed. */
static void
a_wait_for_a_destroyed_timeline_is_met(struct fixture *f)
{
    VkSemaphore dead[200];

    for (uint32_t i = 0; i < 200; i++)
        dead[i] = semaphore_create(f, VK_SEMAPHORE_TYPE_TIMELINE, 0);
    for (uint32_t i = 0; i < 200; i++)
        vkDestroySemaphore(f->dev, dead[i], f->alloc);
    VkSemaphore live = semaphore_create(f, VK_SEMAPHORE_TYPE_TIMELINE, 0);
    for (uint32_t i = 0; i < 200; i++)
        REQUIRE_EQ(wait_value(f, dead[i], 7, UINT64_MAX), VK_SUCCESS);
    /* What validation layers make of a handle that they do not know any more. */
    REQUIRE_EQ(wait_value(f, VK_NULL_HANDLE, 7, UINT64_MAX), VK_SUCCESS);
    REQUIRE_EQ(wait_value(f, live, 7, 0), VK_TIMEOUT);
    vkDestroySemaphore(f->dev, live, f->alloc);
}

/* A submission passes by semaphores that were destroyed, and the others count. */
static void
submissions_pass_by_destroyed_semaphores(struct fixture *f)
{
    VkSemaphore dead = semaphore_create(f, VK_SEMAPHORE_TYPE_TIMELINE, 0);
    vkDestroySemaphore(f->dev, dead, f->alloc);
    VkSemaphore live = semaphore_create(f, VK_SEMAPHORE_TYPE_BINARY, 0);
    VkFence fence = fence_create(f, 0);
    const VkSemaphore signals[] = {dead, VK_NULL_HANDLE, live};
    const VkPipelineStageFlags stages[] = {0, 0, 0};
    const VkSubmitInfo infos[] = {
        {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
         .signalSemaphoreCount = 3,
         .pSignalSemaphores = signals},
        {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
         .waitSemaphoreCount = 3,
         .pWaitSemaphores = signals,
         .pWaitDstStageMask = stages},
    };

    REQUIRE_EQ(vkQueueSubmit(f->queue, 2, infos, fence), VK_SUCCESS);
    REQUIRE_EQ(vkWaitForFences(f->dev, 1, &fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
    submit(f->queue, dead, 5, NULL, dead, 6, VK_NULL_HANDLE);
    REQUIRE_EQ(vkQueueWaitIdle(f->queue), VK_SUCCESS);
    signal_value(f, dead, 7);
    REQUIRE_EQ(counter(f, dead), UINT64_MAX);
    vkDestroyFence(f->dev, fence, f->alloc);
    vkDestroySemaphore(f->dev, live, f->alloc);
}

/* What validation layers make of a fence that was destroyed. */
static void
a_fence_of_null_is_signalled(struct fixture *f)
{
    const VkFence fences[] = {fence_create(f, 0), VK_NULL_HANDLE};

    REQUIRE_EQ(vkGetFenceStatus(f->dev, VK_NULL_HANDLE), VK_SUCCESS);
    REQUIRE_EQ(vkWaitForFences(f->dev, 2, fences, VK_FALSE, UINT64_MAX), VK_SUCCESS);
    REQUIRE_EQ(vkWaitForFences(f->dev, 2, fences, VK_TRUE, 0), VK_TIMEOUT);
    REQUIRE_EQ(vkResetFences(f->dev, 2, fences), VK_SUCCESS);
    vkDestroyFence(f->dev, fences[0], f->alloc);
}

static void
waiting_for_any_needs_one(struct fixture *f)
{
    VkSemaphore sems[2] = {semaphore_create(f, VK_SEMAPHORE_TYPE_TIMELINE, 0),
                           semaphore_create(f, VK_SEMAPHORE_TYPE_TIMELINE, 0)};
    const uint64_t values[2] = {1, 1};
    VkSemaphoreWaitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
        .flags = VK_SEMAPHORE_WAIT_ANY_BIT,
        .semaphoreCount = 2,
        .pSemaphores = sems,
        .pValues = values,
    };

    REQUIRE_EQ(vkWaitSemaphores(f->dev, &info, 1000), VK_TIMEOUT);
    signal_value(f, sems[1], 1);
    REQUIRE_EQ(vkWaitSemaphores(f->dev, &info, UINT64_MAX), VK_SUCCESS);
    info.flags = 0;
    REQUIRE_EQ(vkWaitSemaphores(f->dev, &info, 1000), VK_TIMEOUT);
    for (int i = 0; i < 2; i++)
        vkDestroySemaphore(f->dev, sems[i], f->alloc);
}

static void
a_queue_waits_before_the_signal_is_submitted(struct fixture *f)
{
    VkSemaphore sem = semaphore_create(f, VK_SEMAPHORE_TYPE_TIMELINE, 0);
    struct test_buffer buf = test_buffer_create(f, 16, 0);
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VkCommandBuffer cb = test_cb_create(f, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    REQUIRE_EQ(vkBeginCommandBuffer(cb, &begin), VK_SUCCESS);
    vkCmdFillBuffer(cb, buf.handle, 0, 16, 7);
    REQUIRE_EQ(vkEndCommandBuffer(cb), VK_SUCCESS);

    submit(f->second_queue, sem, 1, cb, sem, 2, VK_NULL_HANDLE);
    usleep(2000);
    REQUIRE_EQ(buf.words[0], 0);
    submit(f->queue, VK_NULL_HANDLE, 0, NULL, sem, 1, VK_NULL_HANDLE);
    REQUIRE_EQ(wait_value(f, sem, 2, UINT64_MAX), VK_SUCCESS);
    REQUIRE_EQ(buf.words[3], 7);

    REQUIRE_EQ(vkQueueWaitIdle(f->second_queue), VK_SUCCESS);
    vkFreeCommandBuffers(f->dev, f->pool, 1, &cb);
    test_buffer_destroy(f, &buf);
    vkDestroySemaphore(f->dev, sem, f->alloc);
}

/* What the idle queue made possible for another is done; what is still impossible is not waited
 * for. Vulkan has it otherwise; see queue/wait_idle.c. */
static void
an_idle_queue_leaves_nothing_behind(struct fixture *f)
{
    VkSemaphore sem = semaphore_create(f, VK_SEMAPHORE_TYPE_TIMELINE, 0);
    struct test_buffer buf = test_buffer_create(f, 16, 0);
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VkCommandBuffer cbs[2];
    for (uint32_t i = 0; i < 2; i++) {
        cbs[i] = test_cb_create(f, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
        REQUIRE_EQ(vkBeginCommandBuffer(cbs[i], &begin), VK_SUCCESS);
        vkCmdFillBuffer(cbs[i], buf.handle, 0, 16, 7 + i);
        REQUIRE_EQ(vkEndCommandBuffer(cbs[i]), VK_SUCCESS);
    }

    for (uint64_t round = 0; round < 20; round++) {
        const uint64_t base = round * 10;
        submit(f->second_queue, sem, base + 1, cbs[0], sem, base + 2, VK_NULL_HANDLE);
        submit(f->second_queue, sem, base + 3, cbs[1], sem, base + 4, VK_NULL_HANDLE);
        submit(f->queue, VK_NULL_HANDLE, 0, NULL, sem, base + 1, VK_NULL_HANDLE);
        REQUIRE_EQ(vkQueueWaitIdle(f->queue), VK_SUCCESS);
        REQUIRE_EQ(counter(f, sem), base + 2);
        REQUIRE_EQ(buf.words[0], 7);
        signal_value(f, sem, base + 3);
        REQUIRE_EQ(vkQueueWaitIdle(f->queue), VK_SUCCESS);
        REQUIRE_EQ(buf.words[0], 8);
    }
    vkFreeCommandBuffers(f->dev, f->pool, 2, cbs);
    test_buffer_destroy(f, &buf);
    vkDestroySemaphore(f->dev, sem, f->alloc);
}

/* A chain through all queues, each link a binary semaphore. */
static void
binary_semaphores_order_queues(struct fixture *f)
{
    VkSemaphore sems[FIXTURE_MAX_FAMILIES];
    for (uint32_t i = 0; i < f->family_count; i++)
        sems[i] = semaphore_create(f, VK_SEMAPHORE_TYPE_BINARY, 0);

    for (int round = 0; round < 50; round++) {
        for (uint32_t i = 0; i < f->family_count; i++) {
            const bool is_last = i + 1 == f->family_count;
            submit(f->queues[i], i ? sems[i - 1] : VK_NULL_HANDLE, 0, NULL,
                   is_last ? VK_NULL_HANDLE : sems[i], 0, is_last ? f->fence : VK_NULL_HANDLE);
        }
        REQUIRE_EQ(vkWaitForFences(f->dev, 1, &f->fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
        REQUIRE_EQ(vkResetFences(f->dev, 1, &f->fence), VK_SUCCESS);
    }
    REQUIRE_EQ(vkDeviceWaitIdle(f->dev), VK_SUCCESS);
    for (uint32_t i = 0; i < f->family_count; i++)
        vkDestroySemaphore(f->dev, sems[i], f->alloc);
}

static void
the_first_submit_knows_timelines_too(struct fixture *f)
{
    VkSemaphore sem = semaphore_create(f, VK_SEMAPHORE_TYPE_TIMELINE, 0);
    const uint64_t one = 1, two = 2;
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const VkTimelineSemaphoreSubmitInfo values[2] = {
        {.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
         .signalSemaphoreValueCount = 1,
         .pSignalSemaphoreValues = &one},
        {.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
         .waitSemaphoreValueCount = 1,
         .pWaitSemaphoreValues = &one,
         .signalSemaphoreValueCount = 1,
         .pSignalSemaphoreValues = &two},
    };
    const VkSubmitInfo infos[2] = {
        {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
         .pNext = &values[0],
         .signalSemaphoreCount = 1,
         .pSignalSemaphores = &sem},
        {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
         .pNext = &values[1],
         .waitSemaphoreCount = 1,
         .pWaitSemaphores = &sem,
         .pWaitDstStageMask = &stage,
         .signalSemaphoreCount = 1,
         .pSignalSemaphores = &sem},
    };

    REQUIRE_EQ(vkQueueSubmit(f->queue, 2, infos, VK_NULL_HANDLE), VK_SUCCESS);
    REQUIRE_EQ(wait_value(f, sem, 2, UINT64_MAX), VK_SUCCESS);
    REQUIRE_EQ(vkQueueWaitIdle(f->queue), VK_SUCCESS);
    vkDestroySemaphore(f->dev, sem, f->alloc);
}

struct late_signal {
    struct fixture *f;
    VkSemaphore sem;
};

static void *
signal_late(void *arg)
{
    const struct late_signal *late = arg;
    usleep(3000);
    signal_value(late->f, late->sem, 1);
    return NULL;
}

static void
a_waiting_host_is_woken(struct fixture *f)
{
    struct late_signal late = {f, semaphore_create(f, VK_SEMAPHORE_TYPE_TIMELINE, 0)};
    pthread_t thread;

    REQUIRE_EQ(pthread_create(&thread, NULL, signal_late, &late), 0);
    REQUIRE_EQ(wait_value(f, late.sem, 1, UINT64_MAX), VK_SUCCESS);
    pthread_join(thread, NULL);
    vkDestroySemaphore(f->dev, late.sem, f->alloc);
}

static void
commands_wait_for_an_event_of_the_host(struct fixture *f)
{
    const VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    const VkDependencyInfo dependency = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    struct test_buffer buf = test_buffer_create(f, 16, 0);
    VkEvent event;
    REQUIRE_EQ(vkCreateEvent(f->dev, &info, f->alloc, &event), VK_SUCCESS);
    REQUIRE_EQ(vkGetEventStatus(f->dev, event), VK_EVENT_RESET);

    test_begin(f);
    vkCmdWaitEvents2(f->cb, 1, &event, &dependency);
    vkCmdFillBuffer(f->cb, buf.handle, 0, 16, 3);
    vkCmdResetEvent2(f->cb, event, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
    REQUIRE_EQ(vkEndCommandBuffer(f->cb), VK_SUCCESS);
    submit(f->queue, VK_NULL_HANDLE, 0, f->cb, VK_NULL_HANDLE, 0, f->fence);
    REQUIRE_EQ(vkWaitForFences(f->dev, 1, &f->fence, VK_TRUE, 2000000), VK_TIMEOUT);
    REQUIRE_EQ(buf.words[0], 0);
    REQUIRE_EQ(vkSetEvent(f->dev, event), VK_SUCCESS);
    REQUIRE_EQ(vkWaitForFences(f->dev, 1, &f->fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
    REQUIRE_EQ(buf.words[0], 3);
    REQUIRE_EQ(vkGetEventStatus(f->dev, event), VK_EVENT_RESET);

    REQUIRE_EQ(vkResetFences(f->dev, 1, &f->fence), VK_SUCCESS);
    vkDestroyEvent(f->dev, event, f->alloc);
    test_buffer_destroy(f, &buf);
}

static void
commands_set_and_wait_in_both_generations(struct fixture *f)
{
    const VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    VkEvent event;
    REQUIRE_EQ(vkCreateEvent(f->dev, &info, f->alloc, &event), VK_SUCCESS);

    test_begin(f);
    vkCmdSetEvent(f->cb, event, all);
    vkCmdWaitEvents(f->cb, 1, &event, all, all, 0, NULL, 0, NULL, 0, NULL);
    test_submit_and_wait(f);
    REQUIRE_EQ(vkGetEventStatus(f->dev, event), VK_EVENT_SET);

    REQUIRE_EQ(vkResetEvent(f->dev, event), VK_SUCCESS);
    test_begin(f);
    vkCmdSetEvent2(f->cb, event, &(VkDependencyInfo){.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO});
    vkCmdResetEvent(f->cb, event, all);
    test_submit_and_wait(f);
    REQUIRE_EQ(vkGetEventStatus(f->dev, event), VK_EVENT_RESET);
    vkDestroyEvent(f->dev, event, f->alloc);
}

static void
a_semaphore_crosses_by_file_descriptor(struct fixture *f)
{
    if (!vkGetSemaphoreFdKHR)
        return;
    const VkSemaphoreTypeCreateInfo type = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
    };
    const VkExportSemaphoreCreateInfo exported = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
        .pNext = &type,
        .handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
    };
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                        .pNext = &exported};
    VkSemaphore from, to = semaphore_create(f, VK_SEMAPHORE_TYPE_TIMELINE, 0);
    REQUIRE_EQ(vkCreateSemaphore(f->dev, &info, f->alloc, &from), VK_SUCCESS);
    const VkSemaphoreGetFdInfoKHR get = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR,
        .semaphore = from,
        .handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
    };
    VkImportSemaphoreFdInfoKHR import = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR,
        .semaphore = to,
        .handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
    };

    signal_value(f, from, 3);
    REQUIRE_EQ(vkGetSemaphoreFdKHR(f->dev, &get, &import.fd), VK_SUCCESS);
    REQUIRE_EQ(vkImportSemaphoreFdKHR(f->dev, &import), VK_SUCCESS);
    REQUIRE_EQ(counter(f, to), 3);
    submit(f->second_queue, to, 4, NULL, to, 5, VK_NULL_HANDLE);
    signal_value(f, from, 4);
    REQUIRE_EQ(wait_value(f, from, 5, UINT64_MAX), VK_SUCCESS);

    REQUIRE_EQ(vkQueueWaitIdle(f->second_queue), VK_SUCCESS);
    vkDestroySemaphore(f->dev, from, f->alloc);
    vkDestroySemaphore(f->dev, to, f->alloc);
}

static void
a_sync_file_of_minus_one_is_signalled(struct fixture *f)
{
    if (!vkImportFenceFdKHR)
        return;
    VkFence fence = fence_create(f, 0);
    const VkImportFenceFdInfoKHR import = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_FENCE_FD_INFO_KHR,
        .fence = fence,
        .flags = VK_FENCE_IMPORT_TEMPORARY_BIT,
        .handleType = VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT,
        .fd = -1,
    };
    const VkFenceGetFdInfoKHR get = {
        .sType = VK_STRUCTURE_TYPE_FENCE_GET_FD_INFO_KHR,
        .fence = fence,
        .handleType = VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT,
    };
    int fd = 0;

    REQUIRE_EQ(vkImportFenceFdKHR(f->dev, &import), VK_SUCCESS);
    REQUIRE_EQ(vkGetFenceStatus(f->dev, fence), VK_SUCCESS);
    REQUIRE_EQ(vkResetFences(f->dev, 1, &fence), VK_SUCCESS);
    REQUIRE_EQ(vkGetFenceStatus(f->dev, fence), VK_NOT_READY);

    submit(f->queue, VK_NULL_HANDLE, 0, NULL, VK_NULL_HANDLE, 0, fence);
    REQUIRE_EQ(vkGetFenceFdKHR(f->dev, &get, &fd), VK_SUCCESS);
    REQUIRE_EQ(fd, -1);
    REQUIRE_EQ(vkGetFenceStatus(f->dev, fence), VK_NOT_READY);
    vkDestroyFence(f->dev, fence, f->alloc);
}

/* Semaphores and fences of NULL, and semaphores that were destroyed, take descriptors and are
 * signalled; what is not made for export has no page to give. */
static void
descriptors_pass_by_what_was_destroyed(struct fixture *f)
{
    VkSemaphore sems[] = {semaphore_create(f, VK_SEMAPHORE_TYPE_BINARY, 0), VK_NULL_HANDLE};
    VkImportSemaphoreFdInfoKHR import = {.sType = VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR};
    VkSemaphoreGetFdInfoKHR get = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR};
    VkImportFenceFdInfoKHR import_fence = {.sType = VK_STRUCTURE_TYPE_IMPORT_FENCE_FD_INFO_KHR};
    VkFenceGetFdInfoKHR get_fence = {.sType = VK_STRUCTURE_TYPE_FENCE_GET_FD_INFO_KHR};
    int fd = 0;
    if (!vkGetSemaphoreFdKHR || !vkGetFenceFdKHR)
        return;

    vkDestroySemaphore(f->dev, sems[0], f->alloc);
    for (uint32_t i = 0; i < 2; i++, fd = 0) {
        import.semaphore = get.semaphore = sems[i];
        import.handleType = get.handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;
        import.fd = -1;
        REQUIRE_EQ(vkImportSemaphoreFdKHR(f->dev, &import), VK_SUCCESS);
        REQUIRE_EQ(vkGetSemaphoreFdKHR(f->dev, &get, &fd), VK_SUCCESS);
        REQUIRE_EQ(fd, -1);
        get.handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
        REQUIRE_EQ(vkGetSemaphoreFdKHR(f->dev, &get, &fd), VK_ERROR_OUT_OF_HOST_MEMORY);
    }
    import_fence.handleType = get_fence.handleType = VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT;
    import_fence.fd = -1;
    REQUIRE_EQ(vkImportFenceFdKHR(f->dev, &import_fence), VK_SUCCESS);
    REQUIRE_EQ(vkGetFenceFdKHR(f->dev, &get_fence, &fd), VK_SUCCESS);
    REQUIRE_EQ(fd, -1);
    get_fence.handleType = VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT;
    REQUIRE_EQ(vkGetFenceFdKHR(f->dev, &get_fence, &fd), VK_ERROR_OUT_OF_HOST_MEMORY);
}

/* Many submissions from several threads to several queues, counted by one timeline each. */
struct submitter {
    struct fixture *f;
    VkQueue queue;
    VkSemaphore sem;
};

static void *
submit_many(void *arg)
{
    const struct submitter *s = arg;
    for (uint64_t i = 0; i < 500; i++)
        submit(s->queue, s->sem, i, NULL, s->sem, i + 1, VK_NULL_HANDLE);
    return NULL;
}

static void
queues_work_side_by_side(struct fixture *f)
{
    struct submitter submitters[FIXTURE_MAX_FAMILIES];
    pthread_t threads[FIXTURE_MAX_FAMILIES];
    for (uint32_t i = 0; i < f->family_count; i++) {
        submitters[i] =
            (struct submitter){f, f->queues[i], semaphore_create(f, VK_SEMAPHORE_TYPE_TIMELINE, 0)};
        REQUIRE_EQ(pthread_create(&threads[i], NULL, submit_many, &submitters[i]), 0);
    }
    for (uint32_t i = 0; i < f->family_count; i++) {
        REQUIRE_EQ(wait_value(f, submitters[i].sem, 500, UINT64_MAX), VK_SUCCESS);
        pthread_join(threads[i], NULL);
    }
    REQUIRE_EQ(vkDeviceWaitIdle(f->dev), VK_SUCCESS);
    for (uint32_t i = 0; i < f->family_count; i++)
        vkDestroySemaphore(f->dev, submitters[i].sem, f->alloc);
}

static const struct test_case cases[] = {
    TEST_CASE(a_fence_knows_its_state),
    TEST_CASE(an_empty_submit_signals_its_fence),
    TEST_CASE(the_host_drives_a_timeline),
    TEST_CASE(a_late_signal_does_not_lower_a_timeline),
    TEST_CASE(a_wait_for_a_destroyed_timeline_is_met),
    TEST_CASE(submissions_pass_by_destroyed_semaphores),
    TEST_CASE(a_fence_of_null_is_signalled),
    TEST_CASE(waiting_for_any_needs_one),
    TEST_CASE(a_queue_waits_before_the_signal_is_submitted),
    TEST_CASE(an_idle_queue_leaves_nothing_behind),
    TEST_CASE(binary_semaphores_order_queues),
    TEST_CASE(the_first_submit_knows_timelines_too),
    TEST_CASE(a_waiting_host_is_woken),
    TEST_CASE(commands_wait_for_an_event_of_the_host),
    TEST_CASE(commands_set_and_wait_in_both_generations),
    TEST_CASE(a_semaphore_crosses_by_file_descriptor),
    TEST_CASE(a_sync_file_of_minus_one_is_signalled),
    TEST_CASE(descriptors_pass_by_what_was_destroyed),
    TEST_CASE(queues_work_side_by_side),
};
TEST_MAIN(cases)

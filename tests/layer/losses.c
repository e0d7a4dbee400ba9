/* SPDX-License-Identifier: MIT */
/* The layer's device is lost alone, for the lower one has refused a submission: every wait ends, of
 * the host for batches in lower queues, too, which wait for what nobody will signal any more.
 */
#include "gate.h"
#include "lent_work.h"
#include "passing.h"
#include "point.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define CHECK(call) REQUIRE_EQ((call), VK_SUCCESS)
#define LANES 4u /* two lower queues, where there are, and two lent ones */
#define TIMELINES 3u
#define OPERATIONS 24u
#define SEEDS 16u

static const struct point none;

static VkFence
exported_fence_create(struct fixture *f)
{
    const VkExportFenceCreateInfo exported = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_FENCE_CREATE_INFO,
        .handleTypes = VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT,
    };
    const VkFenceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
        .pNext = &exported,
    };
    VkFence fence;
    CHECK(vkCreateFence(f->dev, &info, NULL, &fence));
    return fence;
}

/* A new device, of which the n-th submission to the lower device fails, for a minute at most. kind:
 * as lower.c says. */
static void
device_begin(struct fixture *f, const char *kind, uint32_t n)
{
    char failure[32];

    fixture_finish(f);
    (void)snprintf(failure, sizeof(failure), "%s %u", kind, n);
    REQUIRE_EQ(setenv("REELPIPE_TEST_LOWER_FAILS", failure, 1), 0);
    fixture_init(f);
    REQUIRE_EQ(unsetenv("REELPIPE_TEST_LOWER_FAILS"), 0);
    (void)alarm(60);
}

static void
device_end(struct fixture *f)
{
    REQUIRE_EQ(vkDeviceWaitIdle(f->dev), VK_ERROR_DEVICE_LOST);
    (void)alarm(0);
}

static VkResult
submit_nothing(VkQueue queue, VkFence fence)
{
    const VkSubmitInfo2 nothing = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
    return vkQueueSubmit2(queue, 1, &nothing, fence);
}

static VkQueue
decode_queue(const struct fixture *f)
{
    uint32_t family = 0;

    while (!(f->family[family].queueFlags & VK_QUEUE_VIDEO_DECODE_BIT_KHR))
        REQUIRE(++family < f->family_count);
    return f->queues[family];
}

/* By a lent queue that nobody else uses: the lower device has to signal fences that are exported,
 * and is made to until it has refused to. */
static void *
lose(void *arg)
{
    struct fixture *f = arg;
    const VkQueue queue = decode_queue(f);
    VkResult result;

    do {
        const VkFence fence = exported_fence_create(f);
        result = submit_nothing(queue, fence);
        (void)vkQueueWaitIdle(queue);
        vkDestroyFence(f->dev, fence, NULL);
    } while (result == VK_SUCCESS);
    REQUIRE_EQ(result, VK_ERROR_DEVICE_LOST);
    return NULL;
}

static void *
lose_later(void *arg)
{
    (void)usleep(20000);
    return lose(arg);
}

/* One batch waits for what has yet to be signalled, another one for a value behind the one that the
 * first signals. */
static void
waits_in_lower_queues_end(struct fixture *f)
{
    pthread_t thread;

    if (!needs_own_lower())
        return;
    device_begin(f, "memory", f->family[0].queueCount == 1 ? 1 : 3);
    const VkSemaphore later = test_timeline_create(f), passed = test_timeline_create(f);
    point_submit(f->queue, NULL, (struct point){later, 1}, (struct point){passed, 1},
                 VK_NULL_HANDLE);
    point_submit(f->queues[1], NULL, (struct point){passed, 2}, none, f->fence);
    REQUIRE_EQ(pthread_create(&thread, NULL, lose_later, f), 0);
    const VkResult result = vkQueueWaitIdle(f->queue);
    REQUIRE(result == VK_SUCCESS || result == VK_ERROR_DEVICE_LOST);
    pthread_join(thread, NULL);
    REQUIRE_EQ(vkWaitForFences(f->dev, 1, &f->fence, VK_TRUE, UINT64_MAX), VK_ERROR_DEVICE_LOST);
    device_end(f);
    /* Which the host may still do, though it has been done. */
    point_signal(f, (struct point){later, 1});
    point_signal(f, (struct point){passed, 2});
    vkDestroySemaphore(f->dev, later, NULL);
    vkDestroySemaphore(f->dev, passed, NULL);
}

/* The batch behind the one that waits would signal a greater value. */
static void
a_wait_for_less_than_what_comes_behind_ends(struct fixture *f)
{
    uint64_t value;

    if (!needs_own_lower())
        return;
    device_begin(f, "memory", f->family[0].queueCount == 1 ? 1 : 3);
    const VkSemaphore semaphore = test_timeline_create(f);
    point_submit(f->queue, NULL, (struct point){semaphore, 5}, none, VK_NULL_HANDLE);
    point_submit(f->queue, NULL, none, (struct point){semaphore, 10}, VK_NULL_HANDLE);
    lose(f);
    device_end(f);
    CHECK(vkGetSemaphoreCounterValue(f->dev, semaphore, &value));
    REQUIRE_EQ(value, 10);
    vkDestroySemaphore(f->dev, semaphore, NULL);
}

/* Another process, which could signal it, may have been waiting for the lost device. */
static void
a_wait_for_another_process_ends(struct fixture *f)
{
    if (!needs_own_lower())
        return;
    device_begin(f, "memory", f->family[0].queueCount == 1 ? 1 : 2);
    const VkSemaphore shared = exported_timeline_create(f);
    point_submit(f->queue, NULL, (struct point){shared, 1}, none, f->fence);
    lose(f);
    device_end(f);
    REQUIRE_EQ(vkWaitForFences(f->dev, 1, &f->fence, VK_TRUE, UINT64_MAX), VK_ERROR_DEVICE_LOST);
    vkDestroySemaphore(f->dev, shared, NULL);
}

struct waiter {
    struct fixture *f;
    pthread_t thread;
    VkSemaphore semaphore; /* what it waits for: this, a fence, or a query */
    VkFence fence;
    VkQueryPool queries;
    VkResult result;
};

static void *
wait_for_ever(void *arg)
{
    struct waiter *w = arg;
    uint32_t data[4];

    if (w->semaphore)
        w->result = point_wait(w->f, (struct point){w->semaphore, 1}, UINT64_MAX);
    else if (w->fence)
        w->result = vkWaitForFences(w->f->dev, 1, &w->fence, VK_TRUE, UINT64_MAX);
    else
        w->result = vkGetQueryPoolResults(w->f->dev, w->queries, 0, 1, sizeof(data), data,
                                          sizeof(data), VK_QUERY_RESULT_WAIT_BIT);
    return NULL;
}

static VkQueryPool
timestamps_create(struct fixture *f)
{
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TIMESTAMP,
        .queryCount = 1,
    };
    VkQueryPool queries;
    CHECK(vkCreateQueryPool(f->dev, &info, NULL, &queries));
    vkResetQueryPool(f->dev, queries, 0, 1);
    return queries;
}

/* Waits for what nobody will submit any more end, too. */
static void
waits_of_the_host_end(struct fixture *f)
{
    if (!needs_own_lower())
        return;
    device_begin(f, "memory", 1);
    struct waiter waiters[3] = {
        {.f = f, .semaphore = test_timeline_create(f)},
        {.f = f, .fence = f->fence},
        {.f = f, .queries = timestamps_create(f)},
    };
    for (uint32_t i = 0; i < 3; i++)
        REQUIRE_EQ(pthread_create(&waiters[i].thread, NULL, wait_for_ever, &waiters[i]), 0);
    lose_later(f);
    for (uint32_t i = 0; i < 3; i++) {
        pthread_join(waiters[i].thread, NULL);
        REQUIRE_EQ(waiters[i].result, VK_ERROR_DEVICE_LOST);
        wait_for_ever(&waiters[i]);
        REQUIRE_EQ(waiters[i].result, VK_ERROR_DEVICE_LOST);
    }
    device_end(f);
    vkDestroySemaphore(f->dev, waiters[0].semaphore, NULL);
    vkDestroyQueryPool(f->dev, waiters[2].queries, NULL);
}

static VkQueryPool
lent_queries_create(struct fixture *f)
{
    static const VkVideoEncodeH264ProfileInfoKHR h264 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_PROFILE_INFO_KHR,
        .stdProfileIdc = STD_VIDEO_H264_PROFILE_IDC_MAIN,
    };
    static const VkVideoProfileInfoKHR profile = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_INFO_KHR,
        .pNext = &h264,
        .videoCodecOperation = VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR,
        .chromaSubsampling = VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR,
        .lumaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,
        .chromaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,
    };
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .pNext = &profile,
        .queryType = VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR,
        .queryCount = 1,
    };
    VkQueryPool queries;
    CHECK(vkCreateQueryPool(f->dev, &info, NULL, &queries));
    vkResetQueryPool(f->dev, queries, 0, 1);
    return queries;
}

/* A lower queue copies the result of a picture that will never be coded, and a batch stands behind
 * it. */
static void
batches_behind_results_that_never_come_end(struct fixture *f)
{
    if (!needs_own_lower())
        return;
    device_begin(f, "memory", 1);
    const VkSemaphore semaphore = test_timeline_create(f);
    struct test_buffer buf = test_buffer_create(f, 64, 0);
    struct waiter waiter = {.f = f, .queries = lent_queries_create(f)};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};

    CHECK(vkBeginCommandBuffer(f->cb, &begin));
    vkCmdCopyQueryPoolResults(f->cb, waiter.queries, 0, 1, buf.handle, 0, 4,
                              VK_QUERY_RESULT_WITH_STATUS_BIT_KHR | VK_QUERY_RESULT_WAIT_BIT);
    CHECK(vkEndCommandBuffer(f->cb));
    point_submit(f->queue, f->cb, none, (struct point){semaphore, 1}, VK_NULL_HANDLE);
    point_submit(f->queue, NULL, (struct point){semaphore, 1}, none, f->fence);
    REQUIRE_EQ(pthread_create(&waiter.thread, NULL, wait_for_ever, &waiter), 0);
    lose_later(f);
    pthread_join(waiter.thread, NULL);
    REQUIRE_EQ(waiter.result, VK_ERROR_DEVICE_LOST);
    REQUIRE_EQ(vkWaitForFences(f->dev, 1, &f->fence, VK_TRUE, UINT64_MAX), VK_ERROR_DEVICE_LOST);
    device_end(f);
    vkDestroySemaphore(f->dev, semaphore, NULL);
    vkDestroyQueryPool(f->dev, waiter.queries, NULL);
    test_buffer_destroy(f, &buf);
}

static void *
signal_one(void *arg)
{
    struct waiter *w = arg;
    point_signal(w->f, (struct point){w->semaphore, 1});
    return NULL;
}

static void *
open_later(void *arg)
{
    (void)usleep(200000);
    gate_open();
    return arg;
}

/* It is on its way below when the device is lost, whereupon the layer signals what a batch waits
 * for. The lower device minds values that are not greater. */
static void
a_smaller_value_of_the_host_comes_first(struct fixture *f)
{
    pthread_t opener;

    if (!needs_own_lower())
        return;
    device_begin(f, "memory", f->family[0].queueCount == 1 ? 1 : 2);
    struct waiter host = {.f = f, .semaphore = test_timeline_create(f)};
    point_submit(f->queue, NULL, (struct point){host.semaphore, 2}, none, f->fence);
    gate_close(GATE_SIGNAL_FIRST);
    REQUIRE_EQ(pthread_create(&host.thread, NULL, signal_one, &host), 0);
    gate_wait();
    REQUIRE_EQ(pthread_create(&opener, NULL, open_later, NULL), 0);
    lose(f);
    pthread_join(opener, NULL);
    pthread_join(host.thread, NULL);
    device_end(f);
    vkDestroySemaphore(f->dev, host.semaphore, NULL);
}

/* The lower queue refuses to signal it, once, and a batch is held back that waits for it. */
static void
a_payload_that_is_refused_blocks_nobody(struct fixture *f)
{
    if (!needs_own_lower())
        return;
    device_begin(f, "memory", 1);
    const VkSemaphore payload = semaphore_create(f, OPAQUE_SEMAPHORE);
    gate_close(GATE_SUBMIT);
    point_submit(f->queues[lent_family(f)], NULL, none, (struct point){payload, 0}, VK_NULL_HANDLE);
    point_submit(f->queue, NULL, (struct point){payload, 0}, none, f->fence);
    gate_open();
    REQUIRE_EQ(vkWaitForFences(f->dev, 1, &f->fence, VK_TRUE, UINT64_MAX), VK_ERROR_DEVICE_LOST);
    device_end(f);
    vkDestroySemaphore(f->dev, payload, NULL);
}

/* Nor another process, though what was to be done before the signal never will be. */
static void
a_payload_of_what_is_refused_is_signalled(struct fixture *f)
{
    const VkSemaphoreSubmitInfo signal = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
        .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
    };
    int fd;

    if (!needs_own_lower())
        return;
    device_begin(f, "memory", 1);
    VkSemaphoreSubmitInfo payload = signal;
    payload.semaphore = semaphore_create(f, OPAQUE_SEMAPHORE);
    const VkSemaphoreGetFdInfoKHR get = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR,
        .semaphore = payload.semaphore,
        .handleType = OPAQUE_SEMAPHORE,
    };
    CHECK(vkGetSemaphoreFdKHR(f->dev, &get, &fd));
    const VkSubmitInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
        .signalSemaphoreInfoCount = 1,
        .pSignalSemaphoreInfos = &payload,
    };
    REQUIRE_EQ(vkQueueSubmit2(f->queue, 1, &info, VK_NULL_HANDLE), VK_ERROR_DEVICE_LOST);
    lower_wait_fd(fd);
    device_end(f);
    vkDestroySemaphore(f->dev, payload.semaphore, NULL);
}

/* An operation of a sequence that could go on for ever. */
struct operation {
    uint32_t lane; /* LANES: the host */
    struct point wait;
    struct point signal;
};

struct plan {
    uint64_t random;
    bool has_work; /* the lower device copies, too: once more where that fails */
    struct lent_work work;
    VkSemaphore timelines[TIMELINES];
    struct operation operations[OPERATIONS]; /* in an order that they may run in */
};

static uint32_t
draw(struct plan *plan, uint32_t limit)
{
    plan->random = plan->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(plan->random >> 33) % limit;
}

/* A timeline's signals are behind each other in a queue, or wait for each other. */
static void
plan_make(struct fixture *f, struct plan *plan, uint64_t seed)
{
    uint64_t last[TIMELINES] = {0};
    uint32_t lanes[TIMELINES] = {0};

    *plan = (struct plan){.random = seed, .has_work = plan->has_work, .work = lent_work_create(f)};
    for (uint32_t i = 0; i < TIMELINES; i++)
        plan->timelines[i] = test_timeline_create(f);
    for (uint32_t i = 0; i < OPERATIONS; i++) {
        struct operation *op = &plan->operations[i];
        const uint32_t awaited = draw(plan, TIMELINES);
        uint32_t signalled = draw(plan, TIMELINES);
        op->lane = draw(plan, LANES + 1);
        if (last[signalled] > 0 && lanes[signalled] != op->lane)
            signalled = awaited;
        lanes[signalled] = op->lane;
        op->wait = (struct point){plan->timelines[awaited], last[awaited]};
        op->signal = (struct point){plan->timelines[signalled], ++last[signalled]};
    }
}

static VkQueue
lane_queue(struct fixture *f, uint32_t lane)
{
    VkQueue queue;

    if (lane < 2)
        return lane == 1 && f->family[0].queueCount > 1 ? f->second_queue : f->queue;
    vkGetDeviceQueue(f->dev, lent_family(f), lane - 2, &queue);
    return queue;
}

/* The next operation of the lane, if there is one behind those that were submitted; the host's come
 * to pass never. */
static VkResult
plan_submit(struct fixture *f, struct plan *plan, uint32_t lane, uint32_t *next)
{
    while (*next < OPERATIONS && plan->operations[*next].lane != lane)
        ++*next;
    if (*next == OPERATIONS)
        return VK_SUCCESS;
    const struct operation *op = &plan->operations[(*next)++];
    const VkCommandBuffer cb = lane == 2 && plan->has_work ? plan->work.cb : VK_NULL_HANDLE;
    return point_try_submit(lane_queue(f, lane), cb, op->wait, op->signal, VK_NULL_HANDLE);
}

static void
plan_finish(struct fixture *f, struct plan *plan)
{
    for (uint32_t i = 0; i < TIMELINES; i++)
        vkDestroySemaphore(f->dev, plan->timelines[i], NULL);
    lent_work_destroy(f, &plan->work);
}

/* Queues go forward at random. One queue's operations may run in the order of the plan alone: where
 * two lanes share one, both are submitted in that order. */
static void
whatever_was_submitted_ends(struct fixture *f)
{
    struct plan plan;

    if (!needs_own_lower())
        return;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        uint32_t next[LANES] = {0};
        VkResult result = VK_SUCCESS;
        plan.has_work = seed & 1;
        device_begin(f, plan.has_work ? "lost" : "memory", 1 + (uint32_t)seed % 10);
        plan_make(f, &plan, seed);
        if (f->family[0].queueCount == 1) {
            for (uint32_t i = 0; i < OPERATIONS; i++)
                plan.operations[i].lane -= plan.operations[i].lane == 1;
        }
        for (uint32_t i = 0; i < OPERATIONS && result == VK_SUCCESS; i++) {
            const uint32_t lane = draw(&plan, LANES);
            result = plan_submit(f, &plan, lane, &next[lane]);
        }
        REQUIRE(result == VK_SUCCESS || result == VK_ERROR_DEVICE_LOST);
        lose(f);
        device_end(f);
        plan_finish(f, &plan);
    }
}

static void
a_new_device_is_not_lost(struct fixture *f)
{
    fixture_finish(f);
    fixture_init(f);
    point_submit(f->queue, NULL, none, none, f->fence);
    fence_wait_and_reset(f);
}

static const struct test_case cases[] = {
    TEST_CASE(waits_in_lower_queues_end),
    TEST_CASE(a_wait_for_less_than_what_comes_behind_ends),
    TEST_CASE(a_wait_for_another_process_ends),
    TEST_CASE(waits_of_the_host_end),
    TEST_CASE(batches_behind_results_that_never_come_end),
    TEST_CASE(a_smaller_value_of_the_host_comes_first),
    TEST_CASE(a_payload_that_is_refused_blocks_nobody),
    TEST_CASE(a_payload_of_what_is_refused_is_signalled),
    TEST_CASE(whatever_was_submitted_ends),
    TEST_CASE(a_new_device_is_not_lost),
};
TEST_MAIN(cases)

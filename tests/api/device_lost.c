/* SPDX-License-Identifier: MIT */
/* Short dispatches; and those without end, for one of their loops or their number of workgroups.
 * They are cut off after REELPIPE_TIMEOUT, and then every call that can say so says that the device
 * is lost, but not while another queue is still at work.
 */
#include "compute.h"

#include "api_shaders.h"

#include <pthread.h>
#include <time.h>

#define LIMIT 65535u   /* workgroups in each direction: what the device reports */
#define MAX UINT32_MAX /* beyond it */

struct endless {
    bool has_loop;
    bool is_indirect;
    VkDispatchIndirectCommand groups;
};

static void
short_dispatches_are_exact(struct fixture *f, struct compute *c, VkPipeline number)
{
    for (uint32_t round = 0; round < 100; round++) {
        compute_begin(f, c, number, round * 1000);
        vkCmdDispatch(f->cb, COMPUTE_WORDS / 16, 1, 1);
        test_submit_and_wait(f);
        for (uint32_t i = 0; i < COMPUTE_WORDS; i++)
            REQUIRE_EQ(c->buf.words[i], round * 1000 + i);
    }
}

/* Counts of workgroups of which one is 0 are no work, whatever the others are. */
static void
dispatches_of_nothing_end(struct fixture *f, struct compute *c, VkPipeline number)
{
    static const VkDispatchIndirectCommand counts[] = {
        {0, MAX, MAX}, {MAX, 0, MAX}, {MAX, MAX, 0}, {0, 0, 0}};
    struct test_buffer buf = test_buffer_create(f, sizeof(counts), 0);

    memcpy(buf.bytes, counts, sizeof(counts));
    memset(c->buf.bytes, 0x5a, COMPUTE_WORDS * 4);
    compute_begin(f, c, number, 0);
    for (uint32_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        vkCmdDispatch(f->cb, counts[i].x, counts[i].y, counts[i].z);
        vkCmdDispatchIndirect(f->cb, buf.handle, i * sizeof(counts[0]));
    }
    test_submit_and_wait(f);
    for (uint32_t i = 0; i < COMPUTE_WORDS; i++)
        REQUIRE_EQ(c->buf.words[i], 0x5a5a5a5au);
    test_buffer_destroy(f, &buf);
}

struct waiter {
    struct fixture *f;
    VkSemaphore sem;
};

static void *
wait_for_ever(void *arg)
{
    const struct waiter *w = arg;
    const uint64_t value = 1;
    const VkSemaphoreWaitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
        .semaphoreCount = 1,
        .pSemaphores = &w->sem,
        .pValues = &value,
    };
    REQUIRE_EQ(vkWaitSemaphores(w->f->dev, &info, UINT64_MAX), VK_ERROR_DEVICE_LOST);
    return NULL;
}

static void
every_call_says_that_the_device_is_lost(struct fixture *f, VkSemaphore sem, VkQueryPool queries)
{
    uint64_t value;
    const VkEventCreateInfo event_info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    VkEvent event;
    REQUIRE_EQ(vkCreateEvent(f->dev, &event_info, NULL, &event), VK_SUCCESS);
    REQUIRE_EQ(vkGetEventStatus(f->dev, event), VK_ERROR_DEVICE_LOST);
    vkDestroyEvent(f->dev, event, NULL);
    REQUIRE_EQ(vkGetFenceStatus(f->dev, f->fence), VK_ERROR_DEVICE_LOST);
    REQUIRE_EQ(vkQueueSubmit(f->queue, 0, NULL, VK_NULL_HANDLE), VK_ERROR_DEVICE_LOST);
    REQUIRE_EQ(vkQueueSubmit2(f->second_queue, 0, NULL, VK_NULL_HANDLE), VK_ERROR_DEVICE_LOST);
    REQUIRE_EQ(vkQueueWaitIdle(f->queue), VK_ERROR_DEVICE_LOST);
    REQUIRE_EQ(vkDeviceWaitIdle(f->dev), VK_ERROR_DEVICE_LOST);
    REQUIRE_EQ(vkGetSemaphoreCounterValue(f->dev, sem, &value), VK_ERROR_DEVICE_LOST);
    REQUIRE_EQ(vkGetQueryPoolResults(f->dev, queries, 0, 1, 8, &value, 8,
                                     VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
               VK_ERROR_DEVICE_LOST);
}

static void
record(struct fixture *f, struct compute *c, VkPipeline pipeline, const struct endless *e,
       const struct test_buffer *indirect)
{
    compute_begin(f, c, pipeline, 0);
    if (e->is_indirect)
        vkCmdDispatchIndirect(f->cb, indirect->handle, 0);
    else
        vkCmdDispatch(f->cb, e->groups.x, e->groups.y, e->groups.z);
}

static void
an_endless_dispatch_loses_the_device(struct fixture *f, struct compute *c, VkPipeline pipeline,
                                     const struct endless *e)
{
    const VkSemaphoreTypeCreateInfo type = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
    };
    const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                             .pNext = &type};
    const VkQueryPoolCreateInfo query = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TIMESTAMP,
        .queryCount = 1,
    };
    struct waiter waiter = {.f = f};
    pthread_t thread;
    VkQueryPool queries;
    REQUIRE_EQ(vkCreateSemaphore(f->dev, &semaphore, f->alloc, &waiter.sem), VK_SUCCESS);
    REQUIRE_EQ(vkCreateQueryPool(f->dev, &query, f->alloc, &queries), VK_SUCCESS);
    REQUIRE_EQ(pthread_create(&thread, NULL, wait_for_ever, &waiter), 0);

    struct test_buffer indirect = test_buffer_create(f, sizeof(e->groups), 0);
    memcpy(indirect.bytes, &e->groups, sizeof(e->groups));
    memset(c->buf.bytes, 0, COMPUTE_WORDS * 4);
    record(f, c, pipeline, e, &indirect);
    REQUIRE_EQ(vkEndCommandBuffer(f->cb), VK_SUCCESS);
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &f->cb};
    REQUIRE_EQ(vkQueueSubmit(f->queue, 1, &info, f->fence), VK_SUCCESS);
    REQUIRE_EQ(vkWaitForFences(f->dev, 1, &f->fence, VK_TRUE, UINT64_MAX), VK_ERROR_DEVICE_LOST);

    pthread_join(thread, NULL);
    every_call_says_that_the_device_is_lost(f, waiter.sem, queries);
    test_buffer_destroy(f, &indirect);
    vkDestroyQueryPool(f->dev, queries, f->alloc);
    vkDestroySemaphore(f->dev, waiter.sem, f->alloc);
}

/* A device of its own, which learns from the environment how long a dispatch may take. */
struct owner {
    struct fixture f;
    struct compute compute;
    VkPipeline number;
    VkPipeline endless;
};

static void
owner_init(struct owner *o, const char *timeout_ms)
{
    REQUIRE_EQ(setenv("REELPIPE_TIMEOUT", timeout_ms, 1), 0);
    *o = (struct owner){0};
    fixture_init(&o->f);
    compute_init(&o->f, &o->compute);
    o->number = compute_pipeline(&o->f, &o->compute, spirv_number, sizeof(spirv_number));
    o->endless = compute_pipeline(&o->f, &o->compute, spirv_endless, sizeof(spirv_endless));
}

static void
owner_finish(struct owner *o)
{
    vkDestroyPipeline(o->f.dev, o->endless, o->f.alloc);
    vkDestroyPipeline(o->f.dev, o->number, o->f.alloc);
    compute_finish(&o->f, &o->compute);
    fixture_finish(&o->f);
}

/* Even when the processor is taken away for a while. */
static void
run_short(void)
{
    struct owner o;
    owner_init(&o, "600000");
    short_dispatches_are_exact(&o.f, &o.compute, o.number);
    dispatches_of_nothing_end(&o.f, &o.compute, o.number);
    owner_finish(&o);
}

static void
run_endless(const struct endless *e)
{
    struct owner o;
    owner_init(&o, "100");
    dispatches_of_nothing_end(&o.f, &o.compute, o.number);
    an_endless_dispatch_loses_the_device(&o.f, &o.compute, e->has_loop ? o.endless : o.number, e);
    owner_finish(&o);
}

/* Each gives VK_ERROR_DEVICE_LOST, as good as VK_SUCCESS: "for the purpose of determining whether
 * [...] resources are considered in-use by the device" (Vulkan, "Lost Device"). */
static VkResult
wait_for_fence(struct fixture *f, VkQueryPool queries)
{
    return vkWaitForFences(f->dev, 1, &f->fence, VK_TRUE, UINT64_MAX);
}

static VkResult
poll_fence(struct fixture *f, VkQueryPool queries)
{
    VkResult result;
    do {
        result = vkGetFenceStatus(f->dev, f->fence);
    } while (result == VK_NOT_READY);
    return result;
}

static VkResult
wait_a_little_for_fence(struct fixture *f, VkQueryPool queries)
{
    VkResult result;
    do {
        result = vkWaitForFences(f->dev, 1, &f->fence, VK_TRUE, 1000000);
    } while (result == VK_TIMEOUT);
    return result;
}

static VkResult
wait_for_device(struct fixture *f, VkQueryPool queries)
{
    return vkDeviceWaitIdle(f->dev);
}

static VkResult
wait_for_queue(struct fixture *f, VkQueryPool queries)
{
    return vkQueueWaitIdle(f->queue);
}

static VkResult
wait_for_query(struct fixture *f, VkQueryPool queries)
{
    uint64_t value;
    return vkGetQueryPoolResults(f->dev, queries, 0, 1, 8, &value, 8,
                                 VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
}

static VkResult
poll_query(struct fixture *f, VkQueryPool queries)
{
    uint64_t value;
    VkResult result;
    do {
        result = vkGetQueryPoolResults(f->dev, queries, 0, 1, 8, &value, 8, VK_QUERY_RESULT_64_BIT);
    } while (result == VK_NOT_READY);
    return result;
}

static void
submit_endless(struct owner *o, struct compute *c, VkQueue queue, VkCommandBuffer cb, VkFence fence)
{
    struct fixture *f = &o->f;
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cb};

    f->cb = cb;
    compute_begin(f, c, o->endless, 0);
    vkCmdDispatch(cb, 1, 1, 1);
    REQUIRE_EQ(vkEndCommandBuffer(cb), VK_SUCCESS);
    memset(c->buf.bytes, 0, COMPUTE_WORDS * 4);
    REQUIRE_EQ(vkQueueSubmit(queue, 1, &info, fence), VK_SUCCESS);
}

/* The second queue's dispatch is cut off a tenth of a second later than the first one's: who has
 * waited has waited for both. */
static void
run_two_queues(VkResult wait(struct fixture *f, VkQueryPool queries))
{
    static const VkQueryPoolCreateInfo query = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TIMESTAMP,
        .queryCount = 1,
    };
    struct owner o;
    struct compute second;
    VkQueryPool queries;
    owner_init(&o, "300");
    struct fixture *f = &o.f;
    compute_init(f, &second);
    VkCommandBuffer first_cb = f->cb;
    VkCommandBuffer second_cb = test_cb_create(f, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    REQUIRE_EQ(vkCreateQueryPool(f->dev, &query, f->alloc, &queries), VK_SUCCESS);
    vkResetQueryPool(f->dev, queries, 0, 1);

    submit_endless(&o, &o.compute, f->queue, first_cb, f->fence);
    nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    submit_endless(&o, &second, f->second_queue, second_cb, VK_NULL_HANDLE);
    REQUIRE_EQ(wait(f, queries), VK_ERROR_DEVICE_LOST);

    volatile uint32_t *words = second.buf.words;
    words[0] = 1; /* would end its loop, and it would write words[1] */
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    REQUIRE_EQ(words[1], 0);
    vkDestroyQueryPool(f->dev, queries, f->alloc);
    compute_finish(f, &second);
    f->cb = first_cb;
    owner_finish(&o);
}

int
main(void)
{
    static VkResult (*const waits[])(struct fixture * f, VkQueryPool queries) = {
        wait_for_fence, wait_a_little_for_fence, poll_fence, wait_for_device,
        wait_for_queue, wait_for_query,          poll_query};
    static const struct endless endless[] = {
        {true, false, {COMPUTE_WORDS / 16, 1, 1}},
        {false, false, {LIMIT, LIMIT, LIMIT}},
        {false, false, {MAX, 1, MAX}},
        {false, false, {1, MAX, MAX}},
        {false, false, {MAX, MAX, MAX}},
        {false, true, {MAX, MAX, MAX}},
        {false, true, {LIMIT, LIMIT, LIMIT}},
        {false, true, {0x10000, 0x10000, 0x10000}},
        {true, true, {MAX, MAX, MAX}},
    };
    run_short();
    for (uint32_t i = 0; i < sizeof(endless) / sizeof(endless[0]); i++)
        run_endless(&endless[i]);
    for (uint32_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++)
        run_two_queues(waits[i]);
    return 0;
}

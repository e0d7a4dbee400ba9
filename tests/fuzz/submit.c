/* SPDX-License-Identifier: MIT */
/* Random batches from one thread per queue, which wait for each other's timelines, for events of
 * the host and for fences, on the way that is short and on the way that is long.
 *
 * usage: fuzz_submit [SEED [ROUNDS]]
 */
#include "fixture.h"

#include <pthread.h>

#define BATCHES 100u
#define ROUNDS 6u
#define WRITTEN(thread, batch) (0x10000u * ((thread) + 1) + (batch) + 1)

struct round {
    struct fixture *f;
    uint32_t thread_count;
    VkSemaphore timelines[FIXTURE_MAX_FAMILIES]; /* thread i's batch k signals k + 1 */
    struct test_buffer words;                    /* [thread][batch], written by that batch */
    struct test_buffer seen;                     /* what the batch saw of the one it waited for */
    uint32_t expected[FIXTURE_MAX_FAMILIES][BATCHES];
};

struct worker {
    struct round *round;
    uint32_t index;
    uint64_t random;
    VkCommandPool pool;
    VkFence fence;
    VkEvent event;
};

static VkDeviceSize
word_offset(uint32_t thread, uint32_t batch)
{
    return (thread * BATCHES + batch) * sizeof(uint32_t);
}

/* Writes the batch's word, and copies the word of the batch that is waited for, if any. Some
 * batches are long, some wait for the host. */
static VkCommandBuffer
record(struct worker *w, uint32_t batch, uint32_t other, uint32_t other_batch, bool waits_for_host)
{
    struct round *r = w->round;
    const VkCommandBufferAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = w->pool,
        .commandBufferCount = 1,
    };
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const VkDependencyInfo dependency = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    VkCommandBuffer cb;
    REQUIRE_EQ(vkAllocateCommandBuffers(r->f->dev, &allocate, &cb), VK_SUCCESS);
    REQUIRE_EQ(vkBeginCommandBuffer(cb, &begin), VK_SUCCESS);
    if (waits_for_host) {
        vkCmdWaitEvents2(cb, 1, &w->event, &dependency);
        vkCmdResetEvent2(cb, w->event, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
    }
    vkCmdFillBuffer(cb, r->words.handle, word_offset(w->index, batch), 4, WRITTEN(w->index, batch));
    if (other_batch < BATCHES) {
        const VkBufferCopy copy = {word_offset(other, other_batch), word_offset(w->index, batch),
                                   4};
        vkCmdCopyBuffer(cb, r->words.handle, r->seen.handle, 1, &copy);
        r->expected[w->index][batch] = WRITTEN(other, other_batch);
    }
    REQUIRE_EQ(vkEndCommandBuffer(cb), VK_SUCCESS);
    return cb;
}

static void
submit(struct worker *w, VkCommandBuffer cb, uint32_t batch, uint32_t other, uint32_t other_batch,
       bool has_fence)
{
    struct round *r = w->round;
    const VkSemaphoreSubmitInfo wait = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
        .semaphore = r->timelines[other],
        .value = other_batch + 1,
        .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
    };
    const VkSemaphoreSubmitInfo signal = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
        .semaphore = r->timelines[w->index],
        .value = batch + 1,
        .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
    };
    const VkCommandBufferSubmitInfo cbs = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                           .commandBuffer = cb};
    const VkSubmitInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
        .waitSemaphoreInfoCount = other_batch < BATCHES ? 1 : 0,
        .pWaitSemaphoreInfos = &wait,
        .commandBufferInfoCount = 1,
        .pCommandBufferInfos = &cbs,
        .signalSemaphoreInfoCount = 1,
        .pSignalSemaphoreInfos = &signal,
    };
    REQUIRE_EQ(
        vkQueueSubmit2(r->f->queues[w->index], 1, &info, has_fence ? w->fence : VK_NULL_HANDLE),
        VK_SUCCESS);
}

/* A batch waits only for batches of a lower number: there is always one that can run. */
static void *
worker_run(void *arg)
{
    struct worker *w = arg;
    struct round *r = w->round;
    VkDevice dev = r->f->dev;
    for (uint32_t batch = 0; batch < BATCHES; batch++) {
        const uint32_t other = test_random(&w->random) % r->thread_count;
        const bool waits = batch && test_random(&w->random) % 3;
        const uint32_t other_batch = waits ? test_random(&w->random) % batch : BATCHES;
        const bool waits_for_host = test_random(&w->random) % 16 == 0;
        const bool has_fence = waits_for_host || test_random(&w->random) % 4 == 0;
        submit(w, record(w, batch, other, other_batch, waits_for_host), batch, other, other_batch,
               has_fence);
        if (waits_for_host)
            REQUIRE_EQ(vkSetEvent(dev, w->event), VK_SUCCESS);
        if (has_fence) {
            REQUIRE_EQ(vkWaitForFences(dev, 1, &w->fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
            REQUIRE_EQ(vkResetFences(dev, 1, &w->fence), VK_SUCCESS);
        }
        if (test_random(&w->random) % 32 == 0)
            REQUIRE_EQ(vkQueueWaitIdle(r->f->queues[w->index]), VK_SUCCESS);
    }
    REQUIRE_EQ(vkQueueWaitIdle(r->f->queues[w->index]), VK_SUCCESS);
    return NULL;
}

static void
worker_init(struct worker *w, struct round *r, uint32_t index, uint64_t seed)
{
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .queueFamilyIndex = index};
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    const VkEventCreateInfo event = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    *w = (struct worker){.round = r, .index = index, .random = seed * 977 + index};
    REQUIRE_EQ(vkCreateCommandPool(r->f->dev, &pool, r->f->alloc, &w->pool), VK_SUCCESS);
    REQUIRE_EQ(vkCreateFence(r->f->dev, &fence, r->f->alloc, &w->fence), VK_SUCCESS);
    REQUIRE_EQ(vkCreateEvent(r->f->dev, &event, r->f->alloc, &w->event), VK_SUCCESS);
}

static void
worker_finish(struct worker *w)
{
    VkDevice dev = w->round->f->dev;
    vkDestroyEvent(dev, w->event, w->round->f->alloc);
    vkDestroyFence(dev, w->fence, w->round->f->alloc);
    vkDestroyCommandPool(dev, w->pool, w->round->f->alloc);
}

static void
round_run(struct fixture *f, uint64_t seed)
{
    struct round r = {.f = f, .thread_count = f->family_count};
    struct worker workers[FIXTURE_MAX_FAMILIES];
    pthread_t threads[FIXTURE_MAX_FAMILIES];
    r.words = test_buffer_create(f, word_offset(r.thread_count, 0), 0);
    r.seen = test_buffer_create(f, word_offset(r.thread_count, 0), 0);
    for (uint32_t i = 0; i < r.thread_count; i++) {
        r.timelines[i] = test_timeline_create(f);
        worker_init(&workers[i], &r, i, seed);
    }
    for (uint32_t i = 0; i < r.thread_count; i++)
        REQUIRE_EQ(pthread_create(&threads[i], NULL, worker_run, &workers[i]), 0);
    for (uint32_t i = 0; i < r.thread_count; i++)
        pthread_join(threads[i], NULL);

    for (uint32_t i = 0; i < r.thread_count; i++) {
        for (uint32_t k = 0; k < BATCHES; k++) {
            REQUIRE_EQ(r.words.words[i * BATCHES + k], WRITTEN(i, k));
            REQUIRE_EQ(r.seen.words[i * BATCHES + k], r.expected[i][k]);
        }
        worker_finish(&workers[i]);
        vkDestroySemaphore(f->dev, r.timelines[i], f->alloc);
    }
    test_buffer_destroy(f, &r.words);
    test_buffer_destroy(f, &r.seen);
}

int
main(int argc, char **argv)
{
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    const uint64_t rounds = argc > 2 ? strtoull(argv[2], NULL, 0) : ROUNDS;
    struct fixture f = {0};
    fixture_init(&f);
    for (uint64_t i = 0; i < rounds; i++) {
        printf("seed %llu\n", (unsigned long long)(seed + i));
        fflush(stdout);
        round_run(&f, seed + i);
    }
    fixture_finish(&f);
    return 0;
}

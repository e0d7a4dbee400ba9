/* SPDX-License-Identifier: MIT */
/* Queues of VK_KHR_internally_synchronized_queues: any thread may submit, without a lock.
 */
#include "fixture.h"

#include <pthread.h>

#define SUBMITS 300u

struct submitter {
    VkDevice dev;
    VkQueue queue;
    VkCommandBuffer cb;
    pthread_t thread;
};

static void *
submit_often(void *arg)
{
    const struct submitter *s = arg;
    const VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &s->cb};
    VkFence fence;
    REQUIRE_EQ(vkCreateFence(s->dev, &fence_info, NULL, &fence), VK_SUCCESS);
    for (uint32_t i = 0; i < SUBMITS; i++) {
        REQUIRE_EQ(vkQueueSubmit(s->queue, 1, &info, fence), VK_SUCCESS);
        REQUIRE_EQ(vkWaitForFences(s->dev, 1, &fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
        REQUIRE_EQ(vkResetFences(s->dev, 1, &fence), VK_SUCCESS);
    }
    vkDestroyFence(s->dev, fence, NULL);
    return NULL;
}

enum { RING = 16 };

/* A device of its own with an INTERNALLY_SYNCHRONIZED queue, and a command pool. */
static void
own_device_create(struct fixture *own)
{
    static const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .flags = VK_DEVICE_QUEUE_CREATE_INTERNALLY_SYNCHRONIZED_BIT_KHR,
        .queueCount = 1,
        .pQueuePriorities = &priority,
    };
    const VkPhysicalDeviceInternallySynchronizedQueuesFeaturesKHR feature = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INTERNALLY_SYNCHRONIZED_QUEUES_FEATURES_KHR,
        .internallySynchronizedQueues = VK_TRUE,
    };
    static const char *const name = VK_KHR_INTERNALLY_SYNCHRONIZED_QUEUES_EXTENSION_NAME;
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &feature,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .enabledExtensionCount = 1,
        .ppEnabledExtensionNames = &name,
    };
    REQUIRE_EQ(vkCreateDevice(own->pdev, &info, NULL, &own->dev), VK_SUCCESS);
    const VkDeviceQueueInfo2 which = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_INFO_2,
                                      .flags = queue.flags};
    vkGetDeviceQueue2(own->dev, &which, &own->queue);
    REQUIRE(own->queue);
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    REQUIRE_EQ(vkCreateCommandPool(own->dev, &pool, NULL, &own->pool), VK_SUCCESS);
}

/* Moves every word of a ring one step on. */
static void
record_ring_step(VkCommandBuffer cb, VkBuffer ring)
{
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
    };
    const VkBufferCopy around = {0, 4 * RING, 4};

    REQUIRE_EQ(vkBeginCommandBuffer(cb, &begin), VK_SUCCESS);
    vkCmdCopyBuffer(cb, ring, ring, 1, &around);
    for (uint32_t k = 0; k < RING; k++) {
        const VkBufferCopy step = {4 * (k + 1), 4 * k, 4};
        vkCmdCopyBuffer(cb, ring, ring, 1, &step);
    }
    REQUIRE_EQ(vkEndCommandBuffer(cb), VK_SUCCESS);
}

/* An INTERNALLY_SYNCHRONIZED queue runs short submissions of two threads one after the other: two
 * at a time would break the ring. */
static void
one_queue_takes_submissions_of_two_threads(struct fixture *f)
{
    struct fixture own = {.instance = f->instance, .pdev = f->pdev};
    own_device_create(&own);
    struct test_buffer buf = test_buffer_create(&own, 4 * (RING + 1), 0);
    for (uint32_t i = 0; i < RING; i++)
        buf.words[i] = i;
    struct submitter s[2];
    for (uint32_t i = 0; i < 2; i++) {
        s[i] = (struct submitter){own.dev, own.queue,
                                  test_cb_create(&own, VK_COMMAND_BUFFER_LEVEL_PRIMARY), 0};
        record_ring_step(s[i].cb, buf.handle);
    }
    for (uint32_t i = 0; i < 2; i++)
        REQUIRE_EQ(pthread_create(&s[i].thread, NULL, submit_often, &s[i]), 0);
    for (uint32_t i = 0; i < 2; i++)
        pthread_join(s[i].thread, NULL);
    for (uint32_t i = 0; i < RING; i++)
        REQUIRE_EQ(buf.words[i], (i + 2 * SUBMITS) % RING);

    test_buffer_destroy(&own, &buf);
    vkDestroyCommandPool(own.dev, own.pool, NULL);
    vkDestroyDevice(own.dev, NULL);
}

static const struct test_case cases[] = {
    TEST_CASE(one_queue_takes_submissions_of_two_threads),
};

TEST_MAIN(cases)

/* SPDX-License-Identifier: MIT */
/* Threads of the application that submit and wait, each with its own timeline semaphore: what they
 * pay for sharing queues and the place where all wait.
 */
#include "cores.h"

#include "vulkan_setup.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_QUEUES 4u
#define MAX_THREADS 64u
#define UNITS 16384u /* submissions of all threads together */
#define MAX_WAITERS 256u

struct queue {
    VkQueue handle;
    pthread_mutex_t mutex; /* the application's: one thread at a time submits to a queue */
};

struct submitter {
    struct crowd *crowd;
    struct queue *queue;
    VkCommandPool pool;
    VkCommandBuffer cb;
    VkSemaphore timeline;
    uint64_t value;
    pthread_t thread;
};

struct crowd {
    struct bench_device dev;
    struct bench_buffer buf;
    struct queue queues[MAX_QUEUES];
    struct submitter submitters[MAX_THREADS];
    uint32_t thread_count;
    uint32_t copy_B;
};

/* A device with all queues of family 0. */
static void
crowd_open(struct crowd *c, uint32_t copy_B)
{
    if (!bench_device_open_queues(&c->dev, "Reelpipe", MAX_QUEUES)) {
        (void)fprintf(stderr, "no device is called Reelpipe\n");
        exit(1);
    }
    c->copy_B = copy_B;
    c->buf =
        bench_buffer_create(&c->dev, (uint64_t)2 * MAX_THREADS * copy_B,
                            VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    for (uint32_t i = 0; i < MAX_QUEUES; i++) {
        vkGetDeviceQueue(c->dev.device, 0, i, &c->queues[i].handle);
        pthread_mutex_init(&c->queues[i].mutex, NULL);
    }
}

static VkSemaphore
timeline_create(const struct crowd *c)
{
    const VkSemaphoreTypeCreateInfo type = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
    };
    const VkSemaphoreCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
        .pNext = &type,
    };
    VkSemaphore timeline;
    BENCH_CHECK(vkCreateSemaphore(c->dev.device, &info, NULL, &timeline));
    return timeline;
}

/* A copy into bytes that are nobody else's. */
static void
submitter_record(struct submitter *s, uint32_t index)
{
    const struct crowd *c = s->crowd;
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const VkBufferCopy region = {
        .srcOffset = (uint64_t)2 * index * c->copy_B,
        .dstOffset = ((uint64_t)2 * index + 1) * c->copy_B,
        .size = c->copy_B,
    };
    BENCH_CHECK(vkBeginCommandBuffer(s->cb, &begin));
    vkCmdCopyBuffer(s->cb, c->buf.buffer, c->buf.buffer, 1, &region);
    BENCH_CHECK(vkEndCommandBuffer(s->cb));
}

static void
submitter_open(struct crowd *c, uint32_t index, uint32_t queue_count)
{
    struct submitter *s = &c->submitters[index];
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};

    *s = (struct submitter){.crowd = c, .queue = &c->queues[index % queue_count]};
    s->timeline = timeline_create(c);
    BENCH_CHECK(vkCreateCommandPool(c->dev.device, &pool, NULL, &s->pool));
    const VkCommandBufferAllocateInfo cb = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = s->pool,
        .commandBufferCount = 1,
    };
    BENCH_CHECK(vkAllocateCommandBuffers(c->dev.device, &cb, &s->cb));
    submitter_record(s, index);
}

static void
submitter_close(struct submitter *s)
{
    vkDestroyCommandPool(s->crowd->dev.device, s->pool, NULL);
    vkDestroySemaphore(s->crowd->dev.device, s->timeline, NULL);
}

static void
wait_value(const struct crowd *c, VkSemaphore timeline, uint64_t value)
{
    const VkSemaphoreWaitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
        .semaphoreCount = 1,
        .pSemaphores = &timeline,
        .pValues = &value,
    };
    BENCH_CHECK(vkWaitSemaphores(c->dev.device, &info, UINT64_MAX));
}

static void
submit_once(struct submitter *s)
{
    s->value++;
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .signalSemaphoreValueCount = 1,
        .pSignalSemaphoreValues = &s->value,
    };
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .pNext = &values,
        .commandBufferCount = 1,
        .pCommandBuffers = &s->cb,
        .signalSemaphoreCount = 1,
        .pSignalSemaphores = &s->timeline,
    };
    pthread_mutex_lock(&s->queue->mutex);
    BENCH_CHECK(vkQueueSubmit(s->queue->handle, 1, &info, VK_NULL_HANDLE));
    pthread_mutex_unlock(&s->queue->mutex);
    wait_value(s->crowd, s->timeline, s->value);
}

static void *
submitter_run(void *arg)
{
    struct submitter *s = arg;

    for (uint32_t i = 0; i < UNITS / s->crowd->thread_count; i++)
        submit_once(s);
    return NULL;
}

static void
start(pthread_t *out, void *(*run)(void *), void *arg)
{
    if (pthread_create(out, NULL, run, arg) != 0) {
        (void)fprintf(stderr, "no thread\n");
        exit(1);
    }
}

static void
crowd_run(void *ctx)
{
    struct crowd *c = ctx;

    for (uint32_t i = 0; i < c->thread_count; i++)
        start(&c->submitters[i].thread, submitter_run, &c->submitters[i]);
    for (uint32_t i = 0; i < c->thread_count; i++)
        pthread_join(c->submitters[i].thread, NULL);
}

static void
crowd_close(struct crowd *c)
{
    for (uint32_t i = 0; i < c->thread_count; i++)
        submitter_close(&c->submitters[i]);
    for (uint32_t i = 0; i < MAX_QUEUES; i++)
        pthread_mutex_destroy(&c->queues[i].mutex);
    bench_buffer_destroy(&c->dev, &c->buf);
    bench_device_close(&c->dev);
}

static struct bench_cost
measure(uint32_t thread_count, uint32_t queue_count, uint32_t copy_B, uint32_t rounds)
{
    static struct crowd c;

    c = (struct crowd){.thread_count = thread_count};
    crowd_open(&c, copy_B);
    for (uint32_t i = 0; i < thread_count; i++)
        submitter_open(&c, i, queue_count);
    const struct bench_cost cost = bench_cost_per_unit(crowd_run, &c, UNITS, rounds);
    crowd_close(&c);
    return cost;
}

static void
over_threads(uint32_t queue_count, uint32_t copy_B, uint32_t rounds)
{
    char title[80];
    (void)snprintf(title, sizeof(title), "submissions of a copy of %u KiB, queues: %u",
                   copy_B / 1024, queue_count);
    struct scaling s = cores_table(title, "threads");

    scaling_doublings(&s, MAX_THREADS);
    for (uint32_t i = 0; i < s.count; i++) {
        const struct bench_cost cost = measure(s.x[i], queue_count, copy_B, rounds);
        cores_table_set(&s, i, &cost);
    }
    cores_table_print(&s);
}

void
cores_submissions(uint32_t rounds)
{
    static const uint32_t sizes_B[] = {4096, 262144};

    for (uint32_t i = 0; i < 2; i++) {
        over_threads(1, sizes_B[i], rounds);
        over_threads(MAX_QUEUES, sizes_B[i], rounds);
    }
}

struct waiter {
    const struct crowd *crowd;
    VkSemaphore timeline; /* of all of them: signalled at the end */
    pthread_t thread;
};

static void *
waiter_run(void *arg)
{
    const struct waiter *w = arg;

    wait_value(w->crowd, w->timeline, 1);
    return NULL;
}

static void
submit_alone(void *ctx)
{
    struct crowd *c = ctx;

    for (uint32_t i = 0; i < UNITS; i++)
        submit_once(&c->submitters[0]);
}

static struct bench_cost
measure_beside(uint32_t waiter_count, uint32_t rounds)
{
    static struct crowd c;
    struct waiter waiters[MAX_WAITERS];

    c = (struct crowd){.thread_count = 1};
    crowd_open(&c, 4096);
    submitter_open(&c, 0, 1);
    const VkSemaphore timeline = timeline_create(&c);
    for (uint32_t i = 0; i < waiter_count; i++) {
        waiters[i] = (struct waiter){.crowd = &c, .timeline = timeline};
        start(&waiters[i].thread, waiter_run, &waiters[i]);
    }
    const struct bench_cost cost = bench_cost_per_unit(submit_alone, &c, UNITS, rounds);
    const VkSemaphoreSignalInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
        .semaphore = timeline,
        .value = 1,
    };
    BENCH_CHECK(vkSignalSemaphore(c.dev.device, &info));
    for (uint32_t i = 0; i < waiter_count; i++)
        pthread_join(waiters[i].thread, NULL);
    vkDestroySemaphore(c.dev.device, timeline, NULL);
    crowd_close(&c);
    return cost;
}

/* What its thread does when it has begun: it waits for a semaphore, which is signalled then. */
static void
queue_start_thread(const struct crowd *c, const struct queue *queue)
{
    const VkSemaphore timeline = timeline_create(c);
    const uint64_t value = 1;
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = 1,
        .pWaitSemaphoreValues = &value,
    };
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .pNext = &values,
        .waitSemaphoreCount = 1,
        .pWaitSemaphores = &timeline,
        .pWaitDstStageMask = &stage,
    };
    const VkSemaphoreSignalInfo signal = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
        .semaphore = timeline,
        .value = value,
    };
    BENCH_CHECK(vkQueueSubmit(queue->handle, 1, &info, VK_NULL_HANDLE));
    BENCH_CHECK(vkSignalSemaphore(c->dev.device, &signal));
    BENCH_CHECK(vkQueueWaitIdle(queue->handle));
    vkDestroySemaphore(c->dev.device, timeline, NULL);
}

/* Two threads submit on queues of their own while the threads of queue_count queues sleep. */
static struct bench_cost
measure_beside_queues(uint32_t queue_count, uint32_t rounds)
{
    static struct crowd c;

    c = (struct crowd){.thread_count = 2};
    crowd_open(&c, 4096);
    for (uint32_t i = 0; i < queue_count; i++)
        queue_start_thread(&c, &c.queues[i]);
    for (uint32_t i = 0; i < c.thread_count; i++)
        submitter_open(&c, i, MAX_QUEUES);
    const struct bench_cost cost = bench_cost_per_unit(crowd_run, &c, UNITS, rounds);
    crowd_close(&c);
    return cost;
}

static void
beside_queues(uint32_t rounds)
{
    struct scaling s = cores_table("submissions of 2 threads beside idle queues", "queues");

    scaling_doublings(&s, 2 * MAX_QUEUES);
    for (uint32_t i = 0; i < s.count; i++) {
        s.x[i] /= 2;
        const struct bench_cost cost = measure_beside_queues(s.x[i], rounds);
        cores_table_set(&s, i, &cost);
    }
    cores_table_print(&s);
}

/* One thread submits and waits while others wait for something that does not come. */
void
cores_waiters(uint32_t rounds)
{
    struct scaling s = cores_table("submissions beside threads that wait", "waiters");

    scaling_doublings(&s, MAX_WAITERS);
    s.x[0] = 0;
    for (uint32_t i = 0; i < s.count; i++) {
        const struct bench_cost cost = measure_beside(s.x[i], rounds);
        cores_table_set(&s, i, &cost);
    }
    cores_table_print(&s);
    beside_queues(rounds);
}

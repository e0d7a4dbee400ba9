/* SPDX-License-Identifier: MIT */
/* Random sequences of submissions to lower and lent queues, which wait for each other and for the
 * host: whatever the order, all of it ends, and in the order that the semaphores ask for.
 *
 * usage: layer_sequences [FIRST_SEED COUNT]
 */
#include "fixture.h"
#include "gate.h"

#include <stdio.h>
#include <stdlib.h>

#define CHECK(call) REQUIRE_EQ((call), VK_SUCCESS)
#define TIMELINES 4u
#define BUFFERS 6u /* command buffers of each queue */
#define STEPS 60u
#define WAIT_NS UINT64_C(20000000000)

struct lane {
    struct test_image img;
    VkQueue queue;
    VkCommandPool pool;
    VkCommandBuffer cbs[BUFFERS];
    VkSemaphore done; /* a timeline: how many batches */
    uint64_t submitted;
};

struct sequence {
    struct fixture *f;
    uint32_t lane_count;
    struct lane lanes[4];
    VkSemaphore timelines[TIMELINES];
    uint64_t last[TIMELINES]; /* the value of the last signal operation, submitted or not */
    VkSemaphore host;         /* signalled by the host alone */
    uint64_t host_value;
    uint64_t host_wanted; /* a batch waits for it */
    VkSemaphore binary;
    bool is_binary_signalled;       /* by the last batch that used it; else that batch waited */
    const struct lane *binary_lane; /* of that batch; NULL: there was none */
    uint64_t binary_done;           /* its number there */
    uint64_t random;
    PFN_vkQueuePresentKHR present; /* NULL: the device can neither present nor bind */
};

static uint32_t
draw(struct sequence *s, uint32_t limit)
{
    s->random = s->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(s->random >> 33) % limit;
}

static VkSemaphoreSubmitInfo
point(VkSemaphore semaphore, uint64_t value)
{
    return (VkSemaphoreSubmitInfo){
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
        .semaphore = semaphore,
        .value = value,
        .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
    };
}

static void
wait_on_host(struct sequence *s, VkSemaphore semaphore, uint64_t value)
{
    const VkSemaphoreWaitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
        .semaphoreCount = 1,
        .pSemaphores = &semaphore,
        .pValues = &value,
    };
    CHECK(vkWaitSemaphores(s->f->dev, &info, WAIT_NS));
}

static void
signal_on_host(struct sequence *s)
{
    const VkSemaphoreSignalInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
        .semaphore = s->host,
        .value = s->host_wanted,
    };
    if (s->host_value == s->host_wanted)
        return;
    CHECK(vkSignalSemaphore(s->f->dev, &info));
    s->host_value = s->host_wanted;
}

/* A change of layout, which a lent queue has the lower device do. */
static void
record(const struct lane *lane, VkCommandBuffer cb)
{
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const VkImageMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        .newLayout = VK_IMAGE_LAYOUT_GENERAL,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = lane->img.handle,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    const VkDependencyInfo dependency = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .imageMemoryBarrierCount = 1,
        .pImageMemoryBarriers = &barrier,
    };
    CHECK(vkBeginCommandBuffer(cb, &begin));
    vkCmdPipelineBarrier2(cb, &dependency);
    CHECK(vkEndCommandBuffer(cb));
}

static void
lane_create(struct sequence *s, uint32_t family, uint32_t index)
{
    struct lane *lane = &s->lanes[s->lane_count++];
    VkImageCreateInfo image = test_image_info(VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, 64, 64);
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .queueFamilyIndex = family,
    };
    image.flags = VK_IMAGE_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR;
    image.usage |= VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR;
    lane->img = test_image_create_with(s->f, &image);
    vkGetDeviceQueue(s->f->dev, family, index, &lane->queue);
    CHECK(vkCreateCommandPool(s->f->dev, &pool, NULL, &lane->pool));
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = lane->pool,
        .commandBufferCount = BUFFERS,
    };
    CHECK(vkAllocateCommandBuffers(s->f->dev, &info, lane->cbs));
    for (uint32_t i = 0; i < BUFFERS; i++)
        record(lane, lane->cbs[i]);
    lane->done = test_timeline_create(s->f);
}

/* Takes queues of the lower family 0, and of each lent family; those with queues to spare give
 * two. */
static void
start(struct sequence *s, struct fixture *f, uint64_t seed)
{
    const VkSemaphoreCreateInfo binary = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};

    *s = (struct sequence){.f = f, .random = seed};
    if (lower_is_own()) /* another driver's swapchains have windows */
        s->present = (PFN_vkQueuePresentKHR)vkGetDeviceProcAddr(f->dev, "vkQueuePresentKHR");
    lane_create(s, 0, 0);
    if (f->family[0].queueCount > 1)
        lane_create(s, 0, 1);
    for (uint32_t i = 0; i < f->family_count && s->lane_count < 4; i++) {
        if (f->family[i].queueFlags & VK_QUEUE_VIDEO_ENCODE_BIT_KHR) {
            lane_create(s, i, 0);
            lane_create(s, i, 1);
        }
    }
    for (uint32_t i = 0; i < TIMELINES; i++)
        s->timelines[i] = test_timeline_create(f);
    s->host = test_timeline_create(f);
    CHECK(vkCreateSemaphore(f->dev, &binary, NULL, &s->binary));
}

static void
stop(struct sequence *s)
{
    const VkDevice dev = s->f->dev;

    signal_on_host(s);
    for (uint32_t i = 0; i < s->lane_count; i++)
        wait_on_host(s, s->lanes[i].done, s->lanes[i].submitted);
    CHECK(vkDeviceWaitIdle(dev));
    for (uint32_t i = 0; i < TIMELINES; i++) {
        uint64_t value;
        CHECK(vkGetSemaphoreCounterValue(dev, s->timelines[i], &value));
        REQUIRE_EQ(value, s->last[i]);
        vkDestroySemaphore(dev, s->timelines[i], NULL);
    }
    vkDestroySemaphore(dev, s->host, NULL);
    vkDestroySemaphore(dev, s->binary, NULL);
    for (uint32_t i = 0; i < s->lane_count; i++) {
        vkDestroySemaphore(dev, s->lanes[i].done, NULL);
        vkDestroyCommandPool(dev, s->lanes[i].pool, NULL);
        test_image_destroy(s->f, &s->lanes[i].img);
    }
}

/* The semaphores of a batch, with nothing to bind. */
static void
bind(const struct lane *lane, const VkSubmitInfo2 *info)
{
    VkSemaphore semaphores[8];
    uint64_t values[8];
    const uint32_t waits = info->waitSemaphoreInfoCount;
    const uint32_t signals = info->signalSemaphoreInfoCount;

    for (uint32_t i = 0; i < waits + signals; i++) {
        const VkSemaphoreSubmitInfo *p =
            i < waits ? &info->pWaitSemaphoreInfos[i] : &info->pSignalSemaphoreInfos[i - waits];
        semaphores[i] = p->semaphore;
        values[i] = p->value;
    }
    const VkTimelineSemaphoreSubmitInfo timeline = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = waits,
        .pWaitSemaphoreValues = values,
        .signalSemaphoreValueCount = signals,
        .pSignalSemaphoreValues = values + waits,
    };
    const VkBindSparseInfo sparse = {
        .sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
        .pNext = &timeline,
        .waitSemaphoreCount = waits,
        .pWaitSemaphores = semaphores,
        .signalSemaphoreCount = signals,
        .pSignalSemaphores = semaphores + waits,
    };
    CHECK(vkQueueBindSparse(lane->queue, 1, &sparse, VK_NULL_HANDLE));
}

/* A batch that waits for what was submitted before, or for the host, and signals what comes
 * next. */
static void
submit(struct sequence *s)
{
    struct lane *lane = &s->lanes[draw(s, s->lane_count)];
    const uint32_t signalled = draw(s, TIMELINES);
    const uint32_t awaited = draw(s, TIMELINES);
    VkSemaphoreSubmitInfo waits[5];
    VkSemaphoreSubmitInfo signals[3];
    uint32_t wait_count = 0;
    uint32_t signal_count = 0;

    /* A command buffer is used again when it is done; then the host may have to signal. */
    if (lane->submitted >= BUFFERS) {
        signal_on_host(s);
        wait_on_host(s, lane->done, lane->submitted - BUFFERS + 1);
    }
    waits[wait_count++] = point(s->timelines[signalled], s->last[signalled]);
    if (draw(s, 2) == 0)
        waits[wait_count++] = point(s->timelines[awaited], s->last[awaited]);
    if (draw(s, 8) == 0)
        waits[wait_count++] = point(s->host, ++s->host_wanted);
    /* What a binary semaphore's signal depends on has to be submitted before it is waited for. */
    if (s->is_binary_signalled) {
        signal_on_host(s);
        waits[wait_count++] = point(s->binary, 0);
    } else {
        signals[signal_count++] = point(s->binary, 0);
    }
    if (!s->is_binary_signalled && s->binary_lane) /* who waited for it has to be done */
        waits[wait_count++] = point(s->binary_lane->done, s->binary_done);
    s->is_binary_signalled = !s->is_binary_signalled;
    s->binary_lane = lane;
    s->binary_done = lane->submitted + 1;
    signals[signal_count++] = point(s->timelines[signalled], ++s->last[signalled]);
    const VkCommandBufferSubmitInfo cb = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
        .commandBuffer = lane->cbs[lane->submitted % BUFFERS],
    };
    signals[signal_count++] = point(lane->done, ++lane->submitted);
    const VkSubmitInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
        .waitSemaphoreInfoCount = wait_count,
        .pWaitSemaphoreInfos = waits,
        .commandBufferInfoCount = draw(s, 4) != 0,
        .pCommandBufferInfos = &cb,
        .signalSemaphoreInfoCount = signal_count,
        .pSignalSemaphoreInfos = signals,
    };
    if (info.commandBufferInfoCount == 0 && lane == &s->lanes[0] && s->present)
        bind(lane, &info);
    else
        CHECK(vkQueueSubmit2(lane->queue, 1, &info, VK_NULL_HANDLE));
}

/* Comes behind what goes by itself, and overtakes what waits for the host. */
static void
present(struct sequence *s)
{
    const VkSwapchainKHR swapchain = (VkSwapchainKHR)(uintptr_t)16;
    const uint32_t index = 0;
    const VkPresentInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
        .swapchainCount = 1,
        .pSwapchains = &swapchain,
        .pImageIndices = &index,
    };
    if (s->present)
        CHECK(s->present(s->lanes[0].queue, &info));
}

static void
run(struct fixture *f, uint64_t seed)
{
    struct sequence s;

    start(&s, f, seed);
    for (uint32_t i = 0; i < STEPS; i++) {
        submit(&s);
        switch (draw(&s, 12)) {
        case 0:
            signal_on_host(&s);
            break;
        case 1: {
            const uint32_t t = draw(&s, TIMELINES);
            signal_on_host(&s);
            wait_on_host(&s, s.timelines[t], s.last[t]);
            break;
        }
        case 2:
            signal_on_host(&s);
            CHECK(vkQueueWaitIdle(s.lanes[draw(&s, s.lane_count)].queue));
            break;
        case 3:
            present(&s);
            break;
        default:
            break;
        }
    }
    stop(&s);
}

int
main(int argc, char **argv)
{
    const uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    const uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 40;
    struct fixture f = {0};

    fixture_init(&f);
    for (uint64_t seed = first; seed < first + count; seed++) {
        (void)fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
        run(&f, seed);
    }
    fixture_finish(&f);
    return 0;
}

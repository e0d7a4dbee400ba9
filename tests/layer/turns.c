/* SPDX-License-Identifier: MIT */
/* What a queue does beside its batches, binding of sparse resources and presentation: it waits for
 * what its semaphores wait for, the caller for nothing that the caller has yet to do.
 */
#include "gate.h"
#include "lent_work.h"
#include "passing.h"
#include "point.h"

#define CHECK(call) REQUIRE_EQ((call), VK_SUCCESS)

static const struct point none;

/* Work of a lent queue that begins when the host says so, and a timeline. */
struct turns {
    struct lent_work work;
    VkSemaphore order;
    uint64_t last; /* of its values that are used */
};

static void
turns_init(struct fixture *f, struct turns *t)
{
    *t = (struct turns){.work = lent_work_create(f), .order = test_timeline_create(f)};
}

static void
turns_finish(struct fixture *f, struct turns *t)
{
    CHECK(vkDeviceWaitIdle(f->dev));
    vkDestroySemaphore(f->dev, t->order, NULL);
    lent_work_destroy(f, &t->work);
}

static struct point
next(struct turns *t)
{
    return (struct point){t->order, ++t->last};
}

/* One of each kind, of 3 bytes and columns in all, which is not the application's any more when the
 * call has returned. A point without a semaphore is left out. */
static void
bind_all(VkQueue queue, struct point wait, struct point signal, VkFence fence)
{
    VkSparseMemoryBind bind = {.size = 1};
    VkSparseImageMemoryBind image_bind = {.extent = {1, 1, 1}};
    VkSparseBufferMemoryBindInfo buffers = {.bindCount = 1, .pBinds = &bind};
    VkSparseImageOpaqueMemoryBindInfo opaque = {.bindCount = 1, .pBinds = &bind};
    VkSparseImageMemoryBindInfo images = {.bindCount = 1, .pBinds = &image_bind};
    VkTimelineSemaphoreSubmitInfo timeline = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = 1,
        .pWaitSemaphoreValues = &wait.value,
        .signalSemaphoreValueCount = 1,
        .pSignalSemaphoreValues = &signal.value,
    };
    VkBindSparseInfo info = {
        .sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
        .pNext = &timeline,
        .waitSemaphoreCount = wait.semaphore ? 1 : 0,
        .pWaitSemaphores = &wait.semaphore,
        .bufferBindCount = 1,
        .pBufferBinds = &buffers,
        .imageOpaqueBindCount = 1,
        .pImageOpaqueBinds = &opaque,
        .imageBindCount = 1,
        .pImageBinds = &images,
        .signalSemaphoreCount = signal.semaphore ? 1 : 0,
        .pSignalSemaphores = &signal.semaphore,
    };

    CHECK(vkQueueBindSparse(queue, 1, &info, fence));
    bind = (VkSparseMemoryBind){.size = 1000};
    image_bind = (VkSparseImageMemoryBind){.extent = {1000, 1, 1}};
    buffers = (VkSparseBufferMemoryBindInfo){0};
    opaque = (VkSparseImageOpaqueMemoryBindInfo){0};
    images = (VkSparseImageMemoryBindInfo){0};
    timeline = (VkTimelineSemaphoreSubmitInfo){0};
    info = (VkBindSparseInfo){0};
}

/* What the bind waits for, the host allows when the call has returned. */
static void
binding_waits_for_a_lent_queue_and_the_caller_does_not(struct fixture *f)
{
    struct turns t;
    if (!needs_own_lower())
        return;
    turns_init(f, &t);
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t before = lower_count("lower_bound_size");
        const struct point begun = next(&t), coded = next(&t), bound = next(&t), drawn = next(&t);
        point_submit(t.work.queue, t.work.cb, begun, coded, VK_NULL_HANDLE);
        bind_all(f->queue, coded, bound, i % 2 ? f->fence : VK_NULL_HANDLE);
        point_submit(i / 2 ? t.work.queue : f->queue, NULL, bound, drawn,
                     i % 2 ? VK_NULL_HANDLE : f->fence);
        REQUIRE_EQ(point_wait(f, bound, 1000000), VK_TIMEOUT);
        REQUIRE_EQ(vkGetFenceStatus(f->dev, f->fence), VK_NOT_READY);
        point_signal(f, begun);
        fence_wait_and_reset(f);
        CHECK(point_wait(f, drawn, 10 * SECOND_NS));
        REQUIRE_EQ(lower_count("lower_bound_size") - before, 3);
    }
    turns_finish(f, &t);
}

/* Binary semaphores, which are timelines below or not. */
static void
binding_waits_for_binary_semaphores_and_signals_them(struct fixture *f)
{
    struct turns t;
    if (!needs_own_lower())
        return;
    turns_init(f, &t);
    for (uint32_t i = 0; i < 2; i++) {
        const VkSemaphore coded = semaphore_create(f, i ? OPAQUE_SEMAPHORE : 0);
        const VkSemaphore bound = semaphore_create(f, i ? OPAQUE_SEMAPHORE : 0);
        for (uint32_t k = 0; k < 3; k++) {
            const struct point begun = next(&t);
            point_submit(t.work.queue, t.work.cb, begun, (struct point){coded, 0}, VK_NULL_HANDLE);
            bind_all(f->queue, (struct point){coded, 0}, (struct point){bound, 0}, VK_NULL_HANDLE);
            point_submit(t.work.queue, NULL, (struct point){bound, 0}, none, f->fence);
            point_signal(f, begun);
            fence_wait_and_reset(f);
        }
        CHECK(vkDeviceWaitIdle(f->dev));
        vkDestroySemaphore(f->dev, coded, NULL);
        vkDestroySemaphore(f->dev, bound, NULL);
    }
    /* Without any, and with no bind at all. */
    bind_all(f->queue, none, none, f->fence);
    fence_wait_and_reset(f);
    CHECK(vkQueueBindSparse(f->queue, 0, NULL, VK_NULL_HANDLE));
    CHECK(vkQueueBindSparse(f->queue, 0, NULL, f->fence));
    fence_wait_and_reset(f);
    turns_finish(f, &t);
}

/* The batch in front waits for what the host allows when the call has returned. The picture comes
 * from a lower queue or a lent one; and one presentation has no semaphore to wait for. */
static void
presentation_overtakes_what_waits_for_the_host(struct fixture *f)
{
    if (!needs_own_lower())
        return;
    const VkSemaphore coded = semaphore_create(f, 0);
    const VkSemaphore shared = semaphore_create(f, OPAQUE_SEMAPHORE);
    struct turns t;
    turns_init(f, &t);
    for (uint32_t i = 0; i < 6; i++) {
        const VkSemaphore semaphore = i < 2 ? coded : i < 4 ? shared : VK_NULL_HANDLE;
        const struct point allowed = next(&t), passed = next(&t);
        if (semaphore)
            point_submit(i % 2 ? t.work.queue : f->queue, i % 2 ? t.work.cb : NULL, none,
                         (struct point){semaphore, 0}, VK_NULL_HANDLE);
        point_submit(f->queue, NULL, allowed, passed, f->fence);
        point_present(f, semaphore);
        REQUIRE_EQ(vkGetFenceStatus(f->dev, f->fence), VK_NOT_READY);
        point_signal(f, allowed);
        fence_wait_and_reset(f);
    }
    CHECK(vkDeviceWaitIdle(f->dev));
    vkDestroySemaphore(f->dev, coded, NULL);
    vkDestroySemaphore(f->dev, shared, NULL);
    turns_finish(f, &t);
}

/* Without semaphores the order of the queue is all there is: what goes by itself goes first. */
static void
presentation_without_semaphores_comes_behind_what_goes_by_itself(struct fixture *f)
{
    struct turns t;
    if (!needs_own_lower())
        return;
    turns_init(f, &t);
    for (uint32_t i = 0; i < 10; i++) {
        const struct point coded = next(&t);
        point_present(f, VK_NULL_HANDLE);
        const uint32_t before = lower_count("lower_presented_behind");
        point_submit(t.work.queue, NULL, none, coded, VK_NULL_HANDLE);
        point_submit(f->queue, NULL, coded, none, f->fence);
        point_present(f, VK_NULL_HANDLE);
        REQUIRE_EQ(lower_count("lower_presented_behind") - before, 1);
        fence_wait_and_reset(f);
    }
    turns_finish(f, &t);
}

static const struct test_case cases[] = {
    TEST_CASE(binding_waits_for_a_lent_queue_and_the_caller_does_not),
    TEST_CASE(binding_waits_for_binary_semaphores_and_signals_them),
    TEST_CASE(presentation_overtakes_what_waits_for_the_host),
    TEST_CASE(presentation_without_semaphores_comes_behind_what_goes_by_itself),
};
TEST_MAIN(cases)

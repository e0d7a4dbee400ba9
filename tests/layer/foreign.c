/* SPDX-License-Identifier: MIT */
/* Signals that the layer never sees: of the lower device itself, of another handle, of another
 * process. Who waits for them, or for what depends on them, goes on when they come.
 */
#include "gate.h"
#include "lent_work.h"
#include "passing.h"
#include "point.h"

#include <pthread.h>
#include <time.h>

#define CHECK(call) REQUIRE_EQ((call), VK_SUCCESS)

static const struct point none;

/* Two timelines with one payload: the batches have the first. */
struct foreign {
    struct lent_work work;
    VkQueue other_lent;
    VkSemaphore seen, unseen;
    VkSemaphore binary[2]; /* of one payload, too */
};

static void
foreign_init(struct fixture *f, struct foreign *t)
{
    *t = (struct foreign){.work = lent_work_create(f)};
    vkGetDeviceQueue(f->dev, lent_family(f), 1, &t->other_lent);
    t->seen = exported_timeline_create(f);
    t->unseen = test_timeline_create(f);
    semaphore_pass(f, t->seen, t->unseen, OPAQUE_SEMAPHORE, 0);
    t->binary[0] = semaphore_create(f, OPAQUE_SEMAPHORE);
    t->binary[1] = semaphore_create(f, 0);
    semaphore_pass(f, t->binary[0], t->binary[1], OPAQUE_SEMAPHORE, 0);
}

static void
foreign_finish(struct fixture *f, struct foreign *t)
{
    CHECK(vkDeviceWaitIdle(f->dev));
    vkDestroySemaphore(f->dev, t->seen, NULL);
    vkDestroySemaphore(f->dev, t->unseen, NULL);
    vkDestroySemaphore(f->dev, t->binary[0], NULL);
    vkDestroySemaphore(f->dev, t->binary[1], NULL);
    lent_work_destroy(f, &t->work);
}

static void
sleep_ms(long ms)
{
    const struct timespec time = {.tv_nsec = ms * 1000000};
    (void)nanosleep(&time, NULL);
}

/* Nobody submits anything any more when the lower device signals. */
static void
batches_wait_for_what_the_lower_device_signals_itself(struct fixture *f)
{
    if (!needs_own_lower())
        return;
    const PFN_vkLatencySleepNV latency_sleep =
        (PFN_vkLatencySleepNV)vkGetDeviceProcAddr(f->dev, "vkLatencySleepNV");
    const PFN_vkLatencySleepLegacyNV latency_sleep_legacy =
        (PFN_vkLatencySleepLegacyNV)vkGetDeviceProcAddr(f->dev, "vkLatencySleepLegacyNV");
    const VkSemaphore woken = test_timeline_create(f);
    struct foreign t;

    REQUIRE(latency_sleep && latency_sleep_legacy);
    foreign_init(f, &t);
    for (uint64_t i = 1; i <= 4; i++) {
        const VkLatencySleepInfoNV info = {
            .sType = VK_STRUCTURE_TYPE_LATENCY_SLEEP_INFO_NV,
            .signalSemaphore = woken,
            .value = i,
        };
        if (i % 2)
            CHECK(latency_sleep(f->dev, VK_NULL_HANDLE, &info));
        else
            latency_sleep_legacy(f->dev, woken, i);
        point_submit(i <= 2 ? f->queue : t.work.queue, NULL, (struct point){woken, i}, none,
                     f->fence);
        sleep_ms(2);
        REQUIRE_EQ(vkGetFenceStatus(f->dev, f->fence), VK_NOT_READY);
        lower_latency_wake();
        fence_wait_and_reset(f);
    }
    foreign_finish(f, &t);
    vkDestroySemaphore(f->dev, woken, NULL);
}

/* Its signal is submitted, so what waits for it will go, and may be what a wait for a payload is
 * for. */
static void
what_the_lower_device_signals_itself_is_certain(struct fixture *f)
{
    if (!needs_own_lower())
        return;
    const PFN_vkLatencySleepLegacyNV latency_sleep =
        (PFN_vkLatencySleepLegacyNV)vkGetDeviceProcAddr(f->dev, "vkLatencySleepLegacyNV");
    const VkSemaphore woken = test_timeline_create(f);
    struct foreign t;

    foreign_init(f, &t);
    for (uint64_t i = 1; i <= 4; i++) {
        latency_sleep(f->dev, woken, i);
        point_submit(t.work.queue, t.work.cb, (struct point){woken, i},
                     (struct point){t.binary[i % 2], 0}, VK_NULL_HANDLE);
        point_submit(f->queue, NULL, (struct point){t.binary[1 - i % 2], 0}, none, f->fence);
        lower_latency_wake();
        fence_wait_and_reset(f);
    }
    foreign_finish(f, &t);
    vkDestroySemaphore(f->dev, woken, NULL);
}

static void *
signal_unseen(void *arg)
{
    struct fixture *f = ((void **)arg)[0];
    const struct foreign *t = ((void **)arg)[1];

    sleep_ms(20);
    point_signal(f, (struct point){t->unseen, 1});
    return NULL;
}

/* Work of a lent queue waits for another handle's signal, and a wait for its payload is submitted
 * before that comes. */
static void
a_wait_is_for_what_another_handle_allows(struct fixture *f)
{
    struct foreign t;
    pthread_t thread;

    if (!needs_opaque_semaphores(f))
        return;
    foreign_init(f, &t);
    void *arg[2] = {f, &t};
    point_submit(t.work.queue, t.work.cb, (struct point){t.seen, 1}, (struct point){t.binary[0], 0},
                 VK_NULL_HANDLE);
    REQUIRE_EQ(pthread_create(&thread, NULL, signal_unseen, arg), 0);
    point_submit(f->queue, NULL, (struct point){t.binary[1], 0}, none, f->fence);
    fence_wait_and_reset(f);
    pthread_join(thread, NULL);
    foreign_finish(f, &t);
}

/* But the other handle may wait for that wait itself: the payload is there. */
static void
a_wait_is_not_for_ever_for_what_another_handle_allows(struct fixture *f)
{
    if (!needs_opaque_semaphores(f))
        return;
    const VkSemaphore other = semaphore_create(f, OPAQUE_SEMAPHORE);
    struct foreign t;

    foreign_init(f, &t);
    point_submit(f->queue, NULL, none, (struct point){t.binary[0], 0}, VK_NULL_HANDLE);
    point_submit(t.work.queue, t.work.cb, (struct point){t.seen, 1}, (struct point){other, 0},
                 VK_NULL_HANDLE);
    point_submit(f->queue, NULL, (struct point){t.binary[1], 0}, none, f->fence);
    fence_wait_and_reset(f);
    point_signal(f, (struct point){t.unseen, 1});
    foreign_finish(f, &t);
    vkDestroySemaphore(f->dev, other, NULL);
}

/* The other process signals a payload when it has seen what a lent queue signals. That queue needs
 * the lower one, where the wait for the payload may not stand in front of it. */
static void
a_wait_for_another_process_is_behind_what_that_waits_for(struct fixture *f)
{
    if (!needs_own_lower())
        return;
    const VkSemaphore order = test_timeline_create(f);
    struct foreign t;

    foreign_init(f, &t);
    for (uint64_t i = 1; i <= 10; i++) {
        const VkSemaphoreGetFdInfoKHR get = {
            .sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR,
            .semaphore = t.binary[0],
            .handleType = OPAQUE_SEMAPHORE,
        };
        int fd;
        point_submit(t.other_lent, t.work.cb, none, (struct point){order, i}, VK_NULL_HANDLE);
        point_submit(t.work.queue, t.work.cb, (struct point){order, i}, (struct point){t.seen, i},
                     VK_NULL_HANDLE);
        point_submit(f->queue, NULL, (struct point){t.binary[1], 0}, none, f->fence);
        CHECK(vkGetSemaphoreFdKHR(f->dev, &get, &fd));
        CHECK(point_wait(f, (struct point){t.unseen, i}, 10 * SECOND_NS));
        lower_signal_fd(fd);
        fence_wait_and_reset(f);
    }
    foreign_finish(f, &t);
    vkDestroySemaphore(f->dev, order, NULL);
}

/* A value that the timeline had before says nothing of its new payload: what waits for that one
 * does not stand in front of the lent queue's copies. */
static void
an_imported_timeline_begins_anew(struct fixture *f)
{
    if (!needs_opaque_semaphores(f))
        return;
    const VkSemaphore imported = test_timeline_create(f), order = test_timeline_create(f);
    struct foreign t;

    foreign_init(f, &t);
    point_signal(f, (struct point){imported, 100});
    semaphore_pass(f, t.seen, imported, OPAQUE_SEMAPHORE, 0);
    point_submit(f->queue, NULL, (struct point){imported, 1}, none, f->fence);
    point_submit(t.work.queue, t.work.cb, none, (struct point){order, 1}, VK_NULL_HANDLE);
    CHECK(point_wait(f, (struct point){order, 1}, 10 * SECOND_NS));
    point_signal(f, (struct point){t.unseen, 1});
    fence_wait_and_reset(f);
    foreign_finish(f, &t);
    vkDestroySemaphore(f->dev, imported, NULL);
    vkDestroySemaphore(f->dev, order, NULL);
}

/* The lower queue refuses to signal the fence, and the host waits already: it hears of the loss. */
static void
a_fence_that_cannot_be_signalled_ends_its_wait(struct fixture *f)
{
    struct foreign t;
    pthread_t thread;

    if (!needs_own_lower())
        return;
    fixture_finish(f);
    REQUIRE_EQ(setenv("REELPIPE_TEST_LOWER_FAILS", "memory 1", 1), 0);
    fixture_init(f);
    REQUIRE_EQ(unsetenv("REELPIPE_TEST_LOWER_FAILS"), 0);
    t.unseen = test_timeline_create(f);
    void *arg[2] = {f, &t};
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
    point_submit(f->queues[lent_family(f)], NULL, (struct point){t.unseen, 1}, none, fence);
    REQUIRE_EQ(pthread_create(&thread, NULL, signal_unseen, arg), 0);
    REQUIRE_EQ(vkWaitForFences(f->dev, 1, &fence, VK_TRUE, 10 * SECOND_NS), VK_ERROR_DEVICE_LOST);
    pthread_join(thread, NULL);
    vkDestroyFence(f->dev, fence, NULL);
    vkDestroySemaphore(f->dev, t.unseen, NULL);
    fixture_finish(f);
    fixture_init(f);
}

static const struct test_case cases[] = {
    TEST_CASE(batches_wait_for_what_the_lower_device_signals_itself),
    TEST_CASE(what_the_lower_device_signals_itself_is_certain),
    TEST_CASE(a_wait_is_for_what_another_handle_allows),
    TEST_CASE(a_wait_is_not_for_ever_for_what_another_handle_allows),
    TEST_CASE(a_wait_for_another_process_is_behind_what_that_waits_for),
    TEST_CASE(an_imported_timeline_begins_anew),
    TEST_CASE(a_fence_that_cannot_be_signalled_ends_its_wait),
};
TEST_MAIN(cases)

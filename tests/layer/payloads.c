/* SPDX-License-Identifier: MIT */
/* Binary semaphores whose payload another semaphore may signal, too: who waits for one waits for
 * what may be its signal, and for nothing else.
 */
#include "gate.h"
#include "lent_work.h"
#include "passing.h"
#include "point.h"

#include <pthread.h>

#define CHECK(call) REQUIRE_EQ((call), VK_SUCCESS)

static const struct point none;

/* Every queue, the lent one first, and two semaphores with one payload. */
struct shared {
    struct lent_work work;
    VkQueue queues[FIXTURE_MAX_FAMILIES];
    uint32_t queue_count;
    VkSemaphore semaphores[2];
    VkSemaphore order; /* a timeline */
    uint64_t reached;  /* its last value that was submitted */
};

static void
shared_init(struct fixture *f, struct shared *s)
{
    *s = (struct shared){.work = lent_work_create(f)};
    s->queues[s->queue_count++] = s->work.queue;
    for (uint32_t i = 0; i < f->family_count; i++) {
        if (f->queues[i] != s->work.queue)
            s->queues[s->queue_count++] = f->queues[i];
    }
    s->semaphores[0] = semaphore_create(f, OPAQUE_SEMAPHORE);
    s->semaphores[1] = semaphore_create(f, 0);
    semaphore_pass(f, s->semaphores[0], s->semaphores[1], OPAQUE_SEMAPHORE, 0);
    s->order = test_timeline_create(f);
}

static void
shared_finish(struct fixture *f, struct shared *s)
{
    CHECK(vkDeviceWaitIdle(f->dev));
    vkDestroySemaphore(f->dev, s->order, NULL);
    for (uint32_t i = 0; i < 2; i++)
        vkDestroySemaphore(f->dev, s->semaphores[i], NULL);
    lent_work_destroy(f, &s->work);
}

static struct point
shared_payload(const struct shared *s, uint32_t index)
{
    return (struct point){s->semaphores[index], 0};
}

static struct point
next_point(struct shared *s)
{
    return (struct point){s->order, ++s->reached};
}

/* The signal comes after work of a lent queue, which needs the lower one, and the wait is submitted
 * at once: neither it nor its copy may stand in front of that work. */
static void
waits_do_not_hold_up_their_signals(struct fixture *f)
{
    struct shared s;
    if (!needs_opaque_semaphores(f))
        return;
    shared_init(f, &s);
    for (uint32_t i = 0; i < 4 * s.queue_count * s.queue_count; i++) {
        const VkQueue source = s.queues[i / 4 / s.queue_count];
        const VkQueue target = s.queues[i / 4 % s.queue_count];
        const struct point begun = next_point(&s);
        point_submit(s.work.queue, s.work.cb, none, begun, VK_NULL_HANDLE);
        point_submit(source, NULL, begun, shared_payload(&s, i % 2), VK_NULL_HANDLE);
        point_submit(target, NULL, shared_payload(&s, i / 2 % 2), none, f->fence);
        fence_wait_and_reset(f);
    }
    shared_finish(f, &s);
}

/* The next signal of the semaphore is submitted behind the wait, and the wait is not one for
 * that. */
static void
a_wait_is_not_for_a_later_signal(struct fixture *f)
{
    struct shared s;
    if (!needs_opaque_semaphores(f))
        return;
    shared_init(f, &s);
    for (uint32_t i = 0; i < s.queue_count * s.queue_count; i++) {
        const VkQueue target = s.queues[i / s.queue_count];
        const VkQueue later = s.queues[i % s.queue_count];
        point_submit(s.work.queue, s.work.cb, none, shared_payload(&s, 0), VK_NULL_HANDLE);
        const struct point waited = next_point(&s);
        point_submit(target, NULL, shared_payload(&s, 0), waited, VK_NULL_HANDLE);
        point_submit(later, NULL, waited, shared_payload(&s, 0), VK_NULL_HANDLE);
        point_submit(target, NULL, shared_payload(&s, 0), none, f->fence);
        fence_wait_and_reset(f);
    }
    shared_finish(f, &s);
}

static void
a_batch_waits_for_the_semaphore_that_it_signals(struct fixture *f)
{
    struct shared s;
    if (!needs_opaque_semaphores(f))
        return;
    shared_init(f, &s);
    for (uint32_t i = 0; i < s.queue_count; i++) {
        point_submit(s.work.queue, s.work.cb, none, shared_payload(&s, 0), VK_NULL_HANDLE);
        for (uint32_t k = 0; k < 3; k++)
            point_submit(s.queues[i], NULL, shared_payload(&s, 0), shared_payload(&s, 0),
                         VK_NULL_HANDLE);
        point_submit(f->queue, NULL, shared_payload(&s, 0), none, f->fence);
        fence_wait_and_reset(f);
    }
    shared_finish(f, &s);
}

/* A batch of a lent queue waits for a value, and has a semaphore to signal that somebody else may
 * have by another handle. link: a queue that passes the value on when it gets another one; NULL:
 * none. Returns the point that brings all that about. */
static struct point
submit_blocked(struct shared *s, VkQueue link, VkSemaphore signalled)
{
    struct point cause = next_point(s);

    if (link) {
        const struct point passed = next_point(s);
        point_submit(s->work.queue, s->work.cb, passed, (struct point){signalled, 0},
                     VK_NULL_HANDLE);
        point_submit(link, NULL, cause, passed, VK_NULL_HANDLE);
    } else {
        point_submit(s->work.queue, s->work.cb, cause, (struct point){signalled, 0},
                     VK_NULL_HANDLE);
    }
    return cause;
}

/* Its signal has not been submitted with all that it depends on: so it is none that is waited
 * for. */
static void
a_wait_is_not_for_what_waits_for_it(struct fixture *f)
{
    struct shared s;
    if (!needs_opaque_semaphores(f))
        return;
    shared_init(f, &s);
    for (uint32_t i = 0; i < s.queue_count * s.queue_count; i++) {
        const VkQueue target = s.queues[i / s.queue_count];
        const VkQueue link = s.queues[i % s.queue_count];
        if (target == s.work.queue || link == s.work.queue)
            continue;
        const VkSemaphore other = semaphore_create(f, OPAQUE_SEMAPHORE);
        point_submit(f->queue, NULL, none, shared_payload(&s, 0), VK_NULL_HANDLE);
        const struct point cause = submit_blocked(&s, link == target ? NULL : link, other);
        point_submit(target, NULL, shared_payload(&s, 1), cause, f->fence);
        fence_wait_and_reset(f);
        CHECK(vkDeviceWaitIdle(f->dev));
        vkDestroySemaphore(f->dev, other, NULL);
    }
    shared_finish(f, &s);
}

static void
a_wait_is_not_for_what_the_host_has_yet_to_allow(struct fixture *f)
{
    struct shared s;
    if (!needs_opaque_semaphores(f))
        return;
    shared_init(f, &s);
    for (uint32_t i = 1; i < s.queue_count; i++) {
        const VkSemaphore other = semaphore_create(f, OPAQUE_SEMAPHORE);
        point_submit(f->queue, NULL, none, shared_payload(&s, 0), VK_NULL_HANDLE);
        const struct point cause = submit_blocked(&s, NULL, other);
        point_submit(s.queues[i], NULL, shared_payload(&s, 1), none, f->fence);
        fence_wait_and_reset(f);
        point_signal(f, cause);
        CHECK(vkDeviceWaitIdle(f->dev));
        vkDestroySemaphore(f->dev, other, NULL);
    }
    shared_finish(f, &s);
}

/* The lent queue, which may be what is waited for, never runs out of work. */
static void
a_wait_is_not_for_work_that_comes_later(struct fixture *f)
{
    struct shared s;
    if (!needs_opaque_semaphores(f))
        return;
    shared_init(f, &s);
    for (uint32_t i = 0; i < 8 * (s.queue_count - 1); i++) {
        const VkSemaphore others[2] = {semaphore_create(f, OPAQUE_SEMAPHORE),
                                       semaphore_create(f, OPAQUE_SEMAPHORE)};
        point_submit(f->queue, NULL, none, shared_payload(&s, 0), VK_NULL_HANDLE);
        point_submit(s.work.queue, s.work.cb, none, (struct point){others[0], 0}, VK_NULL_HANDLE);
        point_submit(s.queues[1 + i / 8], NULL, shared_payload(&s, 1), none, f->fence);
        const struct point cause = submit_blocked(&s, NULL, others[1]);
        fence_wait_and_reset(f);
        point_signal(f, cause);
        CHECK(vkDeviceWaitIdle(f->dev));
        for (uint32_t k = 0; k < 2; k++)
            vkDestroySemaphore(f->dev, others[k], NULL);
    }
    shared_finish(f, &s);
}

struct submission {
    VkQueue queue;
    const VkSubmitInfo2 *info;
    VkResult result;
};

static void *
submit_in_thread(void *arg)
{
    struct submission *s = arg;
    s->result = vkQueueSubmit2(s->queue, 1, s->info, VK_NULL_HANDLE);
    return NULL;
}

/* One thread submits a batch that waits for two payloads, each of which the layer has to move for a
 * lent queue. Between these moves comes the one of a batch of another thread, behind a signal that
 * has yet to come: it may not wait for what the first batch signals, too. */
static void
a_wait_is_not_for_a_batch_that_is_being_submitted(struct fixture *f)
{
    enum { WAITED_0, WAITED_1, SIGNALLED, SLOW, OTHER, COUNT };
    const uint32_t family = lent_family(f);
    VkSemaphoreSubmitInfo points[3] = {{0}};
    VkSemaphore semaphores[COUNT];
    pthread_t thread;

    if (!needs_own_lower())
        return;
    for (uint32_t i = 0; i < COUNT; i++)
        semaphores[i] = semaphore_create(f, OPAQUE_SEMAPHORE);
    for (uint32_t i = 0; i < 3; i++)
        points[i] = (VkSemaphoreSubmitInfo){
            .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
            .semaphore = semaphores[i],
            .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        };
    const VkSubmitInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
        .waitSemaphoreInfoCount = 2,
        .pWaitSemaphoreInfos = &points[WAITED_0],
        .signalSemaphoreInfoCount = 1,
        .pSignalSemaphoreInfos = &points[SIGNALLED],
    };
    struct submission submission = {.info = &info};
    vkGetDeviceQueue(f->dev, family, 1, &submission.queue);
    point_submit(f->queue, NULL, none, (struct point){semaphores[WAITED_0], 0}, VK_NULL_HANDLE);
    point_submit(f->queue, NULL, none, (struct point){semaphores[WAITED_1], 0}, VK_NULL_HANDLE);
    point_submit(f->queue, NULL, none, (struct point){semaphores[OTHER], 0}, f->fence);
    fence_wait_and_reset(f);

    gate_close(GATE_SUBMIT);
    REQUIRE_EQ(pthread_create(&thread, NULL, submit_in_thread, &submission), 0);
    gate_wait();
    point_submit(f->queues[family], NULL, none, (struct point){semaphores[SLOW], 0},
                 VK_NULL_HANDLE);
    point_submit(f->queues[family], NULL, (struct point){semaphores[OTHER], 0}, none, f->fence);
    gate_open();
    pthread_join(thread, NULL);
    CHECK(submission.result);
    fence_wait_and_reset(f);
    point_submit(f->queue, NULL, (struct point){semaphores[SIGNALLED], 0}, none, f->fence);
    fence_wait_and_reset(f);
    CHECK(vkDeviceWaitIdle(f->dev));
    for (uint32_t i = 0; i < COUNT; i++)
        vkDestroySemaphore(f->dev, semaphores[i], NULL);
}

struct host_signal {
    VkDevice dev;
    VkSemaphoreSignalInfo info;
    VkResult result;
};

static void *
signal_in_thread(void *arg)
{
    struct host_signal *s = arg;
    s->result = vkSignalSemaphore(s->dev, &s->info);
    return NULL;
}

/* Another thread signals a value; this one has seen it before the call is over, and waits for what
 * the value allows. That is still in a queue of the layer, and the wait may not stand in front of
 * it. */
static void
a_signal_of_the_host_allows_what_waits_for_it_at_once(struct fixture *f)
{
    struct shared s;
    pthread_t thread;

    if (!needs_own_lower())
        return;
    shared_init(f, &s);
    for (uint32_t i = 0; i < 2; i++) {
        const struct point cause = submit_blocked(&s, f->queues[1], s.semaphores[0]);
        struct host_signal signal = {
            .dev = f->dev,
            .info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
                     .semaphore = cause.semaphore,
                     .value = cause.value},
        };
        gate_close(GATE_SIGNAL);
        REQUIRE_EQ(pthread_create(&thread, NULL, signal_in_thread, &signal), 0);
        gate_wait();
        CHECK(point_wait(f, cause, 0));
        point_submit(f->queue, NULL, shared_payload(&s, 1), none, f->fence);
        gate_open();
        pthread_join(thread, NULL);
        CHECK(signal.result);
        fence_wait_and_reset(f);
    }
    shared_finish(f, &s);
}

/* The payload is a lent queue's to signal, by the one semaphore, and the other is waited for. */
static void
presentation_waits_for_a_signal_by_either_semaphore(struct fixture *f)
{
    const PFN_vkQueuePresentKHR present =
        (PFN_vkQueuePresentKHR)vkGetDeviceProcAddr(f->dev, "vkQueuePresentKHR");
    const VkSwapchainKHR swapchain = (VkSwapchainKHR)(uintptr_t)16;
    const uint32_t index = 0;
    struct shared s;

    if (!needs_own_lower())
        return;
    REQUIRE(present);
    shared_init(f, &s);
    for (uint32_t i = 0; i < 20; i++) {
        const VkPresentInfoKHR info = {
            .sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
            .waitSemaphoreCount = 1,
            .pWaitSemaphores = &s.semaphores[i % 2],
            .swapchainCount = 1,
            .pSwapchains = &swapchain,
            .pImageIndices = &index,
        };
        point_submit(s.work.queue, s.work.cb, none, shared_payload(&s, 1 - i % 2), VK_NULL_HANDLE);
        CHECK(present(f->queue, &info));
        point_submit(f->queue, NULL, none, none, f->fence);
        fence_wait_and_reset(f);
    }
    shared_finish(f, &s);
}

static const struct test_case cases[] = {
    TEST_CASE(waits_do_not_hold_up_their_signals),
    TEST_CASE(a_wait_is_not_for_a_later_signal),
    TEST_CASE(a_batch_waits_for_the_semaphore_that_it_signals),
    TEST_CASE(a_wait_is_not_for_what_waits_for_it),
    TEST_CASE(a_wait_is_not_for_what_the_host_has_yet_to_allow),
    TEST_CASE(a_wait_is_not_for_work_that_comes_later),
    TEST_CASE(a_wait_is_not_for_a_batch_that_is_being_submitted),
    TEST_CASE(a_signal_of_the_host_allows_what_waits_for_it_at_once),
    TEST_CASE(presentation_waits_for_a_signal_by_either_semaphore),
};
TEST_MAIN(cases)

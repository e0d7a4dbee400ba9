/* SPDX-License-Identifier: MIT */
/* Fences and semaphores that have file descriptors: what a lent queue signals by one of them is
 * signalled for who has the payload by another, and the other way round.
 */
#include "coder.h"
#include "gate.h"
#include "passing.h"
#include "point.h"

#include <unistd.h>

#define CHECK(call) REQUIRE_EQ((call), VK_SUCCESS)
#define OPAQUE_FENCE VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT
#define FILE_FENCE VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT

static const struct point none;

/* types: that it can be exported as; 0: not at all. */
static VkFence
fence_create(struct fixture *f, VkExternalFenceHandleTypeFlags types)
{
    const VkExportFenceCreateInfo exported = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_FENCE_CREATE_INFO,
        .handleTypes = types,
    };
    const VkFenceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
        .pNext = types ? &exported : NULL,
    };
    VkFence fence;
    CHECK(vkCreateFence(f->dev, &info, NULL, &fence));
    return fence;
}

static int
fence_export(struct fixture *f, VkFence fence, VkExternalFenceHandleTypeFlagBits type)
{
    const VkFenceGetFdInfoKHR get = {
        .sType = VK_STRUCTURE_TYPE_FENCE_GET_FD_INFO_KHR,
        .fence = fence,
        .handleType = type,
    };
    int fd = -2;
    CHECK(vkGetFenceFdKHR(f->dev, &get, &fd));
    return fd;
}

static VkResult
fence_import(struct fixture *f, VkFence fence, VkExternalFenceHandleTypeFlagBits type, int fd,
             VkFenceImportFlags flags)
{
    const VkImportFenceFdInfoKHR import = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_FENCE_FD_INFO_KHR,
        .fence = fence,
        .flags = flags,
        .handleType = type,
        .fd = fd,
    };
    return vkImportFenceFdKHR(f->dev, &import);
}

static void
fence_wait(struct fixture *f, VkFence fence)
{
    CHECK(vkWaitForFences(f->dev, 1, &fence, VK_TRUE, 10 * SECOND_NS));
    CHECK(vkGetFenceStatus(f->dev, fence));
}

static bool
fence_can_pass(struct fixture *f, VkExternalFenceHandleTypeFlagBits type)
{
    const VkPhysicalDeviceExternalFenceInfo info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_FENCE_INFO,
        .handleType = type,
    };
    const VkExternalFenceFeatureFlags both =
        VK_EXTERNAL_FENCE_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_FENCE_FEATURE_IMPORTABLE_BIT;
    VkExternalFenceProperties properties = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_FENCE_PROPERTIES,
    };
    vkGetPhysicalDeviceExternalFenceProperties(f->pdev, &info, &properties);
    return (properties.externalFenceFeatures & both) == both;
}

static bool
needs_fences(struct fixture *f, VkExternalFenceHandleTypeFlagBits type)
{
    return needs(fence_can_pass(f, type),
                 type == FILE_FENCE ? "sync files of fences" : "fences with opaque handles");
}

/* A lent queue, a lower one, and another lent one where there is one. */
struct queues {
    struct coder coder;
    VkQueue all[3];
    uint32_t count;
    VkSemaphore order;
};

static void
queues_init(struct fixture *f, struct queues *q)
{
    coder_init(f, &q->coder, NULL);
    q->all[0] = q->coder.queue;
    q->all[1] = f->queue;
    q->count = 2;
    for (uint32_t i = q->coder.family + 1; i < f->family_count; i++) {
        if (f->family[i].queueFlags & VK_QUEUE_VIDEO_DECODE_BIT_KHR && q->count == 2)
            q->all[q->count++] = f->queues[i];
    }
    q->order = test_timeline_create(f);
}

static void
queues_finish(struct fixture *f, struct queues *q)
{
    CHECK(vkDeviceWaitIdle(f->dev));
    vkDestroySemaphore(f->dev, q->order, NULL);
    coder_finish(&q->coder);
}

/* By either fence, whichever of them was told to be exported. */
static void
fences_with_one_payload_are_signalled_together(struct fixture *f)
{
    struct queues q;
    if (!needs_fences(f, OPAQUE_FENCE))
        return;
    queues_init(f, &q);
    const VkFence fences[2] = {fence_create(f, OPAQUE_FENCE), fence_create(f, 0)};

    CHECK(fence_import(f, fences[1], OPAQUE_FENCE, fence_export(f, fences[0], OPAQUE_FENCE), 0));
    for (uint32_t i = 0; i < 2 * q.count; i++) {
        point_submit(q.all[i / 2], NULL, none, none, fences[i % 2]);
        fence_wait(f, fences[1 - i % 2]);
        fence_wait(f, fences[i % 2]);
        CHECK(vkResetFences(f->dev, 1, &fences[i / 2 % 2]));
        for (uint32_t k = 0; k < 2; k++)
            REQUIRE_EQ(vkGetFenceStatus(f->dev, fences[k]), VK_NOT_READY);
    }
    for (uint32_t i = 0; i < 2; i++)
        vkDestroyFence(f->dev, fences[i], NULL);
    queues_finish(f, &q);
}

/* Both are signalled by way of the second, which has the payload of the first for once, and it is
 * reset. */
static void
signal_for_once_and_reset(struct fixture *f, VkQueue queue, VkFence from, VkFence to)
{
    CHECK(fence_import(f, to, OPAQUE_FENCE, fence_export(f, from, OPAQUE_FENCE),
                       VK_FENCE_IMPORT_TEMPORARY_BIT));
    point_submit(queue, NULL, none, none, to);
    fence_wait(f, to);
    fence_wait(f, from);
    CHECK(vkResetFences(f->dev, 1, &to));
    REQUIRE_EQ(vkGetFenceStatus(f->dev, to), VK_NOT_READY);
}

/* Whether a driver that is not the tests' own gives fences their own payloads back at a reset, as
 * vkResetFences has it. The functions of a device without lent queues are the driver's. */
static bool
driver_restores_payloads(struct fixture *f)
{
    static const float one = 1.0f;
    static const char *const extension = VK_KHR_EXTERNAL_FENCE_FD_EXTENSION_NAME;
    const VkPhysicalDeviceSynchronization2Features features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES,
        .synchronization2 = VK_TRUE,
    };
    const VkDeviceQueueCreateInfo queue_info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueCount = 1,
        .pQueuePriorities = &one,
    };
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &features,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue_info,
        .enabledExtensionCount = 1,
        .ppEnabledExtensionNames = &extension,
    };
    struct fixture alone = {.pdev = f->pdev};

    CHECK(vkCreateDevice(f->pdev, &info, NULL, &alone.dev));
    vk_functions_load_device(alone.dev);
    vkGetDeviceQueue(alone.dev, 0, 0, &alone.queue);
    const VkFence from = fence_create(&alone, OPAQUE_FENCE), to = fence_create(&alone, 0);
    signal_for_once_and_reset(&alone, alone.queue, from, to);
    const VkResult status = vkGetFenceStatus(alone.dev, from);
    vkDestroyFence(alone.dev, from, NULL);
    vkDestroyFence(alone.dev, to, NULL);
    vkDestroyDevice(alone.dev, NULL);
    vk_functions_load_device(f->dev);
    return status == VK_SUCCESS;
}

/* A reset brings the fence's own payload back, signalled or not, and resets that one alone. */
static void
a_payload_of_a_fence_may_be_there_for_once(struct fixture *f)
{
    struct queues q;
    if (!needs_fences(f, OPAQUE_FENCE))
        return;
    if (!needs(lower_is_own() || driver_restores_payloads(f),
               "a driver whose vkResetFences leaves imported payloads alone"))
        return;
    queues_init(f, &q);
    const VkFence from = fence_create(f, OPAQUE_FENCE), to = fence_create(f, 0);

    for (uint32_t i = 0; i < 2 * q.count; i++) {
        const VkQueue queue = q.all[i / 2];
        if (i % 2 == 0) {
            point_submit(queue, NULL, none, none, to);
            fence_wait(f, to);
        }
        signal_for_once_and_reset(f, queue, from, to);
        CHECK(vkGetFenceStatus(f->dev, from));
        CHECK(vkResetFences(f->dev, 1, &from));
        point_submit(queue, NULL, none, none, to);
        fence_wait(f, to);
        REQUIRE_EQ(vkGetFenceStatus(f->dev, from), VK_NOT_READY);
        CHECK(vkResetFences(f->dev, 1, &to));
    }
    vkDestroyFence(f->dev, from, NULL);
    vkDestroyFence(f->dev, to, NULL);
    queues_finish(f, &q);
}

/* The export resets the fence; a file of -1 is one that is signalled. */
static void
sync_files_of_fences_are_copies(struct fixture *f)
{
    struct queues q;
    if (!needs_fences(f, FILE_FENCE))
        return;
    queues_init(f, &q);
    const VkFence from = fence_create(f, FILE_FENCE), to = fence_create(f, 0);

    for (uint32_t i = 0; i < q.count; i++) {
        point_submit(q.all[i], NULL, none, none, from);
        const int fd = fence_export(f, from, FILE_FENCE);
        REQUIRE_EQ(vkGetFenceStatus(f->dev, from), VK_NOT_READY);
        CHECK(fence_import(f, to, FILE_FENCE, fd, VK_FENCE_IMPORT_TEMPORARY_BIT));
        fence_wait(f, to);
        CHECK(vkResetFences(f->dev, 1, &to));
        REQUIRE_EQ(vkGetFenceStatus(f->dev, to), VK_NOT_READY);
    }
    vkDestroyFence(f->dev, from, NULL);
    vkDestroyFence(f->dev, to, NULL);
    queues_finish(f, &q);
}

/* What cannot be imported leaves the fence as it was. */
static void
imports_that_fail_change_nothing(struct fixture *f)
{
    struct queues q;
    int ends[2];
    if (!needs_fences(f, OPAQUE_FENCE))
        return;
    queues_init(f, &q);
    const VkFence fence = fence_create(f, 0);

    REQUIRE_EQ(pipe(ends), 0);
    for (uint32_t i = 0; i < q.count; i++) {
        point_submit(q.all[i], NULL, none, none, fence);
        fence_wait(f, fence);
        REQUIRE_EQ(fence_import(f, fence, OPAQUE_FENCE, ends[0], 0),
                   VK_ERROR_INVALID_EXTERNAL_HANDLE);
        CHECK(vkGetFenceStatus(f->dev, fence));
        CHECK(vkResetFences(f->dev, 1, &fence));
    }
    close(ends[0]);
    close(ends[1]);
    vkDestroyFence(f->dev, fence, NULL);
    queues_finish(f, &q);
}

/* A handle refers to a payload, whatever has yet to happen to it. */
static void
handles_are_exported_before_their_signals(struct fixture *f)
{
    struct queues q;
    if (!needs_fences(f, OPAQUE_FENCE) || !needs_opaque_semaphores(f))
        return;
    queues_init(f, &q);
    for (uint32_t i = 0; i < q.count; i++) {
        const VkFence from = fence_create(f, OPAQUE_FENCE), to = fence_create(f, 0);
        const VkSemaphore one = semaphore_create(f, OPAQUE_SEMAPHORE);
        const VkSemaphore other = semaphore_create(f, 0);
        point_submit(q.all[i], NULL, (struct point){q.order, i + 1}, (struct point){one, 0}, from);
        CHECK(fence_import(f, to, OPAQUE_FENCE, fence_export(f, from, OPAQUE_FENCE), 0));
        semaphore_pass(f, one, other, OPAQUE_SEMAPHORE, 0);
        REQUIRE_EQ(vkGetFenceStatus(f->dev, to), VK_NOT_READY);
        point_signal(f, (struct point){q.order, i + 1});
        fence_wait(f, to);
        point_submit(f->queue, NULL, (struct point){other, 0}, none, f->fence);
        fence_wait_and_reset(f);
        vkDestroyFence(f->dev, from, NULL);
        vkDestroyFence(f->dev, to, NULL);
        vkDestroySemaphore(f->dev, one, NULL);
        vkDestroySemaphore(f->dev, other, NULL);
    }
    queues_finish(f, &q);
}

static void
sync_files_of_semaphores_are_copies(struct fixture *f)
{
    struct queues q;
    if (!needs(semaphore_can_pass(f, VK_SEMAPHORE_TYPE_BINARY, FILE_SEMAPHORE),
               "sync files of semaphores"))
        return;
    queues_init(f, &q);
    const VkSemaphore from = semaphore_create(f, FILE_SEMAPHORE), to = semaphore_create(f, 0);

    for (uint32_t i = 0; i < q.count * q.count; i++) {
        const VkQueue source = q.all[i / q.count], target = q.all[i % q.count];
        point_submit(source, NULL, none, (struct point){from, 0}, VK_NULL_HANDLE);
        semaphore_pass(f, from, to, FILE_SEMAPHORE, VK_SEMAPHORE_IMPORT_TEMPORARY_BIT);
        point_submit(target, NULL, (struct point){to, 0}, none, f->fence);
        fence_wait_and_reset(f);
        /* Its own payload again. */
        point_submit(source, NULL, none, (struct point){to, 0}, VK_NULL_HANDLE);
        point_submit(target, NULL, (struct point){to, 0}, none, f->fence);
        fence_wait_and_reset(f);
    }
    vkDestroySemaphore(f->dev, from, NULL);
    vkDestroySemaphore(f->dev, to, NULL);
    queues_finish(f, &q);
}

/* The payload passes through a semaphore that was not made to be exported. */
static void
an_imported_payload_of_a_semaphore_is_exported_again(struct fixture *f)
{
    struct queues q;
    if (!needs_opaque_semaphores(f))
        return;
    queues_init(f, &q);
    const VkSemaphore first = semaphore_create(f, OPAQUE_SEMAPHORE);
    const VkSemaphore between = semaphore_create(f, 0), last = semaphore_create(f, 0);

    semaphore_pass(f, first, between, OPAQUE_SEMAPHORE, 0);
    semaphore_pass(f, between, last, OPAQUE_SEMAPHORE, 0);
    for (uint32_t i = 0; i < q.count * q.count; i++) {
        point_submit(q.all[i / q.count], NULL, none, (struct point){first, 0}, VK_NULL_HANDLE);
        point_submit(q.all[i % q.count], NULL, (struct point){last, 0}, none, f->fence);
        fence_wait_and_reset(f);
    }
    vkDestroySemaphore(f->dev, first, NULL);
    vkDestroySemaphore(f->dev, between, NULL);
    vkDestroySemaphore(f->dev, last, NULL);
    queues_finish(f, &q);
}

static const struct test_case cases[] = {
    TEST_CASE(fences_with_one_payload_are_signalled_together),
    TEST_CASE(a_payload_of_a_fence_may_be_there_for_once),
    TEST_CASE(sync_files_of_fences_are_copies),
    TEST_CASE(imports_that_fail_change_nothing),
    TEST_CASE(handles_are_exported_before_their_signals),
    TEST_CASE(sync_files_of_semaphores_are_copies),
    TEST_CASE(an_imported_payload_of_a_semaphore_is_exported_again),
};
TEST_MAIN(cases)

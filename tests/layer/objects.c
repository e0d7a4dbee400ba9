/* SPDX-License-Identifier: MIT */
/* Objects of lent queues: what the application does with them ends in the same bytes, whatever the
 * layers of an image, its owners, or who resets queries and waits for events.
 */
#include "coder.h"
#include "gate.h"
#include "passing.h"
#include "point.h"

#include <string.h>

#define CHECK(call) REQUIRE_EQ((call), VK_SUCCESS)
#define IGNORED VK_QUEUE_FAMILY_IGNORED

struct bytes {
    uint8_t data[65536];
    uint32_t size_B;
};

/* The stream of the picture with this seed, from a plain image: the first one of a session, as all
 * that are held against it, for the next IDR picture has another number. */
static void
expected_bytes(struct fixture *f, uint32_t seed, struct bytes *out)
{
    struct coder coder;
    coder_init(f, &coder, NULL);
    const VkImageCreateInfo info = coder_image_info(&coder, 1);
    struct test_image img = test_image_create_with(f, &info);
    const VkImageView view = coder_view_create(&coder, img.handle, 0, 1);

    coder_fill(&coder, img.handle, 0, seed, VK_IMAGE_LAYOUT_VIDEO_ENCODE_SRC_KHR, UINT32_MAX);
    coder_begin(&coder);
    coder_record(&coder, view, 0, true);
    coder_end(&coder);
    out->size_B = coder_run(&coder);
    memcpy(out->data, coder.bytes, out->size_B);
    vkDestroyImageView(f->dev, view, NULL);
    test_image_destroy(f, &img);
    coder_finish(&coder);
}

static void
require_bytes(const struct coder *coder, uint32_t size_B, const struct bytes *expected)
{
    REQUIRE_EQ(size_B, expected->size_B);
    REQUIRE(memcmp(coder->bytes, expected->data, size_B) == 0);
}

static void
each_layer_of_an_array_is_a_picture(struct fixture *f)
{
    static struct bytes expected[3];

    for (uint32_t i = 0; i < 3; i++)
        expected_bytes(f, i + 1, &expected[i]);
    REQUIRE(expected[0].size_B != expected[1].size_B ||
            memcmp(expected[0].data, expected[1].data, expected[0].size_B) != 0);
    for (uint32_t i = 0; i < 3; i++) {
        struct coder coder;
        coder_init(f, &coder, NULL);
        const VkImageCreateInfo info = coder_image_info(&coder, 3);
        struct test_image img = test_image_create_with(f, &info);
        const uint32_t first = i == 0 ? 0 : 1;
        const VkImageView view = coder_view_create(&coder, img.handle, first, i == 0 ? 1 : 2);
        for (uint32_t k = 0; k < 3; k++)
            coder_fill(&coder, img.handle, k, k + 1, VK_IMAGE_LAYOUT_VIDEO_ENCODE_SRC_KHR,
                       UINT32_MAX);
        coder_begin(&coder);
        coder_record(&coder, view, i - first, true);
        coder_end(&coder);
        require_bytes(&coder, coder_run(&coder), &expected[i]);
        vkDestroyImageView(f->dev, view, NULL);
        test_image_destroy(f, &img);
        coder_finish(&coder);
    }
}

/* The release is in a lower command buffer, the acquisition in a lent one: only the first changes
 * the layout. */
static void
ownership_goes_to_a_lent_family(struct fixture *f)
{
    static struct bytes expected;
    struct coder coder;
    coder_init(f, &coder, NULL);
    const VkImageCreateInfo info = coder_image_info(&coder, 1);
    struct test_image img = test_image_create_with(f, &info);
    const VkImageView view = coder_view_create(&coder, img.handle, 0, 1);

    expected_bytes(f, 5, &expected);
    coder_fill(&coder, img.handle, 0, 5, VK_IMAGE_LAYOUT_VIDEO_ENCODE_SRC_KHR, coder.family);
    coder_begin(&coder);
    coder_acquire(&coder, img.handle, 0, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0);
    coder_record(&coder, view, 0, true);
    coder_end(&coder);
    require_bytes(&coder, coder_run(&coder), &expected);

    vkDestroyImageView(f->dev, view, NULL);
    test_image_destroy(f, &img);
    coder_finish(&coder);
}

/* A layout that the lent command buffer changes: the lower device does it before it copies. */
static void
lent_command_buffers_change_layouts(struct fixture *f)
{
    static struct bytes expected;
    struct coder coder;
    coder_init(f, &coder, NULL);
    const VkImageCreateInfo info = coder_image_info(&coder, 2);
    struct test_image img = test_image_create_with(f, &info);
    const VkImageView view = coder_view_create(&coder, img.handle, 0, 2);

    expected_bytes(f, 6, &expected);
    coder_fill(&coder, img.handle, 1, 6, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, UINT32_MAX);
    coder_begin(&coder);
    coder_acquire(&coder, img.handle, 1, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, IGNORED);
    coder_record(&coder, view, 1, true);
    coder_end(&coder);
    require_bytes(&coder, coder_run(&coder), &expected);

    vkDestroyImageView(f->dev, view, NULL);
    test_image_destroy(f, &img);
    coder_finish(&coder);
}

static void
concurrent_objects_name_lent_families(struct fixture *f)
{
    static struct bytes expected;
    struct coder plain;
    coder_init(f, &plain, NULL);
    const uint32_t families[2] = {0, plain.family};
    const VkBufferCreateInfo sharing = {
        .sharingMode = VK_SHARING_MODE_CONCURRENT,
        .queueFamilyIndexCount = 2,
        .pQueueFamilyIndices = families,
    };
    struct coder coder;
    coder_init(f, &coder, &sharing);
    VkImageCreateInfo info = coder_image_info(&coder, 1);
    info.sharingMode = VK_SHARING_MODE_CONCURRENT;
    info.queueFamilyIndexCount = 2;
    info.pQueueFamilyIndices = families;
    struct test_image img = test_image_create_with(f, &info);
    const VkImageView view = coder_view_create(&coder, img.handle, 0, 1);

    expected_bytes(f, 7, &expected);
    coder_fill(&coder, img.handle, 0, 7, VK_IMAGE_LAYOUT_VIDEO_ENCODE_SRC_KHR, UINT32_MAX);
    coder_begin(&coder);
    coder_record(&coder, view, 0, true);
    coder_end(&coder);
    require_bytes(&coder, coder_run(&coder), &expected);

    vkDestroyImageView(f->dev, view, NULL);
    test_image_destroy(f, &img);
    coder_finish(&coder);
    coder_finish(&plain);
}

static void
submit(VkQueue queue, VkCommandBuffer cb, VkFence fence)
{
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &cb,
    };
    CHECK(vkQueueSubmit(queue, 1, &info, fence));
}

static void
events_of_lent_command_buffers_reach_the_host_and_back(struct fixture *f)
{
    const VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    const VkMemoryBarrier2 from_host = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
        .srcStageMask = VK_PIPELINE_STAGE_2_HOST_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_2_VIDEO_ENCODE_BIT_KHR,
    };
    VkMemoryBarrier2 memory = from_host;
    VkDependencyInfo dependency = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .memoryBarrierCount = 1,
        .pMemoryBarriers = &memory,
    };
    struct coder coder;
    VkEvent events[2];

    coder_init(f, &coder, NULL);
    for (uint32_t i = 0; i < 2; i++)
        CHECK(vkCreateEvent(f->dev, &info, NULL, &events[i]));
    coder_begin(&coder);
    vkCmdWaitEvents2(coder.cb, 1, &events[0], &dependency);
    memory.srcStageMask = VK_PIPELINE_STAGE_2_VIDEO_ENCODE_BIT_KHR;
    vkCmdSetEvent2(coder.cb, events[1], &dependency);
    vkCmdResetEvent2(coder.cb, events[0], VK_PIPELINE_STAGE_2_VIDEO_ENCODE_BIT_KHR);
    coder_end(&coder);
    CHECK(vkSetEvent(f->dev, events[0]));
    REQUIRE_EQ(vkGetEventStatus(f->dev, events[0]), VK_EVENT_SET);
    REQUIRE_EQ(vkGetEventStatus(f->dev, events[1]), VK_EVENT_RESET);
    submit(coder.queue, coder.cb, f->fence);
    fence_wait_and_reset(f);
    REQUIRE_EQ(vkGetEventStatus(f->dev, events[1]), VK_EVENT_SET);
    CHECK(vkResetEvent(f->dev, events[1]));
    REQUIRE_EQ(vkGetEventStatus(f->dev, events[1]), VK_EVENT_RESET);

    for (uint32_t i = 0; i < 2; i++)
        vkDestroyEvent(f->dev, events[i], NULL);
    coder_finish(&coder);
}

/* The forms without synchronization2: a release, an acquisition, and events in between. */
static void
older_barriers_and_events_lend_pictures(struct fixture *f)
{
    static struct bytes expected;
    const VkEventCreateInfo event_info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    struct coder coder;
    VkEvent events[2];
    coder_init(f, &coder, NULL);
    const VkImageCreateInfo info = coder_image_info(&coder, 1);
    struct test_image img = test_image_create_with(f, &info);
    const VkImageView view = coder_view_create(&coder, img.handle, 0, 1);
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT,
        .oldLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
        .newLayout = VK_IMAGE_LAYOUT_VIDEO_ENCODE_SRC_KHR,
        .srcQueueFamilyIndex = 0,
        .dstQueueFamilyIndex = coder.family,
        .image = img.handle,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };

    for (uint32_t i = 0; i < 2; i++)
        CHECK(vkCreateEvent(f->dev, &event_info, NULL, &events[i]));
    expected_bytes(f, 11, &expected);
    coder_fill(&coder, img.handle, 0, 11, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, UINT32_MAX);
    test_begin(f);
    vkCmdPipelineBarrier(f->cb, all, all, 0, 0, NULL, 0, NULL, 1, &barrier);
    test_submit_and_wait(f);
    coder_begin(&coder);
    vkCmdSetEvent(coder.cb, events[0], all);
    vkCmdWaitEvents(coder.cb, 1, &events[0], all, all, 0, NULL, 0, NULL, 1, &barrier);
    vkCmdResetEvent(coder.cb, events[0], all);
    coder_record(&coder, view, 0, true);
    vkCmdSetEvent(coder.cb, events[1], all);
    coder_end(&coder);
    require_bytes(&coder, coder_run(&coder), &expected);
    REQUIRE_EQ(vkGetEventStatus(f->dev, events[0]), VK_EVENT_RESET);
    REQUIRE_EQ(vkGetEventStatus(f->dev, events[1]), VK_EVENT_SET);

    for (uint32_t i = 0; i < 2; i++)
        vkDestroyEvent(f->dev, events[i], NULL);
    vkDestroyImageView(f->dev, view, NULL);
    test_image_destroy(f, &img);
    coder_finish(&coder);
}

static void
queries_are_reset_by_any_queue_and_by_the_host(struct fixture *f)
{
    struct coder coder;
    coder_init(f, &coder, NULL);
    const VkImageCreateInfo info = coder_image_info(&coder, 1);
    struct test_image img = test_image_create_with(f, &info);
    const VkImageView view = coder_view_create(&coder, img.handle, 0, 1);

    coder_fill(&coder, img.handle, 0, 8, VK_IMAGE_LAYOUT_VIDEO_ENCODE_SRC_KHR, UINT32_MAX);
    for (uint32_t round = 0; round < 3; round++) {
        int32_t values[2];
        if (round == 0) {
            vkResetQueryPool(f->dev, coder.queries, 0, 1);
        } else {
            test_begin(f);
            vkCmdResetQueryPool(f->cb, coder.queries, 0, 1);
            test_submit_and_wait(f);
        }
        REQUIRE_EQ(vkGetQueryPoolResults(f->dev, coder.queries, 0, 1, sizeof(values), values,
                                         sizeof(values), 0),
                   VK_NOT_READY);
        coder_begin(&coder);
        coder_record(&coder, view, 0, false);
        coder_end(&coder);
        (void)coder_run(&coder);
    }

    vkDestroyImageView(f->dev, view, NULL);
    test_image_destroy(f, &img);
    coder_finish(&coder);
}

static VkSemaphore
exported_create(struct fixture *f, VkSemaphoreType type)
{
    const VkExportSemaphoreCreateInfo exported = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
        .handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
    };
    const VkSemaphoreTypeCreateInfo kind = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .pNext = &exported,
        .semaphoreType = type,
    };
    const VkSemaphoreCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
        .pNext = &kind,
    };
    VkSemaphore semaphore;
    CHECK(vkCreateSemaphore(f->dev, &info, NULL, &semaphore));
    return semaphore;
}

/* A second semaphore with the payload of the first. */
static VkSemaphore
import_of(struct fixture *f, VkSemaphore from, VkSemaphoreType type)
{
    const VkSemaphoreGetFdInfoKHR get = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR,
        .semaphore = from,
        .handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
    };
    VkImportSemaphoreFdInfoKHR import = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR,
        .semaphore = exported_create(f, type),
        .handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
    };
    CHECK(vkGetSemaphoreFdKHR(f->dev, &get, &import.fd));
    CHECK(vkImportSemaphoreFdKHR(f->dev, &import));
    return import.semaphore;
}

static void
submit_point(VkQueue queue, VkSemaphore wait, VkSemaphore signal, uint64_t value, VkFence fence)
{
    const VkSemaphoreSubmitInfo point[2] = {
        {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
         .semaphore = wait,
         .value = value,
         .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT},
        {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
         .semaphore = signal,
         .value = value,
         .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT},
    };
    const VkSubmitInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
        .waitSemaphoreInfoCount = wait ? 1 : 0,
        .pWaitSemaphoreInfos = &point[0],
        .signalSemaphoreInfoCount = signal ? 1 : 0,
        .pSignalSemaphoreInfos = &point[1],
    };
    CHECK(vkQueueSubmit2(queue, 1, &info, fence));
}

/* Semaphores of both types: from a lent queue through one to a lower queue, which waits for the
 * other, and the other way. */
static void
exported_semaphores_join_both_kinds_of_queues(struct fixture *f)
{
    struct coder coder;
    coder_init(f, &coder, NULL);
    const VkQueue queues[2] = {coder.queue, f->queue};

    for (uint32_t i = 0; i < 2; i++) {
        const VkSemaphoreType type = i ? VK_SEMAPHORE_TYPE_TIMELINE : VK_SEMAPHORE_TYPE_BINARY;
        if (!semaphore_can_pass(f, type, OPAQUE_SEMAPHORE))
            continue;
        const VkSemaphore one = exported_create(f, type);
        const VkSemaphore other = import_of(f, one, type);
        for (uint32_t round = 0; round < 4; round++) {
            submit_point(queues[round % 2], VK_NULL_HANDLE, one, round + 1, VK_NULL_HANDLE);
            submit_point(queues[1 - round % 2], other, VK_NULL_HANDLE, round + 1, f->fence);
            fence_wait_and_reset(f);
        }
        vkDestroySemaphore(f->dev, one, NULL);
        vkDestroySemaphore(f->dev, other, NULL);
    }
    coder_finish(&coder);
}

/* The lower device of these tests has functions for presentation, which take binary semaphores. */
static void
presentation_has_binary_semaphores(struct fixture *f)
{
    const PFN_vkAcquireNextImageKHR acquire =
        (PFN_vkAcquireNextImageKHR)vkGetDeviceProcAddr(f->dev, "vkAcquireNextImageKHR");
    const PFN_vkQueuePresentKHR present =
        (PFN_vkQueuePresentKHR)vkGetDeviceProcAddr(f->dev, "vkQueuePresentKHR");
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    const VkSwapchainKHR swapchain = (VkSwapchainKHR)(uintptr_t)16;
    const uint32_t index = 0;
    struct coder coder;
    VkSemaphore acquired, drawn;

    if (!needs_own_lower())
        return;
    REQUIRE(acquire && present);
    coder_init(f, &coder, NULL);
    CHECK(vkCreateSemaphore(f->dev, &info, NULL, &acquired));
    CHECK(vkCreateSemaphore(f->dev, &info, NULL, &drawn));
    const VkPresentInfoKHR shown = {
        .sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
        .waitSemaphoreCount = 1,
        .pWaitSemaphores = &drawn,
        .swapchainCount = 1,
        .pSwapchains = &swapchain,
        .pImageIndices = &index,
    };
    /* By a lower queue, and by a lent one; the semaphores are used again. */
    for (uint32_t round = 0; round < 4; round++) {
        uint32_t image;
        CHECK(acquire(f->dev, swapchain, SECOND_NS, acquired, VK_NULL_HANDLE, &image));
        submit_point(round & 1 ? coder.queue : f->queue, acquired, drawn, 0, f->fence);
        CHECK(present(f->queue, &shown));
        fence_wait_and_reset(f);
    }
    CHECK(vkDeviceWaitIdle(f->dev));
    vkDestroySemaphore(f->dev, acquired, NULL);
    vkDestroySemaphore(f->dev, drawn, NULL);
    coder_finish(&coder);
}

/* As our driver's own, whatever the lower device's are. */
static void
bitstream_buffers_are_zero(struct fixture *f)
{
    struct coder coder;
    coder_init(f, &coder, NULL);
    for (uint32_t i = 0; i < CODER_PICTURE_B; i++)
        REQUIRE_EQ(coder.bytes[i], 0);
    coder_finish(&coder);
}

static VkBuffer
create_bitstream(struct fixture *f)
{
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .flags = VK_BUFFER_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR,
        .size = 4096,
        .usage = VK_BUFFER_USAGE_VIDEO_ENCODE_DST_BIT_KHR | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
    };
    VkBuffer buffer;
    CHECK(vkCreateBuffer(f->dev, &info, NULL, &buffer));
    return buffer;
}

/* What a device has written through one buffer is there through another. */
static void
bitstream_buffers_keep_contents(struct fixture *f)
{
    const VkBuffer buffers[2] = {create_bitstream(f), create_bitstream(f)};
    VkMemoryRequirements needs;
    VkDeviceMemory memory;
    void *map;

    vkGetBufferMemoryRequirements(f->dev, buffers[0], &needs);
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs.size,
        .memoryTypeIndex = fixture_mapped_type(f, needs.memoryTypeBits),
    };
    CHECK(vkAllocateMemory(f->dev, &info, NULL, &memory));
    CHECK(vkBindBufferMemory(f->dev, buffers[0], memory, 0));
    test_begin(f);
    vkCmdFillBuffer(f->cb, buffers[0], 0, VK_WHOLE_SIZE, 0x5a5a5a5a);
    test_submit_and_wait(f);
    CHECK(vkBindBufferMemory(f->dev, buffers[1], memory, 0));
    CHECK(vkMapMemory(f->dev, memory, 0, VK_WHOLE_SIZE, 0, &map));
    for (uint32_t i = 0; i < 4096; i++)
        REQUIRE_EQ(((const uint8_t *)map)[i], 0x5a);
    for (uint32_t i = 0; i < 2; i++)
        vkDestroyBuffer(f->dev, buffers[i], NULL);
    vkFreeMemory(f->dev, memory, NULL);
}

/* The lower device would read a handle of ours as its own. */
static void
labels_of_lent_objects_stay_in_the_layer(struct fixture *f)
{
    const VkDebugUtilsLabelEXT label = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
        .pLabelName = "picture",
    };
    struct coder coder;
    coder_init(f, &coder, NULL);
    vkQueueBeginDebugUtilsLabelEXT(coder.queue, &label);
    coder_begin(&coder);
    vkCmdBeginDebugUtilsLabelEXT(coder.cb, &label);
    vkCmdInsertDebugUtilsLabelEXT(coder.cb, &label);
    vkCmdEndDebugUtilsLabelEXT(coder.cb);
    coder_end(&coder);
    vkQueueInsertDebugUtilsLabelEXT(coder.queue, &label);
    vkQueueEndDebugUtilsLabelEXT(coder.queue);
    coder_finish(&coder);
}

/* Likewise by the older extension, which the lower device of these tests lists. */
static void
markers_of_lent_objects_stay_in_the_layer(struct fixture *f)
{
    const VkDebugMarkerMarkerInfoEXT marker = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_MARKER_MARKER_INFO_EXT,
        .pMarkerName = "picture",
    };
    const PFN_vkDebugMarkerSetObjectNameEXT set_name =
        (PFN_vkDebugMarkerSetObjectNameEXT)vkGetDeviceProcAddr(f->dev,
                                                               "vkDebugMarkerSetObjectNameEXT");
    const PFN_vkDebugMarkerSetObjectTagEXT set_tag =
        (PFN_vkDebugMarkerSetObjectTagEXT)vkGetDeviceProcAddr(f->dev,
                                                              "vkDebugMarkerSetObjectTagEXT");
    const PFN_vkCmdDebugMarkerBeginEXT begin =
        (PFN_vkCmdDebugMarkerBeginEXT)vkGetDeviceProcAddr(f->dev, "vkCmdDebugMarkerBeginEXT");
    const PFN_vkCmdDebugMarkerInsertEXT insert =
        (PFN_vkCmdDebugMarkerInsertEXT)vkGetDeviceProcAddr(f->dev, "vkCmdDebugMarkerInsertEXT");
    const PFN_vkCmdDebugMarkerEndEXT end =
        (PFN_vkCmdDebugMarkerEndEXT)vkGetDeviceProcAddr(f->dev, "vkCmdDebugMarkerEndEXT");
    struct coder coder;

    if (!needs_extension(f, VK_EXT_DEBUG_MARKER_EXTENSION_NAME))
        return;
    REQUIRE(set_name && set_tag && begin && insert && end);
    coder_init(f, &coder, NULL);
    const VkDebugMarkerObjectNameInfoEXT name = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_MARKER_OBJECT_NAME_INFO_EXT,
        .objectType = VK_DEBUG_REPORT_OBJECT_TYPE_COMMAND_POOL_EXT,
        .object = (uint64_t)coder.pool,
        .pObjectName = "pool",
    };
    const VkDebugMarkerObjectTagInfoEXT tag = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_MARKER_OBJECT_TAG_INFO_EXT,
        .objectType = VK_DEBUG_REPORT_OBJECT_TYPE_COMMAND_POOL_EXT,
        .object = (uint64_t)coder.pool,
        .tagName = 1,
        .tagSize = sizeof(marker),
        .pTag = &marker,
    };
    CHECK(set_name(f->dev, &name));
    CHECK(set_tag(f->dev, &tag));
    coder_begin(&coder);
    begin(coder.cb, &marker);
    insert(coder.cb, &marker);
    end(coder.cb);
    coder_end(&coder);
    coder_finish(&coder);
}

static const struct test_case cases[] = {
    TEST_CASE(each_layer_of_an_array_is_a_picture),
    TEST_CASE(ownership_goes_to_a_lent_family),
    TEST_CASE(lent_command_buffers_change_layouts),
    TEST_CASE(concurrent_objects_name_lent_families),
    TEST_CASE(events_of_lent_command_buffers_reach_the_host_and_back),
    TEST_CASE(older_barriers_and_events_lend_pictures),
    TEST_CASE(queries_are_reset_by_any_queue_and_by_the_host),
    TEST_CASE(exported_semaphores_join_both_kinds_of_queues),
    TEST_CASE(presentation_has_binary_semaphores),
    TEST_CASE(bitstream_buffers_are_zero),
    TEST_CASE(bitstream_buffers_keep_contents),
    TEST_CASE(labels_of_lent_objects_stay_in_the_layer),
    TEST_CASE(markers_of_lent_objects_stay_in_the_layer),
};
TEST_MAIN(cases)

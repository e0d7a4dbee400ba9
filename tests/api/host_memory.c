/* SPDX-License-Identifier: MIT */
/* Copies from the application's own memory, which FFmpeg 7.1 takes back as soon as it has submitted
 * them.
 */
#include "fixture.h"
#include "platform/pages.h"

#include <string.h>

#define SIDE_PX 64
#define SIZE_B ((size_t)SIDE_PX * SIDE_PX * 4)
#define LONG_B (UINT64_C(64) << 20)

struct import {
    uint8_t *host;
    VkDeviceMemory memory;
    VkBuffer buf;
};

static struct import
import_create(struct fixture *f, uint8_t fill)
{
    const VkExternalMemoryHandleTypeFlagBits type =
        VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
    struct import import = {.host = rp_pages_map(SIZE_B, false)};
    REQUIRE(import.host);
    const VkImportMemoryHostPointerInfoEXT pointer = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT,
        .handleType = type,
        .pHostPointer = import.host,
    };
    const VkMemoryAllocateInfo allocation = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = &pointer,
        .allocationSize = SIZE_B,
    };
    const VkExternalMemoryBufferCreateInfo external = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO, .handleTypes = type};
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .pNext = &external,
        .size = SIZE_B,
        .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
    };
    memset(import.host, fill, SIZE_B);
    REQUIRE_EQ(vkAllocateMemory(f->dev, &allocation, f->alloc, &import.memory), VK_SUCCESS);
    REQUIRE_EQ(vkCreateBuffer(f->dev, &info, f->alloc, &import.buf), VK_SUCCESS);
    REQUIRE_EQ(vkBindBufferMemory(f->dev, import.buf, import.memory, 0), VK_SUCCESS);
    return import;
}

static void
import_destroy(struct fixture *f, struct import *import)
{
    vkDestroyBuffer(f->dev, import->buf, f->alloc);
    vkFreeMemory(f->dev, import->memory, f->alloc);
    rp_pages_unmap(import->host, SIZE_B);
}

/* Waits for wait_value, when there is one, and signals the next. */
static void
submit(VkQueue queue, VkCommandBuffer cb, VkSemaphore sem, uint64_t wait_value)
{
    const VkSemaphoreSubmitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                        .semaphore = sem,
                                        .value = wait_value,
                                        .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
    VkSemaphoreSubmitInfo signal = wait;
    signal.value++;
    const VkCommandBufferSubmitInfo cbs = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                           .commandBuffer = cb};
    const VkSubmitInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
        .waitSemaphoreInfoCount = wait_value ? 1 : 0,
        .pWaitSemaphoreInfos = &wait,
        .commandBufferInfoCount = 1,
        .pCommandBufferInfos = &cbs,
        .signalSemaphoreInfoCount = 1,
        .pSignalSemaphoreInfos = &signal,
    };
    REQUIRE_EQ(vkQueueSubmit2(queue, 1, &info, VK_NULL_HANDLE), VK_SUCCESS);
}

static VkCommandBuffer
record_upload(struct fixture *f, const struct import *import, const struct test_image *img,
              VkCommandBuffer secondary)
{
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
                                            .pInheritanceInfo = &inheritance};
    const VkBufferImageCopy region = {
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageExtent = {SIDE_PX, SIDE_PX, 1},
    };
    VkCommandBuffer cb = test_cb_create(f, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VkCommandBuffer copies = secondary ? secondary : cb;
    REQUIRE_EQ(vkBeginCommandBuffer(copies, &begin), VK_SUCCESS);
    vkCmdCopyBufferToImage(copies, import->buf, img->handle, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
    REQUIRE_EQ(vkEndCommandBuffer(copies), VK_SUCCESS);
    if (!secondary)
        return cb;
    REQUIRE_EQ(vkBeginCommandBuffer(cb, &begin), VK_SUCCESS);
    vkCmdExecuteCommands(cb, 1, &secondary);
    REQUIRE_EQ(vkEndCommandBuffer(cb), VK_SUCCESS);
    return cb;
}

static void
wait_value(struct fixture *f, VkSemaphore sem, uint64_t value)
{
    const VkSemaphoreWaitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
        .semaphoreCount = 1,
        .pSemaphores = &sem,
        .pValues = &value,
    };
    REQUIRE_EQ(vkWaitSemaphores(f->dev, &info, UINT64_MAX), VK_SUCCESS);
}

/* The upload's queue is idle, but what it waits for is still at work on another one. */
static void
upload_behind_long_work(struct fixture *f, VkCommandBuffer secondary)
{
    if (!vkGetMemoryHostPointerPropertiesEXT)
        return;
    struct import import = import_create(f, 1);
    struct test_image img = test_image_create(f, VK_FORMAT_R8G8B8A8_UNORM, SIDE_PX, SIDE_PX);
    struct test_buffer big = test_buffer_create(f, LONG_B, 0);
    VkSemaphore sem = test_timeline_create(f);

    test_begin(f);
    for (uint32_t i = 0; i < 4; i++)
        vkCmdFillBuffer(f->cb, big.handle, 0, VK_WHOLE_SIZE, i);
    REQUIRE_EQ(vkEndCommandBuffer(f->cb), VK_SUCCESS);
    VkCommandBuffer upload = record_upload(f, &import, &img, secondary);
    submit(f->queue, f->cb, sem, 0);
    submit(f->second_queue, upload, sem, 1);
    memset(import.host, 2, SIZE_B);
    wait_value(f, sem, 2);
    REQUIRE_EQ(img.bytes[0], 1);
    REQUIRE_EQ(img.bytes[SIZE_B - 1], 1);

    REQUIRE_EQ(vkDeviceWaitIdle(f->dev), VK_SUCCESS);
    vkFreeCommandBuffers(f->dev, f->pool, 1, &upload);
    vkDestroySemaphore(f->dev, sem, f->alloc);
    test_buffer_destroy(f, &big);
    test_image_destroy(f, &img);
    import_destroy(f, &import);
}

static void
an_upload_has_read_when_it_is_submitted(struct fixture *f)
{
    upload_behind_long_work(f, VK_NULL_HANDLE);
}

static void
so_has_that_of_a_secondary_command_buffer(struct fixture *f)
{
    VkCommandBuffer secondary = test_cb_create(f, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    upload_behind_long_work(f, secondary);
    vkFreeCommandBuffers(f->dev, f->pool, 1, &secondary);
}

static void
an_upload_that_waits_for_the_host_is_left_alone(struct fixture *f)
{
    if (!vkGetMemoryHostPointerPropertiesEXT)
        return;
    struct import import = import_create(f, 1);
    struct test_image img = test_image_create(f, VK_FORMAT_R8G8B8A8_UNORM, SIDE_PX, SIDE_PX);
    VkSemaphore sem = test_timeline_create(f);
    const VkSemaphoreSignalInfo go = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = sem, .value = 1};

    VkCommandBuffer upload = record_upload(f, &import, &img, VK_NULL_HANDLE);
    submit(f->queue, upload, sem, 1);
    submit(f->second_queue, upload, sem, 2);
    memset(import.host, 3, SIZE_B);
    REQUIRE_EQ(vkSignalSemaphore(f->dev, &go), VK_SUCCESS);
    wait_value(f, sem, 3);
    REQUIRE_EQ(img.bytes[SIZE_B - 1], 3);

    REQUIRE_EQ(vkDeviceWaitIdle(f->dev), VK_SUCCESS);
    vkFreeCommandBuffers(f->dev, f->pool, 1, &upload);
    vkDestroySemaphore(f->dev, sem, f->alloc);
    test_image_destroy(f, &img);
    import_destroy(f, &import);
}

static const struct test_case cases[] = {
    TEST_CASE(an_upload_has_read_when_it_is_submitted),
    TEST_CASE(so_has_that_of_a_secondary_command_buffer),
    TEST_CASE(an_upload_that_waits_for_the_host_is_left_alone),
};
TEST_MAIN(cases)

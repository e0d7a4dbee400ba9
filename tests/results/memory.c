/* SPDX-License-Identifier: MIT */
/* Results of memory, resources and what is shared by file descriptors.
 */
#include "results.h"

#include "platform/pages.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#define SIZE_B 4096u

static VkDeviceMemory
memory_create(struct fixture *f, const void *chain)
{
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .pNext = chain, .allocationSize = SIZE_B};
    VkDeviceMemory memory;
    REQUIRE_EQ(vkAllocateMemory(f->dev, &info, f->alloc, &memory), VK_SUCCESS);
    return memory;
}

static void
more_memory_than_there_is(struct fixture *f)
{
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .allocationSize = UINT64_MAX - 1};
    VkDeviceMemory memory;
    REQUIRE_EQ(vkAllocateMemory(f->dev, &info, f->alloc, &memory), VK_ERROR_OUT_OF_DEVICE_MEMORY);
}

static void
buffer_larger_than_any_memory(struct fixture *f)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = UINT64_MAX,
                                     .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT};
    VkBuffer buffer;
    REQUIRE_EQ(vkCreateBuffer(f->dev, &info, f->alloc, &buffer), VK_ERROR_OUT_OF_DEVICE_MEMORY);
}

static void
image_larger_than_any_memory(struct fixture *f)
{
    VkImageCreateInfo info = test_image_info(VK_FORMAT_R32G32B32A32_SFLOAT, 16384, 16384);
    info.arrayLayers = 2048;
    VkImage image;
    REQUIRE_EQ(vkCreateImage(f->dev, &info, f->alloc, &image), VK_ERROR_OUT_OF_DEVICE_MEMORY);
}

static void
place_where_nothing_can_be(struct fixture *f)
{
    if (!fixture_has_extension(f, VK_EXT_MAP_MEMORY_PLACED_EXTENSION_NAME))
        return;
    VkDeviceMemory memory = memory_create(f, NULL);
    const VkMemoryMapPlacedInfoEXT placed = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_MAP_PLACED_INFO_EXT,
        .pPlacedAddress = (void *)(0 - (uintptr_t)rp_page_B()), /* the kernel's */
    };
    const VkMemoryMapInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_MAP_INFO,
                                  .pNext = &placed,
                                  .flags = VK_MEMORY_MAP_PLACED_BIT_EXT,
                                  .memory = memory,
                                  .size = VK_WHOLE_SIZE};
    void *data;
    REQUIRE_EQ(vkMapMemory2(f->dev, &info, &data), VK_ERROR_MEMORY_MAP_FAILED);
    vkFreeMemory(f->dev, memory, f->alloc);
}

/* A file that nobody but its owner knows. */
static int
foreign_fd(void)
{
    const int fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    REQUIRE(fd >= 0);
    return fd;
}

static void
memory_of_a_foreign_file(struct fixture *f)
{
    const VkImportMemoryFdInfoKHR import = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
        .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
        .fd = foreign_fd(),
    };
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .pNext = &import,
                                       .allocationSize = SIZE_B};
    VkDeviceMemory memory;
    REQUIRE_EQ(vkAllocateMemory(f->dev, &info, f->alloc, &memory),
               VK_ERROR_INVALID_EXTERNAL_HANDLE);
    close(import.fd); /* still ours */
}

static void
properties_of_a_foreign_file(struct fixture *f)
{
    const int fd = foreign_fd();
    VkMemoryFdPropertiesKHR out = {.sType = VK_STRUCTURE_TYPE_MEMORY_FD_PROPERTIES_KHR};
    REQUIRE_EQ(vkGetMemoryFdPropertiesKHR(f->dev, VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT,
                                          fd, &out),
               VK_ERROR_INVALID_EXTERNAL_HANDLE);
    close(fd);
}

static void
fence_of_a_foreign_file(struct fixture *f)
{
    const VkImportFenceFdInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_FENCE_FD_INFO_KHR,
        .fence = f->fence,
        .handleType = VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT,
        .fd = foreign_fd(),
    };
    REQUIRE_EQ(vkImportFenceFdKHR(f->dev, &info), VK_ERROR_INVALID_EXTERNAL_HANDLE);
    close(info.fd);
}

static VkSemaphore
semaphore_create(struct fixture *f)
{
    const VkExportSemaphoreCreateInfo export = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
        .handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT};
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                        .pNext = &export};
    VkSemaphore semaphore;
    REQUIRE_EQ(vkCreateSemaphore(f->dev, &info, f->alloc, &semaphore), VK_SUCCESS);
    return semaphore;
}

static void
semaphore_of_a_foreign_file(struct fixture *f)
{
    VkSemaphore semaphore = semaphore_create(f);
    const VkImportSemaphoreFdInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR,
        .semaphore = semaphore,
        .handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
        .fd = foreign_fd(),
    };
    REQUIRE_EQ(vkImportSemaphoreFdKHR(f->dev, &info), VK_ERROR_INVALID_EXTERNAL_HANDLE);
    close(info.fd);
    vkDestroySemaphore(f->dev, semaphore, f->alloc);
}

/* The process may have no further file; what it has stays open. */
static rlim_t
files_forbid(void)
{
    struct rlimit limit;
    REQUIRE_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
    const rlim_t before = limit.rlim_cur;
    limit.rlim_cur = 0;
    REQUIRE_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
    return before;
}

static void
files_allow(rlim_t before)
{
    struct rlimit limit;
    REQUIRE_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = before;
    REQUIRE_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

static void
no_file_for_memory(struct fixture *f)
{
    const VkExportMemoryAllocateInfo export = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
        .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    VkDeviceMemory memory = memory_create(f, &export);
    const VkMemoryGetFdInfoKHR info = {.sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR,
                                       .memory = memory,
                                       .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    int fd;
    const rlim_t before = files_forbid();
    REQUIRE_EQ(vkGetMemoryFdKHR(f->dev, &info, &fd), VK_ERROR_TOO_MANY_OBJECTS);
    files_allow(before);
    vkFreeMemory(f->dev, memory, f->alloc);
}

static void
no_file_for_a_fence(struct fixture *f)
{
    const VkExportFenceCreateInfo export = {.sType = VK_STRUCTURE_TYPE_EXPORT_FENCE_CREATE_INFO,
                                            .handleTypes =
                                                VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT};
    const VkFenceCreateInfo create = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
                                      .pNext = &export};
    VkFence fence;
    REQUIRE_EQ(vkCreateFence(f->dev, &create, f->alloc, &fence), VK_SUCCESS);
    const VkFenceGetFdInfoKHR info = {.sType = VK_STRUCTURE_TYPE_FENCE_GET_FD_INFO_KHR,
                                      .fence = fence,
                                      .handleType = VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT};
    int fd;
    const rlim_t before = files_forbid();
    REQUIRE_EQ(vkGetFenceFdKHR(f->dev, &info, &fd), VK_ERROR_TOO_MANY_OBJECTS);
    files_allow(before);
    vkDestroyFence(f->dev, fence, f->alloc);
}

static void
no_file_for_a_semaphore(struct fixture *f)
{
    VkSemaphore semaphore = semaphore_create(f);
    const VkSemaphoreGetFdInfoKHR info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR,
                                          .semaphore = semaphore,
                                          .handleType =
                                              VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT};
    int fd;
    const rlim_t before = files_forbid();
    REQUIRE_EQ(vkGetSemaphoreFdKHR(f->dev, &info, &fd), VK_ERROR_TOO_MANY_OBJECTS);
    files_allow(before);
    vkDestroySemaphore(f->dev, semaphore, f->alloc);
}

static void
memory_at_a_taken_address(struct fixture *f)
{
    VkMemoryOpaqueCaptureAddressAllocateInfo at = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_OPAQUE_CAPTURE_ADDRESS_ALLOCATE_INFO};
    const VkMemoryAllocateFlagsInfo flags = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
        .pNext = &at,
        .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT |
                 VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT,
    };
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .pNext = &flags, .allocationSize = 4096};
    VkDeviceMemoryOpaqueCaptureAddressInfo asked = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_OPAQUE_CAPTURE_ADDRESS_INFO};
    VkDeviceMemory second;

    REQUIRE_EQ(vkAllocateMemory(f->dev, &info, f->alloc, &asked.memory), VK_SUCCESS);
    at.opaqueCaptureAddress = vkGetDeviceMemoryOpaqueCaptureAddress(f->dev, &asked);
    REQUIRE_EQ(vkAllocateMemory(f->dev, &info, f->alloc, &second),
               VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS);
    vkFreeMemory(f->dev, asked.memory, f->alloc);
}

static const struct result_row rows[] = {
    {"AllocateMemory", VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS, memory_at_a_taken_address, NULL},
    {"AllocateMemory", VK_ERROR_OUT_OF_DEVICE_MEMORY, more_memory_than_there_is, NULL},
    {"CreateBuffer", VK_ERROR_OUT_OF_DEVICE_MEMORY, buffer_larger_than_any_memory, NULL},
    {"CreateImage", VK_ERROR_OUT_OF_DEVICE_MEMORY, image_larger_than_any_memory, NULL},
    {"MapMemory2", VK_ERROR_MEMORY_MAP_FAILED, place_where_nothing_can_be, NULL},
    {"AllocateMemory", VK_ERROR_INVALID_EXTERNAL_HANDLE, memory_of_a_foreign_file, NULL},
    {"GetMemoryFdPropertiesKHR", VK_ERROR_INVALID_EXTERNAL_HANDLE, properties_of_a_foreign_file,
     NULL},
    {"ImportFenceFdKHR", VK_ERROR_INVALID_EXTERNAL_HANDLE, fence_of_a_foreign_file, NULL},
    {"ImportSemaphoreFdKHR", VK_ERROR_INVALID_EXTERNAL_HANDLE, semaphore_of_a_foreign_file, NULL},
    {"GetMemoryFdKHR", VK_ERROR_TOO_MANY_OBJECTS, no_file_for_memory, NULL},
    {"GetFenceFdKHR", VK_ERROR_TOO_MANY_OBJECTS, no_file_for_a_fence, NULL},
    {"GetSemaphoreFdKHR", VK_ERROR_TOO_MANY_OBJECTS, no_file_for_a_semaphore, NULL},
};

const struct result_table result_memory = {rows, sizeof(rows) / sizeof(rows[0])};

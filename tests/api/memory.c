/* SPDX-License-Identifier: MIT */
/* Device memory: limits, mapping, imports and exports, private data.
 */
#include "fixture.h"

#include <sys/mman.h>
#include <unistd.h>

static VkResult
allocate(struct fixture *f, VkDeviceSize size_B, const void *next, VkDeviceMemory *out)
{
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .pNext = next, .allocationSize = size_B};
    return vkAllocateMemory(f->dev, &info, f->alloc, out);
}

static uint8_t *
map(struct fixture *f, VkDeviceMemory memory, VkDeviceSize offset_B)
{
    void *host;
    REQUIRE_EQ(vkMapMemory(f->dev, memory, offset_B, VK_WHOLE_SIZE, 0, &host), VK_SUCCESS);
    return host;
}

static void
memory_is_zero_and_stays_mapped_in_place(struct fixture *f)
{
    VkDeviceMemory memory;
    REQUIRE_EQ(allocate(f, 5 << 20, NULL, &memory), VK_SUCCESS);

    uint8_t *host = map(f, memory, 0);
    for (uint32_t i = 0; i < 5u << 20; i += 997)
        REQUIRE_EQ(host[i], 0);
    host[4097] = 9;
    vkUnmapMemory(f->dev, memory);
    REQUIRE_EQ(*map(f, memory, 4097), 9);
    vkFreeMemory(f->dev, memory, f->alloc);
}

static void
memory_is_mapped_where_the_application_wants_it(struct fixture *f)
{
    const size_t page_B = (size_t)sysconf(_SC_PAGESIZE);
    const size_t size_B = 3 * page_B;
    uint8_t *where = mmap(NULL, size_B, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(where != MAP_FAILED);
    VkDeviceMemory memory;
    REQUIRE_EQ(allocate(f, 4 * page_B, NULL, &memory), VK_SUCCESS);
    const VkMemoryMapPlacedInfoEXT placed = {.sType = VK_STRUCTURE_TYPE_MEMORY_MAP_PLACED_INFO_EXT,
                                             .pPlacedAddress = where};
    const VkMemoryMapInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_MAP_INFO,
        .pNext = &placed,
        .flags = VK_MEMORY_MAP_PLACED_BIT_EXT,
        .memory = memory,
        .offset = page_B,
        .size = size_B,
    };
    const VkMemoryUnmapInfo unmap = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_UNMAP_INFO,
        .flags = VK_MEMORY_UNMAP_RESERVE_BIT_EXT,
        .memory = memory,
    };
    void *host;

    for (uint8_t round = 1; round < 3; round++) {
        REQUIRE_EQ(vkMapMemory2(f->dev, &info, &host), VK_SUCCESS);
        REQUIRE(host == where);
        REQUIRE_EQ(where[5], round - 1);
        where[5] = round;
        REQUIRE_EQ(vkUnmapMemory2(f->dev, &unmap), VK_SUCCESS);
    }
    REQUIRE_EQ(map(f, memory, page_B)[5], 2);
    vkFreeMemory(f->dev, memory, f->alloc);
    munmap(where, size_B);
}

static void
more_than_the_heap_is_refused(struct fixture *f)
{
    VkPhysicalDeviceMemoryProperties properties;
    vkGetPhysicalDeviceMemoryProperties(f->pdev, &properties);
    REQUIRE_EQ(properties.memoryHeapCount, 1);
    REQUIRE(properties.memoryHeaps[0].size - 1 <= PTRDIFF_MAX); /* pointers reach all of it */
    const VkDeviceSize sizes[] = {properties.memoryHeaps[0].size + 1,
                                  properties.memoryHeaps[0].size * 4, UINT64_MAX / 2,
                                  UINT64_MAX - 5, UINT64_MAX};
    VkDeviceMemory memory;

    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        REQUIRE_EQ(allocate(f, sizes[i], NULL, &memory), VK_ERROR_OUT_OF_DEVICE_MEMORY);
    REQUIRE_EQ(allocate(f, 64, NULL, &memory), VK_SUCCESS);
    vkFreeMemory(f->dev, memory, f->alloc);
}

/* Many halves of the heap: the sum is what counts. */
static void
the_sum_of_allocations_is_limited(struct fixture *f)
{
    VkPhysicalDeviceMemoryProperties properties;
    VkDeviceMemory memories[64];
    uint32_t count = 0;
    VkResult result = VK_SUCCESS;
    vkGetPhysicalDeviceMemoryProperties(f->pdev, &properties);

    while (count < 64 && result == VK_SUCCESS) {
        result = allocate(f, properties.memoryHeaps[0].size / 16, NULL, &memories[count]);
        count += result == VK_SUCCESS;
    }
    REQUIRE_EQ(result, VK_ERROR_OUT_OF_DEVICE_MEMORY);
    REQUIRE(count <= 16);
    while (count)
        vkFreeMemory(f->dev, memories[--count], f->alloc);
}

static void
absurd_resources_are_refused(struct fixture *f)
{
    VkBufferCreateInfo buffer = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = UINT64_MAX,
        .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT,
    };
    VkBuffer buf;
    VkImageCreateInfo image =
        test_image_info(VK_FORMAT_R32G32B32A32_SFLOAT, UINT32_MAX, UINT32_MAX);
    VkImage img;

    REQUIRE_EQ(vkCreateBuffer(f->dev, &buffer, f->alloc, &buf), VK_ERROR_OUT_OF_DEVICE_MEMORY);
    image.arrayLayers = UINT32_MAX;
    REQUIRE_EQ(vkCreateImage(f->dev, &image, f->alloc, &img), VK_ERROR_OUT_OF_DEVICE_MEMORY);
}

static void
the_applications_memory_is_used_in_place(struct fixture *f)
{
    if (!vkGetMemoryHostPointerPropertiesEXT)
        return;
    const size_t size_B = 3 * 4096;
    uint8_t *host = mmap(NULL, size_B, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(host != MAP_FAILED);
    const VkExternalMemoryHandleTypeFlagBits type =
        VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
    VkMemoryHostPointerPropertiesEXT properties = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
    REQUIRE_EQ(vkGetMemoryHostPointerPropertiesEXT(f->dev, type, host, &properties), VK_SUCCESS);
    REQUIRE_EQ(properties.memoryTypeBits, 1);
    const VkImportMemoryHostPointerInfoEXT import = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT,
        .handleType = type,
        .pHostPointer = host,
    };
    const VkExternalMemoryBufferCreateInfo external = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO, .handleTypes = type};
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .pNext = &external,
        .size = size_B,
        .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT,
    };
    VkDeviceMemory memory;
    VkBuffer buf;
    REQUIRE_EQ(allocate(f, size_B, &import, &memory), VK_SUCCESS);
    REQUIRE_EQ(vkCreateBuffer(f->dev, &info, f->alloc, &buf), VK_SUCCESS);
    REQUIRE_EQ(vkBindBufferMemory(f->dev, buf, memory, 0), VK_SUCCESS);

    test_begin(f);
    vkCmdFillBuffer(f->cb, buf, 0, VK_WHOLE_SIZE, 0x31323334);
    test_submit_and_wait(f);

    REQUIRE_EQ(host[0], 0x34);
    REQUIRE_EQ(host[size_B - 1], 0x31);
    vkDestroyBuffer(f->dev, buf, f->alloc);
    vkFreeMemory(f->dev, memory, f->alloc);
    munmap(host, size_B);
}

static void
memory_crosses_by_file_descriptor(struct fixture *f)
{
    if (!vkGetMemoryFdKHR)
        return;
    const VkExternalMemoryHandleTypeFlagBits type = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
    const VkExportMemoryAllocateInfo exported = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO, .handleTypes = type};
    VkImportMemoryFdInfoKHR import = {.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
                                      .handleType = type};
    VkDeviceMemory from, to;
    REQUIRE_EQ(allocate(f, 10000, &exported, &from), VK_SUCCESS);
    const VkMemoryGetFdInfoKHR get = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR, .memory = from, .handleType = type};

    REQUIRE_EQ(vkGetMemoryFdKHR(f->dev, &get, &import.fd), VK_SUCCESS);
    REQUIRE_EQ(allocate(f, 10000, &import, &to), VK_SUCCESS); /* owns the descriptor now */
    map(f, from, 0)[9999] = 42;
    REQUIRE_EQ(map(f, to, 0)[9999], 42);

    vkFreeMemory(f->dev, from, f->alloc);
    REQUIRE_EQ(map(f, to, 0)[9999], 42);
    vkFreeMemory(f->dev, to, f->alloc);
}

/* What validation layers make of memory that was freed. */
static void
memory_of_null_has_nothing_to_give(struct fixture *f)
{
    const VkMemoryGetFdInfoKHR get = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR,
        .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
    };
    const VkDeviceMemoryOpaqueCaptureAddressInfo address = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_OPAQUE_CAPTURE_ADDRESS_INFO};
    VkDeviceSize size_B = 1;
    void *host;
    int fd;

    REQUIRE_EQ(vkMapMemory(f->dev, VK_NULL_HANDLE, 0, VK_WHOLE_SIZE, 0, &host),
               VK_ERROR_MEMORY_MAP_FAILED);
    vkUnmapMemory(f->dev, VK_NULL_HANDLE);
    vkGetDeviceMemoryCommitment(f->dev, VK_NULL_HANDLE, &size_B);
    REQUIRE_EQ(size_B, 0);
    REQUIRE_EQ(vkGetDeviceMemoryOpaqueCaptureAddress(f->dev, &address), 0);
    if (vkGetMemoryFdKHR)
        REQUIRE_EQ(vkGetMemoryFdKHR(f->dev, &get, &fd), VK_ERROR_OUT_OF_HOST_MEMORY);
}

static void
foreign_descriptors_are_refused(struct fixture *f)
{
    if (!vkGetMemoryFdKHR)
        return;
    VkDeviceMemory memory;
    VkImportMemoryFdInfoKHR import = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
        .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
    };
    int fds[2];
    REQUIRE_EQ(pipe(fds), 0);

    import.fd = fds[0];
    REQUIRE_EQ(allocate(f, 4096, &import, &memory), VK_ERROR_INVALID_EXTERNAL_HANDLE);
    import.fd = -1;
    REQUIRE_EQ(allocate(f, 4096, &import, &memory), VK_ERROR_INVALID_EXTERNAL_HANDLE);
    /* A memfd that may shrink would take pages away from under us. */
    import.fd = memfd_create("test", 0);
    REQUIRE_EQ(ftruncate(import.fd, 4096), 0);
    REQUIRE_EQ(allocate(f, 4096, &import, &memory), VK_ERROR_INVALID_EXTERNAL_HANDLE);
    close(import.fd);
    close(fds[0]);
    close(fds[1]);
}

/* Only a kernel with udmabuf makes dma-bufs for us. */
static void
memory_becomes_a_dma_buf(struct fixture *f)
{
    const VkExternalMemoryHandleTypeFlagBits type = VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT;
    const VkPhysicalDeviceExternalBufferInfo query = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO,
        .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT,
        .handleType = type,
    };
    VkExternalBufferProperties properties = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES};
    vkGetPhysicalDeviceExternalBufferProperties(f->pdev, &query, &properties);
    if (!(properties.externalMemoryProperties.externalMemoryFeatures &
          VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT))
        return;
    const VkExportMemoryAllocateInfo exported = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO, .handleTypes = type};
    VkImportMemoryFdInfoKHR import = {.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
                                      .handleType = type};
    VkMemoryFdPropertiesKHR fd_properties = {.sType = VK_STRUCTURE_TYPE_MEMORY_FD_PROPERTIES_KHR};
    VkDeviceMemory from, to;
    REQUIRE_EQ(allocate(f, 8192, &exported, &from), VK_SUCCESS);
    const VkMemoryGetFdInfoKHR get = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR, .memory = from, .handleType = type};

    REQUIRE_EQ(vkGetMemoryFdKHR(f->dev, &get, &import.fd), VK_SUCCESS);
    REQUIRE_EQ(vkGetMemoryFdPropertiesKHR(f->dev, type, import.fd, &fd_properties), VK_SUCCESS);
    REQUIRE_EQ(fd_properties.memoryTypeBits, 1);
    REQUIRE_EQ(allocate(f, 8192, &import, &to), VK_SUCCESS);
    map(f, from, 0)[8191] = 42;
    test_begin(f); /* a submission with an imported dma-buf about */
    test_submit_and_wait(f);
    REQUIRE_EQ(map(f, to, 0)[8191], 42);
    vkFreeMemory(f->dev, to, f->alloc);
    vkFreeMemory(f->dev, from, f->alloc);
}

static void
requirements_know_sizes_before_creation(struct fixture *f)
{
    VkImageCreateInfo info = test_image_info(VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, 322, 182);
    const VkDeviceImageMemoryRequirements query = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_IMAGE_MEMORY_REQUIREMENTS, .pCreateInfo = &info};
    VkMemoryRequirements2 before = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    VkMemoryRequirements after;
    VkImage img;

    vkGetDeviceImageMemoryRequirements(f->dev, &query, &before);
    REQUIRE_EQ(vkCreateImage(f->dev, &info, f->alloc, &img), VK_SUCCESS);
    vkGetImageMemoryRequirements(f->dev, img, &after);

    REQUIRE_BYTES(&after, &before.memoryRequirements, sizeof(after));
    REQUIRE(after.size >= 322 * 182 + 161 * 91 * 2);
    REQUIRE_EQ(after.memoryTypeBits, 1);
    vkDestroyImage(f->dev, img, f->alloc);
}

static void
disjoint_planes_have_memory_of_their_own(struct fixture *f)
{
    VkImageCreateInfo info = test_image_info(VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, 64, 64);
    info.flags = VK_IMAGE_CREATE_DISJOINT_BIT | VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
    VkImage img;
    REQUIRE_EQ(vkCreateImage(f->dev, &info, f->alloc, &img), VK_SUCCESS);
    VkDeviceMemory memories[2];
    VkBindImagePlaneMemoryInfo planes[2];
    VkBindImageMemoryInfo binds[2];
    for (uint32_t i = 0; i < 2; i++) {
        const VkImageAspectFlagBits aspect = VK_IMAGE_ASPECT_PLANE_0_BIT << i;
        const VkImagePlaneMemoryRequirementsInfo plane = {
            .sType = VK_STRUCTURE_TYPE_IMAGE_PLANE_MEMORY_REQUIREMENTS_INFO, .planeAspect = aspect};
        const VkImageMemoryRequirementsInfo2 query = {
            .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2,
            .pNext = &plane,
            .image = img,
        };
        VkMemoryRequirements2 needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
        vkGetImageMemoryRequirements2(f->dev, &query, &needs);
        REQUIRE_EQ(needs.memoryRequirements.size, i ? 64 * 32 : 64 * 64);
        REQUIRE_EQ(allocate(f, needs.memoryRequirements.size, NULL, &memories[i]), VK_SUCCESS);
        planes[i] = (VkBindImagePlaneMemoryInfo){
            .sType = VK_STRUCTURE_TYPE_BIND_IMAGE_PLANE_MEMORY_INFO, .planeAspect = aspect};
        binds[i] = (VkBindImageMemoryInfo){
            .sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO,
            .pNext = &planes[i],
            .image = img,
            .memory = memories[i],
        };
    }
    REQUIRE_EQ(vkBindImageMemory2(f->dev, 2, binds), VK_SUCCESS);
    struct test_buffer src = test_buffer_create(f, 64 * 32, 0x66);
    const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_PLANE_1_BIT, 0, 0, 1},
                                      .imageExtent = {32, 32, 1}};

    test_begin(f);
    vkCmdCopyBufferToImage(f->cb, src.handle, img, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
    test_submit_and_wait(f);

    REQUIRE_BYTES(map(f, memories[1], 0), src.bytes, 64 * 32);
    REQUIRE_EQ(map(f, memories[0], 0)[0], 0);
    vkDestroyImage(f->dev, img, f->alloc);
    for (uint32_t i = 0; i < 2; i++)
        vkFreeMemory(f->dev, memories[i], f->alloc);
    test_buffer_destroy(f, &src);
}

static void
the_device_address_is_where_the_bytes_are(struct fixture *f)
{
    struct test_buffer buf = test_buffer_create(f, 256, 0x3c);
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                            .buffer = buf.handle};
    REQUIRE_EQ(vkGetBufferDeviceAddress(f->dev, &info), (uintptr_t)buf.bytes);
    test_buffer_destroy(f, &buf);
}

static void
private_data_ends_with_its_object(struct fixture *f)
{
    const VkPrivateDataSlotCreateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO};
    VkPrivateDataSlot slots[2];
    uint64_t value;
    for (int i = 0; i < 2; i++)
        REQUIRE_EQ(vkCreatePrivateDataSlot(f->dev, &info, f->alloc, &slots[i]), VK_SUCCESS);

    for (int round = 0; round < 3; round++) {
        struct test_buffer buf = test_buffer_create(f, 64, 0);
        const uint64_t handle = (uint64_t)(uintptr_t)buf.handle;
        vkGetPrivateData(f->dev, VK_OBJECT_TYPE_BUFFER, handle, slots[0], &value);
        REQUIRE_EQ(value, 0);
        REQUIRE_EQ(vkSetPrivateData(f->dev, VK_OBJECT_TYPE_BUFFER, handle, slots[0], 77),
                   VK_SUCCESS);
        vkGetPrivateData(f->dev, VK_OBJECT_TYPE_BUFFER, handle, slots[0], &value);
        REQUIRE_EQ(value, 77);
        vkGetPrivateData(f->dev, VK_OBJECT_TYPE_BUFFER, handle, slots[1], &value);
        REQUIRE_EQ(value, 0);
        test_buffer_destroy(f, &buf);
    }
    for (int i = 0; i < 2; i++)
        vkDestroyPrivateDataSlot(f->dev, slots[i], f->alloc);
}

static const struct test_case cases[] = {
    TEST_CASE(memory_is_zero_and_stays_mapped_in_place),
    TEST_CASE(memory_is_mapped_where_the_application_wants_it),
    TEST_CASE(more_than_the_heap_is_refused),
    TEST_CASE(the_sum_of_allocations_is_limited),
    TEST_CASE(absurd_resources_are_refused),
    TEST_CASE(the_applications_memory_is_used_in_place),
    TEST_CASE(memory_crosses_by_file_descriptor),
    TEST_CASE(memory_of_null_has_nothing_to_give),
    TEST_CASE(foreign_descriptors_are_refused),
    TEST_CASE(memory_becomes_a_dma_buf),
    TEST_CASE(requirements_know_sizes_before_creation),
    TEST_CASE(disjoint_planes_have_memory_of_their_own),
    TEST_CASE(the_device_address_is_where_the_bytes_are),
    TEST_CASE(private_data_ends_with_its_object),
};
TEST_MAIN(cases)

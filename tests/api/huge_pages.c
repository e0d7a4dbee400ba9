/* SPDX-License-Identifier: MIT */
/* Huge pages are asked for where memory is used densely: a table of hundreds of MiB of which a
 * program touches a few bytes here and there must not become resident as a whole.
 */
#include "fixture.h"

#include <stdbool.h>
#include <unistd.h>

#define LARGE_B (UINT64_C(512) << 20)
#define HUGE_B (UINT64_C(2) << 20)

/* Ends the program as skipped where the kernel has no huge pages, or does not tell. */
static bool
is_told(const void *page)
{
    FILE *maps = fopen("/proc/self/smaps", "r");
    char line[1024];
    bool is_here = false;
    bool found = false;
    if (!maps || access("/sys/kernel/mm/transparent_hugepage/enabled", R_OK) != 0)
        exit(TEST_SKIPPED);
    while (fgets(line, sizeof(line), maps)) {
        unsigned long long from;
        unsigned long long to;
        if (sscanf(line, "%llx-%llx ", &from, &to) == 2)
            is_here = from <= (uintptr_t)page && (uintptr_t)page < to;
        else if (is_here && strncmp(line, "VmFlags:", 8) == 0)
            found = strstr(line, " hg") != NULL;
    }
    (void)fclose(maps);
    return found;
}

/* A buffer with as much memory, which is not mapped; its address is where the bytes are. */
static VkDeviceMemory
large_buffer(struct fixture *f, VkBuffer *buf, uint8_t **host)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = LARGE_B,
                                     .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                              VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT};
    const VkMemoryAllocateInfo memory_info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                              .allocationSize = LARGE_B};
    VkBufferDeviceAddressInfo address = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO};
    VkDeviceMemory memory;
    REQUIRE_EQ(vkCreateBuffer(f->dev, &info, NULL, buf), VK_SUCCESS);
    REQUIRE_EQ(vkAllocateMemory(f->dev, &memory_info, NULL, &memory), VK_SUCCESS);
    REQUIRE_EQ(vkBindBufferMemory(f->dev, *buf, memory, 0), VK_SUCCESS);
    address.buffer = *buf;
    *host = (uint8_t *)(uintptr_t)vkGetBufferDeviceAddress(f->dev, &address);
    return memory;
}

static void
large_memory_has_huge_pages_where_commands_fill_it(struct fixture *f)
{
    VkBuffer buf;
    uint8_t *host;
    VkDeviceMemory memory = large_buffer(f, &buf, &host);
    REQUIRE(!is_told(host));
    REQUIRE(!is_told(host + LARGE_B / 2));

    const VkBufferCopy copy = {0, 64 * HUGE_B, 3 * HUGE_B};
    test_begin(f);
    vkCmdFillBuffer(f->cb, buf, 16 * HUGE_B - 4, 2 * HUGE_B + 4, 7);
    vkCmdFillBuffer(f->cb, buf, 32 * HUGE_B + 4, HUGE_B, 7); /* no whole huge page */
    vkCmdCopyBuffer(f->cb, buf, buf, 1, &copy);
    test_submit_and_wait(f);
    REQUIRE(!is_told(host + 15 * HUGE_B));
    REQUIRE(is_told(host + 16 * HUGE_B) && is_told(host + 17 * HUGE_B));
    REQUIRE(!is_told(host + 18 * HUGE_B));
    REQUIRE(!is_told(host + 32 * HUGE_B) && !is_told(host + 33 * HUGE_B));
    REQUIRE(is_told(host + 64 * HUGE_B) && is_told(host + 66 * HUGE_B));

    vkDestroyBuffer(f->dev, buf, NULL);
    vkFreeMemory(f->dev, memory, NULL);
}

/* As an allocator parts its blocks. */
static void
large_memory_has_huge_pages_below_images_and_small_buffers(struct fixture *f)
{
    VkBuffer table;
    uint8_t *host;
    VkDeviceMemory memory = large_buffer(f, &table, &host);
    const VkImageCreateInfo image_info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = VK_FORMAT_R32_UINT,
        .extent = {1024, 1024, 1}, /* 4 MiB */
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT,
    };
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = 2 * HUGE_B,
                                     .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkImage image;
    VkBuffer small;
    REQUIRE_EQ(vkCreateImage(f->dev, &image_info, NULL, &image), VK_SUCCESS);
    REQUIRE_EQ(vkCreateBuffer(f->dev, &info, NULL, &small), VK_SUCCESS);
    REQUIRE_EQ(vkBindImageMemory(f->dev, image, memory, 8 * HUGE_B), VK_SUCCESS);
    REQUIRE_EQ(vkBindBufferMemory(f->dev, small, memory, 20 * HUGE_B), VK_SUCCESS);
    REQUIRE(!is_told(host));
    REQUIRE(is_told(host + 8 * HUGE_B) && is_told(host + 9 * HUGE_B));
    REQUIRE(!is_told(host + 12 * HUGE_B));
    REQUIRE(is_told(host + 20 * HUGE_B) && is_told(host + 21 * HUGE_B));
    REQUIRE(!is_told(host + 22 * HUGE_B));

    vkDestroyBuffer(f->dev, small, NULL);
    vkDestroyImage(f->dev, image, NULL);
    vkDestroyBuffer(f->dev, table, NULL);
    vkFreeMemory(f->dev, memory, NULL);
}

static void
large_memory_has_huge_pages_where_it_is_mapped(struct fixture *f)
{
    VkBuffer buf;
    uint8_t *host;
    void *mapped;
    VkDeviceMemory memory = large_buffer(f, &buf, &host);
    REQUIRE_EQ(vkMapMemory(f->dev, memory, 8 * HUGE_B, 4 * HUGE_B, 0, &mapped), VK_SUCCESS);
    REQUIRE(mapped == host + 8 * HUGE_B);
    REQUIRE(!is_told(host + 7 * HUGE_B));
    REQUIRE(is_told(mapped) && is_told(host + 11 * HUGE_B));
    REQUIRE(!is_told(host + 12 * HUGE_B));
    vkDestroyBuffer(f->dev, buf, NULL);
    vkFreeMemory(f->dev, memory, NULL);
}

static uint8_t *
mapped_memory(struct fixture *f, uint64_t size_B, VkDeviceMemory *memory)
{
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .allocationSize = size_B};
    void *host;
    REQUIRE_EQ(vkAllocateMemory(f->dev, &info, NULL, memory), VK_SUCCESS);
    REQUIRE_EQ(vkMapMemory(f->dev, *memory, 0, VK_WHOLE_SIZE, 0, &host), VK_SUCCESS);
    return host;
}

/* A block of an allocator is filled from its beginning, often with a few KiB. */
static void
other_memory_has_huge_pages_but_at_the_beginning_of_blocks(struct fixture *f)
{
    VkDeviceMemory memory;
    const uint8_t *host = mapped_memory(f, 16 * HUGE_B, &memory);
    REQUIRE(!is_told(host));
    REQUIRE(is_told(host + HUGE_B));
    REQUIRE(is_told(host + 15 * HUGE_B));
    vkFreeMemory(f->dev, memory, NULL);

    host = mapped_memory(f, 3 * HUGE_B, &memory);
    REQUIRE(is_told(host));
    REQUIRE(is_told(host + 2 * HUGE_B));
    vkFreeMemory(f->dev, memory, NULL);
}

static const struct test_case cases[] = {
    TEST_CASE(large_memory_has_huge_pages_where_commands_fill_it),
    TEST_CASE(large_memory_has_huge_pages_below_images_and_small_buffers),
    TEST_CASE(large_memory_has_huge_pages_where_it_is_mapped),
    TEST_CASE(other_memory_has_huge_pages_but_at_the_beginning_of_blocks),
};

TEST_MAIN(cases)

/* SPDX-License-Identifier: MIT */
/* Pages of 64 KiB: limits say so, memory of any size is mapped, placed, exported and unmapped in
 * whole ones, and nothing of it stays.
 */
#include "../oom/scenario.h"

#include "test.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE_B ((size_t)1 << 16)

static long (*refused_count)(void);

static void
limits_are_those_of_the_pages(VkPhysicalDevice pdev)
{
    VkPhysicalDeviceMapMemoryPlacedPropertiesEXT placed = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAP_MEMORY_PLACED_PROPERTIES_EXT};
    VkPhysicalDeviceExternalMemoryHostPropertiesEXT host = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT,
        .pNext = &placed};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &host};
    vkGetPhysicalDeviceProperties2(pdev, &properties);
    REQUIRE_EQ(properties.properties.limits.minMemoryMapAlignment, PAGE_B);
    REQUIRE_EQ(placed.minPlacedMemoryMapAlignment, PAGE_B);
    REQUIRE_EQ(host.minImportedHostPointerAlignment, PAGE_B);
}

static VkDevice
device_create(VkPhysicalDevice pdev)
{
    static const char *const extensions[] = {VK_KHR_MAP_MEMORY_2_EXTENSION_NAME,
                                             VK_EXT_MAP_MEMORY_PLACED_EXTENSION_NAME,
                                             VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME};
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    VkPhysicalDeviceMapMemoryPlacedFeaturesEXT placed = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAP_MEMORY_PLACED_FEATURES_EXT,
        .memoryMapPlaced = VK_TRUE,
        .memoryUnmapReserve = VK_TRUE};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &placed,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount =
                                         sizeof(extensions) / sizeof(extensions[0]),
                                     .ppEnabledExtensionNames = extensions};
    VkDevice dev;
    REQUIRE_EQ(vkCreateDevice(pdev, &info, NULL, &dev), VK_SUCCESS);
    vk_functions_load_device(dev);
    return dev;
}

static VkDeviceMemory
allocate(VkDevice dev, VkDeviceSize size_B, const void *next)
{
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .pNext = next, .allocationSize = size_B};
    VkDeviceMemory memory;
    REQUIRE_EQ(vkAllocateMemory(dev, &info, NULL, &memory), VK_SUCCESS);
    return memory;
}

static void
any_size_is_whole_pages(VkDevice dev)
{
    static const VkDeviceSize sizes[] = {1, 4096, PAGE_B + 1, (3 << 20) + 4096, (40 << 20) + 1};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        const VkDeviceMemory memory = allocate(dev, sizes[i], NULL);
        void *host;
        REQUIRE_EQ(vkMapMemory(dev, memory, 0, VK_WHOLE_SIZE, 0, &host), VK_SUCCESS);
        memset(host, 1, sizes[i]);
        vkFreeMemory(dev, memory, NULL);
    }
}

static void
memory_is_placed_in_whole_pages(VkDevice dev, uint8_t *where)
{
    const VkDeviceMemory memory = allocate(dev, 2 * PAGE_B + 100, NULL);
    const VkMemoryMapPlacedInfoEXT placed = {.sType = VK_STRUCTURE_TYPE_MEMORY_MAP_PLACED_INFO_EXT,
                                             .pPlacedAddress = where};
    const VkMemoryMapInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_MAP_INFO,
                                  .pNext = &placed,
                                  .flags = VK_MEMORY_MAP_PLACED_BIT_EXT,
                                  .memory = memory,
                                  .offset = PAGE_B,
                                  .size = VK_WHOLE_SIZE};
    const VkMemoryUnmapInfo unmap = {.sType = VK_STRUCTURE_TYPE_MEMORY_UNMAP_INFO,
                                     .flags = VK_MEMORY_UNMAP_RESERVE_BIT_EXT,
                                     .memory = memory};
    void *host;
    REQUIRE_EQ(vkMapMemory2KHR(dev, &info, &host), VK_SUCCESS);
    REQUIRE(host == where);
    memset(host, 7, PAGE_B + 100);
    REQUIRE_EQ(vkUnmapMemory2KHR(dev, &unmap), VK_SUCCESS);
    REQUIRE_EQ(vkMapMemory(dev, memory, PAGE_B + 99, 1, 0, &host), VK_SUCCESS);
    REQUIRE_EQ(*(uint8_t *)host, 7);
    vkFreeMemory(dev, memory, NULL);
}

static void
exported_files_hold_whole_pages(VkDevice dev)
{
    const VkExportMemoryAllocateInfo shared = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
        .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
    };
    const VkDeviceMemory memory = allocate(dev, PAGE_B + 1, &shared);
    const VkMemoryGetFdInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR,
        .memory = memory,
        .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
    };
    int fd;
    REQUIRE_EQ(vkGetMemoryFdKHR(dev, &info, &fd), VK_SUCCESS);
    REQUIRE_EQ(lseek(fd, 0, SEEK_END), 2 * PAGE_B);
    REQUIRE(close(fd) == 0);
    vkFreeMemory(dev, memory, NULL);
}

/* All that the process has mapped. */
static uint64_t
mapped_B(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512];
    uint64_t sum = 0;
    REQUIRE(maps);
    while (fgets(line, sizeof(line), maps)) {
        char *end;
        const uint64_t from = strtoull(line, &end, 16);
        if (*end == '-')
            sum += strtoull(end + 1, NULL, 16) - from;
    }
    (void)fclose(maps);
    return sum;
}

int
main(void)
{
    VkPhysicalDevice pdev;
    void *found = dlsym(RTLD_DEFAULT, "pages_shim_refused_count");
    REQUIRE(found);
    memcpy(&refused_count, &found, sizeof(found));
    vk_open();
    const VkInstance instance = scenario_instance(&pdev);
    limits_are_those_of_the_pages(pdev);

    const VkDevice dev = device_create(pdev);
    uint8_t *room = mmap(NULL, 3 * PAGE_B, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(room != MAP_FAILED);
    uint8_t *where = room + (-(uintptr_t)room & (PAGE_B - 1));
    uint64_t before_B = 0;
    for (int round = 0; round < 3; round++) {
        any_size_is_whole_pages(dev);
        memory_is_placed_in_whole_pages(dev, where);
        exported_files_hold_whole_pages(dev);
        REQUIRE(round < 2 || mapped_B() == before_B);
        before_B = mapped_B();
    }
    munmap(room, 3 * PAGE_B);
    vkDestroyDevice(dev, NULL);
    vk_functions_load_instance(instance);

    struct scenario s = {.pdev = pdev};
    REQUIRE_EQ(scenario_run(&s), VK_SUCCESS);
    scenario_destroy(&s);
    vkDestroyInstance(instance, NULL);
    REQUIRE_EQ(refused_count(), 0);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* Threads, memory maps and files that the system refuses: the n-th request of each place in the
 * driver that asks fails, for every n of a scenario with one object of each kind. The result is the
 * right error or none, no file stays open, no memory stays mapped, and without a fault everything
 * works again afterwards.
 */
#include "../oom/scenario.h"

#include "test.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <unistd.h>

static bool (*choose)(long place);
static void (*fail_at)(long n);
static long (*total_count)(void);
static void (*has_memfds)(bool has);

static void
find_shim(void)
{
    void *found[4] = {dlsym(RTLD_DEFAULT, "system_shim_choose"),
                      dlsym(RTLD_DEFAULT, "system_shim_fail_at"),
                      dlsym(RTLD_DEFAULT, "system_shim_total_count"),
                      dlsym(RTLD_DEFAULT, "system_shim_has_memfds")};
    REQUIRE(found[0] && found[1] && found[2] && found[3]);
    memcpy(&choose, &found[0], sizeof(found[0]));
    memcpy(&fail_at, &found[1], sizeof(found[1]));
    memcpy(&total_count, &found[2], sizeof(found[2]));
    memcpy(&has_memfds, &found[3], sizeof(found[3]));
}

static long
open_files(void)
{
    DIR *dir = opendir("/proc/self/fd");
    long count = 0;
    REQUIRE(dir);
    while (readdir(dir))
        count++;
    closedir(dir);
    return count;
}

/* Maps of the process that name a memfd of ours. */
static long
shared_maps(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512];
    long count = 0;
    REQUIRE(maps);
    while (fgets(line, sizeof(line), maps))
        count += strstr(line, "memfd:") != NULL;
    (void)fclose(maps);
    return count;
}

static bool
is_right(VkResult result, bool is_reached)
{
    switch (result) {
    case VK_SUCCESS: /* what was refused was not needed: a worker less, a smaller page */
        return true;
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_TOO_MANY_OBJECTS:
        return is_reached;
    default:
        return false;
    }
}

/* What scenario_run() has not: memory and a semaphore that leave the process as files. */
struct shared {
    VkDeviceMemory memory;
    VkSemaphore semaphore;
};

static VkResult
shared_create(VkDevice dev, struct shared *out)
{
    const VkExportMemoryAllocateInfo shared_memory = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
        .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
    };
    const VkMemoryAllocateInfo memory_info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = &shared_memory,
        .allocationSize = 1 << 16,
    };
    const VkExportSemaphoreCreateInfo shared_semaphore = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
        .handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
    };
    const VkSemaphoreCreateInfo semaphore_info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
        .pNext = &shared_semaphore,
    };
    const VkResult result = vkAllocateMemory(dev, &memory_info, NULL, &out->memory);
    return result == VK_SUCCESS ? vkCreateSemaphore(dev, &semaphore_info, NULL, &out->semaphore)
                                : result;
}

static void
shared_destroy(VkDevice dev, struct shared *shared)
{
    vkDestroySemaphore(dev, shared->semaphore, NULL);
    vkFreeMemory(dev, shared->memory, NULL);
}

static VkResult
export_memory(VkDevice dev, VkDeviceMemory memory)
{
    const VkMemoryGetFdInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR,
        .memory = memory,
        .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
    };
    int fd = -1;
    const VkResult result = vkGetMemoryFdKHR(dev, &info, &fd);
    if (result == VK_SUCCESS)
        REQUIRE(close(fd) == 0);
    return result;
}

static VkResult
share(VkDevice dev)
{
    struct shared shared = {0};
    VkResult result = shared_create(dev, &shared);
    if (result == VK_SUCCESS)
        result = export_memory(dev, shared.memory);
    shared_destroy(dev, &shared);
    return result;
}

/* Returns whether the n-th request was reached. */
static bool
run_once(VkPhysicalDevice pdev, long n, VkResult *result_out)
{
    struct scenario s = {.pdev = pdev};
    const long files_before = open_files();
    const long maps_before = shared_maps();
    const long total_before = total_count();

    fail_at(n);
    VkResult result = scenario_run(&s);
    if (result == VK_SUCCESS)
        result = share(s.dev);
    fail_at(0);
    const bool is_reached = total_count() - total_before >= n;
    if (!is_right(result, is_reached)) {
        (void)fprintf(stderr, "request %ld: result %d\n", n, result);
        exit(1);
    }
    scenario_destroy(&s);
    REQUIRE_EQ(open_files(), files_before);
    REQUIRE_EQ(shared_maps(), maps_before);
    *result_out = result;
    return is_reached;
}

/* As in a sandbox: FFmpeg makes everything for export and exports nothing. */
static void
forbidden_files_hinder_nothing_but_export(VkPhysicalDevice pdev)
{
    struct scenario s = {.pdev = pdev};
    struct shared shared = {0};
    uint32_t *words;
    REQUIRE_EQ(scenario_run(&s), VK_SUCCESS);

    has_memfds(false);
    REQUIRE_EQ(shared_create(s.dev, &shared), VK_SUCCESS);
    has_memfds(true);
    REQUIRE_EQ(export_memory(s.dev, shared.memory), VK_ERROR_TOO_MANY_OBJECTS);
    REQUIRE_EQ(vkMapMemory(s.dev, shared.memory, 0, VK_WHOLE_SIZE, 0, (void **)&words), VK_SUCCESS);
    words[(1 << 14) - 1] = 1;
    shared_destroy(s.dev, &shared);
    scenario_destroy(&s);
}

/* Returns how many results were errors. The last run reaches no n-th request and succeeds. */
static long
refuse_each(VkPhysicalDevice pdev)
{
    VkResult result;
    long error_count = 0;
    long n = 1;
    for (; run_once(pdev, n, &result); n++)
        error_count += result != VK_SUCCESS;
    REQUIRE_EQ(result, VK_SUCCESS);
    printf("%ld requests, %ld of them needed\n", n - 1, error_count);
    return error_count;
}

int
main(void)
{
    VkPhysicalDevice pdev;
    VkResult result;
    long needing_count = 0;
    long place = 0;

    find_shim();
    vk_open();
    const VkInstance instance = scenario_instance(&pdev);
    REQUIRE(!run_once(pdev, 1000000, &result));
    REQUIRE_EQ(result, VK_SUCCESS);
    for (; choose(place); place++)
        needing_count += refuse_each(pdev) > 0;
    REQUIRE(place >= 6 && needing_count >= 4);
    forbidden_files_hinder_nothing_but_export(pdev);
    vkDestroyInstance(instance, NULL);
    return 0;
}

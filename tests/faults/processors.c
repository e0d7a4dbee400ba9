/* SPDX-License-Identifier: MIT */
/* Which processors a device counts, on a kernel that this program plays: it has more of them than a
 * cpu_set_t, and the process may use others than a moment ago.
 */
#include "fixture.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdatomic.h>

#define KERNEL_CPUS 4096u
#define FIRST_CPU 2000u /* that the process may use */
#define SIZE_B ((VkDeviceSize)64 << 20)

static atomic_uint cpu_count;

/* The driver finds this one. Like the kernel's: a set that is too small for it is refused. */
int
sched_getaffinity(pid_t pid, size_t size_B, cpu_set_t *set)
{
    (void)pid;
    if (size_B < KERNEL_CPUS / 8) {
        errno = EINVAL;
        return -1;
    }
    memset(set, 0, size_B);
    for (uint32_t i = 0; i < atomic_load(&cpu_count); i++)
        CPU_SET_S(FIRST_CPU + i, size_B, set);
    return 0;
}

static uint32_t
worker_count(void)
{
    DIR *folder = opendir("/proc/self/task");
    struct dirent *entry;
    uint32_t count = 0;

    REQUIRE(folder);
    while ((entry = readdir(folder))) {
        char path[320];
        char name[32] = "";
        (void)snprintf(path, sizeof(path), "/proc/self/task/%s/comm", entry->d_name);
        FILE *file = fopen(path, "r");
        if (!file)
            continue; /* . and .. */
        if (fgets(name, sizeof(name), file))
            count += strcmp(name, "rp-worker\n") == 0;
        (void)fclose(file);
    }
    (void)closedir(folder);
    return count;
}

/* Threads that a device has started for work that is worth many. */
static uint32_t
workers_of(struct fixture *f)
{
    struct test_buffer buf = test_buffer_create(f, SIZE_B, 0);

    for (uint32_t i = 0; i < 4; i++) {
        test_begin(f);
        vkCmdFillBuffer(f->cb, buf.handle, 0, SIZE_B, i);
        test_submit_and_wait(f);
    }
    test_buffer_destroy(f, &buf);
    return worker_count();
}

static void
processors_beyond_1024_are_counted(struct fixture *f)
{
    const uint32_t count = workers_of(f);
    REQUIRE(count > 0);
    REQUIRE(count <= 2 * 4); /* for each that works one that may wait */
}

/* In the same instance, where its device was looked at before. */
static void
a_device_has_those_of_the_moment_it_is_made(struct fixture *f)
{
    static const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueCount = 1,
        .pQueuePriorities = &priority,
    };
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
    };
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
    };
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    struct fixture later = *f;

    atomic_store(&cpu_count, 1);
    REQUIRE_EQ(vkCreateDevice(f->pdev, &info, NULL, &later.dev), VK_SUCCESS);
    vkGetDeviceQueue(later.dev, 0, 0, &later.queue);
    REQUIRE_EQ(vkCreateCommandPool(later.dev, &pool, NULL, &later.pool), VK_SUCCESS);
    REQUIRE_EQ(vkCreateFence(later.dev, &fence, NULL, &later.fence), VK_SUCCESS);
    later.cb = test_cb_create(&later, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    REQUIRE_EQ(workers_of(&later), 0); /* nor has the other device, which did nothing */
    vkDestroyFence(later.dev, later.fence, NULL);
    vkDestroyCommandPool(later.dev, later.pool, NULL);
    vkDestroyDevice(later.dev, NULL);
    atomic_store(&cpu_count, 4);
}

int
main(int argc, char **argv)
{
    static const struct test_case cases[] = {
        TEST_CASE(a_device_has_those_of_the_moment_it_is_made),
        TEST_CASE(processors_beyond_1024_are_counted),
    };
    atomic_store(&cpu_count, 4);
    return test_run(argc, argv, cases, sizeof(cases) / sizeof(cases[0]));
}

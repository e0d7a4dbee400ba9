/* SPDX-License-Identifier: MIT */
/* Limits of control groups, as the heap, its budget and the number of threads show them: each case
 * is a process with a /sys/fs/cgroup and a /proc/self/cgroup of its own.
 */
#include "test.h"

#include "reelpipe/cpu.h"
#include "util/compiler.h"

#include <vulkan/vk_icd.h>
#include <vulkan/vulkan_core.h>

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROOT "/sys/fs/cgroup/"
#define MIB (UINT64_C(1) << 20)
#define MACHINE UINT64_MAX /* as without groups */

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vk_icdGetInstanceProcAddr(VkInstance, const char *);

struct group_file {
    const char *path;
    const char *text;
};

struct group_case {
    const char *name;
    const char *self; /* /proc/self/cgroup */
    struct group_file files[8];
    uint64_t heap_B;
    uint64_t budget_B;
    uint32_t most_threads; /* 0: as without groups */
};

#define SAID_CPUS 16 /* of the machine, where a quota is to be less */

uint32_t __real_rp_thread_cpu_count(void);
uint32_t __wrap_rp_thread_cpu_count(void);

static bool has_said_cpus;

uint32_t
__wrap_rp_thread_cpu_count(void)
{
    return has_said_cpus ? SAID_CPUS : __real_rp_thread_cpu_count();
}

static const struct group_case cases[] = {
    {"v2: no limit",
     "0::/a\n",
     {{"a/memory.max", "max\n"}, {"a/memory.current", "7\n"}, {"a/cpu.max", "max 100000\n"}},
     MACHINE,
     MACHINE,
     0},
    {"v2: the process' own group",
     "0::/a/b\n",
     {{"a/b/memory.max", "67108864\n"}, {"a/b/memory.current", "25165824\n"}},
     64 * MIB,
     40 * MIB,
     0},
    {"v2: a group above is tighter",
     "0::/a/b/c\n",
     {{"a/b/c/memory.max", "67108864\n"},
      {"a/b/c/memory.current", "1048576\n"},
      {"a/b/memory.max", "max\n"},
      {"a/memory.max", "33554432\n"},
      {"a/memory.current", "31457280\n"},
      {"a/b/cpu.max", "100000 100000\n"}},
     32 * MIB,
     2 * MIB,
     1},
    {"v2: a container's root is its group",
     "0::/\n",
     {{"memory.max", "67108864\n"}, {"memory.current", "0\n"}, {"cpu.max", "50000 100000\n"}},
     64 * MIB,
     64 * MIB,
     1},
    {"v2: a container that sees the host's path",
     "0::/machine/of/host\n",
     {{"memory.max", "67108864\n"}, {"memory.current", "4194304\n"}},
     64 * MIB,
     60 * MIB,
     0},
    {"v2: nothing is left",
     "0::/a\n",
     {{"a/memory.max", "67108864\n"}, {"a/memory.current", "68157440\n"}},
     64 * MIB,
     0,
     0},
    {"v2: what only caches files can be had",
     "0::/a\n",
     {{"a/memory.max", "67108864\n"},
      {"a/memory.current", "62914560\n"},
      {"a/memory.stat", "anon 1048576\ninactive_file 41943040\nactive_file 1\n"}},
     64 * MIB,
     44 * MIB,
     0},
    {"v2: more than the machine has",
     "0::/a\n",
     {{"a/memory.max", "9000000000000000000\n"},
      {"a/memory.current", "0\n"},
      {"a/cpu.max", "9000000000000000000 1\n"}},
     MACHINE,
     MACHINE,
     0},
    {"v2: one processor", "0::/a\n", {{"a/cpu.max", "100000 100000\n"}}, MACHINE, MACHINE, 1},
    {"v2: one and a half", "0::/a\n", {{"a/cpu.max", "150000 100000\n"}}, MACHINE, MACHINE, 2},
    {"v2: three", "0::/a\n", {{"a/cpu.max", "300000 100000\n"}}, MACHINE, MACHINE, 3},
    {"v2: as many", "0::/a\n", {{"a/cpu.max", "1600000 100000\n"}}, MACHINE, MACHINE, 16},
    {"v1: no limit",
     "4:memory:/a\n3:cpu,cpuacct:/a\n0::/\n",
     {{"memory/a/memory.limit_in_bytes", "9223372036854771712\n"},
      {"memory/a/memory.usage_in_bytes", "4096\n"},
      {"cpu/a/cpu.cfs_quota_us", "-1\n"},
      {"cpu/a/cpu.cfs_period_us", "100000\n"}},
     MACHINE,
     MACHINE,
     0},
    {"v1: limits",
     "4:memory:/a/b\n3:cpuacct,cpu:/c\n",
     {{"memory/a/b/memory.limit_in_bytes", "67108864\n"},
      {"memory/a/b/memory.usage_in_bytes", "62914560\n"},
      {"memory/a/b/memory.stat", "cache 5\ntotal_inactive_file 20971520\n"},
      {"cpu/c/cpu.cfs_quota_us", "20000\n"},
      {"cpu/c/cpu.cfs_period_us", "100000\n"}},
     64 * MIB,
     24 * MIB,
     1},
    {"v1: other controllers' groups do not count",
     "5:memoryless:/a\n4:memory:/b\n",
     {{"memory/a/memory.limit_in_bytes", "1048576\n"},
      {"memory/b/memory.limit_in_bytes", "67108864\n"},
      {"memory/b/memory.usage_in_bytes", "0\n"}},
     64 * MIB,
     64 * MIB,
     0},
    {"nothing that can be read",
     "nonsense\n0:\n:::\n",
     {{"memory.max", ""}, {"cpu.max", "a b\n"}, {"memory/memory.limit_in_bytes", "-5\n"}},
     MACHINE,
     MACHINE,
     0},
    {"no period", "0::/\n", {{"cpu.max", "5 0\n"}}, MACHINE, MACHINE, 0},
};

static void
write_file(const char *path, const char *text)
{
    char full[256];
    (void)snprintf(full, sizeof(full), ROOT "%s", path);
    for (char *slash = full + strlen(ROOT); (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = '\0';
        REQUIRE(mkdir(full, 0755) == 0 || errno == EEXIST);
    }
    FILE *file = fopen(full, "w");
    REQUIRE(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static bool
write_self(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    const bool is_written = file && fputs(text, file) >= 0;
    return file && fclose(file) == 0 && is_written;
}

/* Without root: whoever has no number in a namespace of users makes no files there. */
static bool
become_root_of_namespace(void)
{
    const unsigned uid = geteuid();
    const unsigned gid = getegid();
    char users[32];
    char groups[32];

    (void)snprintf(users, sizeof(users), "0 %u 1", uid);
    (void)snprintf(groups, sizeof(groups), "0 %u 1", gid);
    return unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 && write_self("/proc/self/uid_map", users) &&
           write_self("/proc/self/setgroups", "deny") && write_self("/proc/self/gid_map", groups);
}

/* A file system that only this process sees. */
static bool
leave_namespace(void)
{
    return (unshare(CLONE_NEWNS) == 0 || become_root_of_namespace()) &&
           mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("none", "/sys/fs/cgroup", "tmpfs", 0, NULL) == 0;
}

static uint64_t
heap_and_budget(uint64_t *budget_B)
{
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_1};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application};
    VkInstance instance;
    VkPhysicalDevice pdev;
    uint32_t count = 1;
    const PFN_vkCreateInstance create =
        (PFN_vkCreateInstance)vk_icdGetInstanceProcAddr(NULL, "vkCreateInstance");
    REQUIRE_EQ(create(&info, NULL, &instance), VK_SUCCESS);
    const PFN_vkEnumeratePhysicalDevices enumerate =
        (PFN_vkEnumeratePhysicalDevices)vk_icdGetInstanceProcAddr(instance,
                                                                  "vkEnumeratePhysicalDevices");
    const PFN_vkGetPhysicalDeviceMemoryProperties2 get =
        (PFN_vkGetPhysicalDeviceMemoryProperties2)vk_icdGetInstanceProcAddr(
            instance, "vkGetPhysicalDeviceMemoryProperties2");
    const PFN_vkDestroyInstance destroy =
        (PFN_vkDestroyInstance)vk_icdGetInstanceProcAddr(instance, "vkDestroyInstance");
    REQUIRE_EQ(enumerate(instance, &count, &pdev), VK_SUCCESS);

    VkPhysicalDeviceMemoryBudgetPropertiesEXT budget = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
    VkPhysicalDeviceMemoryProperties2 memory = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, .pNext = &budget};
    get(pdev, &memory);
    destroy(instance, NULL);
    *budget_B = budget.heapBudget[0];
    return memory.memoryProperties.memoryHeaps[0].size;
}

static void
check(const struct group_case *c)
{
    cpu_set_t set;
    uint64_t budget_B;
    write_file("self", "");
    REQUIRE(mount(ROOT "self", "/proc/self/cgroup", NULL, MS_BIND, NULL) == 0);
    const uint64_t machine_B = heap_and_budget(&budget_B);
    REQUIRE(machine_B > 128 * MIB && budget_B > 128 * MIB && budget_B <= machine_B);

    write_file("self", c->self);
    for (const struct group_file *file = c->files; file->path; file++)
        write_file(file->path, file->text);
    REQUIRE_EQ(heap_and_budget(&budget_B), c->heap_B == MACHINE ? machine_B : c->heap_B);
    if (c->budget_B == MACHINE)
        REQUIRE(budget_B > 128 * MIB && budget_B <= machine_B);
    else
        REQUIRE_EQ(budget_B, c->budget_B);
    has_said_cpus = c->most_threads > 0;
    REQUIRE(sched_getaffinity(0, sizeof(set), &set) == 0);
    REQUIRE_EQ(rp_cpu_thread_count(), c->most_threads ? c->most_threads : CPU_COUNT(&set));
}

int
main(void)
{
    for (size_t i = 0; i < RP_ARRAY_SIZE(cases); i++) {
        int status;
        (void)fprintf(stderr, "%s\n", cases[i].name);
        const pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            if (!leave_namespace())
                _exit(TEST_SKIPPED);
            check(&cases[i]);
            _exit(0);
        }
        REQUIRE(waitpid(child, &status, 0) == child && WIFEXITED(status));
        if (WEXITSTATUS(status) == TEST_SKIPPED) {
            (void)fprintf(stderr, "no mount namespace of our own is allowed here\n");
            return TEST_SKIPPED;
        }
        REQUIRE_EQ(WEXITSTATUS(status), 0);
    }
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* Memory of the machine, from /proc/meminfo and the cgroup files of both generations.
 */
#include "util/memory_info.h"

#include "util/compiler.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FALLBACK_B (UINT64_C(1) << 30)

struct cgroup_files {
    const char *root;
    const char *controller; /* in /proc/self/cgroup; "" is the unified hierarchy */
    const char *limit;
    const char *used;
};

static const struct cgroup_files cgroup_files[] = {
    {"/sys/fs/cgroup", "", "memory.max", "memory.current"},
    {"/sys/fs/cgroup/memory", "memory", "memory.limit_in_bytes", "memory.usage_in_bytes"},
};

struct memory_info {
    uint64_t total_B;
    uint64_t available_B;
};

static bool
read_number(const char *folder, const char *name, uint64_t *out)
{
    char path[1024];
    if (snprintf(path, sizeof(path), "%s/%s", folder, name) >= (int)sizeof(path))
        return false;
    FILE *file = fopen(path, "re");
    if (!file)
        return false;

    unsigned long long value;
    const bool is_number = fscanf(file, "%llu", &value) == 1; /* "max" is none */
    (void)fclose(file);
    if (is_number)
        *out = value;
    return is_number;
}

/* The process' group in a hierarchy, as a path below its root. */
static bool
find_group(const char *controller, char *out, size_t size_B)
{
    FILE *file = fopen("/proc/self/cgroup", "re");
    if (!file)
        return false;

    bool found = false;
    char line[1024];
    while (!found && fgets(line, sizeof(line), file)) {
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':');
        char *path = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!path)
            continue;
        *controllers++ = '\0';
        *path++ = '\0';
        found = strcmp(controllers, controller) == 0 && strcmp(path, "/") != 0 &&
                snprintf(out, size_B, "%s", path) < (int)size_B;
    }
    (void)fclose(file);
    return found;
}

static void
apply_limit(const struct cgroup_files *files, const char *folder, struct memory_info *info)
{
    uint64_t limit_B;
    if (!read_number(folder, files->limit, &limit_B))
        return;
    info->total_B = RP_MIN(info->total_B, limit_B);

    uint64_t used_B;
    if (read_number(folder, files->used, &used_B))
        info->available_B = RP_MIN(info->available_B, used_B < limit_B ? limit_B - used_B : 0);
}

/* Every group from the process' own up to the root limits it. In a container the root of the mount
 * may be the process' group already. */
static void
apply_cgroup(const struct cgroup_files *files, struct memory_info *info)
{
    char group[512] = "";
    char folder[1024];
    (void)find_group(files->controller, group, sizeof(group));
    for (;;) {
        (void)snprintf(folder, sizeof(folder), "%s%s", files->root, group);
        apply_limit(files, folder, info);
        char *last = strrchr(group, '/');
        if (!last)
            return;
        *last = '\0';
    }
}

static struct memory_info
read_memory_info(void)
{
    struct memory_info info = {0};
    FILE *file = fopen("/proc/meminfo", "re");
    char line[256];
    while (file && fgets(line, sizeof(line), file)) {
        unsigned long long kib;
        if (sscanf(line, "MemTotal: %llu kB", &kib) == 1)
            info.total_B = kib * 1024;
        else if (sscanf(line, "MemAvailable: %llu kB", &kib) == 1)
            info.available_B = kib * 1024;
    }
    if (file)
        (void)fclose(file);
    if (!info.total_B)
        info = (struct memory_info){FALLBACK_B, FALLBACK_B};

    for (size_t i = 0; i < RP_ARRAY_SIZE(cgroup_files); i++)
        apply_cgroup(&cgroup_files[i], &info);
    return info;
}

uint64_t
rp_memory_total_B(void)
{
    return RP_MAX(read_memory_info().total_B, 4096);
}

uint64_t
rp_memory_available_B(void)
{
    return read_memory_info().available_B;
}

/* Of the process, because VK_EXT_memory_budget counts per process and not per instance. */
static atomic_uint_fast64_t charged_B;

bool
rp_memory_charge(uint64_t size_B, uint64_t limit_B)
{
    uint_fast64_t used_B = atomic_load_explicit(&charged_B, memory_order_relaxed);
    do {
        if (size_B > limit_B || used_B > limit_B - size_B)
            return false;
    } while (!atomic_compare_exchange_weak(&charged_B, &used_B, used_B + size_B));
    return true;
}

void
rp_memory_uncharge(uint64_t size_B)
{
    atomic_fetch_sub(&charged_B, size_B);
}

uint64_t
rp_memory_charged_B(void)
{
    return atomic_load_explicit(&charged_B, memory_order_relaxed);
}

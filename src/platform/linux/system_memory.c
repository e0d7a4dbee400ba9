/* SPDX-License-Identifier: MIT */
/* Reads /proc/meminfo and the limits of control groups.
 */
#include "platform/system_memory.h"

#include "platform/cgroup.h"
#include "util/compiler.h"

#include <stdbool.h>
#include <stdio.h>

#define FALLBACK_B (UINT64_C(1) << 30)

struct cgroup_files {
    const char *root;
    const char *controller;
    const char *limit;
    const char *used;
    const char *reclaimable; /* in memory.stat: files that nobody has used lately */
};

static const struct cgroup_files cgroup_files[] = {
    {"/sys/fs/cgroup", "", "memory.max", "memory.current", "inactive_file"},
    {"/sys/fs/cgroup/memory", "memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
     "total_inactive_file"},
};

struct limits {
    const struct cgroup_files *files;
    struct rp_system_memory *info;
};

static void
apply_limit(const char *folder, void *arg)
{
    const struct limits *limits = arg;
    const struct cgroup_files *files = limits->files;
    struct rp_system_memory *info = limits->info;
    uint64_t limit_B;
    if (!rp_cgroup_read(folder, files->limit, 1, &limit_B))
        return;
    info->total_B = RP_MIN(info->total_B, limit_B);

    uint64_t used_B;
    if (!rp_cgroup_read(folder, files->used, 1, &used_B))
        return;
    const uint64_t cached_B = rp_cgroup_read_key(folder, "memory.stat", files->reclaimable);
    used_B -= RP_MIN(used_B, cached_B);
    info->available_B = RP_MIN(info->available_B, used_B < limit_B ? limit_B - used_B : 0);
}

struct rp_system_memory
rp_system_memory_read(void)
{
    struct rp_system_memory info = {0};
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
        info = (struct rp_system_memory){FALLBACK_B, FALLBACK_B};

    for (size_t i = 0; i < RP_ARRAY_SIZE(cgroup_files); i++)
        rp_cgroup_visit(cgroup_files[i].root, cgroup_files[i].controller, apply_limit,
                        &(struct limits){&cgroup_files[i], &info});
    return info;
}

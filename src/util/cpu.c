/* SPDX-License-Identifier: MIT */
/* CPU features and how many threads the machine and its cgroup give us.
 */
#include "reelpipe/cpu.h"

#include "platform/environment.h"
#include "platform/processor.h"
#include "platform/thread.h"
#include "util/cgroup.h"
#include "util/compiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t
cpu_detect(void)
{
    uint32_t flags = 0;
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("sse4.2") || !__builtin_cpu_supports("popcnt"))
        return flags;
    flags |= RP_CPU_X86_64_V2;
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
        !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2"))
        return flags;
    flags |= RP_CPU_X86_64_V3;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
        !__builtin_cpu_supports("avx512cd") || !__builtin_cpu_supports("avx512dq") ||
        !__builtin_cpu_supports("avx512vl"))
        return flags;
    flags |= RP_CPU_X86_64_V4;
    if (__builtin_cpu_supports("avx512vnni"))
        flags |= RP_CPU_AVX512_VNNI;
    if (__builtin_cpu_supports("avx512vbmi"))
        flags |= RP_CPU_AVX512_VBMI;
#elif defined(__aarch64__)
    flags |= RP_CPU_NEON;
    if (rp_processor_has_dotprod())
        flags |= RP_CPU_ARM_DOTPROD;
#endif
    return flags;
}

uint32_t
rp_cpu_flags(void)
{
    const char *mask = rp_environment_get("REELPIPE_CPU");
    return cpu_detect() & (mask ? (uint32_t)strtoul(mask, NULL, 0) : UINT32_MAX);
}

void
rp_cpu_describe(uint32_t flags, char *out, size_t size_B)
{
    const char *level = flags & RP_CPU_X86_64_V4   ? "AVX-512"
                        : flags & RP_CPU_X86_64_V3 ? "AVX2"
                        : flags & RP_CPU_X86_64_V2 ? "SSE4.2"
                        : flags & RP_CPU_NEON      ? "NEON"
                                                   : "portable C";
    const char *more = flags & RP_CPU_AVX512_VNNI   ? ", VNNI"
                       : flags & RP_CPU_ARM_DOTPROD ? ", dot products"
                                                    : "";
    snprintf(out, size_B, "%s%s", level, more);
}

/* A quota of microseconds in each period. */
static void
apply_quota(uint64_t quota, uint64_t period, uint32_t *count)
{
    if (period > 0 && quota / period < *count)
        *count = RP_MAX(1u, (uint32_t)(quota / period + (quota % period != 0)));
}

/* "max 100000" or "150000 100000". */
static void
apply_cpu_max(const char *folder, void *count)
{
    uint64_t numbers[2];
    if (rp_cgroup_read(folder, "cpu.max", 2, numbers))
        apply_quota(numbers[0], numbers[1], count);
}

/* The first generation's way to say it; no quota is -1. */
static void
apply_cfs_quota(const char *folder, void *count)
{
    uint64_t quota, period;
    if (rp_cgroup_read(folder, "cpu.cfs_quota_us", 1, &quota) &&
        rp_cgroup_read(folder, "cpu.cfs_period_us", 1, &period))
        apply_quota(quota, period, count);
}

uint32_t
rp_cpu_thread_count(void)
{
    uint32_t count = rp_thread_cpu_count();
    rp_cgroup_visit("/sys/fs/cgroup", "", apply_cpu_max, &count);
    rp_cgroup_visit("/sys/fs/cgroup/cpu", "cpu", apply_cfs_quota, &count);
    return count;
}

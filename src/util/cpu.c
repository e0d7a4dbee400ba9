/* SPDX-License-Identifier: MIT */
/* CPU features and how many threads the machine and its cgroup give us.
 */
#include "reelpipe/cpu.h"

#include "util/compiler.h"

#include <sched.h>
#include <stdbool.h>
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
#endif
    return flags;
}

uint32_t
rp_cpu_flags(void)
{
    const char *mask = secure_getenv("REELPIPE_CPU");
    return cpu_detect() & (mask ? (uint32_t)strtoul(mask, NULL, 0) : UINT32_MAX);
}

void
rp_cpu_describe(uint32_t flags, char *out, size_t size_B)
{
    const char *level = flags & RP_CPU_X86_64_V4   ? "AVX-512"
                        : flags & RP_CPU_X86_64_V3 ? "AVX2"
                        : flags & RP_CPU_X86_64_V2 ? "SSE4.2"
                                                   : "portable C";
    snprintf(out, size_B, "%s%s", level, flags & RP_CPU_AVX512_VNNI ? ", VNNI" : "");
}

/* cgroup v2 only: "max 100000" or "150000 100000". */
static uint32_t
cgroup_cpu_count(void)
{
    FILE *file = fopen("/sys/fs/cgroup/cpu.max", "re");
    if (!file)
        return UINT32_MAX;

    unsigned long long quota, period;
    const int fields = fscanf(file, "%llu %llu", &quota, &period);
    fclose(file);
    if (fields != 2 || period == 0)
        return UINT32_MAX;
    return (uint32_t)RP_MAX((quota + period - 1) / period, 1ull);
}

uint32_t
rp_cpu_thread_count(void)
{
    cpu_set_t set;
    const int affinity = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
    return RP_MAX(1u, RP_MIN((uint32_t)affinity, cgroup_cpu_count()));
}

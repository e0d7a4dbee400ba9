/* SPDX-License-Identifier: MIT */
/* CPU features and how many threads the system gives us.
 */
#include "reelpipe/cpu.h"

#include "platform/environment.h"
#include "platform/processor.h"
#include "util/compiler.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
/* Not every compiler knows this feature by its name. A virtual machine may have AVX2 without it. */
static bool
cpu_has_f16c(void)
{
    uint32_t a = 1, b, c = 0, d;
    __asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    return c >> 29 & 1;
}
#endif

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
        !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2") || !cpu_has_f16c())
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

uint32_t
rp_cpu_thread_count(void)
{
    return rp_processor_count();
}

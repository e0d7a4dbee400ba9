/* SPDX-License-Identifier: MIT */
/* The CPU features that kernels are chosen by, found once and masked by REELPIPE_CPU.
 */
#ifndef REELPIPE_CPU_H
#define REELPIPE_CPU_H

#include <stddef.h>
#include <stdint.h>

/* x86-64 micro-architecture levels, then what aarch64 has; a level implies the lower ones. */
enum rp_cpu_flags {
    RP_CPU_X86_64_V2 = 1u << 0, /* SSE4.2, POPCNT */
    RP_CPU_X86_64_V3 = 1u << 1, /* AVX2, FMA, BMI2, F16C */
    RP_CPU_X86_64_V4 = 1u << 2, /* AVX-512 F, BW, CD, DQ, VL */
    RP_CPU_AVX512_VNNI = 1u << 3,
    RP_CPU_AVX512_VBMI = 1u << 4,
    RP_CPU_NEON = 1u << 8,        /* every aarch64 processor */
    RP_CPU_ARM_DOTPROD = 1u << 9, /* FEAT_DotProd, of Armv8.2-A on */
};

/* Flags of this machine (the operating system saves the registers too), ANDed with REELPIPE_CPU
 * (a number, C syntax) when that is set: REELPIPE_CPU=0 leaves portable C alone. Any thread. */
uint32_t rp_cpu_flags(void);

/* Writes a short text such as "AVX-512, VNNI" (at most size_B bytes, always terminated). */
void rp_cpu_describe(uint32_t flags, char *out, size_t size_B);

/* Threads worth running side by side: affinity mask and quota of the cgroups, at least 1. */
uint32_t rp_cpu_thread_count(void);

#endif

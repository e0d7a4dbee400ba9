/* SPDX-License-Identifier: MIT */
/* What is specific to a compiler; no other header uses attributes or builtins for these.
 */
#ifndef RP_UTIL_COMPILER_H
#define RP_UTIL_COMPILER_H

#include <stddef.h>
#include <stdint.h>

#define RP_MUST_CHECK __attribute__((warn_unused_result))
#define RP_PRINTF(format_index, first_arg) __attribute__((format(printf, format_index, first_arg)))
#define RP_EXPORT __attribute__((visibility("default")))

/* 1 in a build with the thread sanitizer (gcc defines a macro, clang has a question). */
#if defined(__SANITIZE_THREAD__)
#define RP_HAS_THREAD_SANITIZER 1
#elif defined(__has_feature)
#define RP_HAS_THREAD_SANITIZER __has_feature(thread_sanitizer)
#else
#define RP_HAS_THREAD_SANITIZER 0
#endif

/* What threads write side by side is at least so far apart; the lines of some machines are twice as
 * long. */
#define RP_CACHE_LINE_B 64

#define RP_LIKELY(x) __builtin_expect(!!(x), 1)
#define RP_UNLIKELY(x) __builtin_expect(!!(x), 0)

#define RP_ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define RP_MIN(a, b) ((a) < (b) ? (a) : (b))
#define RP_MAX(a, b) ((a) > (b) ? (a) : (b))

/* The struct that holds member at ptr. */
#define rp_container_of(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))

/* For a loop that waits for another processor: leaves the core to its other thread for a moment. */
static inline void
rp_cpu_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

/* Gives the calling thread the default floating-point state: rounding to nearest, denormal numbers,
 * no traps. An application may run with another, from -ffast-math for example. Returns what
 * rp_float_state_leave() takes to bring that back. */
static inline uint64_t
rp_float_state_enter(void)
{
#if defined(__SSE__)
    const uint32_t before = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(0x1f80);
    return before;
#elif defined(__aarch64__)
    uint64_t before;
    __asm__ volatile("mrs %0, fpcr" : "=r"(before));
    if (before != 0)
        __asm__ volatile("msr fpcr, xzr" : : : "memory");
    return before;
#else
    return 0;
#endif
}

static inline void
rp_float_state_leave(uint64_t before)
{
#if defined(__SSE__)
    __builtin_ia32_ldmxcsr((uint32_t)before);
#elif defined(__aarch64__)
    if (before != 0)
        __asm__ volatile("msr fpcr, %0" : : "r"(before) : "memory");
#else
    (void)before;
#endif
}

#if !defined(__ELF__) /* a DLL: its exports are listed, and the C library's formats are others */
#undef RP_EXPORT
#undef RP_PRINTF
#define RP_EXPORT
#define RP_PRINTF(format_index, first_arg) \
    __attribute__((format(gnu_printf, format_index, first_arg)))
#endif

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "Reelpipe is for little-endian processors: SPIR-V and texels are read as they lie in memory"
#endif

#endif

/* SPDX-License-Identifier: MIT */
/* The threads of winpthreads. A new thread of Windows has the default floating-point state, and no
 * signal comes to it.
 */
#include "platform/thread.h"

#include <windows.h>

#define STACK_B ((size_t)1 << 20)

bool
rp_thread_create(pthread_t *out, const char *name, void *(*run)(void *), void *arg)
{
    pthread_attr_t attr;
    if (pthread_attr_init(&attr) != 0)
        return false;
    pthread_attr_setstacksize(&attr, STACK_B);
    const int failed = pthread_create(out, &attr, run, arg);
    pthread_attr_destroy(&attr);
    if (failed)
        return false;

    (void)pthread_setname_np(*out, name);
    return true;
}

void
rp_thread_yield(void)
{
    (void)SwitchToThread();
}

void
rp_thread_run_idly(void)
{
    (void)SetThreadPriority(GetCurrentThread(), THREAD_PRIORITY_IDLE);
}

void
rp_thread_run_normally(pthread_t thread)
{
    (void)SetThreadPriority(pthread_gethandle(thread), THREAD_PRIORITY_NORMAL);
}

uint32_t
rp_thread_cpu_count(void)
{
    /* Masks are of one group of 64; a process that is bound to none of them has no mask. */
    DWORD_PTR own = 0, all = 0;
    if (GetActiveProcessorGroupCount() > 1)
        return GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
    if (!GetProcessAffinityMask(GetCurrentProcess(), &own, &all) || !own)
        return 1;
    return (uint32_t)__builtin_popcountll(own);
}

/* Windows gives each thread of a process an ideal processor of its own. */
uint32_t
rp_thread_cpu(void)
{
    return RP_THREAD_CPU_UNKNOWN;
}

uint32_t
rp_thread_move(bool (*is_wanted)(const void *ctx, uint32_t cpu), const void *ctx)
{
    (void)is_wanted;
    (void)ctx;
    return RP_THREAD_CPU_UNKNOWN;
}

/* SPDX-License-Identifier: MIT */
/* Starts threads that the application's signals never reach.
 */
#include "platform/thread.h"

#include "platform/signal_mask.h"

#include <sched.h>
#include <string.h>

/* The sanitizer's own state takes most of a smaller one. */
#define STACK_B ((size_t)(RP_HAS_THREAD_SANITIZER ? 2 : 1) << 20)
#define CPU_LIMIT 8192 /* the most that Linux can be built for; a cpu_set_t has 1024 */

bool
rp_thread_create(pthread_t *out, const char *name, void *(*run)(void *), void *arg)
{
    pthread_attr_t attr;
    if (pthread_attr_init(&attr) != 0)
        return false;
    pthread_attr_setstacksize(&attr, STACK_B);

    /* A new thread inherits the mask, so that no handler of the application ever runs on it, and
     * the floating-point state. */
    const struct rp_signal_mask before = rp_signals_block();
    const uint64_t float_state = rp_float_state_enter();
    const int failed = pthread_create(out, &attr, run, arg);
    rp_float_state_leave(float_state);
    rp_signals_restore(&before);
    pthread_attr_destroy(&attr);
    if (failed)
        return false;

    pthread_setname_np(*out, name);
    return true;
}

void
rp_thread_yield(void)
{
    (void)sched_yield();
}

void
rp_thread_run_idly(void)
{
    const struct sched_param none = {.sched_priority = 0};
    (void)pthread_setschedparam(pthread_self(), SCHED_IDLE, &none); /* musl has no other way */
}

void
rp_thread_run_normally(pthread_t thread)
{
    const struct sched_param none = {.sched_priority = 0};
    (void)pthread_setschedparam(thread, SCHED_OTHER, &none);
}

uint32_t
rp_thread_cpu_count(void)
{
    cpu_set_t sets[CPU_LIMIT / CPU_SETSIZE];
    if (sched_getaffinity(0, sizeof(sets), sets) != 0)
        return 1;
    return (uint32_t)CPU_COUNT_S(sizeof(sets), sets);
}

uint32_t
rp_thread_cpu(void)
{
    const int cpu = sched_getcpu();
    return cpu < 0 ? RP_THREAD_CPU_UNKNOWN : (uint32_t)cpu;
}

/* The thread is bound to the processor, and to all of before as soon as it is there; or, if the
 * process has lost those meanwhile, to all that it has. */
static bool
thread_go_to(uint32_t cpu, const cpu_set_t *before, size_t before_B)
{
    cpu_set_t sets[CPU_LIMIT / CPU_SETSIZE];

    CPU_ZERO_S(sizeof(sets), sets);
    CPU_SET_S(cpu, sizeof(sets), sets);
    if (sched_setaffinity(0, sizeof(sets), sets) != 0)
        return false;
    if (sched_setaffinity(0, before_B, before) != 0) {
        memset(sets, 0xff, sizeof(sets));
        (void)sched_setaffinity(0, sizeof(sets), sets);
    }
    return true;
}

uint32_t
rp_thread_move(bool (*is_wanted)(const void *ctx, uint32_t cpu), const void *ctx)
{
    cpu_set_t sets[CPU_LIMIT / CPU_SETSIZE];

    CPU_ZERO_S(sizeof(sets), sets);
    if (sched_getaffinity(0, sizeof(sets), sets) != 0)
        return RP_THREAD_CPU_UNKNOWN;
    for (uint32_t cpu = 0; cpu < CPU_LIMIT; cpu++) {
        if (CPU_ISSET_S(cpu, sizeof(sets), sets) && is_wanted(ctx, cpu))
            return thread_go_to(cpu, sets, sizeof(sets)) ? cpu : RP_THREAD_CPU_UNKNOWN;
    }
    return RP_THREAD_CPU_UNKNOWN;
}

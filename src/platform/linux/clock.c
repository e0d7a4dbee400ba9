/* SPDX-License-Identifier: MIT */
/* clock_gettime() and nanosleep().
 */
#include "platform/clock.h"

#include <stddef.h>
#include <time.h>

#define NS_PER_S UINT64_C(1000000000)

static uint64_t
read_clock(clockid_t clock)
{
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

uint64_t
rp_clock_now_ns(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

bool
rp_clock_read(enum rp_clock clock, uint64_t *out)
{
    switch (clock) {
    case RP_CLOCK_MONOTONIC:
        *out = read_clock(CLOCK_MONOTONIC);
        return true;
    case RP_CLOCK_MONOTONIC_RAW:
        *out = read_clock(CLOCK_MONOTONIC_RAW);
        return true;
    case RP_CLOCK_PERFORMANCE_COUNTER:
        return false;
    }
    return false;
}

uint64_t
rp_clock_thread_cpu_ns(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

void
rp_clock_sleep(uint64_t duration_ns)
{
    const struct timespec duration = {
        .tv_sec = (time_t)(duration_ns / NS_PER_S),
        .tv_nsec = (long)(duration_ns % NS_PER_S),
    };
    (void)nanosleep(&duration, NULL);
}

/* SPDX-License-Identifier: MIT */
/* The clocks that deadlines and measurements of the driver go by: no one can set them.
 */
#ifndef RP_PLATFORM_CLOCK_H
#define RP_PLATFORM_CLOCK_H

#include "util/compiler.h"

#include <stdbool.h>
#include <stdint.h>

/* Linux: CLOCK_MONOTONIC. Windows: the performance counter. */
uint64_t rp_clock_now_ns(void);

/* Clocks that applications read by themselves. */
enum rp_clock {
    RP_CLOCK_MONOTONIC,           /* of POSIX, in nanoseconds */
    RP_CLOCK_MONOTONIC_RAW,       /* of Linux: the same without the corrections of its rate */
    RP_CLOCK_PERFORMANCE_COUNTER, /* of Windows, in ticks as QueryPerformanceCounter() gives them */
};

/* False when the system does not have it. */
bool rp_clock_read(enum rp_clock clock, uint64_t *out) RP_MUST_CHECK;

/* What the calling thread has spent of a processor, in nanoseconds; takes longer than the
 * others. */
uint64_t rp_clock_thread_cpu_ns(void);

/* At least that long, unless a signal ends it. */
void rp_clock_sleep(uint64_t duration_ns);

#endif

/* SPDX-License-Identifier: MIT */
/* The clocks that deadlines and measurements of the driver go by: no one can set them.
 */
#ifndef RP_PLATFORM_CLOCK_H
#define RP_PLATFORM_CLOCK_H

#include <stdint.h>

/* CLOCK_MONOTONIC, in nanoseconds. */
uint64_t rp_clock_now_ns(void);

/* CLOCK_MONOTONIC_RAW: the same without the corrections of its rate. */
uint64_t rp_clock_raw_now_ns(void);

/* What the calling thread has spent of a processor, in nanoseconds; takes longer than the others. */
uint64_t rp_clock_thread_cpu_ns(void);

/* At least that long, unless a signal ends it. */
void rp_clock_sleep(uint64_t duration_ns);

#endif

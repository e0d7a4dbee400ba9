/* SPDX-License-Identifier: MIT */
/* The clock that deadlines and measurements of the driver go by.
 */
#ifndef RP_PLATFORM_CLOCK_H
#define RP_PLATFORM_CLOCK_H

#include <stdint.h>

/* CLOCK_MONOTONIC, in nanoseconds. */
uint64_t rp_clock_now_ns(void);

#endif

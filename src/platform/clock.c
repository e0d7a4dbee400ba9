/* SPDX-License-Identifier: MIT */
/* The clock of the system that no one can set.
 */
#include "platform/clock.h"

#include <time.h>

uint64_t
rp_clock_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

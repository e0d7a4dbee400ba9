/* SPDX-License-Identifier: MIT */
/* The conditions of winpthreads, which go by the time that is left.
 */
#include "platform/condition.h"

#include "platform/clock.h"

#include <stddef.h>
#include <time.h>

#define NS_PER_S UINT64_C(1000000000)
#define NS_PER_MS UINT64_C(1000000)
#define LIMIT_NS (3600 * NS_PER_S) /* its milliseconds are of 32 bits */

void
rp_condition_init(pthread_cond_t *cond)
{
    pthread_cond_init(cond, NULL);
}

bool
rp_condition_wait_until(pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t until_ns)
{
    const uint64_t now_ns = rp_clock_now_ns();
    if (now_ns >= until_ns)
        return false;
    /* Whole milliseconds, or it would look again and again in the last one. */
    uint64_t left_ns = until_ns - now_ns + NS_PER_MS - 1;
    if (left_ns > LIMIT_NS)
        left_ns = LIMIT_NS;
    const struct timespec left = {
        .tv_sec = (time_t)(left_ns / NS_PER_S),
        .tv_nsec = (long)(left_ns % NS_PER_S),
    };
    return pthread_cond_timedwait_relative_np(cond, mutex, &left) == 0 ||
           rp_clock_now_ns() < until_ns;
}

/* SPDX-License-Identifier: MIT */
/* pthread_cond_timedwait() by CLOCK_MONOTONIC.
 */
#include "platform/condition.h"

#include <time.h>

#define NS_PER_S UINT64_C(1000000000)

void
rp_condition_init(pthread_cond_t *cond)
{
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(cond, &attr);
    pthread_condattr_destroy(&attr);
}

bool
rp_condition_wait_until(pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t until_ns)
{
    const struct timespec until = {
        .tv_sec = (time_t)(until_ns / NS_PER_S),
        .tv_nsec = (long)(until_ns % NS_PER_S),
    };
    return pthread_cond_timedwait(cond, mutex, &until) == 0;
}

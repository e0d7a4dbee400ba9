/* SPDX-License-Identifier: MIT */
/* Condition variables with deadlines. What else the driver does with mutexes and conditions it
 * calls by the names of POSIX: every system has them.
 */
#ifndef RP_PLATFORM_CONDITION_H
#define RP_PLATFORM_CONDITION_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* One whose deadlines go by rp_clock_now_ns(). pthread_cond_destroy() ends it. */
void rp_condition_init(pthread_cond_t *cond);

/* Waits like pthread_cond_wait(), but only until rp_clock_now_ns() reaches until_ns, which is at
 * most INT64_MAX. False: it did. Like there, some calls return true for no reason. */
bool rp_condition_wait_until(pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t until_ns);

#endif

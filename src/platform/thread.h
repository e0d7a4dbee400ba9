/* SPDX-License-Identifier: MIT */
/* Threads of the driver inside somebody else's process: all signals blocked, a stack of our own
 * size, default floating-point state.
 */
#ifndef RP_PLATFORM_THREAD_H
#define RP_PLATFORM_THREAD_H

#include "util/compiler.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* name: at most 15 characters, as debuggers show it. False when no thread can be had. */
bool rp_thread_create(pthread_t *out, const char *name, void *(*run)(void *),
                      void *arg) RP_MUST_CHECK;

/* Lets another thread that is ready have the processor. */
void rp_thread_yield(void);

/* From now on the calling thread runs where no other wants the processor, until another thread says
 * otherwise. */
void rp_thread_run_idly(void);
void rp_thread_run_normally(pthread_t thread);

/* How many processors the calling thread may run on now; 1 when the system does not say. */
uint32_t rp_thread_cpu_count(void);

#endif

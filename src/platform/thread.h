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

#define RP_THREAD_CPU_UNKNOWN UINT32_MAX

/* The processor that the calling thread runs on. */
uint32_t rp_thread_cpu(void);

/* Puts the calling thread on a processor that it may run on and for which is_wanted holds; the
 * system may put it anywhere again. The number of that processor, or RP_THREAD_CPU_UNKNOWN: the
 * thread is where it was. */
uint32_t rp_thread_move(bool (*is_wanted)(const void *ctx, uint32_t cpu), const void *ctx);

#endif

/* SPDX-License-Identifier: MIT */
/* What compiles variants of kernels (variants.h): one thread for a device, which runs where nothing
 * else wants the processor, and a bound on their memory.
 *
 * The thread starts with the first task; without one nothing is compiled. All functions but destroy
 * may run on any thread at any time.
 */
#ifndef RP_COMPUTE_SPECIALIZER_H
#define RP_COMPUTE_SPECIALIZER_H

#include <stdbool.h>
#include <stddef.h>

struct rp_specializer;

/* Embedded in what it is about, which lives until run is called. */
struct rp_specializer_task {
    void (*run)(struct rp_specializer_task *task, bool is_wanted); /* not wanted: all ends */
    struct rp_specializer_task *next;                              /* the specializer's */
};

/* NULL when memory is short. */
struct rp_specializer *rp_specializer_create(size_t memory_limit_B);

/* Waits for the task that runs, and calls the others as not wanted. Accepts NULL. */
void rp_specializer_destroy(struct rp_specializer *s);

/* Queues a task for the specializer's thread. Never waits; false: its lock is taken, or the thread
 * could not be started. */
bool rp_specializer_try_submit(struct rp_specializer *s, struct rp_specializer_task *task);

/* False: beyond the limit. */
bool rp_specializer_take_memory(struct rp_specializer *s, size_t size_B);
void rp_specializer_give_memory(struct rp_specializer *s, size_t size_B);

#endif

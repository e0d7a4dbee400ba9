/* SPDX-License-Identifier: MIT */
/* A number that one thread at a time changes and any thread waits on: first by looking, for a
 * moment, then asleep. Nobody is called while nobody sleeps.
 */
#ifndef RP_PLATFORM_PROGRESS_H
#define RP_PLATFORM_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Zeroed: the number is 0. */
struct rp_progress {
    atomic_uint value;
    atomic_uint sleeper_count;
};

/* What was written before the number was set is seen. */
static inline uint32_t
rp_progress_get(const struct rp_progress *progress)
{
    return atomic_load(&progress->value);
}

/* Wakes those who sleep. */
void rp_progress_set(struct rp_progress *progress, uint32_t value);

/* Wakes those who sleep if the number was expected; false: it is another one and stays so. */
bool rp_progress_exchange(struct rp_progress *progress, uint32_t expected, uint32_t value);

/* Returns the number once it is not seen any more. spin_ns: how long to look before going to
 * sleep. */
uint32_t rp_progress_wait(struct rp_progress *progress, uint32_t seen, uint64_t spin_ns);

#endif

/* SPDX-License-Identifier: MIT */
/* A place where one thread waits until another one calls it, and where it may look for the call for
 * a moment before it sleeps: then the call costs its caller a store, and nobody is woken.
 */
#ifndef RP_PLATFORM_PARK_H
#define RP_PLATFORM_PARK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Zeroed: nobody waits and nobody was called. */
struct rp_park {
    atomic_uint state;
};

/* Returns after one rp_park_call(), which may have come before. What the caller wrote before it is
 * seen then. spin_ns: how long to look before going to sleep. True: the call came in time. */
bool rp_park_wait(struct rp_park *park, uint64_t spin_ns);

/* Any thread, once for each wait. The park may be gone as soon as the other one has seen it. */
void rp_park_call(struct rp_park *park);

/* Looks at is_met(ctx) for at most spin_ns. True: it is met. */
bool rp_spin_until(bool (*is_met)(const void *ctx), const void *ctx, uint64_t spin_ns);

#endif

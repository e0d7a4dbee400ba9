/* SPDX-License-Identifier: MIT */
/* Waiting for a call.
 */
#include "platform/park.h"

#include "platform/clock.h"
#include "platform/word.h"
#include "util/compiler.h"

#define LOOKS_PER_TIME 16u /* between two looks at the clock */

enum park_state {
    PARK_EMPTY,
    PARK_ASLEEP,
    PARK_CALLED,
};

bool
rp_spin_until(bool (*is_met)(const void *ctx), const void *ctx, uint64_t spin_ns)
{
    if (is_met(ctx))
        return true;
    if (spin_ns == 0)
        return false;
    const uint64_t until_ns = rp_clock_now_ns() + spin_ns;
    do {
        for (uint32_t i = 0; i < LOOKS_PER_TIME; i++) {
            rp_cpu_relax();
            if (is_met(ctx))
                return true;
        }
    } while (rp_clock_now_ns() < until_ns);
    return false;
}

static bool
park_is_called(const void *ctx)
{
    const struct rp_park *park = ctx;
    return atomic_load_explicit(&park->state, memory_order_acquire) == PARK_CALLED;
}

bool
rp_park_wait(struct rp_park *park, uint64_t spin_ns)
{
    const bool is_in_time = rp_spin_until(park_is_called, park, spin_ns);
    unsigned state = PARK_EMPTY;
    if (!is_in_time && atomic_compare_exchange_strong(&park->state, &state, PARK_ASLEEP)) {
        while (!park_is_called(park))
            rp_word_sleep(&park->state, PARK_ASLEEP);
    }
    atomic_store_explicit(&park->state, PARK_EMPTY, memory_order_relaxed);
    return is_in_time;
}

void
rp_park_call(struct rp_park *park)
{
    if (atomic_exchange(&park->state, PARK_CALLED) == PARK_ASLEEP)
        rp_word_wake_one(&park->state);
}

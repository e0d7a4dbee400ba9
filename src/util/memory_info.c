/* SPDX-License-Identifier: MIT */
/* The system's memory, and a counter of the process' device memory.
 */
#include "util/memory_info.h"

#include "platform/system_memory.h"
#include "util/compiler.h"

#include <stdatomic.h>
#include <stdbool.h>

/* Half of the addresses: of 32-bit processes less than machines have. */
#define ADDRESSES_B ((uint64_t)PTRDIFF_MAX + 1)

uint64_t
rp_memory_total_B(void)
{
    const uint64_t total_B = rp_system_memory_read().total_B;
    return RP_MIN(RP_MAX(total_B, 4096), ADDRESSES_B);
}

uint64_t
rp_memory_available_B(void)
{
    return rp_system_memory_read().available_B;
}

/* Counted for the process, because VK_EXT_memory_budget counts per process and not per instance. */
static atomic_uint_fast64_t charged_B;

bool
rp_memory_charge(uint64_t size_B, uint64_t limit_B)
{
    uint_fast64_t used_B = atomic_load_explicit(&charged_B, memory_order_relaxed);
    do {
        if (size_B > limit_B || used_B > limit_B - size_B)
            return false;
    } while (!atomic_compare_exchange_weak(&charged_B, &used_B, used_B + size_B));
    return true;
}

void
rp_memory_uncharge(uint64_t size_B)
{
    atomic_fetch_sub(&charged_B, size_B);
}

uint64_t
rp_memory_charged_B(void)
{
    return atomic_load_explicit(&charged_B, memory_order_relaxed);
}

/* SPDX-License-Identifier: MIT */
/* Deadlines, and their parts.
 */
#include "icd/layer/wait.h"

#include "platform/clock.h"
#include "util/compiler.h"

#define PART_NS UINT64_C(500000000)

uint64_t
rp_layer_deadline_after(uint64_t timeout_ns)
{
    const uint64_t now = rp_clock_now_ns();
    return timeout_ns > UINT64_MAX / 2 - now ? UINT64_MAX / 2 : now + timeout_ns;
}

uint64_t
rp_layer_wait_part(uint64_t deadline_ns)
{
    const uint64_t now = rp_clock_now_ns();
    return deadline_ns > now ? RP_MIN(deadline_ns - now, PART_NS) : 0;
}

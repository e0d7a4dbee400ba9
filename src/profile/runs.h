/* SPDX-License-Identifier: MIT */
/* Invocations of an access whose places lie one behind the other: they are looked at together.
 */
#ifndef RP_PROFILE_RUNS_H
#define RP_PROFILE_RUNS_H

#include "compute/record.h"

/* count of an access's lanes from its place first on, in the same span. */
struct rp_run {
    uint32_t first;
    uint32_t count;
    uint32_t step_B; /* size_B of the access, or 0: all are at the same place, or outside */
};

/* All lanes, in order: at most access->count runs. Returns how many they are. */
uint32_t rp_runs_find(const struct rp_access *access, struct rp_run *out);

static inline const struct rp_access_span *
rp_access_span_of(const struct rp_access *access, uint32_t i)
{
    return &access->spans[access->has_spans ? i : 0];
}

#endif

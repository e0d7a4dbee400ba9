/* SPDX-License-Identifier: MIT */
#include "profile/runs.h"

/* The end of those of the lanes [i, end) that are in the span of the first. */
static uint32_t
span_end(const struct rp_access *access, uint32_t i, uint32_t end)
{
    const struct rp_access_span *spans = access->spans;
    uint32_t k = i + 1;
    while (k < end && spans[k].base == spans[i].base && spans[k].size_B == spans[i].size_B)
        k++;
    return k;
}

uint32_t
rp_runs_find(const struct rp_access *access, struct rp_run *out)
{
    uint8_t *const *at = access->at;
    const uint32_t count = access->count;
    uint32_t run_count = 0;
    for (uint32_t i = 0; i < count;) {
        const uintptr_t from = (uintptr_t)at[i];
        uint32_t end = i + 1, step_B = 0;
        if (end < count && from && (uintptr_t)at[end] == from + access->size_B)
            step_B = access->size_B;
        for (uintptr_t next = from + step_B; end < count && (uintptr_t)at[end] == next; end++)
            next += step_B;
        if (access->has_spans)
            end = span_end(access, i, end);
        out[run_count++] = (struct rp_run){i, end - i, step_B};
        i = end;
    }
    return run_count;
}

/* SPDX-License-Identifier: MIT */
#include "profile/runs.h"

static bool
has_same_span(const struct rp_access *access, uint32_t i, uint32_t k)
{
    const struct rp_access_span *a = &access->spans[i], *b = &access->spans[k];
    return !access->has_spans || (a->base == b->base && a->size_B == b->size_B);
}

uint32_t
rp_runs_find(const struct rp_access *access, struct rp_run *out)
{
    uint8_t *const *at = access->at;
    const uint32_t count = access->count;
    uint32_t run_count = 0;
    for (uint32_t i = 0; i < count;) {
        const uintptr_t from = (uintptr_t)at[i];
        uint32_t n = 1, step_B = 0;
        if (i + 1 < count && from && (uintptr_t)at[i + 1] == from + access->size_B)
            step_B = access->size_B;
        while (i + n < count && (uintptr_t)at[i + n] == from + (uint64_t)n * step_B &&
               has_same_span(access, i, i + n))
            n++;
        out[run_count++] = (struct rp_run){i, n, step_B};
        i += n;
    }
    return run_count;
}

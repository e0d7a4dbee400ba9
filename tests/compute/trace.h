/* SPDX-License-Identifier: MIT */
/* What the probes of a kernel have to count, found another way: the module is rewritten so that
 * each invocation writes down the basic blocks that it enters, and these traces are merged to warps
 * here.
 *
 * Lanes are together in a block when they came to it by the same calls and in the same rounds of
 * the loops around it.
 */
#ifndef RP_TESTS_COMPUTE_TRACE_H
#define RP_TESTS_COMPUTE_TRACE_H

#include "compute/compute.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_BINDING 4000u /* of the buffer, in set 0 */
#define TRACE_WORDS 2048u   /* of an invocation: how many blocks it entered, then their labels */

/* Of one dispatch. */
struct trace_grid {
    uint32_t base[3];
    uint32_t count[3];
    uint32_t lanes; /* of a workgroup */
};

/* The caller frees. */
uint32_t *trace_module(const uint32_t *words, size_t count, const struct trace_grid *grid,
                       size_t *count_out);

size_t trace_size_B(const struct trace_grid *grid);

struct trace_count {
    uint64_t active;
    uint64_t masks[RP_PROBE_WIDTHS];
};

/* Adds up what each block was entered, by the id of its label: counts has room for all ids of the
 * module. False: an invocation entered more than there is room for. */
bool trace_merge(const uint32_t *words, size_t count, const struct trace_grid *grid,
                 const uint32_t *trace, struct trace_count *counts);

#endif

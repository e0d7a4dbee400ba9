/* SPDX-License-Identifier: MIT */
/* What a piece of work costs beside time: what all threads of the process take for it.
 */
#ifndef RP_BENCHMARK_COST_H
#define RP_BENCHMARK_COST_H

#include <stdint.h>

struct bench_cost {
    double wall_s;
    double cpu_s;
    double sleep_count; /* times that a thread gave its processor up to wait */
    double fault_count; /* pages that were touched for the first time */
};

struct bench_cost bench_cost_now(void);

/* The cost of what ctx names, in each of unit_count equal units: the median of rounds, after one
 * that does not count. */
struct bench_cost bench_cost_per_unit(void (*run)(void *ctx), void *ctx, uint32_t unit_count,
                                      uint32_t rounds);

#endif

/* SPDX-License-Identifier: MIT */
/* getrusage() before and after.
 */
#include "cost.h"

#include "measure.h"

#include <stdlib.h>
#include <sys/resource.h>

struct bench_cost
bench_cost_now(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (struct bench_cost){
        .wall_s = bench_wall_s(),
        .cpu_s = bench_cpu_s(),
        .sleep_count = (double)usage.ru_nvcsw,
        .fault_count = (double)usage.ru_minflt,
    };
}

static int
wall_compare(const void *a, const void *b)
{
    const double x = ((const struct bench_cost *)a)->wall_s;
    const double y = ((const struct bench_cost *)b)->wall_s;
    return (x > y) - (x < y);
}

static struct bench_cost
measure_once(void (*run)(void *ctx), void *ctx, double unit_count)
{
    const struct bench_cost before = bench_cost_now();
    run(ctx);
    const struct bench_cost after = bench_cost_now();
    return (struct bench_cost){
        .wall_s = (after.wall_s - before.wall_s) / unit_count,
        .cpu_s = (after.cpu_s - before.cpu_s) / unit_count,
        .sleep_count = (after.sleep_count - before.sleep_count) / unit_count,
        .fault_count = (after.fault_count - before.fault_count) / unit_count,
    };
}

struct bench_cost
bench_cost_per_unit(void (*run)(void *ctx), void *ctx, uint32_t unit_count, uint32_t rounds)
{
    struct bench_cost costs[BENCH_MAX_ROUNDS];

    run(ctx);
    for (uint32_t i = 0; i < rounds; i++)
        costs[i] = measure_once(run, ctx, unit_count);
    qsort(costs, rounds, sizeof(costs[0]), wall_compare);
    return costs[rounds / 2];
}

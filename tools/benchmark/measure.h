/* SPDX-License-Identifier: MIT */
/* Timing of a thing beside its peer: alternating, in one run, medians with their spread.
 */
#ifndef RP_BENCHMARK_MEASURE_H
#define RP_BENCHMARK_MEASURE_H

#include <stdint.h>

#define BENCH_MAX_ROUNDS 101

struct bench_times {
    double median;
    double low;  /* 25th percentile */
    double high; /* 75th percentile */
};

/* Seconds of CLOCK_MONOTONIC, and of user + system time of the process. */
double bench_wall_s(void);
double bench_cpu_s(void);

/* Sorts the samples, at least one. */
struct bench_times bench_times_of(double *samples, uint32_t count);

/* Runs ours and peer in turn, after one unmeasured round, and measures each (seconds of
 * clock()). peer may be NULL. rounds: at most BENCH_MAX_ROUNDS. */
void bench_compare(void (*ours)(void *ctx), void (*peer)(void *ctx), void *ctx, uint32_t rounds,
                   double (*clock)(void), struct bench_times *ours_out,
                   struct bench_times *peer_out);

/* bench_compare() with a clock for each. */
void bench_compare_clocks(void (*ours)(void *ctx), double (*ours_clock)(void),
                          void (*peer)(void *ctx), double (*peer_clock)(void), void *ctx,
                          uint32_t rounds, struct bench_times *ours_out,
                          struct bench_times *peer_out);

/* One line of the table: name, ours, peer and ratio ours / peer; unit is "ms", "us", "ns" or "MiB".
 * goal: the ratio (or, without a peer, the value) that is asked for; 0: none. JSON lines are
 * written instead when BENCH_JSON is set. */
void bench_row(const char *name, const char *unit, const struct bench_times *ours,
               const struct bench_times *peer, double goal);

#endif

/* SPDX-License-Identifier: MIT */
/* What many processors, threads, sessions and processes cost each other: the parts of bench_cores
 * (compute, copies, submissions) and of bench_crowd (encoders).
 */
#ifndef RP_BENCHMARK_CORES_H
#define RP_BENCHMARK_CORES_H

#include "cost.h"
#include "scaling.h"

#include <stdint.h>

struct cores_part {
    const char *name;
    void (*run)(uint32_t rounds);
};

/* Runs the parts that are named behind the number of rounds, else all. */
int cores_run_parts(int argc, char **argv, const struct cores_part *parts, uint32_t count);

/* Lines of a table, in the order in which they are filled in: each value beside that of the first
 * point, but for sleeps, which are counts. */
enum cores_line {
    CORES_RATE,   /* units in the same time */
    CORES_CPU,    /* CPU time of a unit */
    CORES_SLEEPS, /* of all threads, in a unit */
    CORES_WALL_US,
};

struct scaling cores_table(const char *title, const char *x_name);

/* cost: of a unit of point i. */
void cores_table_set(struct scaling *s, uint32_t i, const struct bench_cost *cost);
/* Turns times into ratios and writes the table. */
void cores_table_print(struct scaling *s);

/* The parts of bench_cores. */
void cores_small_work(uint32_t rounds);
void cores_submissions(uint32_t rounds);
void cores_waiters(uint32_t rounds);

#endif

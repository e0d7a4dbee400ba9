/* SPDX-License-Identifier: MIT */
/* Measurements over a number of cores or of sessions, for plots.
 */
#ifndef RP_BENCHMARK_SCALING_H
#define RP_BENCHMARK_SCALING_H

#include <stdint.h>

#define SCALING_MAX_POINTS 12
#define SCALING_MAX_LINES 4

struct scaling {
    const char *title;
    const char *x_name;
    const char *unit; /* of y; where it ends in "/s", twice the cores can make twice as much */
    uint32_t count;
    uint32_t x[SCALING_MAX_POINTS];
    uint32_t line_count;
    struct {
        const char *name;
        double y[SCALING_MAX_POINTS];
    } lines[SCALING_MAX_LINES];
};

/* 1, 2, 3, 4, then twice as many each time, and the most that the process may use. */
void scaling_cores(struct scaling *s);

/* The calling thread, and those that it starts from now on, keep to the first count cores of those
 * that the process began with: a device that is made now counts as many. */
void scaling_use_cores(uint32_t count);

/* scaling_use_cores() for all threads that the process has, as taskset does it. */
void scaling_use_cores_of_all_threads(uint32_t count);

/* Doublings of 1 up to most. */
void scaling_doublings(struct scaling *s, uint32_t most);

/* A table, or a line of JSON when BENCH_JSON is set. */
void scaling_print(const struct scaling *s);

#endif

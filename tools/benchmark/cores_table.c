/* SPDX-License-Identifier: MIT */
/* Tables whose values are ratios, and the choice of parts.
 */
#include "cores.h"

#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_ROUNDS 7u

struct scaling
cores_table(const char *title, const char *x_name)
{
    return (struct scaling){
        .title = title,
        .x_name = x_name,
        .unit = "beside the first",
        .line_count = 4,
        .lines =
            {
                [CORES_RATE] = {.name = "units a second"},
                [CORES_CPU] = {.name = "CPU time of a unit"},
                [CORES_SLEEPS] = {.name = "sleeps in a unit (a count)"},
                [CORES_WALL_US] = {.name = "us of a unit (a time)"},
            },
    };
}

void
cores_table_set(struct scaling *s, uint32_t i, const struct bench_cost *cost)
{
    s->lines[CORES_RATE].y[i] = 1 / cost->wall_s;
    s->lines[CORES_CPU].y[i] = cost->cpu_s;
    s->lines[CORES_SLEEPS].y[i] = cost->sleep_count;
    s->lines[CORES_WALL_US].y[i] = 1e6 * cost->wall_s;
}

void
cores_table_print(struct scaling *s)
{
    for (uint32_t line = CORES_RATE; line <= CORES_CPU; line++) {
        const double first = s->lines[line].y[0];
        for (uint32_t i = 0; i < s->count; i++)
            s->lines[line].y[i] /= first;
    }
    scaling_print(s);
}

static int
is_asked(int argc, char **argv, const char *name)
{
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], name) == 0)
            return 1;
    }
    return argc <= 2;
}

static int
usage(const struct cores_part *parts, uint32_t count, const char *program)
{
    (void)fprintf(stderr, "usage: %s [ROUNDS [PART...]], parts:", program);
    for (uint32_t i = 0; i < count; i++)
        (void)fprintf(stderr, " %s", parts[i].name);
    (void)fprintf(stderr, "\n");
    return 2;
}

int
cores_run_parts(int argc, char **argv, const struct cores_part *parts, uint32_t count)
{
    const uint32_t rounds = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : DEFAULT_ROUNDS;

    if (rounds == 0 || rounds > BENCH_MAX_ROUNDS)
        return usage(parts, count, argv[0]);
    for (uint32_t i = 0; i < count; i++) {
        if (is_asked(argc, argv, parts[i].name))
            parts[i].run(rounds);
    }
    return 0;
}

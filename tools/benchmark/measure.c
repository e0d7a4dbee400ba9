/* SPDX-License-Identifier: MIT */
/* Clocks, medians and table rows.
 */
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

double
bench_wall_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double
bench_cpu_s(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static int
double_compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

struct bench_times
bench_times_of(double *samples, uint32_t count)
{
    qsort(samples, count, sizeof(samples[0]), double_compare);
    return (struct bench_times){
        .median = samples[count / 2],
        .low = samples[count / 4],
        .high = samples[count - 1 - count / 4],
    };
}

static double
timed(void (*fn)(void *ctx), void *ctx, double (*clock)(void))
{
    const double begin = clock();
    fn(ctx);
    return clock() - begin;
}

void
bench_compare_clocks(void (*ours)(void *ctx), double (*ours_clock)(void), void (*peer)(void *ctx),
                     double (*peer_clock)(void), void *ctx, uint32_t rounds,
                     struct bench_times *ours_out, struct bench_times *peer_out)
{
    double ours_s[BENCH_MAX_ROUNDS];
    double peer_s[BENCH_MAX_ROUNDS];

    ours(ctx);
    if (peer)
        peer(ctx);
    for (uint32_t i = 0; i < rounds; i++) {
        ours_s[i] = timed(ours, ctx, ours_clock);
        if (peer)
            peer_s[i] = timed(peer, ctx, peer_clock);
    }
    *ours_out = bench_times_of(ours_s, rounds);
    if (peer)
        *peer_out = bench_times_of(peer_s, rounds);
}

void
bench_compare(void (*ours)(void *ctx), void (*peer)(void *ctx), void *ctx, uint32_t rounds,
              double (*clock)(void), struct bench_times *ours_out, struct bench_times *peer_out)
{
    bench_compare_clocks(ours, clock, peer, clock, ctx, rounds, ours_out, peer_out);
}

static double
unit_scale(const char *unit)
{
    if (strcmp(unit, "MiB") == 0)
        return 1;
    return strcmp(unit, "ns") == 0 ? 1e9 : strcmp(unit, "us") == 0 ? 1e6 : 1e3;
}

void
bench_row(const char *name, const char *unit, const struct bench_times *ours,
          const struct bench_times *peer, double goal)
{
    const double scale = unit_scale(unit);
    const double value = ours->median * scale;
    const double ratio = peer ? ours->median / peer->median : 0.0;

    if (getenv("BENCH_JSON")) {
        printf("{\"name\": \"%s\", \"unit\": \"%s\", \"ours\": %.6g, \"low\": %.6g, "
               "\"high\": %.6g, \"peer\": %.6g, \"ratio\": %.4g, \"goal\": %.4g}\n",
               name, unit, value, ours->low * scale, ours->high * scale,
               peer ? peer->median * scale : 0.0, ratio, goal);
        return;
    }
    printf("%-44s %9.3f %s (%.3f..%.3f)", name, value, unit, ours->low * scale, ours->high * scale);
    if (peer)
        printf("  peer %9.3f %s  ratio %.3f", peer->median * scale, unit, ratio);
    if (goal > 0.0)
        printf("  goal <= %g%s", goal, (peer ? ratio : value) <= goal ? "" : "  MISSED");
    printf("\n");
    fflush(stdout);
}

/* SPDX-License-Identifier: MIT */
/* Kernels over cores, beside native C on as many threads; and dispatches so small that the threads
 * which they wake are a cost.
 */
#include "compute_scaling.h"

#include "compute_gpu.h"
#include "measure.h"
#include "scaling.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 7u
#define MAX_PARTS 64u
#define SMALL_COUNT 200u /* dispatches in a command buffer */

struct work {
    struct gpu gpu;
    const struct kernel *kernel;
    uint8_t *native[3];
    uint32_t part_count;
};

struct part {
    const struct work *work;
    uint32_t index;
    pthread_t thread;
};

static void
run_ours(void *ctx)
{
    bench_submit_and_wait(&((struct work *)ctx)->gpu.dev);
}

static void *
part_run(void *arg)
{
    const struct part *p = arg;

    p->work->kernel->native(p->work->kernel, p->work->native, p->index, p->work->part_count);
    return NULL;
}

static void
run_native(void *ctx)
{
    struct part parts[MAX_PARTS];
    const struct work *w = ctx;

    for (uint32_t i = 0; i < w->part_count; i++) {
        parts[i] = (struct part){.work = w, .index = i};
        if (pthread_create(&parts[i].thread, NULL, part_run, &parts[i]) != 0)
            exit(1);
    }
    for (uint32_t i = 0; i < w->part_count; i++)
        pthread_join(parts[i].thread, NULL);
}

/* What memory bounds, what arithmetic bounds, and what both do. */
static bool
is_wanted(const struct kernel *k)
{
    static const char *const names[] = {"copy, uvec4", "5x5 blur, float buffers",
                                        "matrix product, 512", "Mandelbrot, 64 rounds"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(k->name, names[i]) == 0)
            return true;
    }
    return false;
}

/* Runs per second of one kernel on the cores in use. */
static void
measure(struct work *w, double *ours, double *native)
{
    struct bench_times times[2];
    VkPipeline pipeline;

    if (!gpu_open(&w->gpu, "Reelpipe")) {
        (void)fprintf(stderr, "no device is called Reelpipe\n");
        exit(1);
    }
    pipeline = gpu_pipeline(&w->gpu, w->kernel->spirv, w->kernel->spirv_B);
    gpu_fill(&w->gpu, w->kernel);
    gpu_record(&w->gpu, w->kernel, pipeline, 1);
    bench_compare(run_ours, run_native, w, ROUNDS, bench_wall_s, &times[0], &times[1]);
    *ours = 1 / times[0].median;
    *native = 1 / times[1].median;
    vkDestroyPipeline(w->gpu.dev.device, pipeline, NULL);
    gpu_close(&w->gpu);
}

/* A part of saxpy: its share of the workgroups. */
static const uint32_t small_shares[] = {128, 64, 32, 16, 8};

/* Dispatches that wait for each other. */
static void
measure_small(struct work *w, double *wall_us, double *cpu_us)
{
    struct bench_times wall, cpu;

    if (!gpu_open(&w->gpu, "Reelpipe")) {
        (void)fprintf(stderr, "no device is called Reelpipe\n");
        exit(1);
    }
    const VkPipeline pipeline = gpu_pipeline(&w->gpu, w->kernel->spirv, w->kernel->spirv_B);
    gpu_fill(&w->gpu, w->kernel);
    gpu_record(&w->gpu, w->kernel, pipeline, SMALL_COUNT);
    bench_compare(run_ours, NULL, w, ROUNDS, bench_wall_s, &wall, NULL);
    bench_compare(run_ours, NULL, w, ROUNDS, bench_cpu_s, &cpu, NULL);
    *wall_us = 1e6 * wall.median / SMALL_COUNT;
    *cpu_us = 1e6 * cpu.median / SMALL_COUNT;
    vkDestroyPipeline(w->gpu.dev.device, pipeline, NULL);
    gpu_close(&w->gpu);
}

static void
small_dispatches(struct work *w)
{
    for (size_t i = 0; i < sizeof(small_shares) / sizeof(small_shares[0]); i++) {
        struct kernel kernel = bench_kernels[0];
        char title[64];
        struct scaling s = {.title = title,
                            .unit = "us of a dispatch",
                            .line_count = 2,
                            .lines = {{.name = "wall"}, {.name = "CPU time of all threads"}}};
        kernel.groups[0] /= small_shares[i];
        (void)snprintf(title, sizeof(title), "%s, %u KiB in and %u KiB out", kernel.name,
                       kernel.groups[0], kernel.groups[0]);
        w->kernel = &kernel;
        scaling_cores(&s);
        for (uint32_t k = 0; k < s.count; k++) {
            scaling_use_cores(s.x[k]);
            measure_small(w, &s.lines[0].y[k], &s.lines[1].y[k]);
        }
        scaling_print(&s);
    }
}

void
bench_compute_scaling(void)
{
    struct work w = {0};

    for (uint32_t i = 0; i < 3; i++) {
        w.native[i] = calloc(1, GPU_BUFFER_B);
        if (!w.native[i])
            exit(1);
    }
    for (uint32_t k = 0; k < bench_kernel_count; k++) {
        struct scaling s = {.title = bench_kernels[k].name,
                            .unit = "runs/s",
                            .line_count = 2,
                            .lines = {{.name = "kernel"}, {.name = "native C"}}};
        w.kernel = &bench_kernels[k];
        if (!is_wanted(w.kernel))
            continue;
        scaling_cores(&s);
        for (uint32_t i = 0; i < s.count; i++) {
            scaling_use_cores(s.x[i]);
            w.part_count = s.x[i] < MAX_PARTS ? s.x[i] : MAX_PARTS;
            measure(&w, &s.lines[0].y[i], &s.lines[1].y[i]);
        }
        scaling_print(&s);
    }
    small_dispatches(&w);
    for (uint32_t i = 0; i < 3; i++)
        free(w.native[i]);
}

/* SPDX-License-Identifier: MIT */
/* Kernels over cores, beside native C on as many threads.
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
    for (uint32_t i = 0; i < 3; i++)
        free(w.native[i]);
}

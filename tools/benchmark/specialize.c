/* SPDX-License-Identifier: MIT */
/* Kernels without and with variants for the values of their uniform words (REELPIPE_SPECIALIZE),
 * in turn in one run and on the same memory: CPU time of the process, what is compiled included.
 * Control: both without, which shows what chance does.
 *
 * usage: bench_specialize [PART-OF-KERNEL-NAME [control]]
 */
#include "compute_gpu.h"
#include "compute_kernels.h"
#include "measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 15u
#define ROUND_S 0.15
#define SMALL_COUNT 1000u /* dispatches of one workgroup in a command buffer */

enum side {
    SIDE_WITHOUT,
    SIDE_WITH,
    SIDE_COUNT,
};

struct bench {
    struct gpu gpu;
    const struct kernel *kernel;
    uint32_t dispatch_count; /* in a command buffer */
    uint32_t submit_count;   /* in a round */
    VkPipeline pipelines[SIDE_COUNT];
    double total_s[SIDE_COUNT];
    uint8_t *result;
    double log_sum;
    uint32_t row_count;
    uint32_t wrong_count;
};

static void
run(struct bench *b, enum side side)
{
    gpu_record(&b->gpu, b->kernel, b->pipelines[side], b->dispatch_count);
    const double begin_s = bench_cpu_s();
    for (uint32_t i = 0; i < b->submit_count; i++)
        bench_submit_and_wait(&b->gpu.dev);
    b->total_s[side] += bench_cpu_s() - begin_s;
}

static void
run_with(void *ctx)
{
    run(ctx, SIDE_WITH);
}

static void
run_without(void *ctx)
{
    run(ctx, SIDE_WITHOUT);
}

/* Counts the submissions that fill a round. */
static void
count_submits(struct bench *b)
{
    b->submit_count = 1;
    run(b, SIDE_WITHOUT);
    for (;; b->submit_count *= 2) {
        b->total_s[SIDE_WITHOUT] = 0;
        run(b, SIDE_WITHOUT);
        if (b->total_s[SIDE_WITHOUT] > ROUND_S / 4)
            break;
    }
    const double count = ROUND_S / b->total_s[SIDE_WITHOUT] * b->submit_count;
    b->submit_count = count < 1 ? 1 : (uint32_t)count;
    b->total_s[SIDE_WITHOUT] = b->total_s[SIDE_WITH] = 0;
}

/* On fresh input, by the variant if there is one now. */
static void
verify(struct bench *b)
{
    const struct kernel *k = b->kernel;
    b->submit_count = 1;
    gpu_fill(&b->gpu, k);
    run(b, SIDE_WITHOUT);
    memcpy(b->result, b->gpu.buffers[1].data, k->out_B);
    gpu_fill(&b->gpu, k);
    run(b, SIDE_WITH);
    if (memcmp(b->result, b->gpu.buffers[1].data, k->out_B) == 0)
        return;
    printf("%-44s WRONG results\n", k->name);
    b->wrong_count++;
}

static void
measure(struct bench *b, const struct kernel *k, uint32_t dispatch_count, bool is_control)
{
    struct bench_times with, without;
    const VkPipelineCreateFlags plain = VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT;
    b->kernel = k;
    b->dispatch_count = dispatch_count;
    for (uint32_t i = 0; i < SIDE_COUNT; i++) {
        b->pipelines[i] = gpu_pipeline_flagged(&b->gpu, k->spirv, k->spirv_B,
                                               i == SIDE_WITHOUT || is_control ? plain : 0);
        if (!b->pipelines[i])
            exit(1);
    }
    gpu_fill(&b->gpu, k);
    count_submits(b);
    bench_compare(run_with, run_without, b, ROUNDS, bench_cpu_s, &with, &without);
    const double ratio = without.median / with.median;
    printf("%-44s %8.2f ms  median %6.3f  quarter %6.3f  all %6.3f\n", k->name,
           without.median * 1e3 / b->submit_count, ratio, without.low / with.low,
           b->total_s[SIDE_WITHOUT] / b->total_s[SIDE_WITH]);
    (void)fflush(stdout);
    verify(b);
    b->log_sum += log(ratio);
    b->row_count++;
    for (uint32_t i = 0; i < SIDE_COUNT; i++)
        vkDestroyPipeline(b->gpu.dev.device, b->pipelines[i], NULL);
}

/* Dispatches of a few microseconds: what it costs to look at them. */
static void
measure_small(struct bench *b, const struct kernel *k, bool is_control)
{
    char name[96];
    struct kernel small = *k;
    (void)snprintf(name, sizeof(name), "%s: one group", k->name);
    small.name = name;
    small.groups[0] = small.groups[1] = 1;
    measure(b, &small, SMALL_COUNT, is_control);
}

static void
summarize(struct bench *b, const char *what)
{
    if (b->row_count)
        printf("geometric mean of %u %s, without / with: %.3f\n", b->row_count, what,
               exp(b->log_sum / b->row_count));
    b->log_sum = 0;
    b->row_count = 0;
}

int
main(int argc, char **argv)
{
    static struct bench b;
    const char *only = argc > 1 ? argv[1] : "";
    const bool is_control = argc > 2 && strcmp(argv[2], "control") == 0;

    b.result = malloc(GPU_BUFFER_B);
    if (!b.result || setenv("REELPIPE_SPECIALIZE", "1", 1) != 0 || !gpu_open(&b.gpu, "Reelpipe")) {
        (void)fprintf(stderr, "no device is called Reelpipe\n");
        return 1;
    }
    for (uint32_t i = 0; i < bench_kernel_count; i++)
        if (strstr(bench_kernels[i].name, only))
            measure(&b, &bench_kernels[i], 1, is_control);
    summarize(&b, "kernels");
    for (uint32_t i = 0; i < bench_kernel_count; i++)
        if (strstr(bench_kernels[i].name, only))
            measure_small(&b, &bench_kernels[i], is_control);
    summarize(&b, "kernels, one workgroup");
    for (uint32_t i = 0; i < bench_uniform_kernel_count; i++)
        if (strstr(bench_uniform_kernels[i].name, only))
            measure(&b, &bench_uniform_kernels[i], 1, is_control);
    summarize(&b, "kernels of uniforms");
    gpu_close(&b.gpu);
    free(b.result);
    return b.wrong_count != 0;
}

/* SPDX-License-Identifier: MIT */
/* Compute kernels on this driver, on lavapipe and in native C, alternating in one run, with the
 * results compared (issue: "The compute engine", Speed).
 *
 * usage: bench_compute [PART-OF-KERNEL-NAME [DEVICE]]
 *        bench_compute scaling
 */
#include "compute_gpu.h"
#include "compute_kernels.h"
#include "compute_scaling.h"
#include "measure.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS 11u
#define MAX_PARTS 16u

struct bench {
    struct gpu ours;
    struct gpu peer;
    int has_peer;
    const struct kernel *kernel;
    uint8_t *native[3];
    uint32_t part_count;
    double log_sum[SET_COUNT]; /* of lavapipe / ours */
    uint32_t log_count[SET_COUNT];
    double worst[SET_COUNT];
    const char *worst_name[SET_COUNT];
    uint32_t wrong_count;
};

static void
run_ours(void *ctx)
{
    bench_submit_and_wait(&((struct bench *)ctx)->ours.dev);
}

static void
run_peer(void *ctx)
{
    bench_submit_and_wait(&((struct bench *)ctx)->peer.dev);
}

struct part {
    struct bench *bench;
    uint32_t index;
    pthread_t thread;
};

static void *
part_run(void *arg)
{
    const struct part *p = arg;
    p->bench->kernel->native(p->bench->kernel, p->bench->native, p->index, p->bench->part_count);
    return NULL;
}

static void
run_native(void *ctx)
{
    struct part parts[MAX_PARTS];
    struct bench *b = ctx;
    for (uint32_t i = 0; i < b->part_count; i++) {
        parts[i] = (struct part){.bench = b, .index = i};
        if (i && pthread_create(&parts[i].thread, NULL, part_run, &parts[i]) != 0)
            exit(1);
    }
    part_run(&parts[0]);
    for (uint32_t i = 1; i < b->part_count; i++)
        pthread_join(parts[i].thread, NULL);
}

/* How many elements differ by more than the kernel allows. */
static uint64_t
count_wrong(const struct kernel *k, const uint8_t *a, const uint8_t *b)
{
    uint64_t wrong = 0;
    for (uint64_t i = 0; i + 4 <= k->out_B; i += 4) {
        float x, y;
        memcpy(&x, a + i, sizeof(x));
        memcpy(&y, b + i, sizeof(y));
        if (memcmp(a + i, b + i, 4) == 0)
            continue;
        if (!(k->tolerance > 0.0f) || !(fabsf(x - y) <= k->tolerance * fmaxf(1.0f, fabsf(x))))
            wrong++;
    }
    /* Negative: a few points on the edge of a fractal may fall on either side. */
    return k->tolerance < 0.0f && wrong < k->out_B / 4 / 1000 ? 0 : wrong;
}

static uint64_t
count_wrong_pixels(struct bench *b)
{
    uint64_t wrong = 0;
    for (uint32_t i = 1; i < 4; i++) {
        const uint64_t size_B = gpu_read_image(&b->ours, i);
        (void)gpu_read_image(&b->peer, i);
        for (uint64_t p = 0; p < size_B; p++) {
            const int d = b->ours.staging.data[p] - b->peer.staging.data[p];
            wrong += (uint32_t)abs(d) > b->kernel->pixel_tolerance;
        }
    }
    return wrong;
}

/* One run each on fresh input, results compared. */
static void
verify(struct bench *b)
{
    const struct kernel *k = b->kernel;
    uint64_t wrong = 0;

    run_ours(b);
    if (b->has_peer) {
        run_peer(b);
        wrong += k->images == IMAGES_NONE
                     ? count_wrong(k, b->ours.buffers[1].data, b->peer.buffers[1].data)
                     : count_wrong_pixels(b);
    }
    if (k->native) {
        memcpy(b->native[0], b->ours.buffers[0].data, k->in_B);
        memcpy(b->native[2], b->ours.buffers[2].data, k->in_B);
        memset(b->native[1], 0, k->out_B);
        run_native(b);
        wrong += count_wrong(k, b->ours.buffers[1].data, b->native[1]);
    }
    if (wrong) {
        printf("%-44s %llu WRONG results\n", k->name, (unsigned long long)wrong);
        b->wrong_count++;
    }
}

static void
count_ratio(struct bench *b, double ratio)
{
    const enum kernel_set set = b->kernel->set;
    if (!b->log_count[set] || ratio < b->worst[set]) {
        b->worst[set] = ratio;
        b->worst_name[set] = b->kernel->name;
    }
    b->log_sum[set] += log(ratio);
    b->log_count[set]++;
}

static void
measure(struct bench *b, VkPipeline ours, VkPipeline peer)
{
    struct bench_times t_ours, t_peer, t_native;
    char row[96];

    gpu_record(&b->ours, b->kernel, ours, 1);
    if (b->has_peer && peer) {
        gpu_record(&b->peer, b->kernel, peer, 1);
        bench_compare(run_ours, run_peer, b, ROUNDS, bench_wall_s, &t_ours, &t_peer);
        (void)snprintf(row, sizeof(row), "%s: lavapipe", b->kernel->name);
        bench_row(row, "ms", &t_ours, &t_peer, 1.0);
        count_ratio(b, t_peer.median / t_ours.median);
    }
    if (b->kernel->native) {
        bench_compare(run_ours, run_native, b, ROUNDS, bench_wall_s, &t_ours, &t_native);
        (void)snprintf(row, sizeof(row), "%s: native C", b->kernel->name);
        bench_row(row, "ms", &t_ours, &t_native, 0.0);
    }
}

static void
bench_kernel(struct bench *b, const struct kernel *k)
{
    b->kernel = k;
    VkPipeline ours = gpu_pipeline(&b->ours, k->spirv, k->spirv_B);
    VkPipeline peer = b->has_peer ? gpu_pipeline(&b->peer, k->spirv, k->spirv_B) : VK_NULL_HANDLE;
    if (!ours) {
        printf("%-44s REFUSED\n", k->name);
        b->wrong_count++;
    } else {
        gpu_fill(&b->ours, k);
        gpu_record(&b->ours, k, ours, 1);
        if (peer) {
            gpu_fill(&b->peer, k);
            gpu_record(&b->peer, k, peer, 1);
        }
        verify(b);
        measure(b, ours, peer);
    }
    vkDestroyPipeline(b->ours.dev.device, ours, NULL);
    if (b->has_peer)
        vkDestroyPipeline(b->peer.dev.device, peer, NULL);
}

static void
submit_one(void *ctx)
{
    bench_submit_and_wait(&((struct gpu *)ctx)->dev);
}

/* Dispatches and submissions that have almost nothing to do. */
static void
bench_overhead(struct gpu *gpu, const char *who)
{
    static const struct kernel small = {.groups = {1, 1, 1}};
    struct bench_times t;
    char row[96];

    VkPipeline pipeline = gpu_pipeline(gpu, bench_empty_spirv, bench_empty_spirv_B);
    if (!pipeline)
        return;
    gpu_record(gpu, &small, pipeline, 10000);
    bench_compare(submit_one, NULL, gpu, ROUNDS, bench_wall_s, &t, NULL);
    t.median /= 10000, t.low /= 10000, t.high /= 10000;
    (void)snprintf(row, sizeof(row), "%s: one of 10,000 dispatches", who);
    bench_row(row, "us", &t, NULL, 0.5);
    gpu_record(gpu, &small, pipeline, 1);
    bench_compare(submit_one, NULL, gpu, 51, bench_wall_s, &t, NULL);
    (void)snprintf(row, sizeof(row), "%s: a dispatch with its submit", who);
    bench_row(row, "us", &t, NULL, 8.0);
    vkDestroyPipeline(gpu->dev.device, pipeline, NULL);

    struct bench_times create = {0};
    for (uint32_t i = 0; i < bench_kernel_count; i++) {
        const struct kernel *k = &bench_kernels[i];
        const double begin = bench_wall_s();
        pipeline = gpu_pipeline(gpu, k->spirv, k->spirv_B);
        if (!pipeline)
            continue;
        gpu_record(gpu, &small, pipeline, 1);
        bench_submit_and_wait(&gpu->dev);
        create.median += (bench_wall_s() - begin) / bench_kernel_count;
        vkDestroyPipeline(gpu->dev.device, pipeline, NULL);
    }
    create.low = create.high = create.median;
    (void)snprintf(row, sizeof(row), "%s: pipeline and its first run, mean", who);
    bench_row(row, "ms", &create, NULL, 1.0);
}

/* Each too small for all threads, and nothing orders them. */
static void
bench_small_dispatches(struct bench *b)
{
    const struct kernel *k = bench_kernels;
    while (!strstr(k->name, "matrix product, 512"))
        k++;
    struct kernel small = *k;
    small.groups[0] = 4;
    small.groups[1] = 1;
    b->kernel = &small;
    VkPipeline ours = gpu_pipeline(&b->ours, small.spirv, small.spirv_B);
    VkPipeline peer =
        b->has_peer ? gpu_pipeline(&b->peer, small.spirv, small.spirv_B) : VK_NULL_HANDLE;
    struct bench_times t_ours, t_peer;

    gpu_record_beside(&b->ours, &small, ours, 64);
    if (peer)
        gpu_record_beside(&b->peer, &small, peer, 64);
    bench_compare(run_ours, peer ? run_peer : NULL, b, ROUNDS, bench_wall_s, &t_ours, &t_peer);
    bench_row("64 dispatches of 4 groups: lavapipe", "ms", &t_ours, peer ? &t_peer : NULL,
              peer ? 1.0 : 0.0);
    vkDestroyPipeline(b->ours.dev.device, ours, NULL);
    if (peer)
        vkDestroyPipeline(b->peer.dev.device, peer, NULL);
}

static void
print_means(const struct bench *b)
{
    static const char *const kinds[SET_COUNT] = {"kernels", "with small workgroups",
                                                 "as applications write them"};

    for (uint32_t set = 0; set < SET_COUNT; set++)
        if (b->log_count[set])
            printf("geometric mean of %u %s: %.2f x lavapipe; the least %.2f (%s)\n",
                   b->log_count[set], kinds[set], exp(b->log_sum[set] / b->log_count[set]),
                   b->worst[set], b->worst_name[set]);
}

int
main(int argc, char **argv)
{
    static struct bench b;
    const char *only = argc > 1 ? argv[1] : "";

    if (strcmp(only, "scaling") == 0) {
        bench_compute_scaling();
        return 0;
    }
    const char *device = argc > 2 ? argv[2] : "Reelpipe";
    if (!gpu_open(&b.ours, device)) {
        (void)fprintf(stderr, "no device is called %s\n", device);
        return 1;
    }
    b.has_peer = gpu_open(&b.peer, "llvmpipe");
    if (b.has_peer)
        bench_device_print(&b.peer.dev);
    else
        printf("(no lavapipe: its columns are left out)\n");
    b.part_count = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
    if (b.part_count > MAX_PARTS)
        b.part_count = MAX_PARTS;
    for (uint32_t i = 0; i < 3; i++)
        if (!(b.native[i] = calloc(1, GPU_BUFFER_B)))
            return 1;

    for (uint32_t i = 0; i < bench_kernel_count; i++)
        if (strstr(bench_kernels[i].name, only))
            bench_kernel(&b, &bench_kernels[i]);
    for (uint32_t i = 0; i < bench_written_kernel_count; i++)
        if (strstr(bench_written_kernels[i].name, only))
            bench_kernel(&b, &bench_written_kernels[i]);
    print_means(&b);
    if (!*only || strcmp(only, "overhead") == 0) {
        bench_small_dispatches(&b);
        bench_overhead(&b.ours, "Reelpipe");
        if (b.has_peer)
            bench_overhead(&b.peer, "lavapipe");
    }

    for (uint32_t i = 0; i < 3; i++)
        free(b.native[i]);
    gpu_close(&b.ours);
    if (b.has_peer)
        gpu_close(&b.peer);
    return b.wrong_count != 0;
}

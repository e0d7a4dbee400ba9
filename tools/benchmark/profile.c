/* SPDX-License-Identifier: MIT */
/* What a profile costs (REELPIPE_PROFILE): the CPU time of each kernel's dispatch that is counted
 * by blocks, by the interpreter's operations, or with all accesses, without findings of races and
 * with them, over that of one that is not. The first dispatch of a profile, which compiles and
 * makes the maps, is a column of its own.
 *
 * usage: bench_profile [PART-OF-KERNEL-NAME]
 */
#include "compute_gpu.h"
#include "compute_kernels.h"
#include "measure.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PLAIN_S 0.05 /* CPU time of the dispatches without a profile */
#define PROFILED_COUNT 2u

enum mode {
    MODE_PLAIN,
    MODE_BLOCKS,
    MODE_OPERATIONS,
    MODE_ACCESSES,
    MODE_FINDINGS,
    MODE_COUNT,
};

/* Besides REELPIPE_PROFILE. */
static const struct variable {
    const char *name;
    const char *value;
} variables[MODE_COUNT][2] = {
    [MODE_OPERATIONS] = {{"REELPIPE_PROFILE_OPERATIONS", "1"}},
    [MODE_ACCESSES] = {{"REELPIPE_PROFILE_ACCESSES", "1"}, {"REELPIPE_PROFILE_RACES", "0"}},
    [MODE_FINDINGS] = {{"REELPIPE_PROFILE_ACCESSES", "1"}},
};

static const char *const mode_names[MODE_COUNT] = {"plain", "blocks", "operations", "accesses",
                                                   "findings"};

/* The times of one dispatch. */
struct row {
    double plain_s;           /* the least */
    double first[MODE_COUNT]; /* beside one without a profile right before */
    double next[MODE_COUNT];
};

struct mean {
    double log_sum;
    double most;
};

static double
dispatch_s(struct gpu *gpu, uint32_t count)
{
    const double begin_s = bench_cpu_s();
    for (uint32_t i = 0; i < count; i++)
        bench_submit_and_wait(&gpu->dev);
    return (bench_cpu_s() - begin_s) / count;
}

struct seconds {
    double first;
    double next;
};

static struct seconds
measure(struct gpu *gpu, const struct kernel *k, enum mode mode)
{
    struct seconds out;
    const VkPipeline pipeline = gpu_pipeline(gpu, k->spirv, k->spirv_B);
    if (!pipeline)
        exit(1);
    gpu_fill(gpu, k);
    gpu_record(gpu, k, pipeline, 1);
    out.first = dispatch_s(gpu, 1);
    const double once_s = dispatch_s(gpu, 1);
    const double count = mode == MODE_PLAIN ? PLAIN_S / (once_s + 1e-6) : PROFILED_COUNT;
    out.next = dispatch_s(gpu, count < 1 ? 1 : (uint32_t)count);
    vkDestroyPipeline(gpu->dev.device, pipeline, NULL);
    return out;
}

/* A machine that others use is not as fast at all times: each beside its own. */
static void
measure_beside(struct gpu gpus[2], const struct kernel *k, enum mode mode, struct row *row)
{
    const double plain_s = measure(&gpus[0], k, MODE_PLAIN).next;
    const struct seconds profiled = measure(&gpus[1], k, mode);
    row->plain_s = row->plain_s > 0 ? fmin(row->plain_s, plain_s) : plain_s;
    row->first[mode] = profiled.first / plain_s;
    row->next[mode] = profiled.next / plain_s;
}

/* All kernels, on a device of that mode; its folder, in the current one, goes. */
static void
measure_all(enum mode mode, const char *only, struct row *rows)
{
    static struct gpu gpus[2];
    char folder[] = "bench_profile.XXXXXX", taken[64];
    static const char *const files[] = {"profile.json", "maps.bin"};
    if (!mkdtemp(folder))
        exit(1);
    (void)snprintf(taken, sizeof(taken), "%s/taken", folder);
    bool is_open = gpu_open(&gpus[0], "Reelpipe");
    (void)setenv("REELPIPE_PROFILE", taken, 1);
    for (uint32_t i = 0; i < 2; i++)
        if (variables[mode][i].name)
            (void)setenv(variables[mode][i].name, variables[mode][i].value, 1);
    is_open = is_open && gpu_open(&gpus[1], "Reelpipe");
    if (!is_open) {
        (void)fprintf(stderr, "no device is called Reelpipe\n");
        exit(1);
    }
    for (uint32_t i = 0; i < bench_kernel_count; i++)
        if (strstr(bench_kernels[i].name, only))
            measure_beside(gpus, &bench_kernels[i], mode, &rows[i]);
    for (uint32_t i = 0; i < 2; i++)
        gpu_close(&gpus[i]);
    (void)unsetenv("REELPIPE_PROFILE");
    for (uint32_t i = 0; i < 2; i++)
        if (variables[mode][i].name)
            (void)unsetenv(variables[mode][i].name);
    for (uint32_t i = 0; i < 2; i++) {
        char path[96];
        (void)snprintf(path, sizeof(path), "%s/%s", taken, files[i]);
        (void)unlink(path);
    }
    (void)rmdir(taken);
    (void)rmdir(folder);
}

static double
mean_add(struct mean *mean, double ratio)
{
    mean->log_sum += log(ratio);
    mean->most = fmax(mean->most, ratio);
    return ratio;
}

int
main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : "";
    struct row *rows = calloc(bench_kernel_count, sizeof(*rows));
    struct mean means[MODE_COUNT] = {{0}}, first = {0};
    uint32_t count = 0;

    if (!rows)
        return 1;
    for (uint32_t mode = MODE_BLOCKS; mode < MODE_COUNT; mode++)
        measure_all((enum mode)mode, only, rows);
    printf("%-44s %10s %8s %10s %8s %8s %8s\n", "", "plain", "blocks", "operations", "accesses",
           "findings", "first");
    for (uint32_t i = 0; i < bench_kernel_count; i++) {
        const struct row *r = &rows[i];
        if (r->plain_s <= 0)
            continue;
        printf("%-44s %7.3f ms %8.2f %10.2f %8.1f %8.1f %8.1f\n", bench_kernels[i].name,
               r->plain_s * 1e3, mean_add(&means[MODE_BLOCKS], r->next[MODE_BLOCKS]),
               mean_add(&means[MODE_OPERATIONS], r->next[MODE_OPERATIONS]),
               mean_add(&means[MODE_ACCESSES], r->next[MODE_ACCESSES]),
               mean_add(&means[MODE_FINDINGS], r->next[MODE_FINDINGS]),
               mean_add(&first, r->first[MODE_FINDINGS]));
        count++;
    }
    for (uint32_t mode = MODE_BLOCKS; count && mode < MODE_COUNT; mode++)
        printf("%s: geometric mean %.2f, at most %.2f\n", mode_names[mode],
               exp(means[mode].log_sum / count), means[mode].most);
    if (count)
        printf("first dispatch with findings: geometric mean %.2f, at most %.2f\n",
               exp(first.log_sum / count), first.most);
    free(rows);
    return 0;
}

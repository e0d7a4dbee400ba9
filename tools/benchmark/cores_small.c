/* SPDX-License-Identifier: MIT */
/* Small dispatches and small copies back to back, on more and more processors: threads that are
 * woken for them cost more than they bring.
 */
#include "cores.h"

#include "compute_gpu.h"

#include <stdio.h>
#include <stdlib.h>

#define UNITS 200u /* in a command buffer */

static const uint32_t shares[] = {128, 32, 8}; /* of saxpy's 4096 workgroups */
static const uint32_t copy_sizes_B[] = {4096, 65536, 1048576};

static void
submit(void *ctx)
{
    bench_submit_and_wait(ctx);
}

static void
open_gpu(struct gpu *gpu)
{
    if (!gpu_open(gpu, "Reelpipe")) {
        (void)fprintf(stderr, "no device is called Reelpipe\n");
        exit(1);
    }
}

/* Each waits for the one before. */
static void
record_dispatches(struct gpu *gpu, uint32_t share, VkPipeline pipeline)
{
    struct kernel kernel = bench_kernels[0];

    gpu_fill(gpu, &kernel);
    kernel.groups[0] /= share;
    gpu_record(gpu, &kernel, pipeline, UNITS);
}

static void
record_copies(struct gpu *gpu, uint32_t size_B)
{
    const VkBufferCopy region = {.size = size_B};
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
    };

    bench_begin(&gpu->dev);
    for (uint32_t i = 0; i < UNITS; i++) {
        vkCmdCopyBuffer(gpu->dev.cb, gpu->buffers[i % 2].buffer, gpu->buffers[1 - i % 2].buffer, 1,
                        &region);
        vkCmdPipelineBarrier(gpu->dev.cb, VK_PIPELINE_STAGE_TRANSFER_BIT,
                             VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
    }
    bench_end(&gpu->dev);
}

static struct bench_cost
measure(uint32_t share, uint32_t copy_B, uint32_t rounds)
{
    struct gpu gpu;
    VkPipeline pipeline = VK_NULL_HANDLE;

    open_gpu(&gpu);
    if (copy_B) {
        record_copies(&gpu, copy_B);
    } else {
        pipeline = gpu_pipeline(&gpu, bench_kernels[0].spirv, bench_kernels[0].spirv_B);
        record_dispatches(&gpu, share, pipeline);
    }
    const struct bench_cost cost = bench_cost_per_unit(submit, &gpu.dev, UNITS, rounds);
    vkDestroyPipeline(gpu.dev.device, pipeline, NULL);
    gpu_close(&gpu);
    return cost;
}

static void
over_cores(const char *title, uint32_t share, uint32_t copy_B, uint32_t rounds)
{
    struct scaling s = cores_table(title, "cores");

    scaling_cores(&s);
    for (uint32_t i = 0; i < s.count; i++) {
        scaling_use_cores(s.x[i]);
        const struct bench_cost cost = measure(share, copy_B, rounds);
        cores_table_set(&s, i, &cost);
    }
    scaling_use_cores(UINT32_MAX);
    cores_table_print(&s);
}

void
cores_small_work(uint32_t rounds)
{
    char title[64];

    for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
        (void)snprintf(title, sizeof(title), "dispatches, 1/%u of saxpy", shares[i]);
        over_cores(title, shares[i], 0, rounds);
    }
    for (size_t i = 0; i < sizeof(copy_sizes_B) / sizeof(copy_sizes_B[0]); i++) {
        (void)snprintf(title, sizeof(title), "copies of %u KiB", copy_sizes_B[i] / 1024);
        over_cores(title, 0, copy_sizes_B[i], rounds);
    }
}

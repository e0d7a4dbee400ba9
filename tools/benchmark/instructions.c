/* SPDX-License-Identifier: MIT */
/* Runs a kernel so many times, for a count of its instructions by emulation, where times mean
 * nothing (tools/cross aarch64 --count). What two runs take more than one is what a run takes.
 *
 * usage: bench_instructions KERNEL CPU-FLAGS RUNS
 *        bench_instructions --list
 *   CPU-FLAGS  enum rp_cpu_flags; what the processor has not is left out
 */
#include "codecs/planes/high_bits.h"
#include "codecs/planes/interleave.h"
#include "compute/harness.h"
#include "reelpipe/cpu.h"
#include "video/rgb/dsp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH_PX 1920u
#define WORDS 65536u

static uint16_t samples[4][2 * WIDTH_PX];
static uint8_t pixels[3][4 * WIDTH_PX];
static int32_t sums[3][WIDTH_PX + 1]; /* an element before the first pixel's */
static uint32_t memory[BINDING_COUNT][WORDS];

/* The loops of the files that know at compile time what the processor has; compilers are not to
 * know the length here, either. */
static volatile uint32_t row_px = WIDTH_PX;

static void
plain_interleave(const uint8_t *restrict u, const uint8_t *restrict v, uint8_t *restrict dst,
                 uint32_t count)
{
    for (uint32_t x = 0; x < count; x++) {
        dst[2 * x] = u[x];
        dst[2 * x + 1] = v[x];
    }
}

static void
plain_high_interleave(const uint16_t *restrict u, const uint16_t *restrict v,
                      uint16_t *restrict dst, uint32_t count)
{
    for (uint32_t x = 0; x < count; x++) {
        dst[2 * x] = (uint16_t)(u[x] << 6);
        dst[2 * x + 1] = (uint16_t)(v[x] << 6);
    }
}

static void
plain_high_deinterleave(const uint16_t *restrict src, uint16_t *restrict u, uint16_t *restrict v,
                        uint32_t count)
{
    for (uint32_t x = 0; x < count; x++) {
        u[x] = src[2 * x] >> 6;
        v[x] = src[2 * x + 1] >> 6;
    }
}

/* Kernels of rows: one run is a row of WIDTH_PX. */
static void
interleave(uint32_t flags)
{
    uint8_t *dst = (uint8_t *)samples[2];
    if (flags)
        rp_interleave((uint8_t *)samples[0], (uint8_t *)samples[1], dst, WIDTH_PX);
    else
        plain_interleave((uint8_t *)samples[0], (uint8_t *)samples[1], dst, row_px);
}

static void
high_interleave(uint32_t flags)
{
    if (flags)
        rp_high_bits_interleave(samples[0], samples[1], samples[2], WIDTH_PX, 10);
    else
        plain_high_interleave(samples[0], samples[1], samples[2], row_px);
}

static void
high_deinterleave(uint32_t flags)
{
    if (flags)
        rp_high_bits_deinterleave(samples[2], samples[0], samples[1], WIDTH_PX, 10);
    else
        plain_high_deinterleave(samples[2], samples[0], samples[1], row_px);
}

/* BT.709, full range; the bytes that it gives do not matter. */
static const struct rp_rgb_matrix matrix = {
    .y = {4732, 46871, 13933},
    .cb = {32768, -25259, -7509},
    .cr = {-3005, -29763, 32768},
};

static void
rgb_luma(uint32_t flags)
{
    struct rp_rgb_dsp dsp;
    rp_rgb_dsp_init(&dsp, flags);
    dsp.luma[RP_RGB_8_BITS][RP_RGB_8_BITS](&matrix, 0, pixels[0], samples[0], WIDTH_PX);
}

static void
rgb_sum(uint32_t flags)
{
    struct rp_rgb_dsp dsp;
    int32_t *const out[3] = {sums[0] + 1, sums[1] + 1, sums[2] + 1};
    rp_rgb_dsp_init(&dsp, flags);
    dsp.sum[RP_RGB_8_BITS](pixels[0], pixels[1], pixels[2], 2, out, WIDTH_PX);
}

static void
rgb_chroma(uint32_t flags)
{
    struct rp_rgb_dsp dsp;
    const int32_t *const in[3] = {sums[0] + 1, sums[1] + 1, sums[2] + 1};
    rp_rgb_dsp_init(&dsp, flags);
    dsp.chroma[RP_RGB_8_BITS](&matrix, in, true, 20, samples[0], WIDTH_PX);
}

static const struct row_kernel {
    const char *name;
    void (*run)(uint32_t flags);
} row_kernels[] = {
    {"interleave", interleave},
    {"high_interleave", high_interleave},
    {"high_deinterleave", high_deinterleave},
    {"rgb_luma", rgb_luma},
    {"rgb_sum", rgb_sum},
    {"rgb_chroma", rgb_chroma},
};

#define ROW_KERNEL_COUNT (sizeof(row_kernels) / sizeof(row_kernels[0]))

/* Shaders of tests/compute/kernels, on one thread: one run is a row of workgroups. */
static void
shader_run(const char *name, uint32_t flags, uint32_t runs)
{
    struct rp_descriptor buffers[BINDING_COUNT];
    const struct grid grid = {
        .x = 4, .y = runs, .thread_count = 1, .push = {256, 50, 0x3c23d70a, 32}};
    for (uint32_t b = 0; b < BINDING_COUNT; b++) {
        for (uint32_t i = 0; i < WORDS; i++) {
            const float f = (float)(i % 4001) * 0.01f;
            memcpy(&memory[b][i], &f, sizeof(f));
        }
        buffers[b] =
            (struct rp_descriptor){.ptr = (uint8_t *)memory[b], .size_B = sizeof(memory[b])};
    }
    struct rp_kernel *kernel = kernel_load(name, flags);
    kernel_run(kernel, buffers, &grid);
    rp_kernel_destroy(kernel);
}

static int
list(void)
{
    for (uint32_t i = 0; i < ROW_KERNEL_COUNT; i++)
        puts(row_kernels[i].name);
    for (const char *const *name = kernel_names; *name; name++)
        puts(*name);
    return 0;
}

int
main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "--list"))
        return list();
    if (argc != 4) {
        fputs("usage: bench_instructions KERNEL CPU-FLAGS RUNS | --list\n", stderr);
        return 2;
    }
    const uint32_t flags = (uint32_t)strtoul(argv[2], NULL, 0) & rp_cpu_flags();
    const uint32_t runs = (uint32_t)strtoul(argv[3], NULL, 0);
    for (uint32_t i = 0; i < ROW_KERNEL_COUNT; i++) {
        if (!strcmp(row_kernels[i].name, argv[1])) {
            for (uint32_t k = 0; k < runs; k++)
                row_kernels[i].run(flags);
            return 0;
        }
    }
    for (const char *const *name = kernel_names; *name; name++) {
        if (!strcmp(*name, argv[1])) {
            shader_run(*name, flags, runs);
            return 0;
        }
    }
    fprintf(stderr, "bench_instructions: no kernel %s\n", argv[1]);
    return 2;
}

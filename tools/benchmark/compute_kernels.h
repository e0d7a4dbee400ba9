/* SPDX-License-Identifier: MIT */
/* The kernels of bench_compute: shader, size, native C of the same, and how results compare.
 */
#ifndef RP_BENCHMARK_COMPUTE_KERNELS_H
#define RP_BENCHMARK_COMPUTE_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PICTURE_WIDTH 1920u
#define PICTURE_HEIGHT 1080u

enum input {
    INPUT_BYTES,  /* random bits */
    INPUT_FLOATS, /* 0 to 1 */
};

enum images {
    IMAGES_NONE,
    IMAGES_NV12, /* 4: RGBA8 in, 5: R8 out, 6: RG8 out (half size) */
    IMAGES_GREY, /* 5: R8 in, 7: R8 out, 8: sampled R8 in */
};

/* Each has a mean of its own. */
enum kernel_set {
    SET_FIRST,
    SET_SMALL,   /* workgroups of 64 that share memory */
    SET_WRITTEN, /* as applications write them; the driver was not tuned on them */
    SET_COUNT,
};

struct kernel {
    const char *name;
    const uint32_t *spirv;
    size_t spirv_B;
    enum input input;
    enum images images;
    enum kernel_set set;
    uint64_t in_B;  /* bindings 0 and 2 */
    uint64_t out_B; /* binding 1; also read */
    uint32_t groups[3];
    uint32_t push[4];
    float tolerance;          /* floats of the output may differ by that; 0: bits are equal */
    uint32_t pixel_tolerance; /* bytes of output images */

    /* Part `part` of `part_count` of the same work; NULL: no native peer. */
    void (*native)(const struct kernel *k, uint8_t *const buf[3], uint32_t part,
                   uint32_t part_count);
};

extern const struct kernel bench_kernels[];
extern const uint32_t bench_kernel_count;
extern const struct kernel bench_written_kernels[]; /* SET_WRITTEN */
extern const uint32_t bench_written_kernel_count;
/* Whose push constants decide most of what they do, for bench_specialize. */
extern const struct kernel bench_uniform_kernels[];
extern const uint32_t bench_uniform_kernel_count;
extern const uint32_t *const bench_empty_spirv;
extern const size_t bench_empty_spirv_B;

#endif

/* SPDX-License-Identifier: MIT */
/* Kernels of many fields, written as applications write them and not as the driver likes them.
 */
#include "compute_kernels.h"

#include "written_spirv.h"

#define PIXELS (PICTURE_WIDTH * PICTURE_HEIGHT)
#define MIB (UINT64_C(1) << 20)

#define WRITTEN(label, shader) \
    .name = label, .spirv = spirv_##shader, .spirv_B = sizeof(spirv_##shader), .set = SET_WRITTEN
/* clang-format off */
#define PICTURE_PUSH {PICTURE_WIDTH, PICTURE_HEIGHT}
#define PICTURE_GROUPS(x, y) {(PICTURE_WIDTH + (x) - 1) / (x), (PICTURE_HEIGHT + (y) - 1) / (y), 1}

const struct kernel bench_written_kernels[] = {
    {WRITTEN("histogram equalisation, tiles", equalise), .in_B = 1920 * 1024, .out_B = 1920 * 1024,
     .groups = {30, 16, 1}, .push = {1920, 1024}},
    {WRITTEN("prefix sums", prefix), .in_B = 16 * MIB, .out_B = 16 * MIB, .groups = {4096, 1, 1},
     .push = {4 << 20}},
    {WRITTEN("bitonic sort of 512", bitonic), .in_B = 4 * MIB, .out_B = 4 * MIB,
     .groups = {2048, 1, 1}, .push = {1 << 20}},
    {WRITTEN("k-means, nearest of 32", kmeans), .input = INPUT_FLOATS, .in_B = 16 * MIB,
     .out_B = 4 * MIB, .groups = {8192, 1, 1}, .push = {1 << 20}, .tolerance = -1.0f},
    {WRITTEN("n bodies, 4,096", nbody), .input = INPUT_FLOATS, .in_B = MIB / 16, .out_B = MIB / 16,
     .groups = {16, 1, 1}, .push = {4096}, .tolerance = 1e-3f},
    {WRITTEN("Julia set, 128 rounds", julia), .in_B = 16, .out_B = 4 * MIB, .groups = {128, 128, 1},
     .push = {1024, 1024}, .tolerance = -1.0f},
    {WRITTEN("Gauss filter of a row", blur_row), .input = INPUT_FLOATS, .in_B = 4 * PIXELS,
     .out_B = 4 * PIXELS, .groups = {15, PICTURE_HEIGHT, 1}, .push = PICTURE_PUSH,
     .tolerance = 1e-5f},
    {WRITTEN("Sobel, RGBA8", sobel), .in_B = 4 * PIXELS, .out_B = 4 * PIXELS,
     .groups = PICTURE_GROUPS(16, 16), .push = PICTURE_PUSH, .tolerance = -1.0f},
    {WRITTEN("matrix by vector, 2,048", matvec), .input = INPUT_FLOATS, .in_B = 16 * MIB,
     .out_B = 4 * 2048, .groups = {2048, 1, 1}, .push = {2048}, .tolerance = 1e-4f},
    {WRITTEN("softmax, rows of 1,024", softmax), .input = INPUT_FLOATS, .in_B = 16 * MIB,
     .out_B = 16 * MIB, .groups = {4096, 1, 1}, .push = {1024}, .tolerance = 1e-6f},
    {WRITTEN("layer normalisation, rows of 768", layer_norm), .input = INPUT_FLOATS,
     .in_B = 4 * 768 * 4096, .out_B = 4 * 768 * 4096, .groups = {4096, 1, 1}, .push = {768},
     .tolerance = 1e-4f},
    {WRITTEN("int8 convolution, 16 channels to 4", conv8), .in_B = 480 * 270 * 16,
     .out_B = 480 * 270 * 4, .groups = {60, 34, 1}, .push = {480, 270}},
    {WRITTEN("SHA-256 of 64 bytes", sha256), .in_B = 8 * MIB, .out_B = 4 * MIB,
     .groups = {2048, 1, 1}, .push = {1 << 17}},
    {WRITTEN("Monte Carlo, xorshift", monte_carlo), .in_B = MIB, .out_B = MIB,
     .groups = {4096, 1, 1}, .push = {256}, .tolerance = -1.0f},
    {WRITTEN("Fourier transforms of 1,024", fft), .input = INPUT_FLOATS, .in_B = 8 * MIB,
     .out_B = 8 * MIB, .groups = {1024, 1, 1}, .push = {1 << 20}, .tolerance = 1e-3f},
    {WRITTEN("Game of Life", life), .in_B = 4 * PIXELS, .out_B = 4 * PIXELS,
     .groups = PICTURE_GROUPS(16, 16), .push = PICTURE_PUSH},
    {WRITTEN("median of 3x3", median), .input = INPUT_FLOATS, .in_B = 4 * PIXELS,
     .out_B = 4 * PIXELS, .groups = PICTURE_GROUPS(16, 8), .push = PICTURE_PUSH},
    {WRITTEN("bilateral filter, 5x5", bilateral), .input = INPUT_FLOATS, .in_B = 4 * PIXELS,
     .out_B = 4 * PIXELS, .groups = PICTURE_GROUPS(16, 16), .push = PICTURE_PUSH,
     .tolerance = 1e-4f},
    {WRITTEN("sparse matrix by vector", csr), .in_B = 16 * MIB, .out_B = MIB,
     .groups = {4096, 1, 1}, .push = {1 << 18}, .tolerance = 1e-5f},
    {WRITTEN("cubic enlargement, sampler", upscale), .images = IMAGES_GREY, .in_B = 16, .out_B = 16,
     .groups = PICTURE_GROUPS(16, 16), .push = PICTURE_PUSH, .pixel_tolerance = 1},
};
/* clang-format on */
const uint32_t bench_written_kernel_count =
    sizeof(bench_written_kernels) / sizeof(bench_written_kernels[0]);

/* SPDX-License-Identifier: MIT */
/* The table of kernels, and native C for those that have a peer.
 */
#include "compute_kernels.h"

#include "kernels_spirv.h"

#include <stdlib.h>
#include <string.h>

#define COUNT (4u << 20) /* elements of the streams */
#define MATRIX 512u
#define HASHES (1u << 20)
#define PIXELS (PICTURE_WIDTH * PICTURE_HEIGHT)

/* [*begin, *end) is the part of count. */
static void
part_of(uint32_t count, uint32_t part, uint32_t part_count, uint32_t *begin, uint32_t *end)
{
    *begin = (uint32_t)((uint64_t)count * part / part_count);
    *end = (uint32_t)((uint64_t)count * (part + 1) / part_count);
}

static void
native_saxpy(const struct kernel *k, uint8_t *const buf[3], uint32_t part, uint32_t part_count)
{
    const float *restrict x = (const float *)(const void *)buf[0];
    float *restrict y = (float *)(void *)buf[1];
    float a;
    uint32_t begin, end;
    memcpy(&a, &k->push[1], sizeof(a));
    part_of(COUNT, part, part_count, &begin, &end);
    for (uint32_t i = begin; i < end; i++)
        y[i] = a * x[i] + y[i];
}

static void
native_copy(const struct kernel *k, uint8_t *const buf[3], uint32_t part, uint32_t part_count)
{
    uint32_t begin, end;
    part_of(COUNT, part, part_count, &begin, &end);
    memcpy(buf[1] + 4 * (size_t)begin, buf[0] + 4 * (size_t)begin, 4 * (size_t)(end - begin));
}

static void
native_gather(const struct kernel *k, uint8_t *const buf[3], uint32_t part, uint32_t part_count)
{
    const uint32_t *restrict x = (const uint32_t *)(const void *)buf[0];
    uint32_t *restrict y = (uint32_t *)(void *)buf[1];
    uint32_t begin, end;
    part_of(COUNT, part, part_count, &begin, &end);
    for (uint32_t i = begin; i < end; i++)
        y[i] = x[(i * 2654435761u) & (COUNT - 1)];
}

static void
native_matmul(const struct kernel *k, uint8_t *const buf[3], uint32_t part, uint32_t part_count)
{
    const float *restrict a = (const float *)(const void *)buf[0];
    const float *restrict b = (const float *)(const void *)buf[2];
    float *restrict c = (float *)(void *)buf[1];
    uint32_t begin, end;
    part_of(MATRIX, part, part_count, &begin, &end);
    for (uint32_t y = begin; y < end; y++) {
        float row[MATRIX] = {0};
        for (uint32_t i = 0; i < MATRIX; i++)
            for (uint32_t x = 0; x < MATRIX; x++)
                row[x] += a[y * MATRIX + i] * b[i * MATRIX + x];
        memcpy(c + (size_t)y * MATRIX, row, sizeof(row));
    }
}

static void
native_hash(const struct kernel *k, uint8_t *const buf[3], uint32_t part, uint32_t part_count)
{
    const uint32_t *restrict x = (const uint32_t *)(const void *)buf[0];
    uint32_t *restrict y = (uint32_t *)(void *)buf[1];
    uint32_t begin, end;
    part_of(HASHES, part, part_count, &begin, &end);
    for (uint32_t i = begin; i < end; i++) {
        uint32_t v = x[i] | 1;
        const uint32_t rounds = v >> 16 & 63;
        for (uint32_t r = 0; r < rounds; r++) {
            v ^= v << 13;
            v ^= v >> 17;
            v ^= v << 5;
        }
        y[i] = v;
    }
}

static void
native_mandelbrot(const struct kernel *k, uint8_t *const buf[3], uint32_t part, uint32_t part_count)
{
    uint32_t *restrict out = (uint32_t *)(void *)buf[1];
    const uint32_t width = k->push[0], height = k->push[1];
    uint32_t begin, end;
    part_of(height, part, part_count, &begin, &end);
    for (uint32_t y = begin; y < end; y++)
        for (uint32_t x = 0; x < width; x++) {
            const float cx = -2.0f + 3.0f * (float)x / (float)width;
            const float cy = -1.5f + 3.0f * (float)y / (float)height;
            float zx = 0.0f, zy = 0.0f;
            uint32_t i = 0;
            for (; i < 64; i++) {
                const float x2 = zx * zx, y2 = zy * zy;
                if (x2 + y2 > 4.0f)
                    break;
                zy = 2.0f * zx * zy + cy;
                zx = x2 - y2 + cx;
            }
            out[y * width + x] = i;
        }
}

static void
native_reduce(const struct kernel *k, uint8_t *const buf[3], uint32_t part, uint32_t part_count)
{
    const uint32_t *restrict x = (const uint32_t *)(const void *)buf[0];
    uint32_t *restrict y = (uint32_t *)(void *)buf[1];
    uint32_t begin, end;
    part_of(COUNT / 512, part, part_count, &begin, &end);
    for (uint32_t g = begin; g < end; g++) {
        uint32_t sum = 0;
        for (uint32_t i = 0; i < 512; i++)
            sum += x[g * 512 + i];
        y[g] = sum;
    }
}

static int
clampi(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

static void
native_blur(const struct kernel *k, uint8_t *const buf[3], uint32_t part, uint32_t part_count)
{
    static const float w[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
    const float *restrict src = (const float *)(const void *)buf[0];
    float *restrict dst = (float *)(void *)buf[1];
    const int width = (int)PICTURE_WIDTH, height = (int)PICTURE_HEIGHT;
    float rows[5][PICTURE_WIDTH];
    uint32_t begin, end;

    part_of(PICTURE_HEIGHT, part, part_count, &begin, &end);
    for (int y = (int)begin - 4; y < (int)end; y++) {
        const float *in = src + (size_t)clampi(y + 2, 0, height - 1) * PICTURE_WIDTH;
        float *row = rows[(y + 10) % 5];
        for (int x = 0; x < width; x++) {
            float sum = 0.0f;
            if (x >= 2 && x < width - 2)
                for (int i = 0; i < 5; i++)
                    sum += w[i] * in[x + i - 2];
            else
                for (int i = 0; i < 5; i++)
                    sum += w[i] * in[clampi(x + i - 2, 0, width - 1)];
            row[x] = sum;
        }
        if (y < (int)begin)
            continue;
        for (int x = 0; x < width; x++) {
            float sum = 0.0f;
            for (int i = 0; i < 5; i++)
                sum += w[i] * rows[(y + 10 + i - 4 + 5) % 5][x];
            dst[(size_t)y * PICTURE_WIDTH + (size_t)x] = sum;
        }
    }
}

static void
native_dot8(const struct kernel *k, uint8_t *const buf[3], uint32_t part, uint32_t part_count)
{
    const int8_t *restrict rows = (const int8_t *)buf[0];
    int32_t *restrict y = (int32_t *)(void *)buf[1];
    uint32_t begin, end;
    part_of(k->push[0], part, part_count, &begin, &end);
    for (uint32_t i = begin; i < end; i++) {
        int32_t sum = 0;
        for (uint32_t j = 0; j < 64; j++)
            sum += rows[i * 64 + j] * rows[j];
        y[i] = sum;
    }
}

static void
native_fir16(const struct kernel *k, uint8_t *const buf[3], uint32_t part, uint32_t part_count)
{
    const int16_t *restrict x = (const int16_t *)(const void *)buf[0];
    int16_t *restrict y = (int16_t *)(void *)buf[1];
    uint32_t begin, end;
    part_of(k->push[0], part, part_count, &begin, &end);
    for (uint32_t i = begin; i < end; i++) {
        int16_t sum = 0;
        for (uint32_t t = 0; t < 16; t++)
            sum = (int16_t)(sum + x[i + t] * (int16_t)(t + 1));
        y[i] = sum;
    }
}

static uint32_t
luma(uint32_t p)
{
    return (66 * (p & 255) + 129 * (p >> 8 & 255) + 25 * (p >> 16 & 255) + 4224) >> 8;
}

static void
native_nv12(const struct kernel *k, uint8_t *const buf[3], uint32_t part, uint32_t part_count)
{
    const uint32_t *restrict rgba = (const uint32_t *)(const void *)buf[0];
    uint8_t *restrict nv12 = buf[1];
    uint32_t begin, end;
    part_of(PICTURE_HEIGHT / 2, part, part_count, &begin, &end);
    for (uint32_t row = begin; row < end; row++) {
        const uint32_t *top = rgba + (size_t)(2 * row) * PICTURE_WIDTH;
        for (uint32_t j = 0; j < 2; j++)
            for (uint32_t x = 0; x < PICTURE_WIDTH; x++)
                nv12[(2 * row + j) * PICTURE_WIDTH + x] = (uint8_t)luma(top[j * PICTURE_WIDTH + x]);
        for (uint32_t x = 0; x < PICTURE_WIDTH / 2; x++) {
            int r = 0, g = 0, b = 0;
            for (uint32_t j = 0; j < 2; j++)
                for (uint32_t i = 0; i < 2; i++) {
                    const uint32_t p = top[j * PICTURE_WIDTH + 2 * x + i];
                    r += (int)(p & 255);
                    g += (int)(p >> 8 & 255);
                    b += (int)(p >> 16 & 255);
                }
            uint8_t *uv = nv12 + PIXELS + (size_t)row * PICTURE_WIDTH + 2 * (size_t)x;
            uv[0] = (uint8_t)((-38 * r - 74 * g + 112 * b + 131584) >> 10);
            uv[1] = (uint8_t)((112 * r - 94 * g - 18 * b + 131584) >> 10);
        }
    }
}

#define SPIRV(name) .spirv = spirv_##name, .spirv_B = sizeof(spirv_##name)
/* clang-format off */
#define PICTURE_PUSH {PICTURE_WIDTH, PICTURE_HEIGHT}
#define FLOAT_2 0x40000000u

const struct kernel bench_kernels[] = {
    {.name = "saxpy", SPIRV(saxpy), .input = INPUT_FLOATS, .in_B = 4 * COUNT, .out_B = 4 * COUNT,
     .groups = {COUNT / 256, 1, 1}, .push = {COUNT, FLOAT_2}, .tolerance = 1e-5f,
     .native = native_saxpy},
    {.name = "copy, 32 bits", SPIRV(copy32), .in_B = 4 * COUNT, .out_B = 4 * COUNT,
     .groups = {COUNT / 256, 1, 1}, .push = {COUNT}, .native = native_copy},
    {.name = "copy, uvec4", SPIRV(copy128), .in_B = 4 * COUNT, .out_B = 4 * COUNT,
     .groups = {COUNT / 1024, 1, 1}, .push = {COUNT}, .native = native_copy},
    {.name = "gather", SPIRV(gather), .in_B = 4 * COUNT, .out_B = 4 * COUNT,
     .groups = {COUNT / 256, 1, 1}, .push = {COUNT}, .native = native_gather},
    {.name = "RGBA to NV12, buffers", SPIRV(nv12_buffer), .in_B = 4 * PIXELS,
     .out_B = 3 * PIXELS / 2, .groups = {PICTURE_WIDTH / 64, (PICTURE_HEIGHT / 2 + 15) / 16, 1},
     .push = PICTURE_PUSH, .native = native_nv12},
    {.name = "RGBA to NV12, images", SPIRV(nv12_image), .images = IMAGES_NV12, .in_B = 16,
     .out_B = 16, .groups = {PICTURE_WIDTH / 32, (PICTURE_HEIGHT / 2 + 15) / 16, 1},
     .push = PICTURE_PUSH, .pixel_tolerance = 1},
    {.name = "5x5 blur, float buffers", SPIRV(blur_buffer), .input = INPUT_FLOATS,
     .in_B = 4 * PIXELS, .out_B = 4 * PIXELS,
     .groups = {PICTURE_WIDTH / 16, (PICTURE_HEIGHT + 15) / 16, 1}, .push = PICTURE_PUSH,
     .tolerance = 1e-5f, .native = native_blur},
    {.name = "5x5 blur, R8 images", SPIRV(blur_image), .images = IMAGES_GREY, .in_B = 16,
     .out_B = 16, .groups = {PICTURE_WIDTH / 16, (PICTURE_HEIGHT + 15) / 16, 1},
     .push = PICTURE_PUSH, .pixel_tolerance = 1},
    {.name = "5x5 filter, float buffers", SPIRV(filter_buffer), .input = INPUT_FLOATS,
     .in_B = 4 * PIXELS, .out_B = 4 * PIXELS,
     .groups = {PICTURE_WIDTH / 16, (PICTURE_HEIGHT + 15) / 16, 1}, .push = PICTURE_PUSH,
     .tolerance = 1e-5f, .native = native_blur},
    {.name = "3x3 filter, R8 images", SPIRV(filter_image), .images = IMAGES_GREY, .in_B = 16,
     .out_B = 16, .groups = {PICTURE_WIDTH / 16, (PICTURE_HEIGHT + 15) / 16, 1},
     .push = PICTURE_PUSH, .pixel_tolerance = 1},
    {.name = "bilinear scale, sampler", SPIRV(scale), .images = IMAGES_GREY, .in_B = 16,
     .out_B = 16, .groups = {PICTURE_WIDTH * 2 / 3 / 16, (PICTURE_HEIGHT * 2 / 3 + 15) / 16, 1},
     .push = PICTURE_PUSH, .pixel_tolerance = 1},
    {.name = "reduction, shared memory", SPIRV(reduce_shared), .in_B = 4 * COUNT,
     .out_B = 4 * COUNT / 512, .groups = {COUNT / 512, 1, 1}, .push = {COUNT},
     .native = native_reduce},
    {.name = "reduction, subgroups", SPIRV(reduce_subgroup), .in_B = 4 * COUNT,
     .out_B = 4 * COUNT / 512, .groups = {COUNT / 512, 1, 1}, .push = {COUNT},
     .native = native_reduce},
    {.name = "matrix product, 512", SPIRV(matmul), .input = INPUT_FLOATS,
     .in_B = 4 * MATRIX * MATRIX, .out_B = 4 * MATRIX * MATRIX,
     .groups = {MATRIX / 16, MATRIX / 16, 1}, .push = {MATRIX}, .tolerance = 1e-3f,
     .native = native_matmul},
    {.name = "divergent hash", SPIRV(hash), .in_B = 4 * HASHES, .out_B = 4 * HASHES,
     .groups = {HASHES / 64, 1, 1}, .push = {HASHES}, .native = native_hash},
    {.name = "Mandelbrot, 64 rounds", SPIRV(mandelbrot), .in_B = 16, .out_B = 4u << 20,
     .groups = {64, 64, 1}, .push = {1024, 1024}, .tolerance = -1.0f,
     .native = native_mandelbrot},
    {.name = "histogram, global atomics", SPIRV(hist_global), .in_B = 4u << 20, .out_B = 1024,
     .groups = {4096, 1, 1}, .push = {1u << 20}},
    {.name = "histogram, shared atomics", SPIRV(hist_shared), .in_B = 4u << 20, .out_B = 1024,
     .groups = {256, 1, 1}, .push = {1u << 20}},
    {.name = "int8 dot product", SPIRV(dot8), .in_B = 64u << 17, .out_B = 4u << 17,
     .groups = {(1u << 17) / 64, 1, 1}, .push = {1u << 17}, .native = native_dot8},
    {.name = "int16 FIR, 16 taps", SPIRV(fir16), .in_B = (2u << 21) + 64, .out_B = 2u << 21,
     .groups = {(1u << 21) / 256, 1, 1}, .push = {1u << 21}, .native = native_fir16},
    {.name = "reduction, groups of 64", SPIRV(reduce_small), .set = SET_SMALL, .in_B = 4 * COUNT,
     .out_B = 4 * COUNT / 512, .groups = {COUNT / 512, 1, 1}, .push = {COUNT},
     .native = native_reduce},
    {.name = "5x5 blur, groups of 8x8", SPIRV(blur_small), .set = SET_SMALL,
     .input = INPUT_FLOATS, .in_B = 4 * PIXELS, .out_B = 4 * PIXELS,
     .groups = {PICTURE_WIDTH / 8, PICTURE_HEIGHT / 8, 1}, .push = PICTURE_PUSH,
     .tolerance = 1e-5f, .native = native_blur},
    {.name = "matrix product, groups of 8x8", SPIRV(matmul_small), .set = SET_SMALL,
     .input = INPUT_FLOATS, .in_B = 4 * MATRIX * MATRIX, .out_B = 4 * MATRIX * MATRIX,
     .groups = {MATRIX / 8, MATRIX / 8, 1}, .push = {MATRIX}, .tolerance = 1e-3f,
     .native = native_matmul},
};

#define VALUES (1u << 18)
#define UNIFORM(name) SPIRV(name), .input = INPUT_FLOATS, .in_B = 4 * VALUES + 64, .out_B = 4 * VALUES, \
     .groups = {VALUES / 256, 1, 1}
const struct kernel bench_uniform_kernels[] = {
    {.name = "tensor, transposed", UNIFORM(uniform_copy4d), .push = {VALUES, 48, 20, 7}},
    {.name = "tensor, sum with a repeated one", UNIFORM(uniform_repeat),
     .push = {VALUES, 960, 96, 10}},
    {.name = "FIR of 8 taps", UNIFORM(uniform_fir), .push = {VALUES, 8, 0x04030201, 0x01020304}},
    {.name = "levels", UNIFORM(uniform_levels), .push = {VALUES, 4, 0xe4, 1}},
};
/* clang-format on */
const uint32_t bench_uniform_kernel_count =
    sizeof(bench_uniform_kernels) / sizeof(bench_uniform_kernels[0]);
const uint32_t bench_kernel_count = sizeof(bench_kernels) / sizeof(bench_kernels[0]);
const uint32_t *const bench_empty_spirv = spirv_empty;
const size_t bench_empty_spirv_B = sizeof(spirv_empty);

/* SPDX-License-Identifier: MIT */
/* A panning texture, three bouncing squares and noise that changes with time.
 */
#include "content.h"

#include <math.h>
#include <stdlib.h>

static uint32_t
hash(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

static uint32_t
bounce(uint32_t position, uint32_t range)
{
    if (range == 0)
        return 0;
    const uint32_t phase = position % (2 * range);
    return phase < range ? phase : 2 * range - phase;
}

/* 0 to 255 for a point of the panning texture. */
static uint32_t
texture(uint32_t x, uint32_t y, uint32_t seed)
{
    const uint32_t smooth = (x * 3 + y * 5 + seed * 17) / 4 & 0x7f;
    const uint32_t blocks = hash((x >> 4) * 131 + (y >> 4) * 31 + seed) & 0x3f;
    return 32 + smooth + blocks;
}

void
content_fill(uint8_t *pixels, uint32_t width_px, uint32_t height_px, uint32_t seed, uint32_t time)
{
    const uint32_t square = height_px / 4 + 4;
    uint32_t left[3], top[3];
    for (uint32_t i = 0; i < 3; i++) {
        left[i] = bounce(time * (3 + 2 * i) + hash(seed + i) % 200, width_px);
        top[i] = bounce(time * (2 + 3 * i) + hash(seed + 9 + i) % 200, height_px);
    }
    for (uint32_t plane = 0; plane < 3; plane++) {
        const uint32_t shift = plane > 0;
        for (uint32_t y = 0; y < height_px >> shift; y++) {
            for (uint32_t x = 0; x < width_px >> shift; x++) {
                const uint32_t full_x = x << shift;
                const uint32_t full_y = y << shift;
                uint32_t value = texture(full_x + time * 2, full_y + time, seed + 77 * plane);
                for (uint32_t i = 0; i < 3; i++) {
                    if (full_x - left[i] < square && full_y - top[i] < square)
                        value = 60 * i + 20 * plane + ((full_x - left[i]) >> 3) * 5;
                }
                value += hash(x + y * 4099 + time * 131071 + plane) & 7;
                *pixels++ = (uint8_t)(value > 255 ? 255 : value);
            }
        }
    }
}

int32_t
content_psnr(const uint8_t *a, const uint8_t *b, uint32_t stride_B, uint32_t width_px,
             uint32_t height_px)
{
    uint64_t sum = 0;
    for (uint32_t y = 0; y < height_px; y++) {
        for (uint32_t x = 0; x < width_px; x++) {
            const int32_t difference = a[y * stride_B + x] - b[y * stride_B + x];
            sum += (uint64_t)(difference * difference);
        }
    }
    if (sum == 0)
        return 9999;
    return (int32_t)(1000 * log10(255.0 * 255.0 * width_px * height_px / (double)sum));
}

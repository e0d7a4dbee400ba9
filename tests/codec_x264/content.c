/* SPDX-License-Identifier: MIT */
/* Still, fading, slow and fast textures side by side, a box that moves across them, flashes and a
 * little noise: enough for every macroblock type, skipped ones, weights, long vectors and large
 * residuals to occur.
 */
#include "content.h"

uint32_t
content_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static uint32_t
texture(uint32_t x, uint32_t y)
{
    const uint32_t coarse = ((x >> 3) * 73856093u) ^ ((y >> 3) * 19349663u);
    const uint32_t fine = ((x >> 1) * 83492791u) ^ ((y >> 1) * 2654435761u);
    return 40 + (coarse >> 7) % 120 + (fine >> 9) % 24 + (x + 2 * y) % 32;
}

static uint32_t
luma_at(uint32_t x, uint32_t y, uint32_t index, uint32_t *noise)
{
    /* Bands of 32 samples: still, a quarter of a sample a picture, 5 samples, still but fading. */
    const uint32_t band = (x >> 5) % 4;
    const uint32_t shift = band == 1 ? index / 4 : band == 2 ? 5 * index : 0;
    uint32_t value = texture(x + 1000 + shift, y + 500 + shift / 2);
    if (band == 3)
        value = value / 2 + 4 * (index % 32);
    const uint32_t box_x = (7 * index) % 97, box_y = (3 * index) % 61;
    if (x - box_x < 40 && y - box_y < 32)
        value = texture(x - box_x + 300, y - box_y);
    else if (((x >> 5) + (y >> 5) + index) % 23 == 0)
        value = (index & 1) ? 230 : 30;
    return band == 3 ? value : value + (content_random(noise) & 3);
}

void
content_fill(uint8_t *y, uint8_t *u, uint8_t *v, size_t y_stride_B, size_t uv_stride_B,
             size_t u_step, uint32_t width, uint32_t height, uint32_t index)
{
    uint32_t noise = 88172645u + index;

    for (uint32_t row = 0; row < height; row++) {
        for (uint32_t x = 0; x < width; x++)
            y[row * y_stride_B + x] = (uint8_t)luma_at(x, row, index, &noise);
    }
    for (uint32_t row = 0; row < height / 2; row++) {
        for (uint32_t x = 0; x < width / 2; x++) {
            const size_t at = row * uv_stride_B + x * u_step;
            u[at] = (uint8_t)(64 + texture(x + index, row) / 2);
            v[at] = (uint8_t)(96 + texture(2 * x, row + 3 * index) / 3);
        }
    }
}

void
content_fill_moved(uint8_t *y, size_t stride_B, uint32_t width, uint32_t height, uint32_t lines)
{
    for (uint32_t row = 0; row < height; row++) {
        for (uint32_t x = 0; x < width; x++)
            y[row * stride_B + x] = (uint8_t)texture(x, row + lines);
    }
}

void
content_fill_stripes(uint8_t *y, size_t stride_B, uint32_t width, uint32_t height, bool is_clean)
{
    uint32_t noise = 2463534242u;

    for (uint32_t row = 0; row < height; row++) {
        for (uint32_t x = 0; x < width; x++) {
            const uint32_t drawn = (content_random(&noise) >> 8) % 27;
            const uint32_t stripe = x % 4 == 0 ? 204 : x % 4 == 1 ? 52 : 128;
            y[row * stride_B + x] = (uint8_t)(stripe - 13 + (is_clean ? 13 : drawn));
        }
    }
}

void
content_fill_spot(uint8_t *y, size_t stride_B, uint32_t width, uint32_t height, uint32_t index)
{
    const uint32_t mb_width = width / 16, mb_count = mb_width * (height / 16);
    const uint32_t mb = mb_count - 1 - index * (mb_width * 5 + 3) % mb_count;
    uint32_t noise = 521288629u + index;

    for (uint32_t i = 0; i < 256; i++) {
        const uint32_t at_x = mb % mb_width * 16 + i % 16, at_y = mb / mb_width * 16 + i / 16;
        y[at_y * stride_B + at_x] = (uint8_t)(content_random(&noise) >> 8);
    }
}

void
content_fill_noise(uint8_t *y, size_t stride_B, uint32_t width, uint32_t height, uint32_t index)
{
    uint32_t noise = 362436069u + index;

    for (uint32_t row = 0; row < height; row++) {
        for (uint32_t x = 0; x < width; x++) {
            const uint32_t mb = x / 16 * 7 + row / 16 * 5 + index;
            if (mb % 11 < 3)
                y[row * stride_B + x] = content_random(&noise) & 64 ? 255 : 0;
        }
    }
}

void
content_fill_text(uint8_t *y, size_t stride_B, uint32_t width, uint32_t height)
{
    for (uint32_t row = 0; row < height; row++) {
        for (uint32_t x = 0; x < width; x++) {
            const bool is_in_letter = x % 8 < 6 && row % 12 < 8;
            const bool is_ink = is_in_letter && texture(8 * x, 8 * row) % 2;
            y[row * stride_B + x] = is_ink ? 20 : 235;
        }
    }
}

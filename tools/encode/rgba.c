/* SPDX-License-Identifier: MIT */
/* The conversion in integers: coefficients times 2^16, rounded (ITU-R BT.709, part 2). */
#include "tools/encode/rgba.h"

static uint8_t
luma(const uint8_t *px)
{
    return (uint8_t)((11966 * px[0] + 40254 * px[1] + 4064 * px[2] + (16 << 16) + (1 << 15)) >> 16);
}

/* red, green and blue are sums over four pixels. */
static uint8_t
chroma(int red, int green, int blue, const int weights[3])
{
    const int sum = weights[0] * red + weights[1] * green + weights[2] * blue;

    return (uint8_t)((sum + (128 << 18) + (1 << 17)) >> 18);
}

static void
chroma_row(const uint8_t *top, const uint8_t *bottom, uint32_t count, uint32_t step_B, uint8_t *u,
           uint8_t *v)
{
    static const int u_weights[3] = {-6596, -22188, 28784};
    static const int v_weights[3] = {28784, -26145, -2639};

    for (uint32_t x = 0; x < count; x++, top += 8, bottom += 8) {
        const int red = top[0] + top[4] + bottom[0] + bottom[4];
        const int green = top[1] + top[5] + bottom[1] + bottom[5];
        const int blue = top[2] + top[6] + bottom[2] + bottom[6];

        u[x * step_B] = chroma(red, green, blue, u_weights);
        v[x * step_B] = chroma(red, green, blue, v_weights);
    }
}

void
rgba_to_planes(const uint8_t *rgba, uint32_t width_px, uint32_t height_px, const struct planes *out)
{
    const size_t stride_B = 4 * (size_t)width_px;

    for (uint32_t y = 0; y < height_px; y++) {
        const uint8_t *row = rgba + y * stride_B;

        for (uint32_t x = 0; x < width_px; x++)
            out->y[y * out->y_stride_B + x] = luma(row + 4 * (size_t)x);
    }
    for (uint32_t y = 0; y < height_px / 2; y++) {
        const uint8_t *row = rgba + 2 * y * stride_B;

        chroma_row(row, row + stride_B, width_px / 2, out->chroma_step_B,
                   out->u + y * out->chroma_stride_B, out->v + y * out->chroma_stride_B);
    }
}

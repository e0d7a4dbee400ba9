/* SPDX-License-Identifier: MIT */
/* Row by row; the loops are simple enough for any vectoriser.
 */
#include "codecs/avcodec/copy.h"

#include "util/compiler.h"

#include <string.h>

static void
rows_copy(const uint8_t *src, size_t src_stride_B, uint8_t *dst, size_t dst_stride_B,
          size_t width_B, uint32_t rows)
{
    for (uint32_t y = 0; y < rows; y++)
        memcpy(dst + y * dst_stride_B, src + y * src_stride_B, width_B);
}

static void
row_interleave(const uint8_t *restrict u, const uint8_t *restrict v, uint8_t *restrict dst,
               uint32_t count)
{
    for (uint32_t x = 0; x < count; x++) {
        dst[2 * x] = u[x];
        dst[2 * x + 1] = v[x];
    }
}

void
rp_h264dec_copy_out(const struct rp_h264dec_context *ctx, const struct rp_picture *dst,
                    uint32_t fields)
{
    if (!dst->plane[0].data)
        return;

    const uint32_t width_px = RP_MIN(dst->width_px, ctx->format.width_mb * 16);
    const uint32_t height_px = RP_MIN(dst->height_px, ctx->format.height_mb * 16);
    const uint32_t step = fields == RP_H264DEC_FRAME ? 1 : 2;
    const uint32_t first = fields == RP_H264DEC_BOTTOM;
    const uint8_t *src[3];
    uint8_t *to[3];
    uint32_t rows[3];
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t plane_rows = i ? (height_px + 1) / 2 : height_px;
        rows[i] = (plane_rows - RP_MIN(first, plane_rows) + step - 1) / step;
        src[i] = ctx->current->data[i] + first * ctx->stride_B[i];
        to[i] = dst->plane[i].data ? dst->plane[i].data + first * dst->plane[i].stride_B : NULL;
    }

    if (src[0] != to[0]) /* else it was decoded there */
        rows_copy(src[0], step * ctx->stride_B[0], to[0], step * dst->plane[0].stride_B, width_px,
                  rows[0]);
    if (dst->layout == RP_PICTURE_I420) {
        for (uint32_t i = 1; i < 3; i++)
            rows_copy(src[i], step * ctx->stride_B[i], to[i], step * dst->plane[i].stride_B,
                      (width_px + 1) / 2, rows[i]);
        return;
    }
    for (uint32_t y = 0; y < rows[1]; y++) {
        const size_t offset_B = y * step * ctx->stride_B[1];
        row_interleave(src[1] + offset_B, src[2] + offset_B,
                       to[1] + y * step * dst->plane[1].stride_B, (width_px + 1) / 2);
    }
}

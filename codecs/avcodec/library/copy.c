/* SPDX-License-Identifier: MIT */
/* Row by row.
 */
#include "codecs/avcodec/library/copy.h"

#include "codecs/planes/high_bits.h"
#include "codecs/planes/interleave.h"
#include "util/compiler.h"

#include <string.h>

/* Of a plane: its lines, or those of one field. */
struct span {
    const uint8_t *src;
    size_t src_stride_B;
    uint8_t *dst;
    size_t dst_stride_B;
    uint32_t rows;
    uint32_t bit_depth;
};

static const void *
src_row(const struct span *span, uint32_t y)
{
    return span->src + y * span->src_stride_B;
}

static void *
dst_row(const struct span *span, uint32_t y)
{
    return span->dst + y * span->dst_stride_B;
}

static void
span_copy(const struct span *span, uint32_t width)
{
    for (uint32_t y = 0; y < span->rows; y++) {
        if (span->bit_depth == 8)
            memcpy(dst_row(span, y), src_row(span, y), width);
        else
            rp_high_bits_write(src_row(span, y), dst_row(span, y), width, span->bit_depth);
    }
}

/* To the rows of the first one. */
static void
spans_interleave(const struct span *u, const struct span *v, uint32_t width)
{
    for (uint32_t y = 0; y < u->rows; y++) {
        if (u->bit_depth == 8)
            rp_interleave(src_row(u, y), src_row(v, y), dst_row(u, y), width);
        else
            rp_high_bits_interleave(src_row(u, y), src_row(v, y), dst_row(u, y), width,
                                    u->bit_depth);
    }
}

static struct span
span_of(const struct rp_avcodec_planes *planes, const struct rp_picture *dst, uint32_t plane,
        struct rp_avcodec_lines lines, uint32_t first_row, uint32_t end_row)
{
    const uint32_t shift = plane > 0;
    const uint32_t end = (RP_MIN(end_row, dst->height_px) + shift) >> shift;
    const uint32_t first = (first_row >> shift) + lines.first;
    const size_t stride_B = planes->pool->stride_B[plane];
    const struct rp_plane *to = &dst->plane[plane];

    if (first >= end)
        return (struct span){.rows = 0};
    return (struct span){
        .src = planes->data[plane] + first * stride_B,
        .src_stride_B = lines.step * stride_B,
        .dst = to->data ? to->data + first * to->stride_B : NULL,
        .dst_stride_B = lines.step * to->stride_B,
        .rows = (end - first + lines.step - 1) / lines.step,
        .bit_depth = planes->pool->bit_depth,
    };
}

bool
rp_avcodec_output_is_supported(const struct rp_picture *picture, uint32_t bit_depth)
{
    if (!picture->plane[0].data)
        return true;
    return bit_depth == 8 ? rp_picture_is_8_bit_420(picture)
                          : bit_depth == 10 && rp_picture_is_p010(picture);
}

void
rp_avcodec_copy_rows(const struct rp_avcodec_planes *planes, const struct rp_picture *dst,
                     struct rp_avcodec_lines lines, uint32_t first_row, uint32_t end_row)
{
    if (!dst->plane[0].data)
        return;

    const uint32_t width_px = RP_MIN(dst->width_px, planes->pool->width_px);
    struct span spans[3];
    for (uint32_t i = 0; i < 3; i++)
        spans[i] =
            span_of(planes, dst, i, lines, first_row, RP_MIN(end_row, planes->pool->height_px));

    if (spans[0].src != spans[0].dst)
        span_copy(&spans[0], width_px);
    if (dst->layout == RP_PICTURE_I420) {
        span_copy(&spans[1], (width_px + 1) / 2);
        span_copy(&spans[2], (width_px + 1) / 2);
    } else {
        spans_interleave(&spans[1], &spans[2], (width_px + 1) / 2);
    }
    rp_interleave_end();
}

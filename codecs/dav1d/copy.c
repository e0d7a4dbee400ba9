/* SPDX-License-Identifier: MIT */
/* Row by row. libdav1d has samples of more than 8 bits in the low bits of words, images in the high
 * ones.
 */
#include "codecs/dav1d/copy.h"

#include "codecs/planes/high_bits.h"
#include "codecs/planes/interleave.h"
#include "util/compiler.h"

#include <stdbool.h>
#include <string.h>

static const void *
row_of(const struct rp_dav1d_picture *picture, uint32_t plane, uint32_t y)
{
    const uint8_t *data = picture->data[plane];
    return data + (ptrdiff_t)y * picture->stride_B[plane > 0];
}

static void *
output_row(const struct rp_plane *dst, uint32_t y)
{
    return dst->data + y * dst->stride_B;
}

static void
copy_rows(const struct rp_dav1d_picture *picture, uint32_t plane, const struct rp_plane *dst,
          uint32_t width, uint32_t rows)
{
    const uint32_t bit_depth = (uint32_t)picture->parameters.bit_depth;
    for (uint32_t y = 0; y < rows && picture->data[plane] != dst->data; y++) {
        if (bit_depth == 8)
            memcpy(output_row(dst, y), row_of(picture, plane, y), width);
        else
            rp_high_bits_write(row_of(picture, plane, y), output_row(dst, y), width, bit_depth);
    }
}

/* Monochrome pictures get planes of chroma without colour. */
static void
fill_rows_with_no_color(const struct rp_plane *dst, uint32_t width, uint32_t rows,
                        uint32_t bit_depth)
{
    for (uint32_t y = 0; y < rows; y++) {
        uint16_t *words = output_row(dst, y);
        if (bit_depth == 8)
            memset(words, 1 << 7, width);
        for (uint32_t x = 0; x < width && bit_depth > 8; x++)
            words[x] = 1u << 15;
    }
}

static void
interleave_rows(const struct rp_dav1d_picture *picture, const struct rp_plane *dst,
                uint32_t pair_count, uint32_t rows)
{
    const uint32_t bit_depth = (uint32_t)picture->parameters.bit_depth;
    for (uint32_t y = 0; y < rows; y++) {
        const void *u = row_of(picture, 1, y);
        const void *v = row_of(picture, 2, y);
        if (bit_depth == 8)
            rp_interleave(u, v, output_row(dst, y), pair_count);
        else
            rp_high_bits_interleave(u, v, output_row(dst, y), pair_count, bit_depth);
    }
}

void
rp_dav1d_copy(const struct rp_dav1d_picture *picture, const struct rp_picture *dst)
{
    if (!dst->plane[0].data)
        return;
    const uint32_t width_px = RP_MIN(dst->width_px, (uint32_t)picture->parameters.width_px);
    const uint32_t height_px = RP_MIN(dst->height_px, (uint32_t)picture->parameters.height_px);
    const uint32_t chroma_width = (width_px + 1) / 2;
    const uint32_t chroma_rows = (height_px + 1) / 2;
    const bool is_semi_planar = dst->layout == RP_PICTURE_NV12;

    copy_rows(picture, 0, &dst->plane[0], width_px, height_px);
    if (picture->parameters.layout == RP_DAV1D_I400) {
        for (uint32_t i = 1; i < (is_semi_planar ? 2 : 3); i++)
            fill_rows_with_no_color(&dst->plane[i],
                                    is_semi_planar ? 2 * chroma_width : chroma_width, chroma_rows,
                                    (uint32_t)picture->parameters.bit_depth);
    } else if (is_semi_planar) {
        interleave_rows(picture, &dst->plane[1], chroma_width, chroma_rows);
    } else {
        copy_rows(picture, 1, &dst->plane[1], chroma_width, chroma_rows);
        copy_rows(picture, 2, &dst->plane[2], chroma_width, chroma_rows);
    }
    rp_interleave_end();
}

/* SPDX-License-Identifier: MIT */
/* Row by row.
 */
#include "codecs/dav1d/copy.h"

#include "codecs/planes/interleave.h"
#include "util/compiler.h"

#include <stdbool.h>
#include <string.h>

#define NO_COLOR 128 /* of monochrome pictures */

static void
copy_rows(const struct rp_dav1d_picture *picture, uint32_t plane, const struct rp_plane *dst,
          uint32_t width_B, uint32_t rows)
{
    const uint8_t *src = picture->data[plane];
    const ptrdiff_t stride_B = picture->stride_B[plane > 0];
    for (uint32_t y = 0; y < rows && src != dst->data; y++)
        memcpy(dst->data + y * dst->stride_B, src + (ptrdiff_t)y * stride_B, width_B);
}

static void
fill_rows(const struct rp_plane *dst, uint32_t width_B, uint32_t rows)
{
    for (uint32_t y = 0; y < rows; y++)
        memset(dst->data + y * dst->stride_B, NO_COLOR, width_B);
}

static void
interleave_rows(const struct rp_dav1d_picture *picture, const struct rp_plane *dst,
                uint32_t pair_count, uint32_t rows)
{
    const uint8_t *u = picture->data[1];
    const uint8_t *v = picture->data[2];
    for (uint32_t y = 0; y < rows; y++) {
        const ptrdiff_t offset_B = (ptrdiff_t)y * picture->stride_B[1];
        rp_interleave(u + offset_B, v + offset_B, dst->data + y * dst->stride_B, pair_count);
    }
    rp_interleave_end();
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
            fill_rows(&dst->plane[i], is_semi_planar ? 2 * chroma_width : chroma_width,
                      chroma_rows);
    } else if (is_semi_planar) {
        interleave_rows(picture, &dst->plane[1], chroma_width, chroma_rows);
    } else {
        copy_rows(picture, 1, &dst->plane[1], chroma_width, chroma_rows);
        copy_rows(picture, 2, &dst->plane[2], chroma_width, chroma_rows);
    }
}

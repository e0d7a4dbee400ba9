/* SPDX-License-Identifier: MIT */
#include "codecs/aom/recon.h"

#include "codecs/aom/libaom.h"
#include "codecs/planes/high_bits.h"
#include "codecs/planes/interleave.h"

static void
copy_rows(const YV12_BUFFER_CONFIG *src, uint32_t width_px, uint32_t height_px,
          const struct rp_picture *dst)
{
    for (uint32_t y = 0; y < height_px; y++)
        memcpy(dst->plane[0].data + y * dst->plane[0].stride_B,
               src->y_buffer + (ptrdiff_t)y * src->y_stride, width_px);
    for (uint32_t y = 0; y < (height_px + 1) / 2; y++) {
        const ptrdiff_t offset = (ptrdiff_t)y * src->uv_stride;
        rp_interleave(src->u_buffer + offset, src->v_buffer + offset,
                      dst->plane[1].data + y * dst->plane[1].stride_B, (width_px + 1) / 2);
    }
}

static void
copy_high_rows(const YV12_BUFFER_CONFIG *src, uint32_t width_px, uint32_t height_px,
               const struct rp_picture *dst)
{
    const uint16_t *luma = CONVERT_TO_SHORTPTR(src->y_buffer);
    const uint16_t *u = CONVERT_TO_SHORTPTR(src->u_buffer);
    const uint16_t *v = CONVERT_TO_SHORTPTR(src->v_buffer);

    for (uint32_t y = 0; y < height_px; y++)
        rp_high_bits_write(luma + (ptrdiff_t)y * src->y_stride,
                           (uint16_t *)(dst->plane[0].data + y * dst->plane[0].stride_B), width_px,
                           dst->bit_depth);
    for (uint32_t y = 0; y < (height_px + 1) / 2; y++) {
        const ptrdiff_t offset = (ptrdiff_t)y * src->uv_stride;
        rp_high_bits_interleave(u + offset, v + offset,
                                (uint16_t *)(dst->plane[1].data + y * dst->plane[1].stride_B),
                                (width_px + 1) / 2, dst->bit_depth);
    }
}

void
rp_aom_recon_copy(const struct RefCntBuffer *buffer, uint32_t width_px, uint32_t height_px,
                  const struct rp_picture *dst)
{
    if (dst->bit_depth > 8)
        copy_high_rows(&buffer->buf, width_px, height_px, dst);
    else
        copy_rows(&buffer->buf, width_px, height_px, dst);
    rp_interleave_end();
}

static bool
rows_are_same(const YV12_BUFFER_CONFIG *buf, uint32_t width_px, uint32_t height_px,
              const struct rp_picture *src)
{
    for (uint32_t y = 0; y < height_px; y++) {
        if (memcmp(src->plane[0].data + y * src->plane[0].stride_B,
                   buf->y_buffer + (ptrdiff_t)y * buf->y_stride, width_px))
            return false;
    }
    int differences = 0;
    for (uint32_t y = 0; y < (height_px + 1) / 2; y++) {
        const uint8_t *uv = src->plane[1].data + y * src->plane[1].stride_B;
        const uint8_t *u = buf->u_buffer + (ptrdiff_t)y * buf->uv_stride;
        const uint8_t *v = buf->v_buffer + (ptrdiff_t)y * buf->uv_stride;
        for (uint32_t x = 0; x < (width_px + 1) / 2; x++)
            differences |= (uv[2 * x] ^ u[x]) | (uv[2 * x + 1] ^ v[x]);
    }
    return differences == 0;
}

static bool
high_rows_are_same(const YV12_BUFFER_CONFIG *buf, uint32_t width_px, uint32_t height_px,
                   const struct rp_picture *src)
{
    const uint32_t shift = 16 - src->bit_depth;
    int differences = 0;

    for (uint32_t y = 0; y < height_px; y++) {
        const void *row = src->plane[0].data + y * src->plane[0].stride_B;
        const uint16_t *luma = row;
        const uint16_t *own = CONVERT_TO_SHORTPTR(buf->y_buffer) + (ptrdiff_t)y * buf->y_stride;
        for (uint32_t x = 0; x < width_px; x++)
            differences |= luma[x] >> shift ^ own[x];
    }
    for (uint32_t y = 0; y < (height_px + 1) / 2; y++) {
        const void *row = src->plane[1].data + y * src->plane[1].stride_B;
        const uint16_t *uv = row;
        const uint16_t *u = CONVERT_TO_SHORTPTR(buf->u_buffer) + (ptrdiff_t)y * buf->uv_stride;
        const uint16_t *v = CONVERT_TO_SHORTPTR(buf->v_buffer) + (ptrdiff_t)y * buf->uv_stride;
        for (uint32_t x = 0; x < (width_px + 1) / 2; x++)
            differences |= (uv[2 * x] >> shift ^ u[x]) | (uv[2 * x + 1] >> shift ^ v[x]);
    }
    return differences == 0;
}

bool
rp_aom_recon_is_same(const struct RefCntBuffer *buffer, uint32_t width_px, uint32_t height_px,
                     const struct rp_picture *src)
{
    return src->bit_depth > 8 ? high_rows_are_same(&buffer->buf, width_px, height_px, src)
                              : rows_are_same(&buffer->buf, width_px, height_px, src);
}

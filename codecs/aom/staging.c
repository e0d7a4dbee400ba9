/* SPDX-License-Identifier: MIT */
#include "codecs/aom/staging.h"

#include "codecs/planes/high_bits.h"

#include "util/alloc.h"
#include "util/compiler.h"

#include <string.h>

#define ROW_ALIGN_B 32u

void
rp_aom_staging_finish(struct rp_aom_staging *staging)
{
    rp_free(NULL, staging->data);
    *staging = (struct rp_aom_staging){0};
}

static bool
staging_reserve(struct rp_aom_staging *staging, size_t size_B)
{
    if (staging->size_B >= size_B)
        return true;
    rp_aom_staging_finish(staging);
    staging->data = rp_alloc(NULL, size_B, ROW_ALIGN_B, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!staging->data)
        return false;
    staging->size_B = size_B;
    return true;
}

/* One row of count samples; beyond those of the source the last one is repeated. */
static void
fill_row(const uint8_t *src, uint8_t *dst, uint32_t src_count, uint32_t count, uint32_t sample_B)
{
    const uint32_t copied = RP_MIN(src_count, count);
    if (sample_B == 2)
        rp_high_bits_read((const uint16_t *)src, (uint16_t *)dst, copied, 10);
    else
        memcpy(dst, src, copied);
    for (uint32_t i = copied; i < count; i++)
        memcpy(dst + (size_t)i * sample_B, dst + (size_t)(i - 1) * sample_B, sample_B);
}

static void
fill_pairs(const uint8_t *src, uint8_t *u, uint8_t *v, uint32_t count, uint32_t sample_B)
{
    if (sample_B == 2) {
        rp_high_bits_deinterleave((const uint16_t *)src, (uint16_t *)u, (uint16_t *)v, count, 10);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        u[i] = src[2 * i];
        v[i] = src[2 * i + 1];
    }
}

/* Chroma of a source has as many samples as its luma rounded up, which is enough. */
static void
copy_planes(const struct rp_picture *src, aom_image_t *out)
{
    const uint32_t sample_B = src->bit_depth > 8 ? 2 : 1;
    const uint32_t chroma_width = (out->d_w + 1) / 2;
    const uint32_t chroma_height = (out->d_h + 1) / 2;

    for (uint32_t y = 0; y < out->d_h; y++) {
        const uint32_t src_y = RP_MIN(y, src->height_px - 1);
        fill_row(src->plane[0].data + src_y * src->plane[0].stride_B,
                 out->planes[0] + y * (size_t)out->stride[0], src->width_px, out->d_w, sample_B);
    }
    for (uint32_t y = 0; y < chroma_height; y++) {
        uint8_t *u = out->planes[1] + y * (size_t)out->stride[1];
        uint8_t *v = out->planes[2] + y * (size_t)out->stride[2];
        const uint8_t *src_u = src->plane[1].data + y * src->plane[1].stride_B;
        if (src->layout == RP_PICTURE_NV12) {
            fill_pairs(src_u, u, v, chroma_width, sample_B);
        } else {
            fill_row(src_u, u, chroma_width, chroma_width, sample_B);
            fill_row(src->plane[2].data + y * src->plane[2].stride_B, v, chroma_width, chroma_width,
                     sample_B);
        }
    }
}

static enum rp_codec_status
copy_source(struct rp_aom_staging *staging, const struct rp_picture *src, aom_image_t *out)
{
    const size_t sample_B = src->bit_depth > 8 ? 2 : 1;
    const size_t stride_B = (out->d_w * sample_B + ROW_ALIGN_B - 1) & ~(size_t)(ROW_ALIGN_B - 1);
    const size_t luma_B = stride_B * out->d_h;
    const size_t chroma_B = stride_B * ((out->d_h + 1) / 2);
    if (!staging_reserve(staging, luma_B + 2 * chroma_B))
        return RP_CODEC_NO_MEMORY;

    out->fmt = sample_B == 2 ? AOM_IMG_FMT_I42016 : AOM_IMG_FMT_I420;
    out->bps = 12 * (int)sample_B;
    out->planes[0] = staging->data;
    out->planes[1] = staging->data + luma_B;
    out->planes[2] = staging->data + luma_B + chroma_B;
    for (uint32_t i = 0; i < 3; i++)
        out->stride[i] = (int)stride_B;
    copy_planes(src, out);
    return RP_CODEC_OK;
}

enum rp_codec_status
rp_aom_staging_fill(struct rp_aom_staging *staging, const struct rp_picture *src, uint32_t width_px,
                    uint32_t height_px, aom_image_t *out)
{
    const bool is_nv12 = src->layout == RP_PICTURE_NV12;
    *out = (aom_image_t){
        .fmt = is_nv12 ? AOM_IMG_FMT_NV12 : AOM_IMG_FMT_I420,
        .w = width_px,
        .h = height_px,
        .d_w = width_px,
        .d_h = height_px,
        .bit_depth = src->bit_depth,
        .bps = 12,
        .x_chroma_shift = 1,
        .y_chroma_shift = 1,
    };
    if (src->bit_depth > 8 || src->width_px < width_px || src->height_px < height_px ||
        src->plane[0].stride_B > INT32_MAX || src->plane[1].stride_B > INT32_MAX ||
        (!is_nv12 && src->plane[1].stride_B != src->plane[2].stride_B))
        return copy_source(staging, src, out);

    for (uint32_t i = 0; i < (is_nv12 ? 2 : 3); i++) {
        out->planes[i] = src->plane[i].data;
        out->stride[i] = (int)src->plane[i].stride_B;
    }
    return RP_CODEC_OK;
}

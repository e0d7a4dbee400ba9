/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads pictures: copied, interleaved, or used where they are.
 */
#include "picture/source.h"

#include "picture/half_size.h"

/* The macroblock layer reads source and reconstruction with one stride, in whole macroblocks. */
static bool
source_is_usable(const struct rp_x264_context *ctx)
{
    const struct rp_picture *src = &ctx->job->common.src;
    const size_t stride_B = (size_t)ctx->source->i_stride[0];
    const uintptr_t address = (uintptr_t)src->plane[0].data | (uintptr_t)src->plane[1].data;

    return src->layout == RP_PICTURE_NV12 && src->plane[0].stride_B == stride_B &&
           src->plane[1].stride_B == stride_B && (address & 63) == 0 &&
           ((ctx->job->common.width_px | ctx->job->common.height_px) & 15) == 0 &&
           src->width_px >= ctx->job->common.width_px &&
           src->height_px >= ctx->job->common.height_px;
}

static void
frame_set_planes(x264_frame_t *frame, uint8_t *luma, uint8_t *chroma)
{
    frame->plane[0] = frame->filtered[0][0] = luma;
    frame->plane[1] = chroma;
}

/* Columns and rows that make up whole macroblocks repeat the last ones: those of width and
 * lines. */
static void
plane_extend(const x264_t *h, x264_frame_t *frame, int p, int width, int lines, int first_line,
             int end_line)
{
    const int stride = frame->i_stride[p];
    const int full_width = 16 * h->mb.i_mb_width;
    const int unit = p + 1; /* UV pairs in plane 1 */

    for (int y = first_line; y < end_line && width < full_width; y++) {
        uint8_t *row = frame->plane[p] + (intptr_t)y * stride;
        for (int x = width; x < full_width; x++)
            row[x] = row[x - unit];
    }
    for (int y = lines; end_line == lines && y < 16 * h->mb.i_mb_height >> p; y++)
        memcpy(frame->plane[p] + (intptr_t)y * stride,
               frame->plane[p] + (intptr_t)(lines - 1) * stride, (size_t)full_width);
}

void
rp_x264_source_copy_rows(x264_t *h, const struct rp_picture *src, int first_row, int end_row)
{
    x264_frame_t *frame = h->fenc;

    for (int p = 0; p < 2; p++) {
        const struct rp_plane *plane = &src->plane[p];
        /* Chroma of an odd picture is rounded up: luma lacks a column, or a row. */
        const int width = p ? h->param.i_width : X264_MIN(h->param.i_width, (int)src->width_px);
        const int lines =
            p ? h->param.i_height / 2 : X264_MIN(h->param.i_height, (int)src->height_px);
        const int first = 16 * first_row >> p;
        const int end = X264_MIN(16 * end_row >> p, lines);
        const int stride = frame->i_stride[p];
        pixel *dst = frame->plane[p] + (intptr_t)first * stride;
        pixel *from = plane[0].data + (size_t)first * plane[0].stride_B;

        if (p == 0 || src->layout == RP_PICTURE_NV12)
            h->mc.plane_copy(dst, stride, from, (intptr_t)plane[0].stride_B, width, end - first);
        else
            h->mc.plane_copy_interleave(dst, stride, from, (intptr_t)plane[0].stride_B,
                                        plane[1].data + (size_t)first * plane[1].stride_B,
                                        (intptr_t)plane[1].stride_B, width / 2, end - first);
        plane_extend(h, frame, p, width, lines, first, end);
    }
}

static bool
source_reserve(struct rp_x264_context *ctx)
{
    x264_frame_t **frame = ctx->job->common.rate ? &ctx->lowres_source : &ctx->source;

    if (!*frame)
        *frame = rp_x264_context_make_source(ctx, frame == &ctx->lowres_source);
    ctx->h->fenc = *frame;
    return *frame;
}

bool
rp_x264_source_load(struct rp_encoder *enc, struct rp_x264_context *ctx, bool may_be_by_bands)
{
    const struct rp_picture *src = &ctx->job->common.src;
    x264_t *h = ctx->h;

    ctx->has_source_by_bands = false;
    if (!source_reserve(ctx))
        return false;
    if (ctx->job->common.rate)
        ctx->has_source_by_bands = rp_x264_half_size_make(enc, ctx, may_be_by_bands);
    else if (source_is_usable(ctx))
        frame_set_planes(h->fenc, src->plane[0].data, src->plane[1].data);
    else if (may_be_by_bands)
        ctx->has_source_by_bands = true;
    else
        rp_x264_source_copy_rows(h, src, 0, h->mb.i_mb_height);
    return true;
}

void
rp_x264_source_unload(struct rp_x264_context *ctx)
{
    x264_frame_t *frame = ctx->source;
    if (!frame)
        return;

    const int stride = frame->i_stride[0];
    frame_set_planes(frame, frame->buffer[0] + PADV * stride + PADH_ALIGN,
                     frame->buffer[1] + PADV / 2 * stride + PADH_ALIGN);
}

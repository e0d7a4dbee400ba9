/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads pictures: copied, interleaved, or used where they are.
 */
#include "source.h"

/* The macroblock layer reads source and reconstruction with one stride, in whole macroblocks. */
static bool
source_is_usable(const struct rp_x264_context *ctx)
{
    const struct rp_picture *src = &ctx->job->src;
    const size_t stride_B = (size_t)ctx->source->i_stride[0];
    const uintptr_t address = (uintptr_t)src->plane[0].data | (uintptr_t)src->plane[1].data;

    return src->layout == RP_PICTURE_NV12 && src->plane[0].stride_B == stride_B &&
           src->plane[1].stride_B == stride_B && (address & 63) == 0 &&
           ((ctx->job->width_px | ctx->job->height_px) & 15) == 0;
}

static void
frame_set_planes(x264_frame_t *frame, uint8_t *luma, uint8_t *chroma)
{
    frame->plane[0] = frame->filtered[0][0] = luma;
    frame->plane[1] = chroma;
}

static void
frame_copy(x264_frame_t *frame, x264_t *h, const struct rp_picture *src)
{
    const struct rp_plane *plane = src->plane;
    const int width = h->param.i_width;
    const int height = h->param.i_height;

    h->mc.plane_copy(frame->plane[0], frame->i_stride[0], plane[0].data,
                     (intptr_t)plane[0].stride_B, width, height);
    if (src->layout == RP_PICTURE_NV12)
        h->mc.plane_copy(frame->plane[1], frame->i_stride[1], plane[1].data,
                         (intptr_t)plane[1].stride_B, width, height / 2);
    else
        h->mc.plane_copy_interleave(frame->plane[1], frame->i_stride[1], plane[1].data,
                                    (intptr_t)plane[1].stride_B, plane[2].data,
                                    (intptr_t)plane[2].stride_B, width / 2, height / 2);
    if (width != 16 * h->mb.i_mb_width || height != 16 * h->mb.i_mb_height)
        x264_frame_expand_border_mod16(h, frame);
}

static bool
source_load_lowres(struct rp_x264_context *ctx)
{
    x264_t *h = ctx->h;

    if (!ctx->lowres_source)
        ctx->lowres_source = rp_x264_context_make_source(ctx, true);
    if (!ctx->lowres_source)
        return false;
    h->fenc = ctx->lowres_source;
    frame_copy(h->fenc, h, &ctx->job->src);
    x264_frame_init_lowres(h, h->fenc);
    return true;
}

bool
rp_x264_source_load(struct rp_x264_context *ctx)
{
    const struct rp_picture *src = &ctx->job->src;
    x264_t *h = ctx->h;

    if (ctx->job->rate)
        return source_load_lowres(ctx);
    if (!ctx->source)
        ctx->source = rp_x264_context_make_source(ctx, false);
    if (!ctx->source)
        return false;
    h->fenc = ctx->source;
    if (source_is_usable(ctx))
        frame_set_planes(h->fenc, src->plane[0].data, src->plane[1].data);
    else
        frame_copy(h->fenc, h, src);
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

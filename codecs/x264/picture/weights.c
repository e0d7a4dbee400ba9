/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A weighted copy of each reference with luma weights for the search of whole samples; all else is
 * weighted by x264 as it predicts.
 */
#include "picture/weights.h"

#include "picture/slices.h"

static size_t
copy_B(const x264_t *h)
{
    return (size_t)h->fenc->i_stride[0] * (size_t)(16 * h->mb.i_mb_height + 2 * PADV);
}

static bool
has_luma_weight(const struct rp_h264_encode_job *job, uint32_t ref)
{
    return ref < job->ref_count[0] && job->weights->ref[ref].has_luma;
}

bool
rp_x264_weights_reserve(struct rp_x264_context *ctx)
{
    for (uint32_t i = 0; i < RP_H264_MAX_REFS && ctx->job->weights; i++) {
        if (!has_luma_weight(ctx->job, i) || ctx->weighted[i])
            continue;
        ctx->weighted[i] = x264_malloc((int64_t)copy_B(ctx->h));
        if (!ctx->weighted[i])
            return false;
    }
    return true;
}

void
rp_x264_weights_free(struct rp_x264_context *ctx)
{
    for (uint32_t i = 0; i < RP_H264_MAX_REFS; i++)
        x264_free(ctx->weighted[i]);
}

static void
weight_set(x264_t *h, x264_weight_t *weight, int scale, int denom, int offset)
{
    if (scale == 1 << denom && offset == 0)
        return;
    weight->i_scale = scale;
    weight->i_denom = denom;
    weight->i_offset = offset;
    h->mc.weight_cache(h, weight);
#if HAVE_NEON
    /* x264 itself weights by 0 to 127 alone, and its NEON code takes the scale without its sign. */
    if (scale < 0) {
        x264_mc_functions_t portable;
        x264_mc_init(0, &portable, 0);
        weight->weightfn = portable.weight;
    }
#endif
}

void
rp_x264_weights_init(struct rp_x264_context *ctx)
{
    const struct rp_h264_encode_job *job = ctx->job;
    const struct rp_h264_weights *weights = job->weights;
    x264_t *h = ctx->h;

    ctx->has_weights = weights != NULL;
    for (uint32_t i = 0; i < job->ref_count[0] && weights; i++) {
        const struct rp_h264_ref_weights *ref = &weights->ref[i];
        x264_weight_t *to = h->sh.weight[i];
        if (ref->has_luma)
            weight_set(h, &to[0], ref->weight[0], weights->log2_denom[0], ref->offset[0]);
        for (int c = 1; c < 3 && ref->has_chroma; c++)
            weight_set(h, &to[c], ref->weight[c], weights->log2_denom[1], ref->offset[c]);
        if (to[0].weightfn)
            h->fenc->weighted[i] = ctx->weighted[i] + h->fenc->i_stride[0] * PADV + PADH_ALIGN;
        h->sh.b_weighted_pred |= to[0].weightfn || to[1].weightfn || to[2].weightfn;
    }
}

void
rp_x264_weights_join(struct rp_x264_context *ctx, const struct rp_x264_context *owner)
{
    const x264_slice_header_t *from = &owner->h->sh;
    x264_slice_header_t *sh = &ctx->h->sh;

    ctx->has_weights = owner->has_weights;
    memcpy(sh->weight, from->weight, sizeof(sh->weight));
    sh->b_weighted_pred = from->b_weighted_pred;
}

static void
rows_wait(x264_t *h, int end)
{
    for (int i = 0; i < h->i_ref[0] && h->i_thread_frames > 1; i++) {
        if (h->sh.weight[i][0].weightfn)
            rp_x264_wait_rows(h->fref[0][i]->orig, end);
    }
}

static void
rows_weigh(x264_t *h, int end)
{
    const int lines = h->fref[0][0]->i_lines[0] + 2 * PADV;
    const int stride = h->fenc->i_stride[0];
    const int wanted = h->i_thread_frames > 1 ? X264_MIN(16 + end + PADV, lines) : lines;
    const int height = wanted - h->fenc->i_lines_weighted;
    const intptr_t offset = (intptr_t)(h->fenc->i_lines_weighted - PADV) * stride - PADH_ALIGN;

    for (int i = 0; i < h->i_ref[0] && height > 0; i++) {
        if (!h->sh.weight[i][0].weightfn)
            continue;
        x264_weight_scale_plane(h, h->fenc->weighted[i] + offset, stride,
                                h->fref[0][i]->filtered[0][0] + offset, stride,
                                h->fref[0][i]->i_width[0] + PADH2, height, &h->sh.weight[i][0]);
    }
    h->fenc->i_lines_weighted = X264_MAX(h->fenc->i_lines_weighted, wanted);
}

void
rp_x264_weights_row(x264_t *h)
{
    const struct rp_x264_context *ctx = h->api;
    struct rp_x264_slices *slices = ctx->shared_slices;
    const int end = 16 * h->mb.i_mb_y + h->param.analyse.i_mv_range_thread;

    rows_wait(h, end);
    if (slices)
        pthread_mutex_lock(&slices->weights_mutex);
    rows_weigh(h, end);
    if (slices)
        pthread_mutex_unlock(&slices->weights_mutex);
}

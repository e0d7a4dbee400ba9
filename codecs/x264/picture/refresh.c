/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A decoder that starts inside a refresh cycle has the right pixels in all that was refreshed.
 *
 * So nothing of a refreshed macroblock may come from one that is not: no sample of its references
 * (the loop filter has mixed three of them across each border), and no neighbour that intra
 * prediction looks at. x264 knows of columns that move from left to right alone; here its decision
 * is checked, and made again as intra, or PCM, where it does not hold.
 */
#include "picture/refresh.h"

#include "encoder/analyse.h"
#include "encoder/macroblock.h"

#define FILTERED_PX 3 /* samples that the loop filter changes on each side of an edge */

static bool
job_has_refresh(const struct rp_h264_encode_job *job)
{
    return (job->common.force_intra || job->common.intra_clean) &&
           job->slice_type != RP_H264_SLICE_I;
}

static bool
job_has_p_in_b(const struct rp_h264_encode_job *job)
{
    for (uint32_t i = 0; i < job->slice_count; i++) {
        if (job->slice_type == RP_H264_SLICE_B && job->slices[i].type == RP_H264_SLICE_P)
            return true;
    }
    return false;
}

void
rp_x264_refresh_prepare(struct rp_x264_context *ctx)
{
    x264_t *h = ctx->h;

    ctx->has_refresh = job_has_refresh(ctx->job) || job_has_p_in_b(ctx->job);
    h->param.b_intra_refresh = ctx->has_refresh;
    if (!ctx->has_refresh)
        return;
    h->fref[0][0]->i_pir_end_col = h->mb.i_mb_width + 1000; /* no limit of vectors by column */
    h->mb.ip_offset = ctx->job->common.rate && !ctx->is_flat ? ctx->ip_offset : 0;
}

/* The type of the slice that a macroblock is of, which is the slice at hand or one before it. */
static uint32_t
slice_type_at(const struct rp_x264_context *ctx, int mb_xy)
{
    uint32_t i = ctx->slice_index;
    while (ctx->job->slices[i].first_mb > (uint32_t)mb_xy)
        i--;
    return ctx->job->slices[i].type;
}

/* Decoders do not agree on the filter where a macroblock of a P slice meets one of a B slice:
 * libavcodec looks at list 0 alone, 8.7.2.1 at all vectors. An intra macroblock leaves no
 * choice. */
static bool
is_p_at_b(const x264_t *h)
{
    const struct rp_x264_context *ctx = h->api;
    const int xy = h->mb.i_mb_xy;

    if (h->sh.i_type != SLICE_TYPE_P || ctx->job->slice_type != RP_H264_SLICE_B ||
        h->sh.i_disable_deblocking_filter_idc != 0)
        return false;
    return (h->mb.i_mb_x > 0 && slice_type_at(ctx, xy - 1) == SLICE_TYPE_B) ||
           (h->mb.i_mb_y > 0 && slice_type_at(ctx, xy - h->mb.i_mb_stride) == SLICE_TYPE_B);
}

static bool
is_clean(const struct rp_h264_encode_job *job, int mb_xy)
{
    return job->common.intra_clean && job->common.intra_clean[mb_xy];
}

static bool
is_forced(const struct rp_h264_encode_job *job, int mb_xy)
{
    return job->common.force_intra && job->common.force_intra[mb_xy];
}

/* All samples of a reference from (x0, y0) to (x1, y1), inclusive, are refreshed. */
static bool
area_is_clean(const x264_t *h, const struct rp_h264_encode_job *job, int x0, int y0, int x1, int y1)
{
    const int width = 16 * h->mb.i_mb_width;
    const int height = 16 * h->mb.i_mb_height;

    for (int y = x264_clip3(y0, 0, height - 1) >> 4; y <= x264_clip3(y1, 0, height - 1) >> 4; y++) {
        for (int x = x264_clip3(x0, 0, width - 1) >> 4; x <= x264_clip3(x1, 0, width - 1) >> 4;
             x++) {
            if (!is_clean(job, y * h->mb.i_mb_stride + x))
                return false;
        }
    }
    return true;
}

/* A 4x4 block at (x, y) with its vector: what interpolation reads, and the filter's reach. */
static bool
block_is_clean(const x264_t *h, const struct rp_h264_encode_job *job, int x, int y,
               const int16_t *mv)
{
    /* Chroma vectors are fractions of twice the size: 8 of them make a sample. */
    const int before[2] = {FILTERED_PX + (mv[0] & 7 ? 2 : 0), FILTERED_PX + (mv[1] & 7 ? 2 : 0)};
    const int behind[2] = {FILTERED_PX + (mv[0] & 7 ? 3 : 0), FILTERED_PX + (mv[1] & 7 ? 3 : 0)};
    const int at_x = x + (mv[0] >> 2);
    const int at_y = y + (mv[1] >> 2);

    return area_is_clean(h, job, at_x - before[0], at_y - before[1], at_x + 3 + behind[0],
                         at_y + 3 + behind[1]);
}

static bool
motion_is_clean(const x264_t *h, const struct rp_h264_encode_job *job)
{
    const int list_count = h->sh.i_type == SLICE_TYPE_B ? 2 : 1;

    for (int list = 0; list < list_count; list++) {
        for (int i = 0; i < 16; i++) {
            const int at = x264_scan8[i];
            const int x = 16 * h->mb.i_mb_x + 4 * ((at - x264_scan8[0]) & 7);
            const int y = 16 * h->mb.i_mb_y + 4 * ((at - x264_scan8[0]) >> 3);
            if (h->mb.cache.ref[list][at] >= 0 &&
                !block_is_clean(h, job, x, y, h->mb.cache.mv[list][at]))
                return false;
        }
    }
    return true;
}

/* True when the neighbour is not used, or is refreshed or is being so. */
static bool
neighbour_is_clean(const x264_t *h, const struct rp_h264_encode_job *job, unsigned flag, int mb_xy)
{
    return !(h->mb.i_neighbour_intra & flag) || is_clean(job, mb_xy) || is_forced(job, mb_xy);
}

static bool
top_right_is_clean(const x264_t *h, const struct rp_h264_encode_job *job)
{
    return neighbour_is_clean(h, job, MB_TOPRIGHT, h->mb.i_mb_xy - h->mb.i_mb_stride + 1);
}

static bool
intra_is_clean(const x264_t *h, const struct rp_h264_encode_job *job)
{
    const int xy = h->mb.i_mb_xy;
    const int top_xy = xy - h->mb.i_mb_stride;

    return h->mb.i_type == I_PCM || (neighbour_is_clean(h, job, MB_LEFT, xy - 1) &&
                                     neighbour_is_clean(h, job, MB_TOP, top_xy) &&
                                     neighbour_is_clean(h, job, MB_TOPLEFT, top_xy - 1));
}

static void
analyse_as_intra(x264_t *h, bool has_top_right, void (*analyse)(x264_t *h))
{
    /* Inside x264's column of refresh; modes that look to the top right are left out at its end. */
    h->fdec->i_pir_start_col = h->mb.i_mb_x;
    h->fdec->i_pir_end_col = h->mb.i_mb_x + has_top_right;
    analyse(h);
}

static void
analyse_as_clean_intra(x264_t *h, const struct rp_h264_encode_job *job, void (*analyse)(x264_t *h))
{
    const bool has_top_right = top_right_is_clean(h, job);

    analyse_as_intra(h, has_top_right, analyse);
    /* x264 knows no columns in I slices. */
    if (!IS_INTRA(h->mb.i_type) || !intra_is_clean(h, job) ||
        (h->sh.i_type == SLICE_TYPE_I && !has_top_right))
        h->mb.i_type = I_PCM; /* depends on nothing */
}

void
rp_x264_refresh_macroblock(x264_t *h, void (*analyse)(x264_t *h))
{
    const struct rp_x264_context *ctx = h->api;
    const struct rp_h264_encode_job *job = ctx->job;
    const int xy = h->mb.i_mb_xy;
    const bool is_intra = is_p_at_b(h);

    if (is_forced(job, xy) || (is_intra && is_clean(job, xy))) {
        analyse_as_clean_intra(h, job, analyse);
        return;
    }
    if (is_intra) {
        analyse_as_intra(h, true, analyse);
        return;
    }
    h->fdec->i_pir_start_col = INT_MAX;
    h->fdec->i_pir_end_col = -1;
    analyse(h);
    if (!is_clean(job, xy))
        return;
    const bool holds = IS_INTRA(h->mb.i_type) ? intra_is_clean(h, job) && top_right_is_clean(h, job)
                                              : motion_is_clean(h, job);
    if (holds)
        return;
    analyse_as_clean_intra(h, job, analyse);
}

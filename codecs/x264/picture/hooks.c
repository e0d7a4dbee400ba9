/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions that answer what x264's code asks while it codes a picture.
 */
#include "picture/hooks.h"

#include "picture/bitstream.h"
#include "picture/refresh.h"
#include "picture/slices.h"
#include "picture/wave.h"
#include "picture/weights.h"
#include "rate/order.h"

static struct rp_x264_rate_attempt *
attempt_of(const struct rp_x264_context *ctx)
{
    return ctx->shared_slices ? ctx->shared_slices->owner->attempt : ctx->attempt;
}

static void
plan_next_row(x264_t *h, float qp)
{
    const struct rp_x264_context *ctx = h->api;
    struct rp_x264_rate_band *band = ctx->band;

    rp_x264_rate_attempt_see_rows(attempt_of(ctx), h, band);
    if (band && h->mb.i_mb_y == band->first_row)
        band->row_qp[0] = qp;
}

/* The next picture is planned by the rows up to show_row; where the picture has bands, by the first
 * of those, which slices.c sees to. */
static void
row_is_planned(x264_t *h)
{
    const struct rp_x264_context *ctx = h->api;
    struct rp_x264_rate_attempt *attempt = attempt_of(ctx);
    const int y = h->mb.i_mb_y;
    int bits = 0;

    if (ctx->band) {
        ctx->shared_slices->frame->f_row_qp[y] = ctx->band->row_qp[y];
        return;
    }
    if (y != attempt->show_row)
        return;
    for (int i = h->i_threadslice_start; i <= y; i++)
        bits += h->fdec->i_row_bits[i];
    attempt->layer.shown_bits = bits;
    rp_x264_rate_order_show(attempt, h, y + 1);
}

static void
release(struct rp_x264_context *ctx)
{
    if (ctx->h)
        rp_x264_weights_free(ctx);
    rp_x264_slices_destroy(ctx->slices);
    rp_x264_wave_destroy(ctx->wave);
    rp_x264_rate_attempt_destroy(ctx->attempt);
}

const struct rp_x264_hooks rp_x264_picture_hooks = {
    .write_slice_header = rp_x264_bitstream_write_slice_header,
    .weigh_row = rp_x264_weights_row,
    .analyse_macroblock = rp_x264_refresh_macroblock,
    .filter_coded_rows = rp_x264_slices_filter_coded_rows,
    .filtered_slice = rp_x264_slices_filtered_slice,
    .filter_slice_edges = rp_x264_slices_filter_edges,
    .plan_next_row = plan_next_row,
    .row_is_planned = row_is_planned,
    .release = release,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of a reference that is still being coded, as x264's row control is to see them.
 */
#include "rate/attempt.h"

#include "util/alloc.h"

#include <math.h>

#define MOST_ROW_BITS (3200.0f * 1024) /* A.3.1, of more macroblocks than there are */

bool
rp_x264_rate_flight_reserve(struct rp_x264_context *ctx)
{
    if (!ctx->flight)
        ctx->flight = rp_zalloc(NULL, sizeof(*ctx->flight), _Alignof(struct rp_x264_rate_flight),
                                VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    return ctx->flight && rp_x264_rate_layer_open(&ctx->flight->layer, ctx->h) &&
           (ctx->job->slice_count == 1 || rp_x264_rate_bands_open(&ctx->flight->bands));
}

void
rp_x264_rate_flight_destroy(struct rp_x264_rate_flight *flight)
{
    if (flight) {
        rp_x264_rate_layer_finish(&flight->layer);
        rp_x264_rate_bands_finish(&flight->bands);
    }
    rp_free(NULL, flight);
}

static void
see_rows(struct rp_x264_rate_flight *flight, int *seen_rows, int end)
{
    const x264_frame_t *frame = flight->reference;

    for (int y = *seen_rows; y < end; y++) {
        flight->row_qp[y] = frame->f_row_qp[y];
        flight->row_qscale[y] = frame->f_row_qscale[y];
        flight->row_bits[y] = frame->i_row_bits[y];
        flight->row_satd[y] = frame->i_row_satd[y];
    }
    *seen_rows = X264_MAX(*seen_rows, end);
}

/* Rows to come: with the last quantiser, and as large as those of the picture before were. */
static void
expect_rows(struct rp_x264_rate_flight *flight, int height)
{
    const struct rp_x264_rate_rows *rows = &flight->layer.rows;
    const x264_frame_t *frame = flight->reference;
    const int last = flight->seen_rows - 1;

    for (int y = flight->seen_rows; y < height; y++) {
        const bool is_known = rows->count == height && rows->satd[y] > 0;
        const float satd = (float)frame->i_row_satd[y];
        const float qscale = flight->row_qscale[last];
        flight->row_qp[y] = flight->row_qp[last];
        flight->row_qscale[y] = qscale;
        const float bits = is_known ? rows->cost[y] * satd / ((float)rows->satd[y] * qscale) : 0;
        flight->row_bits[y] = (int)fminf(bits, MOST_ROW_BITS);
        flight->row_satd[y] = is_known ? frame->i_row_satd[y] : 0; /* x264 takes none for unknown */
    }
}

static void
flight_give_rows(struct rp_x264_rate_flight *flight, x264_frame_t *view)
{
    view->f_qp_avg_rc = flight->row_qp[flight->seen_rows - 1];
    view->i_satd = flight->reference->i_satd;
    view->f_row_qp = flight->row_qp;
    view->f_row_qscale = flight->row_qscale;
    view->i_row_bits = flight->row_bits;
    view->i_row_satd = flight->row_satd;
}

void
rp_x264_rate_flight_refer(struct rp_x264_rate_flight *flight, x264_t *h)
{
    const x264_frame_t *frame = flight->reference;
    if (!frame)
        return;

    flight->seen_rows = 0;
    see_rows(flight, &flight->seen_rows, flight->shown_rows);
    expect_rows(flight, h->mb.i_mb_height);
    for (int list = 0; list < 2; list++) {
        for (int i = 0; i < h->i_ref[list]; i++) {
            if (h->fref[list][i]->orig == frame)
                flight_give_rows(flight, h->fref[list][i]);
        }
    }
}

void
rp_x264_rate_flight_see_rows(struct rp_x264_rate_flight *flight, const x264_t *h,
                             struct rp_x264_rate_band *band)
{
    int *seen_rows = band ? &band->seen_rows : &flight->seen_rows;
    const int most = band ? band->end_row : h->mb.i_mb_height; /* others see to theirs */
    if (!flight->reference || *seen_rows >= most)
        return;

    /* As far as motion may reach. */
    const int reach = h->mb.i_mb_y + h->param.analyse.i_mv_range_thread / 16;
    const int end = X264_MIN(reach, most);
    if (end <= *seen_rows)
        return;
    rp_x264_wait_rows((x264_frame_t *)flight->reference, 16 * end);
    see_rows(flight, seen_rows, end);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of a reference that is still being coded, as x264's row control is to see them.
 */
#include "rate/attempt.h"

#include "util/alloc.h"

#include <math.h>

#define MOST_ROW_BITS (3200.0f * 1024) /* A.3.1, of more macroblocks than there are */

bool
rp_x264_rate_attempt_reserve(struct rp_x264_context *ctx)
{
    if (!ctx->attempt)
        ctx->attempt = rp_zalloc(NULL, sizeof(*ctx->attempt), _Alignof(struct rp_x264_rate_attempt),
                                 VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    return ctx->attempt && rp_x264_rate_layer_open(&ctx->attempt->layer, ctx->h) &&
           (ctx->job->slice_count == 1 || rp_x264_rate_bands_open(&ctx->attempt->bands));
}

void
rp_x264_rate_attempt_destroy(struct rp_x264_rate_attempt *attempt)
{
    if (attempt) {
        rp_x264_rate_layer_finish(&attempt->layer);
        rp_x264_rate_bands_finish(&attempt->bands);
    }
    rp_free(NULL, attempt);
}

static void
see_rows(struct rp_x264_rate_attempt *attempt, int *seen_rows, int end)
{
    const x264_frame_t *frame = attempt->reference;

    for (int y = *seen_rows; y < end; y++) {
        attempt->row_qp[y] = frame->f_row_qp[y];
        attempt->row_qscale[y] = frame->f_row_qscale[y];
        attempt->row_bits[y] = frame->i_row_bits[y];
        attempt->row_satd[y] = frame->i_row_satd[y];
    }
    *seen_rows = X264_MAX(*seen_rows, end);
}

/* Rows to come: with the last quantiser, and as large as those of the picture before were. */
static void
expect_rows(struct rp_x264_rate_attempt *attempt, int height)
{
    const struct rp_x264_rate_rows *rows = &attempt->layer.rows;
    const x264_frame_t *frame = attempt->reference;
    const int last = attempt->seen_rows - 1;

    for (int y = attempt->seen_rows; y < height; y++) {
        const bool is_known = rows->count == height && rows->satd[y] > 0;
        const float satd = (float)frame->i_row_satd[y];
        const float qscale = attempt->row_qscale[last];
        attempt->row_qp[y] = attempt->row_qp[last];
        attempt->row_qscale[y] = qscale;
        const float bits = is_known ? rows->cost[y] * satd / ((float)rows->satd[y] * qscale) : 0;
        attempt->row_bits[y] = (int)fminf(bits, MOST_ROW_BITS);
        attempt->row_satd[y] =
            is_known ? frame->i_row_satd[y] : 0; /* x264 takes none for unknown */
    }
}

static void
attempt_give_rows(struct rp_x264_rate_attempt *attempt, x264_frame_t *view)
{
    view->f_qp_avg_rc = attempt->row_qp[attempt->seen_rows - 1];
    view->i_satd = attempt->reference->i_satd;
    view->f_row_qp = attempt->row_qp;
    view->f_row_qscale = attempt->row_qscale;
    view->i_row_bits = attempt->row_bits;
    view->i_row_satd = attempt->row_satd;
}

void
rp_x264_rate_attempt_refer(struct rp_x264_rate_attempt *attempt, x264_t *h)
{
    const x264_frame_t *frame = attempt->reference;
    if (!frame)
        return;

    attempt->seen_rows = 0;
    see_rows(attempt, &attempt->seen_rows, attempt->shown_rows);
    expect_rows(attempt, h->mb.i_mb_height);
    for (int list = 0; list < 2; list++) {
        for (int i = 0; i < h->i_ref[list]; i++) {
            if (h->fref[list][i]->orig == frame)
                attempt_give_rows(attempt, h->fref[list][i]);
        }
    }
}

void
rp_x264_rate_attempt_see_rows(struct rp_x264_rate_attempt *attempt, const x264_t *h,
                              struct rp_x264_rate_band *band)
{
    int *seen_rows = band ? &band->seen_rows : &attempt->seen_rows;
    const int most = band ? band->end_row : h->mb.i_mb_height; /* others see to theirs */
    if (!attempt->reference || *seen_rows >= most)
        return;

    /* Rows are needed as far as motion may reach. */
    const int reach = h->mb.i_mb_y + h->param.analyse.i_mv_range_thread / 16;
    const int end = X264_MIN(reach, most);
    if (end <= *seen_rows)
        return;
    rp_x264_wait_rows((x264_frame_t *)attempt->reference, 16 * end);
    see_rows(attempt, seen_rows, end);
}

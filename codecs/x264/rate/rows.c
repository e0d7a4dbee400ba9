/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x264's control of rows, some rows ahead.
 */
#include "rate/rows.h"

#include "context.h"
#include "glue/core_rate.h"

#define LEAST_ROWS 20    /* of macroblocks */
#define ROWS_PER_DELAY 4 /* of the picture, for each row of the delay ... */
#define MOST_DELAY 16    /* ... up to what as many threads make use of */

bool
rp_x264_rate_rows_can_be_planned(const x264_t *h)
{
    return h->mb.i_mb_height >= LEAST_ROWS && h->mb.i_mb_height <= RP_X264_MAX_ROWS;
}

void
rp_x264_rate_rows_begin(struct rp_x264_rate_planned_rows *rows, const x264_t *h)
{
    const float qp = rp_x264_rc_picture(h->rc).qp;
    const int first = h->i_threadslice_start;
    const int row_count = h->i_threadslice_end - first;

    rows->delay = x264_clip3(row_count / ROWS_PER_DELAY, 1, MOST_DELAY);
    for (int y = first; y < first + rows->delay; y++)
        rows->qp[y] = qp;
    rows->part_bits = rows->part_qp_sum = 0;
}

void
rp_x264_rate_rows_coded(struct rp_x264_rate_planned_rows *rows, x264_t *h, int y, int bits,
                        int qp_sum, bool is_complete)
{
    const struct rp_x264_context *ctx = h->api;
    const int planned = y + rows->delay;

    rows->part_bits += bits;
    rows->part_qp_sum += qp_sum;
    if (!is_complete)
        return;
    h->mb.i_mb_y = y;
    h->fdec->i_row_bits[y] = rows->part_bits;
    ctx->hooks->plan_next_row(h, rows->qp[y]);
    rp_x264_rc_note_row(h, y, rows->qp[y], rows->part_qp_sum);
    rows->part_bits = rows->part_qp_sum = 0;
    if (planned < h->i_threadslice_end)
        rows->qp[planned] = rp_x264_rc_plan_row(h, rows->qp, y, planned - 1);
    h->mb.i_mb_y = y;
    ctx->hooks->row_is_planned(h);
}

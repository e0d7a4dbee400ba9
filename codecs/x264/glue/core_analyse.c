/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x264's analyse.c and the slicetype.c that it includes, unchanged but for waits for rows, weights
 * of rows, and the function that hands costs to rate control: x264's finds them by distances of
 * pictures that its lookahead arranged.
 *
 * The call x264_analyse_weight_frame( h, ...) goes to ours, as in core_encoder.c: the definition's
 * first argument reads "x264_t *h".
 */
#include "context.h"

#include "encoder/analyse.h"
#include "encoder/ratecontrol.h"

#undef x264_rc_analyse_slice
#define x264_rc_analyse_slice rp_x264_unused_analyse_slice
int rp_x264_unused_analyse_slice(x264_t *h);
#undef x264_frame_cond_wait
#define x264_frame_cond_wait(frame, lines) rp_x264_wait_rows(frame, lines)

#define WEIGH_FIRST(a, ...) a
#define WEIGH_PICK(...) WEIGH_FIRST(__VA_ARGS__)
#define WEIGH_x264_t x264_template(analyse_weight_frame), 0,
#define WEIGH_h rows_have_weights, 0,
#undef x264_analyse_weight_frame
#define x264_analyse_weight_frame(h, end) WEIGH_PICK(WEIGH_##h)(h, end)

/* The hook weigh_row has seen to it; x264 counts lines as if nobody else weighted them. */
static void
rows_have_weights(const x264_t *h, int end)
{
    (void)h;
    (void)end;
}

#include "encoder/analyse.c"
#undef x264_rc_analyse_slice

#define x264_rc_analyse_slice x264_template(rc_analyse_slice)
int x264_rc_analyse_slice(x264_t *h);

static_assert(RP_X264_COST_COUNT == NUM_INTS + 1, "x264's sums, and that of the row");

void
rp_x264_lowres_cost_row(x264_t *h, const struct rp_x264_lowres_pair *pair, int y, int first_x,
                        int end_x, struct rp_x264_row_cost *cost)
{
    x264_frame_t *frames[2] = {pair->ref ? pair->ref : pair->picture, pair->picture};
    const int current = pair->ref != NULL;
    int do_search[2] = {current, 0};
    x264_mb_analysis_t analysis;

    x264_emms();
    lowres_context_init(h, &analysis);
    h->i_threadslice_start = y; /* where x264 counts rows from */
    h->i_threadslice_end = h->mb.i_mb_height;
    h->mb.i_mb_y = y;
    for (h->mb.i_mb_x = end_x - 1; h->mb.i_mb_x >= first_x; h->mb.i_mb_x--)
        slicetype_mb_cost(h, &analysis, frames, 0, current, current, 256, do_search,
                          x264_weight_none, cost->inter, cost->intra);
    h->i_threadslice_start = 0;
    x264_emms();
}

void
rp_x264_lowres_cost_sum(const x264_t *h, const struct rp_x264_lowres_pair *pair,
                        const struct rp_x264_row_cost *rows)
{
    x264_frame_t *picture = pair->picture;
    const int count = pair->ref ? 2 : 1;

    for (int k = 0; k < count; k++) {
        picture->i_cost_est[k][0] = picture->i_cost_est_aq[k][0] = 0;
        for (int y = 0; y < h->mb.i_mb_height; y++) {
            const int *sums = k ? rows[y].inter : rows[y].intra;
            picture->i_cost_est[k][0] += sums[COST_EST];
            picture->i_cost_est_aq[k][0] += sums[COST_EST_AQ];
            picture->i_row_satds[k][0][y] = sums[NUM_INTS];
        }
    }
}

int
x264_rc_analyse_slice(x264_t *h)
{
    x264_frame_t *fenc = h->fenc;
    x264_frame_t *fdec = h->fdec;
    const int inter = h->sh.i_type != SLICE_TYPE_I;
    const size_t row_bytes = (size_t)h->mb.i_mb_height * sizeof(int);

    x264_emms();
    const int cost =
        h->param.rc.i_aq_mode ? fenc->i_cost_est_aq[inter][0] : fenc->i_cost_est[inter][0];
    fenc->i_row_satd = fenc->i_row_satds[inter][0];
    fdec->i_row_satd = fdec->i_row_satds[inter][0];
    fdec->i_satd = cost;
    memcpy(fdec->i_row_satd, fenc->i_row_satd, row_bytes);
    if (inter)
        memcpy(fdec->i_row_satds[0][0], fenc->i_row_satds[0][0], row_bytes);
    return cost;
}

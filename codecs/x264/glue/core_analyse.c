/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x264's analyse.c and the slicetype.c that it includes, unchanged but for waits for rows, and the
 * function that hands costs to rate control: x264's finds them by distances of pictures that its
 * lookahead arranged.
 */
#include "context.h"

#include "encoder/ratecontrol.h"

#undef x264_rc_analyse_slice
#define x264_rc_analyse_slice rp_x264_unused_analyse_slice
int rp_x264_unused_analyse_slice(x264_t *h);
#undef x264_frame_cond_wait
#define x264_frame_cond_wait(frame, lines) rp_x264_wait_rows(frame, lines)
#include "encoder/analyse.c"
#undef x264_rc_analyse_slice

#define x264_rc_analyse_slice x264_template(rc_analyse_slice)
int x264_rc_analyse_slice(x264_t *h);

void
rp_x264_lowres_cost(x264_t *h, x264_frame_t *picture, x264_frame_t *ref)
{
    x264_mb_analysis_t analysis;
    x264_frame_t *intra[2] = {picture, picture};
    x264_frame_t *inter[2] = {ref, picture};

    x264_emms();
    lowres_context_init(h, &analysis);
    slicetype_frame_cost(h, &analysis, intra, 0, 0, 0);
    if (ref)
        slicetype_frame_cost(h, &analysis, inter, 0, 1, 1);
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

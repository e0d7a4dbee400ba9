/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Offsets to the picture's QP.
 */
#include "quant.h"

void
rp_x264_quant_prepare(struct rp_x264_context *ctx)
{
    const struct rp_h264_encode_job *job = ctx->job;
    x264_t *h = ctx->h;

    h->param.rc.i_aq_mode = X264_AQ_NONE;
    h->param.rc.i_qp_min = 0;
    h->param.rc.i_qp_max = QP_MAX_SPEC;
    ctx->qp_offsets = NULL;
    if (!job->qp_delta)
        return;
    for (int i = 0; i < h->mb.i_mb_count; i++)
        h->fenc->f_qp_offset[i] = job->qp_delta[i];
    ctx->qp_offsets = h->fenc->f_qp_offset;
}

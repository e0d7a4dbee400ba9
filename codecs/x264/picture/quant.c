/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Offsets to the picture's QP.
 */
#include "picture/quant.h"

#include "encoder/ratecontrol.h"

#define EMPHASIS_QP 12.0f /* between the least and the most important macroblock */

static void
offsets_add_emphasis(float *offsets, const float *emphasis, int count)
{
    float sum = 0;
    for (int i = 0; i < count; i++)
        sum += emphasis[i];
    const float mean = sum / (float)count;
    for (int i = 0; i < count; i++)
        offsets[i] += (mean - emphasis[i]) * EMPHASIS_QP;
}

/* The job's maps; false when it has none. */
static bool
offsets_init(float *offsets, const struct rp_h264_encode_job *job, int count)
{
    for (int i = 0; i < count; i++)
        offsets[i] = job->common.qp_delta ? job->common.qp_delta[i] : 0;
    if (job->common.rate && job->common.emphasis)
        offsets_add_emphasis(offsets, job->common.emphasis, count);
    return job->common.qp_delta || (job->common.rate && job->common.emphasis);
}

void
rp_x264_quant_prepare(struct rp_x264_context *ctx)
{
    const struct rp_h264_encode_job *job = ctx->job;
    x264_t *h = ctx->h;
    float *offsets = h->fenc->f_qp_offset;

    const bool has_map = offsets_init(offsets, job, h->mb.i_mb_count);
    const bool has_aq = job->common.rate && ctx->aq_mode != X264_AQ_NONE;
    h->param.rc.i_aq_mode = has_aq ? X264_AQ_VARIANCE : X264_AQ_NONE;
    h->param.rc.i_qp_min = 0;
    h->param.rc.i_qp_max = QP_MAX_SPEC;
    ctx->is_flat = false;
    ctx->qp_offsets = has_map || has_aq ? offsets : NULL;
}

/* x264 is shown the row as a picture. It reads the offset of a macroblock before it writes it. */
void
rp_x264_quant_row(x264_t *h, const struct rp_picture *src, int y)
{
    const int height = h->mb.i_mb_height;
    const int count = h->mb.i_mb_count;
    const int has_lowres = h->frames.b_have_lowres;
    const int first_mb = y * h->mb.i_mb_stride;
    if (h->param.rc.i_aq_mode == X264_AQ_NONE)
        return;

    x264_frame_t row = *h->fenc;
    for (int p = 0; p < 2 && src; p++) {
        row.plane[p] = src->plane[p].data;
        row.i_stride[p] = (int)src->plane[p].stride_B;
    }
    row.plane[0] += (intptr_t)16 * y * row.i_stride[0];
    row.plane[1] += (intptr_t)8 * y * row.i_stride[1];
    row.f_qp_offset += first_mb;
    row.f_qp_offset_aq += first_mb;
    row.i_inv_qscale_factor += first_mb;
    h->mb.i_mb_height = 1;
    h->mb.i_mb_count = h->mb.i_mb_width;
    h->frames.b_have_lowres = 1;
    x264_adaptive_quant_frame(h, &row, row.f_qp_offset);
    h->mb.i_mb_height = height;
    h->mb.i_mb_count = count;
    h->frames.b_have_lowres = has_lowres;
}

void
rp_x264_quant_flatten(struct rp_x264_context *ctx)
{
    const struct rp_h264_encode_job *job = ctx->job;

    ctx->is_flat = true;
    if (!job->common.qp_delta && !job->common.emphasis)
        ctx->qp_offsets = NULL;
}

void
rp_x264_quant_join(struct rp_x264_context *ctx, const struct rp_x264_context *from)
{
    x264_param_t *param = &ctx->h->param;

    param->rc.i_aq_mode = from->h->param.rc.i_aq_mode;
    param->rc.i_qp_min = from->h->param.rc.i_qp_min;
    param->rc.i_qp_max = from->h->param.rc.i_qp_max;
    ctx->qp_offsets = from->qp_offsets;
}

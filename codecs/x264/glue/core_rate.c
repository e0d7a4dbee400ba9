/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x264's ratecontrol.c, unchanged but for two calls of its row control, and its private struct
 * behind functions.
 */
#include "glue/core_rate.h"

#include "context.h"

#include "encoder/ratecontrol.h"

#undef x264_ratecontrol_mb_qp
#undef x264_ratecontrol_mb
#define x264_ratecontrol_mb_qp rp_x264_unused_mb_qp
#define x264_ratecontrol_mb ratecontrol_mb_of_x264
int rp_x264_unused_mb_qp(x264_t *h);
static int ratecontrol_mb_of_x264(x264_t *h, int bits);

/* Its product of the bits and the costs of a row is an int, and rows of large, noisy pictures go
 * beyond that. The one call goes to ours, as in core_encoder.c: its second argument is i, the
 * definition's "int y". */
#define ROW_FIRST(a, ...) a
#define ROW_PICK(...) ROW_FIRST(__VA_ARGS__)
#define ROW_OF_int predict_row_size_of_x264, 0,
#define ROW_OF_i row_predict_size, 0,
#define predict_row_size(h, y, qscale) ROW_PICK(ROW_OF_##y)(h, y, qscale)
static float predict_row_size_of_x264(x264_t *h, int y, float qscale) __attribute__((unused));
static float row_predict_size(x264_t *h, int y, float qscale);
#include "encoder/ratecontrol.c"
#undef predict_row_size
#undef x264_ratecontrol_mb_qp
#undef x264_ratecontrol_mb

#define x264_ratecontrol_mb_qp x264_template(ratecontrol_mb_qp)
#define x264_ratecontrol_mb x264_template(ratecontrol_mb)
int x264_ratecontrol_mb_qp(x264_t *h);
int x264_ratecontrol_mb(x264_t *h, int bits);

#define PREDICTORS 5 /* that x264 has for sizes of pictures */

/* The mean of what the row's cost lets expect and what the reference's row took; or, finer than
 * that one, the sum of what it would be as intra and inter. */
static float
row_predict_size(x264_t *h, int y, float qscale)
{
    const x264_ratecontrol_t *rc = h->rc;
    const x264_frame_t *fdec = h->fdec;
    const x264_frame_t *ref = h->fref[0][0];
    const int satd = fdec->i_row_satd[y];
    const float own = predict_size(&rc->row_pred[0], qscale, satd);

    if (h->sh.i_type != SLICE_TYPE_I && qscale < ref->f_row_qscale[y])
        return predict_size(&rc->row_pred[1], qscale, fdec->i_row_satds[0][0][y]) + own;
    if (h->sh.i_type != SLICE_TYPE_P || ref->i_type != fdec->i_type || ref->f_row_qscale[y] <= 0 ||
        ref->i_row_satd[y] <= 0 || abs(ref->i_row_satd[y] - satd) >= satd / 2)
        return own;
    const int64_t bits = (int64_t)ref->i_row_bits[y] * satd / ref->i_row_satd[y];
    return (own + bits * ref->f_row_qscale[y] / qscale) * 0.5f;
}

/* Stands in for x264's function: offsets are those of maps, too, and not smoothed by adaptive
 * quantisation. */
int
x264_ratecontrol_mb_qp(x264_t *h)
{
    const struct rp_x264_context *ctx = h->api;

    x264_emms();
    float qp = ctx->row_qps ? ctx->row_qps[h->mb.i_mb_y] : h->rc->qpm;
    if (ctx->qp_offsets) {
        float offset = ctx->qp_offsets[h->mb.i_mb_xy];
        /* Beyond 51 x264 filters coefficients instead: offsets fade out. */
        if (qp > QP_MAX_SPEC)
            offset *= (QP_MAX - qp) / (QP_MAX - QP_MAX_SPEC);
        qp += offset;
    }
    return x264_clip3((int)(qp + 0.5f), h->param.rc.i_qp_min, h->param.rc.i_qp_max);
}

int
x264_ratecontrol_mb(x264_t *h, int bits)
{
    const struct rp_x264_context *ctx = h->api;
    const bool is_row_end = h->rc->b_vbv && h->mb.i_mb_x == h->mb.i_mb_width - 1;

    if (is_row_end)
        ctx->hooks->plan_next_row(h, h->rc->qpm);
    h->param.i_threads = 1; /* x264 would leave a part of what is left to each */
    const int result = ratecontrol_mb_of_x264(h, bits);
    h->param.i_threads = h->i_thread_frames;
    if (is_row_end && result >= 0)
        ctx->hooks->row_is_planned(h);
    return result;
}

void
rp_x264_rc_note_row(x264_t *h, int y, float qp, int qp_sum)
{
    x264_ratecontrol_t *rc = h->rc;
    x264_frame_t *fdec = h->fdec;
    const int bits = fdec->i_row_bits[y];
    const float qscale = qp2qscale(qp);

    rc->qpa_aq = rc->qpa_aq_prev = rc->qpa_aq + qp_sum;
    rc->qpa_rc = rc->qpa_rc_prev = rc->qpa_rc + qp * h->mb.i_mb_width;
    if (!rc->b_vbv)
        return;
    fdec->f_row_qp[y] = qp;
    fdec->f_row_qscale[y] = qscale;
    update_predictor(&rc->row_pred[0], qscale, fdec->i_row_satd[y], bits);
    if (h->sh.i_type != SLICE_TYPE_I && qp < h->fref[0][0]->f_row_qp[y])
        update_predictor(&rc->row_pred[1], qscale, fdec->i_row_satds[0][0][y], bits);
}

/* x264 is shown the last row under way as if it had just been coded, and those before it: with the
 * bits that they are expected to have. */
float
rp_x264_rc_plan_row(x264_t *h, const float *qps, int y, int last)
{
    x264_ratecontrol_t *rc = h->rc;
    int *bits = h->fdec->i_row_bits;
    if (!rc->b_vbv)
        return qps[last];

    const x264_ratecontrol_t before = *rc; /* x264 would learn of that row, too */
    const int first_mb = h->sh.i_first_mb;
    const int threads = h->param.i_threads;
    for (int i = y + 1; i <= last; i++)
        bits[i] = (int)row_predict_size(h, i, qp2qscale(qps[i]));
    rc->qpm = qps[last];
    h->mb.i_mb_x = h->mb.i_mb_width - 1;
    h->mb.i_mb_y = last;
    h->sh.i_first_mb = INT_MAX; /* the row is not going to be coded again */
    h->param.i_threads = 1;
    (void)ratecontrol_mb_of_x264(h, 0);
    h->sh.i_first_mb = first_mb;
    h->param.i_threads = threads;
    for (int i = y + 1; i <= last; i++)
        bits[i] = 0;
    const float qp = rc->qpm;
    *rc = before;
    return qp;
}

void
rp_x264_rate_fix_qp(x264_t *h, float qp)
{
    x264_ratecontrol_t *rc = h->rc;

    rc->qpm = qp;
    rc->qpa_rc = rc->qpa_rc_prev = 0;
    rc->qpa_aq = rc->qpa_aq_prev = 0;
}

void
rp_x264_rate_set_qp(x264_t *h, float qp)
{
    h->rc->qpm = qp;
}

float
rp_x264_qscale_from_qp(float qp)
{
    return qp2qscale(qp);
}

float
rp_x264_qp_from_qscale(float qscale)
{
    return qscale2qp(qscale);
}

x264_ratecontrol_t *
rp_x264_rc_create(x264_t *h)
{
    x264_ratecontrol_t *context_rc = h->rc;
    const int threads = h->param.i_threads;
    h->rc = NULL;
    h->param.i_threads = 1;
    const bool is_new = x264_ratecontrol_new(h) == 0;
    x264_ratecontrol_t *rc = h->rc;
    h->rc = context_rc;
    h->param.i_threads = threads;
    if (!is_new) {
        rp_x264_rc_destroy(rc);
        return NULL;
    }
    rc->b_vbv = 1;
    return rc;
}

void
rp_x264_rc_destroy(x264_ratecontrol_t *rc)
{
    if (rc) {
        x264_free(rc->pred);
        x264_free(rc->pred_b_from_p);
    }
    x264_free(rc);
}

static void
copy_predictors(x264_ratecontrol_t *to, const x264_ratecontrol_t *from)
{
    memcpy(to->pred, from->pred, PREDICTORS * sizeof(to->pred[0]));
    *to->pred_b_from_p = *from->pred_b_from_p;
}

void
rp_x264_rc_copy(x264_ratecontrol_t *to, const x264_ratecontrol_t *from)
{
    predictor_t *pred = to->pred;
    predictor_t *pred_b_from_p = to->pred_b_from_p;

    *to = *from;
    to->pred = pred;
    to->pred_b_from_p = pred_b_from_p;
    copy_predictors(to, from);
}

/* Takes over what x264_thread_sync_ratecontrol() does. */
void
rp_x264_rc_rebase(x264_ratecontrol_t *rc, const x264_ratecontrol_t *base)
{
    rc->cplxr_sum = base->cplxr_sum;
    rc->wanted_bits_window = base->wanted_bits_window;
    rc->filler_bits_sum = base->filler_bits_sum;
    rc->bframe_bits = base->bframe_bits;
    rc->buffer_fill_final = base->buffer_fill_final;
    rc->buffer_fill_final_min = base->buffer_fill_final_min;
    copy_predictors(rc, base);
}

void
rp_x264_rc_set_rate(x264_ratecontrol_t *rc, const struct rp_rate_target *target, double buffer_bits,
                    double change)
{
    rc->fps = rp_rate_target_fps(target);
    rc->bitrate = target->average_bps;
    rc->b_vbv_min_rate = target->is_cbr;
    rc->vbv_max_rate = target->max_bps;
    rc->buffer_rate = target->max_bps / rc->fps;
    rc->buffer_size = buffer_bits;
    rc->single_frame_vbv = rc->buffer_rate * 1.1 > rc->buffer_size;
    rc->cbr_decay = 1.0 - rc->buffer_rate / rc->buffer_size * 0.5 *
                              X264_MAX(0, 1.5 - rc->vbv_max_rate / rc->bitrate);
    if (change == 0) {
        rc->cplxr_sum = .01 * pow(7.0e5, rc->qcompress) * pow(rc->nmb, 0.5);
        rc->wanted_bits_window = rc->bitrate / rc->fps;
    } else {
        rc->wanted_bits_window *= change;
        rc->filler_bits_sum = 0;
    }
    for (int type = 0; type < 3; type++) {
        rc->lmin[type] = qp2qscale((float)target->min_index[type]);
        rc->lmax[type] = qp2qscale((float)target->max_index[type]);
    }
}

struct rp_x264_rc_fill
rp_x264_rc_fill(const x264_ratecontrol_t *rc, double time_scale)
{
    return (struct rp_x264_rc_fill){
        .most_bits = (double)rc->buffer_fill_final / time_scale,
        .least_bits = (double)rc->buffer_fill_final_min / time_scale,
    };
}

void
rp_x264_rc_set_fill(x264_ratecontrol_t *rc, double bits, double time_scale)
{
    const double clipped_fill = X264_MIN(bits, rc->buffer_size);

    rc->buffer_fill_final = rc->buffer_fill_final_min = (int64_t)(clipped_fill * time_scale);
}

/* Counts the buffer's bits as update_vbv() does. */
void
rp_x264_rc_take_from_fill(x264_ratecontrol_t *rc, double bits, double time_scale)
{
    const double fill = X264_MAX(0, (double)rc->buffer_fill_final_min - bits * time_scale);
    const double next = X264_MIN(fill + rc->buffer_rate * time_scale, rc->buffer_size * time_scale);

    rc->buffer_fill_final = rc->buffer_fill_final_min = (int64_t)next;
}

struct rp_x264_rc_picture
rp_x264_rc_picture(const x264_ratecontrol_t *rc)
{
    return (struct rp_x264_rc_picture){
        .qp = rc->qpm,
        .last_qscale = (float)rc->last_qscale,
        .qp_sum = rc->qpa_rc,
        .satd = (float)rc->last_satd,
        .block_count = rc->nmb,
        .planned_bits = rc->frame_size_planned,
        .most_bits = rc->frame_size_maximum,
        .fill_bits = rc->buffer_fill,
        .fills_whole_buffer = rc->single_frame_vbv,
    };
}

float
rp_x264_rc_predict(const x264_ratecontrol_t *rc, int type, float qscale, float satd)
{
    return predict_size(&rc->pred[type], qscale, satd);
}

void
rp_x264_rc_choose_qp(x264_t *h, int type, float qp)
{
    x264_ratecontrol_t *rc = h->rc;

    rc->qpm = qp;
    h->fdec->f_qp_avg_rc = h->fdec->f_qp_avg_aq = rc->qp_novbv = rc->qpm;
    rc->last_qscale = rc->last_qscale_for[type] = qp2qscale(rc->qpm);
}

void
rp_x264_rc_plan_bits(x264_ratecontrol_t *rc, double bits)
{
    rc->frame_size_planned = bits;
    rc->frame_size_estimated = (float)rc->frame_size_planned;
}

void
rp_x264_rc_plan_retry(x264_ratecontrol_t *rc, double bits)
{
    rc->frame_size_planned = bits;
}

void
rp_x264_rc_bound(x264_ratecontrol_t *rc, double most_bits)
{
    rc->frame_size_maximum = most_bits;
}

void
rp_x264_rc_bound_fill(x264_ratecontrol_t *rc, double most_bits)
{
    rc->buffer_fill = X264_MIN(rc->buffer_fill, most_bits);
}

void
rp_x264_rc_control_rows(x264_ratecontrol_t *rc, bool is_on)
{
    rc->b_vbv = is_on;
}

double
rp_x264_rc_rows_bits(x264_t *h, int first_row, int end_row)
{
    const float qscale = qp2qscale(h->rc->qpm);
    double bits = 0;

    for (int y = first_row; y < end_row; y++)
        bits += row_predict_size(h, y, qscale);
    return bits;
}

x264_ratecontrol_t *
rp_x264_rc_create_share(void)
{
    return x264_malloc(sizeof(x264_ratecontrol_t));
}

void
rp_x264_rc_destroy_share(x264_ratecontrol_t *share)
{
    x264_free(share);
}

void
rp_x264_rc_take_share(x264_ratecontrol_t *share, const x264_ratecontrol_t *rc, int type,
                      double part)
{
    *share = *rc;
    share->row_pred = share->row_preds[type];
    share->frame_size_planned *= part;
    share->frame_size_maximum *= part;
    share->buffer_fill *= part;
    share->buffer_size *= part;
    share->buffer_rate *= part;
}

void
rp_x264_rc_sum_shares(x264_ratecontrol_t *rc, int type, x264_ratecontrol_t *const *shares,
                      int count)
{
    predictor_t *sum = rc->row_preds[type];

    rc->qpa_rc = 0;
    rc->qpa_aq = 0;
    for (int i = 0; i < count; i++) {
        rc->qpa_rc += shares[i]->qpa_rc;
        rc->qpa_aq += shares[i]->qpa_aq;
    }
    for (int k = 0; k < 2; k++) {
        sum[k].count = sum[k].coeff = sum[k].offset = 0;
        for (int i = 0; i < count; i++) {
            const predictor_t *from = &shares[i]->row_pred[k];
            sum[k].count += from->count / (float)count;
            sum[k].coeff += from->coeff / (float)count;
            sum[k].offset += from->offset / (float)count;
        }
    }
}

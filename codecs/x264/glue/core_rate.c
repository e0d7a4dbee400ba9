/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x264's ratecontrol.c, unchanged, and what we need of its private struct. */
#include "rate/layer.h"

#include "encoder/ratecontrol.h"

#include "picture/slices.h"
#include "rate/order.h"

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

#define LEAST_FPS 20   /* of a constant rate of pictures side by side: few fill a window else */
#define FAR 2          /* times the size that was planned: no picture is as large as that */
#define NEAR 0.2       /* of it: a window that wants so much at least waits for no other picture */
#define FINER 2        /* QPs below its reference: nobody foresees what such a picture takes */
#define EVEN_SHARE 0.1 /* of what bands are given: nobody foresees all of it */
#define ROWS_SLACK 3   /* rows of I pictures keep their quantiser but for much more; ... */
#define ROWS_SLACK_P 1.5 /* ... those of others, beyond what is planned: x264 expects too many */

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

/* In place of x264's: offsets are there for maps too, and not smoothed by adaptive quantisation. */
int
x264_ratecontrol_mb_qp(x264_t *h)
{
    const struct rp_x264_context *ctx = h->api;

    x264_emms();
    float qp = h->rc->qpm;
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

bool
rp_x264_rate_bands_open(struct rp_x264_rate_bands *bands)
{
    for (int i = 0; i < RP_X264_RATE_BANDS; i++) {
        if (!bands->band[i].rc)
            bands->band[i].rc = x264_malloc(sizeof(*bands->band[i].rc));
        if (!bands->band[i].rc)
            return false;
    }
    return true;
}

/* What the rows should take, after what all do. */
static double
rows_weight(x264_t *h, int first_row, int end_row)
{
    const float qscale = qp2qscale(h->rc->qpm);
    double bits = 0;

    for (int y = first_row; y < end_row; y++)
        bits += row_predict_size(h, y, qscale);
    return bits;
}

bool
rp_x264_rate_is_foreseen(const x264_t *h)
{
    const x264_frame_t *ref = h->i_ref[0] > 0 ? h->fref[0][0] : NULL;

    return h->sh.i_type != SLICE_TYPE_P || !ref || ref->f_qp_avg_rc <= 0 ||
           h->rc->qpm > ref->f_qp_avg_rc - FINER;
}

void
rp_x264_rate_bands_plan(struct rp_x264_rate_bands *bands, const struct rp_x264_rate_layer *layer,
                        x264_t *h, int shown_rows)
{
    const double all = rows_weight(h, 0, h->mb.i_mb_height);

    for (int i = 0; i < bands->count; i++) {
        struct rp_x264_rate_band *band = &bands->band[i];
        x264_ratecontrol_t *rc = band->rc;
        const double rows = (double)(band->end_row - band->first_row) / h->mb.i_mb_height;
        const double own = rows_weight(h, band->first_row, band->end_row);
        const double weight = all > 0 ? own / all : rows;
        const double share = (1 - EVEN_SHARE) * weight + EVEN_SHARE * rows;
        *rc = *layer->rc;
        rc->row_pred = rc->row_preds[layer->now.type];
        rc->frame_size_planned *= share;
        rc->frame_size_maximum *= share;
        rc->buffer_fill *= share;
        rc->buffer_size *= share;
        rc->buffer_rate *= share;
        band->seen_rows = X264_MAX(shown_rows, band->first_row);
    }
}

void
rp_x264_rate_bands_sum(const struct rp_x264_rate_bands *bands, int count,
                       struct rp_x264_rate_layer *layer)
{
    x264_ratecontrol_t *rc = layer->rc;
    predictor_t *sum = rc->row_preds[layer->now.type];

    rc->qpa_rc = 0;
    rc->qpa_aq = 0;
    for (int i = 0; i < count; i++) {
        const x264_ratecontrol_t *from = bands->band[i].rc;
        rc->qpa_rc += from->qpa_rc;
        rc->qpa_aq += from->qpa_aq;
    }
    for (int k = 0; k < 2; k++) {
        sum[k].count = sum[k].coeff = sum[k].offset = 0;
        for (int i = 0; i < count; i++) {
            const predictor_t *from = &bands->band[i].rc->row_pred[k];
            sum[k].count += from->count / (float)count;
            sum[k].coeff += from->coeff / (float)count;
            sum[k].offset += from->offset / (float)count;
        }
    }
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

bool
rp_x264_rate_layer_open(struct rp_x264_rate_layer *layer, x264_t *h)
{
    if (layer->rc)
        return true;

    x264_ratecontrol_t *context_rc = h->rc;
    const int threads = h->param.i_threads;
    h->rc = NULL;
    h->param.i_threads = 1;
    const bool is_new = x264_ratecontrol_new(h) == 0;
    layer->rc = h->rc;
    h->rc = context_rc;
    h->param.i_threads = threads;
    if (!is_new) {
        rp_x264_rate_layer_finish(layer);
        return false;
    }
    layer->rc->b_vbv = 1;
    layer->rc->bitrate = 0; /* as a sign that nothing is set */
    return true;
}

void
rp_x264_rate_layer_finish(struct rp_x264_rate_layer *layer)
{
    if (layer->rc) {
        x264_free(layer->rc->pred);
        x264_free(layer->rc->pred_b_from_p);
    }
    x264_free(layer->rc);
    layer->rc = NULL;
}

static void
layer_copy_predictors(struct rp_x264_rate_layer *to, const struct rp_x264_rate_layer *from)
{
    memcpy(to->rc->pred, from->rc->pred, PREDICTORS * sizeof(to->rc->pred[0]));
    *to->rc->pred_b_from_p = *from->rc->pred_b_from_p;
}

void
rp_x264_rate_layer_copy(struct rp_x264_rate_layer *to, const struct rp_x264_rate_layer *from)
{
    x264_ratecontrol_t *rc = to->rc;
    predictor_t *pred = rc->pred;
    predictor_t *pred_b_from_p = rc->pred_b_from_p;
    x264_ratecontrol_t *context_rc = to->context_rc;

    *rc = *from->rc;
    rc->pred = pred;
    rc->pred_b_from_p = pred_b_from_p;
    *to = *from;
    to->rc = rc;
    to->context_rc = context_rc;
    layer_copy_predictors(to, from);
}

/* As x264_thread_sync_ratecontrol(). */
void
rp_x264_rate_layer_rebase(struct rp_x264_rate_layer *layer, const struct rp_x264_rate_layer *base)
{
    x264_ratecontrol_t *rc = layer->rc;

    rc->cplxr_sum = base->rc->cplxr_sum;
    rc->wanted_bits_window = base->rc->wanted_bits_window;
    rc->filler_bits_sum = base->rc->filler_bits_sum;
    rc->bframe_bits = base->rc->bframe_bits;
    rc->buffer_fill_final = base->rc->buffer_fill_final;
    rc->buffer_fill_final_min = base->rc->buffer_fill_final_min;
    layer_copy_predictors(layer, base);
    rp_rate_law_rebase(&layer->law, &base->law);
    layer->rows = base->rows;
    layer->picture_count = base->picture_count;
    memcpy(layer->size_B, base->size_B, sizeof(layer->size_B));
}

/* The average is that of the new rate from here on, be the past what it was. */
static void
layer_forget_debt(struct rp_x264_rate_layer *layer, double rate_change)
{
    const double seconds = layer->picture_count / layer->rc->fps;

    layer->size_B[SLICE_TYPE_P] = (int64_t)(seconds * layer->rc->bitrate / 8);
    layer->size_B[SLICE_TYPE_B] = layer->size_B[SLICE_TYPE_I] = 0;
    layer->rc->filler_bits_sum = 0;
    rp_rate_law_forget(&layer->law, rate_change);
}

static void
layer_set_law(struct rp_x264_rate_layer *layer)
{
    const x264_ratecontrol_t *rc = layer->rc;

    rp_rate_law_set(&layer->law, &(struct rp_rate_aim){
                                     .mode = layer->target.is_cbr ? RP_RATE_CBR : RP_RATE_VBR,
                                     .bps = rc->bitrate,
                                     .picture_s = rp_x264_rate_layer_picture_s(layer),
                                     .slack = layer->target.slack,
                                     .buffer_s = rc->buffer_size / rc->bitrate,
                                     .block_count = rc->nmb,
                                 });
}

void
rp_x264_rate_layer_set(struct rp_x264_rate_layer *layer, const struct rp_rate_target *target,
                       const struct rp_rate_virtual_buffer *buffer)
{
    x264_ratecontrol_t *rc = layer->rc;
    const bool is_first = rc->bitrate == 0;
    const double time_scale = (double)rp_x264_rate_layer_time_scale(layer);
    const double own_fill = (double)rc->buffer_fill_final / time_scale;
    const double fill = is_first ? target->initial_bits : buffer ? buffer->fill_bits : own_fill;
    const double rate_change = is_first ? 1 : target->average_bps / rc->bitrate;

    layer->target = *target;
    rc->fps = (double)target->fps_num / target->fps_den;
    rc->bitrate = target->average_bps;
    rc->b_vbv_min_rate = target->is_cbr;
    rc->vbv_max_rate = target->max_bps;
    rc->buffer_rate = target->max_bps / rc->fps;
    rc->buffer_size = rp_x264_rate_layer_buffer_bits(layer);
    layer_set_law(layer);
    rc->single_frame_vbv = rc->buffer_rate * 1.1 > rc->buffer_size;
    rc->cbr_decay = 1.0 - rc->buffer_rate / rc->buffer_size * 0.5 *
                              X264_MAX(0, 1.5 - rc->vbv_max_rate / rc->bitrate);
    if (is_first) {
        rp_rate_law_init(&layer->law, &rp_x264_rate_scale,
                         (int)X264_MIN(target->gop_pictures, 100000),
                         (int)X264_MIN(target->b_pictures, 15));
        rc->cplxr_sum = .01 * pow(7.0e5, rc->qcompress) * pow(rc->nmb, 0.5);
        rc->wanted_bits_window = rc->bitrate / rc->fps;
    } else {
        rc->wanted_bits_window *= rate_change;
        layer_forget_debt(layer, rate_change);
    }
    const double least_fill = X264_MAX(fill, is_first ? rc->buffer_rate : 0);
    const double clipped_fill = X264_MIN(least_fill, rc->buffer_size);
    rc->buffer_fill_final = rc->buffer_fill_final_min =
        (int64_t)(clipped_fill * (double)rp_x264_rate_layer_time_scale(layer));
    for (int type = 0; type < 3; type++) {
        rc->lmin[type] = qp2qscale((float)target->min_index[type]);
        rc->lmax[type] = qp2qscale((float)target->max_index[type]);
    }
}

double
rp_x264_rate_layer_limit(const struct rp_x264_rate_layer *layer, int type)
{
    const x264_ratecontrol_t *rc = layer->rc;
    const double own = layer->target.max_picture_bits[type];
    const double time_scale = (double)rp_x264_rate_layer_time_scale(layer);
    const double fill = (double)rc->buffer_fill_final_min / time_scale;
    const double most = layer->shared ? X264_MIN(fill, layer->shared->fill_bits) : fill;

    return own > 0 ? X264_MIN(own, most) : most;
}

/* References whose QP is not known count as the last picture's. */
static void
nearest_set_qp(x264_t *h)
{
    const float last_qp = qscale2qp((float)h->rc->last_qscale);

    for (int list = 0; list < 2; list++) {
        if (h->fref_nearest[list] && h->fref_nearest[list]->f_qp_avg_rc <= 0)
            h->fref_nearest[list]->f_qp_avg_rc = last_qp;
    }
}

static void
layer_describe_picture(struct rp_x264_rate_layer *layer, const x264_t *h, int type)
{
    const x264_ratecontrol_t *rc = layer->rc;
    const float satd = (float)rc->last_satd;
    const double factor = rp_x264_rate_layer_factor(h, type);

    layer->step_factor = factor;
    layer->now = (struct rp_rate_picture){
        .type = (enum rp_rate_type)type,
        .complexity = satd,
        .expected_cost = predict_size(&rc->pred[type], 1, satd) / factor,
    };
}

/* Rows are planned as if the buffer held no more than the picture should take, unless they are to
 * keep their quantiser while the buffer stands it. */
static void
layer_plan_rows(struct rp_x264_rate_layer *layer, int type, double most)
{
    x264_ratecontrol_t *rc = layer->rc;
    const double predicted =
        predict_size(&rc->pred[type], qp2qscale(rc->qpm), (float)rc->last_satd);
    const bool is_small = rp_rate_law_has_small_buffer(&layer->law, &layer->now);

    rc->frame_size_planned = is_small ? most : X264_MIN(predicted, most);
    rc->frame_size_estimated = (float)rc->frame_size_planned;
    rp_x264_rate_layer_aim(layer, type, most);
    if (rp_x264_rate_layer_keeps_qp(layer, type))
        return;
    const double beyond = rc->frame_size_planned + ROWS_SLACK_P * most;
    const double slack = type == SLICE_TYPE_I && layer->aim_bits > 0 ? ROWS_SLACK * most
                         : rp_x264_rate_layer_is_held(layer)         ? beyond
                                                                     : most;
    rc->buffer_fill = X264_MIN(rc->buffer_fill, slack);
}

/* Bits with that base. */
static double
layer_predict(const struct rp_x264_rate_layer *layer, int type, double base)
{
    const x264_ratecontrol_t *rc = layer->rc;
    const float qscale = (float)(base * layer->step_factor);
    const double predicted = predict_size(&rc->pred[type], qscale, (float)rc->last_satd);

    if (type != SLICE_TYPE_I || !rp_rate_law_chosen(&layer->law)->has_one_quantiser)
        return predicted;
    return X264_MIN(predicted, rp_rate_law_intra_cost(&layer->law, &layer->now) / base);
}

/* In place of x264's choice, which knows no more of the first picture either. */
static void
layer_apply_law(struct rp_x264_rate_layer *layer, x264_t *h, int type, size_t preceding_B)
{
    x264_ratecontrol_t *rc = layer->rc;
    const double preceding_bits = 8.0 * (double)preceding_B;
    const double others = layer->shared ? layer->shared->fill_bits : INT_MAX;
    const double fill = X264_MIN(rc->buffer_fill, others - preceding_bits);
    layer->now.fill_s = fill / rc->bitrate;
    layer->now.fastest = rc->vbv_max_rate / rc->bitrate;
    layer->now.room_s = X264_MAX(0, rc->buffer_size - fill) / rc->bitrate;
    const double limit = rp_rate_law_most(&layer->law, &layer->now);
    const double most = X264_MAX(1, X264_MIN(limit - preceding_bits, 0.9 * fill));

    if (layer->law.picture_count > 0) {
        const bool is_followed = type == SLICE_TYPE_B && rp_rate_law_b_follows(&layer->law);
        const double base = is_followed ? qp2qscale(rc->qpm) / layer->step_factor
                                        : rp_rate_law_base(&layer->law, &layer->now);
        float qscale = (float)(base * layer->step_factor);
        const double predicted = layer_predict(layer, type, base);
        const double least = rp_rate_law_least(&layer->law);
        const double meant = rp_x264_rate_layer_meant(layer, most);
        layer->now.wanted_bits = X264_MIN(predicted, most);
        if (predicted > meant)
            qscale *= (float)(predicted / meant);
        else if (predicted < least && predicted > 0 && !is_followed)
            qscale *= (float)X264_MAX(0.5, predicted / X264_MIN(least, most));
        rc->qpm = x264_clip3f(qscale2qp(qscale), h->param.rc.i_qp_min, h->param.rc.i_qp_max);
    }
    const float qscale = qp2qscale(rc->qpm);
    h->fdec->f_qp_avg_rc = h->fdec->f_qp_avg_aq = rc->qp_novbv = rc->qpm;
    rc->last_qscale = rc->last_qscale_for[type] = qscale;
    layer_plan_rows(layer, type, most);
}

/* The application's limit of a picture's size, as x264 obeys that of the level. */
static void
layer_apply_picture_limit(const struct rp_x264_rate_layer *layer, x264_t *h, int type)
{
    x264_ratecontrol_t *rc = h->rc;
    const double limit = layer->target.max_picture_bits[type];
    if (limit <= 0 || limit >= rc->frame_size_maximum)
        return;

    rc->frame_size_maximum = limit;
    rc->frame_size_planned = X264_MIN(rc->frame_size_planned, limit);
    rc->frame_size_estimated = (float)rc->frame_size_planned;
    const float qscale = qp2qscale(rc->qpm);
    const float predicted = predict_size(&rc->pred[type], qscale, (float)rc->last_satd);
    if (predicted > limit)
        rc->qpm = x264_clip3f(qscale2qp(qscale * predicted / (float)limit), h->param.rc.i_qp_min,
                              h->param.rc.i_qp_max);
}

void
rp_x264_rate_layer_start(struct rp_x264_rate_layer *layer, x264_t *h, int type,
                         const struct rp_x264_rate_recoding *recoding, size_t preceding_B)
{
    const int slice_type = h->sh.i_type;
    const int forced_qp = recoding->qp;

    layer->rc->b_vbv = 1;
    layer->overhead_bits = 8.0 * (double)(5 + preceding_B);
    nearest_set_qp(h);
    h->sh.i_type = type;
    h->param.rc.i_qp_min = layer->target.min_index[type];
    h->param.rc.i_qp_max = layer->target.max_index[type];
    x264_ratecontrol_start(h, forced_qp < 0 ? X264_QP_AUTO : forced_qp + 1,
                           (int)(5 + preceding_B) * 8);
    layer_describe_picture(layer, h, type);
    if (forced_qp < 0) {
        layer_apply_law(layer, h, type, preceding_B);
        layer_apply_picture_limit(layer, h, type);
    }
    if (recoding->most_bits > 0)
        layer->rc->frame_size_planned = recoding->most_bits;
    h->sh.i_type = slice_type;
    /* Rows would only make it finer than that again. */
    layer->rc->b_vbv = forced_qp < layer->target.max_index[type];
}

bool
rp_x264_rate_layer_can_be_followed(const struct rp_x264_rate_layer *layer, int type)
{
    const x264_ratecontrol_t *rc = layer->rc;
    const double most = rp_x264_rate_layer_limit(layer, type);
    const double planned = rc->frame_size_planned + layer->overhead_bits;
    const double least = rp_rate_law_least(&layer->law);
    const bool is_steady = rp_rate_law_is_steady(&layer->law);

    return type != SLICE_TYPE_I && is_steady && !layer->shared && !rc->single_frame_vbv &&
           (rc->fps >= LEAST_FPS || !layer->target.is_cbr) && least < NEAR * planned &&
           FAR * planned <= X264_MIN(most, rc->frame_size_maximum);
}

void
rp_x264_rate_layer_rewind(struct rp_x264_rate_layer *layer, const struct rp_x264_rate_layer *base)
{
    rp_rate_law_rebase(&layer->law, &base->law);
    const struct rp_rate_law law = layer->law;
    rp_x264_rate_layer_copy(layer, base);
    layer->law = law;
}

/* Of the buffer as update_vbv() does. */
static void
layer_expect_fill(struct rp_x264_rate_layer *layer, double bits)
{
    x264_ratecontrol_t *rc = layer->rc;
    const double scale = (double)rp_x264_rate_layer_time_scale(layer);
    const double fill = X264_MAX(0, (double)rc->buffer_fill_final_min - bits * scale);
    const double next = X264_MIN(fill + rc->buffer_rate * scale, rc->buffer_size * scale);

    rc->buffer_fill_final = rc->buffer_fill_final_min = (int64_t)next;
}

/* Rows to come have the same error as the first ones, in part: x264's sum of rows is often twice as
 * large as the picture, for it should not be too small. */
static double
layer_expected_bits(const struct rp_x264_rate_layer *layer, int row_count, int height)
{
    const double share = rp_x264_rate_rows_share(&layer->rows, row_count, height);
    const double planned = X264_MAX(1, layer->rc->frame_size_planned);
    const double error = x264_clip3f((layer->shown_bits + 1) / (share * planned), 0.1, 10);

    return layer->overhead_bits + layer->shown_bits + (1 - share) * planned * sqrt(error);
}

void
rp_x264_rate_layer_expect(struct rp_x264_rate_layer *layer, const x264_t *h, int row_count)
{
    const x264_ratecontrol_t *rc = layer->rc;
    const double bits = layer_expected_bits(layer, row_count, h->mb.i_mb_height);
    const float qp = rc->qpa_rc / (float)(row_count * h->mb.i_mb_width);

    layer_expect_fill(layer, bits);
    rp_rate_law_add(&layer->law, &layer->now, qp2qscale(qp) / layer->step_factor, bits);
    layer->picture_count++;
    layer->size_B[layer->now.type] += (int64_t)(bits / 8);
}

size_t
rp_x264_rate_layer_end(struct rp_x264_rate_layer *layer, x264_t *h, int type, size_t size_B)
{
    const int slice_type = h->sh.i_type;
    int filler_B = 0;

    layer->rc->b_vbv = 1;
    h->sh.i_type = type;
    x264_ratecontrol_end(h, (int)size_B * 8, &filler_B);
    h->sh.i_type = slice_type;
    if (layer->shared && layer->target.has_filler) {
        const double over_bits =
            rp_rate_virtual_buffer_overflow(layer->shared, 8.0 * (double)size_B);
        filler_B = (int)(X264_MIN(over_bits, (double)(INT_MAX - 1000)) / 8 + 0.999);
    }
    rp_rate_law_add(&layer->law, &layer->now, qp2qscale(h->fdec->f_qp_avg_rc) / layer->step_factor,
                    8.0 * (double)size_B);
    rp_rate_law_fill(&layer->law, 8.0 * filler_B);
    rp_x264_rate_layer_note_rows(layer, h, type);
    layer->picture_count++;
    layer->size_B[type] += (int64_t)size_B + filler_B;
    return (size_t)filler_B;
}

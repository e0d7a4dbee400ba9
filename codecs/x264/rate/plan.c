/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The law of codecs/rate over x264's state: the QP that a picture begins with, what its rows are to
 * sum up to, and what both learn of it.
 */
#include "rate/layer.h"

#include "glue/core_rate.h"

#include "encoder/ratecontrol.h"

#define LEAST_FPS 20 /* of a constant rate of pictures side by side: few fill a window else */
#define AT_MOST 2    /* times the size that was planned: no picture is as large as that */
#define AT_LEAST 0.2 /* of it: a window that wants so much at least waits for no other picture */
#define ROWS_SLACK 3 /* rows of I pictures keep their quantiser but for much more; ... */
#define ROWS_SLACK_P 1.5 /* ... those of others, beyond what is planned: x264 expects too many */

static double
time_scale(const struct rp_x264_rate_layer *layer)
{
    return (double)rp_x264_rate_layer_time_scale(layer);
}

bool
rp_x264_rate_layer_open(struct rp_x264_rate_layer *layer, x264_t *h)
{
    if (!layer->rc)
        layer->rc = rp_x264_rc_create(h);
    return layer->rc;
}

void
rp_x264_rate_layer_finish(struct rp_x264_rate_layer *layer)
{
    rp_x264_rc_destroy(layer->rc);
    layer->rc = NULL;
}

void
rp_x264_rate_layer_copy(struct rp_x264_rate_layer *to, const struct rp_x264_rate_layer *from)
{
    x264_ratecontrol_t *rc = to->rc;
    x264_ratecontrol_t *context_rc = to->context_rc;

    rp_x264_rc_copy(rc, from->rc);
    *to = *from;
    to->rc = rc;
    to->context_rc = context_rc;
}

void
rp_x264_rate_layer_rebase(struct rp_x264_rate_layer *layer, const struct rp_x264_rate_layer *base)
{
    rp_x264_rc_rebase(layer->rc, base->rc);
    rp_rate_law_rebase(&layer->law, &base->law);
    layer->rows = base->rows;
    memcpy(layer->size_B, base->size_B, sizeof(layer->size_B));
}

/* x264's average is that of the new rate from here on: what was owed before is dropped. */
static void
layer_forget_debt(struct rp_x264_rate_layer *layer, double rate_change)
{
    const double fps = rp_rate_target_fps(&layer->target);
    const double seconds = layer->law.picture_count / fps;

    layer->size_B[SLICE_TYPE_P] = (int64_t)(seconds * layer->target.average_bps / 8);
    layer->size_B[SLICE_TYPE_B] = layer->size_B[SLICE_TYPE_I] = 0;
    rp_rate_law_forget(&layer->law, rate_change);
}

static void
layer_set_law(struct rp_x264_rate_layer *layer)
{
    const struct rp_rate_target *target = &layer->target;

    rp_rate_law_set(&layer->law,
                    &(struct rp_rate_aim){
                        .mode = target->is_cbr ? RP_RATE_CBR : RP_RATE_VBR,
                        .bps = target->average_bps,
                        .picture_s = rp_x264_rate_layer_picture_s(layer),
                        .slack = target->slack,
                        .buffer_s = rp_x264_rate_layer_buffer_bits(layer) / target->average_bps,
                        .block_count = rp_x264_rc_picture(layer->rc).block_count,
                    });
}

void
rp_x264_rate_layer_set(struct rp_x264_rate_layer *layer, const struct rp_rate_target *target,
                       const struct rp_rate_virtual_buffer *buffer)
{
    const bool is_first = layer->target.average_bps == 0;
    const double change = is_first ? 0 : target->average_bps / layer->target.average_bps;
    const double own_fill = is_first ? 0 : rp_x264_rc_fill(layer->rc, time_scale(layer)).most_bits;
    const double fps = rp_rate_target_fps(target);
    const double fill = is_first ? X264_MAX(target->initial_bits, target->max_bps / fps)
                        : buffer ? buffer->fill_bits
                                 : own_fill;

    layer->target = *target;
    rp_x264_rc_set_rate(layer->rc, target, rp_x264_rate_layer_buffer_bits(layer), change);
    layer_set_law(layer);
    if (is_first)
        rp_rate_law_init(&layer->law, &rp_x264_rate_scale,
                         (int)X264_MIN(target->gop_pictures, 100000),
                         (int)X264_MIN(target->b_pictures, 15));
    else
        layer_forget_debt(layer, change);
    rp_x264_rc_set_fill(layer->rc, X264_MAX(fill, 0), time_scale(layer));
}

double
rp_x264_rate_layer_limit(const struct rp_x264_rate_layer *layer, int type)
{
    const double own = layer->target.max_picture_bits[type];
    const double fill = rp_x264_rc_fill(layer->rc, time_scale(layer)).least_bits;
    const double most = layer->shared ? X264_MIN(fill, layer->shared->fill_bits) : fill;

    return own > 0 ? X264_MIN(own, most) : most;
}

/* References whose QP is not known count as the last picture's. */
static void
nearest_set_qp(x264_t *h)
{
    const float last_qp = rp_x264_qp_from_qscale(rp_x264_rc_picture(h->rc).last_qscale);

    for (int list = 0; list < 2; list++) {
        if (h->fref_nearest[list] && h->fref_nearest[list]->f_qp_avg_rc <= 0)
            h->fref_nearest[list]->f_qp_avg_rc = last_qp;
    }
}

static void
layer_describe_picture(struct rp_x264_rate_layer *layer, const x264_t *h, int type)
{
    const float satd = rp_x264_rc_picture(layer->rc).satd;
    const double factor = rp_x264_rate_layer_factor(h, type);

    layer->step_factor = factor;
    layer->picture = (struct rp_rate_picture){
        .type = (enum rp_rate_type)type,
        .complexity = satd,
        .expected_cost = rp_x264_rc_predict(layer->rc, type, 1, satd) / factor,
    };
}

/* Rows are planned as if the buffer held no more than the picture should take, unless they are to
 * keep their quantiser while the buffer stands it. */
static void
layer_plan_rows(struct rp_x264_rate_layer *layer, int type, double most)
{
    const struct rp_x264_rc_picture picture = rp_x264_rc_picture(layer->rc);
    const double predicted =
        rp_x264_rc_predict(layer->rc, type, rp_x264_qscale_from_qp(picture.qp), picture.satd);
    const bool is_small = rp_rate_law_has_small_buffer(&layer->law, &layer->picture);
    const double planned = is_small ? most : X264_MIN(predicted, most);

    rp_x264_rc_plan_bits(layer->rc, planned);
    rp_x264_rate_layer_aim(layer, type, most);
    if (rp_x264_rate_layer_keeps_qp(layer, type))
        return;
    const double beyond = planned + ROWS_SLACK_P * most;
    const double slack = type == SLICE_TYPE_I && layer->aim_bits > 0 ? ROWS_SLACK * most
                         : rp_x264_rate_layer_is_held(layer)         ? beyond
                                                                     : most;
    rp_x264_rc_bound_fill(layer->rc, slack);
}

/* Bits with that base. */
static double
layer_predict(const struct rp_x264_rate_layer *layer, int type, double base)
{
    const float qscale = (float)(base * layer->step_factor);
    const double predicted =
        rp_x264_rc_predict(layer->rc, type, qscale, rp_x264_rc_picture(layer->rc).satd);

    if (type != SLICE_TYPE_I || !rp_rate_law_chosen(&layer->law)->has_one_quantiser)
        return predicted;
    return X264_MIN(predicted, rp_rate_law_intra_cost(&layer->law, &layer->picture) / base);
}

/* The QP that the law asks for. most: bits that the picture may take. B pictures that follow their
 * references keep qp, x264's choice. */
static float
layer_law_qp(struct rp_x264_rate_layer *layer, const x264_t *h, int type, float qp, double most)
{
    const bool is_followed = type == SLICE_TYPE_B && rp_rate_law_b_follows(&layer->law);
    const double base = is_followed ? rp_x264_qscale_from_qp(qp) / layer->step_factor
                                    : rp_rate_law_base(&layer->law, &layer->picture);
    float qscale = (float)(base * layer->step_factor);
    const double predicted = layer_predict(layer, type, base);
    const double least = rp_rate_law_least(&layer->law);
    const double meant = rp_x264_rate_layer_meant(layer, most);

    layer->picture.wanted_bits = X264_MIN(predicted, most);
    if (predicted > meant)
        qscale *= (float)(predicted / meant);
    else if (predicted < least && predicted > 0 && !is_followed)
        qscale *= (float)X264_MAX(0.5, predicted / X264_MIN(least, most));
    return x264_clip3f(rp_x264_qp_from_qscale(qscale), h->param.rc.i_qp_min, h->param.rc.i_qp_max);
}

/* Replaces x264's choice of the QP; of the first picture the law knows no more than x264, which
 * chooses there. */
static void
layer_apply_law(struct rp_x264_rate_layer *layer, x264_t *h, int type, size_t preceding_B)
{
    const double bps = layer->target.average_bps;
    const struct rp_x264_rc_picture picture = rp_x264_rc_picture(layer->rc);
    const double preceding_bits = 8.0 * (double)preceding_B;
    const double others = layer->shared ? layer->shared->fill_bits : INT_MAX;
    const double fill = X264_MIN(picture.fill_bits, others - preceding_bits);
    const double buffer_bits = rp_x264_rate_layer_buffer_bits(layer);
    layer->picture.fill_s = fill / bps;
    layer->picture.fastest = layer->target.max_bps / bps;
    layer->picture.room_s = X264_MAX(0, buffer_bits - fill) / bps;
    const double limit = rp_rate_law_most(&layer->law, &layer->picture);
    const double most = X264_MAX(1, X264_MIN(limit - preceding_bits, 0.9 * fill));
    const float qp =
        layer->law.picture_count > 0 ? layer_law_qp(layer, h, type, picture.qp, most) : picture.qp;

    rp_x264_rc_choose_qp(h, type, qp);
    layer_plan_rows(layer, type, most);
}

/* The application's limit of a picture's size, as x264 obeys that of the level. */
static void
layer_apply_picture_limit(const struct rp_x264_rate_layer *layer, x264_t *h, int type)
{
    const double limit = layer->target.max_picture_bits[type];
    const struct rp_x264_rc_picture picture = rp_x264_rc_picture(layer->rc);
    if (limit <= 0 || limit >= picture.most_bits)
        return;

    rp_x264_rc_bound(layer->rc, limit);
    rp_x264_rc_plan_bits(layer->rc, X264_MIN(picture.planned_bits, limit));
    const float qscale = rp_x264_qscale_from_qp(picture.qp);
    const float predicted = rp_x264_rc_predict(layer->rc, type, qscale, picture.satd);
    if (predicted > limit)
        rp_x264_rate_set_qp(h,
                            x264_clip3f(rp_x264_qp_from_qscale(qscale * predicted / (float)limit),
                                        h->param.rc.i_qp_min, h->param.rc.i_qp_max));
}

void
rp_x264_rate_layer_start(struct rp_x264_rate_layer *layer, x264_t *h, int type,
                         const struct rp_x264_rate_recoding *recoding, size_t preceding_B)
{
    const int slice_type = h->sh.i_type;
    const int forced_qp = recoding->qp;

    rp_x264_rc_control_rows(layer->rc, true);
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
        rp_x264_rc_plan_retry(layer->rc, recoding->most_bits);
    h->sh.i_type = slice_type;
    /* Rows would only make the coarsest QP finer again. */
    rp_x264_rc_control_rows(layer->rc, forced_qp < layer->target.max_index[type]);
}

bool
rp_x264_rate_layer_can_be_followed(const struct rp_x264_rate_layer *layer, int type)
{
    const struct rp_x264_rc_picture picture = rp_x264_rc_picture(layer->rc);
    const double most = rp_x264_rate_layer_limit(layer, type);
    const double fps = rp_rate_target_fps(&layer->target);
    const double planned = picture.planned_bits + layer->overhead_bits;
    const double least = rp_rate_law_least(&layer->law);

    return type != SLICE_TYPE_I && rp_rate_law_is_steady(&layer->law) && !layer->shared &&
           !picture.fills_whole_buffer && (fps >= LEAST_FPS || !layer->target.is_cbr) &&
           least < AT_LEAST * planned && AT_MOST * planned <= X264_MIN(most, picture.most_bits);
}

void
rp_x264_rate_layer_rewind(struct rp_x264_rate_layer *layer, const struct rp_x264_rate_layer *base)
{
    rp_rate_law_rebase(&layer->law, &base->law);
    const struct rp_rate_law law = layer->law;
    rp_x264_rate_layer_copy(layer, base);
    layer->law = law;
}

/* Rows to come have the same error as the first ones, in part: x264's sum of rows is often twice as
 * large as the picture, for it should not be too small. */
static double
layer_expected_bits(const struct rp_x264_rate_layer *layer, int row_count, int height)
{
    const double share = rp_x264_rate_rows_share(&layer->rows, row_count, height);
    const double planned = X264_MAX(1, rp_x264_rc_picture(layer->rc).planned_bits);
    const double error = x264_clip3f((layer->shown_bits + 1) / (share * planned), 0.1, 10);

    return layer->overhead_bits + layer->shown_bits + (1 - share) * planned * sqrt(error);
}

void
rp_x264_rate_layer_expect(struct rp_x264_rate_layer *layer, const x264_t *h, int row_count)
{
    const double bits = layer_expected_bits(layer, row_count, h->mb.i_mb_height);
    const float qp = rp_x264_rc_picture(layer->rc).qp_sum / (float)(row_count * h->mb.i_mb_width);

    rp_x264_rc_take_from_fill(layer->rc, bits, time_scale(layer));
    rp_rate_law_add(&layer->law, &layer->picture, rp_x264_qscale_from_qp(qp) / layer->step_factor,
                    bits);
    layer->size_B[layer->picture.type] += (int64_t)(bits / 8);
}

size_t
rp_x264_rate_layer_end(struct rp_x264_rate_layer *layer, x264_t *h, int type, size_t size_B)
{
    const int slice_type = h->sh.i_type;
    int filler_B = 0;

    rp_x264_rc_control_rows(layer->rc, true);
    h->sh.i_type = type;
    x264_ratecontrol_end(h, (int)size_B * 8, &filler_B);
    h->sh.i_type = slice_type;
    if (layer->shared && layer->target.has_filler) {
        const double over_bits =
            rp_rate_virtual_buffer_overflow(layer->shared, 8.0 * (double)size_B);
        filler_B = (int)(X264_MIN(over_bits, (double)(INT_MAX - 1000)) / 8 + 0.999);
    }
    rp_rate_law_add(&layer->law, &layer->picture,
                    rp_x264_qscale_from_qp(h->fdec->f_qp_avg_rc) / layer->step_factor,
                    8.0 * (double)size_B);
    rp_rate_law_fill(&layer->law, 8.0 * filler_B);
    rp_x264_rate_layer_note_rows(layer, h, type);
    layer->size_B[type] += (int64_t)size_B + filler_B;
    return (size_t)filler_B;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a layer wants of its pictures, and knows of their rows: all of it that needs no private
 * struct of x264's.
 */
#include "rate/layer.h"

#include "codecs/rate/retry.h"

#include <assert.h>
#include <math.h>

static_assert((int)RP_RATE_P == SLICE_TYPE_P && (int)RP_RATE_B == SLICE_TYPE_B &&
                  (int)RP_RATE_I == SLICE_TYPE_I,
              "x264 counts slice types as the rate law does");

#define AIM 0.94        /* of the most that an I picture may take */
#define AIM_LOW 0.8     /* of what was aimed at: the first picture is coded again below it, ... */
#define AIM_HIGH 1.1    /* ... and any above that */
#define AIM_HIGH_S 0.02 /* or, of seconds of the rate, what is more */
#define AIM_POWER 0.8   /* sizes change more than quantisers do; ... */
#define FINER_POWER 0.5 /* ... still content may all be coded once more at the next one */
#define LEAST_SHARE 0.05
#define MOST_RECODINGS 4

/* Steps are x264's qscales: .2125 at QP 0, twice as much every six QPs. */
const struct rp_rate_scale rp_x264_rate_scale = {
    .least_index = 0,
    .greatest_index = QP_MAX_SPEC,
    /* Beyond 51 x264 drops coefficients instead: without that, hard pictures break the buffer. */
    .unlimited_index = QP_MAX,
    .default_step = 1,
    .least_step = 0.2,
    .finest_step = 0.25, /* about QP 1 */
    .usual_block_cost = 100,
};

double
rp_x264_rate_layer_picture_s(const struct rp_x264_rate_layer *layer)
{
    return (double)layer->target.fps_den / layer->target.fps_num;
}

int64_t
rp_x264_rate_layer_time_scale(const struct rp_x264_rate_layer *layer)
{
    return 2 * (int64_t)layer->target.fps_num;
}

double
rp_x264_rate_layer_buffer_bits(const struct rp_x264_rate_layer *layer)
{
    const struct rp_rate_target *target = &layer->target;
    const double fps = rp_rate_target_fps(target);

    return X264_MAX(target->buffer_bits, target->max_bps / fps);
}

/* The stream's level, or the least one above it that holds such pictures. A level that does not is
 * broken anyway, and level 1 would have x264 spend a tenth of what large pictures need (MinCR,
 * A.3.1). */
static int
level_of_pictures(const x264_t *h, double picture_s)
{
    const x264_level_t *level = x264_levels;

    while (level[1].level_idc &&
           (level->level_idc < h->sps->i_level_idc || level->frame_size < h->mb.i_mb_count ||
            level->mbps * picture_s < h->mb.i_mb_count))
        level++;
    return level->level_idc;
}

void
rp_x264_rate_layer_attach(struct rp_x264_rate_layer *layer, x264_t *h)
{
    const struct rp_rate_target *target = &layer->target;
    x264_sps_t *sps = h->sps;

    if (h->rc != layer->rc)
        layer->context_rc = h->rc;
    h->rc = layer->rc;
    /* Flat macroblocks come down to QP 0, where CAVLC may want a level_prefix beyond 15: High has
     * it (9.2.2.1), OpenH264 has not. As below High, x264 shall raise such a macroblock's QP. */
    sps->i_profile_idc = X264_MIN(sps->i_profile_idc, PROFILE_MAIN);
    /* x264 computes with rc's doubles; these are to be non-zero, and for a comparison of sizes. */
    const double most_bits = INT_MAX - 1000;
    const double buffer_bits = X264_MIN(rp_x264_rate_layer_buffer_bits(layer), most_bits);
    h->param.rc.i_vbv_buffer_size = X264_MAX(1, (int)(buffer_bits / 1000));
    h->param.rc.i_vbv_max_bitrate = X264_MAX(1, (int)(target->max_bps / 1000));
    h->param.i_level_idc = level_of_pictures(h, rp_x264_rate_layer_picture_s(layer));
    h->param.rc.b_filler = target->has_filler && !layer->shared;
    sps->vui.i_num_units_in_tick = target->fps_den;
    sps->vui.i_time_scale = (uint32_t)rp_x264_rate_layer_time_scale(layer);
    sps->vui.hrd.i_bit_rate_unscaled = (int)target->max_bps;
    sps->vui.hrd.i_cpb_size_unscaled = (int)buffer_bits;
    h->mb.b_variable_qp = 1;
    h->i_frame = layer->law.picture_count;
    for (int type = 0; type < 3; type++)
        h->stat.i_frame_size[type] = layer->size_B[type];
    h->fenc->i_frame = layer->law.picture_count;
    h->fenc->i_duration = h->fenc->i_cpb_duration = 2;
    h->fenc->f_duration = (float)target->fps_den / (float)target->fps_num;
    /* One picture at a time: x264 would ask other threads for their plans. */
    h->i_thread_frames = h->param.i_threads = 1;
}

void
rp_x264_rate_release(x264_t *h, x264_ratecontrol_t *own_rc)
{
    h->rc = own_rc;
    if (h->param.analyse.b_transform_8x8)
        h->sps->i_profile_idc = PROFILE_HIGH;
    h->param.rc.i_vbv_buffer_size = h->param.rc.i_vbv_max_bitrate = 0;
    h->mb.b_variable_qp = 0;
    h->i_thread_frames = h->param.i_threads = 2;
}

void
rp_x264_rate_layer_detach(struct rp_x264_rate_layer *layer, x264_t *h)
{
    rp_x264_rate_release(h, layer->context_rc);
}

double
rp_x264_rate_layer_factor(const x264_t *h, int type)
{
    if (type == SLICE_TYPE_I)
        return 1 / h->param.rc.f_ip_factor;
    if (type == SLICE_TYPE_P)
        return 1;
    return h->fenc->b_kept_as_ref ? sqrt(h->param.rc.f_pb_factor) : h->param.rc.f_pb_factor;
}

bool
rp_x264_rate_layer_is_held(const struct rp_x264_rate_layer *layer)
{
    const struct rp_rate_law_ops *law = rp_rate_law_chosen(&layer->law);

    return law->has_one_quantiser && law->sees_windows;
}

/* I pictures should take what they may, and no more. */
static bool
layer_aims(const struct rp_x264_rate_layer *layer)
{
    return rp_rate_law_chosen(&layer->law)->sees_windows;
}

double
rp_x264_rate_layer_meant(const struct rp_x264_rate_layer *layer, double most)
{
    return layer_aims(layer) ? AIM * most : most;
}

/* The row that begins coarse must not take it for more: x264 never goes back to a finer
 * quantiser. */
void
rp_x264_rate_layer_aim(struct rp_x264_rate_layer *layer, int type, double most)
{
    const double own = layer->target.max_picture_bits[type];
    const double least = own > 0 ? X264_MIN(most, own) : most;
    const bool is_first = layer->law.picture_count == 0;
    const bool is_aimed =
        layer_aims(layer) || (is_first && rp_rate_law_chosen(&layer->law)->has_one_quantiser);
    const bool is_held = rp_x264_rate_layer_is_held(layer);

    layer->aim_bits = type == SLICE_TYPE_I && is_aimed  ? AIM * least
                      : type == SLICE_TYPE_P && is_held ? least
                                                        : 0;
}

bool
rp_x264_rate_layer_keeps_qp(const struct rp_x264_rate_layer *layer, int type)
{
    return layer->law.picture_count > 0 && rp_rate_law_chosen(&layer->law)->keeps_rows[type];
}

int
rp_x264_rate_layer_aim_again(struct rp_x264_rate_layer *layer, int type, double bits, int qp,
                             int coarse_qp)
{
    const double aim = layer->aim_bits;
    const double high = X264_MAX(AIM_HIGH * aim, aim + AIM_HIGH_S * layer->target.average_bps);
    const bool is_small = layer->law.picture_count == 0 && bits < AIM_LOW * aim;

    layer->aim_bits = 0;
    if (aim <= 0 || (!is_small && bits <= high))
        return -1;
    const int most = X264_MIN(layer->target.max_index[type], QP_MAX_SPEC);
    const double steps = 6 * AIM_POWER * log2(bits / aim);
    const int coded_qp = type == SLICE_TYPE_I && !is_small ? coarse_qp : qp;
    const int aimed = (int)floor(coded_qp + steps + 0.5);
    const int again = x264_clip3(aimed, layer->target.min_index[type], most);
    return again != coded_qp ? again : -1;
}

double
rp_x264_rate_rows_qp(const x264_t *h)
{
    double sum = 0;

    for (int y = 0; y < h->mb.i_mb_height; y++)
        sum += (double)h->fdec->f_row_qp[y];
    return sum / h->mb.i_mb_height;
}

bool
rp_x264_rate_layer_hold_again(const struct rp_x264_rate_layer *layer, const x264_t *h, int type,
                              double bits, struct rp_x264_rate_recoding *recoding)
{
    struct rp_rate_retry retry;

    if (recoding->number >= MOST_RECODINGS ||
        !rp_rate_retry_is_due(&layer->law, (enum rp_rate_type)type, bits, &retry))
        return false;
    const bool is_finer = bits < retry.bits;
    const double qp = rp_x264_rate_rows_qp(h);
    const double power = is_finer ? FINER_POWER : AIM_POWER;
    const double last = recoding->qp >= 0 && (recoding->qp < qp) == is_finer ? recoding->qp : qp;
    const int full = (int)floor(qp + 6 * power * log2(bits / retry.bits) + 0.5);
    const int aimed = is_finer ? X264_MIN(full, (int)ceil(last) - 1) : full;
    const int again =
        x264_clip3(aimed, layer->target.min_index[type], layer->target.max_index[type]);
    if (is_finer ? again >= last : again <= last)
        return false;
    *recoding = (struct rp_x264_rate_recoding){recoding->number + 1, again, retry.most_bits};
    return true;
}

void
rp_x264_rate_layer_note_rows(struct rp_x264_rate_layer *layer, const x264_t *h, int type)
{
    struct rp_x264_rate_rows *rows = &layer->rows;
    const x264_frame_t *frame = h->fdec;
    if (type == SLICE_TYPE_B)
        return;
    const bool is_known = type == SLICE_TYPE_P && h->mb.i_mb_height <= RP_X264_MAX_ROWS &&
                          frame->f_row_qscale[0] > 0; /* with control of rows */

    rows->count = is_known ? h->mb.i_mb_height : 0;
    for (int y = 0; y < rows->count; y++) {
        rows->cost[y] = (float)frame->i_row_bits[y] * frame->f_row_qscale[y];
        rows->satd[y] = frame->i_row_satd[y];
    }
}

void
rp_x264_rate_view_refer(x264_frame_t *view, const x264_frame_t *frame)
{
    view->f_qp_avg_rc = frame->f_qp_avg_rc;
    view->i_satd = frame->i_satd;
    view->i_row_satd = frame->i_row_satd;
    view->i_row_bits = frame->i_row_bits;
    view->f_row_qp = frame->f_row_qp;
    view->f_row_qscale = frame->f_row_qscale;
}

double
rp_x264_rate_rows_share(const struct rp_x264_rate_rows *rows, int row_count, int height)
{
    double first = 0;
    double all = 0;

    for (int y = 0; y < rows->count; y++) {
        first += y < row_count ? rows->cost[y] : 0;
        all += rows->cost[y];
    }
    const bool is_known = rows->count == height && first > 0;
    return x264_clip3f(is_known ? first / all : (double)row_count / height, LEAST_SHARE,
                       1 - LEAST_SHARE);
}

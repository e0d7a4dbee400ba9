/* SPDX-License-Identifier: MIT */
/* The leaky bucket of C.1.2, frames only, whose size changes with the settings.
 */
#include "rate_check.h"

#include <math.h>
#include <stddef.h>

#define WINDOW_S 5
#define FINE_QP 8 /* below it macroblocks may be PCM, whose QP is 0, or more than CAVLC can say */
#define ROUNDING_BITS 1e-6 /* what the sums of fractions of bits may be off by */

const struct rp_rate_settings *
rate_check_settings(const struct app_options *o, uint32_t i)
{
    const struct rp_rate_settings *rate = o->rate;

    for (uint32_t k = 0; k < o->later_rate_count; k++) {
        if (i >= o->later_rates[k].picture)
            rate = o->later_rates[k].rate;
    }
    return rate;
}

/* Sums over all layers. */
struct sums {
    double average_bps;
    double max_bps;
    double fps;
};

static struct sums
sums_of(const struct rp_rate_settings *s)
{
    struct sums sums = {0};

    for (uint32_t l = 0; l < s->layer_count; l++) {
        const struct rp_rate_layer *layer = &s->layer[l];
        sums.average_bps += (double)layer->average_bps;
        sums.max_bps += (double)(s->mode == RP_RATE_CBR || layer->max_bps < layer->average_bps
                                     ? layer->average_bps
                                     : layer->max_bps);
        sums.fps += (double)layer->frame_rate_numerator / layer->frame_rate_denominator;
    }
    return sums;
}

struct bucket {
    const struct rp_rate_settings *settings;
    double fill_bits;
    double size_bits;
    double picture_bits;
};

static void
bucket_set(struct bucket *b, const struct rp_rate_settings *s)
{
    if (s == b->settings)
        return;
    const struct sums sums = sums_of(s);
    b->picture_bits = sums.max_bps / sums.fps;
    b->size_bits = fmax(sums.average_bps * s->virtual_buffer_ms / 1000, b->picture_bits);
    /* Nothing said of it is three quarters. */
    const double initial_bits = s->initial_virtual_buffer_ms
                                    ? sums.average_bps * s->initial_virtual_buffer_ms / 1000
                                    : 0.75 * b->size_bits;
    if (!b->settings)
        b->fill_bits = fmax(initial_bits, b->picture_bits);
    b->fill_bits = fmin(b->fill_bits, b->size_bits);
    b->settings = s;
}

static enum rp_rate_type
limit_type(const struct app_record *r)
{
    return r->slice_type == STD_VIDEO_H264_SLICE_TYPE_I   ? RP_RATE_I
           : r->slice_type == STD_VIDEO_H264_SLICE_TYPE_P ? RP_RATE_P
                                                          : RP_RATE_B;
}

static const struct rp_rate_layer *
layer_of(const struct rp_rate_settings *s, const struct app_record *r)
{
    return &s->layer[r->layer < s->layer_count ? r->layer : s->layer_count - 1];
}

static int32_t
max_qp(const struct rp_rate_settings *s, const struct app_record *r)
{
    const struct rp_rate_layer *layer = layer_of(s, r);
    return layer->has_max_qp ? layer->max_qp[limit_type(r)] : 51;
}

static int32_t
min_qp(const struct rp_rate_settings *s, const struct app_record *r)
{
    const struct rp_rate_layer *layer = layer_of(s, r);
    return layer->has_min_qp ? layer->min_qp[limit_type(r)] : 0;
}

/* Nothing coarser is allowed, but for what maps, intra refresh and PCM make finer. */
static bool
is_coarsest(const struct app_options *o, const struct rp_rate_settings *s,
            const struct app_record *r)
{
    if (o->has_map || o->has_emphasis || o->refresh || max_qp(s, r) < FINE_QP)
        return (int32_t)r->result.max_qp + 1 >= max_qp(s, r);
    return (int32_t)r->result.min_qp >= max_qp(s, r);
}

/* Where nothing could be done the decoder waits. Filler comes in bytes: those may be more than what
 * a buffer of a picture or two has left. */
static void
check_bucket(struct rate_check *c, struct bucket *b, const struct app_options *o,
             const struct app_record *r, uint32_t index)
{
    const struct rp_rate_settings *s = rate_check_settings(o, index);

    bucket_set(b, s);
    const double filler_bits = 8.0 * r->result.filler_B;
    b->fill_bits -= 8.0 * (double)(r->size_B + o->preceding_B) - filler_bits;
    if (-b->fill_bits > fmax(c->underflow_bits, ROUNDING_BITS) && !is_coarsest(o, s, r)) {
        c->underflow_bits = -b->fill_bits;
        c->at = index;
    }
    b->fill_bits = fmax(b->fill_bits, 0) - filler_bits + b->picture_bits;
    if (s->wants_filler && s->mode == RP_RATE_CBR)
        c->overflow_bits = fmax(c->overflow_bits, b->fill_bits - b->size_bits);
    b->fill_bits = fmin(b->fill_bits, b->size_bits);
}

static void
check_limits(struct rate_check *c, const struct app_options *o, const struct rp_rate_settings *s,
             const struct app_record *r)
{
    const double limit_B = (double)layer_of(s, r)->max_frame_size_B[limit_type(r)];
    const double coded_B = (double)(r->size_B - r->result.filler_B);
    const int32_t above = (int32_t)r->result.max_qp - max_qp(s, r);
    const int32_t below = min_qp(s, r) - (int32_t)r->result.min_qp;

    if (limit_B > 0 && !is_coarsest(o, s, r))
        c->limit_B = fmax(c->limit_B, coded_B - limit_B);
    if (above > c->qp && max_qp(s, r) >= FINE_QP)
        c->qp = above;
    if (below > c->qp && min_qp(s, r) >= FINE_QP)
        c->qp = below;
}

/* Neither limits nor the content keep the picture from its size. */
static bool
is_free(const struct rp_rate_settings *s, const struct app_record *r)
{
    const double limit_B = (double)layer_of(s, r)->max_frame_size_B[limit_type(r)];

    return (int32_t)r->result.max_qp < max_qp(s, r) && (int32_t)r->result.min_qp > min_qp(s, r) &&
           (limit_B == 0 || (double)r->size_B < 0.8 * limit_B);
}

static void
check_windows(struct rate_check *c, const struct app_options *o, const struct app_record *records,
              uint32_t count)
{
    const struct rp_rate_settings *settings = NULL;
    uint32_t first = 0;
    double sum_B = 0;

    for (uint32_t i = 0; i < count; i++) {
        const struct rp_rate_settings *s = rate_check_settings(o, i);
        if (s != settings || !s || s->mode != RP_RATE_CBR || !is_free(s, &records[i])) {
            first = i + 1;
            sum_B = 0;
            settings = s;
            continue;
        }
        const struct sums sums = sums_of(s);
        const uint32_t window = (uint32_t)(WINDOW_S * sums.fps + 0.5);
        sum_B += (double)records[i].size_B;
        if (i + 1 - first < window)
            continue;
        const double off = 8 * sum_B * sums.fps / window / sums.average_bps - 1;
        c->window_count++;
        if (fabs(off) > fabs(c->window)) {
            c->window = off;
            c->window_at = i;
        }
        sum_B -= (double)records[first++].size_B;
    }
}

struct rate_check
rate_check(const struct app *app)
{
    const struct app_options *o = app_options(app);
    struct rate_check c = {0};
    struct bucket bucket = {0};
    uint32_t count;
    const struct app_record *records = app_records(app, &count);

    for (uint32_t i = 0; i < count; i++) {
        const struct rp_rate_settings *s = rate_check_settings(o, i);
        if (!s)
            continue;
        check_bucket(&c, &bucket, o, &records[i], i);
        check_limits(&c, o, s, &records[i]);
    }
    check_windows(&c, o, records, count);
    return c;
}

/* SPDX-License-Identifier: MIT */
/* Rates, buffers and limits of one layer; what layers have to share, and what the sequence's HRD
 * promises.
 */
#include "target.h"

#include "constants.h"

#include <limits.h>
#include <math.h>

#define MAX_FPS_TERM (1u << 20)
#define MOST_BITS (INT_MAX - 1000)

static bool
layers_are_equal(const struct rp_rate_layer *a, const struct rp_rate_layer *b)
{
    for (int i = 0; i < RP_RATE_TYPES; i++) {
        if (a->min_qp[i] != b->min_qp[i] || a->max_qp[i] != b->max_qp[i] ||
            a->max_frame_size_B[i] != b->max_frame_size_B[i])
            return false;
    }
    return a->average_bps == b->average_bps && a->max_bps == b->max_bps &&
           a->frame_rate_numerator == b->frame_rate_numerator &&
           a->frame_rate_denominator == b->frame_rate_denominator &&
           a->has_min_qp == b->has_min_qp && a->has_max_qp == b->has_max_qp;
}

bool
rp_rate_settings_are_equal(const struct rp_rate_settings *a, const struct rp_rate_settings *b)
{
    if (a->mode != b->mode || a->layer_count != b->layer_count ||
        a->virtual_buffer_ms != b->virtual_buffer_ms ||
        a->initial_virtual_buffer_ms != b->initial_virtual_buffer_ms ||
        a->wants_filler != b->wants_filler || a->hrd_bps != b->hrd_bps ||
        a->hrd_buffer_bits != b->hrd_buffer_bits)
        return false;
    for (uint32_t i = 0; i < a->layer_count; i++) {
        if (!layers_are_equal(&a->layer[i], &b->layer[i]))
            return false;
    }
    return true;
}

static double
clip_rate(double bps)
{
    return fmax(1000.0, fmin(bps, MOST_BITS));
}

/* Buffers may be smaller than any rate: that there is a picture's time at least is seen to
 * later. */
static double
clip_buffer(double bits)
{
    return fmax(1.0, fmin(bits, MOST_BITS));
}

static int
clip_index(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

static void
set_limits(struct rp_rate_target *target, const struct rp_rate_layer *layer,
           const struct rp_rate_scale *scale)
{
    for (int i = 0; i < RP_RATE_TYPES; i++) {
        const int least = layer->has_min_qp ? clip_index(layer->min_qp[i], scale->least_index,
                                                         scale->greatest_index)
                                            : scale->least_index;
        target->min_index[i] = least;
        target->max_index[i] = layer->has_max_qp
                                   ? clip_index(layer->max_qp[i], least, scale->greatest_index)
                                   : scale->unlimited_index;
        target->max_picture_bits[i] = 8.0 * (double)layer->max_frame_size_B[i];
    }
}

static void
set_fps(struct rp_rate_target *target, const struct rp_rate_layer *layer)
{
    uint32_t num = layer->frame_rate_numerator > 0 ? layer->frame_rate_numerator : 1;
    uint32_t den = layer->frame_rate_denominator > 0 ? layer->frame_rate_denominator : 1;

    while (num > MAX_FPS_TERM || den > MAX_FPS_TERM) {
        num = num > 1 ? num / 2 : 1;
        den = den > 1 ? den / 2 : 1;
    }
    target->fps_num = num;
    target->fps_den = den;
}

double
rp_rate_target_fps(const struct rp_rate_target *target)
{
    return (double)target->fps_num / target->fps_den;
}

/* The rate of all layers. */
static double
stream_bps(const struct rp_rate_settings *settings)
{
    double sum_bps = 0;

    for (uint32_t i = 0; i < settings->layer_count; i++)
        sum_bps += (double)settings->layer[i].average_bps;
    return fmax(1.0, sum_bps);
}

/* I pictures are the first layer's; the others have little to vary for. */
static double
layer_slack(const struct rp_rate_settings *settings, uint32_t index)
{
    if (index > 0)
        return TARGET_UPPER_SLACK;
    const double share = fmax(0.1, (double)settings->layer[0].average_bps / stream_bps(settings));
    return (1 - TARGET_UPPER_SLACK * (1 - share)) / share;
}

/* A stream that keeps to the smaller buffer, filled at the lower rate, keeps to both. Each layer
 * has its part of the rate. An HRD that the average rate would break is left alone. */
static void
apply_hrd(struct rp_rate_target *target, const struct rp_rate_settings *settings)
{
    const double part = target->average_bps / stream_bps(settings);
    const double hrd_bps = part * (double)settings->hrd_bps;
    if (settings->hrd_bps == 0 || hrd_bps < TARGET_LEAST_HRD_RATE * target->average_bps)
        return;
    target->max_bps = fmin(target->max_bps, fmax(hrd_bps, target->average_bps));
    target->buffer_bits = fmin(target->buffer_bits, clip_buffer((double)settings->hrd_buffer_bits));
}

/* Groups of pictures begin with I pictures, IDR or not. 0: not known. */
static uint32_t
intra_period(const struct rp_rate_settings *settings)
{
    const uint32_t idr = settings->idr_period;
    const uint32_t gop = settings->gop_frame_count;

    return idr == 0 || (gop > 0 && gop < idr) ? gop : idr;
}

/* I pictures are the first layer's, counted by its own pictures. 0: none comes or is known. */
static uint32_t
layer_intra_period(const struct rp_rate_settings *settings, uint32_t index)
{
    struct rp_rate_target target;
    double own_fps = 0;
    double fps = 0;

    if (index > 0)
        return 0;
    if (settings->layer_count < 2 || intra_period(settings) == 0)
        return intra_period(settings);
    for (uint32_t i = 0; i < settings->layer_count; i++) {
        set_fps(&target, &settings->layer[i]);
        const double layer_fps = rp_rate_target_fps(&target);
        own_fps += i == 0 ? layer_fps : 0;
        fps += layer_fps;
    }
    return (uint32_t)fmax(1, intra_period(settings) * (own_fps / fps) + 0.5);
}

/* An occupancy of 0 is no decoder's: the encoder's side of the bucket, which clients mean by it, or
 * leave it at, is empty then. */
void
rp_rate_target_init(struct rp_rate_target *target, const struct rp_rate_settings *settings,
                    uint32_t index, const struct rp_rate_scale *scale)
{
    const struct rp_rate_layer *layer = &settings->layer[index];
    const uint32_t buffer_ms =
        settings->virtual_buffer_ms ? settings->virtual_buffer_ms : TARGET_DEFAULT_BUFFER_MS;
    const double buffer_s = buffer_ms / 1000.0;

    *target = (struct rp_rate_target){
        .is_cbr = settings->mode == RP_RATE_CBR,
        .has_filler = settings->mode == RP_RATE_CBR && settings->wants_filler,
        .average_bps = clip_rate((double)layer->average_bps),
        .slack = layer_slack(settings, index),
        .gop_pictures = layer_intra_period(settings, index),
        .b_pictures = settings->consecutive_b_frame_count,
    };
    target->max_bps = target->is_cbr ? target->average_bps
                                     : fmax(target->average_bps, clip_rate((double)layer->max_bps));
    /* The buffer is one of the average rate (VkVideoEncodeRateControlInfoKHR), and any layer's to
     * use: that it is enough for all is seen to beside (virtual_buffer.h). */
    target->buffer_bits = clip_buffer(buffer_s * stream_bps(settings));
    apply_hrd(target, settings);
    target->initial_bits = settings->initial_virtual_buffer_ms > 0
                               ? settings->initial_virtual_buffer_ms / 1000.0 * stream_bps(settings)
                               : TARGET_DEFAULT_FILL * target->buffer_bits;
    set_fps(target, layer);
    set_limits(target, layer, scale);
}

void
rp_rate_settings_set_buffer(const struct rp_rate_settings *settings,
                            const struct rp_rate_scale *scale,
                            struct rp_rate_virtual_buffer *buffer)
{
    struct rp_rate_target target = {0};
    double bps = 0, fps = 0;

    for (uint32_t i = 0; i < settings->layer_count; i++) {
        rp_rate_target_init(&target, settings, i, scale);
        bps += target.max_bps;
        fps += rp_rate_target_fps(&target);
    }
    rp_rate_virtual_buffer_set(buffer, bps, fps, target.buffer_bits, target.initial_bits);
}

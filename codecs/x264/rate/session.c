/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From Vulkan's rates, buffers and limits to x264's; costs from the pictures' half-size planes.
 */
#include "rate/session.h"

#include "picture/slot.h"
#include "rate/attempt.h"

#include "util/alloc.h"

#define DEFAULT_BUFFER_MS 1000
#define DEFAULT_FILL 0.75 /* of the buffer, as the decoder sees it */
#define UPPER_LAYER_SLACK 0.7
#define LEAST_HRD_RATE 0.99     /* rates in an SPS are rounded */
#define MAX_FPS_TERM (1u << 20) /* so that bits * time scale stays within 64 bits */
#define MAX_ROWS 1024           /* of macroblocks in the largest picture */

static const float no_row_qp[MAX_ROWS];

struct rp_h264_rate *
rp_x264_rate_create(void)
{
    return rp_zalloc(NULL, sizeof(struct rp_h264_rate), _Alignof(struct rp_h264_rate),
                     VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
}

void
rp_x264_rate_destroy(struct rp_h264_rate *rate)
{
    if (!rate)
        return;
    for (int i = 0; i < RP_RATE_LAYERS; i++)
        rp_x264_rate_layer_finish(&rate->layer[i]);
    rp_x264_rate_layer_finish(&rate->before);
    for (int i = 0; i < 2; i++)
        rp_x264_rate_layer_finish(&rate->glimpse[i].layer);
    rp_x264_tree_finish(&rate->tree);
    rp_free(NULL, rate);
}

static bool
layer_is_equal(const struct rp_rate_layer *a, const struct rp_rate_layer *b)
{
    for (int i = 0; i < 3; i++) {
        if (a->min_qp[i] != b->min_qp[i] || a->max_qp[i] != b->max_qp[i] ||
            a->max_frame_size_B[i] != b->max_frame_size_B[i])
            return false;
    }
    return a->average_bps == b->average_bps && a->max_bps == b->max_bps &&
           a->frame_rate_numerator == b->frame_rate_numerator &&
           a->frame_rate_denominator == b->frame_rate_denominator &&
           a->has_min_qp == b->has_min_qp && a->has_max_qp == b->has_max_qp;
}

static bool
settings_are_equal(const struct rp_rate_settings *a, const struct rp_rate_settings *b)
{
    if (a->mode != b->mode || a->layer_count != b->layer_count ||
        a->virtual_buffer_ms != b->virtual_buffer_ms ||
        a->initial_virtual_buffer_ms != b->initial_virtual_buffer_ms ||
        a->wants_filler != b->wants_filler || a->hrd_bps != b->hrd_bps ||
        a->hrd_buffer_bits != b->hrd_buffer_bits)
        return false;
    for (uint32_t i = 0; i < a->layer_count; i++) {
        if (!layer_is_equal(&a->layer[i], &b->layer[i]))
            return false;
    }
    return true;
}

void
rp_x264_rate_set(struct rp_h264_rate *rate, const struct rp_rate_settings *settings)
{
    if (rate->version > 0 && settings_are_equal(&rate->settings, settings))
        return;
    rate->settings = *settings;
    rate->version++;
}

static double
clip_bits(double bits)
{
    return X264_MAX(1000.0, X264_MIN(bits, (double)(INT_MAX - 1000)));
}

/* Buffers may be smaller than any rate: one of a picture's time at least is seen to later. */
static double
clip_buffer_bits(double bits)
{
    return X264_MAX(1.0, X264_MIN(bits, (double)(INT_MAX - 1000)));
}

static void
target_set_qps(struct rp_x264_rate_target *target, const struct rp_rate_layer *layer)
{
    for (int i = 0; i < RP_RATE_TYPES; i++) {
        target->min_qp[i] = layer->has_min_qp ? x264_clip3(layer->min_qp[i], 0, 51) : 0;
        /* Without a limit x264 may go on beyond 51, where it drops coefficients instead: without
         * that, hard pictures break the buffer. */
        target->max_qp[i] =
            layer->has_max_qp ? x264_clip3(layer->max_qp[i], target->min_qp[i], 51) : QP_MAX;
        target->max_picture_bits[i] = 8.0 * (double)layer->max_frame_size_B[i];
    }
}

static void
target_set_fps(struct rp_x264_rate_target *target, const struct rp_rate_layer *layer)
{
    uint32_t num = X264_MAX(1, layer->frame_rate_numerator);
    uint32_t den = X264_MAX(1, layer->frame_rate_denominator);

    while (num > MAX_FPS_TERM || den > MAX_FPS_TERM) {
        num = X264_MAX(1, num / 2);
        den = X264_MAX(1, den / 2);
    }
    target->fps_num = num;
    target->fps_den = den;
}

/* Of all layers. */
static double
stream_bps(const struct rp_rate_settings *settings)
{
    double sum_bps = 0;

    for (uint32_t i = 0; i < settings->layer_count; i++)
        sum_bps += (double)settings->layer[i].average_bps;
    return X264_MAX(1.0, sum_bps);
}

/* Intra pictures are the first layer's; the others have little to vary for. */
static double
layer_slack(const struct rp_rate_settings *settings, uint32_t index)
{
    if (index > 0)
        return UPPER_LAYER_SLACK;
    const double share =
        X264_MAX(0.1, (double)settings->layer[0].average_bps / stream_bps(settings));
    return (1 - UPPER_LAYER_SLACK * (1 - share)) / share;
}

/* A stream that keeps to the smaller buffer, filled at the lower rate, keeps to both. Each layer
 * has its part of the rate. One that the average rate would break is left alone. */
static void
target_apply_hrd(struct rp_x264_rate_target *target, const struct rp_rate_settings *settings)
{
    const double part = target->average_bps / stream_bps(settings);
    const double hrd_bps = part * (double)settings->hrd_bps;
    if (settings->hrd_bps == 0 || hrd_bps < LEAST_HRD_RATE * target->average_bps)
        return;
    target->max_bps = X264_MIN(target->max_bps, X264_MAX(hrd_bps, target->average_bps));
    target->buffer_bits =
        X264_MIN(target->buffer_bits, clip_buffer_bits((double)settings->hrd_buffer_bits));
}

/* Groups of pictures begin with intra pictures, IDR or not. 0: not known. */
static uint32_t
intra_period(const struct rp_rate_settings *settings)
{
    const uint32_t idr = settings->idr_period;
    const uint32_t gop = settings->gop_frame_count;

    return idr == 0 || (gop > 0 && gop < idr) ? gop : idr;
}

/* Intra pictures are the first layer's, counted by its own pictures. 0: none comes or is known. */
static uint32_t
layer_intra_period(const struct rp_rate_settings *settings, uint32_t index)
{
    struct rp_x264_rate_target target;
    double own_fps = 0;
    double fps = 0;

    if (index > 0)
        return 0;
    if (settings->layer_count < 2 || intra_period(settings) == 0)
        return intra_period(settings);
    for (uint32_t i = 0; i < settings->layer_count; i++) {
        target_set_fps(&target, &settings->layer[i]);
        const double layer_fps = (double)target.fps_num / target.fps_den;
        own_fps += i == 0 ? layer_fps : 0;
        fps += layer_fps;
    }
    return (uint32_t)X264_MAX(1, intra_period(settings) * (own_fps / fps) + 0.5);
}

/* An occupancy of 0 is no decoder's: the encoder's side of the bucket, which clients mean by it, or
 * leave it at, is empty then. */
static void
target_init(struct rp_x264_rate_target *target, const struct rp_rate_settings *settings,
            uint32_t index)
{
    const struct rp_rate_layer *layer = &settings->layer[index];
    const double buffer_s =
        (settings->virtual_buffer_ms ? settings->virtual_buffer_ms : DEFAULT_BUFFER_MS) / 1000.0;

    *target = (struct rp_x264_rate_target){
        .is_cbr = settings->mode == RP_RATE_CBR,
        .has_filler = settings->mode == RP_RATE_CBR && settings->wants_filler,
        .average_bps = clip_bits((double)layer->average_bps),
        .slack = layer_slack(settings, index),
        .gop_pictures = layer_intra_period(settings, index),
        .b_pictures = settings->consecutive_b_frame_count,
    };
    target->max_bps = target->is_cbr
                          ? target->average_bps
                          : X264_MAX(target->average_bps, clip_bits((double)layer->max_bps));
    /* The buffer is one of the average rate (VkVideoEncodeRateControlInfoKHR), and any layer's to
     * use: that it is enough for all is seen to beside (virtual_buffer.h). */
    target->buffer_bits = clip_buffer_bits(buffer_s * stream_bps(settings));
    target_apply_hrd(target, settings);
    target->initial_bits = settings->initial_virtual_buffer_ms > 0
                               ? settings->initial_virtual_buffer_ms / 1000.0 * stream_bps(settings)
                               : DEFAULT_FILL * target->buffer_bits;
    target_set_fps(target, layer);
    target_set_qps(target, layer);
}

/* Of one layer, too: others may join it. */
static void
bucket_set(struct rp_x264_bucket *bucket, const struct rp_rate_settings *settings)
{
    struct rp_x264_rate_target target = {0};
    double bps = 0, fps = 0;

    for (uint32_t i = 0; i < settings->layer_count; i++) {
        target_init(&target, settings, i);
        bps += target.max_bps;
        fps += (double)target.fps_num / target.fps_den;
    }
    rp_x264_bucket_set(bucket, bps, fps, target.buffer_bits, target.initial_bits);
}

static bool
rate_open(struct rp_h264_rate *rate, struct rp_x264_rate_layer *layer, x264_t *h)
{
    return rp_x264_rate_layer_open(layer, h) && rp_x264_rate_layer_open(&rate->before, h) &&
           rp_x264_rate_layer_open(&rate->glimpse[0].layer, h) &&
           rp_x264_rate_layer_open(&rate->glimpse[1].layer, h);
}

/* Layers that took no part in settings in between do not know what became of the buffer. */
static void
stream_set(struct rp_h264_rate *rate, const struct rp_x264_rate_ticket *ticket, uint32_t count)
{
    bucket_set(&rate->bucket, &ticket->settings);
    rate->bucket_version = ticket->version;
    if (rate->layer_count != count)
        rate->layers_version = ticket->version;
    rate->layer_count = count;
}

struct rp_x264_rate_layer *
rp_x264_rate_layer_for(struct rp_h264_rate *rate, const struct rp_x264_rate_ticket *ticket,
                       uint32_t temporal_layer, x264_t *h)
{
    const uint32_t count = X264_MAX(1, ticket->settings.layer_count);
    const uint32_t index = X264_MIN(temporal_layer, count - 1);
    struct rp_x264_rate_layer *layer = &rate->layer[index];

    if (!rate_open(rate, layer, h))
        return NULL;
    if (rate->bucket_version != ticket->version)
        stream_set(rate, ticket, count);
    layer->shared = count > 1 ? &rate->bucket : NULL;
    if (rate->layer_version[index] != ticket->version) {
        struct rp_x264_rate_target target;
        target_init(&target, &ticket->settings, index);
        const bool had_others = rate->layer_version[index] < rate->layers_version;
        rp_x264_rate_layer_set(layer, &target, had_others ? &rate->bucket : NULL);
        rate->layer_version[index] = ticket->version;
    }
    return layer;
}

int
rp_x264_rate_type(const struct rp_h264_encode_job *job)
{
    if (job->slice_type != SLICE_TYPE_B)
        return (int)job->slice_type;
    for (uint32_t i = 0; i < job->ref_count[1]; i++) {
        if (job->refs[1][i].poc > job->poc)
            return SLICE_TYPE_B;
    }
    return SLICE_TYPE_P;
}

/* The views were made at begin(): how the references came out is known since, but of the one that
 * is still being coded. */
static void
views_complete(struct rp_x264_context *ctx)
{
    const x264_frame_t *late = ctx->flight->reference;
    x264_t *h = ctx->h;

    for (int list = 0; list < 2; list++) {
        for (int i = 0; i < h->i_ref[list]; i++) {
            x264_frame_t *view = h->fref[list][i];
            const x264_frame_t *frame = view->orig;
            if (frame != late) {
                view->f_qp_avg_rc = frame->f_qp_avg_rc;
                view->i_satd = frame->i_satd;
                view->i_row_satd = frame->i_row_satd;
                view->i_row_bits = frame->i_row_bits;
                view->f_row_qp = frame->f_row_qp;
                view->f_row_qscale = frame->f_row_qscale;
            }
            /* x264 lets no B picture have a lower QP than its references: a chain of them would
             * only ever go up, and in a small buffer they take what the others cannot. */
            if (ctx->job->slice_type == SLICE_TYPE_B)
                view->f_row_qp = (float *)no_row_qp;
        }
    }
}

void
rp_x264_rate_know_refs(struct rp_x264_context *ctx)
{
    x264_t *h = ctx->h;

    views_complete(ctx);
    /* The macroblock layer takes the vectors found in half size for those of the picture just
     * before. */
    if (ctx->job->slice_type == SLICE_TYPE_P)
        h->fref[0][0]->i_frame = h->fenc->i_frame - 1;
    else
        h->frames.b_have_lowres = 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Settings as they change, the layers that they are for, and how a picture's references came out.
 */
#include "rate/session.h"

#include "rate/attempt.h"

#include "util/alloc.h"

#define MAX_ROWS 1024 /* of macroblocks in the largest picture */

static const float no_row_qp[MAX_ROWS];

struct rp_encoder_rate *
rp_x264_rate_create(void)
{
    return rp_zalloc(NULL, sizeof(struct rp_encoder_rate), _Alignof(struct rp_encoder_rate),
                     VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
}

void
rp_x264_rate_destroy(struct rp_encoder_rate *rate)
{
    if (!rate)
        return;
    for (int i = 0; i < RP_RATE_LAYERS; i++)
        rp_x264_rate_layer_finish(&rate->layer[i]);
    rp_x264_rate_layer_finish(&rate->before);
    for (int i = 0; i < 2; i++)
        rp_x264_rate_layer_finish(&rate->partial[i].layer);
    rp_x264_mb_persistence_finish(&rate->persistence);
    rp_free(NULL, rate);
}

void
rp_x264_rate_set(struct rp_encoder_rate *rate, const struct rp_rate_settings *settings)
{
    if (rate->version > 0 && rp_rate_settings_are_equal(&rate->settings, settings))
        return;
    rate->settings = *settings;
    rate->version++;
}

static bool
rate_open(struct rp_encoder_rate *rate, struct rp_x264_rate_layer *layer, x264_t *h)
{
    return rp_x264_rate_layer_open(layer, h) && rp_x264_rate_layer_open(&rate->before, h) &&
           rp_x264_rate_layer_open(&rate->partial[0].layer, h) &&
           rp_x264_rate_layer_open(&rate->partial[1].layer, h);
}

/* Layers that took no part in settings in between do not know what became of the buffer. */
static void
stream_set(struct rp_encoder_rate *rate, const struct rp_x264_rate_snapshot *snapshot,
           uint32_t count)
{
    rp_rate_settings_set_buffer(&snapshot->settings, &rp_x264_rate_scale, &rate->buffer);
    rate->buffer_version = snapshot->version;
    if (rate->layer_count != count)
        rate->layers_version = snapshot->version;
    rate->layer_count = count;
}

struct rp_x264_rate_layer *
rp_x264_rate_layer_for(struct rp_encoder_rate *rate, const struct rp_x264_rate_snapshot *snapshot,
                       uint32_t temporal_layer, x264_t *h)
{
    const uint32_t count = X264_MAX(1, snapshot->settings.layer_count);
    const uint32_t index = X264_MIN(temporal_layer, count - 1);
    struct rp_x264_rate_layer *layer = &rate->layer[index];

    if (!rate_open(rate, layer, h))
        return NULL;
    if (rate->buffer_version != snapshot->version)
        stream_set(rate, snapshot, count);
    layer->shared = count > 1 ? &rate->buffer : NULL;
    if (rate->layer_version[index] != snapshot->version) {
        struct rp_rate_target target;
        rp_rate_target_init(&target, &snapshot->settings, index, &rp_x264_rate_scale);
        const bool had_others = rate->layer_version[index] < rate->layers_version;
        rp_x264_rate_layer_set(layer, &target, had_others ? &rate->buffer : NULL);
        rate->layer_version[index] = snapshot->version;
    }
    return layer;
}

int
rp_x264_rate_type(const struct rp_h264_encode_job *job)
{
    if (job->slice_type != RP_H264_SLICE_B)
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
    const x264_frame_t *late = ctx->attempt->reference;
    x264_t *h = ctx->h;

    for (int list = 0; list < 2; list++) {
        for (int i = 0; i < h->i_ref[list]; i++) {
            x264_frame_t *view = h->fref[list][i];
            if (view->orig != late)
                rp_x264_rate_view_refer(view, view->orig);
            /* x264 lets no B picture have a lower QP than its references: a chain of them would
             * only ever go up, and in a small buffer they take what the others cannot. */
            if (ctx->job->slice_type == RP_H264_SLICE_B)
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
    if (ctx->job->slice_type == RP_H264_SLICE_P)
        h->fref[0][0]->i_frame = h->fenc->i_frame - 1;
    else
        h->frames.b_have_lowres = 0;
}

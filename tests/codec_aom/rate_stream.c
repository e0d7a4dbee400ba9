/* SPDX-License-Identifier: MIT */
/* AV1 streams with rate control.
 */
#include "app.h"

#include "tests/encode_rate/stream.h"
#include "tests/test.h"

const struct rate_stream_codec rate_stream_codec = {
    .max_q = RP_AV1_MAX_Q_INDEX,
    .finest_q = 1,
    .bit_depth = 10,
    .quality_level = 1,
    .low_q = {{[RP_RATE_P] = 60, [RP_RATE_B] = 80, [RP_RATE_I] = 40},
              {[RP_RATE_P] = 100, [RP_RATE_B] = 0, [RP_RATE_I] = 90}},
    .high_q = {{[RP_RATE_P] = 130, [RP_RATE_B] = 140, [RP_RATE_I] = 90},
               {[RP_RATE_P] = 101, [RP_RATE_B] = 255, [RP_RATE_I] = 90}},
};

/* One stream on its way. */
struct run {
    const struct rate_stream_options *options;
    struct rate_stream *out;
    struct app *app;
    struct rp_encoder_rate *rate;
    uint8_t *luma; /* of one picture */
};

/* To the application's source, samples of 10 bits in the high ones of 16. */
static void
draw(const struct run *run, uint32_t time)
{
    struct app *app = run->app;
    const struct rp_picture *src = &app->job.common.src;
    const size_t luma_B = src->plane[0].stride_B * src->height_px;
    if (rate_stream_draw(run->options, time, run->luma))
        app_draw(app, 0); /* chroma */
    else
        memset(app->source + luma_B, 0x80, luma_B / 2);
    for (uint32_t y = 0; y < src->height_px; y++) {
        const uint8_t *from = run->luma + (size_t)y * src->width_px;
        uint8_t *row = app->source + y * src->plane[0].stride_B;
        for (uint32_t x = 0; x < src->width_px; x++) {
            if (app->sample_B == 2)
                ((uint16_t *)row)[x] = (uint16_t)(from[x] << 8);
            else
                row[x] = from[x];
        }
    }
}

/* The picture that app has, of this time. */
static void
encode(struct run *run, uint32_t time, enum rp_rate_type type, uint32_t layer)
{
    struct app *app = run->app;
    const int32_t slot = app_free_slot(app, app->std.refresh_frame_flags);
    draw(run, time);
    app->codec->rate_set(run->rate, rate_stream_rate(run->options, run->out->count));
    app->job.q_index = -1;
    app->job.rate_type = type;
    app->job.common.rate = run->rate;
    app->job.common.temporal_layer = layer;
    app->job.common.quality_level = run->options->quality_level;
    app_encode(app, slot);
    REQUIRE(run->out->count < RATE_STREAM_PICTURES);
    const struct rp_encode_result *result = &app->job.common.result;
    run->out->record[run->out->count++] = (struct rate_record){
        result->size_B, type, layer, result->min_qp, result->max_qp,
    };
}

/* Names of the reference index, and the two that B pictures lie between. */
static void
name_all(struct app *app, uint32_t index, bool is_b, uint32_t next)
{
    for (uint32_t i = 0; i < RP_AV1_NAMES; i++)
        app->std.ref_frame_idx[i] = (int8_t)(is_b && i >= 4 ? next : index);
    app_name(app, 0, index);
    if (is_b)
        app_name(app, 6, next);
    app->std.primary_ref_frame = 0;
    app->job.prediction = is_b ? RP_AV1_PREDICTION_BIDIRECTIONAL : RP_AV1_PREDICTION_SINGLE;
}

static void
encode_key(struct run *run, uint32_t time)
{
    app_picture_init(run->app, STD_VIDEO_AV1_FRAME_TYPE_KEY, 0, true);
    encode(run, time, RP_RATE_I, 0);
}

/* A picture that is shown at once, from the one of index; it replaces that of refresh. */
static void
encode_next(struct run *run, uint32_t time, uint32_t order, uint32_t index, int32_t refresh,
            uint32_t layer)
{
    app_picture_init(run->app, STD_VIDEO_AV1_FRAME_TYPE_INTER, order, true);
    run->app->std.refresh_frame_flags = (uint8_t)(refresh >= 0 ? 1 << refresh : 0);
    name_all(run->app, index, false, 0);
    encode(run, time, RP_RATE_P, layer);
}

/* A picture ahead, those in between, and then that one is shown. */
static void
encode_group(struct run *run, uint32_t time, uint32_t order, uint32_t previous)
{
    const uint32_t b_run = run->options->b_run;
    const uint32_t ahead = 1 - previous;
    app_picture_init(run->app, STD_VIDEO_AV1_FRAME_TYPE_INTER, order + b_run, false);
    run->app->std.refresh_frame_flags = (uint8_t)(1 << ahead);
    name_all(run->app, previous, false, 0);
    encode(run, time + b_run, RP_RATE_P, 0);
    for (uint32_t i = 0; i < b_run; i++) {
        app_picture_init(run->app, STD_VIDEO_AV1_FRAME_TYPE_INTER, order + i, true);
        name_all(run->app, previous, true, ahead);
        encode(run, time + i, RP_RATE_B, 0);
    }
    app_show_existing(run->app, ahead);
}

/* Dyadic: pictures of the first layer refer to each other, those above to the one before that is
 * below them. */
static void
encode_layered(struct run *run, uint32_t time, uint32_t order)
{
    const uint32_t top = run->options->layer_count - 1;
    uint32_t layer = top;
    while (layer > 0 && order % (2u << (top - layer)) == 0)
        layer--;
    encode_next(run, time, order, layer == 2 && order % 4 == 3 ? 1 : 0,
                layer < top ? (int32_t)layer : -1, layer);
}

void
rate_stream_run(const struct rate_stream_options *options, struct rate_stream *out)
{
    struct app *app = calloc(1, sizeof(*app));
    REQUIRE(app);
    app->seq.flags.enable_order_hint = 1;
    app->seq.order_hint_bits_minus_1 = 7;
    app->seq.flags.enable_cdef = 1;
    app->color.BitDepth = (uint8_t)(options->bit_depth ? options->bit_depth : 8);
    app_init(app, options->width_px, options->height_px, 1);
    struct run run = {
        .options = options,
        .out = out,
        .app = app,
        .rate = app->codec->rate_create(app->enc),
        .luma = malloc((size_t)options->width_px * options->height_px),
    };
    REQUIRE(run.rate && run.luma);
    out->count = 0;

    const uint32_t step = 1 + options->b_run;
    uint32_t order = 0;
    for (uint32_t time = 0; time < options->picture_count;) {
        if (time == 0 || (options->period > 0 && order >= options->period)) {
            encode_key(&run, time++);
            order = 1;
        } else if (options->b_run > 0) {
            encode_group(&run, time, order, (order - 1) / step % 2);
            time += step;
            order += step;
        } else if (options->layer_count > 1) {
            encode_layered(&run, time++, order++);
        } else {
            encode_next(&run, time++, order++, 0, 0, 0);
        }
    }
    out->hash = app->stream_hash;
    app->codec->rate_destroy(app->enc, run.rate);
    free(run.luma);
    app_finish(app);
    free(app);
}

/* SPDX-License-Identifier: MIT */
#include "rate_stream.h"

#include "tests/test.h"

#include <math.h>

#define FPS 30
#define BUFFER_MS 1000

struct rp_rate_settings
rate_stream_settings(enum rp_rate_mode mode, uint64_t average_bps, uint64_t max_bps)
{
    struct rp_rate_settings settings = {
        .mode = mode,
        .layer_count = 1,
        .virtual_buffer_ms = BUFFER_MS,
        .initial_virtual_buffer_ms = BUFFER_MS * 3 / 4,
    };
    settings.layer[0] = (struct rp_rate_layer){
        .average_bps = average_bps,
        .max_bps = max_bps,
        .frame_rate_numerator = FPS,
        .frame_rate_denominator = 1,
        .max_qp = {RP_AV1_MAX_Q_INDEX, RP_AV1_MAX_Q_INDEX, RP_AV1_MAX_Q_INDEX},
    };
    return settings;
}

/* One stream on its way. */
struct run {
    const struct rate_stream_options *options;
    struct rate_stream *out;
    struct app *app;
    struct rp_encoder_rate *rate;
    double squares;
    double samples;
};

static void
draw_black(struct app *app)
{
    const struct rp_picture *src = &app->job.common.src;
    const size_t luma_B = src->plane[0].stride_B * src->height_px;
    memset(app->source, 0, luma_B);
    memset(app->source + luma_B, 0x80, luma_B / 2);
}

/* From 0 to half and back, over and over. */
static uint32_t
wave(uint32_t at, uint32_t half)
{
    const uint32_t place = at % (2 * half);
    return place < half ? place : 2 * half - place;
}

/* As hard to code at any time: waves and a shape that move by, and noise. */
static void
draw_moving(struct app *app, uint32_t time)
{
    const struct rp_picture *src = &app->job.common.src;
    uint32_t noise = time * 2654435761u + 1;
    app_draw(app, 0); /* chroma */
    for (uint32_t y = 0; y < src->height_px; y++) {
        uint8_t *row = app->source + y * src->plane[0].stride_B;
        for (uint32_t x = 0; x < src->width_px; x++) {
            const uint32_t u = x + 3 * time, v = y + time;
            noise = noise * 1664525u + 1013904223u;
            uint32_t value =
                40 + wave(u, 47) + wave(v, 31) + wave(u / 3 + v / 2, 19) + (noise >> 30);
            if (wave(x + 7 * time, 173) < 40 && wave(y + 2 * time, 61) < 30)
                value = 220 - wave(3 * u + 5 * v, 40);
            if (app->sample_B == 2)
                ((uint16_t *)row)[x] = (uint16_t)(value << 8);
            else
                row[x] = (uint8_t)value;
        }
    }
}

static void
draw(const struct run *run, uint32_t time)
{
    const struct rate_stream_options *o = run->options;
    uint32_t scene = o->scene;
    if (o->draw) {
        o->draw(run->app, time, o->draw_ctx);
        return;
    }
    if (o->scene_length > 0)
        scene = (scene + time / o->scene_length) % (RATE_SCENE_SLOW + 1);
    if (scene == RATE_SCENE_BLACK)
        draw_black(run->app);
    else
        draw_moving(run->app, scene == RATE_SCENE_FAST   ? 7 * time + 991
                              : scene == RATE_SCENE_SLOW ? time / 8 + 500
                                                         : time);
}

static void
set_rate(const struct run *run)
{
    const struct rate_stream_options *o = run->options;
    const struct rp_rate_settings *rate = &o->rate;
    for (uint32_t i = 0; i < o->change_count; i++) {
        if (run->out->count >= o->change[i].picture)
            rate = &o->change[i].rate;
    }
    run->app->codec->rate_set(run->rate, rate);
}

static void
add_error(struct run *run)
{
    const struct app *app = run->app;
    for (uint32_t y = 0; y < app->height_px && app->sample_B == 1; y++) {
        const uint8_t *source = app->source + y * app->job.common.src.plane[0].stride_B;
        for (uint32_t x = 0; x < app->width_px; x++) {
            const double d = source[x] - app->picture[y * app->width_px + x];
            run->squares += d * d;
        }
    }
    run->samples += (double)app->width_px * app->height_px;
}

/* The picture that app has, of this time. */
static void
encode(struct run *run, uint32_t time, enum rp_rate_type type, uint32_t layer)
{
    struct app *app = run->app;
    const int32_t slot = app_free_slot(app, app->std.refresh_frame_flags);
    draw(run, time);
    set_rate(run);
    app->job.q_index = -1;
    app->job.rate_type = type;
    app->job.common.rate = run->rate;
    app->job.common.temporal_layer = layer;
    app->job.common.quality_level = run->options->quality_level;
    app_encode(app, slot);
    add_error(run);
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
    struct run run = {options, out, app, app->codec->rate_create(app->enc), 0, 0};
    REQUIRE(run.rate);
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
    out->psnr = 10 * log10(255.0 * 255 * run.samples / fmax(run.squares, 1));
    app->codec->rate_destroy(app->enc, run.rate);
    app_finish(app);
    free(app);
}

double
rate_stream_bps(const struct rate_stream *stream, uint32_t first, uint32_t end, double fps)
{
    double bits = 0;
    for (uint32_t i = first; i < end; i++)
        bits += 8.0 * (double)stream->record[i].size_B;
    return bits * fps / (end - first);
}

double
rate_stream_worst_bps(const struct rate_stream *stream, uint32_t first, uint32_t end,
                      uint32_t window, double fps)
{
    double worst = 0;
    for (uint32_t i = first; i + window <= end; i++)
        worst = fmax(worst, rate_stream_bps(stream, i, i + window, fps));
    return worst;
}

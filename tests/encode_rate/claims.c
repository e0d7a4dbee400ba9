/* SPDX-License-Identifier: MIT */
/* Rate control keeps its promises: the mean rate is the one that was asked for, no second of a
 * constant rate has a fifth more, the buffer never runs dry, limits of quantisers and sizes hold,
 * and a change takes effect without a key picture. All streams are decoded, too.
 *
 * Each codec's tests build this with a rate_stream.c of their own.
 *
 * usage: codec_aom_rate, codec_kvazaar_rate [CASES]
 *   CASES   so many periods and scenes (default: all)
 */
#include "stream.h"

#include "tests/test.h"

#include <math.h>

#define FPS RATE_STREAM_FPS
#define WIDTH 192
#define HEIGHT 128
#define PICTURES 300
#define CBR_MEAN 0.02
#define CBR_SECOND 1.2
#define VBR_MEAN 0.04

static struct rate_stream stream;

static void
require(bool holds, const char *claim, double found, double expected)
{
    if (holds)
        return;
    (void)fprintf(stderr, "%s: %.4f, expected %.4f\n", claim, found, expected);
    test_fail();
}

static struct rate_stream_options
options_of(const struct rp_rate_settings *rate)
{
    return (struct rate_stream_options){
        .width_px = WIDTH,
        .height_px = HEIGHT,
        .picture_count = PICTURES,
        .quality_level = rate_stream_codec.quality_level,
        .rate = *rate,
    };
}

struct rate_case {
    uint64_t bps;
    uint32_t period;
    uint32_t b_run;
    enum rate_scene scene;
    uint32_t scene_length;
    uint32_t bit_depth;
    uint32_t picture_count;
};

static struct rate_stream_options
options_of_case(const struct rate_case *c, enum rp_rate_mode mode)
{
    struct rp_rate_settings rate =
        rate_stream_settings(mode, c->bps, mode == RP_RATE_VBR ? 2 * c->bps : c->bps);
    rate.gop_frame_count = rate.idr_period = c->period;
    rate.consecutive_b_frame_count = c->b_run;
    struct rate_stream_options o = options_of(&rate);
    o.period = c->period;
    o.b_run = c->b_run;
    o.scene = c->scene;
    o.scene_length = c->scene_length;
    o.bit_depth =
        c->bit_depth < rate_stream_codec.bit_depth ? c->bit_depth : rate_stream_codec.bit_depth;
    o.picture_count = c->picture_count;
    return o;
}

/* Periods and scenes of constant and variable rates. Of the slow scene each eighth picture alone
 * has anything. */
static const struct rate_case cases[] = {
    {300000, 0, 0, RATE_SCENE_MOVING, 0, 8, 300},   {150000, 60, 0, RATE_SCENE_FAST, 0, 8, 300},
    {400000, 60, 2, RATE_SCENE_MOVING, 0, 10, 300}, {300000, 60, 0, RATE_SCENE_MOVING, 50, 8, 400},
    {1000000, 60, 0, RATE_SCENE_MOVING, 0, 8, 300}, {100000, 0, 0, RATE_SCENE_SLOW, 0, 8, 900},
    {300000, 12, 0, RATE_SCENE_FAST, 0, 8, 300},    {200000, 30, 1, RATE_SCENE_MOVING, 0, 8, 300},
    {600000, 0, 3, RATE_SCENE_FAST, 0, 8, 300},     {200000, 250, 0, RATE_SCENE_SLOW, 40, 8, 300},
};
#define CASES (sizeof(cases) / sizeof(cases[0]))

static void
a_constant_rate_is_held(const struct rate_case *c)
{
    const struct rate_stream_options o = options_of_case(c, RP_RATE_CBR);
    rate_stream_run(&o, &stream);
    const double mean = rate_stream_bps(&stream, 0, stream.count) / (double)c->bps;
    const double worst = rate_stream_worst_bps(&stream, 0, stream.count, FPS);
    require(fabs(mean - 1) <= CBR_MEAN, "the mean rate", mean, 1);
    require(worst <= CBR_SECOND * (double)c->bps, "a second", worst / (double)c->bps, CBR_SECOND);
}

static void
a_variable_rate_has_its_mean(const struct rate_case *c)
{
    const struct rate_stream_options o = options_of_case(c, RP_RATE_VBR);
    rate_stream_run(&o, &stream);
    const double mean = rate_stream_bps(&stream, 0, stream.count) / (double)c->bps;
    require(fabs(mean - 1) <= VBR_MEAN, "the mean rate", mean, 1);
}

/* Pictures from a second after the change on, any second of them and all. */
static void
require_settled(uint32_t first, uint32_t end, uint64_t bps)
{
    const double mean = rate_stream_bps(&stream, first + FPS, end) / (double)bps;
    require(fabs(mean - 1) <= 0.05, "the mean after a change", mean, 1);
    for (uint32_t i = first + FPS; i + FPS <= end; i++) {
        const double second = rate_stream_bps(&stream, i, i + FPS) / (double)bps;
        require(fabs(second - 1) <= 0.2, "a second after a change", second, 1);
    }
}

static void
a_change_settles_within_a_second(enum rp_rate_mode mode)
{
    static const uint64_t rates[] = {400000, 120000, 600000};
    const uint32_t times = mode == RP_RATE_VBR ? 2 : 1;
    const struct rp_rate_settings rate = rate_stream_settings(mode, rates[0], times * rates[0]);
    struct rate_stream_options o = options_of(&rate);

    o.change_count = 2;
    for (uint32_t i = 0; i < 2; i++) {
        o.change[i].picture = 100 * (i + 1);
        o.change[i].rate = rate_stream_settings(mode, rates[i + 1], times * rates[i + 1]);
    }
    rate_stream_run(&o, &stream);
    require_settled(100, 200, rates[1]);
    require_settled(200, 300, rates[2]);
    for (uint32_t i = 1; i < stream.count; i++)
        REQUIRE(stream.record[i].type == RP_RATE_P);
}

/* Rates far above and below what the bounds allow, which change in mid-stream. */
static void
bounds_of_quantisers_hold(enum rp_rate_mode mode, uint64_t bps)
{
    const struct rate_stream_codec *codec = &rate_stream_codec;
    struct rp_rate_settings rate = rate_stream_settings(mode, bps, bps);
    struct rate_stream_options o = options_of(&rate);

    o.picture_count = 90;
    o.period = 30;
    o.b_run = 1;
    rate.layer[0].has_min_qp = rate.layer[0].has_max_qp = true;
    for (uint32_t k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < RP_RATE_TYPES; i++) {
            rate.layer[0].min_qp[i] = codec->low_q[k][i];
            rate.layer[0].max_qp[i] = codec->high_q[k][i];
        }
        if (k == 0)
            o.rate = rate;
        o.change[0].rate = rate;
    }
    o.change_count = 1;
    o.change[0].picture = 50;
    rate_stream_run(&o, &stream);
    for (uint32_t i = 0; i < stream.count; i++) {
        const struct rate_record *r = &stream.record[i];
        REQUIRE((int32_t)r->min_q >= codec->low_q[i >= 50][r->type]);
        REQUIRE((int32_t)r->max_q <= codec->high_q[i >= 50][r->type]);
    }
}

/* More than there is to spend: the finest quantiser is none without loss unless it is asked for. */
static void
the_finest_quantiser_is_reached(void)
{
    const uint32_t finest = (uint32_t)rate_stream_codec.finest_q;
    struct rp_rate_settings rate = rate_stream_settings(RP_RATE_VBR, 50000000, 100000000);
    struct rate_stream_options o = options_of(&rate);

    o.picture_count = 12;
    rate_stream_run(&o, &stream);
    for (uint32_t i = 0; i < stream.count; i++)
        REQUIRE(stream.record[i].min_q == finest && stream.record[i].max_q == finest);
    o.rate.layer[0].has_max_qp = true;
    memset(o.rate.layer[0].max_qp, 0, sizeof(o.rate.layer[0].max_qp));
    rate_stream_run(&o, &stream);
    for (uint32_t i = 0; i < stream.count; i++)
        REQUIRE(stream.record[i].min_q == 0 && stream.record[i].max_q == 0);
}

static void
limits_of_sizes_hold(enum rp_rate_mode mode)
{
    static const uint64_t limits[RP_RATE_TYPES] = {
        [RP_RATE_P] = 1500, [RP_RATE_B] = 400, [RP_RATE_I] = 3000};
    struct rp_rate_settings rate = rate_stream_settings(mode, 500000, 1000000);
    for (uint32_t i = 0; i < RP_RATE_TYPES; i++)
        rate.layer[0].max_frame_size_B[i] = limits[i];
    struct rate_stream_options o = options_of(&rate);
    uint64_t most[RP_RATE_TYPES] = {0};

    o.picture_count = 120;
    o.period = 40;
    o.b_run = 2;
    o.scene_length = 50;
    rate_stream_run(&o, &stream);
    for (uint32_t i = 0; i < stream.count; i++) {
        const struct rate_record *r = &stream.record[i];
        REQUIRE(r->size_B <= limits[r->type] || r->max_q == (uint32_t)rate_stream_codec.max_q);
        most[r->type] = r->size_B > most[r->type] ? r->size_B : most[r->type];
    }
    for (uint32_t i = 0; i < RP_RATE_TYPES; i++) /* they are made use of */
        require(2 * most[i] >= limits[i], "the largest picture", (double)most[i],
                (double)limits[i]);
}

/* The leaky bucket of the settings, filled at the greatest rate. */
static void
the_buffer_never_runs_dry(enum rp_rate_mode mode, uint32_t buffer_ms)
{
    const double bps = 250000, max_bps = mode == RP_RATE_VBR ? 400000 : bps;
    struct rp_rate_settings rate = rate_stream_settings(mode, (uint64_t)bps, (uint64_t)max_bps);
    rate.virtual_buffer_ms = buffer_ms;
    rate.initial_virtual_buffer_ms = buffer_ms / 2;
    struct rate_stream_options o = options_of(&rate);

    o.period = 50;
    o.picture_count = 150;
    o.scene_length = 40;
    rate_stream_run(&o, &stream);
    const double size = bps * buffer_ms / 1000;
    double fill = size / 2;
    for (uint32_t i = 0; i < stream.count; i++) {
        fill -= 8.0 * (double)stream.record[i].size_B;
        if (stream.record[i].min_q < (uint32_t)rate_stream_codec.max_q)
            require(fill >= 0, "bits in the buffer", fill, 0);
        fill = fmin(fmax(fill, 0) + max_bps / FPS, size);
    }
}

/* What black leaves is not all spent on what comes after it, and nothing is divided by nothing. */
static void
black_takes_nothing(void)
{
    const struct rp_rate_settings rate = rate_stream_settings(RP_RATE_CBR, 300000, 300000);
    struct rate_stream_options o = options_of(&rate);

    o.scene = RATE_SCENE_BLACK;
    o.picture_count = 60;
    rate_stream_run(&o, &stream);
    require(rate_stream_bps(&stream, 0, stream.count) < 30000, "the rate of black",
            rate_stream_bps(&stream, 0, stream.count), 0);
}

/* Each layer has its rate, the stream theirs together. */
static void
layers_have_their_rates(uint32_t count)
{
    static const uint64_t bps[2][3] = {{300000, 150000, 0}, {200000, 80000, 120000}};
    struct rp_rate_settings rate = rate_stream_settings(RP_RATE_CBR, 1, 1);
    double size_B[3] = {0}, sum_bps = 0;

    rate.layer_count = count;
    for (uint32_t i = 0; i < count; i++) {
        rate.layer[i] = rate.layer[0];
        rate.layer[i].average_bps = rate.layer[i].max_bps = bps[count - 2][i];
        rate.layer[i].frame_rate_numerator = FPS;
        rate.layer[i].frame_rate_denominator = 1u << (count - (i > 0 ? i : 1));
        sum_bps += (double)bps[count - 2][i];
    }
    struct rate_stream_options o = options_of(&rate);
    o.layer_count = count;
    o.period = 80;
    rate_stream_run(&o, &stream);
    for (uint32_t i = 0; i < stream.count; i++)
        size_B[stream.record[i].layer] += (double)stream.record[i].size_B;
    for (uint32_t i = 0; i < count; i++) {
        const double found = 8 * size_B[i] * FPS / stream.count / (double)bps[count - 2][i];
        require(fabs(found - 1) <= 0.05, "the rate of a layer", found, 1);
    }
    const double mean = rate_stream_bps(&stream, 0, stream.count) / sum_bps;
    require(fabs(mean - 1) <= CBR_MEAN, "the rate of all layers", mean, 1);
    require(rate_stream_worst_bps(&stream, 0, stream.count, FPS) <= CBR_SECOND * sum_bps,
            "a second of all layers",
            rate_stream_worst_bps(&stream, 0, stream.count, FPS) / sum_bps, CBR_SECOND);
}

static void
equal_settings_change_nothing(void)
{
    const struct rp_rate_settings rate = rate_stream_settings(RP_RATE_CBR, 300000, 300000);
    struct rate_stream_options o = options_of(&rate);

    o.picture_count = 40;
    rate_stream_run(&o, &stream);
    const uint64_t hash = stream.hash;
    o.change_count = 1;
    o.change[0].picture = 20;
    o.change[0].rate = rate;
    rate_stream_run(&o, &stream);
    REQUIRE(stream.hash == hash);
    o.change[0].rate.layer[0].average_bps = 299999;
    rate_stream_run(&o, &stream);
    REQUIRE(stream.hash != hash);
}

static void
run_case(const struct rate_case *c)
{
    RUN(a_constant_rate_is_held, c);
    RUN(a_variable_rate_has_its_mean, c);
}

int
main(int argc, char **argv)
{
    const uint32_t count = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : CASES;
    for (uint32_t i = 0; i < count && i < CASES; i++)
        run_case(&cases[i]);
    RUN(a_change_settles_within_a_second, RP_RATE_CBR);
    RUN(a_change_settles_within_a_second, RP_RATE_VBR);
    RUN(bounds_of_quantisers_hold, RP_RATE_CBR, 20000);
    RUN(bounds_of_quantisers_hold, RP_RATE_VBR, 5000000);
    RUN(the_finest_quantiser_is_reached);
    RUN(limits_of_sizes_hold, RP_RATE_CBR);
    RUN(limits_of_sizes_hold, RP_RATE_VBR);
    RUN(the_buffer_never_runs_dry, RP_RATE_CBR, 300);
    RUN(the_buffer_never_runs_dry, RP_RATE_VBR, 500);
    RUN(black_takes_nothing);
    RUN(layers_have_their_rates, 2);
    RUN(layers_have_their_rates, 3);
    RUN(equal_settings_change_nothing);
    return 0;
}

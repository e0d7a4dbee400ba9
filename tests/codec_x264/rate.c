/* SPDX-License-Identifier: MIT */
/* Rate control keeps its promises: the buffer never runs dry, the average is that asked for, limits
 * of QP and size hold, and a change takes effect without an IDR picture.
 */
#include "app.h"
#include "decoder.h"
#include "structures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FPS 30
#define BUFFER_MS 1000

static uint32_t failed_count;

static void
require(bool holds, const char *claim, double found, double expected)
{
    if (holds)
        return;
    fprintf(stderr, "FAILED: %s: %.3f, expected %.3f\n", claim, found, expected);
    failed_count++;
}

static struct rp_rate_settings
settings(enum rp_rate_mode mode, uint64_t average_bps, uint64_t max_bps)
{
    struct rp_rate_settings s = {
        .mode = mode,
        .layer_count = 1,
        .virtual_buffer_ms = BUFFER_MS,
        .initial_virtual_buffer_ms = BUFFER_MS * 3 / 4,
    };
    s.layer[0] = (struct rp_rate_layer){
        .average_bps = average_bps,
        .max_bps = max_bps,
        .frame_rate_numerator = FPS,
        .frame_rate_denominator = 1,
        .max_qp = {51, 51, 51},
    };
    return s;
}

static struct app *
code(const char *structure, const struct app_options *options)
{
    struct app *app = structure_code(structure_find(structure), options);
    require(app_status(app) == RP_CODEC_OK, "status", app_status(app), RP_CODEC_OK);
    require(decoder_check(app) == 0, "the stream is exact", 1, 0);
    return app;
}

static double
mean_bps(const struct app *app, uint32_t first, uint32_t end)
{
    uint32_t count;
    const struct app_record *records = app_records(app, &count);
    size_t size_B = 0;

    for (uint32_t i = first; i < end && i < count; i++)
        size_B += records[i].size_B;
    return 8.0 * (double)size_B * FPS / (end - first);
}

/* Bits that are missing when the decoder takes a picture from its buffer, at worst. */
static double
worst_underflow_from(const struct app *app, double initial_bits, double rate_bps, double buffer_s,
                     uint32_t fps)
{
    uint32_t count;
    const struct app_record *records = app_records(app, &count);
    double fill = initial_bits;
    double worst = 0;

    for (uint32_t i = 0; i < count; i++) {
        fill -= 8.0 * (double)records[i].size_B;
        worst = fmax(worst, -fill);
        fill = fmin(fill + rate_bps / fps, rate_bps * buffer_s);
    }
    return worst;
}

static double
worst_underflow(const struct app *app, double rate_bps, double buffer_s, uint32_t fps)
{
    return worst_underflow_from(app, 0.75 * rate_bps * buffer_s, rate_bps, buffer_s, fps);
}

static const struct app_options base = {
    .width = 192,
    .height = 128,
    .picture_count = 150,
    .max_refs = 2,
    .quality = 2,
};

struct cbr_case {
    const char *structure;
    uint64_t bps;
    uint32_t fps;
    uint32_t buffer_ms;
    uint32_t threads;
    double tolerance; /* of any five seconds */
    uint32_t gop;     /* as the application says; 0: nothing */
};

static void
require_even_rate(const struct app *app, const struct cbr_case *c)
{
    const double scale = (double)c->fps / FPS; /* mean_bps() counts 30 pictures a second */
    const double bps = (double)c->bps;
    const uint32_t window = 5 * c->fps;
    uint32_t picture_count;

    (void)app_records(app, &picture_count);
    const double whole = mean_bps(app, 0, picture_count) * scale;
    require(fabs(whole / bps - 1) < 0.03, "CBR: mean rate", whole, bps);
    for (uint32_t i = 0; i + window <= picture_count; i++) {
        const double mean = mean_bps(app, i, i + window) * scale;
        require(fabs(mean / bps - 1) < c->tolerance, "CBR: rate of five seconds", mean, bps);
    }
}

static void
cbr_holds_rate_and_buffer(const struct cbr_case *c)
{
    struct rp_rate_settings cbr = settings(RP_RATE_CBR, c->bps, c->bps);
    cbr.virtual_buffer_ms = c->buffer_ms;
    cbr.initial_virtual_buffer_ms = c->buffer_ms * 3 / 4;
    cbr.layer[0].frame_rate_numerator = c->fps;
    cbr.gop_frame_count = cbr.idr_period = c->gop;
    struct app_options options = base;
    options.rate = &cbr;
    options.threads = c->threads;
    options.picture_count = 300;
    options.max_refs = 5;

    const uint32_t failed_before = failed_count;
    struct app *app = code(c->structure, &options);
    require_even_rate(app, c);
    const double underflow = worst_underflow(app, (double)c->bps, c->buffer_ms / 1000.0, c->fps);
    require(underflow <= 0, "CBR: bits missing in the buffer", underflow, 0);
    if (failed_count != failed_before)
        fprintf(stderr, "  in: %s, %llu bit/s\n", c->structure, (unsigned long long)c->bps);
    app_destroy(app);
}

/* A twelfth of the virtual buffer is what the HRD of the SPS has. */
static void
the_hrd_of_the_sps_holds(void)
{
    struct rp_rate_settings vbr = settings(RP_RATE_VBR, 600000, 2400000);
    struct app_options options = base;
    vbr.hrd_bps = 660000;
    vbr.hrd_buffer_bits = 50000;
    vbr.initial_virtual_buffer_ms = 62;
    options.rate = &vbr;

    struct app *app = code("short-gops", &options);
    const double underflow = worst_underflow(app, 660000, 50000 / 660000.0, FPS);
    require(underflow <= 0, "HRD: bits missing in the buffer", underflow, 0);
    app_destroy(app);
}

static void
filler_makes_the_rate_constant(void)
{
    struct rp_rate_settings cbr = settings(RP_RATE_CBR, 15000000, 15000000);
    struct app_options options = base;
    cbr.wants_filler = true;
    cbr.virtual_buffer_ms = 200;
    cbr.initial_virtual_buffer_ms = 150;
    options.picture_count = 40;
    options.rate = &cbr;

    struct app *app = code("ippp", &options);
    const double mean = mean_bps(app, 10, 40);
    require(fabs(mean / 15e6 - 1) < 0.02, "filler: mean rate", mean, 15e6);
    app_destroy(app);
}

/* Clips of any length from two seconds are the beginnings of one. */
static void
vbr_holds_its_average(const char *structure, uint32_t gop, uint64_t bps)
{
    static const uint32_t lengths[] = {60, 75, 90, 120, 150, 240};
    struct rp_rate_settings vbr = settings(RP_RATE_VBR, bps, 2 * bps);
    struct app_options options = base;
    vbr.gop_frame_count = vbr.idr_period = gop;
    options.picture_count = 240;
    options.rate = &vbr;

    struct app *app = code(structure, &options);
    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        const double mean = mean_bps(app, 0, lengths[i]);
        const bool is_held = fabs(mean / (double)bps - 1) < 0.05;
        require(is_held, "VBR: mean rate", mean, (double)bps);
        if (!is_held)
            fprintf(stderr, "  in: %s, %u pictures\n", structure, lengths[i]);
    }
    app_destroy(app);
}

/* Level 1.1 would allow them half of the bits. */
static void
pictures_beyond_their_level_have_the_rate(void)
{
    const struct rp_rate_settings vbr = settings(RP_RATE_VBR, 9000000, 18000000);
    struct app_options options = base;
    options.width = 640;
    options.height = 480;
    options.picture_count = 60;
    options.level = STD_VIDEO_H264_LEVEL_IDC_1_1;
    options.rate = &vbr;

    struct app *app = code("intra", &options);
    const double mean = mean_bps(app, 0, 60);
    require(fabs(mean / 9000000 - 1) < 0.05, "VBR: mean rate beyond the level", mean, 9000000);
    app_destroy(app);
}

/* A picture is most of the buffer, and uses it. */
static void
a_tiny_buffer_is_used(uint64_t bps)
{
    struct rp_rate_settings vbr = settings(RP_RATE_VBR, bps, bps);
    struct app_options options = base;
    vbr.virtual_buffer_ms = 100;
    vbr.initial_virtual_buffer_ms = 75;
    options.rate = &vbr;

    struct app *app = code("ippp", &options);
    const double mean = mean_bps(app, 0, options.picture_count);
    require(mean > 0.98 * (double)bps, "tiny buffer: mean rate", mean, (double)bps);
    const double underflow = worst_underflow(app, (double)bps, 0.1, FPS);
    require(underflow <= 0, "tiny buffer: bits missing", underflow, 0);
    app_destroy(app);
}

static void
a_switch_takes_effect(enum rp_rate_mode mode, uint64_t before_bps, uint64_t after_bps,
                      double tolerance)
{
    const uint64_t factor = mode == RP_RATE_CBR ? 1 : 2;
    const struct rp_rate_settings before = settings(mode, before_bps, factor * before_bps);
    const struct rp_rate_settings after = settings(mode, after_bps, factor * after_bps);
    struct app_options options = base;
    options.rate = &before;
    options.later_rates = &(struct app_rate_step){75, &after};
    options.later_rate_count = 1;

    struct app *app = code("ippp", &options);
    const double mean = mean_bps(app, 85, 150);
    require(fabs(mean / (double)after_bps - 1) < 0.1, "switch: rate 10 pictures later", mean,
            (double)after_bps);
    const double first = mean_bps(app, 75, 85);
    require(fabs(first / (double)after_bps - 1) < tolerance,
            "switch: rate of the first 10 pictures", first, (double)after_bps);
    app_destroy(app);
}

/* As many bits a second as before, in more or fewer pictures. */
static void
a_new_frame_rate_keeps_the_rate(uint32_t fps)
{
    const struct rp_rate_settings before = settings(RP_RATE_CBR, 400000, 400000);
    struct rp_rate_settings after = before;
    struct app_options options = base;
    after.layer[0].frame_rate_numerator = fps;
    options.rate = &before;
    options.later_rates = &(struct app_rate_step){60, &after};
    options.later_rate_count = 1;
    options.picture_count = 70 + 5 * fps;

    struct app *app = code("ippp", &options);
    const double mean = mean_bps(app, 70, options.picture_count) * fps / FPS;
    require(fabs(mean / 400000 - 1) < 0.03, "rate after a new frame rate", mean, 400000);
    app_destroy(app);
}

static void
qp_limits_hold(void)
{
    struct rp_rate_settings cbr = settings(RP_RATE_CBR, 100000, 100000);
    struct app_options options = base;
    static const enum rp_rate_type types[RP_RATE_TYPES] = {RP_RATE_I, RP_RATE_P, RP_RATE_B};
    for (int i = 0; i < RP_RATE_TYPES; i++) {
        cbr.layer[0].min_qp[types[i]] = 30 + i;
        cbr.layer[0].max_qp[types[i]] = 34 + i;
    }
    cbr.layer[0].has_min_qp = cbr.layer[0].has_max_qp = true;
    options.picture_count = 40;
    options.rate = &cbr;

    struct app *app = code("ibbp", &options);
    uint32_t count;
    const struct app_record *records = app_records(app, &count);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t type = i == 0 ? 0 : i % 3 == 1 ? 1 : 2; /* I, then P B B */
        require(records[i].result.min_qp >= 30 + type, "least QP", records[i].result.min_qp,
                30 + type);
        require(records[i].result.max_qp <= 34 + type, "greatest QP", records[i].result.max_qp,
                34 + type);
    }
    app_destroy(app);
}

static void
picture_size_limits_hold(void)
{
    struct rp_rate_settings vbr = settings(RP_RATE_VBR, 2000000, 8000000);
    struct app_options options = base;
    vbr.layer[0].max_frame_size_B[RP_RATE_I] = 9000;
    vbr.layer[0].max_frame_size_B[RP_RATE_P] = 6000;
    options.picture_count = 60;
    options.rate = &vbr;

    struct app *app = code("short-gops", &options);
    uint32_t count;
    const struct app_record *records = app_records(app, &count);
    for (uint32_t i = 0; i < count; i++) {
        const double limit_B = i % 5 ? 6000 : 9000;
        require((double)records[i].size_B <= limit_B, "picture's bytes", (double)records[i].size_B,
                limit_B);
    }
    app_destroy(app);
}

/* Two layers of 15 pictures a second each. */
static void
layers_have_rates_of_their_own(void)
{
    struct rp_rate_settings cbr = settings(RP_RATE_CBR, 600000, 600000);
    struct app_options options = base;
    cbr.layer_count = 2;
    cbr.layer[0].frame_rate_numerator = 15;
    cbr.layer[1] = cbr.layer[0];
    cbr.layer[1].average_bps = cbr.layer[1].max_bps = 200000;
    options.rate = &cbr;
    options.has_temporal_layers = true;

    struct app *app = code("hierarchical-p", &options);
    uint32_t count;
    const struct app_record *records = app_records(app, &count);
    double size_bits[2] = {0, 0};
    for (uint32_t i = 0; i < count; i++)
        size_bits[records[i].layer] += 8.0 * (double)records[i].size_B;
    const double seconds = (double)count / FPS;
    require(fabs(size_bits[0] / seconds / 600000 - 1) < 0.05, "layer 0: rate",
            size_bits[0] / seconds, 600000);
    require(fabs(size_bits[1] / seconds / 200000 - 1) < 0.05, "layer 1: rate",
            size_bits[1] / seconds, 200000);
    app_destroy(app);
}

/* Two layers of five pictures a second each, the first with most of the rate. */
static struct rp_rate_settings
slow_layers(uint64_t bps, uint32_t buffer_ms, uint32_t initial_ms)
{
    struct rp_rate_settings cbr = settings(RP_RATE_CBR, bps * 85 / 100, bps * 85 / 100);
    cbr.virtual_buffer_ms = buffer_ms;
    cbr.initial_virtual_buffer_ms = initial_ms;
    cbr.layer_count = 2;
    cbr.layer[0].frame_rate_numerator = 5;
    cbr.layer[1] = cbr.layer[0];
    cbr.layer[1].average_bps = cbr.layer[1].max_bps = bps * 15 / 100;
    return cbr;
}

/* A picture of the first layer is worth more time of its own rate than the buffer of all gets in
 * one, or holds at all. An empty buffer begins with one picture's time. */
static void
layers_share_one_buffer(uint64_t bps, uint32_t buffer_ms, uint32_t initial_ms, bool has_filler)
{
    const uint32_t fps = 10;
    const double rate = (double)bps;
    struct rp_rate_settings cbr = slow_layers(bps, buffer_ms, initial_ms);
    struct app_options options = base;
    cbr.wants_filler = has_filler;
    options.rate = &cbr;
    options.has_temporal_layers = true;

    struct app *app = code("hierarchical-p", &options);
    const double initial_bits = fmax(initial_ms / 1000.0 * rate, rate / fps);
    const double underflow = worst_underflow_from(app, initial_bits, rate, buffer_ms / 1000.0, fps);
    require(underflow <= 0, "layers: bits missing in the buffer", underflow, 0);
    const double mean = mean_bps(app, 0, options.picture_count) * fps / FPS;
    if (buffer_ms >= 300)
        require(fabs(mean / rate - 1) < 0.03, "layers: rate of all", mean, rate);
    app_destroy(app);
}

static uint32_t
first_size_B(const struct rp_rate_settings *rate, uint32_t picture)
{
    struct app_options options = base;
    options.rate = rate;
    options.picture_count = 12;

    struct app *app = code("short-gops", &options);
    uint32_t count;
    const uint32_t size_B = (uint32_t)app_records(app, &count)[picture].size_B;
    app_destroy(app);
    return size_B;
}

/* An occupancy of 0 is no decoder's. */
static void
an_initial_buffer_of_zero_is_not_said(void)
{
    struct rp_rate_settings said = settings(RP_RATE_CBR, 300000, 300000);
    struct rp_rate_settings not_said = said;
    not_said.initial_virtual_buffer_ms = 0;

    const uint32_t expected_B = first_size_B(&said, 0);
    const uint32_t found_B = first_size_B(&not_said, 0);
    require(found_B == expected_B, "bytes with a buffer of 0 ms at first", found_B, expected_B);
}

/* Intra pictures come every 5 pictures: as groups of pictures do, or unannounced. */
static void
intra_pictures_are_never_starved(uint32_t gop, uint32_t idr)
{
    struct rp_rate_settings cbr = settings(RP_RATE_CBR, 120000, 120000);
    struct app_options options = base;
    cbr.gop_frame_count = gop;
    cbr.idr_period = idr;
    options.rate = &cbr;

    struct app *app = code("short-gops", &options);
    uint32_t count;
    const struct app_record *records = app_records(app, &count);
    for (uint32_t i = 5; i < count; i += 5)
        require(records[i].result.average_qp <= 48, "QP of an intra picture",
                records[i].result.average_qp, 48);
    app_destroy(app);
}

/* 300 bytes of each access unit are the application's own, a third of the rate. */
static void
what_others_write_counts(void)
{
    const double others_bps = 8.0 * 300 * FPS;
    const struct rp_rate_settings cbr = settings(RP_RATE_CBR, 240000, 240000);
    struct app_options options = base;
    options.rate = &cbr;
    options.preceding_B = 300;

    struct app *app = code("ippp", &options);
    const double mean = mean_bps(app, 0, options.picture_count);
    require(fabs((mean + others_bps) / 240000 - 1) < 0.03, "rate with bytes of others",
            mean + others_bps, 240000);
    app_destroy(app);
}

/* Numbers that nobody means: the stream is exact, and the next rate is obeyed as ever. */
static void
absurd_settings_do_no_harm(void)
{
    static const struct {
        uint64_t bps;
        uint32_t fps_num, fps_den, buffer_ms, initial_ms, gop;
    } cases[] = {
        {1, 30, 1, 1, 1, 1},
        {800000000, 1, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX},
        {1, UINT32_MAX, 1, UINT32_MAX, 0, UINT32_MAX},
        {UINT64_MAX, UINT32_MAX, UINT32_MAX, 1, UINT32_MAX, 2},
        {1000, 1, 1, 0, 0, 7},
    };
    const struct rp_rate_settings after = settings(RP_RATE_CBR, 400000, 400000);

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct rp_rate_settings absurd =
            settings(i & 1 ? RP_RATE_VBR : RP_RATE_CBR, cases[i].bps, cases[i].bps);
        struct app_options options = base;
        absurd.layer[0].frame_rate_numerator = cases[i].fps_num;
        absurd.layer[0].frame_rate_denominator = cases[i].fps_den;
        absurd.virtual_buffer_ms = cases[i].buffer_ms;
        absurd.initial_virtual_buffer_ms = cases[i].initial_ms;
        absurd.gop_frame_count = absurd.consecutive_b_frame_count = cases[i].gop;
        options.rate = &absurd;
        options.later_rates = &(struct app_rate_step){10, &after};
        options.later_rate_count = 1;
        options.picture_count = 100;

        struct app *app = code("ibbp", &options);
        const double mean = mean_bps(app, 25, 100);
        require(fabs(mean / 400000 - 1) < 0.1, "rate after an absurd one", mean, 400000);
        app_destroy(app);
    }
}

static void
maps_go_with_rates(void)
{
    const struct rp_rate_settings vbr = settings(RP_RATE_VBR, 500000, 1000000);
    struct app_options options = base;
    options.picture_count = 40;
    options.rate = &vbr;
    options.has_map = true;
    options.has_emphasis = true;
    options.slice_count = 3;

    app_destroy(code("ibbp", &options));
}

/* Bits of one of their rows, times its cost, are more than an int holds: UBSan tells. */
static void
wide_pictures_keep_to_the_buffer(uint32_t slice_count)
{
    const struct rp_rate_settings cbr = settings(RP_RATE_CBR, 40000000, 40000000);
    struct app_options options = base;
    options.width = 8192;
    options.height = 64;
    options.picture_count = 20;
    options.cut_period = 7;
    options.slice_count = slice_count;
    options.rate = &cbr;

    struct app *app = code("ippp", &options);
    const double worst = worst_underflow(app, 40000000, 1, FPS);
    require(worst <= 0, "buffer of wide pictures", worst, 0);
    app_destroy(app);
}

int
main(void)
{
    static const struct cbr_case cases[] = {
        {"ippp", 300000, 30, 1000, 0, 0.024, 0},
        {"ippp", 1500000, 30, 1000, 3, 0.024, 0},
        {"short-gops", 800000, 30, 1000, 0, 0.025, 0},
        {"short-gops", 60000, 5, 2000, 0, 0.03, 5},
        {"long-gops", 200000, 30, 1000, 0, 0.03, 0},
        {"long-gops", 150000, 10, 2000, 0, 0.03, 0},
        {"long-gops", 100000, 5, 2000, 0, 0.03, 0},
        {"long-gops", 400000, 49, 1000, 0, 0.03, 0},
        {"intra", 2000000, 30, 1000, 0, 0.02, 0},
        {"ibbp", 800000, 30, 1000, 2, 0.025, 0},
        {"ibbp", 400000, 15, 200, 0, 0.03, 0},
        {"pyramid", 800000, 30, 1000, 0, 0.03, 0},
        {"pyramid", 800000, 30, 200, 0, 0.035, 0},
        {"hierarchical-p", 500000, 30, 1000, 0, 0.03, 0},
        {"low-delay-b", 800000, 30, 1000, 0, 0.025, 0},
        {"random", 800000, 30, 1000, 3, 0.03, 0},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        cbr_holds_rate_and_buffer(&cases[i]);
    the_hrd_of_the_sps_holds();
    filler_makes_the_rate_constant();
    vbr_holds_its_average("ippp", 0, 600000);
    vbr_holds_its_average("ippp", 0, 150000);
    vbr_holds_its_average("long-gops", 0, 400000);
    vbr_holds_its_average("short-gops", 5, 800000);
    vbr_holds_its_average("intra", 1, 1000000);
    vbr_holds_its_average("intra", 1, 3000000);
    vbr_holds_its_average("intra", 1, 500000);
    vbr_holds_its_average("short-gops", 5, 200000);
    pictures_beyond_their_level_have_the_rate();
    a_tiny_buffer_is_used(300000);
    a_tiny_buffer_is_used(600000);
    a_switch_takes_effect(RP_RATE_CBR, 400000, 1200000, 0.25);
    a_switch_takes_effect(RP_RATE_CBR, 1200000, 400000, 0.25);
    a_switch_takes_effect(RP_RATE_VBR, 200000, 1600000, 0.05);
    a_switch_takes_effect(RP_RATE_VBR, 1600000, 200000, 0.15);
    a_switch_takes_effect(RP_RATE_VBR, 120000, 1200000, 0.05);
    a_switch_takes_effect(RP_RATE_VBR, 900000, 300000, 0.05);
    a_new_frame_rate_keeps_the_rate(10);
    a_new_frame_rate_keeps_the_rate(60);
    qp_limits_hold();
    picture_size_limits_hold();
    layers_have_rates_of_their_own();
    layers_share_one_buffer(100000, 1000, 1, false);
    layers_share_one_buffer(100000, 300, 200, false);
    layers_share_one_buffer(100000, 130, 130, false);
    layers_share_one_buffer(6000000, 500, 300, true);
    what_others_write_counts();
    an_initial_buffer_of_zero_is_not_said();
    intra_pictures_are_never_starved(5, 60);
    intra_pictures_are_never_starved(60, 60);
    absurd_settings_do_no_harm();
    maps_go_with_rates();
    wide_pictures_keep_to_the_buffer(1);
    wide_pictures_keep_to_the_buffer(4);
    return failed_count > 0;
}

/* SPDX-License-Identifier: MIT */
/* Random settings of rate control, changed in mid stream, for random structures of I and P pictures
 * in one to four layers or B pictures that are referred to: the buffer holds, filler fills it,
 * limits of QP and size hold, five seconds have the rate where content and limits let them, and the
 * stream is exact.
 *
 * usage: rate_random [--tall] --count COUNT | SEED
 *   --tall   pictures high enough to be coded side by side, which must not change their bytes
 *   --count  the streams of the seeds from 1 to COUNT
 *   SEED     this one only, with a line for each of its pictures
 */
#include "app.h"
#include "content.h"
#include "decoder.h"
#include "rate_check.h"
#include "structures.h"

#include "reelpipe/codec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW_SEEDS 60   /* of so many, some promise a rate over five seconds */
#define FILLER_SEED 60224 /* filler of a few bits too many in each of 340 pictures */
#define LAYERS_SEED 6641  /* tall: one layer, one picture of three, one again */
#define MAX_STEPS 4
#define WINDOW_TOLERANCE 0.03
#define LEAST_PICTURE_B 400 /* smaller ones differ by half from one to the next */
#define LEAST_FPS 15        /* of fewer, one that flashes is much of five seconds */

#define I STD_VIDEO_H264_SLICE_TYPE_I
#define P STD_VIDEO_H264_SLICE_TYPE_P

/* Layers of pictures, over and over. */
struct pattern {
    uint32_t length;
    uint32_t layer[8];
};

static const struct pattern patterns[] = {
    {1, {0}},          {1, {0}},          {1, {0}},
    {1, {0}},          {2, {0, 1}},       {3, {0, 1, 1}},
    {4, {0, 2, 1, 2}}, {4, {0, 1, 2, 3}}, {8, {0, 3, 2, 3, 1, 3, 2, 3}},
};

struct stream {
    uint32_t random;
    bool is_plain; /* nothing that would keep it from its rate */
    struct app_options options;
    const struct pattern *pattern;
    const struct structure *structure; /* or NULL: I and P pictures by the pattern */
    uint32_t period;                   /* from I picture to I picture */
    bool has_open_gops;                /* only the first of them is IDR */
    struct rp_rate_settings rate[MAX_STEPS + 1];
    struct app_rate_step step[MAX_STEPS];
};

static uint32_t
below(struct stream *s, uint32_t end)
{
    return (content_random(&s->random) >> 7) % end;
}

static bool
chance(struct stream *s, uint32_t percent)
{
    return below(s, 100) < percent;
}

#define ONE_OF(s, ...) \
    ((const double[]){ \
        __VA_ARGS__})[below(s, sizeof((const double[]){__VA_ARGS__}) / sizeof(double))]

/* In the order in which limits are drawn: seeds mean the same streams as ever. */
static const enum rp_rate_type drawn_types[RP_RATE_TYPES] = {RP_RATE_I, RP_RATE_P, RP_RATE_B};

static void
choose_limits(struct stream *s, struct rp_rate_layer *layer)
{
    const uint32_t kind = s->is_plain ? 12 : below(s, 12);
    const double picture_B = (double)layer->average_bps / 8 * layer->frame_rate_denominator /
                             layer->frame_rate_numerator;

    for (uint32_t k = 0; k < RP_RATE_TYPES; k++) {
        const enum rp_rate_type i = drawn_types[k];
        const int32_t low = (int32_t)below(s, 45);
        layer->max_qp[i] = 51;
        if (kind == 0) /* one QP for each type */
            layer->min_qp[i] = layer->max_qp[i] = low;
        if (kind == 1 || kind == 2)
            layer->min_qp[i] = low;
        if (kind == 1 || kind == 3)
            layer->max_qp[i] = low + (int32_t)below(s, (uint32_t)(52 - low));
    }
    layer->has_min_qp = kind < 3 || kind == 4; /* 4: a limit of 0 */
    layer->has_max_qp = kind < 2 || kind == 3;
    for (uint32_t k = 0; k < RP_RATE_TYPES && !s->is_plain && chance(s, 20); k++)
        layer->max_frame_size_B[drawn_types[k]] =
            (uint64_t)(ONE_OF(s, 0.5, 1, 1.5, 3, 6) * picture_B);
}

/* Pictures a second of a layer, the last one having all of the higher ones too. */
static uint32_t
layer_pictures(const struct pattern *pattern, uint32_t layer, uint32_t layer_count)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < pattern->length; i++) {
        const uint32_t of = pattern->layer[i];
        count += (of < layer_count ? of : layer_count - 1) == layer;
    }
    return count;
}

static uint32_t
pattern_layers(const struct pattern *pattern)
{
    uint32_t most = 0;

    for (uint32_t i = 0; i < pattern->length; i++)
        most = pattern->layer[i] > most ? pattern->layer[i] : most;
    return most + 1;
}

static struct rp_rate_settings
random_settings(struct stream *s)
{
    const uint32_t layers = pattern_layers(s->pattern);
    const uint32_t fps = (uint32_t)ONE_OF(s, 5, 10, 15, 24, 25, 30, 30, 60);
    const double pixels = (double)s->options.width * s->options.height;
    const double bps = pixels * fps * ONE_OF(s, 0.02, 0.06, 0.15, 0.3, 0.6, 1.2);
    struct rp_rate_settings rate = {
        .mode = chance(s, 65) ? RP_RATE_CBR : RP_RATE_VBR,
        .layer_count = layers > 1 && chance(s, 80) ? 1 + below(s, layers) : 1,
        .virtual_buffer_ms = (uint32_t)ONE_OF(s, 1000 / fps, 100, 300, 500, 1000, 1000, 2000, 9000),
        .gop_frame_count = chance(s, 75) ? s->period : below(s, 2) * 30,
    };
    rate.initial_virtual_buffer_ms =
        (uint32_t)ONE_OF(s, 0, 1, 0.5 * rate.virtual_buffer_ms, rate.virtual_buffer_ms);
    rate.idr_period = s->has_open_gops ? 0 : rate.gop_frame_count;
    rate.wants_filler = rate.mode == RP_RATE_CBR && chance(s, 40);
    for (uint32_t l = 0; l < rate.layer_count; l++) {
        struct rp_rate_layer *layer = &rate.layer[l];
        const double share = rate.layer_count == 1 ? 1 : ONE_OF(s, 0.1, 0.3, 0.6);
        layer->average_bps = (uint64_t)fmax(1000, share * bps);
        layer->max_bps = (uint64_t)((double)layer->average_bps * ONE_OF(s, 1, 1.5, 2, 4));
        layer->frame_rate_numerator = fps * layer_pictures(s->pattern, l, rate.layer_count);
        layer->frame_rate_denominator = s->pattern->length;
        choose_limits(s, layer);
    }
    return rate;
}

/* What applications change most; the buffers of the stream hold the filler of 4 bits a pixel. */
static void
change_rate(struct stream *s, struct rp_rate_settings *rate)
{
    const double factor = ONE_OF(s, 0.1, 0.33, 0.67, 1.5, 3, 10);

    for (uint32_t l = 0; l < rate->layer_count; l++) {
        struct rp_rate_layer *layer = &rate->layer[l];
        const double most_bps = 4.0 * s->options.width * s->options.height *
                                layer->frame_rate_numerator / layer->frame_rate_denominator;
        const double bps = fmin(most_bps, (double)layer->average_bps * factor);
        layer->average_bps = (uint64_t)fmax(1000, bps);
        layer->max_bps = (uint64_t)fmax(1000, bps * ONE_OF(s, 1, 2));
    }
}

/* A constant rate that can be reached, and is one of the stream's as it comes. */
static void
make_plain(struct stream *s, struct rp_rate_settings *rate)
{
    rate->mode = RP_RATE_CBR;
    rate->virtual_buffer_ms = 1000;
    rate->initial_virtual_buffer_ms = 750;
    rate->gop_frame_count = s->period;
    rate->idr_period = s->has_open_gops ? 0 : s->period;
    rate->layer[0].average_bps =
        (uint64_t)(s->options.width * s->options.height * 30 * ONE_OF(s, 0.15, 0.3, 0.6));
    rate->layer[0].frame_rate_numerator = 30;
}

static void
choose_steps(struct stream *s)
{
    const uint32_t count = s->is_plain || chance(s, 50) ? 0 : 1 + below(s, MAX_STEPS);

    s->rate[0] = random_settings(s);
    if (s->is_plain)
        make_plain(s, &s->rate[0]);
    s->options.rate = &s->rate[0];
    s->options.later_rates = s->step;
    s->options.later_rate_count = count;
    for (uint32_t i = 0; i < count; i++) {
        s->rate[i + 1] = s->rate[i];
        if (chance(s, 50))
            change_rate(s, &s->rate[i + 1]);
        else
            s->rate[i + 1] = random_settings(s);
        s->step[i].picture = (i + 1) * s->options.picture_count / (count + 1) + below(s, 9);
        s->step[i].rate = chance(s, 20) ? NULL : &s->rate[i + 1];
    }
}

static void
choose_features(struct stream *s)
{
    struct app_options *o = &s->options;

    o->quality = below(s, 5);
    o->is_cavlc = o->quality == 0 || chance(s, 15);
    o->slice_count = chance(s, 20) ? 1 + below(s, 9) : 1;
    o->threads = chance(s, 25) ? 3 : 0;
    o->first_display = below(s, 500);
    if (s->is_plain)
        return;
    o->has_map = chance(s, 10);
    o->has_emphasis = chance(s, 10);
    o->preceding_B = chance(s, 5) ? 30 : 0;
    o->cut_period = chance(s, 15) ? (uint32_t)ONE_OF(s, 3, 17, 60) : 0;
    if (chance(s, 10) && !s->structure) {
        o->refresh = REFRESH_COLUMNS + below(s, 3);
        o->refresh_cycle = 3 + below(s, 6);
    }
}

static void
choose(struct stream *s, uint32_t seed, bool is_tall)
{
    static const char *const others[] = {"ibbp", "pyramid", "low-delay-b", "random"};
    static const uint16_t sizes[2][4][2] = {
        {{64, 48}, {128, 96}, {176, 80}, {80, 144}},
        {{64, 320}, {48, 336}, {80, 400}, {32, 640}},
    };
    const uint16_t *size = sizes[is_tall][seed % 4];

    *s = (struct stream){.random = seed * 2654435761u + 977};
    s->options = (struct app_options){
        .width = size[0],
        .height = size[1],
        .picture_count = (uint32_t)ONE_OF(s, 60, 180, 340) / (is_tall ? 3 : 1),
        .max_refs = 5,
        .seed = seed,
        .log2_max_frame_num = 9,
    };
    s->is_plain = chance(s, 15);
    s->pattern = &patterns[s->is_plain ? 0 : below(s, sizeof(patterns) / sizeof(patterns[0]))];
    s->period = (uint32_t)ONE_OF(s, 1, 5, 12, 25, 30, 48, 60, 300, 300);
    s->period = (s->period + s->pattern->length - 1) / s->pattern->length * s->pattern->length;
    s->has_open_gops = chance(s, 20);
    const char *other = others[below(s, 4)];
    const bool has_b = s->pattern->length == 1 && !s->is_plain && chance(s, is_tall ? 50 : 20);
    for (uint32_t i = 0; i < structure_count && has_b; i++) {
        if (strcmp(structures[i].name, other) == 0)
            s->structure = &structures[i];
    }
    choose_features(s);
    choose_steps(s);
}

/* The newest picture of a lower layer, or of the first one. */
static uint32_t
reference_of(const struct pattern *pattern, uint32_t i)
{
    const uint32_t own = pattern->layer[i % pattern->length];
    uint32_t ref = i - 1;

    while (pattern->layer[ref % pattern->length] >= own && pattern->layer[ref % pattern->length])
        ref--;
    return ref;
}

static void
run(struct stream *s, struct app *app)
{
    const uint32_t layers = pattern_layers(s->pattern);

    if (s->structure) {
        s->structure->run(app);
        return;
    }
    for (uint32_t i = 0; i < s->options.picture_count; i++) {
        const uint32_t layer = s->pattern->layer[i % s->pattern->length];
        const bool is_intra = i % s->period == 0;
        struct app_picture pic = {
            .display = i,
            .slice_type = is_intra ? I : P,
            .nal_ref_idc = layer + 1 < layers || layers == 1,
            .marking.is_idr = is_intra && (i == 0 || !s->has_open_gops),
            .idr_pic_id = i / s->period % 2,
            .temporal_layer = layer,
        };
        pic.poc = pic.marking.is_idr ? 0 : app_poc(app, i);
        if (!is_intra) {
            const int32_t entry = dpb_find_display(app_dpb(app), reference_of(s->pattern, i));
            if (entry < 0)
                abort();
            pic.refs[0][pic.ref_count[0]++] = (uint32_t)entry;
        }
        app_code(app, &pic);
    }
}

/* I and P pictures of one layer, announced as they come, all of whose content is coded alike, and a
 * buffer of more than a few of them; neither few nor tiny. */
static bool
promises_windows(const struct stream *s)
{
    const struct app_options *o = &s->options;

    for (uint32_t i = 0; i <= o->later_rate_count; i++) {
        const struct rp_rate_settings *rate = &s->rate[i];
        const double fps = (double)rate->layer[0].frame_rate_numerator;
        if (rate->gop_frame_count != s->period || fps < LEAST_FPS ||
            rate->virtual_buffer_ms * fps < 4000 ||
            (double)rate->layer[0].average_bps / 8 < LEAST_PICTURE_B * fps)
            return false;
    }
    return !s->structure && s->pattern->length == 1 && !o->has_map && !o->has_emphasis &&
           !o->refresh && !o->cut_period && !o->preceding_B;
}

static void
print_pictures(const struct stream *s, const struct app *app)
{
    uint32_t count;
    const struct app_record *records = app_records(app, &count);

    for (uint32_t i = 0; i < count; i++) {
        const struct rp_rate_settings *rate = rate_check_settings(&s->options, i);
        printf(
            "%u: type %u layer %u: %zu bytes, %u of filler, QP %u (%u..%u), %.0f bytes a picture\n",
            i, records[i].slice_type, records[i].layer, records[i].size_B,
            records[i].result.filler_B, records[i].result.average_qp, records[i].result.min_qp,
            records[i].result.max_qp,
            rate ? (double)rate->layer[0].average_bps / 8 / rate->layer[0].frame_rate_numerator *
                       rate->layer[0].frame_rate_denominator
                 : 0);
    }
}

static struct app *
code(struct stream *s)
{
    struct app *app = app_create(&s->options, rp_codec_h264_encode());
    if (!app)
        abort();
    run(s, app);
    app_finish(app);
    return app;
}

/* Coded again with other numbers of threads and of pictures begun; true when bytes differ. */
static bool
differs_in_flight(uint32_t seed, const struct stream *s, const struct app *expected)
{
    bool is_bad = false;

    for (uint32_t i = 0; i < 2; i++) {
        struct stream *other = malloc(sizeof(*other));
        if (!other)
            abort();
        choose(other, seed, true);
        other->options.threads = i ? 1 + seed % 4 : 1;
        other->options.in_flight = i ? 2 + seed / 4 % 3 : s->options.threads ? 1 : 4;
        struct app *found = code(other);
        if (!app_is_same(expected, found)) {
            fprintf(stderr, "FAILED: tall seed %u: other bytes with %u threads, %u in flight\n",
                    seed, other->options.threads, other->options.in_flight);
            is_bad = true;
        }
        app_destroy(found);
        free(other);
    }
    return is_bad;
}

/* Says what is wrong; true when something is. */
static bool
report(uint32_t seed, const struct stream *s, const struct app *app, const struct rate_check *c)
{
    const bool has_window = promises_windows(s);
    const uint32_t wrong = app_status(app) == RP_CODEC_OK ? decoder_check(app) : 1;
    const bool is_bad = wrong || c->underflow_bits > 0 || c->overflow_bits > 1 || c->limit_B > 0 ||
                        c->qp > 0 || (has_window && fabs(c->window) > WINDOW_TOLERANCE);

    if (!is_bad)
        return false;
    fprintf(stderr,
            "FAILED: seed %u: status %d, %u frames wrong; buffer short of %.2f bits at picture %u, "
            "over by %.2f; %.0f bytes above a limit; %d QP beyond a limit; five seconds%s off by "
            "%.1f %% at %u\n",
            seed, app_status(app), wrong, c->underflow_bits, c->at, c->overflow_bits, c->limit_B,
            c->qp, has_window ? "" : " (not promised)", 100 * c->window, c->window_at);
    return true;
}

static bool
try(uint32_t seed, bool is_tall, bool is_verbose, uint32_t *window_count)
{
    struct stream *s = malloc(sizeof(*s));
    if (!s)
        abort();
    choose(s, seed, is_tall);
    struct app *app = code(s);
    const struct rate_check c = rate_check(app);
    bool is_bad = report(seed, s, app, &c);
    if (is_tall)
        is_bad |= differs_in_flight(seed, s, app);
    *window_count += promises_windows(s) ? c.window_count : 0;
    if (is_verbose)
        print_pictures(s, app);
    app_destroy(app);
    free(s);
    return is_bad;
}

static bool
take_flag(int *argc, char ***argv, const char *flag)
{
    if (*argc < 2 || strcmp((*argv)[1], flag) != 0)
        return false;
    (*argc)--;
    (*argv)++;
    return true;
}

int
main(int argc, char **argv)
{
    const bool is_tall = take_flag(&argc, &argv, "--tall");
    const bool is_one = !take_flag(&argc, &argv, "--count");
    const uint32_t number = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 0;
    const uint32_t first = is_one ? number : 1;
    const uint32_t count = is_one ? 1 : number;
    uint32_t bad_count = 0, window_count = 0;
    if (number == 0) {
        fputs("usage: rate_random [--tall] --count COUNT | SEED\n", stderr);
        return 2;
    }

    for (uint32_t i = 0; i < count; i++)
        bad_count += try(first + i, is_tall, is_one, &window_count);
    if (!is_one)
        bad_count += try(is_tall ? LAYERS_SEED : FILLER_SEED, is_tall, false, &window_count);
    printf("%u of %u streams wrong; %u windows of five seconds\n", bad_count, count, window_count);
    return bad_count > 0 || (count >= WINDOW_SEEDS && !is_tall && window_count == 0);
}

/* SPDX-License-Identifier: MIT */
/* The pace of a rate, with pictures that take just what their cost says. When it is constant, no
 * five seconds are off by more than was promised, and intra pictures may be as large as that
 * allows; when it is variable, its quantiser hardly moves.
 */
#include "codecs/rate/law.h"
#include "codecs/rate/mean.h"

#include <math.h>
#include <stdio.h>

#define BPS 1e6
#define IP_FACTOR 1.4
#define MAX_PICTURES 3000

struct pace_case {
    int fps;
    int period;           /* pictures from I to I */
    int said_period;      /* by the application; 0: it does not say */
    double i_cost;        /* at the quantiser of a P picture, which costs 1 */
    double noise;         /* of the pictures' costs, up and down */
    double tolerance;     /* of any five seconds */
    double least_intra_s; /* of the rate's time: what an I picture takes in the mean */
};

static int failed_count;

static void
require(bool holds, const struct pace_case *c, const char *claim, double found, double expected)
{
    if (holds)
        return;
    fprintf(stderr,
            "FAILED: %d pictures a second, I every %d, said to be %d: %s: %.4f, expected %.4f\n",
            c->fps, c->period, c->said_period, claim, found, expected);
    failed_count++;
}

static double
noise(unsigned *state, double height)
{
    *state = *state * 1664525u + 1013904223u;
    return 1 + height * ((double)(*state >> 8) / (1 << 23) - 1);
}

/* Bits of one picture, chosen as core_rate.c does. */
static double
code_picture_at(struct rp_x264_pace *pace, const struct pace_case *c, int type, double cost,
                double bps)
{
    const double picture_s = 1.0 / c->fps;
    struct rp_x264_pace_picture picture = {
        .type = type,
        .complexity = 1000,
        .factor = type == 2 ? 1 / IP_FACTOR : 1,
        .expected_cost = cost,
    };
    const double most = rp_x264_pace_most(pace, &picture, picture_s, bps);
    const double least = rp_x264_pace_least(pace, picture_s, bps);
    const double base =
        pace->picture_count > 0 ? rp_x264_pace_base(pace, &picture, picture_s, bps) : cost / most;
    double bits = cost / base;

    if (bits > most)
        bits = most;
    else if (bits < least)
        bits = fmin(2 * bits, fmin(least, most));
    picture.wanted_bits = bits;
    rp_x264_pace_add(pace, &picture, cost / bits, bits, picture_s, bps);
    return bits;
}

static double
code_picture(struct rp_x264_pace *pace, const struct pace_case *c, int type, double cost)
{
    return code_picture_at(pace, c, type, cost, BPS);
}

static void
require_even_rate(const struct pace_case *c, const double *bits, int count)
{
    const int window = 5 * c->fps;
    double sum = 0;

    for (int i = 0; i < count; i++) {
        sum += bits[i] - (i >= window ? bits[i - window] : 0);
        if (i + 1 >= window)
            require(fabs(sum / 5 / BPS - 1) < c->tolerance, c, "rate of five seconds",
                    sum / 5 / BPS, 1);
    }
}

static void
run(const struct pace_case *c)
{
    static double bits[MAX_PICTURES];
    const int count = c->fps * 40 < MAX_PICTURES ? c->fps * 40 : MAX_PICTURES;
    struct rp_x264_pace pace = {.slack = 1};
    unsigned random = 1;
    double intra_bits = 0;
    int intra_count = 0;

    rp_x264_pace_set_constant(&pace, true);
    rp_x264_pace_init(&pace, c->said_period, 0);
    for (int i = 0; i < count; i++) {
        const bool is_intra = i % c->period == 0;
        const double cost = 1e5 * noise(&random, c->noise) * (is_intra ? c->i_cost : 1);
        bits[i] = code_picture(&pace, c, is_intra ? 2 : 0, cost);
        if (is_intra && i >= 12 * c->fps) {
            intra_bits += bits[i];
            intra_count++;
        }
    }
    require_even_rate(c, bits, count);
    if (intra_count > 0)
        require(intra_bits / intra_count / BPS >= c->least_intra_s, c, "an I picture's seconds",
                intra_bits / intra_count / BPS, c->least_intra_s);
}

/* A layer's pictures that cost less and less, as those of still content do: what is expected of
 * them is always too much, and what they do not take is made good. */
static void
a_slow_layer_of_still_content_spends_its_rate(void)
{
    const struct pace_case c = {.fps = 8, .period = 80, .i_cost = 1};
    struct rp_x264_pace pace = {.slack = 0.7};
    double bits = 0;

    rp_x264_pace_set_constant(&pace, true);
    rp_x264_pace_init(&pace, 0, 0);
    for (int i = 0; i < c.period; i++)
        bits += code_picture(&pace, &c, i > 0 ? 0 : 2, 1e5 * pow(0.8, i));
    const double mean = bits / BPS * c.fps / c.period;
    require(fabs(mean - 1) < 0.05, &c, "rate of a layer", mean, 1);
}

/* What a second of black did not take is made good, not forgotten. */
static void
a_slow_layer_waits_for_content(void)
{
    const struct pace_case c = {.fps = 8, .period = 112, .i_cost = 1};
    struct rp_x264_pace pace = {.slack = 0.7};
    double bits = 0;

    rp_x264_pace_set_constant(&pace, true);
    rp_x264_pace_init(&pace, 0, 0);
    for (int i = 0; i < c.period; i++) {
        const bool is_black = i % 28 >= 10 && i % 28 < 18;
        bits += code_picture(&pace, &c, i > 0 ? 0 : 2, is_black ? 1e-3 : 1e4);
    }
    const double mean = bits / BPS * c.fps / c.period;
    require(fabs(mean - 1) < 0.05, &c, "rate of a layer, part of it black", mean, 1);
}

/* What a picture of still content takes: a trifle, and where it is finer than its reference, a part
 * of an I picture. */
static double
still_bits(int type, double slope, double reference)
{
    const double finer = fmax(0, 1 - reference / slope);
    return type == 2 ? 5e5 * slope : (4e3 + 2.5e5 * finer * finer) * slope;
}

/* The I pictures may not be as large as they would be; what is missing comes at once, not bit by
 * bit until the next one. */
static void
still_content_is_refined_early(void)
{
    const struct pace_case c = {.fps = 25, .period = 60, .tolerance = 0.033};
    static double bits[1000];
    struct rp_x264_pace pace = {.slack = 1};
    double early = 0, late = 0, reference = 0;

    rp_x264_pace_set_constant(&pace, true);
    rp_x264_pace_init(&pace, c.period, 0);
    for (int i = 0; i < 1000; i++) {
        const int type = i % c.period == 0 ? 2 : 0;
        struct rp_x264_pace_picture picture = {
            .type = type,
            .complexity = 1000,
            .factor = 1,
            .expected_cost = still_bits(type, 1, 1),
        };
        const double most = rp_x264_pace_most(&pace, &picture, 1.0 / c.fps, BPS);
        const double base = i > 0 ? rp_x264_pace_base(&pace, &picture, 1.0 / c.fps, BPS) : 0.1;
        double slope = 1 / base;
        while (still_bits(type, slope, reference) > most)
            slope *= 0.98;
        bits[i] = still_bits(type, slope, reference);
        rp_x264_pace_add(&pace, &picture, 1 / slope, bits[i], 1.0 / c.fps, BPS);
        reference = type == 2 ? slope : fmax(reference, slope);
        if (i >= 300 && i % c.period == 15)
            early += reference;
        if (i >= 300 && i % c.period == c.period - 1)
            late += reference;
    }
    require_even_rate(&c, bits, 1000);
    require(early > 0.6 * late, &c, "share of the last quality, early", early / late, 0.6);
}

/* Windows that are no whole periods: no P picture has to make up for what they see of the I
 * pictures five seconds ago. */
static void
short_periods_need_no_large_p_pictures(void)
{
    const struct pace_case c = {.fps = 25, .period = 12, .said_period = 12, .tolerance = 0.03};
    static double bits[1000];
    struct rp_x264_pace pace = {.slack = 1};
    unsigned random = 1;
    double largest = 0;

    rp_x264_pace_set_constant(&pace, true);
    rp_x264_pace_init(&pace, c.period, 0);
    for (int i = 0; i < 1000; i++) {
        const bool is_intra = i % c.period == 0;
        const double cost = 1e5 * noise(&random, 0.1) * (is_intra ? 40 : 1);
        bits[i] = code_picture(&pace, &c, is_intra ? 2 : 0, cost);
        if (!is_intra && i > c.period)
            largest = fmax(largest, bits[i]);
    }
    require_even_rate(&c, bits, 1000);
    require(largest < 2.5 * BPS / c.fps, &c, "the largest P picture's part of its time",
            largest * c.fps / BPS, 2.5);
}

/* They come sooner than was said: but for the first ones, none is coarser by 15 QP than the P
 * picture before it. */
static void
unannounced_intra_pictures_are_not_starved(const struct pace_case *c)
{
    static double bits[1000];
    struct rp_x264_pace pace = {.slack = 1};
    double base = 0;
    int starved_count = 0;

    rp_x264_pace_set_constant(&pace, true);
    rp_x264_pace_init(&pace, c->said_period, 0);
    for (int i = 0; i < 1000; i++) {
        const bool is_intra = i % c->period == 0;
        const double cost = 1e4 * (is_intra ? c->i_cost : 1);
        bits[i] = code_picture(&pace, c, is_intra ? 2 : 0, cost);
        starved_count += is_intra && i > 0 && cost / bits[i] > base * pow(2, 15.0 / 6);
        base = cost / bits[i];
    }
    require_even_rate(c, bits, 1000);
    require(starved_count <= 3, c, "starved I pictures", starved_count, 3);
}

/* Pictures after a cut cost as much as I pictures do, and no window has room for them; those that
 * follow are coded with something nevertheless. */
static void
cuts_starve_nobody(void)
{
    const struct pace_case c = {.fps = 30, .period = 30};
    struct rp_x264_pace pace = {.slack = 1};
    double least_bits = BPS;

    rp_x264_pace_set_constant(&pace, true);
    rp_x264_pace_init(&pace, c.said_period, 0);
    for (int i = 0; i < 1000; i++) {
        const int type = i % c.period == 0 ? 2 : 0;
        const double cost = type == 2 || i % 48 == 0 ? 1.2e5 : 1e4;
        struct rp_x264_pace_picture picture = {
            .type = type,
            .complexity = pow(cost, 1.25), /* so that the cost is foreseen */
            .factor = 1,
            .expected_cost = cost,
        };
        const double most = rp_x264_pace_most(&pace, &picture, 1.0 / c.fps, BPS);
        const double base = i > 0 ? rp_x264_pace_base(&pace, &picture, 1.0 / c.fps, BPS) : 1;
        const double bits = fmin(most, cost / base);
        rp_x264_pace_add(&pace, &picture, cost / bits, bits, 1.0 / c.fps, BPS);
        least_bits = fmin(least_bits, bits);
    }
    require(least_bits >= 0.2 * BPS / c.fps, &c, "the least picture's share of its time",
            least_bits * c.fps / BPS, 0.2);
}

/* Pictures of black take nothing, filler makes up the rate: what comes after them must not have it
 * again. */
static void
filler_is_spent(void)
{
    const struct pace_case c = {.fps = 25, .period = 250, .tolerance = 0.03};
    static double bits[500];
    struct rp_x264_pace pace = {.slack = 1};

    rp_x264_pace_set_constant(&pace, true);
    rp_x264_pace_init(&pace, c.period, 0);
    for (int i = 0; i < 500; i++) {
        const bool is_black = i > 10 && i < 240;
        bits[i] = code_picture(&pace, &c, i % c.period == 0 ? 2 : 0, is_black ? 1 : 1e4);
        const double fill_bits = is_black ? fmax(0, BPS / c.fps - bits[i]) : 0;
        rp_x264_pace_fill(&pace, fill_bits, BPS);
        bits[i] += fill_bits;
    }
    require_even_rate(&c, bits + 15, 485);
}

/* Pictures of black take nothing with the finest quantiser. What comes after them does not spend
 * all of that at once: it would be starved later. */
static void
what_cannot_be_spent_is_forgotten(int period)
{
    const struct pace_case c = {.fps = 25, .period = period};
    struct rp_x264_pace pace = {.slack = 1};
    double after = 0;

    rp_x264_pace_set_constant(&pace, true);
    rp_x264_pace_init(&pace, c.period, 0);
    for (int i = 0; i < 200; i++) {
        const struct rp_x264_pace_picture black = {
            .type = i % c.period == 0 ? 2 : 0, .complexity = 10, .factor = 1, .expected_cost = 10};
        rp_x264_pace_add(&pace, &black, 0.2, 50, 1.0 / c.fps, BPS);
    }
    for (int i = 200; i < 250; i++)
        after += code_picture(&pace, &c, i % c.period == 0 ? 2 : 0, 1e5) / BPS;
    require(after < 2.7, &c, "seconds of the rate in the two after black", after, 2.7);
}

/* Ten pictures after the rate has changed by so much it is the new one, though they cost other than
 * before; those ten are not far from it. */
static void
a_new_rate_is_met_at_once(double change, double other_cost)
{
    const struct pace_case c = {.fps = 60, .period = 600, .i_cost = 20};
    struct rp_x264_pace pace = {.slack = 1};
    double bits[20];

    rp_x264_pace_set_constant(&pace, true);
    rp_x264_pace_init(&pace, c.period, 0);
    for (int i = 0; i < 300; i++)
        code_picture(&pace, &c, i > 0 ? 0 : 2, i > 0 ? 1e4 : 1e4 * c.i_cost);
    const double bps = change * BPS;
    rp_x264_pace_forget(&pace, change);
    for (int i = 0; i < 20; i++)
        bits[i] = code_picture_at(&pace, &c, 0, 1e4 * other_cost, bps) / bps * c.fps / 10;
    double first = 0, next = 0;
    for (int i = 0; i < 10; i++) {
        first += bits[i];
        next += bits[10 + i];
    }
    require(fabs(first - 1) < 0.25, &c, "ten pictures at a new rate", first, 1);
    require(fabs(next - 1) < 0.1, &c, "ten pictures later", next, 1);
}

#define MAX_RATE 2.0
#define BUFFER_S 1.0

/* Every other picture costs four times as much as its neighbours, and one a second ten times: at a
 * variable rate all of them have nearly the same quantiser, the mean is that asked for, and the
 * buffer is never empty. Chosen as core_rate.c does. */
static void
a_variable_rate_keeps_its_quantiser(const struct pace_case *c)
{
    const double picture_s = 1.0 / c->fps;
    const int count = 12 * c->fps;
    struct rp_x264_pace pace = {.slack = 1};
    double sum = 0, fill_s = 0.75 * BUFFER_S, least_fill_s = BUFFER_S, last_base = 0,
           most_change = 1;

    rp_x264_pace_set_constant(&pace, false);
    rp_x264_pace_init(&pace, c->said_period, 0);
    for (int i = 0; i < count; i++) {
        const int type = i % c->period == 0 ? 2 : 0;
        const double kind = i % c->fps == c->fps / 2 ? 10 : i & 1 ? 4 : 1;
        const double cost = 1e4 * (type == 2 ? c->i_cost : kind);
        struct rp_x264_pace_picture picture = {
            .type = type,
            .complexity = cost,
            .factor = 1,
            .expected_cost = cost,
            .fill_s = fill_s,
            .room_s = BUFFER_S - fill_s,
            .fastest = MAX_RATE,
        };
        const double most = rp_x264_pace_most(&pace, &picture, picture_s, BPS);
        const double base =
            i > 0 ? rp_x264_pace_base(&pace, &picture, picture_s, BPS) : cost / most;
        const double bits = fmin(most, cost / base);
        rp_x264_pace_add(&pace, &picture, cost / bits, bits, picture_s, BPS);
        if (i >= 2 * c->fps)
            most_change = fmax(most_change, fmax(base / last_base, last_base / base));
        last_base = base;
        sum += bits;
        fill_s -= bits / BPS;
        least_fill_s = fmin(least_fill_s, fill_s);
        fill_s = fmin(fill_s + MAX_RATE * picture_s, BUFFER_S);
    }
    const double mean = sum / BPS / (count * picture_s);
    require(fabs(mean - 1) < 0.05, c, "variable: mean rate", mean, 1);
    require(most_change < 1.26, c, "variable: change of quantiser", most_change, 1.26);
    require(least_fill_s > 0, c, "variable: seconds left in the buffer", least_fill_s, 0);
}

/* The first I picture was to last for long, and takes much; then they come every five pictures. */
static void
a_variable_rate_outlives_unannounced_intra_pictures(void)
{
    const struct pace_case c = {.fps = 25, .period = 5, .said_period = 60};
    struct rp_x264_pace pace = {.slack = 1, .buffer_s = 1};
    double sum = 0, most_base = 0, last_base = 0;

    rp_x264_pace_set_constant(&pace, false);
    rp_x264_pace_init(&pace, c.said_period, 0);
    for (int i = 0; i < 200; i++) {
        const int type = i % c.period == 0 ? 2 : 0;
        const double cost = type == 2 ? 8e5 : 1e5;
        const struct rp_x264_pace_picture picture = {
            .type = type, .complexity = cost, .factor = 1, .expected_cost = cost};
        last_base = i > 0 ? rp_x264_pace_base(&pace, &picture, 1.0 / c.fps, BPS) : cost / (BPS / 2);
        rp_x264_pace_add(&pace, &picture, last_base, cost / last_base, 1.0 / c.fps, BPS);
        most_base = fmax(most_base, last_base);
        sum += cost / last_base;
    }
    require(most_base < 2.2 * last_base, &c, "unannounced: quantiser", most_base / last_base, 2.2);
    require(fabs(sum / BPS / (200 / c.fps) - 1) < 0.05, &c, "unannounced: mean rate", sum / BPS, 8);
}

/* A stream fades in from black: what it shows is not coded much coarser first than later. */
static void
black_does_not_spend_what_fades_in(bool is_constant, int black)
{
    const struct pace_case c = {.fps = 25, .period = 250, .said_period = 250};
    struct rp_x264_pace pace = {.slack = 1, .buffer_s = 1, .macroblocks = 400};
    double most_base = 0, last_base = 0;

    rp_x264_pace_set_constant(&pace, is_constant);
    rp_x264_pace_init(&pace, c.said_period, 0);
    for (int i = 0; i < 250; i++) {
        const double light = fmin(1, (i + 1 - black) / 25.0);
        const double cost = i < black ? 10 : 1e5 * light * light;
        const struct rp_x264_pace_picture picture = {
            .type = i ? 0 : 2, .complexity = cost, .factor = 1, .expected_cost = cost};
        last_base = i > 0 ? rp_x264_pace_base(&pace, &picture, 1.0 / c.fps, BPS) : 1;
        rp_x264_pace_add(&pace, &picture, last_base, cost / last_base, 1.0 / c.fps, BPS);
        most_base = fmax(most_base, last_base);
    }
    require(most_base < 1.4 * last_base, &c, "after black: quantiser", most_base / last_base, 1.4);
}

/* A picture that is as complex as it costs, within the bounds. wanted_out: the slope it was to have.
 * Returns the one that it got. */
static double
code_complex_picture(struct rp_x264_pace *pace, const struct pace_case *c, int type, double cost,
                     double *wanted_out)
{
    const double picture_s = 1.0 / c->fps;
    const struct rp_x264_pace_picture picture = {
        .type = type, .complexity = cost, .factor = 1, .expected_cost = cost};
    const double most = rp_x264_pace_most(pace, &picture, picture_s, BPS);
    const double base =
        pace->picture_count > 0 ? rp_x264_pace_base(pace, &picture, picture_s, BPS) : 10;
    const double bits = fmin(most, cost / base);

    rp_x264_pace_add(pace, &picture, cost / bits, bits, picture_s, BPS);
    *wanted_out = 1 / base;
    return bits / cost;
}

/* A scene every second and a half, or pictures that cost much and little in turn: from the first of
 * them on, one quantiser for all. Content that stays as it is has its I pictures planned for. */
static void
restless_content_has_one_quantiser(int scene, bool is_restless)
{
    const struct pace_case c = {.fps = 25, .period = 60, .said_period = 60};
    struct rp_x264_pace pace = {.slack = 1, .buffer_s = 1};
    double last_slope = 0, most_change = 1;

    rp_x264_pace_set_constant(&pace, true);
    rp_x264_pace_init(&pace, c.said_period, 0);
    for (int i = 0; i < 500; i++) {
        const int type = i % c.period == 0 ? 2 : 0;
        const double cost = type == 2 || i % scene == scene - 1 ? 4e5 : 1e5;
        double wanted;
        const double slope = code_complex_picture(&pace, &c, type, cost, &wanted);
        if (i > 250 && type == 0 && last_slope > 0)
            most_change = fmax(most_change, slope / last_slope);
        last_slope = slope;
    }
    require(rp_x264_pace_is_mean(&pace, 1.0 / c.fps) == is_restless, &c, "one quantiser",
            is_restless, 1);
    require(!is_restless || most_change < 2, &c, "change of quantiser", most_change, 2);
}

/* A still scene is coded finely; the first picture of the next one costs fifty times as much and
 * does not inherit that. */
static void
a_scene_does_not_begin_with_the_slope_of_a_cheap_one(void)
{
    const struct pace_case c = {.fps = 25, .period = 60, .said_period = 60};
    struct rp_x264_pace pace = {.slack = 1, .buffer_s = 1};
    double last_slope = 0, most_part = 0;

    rp_x264_pace_set_constant(&pace, true);
    rp_x264_pace_init(&pace, c.said_period, 0);
    for (int i = 0; i < 500; i++) {
        const int type = i % c.period == 0 ? 2 : 0;
        const bool is_cut = i % 70 == 35;
        const double cost = type == 2 || is_cut ? 5e5 : (i + 35) / 70 % 2 ? 1e5 : 1e4;
        double wanted;
        const double slope = code_complex_picture(&pace, &c, type, cost, &wanted);
        if (i % 140 == 35 && i > 140)
            most_part = fmax(most_part, wanted / last_slope);
        last_slope = slope;
    }
    require(most_part < 0.4, &c, "cut: part of the slope before", most_part, 0.4);
}

/* They have no room for what one quantiser asks of them: windows come first. */
static void
a_small_buffer_is_left_to_the_older_control(const struct pace_case *c)
{
    struct rp_x264_pace pace = {.slack = 1, .buffer_s = 1};

    rp_x264_pace_set_constant(&pace, true);
    rp_x264_pace_init(&pace, 12, 0);
    require(rp_x264_pace_is_mean(&pace, 0.04), c, "one quantiser, seconds of buffer", 1, 1);
    require(rp_x264_pace_is_mean(&pace, 0.2), c, "one quantiser, seconds of a picture", 0.2, 0.2);
    require(!rp_x264_pace_is_mean(&pace, 0.25), c, "one quantiser, not of", 0.25, 0.25);
    pace.buffer_s = 0.3;
    require(!rp_x264_pace_is_mean(&pace, 0.04), c, "no one quantiser, seconds of buffer", 0.3, 0.3);
}

static void
new_rates_are_met_at_once(void)
{
    a_new_rate_is_met_at_once(0.1, 0.7);
    a_new_rate_is_met_at_once(10, 1.2);
    a_new_rate_is_met_at_once(0.3, 1);
}

int
main(void)
{
    static const struct pace_case cases[] = {
        /* Whole periods in five seconds: as large as they want to be, or nearly so. */
        {25, 25, 25, 40, 0.1, 0.03, 0.45},
        {50, 50, 50, 60, 0.1, 0.03, 0.45},
        {30, 50, 50, 50, 0.1, 0.03, 0.45},
        /* Half a period more or less, and little more or less. */
        {30, 60, 60, 50, 0.1, 0.03, 0.24},
        {25, 250, 250, 60, 0.1, 0.03, 0.24},
        {25, 60, 60, 50, 0.1, 0.03, 0.23},
        {25, 48, 48, 50, 0.1, 0.03, 0.23},
        {10, 60, 60, 50, 0.1, 0.03, 0.24},
        {5, 30, 30, 50, 0.1, 0.03, 0.27},
        {60, 100, 100, 50, 0.1, 0.03, 0.2},
        {120, 120, 120, 90, 0.1, 0.03, 0.4},
        /* A picture more than fits, so that nothing can be paid back at the edge. */
        {25, 62, 62, 50, 0.1, 0.03, 0.15},
        /* The application says nothing, or something else. */
        {60, 100000, 0, 50, 0.1, 0.03, 0},
        {25, 60, 0, 50, 0.1, 0.05, 0.15},
        {25, 60, 25, 50, 0.1, 0.07, 0.15},
        /* Moving content, whose I pictures are hardly larger. */
        {25, 60, 60, 2, 0.2, 0.037, 0.05},
        {25, 8, 8, 4, 0.3, 0.03, 0.05},
        /* Short periods, in which an I picture takes most of the time. */
        {50, 12, 12, 50, 0.1, 0.03, 0.15},
        {10, 12, 12, 12, 0.1, 0.03, 0.2},
        {25, 1, 1, 1, 0.3, 0.03, 0.03},
    };
    static const struct pace_case sudden[] = {
        {.fps = 30, .period = 4, .said_period = 30, .i_cost = 30, .tolerance = 0.03},
        {.fps = 30, .period = 7, .said_period = 30, .i_cost = 30, .tolerance = 0.03},
        {.fps = 30, .period = 7, .said_period = 60, .i_cost = 30, .tolerance = 0.03},
    };
    static const struct pace_case variable[] = {
        {.fps = 25, .period = 60, .said_period = 60, .i_cost = 30},
        {.fps = 25, .period = 12, .said_period = 12, .i_cost = 15},
        {.fps = 30, .period = 250, .said_period = 250, .i_cost = 40},
        {.fps = 50, .period = 100000, .said_period = 0, .i_cost = 40},
        {.fps = 10, .period = 30, .said_period = 0, .i_cost = 15},
    };
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        run(&cases[i]);
    for (unsigned i = 0; i < sizeof(variable) / sizeof(variable[0]); i++)
        a_variable_rate_keeps_its_quantiser(&variable[i]);
    a_slow_layer_of_still_content_spends_its_rate();
    a_slow_layer_waits_for_content();
    still_content_is_refined_early();
    short_periods_need_no_large_p_pictures();
    filler_is_spent();
    what_cannot_be_spent_is_forgotten(60);
    what_cannot_be_spent_is_forgotten(12);
    new_rates_are_met_at_once();
    a_scene_does_not_begin_with_the_slope_of_a_cheap_one();
    cuts_starve_nobody();
    for (unsigned i = 0; i < sizeof(sudden) / sizeof(sudden[0]); i++)
        unannounced_intra_pictures_are_not_starved(&sudden[i]);
    black_does_not_spend_what_fades_in(false, 0);
    black_does_not_spend_what_fades_in(true, 15);
    a_small_buffer_is_left_to_the_older_control(&cases[0]);
    a_variable_rate_outlives_unannounced_intra_pictures();
    restless_content_has_one_quantiser(38, true);
    restless_content_has_one_quantiser(2, true);
    restless_content_has_one_quantiser(1000, false);
    return failed_count > 0;
}

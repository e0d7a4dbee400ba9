/* SPDX-License-Identifier: MIT */
/* Scenes that change at a constant rate.
 */
#include "stream.h"

#include "test.h"

#include <math.h>

/* A picture that is as complex as it costs, within the bounds. wanted_out: the slope that it was to
 * have. Returns the one that it got. */
static double
code_complex_picture(struct rp_rate_law *law, enum rp_rate_type type, double cost,
                     double *wanted_out)
{
    const struct rp_rate_picture picture = stream_complex_picture(type, cost);
    const double most = rp_rate_law_most(law, &picture);
    const double base = law->picture_count > 0 ? rp_rate_law_base(law, &picture) : 10;
    const double bits = fmin(most, cost / base);

    rp_rate_law_add(law, &picture, cost / bits, bits);
    *wanted_out = 1 / base;
    return bits / cost;
}

/* A scene every second and a half, or pictures that cost much and little in turn: from the first of
 * them on, one quantiser for all. Content that stays as it is has its I pictures planned for. */
static void
restless_content_has_one_quantiser(int scene, bool is_restless)
{
    const struct stream_case c = {.fps = 25, .period = 60, .said_period = 60};
    struct rp_rate_law law = stream_law(RP_RATE_CBR, c.fps, c.said_period, 0);
    double last_slope = 0, most_change = 1;

    law.aim.buffer_s = 1;
    for (int i = 0; i < 500; i++) {
        const enum rp_rate_type type = i % c.period == 0 ? RP_RATE_I : RP_RATE_P;
        const double cost = type == RP_RATE_I || i % scene == scene - 1 ? 4e5 : 1e5;
        double wanted;
        const double slope = code_complex_picture(&law, type, cost, &wanted);
        if (i > 250 && type == RP_RATE_P && last_slope > 0)
            most_change = fmax(most_change, slope / last_slope);
        last_slope = slope;
    }
    stream_require(rp_rate_law_chosen(&law)->has_one_quantiser == is_restless, "one quantiser",
                   is_restless, 1);
    stream_require(!is_restless || most_change < 2, "change of quantiser", most_change, 2);
}

/* A still scene is coded finely; the first picture of the next one costs fifty times as much and
 * does not inherit that. */
static void
a_scene_does_not_begin_with_the_slope_of_a_cheap_one(void)
{
    const struct stream_case c = {.fps = 25, .period = 60, .said_period = 60};
    struct rp_rate_law law = stream_law(RP_RATE_CBR, c.fps, c.said_period, 0);
    double last_slope = 0, most_part = 0;

    law.aim.buffer_s = 1;
    for (int i = 0; i < 500; i++) {
        const enum rp_rate_type type = i % c.period == 0 ? RP_RATE_I : RP_RATE_P;
        const bool is_cut = i % 70 == 35;
        const double cost = type == RP_RATE_I || is_cut ? 5e5 : (i + 35) / 70 % 2 ? 1e5 : 1e4;
        double wanted;
        const double slope = code_complex_picture(&law, type, cost, &wanted);
        if (i % 140 == 35 && i > 140)
            most_part = fmax(most_part, wanted / last_slope);
        last_slope = slope;
    }
    stream_require(most_part < 0.4, "cut: part of the slope before", most_part, 0.4);
}

/* Pictures after a cut cost as much as I pictures do, and no window has room for them; those that
 * follow are coded with something nevertheless. */
static void
cuts_starve_nobody(void)
{
    const struct stream_case c = {.fps = 30, .period = 30};
    struct rp_rate_law law = stream_law(RP_RATE_CBR, c.fps, c.said_period, 0);
    double least_bits = BPS;

    for (int i = 0; i < 1000; i++) {
        const enum rp_rate_type type = i % c.period == 0 ? RP_RATE_I : RP_RATE_P;
        const double cost = type == RP_RATE_I || i % 48 == 0 ? 1.2e5 : 1e4;
        struct rp_rate_picture picture = {
            .type = type,
            .complexity = pow(cost, 1.25), /* so that the cost is foreseen */
            .expected_cost = cost,
        };
        const double most = rp_rate_law_most(&law, &picture);
        const double base = i > 0 ? rp_rate_law_base(&law, &picture) : 1;
        const double bits = fmin(most, cost / base);
        rp_rate_law_add(&law, &picture, cost / bits, bits);
        least_bits = fmin(least_bits, bits);
    }
    stream_require(least_bits >= 0.2 * BPS / c.fps, "the least picture's share of its time",
                   least_bits * c.fps / BPS, 0.2);
}

int
main(void)
{
    RUN(a_scene_does_not_begin_with_the_slope_of_a_cheap_one);
    RUN(cuts_starve_nobody);
    RUN(restless_content_has_one_quantiser, 38, true);
    RUN(restless_content_has_one_quantiser, 2, true);
    RUN(restless_content_has_one_quantiser, 1000, false);
    return 0;
}

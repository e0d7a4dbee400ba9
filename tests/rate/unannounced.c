/* SPDX-License-Identifier: MIT */
/* I pictures that come sooner than the application said.
 */
#include "stream.h"

#include "test.h"

#include <math.h>

/* They come sooner than was said: but for the first ones, none is coarser by 15 QP than the P
 * picture before it. */
static void
unannounced_intra_pictures_are_not_starved(const struct stream_case *c)
{
    static double bits[1000];
    struct rp_rate_law law = stream_law(RP_RATE_CBR, c->fps, c->said_period, 0);
    double base = 0;
    int starved_count = 0;

    for (int i = 0; i < 1000; i++) {
        const bool is_intra = i % c->period == 0;
        const double cost = 1e4 * (is_intra ? c->i_cost : 1);
        bits[i] = stream_code(&law, is_intra ? RP_RATE_I : RP_RATE_P, cost);
        starved_count += is_intra && i > 0 && cost / bits[i] > base * pow(2, 15.0 / 6);
        base = cost / bits[i];
    }
    stream_require_even(bits, 1000, c->fps, c->tolerance);
    stream_require(starved_count <= 3, "starved I pictures", starved_count, 3);
}

/* The first I picture was to last for long, and takes much; then they come every five pictures. */
static void
a_variable_rate_outlives_unannounced_intra_pictures(void)
{
    const struct stream_case c = {.fps = 25, .period = 5, .said_period = 60};
    struct rp_rate_law law = stream_law(RP_RATE_VBR, c.fps, c.said_period, 0);
    double sum = 0, most_base = 0, last_base = 0;

    law.aim.buffer_s = 1;
    for (int i = 0; i < 200; i++) {
        const enum rp_rate_type type = i % c.period == 0 ? RP_RATE_I : RP_RATE_P;
        const double cost = type == RP_RATE_I ? 8e5 : 1e5;
        const struct rp_rate_picture picture = stream_complex_picture(type, cost);
        last_base = i > 0 ? rp_rate_law_base(&law, &picture) : cost / (BPS / 2);
        rp_rate_law_add(&law, &picture, last_base, cost / last_base);
        most_base = fmax(most_base, last_base);
        sum += cost / last_base;
    }
    stream_require(most_base < 2.2 * last_base, "unannounced: quantiser", most_base / last_base,
                   2.2);
    stream_require(fabs(sum / BPS / (200 / c.fps) - 1) < 0.05, "unannounced: mean rate", sum / BPS,
                   8);
}

static void
run_case(const struct stream_case *c)
{
    RUN(unannounced_intra_pictures_are_not_starved, c);
}

int
main(void)
{
    static const struct stream_case sudden[] = {
        {.fps = 30, .period = 4, .said_period = 30, .i_cost = 30, .tolerance = 0.03},
        {.fps = 30, .period = 7, .said_period = 30, .i_cost = 30, .tolerance = 0.03},
        {.fps = 30, .period = 7, .said_period = 60, .i_cost = 30, .tolerance = 0.03},
    };
    for (unsigned i = 0; i < sizeof(sudden) / sizeof(sudden[0]); i++)
        run_case(&sudden[i]);
    RUN(a_variable_rate_outlives_unannounced_intra_pictures);
    return 0;
}

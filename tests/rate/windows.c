/* SPDX-License-Identifier: MIT */
/* Any five seconds of a constant rate are within 3 %, and I pictures are as large as that allows.
 */
#include "stream.h"

#include "test.h"

#include <math.h>

static void
five_seconds_have_the_rate(const struct stream_case *c)
{
    static double bits[MAX_PICTURES];
    const int count = c->fps * 40 < MAX_PICTURES ? c->fps * 40 : MAX_PICTURES;
    struct rp_rate_law law = stream_law(RP_RATE_CBR, c->fps, c->said_period, 0);
    unsigned random = 1;
    double intra_bits = 0;
    int intra_count = 0;

    for (int i = 0; i < count; i++) {
        const bool is_intra = i % c->period == 0;
        const double cost = 1e5 * stream_noise(&random, c->noise) * (is_intra ? c->i_cost : 1);
        bits[i] = stream_code(&law, is_intra ? RP_RATE_I : RP_RATE_P, cost);
        if (is_intra && i >= 12 * c->fps) {
            intra_bits += bits[i];
            intra_count++;
        }
    }
    stream_require_even(bits, count, c->fps, c->tolerance);
    if (intra_count > 0)
        stream_require(intra_bits / intra_count / BPS >= c->least_intra_s, "an I picture's seconds",
                       intra_bits / intra_count / BPS, c->least_intra_s);
}

/* Windows that are no whole periods: no P picture has to make up for what they see of the I
 * pictures five seconds ago. */
static void
short_periods_need_no_large_p_pictures(void)
{
    const struct stream_case c = {.fps = 25, .period = 12, .said_period = 12, .tolerance = 0.03};
    static double bits[1000];
    struct rp_rate_law law = stream_law(RP_RATE_CBR, c.fps, c.period, 0);
    unsigned random = 1;
    double largest = 0;

    for (int i = 0; i < 1000; i++) {
        const bool is_intra = i % c.period == 0;
        const double cost = 1e5 * stream_noise(&random, 0.1) * (is_intra ? 40 : 1);
        bits[i] = stream_code(&law, is_intra ? RP_RATE_I : RP_RATE_P, cost);
        if (!is_intra && i > c.period)
            largest = fmax(largest, bits[i]);
    }
    stream_require_even(bits, 1000, c.fps, c.tolerance);
    stream_require(largest < 2.5 * BPS / c.fps, "the largest P picture's part of its time",
                   largest * c.fps / BPS, 2.5);
}

/* Pictures of black take nothing, filler makes up the rate: what comes after them must not have it
 * again. */
static void
filler_is_spent(void)
{
    const struct stream_case c = {.fps = 25, .period = 250, .tolerance = 0.03};
    static double bits[500];
    struct rp_rate_law law = stream_law(RP_RATE_CBR, c.fps, c.period, 0);

    for (int i = 0; i < 500; i++) {
        const bool is_black = i > 10 && i < 240;
        bits[i] = stream_code(&law, i % c.period == 0 ? RP_RATE_I : RP_RATE_P, is_black ? 1 : 1e4);
        const double fill_bits = is_black ? fmax(0, BPS / c.fps - bits[i]) : 0;
        rp_rate_law_fill(&law, fill_bits);
        bits[i] += fill_bits;
    }
    stream_require_even(bits + 15, 485, c.fps, c.tolerance);
}

static void
run_case(const struct stream_case *c)
{
    RUN(five_seconds_have_the_rate, c);
}

int
main(void)
{
    static const struct stream_case cases[] = {
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
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        run_case(&cases[i]);
    RUN(short_periods_need_no_large_p_pictures);
    RUN(filler_is_spent);
    return 0;
}

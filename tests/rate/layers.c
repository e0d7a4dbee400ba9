/* SPDX-License-Identifier: MIT */
/* One temporal layer of several, which has a part of the usual tolerance.
 */
#include "stream.h"

#include "test.h"

#include <math.h>

/* A layer's pictures that cost less and less, as those of still content do: what is expected of
 * them is always too much, and what they do not take is made good. */
static void
a_slow_layer_of_still_content_spends_its_rate(void)
{
    const struct stream_case c = {.fps = 8, .period = 80, .i_cost = 1};
    struct rp_rate_law law = stream_law(RP_RATE_CBR, c.fps, 0, 0);
    double bits = 0;

    law.aim.slack = 0.7;
    for (int i = 0; i < c.period; i++)
        bits += stream_code(&law, i > 0 ? RP_RATE_P : RP_RATE_I, 1e5 * pow(0.8, i));
    const double mean = bits / BPS * c.fps / c.period;
    stream_require(fabs(mean - 1) < 0.05, "rate of a layer", mean, 1);
}

/* What a second of black did not take is made good, not forgotten. */
static void
a_slow_layer_waits_for_content(void)
{
    const struct stream_case c = {.fps = 8, .period = 112, .i_cost = 1};
    struct rp_rate_law law = stream_law(RP_RATE_CBR, c.fps, 0, 0);
    double bits = 0;

    law.aim.slack = 0.7;
    for (int i = 0; i < c.period; i++) {
        const bool is_black = i % 28 >= 10 && i % 28 < 18;
        bits += stream_code(&law, i > 0 ? RP_RATE_P : RP_RATE_I, is_black ? 1e-3 : 1e4);
    }
    const double mean = bits / BPS * c.fps / c.period;
    stream_require(fabs(mean - 1) < 0.05, "rate of a layer, part of it black", mean, 1);
}

int
main(void)
{
    RUN(a_slow_layer_of_still_content_spends_its_rate);
    RUN(a_slow_layer_waits_for_content);
    return 0;
}

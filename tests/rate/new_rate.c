/* SPDX-License-Identifier: MIT */
/* The application changes the rate in mid stream.
 */
#include "stream.h"

#include "test.h"

#include <math.h>

/* Ten pictures after the rate has changed by so much it is the new one, though they cost other than
 * before; those ten are not far from it. */
static void
a_new_rate_is_met_at_once(double change, double other_cost)
{
    const struct stream_case c = {.fps = 60, .period = 600, .i_cost = 20};
    struct rp_rate_law law = stream_law(RP_RATE_CBR, c.fps, c.period, 0);
    double bits[20];

    for (int i = 0; i < 300; i++)
        stream_code(&law, i > 0 ? RP_RATE_P : RP_RATE_I, i > 0 ? 1e4 : 1e4 * c.i_cost);
    const double bps = change * BPS;
    law.aim.bps = bps;
    rp_rate_law_forget(&law, change);
    for (int i = 0; i < 20; i++)
        bits[i] = stream_code(&law, RP_RATE_P, 1e4 * other_cost) / bps * c.fps / 10;
    double first = 0, next = 0;
    for (int i = 0; i < 10; i++) {
        first += bits[i];
        next += bits[10 + i];
    }
    stream_require(fabs(first - 1) < 0.25, "ten pictures at a new rate", first, 1);
    stream_require(fabs(next - 1) < 0.1, "ten pictures later", next, 1);
}

int
main(void)
{
    RUN(a_new_rate_is_met_at_once, 0.1, 0.7);
    RUN(a_new_rate_is_met_at_once, 10, 1.2);
    RUN(a_new_rate_is_met_at_once, 0.3, 1);
    return 0;
}

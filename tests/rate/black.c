/* SPDX-License-Identifier: MIT */
/* Black pictures take nothing, however fine they are: what follows them neither inherits their
 * quantiser nor spends all that they left.
 */
#include "stream.h"

#include "test.h"

#include <math.h>

/* Pictures of black take nothing with the finest quantiser. What comes after them does not spend
 * all of that at once: it would be starved later. */
static void
what_cannot_be_spent_is_forgotten(int period)
{
    const struct stream_case c = {.fps = 25, .period = period};
    struct rp_rate_law law = stream_law(RP_RATE_CBR, c.fps, c.period, 0);
    double after = 0;

    for (int i = 0; i < 200; i++) {
        const struct rp_rate_picture black = {.type = i % c.period == 0 ? RP_RATE_I : RP_RATE_P,
                                              .complexity = 10,
                                              .expected_cost = 10};
        rp_rate_law_add(&law, &black, 0.2, 50);
    }
    for (int i = 200; i < 250; i++)
        after += stream_code(&law, i % c.period == 0 ? RP_RATE_I : RP_RATE_P, 1e5) / BPS;
    stream_require(after < 2.7, "seconds of the rate in the two after black", after, 2.7);
}

/* A stream fades in from black: what it shows is not coded much coarser first than later. */
static void
black_does_not_spend_what_fades_in(enum rp_rate_mode mode, int black)
{
    const struct stream_case c = {.fps = 25, .period = 250, .said_period = 250};
    struct rp_rate_law law = stream_law(mode, c.fps, c.said_period, 0);
    double most_base = 0, last_base = 0;

    law.aim.buffer_s = 1;
    law.aim.block_count = 400;
    for (int i = 0; i < 250; i++) {
        const double light = fmin(1, (i + 1 - black) / 25.0);
        const double cost = i < black ? 10 : 1e5 * light * light;
        const struct rp_rate_picture picture = {
            .type = i ? RP_RATE_P : RP_RATE_I, .complexity = cost, .expected_cost = cost};
        last_base = i > 0 ? rp_rate_law_base(&law, &picture) : 1;
        rp_rate_law_add(&law, &picture, last_base, cost / last_base);
        most_base = fmax(most_base, last_base);
    }
    stream_require(most_base < 1.4 * last_base, "after black: quantiser", most_base / last_base,
                   1.4);
}

int
main(void)
{
    RUN(what_cannot_be_spent_is_forgotten, 60);
    RUN(what_cannot_be_spent_is_forgotten, 12);
    RUN(black_does_not_spend_what_fades_in, RP_RATE_VBR, 0);
    RUN(black_does_not_spend_what_fades_in, RP_RATE_CBR, 15);
    return 0;
}

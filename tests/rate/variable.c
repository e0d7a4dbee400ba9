/* SPDX-License-Identifier: MIT */
/* The quantiser of a variable rate hardly moves.
 */
#include "stream.h"

#include "test.h"

#include <math.h>

#define MAX_RATE 2.0
#define BUFFER_S 1.0

/* Every other picture costs four times as much as its neighbours, and one a second ten times: at a
 * variable rate all of them have nearly the same quantiser, the mean is that asked for, and the
 * buffer is never empty. */
static void
a_variable_rate_keeps_its_quantiser(const struct stream_case *c)
{
    const double picture_s = 1.0 / c->fps;
    const int count = 12 * c->fps;
    struct rp_rate_law law = stream_law(RP_RATE_VBR, c->fps, c->said_period, 0);
    double sum = 0, fill_s = 0.75 * BUFFER_S, least_fill_s = BUFFER_S, last_base = 0,
           most_change = 1;

    for (int i = 0; i < count; i++) {
        const enum rp_rate_type type = i % c->period == 0 ? RP_RATE_I : RP_RATE_P;
        const double kind = i % c->fps == c->fps / 2 ? 10 : i & 1 ? 4 : 1;
        const double cost = 1e4 * (type == RP_RATE_I ? c->i_cost : kind);
        struct rp_rate_picture picture = {
            .type = type,
            .complexity = cost,
            .expected_cost = cost,
            .fill_s = fill_s,
            .room_s = BUFFER_S - fill_s,
            .fastest = MAX_RATE,
        };
        const double most = rp_rate_law_most(&law, &picture);
        const double base = i > 0 ? rp_rate_law_base(&law, &picture) : cost / most;
        const double bits = fmin(most, cost / base);
        rp_rate_law_add(&law, &picture, cost / bits, bits);
        if (i >= 2 * c->fps)
            most_change = fmax(most_change, fmax(base / last_base, last_base / base));
        last_base = base;
        sum += bits;
        fill_s -= bits / BPS;
        least_fill_s = fmin(least_fill_s, fill_s);
        fill_s = fmin(fill_s + MAX_RATE * picture_s, BUFFER_S);
    }
    const double mean = sum / BPS / (count * picture_s);
    stream_require(fabs(mean - 1) < 0.05, "variable: mean rate", mean, 1);
    stream_require(most_change < 1.26, "variable: change of quantiser", most_change, 1.26);
    stream_require(least_fill_s > 0, "variable: seconds left in the buffer", least_fill_s, 0);
}

static void
run_case(const struct stream_case *c)
{
    RUN(a_variable_rate_keeps_its_quantiser, c);
}

int
main(void)
{
    static const struct stream_case variable[] = {
        {.fps = 25, .period = 60, .said_period = 60, .i_cost = 30},
        {.fps = 25, .period = 12, .said_period = 12, .i_cost = 15},
        {.fps = 30, .period = 250, .said_period = 250, .i_cost = 40},
        {.fps = 50, .period = 100000, .said_period = 0, .i_cost = 40},
        {.fps = 10, .period = 30, .said_period = 0, .i_cost = 15},
    };
    for (unsigned i = 0; i < sizeof(variable) / sizeof(variable[0]); i++)
        run_case(&variable[i]);
    return 0;
}

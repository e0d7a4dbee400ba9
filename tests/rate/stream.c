/* SPDX-License-Identifier: MIT */
#include "stream.h"

#include "test.h"

#include <math.h>

const struct rp_rate_scale stream_scale = {
    .least_index = 0,
    .greatest_index = 51,
    .unlimited_index = 51,
    .default_step = 1,
    .least_step = 0.2,
    .finest_step = 0.25,
    .usual_block_cost = 100,
};

struct rp_rate_law
stream_law(enum rp_rate_mode mode, double fps, int gop, int b_run)
{
    const struct rp_rate_aim aim = {.mode = mode, .bps = BPS, .picture_s = 1 / fps, .slack = 1};
    struct rp_rate_law law = {0};

    rp_rate_law_set(&law, &aim);
    rp_rate_law_init(&law, &stream_scale, gop, b_run);
    return law;
}

struct rp_rate_picture
stream_picture(enum rp_rate_type type, double cost)
{
    return (struct rp_rate_picture){.type = type, .complexity = 1000, .expected_cost = cost};
}

struct rp_rate_picture
stream_complex_picture(enum rp_rate_type type, double cost)
{
    return (struct rp_rate_picture){.type = type, .complexity = cost, .expected_cost = cost};
}

double
stream_code(struct rp_rate_law *law, enum rp_rate_type type, double cost)
{
    struct rp_rate_picture picture = stream_picture(type, cost);
    const double most = rp_rate_law_most(law, &picture);
    const double least = rp_rate_law_least(law);
    const double base = law->picture_count > 0 ? rp_rate_law_base(law, &picture) : cost / most;
    double bits = cost / base;

    if (bits > most)
        bits = most;
    else if (bits < least)
        bits = fmin(2 * bits, fmin(least, most));
    picture.wanted_bits = bits;
    rp_rate_law_add(law, &picture, cost / bits, bits);
    return bits;
}

double
stream_noise(unsigned *state, double height)
{
    *state = *state * 1664525u + 1013904223u;
    return 1 + height * ((double)(*state >> 8) / (1 << 23) - 1);
}

void
stream_require(bool holds, const char *claim, double found, double expected)
{
    if (holds)
        return;
    (void)fprintf(stderr, "%s: %.4f, expected %.4f\n", claim, found, expected);
    test_fail();
}

void
stream_require_even(const double *bits, int count, int fps, double tolerance)
{
    const int window = 5 * fps;
    double sum = 0;

    for (int i = 0; i < count; i++) {
        sum += bits[i] - (i >= window ? bits[i - window] : 0);
        if (i + 1 >= window)
            stream_require(fabs(sum / 5 / BPS - 1) < tolerance, "rate of five seconds",
                           sum / 5 / BPS, 1);
    }
}

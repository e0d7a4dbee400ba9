/* SPDX-License-Identifier: MIT */
/* Five seconds of a constant rate, with pictures that take quite something else than what was
 * planned: those that break a window are coded again, as picture.c does it.
 */
#include "codecs/rate/retry.h"
#include "stream.h"

#include <math.h>
#include <stdio.h>

#define FPS 25
#define PICTURES (40 * FPS)
#define TRIES 4

struct retry_case {
    int period;   /* pictures from I to I */
    int b_run;    /* B pictures after each that is not */
    double least; /* of what was planned, ... */
    double most;  /* ... what pictures take */
    bool codes_again;
};

static double
draw(unsigned *state, double least, double most)
{
    *state = *state * 1664525u + 1013904223u;
    return least * pow(most / least, (double)(*state >> 8) / (1 << 24));
}

/* Bits of a picture that its plan is wrong about; of the second one nobody is as wrong. */
static double
code_picture(struct rp_rate_law *law, const struct retry_case *c, enum rp_rate_type type,
             unsigned *random, int *again_count)
{
    const struct rp_rate_picture picture = stream_picture(type, 1e5);
    static const double usual_cost[] = {[RP_RATE_P] = 1e5, [RP_RATE_B] = 2e4, [RP_RATE_I] = 12e5};
    const double cost = usual_cost[type] * draw(random, c->least, c->most);
    const double most = rp_rate_law_most(law, &picture);
    const double base = law->picture_count == 0 ? cost / most
                        : type == RP_RATE_B     ? 1 / law->mean.slope /* as its reference */
                                                : rp_rate_law_base(law, &picture);
    double bits = type == RP_RATE_I ? fmin(cost / base, most) : cost / base;
    struct rp_rate_retry retry;

    for (int i = 0; i < TRIES && c->codes_again; i++) {
        if (!rp_rate_retry_is_due(law, type, bits, &retry))
            break;
        bits = retry.bits * draw(random, 0.9, 1.1);
        ++*again_count;
    }
    rp_rate_law_add(law, &picture, cost / bits, bits);
    return bits;
}

/* The largest difference of any five seconds from the rate, of all. */
static double
worst_window(const struct retry_case *c, int *again_count)
{
    static double bits[PICTURES];
    struct rp_rate_law law = stream_law(RP_RATE_CBR, FPS, c->period, c->b_run);
    unsigned random = 1;
    double worst = 0;
    double sum = 0;

    *again_count = 0;
    for (int i = 0; i < PICTURES; i++) {
        const int place = i % c->period;
        const bool is_b = place > 0 && (place - 1) % (1 + c->b_run) > 0;
        const enum rp_rate_type type = place == 0 ? RP_RATE_I : is_b ? RP_RATE_B : RP_RATE_P;
        bits[i] = code_picture(&law, c, type, &random, again_count);
        sum += bits[i] - (i >= 5 * FPS ? bits[i - 5 * FPS] : 0);
        if (i + 1 >= 5 * FPS)
            worst = fmax(worst, fabs(sum / 5 / BPS - 1));
    }
    return worst;
}

int
main(void)
{
    static const struct retry_case cases[] = {
        {60, 0, 0.2, 3, true},   {250, 0, 0.2, 3, true}, {12, 0, 0.3, 2, true},
        {60, 0, 0.9, 1.1, true}, {60, 2, 0.4, 2, true},  {250, 1, 0.4, 2, true},
    };
    bool has_failed = false;

    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct retry_case without = cases[i];
        int again_count;
        without.codes_again = false;
        const double loose = worst_window(&without, &again_count);
        const double held = worst_window(&cases[i], &again_count);
        const bool is_wild = cases[i].most > 1.5;
        printf("period %d, %d B: five seconds are off by %.4f, without %.4f; %d pictures coded "
               "again\n",
               cases[i].period, cases[i].b_run, held, loose, again_count);
        const double bound = cases[i].b_run > 0 ? 0.036 : 0.03; /* within a group rates swing */
        if (held > bound || (is_wild && loose <= bound) || again_count > PICTURES / 5 ||
            (!is_wild && again_count > 0)) {
            fprintf(stderr, "FAILED: period %d\n", cases[i].period);
            has_failed = true;
        }
    }
    return has_failed;
}

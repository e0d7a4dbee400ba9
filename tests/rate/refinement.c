/* SPDX-License-Identifier: MIT */
/* Still content of a constant rate: what an I picture lacked comes soon after it.
 */
#include "stream.h"

#include "test.h"

#include <math.h>

/* What a picture of still content takes: a trifle, and where it is finer than its reference, a part
 * of an I picture. */
static double
still_bits(enum rp_rate_type type, double slope, double reference)
{
    const double finer = fmax(0, 1 - reference / slope);
    return type == RP_RATE_I ? 5e5 * slope : (4e3 + 2.5e5 * finer * finer) * slope;
}

/* The I pictures may not be as large as they would be; what is missing comes at once, not bit by
 * bit until the next one. */
static void
still_content_is_refined_early(void)
{
    const struct stream_case c = {.fps = 25, .period = 60, .tolerance = 0.033};
    static double bits[1000];
    struct rp_rate_law law = stream_law(RP_RATE_CBR, c.fps, c.period, 0);
    double early = 0, late = 0, reference = 0;

    for (int i = 0; i < 1000; i++) {
        const enum rp_rate_type type = i % c.period == 0 ? RP_RATE_I : RP_RATE_P;
        struct rp_rate_picture picture = {
            .type = type,
            .complexity = 1000,
            .expected_cost = still_bits(type, 1, 1),
        };
        const double most = rp_rate_law_most(&law, &picture);
        const double base = i > 0 ? rp_rate_law_base(&law, &picture) : 0.1;
        double slope = 1 / base;
        while (still_bits(type, slope, reference) > most)
            slope *= 0.98;
        bits[i] = still_bits(type, slope, reference);
        rp_rate_law_add(&law, &picture, 1 / slope, bits[i]);
        reference = type == RP_RATE_I ? slope : fmax(reference, slope);
        if (i >= 300 && i % c.period == 15)
            early += reference;
        if (i >= 300 && i % c.period == c.period - 1)
            late += reference;
    }
    stream_require_even(bits, 1000, c.fps, c.tolerance);
    stream_require(early > 0.6 * late, "share of the last quality, early", early / late, 0.6);
}

int
main(void)
{
    RUN(still_content_is_refined_early);
    return 0;
}

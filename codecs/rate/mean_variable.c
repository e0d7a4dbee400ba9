/* SPDX-License-Identifier: MIT */
/* The law of a variable rate of one layer: one quantiser for all, as the buffer leaves it.
 */
#include "laws.h"

#include "constants.h"
#include "mean.h"
#include "numbers.h"

/* What is owed beyond what I pictures leave just after them, and find saved just before: a stream
 * that ends elsewhere has its rate. */
static double
variable_owed_s(const struct rp_rate_law *law)
{
    const struct rp_rate_mean *mean = &law->mean;
    const double picture_s = law->aim.picture_s;
    const double period_s = law->intra_period * picture_s;
    const double longest_s =
        fmin(MEAN_LONGEST_PLAN_S, VARIABLE_FIRST_PLAN_S + VARIABLE_PLAN * mean->age_s);
    const double plan_s = fmin(period_s, longest_s);
    const double since_s = (law->since_intra + 1) * picture_s;
    const double kept_s = fmin(0.5 * mean->intra_s, VARIABLE_KEPT_FOR_I * mean->age_s);
    const double after_s = (mean->intra_s - kept_s) * fmax(0, 1 - since_s / plan_s);
    const double before_s = kept_s * fmax(0, 1 - (period_s - since_s) / plan_s);

    return law->debt_s - after_s + before_s;
}

/* How little of the rate a debt may leave. Where pictures are coarser than the stream's usual ones
 * even without it, the scene is a hard one, and others may follow that pay for it: the longer the
 * stream has gone on, the less such a scene matters to its mean. */
static double
least_urge(const struct rp_rate_law *law, double slope)
{
    const struct rp_rate_mean *mean = &law->mean;
    const double least = rp_rate_mean_constants[RP_RATE_VBR].least_urge;

    if (mean->usual_slope <= 0)
        return least;
    const double known = rp_rate_clip((mean->age_s - VARIABLE_UNKNOWN_S) / VARIABLE_KNOWN_S, 0, 1);
    const double coarser = fmax(0, log2(mean->usual_slope / slope));
    const double most = fmin(VARIABLE_MOST_HARD_URGE,
                             VARIABLE_FIRST_HARD_URGE + VARIABLE_HARD_URGE_PER_S * mean->age_s);
    return rp_rate_clip(least + VARIABLE_HARD_URGE * known * coarser, least, most);
}

static double
variable_base(struct rp_rate_law *law, const struct rp_rate_picture *picture)
{
    const double cost = rp_rate_mean_cost(law, picture);
    if (cost <= 0)
        return law->scale->default_step;

    const double even = law->aim.bps * law->aim.picture_s / cost;
    double slope =
        rp_rate_mean_slope(law, picture, even, variable_owed_s(law), least_urge(law, even));
    if (picture->fill_s > 0)
        slope = fmin(slope, rp_rate_mean_buffer_slope(law, picture));
    return rp_rate_mean_ask(law, slope);
}

/* The first picture: one that comes again soon has no more than its part of its period. */
static double
first_most_s(const struct rp_rate_law *law)
{
    const double picture_s = law->aim.picture_s;
    const double pictures = fmax(1, VARIABLE_FIRST_S / picture_s); /* that it may be as large as */
    const double part = law->intra_period / (law->intra_period - 1 + pictures);

    return fmax(VARIABLE_FIRST_S, picture_s) * part;
}

static double
variable_most_s(const struct rp_rate_law *law, const struct rp_rate_picture *picture)
{
    const double most_s = rp_rate_mean_buffer_s(law, picture);

    return law->picture_count == 0 ? fmin(most_s, first_most_s(law)) : most_s;
}

static void
variable_add(struct rp_rate_law *law, const struct rp_rate_picture *picture, double base,
             double bits)
{
    rp_rate_recent_note_cost(law, picture, base, bits);
    rp_rate_recent_bound_debt(law);
    rp_rate_mean_add(law, picture, base, bits, variable_owed_s);
}

const struct rp_rate_law_ops rp_rate_mean_variable = {
    .name = "one quantiser, variable",
    .has_one_quantiser = true,
    .keeps_rows = {[RP_RATE_P] = true, [RP_RATE_B] = true, [RP_RATE_I] = true},
    .base = variable_base,
    .most_s = variable_most_s,
    .add = variable_add,
};

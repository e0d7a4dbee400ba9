/* SPDX-License-Identifier: MIT */
/* The law for pictures that no other one has a plan for: short periods in small buffers, B pictures
 * that were not announced, layers, and few pictures a second. The base comes from what the last
 * pictures of each type cost, and from what is owed. What an I picture takes beyond its time is
 * left to a plan, which pays it back evenly until the next one.
 */
#include "laws.h"

#include "bounds.h"
#include "constants.h"
#include "content.h"
#include "numbers.h"

static const struct rp_rate_recent_constants *
constants_of(const struct rp_rate_law *law)
{
    return &rp_rate_recent_constants[law->aim.mode];
}

double
rp_rate_recent_cost(const struct rp_rate_law *law, const struct rp_rate_picture *picture,
                    enum rp_rate_type type)
{
    if (type != picture->type)
        return law->cost[type];
    if (law->cost[type] <= 0)
        return picture->expected_cost;
    if (law->complexity[type] <= 0 || picture->complexity <= 0)
        return law->cost[type];
    const double change = rp_rate_clip(picture->complexity / law->complexity[type], 1.0 / 64, 64);
    return law->cost[type] * pow(change, constants_of(law)->complexity_power);
}

/* I pictures in between are paid for by the plan. */
static bool
type_counts(const struct rp_rate_law *law, enum rp_rate_type type)
{
    return type != RP_RATE_I || !constants_of(law)->plans_intra || law->share[RP_RATE_I] > 0.5 ||
           law->cost[RP_RATE_P] + law->cost[RP_RATE_B] <= 0;
}

/* How fast a debt is paid back: within a few pictures, however long they last. */
static double
payback_s(const struct rp_rate_law *law)
{
    const double pictures =
        fmax(RECENT_PAYBACK_PICTURES, RECENT_PAYBACK_GROUPS * rp_rate_group_pictures(law));
    return fmax(constants_of(law)->payback_s, pictures * law->aim.picture_s);
}

static double
recent_base(struct rp_rate_law *law, const struct rp_rate_picture *picture)
{
    double cost = 0;
    double share = 0;

    for (enum rp_rate_type type = 0; type < RP_RATE_TYPES; type++) {
        const double one = rp_rate_recent_cost(law, picture, type);
        if (one <= 0 || !type_counts(law, type))
            continue;
        cost += law->share[type] * one;
        share += law->share[type];
    }
    const double owed_s =
        (picture->type == RP_RATE_B ? law->held_s : law->debt_s - law->plan_s) + law->standing_s;
    const double urge =
        rp_rate_clip(exp(-owed_s / payback_s(law)), RECENT_LEAST_URGE, RECENT_MOST_URGE);
    const double bits = law->aim.bps * (law->aim.picture_s - law->plan_step_s) * urge;
    return share > 0 ? cost / share / bits : law->scale->default_step;
}

static double
group_swing_s(const struct rp_rate_law *law)
{
    return RECENT_GROUP_SWING * (rp_rate_group_pictures(law) - 1) * law->aim.picture_s;
}

/* Whatever a second means, a few pictures must be allowed to differ. */
static double
few_pictures_s(double picture_s)
{
    return fmax(0, 3 * (picture_s - 0.15));
}

/* Pictures that a plan takes. */
static int
plan_pictures(const struct rp_rate_law *law)
{
    return (int)rp_rate_clip(constants_of(law)->plan_s / law->aim.picture_s, 1, law->intra_period);
}

/* Pictures by which a window is longer, or shorter, than whole plans. */
static int
plan_edge(const struct rp_rate_law *law)
{
    const int length = plan_pictures(law);
    const int rest = rp_rate_window_pictures(law) % length;

    return constants_of(law)->window_s <= 0 ? 0 : rest < length - rest ? rest : length - rest;
}

/* Pictures that come out larger or smaller than was meant take their part of what is tolerated. */
static double
plan_bound_s(const struct rp_rate_law *law)
{
    return law->aim.slack * fmax(0.05, constants_of(law)->plan_bound_s - law->aim.picture_s / 4);
}

/* The most that may be paid back evenly: debts that rise by jumps and fall evenly differ by a part
 * of a jump in a window's time. */
static double
plan_even_s(const struct rp_rate_law *law)
{
    const int length = plan_pictures(law);
    return plan_bound_s(law) * length / (length + 1 - plan_edge(law));
}

/* Windows that are whole plans long have as many jumps as any other: their height does not matter.
 * Of the others some have one more, or one less; but when what is more than the bound is paid back
 * in the edge after a jump, and as much again in that before the next, those do not see it. */
static double
plan_jump_s(const struct rp_rate_law *law)
{
    const struct rp_rate_recent_constants *c = constants_of(law);
    const double picture_s = law->aim.picture_s;
    const int edge = plan_edge(law);
    const double bound_s = plan_bound_s(law);

    if (c->plans_intra && (law->intra_period <= RECENT_SHORT_PERIOD ||
                           law->intra_period * picture_s < RECENT_SHORT_PERIOD_S))
        return c->jump_s;
    if (edge == 0)
        return law->aim.slack * c->plan_jump_s;
    const double steep_s = bound_s + RECENT_STEEP * (edge - 1) * picture_s;
    return fmin(2 * bound_s, fmax(steep_s, plan_even_s(law)));
}

/* What the next picture pays back. */
static double
plan_step_s(const struct rp_rate_law *law)
{
    const double picture_s = law->aim.picture_s;
    const double bound_s = plan_bound_s(law);
    const int length = plan_pictures(law);
    const int edge = plan_edge(law) - 1;
    double step_s = law->plan_whole_s / length;

    if (edge > 0 && 2 * edge < length && law->plan_whole_s > plan_even_s(law)) {
        const bool is_at_edge = law->plan_age < edge || law->plan_age >= length - edge;
        step_s = is_at_edge ? (law->plan_whole_s - bound_s) / edge
                            : (2 * bound_s - law->plan_whole_s) / (length - 2 * edge);
    }
    return rp_rate_clip(step_s, -0.5 * picture_s, RECENT_STEEP * picture_s);
}

/* Sets what was owed a window's time ago, between two groups of pictures; false when that is before
 * the first picture, or does not matter. */
static bool
window_start(const struct rp_rate_law *law, double *debt_s)
{
    const int start = law->picture_count + 1 - rp_rate_window_pictures(law);

    if (constants_of(law)->window_s <= 0 || start < 0)
        return false;
    *debt_s = (double)law->past_group_s[start % RP_RATE_PAST];
    return true;
}

static double
window_tolerance_s(const struct rp_rate_law *law)
{
    return law->aim.slack * constants_of(law)->window_s;
}

static double
recent_most_s(const struct rp_rate_law *law, const struct rp_rate_picture *picture)
{
    const struct rp_rate_recent_constants *c = constants_of(law);
    const double picture_s = law->aim.picture_s;
    const double group_s = group_swing_s(law);
    const bool is_planned = picture->type == RP_RATE_I && c->plans_intra;
    double left_s;
    double start_s;

    if (law->picture_count == 0 || (is_planned && !rp_rate_is_sudden(law, picture)))
        left_s = plan_jump_s(law);
    else
        left_s = law->aim.slack * c->jump_s + few_pictures_s(picture_s);
    if (picture->type == RP_RATE_B)
        left_s -= law->held_s;
    else
        left_s += (picture->type == RP_RATE_P ? group_s : 0) - (law->debt_s - law->plan_s);
    if (window_start(law, &start_s))
        left_s = fmin(left_s, start_s + group_s + window_tolerance_s(law) - law->debt_s);
    return picture_s + fmax(left_s, -(1 - RECENT_LEAST_PART) * picture_s);
}

double
rp_rate_recent_least_s(const struct rp_rate_law *law)
{
    const double picture_s = law->aim.picture_s;
    double start_s;

    if (!window_start(law, &start_s))
        return 0;
    const double left_s = start_s - window_tolerance_s(law) - law->debt_s;
    return picture_s + fmin(left_s, picture_s);
}

void
rp_rate_recent_note_cost(struct rp_rate_law *law, const struct rp_rate_picture *picture,
                         double base, double bits)
{
    const bool is_new = law->new_count > 0;
    const double weight = is_new ? NEW_RATE_WEIGHT : constants_of(law)->cost_weight;

    law->new_count -= is_new;
    rp_rate_mean_move(&law->cost[picture->type], bits * base, weight);
    law->reference_slope = picture->type == RP_RATE_I ? 1 / base : 0;
    law->last_slope = 0;
}

void
rp_rate_recent_note_plan(struct rp_rate_law *law, const struct rp_rate_picture *picture,
                         double jump_s)
{
    const bool is_planned =
        law->picture_count == 0 || (picture->type == RP_RATE_I && constants_of(law)->plans_intra);
    const double most_s = plan_jump_s(law);

    law->plan_s -= law->plan_step_s;
    law->plan_age++;
    if (law->plan_s * law->plan_whole_s <= 0)
        law->plan_s = law->plan_whole_s = 0;
    if (is_planned) {
        law->plan_s = law->plan_whole_s = rp_rate_clip(law->plan_s + jump_s, -most_s, most_s);
        law->plan_age = 0;
    }
    law->plan_step_s = plan_step_s(law);
}

void
rp_rate_recent_note_standing(struct rp_rate_law *law)
{
    const double most_s = RECENT_MOST_STANDING * payback_s(law);
    const double owed_s =
        (law->debt_s - law->plan_s) * law->aim.picture_s / constants_of(law)->standing_s;

    law->standing_s = rp_rate_clip(law->standing_s + owed_s, -most_s, most_s);
}

/* What was not spent is kept for later as far as it takes to be spent: with less of a debt slow
 * pictures would not feel it. */
static double
least_debt_s(const struct rp_rate_law *law)
{
    const double picture_s = law->aim.picture_s;
    const double patience = law->aim.slack == 1 ? 1 : RECENT_LAYER_PATIENCE;
    const double slowness = payback_s(law) / constants_of(law)->payback_s;
    const double group_s = (rp_rate_group_pictures(law) - 1) * picture_s;

    return constants_of(law)->least_debt_s * slowness * patience - group_s -
           few_pictures_s(picture_s);
}

void
rp_rate_recent_bound_debt(struct rp_rate_law *law)
{
    law->debt_s = rp_rate_clip(law->debt_s, least_debt_s(law), constants_of(law)->most_debt_s);
}

static void
recent_add(struct rp_rate_law *law, const struct rp_rate_picture *picture, double base, double bits)
{
    rp_rate_recent_note_cost(law, picture, base, bits);
    rp_rate_recent_bound_debt(law);
}

const struct rp_rate_law_ops rp_rate_recent = {
    .name = "recent costs",
    .base = recent_base,
    .most_s = recent_most_s,
    .add = recent_add,
};

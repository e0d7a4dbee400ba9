/* SPDX-License-Identifier: MIT */
/* The law of a constant rate when pictures are I and P of one layer in long periods: the quantiser
 * that can be kept for longest. The debt must stay between the bounds that windows of five seconds
 * and the buffer leave; of all its ways between them the shortest changes the quantiser least, and
 * the base asked for is that of this way's first piece.
 *
 * An I picture that may not be as large as it wants to be leaves a coarse reference. The P pictures
 * after it make that good as soon as the bounds let them: every later one gains by it.
 */
#include "laws.h"

#include "bounds.h"
#include "constants.h"
#include "content.h"
#include "mean.h"
#include "numbers.h"

#include <stddef.h>

bool
rp_rate_has_refinement(const struct rp_rate_law *law)
{
    return law->aim.mode == RP_RATE_CBR && law->aim.slack == 1 && !rp_rate_has_b(law) &&
           law->begins_long && law->aim.picture_s <= CHOICE_PLAN_PICTURE_S;
}

static int
pictures_to_intra(const struct rp_rate_law *law, const struct rp_rate_picture *picture)
{
    return picture->type == RP_RATE_I ? 0 : rp_rate_law_to_intra(law, false);
}

/* What is left of all slopes from here on whose way stays between the bounds. */
struct slopes {
    double low;
    double high;
};

/* False where the way must bend: there is one slope left, and it is low. work: seconds of the rate
 * that the pictures up to here cost at slope 1. */
static bool
slopes_narrow(struct slopes *slopes, double work, double least_s, double most_s)
{
    const double low = least_s / work;
    const double high = most_s / work;

    if (low > slopes->high)
        slopes->low = slopes->high;
    else if (high >= slopes->low) {
        slopes->low = fmax(slopes->low, low);
        slopes->high = fmin(slopes->high, high);
        return true;
    }
    return false;
}

/* Pictures to where what is owed is to be as it always is there. */
static int
plan_end(const struct rp_rate_law *law, int to_intra, int most)
{
    const int short_by = PLAN_NEAR - to_intra;
    int end = to_intra;

    if (short_by > 0)
        end += (short_by + law->intra_period - 1) / law->intra_period * law->intra_period;
    return end < most ? end : most;
}

/* first, rest: costs of the picture and of the P pictures after it. */
static double
longest_slope(const struct rp_rate_law *law, const struct rp_rate_picture *picture, double first,
              double rest)
{
    const double picture_s = law->aim.picture_s;
    const double bps = law->aim.bps;
    const int most_pictures =
        (int)rp_rate_clip(PLAN_HORIZON_S / picture_s, PLAN_NEAR, PLAN_MOST_PICTURES);
    const int to_intra = pictures_to_intra(law, picture);
    const int end = plan_end(law, to_intra, most_pictures);
    const double at_end_s = to_intra > most_pictures ? 0 : PLAN_OWED_AT_END_S;
    struct slopes slopes = {0, 1e9};
    double differs = picture->type == RP_RATE_I ? 0 : first - rest;
    double work = first / bps;

    for (int number = 1;; number++) {
        const struct rp_rate_bounds b =
            rp_rate_bounds_after(law, picture, number, PLAN_TOLERANCE_S);
        const double even_s = number * picture_s - law->debt_s;
        const double end_s = rp_rate_clip(at_end_s, b.least_s, b.most_s) + even_s;
        const double least = number < end ? b.least_s + even_s : end_s;
        const double most = number < end ? b.most_s + even_s : end_s;
        if (!slopes_narrow(&slopes, work, fmax(least, 0), fmax(most, 1e-5 * number)) ||
            number >= end)
            return slopes.low;
        differs *= PLAN_DECAY;
        const bool is_intra = number >= to_intra && (number - to_intra) % law->intra_period == 0;
        work += (is_intra ? law->cost[RP_RATE_I] : rest + differs) / bps;
    }
}

/* A P picture's cost beyond its own when it is finer than its reference: still content is coded
 * once more, but for what small steps leave as it is. */
static double
refinement(const struct rp_rate_law *law, double slope)
{
    const double finer = fmax(0, 1 - law->reference_slope / fmax(slope, 1e-9));
    return law->stillness * law->cost[RP_RATE_I] * finer * finer;
}

/* The slope at which the picture, refinement included, is where the longest way asks it to be. */
static double
refined_slope(const struct rp_rate_law *law, const struct rp_rate_picture *picture, double cost)
{
    /* P pictures are believed to go on as they are: means lag behind what fades in. */
    const double rest = picture->type == RP_RATE_P ? cost
                        : law->usual_cost > 0      ? law->usual_cost
                                                   : law->cost[RP_RATE_I] / 6;
    double high = longest_slope(law, picture, cost, rest);
    double low = law->reference_slope;

    if (picture->type == RP_RATE_I || low <= 0 || high <= low)
        return high;
    for (int i = 0; i < PLAN_STEPS; i++) {
        const double slope = sqrt(low * high);
        const double first = cost + refinement(law, slope);
        if (longest_slope(law, picture, first, rest) > slope)
            low = slope;
        else
            high = slope;
    }
    return high;
}

/* No sudden change but for the better, after a coarse reference. */
static double
smooth_slope(const struct rp_rate_law *law, double slope)
{
    if (law->cost[RP_RATE_P] <= 0 && law->reference_slope > 0)
        return fmin(slope, PLAN_BETTER_THAN_FIRST * law->reference_slope);
    if (law->last_slope <= 0)
        return slope;
    const bool is_coarse = law->reference_slope < PLAN_COARSE * slope;
    return rp_rate_clip(slope, law->last_slope / PLAN_FASTEST,
                        is_coarse ? slope : law->last_slope * PLAN_FASTEST);
}

/* The next pictures see together to the least bits that windows ask for. */
static double
least_slope_ahead(const struct rp_rate_law *law, const struct rp_rate_picture *picture, double cost,
                  double slope)
{
    const int to_intra = pictures_to_intra(law, picture);

    for (int number = 1; number <= PLAN_AHEAD && number <= to_intra; number++) {
        const struct rp_rate_bounds b =
            rp_rate_bounds_after(law, picture, number, PLAN_TOLERANCE_S);
        const double least_s = b.least_s + number * law->aim.picture_s - law->debt_s;
        slope = fmax(slope, least_s * law->aim.bps / (number * cost));
    }
    return slope;
}

static double
window_base(struct rp_rate_law *law, const struct rp_rate_picture *picture)
{
    const double picture_s = law->aim.picture_s;
    const double cost = fmax(rp_rate_recent_cost(law, picture, picture->type), 1e-3);
    double slope = refined_slope(law, picture, cost);
    if (picture->type == RP_RATE_I)
        return 1 / fmax(slope, PLAN_LEAST_SLOPE);

    slope = least_slope_ahead(law, picture, cost, smooth_slope(law, slope));
    const struct rp_rate_bounds b = rp_rate_bounds_after(law, picture, 1, PLAN_TOLERANCE_S);
    const double most = fmax(b.most_s + picture_s - law->debt_s, 0.1 * picture_s) * law->aim.bps;
    for (int i = 0; i < PLAN_STEPS && slope * (cost + refinement(law, slope)) > most; i++)
        slope *= 0.9;
    return 1 / fmax(slope, PLAN_LEAST_SLOPE);
}

static double
window_most_s(const struct rp_rate_law *law, const struct rp_rate_picture *picture)
{
    const double picture_s = law->aim.picture_s;
    const int window = rp_rate_window_pictures(law);
    const bool is_whole = picture->type == RP_RATE_I && window % law->intra_period == 0;
    double left_s = law->picture_count == 0 ? PLAN_FIRST_JUMP_S
                    : is_whole              ? PLAN_WHOLE_JUMP_S
                                            : PLAN_JUMP_S;

    if (rp_rate_is_sudden(law, picture))
        left_s = PLAN_SUDDEN_JUMP_S;
    for (int number = 1; number < PLAN_MOST_PICTURES; number++) {
        const struct rp_rate_bounds b =
            rp_rate_bounds_after(law, picture, number, PLAN_MOST_TOLERANCE_S);
        left_s = fmin(left_s, b.most_s - law->debt_s + PLAN_STEEP * (number - 1) * picture_s);
    }
    return picture_s + fmax(left_s, -(1 - PLAN_LEAST_PART) * picture_s);
}

/* What a P picture would have cost with a reference as fine as itself; learns what references are
 * worth. */
static double
learn_refinement(struct rp_rate_law *law, double base, double bits)
{
    const double slope = 1 / base;
    const double reference = law->reference_slope;
    const double more = refinement(law, slope) * slope;

    if (reference > 0 && reference < PLAN_COARSE * slope && law->cost[RP_RATE_P] > 0 && more > 0) {
        const double beyond = bits - law->cost[RP_RATE_P] * slope;
        const double seen = rp_rate_clip(beyond * law->stillness / more, 0.02, 1);
        law->stillness += PLAN_STILLNESS_WEIGHT * (seen - law->stillness);
    }
    law->reference_slope =
        slope > reference ? slope : reference + PLAN_REFERENCE_WEIGHT * (slope - reference);
    law->last_slope = slope;
    return fmax(bits - more, 0.3 * bits) * base;
}

void
rp_rate_window_note_cost(struct rp_rate_law *law, const struct rp_rate_picture *picture,
                         double base, double bits)
{
    const bool is_new = law->new_count > 0;
    const bool is_refined = law->reference_slope < PLAN_COARSE / base;
    const double weight = is_refined ? PLAN_REFINED_WEIGHT : PLAN_COST_WEIGHT;
    if (picture->type != RP_RATE_P) {
        rp_rate_recent_note_cost(law, picture, base, bits);
        return;
    }
    law->new_count -= is_new;
    rp_rate_mean_move(&law->cost[RP_RATE_P], learn_refinement(law, base, bits),
                      is_new ? NEW_RATE_WEIGHT : weight);
    rp_rate_mean_move(&law->usual_cost, bits * base, is_new ? NEW_RATE_WEIGHT : PLAN_USUAL_WEIGHT);
}

static void
window_add(struct rp_rate_law *law, const struct rp_rate_picture *picture, double base, double bits)
{
    rp_rate_window_note_cost(law, picture, base, bits);
    rp_rate_bound_savings(law, base);
    rp_rate_mean_add(law, picture, base, bits, NULL);
}

const struct rp_rate_law_ops rp_rate_window = {
    .name = "windows ahead",
    .sees_windows = true,
    .keeps_rows = {[RP_RATE_P] = true, [RP_RATE_B] = true},
    .base = window_base,
    .most_s = window_most_s,
    .add = window_add,
};

/* SPDX-License-Identifier: MIT */
/* The law of a constant rate whose I pictures come too often for a plan to each, whose content is
 * restless, or that has B pictures: one quantiser for all, within what windows of five seconds and
 * the buffer leave. B pictures then have the step that the encoder gives them for how their
 * references came out.
 */
#include "laws.h"

#include "bounds.h"
#include "constants.h"
#include "content.h"
#include "mean.h"
#include "numbers.h"

/* What the last I picture has left to be paid. Windows that are some pictures longer, or shorter,
 * than whole periods: what it left beyond what those stand is paid in so many pictures after it,
 * and before the next. */
static double
edged_left_s(const struct rp_rate_law *law, double pictures)
{
    const double jump_s = fmin(law->mean.intra_s, 2 * HELD_TOLERANCE_S);
    const double rest = fmod(rp_rate_window_pictures(law), pictures);
    const double edge = fmin(rest, pictures - rest);
    const double middle = pictures - 2 * edge;
    const double past = law->since_intra + 1;

    if (edge <= 0 || middle <= 0 || jump_s * (pictures - edge) <= HELD_TOLERANCE_S * pictures)
        return law->mean.intra_s * fmax(0, 1 - past / pictures);
    const double at_edges = fmin(past, edge) + rp_rate_clip(past - edge - middle, 0, edge);
    return jump_s - (jump_s - HELD_TOLERANCE_S) * at_edges / edge -
           (2 * HELD_TOLERANCE_S - jump_s) * rp_rate_clip(past - edge, 0, middle) / middle;
}

/* What is owed beyond what the last I picture leaves for its period: half of it before, when there
 * was time to save that, and half of it after. */
static double
constant_owed_s(const struct rp_rate_law *law)
{
    const struct rp_rate_mean *mean = &law->mean;
    const double pictures =
        fmax(1, fmin(law->intra_period, MEAN_LONGEST_PLAN_S / law->aim.picture_s));
    const bool recurs = law->intra_period <= pictures;
    const double before = recurs ? 0.5 * fmin(1, mean->age_s / HELD_CENTRE_S) : 0;

    if (recurs)
        return law->debt_s - edged_left_s(law, pictures) + mean->intra_s * before;
    return law->debt_s - mean->intra_s * (fmax(0, 1 - (law->since_intra + 1) / pictures) - before);
}

/* What pictures that show nothing cost says nothing of what follows them. In short periods the I
 * picture tells that soon. */
static double
cost_after_void(const struct rp_rate_law *law, double cost)
{
    const bool is_unknown = law->mean.had_void && law->begins_long;
    const double usual = is_unknown ? law->scale->usual_block_cost * law->aim.block_count : 0;

    return cost + fmax(0, usual - cost) * MEAN_USUAL_S / (MEAN_USUAL_S + law->mean.since_void_s);
}

/* The nearest slope that stays within what windows and the buffer leave. */
static double
bounded_slope(const struct rp_rate_law *law, const struct rp_rate_picture *picture, double slope)
{
    const struct rp_rate_mean *mean = &law->mean;
    const double picture_s = law->aim.picture_s;
    const int to_intra = picture->type == RP_RATE_I ? 0 : law->intra_period - 1 - law->since_intra;
    const int look = (int)rp_rate_clip(HELD_LOOK_S / picture_s, HELD_LEAST_LOOK, HELD_MOST_LOOK);
    const bool is_other = rp_rate_is_other_scene(law, picture);
    const double recent = mean->recent > 0 ? mean->recent : rp_rate_mean_cost(law, picture);
    const double inter = rp_rate_mean_inter_cost(law);
    const double usual = inter > 0 ? inter : recent;
    double differs = is_other ? fmax(0, recent - usual) : recent - usual;
    const double decay = exp(-picture_s / HELD_RECALL_S);
    double low = 0;
    double high = 1 / MEAN_LEAST_SLOPE;
    double work = 0;

    for (int number = 1; number <= look; number++) {
        const int beyond = number - 1 - to_intra;
        const bool is_intra =
            beyond >= 0 && beyond % law->intra_period == 0 && mean->cost[RP_RATE_I] > 0;
        const struct rp_rate_bounds b =
            rp_rate_bounds_after(law, picture, number, HELD_TOLERANCE_S);
        const double even_s = number * picture_s - law->debt_s;
        const double other = number == 1 && is_other ? picture->expected_cost : usual + differs;
        work += (is_intra ? mean->cost[RP_RATE_I] : cost_after_void(law, other)) / law->aim.bps;
        differs *= decay;
        const double least = fmax(0, b.least_s + even_s) / work;
        const double most = fmax(0, b.most_s + even_s) / work;
        if (least > high)
            return high;
        if (most < low)
            return low;
        low = fmax(low, least);
        high = fmin(high, most);
    }
    return rp_rate_clip(slope, low, high);
}

/* An I picture is not coded much worse than those before it, be it that windows ask for that.
 * 0: any other may be. */
static double
least_slope(const struct rp_rate_law *law, const struct rp_rate_picture *picture)
{
    return picture->type == RP_RATE_I ? law->mean.coded_slope / HELD_COLLAPSE : 0;
}

/* After a cheap scene its slope is not the next one's: that begins with what the costs of all let
 * it keep up, be they those of a scene as complex. */
static double
scene_slope(const struct rp_rate_law *law, const struct rp_rate_picture *picture, double even)
{
    if (law->complexity[RP_RATE_I] <= 0)
        return even;
    return even / pow(picture->complexity / law->complexity[RP_RATE_I], HELD_SCENE_POWER);
}

static double
constant_base(struct rp_rate_law *law, const struct rp_rate_picture *picture)
{
    const double cost = rp_rate_mean_cost(law, picture);
    if (cost <= 0)
        return law->scale->default_step;

    const double even = law->aim.bps * law->aim.picture_s / cost;
    double slope = rp_rate_mean_slope(law, picture, even, constant_owed_s(law),
                                      rp_rate_mean_constants[RP_RATE_CBR].least_urge);
    if (rp_rate_is_other_scene(law, picture))
        slope = fmin(slope, scene_slope(law, picture, even));
    if (picture->fill_s > 0)
        slope = fmin(slope, rp_rate_mean_buffer_slope(law, picture));
    slope = bounded_slope(law, picture, slope);
    return rp_rate_mean_ask(law, fmax(slope, least_slope(law, picture)));
}

/* What a picture may take beyond its time, whatever was owed before. In short periods P pictures
 * pay for their I picture evenly: of windows that are no whole periods long some see it with too
 * few of them, and others see those without it. */
static double
most_jump_s(const struct rp_rate_law *law, const struct rp_rate_picture *picture)
{
    const int period = law->intra_period;
    const int rest = rp_rate_window_pictures(law) % period;

    if (law->picture_count == 0)
        return rp_rate_has_b(law) ? HELD_GROUP_JUMP_S : HELD_FIRST_JUMP_S;
    if (rp_rate_has_b(law) && picture->type == RP_RATE_I && rest != 0)
        return HELD_GROUP_JUMP_S;
    if (picture->type != RP_RATE_I || rest == 0 ||
        period * law->aim.picture_s >= HELD_SHORT_PERIOD_S)
        return HELD_MOST_JUMP_S;
    return HELD_MOST_SWING_S * period / fmax(rest, period - rest);
}

/* What windows leave of the time from here on: the B pictures after a P picture make good what it
 * takes, as they usually do; those after them as much as is asked. */
static double
windows_left_s(const struct rp_rate_law *law, const struct rp_rate_picture *picture)
{
    const double picture_s = law->aim.picture_s;
    const int b_run = rp_rate_b_run(law);
    const double group_s = fmax(0, b_run * (picture_s - law->mean.b_s));
    double left_s = most_jump_s(law, picture);

    for (int number = 1; number < HELD_MOST_LOOK; number++) {
        const struct rp_rate_bounds b =
            rp_rate_bounds_after(law, picture, number, HELD_MOST_TOLERANCE_S);
        const double later_s = HELD_STEEP * fmax(0, number - 1 - b_run) * picture_s + group_s;
        left_s = fmin(left_s, b.most_s - law->debt_s + later_s);
    }
    return left_s;
}

double
rp_rate_mean_least_s(const struct rp_rate_law *law, enum rp_rate_type type)
{
    const int b_run = type == RP_RATE_B ? 0 : rp_rate_b_run(law);

    return fmax(HELD_LEAST_PART, b_run > 0 ? HELD_LEAST_GROUP * (1 + b_run) : 0) *
           law->aim.picture_s;
}

/* B pictures go by their references. */
static double
constant_most_s(const struct rp_rate_law *law, const struct rp_rate_picture *picture)
{
    const double buffer_s = rp_rate_mean_buffer_s(law, picture);
    const double left_s =
        picture->type == RP_RATE_B ? HELD_MOST_JUMP_S : windows_left_s(law, picture);
    const double least_bits = least_slope(law, picture) * rp_rate_law_intra_cost(law, picture);
    const double least_s = fmax(fmin(least_bits / law->aim.bps, HELD_COLLAPSE_S),
                                rp_rate_mean_least_s(law, picture->type));
    const double most_s = fmax(law->aim.picture_s + left_s, least_s);
    return buffer_s > 0 ? fmin(buffer_s, most_s) : most_s;
}

static void
constant_add(struct rp_rate_law *law, const struct rp_rate_picture *picture, double base,
             double bits)
{
    if (rp_rate_has_refinement(law))
        rp_rate_window_note_cost(law, picture, base, bits);
    else
        rp_rate_recent_note_cost(law, picture, base, bits);
    rp_rate_bound_savings(law, base);
    rp_rate_mean_add(law, picture, base, bits, constant_owed_s);
}

const struct rp_rate_law_ops rp_rate_mean_constant = {
    .name = "one quantiser, constant",
    .has_one_quantiser = true,
    .sees_windows = true,
    .base = constant_base,
    .most_s = constant_most_s,
    .add = constant_add,
};

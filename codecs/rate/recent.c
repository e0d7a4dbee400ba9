/* SPDX-License-Identifier: MIT */
/* The rate held by costs of the last pictures, and by what is owed.
 */
#include "law.h"

#include "mean.h"
#include "window.h"

#include <math.h>

#define UNKNOWN_GOP 100000 /* pictures: one that no plan waits for */
#define SHORT_GOP 2
#define SHORT_GOP_S 0.3
#define SHARE_WEIGHT (1.0 / 24)
#define LEAST_SHARE 0.01    /* of B pictures: of fewer nothing is to be seen */
#define MOST_B_RUN 3        /* what more of them take moves windows too far */
#define PAYBACK_PICTURES 4  /* no faster than that, nor than a group with B pictures */
#define MOST_STANDING 1.2   /* of the time in which a debt is paid back */
#define LAYER_PATIENCE 10   /* of one layer of several, whose debt is a part of the stream's */
#define PATH_GOP 16         /* pictures: shorter ones are planned one by one */
#define PATH_PICTURE_S 0.13 /* when pictures are rarer, few of them fill a window */
#define PATH_WEIGHT 0.2     /* of the newest P picture's cost */
#define USUAL_WEIGHT 0.04
#define REFINED 0.8 /* of a P picture's slope: that of a coarse reference */
#define REFINED_WEIGHT 0.1
#define STILLNESS 0.3
#define OTHER_RATE 1.3 /* costs at quite another rate are not those of before; ... */
#define NEW_PICTURES 10
#define NEW_WEIGHT 0.4    /* ... so many pictures have this weight */
#define STEEP 0.8         /* of the rate: the most that a plan keeps back */
#define FINEST 0.25       /* about QP 1: what such pictures do not take cannot be spent; ... */
#define MOST_KEPT_S 0.3   /* ... no more of it is made good later */
#define OTHER_SCENE 2     /* times the usual complexity, and ... */
#define OTHER_SCENE_I 0.5 /* ... of an I picture's */
#define SWING_WEIGHT 0.1
#define MOST_SWING 2
#define RESTLESS 0.4
#define GROUP_SWING 0.8 /* of the time of the B pictures: what the one before them takes */

struct rp_x264_pace_manner {
    double payback_s; /* how fast a debt is paid back */
    double standing_s;
    double least_debt_s; /* what was not spent is not all made good later */
    double most_debt_s;
    double jump_s;       /* what may be owed after a picture, but for what is planned */
    double plan_jump_s;  /* what a large picture may leave for a plan, windows permitting */
    double plan_bound_s; /* of what a plan leaves owed, a window's time apart */
    double plan_s;       /* the longest plan */
    double window_s;     /* what may be owed more, or less, than WINDOW_S ago; 0: anything */
    double mean_weight;  /* of the newest picture's cost */
    double complexity_power;
    bool plans_intra; /* all of them; else the first picture only */
};

static const struct rp_x264_pace_manner constant_rate = {
    .payback_s = 0.25,
    .standing_s = 1.5,
    .least_debt_s = -0.12,
    .most_debt_s = 1,
    .jump_s = 0.09,
    .plan_jump_s = 0.5,
    .plan_bound_s = 0.128,
    .plan_s = 10,
    .window_s = 0.135,
    .mean_weight = 0.3,
    .complexity_power = 0.8,
    .plans_intra = true,
};

static const struct rp_x264_pace_manner variable_rate = {
    .payback_s = 1,
    .standing_s = 10,
    .least_debt_s = -3,
    .most_debt_s = 3,
    .jump_s = 1,
    .plan_jump_s = 1,
    .plan_s = 4,
    .mean_weight = 0.06,
    .complexity_power = 0.5,
};

static double
clip(double value, double least, double most)
{
    return value < least ? least : value > most ? most : value;
}

/* Cost of a picture of the type, the one to come being known. */
static double
type_cost(const struct rp_x264_pace *pace, const struct rp_x264_pace_picture *picture, int type)
{
    if (type != picture->type)
        return pace->cost[type];
    if (pace->cost[type] <= 0)
        return picture->expected_cost;
    if (pace->complexity[type] <= 0 || picture->complexity <= 0)
        return pace->cost[type];
    const double change = clip(picture->complexity / pace->complexity[type], 1.0 / 64, 64);
    return pace->cost[type] * pow(change, pace->manner->complexity_power);
}

/* Pictures from one that is not B to the next. */
static double
group_pictures(const struct rp_x264_pace *pace)
{
    const double b_share = pace->share[1] / fmax(0.05, pace->share[0] + pace->share[1]);
    return clip(1 / (1 - fmin(b_share, 0.95)), 1, 16);
}

bool
rp_x264_pace_has_b(const struct rp_x264_pace *pace)
{
    return pace->share[1] >= LEAST_SHARE;
}

int
rp_x264_pace_b_run(const struct rp_x264_pace *pace)
{
    return (int)(group_pictures(pace) - 0.5);
}

/* Intra pictures in between are paid for by the plan. */
static bool
type_counts(const struct rp_x264_pace *pace, int type)
{
    return type != 2 || !pace->manner->plans_intra || pace->share[2] > 0.5 ||
           pace->cost[0] + pace->cost[1] <= 0;
}

/* How fast a debt is paid back: within a few pictures, however long they last. */
static double
payback_s(const struct rp_x264_pace *pace, double picture_s)
{
    const double pictures = fmax(PAYBACK_PICTURES, 1.5 * group_pictures(pace));
    return fmax(pace->manner->payback_s, pictures * picture_s);
}

bool
rp_x264_pace_is_path(const struct rp_x264_pace *pace, double picture_s)
{
    return pace->manner->plans_intra && pace->slack == 1 && !rp_x264_pace_has_b(pace) &&
           pace->begins_long && picture_s <= PATH_PICTURE_S;
}

int
rp_x264_pace_to_intra(const struct rp_x264_pace *pace, bool is_intra)
{
    const int left = pace->intra_period - (is_intra ? 0 : 1 + pace->since_intra);

    return left > 0 ? left : UNKNOWN_GOP;
}

bool
rp_x264_pace_is_sudden(const struct rp_x264_pace *pace, const struct rp_x264_pace_picture *picture)
{
    return picture->type == 2 && pace->picture_count > 0 && pace->intra_period < UNKNOWN_GOP &&
           pace->since_intra + 1 < pace->intra_period;
}

/* A P picture that has little of those before it. */
bool
rp_x264_pace_is_other_scene(const struct rp_x264_pace *pace,
                            const struct rp_x264_pace_picture *picture)
{
    return picture->type == 0 && pace->complexity[0] > 0 &&
           picture->complexity > OTHER_SCENE * pace->complexity[0] &&
           picture->complexity > OTHER_SCENE_I * pace->complexity[2];
}

/* For good: it may become so again at any time. */
static void
note_content(struct rp_x264_pace *pace, const struct rp_x264_pace_picture *picture)
{
    if (picture->type != 0 || pace->complexity[0] <= 0 || picture->complexity <= 0)
        return;
    const double change = fabs(log(picture->complexity / pace->complexity[0]));
    pace->swing += SWING_WEIGHT * (fmin(change, MOST_SWING) - pace->swing);
    pace->is_restless |= pace->swing > RESTLESS || rp_x264_pace_is_other_scene(pace, picture);
}

bool
rp_x264_pace_is_constant(const struct rp_x264_pace *pace)
{
    return pace->manner->plans_intra;
}

double
rp_x264_pace_base(struct rp_x264_pace *pace, const struct rp_x264_pace_picture *picture,
                  double picture_s, double bps)
{
    pace->is_restless |= rp_x264_pace_is_other_scene(pace, picture);
    if (rp_x264_pace_is_mean(pace, picture_s))
        return rp_x264_pace_mean_base(pace, picture, picture_s, bps);
    if (rp_x264_pace_is_path(pace, picture_s)) {
        const double cost_now = type_cost(pace, picture, picture->type);
        return rp_x264_pace_path_base(pace, picture, picture_s, bps, fmax(cost_now, 1e-3));
    }
    double cost = 0;
    double share = 0;

    for (int type = 0; type < RP_X264_PACE_TYPES; type++) {
        const double one = type_cost(pace, picture, type);
        if (one <= 0 || !type_counts(pace, type))
            continue;
        cost += pace->share[type] * one;
        share += pace->share[type];
    }
    const double owed_s =
        (picture->type == 1 ? pace->held_s : pace->debt_s - pace->plan_s) + pace->standing_s;
    const double urge = clip(exp(-owed_s / payback_s(pace, picture_s)), 0.2, 6);
    const double bits = bps * (picture_s - pace->plan_step_s) * urge;
    return share > 0 ? cost / share / bits : 1;
}

static double
group_swing_s(const struct rp_x264_pace *pace, double picture_s)
{
    return GROUP_SWING * (group_pictures(pace) - 1) * picture_s;
}

/* Whatever a second means, a few pictures must be allowed to differ. */
static double
few_pictures_s(double picture_s)
{
    return fmax(0, 3 * (picture_s - 0.15));
}

/* Pictures that a plan takes. */
static int
plan_pictures(const struct rp_x264_pace *pace, double picture_s)
{
    return (int)clip(pace->manner->plan_s / picture_s, 1, pace->intra_period);
}

/* Pictures by which a window is longer, or shorter, than whole plans. */
static int
plan_edge(const struct rp_x264_pace *pace, double picture_s)
{
    const int length = plan_pictures(pace, picture_s);
    const int rest = rp_x264_pace_window(picture_s) % length;

    return pace->manner->window_s <= 0 ? 0 : rest < length - rest ? rest : length - rest;
}

/* Pictures that come out larger or smaller than was meant take their part of what is tolerated. */
static double
plan_bound_s(const struct rp_x264_pace *pace, double picture_s)
{
    return pace->slack * fmax(0.05, pace->manner->plan_bound_s - picture_s / 4);
}

/* The most that may be paid back evenly: debts that rise by jumps and fall evenly differ by a part
 * of a jump in a window's time. */
static double
plan_even_s(const struct rp_x264_pace *pace, double picture_s)
{
    const int length = plan_pictures(pace, picture_s);
    return plan_bound_s(pace, picture_s) * length / (length + 1 - plan_edge(pace, picture_s));
}

/* Windows that are whole plans long have as many jumps as any other: their height does not matter.
 * Of the others some have one more, or one less; but when what is more than the bound is paid back
 * in the edge after a jump, and as much again in that before the next, those do not see it. */
static double
plan_jump_s(const struct rp_x264_pace *pace, double picture_s)
{
    const struct rp_x264_pace_manner *m = pace->manner;
    const int edge = plan_edge(pace, picture_s);
    const double bound_s = plan_bound_s(pace, picture_s);

    if (m->plans_intra &&
        (pace->intra_period <= SHORT_GOP || pace->intra_period * picture_s < SHORT_GOP_S))
        return m->jump_s;
    if (edge == 0)
        return pace->slack * m->plan_jump_s;
    const double steep_s = bound_s + STEEP * (edge - 1) * picture_s;
    return fmin(2 * bound_s, fmax(steep_s, plan_even_s(pace, picture_s)));
}

/* What the next picture pays back. */
static double
plan_step_s(const struct rp_x264_pace *pace, double picture_s)
{
    const double bound_s = plan_bound_s(pace, picture_s);
    const int length = plan_pictures(pace, picture_s);
    const int edge = plan_edge(pace, picture_s) - 1;
    double step_s = pace->plan_whole_s / length;

    if (edge > 0 && 2 * edge < length && pace->plan_whole_s > plan_even_s(pace, picture_s)) {
        const bool is_at_edge = pace->plan_age < edge || pace->plan_age >= length - edge;
        step_s = is_at_edge ? (pace->plan_whole_s - bound_s) / edge
                            : (2 * bound_s - pace->plan_whole_s) / (length - 2 * edge);
    }
    return clip(step_s, -0.5 * picture_s, STEEP * picture_s);
}

/* Sets what was owed a window's time ago, between two groups of pictures; false when that is before
 * the first picture, or does not matter. */
static bool
window_start(const struct rp_x264_pace *pace, double picture_s, double *debt_s)
{
    const int start = pace->picture_count + 1 - rp_x264_pace_window(picture_s);

    if (pace->manner->window_s <= 0 || start < 0)
        return false;
    *debt_s = (double)pace->past_group_s[start % RP_X264_PACE_PAST];
    return true;
}

static double
window_tolerance_s(const struct rp_x264_pace *pace)
{
    return pace->slack * pace->manner->window_s;
}

double
rp_x264_pace_most(const struct rp_x264_pace *pace, const struct rp_x264_pace_picture *picture,
                  double picture_s, double bps)
{
    const double group_s = group_swing_s(pace, picture_s);
    double left_s;
    double start_s;

    if (rp_x264_pace_is_mean(pace, picture_s))
        return rp_x264_pace_mean_most(pace, picture, picture_s, bps);
    if (rp_x264_pace_is_path(pace, picture_s))
        return rp_x264_pace_path_most(pace, picture, picture_s, bps);
    if (pace->picture_count == 0 ||
        (picture->type == 2 && pace->manner->plans_intra && !rp_x264_pace_is_sudden(pace, picture)))
        left_s = plan_jump_s(pace, picture_s);
    else
        left_s = pace->slack * pace->manner->jump_s + few_pictures_s(picture_s);
    if (picture->type == 1)
        left_s -= pace->held_s;
    else
        left_s += (picture->type == 0 ? group_s : 0) - (pace->debt_s - pace->plan_s);
    if (window_start(pace, picture_s, &start_s))
        left_s = fmin(left_s, start_s + group_s + window_tolerance_s(pace) - pace->debt_s);
    return (picture_s + fmax(left_s, -0.7 * picture_s)) * bps;
}

double
rp_x264_pace_least(const struct rp_x264_pace *pace, double picture_s, double bps)
{
    double start_s;

    if (!window_start(pace, picture_s, &start_s))
        return 0;
    const double left_s = start_s - window_tolerance_s(pace) - pace->debt_s;
    return (picture_s + fmin(left_s, picture_s)) * bps;
}

void
rp_x264_pace_init(struct rp_x264_pace *pace, int gop_pictures, int b_pictures)
{
    pace->intra_period = gop_pictures > 0 ? gop_pictures : UNKNOWN_GOP;
    const double i_share = 1.0 / pace->intra_period;
    const double b_run = clip(b_pictures, 0, fmax(0, pace->intra_period - 2));
    const double b_share = (1 - i_share) * b_run / (b_run + 1.0);

    pace->is_announced = gop_pictures > 0;
    pace->has_announced_b = b_pictures > 0 && b_pictures <= MOST_B_RUN;
    pace->begins_long = pace->intra_period >= PATH_GOP;
    pace->stillness = STILLNESS;
    pace->share[2] = i_share;
    pace->share[1] = b_share;
    pace->share[0] = 1 - i_share - b_share;
}

void
rp_x264_pace_set_constant(struct rp_x264_pace *pace, bool is_constant)
{
    pace->manner = is_constant ? &constant_rate : &variable_rate;
}

void
rp_x264_pace_forget(struct rp_x264_pace *pace, double change)
{
    if (change > OTHER_RATE || change < 1 / OTHER_RATE) {
        pace->new_count = NEW_PICTURES;
        pace->last_slope = 0;
    }
    rp_x264_pace_mean_forget(pace, change);
    pace->debt_s = pace->held_s = pace->group_debt_s = 0;
    pace->plan_s = pace->plan_whole_s = pace->plan_step_s = 0;
    for (int i = 0; i < RP_X264_PACE_PAST; i++)
        pace->past_debt_s[i] = pace->past_group_s[i] = 0;
}

static void
mean_add(double *mean, double value, double weight)
{
    *mean = *mean > 0 ? *mean + weight * (value - *mean) : value;
}

/* Bits at base 1. */
static void
note_cost(struct rp_x264_pace *pace, int type, double base, double bits, double picture_s)
{
    const bool is_new = pace->new_count > 0;
    const double weight = is_new ? NEW_WEIGHT : pace->manner->mean_weight;

    if (is_new)
        pace->new_count--;

    if (type != 0 || !rp_x264_pace_is_path(pace, picture_s)) {
        mean_add(&pace->cost[type], bits * base, weight);
        pace->reference_slope = type == 2 ? 1 / base : 0;
        pace->last_slope = 0;
        return;
    }
    const bool is_refined = pace->reference_slope < REFINED / base;
    const double path_weight = is_refined ? REFINED_WEIGHT : PATH_WEIGHT;
    mean_add(&pace->cost[0], rp_x264_pace_path_learn(pace, base, bits),
             is_new ? NEW_WEIGHT : path_weight);
    mean_add(&pace->usual_cost, bits * base, is_new ? NEW_WEIGHT : USUAL_WEIGHT);
}

static void
note_intra(struct rp_x264_pace *pace, bool is_intra)
{
    pace->since_intra++;
    if (is_intra && pace->picture_count > 0)
        pace->intra_period = pace->since_intra;
    else if (pace->since_intra > pace->intra_period)
        pace->intra_period = pace->since_intra;
    if (is_intra)
        pace->since_intra = 0;
}

/* Another picture's time has passed, and something may be left for a new plan. */
static void
plan_go_on(struct rp_x264_pace *pace, double jump_s, bool is_planned, double picture_s)
{
    const double most_s = plan_jump_s(pace, picture_s);

    pace->plan_s -= pace->plan_step_s;
    pace->plan_age++;
    if (pace->plan_s * pace->plan_whole_s <= 0)
        pace->plan_s = pace->plan_whole_s = 0;
    if (is_planned) {
        pace->plan_s = pace->plan_whole_s = clip(pace->plan_s + jump_s, -most_s, most_s);
        pace->plan_age = 0;
    }
    pace->plan_step_s = plan_step_s(pace, picture_s);
}

/* What was not spent is kept for later as far as it takes to be spent: with less of a debt slow
 * pictures would not feel it. */
static double
least_debt_s(const struct rp_x264_pace *pace, double picture_s)
{
    const double patience = pace->slack == 1 ? 1 : LAYER_PATIENCE;
    const double slowness = payback_s(pace, picture_s) / pace->manner->payback_s;
    const double group_s = (group_pictures(pace) - 1) * picture_s;

    return pace->manner->least_debt_s * slowness * patience - group_s - few_pictures_s(picture_s);
}

void
rp_x264_pace_add(struct rp_x264_pace *pace, const struct rp_x264_pace_picture *picture, double base,
                 double bits, double picture_s, double bps)
{
    const struct rp_x264_pace_manner *m = pace->manner;
    const double jump_s = bits / bps - picture_s;
    const double most_standing_s = MOST_STANDING * payback_s(pace, picture_s);

    if (picture->type != 1) {
        pace->held_s = pace->debt_s - pace->plan_s;
        pace->group_debt_s = pace->debt_s;
    }
    pace->past_debt_s[pace->picture_count % RP_X264_PACE_PAST] = (float)pace->debt_s;
    pace->past_group_s[pace->picture_count % RP_X264_PACE_PAST] = (float)pace->group_debt_s;
    if (picture->wanted_bits > 0)
        pace->held_s += (bits - picture->wanted_bits) / bps;
    pace->had_sudden |= rp_x264_pace_is_sudden(pace, picture);
    note_cost(pace, picture->type, base, bits, picture_s);
    note_content(pace, picture);
    mean_add(&pace->complexity[picture->type], picture->complexity, m->mean_weight);
    pace->debt_s += jump_s;
    if (m->plans_intra &&
        (rp_x264_pace_is_mean(pace, picture_s) || rp_x264_pace_is_path(pace, picture_s)))
        pace->debt_s = base < FINEST ? fmax(pace->debt_s, -MOST_KEPT_S) : pace->debt_s;
    else
        pace->debt_s = clip(pace->debt_s, least_debt_s(pace, picture_s), m->most_debt_s);
    if (rp_x264_pace_is_mean(pace, picture_s) || rp_x264_pace_is_path(pace, picture_s))
        rp_x264_pace_mean_add(pace, picture, base, bits, picture_s, bps);
    note_intra(pace, picture->type == 2);
    plan_go_on(pace, jump_s, pace->picture_count == 0 || (picture->type == 2 && m->plans_intra),
               picture_s);
    const double owed_s = (pace->debt_s - pace->plan_s) * picture_s / m->standing_s;
    pace->standing_s = clip(pace->standing_s + owed_s, -most_standing_s, most_standing_s);
    for (int type = 0; type < RP_X264_PACE_TYPES && pace->picture_count; type++)
        pace->share[type] += SHARE_WEIGHT * ((type == picture->type) - pace->share[type]);
    pace->picture_count++;
}

void
rp_x264_pace_fill(struct rp_x264_pace *pace, double bits, double bps)
{
    pace->debt_s += bits / bps;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rate held by costs of the last pictures, and by what is owed.
 */
#include "pace.h"

#include <math.h>

#define DEFAULT_GOP 60
#define SHARE_WEIGHT (1.0 / 24)
#define PAYBACK_PICTURES 4 /* no faster than that */
#define MOST_STANDING_S 0.3
/* At low frame rates a P picture in front of two B pictures takes more than a jump in seconds. */
#define JUMP_PICTURES 3.25
#define FIRST_JUMP_PICTURES 5.5

struct rp_x264_pace_manner {
    double payback_s; /* how fast a debt is paid back */
    double standing_s;
    double least_debt_s; /* what was not spent is not all made good later */
    double most_debt_s;
    double jump_s; /* what one picture may take beyond its share, or JUMP_PICTURES */
    double first_jump_s;
    double first_payback_s;
    double mean_weight; /* of the newest picture's cost */
    double complexity_power;
};

static const struct rp_x264_pace_manner constant_rate = {
    .payback_s = 0.25,
    .standing_s = 1.5,
    .least_debt_s = -0.5,
    .most_debt_s = 1,
    .jump_s = 0.13,
    .first_jump_s = 0.22,
    .first_payback_s = 10,
    .mean_weight = 0.3,
    .complexity_power = 0.8,
};

static const struct rp_x264_pace_manner variable_rate = {
    .payback_s = 1,
    .standing_s = 10,
    .least_debt_s = -3,
    .most_debt_s = 3,
    .jump_s = 1,
    .first_jump_s = 1,
    .first_payback_s = 4,
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

double
rp_x264_pace_base(const struct rp_x264_pace *pace, const struct rp_x264_pace_picture *picture,
                  double picture_s, double bps)
{
    double cost = 0;
    double share = 0;

    for (int type = 0; type < RP_X264_PACE_TYPES; type++) {
        const double one = type_cost(pace, picture, type);
        if (one <= 0)
            continue;
        cost += pace->share[type] * one;
        share += pace->share[type];
    }
    const double payback_s = fmax(pace->manner->payback_s, PAYBACK_PICTURES * picture_s);
    const double debt_s = pace->debt_s - pace->first_debt_s + pace->standing_s;
    const double bits = bps * picture_s * clip(exp(-debt_s / payback_s), 0.2, 6);
    return share > 0 ? cost / share / bits : 1;
}

static double
first_jump_s(const struct rp_x264_pace *pace, double picture_s)
{
    return fmax(pace->manner->first_jump_s, FIRST_JUMP_PICTURES * picture_s);
}

double
rp_x264_pace_limit(const struct rp_x264_pace *pace, double picture_s, double bps)
{
    const double jump_s = pace->picture_count
                              ? fmax(pace->manner->jump_s, JUMP_PICTURES * picture_s)
                              : first_jump_s(pace, picture_s);
    const double left_s = clip(jump_s - (pace->debt_s - pace->first_debt_s), 0, jump_s);

    return (picture_s + left_s) * bps;
}

void
rp_x264_pace_init(struct rp_x264_pace *pace, double gop_pictures, double b_pictures)
{
    const double i_share = 1 / (gop_pictures > 0 ? gop_pictures : DEFAULT_GOP);
    const double b_share = (1 - i_share) * b_pictures / (b_pictures + 1);

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
rp_x264_pace_forget(struct rp_x264_pace *pace)
{
    pace->debt_s = pace->first_debt_s = 0;
}

static void
mean_add(double *mean, double value, double weight)
{
    *mean = *mean > 0 ? *mean + weight * (value - *mean) : value;
}

void
rp_x264_pace_add(struct rp_x264_pace *pace, const struct rp_x264_pace_picture *picture, double base,
                 double bits, double picture_s, double bps)
{
    const struct rp_x264_pace_manner *m = pace->manner;

    mean_add(&pace->cost[picture->type], bits * base, m->mean_weight);
    mean_add(&pace->complexity[picture->type], picture->complexity, m->mean_weight);
    pace->debt_s = clip(pace->debt_s + bits / bps - picture_s, m->least_debt_s, m->most_debt_s);
    if (pace->picture_count == 0)
        pace->first_debt_s = clip(pace->debt_s, 0, first_jump_s(pace, picture_s));
    pace->first_debt_s = fmax(0, pace->first_debt_s - first_jump_s(pace, picture_s) * picture_s /
                                                          m->first_payback_s);
    const double owed_s = (pace->debt_s - pace->first_debt_s) * picture_s / m->standing_s;
    pace->standing_s = clip(pace->standing_s + owed_s, -MOST_STANDING_S, MOST_STANDING_S);
    for (int type = 0; type < RP_X264_PACE_TYPES && pace->picture_count; type++)
        pace->share[type] += SHARE_WEIGHT * ((type == picture->type) - pace->share[type]);
    pace->picture_count++;
}

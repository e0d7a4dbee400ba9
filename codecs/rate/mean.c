/* SPDX-License-Identifier: MIT */
/* A quantiser from the mean of the costs so far, what is owed, and what the buffer holds.
 */
#include "mean.h"

#include "window.h"

#include <math.h>

#define RECENT_S 0.3 /* what the buffer is to stand */
#define LEAST_MEMORY 3.0
#define OTHER_RATE 1.3  /* than this the rate is quite another; ... */
#define NEW_S 0.5       /* ... for so long */
#define NEW_WEIGHT 0.4  /* of a cost, meanwhile */
#define USUAL_COST 100  /* of a macroblock; what is less in the beginning, as black is, ... */
#define USUAL_S 0.6     /* ... has this much time of it in the mean */
#define VOID 0.1        /* of its time: a picture that takes less than that, ... */
#define VOID_BASE 0.25  /* ... as fine as QP 1, shows nothing */
#define BEGINNING_S 1   /* in which quantisers may change in haste */
#define PLAN_S 8        /* the longest time in which an I picture is paid for */
#define CENTRE_S 4      /* from then on, half of it is kept for it before */
#define FIRST_PLAN_S 1  /* at a variable rate it is paid for sooner; ... */
#define PLAN 0.2        /* ... less so by that part of the time that has passed, ... */
#define KEPT_FOR_I 0.04 /* ... of which no more than that may be kept for it */
#define RESERVE 0.15    /* of the buffer */
#define EMPTYING 0.6    /* of the buffer's time: how fast the rest may be spent */
#define KEPT 0.7        /* of the buffer: the most that is kept for an I picture */
#define FIRST_S 0.5     /* of the rate: the first picture, which others are refined from */
#define LARGE 0.6       /* of what the buffer holds: the largest picture that is not I */
#define LARGEST 0.9
#define SMALL_BUFFER 5 /* pictures: none is kept from using it */
#define LEAST_PERIOD 2 /* pictures from I to I at a constant rate */
#define B_WEIGHT 0.2
#define MOST_PICTURE_S 0.21 /* when pictures are rarer, few of them fill a window */
#define LEAST_BUFFER_S 0.5  /* smaller ones leave the windows to the older control */
#define LOOK_S 1            /* how far windows are looked at; ... */
#define LEAST_LOOK 6        /* ... pictures */
#define MOST_LOOK 200
#define TOLERANCE_S 0.12       /* of a window; ... */
#define MOST_TOLERANCE_S 0.132 /* ... and what one picture may make of it */
#define STEEP 0.7              /* of the rate: what is paid back for it */
#define RECALL_S 2             /* how soon pictures cost what they do in the mean */
#define SCENE_POWER 0.25       /* of a scene's complexity, over that of I pictures */
#define COLLAPSE 5             /* times the last slope: an I picture is not coarser, ... */
#define COLLAPSE_S 0.3         /* ... when it does not take more of the rate for that */
#define FIRST_JUMP_S 0.3       /* of the first picture, beyond its time; ... */
#define MOST_JUMP_S 5          /* ... of any; ... */
#define GROUP_JUMP_S 0.22      /* ... of either and an I picture, with B pictures */
#define LEAST_PART 0.3         /* of its time: the least that a picture may take; ... */
#define LEAST_GROUP 0.5        /* ... of that of its group, when B pictures follow */
#define SHORT_PERIOD_S 1  /* of I pictures that windows see more of than of the P pictures ... */
#define MOST_SWING_S 0.16 /* ... that pay for them: what they may see of it */
#define USUAL_MEMORY_S 20 /* of slopes; they are known ... */
#define UNKNOWN_S 1       /* ... not before this, ... */
#define KNOWN_S 3         /* ... and fully so much later */
#define HARD_URGE 0.4     /* for each halving of the usual slope; ... */
#define MOST_HARD_URGE 0.85
#define FIRST_HARD_URGE 0.5 /* ... no more than that, ... */
#define HARD_URGE_PER_S 0.05
#define LEAST_SLOPE 1e-7
#define MOST_SLOPE 5.0 /* QP 0 */

/* What depends on time is for the stream's beginning, and more by a part of the time since: a
 * stream may end soon, and one that has gone on for long has time. */
struct manner {
    double first_memory_s, memory, memory_s; /* of costs; the most of it */
    double first_patience_s, patience;       /* how slowly a debt is paid back */
    double sudden_patience_s; /* ... at least, once an I picture has come that nobody announced */
    double standing_s;        /* how slowly what stays owed is believed to stay */
    double most_standing;
    double least_urge;
    double most_urge;
    double fastest;       /* change of slope from picture to picture; ... */
    double new_fastest;   /* ... when the rate is quite another; ... */
    double first_fastest; /* ... downwards, in the beginning; ... */
    double first_rise;    /* ... upwards, while nothing is owed */
    double new_power;     /* of its change: what costs are less when the quantiser is another */
};

static const struct manner constant_rate = {
    .first_memory_s = 6,
    .memory_s = 6,
    .first_patience_s = 0.8,
    .standing_s = 4,
    .most_standing = 0.7,
    .least_urge = 0.2,
    .most_urge = 4,
    .fastest = 1.12,
    .new_fastest = 8,
    .first_fastest = 1.12,
    .first_rise = 1.12,
};

static const struct manner variable_rate = {
    .first_memory_s = 0.5,
    .memory = 0.25,
    .memory_s = 6,
    .first_patience_s = 0.15,
    .patience = 0.05,
    .sudden_patience_s = 1,
    .standing_s = 5,
    .most_standing = 1,
    .least_urge = 0.55,
    .most_urge = 4,
    .fastest = 1.25,
    .new_fastest = 1.6,
    .first_fastest = 2.5,
    .first_rise = 2,
    .new_power = 0.15,
};

static const struct manner *
manner_of(const struct rp_x264_pace *pace)
{
    return rp_x264_pace_is_constant(pace) ? &constant_rate : &variable_rate;
}

bool
rp_x264_pace_is_mean(const struct rp_x264_pace *pace, double picture_s)
{
    const bool is_regular =
        !pace->begins_long || (pace->is_restless && pace->is_announced && !pace->had_sudden);
    const bool has_groups = pace->begins_long && pace->has_announced_b;

    if (!rp_x264_pace_is_constant(pace))
        return pace->slack == 1;
    return pace->slack == 1 && (rp_x264_pace_has_b(pace) ? has_groups : is_regular) &&
           pace->intra_period >= LEAST_PERIOD && picture_s <= MOST_PICTURE_S &&
           (pace->buffer_s <= 0 || pace->buffer_s >= LEAST_BUFFER_S);
}

static double
clip(double value, double least, double most)
{
    return fmax(least, fmin(value, most));
}

static double
intra_share(const struct rp_x264_pace *pace)
{
    return 1.0 / fmax(1, fmax(pace->intra_period, pace->since_intra));
}

/* Of pictures of the type. Streams often begin with black, which costs nothing: what fades in is
 * not to find a quantiser for that, and the rate spent. */
static double
type_cost(const struct rp_x264_pace *pace, const struct rp_x264_pace_picture *picture,
          double picture_s, int type)
{
    const double past_s = pace->picture_count * picture_s;
    const bool is_first = pace->mean.cost[type] <= 0 && type == picture->type;
    const double cost = is_first ? picture->expected_cost : pace->mean.cost[type];
    const double usual = USUAL_COST * pace->macroblocks;

    if (cost <= 0 || type == 2 || rp_x264_pace_is_constant(pace))
        return cost;
    return cost + fmax(0, usual - cost) * USUAL_S / (USUAL_S + past_s);
}

/* The part of B pictures in those that are not I. */
static double
b_share(const struct rp_x264_pace *pace)
{
    return pace->share[1] / fmax(0.05, pace->share[0] + pace->share[1]);
}

/* Of P and B pictures. 0: not known. */
static double
inter_cost(const struct rp_x264_pace *pace)
{
    const double *cost = pace->mean.cost;

    return cost[1] > 0 && cost[0] > 0 ? cost[0] + b_share(pace) * (cost[1] - cost[0]) : cost[0];
}

/* Of the pictures to come. 0: not known. */
static double
mean_cost(const struct rp_x264_pace *pace, const struct rp_x264_pace_picture *picture,
          double picture_s)
{
    const double i_share = intra_share(pace);
    const double share[RP_X264_PACE_TYPES] = {(1 - i_share) * (1 - b_share(pace)),
                                              (1 - i_share) * b_share(pace), i_share};
    double cost = 0;
    double known = 0;

    for (int type = 0; type < RP_X264_PACE_TYPES; type++) {
        const double one = type_cost(pace, picture, picture_s, type);
        if (one <= 0)
            continue;
        cost += share[type] * one;
        known += share[type];
    }
    return known > 0 ? cost / known : 0;
}

/* Windows that are some pictures longer, or shorter, than whole periods: what the I picture left
 * beyond what those stand is paid in so many pictures after it, and before the next. */
static double
edged_left_s(const struct rp_x264_pace *pace, double picture_s, double pictures)
{
    const double jump_s = fmin(pace->mean.intra_s, 2 * TOLERANCE_S);
    const double rest = fmod(rp_x264_pace_window(picture_s), pictures);
    const double edge = fmin(rest, pictures - rest);
    const double middle = pictures - 2 * edge;
    const double past = pace->since_intra + 1;

    if (edge <= 0 || middle <= 0 || jump_s * (pictures - edge) <= TOLERANCE_S * pictures)
        return pace->mean.intra_s * fmax(0, 1 - past / pictures);
    const double at_edges = fmin(past, edge) + clip(past - edge - middle, 0, edge);
    return jump_s - (jump_s - TOLERANCE_S) * at_edges / edge -
           (2 * TOLERANCE_S - jump_s) * clip(past - edge, 0, middle) / middle;
}

/* What is owed beyond what the last I picture leaves for its period: half of it before, when there
 * was time to keep that, and half of it after. */
static double
constant_owed_s(const struct rp_x264_pace *pace, double picture_s)
{
    const struct rp_x264_pace_mean *mean = &pace->mean;
    const double pictures = fmax(1, fmin(pace->intra_period, PLAN_S / picture_s));
    const bool recurs = pace->intra_period <= pictures;
    const double before = recurs ? 0.5 * fmin(1, mean->age_s / CENTRE_S) : 0;

    if (recurs)
        return pace->debt_s - edged_left_s(pace, picture_s, pictures) + mean->intra_s * before;
    return pace->debt_s -
           mean->intra_s * (fmax(0, 1 - (pace->since_intra + 1) / pictures) - before);
}

/* Beyond what I pictures leave just after them, and find kept just before: a stream that ends
 * elsewhere has its rate. */
static double
variable_owed_s(const struct rp_x264_pace *pace, double picture_s)
{
    const struct rp_x264_pace_mean *mean = &pace->mean;
    const double period_s = pace->intra_period * picture_s;
    const double plan_s = fmin(period_s, fmin(PLAN_S, FIRST_PLAN_S + PLAN * mean->age_s));
    const double since_s = (pace->since_intra + 1) * picture_s;
    const double kept_s = fmin(0.5 * mean->intra_s, KEPT_FOR_I * mean->age_s);
    const double after_s = (mean->intra_s - kept_s) * fmax(0, 1 - since_s / plan_s);
    const double before_s = kept_s * fmax(0, 1 - (period_s - since_s) / plan_s);

    return pace->debt_s - after_s + before_s;
}

static double
owed_s(const struct rp_x264_pace *pace, double picture_s)
{
    return rp_x264_pace_is_constant(pace) ? constant_owed_s(pace, picture_s)
                                          : variable_owed_s(pace, picture_s);
}

/* What the buffer stands for long, and with the next I picture. When that takes all that a full
 * buffer has, the others need not keep more than that. */
static double
buffer_slope(const struct rp_x264_pace *pace, const struct rp_x264_pace_picture *picture,
             double picture_s, double bps)
{
    const struct rp_x264_pace_mean *mean = &pace->mean;
    const double size_s = picture->fill_s + picture->room_s;
    const double spare_s = fmax(0, picture->fill_s - RESERVE * size_s);
    const double cost = fmax(mean->recent, 1e-9);
    const double spend_s = fmax(EMPTYING * size_s, 3 * picture_s);
    const double slope = bps * picture_s * (picture->fastest + spare_s / spend_s) / cost;

    const int left = pace->intra_period - 1 - pace->since_intra;
    if (picture->type == 2 || left <= 0 || mean->cost[2] <= 0)
        return slope;
    const double have_s = spare_s + left * picture_s * picture->fastest;
    const double with_intra = have_s / (left * cost + mean->cost[2]);
    const double beside_full = (have_s - KEPT * size_s) / (left * cost);
    return fmin(slope, bps * fmax(with_intra, beside_full));
}

/* What pictures that show nothing cost says nothing of what follows them. In short periods the I
 * picture tells that soon. */
static double
cost_after_void(const struct rp_x264_pace *pace, double cost)
{
    const bool is_unknown = pace->mean.had_void && pace->begins_long;
    const double usual = is_unknown ? USUAL_COST * pace->macroblocks : 0;

    return cost + fmax(0, usual - cost) * USUAL_S / (USUAL_S + pace->mean.since_void_s);
}

/* The nearest slope that stays within what windows and the buffer of a constant rate leave. */
static double
tube_slope(const struct rp_x264_pace *pace, const struct rp_x264_pace_picture *picture,
           double picture_s, double bps, double slope)
{
    const struct rp_x264_pace_mean *mean = &pace->mean;
    const int to_intra = picture->type == 2 ? 0 : pace->intra_period - 1 - pace->since_intra;
    const int look = (int)clip(LOOK_S / picture_s, LEAST_LOOK, MOST_LOOK);
    const bool is_other = rp_x264_pace_is_other_scene(pace, picture);
    const double recent = mean->recent > 0 ? mean->recent : mean_cost(pace, picture, picture_s);
    const double inter = inter_cost(pace);
    const double usual = inter > 0 ? inter : recent;
    double differs = is_other ? fmax(0, recent - usual) : recent - usual;
    const double decay = exp(-picture_s / RECALL_S);
    double low = 0;
    double high = 1 / LEAST_SLOPE;
    double work = 0;

    for (int number = 1; number <= look; number++) {
        const int beyond = number - 1 - to_intra;
        const bool is_intra = beyond >= 0 && beyond % pace->intra_period == 0 && mean->cost[2] > 0;
        const struct rp_x264_pace_bounds b =
            rp_x264_pace_path_bounds(pace, picture, picture_s, number, TOLERANCE_S);
        const double even_s = number * picture_s - pace->debt_s;
        const double other = number == 1 && is_other ? picture->expected_cost : usual + differs;
        work += (is_intra ? mean->cost[2] : cost_after_void(pace, other)) / bps;
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
    return clip(slope, low, high);
}

/* An I picture is not coded much worse than those before it, be it that windows ask for that.
 * 0: any other may be. */
static double
least_slope(const struct rp_x264_pace *pace, const struct rp_x264_pace_picture *picture)
{
    return picture->type == 2 ? pace->mean.coded_slope / COLLAPSE : 0;
}

/* What I pictures took that nobody had announced is too much to be paid back at once. */
static double
patience_s(const struct rp_x264_pace *pace, const struct rp_x264_pace_picture *picture)
{
    const struct manner *m = manner_of(pace);
    const bool is_sudden = pace->had_sudden || rp_x264_pace_is_sudden(pace, picture);

    return fmax(is_sudden ? m->sudden_patience_s : 0,
                m->first_patience_s + m->patience * pace->mean.age_s);
}

/* After a cheap scene its slope is not the next one's: that begins with what the costs of all let
 * it keep up, be they those of a scene as complex. */
static double
scene_slope(const struct rp_x264_pace *pace, const struct rp_x264_pace_picture *picture,
            double even)
{
    if (pace->complexity[2] <= 0)
        return even;
    return even / pow(picture->complexity / pace->complexity[2], SCENE_POWER);
}

/* How little of the rate a debt may leave. Where pictures are coarser than the stream's usual ones
 * even without it, the scene is a hard one, and others may follow that pay for it: the longer the
 * stream has gone on, the less such a scene matters to its mean. */
static double
least_urge(const struct rp_x264_pace *pace, double slope)
{
    const struct rp_x264_pace_mean *mean = &pace->mean;
    const double least = manner_of(pace)->least_urge;

    if (rp_x264_pace_is_constant(pace) || mean->usual_slope <= 0)
        return least;
    const double known = clip((mean->age_s - UNKNOWN_S) / KNOWN_S, 0, 1);
    const double coarser = fmax(0, log2(mean->usual_slope / slope));
    const double most = fmin(MOST_HARD_URGE, FIRST_HARD_URGE + HARD_URGE_PER_S * mean->age_s);
    return clip(least + HARD_URGE * known * coarser, least, most);
}

/* Towards slope, as fast as quantisers may change from picture to picture. */
static double
slope_step(const struct rp_x264_pace *pace, double slope)
{
    const struct rp_x264_pace_mean *mean = &pace->mean;
    const struct manner *m = manner_of(pace);
    const double fastest = mean->is_new && mean->age_s < NEW_S ? m->new_fastest : m->fastest;
    const bool is_first = mean->age_s < BEGINNING_S;
    const double fall = is_first ? fmax(fastest, m->first_fastest) : fastest;
    const double rise = is_first && pace->debt_s < 0 ? fmax(fastest, m->first_rise) : fastest;

    return mean->slope > 0 ? clip(slope, mean->slope / fall, mean->slope * rise) : slope;
}

double
rp_x264_pace_mean_base(struct rp_x264_pace *pace, const struct rp_x264_pace_picture *picture,
                       double picture_s, double bps)
{
    struct rp_x264_pace_mean *mean = &pace->mean;
    const struct manner *m = manner_of(pace);
    const double cost = mean_cost(pace, picture, picture_s);
    if (cost <= 0)
        return 1;

    const double owed = owed_s(pace, picture_s) / patience_s(pace, picture) + mean->standing;
    const double even = bps * picture_s / cost; /* owing nothing */
    const double urge = clip(exp(-owed), least_urge(pace, even), m->most_urge);
    double slope = slope_step(pace, even * urge);
    if (rp_x264_pace_is_constant(pace) && rp_x264_pace_is_other_scene(pace, picture))
        slope = fmin(slope, scene_slope(pace, picture, even));
    if (picture->fill_s > 0)
        slope = fmin(slope, buffer_slope(pace, picture, picture_s, bps));
    if (rp_x264_pace_is_constant(pace)) {
        slope = tube_slope(pace, picture, picture_s, bps, slope);
        slope = fmax(slope, least_slope(pace, picture));
    }
    mean->slope = clip(slope, LEAST_SLOPE, MOST_SLOPE);
    return 1 / mean->slope;
}

/* An I picture that comes again soon has no more than its part of its period. */
static double
first_most_s(const struct rp_x264_pace *pace, double picture_s)
{
    const double pictures = fmax(1, FIRST_S / picture_s); /* that it may be as large as */
    const double part = pace->intra_period / (pace->intra_period - 1 + pictures);

    return fmax(FIRST_S, picture_s) * part;
}

/* What a picture may take beyond its time, whatever was owed before. In short periods P pictures pay
 * for their I picture evenly: of windows that are no whole periods long some see it with too few of
 * them, and others see those without it. */
static double
most_jump_s(const struct rp_x264_pace *pace, const struct rp_x264_pace_picture *picture,
            double picture_s)
{
    const int period = pace->intra_period;
    const int rest = rp_x264_pace_window(picture_s) % period;

    if (pace->picture_count == 0)
        return rp_x264_pace_has_b(pace) ? GROUP_JUMP_S : FIRST_JUMP_S;
    if (rp_x264_pace_has_b(pace) && picture->type == 2 && rest != 0)
        return GROUP_JUMP_S;
    if (picture->type != 2 || rest == 0 || period * picture_s >= SHORT_PERIOD_S)
        return MOST_JUMP_S;
    return MOST_SWING_S * period / fmax(rest, period - rest);
}

/* What windows leave of the time from here on: the B pictures after a P picture make good what it
 * takes, as they usually do; those after them as much as is asked. */
static double
windows_left_s(const struct rp_x264_pace *pace, const struct rp_x264_pace_picture *picture,
               double picture_s)
{
    const int b_run = rp_x264_pace_b_run(pace);
    const double group_s = fmax(0, b_run * (picture_s - pace->mean.b_s));
    double left_s = most_jump_s(pace, picture, picture_s);

    for (int number = 1; number < MOST_LOOK; number++) {
        const struct rp_x264_pace_bounds b =
            rp_x264_pace_path_bounds(pace, picture, picture_s, number, MOST_TOLERANCE_S);
        const double later_s = STEEP * fmax(0, number - 1 - b_run) * picture_s + group_s;
        left_s = fmin(left_s, b.most_s - pace->debt_s + later_s);
    }
    return left_s;
}

double
rp_x264_pace_mean_least_s(const struct rp_x264_pace *pace, int type, double picture_s)
{
    const int b_run = type == 1 ? 0 : rp_x264_pace_b_run(pace);

    return fmax(LEAST_PART, b_run > 0 ? LEAST_GROUP * (1 + b_run) : 0) * picture_s;
}

/* buffer_s: what the buffer allows; 0 when that is not known. B pictures go by their references. */
static double
constant_most_s(const struct rp_x264_pace *pace, const struct rp_x264_pace_picture *picture,
                double picture_s, double bps, double buffer_s)
{
    const double left_s =
        picture->type == 1 ? MOST_JUMP_S : windows_left_s(pace, picture, picture_s);
    const double least_bits = least_slope(pace, picture) * rp_x264_pace_mean_intra(pace, picture);
    const double least_s = fmax(fmin(least_bits / bps, COLLAPSE_S),
                                rp_x264_pace_mean_least_s(pace, picture->type, picture_s));
    const double most_s = fmax(picture_s + left_s, least_s);
    return buffer_s > 0 ? fmin(buffer_s, most_s) : most_s;
}

bool
rp_x264_pace_mean_is_small(const struct rp_x264_pace *pace,
                           const struct rp_x264_pace_picture *picture, double picture_s)
{
    const double size_s = picture->fill_s + picture->room_s;

    return !rp_x264_pace_is_constant(pace) && rp_x264_pace_is_mean(pace, picture_s) &&
           size_s < SMALL_BUFFER * picture_s * picture->fastest;
}

double
rp_x264_pace_mean_most(const struct rp_x264_pace *pace, const struct rp_x264_pace_picture *picture,
                       double picture_s, double bps)
{
    const double size_s = picture->fill_s + picture->room_s;
    const bool is_small = size_s < SMALL_BUFFER * picture_s * picture->fastest;
    const double most_s =
        (picture->type == 2 || is_small ? LARGEST : LARGE) * fmax(0, picture->fill_s);

    if (rp_x264_pace_is_constant(pace))
        return constant_most_s(pace, picture, picture_s, bps, most_s) * bps;
    return (pace->picture_count == 0 ? fmin(most_s, first_most_s(pace, picture_s)) : most_s) * bps;
}

double
rp_x264_pace_mean_intra(const struct rp_x264_pace *pace, const struct rp_x264_pace_picture *picture)
{
    if (pace->mean.cost[2] <= 0 || pace->complexity[2] <= 0)
        return picture->expected_cost;
    return pace->mean.cost[2] * fmax(0.5, picture->complexity / pace->complexity[2]);
}

static void
mean_add(double *mean, double value, double weight)
{
    *mean = *mean > 0 ? *mean + weight * (value - *mean) : value;
}

void
rp_x264_pace_mean_add(struct rp_x264_pace *pace, const struct rp_x264_pace_picture *picture,
                      double base, double bits, double picture_s, double bps)
{
    struct rp_x264_pace_mean *mean = &pace->mean;
    const struct manner *m = manner_of(pace);
    const int type = picture->type;
    const double memory_s = fmin(m->memory_s, m->first_memory_s + m->memory * mean->age_s);
    const double memory = memory_s / picture_s * (type == 2 ? intra_share(pace) : 1);
    const double least_weight = mean->is_new && mean->age_s < NEW_S ? NEW_WEIGHT : 0;

    mean->coded_slope = 1 / base;
    mean->count[type] = fmin(mean->count[type] + 1, fmax(LEAST_MEMORY, memory));
    mean_add(&mean->cost[type], bits * base, fmax(1 / mean->count[type], least_weight));
    if (type == 2)
        mean->intra_s = fmax(0, bits / bps - picture_s);
    else
        mean_add(&mean->recent, bits * base, fmin(1, picture_s / RECENT_S));
    if (type == 1)
        mean_add(&mean->b_s, bits / bps, B_WEIGHT);
    if (mean->slope <= 0 || !rp_x264_pace_is_mean(pace, picture_s))
        mean->slope = clip(1 / base, LEAST_SLOPE, MOST_SLOPE);
    const double owed = clip(owed_s(pace, picture_s), -1, 1) * picture_s / m->standing_s;
    if (rp_x264_pace_is_mean(pace, picture_s))
        mean->standing = clip(mean->standing + owed, -m->most_standing, m->most_standing);
    mean->age_s += picture_s;
    if (mean->usual_slope <= 0)
        mean->usual_slope = mean->coded_slope;
    mean->usual_slope *=
        pow(mean->coded_slope / mean->usual_slope, picture_s / fmin(mean->age_s, USUAL_MEMORY_S));
    if (base < VOID_BASE && bits < VOID * picture_s * bps) {
        mean->had_void = true;
        mean->since_void_s = 0;
    } else {
        mean->since_void_s += picture_s;
    }
}

void
rp_x264_pace_mean_forget(struct rp_x264_pace *pace, double change)
{
    struct rp_x264_pace_mean *mean = &pace->mean;
    const struct manner *m = manner_of(pace);

    mean->is_new = change > OTHER_RATE || change < 1 / OTHER_RATE;
    mean->slope = fmin(mean->slope * change, MOST_SLOPE);
    for (int type = 0; type < 2; type++) /* I pictures are too rare to learn theirs again */
        mean->cost[type] *= pow(fmax(change, 1 / change), -m->new_power);
    mean->age_s = mean->intra_s = mean->standing = 0;
}

/* SPDX-License-Identifier: MIT */
/* The first piece of a string drawn tight through the tube.
 */
#include "window.h"

#include <math.h>

#define WINDOW_S 5
#define PLAN_TOLERANCE_S 0.135 /* of five seconds; ... */
#define MOST_TOLERANCE_S 0.14  /* ... and what one picture may make of it */
#define FIRST_TOLERANCE_S 0.1  /* more, in the first five seconds */
#define FAR_S 0.4              /* the most that is owed, or kept; ... */
#define FAR_WHOLE_S 0.6        /* ... when whole periods fill a window */
#define LEAST_S 0.3
#define RETURN 0.3         /* of the rate, from beyond that */
#define STEEP 0.8          /* of the rate: the most that may be kept back for long */
#define WINDOW_STEEP 0.7   /* of the rate: the most that windows may take from what follows */
#define JUMP_S 0.27        /* what a picture takes beyond its time; ... */
#define WHOLE_JUMP_S 0.5   /* ... an I picture, when whole periods fill a window; ... */
#define FIRST_JUMP_S 0.23  /* ... the first one, which nothing was kept for; ... */
#define SUDDEN_JUMP_S 0.12 /* ... and one that nobody announced */
#define OWED_AT_END_S 0.09 /* just before an I picture */
#define NEAR 12            /* pictures: such an I picture is planned for */
#define HORIZON_S 1.5
#define AHEAD 8 /* pictures that see to the least bits together */
#define LOOK_PICTURES 200
#define FASTEST 1.25 /* change of slope from picture to picture */
#define BETTER_THAN_FIRST 1.5
#define DECAY 0.9 /* of what refines a reference, from one picture to the next */
#define COARSE 0.8
#define LEAST_SLOPE 1e-6
#define STEPS 12

int
rp_x264_pace_window(double picture_s)
{
    return (int)fmin(fmax(WINDOW_S / picture_s + 0.5, 1), RP_X264_PACE_PAST - 1);
}

static int
pictures_to_intra(const struct rp_x264_pace *pace, const struct rp_x264_pace_picture *picture)
{
    return picture->type == 2 ? 0 : rp_x264_pace_to_intra(pace, false);
}

static double
clip(double value, double least, double most)
{
    return fmax(least, fmin(value, most));
}

double
rp_x264_pace_owed_before(const struct rp_x264_pace *pace, int index)
{
    return index == pace->picture_count ? pace->debt_s
                                        : (double)pace->past_debt_s[index % RP_X264_PACE_PAST];
}

/* Between groups of pictures that begin with one that is not B: within them debts rise and fall. */
static double
group_owed_before(const struct rp_x264_pace *pace, int index)
{
    return index == pace->picture_count ? pace->debt_s
                                        : (double)pace->past_group_s[index % RP_X264_PACE_PAST];
}

/* Before the stream began nothing was owed. After a cut no window has room: what follows it has a
 * part of its time all the same, or nothing is seen. */
struct rp_x264_pace_bounds
rp_x264_pace_path_bounds(const struct rp_x264_pace *pace,
                         const struct rp_x264_pace_picture *picture, double picture_s, int number,
                         double tolerance_s)
{
    const int window = rp_x264_pace_window(picture_s);
    const double far_s = window % pace->intra_period ? FAR_S : FAR_WHOLE_S;
    const double return_s = RETURN * number * picture_s;
    struct rp_x264_pace_bounds bounds = {fmin(-LEAST_S, pace->debt_s + return_s),
                                         fmax(far_s, pace->debt_s - return_s)};
    const int start = pace->picture_count + number - window;

    if (start <= pace->picture_count && (start >= 0 || !pace->had_sudden)) {
        const double then_s = start < 0 ? 0 : group_owed_before(pace, start);
        tolerance_s += start < 0 ? FIRST_TOLERANCE_S : 0;
        bounds.least_s = clip(bounds.least_s, then_s - tolerance_s, then_s + tolerance_s);
        bounds.most_s = clip(bounds.most_s, then_s - tolerance_s, then_s + tolerance_s);
    }
    bounds.most_s = fmax(bounds.most_s, pace->debt_s - WINDOW_STEEP * number * picture_s);
    if (picture->fill_s > 0) {
        bounds.least_s = fmax(bounds.least_s, pace->debt_s - picture->room_s);
        bounds.most_s = fmin(bounds.most_s, pace->debt_s + 0.9 * picture->fill_s - picture_s);
    }
    bounds.least_s = fmin(bounds.least_s, bounds.most_s);
    return bounds;
}

/* What is left of all slopes from here that stay within the tube. */
struct string {
    double low;
    double high;
};

/* False where it must bend: there is one slope left, and it is low. */
static bool
string_pass(struct string *string, double work, double least, double most)
{
    const double low = least / work;
    const double high = most / work;

    if (low > string->high)
        string->low = string->high;
    else if (high >= string->low) {
        string->low = fmax(string->low, low);
        string->high = fmin(string->high, high);
        return true;
    }
    return false;
}

/* Pictures to where what is owed is to be as it always is there. */
static int
path_end(const struct rp_x264_pace *pace, int to_intra, int most)
{
    const int short_by = NEAR - to_intra;
    int end = to_intra;

    if (short_by > 0)
        end += (short_by + pace->intra_period - 1) / pace->intra_period * pace->intra_period;
    return end < most ? end : most;
}

/* first, rest: costs of the picture and of the P pictures after it. */
static double
string_slope(const struct rp_x264_pace *pace, const struct rp_x264_pace_picture *picture,
             double picture_s, double bps, double first, double rest)
{
    const int most_pictures = (int)clip(HORIZON_S / picture_s, NEAR, LOOK_PICTURES);
    const int to_intra = pictures_to_intra(pace, picture);
    const int end = path_end(pace, to_intra, most_pictures);
    const double at_end_s = to_intra > most_pictures ? 0 : OWED_AT_END_S;
    struct string string = {0, 1e9};
    double differs = picture->type == 2 ? 0 : first - rest;
    double work = first / bps;

    for (int number = 1;; number++) {
        const struct rp_x264_pace_bounds b =
            rp_x264_pace_path_bounds(pace, picture, picture_s, number, PLAN_TOLERANCE_S);
        const double even_s = number * picture_s - pace->debt_s;
        const double end_s = clip(at_end_s, b.least_s, b.most_s) + even_s;
        const double least = number < end ? b.least_s + even_s : end_s;
        const double most = number < end ? b.most_s + even_s : end_s;
        if (!string_pass(&string, work, fmax(least, 0), fmax(most, 1e-5 * number)) || number >= end)
            return string.low;
        differs *= DECAY;
        const bool is_intra = number >= to_intra && (number - to_intra) % pace->intra_period == 0;
        work += (is_intra ? pace->cost[2] : rest + differs) / bps;
    }
}

/* A P picture's cost beyond its own when it is finer than its reference: still content is coded
 * once more, but for what small steps leave as it is. */
static double
refinement(const struct rp_x264_pace *pace, double slope)
{
    const double finer = fmax(0, 1 - pace->reference_slope / fmax(slope, 1e-9));
    return pace->stillness * pace->cost[2] * finer * finer;
}

static double
path_slope(const struct rp_x264_pace *pace, const struct rp_x264_pace_picture *picture,
           double picture_s, double bps, double cost)
{
    /* P pictures are believed to go on as they are: means lag behind what fades in. */
    const double rest = picture->type == 0     ? cost
                        : pace->usual_cost > 0 ? pace->usual_cost
                                               : pace->cost[2] / 6;
    double high = string_slope(pace, picture, picture_s, bps, cost, rest);
    double low = pace->reference_slope;

    if (picture->type == 2 || low <= 0 || high <= low)
        return high;
    for (int i = 0; i < STEPS; i++) {
        const double slope = sqrt(low * high);
        const double first = cost + refinement(pace, slope);
        if (string_slope(pace, picture, picture_s, bps, first, rest) > slope)
            low = slope;
        else
            high = slope;
    }
    return high;
}

/* No sudden change but for the better, after a coarse reference. */
static double
smooth(const struct rp_x264_pace *pace, double slope)
{
    if (pace->cost[0] <= 0 && pace->reference_slope > 0)
        return fmin(slope, BETTER_THAN_FIRST * pace->reference_slope);
    if (pace->last_slope <= 0)
        return slope;
    const bool is_coarse = pace->reference_slope < COARSE * slope;
    return clip(slope, pace->last_slope / FASTEST, is_coarse ? slope : pace->last_slope * FASTEST);
}

double
rp_x264_pace_path_base(const struct rp_x264_pace *pace, const struct rp_x264_pace_picture *picture,
                       double picture_s, double bps, double cost)
{
    double slope = path_slope(pace, picture, picture_s, bps, cost);
    if (picture->type == 2)
        return 1 / fmax(slope, LEAST_SLOPE);

    slope = smooth(pace, slope);
    const int to_intra = pictures_to_intra(pace, picture);
    for (int number = 1; number <= AHEAD && number <= to_intra; number++) {
        const struct rp_x264_pace_bounds b =
            rp_x264_pace_path_bounds(pace, picture, picture_s, number, PLAN_TOLERANCE_S);
        const double least_s = b.least_s + number * picture_s - pace->debt_s;
        slope = fmax(slope, least_s * bps / (number * cost));
    }
    const struct rp_x264_pace_bounds b =
        rp_x264_pace_path_bounds(pace, picture, picture_s, 1, PLAN_TOLERANCE_S);
    const double most = fmax(b.most_s + picture_s - pace->debt_s, 0.1 * picture_s) * bps;
    for (int i = 0; i < STEPS && slope * (cost + refinement(pace, slope)) > most; i++)
        slope *= 0.9;
    return 1 / fmax(slope, LEAST_SLOPE);
}

double
rp_x264_pace_path_most(const struct rp_x264_pace *pace, const struct rp_x264_pace_picture *picture,
                       double picture_s, double bps)
{
    const int window = rp_x264_pace_window(picture_s);
    const bool is_whole = picture->type == 2 && window % pace->intra_period == 0;
    double left_s = pace->picture_count == 0 ? FIRST_JUMP_S : is_whole ? WHOLE_JUMP_S : JUMP_S;

    if (rp_x264_pace_is_sudden(pace, picture))
        left_s = SUDDEN_JUMP_S;
    for (int number = 1; number < LOOK_PICTURES; number++) {
        const struct rp_x264_pace_bounds b =
            rp_x264_pace_path_bounds(pace, picture, picture_s, number, MOST_TOLERANCE_S);
        left_s = fmin(left_s, b.most_s - pace->debt_s + STEEP * (number - 1) * picture_s);
    }
    return (picture_s + fmax(left_s, -0.7 * picture_s)) * bps;
}

double
rp_x264_pace_path_learn(struct rp_x264_pace *pace, double base, double bits)
{
    const double slope = 1 / base;
    const double reference = pace->reference_slope;
    const double more = refinement(pace, slope) * slope;

    if (reference > 0 && reference < COARSE * slope && pace->cost[0] > 0 && more > 0) {
        const double beyond = bits - pace->cost[0] * slope;
        const double seen = clip(beyond * pace->stillness / more, 0.02, 1);
        pace->stillness += 0.2 * (seen - pace->stillness);
    }
    pace->reference_slope = slope > reference ? slope : reference + 0.2 * (slope - reference);
    pace->last_slope = slope;
    return fmax(bits - more, 0.3 * bits) * base;
}

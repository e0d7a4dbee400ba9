/* SPDX-License-Identifier: MIT */
/* What five seconds say of a picture that is coded already.
 */
#include "retry.h"

#include "mean.h"
#include "window.h"

#include <math.h>

#define MOST_S 5       /* beyond its time, when no window says anything */
#define STEEP 0.8      /* of the rate: what pictures after it may make good */
#define SMALL_B 0.5    /* of what B pictures take: what those to come may come down to */
#define HELD_S 0.145   /* of five seconds: what is tolerated; ... */
#define AIMED_S 0.125  /* ... and aimed at when it was not met */
#define LEAST_PART 0.1 /* of a picture that was too large */

struct range {
    double least_s;
    double most_s;
};

/* Of the window that ends with the picture, and for the least of those that end with the B pictures
 * after it; for the most of all that it is in, but when it is B: those after it see to them. */
static struct range
windows_range(const struct rp_x264_pace *pace, int type, double picture_s, double tolerance_s)
{
    const int window = rp_x264_pace_window(picture_s);
    const int b_run = type == 1 ? 0 : rp_x264_pace_b_run(pace);
    const int last = type == 1 ? 1 : window;
    const double b_s = pace->mean.b_s;
    struct range range = {0, picture_s + MOST_S};
    double later_s = 0;

    for (int number = 1; number <= last; number++) {
        const int start = pace->picture_count + number - window;
        const double small_s = (number - 1) * (picture_s - SMALL_B * b_s);
        if (start >= 0) {
            const double even_s = picture_s + rp_x264_pace_owed_before(pace, start) - pace->debt_s;
            range.most_s = fmin(range.most_s, even_s + tolerance_s + later_s);
            if (number <= 1 + b_run)
                range.least_s = fmax(range.least_s, even_s - tolerance_s + small_s);
        }
        later_s += number <= b_run ? picture_s - b_s : STEEP * picture_s;
    }
    if (rp_x264_pace_has_b(pace))
        range.most_s = fmax(range.most_s, rp_x264_pace_mean_least_s(pace, type, picture_s));
    return range;
}

bool
rp_x264_pace_sees_windows(const struct rp_x264_pace *pace, double picture_s)
{
    return rp_x264_pace_is_constant(pace) &&
           (rp_x264_pace_is_path(pace, picture_s) || rp_x264_pace_is_mean(pace, picture_s));
}

bool
rp_x264_pace_hold(const struct rp_x264_pace *pace, int type, double picture_s, double bps,
                  double bits, struct rp_x264_pace_hold *hold)
{
    if (!rp_x264_pace_sees_windows(pace, picture_s))
        return false;
    const struct range held = windows_range(pace, type, picture_s, HELD_S);
    const struct range aimed = windows_range(pace, type, picture_s, AIMED_S);
    const double size_s = bits / bps;
    const bool is_small = type != 1 && size_s < held.least_s;

    if (!is_small && size_s <= held.most_s)
        return false;
    hold->bits = bps * (is_small ? fmin(aimed.least_s, aimed.most_s)
                                 : fmax(aimed.most_s, LEAST_PART * size_s));
    hold->most_bits = is_small ? bps * held.most_s : hold->bits;
    return hold->bits > 0;
}

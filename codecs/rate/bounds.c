/* SPDX-License-Identifier: MIT */
/* A window has its rate when as much is owed at its end as at its beginning.
 */
#include "bounds.h"

#include "constants.h"
#include "numbers.h"

int
rp_rate_window_pictures(const struct rp_rate_law *law)
{
    return (int)fmin(fmax(WINDOW_S / law->aim.picture_s + 0.5, 1), RP_RATE_PAST - 1);
}

double
rp_rate_owed_before(const struct rp_rate_law *law, int index)
{
    return index == law->picture_count ? law->debt_s
                                       : (double)law->past_debt_s[index % RP_RATE_PAST];
}

/* The debt before the group of pictures that picture index is in. A group begins with a picture
 * that is not B: within groups debts rise and fall. */
static double
group_owed_before(const struct rp_rate_law *law, int index)
{
    return index == law->picture_count ? law->debt_s
                                       : (double)law->past_group_s[index % RP_RATE_PAST];
}

/* Before the stream began nothing was owed. After a cut no window has room: what follows it has a
 * part of its time all the same, or nothing is seen. */
struct rp_rate_bounds
rp_rate_bounds_after(const struct rp_rate_law *law, const struct rp_rate_picture *picture,
                     int number, double tolerance_s)
{
    const double picture_s = law->aim.picture_s;
    const int window = rp_rate_window_pictures(law);
    const double far_s = window % law->intra_period ? WINDOW_FAR_S : WINDOW_FAR_WHOLE_S;
    const double return_s = WINDOW_RETURN * number * picture_s;
    struct rp_rate_bounds bounds = {fmin(-WINDOW_SAVED_S, law->debt_s + return_s),
                                    fmax(far_s, law->debt_s - return_s)};
    const int start = law->picture_count + number - window;

    if (start <= law->picture_count && (start >= 0 || !law->had_sudden)) {
        const double then_s = start < 0 ? 0 : group_owed_before(law, start);
        tolerance_s += start < 0 ? WINDOW_FIRST_TOLERANCE_S : 0;
        bounds.least_s = rp_rate_clip(bounds.least_s, then_s - tolerance_s, then_s + tolerance_s);
        bounds.most_s = rp_rate_clip(bounds.most_s, then_s - tolerance_s, then_s + tolerance_s);
    }
    bounds.most_s = fmax(bounds.most_s, law->debt_s - WINDOW_STEEP * number * picture_s);
    if (picture->fill_s > 0) {
        bounds.least_s = fmax(bounds.least_s, law->debt_s - picture->room_s);
        bounds.most_s =
            fmin(bounds.most_s, law->debt_s + WINDOW_BUFFER_PART * picture->fill_s - picture_s);
    }
    bounds.least_s = fmin(bounds.least_s, bounds.most_s);
    return bounds;
}

void
rp_rate_bound_savings(struct rp_rate_law *law, double base)
{
    if (base < law->scale->finest_step)
        law->debt_s = fmax(law->debt_s, -MOST_KEPT_S);
}

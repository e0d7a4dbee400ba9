/* SPDX-License-Identifier: MIT */
/* What windows of five seconds say of a picture that is coded already.
 */
#include "retry.h"

#include "bounds.h"
#include "constants.h"
#include "content.h"
#include "mean.h"

#include <math.h>

struct range {
    double least_s;
    double most_s;
};

/* What the picture may take, in seconds of the rate. The least comes from the window that ends
 * with it, and from those that end with the B pictures after it; the most from every window that
 * it is in. Of a B picture only the window that it ends counts: the pictures after it see to the
 * others. */
static struct range
windows_range(const struct rp_rate_law *law, enum rp_rate_type type, double tolerance_s)
{
    const double picture_s = law->aim.picture_s;
    const int window = rp_rate_window_pictures(law);
    const int b_run = type == RP_RATE_B ? 0 : rp_rate_b_run(law);
    const int last = type == RP_RATE_B ? 1 : window;
    const double b_s = law->mean.b_s;
    struct range range = {0, picture_s + RETRY_MOST_S};
    double later_s = 0;

    for (int number = 1; number <= last; number++) {
        const int start = law->picture_count + number - window;
        const double small_s = (number - 1) * (picture_s - RETRY_SMALL_B * b_s);
        if (start >= 0) {
            const double even_s = picture_s + rp_rate_owed_before(law, start) - law->debt_s;
            range.most_s = fmin(range.most_s, even_s + tolerance_s + later_s);
            if (number <= 1 + b_run)
                range.least_s = fmax(range.least_s, even_s - tolerance_s + small_s);
        }
        later_s += number <= b_run ? picture_s - b_s : RETRY_STEEP * picture_s;
    }
    if (rp_rate_has_b(law))
        range.most_s = fmax(range.most_s, rp_rate_mean_least_s(law, type));
    return range;
}

bool
rp_rate_retry_is_due(const struct rp_rate_law *law, enum rp_rate_type type, double bits,
                     struct rp_rate_retry *out)
{
    if (!rp_rate_law_chosen(law)->sees_windows)
        return false;
    const double bps = law->aim.bps;
    const struct range held = windows_range(law, type, RETRY_TOLERANCE_S);
    const struct range aimed = windows_range(law, type, RETRY_AIM_S);
    const double size_s = bits / bps;
    const bool is_small = type != RP_RATE_B && size_s < held.least_s;

    if (!is_small && size_s <= held.most_s)
        return false;
    const double wanted = bps * (is_small ? fmin(aimed.least_s, aimed.most_s)
                                          : fmax(aimed.most_s, RETRY_LEAST_PART * size_s));
    *out = (struct rp_rate_retry){wanted, is_small ? bps * held.most_s : wanted};
    return wanted > 0;
}

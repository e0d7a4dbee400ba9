/* SPDX-License-Identifier: MIT */
/* Applications say little of the pictures that they are going to send, and not always the truth:
 * periods and shares are counted, and scenes are told by the complexity of P pictures.
 */
#include "content.h"

#include "constants.h"
#include "numbers.h"

bool
rp_rate_has_b(const struct rp_rate_law *law)
{
    return law->share[RP_RATE_B] >= CONTENT_LEAST_B_SHARE;
}

double
rp_rate_b_share(const struct rp_rate_law *law)
{
    return law->share[RP_RATE_B] / fmax(0.05, law->share[RP_RATE_P] + law->share[RP_RATE_B]);
}

double
rp_rate_group_pictures(const struct rp_rate_law *law)
{
    return rp_rate_clip(1 / (1 - fmin(rp_rate_b_share(law), 0.95)), 1, 16);
}

int
rp_rate_b_run(const struct rp_rate_law *law)
{
    return (int)(rp_rate_group_pictures(law) - 0.5);
}

int
rp_rate_law_to_intra(const struct rp_rate_law *law, bool is_intra)
{
    const int left = law->intra_period - (is_intra ? 0 : 1 + law->since_intra);

    return left > 0 ? left : RP_RATE_UNKNOWN_PERIOD;
}

bool
rp_rate_is_sudden(const struct rp_rate_law *law, const struct rp_rate_picture *picture)
{
    return picture->type == RP_RATE_I && law->picture_count > 0 &&
           law->intra_period < RP_RATE_UNKNOWN_PERIOD && law->since_intra + 1 < law->intra_period;
}

bool
rp_rate_is_other_scene(const struct rp_rate_law *law, const struct rp_rate_picture *picture)
{
    return picture->type == RP_RATE_P && law->complexity[RP_RATE_P] > 0 &&
           picture->complexity > CONTENT_OTHER_SCENE * law->complexity[RP_RATE_P] &&
           picture->complexity > CONTENT_OTHER_SCENE_I * law->complexity[RP_RATE_I];
}

/* Content that was restless once counts as such for good: it may become so again at any time. */
void
rp_rate_content_note_scene(struct rp_rate_law *law, const struct rp_rate_picture *picture)
{
    if (picture->type != RP_RATE_P || law->complexity[RP_RATE_P] <= 0 || picture->complexity <= 0)
        return;
    const double change = fabs(log(picture->complexity / law->complexity[RP_RATE_P]));
    law->swing += CONTENT_SWING_WEIGHT * (fmin(change, CONTENT_MOST_SWING) - law->swing);
    law->is_restless |= law->swing > CONTENT_RESTLESS_SWING || rp_rate_is_other_scene(law, picture);
}

void
rp_rate_content_note_place(struct rp_rate_law *law, const struct rp_rate_picture *picture)
{
    const bool is_intra = picture->type == RP_RATE_I;

    law->since_intra++;
    if (is_intra && law->picture_count > 0)
        law->intra_period = law->since_intra;
    else if (law->since_intra > law->intra_period)
        law->intra_period = law->since_intra;
    if (is_intra)
        law->since_intra = 0;
}
